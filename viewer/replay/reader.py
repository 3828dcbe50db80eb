"""Logs of other engines: a CSV with times and orientations, angular velocities or both, read as it stands.

Lines "# key: value" before the table may say what the numbers mean:

    # source: MuJoCo 4.0.0, integrator Euler
    # moments: 1.33, 6.93, 7.73              kg m2, about the body axes of the log
    # quaternion: wxyz, world from body      or xyzw; or body from world
    # angular velocity: body, rad/s          or world; deg/s, rpm
    # time: s                                or ms

Columns are told by the names that recorders and engines give them, decimal commas where semicolons or tabs separate.
"""

import csv
import io
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from viewer.common import input_files
from viewer.common.errors import InputError, nearest, shown

Array = NDArray[np.float64]
Progress = Callable[[float], None]

LARGEST_FILE = 512 * 2**20  # bytes
MOST_ROWS = 5_000_000
LONGEST_HEADER = 200  # lines of comments
LONGEST_LINE = 65_536  # characters
LONGEST_WORDS = 200  # characters of what a comment declares
FEWEST_ROWS = 8
LARGEST_NUMBER = 1e30  # in any unit: squares and products of such numbers are finite
SMALLEST_MOMENT = 1e-30  # kg m2
TOLD_EVERY = 10_000  # lines between two reports of progress

ORDERS = ("wxyz", "xyzw")
TURNS = ("world from body", "body from world")
FRAMES = ("body", "world")
RATE_UNITS = {"rad/s": 1.0, "deg/s": np.pi / 180.0, "rpm": np.pi / 30.0}
TIME_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0, "d": 86400.0}


def no_progress(fraction: float) -> None:
    """Progress that nobody looks at."""


@dataclass(frozen=True)
class Conventions:
    """What the numbers of a log mean; None: not said, to be found out."""

    order: str | None = None
    turn: str | None = None
    rate_frame: str | None = None
    rate_unit: str | None = None
    time_unit: str | None = None
    moments: tuple[float, float, float] | None = None
    source: str = ""

    def where(self, name: str, value: str) -> "Conventions":
        """A copy with one of them changed."""
        changes: dict[str, Any] = {name: value}
        return replace(self, **changes)

    def over(self, other: "Conventions") -> "Conventions":
        """These where they say something, else the other's."""
        said = {name: value for name, value in vars(self).items() if value not in (None, "")}
        return replace(other, **said)


@dataclass(frozen=True, eq=False)
class Log:
    """The numbers as they stand in the file: time (N,), quaternion (N, 4), rates (N, 3), each in the file's own units
    and order; None where the file has none. `name`: the file's. `doubts`: what was taken for granted while reading.
    """

    name: str
    time: Array
    quaternion: Array | None
    rates: Array | None
    said: Conventions
    doubts: tuple[str, ...] = field(default=())


def read_log(path: str | os.PathLike[str], progress: Progress = no_progress) -> Log:
    """The log in a file; raises InputError, naming line and column, where it is none.

    `progress` is told now and then what fraction has been read; what it raises ends the reading.
    """
    name = input_files.name_shown(os.path.basename(os.fspath(path)))
    with input_files.open_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > LARGEST_FILE:
            raise InputError(f"{name}: is larger than {LARGEST_FILE // 2**20} MB, which no log needs")
        try:
            with io.TextIOWrapper(file, encoding="utf-8-sig") as text:
                return _parsed(_Lines(text, name, lambda: progress(file.tell() / max(size, 1))), name)
        except UnicodeDecodeError:
            raise InputError(f"{name}: is not a text file in UTF-8; a log is a CSV") from None
        except OSError as error:
            raise InputError(f"{name}: cannot be read: {error.strerror or error}") from None


def parse_log(text: str, name: str = "log") -> Log:
    """The log that a text is; `name` stands in the errors."""
    return _parsed(_Lines(io.StringIO(text, newline=None), name), name)


