"""Conventions that a recording does not declare: all are tried, and those that fit a free body are used."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import median_filter

from viewer.common.errors import brief, refusal
from viewer.common.language import marked, tr
from viewer.replay.conventions import (
    DIRECTIONS,
    FRAMES,
    NOTHING_DECLARED,
    ORDERS,
    RATE_UNITS,
    TIME_UNITS,
    Conventions,
    oriented,
)
from viewer.replay.fits.inertia import fit_inertia
from viewer.replay.flights.sensor_units import beyond_sensors, likely_unit, reversed_axes, sensor_units
from viewer.replay.flights.signal_quality import DIFFERENCES
from viewer.replay.frames import READ, Disagreement, compared, disagreement
from viewer.replay.kinematics import integrated, rates_of, turns_between
from viewer.replay.raw_recording import Array, RawRecording

Misfits = dict[tuple[str, ...], float]  # by reading, which is a value for each of the conventions in question

ROWS = slice(0, 2001)  # on which readings are compared
LIKELY_TIME_UNITS = ("s", "ms", "us", "ns")  # the usual one first
SUSPECT = 0.05  # relative misfit from which on a declared convention is doubted
AS_GOOD = 1.05  # times the least misfit, up to which a reading fits as well
CLEAN = 1e-4  # relative misfit of a simulator's motion; a sensor's noise leaves more
CLEARLY_WORSE = 5.0  # times another reading's misfit, from which on a reading fits clearly worse
MOST_TURN = 1.5  # rad from row to row, in a reading of rates alone
SHORTEST_STEP = 1e-6  # s from row to row: no recorder is quicker
LONG_STEP = 2.0  # times that are whole numbers, at least this far apart, are counted in a fraction of a second
USUAL_STEP = 0.01  # s, of recorders
ROUND_OFF = 1e-9  # misfits below it are equal
NO_ORIENTATIONS = marked("no orientations recorded: integrated from the angular velocities, from the identity")
NO_FREE_BODY = marked(
    "the numbers fit no motion of a free body well (misfit {misfit}): wrong units, or too few rows a turn"
)
FAST = marked(
    "turns at up to {speed} rad/s, which no sensor of a phone shows: if these are deg/s, say so by --angular-velocity"
    " deg/s"
)
REVERSED = marked(
    "gravity in the accelerometer turns against the angular velocity about {axes}: axes are left-handed, or turns are"
    " counted clockwise, and the ratios of the moments come out wrong; turn the sign of {columns}, as in --columns"
    " {example}"
)
OTHER_UNIT = marked("declared as {declared}, but {reason}: declare it with --angular-velocity {unit}")
QUATERNIONS, RATES = READ[:2], READ[2:]
LEAP, NEAR_BY = 8.0, 11  # a leap is a turn of LEAP times the median turn of NEAR_BY rows
MOST_GOOD = 0.9  # if no more than this fraction of the rows is free of leaps, none counts as bad
STEADY = 1.5  # times their noise, up to which differing rates are steady
UNKNOWN = 1.0  # the misfit of a motion that determines nothing


def without_doubts(warnings: Sequence[str]) -> tuple[str, ...]:
    """Return the warnings that still matter if one body explains a flight.

    Missing orientations are then no reason for doubt, nor is a recording that is no free motion as a whole.
    """
    return tuple(text for text in as_of_free_body(warnings) if text != tr(NO_ORIENTATIONS))


def as_of_free_body(warnings: Sequence[str]) -> tuple[str, ...]:
    """Return the warnings, except the one that says that no free body moves like this."""
    doubt = tr(NO_FREE_BODY).partition("{")[0]
    return tuple(text for text in warnings if not text.startswith(doubt))


def infer(
    raw: RawRecording, time: Array, declared: Conventions, warnings: list[str]
) -> tuple[Conventions, Disagreement | None]:
    """Return the declared conventions; those that are not declared are chosen so that the numbers fit.

    If rates and quaternions disagree in these, it is also returned how. `time` (N,) starts at 0 and is in the file's
    unit. What was inferred, and what is declared but does not fit, is added to `warnings`. Raises InputError if a
    quaternion, or the angular velocities beside quaternions, are zero.
    """
    if raw.rates is None:
        return _by_quaternions(raw, time, declared, warnings), None
    if raw.quaternion is not None:
        return _by_both(raw.name, time, raw.quaternion, raw.rates, declared, warnings)
    return _by_rates_or_sensor(raw, raw.rates, time, declared, warnings), None


def _by_rates_or_sensor(
    raw: RawRecording, rates: Array, time: Array, declared: Conventions, warnings: list[str]
) -> Conventions:
    """Return the conventions of rates without quaternions: those declared for a sensor, or those of a free body."""
    if raw.acceleration is not None and declared.rate_frame and declared.rate_unit and declared.time_unit:
        if declared.rate_frame == "body":
            _doubt_sensor(time * TIME_UNITS[declared.time_unit], rates, raw.acceleration, declared, warnings)
        warnings.append(tr(NO_ORIENTATIONS))
        return declared  # a sensor is mostly hand-held, so that the whole is no free motion
    return _by_rates(time, rates, raw.acceleration, declared, warnings)


def _doubt_sensor(time: Array, rates: Array, acceleration: Array, declared: Conventions, warnings: list[str]) -> None:
    """Add a warning if a sensor's rates are mirrored, or in another unit than the declared one; `time` is in s."""
    if axes := reversed_axes(time, rates, acceleration):
        signs = ("-" if axis in axes else "" for axis in "xyz")
        example = ",".join(f"w{axis}={sign}{n}" for n, (axis, sign) in enumerate(zip("xyz", signs, strict=True), 2))
        names = {"axes": ", ".join(axes), "columns": ", ".join(f"w{axis}" for axis in axes)}
        warnings.append(tr(REVERSED).format(**names, example=f"t=1,{example}"))
    if declared.rate_unit and (found := likely_unit(time, rates, acceleration, declared.rate_unit)):
        warnings.append(tr(OTHER_UNIT).format(declared=declared.rate_unit, reason=found[1], unit=found[0]))


