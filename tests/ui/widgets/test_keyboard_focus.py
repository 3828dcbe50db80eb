"""The panel by keyboard alone: Tab leads through it, keys and digits go to the control that has the ring."""

import pytest

from viewer.scenario.scenario import Scenario
from viewer.ui.platform.imgui_module import imgui
from viewer.workspace.questions import SaveQuestion


def press(shown, *keys: str) -> None:
    for key in keys:
        assert shown.ui.overlays.take_key(key), key
        shown.frame(3)


def go_to(shown, name: str) -> None:
    for _ in range(200):  # controls, at most
        press(shown, "Tab")
        if shown.ui.controls.focus.at == name:
            return
    raise AssertionError(f"Tab does not lead to {name}")


def test_no_key_is_taken_as_long_as_no_control_has_the_keyboard(stage):
    shown = stage()
    for key in ("Right", "Enter", "Delete", "Escape", "PageUp"):
        assert not shown.ui.overlays.take_key(key)
    assert not shown.ui.overlays.take_text("1")


def test_tab_leads_through_every_control_and_round(stage):
    shown = stage(size=(1000, 600), open_all=True)
    seen = []
    while shown.ui.controls.focus.at not in seen or not seen:
        if shown.ui.controls.focus.at:
            seen.append(shown.ui.controls.focus.at)
        press(shown, "Tab")
        _, top, _, bottom = shown.boxes[shown.ui.controls.focus.at]
        assert top >= 0, shown.ui.controls.focus.at
        assert bottom <= 600, shown.ui.controls.focus.at
    fields = {name for name in shown.boxes if name.startswith("##") and "." in name}
    assert fields <= set(seen)
    assert {"Body##header", "Save", "?"} <= set(seen)
    press(shown, "Shift+Tab")
    assert shown.ui.controls.focus.at == seen[-1]


def test_arrows_and_pages_step_a_number(stage):
    shown = stage()
    go_to(shown, "##body.depth[0]")
    depths = []
    for key in ("Right", "Up", "Left", "Shift+Right", "PageUp", "PageDown", "End", "Home", "Delete"):
        press(shown, key)
        depths.append(shown.workspace.session.scenario.body.depth)
    assert depths == pytest.approx([0.51, 0.52, 0.51, 0.511, 0.61, 0.51, 1.0, 0.05, 0.5])


def test_a_digit_begins_typing_and_tab_goes_on(stage):
    shown = stage()
    go_to(shown, "##body.mass[0]")
    assert shown.ui.overlays.take_text("2")
    for _ in range(3):
        assert shown.ui.overlays.awaits_keyboard  # ImGui's field is not ready
        shown.frame()
    shown.frame(2)
    assert not shown.ui.overlays.awaits_keyboard
    shown.type(".5")
    assert shown.workspace.session.scenario.body.mass == 2.5
    assert shown.ui.overlays.take_text("7")
    shown.frame(4)
    press(shown, "Tab")
    assert shown.workspace.session.scenario.body.mass == 7.0
    assert shown.ui.controls.focus.at == "##body.width[0]"
    assert not shown.ui.overlays.takes_keys


@pytest.mark.slow
def test_enter_types_ticks_presses_and_opens(stage):
    shown = stage(size=(800, 2400), open_all=True)
    go_to(shown, "##body.mass[0]")
    press(shown, "Enter")
    shown.type("3")
    assert shown.workspace.session.scenario.body.mass == 3.0
    go_to(shown, "##show.plane")
    press(shown, "Enter")
    assert not shown.workspace.session.scenario.show.plane
    go_to(shown, "Body##header")
    press(shown, "Enter")
    assert "##body.mass[0]" not in shown.boxes
    go_to(shown, "Save")
    press(shown, "Enter")
    assert isinstance(shown.workspace.question, SaveQuestion)


def test_a_list_goes_on_by_arrows_and_opens_by_enter(stage):
    shown = stage()
    go_to(shown, "##body.shape")
    press(shown, "Right")
    assert shown.workspace.session.scenario.body.shape == "box"
    press(shown, "Enter")
    assert shown.ui.overlays.takes_keys  # ImGui's now
    shown.key(imgui.Key.down_arrow)
    shown.frame(2)
    shown.key(imgui.Key.enter)
    shown.frame(3)
    assert shown.workspace.session.scenario.body.shape == "cylinder"
    assert not shown.ui.overlays.takes_keys


def test_escape_gives_the_keyboard_back_and_tab_returns_to_where_it_was(stage):
    shown = stage()
    go_to(shown, "##body.width[0]")
    press(shown, "Escape")
    assert not shown.ui.overlays.take_key("Right")
    assert shown.workspace.session.scenario == Scenario.preset("paper-fig1-fine")
    press(shown, "Tab")
    assert shown.ui.controls.focus.at == "##body.width[0]"


def test_a_section_that_folds_leaves_the_keyboard_to_the_scene(stage):
    shown = stage()
    go_to(shown, "##body.width[0]")
    shown.workspace.settings.change("panel.open_sections", ("Start",))
    shown.frame(3)
    assert shown.ui.controls.focus.at is None


def wheel(shown, name: str, turns: float) -> None:
    shown.over(name)
    imgui.get_io().add_mouse_wheel_event(0.0, turns)
    shown.frame(3)


def test_the_wheel_steps_a_number_with_ctrl_or_where_it_has_the_keyboard_and_scrolls_otherwise(stage):
    shown = stage(size=(1280, 560))
    top = shown.boxes["##body.depth[0]"][1]
    imgui.get_io().add_key_event(imgui.Key.mod_ctrl, True)
    wheel(shown, "##body.depth[0]", 1)
    imgui.get_io().add_key_event(imgui.Key.mod_ctrl, False)
    assert shown.workspace.session.scenario.body.depth == 0.51
    go_to(shown, "##body.depth[0]")
    top = shown.boxes["##body.depth[0]"][1]
    wheel(shown, "##body.depth[0]", -1)
    assert shown.workspace.session.scenario.body.depth == 0.5
    assert shown.boxes["##body.depth[0]"][1] == top
    press(shown, "Escape")
    wheel(shown, "##body.depth[0]", -1)
    assert shown.workspace.session.scenario.body.depth == 0.5
    assert shown.boxes["##body.depth[0]"][1] < top


def test_a_right_click_sets_back_lists_and_switches(stage):
    shown = stage(size=(800, 3200), open_all=True)
    shown.workspace.session.change({"body.shape": "box", "show.plane": False})
    shown.frame(2)
    shown.click("##body.shape", which=1)
    shown.click("##show.plane", which=1)
    shown.click("##show.plane", which=1)
    assert shown.workspace.session.scenario.body.shape == "ellipsoid"
    assert shown.workspace.session.scenario.show.plane
