"""Gyroflow's log of an inertial sensor (.gcsv): lines "key,value", then whole numbers with their scales."""

import re

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import refusal, shown
from viewer.common.language import tr
from viewer.replay.conventions import Conventions
from viewer.replay.files.column_names import not_found
from viewer.replay.files.contents import Contents, columns_of
from viewer.replay.files.lines import is_number
from viewer.replay.files.source import Member
from viewer.replay.files.text_table import text_table
from viewer.replay.raw_recording import ACCELERATION, RATES, Progress, RawRecording, raw_recording

Array = NDArray[np.float64]

MARK = "gyroflow imu log"
MOST_LINES = 100  # of the head
COLUMNS = {"t": "t"} | {role: "g" + role[1] for role in RATES} | {role: role for role in ACCELERATION}
EVEN_PERMUTATIONS = ("xyz", "yzx", "zxy")


def recognises(contents: Contents) -> bool:
    """By its first line."""
    return any(contents.begins(MARK))


def read(contents: Contents, progress: Progress) -> RawRecording:
    """The log, in the axes that its orientation gives. Raises InputError."""
    member = next(contents.begins(MARK))
    where = contents.source.shown(member)
    warnings: list[str] = []
    keys, begin = _head(member)
    table = text_table(member, where, begin)
    names = [name.lower() for name in table.names or ()]
    roles = {role: names.index(name) for role, name in COLUMNS.items() if name in names}
    missing = [COLUMNS[role] for role in ("t", *RATES) if role not in roles]
    if missing:
        raise not_found(table.line, missing)
    columns = columns_of(table, roles, progress, warnings)
    for key, group in (("tscale", ("t",)), ("gscale", RATES), ("ascale", ACCELERATION)):
        text = keys.get(key, "1")
        if not is_number(text) or not 0.0 < abs(float(text)) < 1e30:
            raise refusal(
                "{name}: {key}: {given} is not a scale; allowed is a number", name=where, key=key, given=shown(text)
            )
        for role in group:
            if role in columns:
                columns[role] = columns[role] * float(text)
    orientation = keys.get("orientation", "XYZ").strip()
    columns |= _turned(columns, orientation, where, warnings)
    source = "".join(letter for letter in keys.get("id", "") if letter.isprintable())[:80]
    declared = Conventions(
        rate_frame="body", rate_unit="rad/s", time_unit="s", source=source or "Gyroflow", acceleration_unit="g"
    )
    return raw_recording(contents.name, columns, declared, warnings)


def _head(member: Member) -> tuple[dict[str, str], int]:
    """(the values by their keys, the number of lines before the names of the columns)."""
    keys: dict[str, str] = {}
    lines = member.text_start.split("\n")[:MOST_LINES]
    for number, line in enumerate(lines):
        key, *value = re.split("[,:]", line.strip(), maxsplit=1)  # some write "version:1.3"
        if key.strip().lower() == "t":
            return keys, number
        keys[key.strip().lower()] = "".join(value).strip()
    return keys, 1


def _turned(columns: dict[str, Array], orientation: str, where: str, warnings: list[str]) -> dict[str, Array]:
    """The vectors in the axes of the orientation: "YxZ" puts the sensor's y first, then its x with the other sign."""
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
