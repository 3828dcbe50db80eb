"""The widgets, moved by ImGui's own mouse and keyboard events on an offscreen picture."""

import numpy as np
import pytest

from viewer.common.quantities import value_of
from viewer.scenario.scenario import Scenario
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets.number_field import REFUSED_SECONDS
from viewer.user import log


def test_a_moved_mouse_moves_a_slider_and_the_picture(stage):
    shown = stage()
    before = shown.pixels().copy()
    left, top, right, bottom = (round(edge) for edge in shown.boxes["##body.depth[0]"])
    shown.drag("##body.depth[0]", 40)
    value = shown.workspace.session.scenario.body.depth
    # 40 of 162 pixels of the range .05..1 m, in steps of 1 mm
    assert value == pytest.approx(0.5 + 0.95 * 40 / (right - left), abs=0.001)
    assert np.any(shown.pixels()[top:bottom, left:right] != before[top:bottom, left:right])


def test_a_drag_shows_its_effect_in_the_next_frame(stage):
    shown = stage()
    moments = shown.workspace.session.snapshot().body.principal_moments
    x, y = shown.over("##body.depth[0]")
    shown.button(True)
    shown.move(x + 30, y)
    assert shown.workspace.session.snapshot().body.principal_moments[0] > moments[0]


def test_a_press_alone_changes_nothing(stage):
    shown = stage()
    shown.click("##body.depth[0]")
    assert shown.workspace.session.scenario == Scenario.preset("paper-fig1-fine")


def test_shift_makes_a_drag_ten_times_finer(stage):
    shown = stage()
    shown.drag("##body.depth[0]", 40)
    coarse = shown.workspace.session.scenario.body.depth - 0.5
    shown.workspace.session.change({"body.depth": 0.5})
    imgui.get_io().add_key_event(imgui.Key.mod_shift, True)
    shown.drag("##body.depth[0]", 40)
    imgui.get_io().add_key_event(imgui.Key.mod_shift, False)
    assert shown.workspace.session.scenario.body.depth - 0.5 == pytest.approx(coarse / 10, abs=0.001)


def test_a_drag_ends_at_the_ends_of_the_range(stage):
    shown = stage()
    shown.drag("##body.height[0]", -500)
    assert shown.workspace.session.scenario.body.height == 0.05
    shown.drag("##body.height[0]", 700)
    assert shown.workspace.session.scenario.body.height == 1.0


def test_one_drag_is_one_undo(stage):
    shown = stage()
    shown.drag("##body.depth[0]", 40)
    shown.drag("##body.depth[0]", 20)
    twice = shown.workspace.session.scenario.body.depth
    shown.workspace.session.undo()
    assert 0.5 < shown.workspace.session.scenario.body.depth < twice
    shown.workspace.session.undo()
    assert shown.workspace.session.scenario.body.depth == 0.5


def test_components_of_a_vector_move_on_their_own(stage):
    shown = stage(size=(1280, 840))
    shown.drag("##start.angular_velocity[2]", 26)  # a tenth of the travel through -10..10
    assert shown.workspace.session.scenario.start.angular_velocity == pytest.approx((0.0, 3.0, 2.3), abs=0.011)


def start_typing(shown, name) -> None:
    """A double click."""
    shown.double_click(name)
    shown.frame(2)


def test_a_double_click_lets_one_type(stage):
    shown = stage()
    start_typing(shown, "##body.mass[0]")
    assert shown.ui.overlays.takes_keys
    shown.type("2,5 kg")
    assert shown.workspace.session.scenario.body.mass == 2.5
    assert not shown.ui.overlays.takes_keys


def test_a_typed_value_and_a_default_are_undone_on_their_own(stage):
    shown = stage()
    masses = [1.0]
    for gesture in ("type", "drag", "default", "type"):
        if gesture == "drag":
            shown.drag("##body.mass[0]", 20)
        elif gesture == "default":
            shown.click("##body.mass[0]", which=1)
        else:
            start_typing(shown, "##body.mass[0]")
            shown.type("3")
        masses.append(shown.workspace.session.scenario.body.mass)
    assert masses == [1.0, 3.0, masses[2], 1.0, 3.0]
    for mass in masses[-2::-1]:
        shown.workspace.session.undo()
        assert shown.workspace.session.scenario.body.mass == mass


