"""The columns of a table as the user declares them: "t=elapsed,wx=Rate about roll [deg/s],wy=3,wz=-4".

Units that the names do not give stand in brackets, as in "t[ms]=elapsed,wx[deg/s]=2,wy=3,wz=-4", and so does the
sequence of angles, as in "t=1,roll[deg zyx]=2,pitch=3,yaw=4", the frame of rates, as in "wx[deg/s world]=2", and the
direction of quaternions, as in "qw[body from world]=2". A table without times has the step between its rows in their
place, as in "step=0.02,wx=1,wy=2,wz=3". A preview of a table has its first rows and a guess of its columns, to ask the
user what they are.
"""

import hashlib
import os
import re
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from viewer.common.errors import InputError, allowed_names, refusal, shown
from viewer.common.language import tr
from viewer.replay.conventions import (
    ACCELERATION_UNITS,
    DIRECTIONS,
    FRAMES,
    ORDERS,
    PLACES,
    RATE_UNITS,
    TIME_UNITS,
    WORLD_FROM_BODY,
    Conventions,
    declared_in,
)
from viewer.replay.files.column_names import (
    angle_columns,
    angle_unit,
    columns_with,
    guessed_roles,
    normalised,
    unit_of,
    unknown_columns,
)
from viewer.replay.files.contents import Contents, Table, columns_of, stepped_times
from viewer.replay.files.source import open_source
from viewer.replay.formats.nameless import roles_by_numbers
from viewer.replay.formats.orientations import SEQUENCES, quaternions_of_roll_pitch_yaw
from viewer.replay.raw_recording import (
    ACCELERATION,
    ANGLES,
    QUATERNION,
    RATES,
    TIME,
    Array,
    Progress,
    RawRecording,
    no_progress,
    raw_recording,
)
from viewer.scenario.field import Number

MAPPED = "mapped"
MOTION = QUATERNION + ANGLES + RATES  # one of these groups has to be there
ROLES = TIME + MOTION + ACCELERATION
LONGEST = 4000  # characters of a mapping
SEQUENCE, FRAME = "sequence", "frame"
STEP = Number("Step", "", unit="s", low=1e-12, high=1e9)
UNITS = {"t": tuple(TIME_UNITS), "wx": tuple(RATE_UNITS), "ax": tuple(ACCELERATION_UNITS), "roll": ("deg", "rad"),
         "qw": DIRECTIONS, SEQUENCE: SEQUENCES, FRAME: FRAMES}  # fmt: skip
"""What may stand in brackets after the first column of a group, and holds for the group."""
DECLARED = {"t": "time_unit", "wx": "rate_unit", "ax": "acceleration_unit", "qw": "direction", FRAME: "rate_frame"}
"""The conventions that these declare."""
BESIDE = {ANGLES[0]: SEQUENCE, RATES[0]: FRAME}  # what stands there, too, beside the unit
PREVIEWED = 5000  # rows of a table that are looked at
POINTS = 200  # of a curve in a preview, at most
MOST_COLUMNS = 300  # that a preview shows
QUANTITIES = {"time": TIME, "rates": RATES, "acceleration": ACCELERATION}
_NEXT = re.compile(rf",(?=\s*(?:step|{'|'.join(ROLES)})\s*(?:\[[^\]]*\]\s*)?=)")  # a name may have commas of its own
_ROLE = re.compile(r"(?P<role>\w+)\s*\[(?P<unit>[^\]]*)\]")


