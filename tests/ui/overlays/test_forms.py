"""Dialogs of rows and buttons: the buttons stay in a small window, and Escape is over before the next key."""

import pytest
import trimesh

from viewer.commands.opening import ask_size, report_mesh
from viewer.scenario.scenario import Scenario
from viewer.workspace.questions import MeshSizeQuestion, OpenQuestion

SMALL = [((800, 600), 1.6), ((1280, 720), 1.6), ((1280, 720), 1.0)]


@pytest.fixture
def sheet(tmp_path):
    path = str(tmp_path / "sheet.stl")
    box = trimesh.creation.box((123.0, 40.0, 39.0))
    trimesh.Trimesh(box.vertices, box.faces[1:], process=False).export(path)
    return path


@pytest.mark.parametrize(("size", "scale"), SMALL)
def test_the_buttons_of_a_mesh_stay_where_its_rows_scroll(stage, sheet, size, scale):
    shown = stage(size=size, scale=scale)
    shown.workspace.ask(MeshSizeQuestion(sheet, Scenario.find(sheet), lambda scenario: "the folder is not there " * 40))
    shown.frame(1)  # it is as high as its rows in the first picture
    shown.click("Open")
    shown.frame(1)
    for name in ("Cancel", "Open"):
        left, top, right, bottom = shown.boxes[name]
        assert 0 <= left < right <= size[0]
        assert 0 <= top < bottom <= size[1]
    assert not shown.ui.overlays.growing


def test_what_is_asked_is_not_told_behind_the_dialog(stage, sheet):
    """As the window begins with a mesh."""
    shown = stage()
    shown.workspace.session.open(Scenario.find(sheet))
    report_mesh(shown.workspace, sheet)
    ask_size(shown.workspace, sheet)
    shown.frame(2)
    assert shown.ui.mesh_dialog.is_open
    assert shown.message is None


def test_after_escape_the_next_key_is_for_the_scene(stage, sheet):
    shown = stage()
    shown.workspace.ask(MeshSizeQuestion(sheet, Scenario.find(sheet), lambda scenario: None))
    shown.frame(2)
    assert shown.ui.overlays.takes_keys
    assert shown.ui.overlays.take_key("Escape")
    assert not shown.ui.overlays.takes_keys
    shown.workspace.ask(OpenQuestion(sheet, lambda paths: None))
    shown.frame(2)
    assert shown.ui.dialog.is_open
    assert not shown.ui.mesh_dialog.is_open
    assert "Cancel" in shown.boxes
