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
from viewer.replay.fits.delay import shift_of
from viewer.replay.fits.frames import IDENTITY, LIKELY_TIME_UNITS, READ, Disagreement, compared, disagreement
from viewer.replay.fits.inertia import euler_misfit, fit_inertia
from viewer.replay.flights.sensor_units import (
    beyond_sensors,
    is_motion,
    is_step_of_sensor,
    likely_unit,
    reversed_axes,
    sensor_units,
)
from viewer.replay.flights.signal_quality import DIFFERENCES
from viewer.replay.kinematics import integrated, rates_of, turns_between
from viewer.replay.raw_recording import Array, RawRecording

Misfits = dict[tuple[str, ...], float]  # by reading, which is a value for each of the conventions in question

ROWS = slice(0, 2001)  # on which readings are compared
SUSPECT = 0.05  # relative misfit from which on a declared convention is doubted
FITS = 0.2  # relative misfit up to which a reading fits at all
FREE_ORIENTATIONS = 0.03  # .. if orientations alone are known: wrong readings left .033 and more
BEATS = 2.0  # times its misfit is that of the next best, if a reading is certain
CLEAN = 1e-3  # relative misfit of a simulator's motion; a sensor's noise leaves more
CLEARLY_WORSE = 5.0  # times another reading's misfit, from which on a reading fits clearly worse
SHORTEST_STEP = 1e-6  # s from row to row: no recorder is quicker
LONG_STEP = 2.0  # times that are whole numbers, at least this far apart, are counted in a fraction of a second
USUAL_STEP, USUAL_SPEED = 0.01, 3.0  # s, of recorders; rad/s, which few bodies exceed by much
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
UNMENTIONED = LIKELY_TIME_UNITS[:1]
OPTIONS = dict(zip(READ, ("--quaternion",) * 2 + ("--angular-velocity",) * 2 + ("--time-unit",), strict=True))
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
        return _by_both(raw.name, time, raw.quaternion, raw.rates, declared, _usual(raw, declared), warnings)
    return _by_rates_or_sensor(raw, raw.rates, time, declared, warnings), None