def _readings(names: Sequence[str], time: Array, declared: Conventions) -> Iterable[tuple[str, ...]]:
    """Return all combinations of the values of the conventions `names`, the most usual one first.

    Orientations whose scalar part is taken for another component turn in reverse, in other axes. So where they alone
    are known, an order in one direction fits as well as the other order in the other direction: from the body to the
    world is the usual one.
    """
    values = (ORDERS, DIRECTIONS, FRAMES, RATE_UNITS, _clocks(time, declared))
    choices = dict(zip(READ, values, strict=True))
    found = product(*(choices[name] for name in names))
    return sorted(found, key=lambda reading: DIRECTIONS.index(reading[1])) if names == QUATERNIONS else found


def _clocks(time: Array, declared: Conventions) -> list[str]:
    """Return the units of time that are tried.

    They are the declared one, seconds, and the likely ones in which rows are at least SHORTEST_STEP apart. In a finer
    unit the body would hardly turn during the recording, and any inertia would fit.
    """
    step = float(np.median(np.diff(time)))
    likely = [unit for unit in LIKELY_TIME_UNITS[1:] if step * TIME_UNITS[unit] >= SHORTEST_STEP]
    return [unit for unit in TIME_UNITS if unit in (declared.time_unit, LIKELY_TIME_UNITS[0], *likely)]


def _by_both(
    name: str, time: Array, quaternion: Array, rates: Array, declared: Conventions, warnings: list[str]
) -> tuple[Conventions, Disagreement | None]:
    """Return the conventions in which quaternions and rates describe the same rotation, or how they disagree."""
    if not rates.any():
        raise refusal("{name}: its angular velocities are zero; a replay needs a motion", name=name)
    comparison = compared(time, quaternion, rates, _clocks(time, declared))
    found = disagreement(time, quaternion, rates, declared, comparison)
    if found is None:
        return _chosen(comparison.straight, READ, declared, warnings), None
    return found.conventions, found


def _by_quaternions(raw: RawRecording, time: Array, declared: Conventions, warnings: list[str]) -> Conventions:
    """Return the conventions in which some inertia tensor conserves the angular momentum.

    The unit of time cannot be found in this way; it is guessed if the times are whole numbers.
    """
    assert raw.quaternion is not None
    misfits: Misfits = {}
    rows = _without_bad(oriented(raw.name, raw.quaternion[ROWS], ORDERS[0], DIRECTIONS[0]))
    for order, direction in _readings(QUATERNIONS, time, declared):
        q = oriented(raw.name, raw.quaternion[ROWS], order, direction)[rows]
        omega = rates_of(time[ROWS][rows], q)
        misfits[order, direction] = max(fit_inertia(time[ROWS][rows], q, omega).misfit, ROUND_OFF)
        if _steady(omega):
            misfits = dict.fromkeys(product(ORDERS, DIRECTIONS), UNKNOWN)  # a steady spin is steady in every reading
            break
    found = _chosen(misfits, QUATERNIONS, declared, warnings, doubted=min(misfits.values()) < UNKNOWN)
    step = float(np.median(np.diff(time)))
    if found.time_unit is not None or step < LONG_STEP or (raw.time != np.round(raw.time)).any():
        return found
    unit = min(LIKELY_TIME_UNITS[1:], key=lambda clock: abs(np.log(step * TIME_UNITS[clock] / USUAL_STEP)))
    text = tr(
        "times taken as {unit}, {seconds} s a row: no unit is declared, orientations alone do not determine it, and"
        " whole numbers {step} apart are hardly seconds"
    )
    warnings.append(text.format(unit=unit, seconds=brief(step * TIME_UNITS[unit], 3), step=brief(step, 6)))
    return replace(found, time_unit=unit)


