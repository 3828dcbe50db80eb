"""A mesh is opened by its dialog, and a part of a composite body selected, with mouse and keyboard."""

import numpy as np
import pytest
import trimesh
from helpers.pointing import eye_pixel

from viewer.commands.documents import open_named
from viewer.scenario.scenario import Scenario


@pytest.fixture
def bracket(tmp_path):
    """A box of 123 x 40 x 39 without a unit, which lacks a triangle."""
    box = trimesh.creation.box((123.0, 40.0, 39.0))
    path = tmp_path / "bracket.stl"
    trimesh.Trimesh(box.vertices, box.faces[1:], process=False).export(path)
    return path


def test_a_mesh_without_a_unit_is_asked_about_once(desktop, bracket):
    d = desktop(size=(1280, 720))
    before = d.scenario
    d.app.on_file_drop(0, 0, [str(bracket)])
    d.settle()
    assert d.app.ui.mesh_dialog.is_open
    d.key("Escape")
    assert d.scenario == before
    assert not d.app.ui.mesh_dialog.is_open
    d.app.on_file_drop(0, 0, [str(bracket)])
    d.settle()
    d.click(*d.middle("Shell##method"))
    d.click(*d.middle("##weight"))
    d.click(*d.middle("density"))
    d.click(*d.middle("##material"))
    d.click(*d.middle("steel"))
    d.click(*d.middle("Open"))
    assert d.app.ui.mesh_dialog.is_open  # of a shell the thickness is needed
    assert d.scenario == before
    d.click(*d.middle("##mesh thickness"))
    d.type("2 mm")
    d.key("Return")
    assert not d.app.ui.mesh_dialog.is_open
    body = d.session.snapshot().body
    assert body.inertia_source.method == "shell"
    # two sides of 40 x 39, two of 123 x 40, two of 123 x 39 mm, less half a side
    area = 2 * (40 * 39 + 123 * 40 + 123 * 39) * 1e-6
    half_sides = [0.5e-6 * one * other for one, other in ((40, 39), (123, 40), (123, 39))]
    assert any(
        body.mass == pytest.approx(7850 * 0.002 * (area - half), rel=1e-6) for half in half_sides
    )  # STL: float32
    d.session.undo()
    assert d.scenario.body == before.body
    open_named(d.app.workspace, str(bracket))
    d.settle()
    d.key("Return")
    assert d.scenario.body.unit == "mm"
    assert d.scenario.body.method == "solid"


def handle_end(body):
    """Near the end of part 0 of the composite body that one begins with, in the body's frame."""
    return (np.array((0.0, 0.0, 0.02)) - body.centre) @ body.principal_axes


def two_hammers():
    return Scenario().with_values(
        {"body.shape": "composite", "bodies": [{}, {"start": {"orientation_deg": [0, 40, 0]}}]}
    )


def test_a_click_in_the_scene_selects_a_part_which_is_lit(desktop):
    d = desktop(size=(1280, 720))
    d.app.workspace.editor.set("body.shape", "composite")
    d.settle()
    scene, area = d.app.scene_view.frame.main.scene, d.app.ui.layout.areas.scene
    far_end = handle_end(d.session.snapshot().body)
    x, y = eye_pixel(d.app.scene_view.frame.main, scene.world_from_body @ far_end, area.size, 0)
    unlit = d.scene().astype(int)
    d.click(area.x + x, area.y + y)
    assert d.app.workspace.state.part == 0
    d.move(area.x + 10, area.y + area.height - 10)
    d.settle()
    assert d.app.scene_view.frame.main.scene.part == 0
    changed = np.abs(d.scene().astype(int) - unlit).max(axis=2) > 20
    assert changed[round(y), round(x)]
    assert changed.mean() < 0.1
    d.key("Escape")
    assert d.app.workspace.state.part is None


def test_of_several_bodies_the_second_click_selects_a_part(desktop):
    d = desktop(scenario=two_hammers(), size=(1280, 720))
    area = d.app.ui.layout.areas.scene
    layer = d.app.scene_view.frame.layers[2]
    left, low, width, height = layer.box
    cell = area.width * width, area.height * height
    x, y = eye_pixel(layer, layer.scene.world_from_body @ handle_end(d.scenario.of_body(1).rigid_body()), cell, 0)
    at = area.x + left * area.width + x, area.y + (1 - low - height) * area.height + y
    d.click(*at)
    assert (d.session.scene.selected, d.app.workspace.state.part) == (1, None)
    d.click(*at)
    assert d.app.workspace.state.part == 0
    d.settle()
    assert [layer.scene.part for layer in d.app.scene_view.frame.layers] == [None, None, 0]
    d.session.select(0)
    d.until(lambda: d.app.workspace.state.part is None)
