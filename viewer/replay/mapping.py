"""What the columns of a table are, said by the user: "t=elapsed,wx=Rate about roll [deg/s],wy=3,wz=-4"; with units that
the names do not give: "t[ms]=elapsed,wx[deg/s]=2,wy=3,wz=-4", or with angles: "t=1,roll[deg zyx]=2,pitch=3,yaw=4"."""

import hashlib
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from viewer.common.errors import InputError, allowed_names, refusal, shown
from viewer.common.language import tr
from viewer.replay.conventions import (
    ACCELERATION_UNITS,
    RATE_UNITS,
    TIME_UNITS,
    WORLD_FROM_BODY,
    Conventions,
    declared_in,
)
from viewer.replay.files.column_names import angle_unit, normalised, unknown_columns
from viewer.replay.files.contents import Contents, Table, columns_of
from viewer.replay.files.units import unit_of
from viewer.replay.formats.orientations import SEQUENCES, quaternions_of_roll_pitch_yaw
from viewer.replay.raw_recording import (
    ACCELERATION,
    ANGLES,
    QUATERNION,
    RATES,
    TIME,
    Progress,
    RawRecording,
    raw_recording,
)

MAPPED = "mapped"
MOTION = QUATERNION + ANGLES + RATES  # of these one group at least
ROLES = TIME + MOTION + ACCELERATION
LONGEST = 4000  # characters of a mapping
SEQUENCE = "sequence"
UNITS = {"t": tuple(TIME_UNITS), "wx": tuple(RATE_UNITS), "ax": tuple(ACCELERATION_UNITS), "roll": ("deg", "rad"),
         SEQUENCE: SEQUENCES}  # fmt: skip
"""What may be given in brackets after the first column of a group, for all of them; the sequence of the turns after
the unit of roll."""
_NEXT = re.compile(rf",(?=\s*(?:{'|'.join(ROLES)})\s*(?:\[[^\]]*\]\s*)?=)")  # a name may have commas of its own
_ROLE = re.compile(r"(?P<role>\w+)\s*\[(?P<unit>[^\]]*)\]")


@dataclass(frozen=True)
class ColumnMapping:
    """The columns by their roles: a name or a number from 1, with a minus before it where its sign is to be turned.

    `units`: those of UNITS that were said, which go before what the table declares.
    """

    columns: tuple[tuple[str, str], ...]
    units: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return ",".join(self.parts)

    @property
    def parts(self) -> tuple[str, ...]:
        """The text of each column."""
        units = dict(self.units)
        if SEQUENCE in units:
            units[ANGLES[0]] = f"{units.get(ANGLES[0], '')} {units[SEQUENCE]}".lstrip()
        shown = {role: f"{role}[{units[role]}]" if role in units else role for role, _ in self.columns}
        return tuple(f"{shown[role]}={column}" for role, column in self.columns)

    @property
    def conventions(self) -> Conventions:
        """Its units."""
        units = dict(self.units)
        return Conventions(time_unit=units.get("t"), rate_unit=units.get("wx"), acceleration_unit=units.get("ax"))

    def indices(self, names: Sequence[str] | None, count: int, where: str) -> dict[str, tuple[int, float]]:
        """(column from 0, sign) by role, in a table with these names or this many columns. Raises InputError."""
        return {role: _found(role, column, names, count, where) for role, column in self.columns}


def parse_mapping(text: str) -> ColumnMapping:
    """The mapping in a text. Raises InputError."""
    if len(text) > LONGEST:
        raise refusal("columns: {given} is too long; at most {most} characters", given=shown(text), most=LONGEST)
    found: dict[str, str] = {}
    units: dict[str, str] = {}
    for part in _NEXT.split(text):
        role, equals, column = (piece.strip() for piece in part.partition("="))
        if bracketed := _ROLE.fullmatch(role):
            role = bracketed["role"]
            for word in bracketed["unit"].split() or [""]:
                units[SEQUENCE if role == ANGLES[0] and word in SEQUENCES else role] = word
        if not equals or not column.lstrip("-").strip() or role not in ROLES or role in found:
            raise refusal(
                "columns: {given} is not such as t=elapsed or wx=3; {allowed}, each once",
                given=shown(part.strip()),
                allowed=allowed_names(role, ROLES),
            )
        found[role] = column
    return mapping_of(found, units)


