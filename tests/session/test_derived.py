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
