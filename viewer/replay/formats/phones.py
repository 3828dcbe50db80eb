"""The recordings of apps that log a phone's sensors, each sensor at times of its own.

phyphox writes an archive, a folder or a table. Its columns are found by their units, as their names are in the phone's
language; x, y and z are found by these letters, or else by their order. Every other table whose columns carry their
units is read in the same way. Sensor Logger writes a table for each sensor, in an archive, a folder or alone. Other
apps on Android write one table with a row for each event of any sensor: time, sensor, x, y, z.
"""

import csv
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from viewer.common.errors import refusal
from viewer.common.language import tr
from viewer.replay.conventions import NOTHING_DECLARED, TIME_UNITS, WORLD_FROM_BODY, Conventions
from viewer.replay.files.column_names import (
    angles_beside_rates,
    columns_with,
    has_quaternion,
    normalised,
    time_column,
    unit_of,
)
from viewer.replay.files.contents import Contents, Table, columns_of
from viewer.replay.files.source import Member
from viewer.replay.files.text_table import TextTable, cells_of, is_number
from viewer.replay.formats.columns import ColumnFormat, Columns, FileFormat, Found
from viewer.replay.formats.orientations import orientations_beside_rates
from viewer.replay.raw_recording import ACCELERATION, RATES, Array, Progress, RawRecording, part, raw_recording

NamedTable = tuple[Table, list[str]]  # a table, and the names of its columns

WITH_SIZE = 4  # columns of a vector: x, y, z and its size
AXES = {"x": "x", "y": "y", "z": "z", "roll": "x", "pitch": "y", "yaw": "z"}
WITHOUT_GRAVITY = "lin"  # begins the name of an acceleration without gravity, "linear", in many languages
TIMES, DEVICE = "time.csv", "device.csv"


def _gyroscope_table(contents: Contents) -> NamedTable | None:
    """Return the first table whose units show times and three angular velocities; None if there is none.

    A table with quaternions is left to other formats.
    """
    for table, names in contents.named:
        rates = len(columns_with(names, "rates"))
        if columns_with(names, "time") and len(RATES) <= rates <= WITH_SIZE and not has_quaternion(names):
            return table, names
    return None


def _read_phyphox(contents: Contents, found: NamedTable, progress: Progress) -> RawRecording:
    """Return the gyroscope's recording, with the accelerometer of the same table or else of another one."""
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
    roles |= angles_beside_rates(names)
    columns = columns_of(table, roles, progress if other is None else part(progress, 0.0, 0.5), warnings)
    columns = orientations_beside_rates(columns, names, warnings)
    unit = unit_of(names[felt[0]])[1] if felt else None
    if other is not None:
        unit = _add(columns, clock, other, part(progress, 0.5, 1.0), warnings)
    pauses, device = _pauses(contents), _device(contents)
    if pauses:
        text = tr("pauses in the recording: {count}; what the body did meanwhile is not known")
        warnings.append(text.format(count=len(pauses)))
    declared = Conventions(
        order="wxyz",
        direction=WORLD_FROM_BODY,
        rate_frame="body",
        rate_unit=unit_of(names[roles["wx"]])[1],
        time_unit=clock,
        source=f"phyphox, {device}" if device else "",
        acceleration_unit=unit,
    )
    return raw_recording(contents.name, columns, declared, warnings, pauses)


def _accelerations(names: Sequence[str]) -> list[int]:
    """Return the columns of an accelerometer, or an empty list if there is none."""
    found = [
        index
        for index in columns_with(names, "acceleration")
        if not names[index].strip().lower().startswith(WITHOUT_GRAVITY)
    ]
    return _vector(names, found) if len(RATES) <= len(found) <= WITH_SIZE else []


def _vector(names: Sequence[str], columns: list[int]) -> list[int]:
    """Return the columns of x, y and z, by these letters in their names, or else the first three of `columns`."""
    of_axis: dict[str, list[int]] = {axis: [] for axis in "xyz"}
    for index in columns:
        for word in set(re.findall(r"[a-z]+", names[index].lower().partition("(")[0].partition("[")[0])) & AXES.keys():
            of_axis[AXES[word]].append(index)
    found = [index for axis in "xyz" for index in of_axis[axis]]
    return found if all(len(own) == 1 for own in of_axis.values()) and len(set(found)) == 3 else columns[:3]


def _clock(names: Sequence[str], vector: list[int]) -> int:
    """Return the column of the times that belong to a vector.

    The last columns of times before the vector are taken, and of several that are adjacent the first. If none is before
    the vector, it is the first column of times.
    """
    times = columns_with(names, "time")
    found = max((index for index in times if index < min(vector)), default=times[0])
    while found - 1 in times:
        found -= 1
    return found


def _accelerometer(contents: Contents, gyroscope: Table) -> NamedTable | None:
    """Return the first table with an accelerometer, apart from the gyroscope's table; None if there is none."""
    for table, names in contents.named:
        if table is not gyroscope and columns_with(names, "time") and _accelerations(names):
            return table, names
    return None


