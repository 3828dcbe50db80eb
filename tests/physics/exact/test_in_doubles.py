"""The closed form without the further digits: as good for hundreds of turns."""

import numpy as np
import pytest
from helpers.bricks import brick

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rotation import conjugate, multiply, turn_angle
from viewer.physics.state import State

IDENTITY = (1.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("omega", [(0.3, 1.0, 1.5), (0.02, 2.0, 0.02), (2.0, 0.1, 0.1), (1e-3, 1e-3, 2.0)])
@pytest.mark.parametrize("moments", [(1.0, 2.0, 3.0), (0.3, 1.2, 1.3), (1.0, 1.0, 0.4)])
def test_it_follows_scipy_and_the_precise_one(moments, omega):
    body, time = RigidBody.from_moments(moments), np.arange(0.0, 60.0, 0.5)
    found = FreeRotation(body, State(IDENTITY, omega), precise=False).at(time).orientation_wxyz
    turn, _ = brick(time, np.array(omega), np.array(moments))
    off = turn_angle(multiply(conjugate(turn.as_quat()[:, [3, 0, 1, 2]]), found))
    assert off.max() < 1e-9  # measured 1e-10, scipy's own
    long = np.arange(0.0, 600.0, 3.0)
    both = [FreeRotation(body, State(IDENTITY, omega), precise=one).at(long).orientation_wxyz for one in (True, False)]
    angle = turn_angle(multiply(conjugate(both[0]), both[1])).max()
    assert angle < 3e-12  # measured 4e-13
