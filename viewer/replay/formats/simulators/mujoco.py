"""MuJoCo: qpos and qvel of a body with a free joint or a ball joint, as a table or as saved arrays."""

import re

from viewer.common.errors import refusal
from viewer.replay.conventions import WORLD_FROM_BODY, Conventions
from viewer.replay.files.column_names import normalised
from viewer.replay.files.contents import Contents, Table, timed_columns
from viewer.replay.raw_recording import QUATERNION, RATES, Progress, RawRecording, raw_recording

_PART = re.compile(r"(data_)?(?P<array>qpos|qvel)_?(?P<part>\d{1,3})")
FREE, BALL = (
    {"qpos": (7, 3), "qvel": (6, 3)},
    {"qpos": (4, 0), "qvel": (3, 0)},
)  # numbers, and those before the rotation


def recognises(contents: Contents) -> bool:
    """By the names of its columns."""
    return _table(contents) is not None


def read(contents: Contents, progress: Progress) -> RawRecording:
    """Quaternion and rates of the first joint. Raises InputError."""
    found = _table(contents)
    assert found is not None
    table, parts = found
    joint = next((joint for joint in (FREE, BALL) if len(parts["qpos"]) >= joint["qpos"][0]), None)
    if joint is None or (parts["qvel"] and len(parts["qvel"]) < joint["qvel"][0]):
        raise refusal(
            "{where}: {qpos} numbers in qpos and {qvel} in qvel; allowed are 7 and 6 of a free joint, or 4 and 3",
            where=table.line,
            qpos=len(parts["qpos"]),
            qvel=len(parts["qvel"]),
        )
    roles: dict[str, int] = {}
    for array, group in (("qpos", QUATERNION), ("qvel", RATES)):
        first = joint[array][1]
        if parts[array]:
            roles |= {role: parts[array][first + place] for place, role in enumerate(group)}
    warnings: list[str] = []
    columns, unit = timed_columns(contents, table, roles, progress, warnings)
    declared = Conventions("wxyz", WORLD_FROM_BODY, "body", "rad/s", unit or "s", source="MuJoCo")
    return raw_recording(contents.name, columns, declared, warnings)


def _table(contents: Contents) -> tuple[Table, dict[str, list[int]]] | None:
    """The first table with positions, and its columns in order."""
    for table, names in contents.named:
        found: dict[str, dict[int, int]] = {"qpos": {}, "qvel": {}}
        for index, name in enumerate(names):
            if part := _PART.fullmatch(normalised(name)):
                found[part["array"]][int(part["part"])] = index
        if found["qpos"]:
            return table, {array: [index for _, index in sorted(own.items())] for array, own in found.items()}
    return None
