"""The panel by mouse and keyboard, in a real window."""

import numpy as np
import pytest

from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.scenario import Scenario
from viewer.ui.view.viewports import divide

WHOLE = [name for name, mode in STEREO_MODES.items() if len(divide(mode, (1280, 720)).rects) == 1]


def test_a_slider_is_dragged_and_the_scene_changes(desktop):
    shown = desktop()
    picture, view = shown.scene().copy(), shown.scenario.view
    left, _, right, _ = shown.boxes["##body.depth[0]"]
    shown.drag(shown.middle("##body.depth[0]"), (40, 0))
    assert shown.scenario.body.depth == pytest.approx(0.5 + 0.95 * 40 / (right - left), abs=0.001)
    assert shown.scenario.view == view
    assert np.mean(shown.scene() != picture) > 0.02


@pytest.mark.sweep(most=3)
@pytest.mark.parametrize("mode", WHOLE)
def test_the_panel_stays_as_it_is_in_modes_with_one_part(desktop, mode):
    shown = desktop()
    panel = shown.screen()[:, 972:]
    shown.session.change({"stereo.mode": mode})
    shown.settle()
    changed = np.any(shown.screen()[:, 972:] != panel, axis=2)
    if STEREO_MODES[mode].layout != "anaglyph":  # where the panel is grey for the glasses
        assert changed.mean() < 0.01  # only the readout of the mode, if it is in sight
    shown.drag(shown.middle("##body.height[0]"), (30, 0))
    assert shown.scenario.body.height > 0.2


def test_a_number_is_typed_after_a_double_click(desktop):
    shown = desktop()
    shown.click(*shown.middle("##body.mass[0]"), times=2)
    assert shown.app.ui.overlays.takes_keys
    shown.type("12.5")
    shown.key("Return")
    assert shown.scenario.body.mass == 12.5
    assert not shown.session.playback.playing


def test_letters_typed_into_a_number_start_nothing(desktop):
    shown = desktop()
    mode = shown.scenario.stereo.mode
    shown.click(*shown.middle("##body.mass[0]"), times=2)
    shown.type("shx")
    shown.key("Return")
    assert shown.scenario.body.mass == 1.0
    assert shown.scenario.stereo.mode == mode
    assert not shown.app.workspace.state.hidden
    assert shown.app.ui.controls.numbers.refused.reason == "Mass: a number from 10⁻⁹ to 10³⁰ kg"


def test_a_click_reaches_the_box_that_a_refusal_covers(desktop):
    shown = desktop()
    shown.click(*shown.middle("##body.mass[0]"), times=2)
    shown.type("x")
    shown.key("Return")
    assert shown.app.ui.controls.numbers.refused is not None
    shown.click(*shown.middle("##body.width[0]"), times=2)  # below, under the words
    assert shown.app.ui.controls.numbers.typing == "##body.width[0]"
    shown.type("0.8")
    shown.key("Return")
    assert shown.scenario.body.width == 0.8
    assert shown.app.ui.controls.numbers.refused is None


def test_a_click_beside_the_field_ends_typing(desktop):
    shown = desktop()
    shown.click(*shown.middle("##body.mass[0]"), times=2)
    shown.type("3")
    shown.click(400, 300)
    assert shown.scenario.body.mass == 3.0
    assert not shown.app.ui.overlays.takes_keys


def test_digits_typed_after_a_near_miss_of_a_field_open_no_preset(desktop):
    shown = desktop("dzhanibekov")
    left, top, _, bottom = shown.boxes["##body.mass[0]"]
    shown.click(left - 60, (top + bottom) / 2, times=2)  # on its name, in place of the number
    assert shown.app.ui.controls.numbers.typing is None
    shown.type("25")
    assert shown.scenario == Scenario.preset("dzhanibekov")
    assert "Digits" in shown.message
    shown.move(400, 300)
    shown.type("2")
    assert shown.scenario.title == Scenario.preset("box-80kg").title


def test_text_is_cut_and_pasted(desktop):
    shown = desktop()
    shown.click(*shown.middle("##body.mass[0]"), times=2)
    shown.type("7")
    shown.key("ctrl+a", "ctrl+x")
    shown.type("0")
    shown.key("ctrl+a", "ctrl+v", "Return")
    assert shown.scenario.body.mass == 7.0


def test_the_wheel_over_the_panel_scrolls_it_and_zooms_nothing(desktop):
    shown = desktop()
    before = shown.boxes["##body.mass[0]"][1]
    shown.move(*shown.middle("##body.mass[0]"))
    shown.hands("click", 5)
    assert shown.boxes["##body.mass[0]"][1] < before
    assert shown.scenario.view.zoom == 1.0


def test_a_preset_is_chosen(desktop):
    shown = desktop()
    shown.click(*shown.middle("##scene"))
    shown.settle()
    name = next(name for name in shown.boxes if name.endswith("##dzhanibekov"))
    shown.click(*shown.middle(name))
    assert shown.scenario.body.shape == "box"
    assert "Dzhanibekov" in shown.app.window.get_caption()


def test_a_list_that_is_open_takes_the_click_beside_it(desktop):
    shown = desktop()
    before = shown.scenario.view
    shown.click(*shown.middle("##body.shape"))
    shown.drag((300, 300), (50, 0))
    assert shown.scenario.view == before
    shown.drag((300, 300), (50, 0))
    assert shown.scenario.view != before


def test_the_cursor_shows_what_can_be_dragged(desktop):
    shown = desktop()
    shown.move(*shown.middle("##body.mass[0]"))
    assert shown.app.window._cursor == "size_left_right"
    shown.move(300, 300)
    assert shown.app.window._cursor == ""
