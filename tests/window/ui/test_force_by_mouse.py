"""A force dragged in the scene by the tip of its arrow and by its point of application, in a real window."""

import subprocess

import numpy as np
import pytest
from helpers.pointing import box_radius, eye_pixel, force_tip

pytestmark = pytest.mark.usefixtures("button_up")
LOADS = {"loads.force": (0.0, 6.0, 12.0), "loads.arm": (0.5, 0.2, 0.1)}


@pytest.fixture
def button_up(desktop):
    """The mouse of the next test has no button down, also where this one fails."""
    yield
    subprocess.run(["xdotool", "mouseup", "1"], check=True)


def opened(desktop, **more):
    shown = desktop("box-80kg", size=(1280, 720), **more)
    shown.session.change(LOADS)
    shown.session.commit_change()
    shown.settle()
    return shown


def places(shown, part=0, eye=0):
    """Where the tip and the point are in the window, px."""
    reading, scenario = shown.session.snapshot().reading, shown.scenario
    rotation, rect = reading.rotation_world_from_body, shown.app.ui.layout.areas.scene
    layer = shown.app.scene_view.frame.main
    seen, viewports = (float(rect.width), float(rect.height)), shown.app.ui.layout.viewports
    stretch, corner = np.array(viewports.stretch), viewports.rects[part]
    found = {}
    for name, at in (
        ("tip", force_tip(scenario, rotation, box_radius(scenario))),
        ("point", rotation @ np.array(scenario.loads.arm)),
    ):
        x, y = eye_pixel(layer, at, seen, eye) + np.array((rect.x, rect.y))
        found[name] = np.array([corner.x + x / stretch[0], corner.y + y / stretch[1]])
    return found


def pull(shown, start, end):
    """Presses at `start`, moves to `end` and stays there with the button down."""
    shown.hands("mousemove", *(round(v) for v in start))
    shown.hands("mousedown", 1, "mousemove", *(round(0.5 * (a + b)) for a, b in zip(start, end, strict=True)))
    shown.hands("mousemove", *(round(v) for v in end))


@pytest.mark.parametrize("frame", ["space", "body"])
@pytest.mark.parametrize("handle", ["tip", "point"])
def test_what_is_dragged_is_under_the_pointer_and_one_undo_takes_it_back(desktop, handle, frame):
    shown = opened(desktop)
    shown.session.change({"loads.frame": frame})
    shown.session.commit_change()
    shown.settle()
    before, start = shown.scenario, places(shown)
    end = start[handle] + (-37, 24)
    pull(shown, start[handle], end)
    shown.hands("mouseup", 1)
    after = places(shown)
    assert np.abs(after[handle] - np.round(end) - 0.5).max() < 0.1  # measured: .003 px off the pixel's middle
    changed, other = ("force", "arm") if handle == "tip" else ("arm", "force")
    assert getattr(shown.scenario.loads, changed) != getattr(before.loads, changed)
    assert getattr(shown.scenario.loads, other) == getattr(before.loads, other)
    assert shown.scenario.view == before.view
    shown.session.undo()
    assert shown.scenario == before
    shown.session.redo()
    np.testing.assert_allclose(places(shown)[handle], after[handle], atol=0.1)


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("frame", ["space", "body"])
@pytest.mark.parametrize("view", ["ceiling", "body"])
def test_it_stays_under_the_pointer_while_the_motion_runs(desktop, frame, view):
    shown = opened(desktop)
    slow = {"playback.speed": 0.1}  # else the point of application is soon too far away for the largest force
    shown.session.change({"loads.frame": frame, "view.frame": view, **slow})
    shown.session.commit_change()
    shown.settle()
    before, start = shown.scenario, places(shown)
    end = start["tip"] + (25, 31)
    pull(shown, start["tip"], end)
    force = shown.scenario.loads.force
    shown.session.playback.toggle()
    then = shown.session.motion.time
    frames = shown.app.frames.count
    shown.until(lambda: shown.session.motion.time > then + 0.03 and shown.app.frames.count > frames + 5)
    assert np.abs(places(shown)["tip"] - np.round(end) - 0.5).max() < 0.1  # measured: .004 px
    assert shown.scenario.loads.force != force  # the body has turned, and the tip has not
    shown.session.playback.toggle()
    shown.hands("mouseup", 1)
    shown.session.undo()
    assert shown.scenario == before


def test_escape_takes_a_drag_back_for_good(desktop):
    shown = opened(desktop)
    before, start = shown.scenario, places(shown)
    pull(shown, start["tip"], start["tip"] + (60, -10))
    assert shown.scenario != before
    shown.key("Escape")
    assert shown.scenario == before
    shown.hands("mousemove_relative", "--", 40, 40)
    assert shown.scenario == before  # nor is the view turned by what is left of the drag
    shown.hands("mouseup", 1)
    shown.session.redo()
    assert shown.scenario == before


def test_the_wheel_moves_the_tip_in_depth_and_leaves_it_under_the_pointer(desktop):
    shown = opened(desktop)
    start, view = places(shown), shown.scenario.view
    pull(shown, start["tip"], start["tip"] + (10, 10))
    at, force = places(shown)["tip"], shown.scenario.loads.force
    shown.hands("click", "--repeat", 3, 4)
    assert shown.scenario.view == view
    assert shown.scenario.loads.force != force
    assert np.abs(places(shown)["tip"] - at).max() < 0.1
    shown.hands("mouseup", 1)


def test_the_arm_follows_the_pointer_beyond_the_body(desktop):
    shown = opened(desktop)
    shown.session.change({"view.zoom": 0.3})
    shown.settle()
    start = places(shown)
    pull(shown, start["point"], start["point"] - (0, 250))
    shown.hands("mouseup", 1)
    assert max(map(abs, shown.scenario.loads.arm)) > 1.0
    assert places(shown)["point"] == pytest.approx(start["point"] - (0, 250), abs=3.0)


