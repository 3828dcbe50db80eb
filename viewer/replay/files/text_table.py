"""Tables as text: comments, a line of column names, rows; delimited by commas, semicolons, tabs, bars or spaces.

If the delimiter is not the comma, decimal commas are read as well.
"""

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import repeat
from math import inf
from typing import TextIO

import numpy as np

from viewer.common.errors import InputError, refusal, shown
from viewer.common.language import tr
from viewer.physics.rotation import Array
from viewer.replay.files.column_names import BRACKETS, guessed_roles, unit_of
from viewer.replay.files.source import Member
from viewer.replay.raw_recording import QUATERNION, RATES

COMMENTS = "#", "% "  # begin a line; the second in files of MATLAB, while "%time" is a name in those of ROS
LONGEST_HEADER = 200  # lines before the table
MOST_ROWS = 20_000_000
LONGEST_LINE = 65_536  # characters
DATED = re.compile(r'\s*"?\d{4}-\d\d-\d\d[T ]\d\d:\d\d')
NO_NUMBER = frozenset(("", "nan", "na", "n/a", "null", "none", "-", "--"))  # in a cell: nothing was measured
CHUNK = 2**18  # characters that are read at once
MOST_BROKEN = 20  # lines over which a name in quotes may run
SPREADSHEET = re.compile(r'"?sep=.?"?')  # a line that tells a spreadsheet the delimiter


@dataclass(frozen=True)
class TextTable:
    """A table in a text file, whose head has been read.

    `names` are the names of its columns, or None if they have none, and `columns` is their number; `comments` are the
    lines before the table; `skipped` counts the lines before its rows; `where` names the file in errors. `codes` has a
    function for each column of words, by the index of the column; it turns a word into a number. A row in which such a
    number is negative is left out, and may have any number of cells.
    """

    member: Member
    where: str
    names: list[str] | None
    columns: int
    delimiter: str | None
    skipped: int
    comments: list[str] = field(default_factory=list)
    codes: Mapping[int | str, Callable[[str], float]] = field(default_factory=dict)

    @property
    def line(self) -> str:
        """File and line of the column names, or of the first row if there are no names, for errors."""
        return f"{self.where}, line {max(self.skipped, 1) if self.names else self.skipped + 1}"

    def read(
        self, used: Sequence[int], progress: Callable[[float], None], warnings: list[str], enough: float = inf
    ) -> Array:
        """Return the columns with these indices (len(used), N), nan where a cell is empty. Raises InputError.

        `progress` is called with the fraction that is read; an exception from it ends the reading. Reading may stop
        after `enough` rows; more may be returned.
        """
        parts, count = [], 0
        with self.member.text() as text:
            for _ in range(self.skipped):
                text.readline()
            for lines, number, fraction, last in _chunks(text, self):
                part = _numbers(lines, number, self, used, last, warnings)
                count += len(part)
                if count > MOST_ROWS:
                    raise refusal("{name}: has more than {most} rows", name=self.where, most=MOST_ROWS)
                parts.append(np.ascontiguousarray(part.T))
                progress(fraction)
                if count >= enough:
                    break
        return np.concatenate(parts, axis=1) if parts else np.empty((len(used), 0))


def text_table(member: Member, where: str, begin: int = 0) -> TextTable:
    """Return the first table of a text file after `begin` lines. Raises InputError if there is none."""
    if member.encoding is None:
        raise refusal("{name}: is not a text file; a recording is a table of numbers", name=where)
    comments: list[str] = []
    with member.text() as text:
        for _ in range(begin):
            text.readline(LONGEST_LINE + 1)
        number = begin
        while number < begin + LONGEST_HEADER:
            line, number = text.readline(LONGEST_LINE + 1), number + 1
            if len(line) > LONGEST_LINE:
                raise too_long(where, number)
            if line == "":
                break
            if not _holds_data(line) or SPREADSHEET.fullmatch(line.strip().lower()):
                comments.append(line)
                continue
            first = number
            while line.count('"') % 2 and number - first < MOST_BROKEN:
                more = text.readline(LONGEST_LINE + 1)
                if more == "":
                    break
                line, number = line.rstrip("\n") + " " + more, number + 1
            if line.count('"') % 2:
                raise refusal("{where}: unclosed quote", where=f"{where}, line {first}")
            return _after_preamble(_head(member, where, line, number, comments), text)
    raise refusal("{name}: contains no table of numbers", name=where)


