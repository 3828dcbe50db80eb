"""The legend in the scene: what it lists, and by which signs."""

import pytest
from helpers.frames import picture_of

from viewer.scenario.scenario import Scenario
from viewer.session.session import Session
from viewer.ui.names.legend import entries


def listed(preset):
    session = Session(Scenario.preset(preset), playing=True)
    for _ in range(5):
        session.advance(1 / 30)
    return entries(picture_of(session, (900, 600)), session.snapshot())


@pytest.mark.parametrize("preset", ["paper-fig1", "paper-fig3", "box-80kg"])
def test_no_two_things_have_the_same_sign(preset):
    found = listed(preset)
    assert len({name for name, _ in found}) == len(found) > 5
    assert len({sign for _, sign in found}) == len(found)


def test_things_of_one_colour_have_the_form_that_they_have_in_the_scene():
    forms = {name: sign.form for name, sign in listed("paper-fig3")}
    assert forms["Angular momentum L′ in the body"] == "arrow"
    assert forms["Path of L′"] == "trail"
    assert forms["Contact point"] == "ring"
    assert forms["Separatrix"] == "curve"
    assert forms["Axis of the middle moment"] == "axis"
    assert forms["Ellipsoid ε′"] == "surface"


@pytest.mark.parametrize("preset", ["race-of-five", "race-gyroscopic-torque", "twenty-boxes"])
def test_cells_with_names_of_their_own_have_no_legend(preset):
    assert listed(preset) == []
