"""The start of the exact motion beside a noisy recording: fitted to its first rows, as the first one alone is noisy."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rotation import conjugate, multiply, rotation_vectors
from viewer.physics.state import State, States
from viewer.replay.kinematics import wxyz

Array = NDArray[np.float64]

TURNS = 2.0  # of the body in the rows that are fitted, about
FEWEST, MOST = 40, 1000  # of those rows
ROUND_OFF = 1e-9  # relative residual below which the first row is as good as any
WHITE = 0.5  # correlation of neighbouring residuals below which they are noise, and above which an integrator's error


@dataclass(frozen=True, eq=False)
class Start:
    """state: at the first row. noise: rms residual of the angular velocities, relative to the largest one; 0 where the
    first row is used as it stands. rows: how many were fitted."""

    state: State
    noise: float
    rows: int


def start_of(body: RigidBody, states: States, by_orientation: bool, by_rates: bool) -> Start:
    """The start of the exact motion nearest to the first rows of a recording, if the residual is noise.

    A smooth residual is an integrator's error: then the first row is the start. `by_orientation`, `by_rates`: which of
    both was recorded; the other one was computed from it.
    """
    first = State(states.orientation_wxyz[0], states.omega_body[0])
    as_it_stands = Start(first, 0.0, 1)
    speed = float(np.linalg.norm(states.omega_body, axis=1).max())
    turned = np.cumsum(np.linalg.norm(states.omega_body[1:], axis=1) * np.diff(states.time))
    rows = int(np.clip(np.searchsorted(turned, 2.0 * np.pi * TURNS) + 2, FEWEST, MOST))
    rows = min(rows, len(states.time))
    time, q, omega = states.time[:rows], states.orientation_wxyz[:rows], states.omega_body[:rows]

    def state(step: Array) -> State:
        """Rates do not determine the orientation: without any recorded, the first one stays as it is."""
        turn = wxyz(Rotation.from_rotvec(step[:3] * by_orientation))
        return State(multiply(q[0], turn), omega[0] + speed * step[3:])

    def residuals(step: Array) -> tuple[Array, Array]:
        """(rows, 3) each: of the orientation [rad], of the angular velocity in `speed`."""
        exact = FreeRotation(body, state(step)).at(time)
        return (rotation_vectors(multiply(conjugate(exact.orientation_wxyz), q)), (exact.omega_body - omega) / speed)

    def recorded(step: Array) -> Array:
        orientation, rates = residuals(step)
        kept = ([orientation] if by_orientation else []) + ([rates] if by_rates else [])
        return np.concatenate(kept, axis=1)

    off = recorded(np.zeros(6))
    if float(np.sqrt(np.mean(off**2))) <= ROUND_OFF or _correlation(np.diff(off, 2, axis=0)) > 0.0:
        return as_it_stands  # round-off; or smooth, also without its slow parts
    found = least_squares(lambda step: recorded(step).ravel(), np.zeros(6), x_scale="jac").x
    left = recorded(found)
    if _correlation(left) > WHITE:
        return as_it_stands
    return Start(state(found), float(np.sqrt(np.mean(np.sum(residuals(found)[1] ** 2, axis=1)))), rows)


def _correlation(rows: Array) -> float:
    """Of each row (N, ...) with the next: about 0 for noise, near 1 for what is smooth."""
    return float(np.sum(rows[1:] * rows[:-1]) / max(float(np.sum(rows**2)), 1e-300))
