"""What the columns of a table without names are, by their numbers: times increase, a quaternion has the norm 1."""

import numpy as np

from viewer.common.errors import refusal
from viewer.replay.conventions import ACCELERATION_UNITS
from viewer.replay.files.column_names import UnknownColumns
from viewer.replay.files.contents import Table
from viewer.replay.fits.frames import turns_at
from viewer.replay.raw_recording import (
    ACCELERATION,
    QUATERNION,
    RATES,
    TIME,
    Array,
    check_rows,
    check_sizes,
    no_progress,
)

MOST_COLUMNS = 20
LOOKED_AT = 2000  # rows
NORM_OFF = 0.01  # most that the norm of a quaternion may be off 1: few digits, or interpolated
HEAVY = 0.05  # relative distance from gravity, within which an accelerometer at hand shows at least half of its rows


def roles_by_numbers(table: Table, step: float | None) -> list[str]:
    """Return the roles of a table's columns, "" for one that is not used. Raises InputError.

    `step` is the time [s] between the rows of a table without times, or None. The error is UnknownColumns if the
    numbers do not tell what the columns are.
    """
    if not len(RATES) <= table.columns <= MOST_COLUMNS:
        raise _unknown(table)
    numbers = table.read(range(table.columns), no_progress, [], LOOKED_AT)[:, :LOOKED_AT]
    numbers = numbers[:, np.isfinite(numbers).all(axis=0)]
    check_rows(table.where, numbers.shape[1])
    check_sizes({str(number): column for number, column in enumerate(numbers, 1)}, table.where)
    timed = bool(step is None and (np.diff(numbers[0]) >= 0.0).all() and numbers[0, -1] > numbers[0, 0])
    roles = [*TIME[:timed], *[""] * (len(numbers) - timed)]
    starts = range(timed, len(numbers) - 3)
    q = next((at for at in starts if _share_near(numbers[at : at + 4], 1.0, NORM_OFF) == 1.0), None)
    if q is not None:
        roles[q : q + 4] = QUATERNION
        time = numbers[0] if timed else np.asarray((step or 1.0) * np.arange(numbers.shape[1]))
        beside = [*range(timed, q - 2, 3), *range(q + 4, len(numbers) - 2, 3)]
        rates = next((at for at in beside if turns_at(time, numbers[q : q + 4].T, numbers[at : at + 3].T)), None)
        if rates is not None:
            roles[rates : rates + 3] = RATES
        return roles
    triples = [slice(at, at + 3) for at in range(timed, len(numbers), 3)]
    sizes = [*ACCELERATION_UNITS.values()] if len(triples) > 1 else [ACCELERATION_UNITS["g"]]
    heavy = [any(_share_near(numbers[at], size, HEAVY) > 0.5 for size in sizes) for at in triples]
    if (len(numbers) - timed) % 3 or len(triples) > 2 or sum(heavy) != len(triples) - 1:
        raise _unknown(table)
    for at, is_heavy in zip(triples, heavy, strict=True):
        roles[at] = ACCELERATION if is_heavy else RATES
    return roles


def _share_near(vectors: Array, size: float, off: float) -> float:
    """Return the share of the rows in which vectors (n, N) have this size, up to a relative difference of `off`."""
    return float(np.mean(np.abs(np.linalg.norm(vectors, axis=0) / size - 1.0) < off))


def _unknown(table: Table) -> UnknownColumns:
    error = refusal(
        "{where}: the numbers of {count} columns without names do not tell what they are; say which to use, such as"
        " --columns t=1,wx=2,wy=3,wz=4, or without t where --step says how far the rows are apart",
        where=table.line,
        count=table.columns,
    )
    return UnknownColumns(str(error), [])
