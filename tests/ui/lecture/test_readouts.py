"""The large numbers of lecture mode: what scenes can name is what there is, and its values are those of the motion."""

from math import sqrt

import pytest

from viewer.scenario.choices.themes import THEMES
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.lesson import READOUTS as NAMES
from viewer.session.session import Session
from viewer.ui.lecture.board import READOUTS
from viewer.ui.lecture.screen import REACH, ring_opacity, shade_opacity


def test_both_sides_know_the_same_numbers_in_colours_that_there_are():
    assert tuple(READOUTS) == NAMES
    assert all(hasattr(theme, readout.color) for theme in THEMES.values() for readout in READOUTS.values())


def test_the_numbers_of_a_body_by_hand():
    """Moments 1, 2, 2.5 kg m2 at 1, 2, 4 rad/s: E = (1 + 8 + 40)/2 J, |L| = sqrt(1 + 16 + 100) kg m2/s."""
    scenario = Scenario().with_values(
        {"body.shape": "moments", "body.moments": (1.0, 2.0, 2.5), "start.angular_velocity": (1.0, 2.0, 4.0)}
    )
    snapshot = Session(scenario, playing=False).snapshot()
    wanted = {"time": 0.0, "omega": sqrt(21.0), "energy": 24.5, "momentum": sqrt(117.0)}
    wanted |= {"energy_error": 0.0, "momentum_error": 0.0}
    for name, value in wanted.items():
        assert READOUTS[name].of(snapshot) == pytest.approx(value, abs=1e-14)  # 4e-15 here


def test_an_integrator_that_errs_shows_its_error():
    """Explicit Euler gains energy: by how much, against the energy at the start, which nothing changes."""
    values = {"solver.integrator": "explicit-euler", "solver.extra_substeps": 0, "solver.integration_period": 0.01}
    session = Session(Scenario.preset("dzhanibekov").with_values(values), playing=False)
    before = session.snapshot().reading.energy
    session.run_to(2.0)
    snapshot = session.snapshot()
    error = READOUTS["energy_error"].of(snapshot)
    assert error == pytest.approx(snapshot.reading.energy / before - 1.0, rel=1e-9)
    assert error > 1e-4


def test_the_labels_of_the_board_begin_with_a_capital_or_a_symbol():
    snapshot = Session(Scenario.preset("dzhanibekov"), playing=False).snapshot()
    assert [readout.title(snapshot) for readout in READOUTS.values()] == [
        "t", "|ω|", "E", "|L|", "T", "Error of E", "Error of |L|",
    ]  # fmt: skip


def test_the_period_is_told_as_the_exact_one_where_the_integrator_leaves_that_motion():
    wrong = Scenario.preset("dzhanibekov").with_value("solver.integrator", "no-gyroscopic")
    assert READOUTS["period"].title(Session(wrong, playing=False).snapshot()) == "exact T"


def test_the_spotlight_is_clear_inside_and_soft_at_its_edge():
    import numpy as np

    radius = np.linspace(0.0, REACH, 161)
    shade, ring = shade_opacity(radius), ring_opacity(radius)
    assert not shade[radius < 0.9].any()
    assert shade[-1] == 1.0
    assert np.diff(shade).min() >= 0.0
    assert np.diff(shade).max() < 0.03  # no edge: 0.025 here
    assert radius[ring.argmax()] == pytest.approx(1.0, abs=0.01)
    assert ring.max() <= 1.0
    assert ring[0] < 0.01
    assert ring[-1] < 0.01