class _Lines:
    """The lines of a log that hold something: comments too until `head` has been read, and rows from then on."""

    def __init__(self, text: TextIO, name: str, progress: Callable[[], None] = lambda: None) -> None:
        self._text, self._name, self._progress = text, name, progress
        self.number = 0  # of the line that was read last, from 1
        self.line = ""

    def next(self) -> bool:
        """Reads one more into `line`; whether there was one."""
        self.line = self._text.readline(LONGEST_LINE + 1)
        self.number += 1
        if len(self.line) > LONGEST_LINE:
            raise InputError(f"{self.where()}: is longer than {LONGEST_LINE} characters")
        if self.number % TOLD_EVERY == 0:
            self._progress()
        return self.line != ""

    def head(self) -> list[str]:
        """The comments before the table, whose first line is `line` then."""
        comments: list[str] = []
        while self.next() and self.number <= LONGEST_HEADER:
            if _holds_data(self.line):
                return comments
            comments.append(self.line)
        raise InputError(f"{self._name}: there is no table of numbers in it")

    def rows(self, columns: int, delimiter: str | None, begun: bool) -> Iterator[str]:
        """The rows that follow, and the present one if the table has `begun`; each has so many columns."""
        count = 0
        while begun or self.next():
            begun = False
            if not _holds_data(self.line):
                continue
            if self.line.count('"') % 2:
                raise InputError(f"{self.where()}: a quote is not closed")
            found = len(_cells(self.line, delimiter))
            if found != columns:
                raise InputError(f"{self.where()}: {found} columns; there should be {columns}")
            count += 1
            if count > MOST_ROWS:
                raise InputError(f"{self._name}: has more than {MOST_ROWS} rows")
            yield self.line if delimiter == "," else self.line.replace(",", ".")

    def where(self) -> str:
        """What stands in an error."""
        return f"{self._name}, line {self.number}"


def _holds_data(line: str) -> bool:
    line = line.strip()
    return line != "" and not line.startswith("#")


def _cells(line: str, delimiter: str | None) -> list[str]:
    """What stands between the delimiters, None for spaces; quotes around a cell are no part of it."""
    if delimiter is None:
        return line.split()
    return (
        next(csv.reader([line], delimiter=delimiter)) if '"' in line else line.rstrip("\n").split(delimiter)
    )


def _parsed(lines: _Lines, name: str) -> Log:
    comments = lines.head()
    said = _declared(comments, name)
    delimiter = next((mark for mark in ";\t," if mark in lines.line), None)
    cells = _cells(lines.line, delimiter)
    doubts: list[str] = []
    unnamed = all(_is_number(cell if delimiter == "," else cell.replace(",", ".")) for cell in cells)
    in_comment = _cells(comments[-1].strip().lstrip("#% \t"), delimiter) if unnamed and comments else []
    if len(in_comment) == len(cells):
        cells = in_comment
        roles, in_names = _roles(cells, f"{name}, line {lines.number - 1}")
    elif unnamed:
        roles, in_names = _roles_by_count(cells, lines.where()), Conventions()
        doubts.append(f"there is no line of column names: took the columns for {', '.join(roles)}")
    else:
        roles, in_names = _roles(cells, lines.where())
    table = _finite(_numbers(lines, delimiter, roles, unnamed), name, doubts)
    time = table["t"]
    if not (np.diff(time) > 0.0).all():
        at = int(np.argmin(np.diff(time) > 0.0))
        raise InputError(f"{name}: t: the times do not grow at row {at + 2} of the table")
    return Log(
        name, time, _columns(table, ("qw", "qx", "qy", "qz")), _columns(table, ("wx", "wy", "wz")),
        (replace(said, order=in_names.order) if in_names.order else said).over(in_names), tuple(doubts),
    )  # fmt: skip


def conventions(
    quaternion: str = "", angular_velocity: str = "", time: str = "", moments: str = "", source: str = ""
) -> Conventions:
    """What the words of a header or of the command line say; raises InputError where they say nothing known."""
    said = Conventions(source=source)
    for what, words, kinds in (
        ("quaternion", quaternion, (("order", ORDERS), ("turn", TURNS))),
        ("angular velocity", angular_velocity, (("rate_frame", FRAMES), ("rate_unit", tuple(RATE_UNITS)))),
        ("time", time, (("time_unit", tuple(TIME_UNITS)),)),
    ):
        allowed = [word for _, choices in kinds for word in choices]
        for word in (part.strip().lower() for part in words.split(",") if part.strip()):
            kind = next((kind for kind, choices in kinds if word in choices), None)
            if kind is None:
                raise InputError(
                    f"{what}: {shown(word)} is unknown; {nearest(word, allowed)}allowed are {', '.join(allowed)}"
                )
            said = said.where(kind, word)
    return replace(said, moments=_moments(moments)) if moments.strip() else said


