"""What a fit to a whole recording takes of it: rows of a first part of the motion, and the times between them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viewer.physics.rotation import conjugate, multiply, turn_angle

Array = NDArray[np.float64]

FEWEST, MOST = 8, 1000  # rows of a fit, which are evenly spread where there are more
APART = 0.2  # rad by which the body turns between two rows in which a motion's errors are alike, and noise is not
OUTLIER = 8.0  # times the median size
TINY = 1e-9  # rad, rad/s
FINE = 0.4  # rad at most between the times of the sums that give derivatives
MOST_FINE = 20_000  # of these times


@dataclass(frozen=True, eq=False)
class Recorded:
    """time (N,) [s] from 0; orientation_wxyz (N, 4), omega_body (N, 3) [rad/s] in the recording's axes, None where they
    were not recorded."""

    time: Array
    orientation_wxyz: Array | None
    omega_body: Array | None

    def at(self, rows: NDArray[np.intp] | slice) -> "Recorded":
        """Some of its rows."""
        q, omega = self.orientation_wxyz, self.omega_body
        return Recorded(self.time[rows], None if q is None else q[rows], None if omega is None else omega[rows])


@dataclass(frozen=True, eq=False)
class Turned:
    """By which angles (N,) [rad] the body has turned at each row; `lag`: rows in which it turns by about APART."""

    angle: Array
    lag: int

    @classmethod
    def of(cls, recorded: Recorded) -> "Turned":
        time, q, omega = recorded.time, recorded.orientation_wxyz, recorded.omega_body
        if q is None:
            assert omega is not None
            step = np.linalg.norm(omega[1:], axis=1) * np.diff(time)
            lag = int(APART / max(float(np.median(step)), 1e-300))
            return cls(
                np.concatenate(([0.0], np.cumsum(step))), int(np.clip(lag, 1, max(len(time) // (2 * FEWEST), 1)))
            )
        lag = 1
        while True:  # rows next to each other may differ by their noise alone
            rows = np.arange(0, len(q), lag)
            step = turn_angle(multiply(conjugate(q[rows[:-1]]), q[rows[1:]]))
            if np.median(step) >= APART or 4 * lag * FEWEST > len(q):
                return cls(np.interp(time, time[rows], np.concatenate(([0.0], np.cumsum(step)))), lag)
            lag *= 2

    def rows(self, angle: float) -> int:
        """How many rows the turn by `angle` [rad] takes, FEWEST at least."""
        count = len(self.angle)
        return int(np.clip(np.searchsorted(self.angle, angle) + 1, min(FEWEST, count), count))

    def pairs(self, end: int) -> NDArray[np.intp]:
        """(2, n): rows and those `lag` later, of the first `end` ones."""
        lag = min(self.lag, end - 1)
        first = np.arange(end - lag)
        if end > MOST:
            first = np.unique(np.linspace(0, end - lag - 1, MOST // 2).astype(np.intp))
        return np.stack((first, first + lag))


def alike(pairs: Array) -> float:
    """Correlation of residuals (2, n, 3) with those some rows later: about 0 for noise, near 1 for what is smooth."""
    return float(2.0 * np.sum(pairs[0] * pairs[1]) / max(float(np.sum(pairs**2)), 1e-300))


def usual(residuals: Sequence[Array]) -> NDArray[np.bool_]:
    """Which rows (N,) are near the motion in all that was recorded, by residuals (N, 3) each: noise that is told by the
    median leaves none further off than OUTLIER of it."""
    good = np.ones(len(residuals[0]), dtype=bool)
    for off in residuals:
        size = np.linalg.norm(off, axis=1)
        good &= size <= OUTLIER * float(np.median(size)) + TINY
    return good


def finer(time: Array, speed: float) -> tuple[Array, NDArray[np.intp]]:
    """(times between which a body of this speed [rad/s] turns by FINE at most, if these are not too many; where among
    them the given ones (N,) are)."""
    parts = np.ceil(np.diff(time) * speed / FINE).clip(1, max(MOST_FINE // len(time), 1)).astype(np.intp)
    rows = np.concatenate(([0], np.cumsum(parts)))
    return np.interp(np.arange(rows[-1] + 1), rows, time), rows
