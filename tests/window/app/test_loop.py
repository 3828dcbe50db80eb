"""When the app draws, at which sizes, and how it starts and ends."""

import math
import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from helpers.playing import Clock


def test_paused_and_untouched_it_draws_nothing_and_sleeps(desktop):
    shown = desktop()
    frames = shown.app.frames.count
    for _ in range(5):
        assert (
            shown.app.loop.idle() is None
        )  # the loop sleeps until an event comes; the CPU time is a benchmark's: idle.py
        shown.loop.step(0.1)
    assert shown.app.frames.count == frames


def test_the_mouse_over_the_scene_draws_nothing(desktop):
    shown = desktop()
    shown.move(300, 300)
    frames = shown.app.frames.count
    for x in range(310, 400, 10):
        shown.move(x, 300)
    assert shown.app.frames.count == frames


def test_the_mouse_over_the_panel_draws_no_scene(desktop):
    shown = desktop(size=(1280, 780))  # its panel shows the orientation
    shown.move(*shown.middle("##start.orientation_deg[1]"))
    frames, pictures = shown.app.frames.count, shown.app.scene_view.count
    shown.move(*shown.middle("##start.orientation_deg[0]"))  # which is nothing that could glow
    assert shown.app.frames.count > frames
    assert shown.app.scene_view.count == pictures


def test_playing_it_draws_frame_after_frame(desktop):
    shown = desktop(playing=True, clock=Clock(1e-3))
    shown.until(lambda: shown.session.motion.time > 0.5)
    assert shown.app.scene_view.count >= 5


def test_a_drag_on_a_number_changes_the_scene_in_the_same_frame(desktop):
    from viewer.ui.platform.pyglet_options import mouse

    shown = desktop(size=(1280, 840))  # its panel shows the start
    shown.session.change({"view.quality": "full"})  # as many pixels as the layout gives the scene
    shown.settle()
    x, y = (round(at) for at in shown.middle("##start.angular_velocity[0]"))
    shown.hands("mousemove", x, y, "mousedown", 1, "mousemove", x + 20, y)
    window, scene, start, frames = (
        shown.app.window,
        shown.scene().copy(),
        shown.scenario.start,
        shown.app.frames.count,
    )
    window.dispatch_event("on_mouse_drag", x + 60, window.height - 1 - y, 40, 0, mouse.LEFT, 0)
    shown.app.loop.next_frame = 0.0
    shown.app.loop.idle()
    assert shown.app.frames.count == frames + 1
    assert shown.scenario.start != start
    assert shown.app.scene_view.frame.size == shown.app.ui.layout.areas.scene.size
    assert not np.array_equal(shown.scene(), scene)
    shown.hands("mouseup", 1)


def test_the_edge_of_the_panel_and_the_scene_move_in_the_same_frame(desktop):
    from viewer.ui.platform.pyglet_options import mouse

    shown = desktop()
    x, frames = shown.app.ui.layout.areas.panel.x, shown.app.frames.count
    shown.hands("mousemove", x + 1, 300, "mousedown", 1, "mousemove", x - 10, 300)
    window, width, frames = shown.app.window, shown.app.ui.layout.areas.scene.width, shown.app.frames.count
    window.dispatch_event("on_mouse_drag", x - 50, window.height - 301, -40, 0, mouse.LEFT, 0)
    shown.app.loop.next_frame = 0.0
    shown.app.loop.idle()
    assert shown.app.frames.count == frames + 1
    assert shown.app.ui.layout.areas.scene.width < width
    assert shown.scene().shape[1::-1] == shown.app.ui.layout.areas.scene.size
    shown.hands("mouseup", 1)


def test_a_covered_window_is_painted_again(desktop):
    shown = desktop()
    before = shown.screen()
    frames = shown.app.frames.count
    shown.app.window.set_visible(False)
    shown.settle()
    shown.app.window.set_visible(True)
    shown.until(lambda: shown.app.frames.count > frames)
    shown.settle()
    assert np.array_equal(shown.screen(), before)


@pytest.mark.parametrize("size", [(64, 64), (200, 700), (1, 1), (2600, 1500), (1280, 3)])
def test_windows_of_any_size(desktop, size):
    shown = desktop()
    shown.resize(*size)
    assert shown.scene().shape[1::-1] == shown.app.ui.layout.areas.scene.size
    shown.session.playback.toggle()
    shown.until(lambda: shown.session.motion.time > 0.05)
    shown.session.playback.pause()
    shown.resize(1000, 600)
    assert shown.app.ui.layout.areas.scene.size == (692, 518)
    assert shown.screen().shape == (600, 1000, 3)