def _moments(words: str) -> tuple[float, float, float]:
    try:
        a, b, c = (float(word) for word in words.split(","))
    except ValueError:
        raise InputError(f"moments: {shown(words)} is not three numbers such as 1, 2, 2.5") from None
    if not all(SMALLEST_MOMENT <= value <= LARGEST_NUMBER for value in (a, b, c)):
        raise InputError(
            f"moments: {shown(words)} is not allowed; they must be positive, {SMALLEST_MOMENT:g}..{LARGEST_NUMBER:g}"
        )
    return a, b, c


def _declared(lines: list[str], name: str) -> Conventions:
    """What the comments before the table say; other comments are left alone."""
    keys = {"quaternion", "angular velocity", "time", "moments", "source"}
    found = {}
    for line in lines:
        key, colon, value = line.lstrip("# \t").partition(":")
        if colon and key.strip().lower() in keys:
            found[key.strip().lower().replace(" ", "_")] = _readable(value.strip())
    try:
        return conventions(**found)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _readable(words: str) -> str:
    """Without what could steer a terminal, and not too long for a title."""
    return "".join(letter if letter.isprintable() else "?" for letter in words)[:LONGEST_WORDS]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _roles_by_count(cells: list[str], where: str) -> list[str]:
    rates, turn = ["wx", "wy", "wz"], ["qw", "qx", "qy", "qz"]
    known = {4: ["t", *rates], 5: ["t", *turn], 8: ["t", *turn, *rates]}
    if len(cells) not in known:
        raise InputError(
            f"{where}: {len(cells)} columns without names; allowed are t and 3 rates, t and a quaternion, or t and both"
        )
    return known[len(cells)]


_BEFORE = r"(?P<before>([a-z0-9]+_)*?)"  # what stands before, such as pose. of a message in a bag
_TIME = re.compile(
    _BEFORE + r"(t|time|time_?stamp|header_stamp|seconds|seconds_elapsed|sim_?time|elapsed|elapsed_time)"
    r"(_?(?P<unit>s|ms|us|ns|sec|msec|usec|nsec|min|h|d))?"
)
_QUATERNION = re.compile(
    _BEFORE + r"(q|quat|quaternion|orientation|rot|rotation|attitude|q_rs)_?(q_?)?(?P<part>[wxyz]|[0-3])(_r)?"
)
_RATE = re.compile(
    _BEFORE
    + r"((w|omega|gyro|gyr|gyroscope|gyro_?adc|gyro_rad|ang_?vel|angular(_?velocity|_?rate)?|rotation_?rate|w_rs_s)_?"
    r"(?P<frame>body|world|b|w|local|global|space)?_?(?P<part>[xyz]|[0-2])|(?P<about>roll|pitch|yaw)_?speed)"
    r"(_(?P<unit>rad_?(per_)?s(ec)?(_1)?|deg(rees?)?_?(per_)?s(ec)?(_1)?|dps|rpm))?"
)
_OTHERS = {
    "b",
    "bias",
    "cmd",
    "command",
    "delta",
    "desired",
    "error",
    "goal",
    "setpoint",
    "sp",
    "std",
    "target",
}
_NUMBERED = {"0": "w", "1": "x", "2": "y", "3": "z"}
_AXES = {"0": "x", "1": "y", "2": "z", "roll": "x", "pitch": "y", "yaw": "z"}
_FRAME_WORDS = {"b": "body", "local": "body", "w": "world", "global": "world", "space": "world"}
_SHORT_UNITS = {"sec": "s", "msec": "ms", "usec": "us", "nsec": "ns"}