@dataclass(frozen=True)
class ColumnMapping:
    """The columns of a table by their roles.

    A column is given by its name, or by its number from 1 on, with a minus before it if its sign is to be reversed.
    `units` are those that were given; they take precedence over what the table declares. `step` is the time [s] between
    the rows of a table without times, or None.
    """

    columns: tuple[tuple[str, str], ...]
    units: tuple[tuple[str, str], ...] = ()
    step: float | None = None

    def __str__(self) -> str:
        """Return the text that `parse_mapping` reads."""
        return ",".join(self.parts)

    @property
    def parts(self) -> tuple[str, ...]:
        """The text of each column, such as "wx[deg/s]=2" for the role "wx"."""
        units = dict(self.units)
        for role, more in BESIDE.items():
            if more in units:
                units[role] = f"{units.get(role, '')} {units[more]}".lstrip()
        shown = {role: f"{role}[{units[role]}]" if role in units else role for role, _ in self.columns}
        step = () if self.step is None else (f"step={self.step!r}",)
        return *step, *(f"{shown[role]}={column}" for role, column in self.columns)

    @property
    def conventions(self) -> Conventions:
        """The conventions that its units declare."""
        declared: dict[str, Any] = {DECLARED[role]: unit for role, unit in self.units if role in DECLARED}
        return Conventions(**declared)

    @property
    def only_times(self) -> bool:
        """Whether no other column than that of the times is given."""
        return [role for role, _ in self.columns] == list(TIME)

    def declaring(self, wanted: Conventions, step: float | None) -> "ColumnMapping":
        """Return the mapping with the units, the direction and the frame of some conventions, and with a step."""
        units = {role: getattr(wanted, name) for role, name in DECLARED.items() if getattr(wanted, name) is not None}
        return replace(self, units=tuple((dict(self.units) | units).items()), step=step or self.step)

    def indices(self, names: Sequence[str] | None, count: int, where: str) -> dict[str, tuple[int, float]]:
        """Return the index and the sign of each column by its role, in a table with these names or this many columns.

        If the times alone are given, the others are those that the names tell. Raises InputError.
        """
        found = {role: _found(role, column, names, count, where) for role, column in self.columns}
        if self.only_times and names:
            by_name = {role: (index, 1.0) for index, role in enumerate(_roles(list(names))) if role}
            found = {role: place for role, place in by_name.items() if place[0] != found[TIME[0]][0]} | found
        return found


def parse_mapping(text: str) -> ColumnMapping:
    """Return the mapping in a text. Raises InputError."""
    if len(text) > LONGEST:
        raise refusal("columns: {given} is too long; at most {most} characters", given=shown(text), most=LONGEST)
    found: dict[str, str] = {}
    units: dict[str, str] = {}
    step: float | None = None
    for part in _NEXT.split(text):
        role, equals, column = (piece.strip() for piece in part.partition("="))
        if role == "step" and step is None:
            number = STEP.of_words(column)
            step = STEP.check("columns: step", column if number is None else number)
            continue
        if bracketed := _ROLE.fullmatch(role):
            role = bracketed["role"]
            words = bracketed["unit"].split() if role in BESIDE else [" ".join(bracketed["unit"].split())]
            for word in words or [""]:
                more = BESIDE.get(role, "")
                kind = more if word in UNITS.get(more, ()) else role
                units[kind] = f"{units[kind]} {word}" if kind in units else word
        if not equals or not column.lstrip("-").strip() or role not in ROLES or role in found:
            raise refusal(
                "columns: {given} is not such as t=elapsed or wx=3; {allowed}, each once",
                given=shown(part.strip()),
                allowed=allowed_names(role, ROLES),
            )
        found[role] = column
    return mapping_of(found, units, step)


def mapping_of(
    columns: dict[str, str], units: Mapping[str, str] | None = None, step: float | None = None
) -> ColumnMapping:
    """Return the mapping of columns, by their roles, with these units. Raises InputError if they make up no motion.

    The times alone will do for a table whose names tell the others. They may be missing: then `step` is the time [s]
    between the rows, or has to be given with the table.
    """
    if step is not None and TIME[0] in columns:
        raise refusal("columns: both t and step given; only one of them can be used")
    for role, unit in (units or {}).items():
        if unit not in UNITS.get(role, ()):
            allowed = UNITS.get(role, ()) + UNITS.get(BESIDE.get(role, ""), ())
            raise refusal(
                "columns: {role}: {unit} is unknown; {allowed}",
                role=role,
                unit=shown(unit),
                allowed=allowed_names(unit, allowed)
                if role in UNITS
                else tr("units stand after {roles}").format(roles=", ".join(role for role in UNITS if role in ROLES)),
            )
    if set(columns) != set(TIME):
        _check_motion(columns)
    if QUATERNION[0] in columns and ANGLES[0] in columns:
        raise refusal("columns: both qw, qx, qy, qz and roll, pitch, yaw given; only one of them can be used")
    of = {more: role for role, more in BESIDE.items()}
    used = tuple((role, unit) for role, unit in (units or {}).items() if of.get(role, role) in columns)
    return ColumnMapping(tuple((role, columns[role]) for role in ROLES if role in columns), used, step)


def _check_motion(given: Container[str]) -> None:
    """Raise InputError if roles, times aside, make up no motion."""
    if missing := [role for role in missing_roles(given) if role not in TIME]:
        raise refusal("columns: {missing} not given", missing=", ".join(missing))
    if not any(role in given for role in MOTION):
        raise refusal(
            "columns: neither qw, qx, qy, qz nor roll, pitch, yaw nor wx, wy, wz given; at least one of them is needed"
        )


