"""Recordings whose head says how the numbers below it are to be read.

Gyroflow's log of an inertial sensor (.gcsv) has lines "key,value", then whole numbers with their scales. A take of
OptiTrack Motive as CSV has lines above the numbers that say to which body each column belongs, and what it is.
"""

import csv
import re
from itertools import pairwise

from viewer.common.errors import refusal, shown
from viewer.common.language import tr
from viewer.replay.conventions import WORLD_FROM_BODY, Conventions
from viewer.replay.files.column_names import not_found
from viewer.replay.files.contents import Contents, columns_of
from viewer.replay.files.source import Member
from viewer.replay.files.text_table import TextTable, is_number, text_table
from viewer.replay.formats.columns import Columns, FileFormat
from viewer.replay.raw_recording import ACCELERATION, RATES, Progress, RawRecording, raw_recording

GYROFLOW_MARK = "gyroflow imu log"
MOST_LINES = 100  # of a head
COLUMNS = {"t": "t"} | {role: "g" + role[1] for role in RATES} | {role: role for role in ACCELERATION}
EVEN_PERMUTATIONS = ("xyz", "yzx", "zxy")

OPTITRACK_MARK = "format version,"
BODY, ROTATION = "rigid body", "rotation"
PARTS = ("x", "y", "z", "w")
Take = tuple[Member, dict[str, str], list[list[str]], int]
"""The member; the values in its first line by their keys; the cells of the lines between that line and the numbers;
the number of lines before the numbers."""


def _gyroflow_log(contents: Contents) -> Member | None:
    """Return the first member whose first line is that of a log, or None."""
    return next(contents.begins(GYROFLOW_MARK), None)


def _read_gyroflow(contents: Contents, member: Member, progress: Progress) -> RawRecording:
    """Return the recording in a log, in the axes that the log's orientation names. Raises InputError."""
    where = contents.source.shown(member)
    warnings: list[str] = []
    keys, begin = _keys(member)
    table = text_table(member, where, begin)
    names = [name.lower() for name in table.names or ()]
    roles = {role: names.index(name) for role, name in COLUMNS.items() if name in names}
    if missing := [COLUMNS[role] for role in ("t", *RATES) if role not in roles]:
        raise not_found(table.line, missing)
    columns = columns_of(table, roles, progress, warnings)
    for key, group in (("tscale", ("t",)), ("gscale", RATES), ("ascale", ACCELERATION)):
        text = keys.get(key, "1")
        if not is_number(text) or not 0.0 < abs(float(text)) < 1e30:
            raise refusal(
                "{name}: {key}: {given} is not a scale; allowed is a number", name=where, key=key, given=shown(text)
            )
        columns |= {role: columns[role] * float(text) for role in group if role in columns}
    columns |= _turned(columns, keys.get("orientation", "XYZ").strip(), where, warnings)
    source = "".join(letter for letter in keys.get("id", "") if letter.isprintable())[:80]
    declared = Conventions(
        rate_frame="body", rate_unit="rad/s", time_unit="s", source=source or "Gyroflow", acceleration_unit="g"
    )
    return raw_recording(contents.name, columns, declared, warnings)


def _keys(member: Member) -> tuple[dict[str, str], int]:
    """Return a log's values by their keys, and the number of lines before the names of the columns."""
    keys: dict[str, str] = {}
    lines = member.text_start.split("\n")[:MOST_LINES]
    for number, line in enumerate(lines):
        key, *value = re.split("[,:]", line.strip(), maxsplit=1)  # some write "version:1.3"
        if key.strip().lower() == "t":
            return keys, number
        keys[key.strip().lower()] = "".join(value).strip()
    return keys, 1


def _turned(columns: Columns, orientation: str, where: str, warnings: list[str]) -> Columns:
    """Return the vectors in the axes of an orientation such as "YxZ".

    "YxZ" puts the sensor's y first, and then its x with the opposite sign. If the orientation is a reflection, no
    vectors are returned, with a warning. Raises InputError.
    """
    if sorted(orientation.lower()) != ["x", "y", "z"]:
        raise refusal(
            "{name}: orientation: {given} is unknown; allowed are X, Y, Z in any order, small letters for the other"
            " direction",
            name=where,
            given=shown(orientation),
        )
    signs = [1.0 if letter.isupper() else -1.0 for letter in orientation]
    even = orientation.lower() in EVEN_PERMUTATIONS
    if (signs[0] * signs[1] * signs[2] > 0.0) != even:
        text = tr("orientation {given} is a reflection, no rotation: the sensor's own axes are kept")
        warnings.append(text.format(given=orientation))
        return {}
    return {
        group[0][0] + to: sign * columns[group[0][0] + letter.lower()]
        for group in (RATES, ACCELERATION)
        if set(group) <= set(columns)
        for to, letter, sign in zip("xyz", orientation, signs, strict=True)
    }


GYROFLOW = FileFormat(_gyroflow_log, _read_gyroflow)


def _take(contents: Contents) -> Take | None:
    """Return the first take: a text whose first line is a take's and whose head says which columns are rotations."""
    for member in contents.begins(OPTITRACK_MARK):
        lines = [next(csv.reader([line]), []) for line in member.text_start.split("\n")[:MOST_LINES]]
        keys = {key.strip().lower(): value.strip() for key, value in zip(lines[0][::2], lines[0][1::2], strict=False)}
        numbers = (n for n, line in enumerate(lines) if len(line) > len(PARTS) and all(map(is_number, line[:2])))
        begin = next(numbers, 0)
        above = [[cell.strip() for cell in line] for line in lines[1:begin] if len(line) == len(lines[begin])]
        if any(_places(line, ROTATION) for line in above):
            return member, keys, above, begin
    return None


def _read_optitrack(contents: Contents, take: Take, progress: Progress) -> RawRecording:
    """Return the recording of the first rigid body. Raises InputError."""
    member, keys, above, begin = take
    where = contents.source.shown(member)
    kind = keys.get("rotation type", "Quaternion")
    if kind.lower() != "quaternion":
        raise refusal(
            "{name}: Rotation Type: {given} is not read; export the take with Quaternion", name=where, given=shown(kind)
        )
    turning = next(found for line in above if (found := _places(line, ROTATION)))
    axes = [cell.lower() for cell in above[-1]]
    roles = {f"q{axes[index]}": index for index in turning[: len(PARTS)]}
    if set(roles) != {f"q{part}" for part in PARTS}:
        raise refusal("{name}: its first rotation has not the columns X, Y, Z, W", name=where)
    warnings: list[str] = []
    if (count := len(turning) // len(PARTS)) > 1:
        names = next((below for line, below in pairwise(above) if _places(line, BODY)), above[0])
        text = tr("{count} rigid bodies: the first one's motion is read, {name}")
        warnings.append(text.format(count=count, name=shown(names[turning[0]])))
    table = TextTable(member, where, None, len(above[-1]), ",", begin)
    columns = columns_of(table, {"t": 1} | roles, progress, warnings)
    declared = Conventions("wxyz", WORLD_FROM_BODY, time_unit="s", source="OptiTrack")
    return raw_recording(contents.name, columns, declared, warnings)


def _places(line: list[str], word: str) -> list[int]:
    """Return the indices of the cells that hold `word`, in any case of letters; `word` itself is in small letters."""
    return [index for index, cell in enumerate(line) if cell.lower() == word]


OPTITRACK = FileFormat(_take, _read_optitrack)
