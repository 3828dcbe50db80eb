"""Arrays that numpy has saved as a table: column i of an array "qpos" in a .npz is called "qpos[i]". A single array
without a name, such as a .npy, has columns without names."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from viewer.common.errors import refusal, shown
from viewer.replay.files.source import Member, Source

Array = NDArray[np.float64]

MOST_COLUMNS = 1000  # of an array
UNNAMED = "arr_0.npy"  # the first array that was given no name
HEADER = 10_000  # bytes


@dataclass(frozen=True)
class ArrayTable:
    """The arrays of as many rows as most of them have. `names`: of the columns, None where they have none; `where`: the
    file, for errors."""

    where: str
    names: list[str] | None
    sources: list[tuple[Member, int]]  # of the columns: an array, and the column in it
    comments: list[str] = field(default_factory=list)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.sources)

    @property
    def line(self) -> str:
        """Where the names stand, for errors."""
        return self.where

    def read(
        self, used: Sequence[int], progress: Callable[[float], None], warnings: list[str], enough: float = inf
    ) -> Array:
        """The columns of these numbers, (len(used), N): all rows in any case. Raises InputError."""
        found, arrays = [], {}
        for done, index in enumerate(used):
            member, column = self.sources[index]
            if member not in arrays:
                arrays[member] = _array(member, self.where)
            found.append(arrays[member][:, column])
            progress((done + 1) / len(used))
        return np.array(found, float)


def array_table(source: Source) -> ArrayTable | None:
    """The table of the arrays in a source; None where it has none."""
    found = [(member, shape) for member in source.members if (shape := _shape(member)) is not None]
    if not found and source.only is not None and source.only.start.startswith(npy.MAGIC_PREFIX):
        raise refusal(
            "{name}: is no array of numbers with a row for each time and at most {most} columns",
            name=source.name,
            most=MOST_COLUMNS,
        )
    if not found:
        return None
    rows = Counter(shape[0] for _, shape in found).most_common(1)[0][0]
    names: list[str] = []
    sources: list[tuple[Member, int]] = []
    for member, shape in found:
        if shape[0] != rows:
            continue
        key, wide = member.base.removesuffix(".npy"), shape[1] if len(shape) == 2 else 1
        names += [key] if len(shape) == 1 else [f"{key}[{index}]" for index in range(wide)]
        sources += [(member, index) for index in range(wide)]
    nameless = source.only is not None or (len(found) == 1 and found[0][0].base == UNNAMED)
    return ArrayTable(source.name, None if nameless else names, sources)


def _shape(member: Member) -> tuple[int, ...] | None:
    """That of a saved array of numbers, one row or one number a time; None for all else."""
    if not member.start.startswith(npy.MAGIC_PREFIX):
        return None
    try:
        with member.open() as file:
            shape, _, kind = _header(file)
            begin = file.tell()
    except ValueError:
        return None
    size = int(np.prod(shape, dtype=float)) * kind.itemsize
    wanted = kind.kind in "fiu" and 1 <= len(shape) <= 2 and shape[-1 if len(shape) == 2 else 0] >= 1
    if not wanted or size != member.size - begin or (len(shape) == 2 and shape[1] > MOST_COLUMNS):
        return None
    return shape


def _header(file: IO[bytes]) -> "tuple[tuple[int, ...], bool, np.dtype[Any]]":
    newer = npy.read_magic(file) != (1, 0)
    read = npy.read_array_header_2_0 if newer else npy.read_array_header_1_0
    shape, by_columns, kind = read(file, max_header_size=HEADER)
    return shape, by_columns, kind


def _array(member: Member, where: str) -> Array:
    try:
        with member.open() as file:
            array = npy.read_array(file, allow_pickle=False)
    except ValueError as error:
        raise refusal("{name}: cannot be read: {reason}", name=where, reason=shown(str(error))) from None
    return np.asarray(array.reshape(len(array), -1), float)