def test_a_handle_glows_under_the_pointer_and_a_drag_beside_it_turns_the_view(desktop):
    shown = opened(desktop)
    shown.app.workspace.settings.change("names.pointer", False)
    start, view, loads = places(shown), shown.scenario.view, shown.scenario.loads
    shown.move(*(start["tip"] - (0, 40)))
    without = shown.scene().astype(int)
    shown.move(*start["tip"])
    assert shown.app.workspace.state.handle == "tip"
    changed = np.argwhere(np.abs(shown.scene() - without).max(axis=2) > 40)
    rect = shown.app.ui.layout.areas.scene
    away = np.hypot(*(changed[:, ::-1] + (rect.x, rect.y) - start["tip"]).T)
    assert len(changed) > 60  # a ring of 10 px
    assert away.max() < 15.0
    shown.move(*start["point"])
    assert shown.app.workspace.state.handle == "point"
    shown.drag((60, 600), (50, 0))
    assert shown.app.workspace.state.handle == ""
    assert shown.scenario.view != view
    assert shown.scenario.loads == loads


@pytest.mark.sweep(most=3)
@pytest.mark.parametrize("mode", ["side-by-side", "side-by-side-half", "top-bottom-half", "anaglyph", "row-interlaced"])
@pytest.mark.parametrize("part", [0, 1])
def test_in_stereo_it_is_held_in_the_picture_where_the_pointer_is(desktop, mode, part):
    shown = opened(desktop)
    shown.session.change({"stereo.mode": mode})
    shown.session.commit_change()
    shown.settle()
    many = len(shown.app.ui.layout.viewports.rects) > 1
    if part and not many:
        return
    eye = (-1, 1)[part] if many else 0
    start = places(shown, part, eye)
    end = start["tip"] + (-12, 15)
    pull(shown, start["tip"], end)
    shown.hands("mouseup", 1)
    # measured: .003 px; of a squeezed half the pointer counts every second pixel, .25 px off
    assert np.abs(places(shown, part, eye)["tip"] - np.round(end) - 0.5).max() < 0.3


def test_dragged_between_scrubs_pulses_and_undo(desktop):
    shown = opened(desktop)
    session = shown.session
    session.playback.toggle()
    shown.until(lambda: session.motion.time > 0.3)
    session.playback.toggle()
    shown.settle()
    start = places(shown)
    pull(shown, start["tip"], start["tip"] + (30, 0))
    shown.hands("mouseup", 1)
    dragged, at = shown.scenario.loads.force, session.motion.time
    session.pulse(0, 1)
    session.playback.seek(0.1)
    shown.settle()
    assert shown.scenario.loads.force == LOADS["loads.force"]  # as it was then
    start = places(shown)
    pull(shown, start["point"], start["point"] + (0, 20))
    shown.hands("mouseup", 1)
    arm = shown.scenario.loads.arm
    assert arm != LOADS["loads.arm"]
    session.playback.seek(at)
    assert shown.scenario.loads.arm == arm
    session.undo()
    assert shown.scenario.loads.arm == LOADS["loads.arm"]
    assert dragged != LOADS["loads.force"]


def test_in_momentum_space_it_is_dragged_by_the_arrow_that_is_drawn_there(desktop):
    shown = opened(desktop)
    shown.session.change({"view.construction": "momentum"})
    shown.session.commit_change()
    shown.settle()
    rect = shown.app.ui.layout.areas.scene

    def ends():
        layer = shown.app.scene_view.frame.main
        arrow = next(arrow for arrow in layer.scene.arrows if arrow.name == "F")
        corner = np.array((rect.x, rect.y))
        return [corner + eye_pixel(layer, at, (rect.width, rect.height)) for at in (arrow.start, arrow.end)]

    for number, by in ((1, (20, -30)), (0, (-15, 10))):
        start = ends()[number]
        pull(shown, start, start + by)
        shown.hands("mouseup", 1)
        assert np.abs(ends()[number] - np.round(start + by) - 0.5).max() < 0.1


def test_a_force_is_added_at_a_corner_by_its_key_and_removed_by_its_button(desktop):
    shown = desktop("box-80kg", size=(1280, 720))
    shown.app.workspace.settings.change("panel.open_sections", ("Loads",))
    before = shown.scenario
    shown.key("shift+f")
    assert shown.scenario.loads.arm == (0.5, 0.2, 0.1)  # of the box of 1 by .4 by .2 m
    assert any(shown.scenario.loads.force)
    at = places(shown)["tip"]
    assert 0 < at[0] < 960
    assert 0 < at[1] < 660
    shown.key("shift+f")
    assert shown.message == "There is a force already: drag its tip or its point of application"
    shown.click(*shown.middle("Remove the force"))
    assert shown.scenario == before


@pytest.mark.parametrize(("button", "axis", "sign"), [("+x′", 0, 1), ("−y′", 1, -1), ("+z′", 2, 1)])
def test_a_button_gives_a_pulse_of_the_size_that_is_set(desktop, button, axis, sign):
    shown = desktop("box-80kg", size=(1280, 840))
    shown.app.workspace.settings.change("panel.open_sections", ("Loads",))
    shown.app.ui.touched()
    shown.settle()

    def momentum():
        reading = shown.session.snapshot().reading
        return reading.rotation_world_from_body.T @ reading.angular_momentum_world

    before = momentum()
    shown.click(*shown.middle(f"{button}##pulse"))
    wanted = sign * shown.scenario.loads.pulse * np.eye(3)[axis]
    np.testing.assert_allclose(momentum() - before, wanted, atol=1e-9)
