"""The first rows of a table whose columns are not known, and what they may be, for whoever is asked about them."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError, refusal
from viewer.replay.files.column_names import angle_columns, angle_unit, guessed_roles
from viewer.replay.files.contents import Contents, Table
from viewer.replay.files.source import open_source
from viewer.replay.files.units import columns_with, unit_of
from viewer.replay.mapping import shape_of
from viewer.replay.raw_recording import ACCELERATION, ANGLES, QUATERNION, RATES, TIME, no_progress

Array = NDArray[np.float64]

ROWS = 5000  # that are looked at
POINTS = 200  # of a curve, at most
MOST_COLUMNS = 300  # that are shown
QUANTITIES = {"time": TIME, "rates": RATES, "acceleration": ACCELERATION}


@dataclass(frozen=True, eq=False)
class Column:
    """`text`: how a mapping calls it; `name`: as the table does, empty where it has no names. `first`: its first
    numbers; `curve`: some of the first ROWS, nan where there is none; both empty where it holds no numbers.

    `role`: what it is, as far as its name tells, else empty; `unit`: the one in its name, else empty."""

    text: str
    name: str
    first: tuple[float, ...]
    curve: Array
    role: str
    unit: str


def preview(path: str | os.PathLike[str], names: Sequence[str] | None) -> tuple[list[Column], str]:
    """The columns of the table with these names in a file, an archive or a folder, without names of the first one that
    has none, or (None) of the first; and the shape of that table, as `shape_of` has it.

    Raises InputError.
    """
    with open_source(path) as source:
        contents = Contents(source)
        wanted = None if names is None else list(names) or None
        table = next((table for table in contents.tables if names is None or table.names == wanted), None)
        if table is None:
            raise refusal("{name}: contains no table of numbers", name=contents.name)
        count = min(table.columns, MOST_COLUMNS)
        texts = [_text(index, table.names) for index in range(count)]
        own = table.names or [""] * count
        roles = _roles(table.names) if table.names else [""] * count
        units = _units(own, roles)
        columns = [
            Column(text, name.strip(), tuple(numbers[:4].tolist()), _thinned(numbers), role, unit)
            for text, name, numbers, role, unit in zip(texts, own, _numbers(table, count), roles, units, strict=False)
        ]
        return columns, shape_of(table)


def _text(index: int, names: Sequence[str] | None) -> str:
    """What a mapping calls the column: by its name where that is one of its own, and cannot be taken for another."""
    plain = [name.strip() for name in names or ()]
    number = str(index + 1)
    if not plain or plain.count(plain[index]) > 1 or not plain[index].lstrip("-").strip() or "=" in plain[index]:
        return number
    return plain[index]


def _roles(names: list[str]) -> list[str]:
    """What each column is, as far as its name or its unit tells, each once; empty where they do not."""
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
    """The unit in each name, empty where there is none."""
    _, declared = guessed_roles(names)
    told = {"t": declared.time_unit, "wx": declared.rate_unit, "ax": declared.acceleration_unit}
    return [
        angle_unit([name]) if role in ANGLES else unit_of(name)[1] or told.get(role) or ""
        for name, role in zip(names, roles, strict=True)
    ]


def _numbers(table: Table, count: int) -> list[Array]:
    """The first numbers of each column, none where it holds something else."""
    try:
        return [*table.read(range(count), no_progress, [], ROWS)[:, :ROWS]]
    except InputError:
        return [_alone(table, index) for index in range(count)]


def _alone(table: Table, index: int) -> Array:
    try:
        return table.read([index], no_progress, [], ROWS)[0, :ROWS]
    except InputError:
        return np.empty(0)


def _thinned(numbers: Array) -> Array:
    """Some of the numbers, evenly spread, nan in place of what is not finite."""
    chosen = np.unique(np.linspace(0, max(len(numbers) - 1, 0), POINTS).round().astype(int))
    kept = numbers[chosen] if len(numbers) else numbers
    return np.where(np.isfinite(kept), kept, np.nan)
