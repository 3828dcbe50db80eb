"""OptiTrack Motive: a take as CSV, with lines above the numbers that say of which body, and what, each column is."""

import csv
from itertools import pairwise

from viewer.common.errors import refusal, shown
from viewer.common.language import tr
from viewer.replay.conventions import WORLD_FROM_BODY, Conventions
from viewer.replay.files.contents import Contents, columns_of
from viewer.replay.files.lines import is_number
from viewer.replay.files.source import Member
from viewer.replay.files.text_table import TextTable
from viewer.replay.raw_recording import Progress, RawRecording, raw_recording

MARK = "format version,"
MOST_LINES = 20  # of the head
BODY, ROTATION = "rigid body", "rotation"
PARTS = ("x", "y", "z", "w")


def recognises(contents: Contents) -> bool:
    """By its first line and the line that says which columns are rotations."""
    return any(_head(member)[1] for member in contents.begins(MARK))


def read(contents: Contents, progress: Progress) -> RawRecording:
    """The first rigid body's orientations. Raises InputError."""
    member = next(member for member in contents.begins(MARK) if _head(member)[1])
    where = contents.source.shown(member)
    told, above, begin = _head(member)
    kind = told.get("rotation type", "Quaternion")
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


def _head(member: Member) -> tuple[dict[str, str], list[list[str]], int]:
    """(the values in its first line by their keys; the cells of the lines between it and the numbers, none where they
    do not say what turns; how many lines stand before the numbers)."""
    lines = [next(csv.reader([line]), []) for line in member.text_start.split("\n")[: MOST_LINES + 1]]
    told = {key.strip().lower(): value.strip() for key, value in zip(lines[0][::2], lines[0][1::2], strict=False)}
    for number, line in enumerate(lines[1:], 1):
        if len(line) > len(PARTS) and is_number(line[0]) and is_number(line[1]):
            above = [[cell.strip() for cell in other] for other in lines[1:number] if len(other) == len(line)]
            return told, above if any(_places(other, ROTATION) for other in above) else [], number
    return told, [], 0


def _places(line: list[str], word: str) -> list[int]:
    """Where a word stands in a line."""
    return [index for index, cell in enumerate(line) if cell.lower() == word]