def missing_roles(given: Container[str]) -> list[str]:
    """Return the roles that are missing: the time, and the rest of each group of which a role is given."""
    groups = [group for group in (QUATERNION, ANGLES, RATES, ACCELERATION) if any(role in given for role in group)]
    return [role for group in (TIME, *groups) for role in group if role not in given]


def shape_of(table: Table) -> str:
    """Return a short hash of a table's column names, or of their number if it names none."""
    names = table.names if table.names is not None else [str(table.columns)]
    text = "\n".join(normalised(name) or name.strip() for name in names)
    return hashlib.sha256(text.encode("utf-8", errors="replace")).hexdigest()[:16]


def fits(mapping: ColumnMapping, table: Table) -> bool:
    """Tell whether a table has the columns of a mapping."""
    try:
        mapping.indices(table.names, table.columns, table.line)
    except InputError:
        return False
    return True


def read_mapped(contents: Contents, mapping: ColumnMapping, progress: Progress, remembered: bool) -> RawRecording:
    """Return the recording in the first table that has the columns of the mapping.

    `remembered` says that the user gave the mapping before. Raises InputError about the first table if no table has the
    columns.
    """
    error: InputError | None = None
    for table in contents.tables:
        try:
            found = mapping.indices(table.names, table.columns, table.line)
        except InputError as why:
            error = error or (unknown_columns(why, table.names) if table.names else why)
            continue
        warnings = [tr("columns as given before for such a table: {columns}").format(columns=mapping)]
        warnings = warnings if remembered else []
        roles = {role: index for role, (index, _) in found.items()}
        _check_motion(roles)
        columns = columns_of(table, roles, progress, warnings)
        columns = {role: found[role][1] * column for role, column in columns.items()}
        if stepped := TIME[0] not in roles:
            columns[TIME[0]] = stepped_times(mapping.step or contents.step, table, columns)
        if ANGLES[0] in columns:
            names = [] if table.names is None else [table.names[roles[role]] for role in ANGLES]
            units = dict(mapping.units)
            unit, sequence = units.get(ANGLES[0]) or angle_unit(names), units.get(SEQUENCE, SEQUENCES[0])
            columns |= quaternions_of_roll_pitch_yaw(columns, unit, sequence, warnings)
            columns = {role: column for role, column in columns.items() if role not in ANGLES}
        own = declared_in(table.comments, table.where).filled_from(_declared(table, roles))
        if mapping.only_times and table.names:
            own = replace(own, order=None).filled_from(guessed_roles(table.names)[1])
        declared = mapping.conventions.filled_from(own)
        declared = replace(declared, time_unit="s") if stepped else declared
        return replace(raw_recording(contents.name, columns, declared, warnings), shape=shape_of(table))
    raise error or refusal("{name}: contains no table of numbers", name=contents.name)


def _declared(table: Table, roles: dict[str, int]) -> Conventions:
    """Return the conventions that the names and the roles of the columns declare."""
    units = {role: unit_of(table.names[index]) for role, index in roles.items()} if table.names else {}
    wanted = {"t": "time", "wx": "rates", "ax": "acceleration"}
    found = {role: unit if quantity == wanted.get(role) else None for role, (quantity, unit) in units.items()}
    return Conventions(
        order="wxyz",
        direction=WORLD_FROM_BODY if ANGLES[0] in roles else None,
        time_unit=found.get("t"),
        rate_unit=found.get("wx"),
        rate_frame="body" if "ax" in roles else None,  # an accelerometer's rates are those of a gyroscope beside it
        acceleration_unit=found.get("ax"),
    )