def test_ctrl_and_click_too(stage):
    shown = stage(size=(1280, 840))
    shown.over("##start.angular_velocity[1]")
    imgui.get_io().add_key_event(imgui.Key.mod_ctrl, True)
    shown.button(True)
    shown.button(False)
    imgui.get_io().add_key_event(imgui.Key.mod_ctrl, False)
    shown.frame(2)
    shown.type("1/4")
    assert shown.workspace.session.scenario.start.angular_velocity == (0.0, 0.25, 0.3)


def test_escape_ends_typing_and_keeps_the_value(stage):
    shown = stage()
    start_typing(shown, "##body.mass[0]")
    imgui.get_io().add_input_characters_utf8("77")
    shown.frame(2)
    shown.key(imgui.Key.escape)
    shown.frame(2)
    assert shown.workspace.session.scenario.body.mass == 1.0
    assert not shown.ui.overlays.takes_keys
    assert shown.message is None


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("0", "Mass: a number from 10⁻⁹ to 10³⁰ kg"),
        ("1e31", "Mass: a number from 10⁻⁹ to 10³⁰ kg"),
        ("much", "Mass: a number from 10⁻⁹ to 10³⁰ kg"),
    ],
)
def test_what_may_not_be_is_told_and_the_old_value_stays(stage, typed, message):
    shown = stage()
    start_typing(shown, "##body.mass[0]")
    shown.type(typed)
    assert shown.workspace.session.scenario.body.mass == 1.0
    shown.frame()
    (at,) = (box for words, box in shown.texts if words == message)
    below = shown.boxes["##body.mass[0]"][3]
    assert below < at[1] < below + 20  # at the field
    assert 0 <= at[0] < at[2] <= shown.size[0]
    assert shown.message is None
    assert 0.0 < shown.ui.freshness.wait() <= REFUSED_SECONDS
    shown.over("##body.mass[0]")
    shown.frame(4, 0.5)
    assert not any("Mass of the body" in words for words, _ in shown.texts)  # no tooltip over it
    shown.frame(1, REFUSED_SECONDS)
    shown.frame()
    assert not any(words == message for words, _ in shown.texts)
    assert shown.ui.freshness.wait() is None
    shown.move(5, 5)
    shown.over("##body.mass[0]")
    shown.frame(4, 0.5)
    assert any("Mass of the body" in words for words, _ in shown.texts)
    assert message in log.path().read_text("utf-8")


def test_what_may_not_be_is_told_above_a_field_at_the_bottom(stage):
    shown = stage(size=(800, 600))
    shown.workspace.session.change({"body.shape": "box"})
    low = max((box[3], name) for name, box in shown.boxes.items() if name.startswith("##body.") and box[3] < 590)
    name = low[1]
    start_typing(shown, name)
    shown.type("much")
    shown.frame(2)
    (at,) = (box for words, box in shown.texts if "a number from" in words)
    assert at[3] <= 600


def test_arithmetic_is_typed(stage):
    shown = stage(size=(1280, 840))
    start_typing(shown, "##start.angular_velocity[1]")
    shown.type("120 rpm")
    assert shown.workspace.session.scenario.start.angular_velocity[1] == pytest.approx(4 * np.pi)


STEP = "##solver.integration_period[0]"


@pytest.mark.parametrize(
    ("typed", "value"),
    [("1/60 s", 1 / 60), ("1/60 ms", 1 / 60_000), ("5", 0.005), ("5/2", 0.0025), ("0.5", 0.0005), ("20", 0.02)],
)
def test_a_step_is_typed_in_the_unit_that_is_shown_or_in_its_own(stage, typed, value):
    shown = stage(open_all=True, size=(800, 2800))
    assert shown.workspace.session.scenario.solver.integration_period == 0.002
    start_typing(shown, STEP)
    shown.type(typed)
    assert shown.workspace.session.scenario.solver.integration_period == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("typed", ["1/60", "0.0167", ".02"])
