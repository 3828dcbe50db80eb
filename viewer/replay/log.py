"""Logs of other engines: a CSV with times and orientations, angular velocities or both, read as it stands.

Lines "# key: value" before the table may say what the numbers mean:

    # source: MuJoCo 4.0.0, integrator Euler
    # moments: 1.33, 6.93, 7.73              kg m2, about the body axes of the log
    # quaternion: wxyz, world from body      or xyzw; or body from world
    # angular velocity: body, rad/s          or world; deg/s, rpm
    # time: s                                or ms
"""

import csv
import os
import re
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.errors import SceneError
from viewer.fields import nearest, shown

Array = NDArray[np.float64]

LARGEST_FILE = 512 * 2**20  # bytes
MOST_ROWS = 5_000_000
LONGEST_HEADER = 200  # lines of comments
FEWEST_ROWS = 8

ORDERS = ("wxyz", "xyzw")
TURNS = ("world from body", "body from world")
FRAMES = ("body", "world")
RATE_UNITS = {"rad/s": 1.0, "deg/s": np.pi / 180.0, "rpm": np.pi / 30.0}
TIME_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "min": 60.0, "h": 3600.0, "d": 86400.0}


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


def read_log(path: str | os.PathLike[str]) -> Log:
    """The log in a file; raises SceneError, naming line and column, where it is none."""
    name = os.path.basename(os.fspath(path))
    try:
        if os.path.getsize(path) > LARGEST_FILE:
            raise SceneError(f"{name}: is larger than {LARGEST_FILE // 2**20} MB, which no log needs")
        with open(path, encoding="utf-8-sig", newline="") as file:
            return parse_log(file.read(), name)
    except UnicodeDecodeError:
        raise SceneError(f"{name}: is no text file; a log is a CSV") from None
    except (OSError, ValueError) as error:
        if isinstance(error, SceneError):
            raise
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SceneError(f"{name}: cannot be read: {reason}") from None


def parse_log(text: str, name: str = "log") -> Log:
    """The log that a text is; `name` stands in the errors."""
    lines = text.splitlines()
    first = _first_line(lines, name)
    said = _declared(lines[:first], name)
    delimiter = max(",;\t", key=lines[first].count)
    cells = next(csv.reader([lines[first]], delimiter=delimiter))
    doubts: list[str] = []
    if all(_is_number(cell) for cell in cells):
        roles, in_names = _roles_by_count(len(cells), name, first), Conventions()
        doubts.append(f"there is no line of column names: took the columns for {', '.join(roles)}")
        start = first
    else:
        roles, in_names = _roles(cells, name, first)
        start = first + 1
    table = _numbers(lines, start, delimiter, roles, name)
    time = table[:, roles.index("t")]
    if not (np.diff(time) > 0.0).all():
        at = int(np.argmin(np.diff(time) > 0.0))
        raise SceneError(f"{name}: t: the times do not grow at row {at + 2} of the table")
    return Log(
        name, time, _columns(table, roles, ("qw", "qx", "qy", "qz")), _columns(table, roles, ("wx", "wy", "wz")),
        (replace(said, order=in_names.order) if in_names.order else said).over(in_names), tuple(doubts),
    )  # fmt: skip


def conventions(
    quaternion: str = "", angular_velocity: str = "", time: str = "", moments: str = "", source: str = ""
) -> Conventions:
    """What the words of a header or of the command line say; raises SceneError where they say nothing known."""
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
                raise SceneError(
                    f"{what}: {shown(word)} is unknown; {nearest(word, allowed)}allowed are {', '.join(allowed)}"
                )
            said = said.where(kind, word)
    return replace(said, moments=_moments(moments)) if moments.strip() else said


def _moments(words: str) -> tuple[float, float, float]:
    try:
        a, b, c = (float(word) for word in words.split(","))
    except ValueError:
        raise SceneError(f"moments: {shown(words)} is not three numbers such as 1, 2, 2.5") from None
    if not all(0.0 < value < np.inf for value in (a, b, c)):
        raise SceneError(f"moments: {shown(words)} is not allowed; they must be positive")
    return a, b, c


def _first_line(lines: list[str], name: str) -> int:
    """The first line that is neither empty nor a comment."""
    for index, line in enumerate(lines):
        if line.strip() and not line.lstrip().startswith("#"):
            return index
        if index >= LONGEST_HEADER:
            break
    raise SceneError(f"{name}: there is no table of numbers in it")


