"""The panel's race: lanes hidden, taken out and added; the body by its inverse moments."""

import numpy as np
import pytest

from viewer.scenario.scenario import Scenario
from viewer.session.session import Session
from viewer.ui.overlays.messages import Messages
from viewer.ui.panel.race_section import HIDDEN_PHASE, RaceSection
from viewer.ui.state import UiState
from viewer.ui.widgets.fields import FieldWidgets


@pytest.fixture
def section(monkeypatch):
    session = Session(Scenario.preset("race-of-five"), playing=False)
    problems = []
    messages = Messages(UiState())
    monkeypatch.setattr(messages, "error", problems.append)
    found = RaceSection(session, FieldWidgets(session, messages.attempt))
    found.problems = problems
    return found


def test_inverse_moments_keep_L_and_the_ranks(section):
    session = section._session
    before = np.array(session.scenario.body.moments)
    momentum = before * session.scenario.start.angular_velocity
    section._set_inverse(before, np.argsort(1.0 / before), (2.0, 2.3, 3.0))
    after = np.array(session.scenario.body.moments)
    assert np.sort(1.0 / after) == pytest.approx([2.0, 2.3, 3.0])
    assert list(np.argsort(after)) == list(np.argsort(before))
    assert after * session.scenario.start.angular_velocity == pytest.approx(momentum)
    assert section.problems == []


@pytest.mark.parametrize("moments", [(10.0, 4.0, 2.0), (1.0, 0.625, 0.5), (0.02, 0.01, 0.013)])
def test_an_inverse_moment_that_is_moved_leaves_the_others_their_scale(stage, moments):
    """The smallest takes all three along, so that their differences stay; the middle moves alone. L stays."""
    shown = stage("race-of-five", size=(1280, 1600), open_all=True)
    session = shown.app.session
    session.change({"body.moments": moments})
    momentum = np.array(moments) * session.scenario.start.angular_velocity
    for name, moved in (("##race.J min[0]", 0), ("##race.J mid[0]", 1)):
        shown.frame()
        before = np.sort(1.0 / np.array(session.scenario.body.moments))
        shown.drag(name, 4)
        after = np.sort(1.0 / np.array(session.scenario.body.moments))
        assert after[moved] > before[moved]
        if moved == 0:
            assert np.diff(after) == pytest.approx(np.diff(before), rel=1e-12)  # measured: 2e-15
        else:
            assert after[[0, 2]] == pytest.approx(before[[0, 2]], rel=1e-14)  # measured: 2e-16
        now = np.array(session.scenario.body.moments) * session.scenario.start.angular_velocity
        assert now == pytest.approx(momentum, rel=1e-12)
        assert list(np.argsort(session.scenario.body.moments)) == list(np.argsort(moments))


def test_the_section_names_every_lane_and_what_a_perfect_energy_hides(stage):
    shown = stage("race-hidden-phase", size=(1280, 1900), open_all=True)
    shown.app.session.run_to(20.0)
    shown.frame()
    words = [words for words, _ in shown.texts]
    for label in ("First order, closest point", "Implicit midpoint", "Split rotations"):
        assert label in words
    assert HIDDEN_PHASE in words
    shown.app.session.change({"race.show": "off"})
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
