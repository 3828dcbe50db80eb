"""The tables and the recordings in a source.

Only the head of a table is read until its numbers are wanted. If an archive or folder holds several recordings, each
has the members that belong to it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from math import inf
from typing import Protocol

import numpy as np

from viewer.common.errors import InputError, refusal, shown
from viewer.common.language import tr
from viewer.replay.files.arrays import ArrayTable, array_table
from viewer.replay.files.column_names import time_column
from viewer.replay.files.source import Member, Source
from viewer.replay.files.text_table import TextTable, text_table
from viewer.replay.raw_recording import Array, check_sizes

MOST_SHOWN = 6  # names in a line


class Table(Protocol):
    """A table: columns of numbers, with or without names; errors begin with `where` or `line`."""

    @property
    def where(self) -> str:
        """The file, for errors."""

    @property
    def line(self) -> str:
        """File and line of the names, for errors."""

    @property
    def names(self) -> list[str] | None:
        """The names of the columns, or None if they have none."""

    @property
    def columns(self) -> int:
        """The number of columns."""

    @property
    def comments(self) -> list[str]:
        """The lines of comments before the table."""

    def read(
        self, used: Sequence[int], progress: Callable[[float], None], warnings: list[str], enough: float = inf
    ) -> Array:
        """Return the columns with these indices (len(used), N), nan where a cell is empty. Raises InputError.

        Reading may stop after `enough` rows; more may be returned.
        """


class Contents:
    """The contents of a source; `step` is the time [s] between the rows of tables without times, or None."""

    def __init__(self, source: Source, step: float | None = None) -> None:
        self.source, self.name, self.step = source, source.name, step

    @cached_property
    def text_tables(self) -> list[TextTable]:
        """The tables in its text files. Raises InputError if the source is a single file without a table."""
        return list(self._text_tables())

    def _text_tables(self) -> Iterator[TextTable]:
        for member in self.source.members:
            try:
                yield text_table(member, self.source.shown(member))
            except InputError:
                if member is self.source.only and self._arrays is None:
                    raise

    @cached_property
    def tables(self) -> list[Table]:
        """The table of its arrays, if there is one, and the tables in its text files."""
        return [*([] if self._arrays is None else [self._arrays]), *self.text_tables]

    @cached_property
    def _arrays(self) -> ArrayTable | None:
        return array_table(self.source)

    @cached_property
    def named(self) -> list[tuple[Table, list[str]]]:
        """The tables whose columns have names, each with these names."""
        return [(table, table.names) for table in self.tables if table.names is not None]

    def begins(self, *marks: str) -> Iterator[Member]:
        """Return the text files that begin, after white space and in any case of letters, with one of these marks.

        The marks are in small letters.
        """
        return (member for member in self.source.texts() if member.text_start.lstrip().lower().startswith(marks))

    def member(self, base: str) -> Member | None:
        """Return the member of this name, whatever its folder and the case of its letters, or None."""
        return next((member for member in self.source.members if member.base.lower() == base.lower()), None)


def timed_columns(
    contents: Contents, table: Table, roles: dict[str, int], progress: Callable[[float], None], warnings: list[str]
) -> tuple[dict[str, Array], str | None]:
    """Return the columns (N,) by their roles, with the times as "t", and the unit of time that their name gives.

    If there is no column of times, the rows are `contents.step` apart. Raises InputError.
    """
    time, unit = time_column(table.names or [])
    if time is not None:
        return columns_of(table, {"t": time} | roles, progress, warnings), unit
    columns = columns_of(table, roles, progress, warnings)
    return columns | {"t": stepped_times(contents.step, table, columns)}, "s"


def stepped_times(step: float | None, table: Table, columns: Mapping[str, Array]) -> Array:
    """Return times for the rows of these columns, `step` [s] apart. Raises InputError if that is None."""
    if step is None:
        raise refusal("{where}: no column of times; --step SECONDS says how far its rows are apart", where=table.line)
    return step * np.arange(max((len(column) for column in columns.values()), default=0), dtype=float)


def columns_of(
    table: Table, roles: dict[str, int], progress: Callable[[float], None], warnings: list[str]
) -> dict[str, Array]:
    """Return the columns (N,) of a table by their roles, with nan in place of numbers that are not finite.

    Raises InputError, also if a number is too large to compute with.
    """
    columns = dict(zip(roles, table.read(list(roles.values()), progress, warnings), strict=True))
    check_sizes(columns, table.where)
    return {role: np.where(np.isfinite(column), column, np.nan) for role, column in columns.items()}


def one_recording(source: Source, holds_one: Callable[[Source], bool], by_folder: bool = False) -> Source:
    """Return the source with only the members of one recording. Raises InputError if none has the wanted name.

    It is the recording that the path names, or else the first one, with a warning that names the others. `holds_one`
    tells whether a source of a single member is a recording. If `by_folder`, all members of a folder belong to one
    recording.
    """
    chosen = _wanted(source)
    if not source.packed or len(source.members) < 2:
        return source
    mains = [member for member in source.members if member.encoding and holds_one(_with(source, [member]))]
    if by_folder:
        mains = list({member.folder: member for member in mains}.values())
    found = [main for main in mains if main in chosen]
    if not found:
        return _with(source, chosen)
    if len(mains) < 2:
        return source
    folders = {main.folder for main in mains}
    kept = [
        member
        for member in source.members
        if member is found[0] or (member not in mains and _nearest(member, folders) in (None, found[0].folder))
    ]
    warnings = source.warnings
    if len(found) > 1:
        names = [(main.folder if by_folder else "") or main.name for main in found]
        text = tr("holds {count} recordings, {names}; read is {first}, another one by its path: {path}")
        path = shown(f"{source.name}/{names[1]}")
        remark = text.format(count=len(names), names=_listed(names), first=shown(names[0]), path=path)
        warnings = (*warnings, remark)
    return Source(source.name, kept, True, warnings)


def _wanted(source: Source) -> list[Member]:
    """Return the members that the path names: a single one, or those in a folder; all if it names none."""
    wanted = source.wanted
    if not wanted:
        return source.members
    found = [member for member in source.members if member.name == wanted or member.name.startswith(wanted + "/")]
    if not source.packed or not found:
        names = [member.name for member in source.members] if source.packed else [source.name]
        raise refusal(
            "{name}: holds no {inside}; it holds {names}",
            name=source.name,
            inside=shown(wanted),
            names=_listed(names),
        )
    return found


def _with(source: Source, members: list[Member]) -> Source:
    return Source(source.name, members, True, source.warnings)


def _nearest(member: Member, folders: set[str]) -> str | None:
    """Return the innermost of these folders that contains the member, or None."""
    around = [folder for folder in folders if not folder or f"{member.folder}/".startswith(folder + "/")]
    return max(around, key=len, default=None)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(shown(name) for name in names[:MOST_SHOWN]) + (", ..." if len(names) > MOST_SHOWN else "")
