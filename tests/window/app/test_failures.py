"""What nobody expected: told in one line, logged, and the app goes on where it can."""

from types import SimpleNamespace

import numpy as np
import pytest

from viewer.app.app import App
from viewer.app.frames import RETRY
from viewer.render.renderer import Renderer
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.session.motion import Motion
from viewer.ui.plots.plots import Plots
from viewer.user import autosave, log
from viewer.user.settings import Settings

FAILED = App.failed


@pytest.fixture
def as_users_have_it(desktop, monkeypatch):
    """Opens apps whose failures do not fail the test."""
    monkeypatch.setattr(App, "failed", FAILED)
    return desktop


@pytest.fixture
def going_on(as_users_have_it):
    return as_users_have_it(playing=True)


def test_a_key_that_breaks_leaves_the_app_running(going_on, monkeypatch):
    monkeypatch.setattr(type(going_on.session), "undo", lambda session: {}["lost"])
    going_on.key("ctrl+z")
    assert "internal error: KeyError: 'lost'" in going_on.message
    assert str(log.path()) in going_on.message
    assert "KeyError" in log.path().read_text("utf-8")
    assert not going_on.session.playback.playing
    frames = going_on.app.frames.count
    going_on.key("space")
    going_on.until(lambda: going_on.app.frames.count > frames + 2)
    assert going_on.session.playback.playing


def test_a_panel_that_breaks_once_is_there_again(going_on):
    panel = going_on.app.ui.panel
    sections = panel._sections

    def once(look):
        panel._sections = sections
        raise ValueError("no such thing")

    panel._sections = (SimpleNamespace(title="Body", draw=once),)
    going_on.until(lambda: going_on.message is not None)
    frames = going_on.app.frames.count
    going_on.until(lambda: going_on.app.frames.count > frames)
    assert "no such thing" in going_on.message
    going_on.click(*going_on.middle("close"))
    assert going_on.message is None


def broken(*_, **__):
    raise ZeroDivisionError("float division by zero")


def frames(shown, count=3):
    """Lets some frames be drawn, whatever becomes of them."""
    for _ in range(count):
        shown.app.on_expose()
        shown.app.loop.next_frame = 0.0
        shown.app.loop.idle()


def scene_of(shown):
    """What the X server shows of the scene, but for the strip where messages stand."""
    x, y, width, height = (getattr(shown.app.ui.layout.areas.scene, name) for name in ("x", "y", "width", "height"))
    return shown.screen()[y : y + height - 120, x : x + width]


def crashes():
    return log.path().read_text("utf-8").count("crash:")


def check_that_all_is_there(shown):
    """The window goes on: the panel takes a change, another scene opens and runs."""
    shown.key("space")
    shown.app.workspace.editor.set("body.mass", 3.0)
    shown.key("1")
    assert shown.scenario.title == PRESETS[next(iter(PRESETS))].title
    shown.session.playback.play()
    time = shown.session.motion.time
    shown.until(lambda: shown.session.motion.time > time)


def test_physics_that_breaks_pauses_the_motion_and_keeps_the_scene(as_users_have_it, monkeypatch):
    shown = as_users_have_it(playing=False, settings=Settings.of_user())
    shown.session.change({"body.mass": 2.5})
    with monkeypatch.context() as patch:
        patch.setattr(Motion, "run", broken)
        shown.session.playback.play()
        shown.until(lambda: not shown.session.playback.playing)
        shown.settle()
    assert "ZeroDivisionError" in shown.message
    assert "the motion is paused, the scene is kept" in shown.message
    shown.app.workspace.unsaved.autosave.finish_writing()
    (kept,) = autosave.folder().glob("*.toml")
    assert Scenario.load(kept).body.mass == 2.5
    check_that_all_is_there(shown)


def test_a_moment_that_cannot_be_shown_leaves_the_last_one(going_on, monkeypatch):
    going_on.session.playback.pause()
    going_on.settle()
    before, count = scene_of(going_on), going_on.app.scene_view.count
    with monkeypatch.context() as patch:
        patch.setattr(Motion, "snapshot", broken)
        going_on.key("period")
        assert going_on.session.motion.time > 0.0
        assert "ZeroDivisionError" in going_on.message
        frames(going_on)
        assert crashes() == 1
        assert np.array_equal(scene_of(going_on), before)
        assert "##body.mass[0]" in going_on.boxes  # the panel
        going_on.drag((300, 300), (60, 0))  # the last moment from elsewhere
        assert going_on.app.scene_view.count > count
        assert not np.array_equal(scene_of(going_on), before)
    check_that_all_is_there(going_on)


@pytest.mark.parametrize("part", ["build", "paint"])
def test_a_picture_that_breaks_leaves_the_last_one(going_on, monkeypatch, part):
    going_on.session.playback.pause()
    going_on.settle()
    before, calls = scene_of(going_on), []
    draw = Renderer._draw_eye

    def half(self, *eye):
        """The picture that is wanted breaks when it is half drawn; the last one then is drawn."""
        draw(self, *eye)
        calls.append(eye)
        if len(calls) % 2:
            raise ZeroDivisionError

    with monkeypatch.context() as patch:
        if part == "build":
            patch.setattr("viewer.ui.view.scene_view.build_frame", broken)
        else:
            patch.setattr(Renderer, "_draw_eye", half)
        going_on.session.change({"view.zoom": 2.0})
        frames(going_on, 8)
        assert "ZeroDivisionError" in going_on.message
        assert crashes() == 1
        assert len(calls) in (0, 2)  # it is not tried again and again
        assert np.array_equal(scene_of(going_on), before)
    check_that_all_is_there(going_on)


def test_a_plot_that_breaks_every_frame_leaves_the_others(going_on, monkeypatch):
    going_on.key("g")
    drawn = []
    draw_pane = Plots._pane

    def some(self, look, snapshot, pane, *more):
        if pane.name == "energy":
            raise ValueError("no such curve")
        drawn.append(pane.name)
        return draw_pane(self, look, snapshot, pane, *more)

    with monkeypatch.context() as patch:
        patch.setattr(Plots, "_pane", some)
        frames(going_on, 8)
        assert drawn.count("errors") >= 8
        assert "no such curve" in going_on.message
        assert crashes() == 1
        going_on.key("space")  # the motion is not to blame: it runs
        time = going_on.session.motion.time
        going_on.until(lambda: going_on.session.motion.time > time)
        assert crashes() == 1
    check_that_all_is_there(going_on)


def test_an_interface_that_breaks_every_frame_leaves_the_picture(going_on, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(type(going_on.app.ui), "_elements", broken)
        count = going_on.app.frames.count
        frames(going_on, 8)
        assert going_on.app.frames.count == count + 8
        assert crashes() == 1
    check_that_all_is_there(going_on)


def test_a_window_that_cannot_be_painted_is_tried_again(going_on, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(type(going_on.app.window), "flip", broken)
        frames(going_on, 8)
        going_on.app.loop.next_frame = 0.0
        assert going_on.app.loop.idle() == RETRY
        assert crashes() == 1
    check_that_all_is_there(going_on)


def test_a_run_of_some_frames_ends_with_what_breaks_it(as_users_have_it, monkeypatch):
    shown = as_users_have_it(playing=True, exit_after_frames=10**6)
    monkeypatch.setattr(Motion, "run", broken)
    with pytest.raises(ZeroDivisionError):
        shown.until(lambda: False)