def _by_rates_or_sensor(
    raw: RawRecording, rates: Array, time: Array, declared: Conventions, warnings: list[str]
) -> Conventions:
    """Return the conventions of rates without quaternions: those declared for a sensor, or those of a free body.

    They are those of a gyroscope, in the body, unless they are declared in space.
    """
    declared = declared.filled_from(Conventions(rate_frame=FRAMES[0]))
    if raw.acceleration is not None and declared.rate_unit and declared.time_unit:
        if declared.rate_frame == FRAMES[0]:
            _doubt_sensor(time * TIME_UNITS[declared.time_unit], rates, raw.acceleration, declared, warnings)
        warnings.append(tr(NO_ORIENTATIONS))
        return declared  # a sensor is mostly hand-held, so that the whole is no free motion
    return _by_rates(time, rates, raw.acceleration, declared, _usual(raw, declared), warnings)


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
    name: str,
    time: Array,
    quaternion: Array,
    rates: Array,
    declared: Conventions,
    usual: Conventions,
    warnings: list[str],
) -> tuple[Conventions, Disagreement | None]:
    """Return the conventions in which quaternions and rates describe the same rotation, or how they disagree."""
    if not rates.any():
        raise refusal("{name}: its angular velocities are zero; a replay needs a motion", name=name)
    rows = _without_bad(oriented(name, quaternion, ORDERS[0], DIRECTIONS[0]))
    clocks = _clocks(time, declared)
    comparison = compared(time[rows], quaternion[rows], rates[rows], clocks)
    found = shift_of(time[rows], quaternion[rows], rates[rows], declared, clocks, comparison)
    found = found or disagreement(quaternion, rates, declared, usual, comparison)
    if found is None:
        return _chosen(comparison.straight, READ, declared, warnings, usual), None
    clock, unit = TIME_UNITS[found.conventions.time_unit or "s"], RATE_UNITS[found.conventions.rate_unit or "rad/s"]
    turn = clock * unit * float(np.median(np.diff(time)) * np.median(np.linalg.norm(rates, axis=1)))
    if found.repaired is None and turn > np.pi:
        text = tr("by its rates it makes {turns} turns per row, but orientations cannot show more than half a turn")
        found = replace(found, line=text.format(turns=brief(turn / (2.0 * np.pi), 2)))
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
        misfit = fit_inertia(time[ROWS][rows], q, omega).misfit
        if np.isfinite(misfit):  # no solid at all is no proof, where noise thins a rod
            misfits[order, direction] = max(misfit, ROUND_OFF)
        if _steady(omega):
            misfits = dict.fromkeys(product(ORDERS, DIRECTIONS), UNKNOWN)  # a steady spin is steady in every reading
            break
    usual, first = _usual(raw, declared), np.abs(raw.quaternion[0])
    scalar = int(np.argmax(first))
    if declared.order is None and scalar in (0, 3) and first[scalar] >= IDENTITY * np.linalg.norm(first):
        usual = replace(usual, order=ORDERS[scalar // 3])  # it begins from the identity
    doubted = min(misfits.values(), default=0.0) < UNKNOWN
    found = _chosen(misfits, QUATERNIONS, declared, warnings, usual, doubted, FREE_ORIENTATIONS)
    step, unit = float(np.median(np.diff(time))), usual.time_unit or LIKELY_TIME_UNITS[0]
    if found.time_unit is not None or unit == LIKELY_TIME_UNITS[0]:
        return replace(found, time_unit=unit)
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
    time: Array,
    rates: Array,
    acceleration: Array | None,
    declared: Conventions,
    usual: Conventions,
    warnings: list[str],
) -> Conventions:
    """Return the conventions in which Euler's equation holds for some inertia; the frame of the rates is declared.

    It holds in the right units only, as a wrong unit scales its two terms differently: where it makes the rates too
    slow, no solid explains how they change, and where it makes them too fast, only one that is nearly a ball.
    """
    units, is_open = (declared.rate_unit, declared.time_unit), not (declared.rate_unit and declared.time_unit)
    misfits: Misfits = {}
    for reading in _readings(RATES, time, declared):
        frame, unit, clock = reading
        t, omega = time[ROWS] * TIME_UNITS[clock], rates[ROWS] * RATE_UNITS[unit]
        if frame == declared.rate_frame and (is_motion(t, omega) or (unit, clock) == units):
            omega = integrated(t, omega, in_world=True)[1] if frame == "world" else omega
            misfits[reading] = UNKNOWN if _steady(omega) else max(euler_misfit(t, omega), ROUND_OFF)
    moving = [unit for frame, unit, clock in misfits if clock == usual.time_unit]
    usual = declared.filled_from(replace(usual, rate_unit=next(iter(moving), usual.rate_unit)))
    too_fast = beyond_sensors(rates) if declared.rate_unit == "rad/s" else None
    least, step = min(misfits.values(), default=UNKNOWN), float(np.median(np.diff(time)))
    if least > CLEAN and declared.time_unit is None:
        of_sensors = [reading for reading in misfits if is_step_of_sensor(step * TIME_UNITS[reading[-1]])]
        misfits = {reading: misfits[reading] for reading in of_sensors} or misfits
    least = min(_allowed(misfits, RATES, declared).values(), default=UNKNOWN)
    if too_fast or least > (FITS if acceleration is None else CLEAN):  # so it may be a sensor's
        of_sensor = _by_sensor(time, rates, acceleration, declared, warnings)
        if of_sensor is not None:
            return of_sensor
    found = _chosen(misfits, RATES, declared, warnings, usual, doubted=is_open)
    if too_fast:
        warnings.append(tr(FAST).format(speed=brief(too_fast, 3)))
    warnings.append(tr(NO_ORIENTATIONS))
    return found


def _usual(raw: RawRecording, declared: Conventions) -> Conventions:
    """Return the conventions that are taken where nothing tells.

    Times are in s, except whole numbers that are far apart: they are in the unit in which the steps are most usual, and
    in which recorded orientations do not turn too fast.
    """
    time, declared = raw.time, declared.filled_from(raw.usual)
    step, clock = float(np.median(np.diff(time))), LIKELY_TIME_UNITS[0]
    if step >= LONG_STEP and (time == np.round(time)).all():
        q = None if raw.quaternion is None else oriented(raw.name, raw.quaternion, ORDERS[0], DIRECTIONS[0])
        turn = 0.0 if q is None else float(np.median(np.linalg.norm(turns_between(q), axis=1)))

        def strangeness(unit: str) -> float:
            seconds = step * TIME_UNITS[unit]
            return float(abs(np.log(seconds / USUAL_STEP)) + np.log(max(turn / seconds, USUAL_SPEED)))

        clock = min(LIKELY_TIME_UNITS[1:], key=strangeness)
    return declared.filled_from(Conventions(ORDERS[0], DIRECTIONS[0], FRAMES[0], next(iter(RATE_UNITS)), clock))


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
    misfits: Misfits,
    names: tuple[str, ...],
    declared: Conventions,
    warnings: list[str],
    usual: Conventions,
    doubted: bool = True,
    fits: float = FITS,
) -> Conventions:
    """Return the declared conventions, completed by the values that agree with them and fit best.

    Where none leaves at most `fits`, or where others fit nearly as well, the `usual` ones are taken. Add warnings
    about what was inferred, about what cannot be told, about a declaration that does not fit, and, if `doubted`, about
    a motion that no values fit.
    """
    as_usual = tuple(getattr(usual, name) for name in names)
    allowed = _allowed(misfits, names, declared) or {as_usual: UNKNOWN}
    least = min(allowed.values())
    near = [reading for reading, misfit in allowed.items() if misfit <= BEATS * least] if least <= fits else []
    best = as_usual if as_usual in near or not near else near[0]
    misfit = allowed.get(best, UNKNOWN)
    open_ones = [place for place, name in enumerate(names) if getattr(declared, name) is None]
    inferred = ", ".join(tr(best[place]) for place in open_ones if best[place] not in UNMENTIONED)
    rivals = [reading for reading in near if reading != best]
    if rivals:
        other = ", ".join(tr(value) for value, own in zip(rivals[0], best, strict=True) if value != own)
        mine = ", ".join(tr(own) for value, own in zip(rivals[0], best, strict=True) if value != own)
        options = [OPTIONS[name] for name, value, own in zip(names, rivals[0], best, strict=True) if value != own]
        text = tr("cannot be told: {mine} is taken, but {others} fits as well; declare it with {options}")
        options_shown = ", ".join(dict.fromkeys(options))
        warnings.append(text.format(mine=mine, others=other, options=options_shown))
    elif inferred and not near:
        text = tr("not declared, so taken as usual: {inferred}; nothing in the numbers tells")
        warnings.append(text.format(inferred=inferred))
    elif inferred:
        next_best = min((other for reading, other in allowed.items() if reading != best), default=np.inf)
        text = tr("not declared, so inferred: {inferred} (misfit {misfit}, the next best is {rival})")
        if not np.isfinite(next_best):
            text = tr("not declared, so inferred: {inferred} (misfit {misfit}, nothing else fits)")
        warnings.append(text.format(inferred=inferred, misfit=brief(misfit, 1), rival=brief(next_best, 1)))
    overall = min(misfits, key=lambda reading: misfits[reading], default=best)
    least_at_all = misfits.get(overall, UNKNOWN)
    if best in misfits and misfit > max(SUSPECT, CLEARLY_WORSE * least_at_all) and least_at_all <= SUSPECT:
        differing = [pair for pair in zip(best, overall, strict=True) if pair[0] != pair[1]]
        mine, others = (", ".join(map(tr, values)) for values in zip(*differing, strict=True))
        text = tr(
            "declared as {declared}, but the numbers fit {others} (misfit {misfit} against {least}): check the"
            " conventions"
        )
        warnings.append(
            text.format(declared=mine, others=others, misfit=brief(misfit, 1), least=brief(least_at_all, 1))
        )
    elif misfit > SUSPECT and doubted:
        warnings.append(tr(NO_FREE_BODY).format(misfit=brief(misfit, 1)))
    found: dict[str, Any] = dict(zip(names, best, strict=True))
    return replace(declared, **found)
