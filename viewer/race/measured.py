"""The angular velocities of a recording, as points in the body, and how far the exact motion is from each."""

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.race.trajectory import Trajectory

Array = NDArray[np.float64]

MOST = 400  # points: of a longer recording evenly chosen rows


@frozen
class Measured:
    """time (N,) [s], omega_body (N, 3) [rad/s] in principal axes, residuals (N,): relative to the rms of omega."""

    time: Array
    omega_body: Array
    residuals: Array

    @classmethod
    def of(cls, trajectory: Trajectory, residuals: Array | None = None) -> "Measured":
        """The rows of a recorded motion. `residuals` (N, 3) [rad/s]: what a fit leaves of its rows; else measured less
        exact angular velocity."""
        states = trajectory.states
        chosen = np.unique(np.linspace(0, len(states.time) - 1, MOST).round().astype(np.intp))
        time, omega = states.time[chosen], states.omega_body[chosen]
        off = omega - trajectory.course.exact.at(time).omega_body if residuals is None else residuals[chosen]
        rms = float(np.sqrt(np.mean(np.sum(states.omega_body**2, axis=1))))
        return cls(time, omega, np.linalg.norm(off, axis=1) / max(rms, 1e-300))
