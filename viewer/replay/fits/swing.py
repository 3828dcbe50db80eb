"""How far the angular momentum of the best body strays from its mean, as orientations alone tell it.

What is compared are the mean rates over turns that are large against the noise, at the orientations in their middle. A
free body has some tensor I for which R I omega is the same in all of them.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from viewer.common.frozen import frozen
from viewer.physics.rotation import Array, conjugate, multiply, rotation_matrix, rotation_vectors
from viewer.replay.fits.inertia import tensor_times
from viewer.replay.kinematics import rows_of_turn

MOST_TURNS = 2000  # evenly spread over the recording
LONG = 3.0  # times the usual duration of a turn: there is a gap in it
STARTS, MOST_STEPS = 3, 40  # bodies from which the best is searched, and steps of each search


@frozen
class Swing:
    """How L of a body swings.

    `least` is the rms by which L differs from its mean, relative to |L|, of the body for which it is least. The turns
    take `rows` rows, and `turn` is their rms [rad].
    """

    least: float
    turn: float
    rows: int


def swing_of(time: Array, q: Array) -> Swing:
    """Return how L swings for orientations (N, 4), of continuous sign."""
    rows = rows_of_turn(q)
    first = turns_from(time, rows)
    begin, end = q[first], q[first + rows]
    turned = rotation_vectors(multiply(conjugate(begin), end))
    middle = begin + np.where(np.sum(begin * end, axis=1, keepdims=True) < 0.0, -end, end)
    middle = rotation_matrix(middle / np.linalg.norm(middle, axis=1, keepdims=True))
    least = least_swing(middle, turned / (time[first + rows] - time[first])[:, None])
    return Swing(least, float(np.sqrt(np.mean(np.sum(turned**2, axis=1)))), rows)


def turns_from(time: Array, rows: int) -> NDArray[np.intp]:
    """Return the rows, with times (N,), from which turns over `rows` rows are compared; none of them is over a gap."""
    last = len(time) - 1
    first = np.unique(np.linspace(0, last - rows, min(MOST_TURNS, last // rows)).astype(np.intp))
    lasted = time[first + rows] - time[first]
    return first[lasted <= LONG * np.median(lasted)]


def least_swing(rotation: Array, omega: Array) -> float:
    """Return the rms by which L differs from its mean, relative to |L|, for the body for which it is least.

    `rotation` (N, 3, 3) is body to world, `omega` (N, 3) is in the body.
    """
    fastest = float(np.abs(omega).max())
    if not fastest > 0.0:
        return 0.0
    own = tensor_times(omega / fastest)
    turned = rotation @ own
    off = turned - turned.mean(axis=0)
    roots = [np.linalg.qr(part.reshape(-1, 6), "r") for part in (off, own)]

    def swing(root: Array) -> Array:
        half = root.reshape(3, 3)
        tensor = half @ half.T  # so that no moment is negative
        parts = tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        return np.asarray(roots[0] @ parts / np.linalg.norm(roots[1] @ parts))

    chance = np.random.default_rng(0)
    starts = [np.eye(3).ravel(), *(chance.normal(size=9) for _ in range(STARTS - 1))]
    found = (least_squares(swing, start, max_nfev=MOST_STEPS).fun for start in starts)
    return min(float(np.linalg.norm(one)) for one in found)
