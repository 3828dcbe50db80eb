"""The faults of a sensor's recording: it clips, leaves gaps, ticks unevenly, or samples too slowly."""

import numpy as np
from numpy.typing import NDArray

from viewer.common.language import marked
from viewer.physics.rotation import Array

CLIPPED, GAPS, JITTER, SLOW, ONE_AXIS = "clipped", "gaps", "jitter", "slow", "steady"
MEANINGS = {
    CLIPPED: marked("the sensor was at its limit"),
    GAPS: marked("samples are missing"),
    JITTER: marked("samples are unevenly spaced"),
    SLOW: marked("fewer than six samples a turn"),
    ONE_AXIS: marked("turns about one axis only: cannot be told from a hand's turning"),
}
EQUAL = 1e-9  # relative difference of values at a sensor's limit
AT_LIMIT = 3  # rows one after the other in which a component stands at its extreme value
EDGE = 1e-4  # relative difference of the values before and after: less is a smooth maximum
DIGITS = 2.5  # .. and less than this many units of the last digit is one that is written with few digits
TOP, NEXT = 0.9, 6  # of the largest size; values above that, the largest ones, in which the last digit is looked for
WHOLE = 1e-3  # units by which differences of rounded values are no whole numbers
GAP = 2.5  # of the usual step
UNEVEN = 0.1  # rms of the steps about the usual one, relative to it, gaps aside
TURN_OF_STEP = 1.0  # rad
NARROW = 0.1  # of the rates' rms about their axis: less across it is a turn about one axis
DIFFERENCES = np.array((1.0, -4.0, 6.0, -4.0, 1.0))  # of fourth order: of a smooth series they leave its noise


def limit_of(rates: Array) -> float:
    """Return the size at which components of rates (N, 3) are clipped [rad/s], or inf if none is."""
    size = np.abs(rates)
    limit = float(size.max(initial=0.0))
    between = np.diff(np.unique(size[size > TOP * limit])[-NEXT:])
    unit = float(between[between > EQUAL * limit].min(initial=limit))
    if (np.abs(between / unit - np.rint(between / unit)) > WHOLE).any():  # these are not rounded
        unit = limit
    edge = limit - max(EDGE * limit, DIGITS * unit if unit < limit else 0.0)
    for column in size.T:
        at = np.concatenate(([False], column >= limit * (1.0 - EQUAL), [False]))
        begins, ends = (np.flatnonzero(np.diff(at.astype(np.int8)) == sign) for sign in (1, -1))
        for begin, end in zip(begins[ends - begins >= AT_LIMIT], ends[ends - begins >= AT_LIMIT], strict=True):
            beside = *column[max(begin - 1, 0) : begin], *column[end : end + 1]
            if beside and max(beside) < edge:
                return limit
    return np.inf


def at_limits(rates: Array, limit: float) -> NDArray[np.bool_]:
    """Tell which components of rates (N, 3) have the size `limit`, at which they are clipped."""
    return np.asarray(np.abs(rates) >= limit * (1.0 - EQUAL))


def spans_at_limit(time: Array, rates: Array, limit: float) -> tuple[tuple[float, float], ...]:
    """Return the times (begin, end) [s] of the rows before and after each stretch with a component at `limit`."""
    at = np.concatenate(([False], at_limits(rates, limit).any(axis=1), [False]))
    begins, ends = (np.flatnonzero(np.diff(at.astype(np.int8)) == sign) for sign in (1, -1))
    beside = np.concatenate((time[:1] - 1.0, time, time[-1:] + 1.0))
    return tuple(zip(beside[begins].tolist(), beside[ends + 1].tolist(), strict=True))


def flags_of(time: Array, rates: Array, limit: float) -> tuple[str, ...]:
    """Return which of MEANINGS apply to a stretch of a recording whose rates are clipped at `limit`."""
    steps = np.diff(time)
    usual = float(np.median(steps))
    whole = steps[steps <= GAP * usual]
    fastest = float(np.linalg.norm(rates, axis=1).max())
    held = {
        CLIPPED: bool(at_limits(rates, limit).any()),
        GAPS: len(whole) < len(steps),
        JITTER: float(np.sqrt(np.mean((whole / usual - 1.0) ** 2))) > UNEVEN,
        SLOW: fastest * usual > TURN_OF_STEP,
    }
    return tuple(name for name, found in held.items() if found)


def noise_of(vectors: Array) -> float:
    """Return the rms size of the noise in a series of vectors (N, 3), rounding included; a smooth series has none."""
    if len(vectors) < 2 * len(DIFFERENCES):
        return 0.0
    left = sum(weight * vectors[n : len(vectors) - 4 + n] for n, weight in enumerate(DIFFERENCES))
    return float(np.sqrt(np.mean(np.sum(np.square(left), axis=1)) / np.sum(DIFFERENCES**2)))


def about_one_axis(rates: Array) -> bool:
    """Tell whether rates (N, 3) keep to one axis; such a flight looks like turning by hand."""
    along, across, _ = np.linalg.svd(rates, compute_uv=False, full_matrices=False)
    return bool(across < NARROW * along)