def test_a_step_that_is_rather_meant_in_seconds_is_asked(stage, typed):
    shown = stage(open_all=True, size=(800, 2800))
    start_typing(shown, STEP)
    shown.type(typed)
    shown.frame()
    assert shown.workspace.session.scenario.solver.integration_period == 0.002, "nothing is taken before the answer"
    assert any(f"{typed} s? Enter takes it. For" in words and f"write {typed} ms" in words for words, _ in shown.texts)
    shown.frame(4)
    shown.key(imgui.Key.enter)
    shown.frame(2)
    seconds = value_of(typed, "s")
    assert shown.workspace.session.scenario.solver.integration_period == seconds
    assert not any("Enter takes it" in words for words, _ in shown.texts), "it is answered"
    start_typing(shown, STEP)
    shown.type(f"{typed} ms")
    assert shown.workspace.session.scenario.solver.integration_period == pytest.approx(seconds / 1000, rel=1e-15)


def test_a_fraction_of_a_step_is_refused(stage):
    shown = stage(open_all=True, size=(800, 2800))
    start_typing(shown, "##solver.extra_substeps[0]")
    shown.type("2.5")
    assert shown.workspace.session.scenario.solver.extra_substeps == 15
    shown.frame()
    assert any("Extra substeps: a whole number from 0 to" in words for words, _ in shown.texts)


def test_a_right_click_sets_the_default(stage):
    shown = stage("dzhanibekov")
    assert shown.workspace.session.scenario.body.depth != 0.5
    shown.click("##body.depth[0]", which=1)
    assert shown.workspace.session.scenario.body.depth == 0.5


def test_a_choice(stage):
    shown = stage()
    shown.click("##body.shape")
    shown.frame(2)
    shown.click("Cylinder")
    shown.frame(2)
    assert shown.workspace.session.scenario.body.shape == "cylinder"


def test_a_switch(stage):
    shown = stage(size=(800, 3000), open_all=True)
    shown.click("##show.plane")
    assert shown.workspace.session.scenario.show.plane is False
    shown.click("##show.plane")
    assert shown.workspace.session.scenario.show.plane is True


def test_the_speed_by_hand_ends_the_automatic_one(stage):
    shown = stage()
    assert shown.workspace.session.scenario.playback.auto_speed
    shown.drag("##playback.speed[0]", 20)
    assert not shown.workspace.session.scenario.playback.auto_speed
    assert shown.workspace.session.scene.speed > 1.0


def test_a_tooltip_tells_meaning_symbol_value_and_range(stage):
    shown = stage()
    shown.workspace.session.change({"body.mass": 1.23456789})
    shown.over("##body.mass[0]")
    shown.frame(60)
    words = [words for words, _ in shown.texts]
    assert "Mass of the body" in words
    assert "m = 1.23457 kg" in words
    assert any(line.startswith("10⁻⁹ to 10³⁰ kg") for line in words)


@pytest.mark.parametrize("size", [(1280, 720), (800, 600)])
def test_a_tooltip_leaves_its_control_free(stage, size):
    """That at the bottom of the panel has it above."""
    shown = stage(size=size)
    shown.ui.layout.show_panel(True)
    shown.frame(3)
    low = {
        name: box
        for name, box in shown.boxes.items()
        if name.startswith("##body.") and name.endswith("[0]") and box[3] < size[1] - 10
    }
    for name in (
        min(low, key=lambda name: low[name][1]),
        max(low, key=lambda name: low[name][3]),
        "##playback.speed[0]",
    ):
        box = shown.boxes[name]
        shown.over(name)
        shown.frame(60)
        lines = [at for words, at in shown.texts if "double click" in words or "right click" in words]
        assert lines, name
        for left, top, right, bottom in lines:
            assert bottom <= box[1] or top >= box[3], name
            assert 0 <= left < right <= size[0]
            assert 0 <= top < bottom <= size[1]


def test_no_tooltip_while_another_field_is_typed_in(stage):
    shown = stage()
    start_typing(shown, "##body.mass[0]")
    shown.over("##body.depth[0]")
    shown.frame(60)
    told = lambda: any("double click" in words or "right click" in words for words, _ in shown.texts)  # noqa: E731
    assert not told()
    shown.key(imgui.Key.escape)
    shown.move(5, 5)
    shown.over("##body.depth[0]")
    shown.frame(60)
    assert told()