def _add(columns: Columns, unit: str, other: NamedTable, progress: Progress, warnings: list[str]) -> str:
    """Add the accelerometer of another table to `columns`, at their times, which are in `unit`.

    Return the accelerometer's own unit.
    """
    table, names = other
    felt = _accelerations(names)
    time = _clock(names, felt)
    own = columns_of(table, {"t": time, **dict(zip(ACCELERATION, felt, strict=True))}, progress, warnings)
    moments = own.pop("t") * (TIME_UNITS[unit_of(names[time])[1]] / TIME_UNITS[unit])
    columns |= _at_times(columns["t"], moments, own, warnings)
    return unit_of(names[felt[0]])[1]


def _rows(member: Member | None) -> list[list[str]]:
    """Return the cells of a small table of words."""
    if member is None:
        return []
    lines = [line for line in member.text_start.split("\n")[:200] if line.count('"') % 2 == 0]
    delimiter = next((mark for mark in ";\t," if lines and mark in lines[0]), ",")
    return [row for row in csv.reader(lines, delimiter=delimiter) if len(row) >= 2]


def _pauses(contents: Contents) -> list[float]:
    """Return the times at which the recording went on after a pause, on its own clock, which stops during pauses."""
    rows = [row for row in _rows(contents.member(TIMES)) if is_number(row[1].replace(",", "."))]
    starts = [float(row[1].replace(",", ".")) for row in rows if row[0].strip().upper() == "START"]
    return [time for time in starts[1:] if np.isfinite(time)]


def _device(contents: Contents) -> str:
    """Return the phone's name, which may be empty."""
    properties = {row[0].strip().lower(): row[1].strip() for row in _rows(contents.member(DEVICE))}
    name = properties.get("devicemodel") or properties.get("model") or ""
    return "".join(letter if letter.isprintable() else "?" for letter in name)[:80]


PHYPHOX = FileFormat(_gyroscope_table, _read_phyphox)

COLUMNS = {"seconds_elapsed", "x", "y", "z"}
GYROSCOPE, WITH_GRAVITY = ("gyroscope", "gyroscopeuncalibrated"), ("totalacceleration", "accelerometeruncalibrated")
PARTS = ("accelerometer", "gravity")  # whose sum an accelerometer shows
OTHERS = (*WITH_GRAVITY, *PARTS, "magnetometer", "magnetometeruncalibrated")


def _sensor_tables(contents: Contents) -> dict[str, Table] | None:
    """Return the tables of three axes by the names of their sensors, or None if there are none.

    In an archive or a folder, one of them has to be a gyroscope's.
    """
    found: dict[str, Table] = {}
    for table in contents.text_tables:
        if table.names is not None and {name.lower() for name in table.names} >= COLUMNS and len(table.names) <= 5:
            base = table.member.base.lower().removesuffix(".csv")
            found.setdefault("".join(letter for letter in base if letter.isalpha()), table)
    alone = bool(found) and contents.source.only is not None
    return found if alone or any(name in found for name in GYROSCOPE) else None


def _read_sensor_logger(contents: Contents, sensors: dict[str, Table], progress: Progress) -> RawRecording:
    """Return the recording in the gyroscope's table, with the accelerometer's at its times. Raises InputError."""
    warnings: list[str] = []
    name = next((name for name in GYROSCOPE if name in sensors), None)
    if name is None:
        name = next(iter(sensors))
        if name in OTHERS:
            raise refusal(
                "{name}: is the table of another sensor; allowed is that of the gyroscope", name=contents.name
            )
        warnings.append(tr("the table does not say of which sensor it is: taken as the gyroscope's"))
    felt = next(([name] for name in WITH_GRAVITY if name in sensors), list(PARTS))
    felt = felt if all(name in sensors for name in felt) else []
    ends = [place / (1 + len(felt)) for place in range(2 + len(felt))]  # of the work: one table after another
    columns = _three_axes(sensors[name], RATES, part(progress, *ends[:2]), warnings)
    sums: list[Columns] = []
    for place, each in enumerate(felt, 1):
        own = _three_axes(sensors[each], ACCELERATION, part(progress, *ends[place : place + 2]), warnings)
        sums.append(_at_times(columns["t"], own.pop("t"), own, warnings))
    if sums and all(sums):
        columns |= {role: np.sum([one[role] for one in sums], axis=0) for role in ACCELERATION}
    unit = None if felt == ["accelerometeruncalibrated"] else "m/s2"
    declared = Conventions(
        rate_frame="body", rate_unit="rad/s", time_unit="s", source="Sensor Logger", acceleration_unit=unit
    )
    return raw_recording(contents.name, columns, declared, warnings)


def _three_axes(table: Table, roles: tuple[str, ...], progress: Progress, warnings: list[str]) -> Columns:
    """Return the times and the vectors of a sensor's table."""
    names = [name.lower() for name in table.names or ()]
    wanted = {"t": names.index("seconds_elapsed")} | {role: names.index(role[1]) for role in roles}
    return columns_of(table, wanted, progress, warnings)


SENSOR_LOGGER = FileFormat(_sensor_tables, _read_sensor_logger)

