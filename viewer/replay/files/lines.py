"""Lines of text files, the cells in them, and rows of numbers below keywords, set apart by white space."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import refusal, shown
from viewer.replay.files.source import Member
from viewer.replay.raw_recording import check_sizes

Array = NDArray[np.float64]
Line = tuple[int, str]  # its number from 1, and the line without white space at its ends

MOST_ROWS = 20_000_000
LONGEST_LINE = 65_536  # characters
REPORT_EVERY = 100_000  # lines
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


def lines_of(member: Member, where: str, progress: Callable[[float], None]) -> Iterator[Line]:
    """The lines that are not empty; `where`: the file's name, for errors. Raises InputError."""
    read = 0
    with member.text() as text:
        for number in range(1, MOST_ROWS):
            line = text.readline(LONGEST_LINE + 1)
            if line == "":
                return
            if len(line) > LONGEST_LINE:
                raise refusal(
                    "{where}: is longer than {longest} characters",
                    where=f"{where}, line {number}",
                    longest=LONGEST_LINE,
                )
            read += len(line)
            if number % REPORT_EVERY == 0:
                progress(min(read / max(member.size, 1), 1.0))
            if line := line.strip():
                yield number, line
    raise refusal("{name}: has more than {most} rows", name=where, most=MOST_ROWS)


def numbers(rows: Sequence[Line], names: Sequence[str], where: str, skip: int = 0) -> Array:
    """The numbers (len(names), N) of rows, after `skip` words of each. Raises InputError, which names the line."""
    wanted = len(names) + skip
    for number, line in rows:
        if len(line.split()) != wanted:
            raise refusal(
                "{where}: {found} columns instead of {columns}",
                where=f"{where}, line {number}",
                found=len(line.split()),
                columns=wanted,
            )
    if not rows:
        return np.empty((len(names), 0))
    text = io.StringIO("\n".join(line for _, line in rows))
    try:
        found = np.loadtxt(text, comments=None, usecols=range(skip, wanted), ndmin=2).T
    except ValueError as error:
        for number, line in rows:
            for name, word in zip(names, line.split()[skip:], strict=True):
                if not is_number(word):
                    what = f"{name}: {shown(word)}"
                    raise refusal(
                        "{where}: {what} is not a number", where=f"{where}, line {number}", what=what
                    ) from None
        raise refusal("{name}: cannot be read: {reason}", name=where, reason=shown(str(error))) from None
    check_sizes(dict(zip(names, found, strict=True)), where)
    return np.where(np.isfinite(found), found, np.nan)
