"""What follows from the state of a motion."""

import numpy as np
import pytest

from viewer.physics.body import RigidBody
from viewer.physics.simulation import Simulation
from viewer.physics.state import State
from viewer.session.derived import Derived

BODY = RigidBody.from_moments((1, 2, 2.5))


@pytest.mark.parametrize("name", ["jolt", "explicit-euler", "first-order"])
def test_the_largest_correction_is_that_of_the_whole_curve_wherever_the_motion_is(name: str) -> None:
    """From 16 of its points: 2 % less than along a whole period at most."""
    derived = Derived(BODY)
    moving = Simulation(BODY, State((1, 0, 0, 0), (1.0, 0.7, 1.1)), name, 0.01, stabilisation="closest-point")
    period = derived.periods(moving)[0]
    assert period is not None
    largest, sizes = [], []
    for _ in range(100):
        seen = derived.correction(moving)
        step = moving.next_step()
        assert seen is not None
        assert step is not None
        largest.append(seen.largest)
        sizes.append(np.linalg.norm(step.momentum_body[1] - step.momentum_body[0]))
        moving.advance(period / 100)
    assert min(sizes) < 0.8 * max(sizes)
    np.testing.assert_allclose(largest, max(sizes), rtol=0.02)


def test_a_push_however_small_is_looked_at_anew() -> None:
    """About the middle axis every integrator is exact; beside it no gyroscopic torque is not."""
    derived = Derived(BODY)
    moving = Simulation(BODY, State((1, 0, 0, 0), (0.0, 2.0, 0.0)), "no-gyroscopic", 0.01)
    assert not derived.strays(moving)
    before = moving.rotational_energy
    moving.kick((0.01, 0.0, 0.01))
    assert moving.rotational_energy / before - 1.0 < 2e-5
    assert derived.strays(moving)
    moving.change(integrator="split")
    assert not derived.strays(moving)