def _declared(lines: list[str], name: str) -> Conventions:
    """What the comments before the table say; other comments are left alone."""
    keys = {"quaternion", "angular velocity", "time", "moments", "source"}
    found = {}
    for line in lines:
        key, colon, value = line.lstrip("# \t").partition(":")
        if colon and key.strip().lower() in keys:
            found[key.strip().lower().replace(" ", "_")] = value.strip()
    try:
        return conventions(**found)
    except SceneError as error:
        raise SceneError(f"{name}: {error}") from None


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _roles_by_count(count: int, name: str, line: int) -> list[str]:
    rates, turn = ["wx", "wy", "wz"], ["qw", "qx", "qy", "qz"]
    known = {4: ["t", *rates], 5: ["t", *turn], 8: ["t", *turn, *rates]}
    if count not in known:
        raise SceneError(
            f"{name}, line {line + 1}: {count} columns without names; allowed are t and 3 rates, t and a"
            " quaternion, or t and both"
        )
    return known[count]


_TIME = re.compile(r"^(t|time|timestamp|seconds|sim_?time)(_(?P<unit>s|ms|us|min|h|d))?$")
_QUATERNION = re.compile(r"^(q|quat|quaternion|orientation|rot|rotation|attitude)_?(?P<part>[wxyz]|[0-3])$")
_RATE = re.compile(
    r"^(w|omega|gyro|ang_?vel|angular_?velocity)_?(?P<frame>body|world|b|w|local|global|space)?_?(?P<part>[xyz])"
    r"(_(?P<unit>rad_(per_)?s|deg_(per_)?s|rpm))?$"
)
_NUMBERED = {"0": "w", "1": "x", "2": "y", "3": "z"}
_FRAME_WORDS = {"b": "body", "local": "body", "w": "world", "global": "world", "space": "world"}


def _roles(cells: list[str], name: str, line: int) -> tuple[list[str], Conventions]:
    """What each column is, "" for one that is not needed, and what the names say of units and frames."""
    roles, said = [], Conventions()
    for cell in cells:
        word = re.sub(r"[\s\[\]()./-]+", "_", cell.strip().lower()).strip("_").replace("ω", "omega")
        role = ""
        if (found := _TIME.match(word)) and "t" not in roles:
            role, said = "t", replace(said, time_unit=found["unit"] or said.time_unit)
        elif found := _QUATERNION.match(word):
            role = "q" + _NUMBERED.get(found["part"], found["part"])
            if found["part"] in "wxyz":  # numbers may be in either order, names are not
                said = replace(said, order="wxyz")
        elif found := _RATE.match(word):
            role = "w" + found["part"]
            frame = _FRAME_WORDS.get(found["frame"], found["frame"])
            if role in roles:  # rates in the body and in space: the first ones are taken
                role = ""
            else:
                unit = {"rad": "rad/s", "deg": "deg/s", "rpm": "rpm"}.get((found["unit"] or "")[:3])
                said = replace(said, rate_frame=frame or said.rate_frame, rate_unit=unit or said.rate_unit)
        roles.append(role)
    for group in (("t",), ("qw", "qx", "qy", "qz"), ("wx", "wy", "wz")):
        missing = [part for part in group if part not in roles]
        if missing and (len(missing) < len(group) or group == ("t",)):
            raise SceneError(f"{name}, line {line + 1}: there is no column {', '.join(missing)}")
        if any(roles.count(part) > 1 for part in group):
            raise SceneError(f"{name}, line {line + 1}: there are two columns for one of {', '.join(group)}")
    if "qw" not in roles and "wx" not in roles:
        raise SceneError(
            f"{name}, line {line + 1}: there are neither columns qw, qx, qy, qz nor wx, wy, wz; one of them is needed"
        )
    return roles, said


def _numbers(lines: list[str], start: int, delimiter: str, roles: list[str], name: str) -> Array:
    rows = []
    for index in range(start, len(lines)):
        line = lines[index]
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        cells = line.split(delimiter)
        if len(cells) != len(roles):
            raise SceneError(f"{name}, line {index + 1}: {len(cells)} columns; there should be {len(roles)}")
        try:
            rows.append([float(cell) if role else 0.0 for cell, role in zip(cells, roles, strict=True)])
        except ValueError:
            bad = next(cell for cell, role in zip(cells, roles, strict=True) if role and not _is_number(cell))
            raise SceneError(f"{name}, line {index + 1}: {shown(bad.strip())} is not a number") from None
        if not np.isfinite(rows[-1]).all():
            rows.pop()  # an engine that left the finite range: the log ends there
            break
        if len(rows) > MOST_ROWS:
            raise SceneError(f"{name}: has more than {MOST_ROWS} rows")
    if len(rows) < FEWEST_ROWS:
        raise SceneError(f"{name}: has {len(rows)} rows of finite numbers; at least {FEWEST_ROWS} are needed")
    return np.array(rows)


def _columns(table: Array, roles: list[str], wanted: tuple[str, ...]) -> Array | None:
    return table[:, [roles.index(role) for role in wanted]] if wanted[0] in roles else None
