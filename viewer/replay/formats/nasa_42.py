"""NASA's simulator 42: time.42, qbn.42 and wbn.42 beside one another."""

from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import refusal
from viewer.replay.conventions import WORLD_FROM_BODY, Conventions
from viewer.replay.files.contents import Contents, columns_of
from viewer.replay.files.source import Member
from viewer.replay.files.text_table import text_table
from viewer.replay.raw import RATES, Progress, RawRecording, part, raw_recording

Array = NDArray[np.float64]

FILES = {"time.42": ("t",), "qbn.42": ("qx", "qy", "qz", "qw"), "wbn.42": RATES}


def recognises(contents: Contents) -> bool:
    """By the names of the files."""
    return bool(_members(contents))


def read(contents: Contents, progress: Progress) -> RawRecording:
    """The columns of the three files, as far as the shortest one goes. Raises InputError."""
    members = _members(contents)
    columns: dict[str, Array] = {}
    warnings: list[str] = []
    if "time.42" not in members or len(members) < 2:
        raise refusal("{name}: time.42 and qbn.42 or wbn.42 must stand beside one another", name=contents.name)
    for done, (name, member) in enumerate(members.items()):
        where, roles = contents.source.shown(member), FILES[name]
        table = text_table(member, where)
        if table.columns != len(roles):
            raise refusal(
                "{where}: {found} columns instead of {columns}", where=where, found=table.columns, columns=len(roles)
            )
        columns |= columns_of(
            table,
            {role: index for index, role in enumerate(roles)},
            part(progress, done / len(members), (done + 1) / len(members)),
            warnings,
        )
    rows = min(len(column) for column in columns.values())
    columns = {role: column[:rows] for role, column in columns.items()}
    declared = Conventions("wxyz", WORLD_FROM_BODY, "body", "rad/s", "s", source="42")
    return raw_recording(contents.name, columns, declared, warnings)


def _members(contents: Contents) -> dict[str, Member]:
    """The three files by their names, all of one folder."""
    for known in FILES:
        first = contents.member(known)
        if first is not None:
            folder = PurePosixPath(first.name).parent
            beside = {member.base.lower(): member for member in contents.source.members
                      if PurePosixPath(member.name).parent == folder}  # fmt: skip
            return {name: beside[name] for name in FILES if name in beside}
    return {}
