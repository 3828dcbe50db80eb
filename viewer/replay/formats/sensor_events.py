"""Tables of a row for each event of any sensor, as apps on Android write them: time, sensor, x, y, z. Every sensor has
times of its own."""

import re
from dataclasses import replace
from functools import lru_cache

from viewer.common.errors import refusal
from viewer.replay.conventions import Conventions
from viewer.replay.files.column_names import normalised, time_column
from viewer.replay.files.contents import Table
from viewer.replay.files.lines import cells_of, is_number
from viewer.replay.files.text_table import TextTable
from viewer.replay.files.times import at_times
from viewer.replay.formats.columns import NOTHING_DECLARED, ColumnFormat, Columns, Found
from viewer.replay.raw_recording import ACCELERATION, RATES

_SENSOR = re.compile(r"(sensor|event)(_?(type|name|id))?|type|name")
_VALUE = re.compile(r"((sensor_?)?(v|val|value|values|data)_?)?(?P<part>[xyz0-3])")
AXES = ("xyz", "012", "123")
GYROSCOPES, ACCELEROMETERS = (4.0, 16.0), (1.0, 35.0)  # Android's numbers: the calibrated sensor before the other one
OTHER = -1.0


def _find(table: Table) -> Found | None:
    """Find the columns by their names and those of sensors in one of them; a table without names has its sensors' names
    before three numbers."""
    if not isinstance(table, TextTable):
        return None
    rows = [cells_of(line, table.delimiter) for line in table.member.text_start.split("\n")[table.skipped - 1 :]]
    roles, unit = _by_names(table.names or [])
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
        own |= at_times(own["t"], columns["t"][felt], values, warnings)
    return own


def _by_names(names: list[str]) -> tuple[dict[str, int], str | None]:
    """(the columns by their roles, none where they are not all there; the unit of time)."""
    plain = [normalised(name) for name in names]
    time, unit = time_column(names)
    sensor = next((index for index, name in enumerate(plain) if _SENSOR.fullmatch(name)), None)
    parts = {found["part"]: index for index, name in enumerate(plain) if (found := _VALUE.fullmatch(name))}
    values = next(([parts[axis] for axis in axes] for axes in AXES if set(axes) <= set(parts)), None)
    if time is None or sensor is None or values is None:
        return {}, None
    return {"t": time, "sensor": sensor} | dict(zip(RATES, values, strict=True)), unit


def _by_first_row(cells: list[str]) -> dict[str, int]:
    """The columns by their roles, if the first row is of such a table without names."""
    words = [index for index, cell in enumerate(cells) if not is_number(cell) and sensor_of(cell) != OTHER]
    if len(words) != 1 or not 1 <= words[0] < len(cells) - 3:
        return {}
    sensor = words[0]
    if not all(map(is_number, (cells[0], *cells[sensor + 1 : sensor + 4]))):
        return {}
    return {"t": 0, "sensor": sensor} | {role: sensor + place for place, role in enumerate(RATES, 1)}


@lru_cache(1000)
def sensor_of(cell: str) -> float:
    """The number on Android of the sensor in a cell, by its name or by that number; OTHER for all but these few."""
    word = "".join(letter for letter in cell.lower()[:80] if letter.isalnum())
    if word.isdecimal():
        return float(word) if float(word) in (*GYROSCOPES, *ACCELEROMETERS) else OTHER
    raw = "uncal" in word
    if "gyr" in word or "rotationrate" in word or "angularvel" in word:
        return GYROSCOPES[raw]
    if "acc" in word and not any(other in word for other in ("lin", "user", "grav")):
        return ACCELEROMETERS[raw]
    return OTHER


SENSOR_EVENTS = ColumnFormat(_find, NOTHING_DECLARED, _of_gyroscope)
