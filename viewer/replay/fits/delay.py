"""Rates that come late or early beside the orientations, or are all too large or too small by one factor.

What is compared are the turns between orientations with the integrals of the rates over the same times, shifted by a
delay. The delay is searched in steps, and then fitted together with the factor.
"""

from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from viewer.common.errors import with_sigma
from viewer.common.language import tr
from viewer.physics.rotation import Array, conjugate, multiply, rotation_vectors
from viewer.replay.conventions import DIRECTIONS, FRAMES, ORDERS, RATE_UNITS, TIME_UNITS, Conventions, oriented
from viewer.replay.fits.frames import ALIKE, STRAIGHT, Comparison, Disagreement
from viewer.replay.fits.swing import turns_from
from viewer.replay.flights.signal_quality import noise_of
from viewer.replay.kinematics import FEWEST_TURNS, rows_of_turn

LONGEST = 0.25  # of the recording's time: no longer delay is searched
MOST_DELAYS = 400  # to each side, and
MOST_TURNS = 200  # that are compared in the search
CANDIDATES = 4  # the shortest of the delays that fit in the search, which are fitted
DISTINCT = 1.5  # times the shortest, from which on another delay that fits as well does not count
AS_GOOD = 2.0  # times the least misfit, up to which another delay fits as well
STEPS = 8  # of a fit
EXPLAINED = 0.1  # misfit up to which a delay and a factor explain rates
NEGLIGIBLE = 0.2 * ALIKE  # misfit below which nothing is to be explained
BETTER = 1.4  # times the misfit that is left, from which on a delay or a factor is seen beyond noise and other faults
SMOOTH = 0.1  # of the misfit: what is left beside noise is more where an integrator errs; 0 of 88 delays and factors
FINEST = 1e-9  # the least standard deviation that is written
FAR = 5.0  # times the median residual: a turn further off is that of a bad row
LEAST_ALONE = 0.1  # of the variance that it would have if noise of one turn had no influence on the next
SEEN = 5.0  # standard deviations of a delay, or of a factor other than 1, that is there
LEAST_ROWS = 0.75  # rows of delay: integrators put rates half a row aside of orientations
LEAST_SCALE = 0.03  # by which a factor differs from 1: large steps of integrators turn too little


def shift_of(
    time: Array, quaternion: Array, rates: Array, declared: Conventions, clocks: list[str], comparison: Comparison
) -> Disagreement | None:
    """Return by how much rates (N, 3) come late and are too large, or None if that does not explain their misfit.

    It has to explain it better than exchanged or reversed axes do, in the `comparison`. `time` (N,) is in the file's
    unit. None is returned, too, if several delays fit as well.
    """
    least = min(comparison.misfits.values())
    if least < NEGLIGIBLE:
        return None
    found = []
    for order in ORDERS if declared.order is None else (declared.order,):
        for direction, frame in product(DIRECTIONS, FRAMES):
            if declared.direction in (None, direction) and declared.rate_frame in (None, frame):
                turns = Turns(time, oriented("", quaternion, order, direction), rates, frame)
                fits = (turns.fitted(*start, (True, True)) for start in turns.starts())
                found += [(fit, turns, (order, direction, frame)) for fit in fits if fit[0][1] > 0.0]
    best = min((fit[2] for fit, *_ in found), default=1.0)
    near = [one for one in found if one[0][2] <= AS_GOOD * best]
    if best > EXPLAINED:
        return None
    (x, sigma, *_), turns, reading = min(near, key=lambda one: abs(one[0][0][0]))  # of equals the most usual
    delays = [abs(fit[0][0]) for fit, *_ in near if abs(fit[0][0] - x[0]) > turns.step]
    units = product((declared.rate_unit,) if declared.rate_unit else RATE_UNITS,
                    (declared.time_unit,) if declared.time_unit else clocks)  # fmt: skip
    sizes = {(unit, clock): RATE_UNITS[unit] * TIME_UNITS[clock] for unit, clock in units}
    unit, clock = min(sizes, key=lambda one: abs(np.log(sizes[one] / x[1])))
    usual = sizes[unit, clock]
    late = bool(abs(x[0]) >= max(SEEN * sigma[0], LEAST_ROWS * turns.step))
    scaled = bool(abs(usual / x[1] - 1.0) >= max(SEEN * sigma[1] / x[1], LEAST_SCALE))
    if not (late or scaled) or (late and min(delays, default=np.inf) < DISTINCT * abs(x[0])):
        return None
    x, sigma, misfit, smooth = turns.fitted(x[0] if late else 0.0, x[1] if scaled else usual, (late, scaled))
    if (
        least < BETTER * misfit
        or smooth > max(NEGLIGIBLE, SMOOTH * least)
        or (late and abs(x[0]) < LEAST_ROWS * turns.step)
    ):
        return None
    taken = declared.filled_from(Conventions(*reading, unit, clock))
    as_taken = comparison.misfits[(*reading, unit, clock), STRAIGHT]
    second, scale, words = TIME_UNITS[clock], usual / float(x[1]), []
    delay = float(x[0]) * second if late else None
    repaired = replace(taken, rate_delay=delay, rate_scale=scale if scaled else None)
    if late:
        name, size = ("s", second) if abs(x[0]) * second >= 1.0 else ("ms", 1e3 * second)
        text = tr("the rates come {delay} ({rows} rows) late")
        text = tr("the rates come {delay} ({rows} rows) early") if x[0] < 0.0 else text
        known = f"{with_sigma(abs(x[0]) * size, max(sigma[0] * size, FINEST))} {name}"
        words.append(text.format(delay=known, rows=f"{abs(x[0]) / turns.step:.1f}"))
    if scaled:
        text = tr("the rates are {scale} times those of the orientations")
        words.append(text.format(scale=with_sigma(scale, max(scale * sigma[1] / x[1], FINEST))))
    return Disagreement("; ".join(words), taken, repaired, (misfit, as_taken))