def _without_bad(q: Array) -> NDArray[np.bool_]:
    """Tell which orientations (N, 4) are good; at a bad row the body leaps to another orientation and back.

    If there are too many such rows, all count as good.
    """
    step = np.linalg.norm(turns_between(q), axis=1)
    leap = np.concatenate(([True], step > LEAP * median_filter(step, NEAR_BY, mode="nearest") + ROUND_OFF, [True]))
    good = ~(leap[:-1] & leap[1:])
    return good if good.mean() > MOST_GOOD else np.ones(len(q), dtype=bool)


def _steady(omega: Array) -> bool:
    """Tell whether rates (N, 3) differ by their noise alone.

    Medians are compared, which a few bad rows hardly change.
    """
    if len(omega) < 2 * len(DIFFERENCES):
        return False
    left = np.stack([np.convolve(column, DIFFERENCES, "valid") for column in omega.T], axis=1)
    noise = float(np.median(np.linalg.norm(left, axis=1))) / float(np.linalg.norm(DIFFERENCES))
    return float(np.median(np.linalg.norm(omega - np.median(omega, axis=0), axis=1))) <= STEADY * noise


def _by_rates(
    time: Array, rates: Array, acceleration: Array | None, declared: Conventions, warnings: list[str]
) -> Conventions:
    """Return the conventions in which Euler's equation holds for some inertia.

    It holds in the right units only, as a wrong unit scales its two terms differently. But in units that make the rates
    too fast, a nearly spherical body nearly satisfies it, and noise hides which unit is right. So units in which the
    body turns by more than MOST_TURN a row are left out, and those that fit nearly as well as the best are reported.
    """
    misfits: Misfits = {}
    steady = bool((rates == rates[0]).all())  # then they are steady in the body and in space
    for frame, unit, clock in _readings(RATES, time, declared):
        if steady and frame != (declared.rate_frame or FRAMES[0]):
            continue
        t, scaled = time[ROWS] * TIME_UNITS[clock], rates[ROWS] * RATE_UNITS[unit]
        q, omega = integrated(t, scaled, frame == "world")
        fit = fit_inertia(t, q, omega, fewest=len(t))  # in a few rows any spin looks steady
        turn = float(np.median(np.linalg.norm(scaled[1:], axis=1) * np.diff(t)))
        usable = fit.determined and turn < MOST_TURN
        misfits[frame, unit, clock] = max(fit.misfit, ROUND_OFF) if usable else UNKNOWN
    allowed, least = _allowed(misfits, RATES, declared), min(misfits.values())
    too_fast = beyond_sensors(rates) if declared.rate_unit == "rad/s" else None
    noisy = least > CLEAN and (len(allowed) > 1 or least < min(allowed.values()))  # so it may be a sensor's
    if too_fast or noisy:
        of_sensor = _by_sensor(time, rates, acceleration, declared, warnings)
        if of_sensor is not None:
            return of_sensor
    open_ones = any(getattr(declared, name) is None for name in RATES)
    found = _chosen(misfits, RATES, declared, warnings, doubted=open_ones)  # with all declared, a sensor in a hand
    best = (found.rate_frame or "", found.rate_unit or "", found.time_unit or "")
    near = [
        tr("{first} and {second}").format(first=unit, second=clock)
        for (frame, unit, clock), misfit in misfits.items()
        if frame == best[0]
        and (unit, clock) != best[1:]
        and misfit <= CLEARLY_WORSE * misfits[best]
        and declared.rate_unit in (None, unit)
        and declared.time_unit in (None, clock)
    ]
    if near and misfits[best] < UNKNOWN:
        text = tr(
            "{unit} and {clock} are not certain: {others} fit nearly as well; declare them with --angular-velocity and"
            " --time-unit"
        )
        warnings.append(text.format(unit=best[1], clock=best[2], others=", ".join(near)))
    if too_fast:
        warnings.append(tr(FAST).format(speed=brief(too_fast, 3)))
    warnings.append(tr(NO_ORIENTATIONS))
    return found