def _head(member: Member, where: str, line: str, number: int, comments: list[str]) -> TextTable:
    bare = "".join(line.split('"')[::2])
    delimiter = next((mark for mark in ";\t|," if mark in bare), None)
    cells = cells_of(line, delimiter)
    if not all(is_number(cell if delimiter == "," else cell.replace(",", ".")) for cell in cells):
        return TextTable(member, where, [cell.strip() for cell in cells], len(cells), delimiter, number, comments)
    names = _names_in(comments, delimiter, len(cells))
    return TextTable(member, where, names, len(cells), delimiter, number - 1, comments)


def _names_in(comments: Sequence[str], delimiter: str | None, count: int) -> list[str] | None:
    """Return the names of `count` columns that a comment lists: those of a motion, or any in the last comment."""
    said = [cells_of(comment.strip().lstrip("#% \t"), delimiter) for comment in reversed(comments)]
    listed = [[word.strip() for word in words] for words in said if len(words) == count]
    motions = (names for names in listed if {*QUATERNION} <= (roles := {*guessed_roles(names)[0]}) or {*RATES} <= roles)
    return next(motions, listed[0] if said and len(said[0]) == count else None)


def _after_preamble(head: TextTable, text: TextIO) -> TextTable:
    """Return the head of the table, whose column names are in the line before the first row of numbers.

    `head` may be a line in which a recorder describes itself: such lines have fewer cells than the rows. It may also
    hold the names of groups of columns, and the next line what each column of a group is. `text` has been read up to
    that line.
    """
    number, before = head.skipped, head
    while head.names is not None and number < head.skipped + LONGEST_HEADER:
        line, number = text.readline(LONGEST_LINE + 1), number + 1
        if line == "" or len(line) > LONGEST_LINE or line.count('"') % 2:
            break
        if not _holds_data(line):
            continue
        own = _head(head.member, head.where, line, number, head.comments)
        cells = [cell.strip().lower() for cell in cells_of(line, own.delimiter)]
        if all(cell in NO_NUMBER or is_number(cell.replace(",", ".")) for cell in cells):
            return before if before.columns == own.columns != head.columns else head
        if before is head and own.columns == head.columns and (units := _units_of(own)):
            names = [f"{name} ({unit})" if unit else name for name, unit in zip(head.names, units, strict=True)]
            return replace(head, names=names, skipped=number)
        if before is head and own.columns == head.columns and len(set(head.names)) < len(head.names):
            head = own = replace(head, names=_grouped(head.names, own.names or []), skipped=number)
        before = own
    return head


def _grouped(groups: Sequence[str], parts: Sequence[str]) -> list[str]:
    """Return the names of columns whose groups are named in one line, and their parts in the next.

    An empty name of a group stands for the group to its left; the unit of a group is that of each part.
    """
    names, group = [], ""
    for own, part in zip(groups, parts, strict=True):
        group = own or group
        unit = BRACKETS.search(group)
        name, unit_shown = (group[: unit.start()].rstrip(), f" {unit[0]}") if unit and part else (group, "")
        names.append(f"{name} {part}".rstrip() + unit_shown)
    return names


def _units_of(line: TextTable) -> list[str]:
    """Return the units of the columns if this line holds units, "" for a column without one; else an empty list."""
    cells = [cell.strip(" ()[]") for cell in line.names or ()]
    return cells if any(unit_of(f"({cell})")[0] for cell in cells) else []


def _chunks(text: TextIO, head: TextTable) -> Iterator[tuple[list[str], int, float, bool]]:
    """Yield blocks: the lines, the number of the first, the fraction read so far, and whether it is the last block."""
    number, rest, ended, read = head.skipped + 1, "", False, 0
    while not ended:
        block = text.read(CHUNK)
        ended, read = block == "", read + len(block)
        lines = (rest + block).split("\n")
        rest = "" if ended else lines.pop()
        if len(rest) > LONGEST_LINE:
            raise too_long(head.where, number + len(lines))
        yield lines, number, min(read / max(head.member.size, 1), 1.0), ended
        number += len(lines)


