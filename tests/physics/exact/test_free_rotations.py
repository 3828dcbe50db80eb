"""Many torque-free motions in one evaluation: each is the one that its own closed form gives."""

import numpy as np

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation, FreeRotations
from viewer.physics.state import State

SPECIAL = (
    ((1.0, 1.0, 2.0), (1.0, 0.5, 2.0)),  # a symmetric top
    ((1.0, 1.0, 1.0), (1.0, 2.0, 3.0)),  # a sphere
    ((1e-3, 1.0, 1.0001), (300.0, 1.0, 2.0)),  # a thin rod
    ((1.0, 2.0, 2.5), (0.0, 3.0, 0.0)),  # a steady spin
    ((1.0, 2.0, 3.0), (0.0, 0.0, 0.0)),  # at rest
    ((1.0, 2.0, 3.0), (1.0, 1.0, 3.0**-0.5)),  # near the separatrix
)


def test_each_at_times_of_its_own():
    """Measured: 2.3e-16 of the quaternion, as much of |omega|, for 46 motions at times up to 1e5 s."""
    rng = np.random.default_rng(15)
    pairs = [(tuple(rng.uniform(0.3, 3.0, 3)), tuple(rng.normal(size=3) * 10 ** rng.uniform(-2, 2))) for _ in range(40)]
    motions = [
        FreeRotation(RigidBody.from_moments(moments), State(rng.normal(size=4), omega))
        for moments, omega in (*pairs, *SPECIAL)
    ]
    together = FreeRotations(motions)
    which = rng.permutation(np.repeat(np.arange(len(motions)), 3))
    times = rng.choice((0.0, 0.3, -7.0, 1000.0, 1e5), len(which))
    orientation, omega = together.at(which, times)
    for row, (number, time) in enumerate(zip(which, times, strict=True)):
        alone = motions[number].at(float(time))
        assert np.abs(orientation[row] - alone.orientation_wxyz).max() < 1e-15
        assert np.abs(omega[row] - alone.omega_body).max() <= 1e-15 * max(np.abs(alone.omega_body).max(), 1e-300)
