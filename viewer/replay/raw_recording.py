"""A recording as it stands in its file: the numbers of a format's reader, checked, in the file's own units."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import brief, refusal
from viewer.common.language import marked, plural, tr
from viewer.replay.conventions import NOTHING_DECLARED, Conventions

Array = NDArray[np.float64]
Rows = NDArray[np.intp]
Progress = Callable[[float], None]

TIME, QUATERNION, RATES, ACCELERATION = ("t",), ("qw", "qx", "qy", "qz"), ("wx", "wy", "wz"), ("ax", "ay", "az")
ANGLES = ("roll", "pitch", "yaw")  # about x, y and z; only inside readers, which turn them into a quaternion
FEWEST_ROWS = 8
LARGEST_NUMBER = 1e30  # in any unit: squares and products of such numbers are finite
STEPS_AT_ALL = 1e-17, 1e21  # between two rows, in whatever unit a file has
FEW = 0.02  # fraction of the rows that may repeat a time
EVEN = 1e-6  # of a step, by which steps may differ: such times are not changed
LOST_DIGITS = 0.75  # of the last decimal: rounding takes half of it
LARGEST = 0.9  # quantile of the values, whose digits are looked at
FEWEST_DIGITS = 1e-5  # the last of the six significant digits that programs write if they are told no number
DIGITS = 5e-9  # relative rounding of nine digits, with which 32-bit numbers are written
JUMP = 5.0  # times the steps beside it
EVENED = marked("times are even except for rounding: taken as steps of {step}")


def no_progress(fraction: float) -> None:
    """Ignore the fraction."""


def part(progress: Progress, begin: float, end: float) -> Progress:
    """Return a function that reports the progress of a part of the work, from `begin` to `end` of the whole."""
    return lambda fraction: progress(begin + (end - begin) * fraction)


def no_rows() -> Rows:
    """Return no rows."""
    return np.empty(0, np.intp)


@dataclass(frozen=True, eq=False)
class RawRecording:
    """The numbers of a recording in its file's own units and order; those that the file does not have are None.

    They are `time` (N,), `quaternion` (N, 4), `rates` (N, 3) and `acceleration` (N, 3), which is what an accelerometer
    shows, nan where it showed nothing. `name` is the file's; `declared` are the conventions that it declares;
    `warnings` say what was assumed or left out while reading; `gaps` are the rows before which rows are missing;
    `format` is the name of the file's format; `shape` is that of the table, if the user has declared its columns;
    `usual` are the conventions of such files, which are taken where nothing is declared and the numbers do not tell.
    """

    name: str
    time: Array
    quaternion: Array | None
    rates: Array | None
    declared: Conventions
    warnings: tuple[str, ...] = ()
    acceleration: Array | None = None
    gaps: Rows = field(default_factory=no_rows)
    format: str = ""
    shape: str = ""
    usual: Conventions = NOTHING_DECLARED


def raw_recording(
    name: str,
    columns: Mapping[str, Array],
    declared: Conventions,
    warnings: Sequence[str] = (),
    breaks: Sequence[float] = (),
) -> RawRecording:
    """Return the recording in columns (N,) by their roles (TIME, QUATERNION, RATES, ACCELERATION), checked.

    `breaks` are times at which the recording was interrupted. Raises InputError.
    """
    columns, noticed = dict(columns), list(warnings)
    acceleration = [columns.pop(role) for role in ACCELERATION if role in columns]
    kept = _finite(columns, name, noticed)
    columns["t"] = _with_lost_digits(columns, kept, noticed)
    kept = _distinct(columns["t"], kept, name, noticed)
    check_sizes({role: column[kept] for role, column in columns.items()}, name)
    time = columns["t"][kept]
    check_steps(name, time, *STEPS_AT_ALL)
    _leave_out_no_orientation(columns, kept, noticed)
    q, rates = (
        np.stack([columns[role][kept] for role in group], axis=1) if group[0] in columns else None
        for group in (QUATERNION, RATES)
    )
    felt = np.stack([column[kept] for column in acceleration], axis=1) if len(acceleration) == 3 else None
    gaps = np.union1d(_missing(columns, kept), np.searchsorted(time, np.array(breaks, float)))
    gaps = gaps[(gaps > 0) & (gaps < len(time))].astype(np.intp)
    return RawRecording(name, time, q, rates, declared, tuple(noticed), _sensible(felt), gaps)


def check_steps(name: str, time: Array, low: float, high: float) -> None:
    """Raise InputError if a step between times (N,) is out of range.

    The times are in s, or in the file's unit while the unit is not known.
    """
    steps = np.diff(time)
    if not low <= steps.min() <= steps.max() <= high:
        raise refusal(
            "{name}: t: steps of {shortest:.3g} to {longest:.3g} s are outside {low:g} to {high:g} s",
            name=name,
            shortest=steps.min(),
            longest=steps.max(),
            low=low,
            high=high,
        )


def check_sizes(columns: Mapping[str, Array], name: str) -> None:
    """Raise InputError if a finite number is beyond LARGEST_NUMBER."""
    for role, column in columns.items():
        worst = float(np.abs(column, where=np.isfinite(column), out=np.zeros_like(column)).max(initial=0.0))
        if worst > LARGEST_NUMBER:
            raise refusal(
                "{name}: {role}: {worst:g} is outside -{largest:g} to {largest:g}",
                name=name,
                role=role,
                worst=worst,
                largest=LARGEST_NUMBER,
            )


def check_rows(name: str, count: int) -> None:
    """Raise InputError if there are too few rows of finite numbers."""
    if count < FEWEST_ROWS:
        raise refusal(
            "{name}: rows of finite numbers: {count}; at least {fewest} are needed",
            name=name,
            count=count,
            fewest=FEWEST_ROWS,
        )


def _finite(columns: Mapping[str, Array], name: str, warnings: list[str]) -> Rows:
    """Return the rows in which all numbers are finite, with a warning about the others.

    Raises InputError if there are too few.
    """
    finite = np.logical_and.reduce([np.isfinite(column) for column in columns.values()])
    rows = np.flatnonzero(finite)
    check_rows(name, len(rows))
    if len(rows) < len(finite):
        end, first = int(rows[-1]) + 1, int(np.argmin(finite)) + 1
        between = end - len(rows)
        if between:
            text = plural(
                "left out {count} row with nan or inf, row {first}",
                "left out {count} rows with nan or inf, the first of them row {first}",
                between,
            )
            warnings.append(text.format(count=between, first=first))
        if end < len(finite):  # an engine that diverged
            text = tr("used {count} of {rows} rows: the numbers after row {count} are not finite")
            warnings.append(text.format(count=end, rows=len(finite)))
    return rows


def _with_lost_digits(columns: Mapping[str, Array], rows: Rows, warnings: list[str]) -> Array:
    """Return the times, evenly spaced if too few digits were written to tell them apart.

    This is assumed if many times repeat while other numbers change, and only if evenly spaced times fit.
    """
    time = columns["t"].copy()
    again = np.diff(time[rows]) == 0.0
    moved = np.any([np.diff(column[rows]) != 0.0 for role, column in columns.items() if role != "t"], axis=0)
    if again.sum() > FEW * len(rows) and (again & moved).sum() > 0.5 * again.sum():
        time[rows] = restored(time[rows], warnings)
    return time


def _distinct(time: Array, rows: Rows, name: str, warnings: list[str]) -> Rows:
    """Return the rows without those that repeat the time of the row before, with a warning.

    Raises InputError if there are many of these, or if time runs back.
    """
    step = np.diff(time[rows])
    if (step < 0.0).any():
        row = int(rows[int(np.argmax(step < 0.0)) + 1]) + 1
        raise refusal("{name}: t: runs back at row {row} of the table", name=name, row=row)
    again = np.concatenate(([False], step == 0.0))
    count = int(again.sum())
    if count == 0:
        return rows
    first = int(rows[int(np.argmax(again))]) + 1
    if count > max(1.0, FEW * len(rows)) or len(rows) - count < FEWEST_ROWS:
        raise refusal(
            "{name}: t: does not increase in {count} of {rows} rows, the first of them row {first} of the table",
            name=name,
            count=count,
            rows=len(rows),
            first=first,
        )
    text = plural(
        "left out {count} row that repeats the time of the row before, row {first}",
        "left out {count} rows that repeat the time of the row before, the first of them row {first}",
        count,
    )
    warnings.append(text.format(count=count, first=first))
    return rows[~again]


def _leave_out_no_orientation(columns: dict[str, Array], kept: Rows, warnings: list[str]) -> None:
    """Remove the orientations of a recorder that knows none and writes the same one into each row."""
    if not {QUATERNION[0], RATES[0]} <= set(columns) or not any(columns[role][kept].any() for role in RATES):
        return
    if all(np.ptp(columns[role][kept]) == 0.0 for role in QUATERNION):
        for role in QUATERNION:
            del columns[role]
        warnings.append(tr("left out the orientations: they are the same in all rows"))


def _missing(columns: Mapping[str, Array], kept: Rows) -> Rows:
    """Return the indices into `kept` before which rows with nan or inf were left out.

    A row that was left out for its repeated time leaves no gap.
    """
    finite = np.logical_and.reduce([np.isfinite(column) for column in columns.values()])
    holes = np.concatenate(([0], np.cumsum(~finite)))
    return np.flatnonzero(np.diff(holes[kept]) > 0) + 1


def _sensible(acceleration: Array | None) -> Array | None:
    """Return the acceleration (N, 3); rows with nan or with a number beyond LARGEST_NUMBER become nan.

    None is returned if no row is left, or if all are zero, as from a recorder without an accelerometer.
    """
    if acceleration is None:
        return None
    largest = np.abs(acceleration).max(axis=1)  # nan where one of the three is nan
    sensible = np.asarray(largest <= LARGEST_NUMBER)
    if not sensible.any() or not largest[sensible].any():
        return None
    return np.where(sensible[:, None], acceleration, np.nan)


def evened(time: Array, warnings: list[str]) -> Array:
    """Return times (N,) from 0 on; if only rounding makes them uneven, they are made even, with a warning.

    Where steps were added up in 32 bits, each step is even but for rounding, but the times drift.
    """
    decimal = _last_decimal(time)
    resolution = _resolution(time, decimal)
    step, largest = _even_step(time, resolution)
    if largest > LOST_DIGITS * resolution:
        step = _step_added_up(time, decimal)
    if np.ptp(np.diff(time)) <= EVEN * step or not step > 0.0:
        return np.asarray(time - time[0])
    warnings.append(tr(EVENED).format(step=brief(step, 6)))
    return np.asarray(step * np.arange(len(time)))


def restored(time: Array, warnings: list[str]) -> Array:
    """Return evenly spaced times for times (N,) of which many repeat because digits were lost, and add a warning.

    If evenly spaced times do not fit, the times are returned as they are.
    """
    digit = 1.0 if (time == np.round(time)).all() else _resolution(time, _last_decimal(time))
    step, largest = _even_step(time, digit)
    if not step > 0.0 or largest > LOST_DIGITS * digit or (np.diff(time) < 0.0).any():
        return time
    warnings.append(tr(EVENED).format(step=brief(step, 6)))
    return np.asarray(time[0] + step * np.arange(len(time)))


def jumps(time: Array) -> NDArray[np.intp]:
    """Return the rows before which times (N,) jump.

    A jump is a step that is many times as long as the steps on both sides and as the median step.
    """
    steps = np.diff(time)
    if len(steps) < 3:
        return np.empty(0, np.intp)
    beside = np.maximum(np.concatenate((steps[1:2], steps[:-1])), np.concatenate((steps[1:], steps[-2:-1])))
    return np.flatnonzero((steps > JUMP * beside) & (steps > JUMP * np.median(steps))) + 1


def _even_step(time: Array, resolution: float) -> tuple[float, float]:
    """Return the step of the evenly spaced times nearest to times (N,), and by how much these are off at most.

    A shift of all times does not count. Of the steps that fit as well, as times are rounded to the `resolution`, it is
    the roundest.
    """
    number, time = np.arange(len(time)) - 0.5 * (len(time) - 1), time - time[0]
    step = float(number @ time / (number @ number))
    largest = 0.5 * float(np.ptp(time - step * number))
    reach = 2.0 * (LOST_DIGITS * resolution - largest) / len(time)
    return (_roundest(step - reach, step + reach) if 0.0 < reach < step else step), largest


def _step_added_up(time: Array, decimal: float) -> float:
    """Return the step that gives times (N,) if it is added up in 32 bits; nan if none does.

    A sum is rounded to the spacing of numbers of its size, so that the earliest times show the step best.
    """
    if not _of_32_bits(time, decimal):
        return float("nan")
    steps, off = np.diff(time), decimal + np.spacing(np.abs(time[1:]).astype(np.float32))
    low, high = float((steps - off).max()), float((steps + off).min())
    return _roundest(low, high) if 0.0 < low <= high else float("nan")


def _roundest(low: float, high: float) -> float:
    """Return the number from `low` to `high` that has the fewest digits, or of which so many a second are even."""
    middle = 0.5 * (low + high)
    for digits in range(16):
        for number in (float(f"{middle:.{digits}e}"), 1.0 / float(f"{1.0 / middle:.{digits}e}")):
            if low <= number <= high:
                return number
    return middle


def _resolution(time: Array, decimal: float) -> float:
    """Return by how much times may be off: the last `decimal`, and the spacing of 32-bit numbers if they were such.

    Where all times have the same number of significant digits, the last digit is that of the largest times.
    """
    decades = 10.0 ** np.floor(np.log10(np.maximum(np.abs(time), 1e-300)))
    significant = min(_last_decimal(time / decades), FEWEST_DIGITS) * float(decades.max())
    return max(decimal, significant) + (_spacing_of_32_bits(time) if _of_32_bits(time, decimal) else 0.0)


def _last_decimal(time: Array) -> float:
    """Return the last decimal place of the times.

    It is at least twice the spacing of 64-bit numbers, which is 256 ns for times since 1970 in ns.
    """
    finest = 2.0 * float(np.spacing(np.abs(time).max()))
    for decimal in (10.0**-digits for digits in range(13)):
        if decimal <= finest or (np.abs(time - np.round(time / decimal) * decimal) <= finest).all():
            return max(decimal, finest)
    return finest


def last_digit(values: Array | None) -> float:
    """Return the last digit that was written of the largest values, as others may have more; 0 without values."""
    if values is None:
        return 0.0
    decade = 10.0 ** float(np.floor(np.log10(max(np.quantile(np.abs(values), LARGEST), 1e-300))))
    return float(decade * _last_decimal(values[np.abs(values) >= decade] / decade))


def _spacing_of_32_bits(time: Array) -> float:
    return float(np.spacing(np.float32(np.abs(time).max())))


def _of_32_bits(time: Array, decimal: float) -> bool:
    """Tell whether times with this last decimal were 32-bit numbers, as far as the digits show that were written."""
    written = np.maximum(0.5 * decimal, DIGITS * np.abs(time))
    return decimal <= _spacing_of_32_bits(time) and bool((np.abs(time - time.astype(np.float32)) <= written).all())