def _found(role: str, column: str, names: Sequence[str] | None, count: int, where: str) -> tuple[int, float]:
    """Return the index of a column and its sign; `column` is its name, or else its number."""
    plain = [name.strip() for name in names or ()]
    for text, sign in ((column, 1.0), (column.removeprefix("-").strip(), -1.0)):
        if plain.count(text) == 1:
            return plain.index(text), sign
        if text.isdecimal() and len(text) < 6 and 1 <= int(text) <= count:
            return int(text) - 1, sign
    raise refusal(
        "{where}: {role}: column {column} not found; allowed are a name, or a number from 1 to {count}",
        where=where,
        role=role,
        column=shown(column),
        count=count,
    )


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a previewed table.

    `text` is its name in a mapping, `name` that in the table, or empty. `first` has its first numbers. `curve` has
    evenly spread numbers from the first PREVIEWED rows, nan for missing ones. Both are empty if the column holds
    anything other than numbers. `role` and `unit` are as the column's name tells, or empty.
    """

    text: str
    name: str
    first: tuple[float, ...]
    curve: Array
    role: str
    unit: str


def preview(
    path: str | os.PathLike[str], names: Sequence[str] | None, order: str | None = None
) -> tuple[list[Column], str]:
    """Return the columns of a table in a file, an archive or a folder, and the table's shape.

    It is the table with these column names. If `names` is empty, it is the first table without names; if `names` is
    None, it is the first table. `order` is that in which its quaternions were read, whatever their names. Raises
    InputError.
    """
    with open_source(path) as source:
        contents = Contents(source)
        wanted = None if names is None else list(names) or None
        table = next((table for table in contents.tables if names is None or table.names == wanted), None)
        if table is None:
            raise refusal("{name}: contains no table of numbers", name=contents.name)
        count = min(table.columns, MOST_COLUMNS)
        texts = [_column_text(index, table.names) for index in range(count)]
        own = table.names or [""] * count
        read = {QUATERNION[at]: part for at, part in zip(PLACES[order or ORDERS[0]], QUATERNION, strict=True)}
        roles = [read.get(role, role) for role in _roles(table.names)] if table.names else [""] * count
        if not set(MOTION) & set(roles):
            with suppress(InputError):  # neither names nor numbers tell
                told = roles_by_numbers(table, None)[:count]
                roles = told if set(QUATERNION) <= set(told) else roles  # three numbers may be rates, angles or others
        units = _units(own, roles)
        columns = [
            Column(text, name.strip(), tuple(numbers[:4].tolist()), _thinned(numbers), role, unit)
            for text, name, numbers, role, unit in zip(
                texts, own, _first_numbers(table, range(count)), roles, units, strict=False
            )
        ]
        return columns, shape_of(table)


def _column_text(index: int, names: Sequence[str] | None) -> str:
    """Return what a mapping calls a column: its name if that is unambiguous, or else its number."""
    plain = [name.strip() for name in names or ()]
    number = str(index + 1)
    if not plain or plain.count(plain[index]) > 1 or not plain[index].lstrip("-").strip() or "=" in plain[index]:
        return number
    return plain[index]


def _roles(names: list[str]) -> list[str]:
    """Return the role of each column by its name or its unit, each role once, or "" if it is not known."""
    roles, _ = guessed_roles(names)
    roles = [role if role and role not in roles[:index] else "" for index, role in enumerate(roles)]
    for quantity, group in QUANTITIES.items():
        columns = columns_with(names, quantity)
        if not set(group) & set(roles) and len(columns) == len(group) and not any(roles[index] for index in columns):
            for role, index in zip(group, columns, strict=True):
                roles[index] = role
    angles = angle_columns(names)
    if set(angles) == set(ANGLES) and not {*QUATERNION, *RATES} & set(roles):
        for role, index in angles.items():
            roles[index] = roles[index] or role
    known = {*TIME, *QUATERNION, *ANGLES, *RATES, *ACCELERATION}
    return [role if role in known else "" for role in roles]


def _units(names: list[str], roles: list[str]) -> list[str]:
    """Return the unit of each column, empty if it is not known."""
    _, declared = guessed_roles(names)
    by_role = {"t": declared.time_unit, "wx": declared.rate_unit, "ax": declared.acceleration_unit}
    return [
        angle_unit([name]) if role in ANGLES else unit_of(name)[1] or by_role.get(role) or ""
        for name, role in zip(names, roles, strict=True)
    ]


def _first_numbers(table: Table, used: Sequence[int]) -> list[Array]:
    """Return the first numbers of each of these columns, an empty array for a column that holds anything else."""
    try:
        return [*table.read(used, no_progress, [], PREVIEWED)[:, :PREVIEWED]]
    except InputError:
        return [np.empty(0)] if len(used) == 1 else [_first_numbers(table, [index])[0] for index in used]


def _thinned(numbers: Array) -> Array:
    """Return at most POINTS of the numbers, evenly spread, with nan in place of those that are not finite."""
    chosen = np.unique(np.linspace(0, max(len(numbers) - 1, 0), POINTS).round().astype(int))
    kept = numbers[chosen] if len(numbers) else numbers
    return np.where(np.isfinite(kept), kept, np.nan)