def _by_sensor(
    time: Array, rates: Array, acceleration: Array | None, declared: Conventions, warnings: list[str]
) -> Conventions | None:
    """Return the declared conventions, completed by the units of a sensor, which is usually hand-held; None if unknown.

    What was inferred, and a declared unit that contradicts it, is added to `warnings`.
    """
    units = None if declared.rate_frame == "world" else sensor_units(time, rates, acceleration, declared.time_unit)
    if units is None:
        return None
    inferred = [] if declared.rate_unit else [units.rate]
    inferred += [] if declared.time_unit or units.time == LIKELY_TIME_UNITS[0] else [units.time]
    if inferred:
        text = tr("not declared, so inferred: {inferred}, as {reason}")
        warnings.append(text.format(inferred=", ".join(inferred), reason=units.because))
    if declared.rate_unit not in (None, units.rate):
        warnings.append(tr(OTHER_UNIT).format(declared=declared.rate_unit, reason=units.because, unit=units.rate))
    if acceleration is not None:
        _doubt_sensor(time * TIME_UNITS[units.time], rates, acceleration, NOTHING_DECLARED, warnings)
    warnings.append(tr(NO_ORIENTATIONS))
    return declared.filled_from(Conventions(rate_frame=FRAMES[0], rate_unit=units.rate, time_unit=units.time))


def _allowed(misfits: Misfits, names: Sequence[str], declared: Conventions) -> Misfits:
    """Return the combinations of values that agree with the declared conventions, with their misfits."""
    given = [getattr(declared, name) for name in names]
    return {
        reading: misfit
        for reading, misfit in misfits.items()
        if all(wanted in (None, value) for wanted, value in zip(given, reading, strict=True))
    }


def _chosen(
    misfits: Misfits, names: tuple[str, ...], declared: Conventions, warnings: list[str], doubted: bool = True
) -> Conventions:
    """Return the declared conventions, completed by the values that agree with them and fit best.

    Add warnings about what was inferred, about a declaration that does not fit, and, if `doubted`, about a motion that
    no values fit.
    """
    given = [getattr(declared, name) for name in names]
    allowed = _allowed(misfits, names, declared)
    if min(allowed.values()) > SUSPECT:  # nothing fits: no reason to infer an unusual unit of time
        usual = {reading: misfit for reading, misfit in allowed.items() if reading[-1] not in LIKELY_TIME_UNITS[1:]}
        allowed = usual or allowed
    least = min(allowed.values())
    best = next(  # the most usual one, as readings are listed from the most usual one on
        reading for reading, misfit in allowed.items() if misfit <= AS_GOOD * least
    )
    inferred = [
        value
        for wanted, value in zip(given, best, strict=True)
        if wanted is None and value != LIKELY_TIME_UNITS[0]  # seconds need no mention
    ]
    if inferred:
        next_best = min((misfit for reading, misfit in allowed.items() if reading != best), default=np.inf)
        text = tr("not declared, so inferred: {inferred} (misfit {misfit}, the next best is {rival})")
        if not np.isfinite(next_best):
            text = tr("not declared, so inferred: {inferred} (misfit {misfit}, nothing else fits)")
        elif next_best <= AS_GOOD * least:
            text = tr("not declared, so taken as usual: {inferred}; other readings fit as well (misfit {misfit})")
        if least >= UNKNOWN:
            text = tr("not declared, so taken as usual: {inferred}; nothing in the numbers tells")
        warnings.append(
            text.format(inferred=", ".join(inferred), misfit=brief(allowed[best], 1), rival=brief(next_best, 1))
        )
    overall = min(misfits, key=lambda reading: misfits[reading])
    if misfits[best] > SUSPECT and misfits[best] > CLEARLY_WORSE * misfits[overall]:
        differing = [pair for pair in zip(best, overall, strict=True) if pair[0] != pair[1]]
        mine, others = (", ".join(values) for values in zip(*differing, strict=True))
        text = tr(
            "declared as {declared}, but the numbers fit {others} (misfit {misfit} against {least}): check the"
            " conventions"
        )
        warnings.append(
            text.format(declared=mine, others=others, misfit=brief(misfits[best], 1), least=brief(misfits[overall], 1))
        )
    elif misfits[best] > SUSPECT and doubted:
        warnings.append(tr(NO_FREE_BODY).format(misfit=brief(misfits[best], 1)))
    found: dict[str, Any] = dict(zip(names, best, strict=True))
    return replace(declared, **found)
