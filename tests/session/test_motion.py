"""What a motion does when it cannot keep up."""

import math

import numpy as np
import pytest
from helpers.playing import PAPER

from viewer.common.errors import InputError
from viewer.physics.simulation import Simulation
from viewer.scenario.scenario import Scenario
from viewer.session.document import Change
from viewer.session.motion import PATIENCE, Motion


def test_runs_that_are_late_again_and_again_ask_for_compiled_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(Simulation, "request_compilation", lambda simulation: asked.append(simulation.steps))
    moving = Motion(Scenario())
    for _ in range(PATIENCE - 1):
        assert moving.run(1000, lambda: True) < 1000
    moving.run(8)  # in time: counts anew
    for _ in range(PATIENCE - 1):
        moving.run(1000, lambda: True)
    assert not asked
    moving.run(1000, lambda: True)
    assert asked == [moving._simulation.steps]


def test_a_pulse_that_is_no_number_is_refused_and_leaves_the_motion_as_it_was() -> None:
    moving = Motion(Scenario())
    moving.run(100)
    before = moving.snapshot().reading
    with pytest.raises(InputError, match="angular_impulse_body"):
        moving.pulse((math.nan, 0.0, 0.0))
    assert moving.changes == []
    moving.run(100)
    moving.seek(before.time)
    np.testing.assert_array_equal(moving.snapshot().reading.omega_body, before.omega_body)


def test_many_rows_at_once_are_those_made_one_by_one() -> None:
    """The closed form of an axisymmetric body: omega along z' stays, across it turns at (1 - Iz/Ix) omega_z."""
    scenario = Scenario.preset("earth")
    at_once, singly = (Motion(scenario) for _ in range(2))
    at_once.run(1001)
    for _ in range(1001):
        singly.run(1)
    assert at_once.checkpoints.later.end == singly.checkpoints.later.end == 1001
    np.testing.assert_array_equal(at_once.snapshot().reading.omega_body, singly.snapshot().reading.omega_body)
    recent = [motion.checkpoints.later.recent for motion in (at_once, singly)]
    np.testing.assert_array_equal(*(rows.rows(0, rows.count) for rows in recent))
    rows, others = (motion.snapshot().trail.rows(0, 501) for motion in (at_once, singly))
    np.testing.assert_array_equal(rows[:, 0], 1200.0 * np.arange(501))
    np.testing.assert_allclose(rows, others, rtol=0.0, atol=1e-19)  # 5e-20 of 7e-5 rad/s
    i_x, _, i_z = scenario.body.moments
    x, _, z = scenario.start.angular_velocity
    angle = (i_z / i_x - 1.0) * z * rows[:, 0]
    expected = np.column_stack((x * np.cos(angle), x * np.sin(angle), np.full(501, z)))
    np.testing.assert_allclose(rows[:, 4:7], expected, rtol=0.0, atol=1e-18)  # 5e-20


TOP = Scenario.preset("top-with-cusps").with_values(
    {"solver.integrator": "exact", "solver.integration_period": 0.02, "solver.extra_substeps": 0}
)


@pytest.mark.parametrize("scenario", [PAPER, TOP], ids=["free", "top"])
@pytest.mark.parametrize("goal", [3.0, -2.0])
def test_a_motion_without_errors_skips_to_where_steps_would_lead(
    goal: float, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pulse and a change on the way included; what is recorded lies on the closed form as well."""
    changes = (Change(0.7, impulse=(0.0, 0.02, -0.01)), Change(1.9, (("solver.integration_period", 0.004),)))
    made, skip = list[int](), Motion._skip

    def noted(motion: Motion, steps: int) -> None:
        made.append(steps)
        skip(motion, steps)

    monkeypatch.setattr(Motion, "_skip", noted)
    skipped, stepped = (Motion(scenario, changes) for _ in range(2))
    assert skipped.skip_to(goal)
    assert made
    assert stepped.run_to(goal)
    assert skipped.time == pytest.approx(stepped.time, abs=1e-12)
    assert skipped.changes == stepped.changes
    for time in (goal, 0.9 * goal, 0.5 * goal, 0.1 * goal):
        skipped.seek(time)
        stepped.seek(time)
        found, wanted = (motion.snapshot().reading for motion in (skipped, stepped))
        np.testing.assert_allclose(found.omega_body, wanted.omega_body, rtol=0, atol=2e-12)  # measured 1.9e-13
        np.testing.assert_allclose(found.orientation_wxyz, wanted.orientation_wxyz, rtol=0, atol=2e-12)
    late = Motion(scenario, changes)
    assert late.skip_to(goal, lambda: True) is (scenario is TOP)  # whose rows are a step apart: none is left
