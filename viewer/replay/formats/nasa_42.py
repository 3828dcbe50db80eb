"""NASA's simulator 42: time.42, qbn.42 and wbn.42 beside one another."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import refusal, shown
from viewer.common.language import tr
from viewer.replay.conventions import WORLD_FROM_BODY, Conventions
from viewer.replay.files.contents import Contents, columns_of
from viewer.replay.files.source import Member
from viewer.replay.files.text_table import text_table
from viewer.replay.raw_recording import RATES, Progress, RawRecording, part, raw_recording

Array = NDArray[np.float64]

CLOCK = "time.42"
NUMBERED = re.compile(r"[qw]bn(\d*)\.42")
FILES = {CLOCK: ("t",), "qbn.42": ("qx", "qy", "qz", "qw"), "wbn.42": RATES}


def recognises(contents: Contents) -> bool:
    """By the names of the files."""
    return bool(_members(contents))


def read(contents: Contents, progress: Progress) -> RawRecording:
    """The columns of the three files, as far as the shortest one goes. Raises InputError."""
    members = _members(contents)
    columns: dict[str, Array] = {}
    warnings: list[str] = []
    names = [member.base for member in contents.source.members if NUMBERED.fullmatch(member.base.lower())]
    count = len(_spacecraft(name.lower() for name in names))
    if count > 1 and not _spacecraft([contents.name.lower()]):
        text = tr("files of {count} spacecraft: the first one's are read; open another one's file, such as {name}")
        warnings.append(text.format(count=count, name=shown(max(names))))
    if CLOCK not in members or len(members) < 2:
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
    """The three files by their names, all of one folder; of several spacecraft, such as qbn00.42 and qbn01.42, those of
    the one whose file was opened, else of the first."""
    for known in FILES:
        first = contents.member(known)
        if first is not None:
            folder = PurePosixPath(first.name).parent
            beside = {member.base.lower(): member for member in contents.source.members
                      if PurePosixPath(member.name).parent == folder}  # fmt: skip
            number = min(_spacecraft([contents.name.lower()]) or _spacecraft(beside), default="")
            named = {name: name.replace(".", f"{number}.") if name != CLOCK else name for name in FILES}
            return {name: beside[own] for name, own in named.items() if own in beside}
    return {}


def _spacecraft(names: Iterable[str]) -> set[str]:
    """The numbers of the spacecraft whose files these are; "" where there is one without."""
    return {found[1] for name in names if (found := NUMBERED.fullmatch(name))}
