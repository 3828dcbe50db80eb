"""Arrays that numpy has saved, as a table.

Column i of an array "qpos" in a .npz is called "qpos[i]"; the columns of an array "R" of matrices (N, 3, 3) are called
"R[0][0]" to "R[2][2]"; fields of a structured array have their own names. A single array without a name, such as a
.npy, has columns without names.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf, prod
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

from viewer.common.errors import refusal, shown
from viewer.common.language import tr
from viewer.physics.rotation import Array
from viewer.replay.files.source import Member, Source

MOST_COLUMNS = 1000  # of an array
UNNAMED = "arr_0.npy"  # the first array that was given no name
HEADER = 10_000  # bytes
FEW = frozenset((3, 4, 5, 7, 8, 9, 10))  # numbers that a recording may have at a time
WIDE = 2  # an array with more than this many times as many columns as rows, of which there are few, is transposed


@dataclass(frozen=True)
class ArrayTable:
    """The table of the arrays that have the most common number of rows.

    `names` are the names of the columns, or None if they have none; `where` names the file in errors.
    """

    where: str
    names: list[str] | None
    sources: list[tuple[Member, int]]  # for each column the array, and the index of the column in it
    comments: list[str] = field(default_factory=list)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.sources)

    @property
    def line(self) -> str:
        """The file, for errors: arrays have no lines."""
        return self.where

    def read(
        self, used: Sequence[int], progress: Callable[[float], None], warnings: list[str], enough: float = inf
    ) -> Array:
        """Return the columns with these indices (len(used), N), always with all rows. Raises InputError."""
        found, arrays = [], {}
        for done, index in enumerate(used):
            member, column = self.sources[index]
            if member not in arrays:
                arrays[member] = _array(member, self.where, warnings)
            found.append(arrays[member][:, column])
            progress((done + 1) / len(used))
        return np.array(found, float)


def array_table(source: Source) -> ArrayTable | None:
    """Return the table of the arrays in a source, or None if it has none. Raises InputError."""
    found = [(member, has) for member in source.members if (has := _columns(member)) is not None]
    if not found and source.only is not None and source.only.start.startswith(npy.MAGIC_PREFIX):
        raise refusal(
            "{name}: is no array of numbers with a row for each time and at most {most} columns",
            name=source.name,
            most=MOST_COLUMNS,
        )
    if not found:
        return None
    rows = Counter(count for _, (count, _, _) in found).most_common(1)[0][0]
    names: list[str] = []
    sources: list[tuple[Member, int]] = []
    for member, (count, own, _) in found:
        if count == rows:
            names += own
            sources += [(member, index) for index in range(len(own))]
    alone = source.only is not None or (len(found) == 1 and found[0][0].base == UNNAMED)
    nameless = alone and not found[0][1][2]
    return ArrayTable(source.name, None if nameless else names, sources)


def _columns(member: Member) -> tuple[int, list[str], bool] | None:
    """Return the number of rows of a saved array, the names of its columns, and whether these say what the columns are.

    Returns None unless the array has numbers, and for each time a row, a number or a matrix (3, 3).
    """
    if not member.start.startswith(npy.MAGIC_PREFIX):
        return None
    try:
        with member.open() as file:
            shape, _, kind = _header(file)
            begin = file.tell()
    except ValueError:
        return None
    if prod(shape) * kind.itemsize != member.size - begin or not 1 <= len(shape) <= 4:
        return None
    if kind.names is not None:
        numbers = all(kind[name].kind in "fiu" for name in kind.names)
        return (shape[0], list(kind.names), True) if numbers and len(shape) == 1 else None
    shape = shape[::-1] if _is_transposed(shape) else shape
    shape = (*shape[:1], *(length for length in shape[1:] if length != 1))  # a column of one number, or of one body
    key = member.base.removesuffix(".npy")
    if kind.kind not in "fiu" or shape[-1] < 1 or (len(shape) == 2 and shape[1] > MOST_COLUMNS):
        return None
    if len(shape) > 2:  # matrices
        matrix = [f"{key}[{row}][{column}]" for row in range(3) for column in range(3)]
        return (shape[0], matrix, True) if shape[1:] == (3, 3) else None
    return shape[0], [key] if len(shape) == 1 else [f"{key}[{index}]" for index in range(shape[1])], False


def _is_transposed(shape: tuple[int, ...]) -> bool:
    """Tell whether an array of this shape has a column, not a row, for each time."""
    if len(shape) == 3:
        return shape[:2] == (3, 3) != shape[1:]
    return len(shape) == 2 and shape[0] in FEW and shape[1] > WIDE * shape[0]


def _header(file: IO[bytes]) -> "tuple[tuple[int, ...], bool, np.dtype[Any]]":
    """Return a saved array's shape, whether it is stored column by column, and its type. Raises ValueError."""
    try:
        newer = npy.read_magic(file) != (1, 0)
        read = npy.read_array_header_2_0 if newer else npy.read_array_header_1_0
        shape, by_columns, kind = read(file, max_header_size=HEADER)
    except Exception as error:  # it is read as Python's syntax, which may fail in any way
        raise ValueError(str(error)) from None
    return shape, by_columns, kind


def _array(member: Member, where: str, warnings: list[str]) -> Array:
    try:
        with member.open() as file:
            array = npy.read_array(file, allow_pickle=False)
    except ValueError as error:
        raise refusal("{name}: cannot be read: {reason}", name=where, reason=shown(str(error))) from None
    if array.dtype.names is not None:
        return np.stack([np.asarray(array[name], float) for name in array.dtype.names], axis=1)
    if _is_transposed(array.shape):
        shape = " × ".join(map(str, array.shape))
        warnings.append(
            tr("array {name} of {shape} numbers taken as transposed: a column for each time").format(
                name=shown(member.base.removesuffix(".npy")), shape=shape
            )
        )
        array = np.moveaxis(array, -1, 0)
    return np.asarray(array.reshape(len(array), int(np.prod(array.shape[1:]))), float)
