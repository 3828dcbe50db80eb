"""The cap on |omega|: beside a loop that scales omega after each step, what goes with it, what is told of it."""

import numpy as np
import pytest
from helpers.reference import angle_between
from helpers.varying import BODY, START
from numpy.testing import assert_allclose

from viewer.physics.loads import Loads
from viewer.physics.simulation import Simulation
from viewer.physics.state import State
from viewer.scenario.scenario import Scenario
from viewer.scene.constructions.correction import errors
from viewer.session.session import Session

PUSH = Loads(torque=(0.6, -0.4, 0.5), external_friction=0.05)
FOLLOWS = Loads(torque_function=lambda t, state: (0.6, -0.4, 0.5 * np.cos(t)))


@pytest.mark.parametrize("loads", [Loads(), PUSH, FOLLOWS], ids=["free", "pushed", "by a function"])
@pytest.mark.parametrize("name", ["exact-drift", "exact-drift4", "split", "jolt", "implicit-torque", "explicit-euler"])
def test_each_step_ends_with_omega_no_longer_than_the_cap(name, loads):
    """A simulation without a cap that begins anew, with a shorter omega, after each step that is too fast."""
    cap, state = 1.4, START
    capped = Simulation(BODY, START, name, 0.05, loads, largest_omega=cap)
    assert not capped.dense
    for n in range(100):
        plain = Simulation(BODY, state, name, 0.05, _later(loads, 0.05 * n))
        plain.advance_steps(1)
        state = plain.state
        rate = np.linalg.norm(state.omega_body)
        state = State(state.orientation_wxyz, state.omega_body * min(1.0, cap / rate), state.position)
        capped.advance_steps(1)
        assert capped.at_cap == (rate >= cap * (1 - 1e-12))
    assert np.linalg.norm(START.omega_body) > cap
    assert_allclose(capped.state.omega_body, state.omega_body, atol=1e-10)
    assert angle_between(capped.state.orientation_wxyz, state.orientation_wxyz) < 1e-10
    again = Simulation(BODY, START, name, 0.05, loads, largest_omega=cap)
    assert_allclose(again.sampled(100).omega_body[-1], capped.state.omega_body, atol=0)


def _later(loads, time):
    """The same loads, seen from a clock that begins at a time [s]."""
    return Loads(torque_function=lambda t, s: loads.torque_function(t + time, s)) if loads.varies else loads


def test_a_cap_that_is_never_reached_changes_nothing_and_takes_the_way_back():
    free, capped = (Simulation(BODY, START, "split", 0.02, largest_omega=cap) for cap in (np.inf, 100.0))
    for each in (free, capped):
        each.advance_steps(500)
    assert free.sample() == capped.sample()
    assert not capped.at_cap
    with pytest.raises(ValueError, match="the cap on ω takes away what a step back would need"):
        capped.advance_steps(-1)
    capped.change(largest_omega=np.inf)
    capped.advance_steps(-500)
    assert_allclose(capped.state.omega_body, START.omega_body, atol=1e-12)


def test_what_is_no_cap_is_refused():
    with pytest.raises(ValueError, match=r"largest_omega: 0 rad/s is not allowed; it must be above 1e-\d+ rad/s"):
        Simulation(BODY, START, largest_omega=0)
    with pytest.raises(ValueError, match="largest_omega: 1e-300 rad/s is not allowed"):  # its |L| has no square
        Simulation(BODY, START, largest_omega=1e-300)
    with pytest.raises(ValueError, match=r"solver\.largest_omega: 3 rad/s is not allowed with exact, which makes no"):
        Simulation(BODY, START, "exact", largest_omega=3)
    with pytest.raises(ValueError, match=r"solver\.largest_omega: 3 rad/s is not allowed with exact"):
        Scenario().with_values({"solver.integrator": "exact", "solver.largest_omega": 3.0}).simulation()


def test_a_scene_names_the_cap_while_it_acts_and_follows_its_changes():
    values = {
        "loads.torque": (0.0, 0.0, 0.1),
        "solver.largest_omega": 5.0,
        "solver.integration_period": 0.01,
        "solver.extra_substeps": 0,
    }
    session = Session(Scenario.preset("sphere").with_values(values), playing=False)
    line = "|ω| is held at 5 rad/s"
    assert line not in errors(session.snapshot(), 1e-3)
    session.run_to(30.0)
    assert np.linalg.norm(session.snapshot().reading.omega_body) == pytest.approx(5.0, rel=1e-12)
    assert line in errors(session.snapshot(), 1e-3)
    assert session.snapshot().strays
    session.change({"solver.largest_omega": 0.0})
    session.commit_change()
    session.run_to(31.0)
    assert np.linalg.norm(session.snapshot().reading.omega_body) > 5.5
    session.motion.seek(30.0)
    session.run_to(30.5)
    assert line not in errors(session.snapshot(), 1e-3)
