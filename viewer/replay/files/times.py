"""Times of rows: even steps that lost digits, jumps, and a sensor's values at the times of another one."""

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import brief
from viewer.common.language import marked, tr

Array = NDArray[np.float64]

EVEN = 1e-6  # of a step: times that are so near to even steps are left as they are
ROUNDED = 0.1  # of a step: times that are off by no more than that, and by their rounding, are even steps
LOST = 0.75  # of the last decimal: rounding takes half of it
JUMP = 5.0  # of the steps beside it
EVENED = marked("times are even except for rounding: taken as steps of {step}")


def evened(time: Array, warnings: list[str]) -> Array:
    """Times (N,), from 0; as exactly even steps, with a warning, where only the rounding of their digits differs."""
    resolution, time = _resolution(time), time - time[0]
    even, step, largest = _even(time)
    if largest <= EVEN * step or not largest <= min(LOST * resolution, ROUNDED * step):
        return time
    warnings.append(tr(EVENED).format(step=brief(step, 6)))
    return even


def restored(time: Array, warnings: list[str]) -> Array:
    """Times (N,) of which many repeat, as even steps from the first, with a warning, where they are those but for the
    digits that they lost; else as they are."""
    even, step, largest = _even(time - time[0])
    digit = 1.0 if (time == np.round(time)).all() else _resolution(time)
    if not step > 0.0 or largest > LOST * digit or (np.diff(time) < 0.0).any():
        return time
    warnings.append(tr(EVENED).format(step=brief(step, 6)))
    return np.asarray(time[0] + even)


def jumps(time: Array) -> NDArray[np.intp]:
    """The rows before which times (N,) jump: by far more than from row to row before and after."""
    steps = np.diff(time)
    if len(steps) < 3:
        return np.empty(0, np.intp)
    beside = np.maximum(np.concatenate((steps[1:2], steps[:-1])), np.concatenate((steps[1:], steps[-2:-1])))
    return np.flatnonzero((steps > JUMP * beside) & (steps > JUMP * np.median(steps))) + 1


def _even(time: Array) -> tuple[Array, float, float]:
    """(the nearest even steps from 0, one of them, how far times (N,) from 0 are off those at most)."""
    number = np.arange(len(time)) - 0.5 * (len(time) - 1)
    step = float(number @ time / (number @ number))
    even = np.asarray(step * (number - number[0]))
    off = time - even
    off -= 0.5 * (off.max() + off.min())
    return even, step, float(np.abs(off).max())


def _resolution(time: Array) -> float:
    """The last decimal that the times have, or that of 32-bit numbers; at least that of 64-bit ones, which is 256 ns
    for times since 1970 in ns."""
    finest = 2.0 * float(np.spacing(np.abs(time).max()))
    if (time.astype(np.float32) == time).all():
        return float(np.spacing(np.float32(np.abs(time).max())))
    for decimal in (10.0**-digits for digits in range(10)):
        if decimal <= finest or (np.abs(time - np.round(time / decimal) * decimal) <= finest).all():
            return max(decimal, finest)
    return finest


def at_times(time: Array, own: Array, columns: dict[str, Array], warnings: list[str]) -> dict[str, Array]:
    """Columns (M,) of times `own` (M,) at the times `time` (N,), by straight lines; nan beyond their ends.

    None and a warning where these times run back, or are too few.
    """
    usable = np.logical_and.reduce([np.isfinite(own), *(np.isfinite(column) for column in columns.values())])
    own = own[usable]
    if len(own) < 2 or (np.diff(own) < 0.0).any():
        warnings.append(tr("left out the accelerometer: its times run back, or it has fewer than two rows"))
        return {}
    step = float(np.median(np.diff(own)))
    outside = (time < own[0] - step) | (time > own[-1] + step)
    return {role: np.where(outside, np.nan, np.interp(time, own, column[usable])) for role, column in columns.items()}
