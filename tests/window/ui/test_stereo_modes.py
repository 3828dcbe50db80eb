"""Stereo modes that share all pixels of the window, in a real window."""

import time
from types import SimpleNamespace

import numpy as np
import pytest

from viewer.scenario.choices.stereo_modes import STEREO_MODES

INTERLACED = [mode for mode in STEREO_MODES.values() if mode.interlacing]


@pytest.mark.sweep
@pytest.mark.parametrize("mode", INTERLACED, ids=lambda mode: mode.name)
@pytest.mark.parametrize("step", [(1, 0), (0, 1), (1, 1)])
def test_interlaced_pixels_keep_to_the_screen_when_the_window_moves(desktop, mode, step):
    shown = desktop(size=(600, 400))
    shown.session.change({"stereo.mode": mode.name, "stereo.separation": 5.0})
    shown.app.window.set_location(10, 20)
    shown.settle()
    before, pictures = shown.scene().copy(), shown.app.scene_view.count
    shown.app.window.set_location(10 + step[0], 20 + step[1])
    shown.until(lambda: shown.app.window.get_location() == (10 + step[0], 20 + step[1]))
    shown.settle()
    rows = mode.interlacing
    first, moved = rows[0][0], rows[step[1] % len(rows)][step[0] % len(rows[0])]
    if first == moved:
        assert shown.app.scene_view.count == pictures or np.array_equal(shown.scene(), before)
        return
    assert np.any(shown.scene() != before)
    shown.session.change({"stereo.exchange_eyes": True})
    shown.settle()
    assert np.array_equal(shown.scene(), before)


def test_moving_the_window_draws_nothing_where_the_eyes_have_no_pixels_of_their_own(desktop):
    shown = desktop(size=(600, 400))
    shown.session.change({"stereo.mode": "anaglyph"})
    shown.settle()
    pictures = shown.app.scene_view.count
    shown.app.window.set_location(31, 7)
    shown.until(lambda: shown.app.window.get_location() == (31, 7))
    shown.settle()
    assert shown.app.scene_view.count == pictures


def test_wiggle_goes_on_while_the_motion_rests_and_shows_both_eyes(desktop):
    shown = desktop(size=(600, 400))
    shown.session.change({"stereo.mode": "wiggle", "stereo.separation": 5.0})
    seen = set()

    def both_eyes():
        seen.add(shown.scene().tobytes())
        return len(seen) == 2

    shown.until(both_eyes)
    wait = shown.app.loop.idle()
    assert wait is not None
    assert 0.0 <= wait <= 0.2  # five turns a second
    shown.session.change({"stereo.mode": "mono"})
    shown.settle()
    assert shown.app.loop.idle() is None


@pytest.mark.sweep(most=4)
@pytest.mark.parametrize("mode", [name for name, mode in STEREO_MODES.items() if mode.layout != "frame-sequential"])
def test_a_scene_at_rest_is_drawn_in_full_once_and_then_no_more(desktop, mode):
    """In a window whose parts have no round numbers of pixels: coarse pictures there are of nearly its shape."""
    shown = desktop(size=(997, 631))
    shown.session.change({"stereo.mode": mode, "view.quality": "low"})
    shown.settle()
    for azimuth in (10.0, 20.0, 30.0):
        shown.session.change({"view.azimuth_deg": azimuth})
        shown.turn()
    shown.until(lambda: shown.app.loop.idle() is None)
    pictures, end = shown.app.scene_view.count, time.monotonic() + 0.5  # three times as long as a picture is fresh
    while time.monotonic() < end:
        assert shown.turn() is None
    assert shown.app.scene_view.count == pictures


def test_quad_buffer_without_a_driver_for_it_says_so_and_shows_mono(desktop):
    shown = desktop(size=(900, 400))
    mono = shown.screen()
    shown.session.change({"stereo.mode": "quad-buffer"})
    shown.settle()
    assert not shown.app.window.has_two_buffers  # a software rasteriser has none
    words = "Quad buffer: the driver offers no buffer for each eye; shown as Mono"
    assert shown.app.scene_view.unavailable == words
    assert np.any(shown.screen() != mono)  # the words
    shown.session.change({"stereo.mode": "mono"})
    shown.settle()
    bar = shown.app.ui.layout.areas.toolbar.height  # in which there is something to undo now
    assert np.array_equal(shown.screen()[bar:], mono[bar:])


