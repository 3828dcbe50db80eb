"""Cells of tables as text: numbers, dates with a time of day, nothing."""

import csv
import re
from datetime import UTC, datetime

DATED = re.compile(r'\s*"?\d{4}-\d\d-\d\d[T ]\d\d:\d\d')
NO_NUMBER = frozenset(("", "nan", "na", "n/a", "null", "none", "-", "--"))  # in a cell: nothing was measured


def cells_of(line: str, delimiter: str | None) -> list[str]:
    """The cells of a line without their quotes; delimiter None: white space."""
    if delimiter is None:
        return [cell.strip('"') for cell in line.split()]
    return next(csv.reader([line], delimiter=delimiter)) if '"' in line else line.rstrip("\n").split(delimiter)


def is_number(cell: str) -> bool:
    """Whether a cell holds a number, as files write it: 1_000 is none."""
    try:
        float(cell)
    except ValueError:
        return False
    return cell.isascii() and "_" not in cell


def moment_of(cell: str) -> float | None:
    """Seconds since 1970 of a date with a time of day, as ISO 8601 writes them, in UTC where no zone is given. None for
    any other cell."""
    if not DATED.match(cell):
        return None
    try:
        moment = datetime.fromisoformat(cell.strip().strip('"').replace(",", "."))
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
