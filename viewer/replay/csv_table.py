"""Tables as text: comments, a line of column names, rows; delimited by commas, semicolons, tabs or spaces.

Where the delimiter is not the comma, decimal commas are read as well.
"""

import csv
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError, refusal, shown
from viewer.common.language import tr
from viewer.replay.columns import roles_by_count, roles_by_name
from viewer.replay.conventions import Conventions, declared_in

Array = NDArray[np.float64]

MOST_ROWS = 5_000_000
LONGEST_HEADER = 200  # lines of comments
LONGEST_LINE = 65_536  # characters
PROGRESS_EVERY = 10_000  # lines


class Table(NamedTuple):
    """`columns`: (N,) by role, such as "t" or "qw". `declared`: by comments and column names."""

    columns: dict[str, Array]
    declared: Conventions
    warnings: list[str]


def read_table(text: TextIO, name: str, progress: Callable[[], None]) -> Table:
    """The table in a text. `name`: the file's, for errors; `progress` is called now and then. Raises InputError."""
    lines = _Lines(text, name, progress)
    comments = lines.head()
    declared = declared_in(comments, name)
    delimiter = next((mark for mark in ";\t," if mark in lines.line), None)
    cells = _cells(lines.line, delimiter)
    warnings: list[str] = []
    unnamed = all(_is_number(cell if delimiter == "," else cell.replace(",", ".")) for cell in cells)
    in_comment = _cells(comments[-1].strip().lstrip("#% \t"), delimiter) if unnamed and comments else []
    by_names = Conventions()
    if len(in_comment) == len(cells):
        roles, by_names = roles_by_name(in_comment, f"{name}, line {lines.number - 1}")
    elif unnamed:
        roles = roles_by_count(len(cells), lines.where())
        warnings.append(tr("no line of column names: columns taken as {names}").format(names=", ".join(roles)))
    else:
        roles, by_names = roles_by_name(cells, lines.where())
    if by_names.order:  # a column named qw is the scalar part, whatever a comment declares
        declared = replace(declared, order=by_names.order)
    return Table(_numbers(lines, delimiter, roles, unnamed), declared.filled_from(by_names), warnings)


class _Lines:
    """Reads a text line by line: first `head`, then `rows`."""

    def __init__(self, text: TextIO, name: str, progress: Callable[[], None]) -> None:
        self._text, self._name, self._progress = text, name, progress
        self.number = 0  # of the line that was read last, from 1
        self.line = ""

    def next(self) -> bool:
        """Reads the next one into `line`; False at the end."""
        self.line = self._text.readline(LONGEST_LINE + 1)
        self.number += 1
        if len(self.line) > LONGEST_LINE:
            raise refusal("{where}: is longer than {longest} characters", where=self.where(), longest=LONGEST_LINE)
        if self.number % PROGRESS_EVERY == 0:
            self._progress()
        return self.line != ""

    def head(self) -> list[str]:
        """The comments before the table; `line` is the table's first line then."""
        comments: list[str] = []
        while self.next() and self.number <= LONGEST_HEADER:
            if _holds_data(self.line):
                return comments
            comments.append(self.line)
        raise refusal("{name}: contains no table of numbers", name=self._name)

    def rows(self, columns: int, delimiter: str | None, begun: bool) -> Iterator[str]:
        """The rows from the next line on, or from the present one if the table has `begun`. Raises InputError where one
        has another number of `columns`."""
        count = 0
        while begun or self.next():
            begun = False
            if not _holds_data(self.line):
                continue
            if self.line.count('"') % 2:
                raise refusal("{where}: unclosed quote", where=self.where())
            if (found := len(_cells(self.line, delimiter))) != columns:
                raise refusal(
                    "{where}: {found} columns instead of {columns}", where=self.where(), found=found, columns=columns
                )
            count += 1
            if count > MOST_ROWS:
                raise refusal("{name}: has more than {most} rows", name=self._name, most=MOST_ROWS)
            yield self.line if delimiter == "," else self.line.replace(",", ".")

    def where(self) -> str:
        """File and line, for errors."""
        return f"{self._name}, line {self.number}"


def _numbers(lines: _Lines, delimiter: str | None, roles: list[str], begun: bool) -> dict[str, Array]:
    """The columns (N,) by their roles."""
    used = [index for index, role in enumerate(roles) if role]
    rows = lines.rows(len(roles), delimiter, begun)
    try:
        first = next(rows, None)
        if first is None:
            return {role: np.empty(0) for role in roles if role}
        table = np.loadtxt(
            chain([first], rows), delimiter=delimiter, quotechar='"', comments=None, usecols=used, ndmin=2
        )
    except InputError:
        raise
    except ValueError:
        cells = _cells(lines.line, delimiter)
        cells = cells if delimiter == "," else [cell.replace(",", ".") for cell in cells]
        bad = [index for index in used if not _is_number(cells[index])]
        if not bad:
            raise
        what = f"{roles[bad[0]]}: {shown(cells[bad[0]].strip())}"
        raise refusal("{where}: {what} is not a number", where=lines.where(), what=what) from None
    return {roles[index]: column for index, column in zip(used, table.T, strict=True)}


def _holds_data(line: str) -> bool:
    line = line.strip()
    return line != "" and not line.startswith("#")


def _cells(line: str, delimiter: str | None) -> list[str]:
    """The cells of a line without their quotes; delimiter None: white space."""
    if delimiter is None:
        return line.split()
    return next(csv.reader([line], delimiter=delimiter)) if '"' in line else line.rstrip("\n").split(delimiter)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
