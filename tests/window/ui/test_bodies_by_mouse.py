"""Twenty bodies in the window: a click on a cell selects its body, and what is changed then is that one."""

import numpy as np
import pytest

from viewer.commands.documents import open_named


def middle_of_cell(shown, number: int) -> tuple[float, float]:
    rect = shown.app.scene_view.body_rect(number)
    return rect.x + rect.width / 2, rect.y + rect.height / 2


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize("mode", ["mono", "side-by-side", "anaglyph"])
def test_a_click_selects_a_body_and_a_drag_turns_all(desktop, mode):
    shown = desktop("twenty-boxes")
    shown.session.change({"stereo.mode": mode})
    shown.settle()
    assert len(shown.app.scene_view.frame.insets) == 20
    x, y = middle_of_cell(shown, 13)
    across, down = shown.app.ui.layout.viewports.stretch
    shown.click(x / across, y / down)
    assert shown.session.scene.selected == 13
    assert shown.scenario.body == shown.session.document.scenario.bodies[13].body
    azimuth = shown.scenario.view.azimuth_deg
    shown.drag((x / across / 2, y / down), (60, 0))
    assert shown.session.scene.selected == 13
    assert shown.scenario.view.azimuth_deg != azimuth
    shown.session.change({"body.mass": 3.0})
    assert [member.body.mass for member in shown.session.document.scenario.bodies] == [1.0] * 13 + [3.0] + [1.0] * 6
    shown.key("ctrl+z")
    assert [member.body.mass for member in shown.session.document.scenario.bodies] == [1.0] * 20


def test_the_selected_cell_has_a_frame_that_no_picture_shows(desktop):
    shown = desktop("twenty-boxes")
    shown.click(*middle_of_cell(shown, 7))
    shown.move(1276, 700)  # where nothing says its name beside the pointer
    cell, width, top = shown.app.scene_view.body_rect(7), 4, shown.app.ui.layout.areas.scene.y
    edge = shown.screen()[cell.y + 20 : cell.y + 100, cell.x : cell.x + width].astype(int)
    picture = shown.scene()[cell.y - top + 20 : cell.y - top + 100, cell.x : cell.x + width].astype(int)
    assert np.abs(edge - picture).max() > 60
    other = shown.app.scene_view.body_rect(8)
    edge = shown.screen()[other.y + 20 : other.y + 100, other.x : other.x + width].astype(int)
    picture = shown.scene()[other.y - top + 20 : other.y - top + 100, other.x : other.x + width].astype(int)
    assert np.abs(edge - picture).max() <= 1


def test_a_body_is_found_by_its_name_and_in_the_list(desktop):
    shown = desktop("twenty-boxes")
    shown.key("ctrl+k")
    shown.type("0.47")
    shown.key("Return")
    assert shown.scenario.body_name(shown.session.scene.selected) == "0.47"
    shown.click(*shown.middle("##selected"))
    shown.key("Escape")
    assert shown.session.scene.selected == 9


def test_playing_bodies_stay_together(desktop):
    shown = desktop("twenty-boxes", playing=True)
    shown.until(lambda: shown.session.motion.time > 0.3)
    shown.click(*middle_of_cell(shown, 4))
    shown.key("space")
    snapshot = shown.session.snapshot()
    assert {body.reading.time for body in snapshot.bodies} == {snapshot.bodies[0].reading.time}
    assert snapshot.bodies[4].reading.time == pytest.approx(snapshot.reading.time, abs=1e-12)
    assert shown.session.scene.selected == 4


def test_the_frame_is_around_the_cell_of_the_scene_that_has_just_been_opened(desktop, tmp_path):
    shown = desktop("twenty-boxes")
    (tmp_path / "two.toml").write_text("[[bodies]]\n[[bodies]]\n")
    open_named(shown.app.workspace, str(tmp_path / "two.toml"))
    shown.settle()
    cell = shown.app.scene_view.body_rect(0)
    assert cell.height > 300
    sides = shown.screen()[cell.y + 200 : cell.y + 300, cell.x : cell.x + 4].astype(int)
    assert np.abs(sides - shown.scene()[cell.y + 200 : cell.y + 300, cell.x : cell.x + 4].astype(int)).max() > 60


def test_a_force_of_several_bodies_is_changed_in_the_panel(desktop):
    shown = desktop("twenty-boxes")
    shown.key("shift+f", "shift+f")
    assert shown.message == "There is a force already: change it under Loads"


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize("mode", ["mono", "side-by-side"])
def test_a_click_selects_a_body_in_one_space_and_a_drag_turns_all(desktop, mode):
    shown = desktop("twenty-boxes")
    shown.session.change({"view.bodies": "together", "stereo.mode": mode})
    shown.settle()
    across, down = shown.app.ui.layout.viewports.stretch
    for number in (13, 4):
        x, y = middle_of_cell(shown, number)
        shown.click(x / across, y / down)
        assert shown.session.scene.selected == number
    scene = shown.app.ui.layout.areas.scene
    shown.click((scene.x + 10) / across, (scene.y + 60) / down)  # where nothing is
    assert shown.session.scene.selected == 4
    azimuth, before = shown.scenario.view.azimuth_deg, middle_of_cell(shown, 4)
    shown.drag((x / across, y / down), (60, 0))
    assert shown.scenario.view.azimuth_deg != azimuth
    assert np.hypot(*np.subtract(middle_of_cell(shown, 4), before)) > 20
    assert shown.session.scene.selected == 4