def mapping_of(columns: dict[str, str], units: Mapping[str, str] | None = None) -> ColumnMapping:
    """The mapping of columns by their roles, and their UNITS. Raises InputError where they make up no motion."""
    for role, unit in (units or {}).items():
        if unit not in UNITS.get(role, ()):
            allowed = UNITS.get(role, ()) + (SEQUENCES if role == ANGLES[0] else ())
            raise refusal(
                "columns: {role}: unit {unit} is unknown; {allowed}",
                role=role,
                unit=shown(unit),
                allowed=allowed_names(unit, allowed)
                if role in UNITS
                else tr("units stand after {roles}").format(roles=", ".join(role for role in UNITS if role in ROLES)),
            )
    if missing := missing_roles(columns):
        raise refusal("columns: {missing} not given", missing=", ".join(missing))
    if not set(MOTION) & set(columns):
        raise refusal(
            "columns: neither qw, qx, qy, qz nor roll, pitch, yaw nor wx, wy, wz given; at least one of them is needed"
        )
    if QUATERNION[0] in columns and ANGLES[0] in columns:
        raise refusal("columns: both qw, qx, qy, qz and roll, pitch, yaw given; only one of them can be used")
    of = {role: ANGLES[0] if role == SEQUENCE else role for role in units or {}}
    said = tuple((role, unit) for role, unit in (units or {}).items() if of[role] in columns)
    return ColumnMapping(tuple((role, columns[role]) for role in ROLES if role in columns), said)


def missing_roles(given: Container[str]) -> list[str]:
    """Time, and what is not given of the groups of which something is."""
    groups = [group for group in (QUATERNION, ANGLES, RATES, ACCELERATION) if any(role in given for role in group)]
    return [role for group in (TIME, *groups) for role in group if role not in given]


def shape_of(table: Table) -> str:
    """What tables of the same columns have in common, as a short text."""
    names = table.names if table.names is not None else [str(table.columns)]
    text = "\n".join(normalised(name) or name.strip() for name in names)
    return hashlib.sha256(text.encode("utf-8", errors="replace")).hexdigest()[:16]


def fits(mapping: ColumnMapping, table: Table) -> bool:
    """Whether a table has these columns."""
    try:
        mapping.indices(table.names, table.columns, table.line)
    except InputError:
        return False
    return True


def read_mapped(contents: Contents, mapping: ColumnMapping, progress: Progress, remembered: bool) -> RawRecording:
    """The recording in the first table that has these columns. `remembered`: the user has not just given them.

    Raises InputError, about the first table where none has them.
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
        columns = columns_of(table, roles, progress, warnings)
        columns = {role: found[role][1] * column for role, column in columns.items()}
        if ANGLES[0] in columns:
            names = [] if table.names is None else [table.names[roles[role]] for role in ANGLES]
            said = dict(mapping.units)
            unit, sequence = said.get(ANGLES[0]) or angle_unit(names), said.get(SEQUENCE, SEQUENCES[0])
            columns |= quaternions_of_roll_pitch_yaw(columns, unit, sequence, warnings)
            columns = {role: column for role, column in columns.items() if role not in ANGLES}
        own = declared_in(table.comments, table.where).filled_from(_declared(table, roles))
        declared = mapping.conventions.filled_from(own)
        return replace(raw_recording(contents.name, columns, declared, warnings), shape=shape_of(table))
    raise error or refusal("{name}: contains no table of numbers", name=contents.name)


def _declared(table: Table, roles: dict[str, int]) -> Conventions:
    """The units in the names of the columns."""
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
    """(column from 0, sign); by its name, else by its number."""
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