def test_quad_buffer_draws_each_eye_and_the_interface_into_its_buffer(desktop, monkeypatch):
    from viewer.ui.platform.pyglet_options import gl

    shown = desktop(size=(900, 400))
    chosen, pictures = [], []
    # A software rasteriser has no buffers for two eyes: that of the front stands in for the right one's.
    names = {"GL_BACK_LEFT": gl.GL_BACK, "GL_BACK_RIGHT": gl.GL_FRONT, "GL_BACK": gl.GL_BACK}

    def choose(buffer):
        gl.glDrawBuffer(buffer)
        assert shown.app.ctx.error == "GL_NO_ERROR"  # a framebuffer without a window has no such buffers
        gl.glReadBuffer(buffer)
        chosen.append(buffer)

    monkeypatch.setattr("viewer.ui.platform.window.gl", SimpleNamespace(glDrawBuffer=choose, **names))
    shown.app.window.has_two_buffers = True
    paint = shown.app.ui.paint

    def painted(screen):
        paint(screen)
        pictures.append(screen.read(components=3))
        # moderngl names an attachment that a window has not
        assert shown.app.ctx.error == "GL_INVALID_OPERATION"

    monkeypatch.setattr(shown.app.ui, "paint", painted)
    shown.session.change({"stereo.mode": "quad-buffer", "stereo.separation": 5.0})
    shown.settle()
    assert chosen[:3] == [gl.GL_BACK, gl.GL_FRONT, gl.GL_BACK]
    left, right = (np.frombuffer(data, np.uint8).reshape(400, 900, 3)[::-1].astype(int) for data in pictures[:2])
    scene = shown.app.ui.layout.areas.scene
    assert np.mean(left[:, : scene.width] != right[:, : scene.width]) > 0.01
    assert np.array_equal(left[:, scene.width :], right[:, scene.width :])


def test_a_drag_of_the_separation_takes_over_from_where_the_eyes_are(desktop):
    shown = desktop()
    shown.app.workspace.settings.change("panel.open_sections", ("Stereo",))
    shown.session.change({"stereo.mode": "anaglyph"})
    shown.settle()
    eyes = shown.app.scene_view.eyes
    assert shown.scenario.stereo.comfort
    left, _, right, _ = shown.boxes["##stereo.separation[0]"]
    shown.drag(shown.middle("##stereo.separation[0]"), (20, 0))
    stereo = shown.scenario.stereo
    assert not stereo.comfort
    assert stereo.convergence == eyes.convergence
    assert stereo.separation == pytest.approx(eyes.separation + 6.0 * 20 / (right - left), abs=0.02)


def test_the_chart_takes_the_leaks_of_the_glasses_and_turns_nothing(desktop):
    shown = desktop()
    shown.session.change({"stereo.mode": "anaglyph"})
    shown.key("c")
    view, chart = shown.scenario.view, shown.scene().copy()
    shown.drag((480, 300), (60, 30))
    shown.hands("click", 4)
    assert shown.scenario.view == view
    shown.drag(shown.middle("##stereo.left_leak[0]"), (40, 0))
    assert shown.scenario.stereo.left_leak > 2.0
    assert shown.scenario.stereo.right_leak == 0.0
    assert np.any(shown.scene() != chart)
    shown.click(*shown.middle("close chart"))
    assert not shown.app.workspace.state.chart


def test_the_chart_rests_while_the_motion_goes_on(desktop):
    shown = desktop()
    shown.key("c")
    pictures, time = shown.app.scene_view.count, shown.session.motion.time
    shown.session.playback.toggle()
    shown.until(lambda: shown.session.motion.time > time + 0.2)
    assert shown.app.scene_view.count == pictures


def test_nothing_is_due_where_the_motion_pauses_behind_the_chart(desktop):
    shown = desktop(playing=True)
    shown.key("c")
    shown.key("space")  # a scene that stands is drawn sharper than a moving one; the chart is always sharp
    assert not shown.session.playback.playing
    assert shown.app.loop.idle() != 0.0
    pictures = shown.app.scene_view.count
    shown.key("c")
    assert shown.app.scene_view.count > pictures


@pytest.mark.sweep(most=4)
@pytest.mark.parametrize("mode", STEREO_MODES)
def test_the_chart_is_shown_in_every_mode(desktop, mode):
    shown = desktop(size=(700, 400))
    shown.key("c")
    shown.session.change({"stereo.mode": mode})
    shown.settle()
    assert len(np.unique(shown.scene().reshape(-1, 3), axis=0)) > 20


def test_another_stereo_mode_begins_in_full_whatever_the_last_one_cost(desktop, monkeypatch):
    shown = desktop(size=(600, 400))
    monkeypatch.setattr("viewer.ui.view.dynamic_resolution.BUDGET", 0.0)
    shown.session.change({"view.quality": "auto"})
    shown.session.playback.play()
    shown.until(lambda: shown.app.scene_view.frame.size != shown.app.scene_view.size)
    shown.session.change({"stereo.mode": "left"})
    shown.until(lambda: shown.app.scene_view.mode.name == shown.app.scene_view.frame.mode.name)
    assert shown.app.scene_view.frame.size == shown.app.scene_view.size