def _roles(cells: list[str], where: str) -> tuple[list[str], Conventions]:
    """What each column is, "" for one that is not needed, and what the names say of units and frames."""
    words = [_word(cell) for cell in cells]
    roles, said = [""] * len(cells), Conventions()
    times = _matches(_TIME, words)
    if times:  # the one that says its unit, if one does
        index, found = next((one for one in times if one[1]["unit"] or "seconds" in one[1][0]), times[0])
        unit = "s" if "seconds" in found[0] else found["unit"]
        roles[index], said = "t", replace(said, time_unit=_SHORT_UNITS.get(unit, unit))
    for index, found in _matches(_QUATERNION, words):
        roles[index] = "q" + _NUMBERED.get(found["part"], found["part"])
        if found["part"] in "wxyz":  # numbers may be in either order, names are not
            said = replace(said, order="wxyz")
    for index, found in _matches(_RATE, words):
        part = found["about"] or found["part"]
        role = "w" + _AXES.get(part, part)
        frame = _FRAME_WORDS.get(found["frame"], found["frame"])
        if role in roles and not found["before"]:  # rates in the body and in space: the first ones are taken
            continue
        unit = {"rad": "rad/s", "deg": "deg/s", "dps": "deg/s", "rpm": "rpm"}.get((found["unit"] or "")[:3])
        said = replace(said, rate_frame=frame or said.rate_frame, rate_unit=unit or said.rate_unit)
        roles[index] = role
    for group in (("t",), ("qw", "qx", "qy", "qz"), ("wx", "wy", "wz")):
        missing = [part for part in group if part not in roles]
        if missing and (len(missing) < len(group) or group == ("t",)):
            raise InputError(f"{where}: there is no column {', '.join(missing)}")
        for part in group:
            if roles.count(part) > 1:
                same = [shown(cell.strip()) for cell, role in zip(cells, roles, strict=True) if role == part]
                raise InputError(
                    f"{where}: there are two columns for {part}: {' and '.join(same[:2])}; leave one"
                )
    if "qw" not in roles and "wx" not in roles:
        raise InputError(
            f"{where}: there are neither columns qw, qx, qy, qz nor wx, wy, wz; one of them is needed"
        )
    return roles, said


def _word(cell: str) -> str:
    """A column's name in small letters, with _ for all else but digits."""
    name = cell.strip().lower().replace("ω", "omega").replace("°", "deg")
    return re.sub(r"[^a-z0-9]+", "_", name).strip("_")


def _matches(pattern: re.Pattern[str], words: list[str]) -> list[tuple[int, re.Match[str]]]:
    """The columns whose names the pattern knows: whole names if there are such, else those with something before that
    does not make them another quantity."""
    found = [
        (index, match)
        for index, word in enumerate(words)
        if (match := pattern.fullmatch(word[:LONGEST_WORDS]))
        and not _OTHERS.intersection(match["before"].split("_"))
    ]
    return [one for one in found if not one[1]["before"]] or found


def _numbers(lines: _Lines, delimiter: str | None, roles: list[str], begun: bool) -> dict[str, Array]:
    """The columns (N,) by their roles."""
    wanted = [index for index, role in enumerate(roles) if role]
    rows = lines.rows(len(roles), delimiter, begun)
    try:
        first = next(rows, None)
        if first is None:
            return {role: np.empty(0) for role in roles if role}
        table = np.loadtxt(
            chain([first], rows), delimiter=delimiter, quotechar='"', comments=None, usecols=wanted, ndmin=2
        )
    except InputError:
        raise
    except ValueError:
        cells = _cells(lines.line, delimiter)
        cells = cells if delimiter == "," else [cell.replace(",", ".") for cell in cells]
        bad = [index for index in wanted if not _is_number(cells[index])]
        if not bad:
            raise
        what = f"{roles[bad[0]]}: {shown(cells[bad[0]].strip())}"
        raise InputError(f"{lines.where()}: {what} is not a number") from None
    return {roles[index]: column for index, column in zip(wanted, table.T, strict=True)}


def _finite(table: dict[str, Array], name: str, doubts: list[str]) -> dict[str, Array]:
    """The rows whose numbers are all finite and within bounds; a doubt for those that are left out."""
    finite = np.logical_and.reduce([np.isfinite(column) for column in table.values()])
    if finite.sum() < FEWEST_ROWS:
        raise InputError(f"{name}: rows of finite numbers: {finite.sum()}; at least {FEWEST_ROWS} are needed")
    if not finite.all():
        end, first = int(np.flatnonzero(finite)[-1]) + 1, int(np.argmin(finite)) + 1
        between = int(np.count_nonzero(~finite[:end]))
        if between:
            doubts.append(f"left out {between} of the rows, which hold nan or inf; the first is row {first}")
        if end < len(finite):  # an engine that diverged
            doubts.append(f"the numbers end at row {end} of {len(finite)}: what follows is not finite")
    for role, column in table.items():
        worst = float(np.abs(column[finite]).max())
        if worst > LARGEST_NUMBER:
            raise InputError(f"{name}: {role}: {worst:g} is outside -{LARGEST_NUMBER:g}..{LARGEST_NUMBER:g}")
    return {role: column[finite] for role, column in table.items()}


def _columns(table: dict[str, Array], wanted: tuple[str, ...]) -> Array | None:
    return np.stack([table[role] for role in wanted], axis=1) if wanted[0] in table else None
