"""Rotation matrices: nine columns such as r11 to r33, R[0][0] to R[2][2] or dcm_11 to dcm_33, or arrays (N, 3, 3).

The direction of the rotation is inferred, as it is for quaternions, so it makes no difference whether nine numbers
stand row by row or column by column.
"""

import re
from collections.abc import Iterator

import numpy as np

from viewer.common.errors import InputError
from viewer.common.language import tr
from viewer.replay.conventions import Conventions
from viewer.replay.files.column_names import guessed_roles, matches, normalised
from viewer.replay.files.contents import Table
from viewer.replay.formats.columns import ColumnFormat, Columns, Found
from viewer.replay.formats.orientations import quaternions_of_matrices, rotations
from viewer.replay.raw_recording import ACCELERATION, QUATERNION, RATES, TIME, no_progress

MATRIX = tuple(f"{row}{column}" for row in "123" for column in "123")
POSE = tuple(part for row in "123" for part in (f"{row}1", f"{row}2", f"{row}3", ""))  # a place beside each row
NAMELESS = {  # what the columns may be, by their number
    9: (MATRIX,),
    10: (TIME + MATRIX,),
    12: (MATRIX + RATES, POSE),
    13: (TIME + MATRIX + RATES, TIME + POSE),
    16: (POSE + ("",) * 4,),
    17: (TIME + POSE + ("",) * 4,),
}
LOOKED_AT = 8  # rows of a table without names
_PREFIX = r"(?P<prefix>([a-z0-9]+_)*?)"
_STEM = r"(r|rot|rotation|rot_?mat|rotation_?matrix|orientation|orientation_matrix|attitude|attitude_matrix|dcm|x?mat)"
_PARTS = "(?P<part>[0-3]_?[0-3]|[xyz]_?[xyz])"
_NAMES = (  # patterns, and whether such a name means a rotation whatever the numbers are
    (re.compile(_PREFIX + rf"{_STEM}_?{_PARTS}"), True),
    (re.compile(_PREFIX + rf"{_STEM}_?(?P<part>[0-9])"), True),  # row by row, or column by column
    (re.compile(_PREFIX + rf"(matrix|[acmt])_?{_PARTS}"), False),
    (re.compile(r"(?P<prefix>)[a-z0-9_]*_(?P<part>[0-2]_[0-2])"), False),
    (re.compile(_PREFIX + r"[acmt]_?(?P<part>[0-9])"), False),
)
ORDERS = (
    tuple(f"{row}{column}" for row in "012" for column in "012"),  # first: a matrix (4, 4) has the next names, too
    MATRIX,
    tuple(f"{row}{column}" for row in "xyz" for column in "xyz"),
    tuple("012345678"),
    tuple("123456789"),
)


def _find(table: Table) -> Found | None:
    """Find a matrix by the names of its columns, and the rates and accelerations beside it.

    A table with a quaternion is left to other formats. If the names do not make it certain, the first rows have to be
    rotations. This also holds for a table without column names, which needs one of the numbers of columns in NAMELESS.
    """
    if table.names is None:
        for roles in NAMELESS.get(table.columns, ()):
            columns = {role: index for index, role in enumerate(roles) if role}
            if _holds_rotations(table, [columns[part] for part in MATRIX]):
                names = ", ".join(f"r{role}" if role in MATRIX else role or "-" for role in roles)
                warning = tr("no line of column names: columns taken as {names}").format(names=names)
                return Found(columns, Conventions(), (warning,))
        return None
    for parts, certain in _candidates(table.names):
        others = ["" if index in parts else name for index, name in enumerate(table.names)]
        given, declared = guessed_roles(others)
        if set(QUATERNION) <= set(given) or not (certain or _holds_rotations(table, parts)):
            continue
        groups = [group for group in (RATES, ACCELERATION) if set(group) <= set(given)]
        beside = {role: given.index(role) for group in groups for role in group}
        return Found(dict(zip(MATRIX, parts, strict=True)) | beside, declared)
    return None


def _from_matrices(columns: Columns, table: Table, warnings: list[str]) -> Columns:
    matrices = np.stack([columns.pop(part) for part in MATRIX], axis=1).reshape(-1, 3, 3)
    return columns | quaternions_of_matrices(matrices, table.where)


def _candidates(names: list[str]) -> Iterator[tuple[list[int], bool]]:
    """Yield the nine columns of each possible matrix, in order, and whether their names alone mean a rotation."""
    plain = [normalised(name) for name in names]
    for pattern, certain in _NAMES:
        found: dict[str, dict[str, int]] = {}
        for index, match in matches(pattern, plain):
            own = found.setdefault(match[0].removesuffix(match["part"]), {})
            own[match["part"].replace("_", "")] = index
        for own in found.values():
            yield from (([own[part] for part in order], certain) for order in ORDERS if set(order) <= set(own))


def _holds_rotations(table: Table, parts: list[int]) -> bool:
    """Tell whether these columns are rotation matrices in the first rows."""
    try:
        first = table.read(parts, no_progress, [], LOOKED_AT)[:, :LOOKED_AT]
    except InputError:
        return False
    return bool(first.size and np.isfinite(first).all() and rotations(first.T.reshape(-1, 3, 3)).all())


ROTATION_MATRICES = ColumnFormat(_find, Conventions("wxyz"), _from_matrices)
