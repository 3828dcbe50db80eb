"""phyphox, as an archive, a folder or a single table, and every table whose columns carry their units.

The columns are found by their units, as phyphox writes their names in the phone's language; x, y and z by these
letters, else in their order.
"""

import csv
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from viewer.common.language import tr
from viewer.replay.conventions import TIME_UNITS, Conventions
from viewer.replay.files.column_names import columns_with, has_quaternion, tell_of_angles, unit_of
from viewer.replay.files.contents import Contents, Table, columns_of
from viewer.replay.files.lines import is_number
from viewer.replay.files.source import Member
from viewer.replay.files.times import at_times
from viewer.replay.raw_recording import ACCELERATION, RATES, Progress, RawRecording, part, raw_recording

Array = NDArray[np.float64]

WITH_SIZE = 4  # columns of a vector: x, y, z and its size
AXES = {"x": "x", "y": "y", "z": "z", "roll": "x", "pitch": "y", "yaw": "z"}
WITHOUT_GRAVITY = "lin"  # begins the names of an acceleration that is none of an accelerometer, in many languages
TIMES, DEVICE = "time.csv", "device.csv"


def recognises(contents: Contents) -> bool:
    """Whether a table has a time and three angular velocities by their units, and no orientations."""
    return _table(contents) is not None


def read(contents: Contents, progress: Progress) -> RawRecording:
    """The first such table, with the accelerometer of another one where there is one. Raises InputError."""
    found = _table(contents)
    assert found is not None
    table, names = found
    warnings: list[str] = []
    rates = _vector(names, columns_with(names, "rates"))
    roles = {"t": _clock(names, rates), **dict(zip(RATES, rates, strict=True))}
    felt = _accelerations(names)
    clock = unit_of(names[roles["t"]])[1]
    other = None if felt else _accelerometer(contents, table)
    if felt and _clock(names, felt) != roles["t"]:
        felt, other = [], found
    roles |= dict(zip(ACCELERATION, felt, strict=False))
    columns = columns_of(table, roles, progress if other is None else part(progress, 0.0, 0.5), warnings)
    unit = unit_of(names[felt[0]])[1] if felt else None
    if other is not None:
        unit = _add(columns, clock, other, part(progress, 0.5, 1.0), warnings)
    tell_of_angles(names, warnings)
    pauses, device = _pauses(contents), _device(contents)
    if pauses:
        text = tr("pauses in the recording: {count}; what the body did meanwhile is not known")
        warnings.append(text.format(count=len(pauses)))
    declared = Conventions(
        rate_frame="body",
        rate_unit=unit_of(names[roles["wx"]])[1],
        time_unit=clock,
        source=f"phyphox, {device}" if device else "",
        acceleration_unit=unit,
    )
    return raw_recording(contents.name, columns, declared, warnings, pauses)


def _table(contents: Contents) -> tuple[Table, list[str]] | None:
    """The first table of a gyroscope."""
    for table, names in contents.named:
        rates = len(columns_with(names, "rates"))
        if columns_with(names, "time") and len(RATES) <= rates <= WITH_SIZE and not has_quaternion(names):
            return table, names
    return None


def _accelerations(names: Sequence[str]) -> list[int]:
    """The columns of an accelerometer, none where there is none."""
    found = [
        index
        for index in columns_with(names, "acceleration")
        if not names[index].strip().lower().startswith(WITHOUT_GRAVITY)
    ]
    return _vector(names, found) if len(RATES) <= len(found) <= WITH_SIZE else []


def _vector(names: Sequence[str], columns: list[int]) -> list[int]:
    """The columns of x, y and z among those of one unit."""
    of_axis: dict[str, list[int]] = {axis: [] for axis in "xyz"}
    for index in columns:
        for word in set(re.findall(r"[a-z]+", names[index].lower().partition("(")[0].partition("[")[0])) & AXES.keys():
            of_axis[AXES[word]].append(index)
    found = [index for axis in "xyz" for index in of_axis[axis]]
    return found if all(len(own) == 1 for own in of_axis.values()) and len(set(found)) == 3 else columns[:3]


def _clock(names: Sequence[str], vector: list[int]) -> int:
    """The column of the times of a vector: the first one of the last times before it, else of all."""
    times = columns_with(names, "time")
    found = max((index for index in times if index < min(vector)), default=times[0])
    while found - 1 in times:
        found -= 1
    return found


def _accelerometer(contents: Contents, apart: Table) -> tuple[Table, list[str]] | None:
    """The first other table of an accelerometer."""
    for table, names in contents.named:
        if table is not apart and columns_with(names, "time") and _accelerations(names):
            return table, names
    return None


def _add(
    columns: dict[str, Array], unit: str, other: tuple[Table, list[str]], progress: Progress, warnings: list[str]
) -> str:
    """Adds another table's accelerometer at the times of these columns, which are in this unit; returns that of its
    values."""
    table, names = other
    felt = _accelerations(names)
    time = _clock(names, felt)
    own = columns_of(table, {"t": time, **dict(zip(ACCELERATION, felt, strict=True))}, progress, warnings)
    moments = own.pop("t") * (TIME_UNITS[unit_of(names[time])[1]] / TIME_UNITS[unit])
    columns |= at_times(columns["t"], moments, own, warnings)
    return unit_of(names[felt[0]])[1]


def _rows(member: Member | None) -> list[list[str]]:
    """The cells of a small table of words."""
    if member is None:
        return []
    lines = [line for line in member.text_start.split("\n")[:200] if line.count('"') % 2 == 0]
    delimiter = next((mark for mark in ";\t," if lines and mark in lines[0]), ",")
    return [row for row in csv.reader(lines, delimiter=delimiter) if len(row) >= 2]


def _pauses(contents: Contents) -> list[float]:
    """The times at which the recording went on after a pause, on its own clock, which stood still meanwhile."""
    rows = [row for row in _rows(contents.member(TIMES)) if is_number(row[1].replace(",", "."))]
    starts = [float(row[1].replace(",", ".")) for row in rows if row[0].strip().upper() == "START"]
    return [time for time in starts[1:] if np.isfinite(time)]


def _device(contents: Contents) -> str:
    """What the phone is called."""
    told = {row[0].strip().lower(): row[1].strip() for row in _rows(contents.member(DEVICE))}
    name = told.get("devicemodel") or told.get("model") or ""
    return "".join(letter if letter.isprintable() else "?" for letter in name)[:80]