def test_opened_at_one_pixel(desktop):
    shown = desktop(size=(1, 1))
    assert shown.app.frames.count >= 1


def test_the_process_ends_after_the_frames_that_were_asked_for():
    command = [sys.executable, "-c", "from viewer.app.app import App; from viewer.commands.begin import Start; "
               "from viewer.scenario.scenario import Scenario; "
               "App(Start(Scenario.preset('sphere'), exit_after_frames=3)).run()"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_without_a_screen_it_says_so():
    code = (
        "from viewer.app import app; from viewer.commands.begin import Start; "
        "from viewer.scenario.scenario import Scenario\n"
        "try: app.App(Start(Scenario()))\n"
        "except app.NoWindow as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"DISPLAY": ":4711"},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("no window can be opened (Cannot connect to :4711")
    assert len(done.stdout.splitlines()) == 1


def test_the_interface_follows_the_scale_of_the_screen(desktop, monkeypatch):
    from viewer.ui.platform.window import AppWindow

    monkeypatch.setattr(AppWindow, "interface_scale", 1.5)
    shown = desktop(size=(1280, 760))
    assert shown.app.ui.layout.areas.scene.size == (1280 - 462, 637)
    shown.drag(shown.middle("##playback.speed[0]"), (-40, 0))
    assert shown.session.scene.speed < 1.0


def test_a_new_upright_axis_is_reached_on_a_way_and_then_all_rests(desktop):
    shown = desktop(clock=Clock(1e-3))
    before = shown.app.scene_view.count
    shown.key("v")
    assert shown.scenario.view.frame == "floor"
    assert shown.app.scene_view.count >= before + 3
    arrived = shown.screen()
    shown.app.scene_view._drawn = None  # drawn anew, with no way
    shown.app.on_expose()
    shown.settle()
    assert np.array_equal(shown.screen(), arrived)


def test_a_machine_that_cannot_keep_up_draws_fewer_pixels_and_a_still_picture_in_full(desktop, monkeypatch):
    clock = Clock(1e-3)
    shown = desktop(playing=True, clock=clock)
    draw = shown.app.scene_view.renderer.draw
    full = shown.app.ui.layout.areas.scene.size

    def slow(frame, **wanted):
        draw(frame, **wanted)
        clock.now += 0.06 * math.prod(frame.size) / math.prod(full)

    monkeypatch.setattr(shown.app.scene_view.renderer, "draw", slow)
    shown.until(lambda: shown.scene().shape[1::-1] == (round(full[0] / 2), round(full[1] / 2)))
    shown.session.playback.pause()
    shown.settle()
    shown.until(lambda: shown.scene().shape[1::-1] == full)
    shown.settle()
    assert shown.app.loop.idle() is None


def test_a_motion_that_stops_without_a_change_comes_to_rest_in_full(desktop):
    """What was drawn last was drawn while it went on, and nothing new is to be seen."""
    shown = desktop(playing=True)
    shown.session.change({"view.quality": "low"})
    full = shown.app.ui.layout.areas.scene.size
    shown.until(lambda: shown.app.scene_view.frame.size != full)
    shown.session.playback.stop()
    shown.settle()
    assert shown.app.scene_view.frame.size == full


def test_screens_and_their_rates_are_asked_for_again_when_the_window_comes_back(desktop, monkeypatch):
    shown = desktop()
    window = shown.app.window
    (real,) = window.display.get_screens()

    def screen(x, rate):
        mode = SimpleNamespace(rate=rate)
        return SimpleNamespace(x=x, y=0, width=real.width, height=real.height, get_mode=lambda: mode)

    left, right = screen(0, 144), screen(real.width, 30)
    monkeypatch.setattr(type(window.display), "get_screens", lambda display: [left, right])
    assert window.standing()[0] is not left
    window.dispatch_event("on_activate")
    assert window.standing()[0] is left
    assert window.frame_rate == 144.0
    monkeypatch.setattr(window, "get_location", lambda: (real.width + 10, 0))
    assert window.frame_rate == 30.0  # of the screen that it was moved to
    left.get_mode().rate, right.get_mode().rate = 60, 75
    window.dispatch_event("on_activate")
    monkeypatch.setattr(type(window.display), "get_screens", lambda display: [left, screen(real.width, 75)])
    window.dispatch_event("on_activate")
    assert window.frame_rate == 75.0  # another mode of it