_SENSOR = re.compile(r"(sensor|event)(_?(type|name|id))?|type|name")
_VALUE = re.compile(r"((sensor_?)?(v|val|value|values|data)_?)?(?P<part>[xyz0-3])")
ORDERS = ("xyz", "012", "123")
GYROSCOPES, ACCELEROMETERS = (4.0, 16.0), (1.0, 35.0)  # Android's numbers: the calibrated sensor before the other one
OTHER = -1.0


def _find_events(table: Table) -> Found | None:
    """Find the columns by their names; one of them has to hold the names of sensors.

    In a table without names, the first row is examined: the name of a sensor stands before three numbers.
    """
    if not isinstance(table, TextTable):
        return None
    rows = [cells_of(line, table.delimiter) for line in table.member.text_start.split("\n")[table.skipped - 1 :]]
    roles, unit = _event_columns(table.names or [])
    if not roles:
        roles, table = _by_first_row(table.names or []), replace(table, names=None, skipped=table.skipped - 1)
    words = [row[roles["sensor"]] for row in rows if len(row) == table.columns] if roles else []
    if all(sensor_of(word) == OTHER for word in words):
        return None
    android = any(word.isdecimal() or word.lower().startswith("android.") for word in words)
    units = ("rad/s", "m/s2") if android else (None, None)
    declared = Conventions(None, None, "body", units[0], unit, acceleration_unit=units[1])
    return Found(roles, declared, table=replace(table, codes={roles["sensor"]: sensor_of}))


def _of_gyroscope(columns: Columns, table: Table, warnings: list[str]) -> Columns:
    """Return the gyroscope's rows, with the accelerometer at their times. Raises InputError."""
    sensor = columns.pop("sensor")
    rates = next((sensor == number for number in GYROSCOPES if (sensor == number).any()), None)
    if rates is None:
        raise refusal("{where}: no row is of a gyroscope", where=table.line)
    own = {role: column[rates] for role, column in columns.items()}
    felt = next((sensor == number for number in ACCELEROMETERS if (sensor == number).any()), None)
    if felt is not None:
        values = dict(zip(ACCELERATION, (columns[role][felt] for role in RATES), strict=True))
        own |= _at_times(own["t"], columns["t"][felt], values, warnings)
    return own


def _event_columns(names: list[str]) -> tuple[dict[str, int], str | None]:
    """Return the columns by their roles, empty if they are not all there, and the unit of time."""
    plain = [normalised(name) for name in names]
    time, unit = time_column(names)
    sensor = next((index for index, name in enumerate(plain) if _SENSOR.fullmatch(name)), None)
    parts = {found["part"]: index for index, name in enumerate(plain) if (found := _VALUE.fullmatch(name))}
    values = next(([parts[axis] for axis in axes] for axes in ORDERS if set(axes) <= set(parts)), None)
    if time is None or sensor is None or values is None:
        return {}, None
    return {"t": time, "sensor": sensor} | dict(zip(RATES, values, strict=True)), unit


def _by_first_row(cells: list[str]) -> dict[str, int]:
    """Return the columns by their roles, or none if the first row of a table without names is not a sensor's."""
    words = [index for index, cell in enumerate(cells) if not is_number(cell) and sensor_of(cell) != OTHER]
    if len(words) != 1 or not 1 <= words[0] < len(cells) - 3:
        return {}
    sensor = words[0]
    if not all(map(is_number, (cells[0], *cells[sensor + 1 : sensor + 4]))):
        return {}
    return {"t": 0, "sensor": sensor} | {role: sensor + place for place, role in enumerate(RATES, 1)}


@lru_cache(1000)
def sensor_of(cell: str) -> float:
    """Return Android's number of the sensor whose name or number is in a cell; OTHER for a sensor not used here."""
    word = "".join(letter for letter in cell.lower()[:80] if letter.isalnum())
    if word.isdecimal():
        return float(word) if float(word) in (*GYROSCOPES, *ACCELEROMETERS) else OTHER
    raw = "uncal" in word
    if "gyr" in word or "rotationrate" in word or "angularvel" in word:
        return GYROSCOPES[raw]
    if "acc" in word and not any(other in word for other in ("lin", "user", "grav")):
        return ACCELEROMETERS[raw]
    return OTHER


SENSOR_EVENTS = ColumnFormat(_find_events, NOTHING_DECLARED, _of_gyroscope)


def _at_times(time: Array, own: Array, columns: Columns, warnings: list[str]) -> Columns:
    """Return columns that were measured at the times `own` (M,), interpolated at the times `time` (N,).

    Where a time is more than a usual step before or after all of `own`, they are nan. If the times `own` run back, or
    are fewer than two, no columns are returned, with a warning.
    """
    usable = np.logical_and.reduce([np.isfinite(own), *(np.isfinite(column) for column in columns.values())])
    own = own[usable]
    if len(own) < 2 or (np.diff(own) < 0.0).any():
        warnings.append(tr("left out the accelerometer: its times run back, or it has fewer than two rows"))
        return {}
    step = float(np.median(np.diff(own)))
    outside = (time < own[0] - step) | (time > own[-1] + step)
    return {role: np.where(outside, np.nan, np.interp(time, own, column[usable])) for role, column in columns.items()}