class Turns:
    """Turns between orientations (N, 4) beside rates (N, 3) in this frame, whose integrals have to equal the turns."""

    def __init__(self, time: Array, q: Array, rates: Array, frame: str) -> None:
        rows = rows_of_turn(q)
        first = turns_from(time, rows)
        self.step = float(np.median(np.diff(time)))
        self._begin, self._end, self._limits = time[first], time[first + rows], (time[0], time[-1])
        back, q = conjugate(q[first]), q[first + rows]
        self._turned = rotation_vectors(multiply(q, back) if frame == "world" else multiply(back, q))
        bend = (time[first + rows] - time[first])[:, None] ** 2 / 12.0  # of the path of the turn, which is curved
        self._bend = -bend if frame == "world" else bend
        self._rates = CubicSpline(time, rates)
        self._swept = self._rates.antiderivative()
        self._coarse = max(1, rows // 2) * self.step, LONGEST * float(time[-1] - time[0])

    def starts(self) -> list[tuple[float, float]]:
        """Return delays at which the integrals have the turns' directions best, the shortest first, with factors."""
        step, longest = self._coarse
        most = min(MOST_DELAYS, int(longest / step))
        some = np.unique(np.linspace(0, len(self._turned) - 1, MOST_TURNS).astype(np.intp))
        left, factors = [], []
        delays = step * np.arange(-most, most + 1)
        for delay in delays:
            swept, inside = self._integrals(delay, some)
            turned, swept = self._turned[some][inside], swept[inside]
            along, size = float(np.sum(turned * swept)), float(np.sum(swept**2))
            factors.append(along / size if size > 0.0 else 0.0)
            left.append(1.0 - factors[-1] * along / float(np.sum(turned**2)) if along > 0.0 else 1.0)
        edges = np.concatenate(([np.inf], left, [np.inf]))
        valleys = np.flatnonzero((left <= edges[:-2]) & (left <= edges[2:]) & (np.array(left) < 0.5))
        nearest = valleys[np.argsort(np.abs(delays[valleys]), kind="stable")][:CANDIDATES]
        return [(float(delays[place]), factors[place]) for place in nearest]

    def _integrals(self, delay: float, some: NDArray[np.intp] | slice = slice(None)) -> tuple[Array, NDArray[np.bool_]]:
        """Return the integrals over the turns' times, shifted by a delay, and which of these were recorded."""
        begin, end = self._begin[some] + delay, self._end[some] + delay
        inside = (begin >= self._limits[0]) & (end <= self._limits[1])
        return self._swept(end) - self._swept(begin), inside

    def fitted(self, delay: float, factor: float, free: tuple[bool, bool]) -> tuple[Array, Array, float, float]:
        """Return delay and factor with their standard deviations, and the misfits that are left: all, and beside noise.

        `free` tells which of the two are fitted, from these values on.
        """
        x, columns = np.array((delay, factor)), np.flatnonzero(free)
        good = np.ones(len(self._turned), dtype=bool)
        for step in range(STEPS):
            swept, inside = self._integrals(x[0])
            before, after = self._rates(self._begin + x[0]), self._rates(self._end + x[0])
            swept += x[1] * self._bend * np.cross(before, after)
            off = self._turned - x[1] * swept
            if step == STEPS // 2:
                size = np.linalg.norm(off, axis=1)
                good = size <= FAR * np.median(size[inside])
            used = good & inside
            if used.sum() < FEWEST_TURNS:
                return x, np.full(2, np.inf), 1.0, 1.0
            J = np.stack((x[1] * (after - before), swept), axis=2)[used][:, :, columns]
            misfit = float(np.sqrt(np.sum(off[used] ** 2) / np.sum(self._turned[used] ** 2)))
            squares, along = np.einsum("nij,nik->njk", J, J), np.einsum("nij,ni->nj", J, off[used])
            if step < STEPS - 1:
                x[columns] += np.linalg.lstsq(squares.sum(axis=0), along.sum(axis=0), rcond=1e-12)[0]
        inverse = np.linalg.pinv(squares.sum(axis=0))
        beside = along[1:].T @ along[:-1]  # of turns that meet: noise makes one longer, the other shorter
        alone = inverse @ along.T @ along @ inverse
        both = alone + inverse @ (beside + beside.T) @ inverse
        sigma = np.zeros(2)
        squared = np.maximum(np.diag(both), LEAST_ALONE * np.diag(alone))
        sigma[columns] = np.sqrt(np.where(squared > 0.0, squared, np.inf))  # rates that are all the same tell nothing
        noise = noise_of(off[used]) / float(np.sqrt(np.mean(np.sum(self._turned[used] ** 2, axis=1))))
        return x, sigma, misfit, float(np.sqrt(max(misfit**2 - noise**2, 0.0)))
