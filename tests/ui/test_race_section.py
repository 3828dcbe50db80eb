"""The panel's race: lanes hidden, taken out and added; the body by its inverse moments."""

import numpy as np
import pytest

from viewer.scenario import Scenario
from viewer.session import Session
from viewer.ui.controls import Controls
from viewer.ui.race_section import HIDDEN_PHASE, RaceSection


@pytest.fixture
def section():
    session = Session(Scenario.preset("race-of-five"), playing=False)
    problems = []
    found = RaceSection(session, Controls(session, problems.append))
    found.problems = problems
    return found


def test_inverse_moments_keep_L_and_the_ranks(section):
    session = section._session
    before = np.array(session.scenario.body.moments)
    momentum = before * session.scenario.start.angular_velocity
    section._set_inverse(before, np.argsort(1.0 / before), (2.0, 2.3))
    after = np.array(session.scenario.body.moments)
    assert np.sort(1.0 / after) == pytest.approx([2.0, 2.3, 3.0])
    assert list(np.argsort(after)) == list(np.argsort(before))
    assert after * session.scenario.start.angular_velocity == pytest.approx(momentum)
    assert section.problems == []


def test_the_section_names_every_lane_and_what_a_perfect_energy_hides(stage):
    shown = stage("race-hidden-phase", size=(1280, 1900), open_all=True)
    shown.app.session.run_to(20.0)
    shown.frame()
    words = [words for words, _ in shown.texts]
    for label in ("First order, closest point", "Implicit midpoint", "Split rotations"):
        assert label in words
    assert HIDDEN_PHASE in words
    shown.app.session.change("race.show", "off")
    shown.frame()
    assert "Split rotations" not in [words for words, _ in shown.texts]


def test_a_click_hides_a_lane_and_the_cross_takes_it_out(stage):
    shown = stage("race-of-five", size=(1280, 1600), open_all=True)
    session = shown.app.session
    shown.click("##lane jolt")
    assert session.scenario.race.hidden == ("jolt",)
    shown.click("##lane jolt")
    assert session.scenario.race.hidden == ()
    shown.click("out naive-rotation")
    assert "naive-rotation" not in session.scenario.race.lanes
    session.undo()
    assert "naive-rotation" in session.scenario.race.lanes