def _numbers(
    lines: list[str], number: int, head: TextTable, used: Sequence[int], last: bool, warnings: list[str]
) -> Array:
    """Return the rows of numbers (N, len(used)) in some lines; `number` is the line number of the first."""
    delimiter, rows = head.delimiter, lines
    if "" in rows or not {line[:1] for line in rows}.isdisjoint("#% \t"):
        rows = [line for line in rows if _holds_data(line)]
    if not rows:
        return np.empty((0, len(used)))
    if delimiter != ",":
        rows = [line.replace(",", ".") if "," in line else line for line in rows]
    if head.codes and _irregular(rows, delimiter, head.columns):
        rows = [row for row in rows if not _is_unwanted(row.split(delimiter), head)]
    if (
        max(map(len, rows), default=0) <= LONGEST_LINE
        and not any(quotes % 2 for quotes in _counts(rows, '"'))
        and not _irregular(rows, delimiter, head.columns)
    ):
        try:
            return np.loadtxt(
                rows, delimiter=delimiter, quotechar='"', comments=None, usecols=used, ndmin=2, converters=head.codes
            )
        except ValueError:
            pass
    return _slowly(lines, number, head, used, last, warnings)


def _is_unwanted(cells: list[str], head: TextTable) -> bool:
    """Tell whether one of the `codes` says that the row is left out."""
    return any(code(cells[int(index)]) < 0.0 for index, code in head.codes.items() if int(index) < len(cells))


def _irregular(rows: list[str], delimiter: str | None, columns: int) -> bool:
    """Tell whether some rows may have more or fewer cells than there are columns."""
    if delimiter is None:
        return any(len(row.split()) != columns for row in rows)
    return _counts(rows, delimiter) != {columns - 1}


def _counts(rows: list[str], mark: str) -> set[int]:
    """Return the different numbers of times that the mark occurs in a row."""
    return set(map(str.count, rows, repeat(mark)))


def _slowly(
    lines: list[str], number: int, head: TextTable, used: Sequence[int], last: bool, warnings: list[str]
) -> Array:
    """Return what `_numbers` returns, reading cell by cell. Raises InputError, which names the line."""
    found: list[list[float]] = []
    kept = [(at, line) for at, line in enumerate(lines, number) if _holds_data(line)]
    for place, (at, line) in enumerate(kept):
        where = f"{head.where}, line {at}"
        if len(line) > LONGEST_LINE:
            raise too_long(head.where, at)
        if line.count('"') % 2:
            raise refusal("{where}: unclosed quote", where=where)
        cells = cells_of(line, head.delimiter)
        if len(cells) != head.columns:
            if _is_unwanted(cells, head):
                continue
            begun = bool(found) or number > head.skipped + 1
            if last and begun and place == len(kept) - 1 and len(cells) < head.columns:
                warnings.append(tr("left out the last row: it is not complete"))
                break
            text = "{where}: {found} columns instead of {columns}"
            raise refusal(text, where=where, found=len(cells), columns=head.columns)
        first, *others = used
        moment = moment_of(cells[first])  # times alone may be dates
        row = [_number(cells[first], first, head, where) if moment is None else moment]
        found.append(row + [_number(cells[index], index, head, where) for index in others])
    return np.array(found, float).reshape(-1, len(used))


def _number(cell: str, index: int, head: TextTable, where: str) -> float:
    if index in head.codes:
        return head.codes[index](cell)
    plain = cell if head.delimiter == "," else cell.replace(",", ".")
    if plain.strip().lower() in NO_NUMBER:
        return float("nan")
    if not is_number(plain):
        name = head.names[index] if head.names else str(index + 1)
        what = f"{shown(name) if not name.isprintable() else name[:40]}: {shown(cell.strip())}"
        raise refusal("{where}: {what} is not a number", where=where, what=what)
    return float(plain)


def cells_of(line: str, delimiter: str | None) -> list[str]:
    """Return the cells of a line without their quotes; the delimiter None stands for white space."""
    if delimiter is None:
        return [cell.strip('"') for cell in line.split()]
    return next(csv.reader([line], delimiter=delimiter)) if '"' in line else line.rstrip("\n").split(delimiter)


def is_number(cell: str) -> bool:
    """Tell whether a cell holds a number as files write it; 1_000 is none."""
    try:
        float(cell)
    except ValueError:
        return False
    return cell.isascii() and "_" not in cell


def moment_of(cell: str) -> float | None:
    """Return the seconds since 1970 of a date with a time of day in ISO 8601; None if the cell holds anything else.

    A date without a zone is in UTC.
    """
    if not DATED.match(cell):
        return None
    try:
        moment = datetime.fromisoformat(cell.strip().strip('"').replace(",", "."))
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def too_long(where: str, number: int) -> InputError:
    """Return the error for a line that is too long."""
    return refusal(
        "{where}: is longer than {longest} characters", where=f"{where}, line {number}", longest=LONGEST_LINE
    )


def _holds_data(line: str) -> bool:
    line = line.strip()
    return line != "" and not line.startswith(COMMENTS)
