"""Pointing at a readout or a field in the panel: what of the scene it belongs to glows."""

import pytest
from helpers.frames import picture_of

from viewer.scenario.fields import fields_of
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import Show
from viewer.scene.naming.spot import things_in
from viewer.scene.naming.things import THINGS, glowing_for
from viewer.session.session import Session


@pytest.mark.parametrize(
    ("item", "named", "glows"),
    [
        ("##readout E", "E", "ellipsoid"),
        ("##readout E bounds", "E", "ellipsoid"),
        ("##readout |L| and T", "T", "polhode"),
        ("##readout spin", "spin", "ω"),
        ("##readout I", "I y", "y′"),
        ("##start.angular_velocity[1]", "start.angular_velocity", "ω"),
        ("##show.herpolhode", "show.herpolhode", "herpolhode"),
    ],
)
def test_what_is_pointed_at_glows(stage, item, named, glows):
    shown = stage("paper-fig1", size=(800, 3000), open_all=True)
    shown.workspace.session.run_to(1.0)
    shown.over(next(name for name in shown.boxes if name.startswith(item)))
    shown.frame(2)
    assert shown.workspace.state.pointed == named
    frame = picture_of(shown.workspace.session, (640, 480))
    assert glowing_for(frame, named, 0).main.scene.glowing == glows
    shown.move(5.0, 5.0)
    shown.frame(2)
    assert shown.workspace.state.pointed == ""


def test_nothing_glows_where_names_are_off(stage):
    shown = stage("paper-fig1", size=(800, 2400))
    shown.workspace.settings.change("names.pointer", False)
    shown.over("##readout E")
    shown.frame(2)
    assert shown.workspace.state.pointed == ""


def test_each_thing_has_a_switch_that_there_is():
    switches = {f"show.{name}" for name in fields_of(Show)}
    for name, thing in THINGS.items():
        assert f"show.{thing.switch}" in switches, name
        assert {row for row in thing.rows if row.startswith("show.")} <= switches, name


@pytest.mark.parametrize(("preset", "cell", "glows"), [("paper-fig3", 0, "energy"), ("twenty-boxes", 3, None)])
def test_in_momentum_space_and_in_cells_it_is_what_is_shown_there(preset, cell, glows):
    session = Session(Scenario.preset(preset), playing=False)
    frame = picture_of(session, (900, 600))
    found = glowing_for(frame, "E", cell)
    if glows is None:
        assert found is frame  # only the bodies are shown
        found = glowing_for(frame, "body.mass", cell)
        assert [layer.scene.glowing for layer in found.layers].index("body") == cell + 1
    else:
        assert found.main.scene.glowing == glows
    assert glowing_for(frame, "", 0) is frame
    assert glows is None or glows in things_in(frame.main.scene)
