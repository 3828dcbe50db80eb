"""Least squares on a whole free motion: the recorded orientations, rates or both, each weighted by its noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rotation import (
    Array,
    conjugate,
    from_rotation_vector,
    multiply,
    quaternion_from_matrix,
    rotation_matrix,
    rotation_vectors,
    turn_angle,
)
from viewer.physics.state import State, States
from viewer.replay.fits.rigid_fit import (
    AROUND_5,
    AXES,
    PRIOR_START,
    SPREAD,
    STEP,
    RigidFit,
    central,
    largest_last,
    moments_of,
    rotation_of,
    tilts,
)
from viewer.replay.flights.motion import drag_shift, euler_slope, free_rates, slowed_along

FEWEST, MOST = 8, 1000  # rows of a fit, which are evenly spread where there are more
APART = 0.2  # rad by which the body turns between two rows: the errors of a motion are alike in both, noise is not
OUTLIER = 8.0  # times the median size
TINY = 1e-9  # rad, rad/s
FINE = 0.4  # rad at most between the times of the sums that give derivatives
MOST_FINE = 20_000  # of these times


@dataclass(frozen=True, eq=False)
class Recorded:
    """What was recorded of a motion.

    `time` (N,) [s] starts at 0; `orientation_wxyz` (N, 4) and `omega_body` (N, 3) [rad/s] are in the recording's axes,
    or None if they were not recorded. `exponent` (N,) is that of the drag, as in `slowed_along`; None without drag.
    `digits` are the last digits of orientations [rad] and of rates [rad/s]: what is within them need be no error.
    """

    time: Array
    orientation_wxyz: Array | None
    omega_body: Array | None
    exponent: Array | None = None
    digits: tuple[float, float] = (0.0, 0.0)

    def at(self, rows: NDArray[np.intp] | slice) -> "Recorded":
        """Return what was recorded in some of the rows."""
        others = (self.orientation_wxyz, self.omega_body, self.exponent)
        q, omega, exponent = (None if one is None else one[rows] for one in others)
        return Recorded(self.time[rows], q, omega, exponent, self.digits)


@dataclass(frozen=True, eq=False)
class Turned:
    """How far the body has turned at each row, as angles (N,) [rad]; it turns by about APART in `lag` rows."""

    angle: Array
    lag: int

    @classmethod
    def of(cls, recorded: Recorded) -> "Turned":
        """Return how far the body of a recording has turned."""
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
        """Return how many rows a turn by `angle` [rad] takes, at least FEWEST."""
        count = len(self.angle)
        return int(np.clip(np.searchsorted(self.angle, angle) + 1, min(FEWEST, count), count))

    def pairs(self, end: int) -> NDArray[np.intp]:
        """Return the indices (2, n) of pairs of rows that are `lag` rows apart, among the first `end` rows."""
        lag = min(self.lag, end - 1)
        first = np.arange(end - lag)
        if end > MOST:
            first = np.unique(np.linspace(0, end - lag - 1, MOST // 2).astype(np.intp))
        return np.stack((first, first + lag))


def alike(pairs: Array) -> float:
    """Return the correlation of pairs of residuals (2, n, 3): about 0 for noise, near 1 for smooth errors."""
    return float(2.0 * np.sum(pairs[0] * pairs[1]) / max(float(np.sum(pairs**2)), 1e-300))


def usual(residuals: Sequence[Array]) -> NDArray[np.bool_]:
    """Tell which rows (N,) are no outliers.

    `residuals` has an array (N, 3) for each recorded quantity. A row is an outlier if the size of one of its residuals
    exceeds OUTLIER times the median size for that quantity, as noise never does.
    """
    good = np.ones(len(residuals[0]), dtype=bool)
    for off in residuals:
        size = np.linalg.norm(off, axis=1)
        good &= size <= OUTLIER * float(np.median(size)) + TINY
    return good


def finer(time: Array, speeds: Array) -> tuple[Array, NDArray[np.intp]]:
    """Return the given times with others between them, and the indices of the given ones.

    At the `speeds` (N,) [rad/s] the body turns by at most FINE from one time to the next, or by more if that would take
    more than MOST_FINE times.
    """
    parts = (
        np.ceil(np.diff(time) * np.maximum(speeds[1:], speeds[:-1]) / FINE)
        .clip(1, max(MOST_FINE // len(time), 1))
        .astype(np.intp)
    )
    rows = np.concatenate(([0], np.cumsum(parts)))
    return np.interp(np.arange(rows[-1] + 1), rows, time), rows


SPREADS = -0.2, 0.65  # range of second moments a, b; no solid has them below 0, but an engine may turn such a body
LEAST_MOMENT = 1e-7  # least moment of inertia, when the sum of all three is 2
LEAST_NOISE = 1e-13  # rad, and of the largest rate
STEPS, NEAREST = 30, 1e-8  # evaluations of a fit; relative change of the cost that ends it
LEAST_STEP = 1e-15  # relative
AGAIN, SETTLED = 6, 0.9  # fits at most, repeated until the noise is more than this fraction of that before
COUNT = 12  # parameters
BODY, START, TURN, DRAG = slice(0, 5), slice(5, 8), slice(8, 11), 11
IDENTITY = (1.0, 0.0, 0.0, 0.0)


class Solution(NamedTuple):
    """The result of a `MotionFit`.

    `x` (12,) has the second moments along axes a, b (the third is 1 - both), the turn of the axes [rad], omega at the
    start [rad/s], the turn of the first orientation [rad], and the drag k [1/s or 1/rad]. `frame` (3, 3) has the axes
    before their turn as columns; omega is given along these, as the axes of a nearly symmetric body may turn far while
    omega hardly changes. `first` (4,) is the first orientation before its turn. `noises` are those of orientations
    [rad] and of rates [rad/s].
    """

    x: Array
    frame: Array
    first: Array
    noises: tuple[float, float]


class MotionFit(RigidFit):
    """The fit of a whole motion; its parameters x are those of `Solution`.

    `moments` (3,) are the declared ones about the axes of the frame, which are then not fitted; None if none are
    declared. `speed` [rad/s] is roughly the largest rate.
    """

    def __init__(self, recorded: Recorded, first: Array, moments: Array | None, speed: float) -> None:
        most_drag = 1.0 if recorded.exponent is None else float(recorded.time[-1] / recorded.exponent[-1]) * speed
        super().__init__((PRIOR_START * speed,) * 3 + (np.pi,) * 3 + (most_drag,), SPREADS, LEAST_STEP)
        self.recorded, self.first, self.moments, self.speed = recorded, first, moments, speed
        self.noises = 1.0, speed
        free = np.ones(COUNT, dtype=bool)
        free[BODY] = moments is None
        free[TURN] = recorded.orientation_wxyz is not None
        free[DRAG] = recorded.exponent is not None
        self.free = np.flatnonzero(free)
        speeds = np.full(len(recorded.time), speed)
        if recorded.omega_body is not None:  # it may have come to rest, and one row may be far off
            speeds = np.linalg.norm(recorded.omega_body, axis=1)
        self.fine, self.rows = finer(recorded.time, speeds)
        self.exponent = None
        if recorded.exponent is not None:
            self.exponent = np.interp(self.fine, recorded.time, recorded.exponent)

    def body(self, x: Array) -> Array:
        """Return the moments (..., 3) about the turned axes of the frame."""
        return np.maximum(moments_of(x), LEAST_MOMENT) if self.moments is None else self.moments

    def omega(self, x: Array) -> Array:
        """Return omega at the start (3,), along the principal axes."""
        return np.asarray(x[START] @ rotation_of(x[AXES]))

    def states(self, x: Array) -> States:
        """Return the states at the fine times, in the principal axes, with the identity as the first orientation."""
        body = RigidBody.from_moments(self.body(x).tolist())
        slow, left = self.slowed(float(x[DRAG]))
        free = FreeRotation(body, State(IDENTITY, self.omega(x)), precise=False).at(slow)
        return States(self.fine, free.orientation_wxyz, free.omega_body * left[:, None])

    def slowed(self, drag: float) -> tuple[Array, Array]:
        """Return what `slowed_along` does, at the fine times."""
        if self.exponent is None:
            return self.fine, np.ones(len(self.fine))
        return slowed_along(self.fine, self.exponent, drag)

    def off(self, x: Array, frame: Array, states: States | None = None) -> list[Array]:
        """Return the residuals (N, 3), fitted minus recorded, of what was recorded: turns [rad], rates [rad/s]."""
        states = self.states(x) if states is None else states
        found, axes = [], frame @ rotation_of(x[AXES])
        if self.recorded.orientation_wxyz is not None:
            principal = quaternion_from_matrix(axes)
            start = multiply(multiply(self.first, from_rotation_vector(x[TURN])), principal)
            fitted = multiply(multiply(start, states.orientation_wxyz[self.rows]), conjugate(principal))
            found.append(rotation_vectors(multiply(conjugate(self.recorded.orientation_wxyz), fitted)))
        if self.recorded.omega_body is not None:
            found.append(states.omega_body[self.rows] @ axes.T - self.recorded.omega_body)
        return found

    def slopes(self, x: Array, frame: Array, states: States) -> list[Array]:
        """Return the derivatives (N, 3, 12) of `off` with respect to the parameters, for a small `off`.

        The turns that follow from a change of omega are added up in space.
        """
        turn, axes = rotation_of(x[AXES]), frame @ rotation_of(x[AXES])
        tilt = tilts(x[AXES])
        by_omega = self._rate_slopes(x)
        start = np.concatenate((turn.T, np.cross(self.omega(x), tilt.T).T), axis=1)  # along the axes, by START and AXES
        rotation = rotation_matrix(states.orientation_wxyz)
        back = np.swapaxes(rotation[self.rows], 1, 2)
        found = []
        if self.recorded.orientation_wxyz is not None:
            in_space = (rotation @ by_omega).reshape(len(self.fine), -1)
            summed = CubicSpline(self.fine, in_space).antiderivative()(self.recorded.time)
            summed = summed.reshape(len(self.rows), 3, -1)
            slope = _by_parameters(axes @ (back @ summed), start)
            slope[:, :, AXES] += axes @ (back - np.eye(3)) @ tilt
            slope[:, :, TURN] = axes @ back @ axes.T
            found.append(slope)
        if self.recorded.omega_body is not None:
            slope = _by_parameters(axes @ by_omega[self.rows], start)
            rates = states.omega_body[self.rows]
            slope[:, :, AXES] += axes @ np.stack([np.cross(column, rates) for column in tilt.T], axis=2)
            found.append(slope)
        return found

    def _rate_slopes(self, x: Array) -> Array:
        """Return the derivatives (F, 3, 5 or 6) of omega, along the principal axes, at the fine times.

        They are taken with respect to the second moments a, b, to omega at the start, and to the drag, if there is one.
        """
        steps = STEP * AROUND_5 * (1.0, 1.0, *(self.speed,) * 3)
        near = np.concatenate((x[SPREAD], self.omega(x))) + steps
        moments = np.broadcast_to(self.body(near), (len(near), 3))
        slow, left = self.slowed(float(x[DRAG]))
        free = free_rates(moments, near[:, 2:], slow)
        slopes = central(free) * left[:, None]
        slopes[2:] /= self.speed
        if self.exponent is not None:
            shift = drag_shift(self.fine, self.exponent, float(x[DRAG]))
            by_drag = euler_slope(moments[0], free[0]) * shift[:, None] - free[0] * self.exponent[:, None]
            slopes = np.concatenate((slopes, (by_drag * left[:, None])[None]))
        return np.moveaxis(slopes, 0, 2)

    def differences(self, x: Array, frame: Array) -> tuple[list[Array], list[Array]]:
        """Return the residuals of what was recorded, in units of their noise, and the derivatives by all parameters."""
        states = self.states(x)
        parts = self.off(x, frame, states), self.slopes(x, frame, states), self.of_recorded(self.noises)
        rows = [(off / noise).ravel() for off, _, noise in zip(*parts, strict=True)]
        columns = [(slope / noise).reshape(-1, COUNT) for _, slope, noise in zip(*parts, strict=True)]
        return rows, columns

    def of_recorded(self, noises: tuple[float, float]) -> list[float]:
        """Return those of the two noises, of orientations and of rates, whose quantity was recorded."""
        kinds = self.recorded.orientation_wxyz, self.recorded.omega_body
        return [noise for noise, kind in zip(noises, kinds, strict=True) if kind is not None]

    @property
    def units(self) -> list[float]:
        """The units of the quantities that were recorded: 1 rad, and the largest rate."""
        return self.of_recorded((1.0, self.speed))

    def settled(self, x: Array, frame: Array) -> Solution:
        """Return the fit from this start, repeated with the noise found in the fit before until that hardly changes.

        The smaller the noise, the less the prior standard deviations count.
        """
        for _ in range(AGAIN):
            x, _ = self.solved(x, frame, STEPS, NEAREST)
            x, frame = self._rebased(x, frame)
            before, self.noises = self.noises, self.scatter(x, frame)
            if all(now > SETTLED * then for now, then in zip(self.noises, before, strict=True)):
                break
        return Solution(x, frame, self.first, self.noises)

    def flat(self, x: Array, frame: Array, axis: int) -> Solution:
        """Return the fit, from this start, of a body without extent along the axis with this index."""
        self.free = np.delete(self.free, np.flatnonzero(self.free == axis))
        return self.settled(np.where(np.arange(COUNT) == axis, 0.0, x), frame)

    def _rebased(self, x: Array, frame: Array) -> tuple[Array, Array]:
        """Return (x, frame) of the same motion with all turns zero and the largest second moment along c."""
        self.first = multiply(self.first, from_rotation_vector(x[TURN]))
        spread, order = 1.0 - moments_of(x), np.arange(3)
        if {0, 1} <= set(self.free.tolist()):
            order = largest_last(spread)
        zero = np.zeros(3)
        turned = (frame @ rotation_of(x[AXES]))[:, order]
        return np.concatenate((spread[order[:2]], zero, self.omega(x)[order], zero, x[DRAG:])), turned

    def left(self, found: Solution) -> float:
        """Return the rms of all residuals of a fit, relative to 1 rad and the largest rate."""
        off = zip(self.off(found.x, found.frame), self.units, strict=True)
        return float(np.sqrt(np.mean(np.concatenate([part / unit for part, unit in off]) ** 2)))

    def scatter(self, x: Array, frame: Array) -> tuple[float, float]:
        """Return the noises that follow from the residuals; that of a quantity that was not recorded stays as it is."""
        left = [
            max(float(np.sqrt(np.mean(off**2))), LEAST_NOISE * unit)
            for off, unit in zip(self.off(x, frame), self.units, strict=True)
        ]
        turned, turning = (kind is not None for kind in (self.recorded.orientation_wxyz, self.recorded.omega_body))
        return left[0] if turned else self.noises[0], left[-1] if turning else self.noises[1]


def _by_parameters(slopes: Array, start: Array) -> Array:
    """Return the derivatives (N, 3, 12) with respect to all parameters.

    `slopes` (N, 3, 5 or 6) are those with respect to the second moments a, b, to omega at the start along the principal
    axes, and to the drag, if there is one; `start` (3, 6) are those of this omega with respect to the parameters START
    and AXES.
    """
    found = np.zeros((len(slopes), 3, COUNT))
    found[:, :, SPREAD] = slopes[:, :, :2]
    found[:, :, START], found[:, :, AXES] = slopes[:, :, 2:5] @ start[:, :3], slopes[:, :, 2:5] @ start[:, 3:]
    found[:, :, DRAG : DRAG + slopes.shape[2] - 5] = slopes[:, :, 5:]
    return found
