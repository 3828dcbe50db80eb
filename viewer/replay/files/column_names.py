"""Column names as recorders and engines write them: what each column is, and which unit and frame its name gives."""

import re
from collections.abc import Sequence
from dataclasses import replace

from viewer.common.errors import InputError, refusal, shown
from viewer.common.language import plural, tr
from viewer.replay.conventions import Conventions
from viewer.replay.raw_recording import ACCELERATION, ANGLES, QUATERNION, RATES, TIME

MOST_SHOWN = 12  # names in an error
LONGEST_NAME = 200  # characters that are looked at

_PREFIX = r"(?P<prefix>([a-z0-9]+_)*?)"  # such as "pose." in a message of a ROS bag
_TIME = re.compile(
    _PREFIX
    + r"(t|times?|time_?stamp|header_stamp|seconds|seconds_elapsed|sim_?time|elapsed|elapsed_time|sampletimefine"
    r"|time_since_start_in)"
    r"(_(?P<unit>s|ms|us|ns|sec|msec|usec|nsec|min|h|d))?"
)
_JOINED = re.compile(r"\btime(us|ms)\b")  # ArduPilot's TimeUS
_QUATERNION = re.compile(
    _PREFIX
    + r"(q|quat|quaternion|orientation|orn|ori|rot|rotation|attitude|q_rs)_?(q_?)?(?P<part>[wsxyz]|0?[0-9])(_r)?"
)
_EULER_PARAMETER = re.compile(_PREFIX + r"(e|ep|beta|epsilon)_?(?P<part>[0-9])")
_RATE = re.compile(
    _PREFIX
    + r"((w|omega|gyro|gyr|gyroscope|gyro_?adc|gyro_rad|ang_?vel|angular(_?velocity|_?rate)?|rotation_?rate|w_rs_s)_?"
    r"(?P<frame>body|world|b|w|local|global|space)?_?(?P<part>[xyz]|[0-2])|(?P<about>roll|pitch|yaw)_?speed)"
    r"(_(?P<unit>rad_?(per_)?s(ec)?(_1)?|deg(rees?)?_?(per_)?s(ec)?(_1)?|dps|rpm|(u|r|rev)_min))?"
)
_SHORT_RATE = re.compile(  # as programs for small sensors write it; beside a rate of another name it is gravity
    _PREFIX + r"g_?(?P<frame>b)?(?P<part>[xyz])(?P<about>roll)?(_(?P<unit>rad_s|deg_s|dps))?"
)
_AIRCRAFT_RATE = re.compile(_PREFIX + r"(?P<part>[pqr])(?P<about>)(?P<frame>b)?(_(?P<unit>rad_s|deg_s|dps))?")
_ACCELERATION = re.compile(
    _PREFIX + r"(a|acc|accel|accelerometer|acceleration|linear_acceleration|a_rs_s)"
    r"(_(?P<before>m_s2|m_s_2|g))?_?(?P<part>[xyz]|[0-2])(_(?P<unit>m_?s2|m_s_2|m_s|g))?"
)
_ANGLE = re.compile(
    _PREFIX + r"((euler_?(angle_?)?)?(?P<part>roll|pitch|yaw|phi|theta|psi)(_angle)?|angle_?(?P<about>[xyz]))"
    r"(_(?P<unit>deg(rees?)?|rad(ians?)?))?"
)
_ANGLE_UNIT = re.compile(r"(.*_)?(?P<unit>deg|rad)(rees?|ians?)?")
_ANGLES = {"psi": "yaw", "theta": "pitch", "phi": "roll", "z": "yaw", "y": "pitch", "x": "roll"}
_OTHER_QUANTITIES = {"b", "bias", "cmd", "command", "delta", "desired", "error", "goal", "setpoint", "sp", "std",
                     "target"}  # fmt: skip
_GRAVITIES = {"m_s2": "m/s2", "m_s_2": "m/s2", "ms2": "m/s2", "m_s": "m/s2", "g": "g"}
_FROM_ZERO, _FROM_ONE = "0123", "1234"
_PARTS = {"s": "w", **dict(zip(_FROM_ZERO, "wxyz", strict=True))}
_AXES = {"0": "x", "1": "y", "2": "z", "roll": "x", "pitch": "y", "yaw": "z", "p": "x", "q": "y", "r": "z"}
_FRAME_NAMES = {"b": "body", "local": "body", "w": "world", "global": "world", "space": "world"}
_RATE_UNITS = {"rad": "rad/s", "deg": "deg/s", "dps": "deg/s"}  # by their first letters; else rpm
_SHORT_UNITS = {"sec": "s", "msec": "ms", "usec": "us", "nsec": "ns"}
BRACKETS = re.compile(r"[(\[{]([^()\[\]{}]*)[)\]}]\s*$")
SPELLINGS = (
    ("µ", "u"), ("μ", "u"), ("²", "2"), ("⁻¹", "-1"), ("⁻²", "-2"), ("⁻", "-"),
    ("град", "deg"), ("рад", "rad"), ("об", "r"), ("мин", "min"), ("мкс", "us"), ("м", "m"), ("с", "s"),
)  # fmt: skip
UNITS = {
    "rad/s": ("rates", "rad/s"), "rads-1": ("rates", "rad/s"), "rad/sec": ("rates", "rad/s"),
    "deg/s": ("rates", "deg/s"), "°/s": ("rates", "deg/s"), "degs-1": ("rates", "deg/s"), "dps": ("rates", "deg/s"),
    "degrees/s": ("rates", "deg/s"), "deg/sec": ("rates", "deg/s"), "°s-1": ("rates", "deg/s"),
    "rpm": ("rates", "rpm"), "r/min": ("rates", "rpm"), "rev/min": ("rates", "rpm"), "u/min": ("rates", "rpm"),
    "1/min": ("rates", "rpm"), "min-1": ("rates", "rpm"),
    "m/s2": ("acceleration", "m/s2"), "ms-2": ("acceleration", "m/s2"), "m/s/s": ("acceleration", "m/s2"),
    "m/sec2": ("acceleration", "m/s2"), "g": ("acceleration", "g"), "gn": ("acceleration", "g"),
    "s": ("time", "s"), "sec": ("time", "s"), "seconds": ("time", "s"), "ms": ("time", "ms"), "us": ("time", "us"),
    "ns": ("time", "ns"), "min": ("time", "min"),
}  # fmt: skip
"""The quantity, and the unit's name in `Conventions`, by the text of a unit without spaces and signs of powers."""


class UnknownColumns(InputError):
    """The error of a table whose columns are not known.

    `names` are the names of the columns, empty if they have none; `path` is that of the file.
    """

    def __init__(self, text: str, names: list[str], path: str = "") -> None:
        super().__init__(text)
        self.names, self.path = names, path


def unknown_columns(error: InputError, names: list[str]) -> InputError:
    """Return the error with a list of the table's columns, and with advice on how to declare them.

    If too few columns are left that may be angular velocities, it says so, and is no UnknownColumns.
    """
    listed = ", ".join(f"{number} {shown(name.strip())}" for number, name in enumerate(names[:MOST_SHOWN], 1))
    listed += ", ..." if len(names) > MOST_SHOWN else ""
    roles, _ = guessed_roles(names)
    if sum(_may_be_turning(name, role) for name, role in zip(names, roles, strict=True)) < len(RATES):
        text = tr(
            "{error}. Its columns are {columns}: none of them show a turn; a phone's recording needs its gyroscope"
        )
        return InputError(text.format(error=error, columns=listed))
    if TIME[0] not in roles and "" in roles and any(set(group) <= set(roles) for group in (QUATERNION, RATES)):
        text = tr(
            "{error}. Its columns are {columns}; say which one has the times, such as --columns t={number}, or how far"
            " the rows are apart with --step; the other columns are known by their names"
        )
        return UnknownColumns(text.format(error=error, columns=listed, number=roles.index("") + 1), names)
    text = tr(
        "{error}. Its columns are {columns}; say which to use, such as --columns t=1,wx=2,wy=3,wz=4, or without t where"
        " --step says how far the rows are apart"
    )
    return UnknownColumns(text.format(error=error, columns=listed), names)


def _may_be_turning(name: str, role: str) -> bool:
    """Tell whether a column may be a part of a rate or of an orientation, by its role and by the unit in its name."""
    unit = BRACKETS.search(name)
    other = unit is not None and any(map(str.isalpha, unit[1])) and unit_of(name)[0] != "rates"
    return role not in (*TIME, *ACCELERATION) and not (other and not angle_unit([name]))


def roles_by_name(names: list[str], where: str, timed: bool = True) -> tuple[list[str], Conventions]:
    """Return the role of each column, "" for one that is not used, and the conventions that the names declare.

    `where` is file and line, for errors. A table that is not `timed` may lack times. Raises InputError if a column is
    missing or ambiguous.
    """
    roles, declared = guessed_roles(names)
    try:
        _check(names, roles, where, timed)
    except InputError as error:
        raise unknown_columns(error, names) from None
    return roles, declared


def guessed_roles(names: list[str]) -> tuple[list[str], Conventions]:
    """Return what `roles_by_name` returns, as far as the names tell; the roles need not make up a motion."""
    plain = [normalised(name) for name in names]
    roles, declared = [""] * len(names), Conventions()
    time, unit = time_column(names)
    if time is not None:
        roles[time], declared = "t", replace(declared, time_unit=unit)
    for index, part in _quaternion(plain):
        roles[index] = "q" + _PARTS.get(part, part)
        if part in "wsxyz":  # numbers may be in either order, names are not
            declared = replace(declared, order="wxyz")
    for index, found in _rates(plain):
        part = found["about"] or found["part"]
        role = "w" + _AXES.get(part, part)
        if role in roles and not found["prefix"]:  # of rates in body and world frame, the first are used
            continue
        frame = _FRAME_NAMES.get(found["frame"], found["frame"])
        unit = None if found["unit"] is None else _RATE_UNITS.get(found["unit"][:3], "rpm")
        declared = replace(declared, rate_frame=frame or declared.rate_frame, rate_unit=unit or declared.rate_unit)
        roles[index] = role
    felt = {
        "a" + _AXES.get(found["part"], found["part"]): (index, found) for index, found in matches(_ACCELERATION, plain)
    }
    if set(felt) == set(ACCELERATION):
        for role, (index, found) in felt.items():
            roles[index] = roles[index] or role
            unit = _GRAVITIES.get(found["before"] or found["unit"] or "")
            declared = replace(declared, acceleration_unit=unit or declared.acceleration_unit)
    return roles, declared


def time_column(names: list[str]) -> tuple[int | None, str | None]:
    """Return the column of times, preferably one whose name gives its unit, and that unit; None if not known."""
    times = matches(_TIME, [normalised(name) for name in names])
    if not times:
        return None, None
    index, found = next((one for one in times if one[1]["unit"] or "seconds" in one[1][0]), times[0])
    unit = "s" if "seconds" in found[0] else found["unit"]
    return index, _SHORT_UNITS.get(unit, unit)


def has_quaternion(names: list[str]) -> bool:
    """Tell whether one of the columns is a component of a quaternion."""
    return bool(_quaternion([normalised(name) for name in names]))


def angle_columns(names: list[str]) -> dict[str, int]:
    """Return the indices of the columns of roll, pitch and yaw, by these names; those that are missing are left out."""
    found = matches(_ANGLE, [normalised(name) for name in names])
    parts = {index: match["part"] or match["about"] for index, match in reversed(found)}
    return {_ANGLES.get(part, part): index for index, part in parts.items()}


def angles_beside_rates(names: list[str]) -> dict[str, int]:
    """Return the columns of roll, pitch and yaw in a table of rates; empty if one is missing, or for a quaternion."""
    found = angle_columns(names)
    return found if set(found) == set(ANGLES) and not has_quaternion(names) else {}


def angle_unit(names: Sequence[str]) -> str:
    """Return "deg" or "rad" if all of these names give that unit, or else an empty text."""
    units = {match["unit"] if (match := _ANGLE_UNIT.fullmatch(normalised(name))) else "" for name in names}
    return units.pop() if len(units) == 1 else ""


def not_found(where: str, missing: Sequence[str]) -> InputError:
    """Return the error for a table that lacks columns."""
    text = plural("{where}: column {missing} not found", "{where}: columns {missing} not found", len(missing))
    return InputError(text.format(where=where, missing=", ".join(missing)))


def _check(names: list[str], roles: list[str], where: str, timed: bool) -> None:
    """Raise InputError if the roles do not make up a motion."""
    for group in (TIME, QUATERNION, RATES):
        missing = [role for role in group if role not in roles]
        if missing and (len(missing) < len(group) or (group == TIME and timed)):
            raise not_found(where, missing)
        for role in group:
            if roles.count(role) > 1:
                same = [shown(name.strip()) for name, own in zip(names, roles, strict=True) if own == role]
                raise refusal(
                    "{where}: two columns for {role}: {same}; keep one",
                    where=where,
                    role=role,
                    same=" and ".join(same[:2]),
                )
    if "qw" not in roles and "wx" not in roles:
        raise refusal(
            "{where}: neither columns qw, qx, qy, qz nor wx, wy, wz; at least one of them is needed", where=where
        )


def normalised(name: str) -> str:
    """Return a name in lower case, with _ in place of characters other than letters and digits."""
    name = name.strip().lower().replace("ω", "omega").replace("°", "deg")
    name = re.sub(r"[^a-z0-9]+", "_", name).strip("_")
    return _JOINED.sub(r"time_\1", name)


def _quaternion(names: list[str]) -> list[tuple[int, str]]:
    """Return the columns of a quaternion, each with its part: a letter, or a number from 0 on.

    More numbered columns than four are something else, such as the joints of a robot.
    """
    for pattern in (_QUATERNION, _EULER_PARAMETER):
        found = matches(pattern, names)
        parts = [match["part"][-1] for _, match in found]
        if sorted(parts) == [*_FROM_ONE]:
            parts = [_FROM_ZERO[_FROM_ONE.index(part)] for part in parts]
        if parts and (not any(map(str.isdecimal, parts)) or {*parts} == {*_FROM_ZERO}):
            return [(index, part) for (index, _), part in zip(found, parts, strict=True)]
    return []


def _rates(names: list[str]) -> list[tuple[int, re.Match[str]]]:
    """Return the columns of angular velocities."""
    flown = matches(_AIRCRAFT_RATE, names)
    return (
        matches(_RATE, names)
        or matches(_SHORT_RATE, names)
        or (flown if {found["part"] for _, found in flown} == {*"pqr"} else [])
    )


def matches(pattern: re.Pattern[str], names: list[str]) -> list[tuple[int, re.Match[str]]]:
    """Return the indices of the columns whose `normalised` names fit a pattern, each with the match.

    A name is left out if its prefix shows that it is another quantity. If some names have no prefix, only these are
    returned.
    """
    found = [
        (index, match)
        for index, name in enumerate(names)
        if (match := pattern.fullmatch(name[:LONGEST_NAME]))
        and not _OTHER_QUANTITIES.intersection(match["prefix"].split("_"))
    ]
    return [one for one in found if not one[1]["prefix"]] or found


def unit_of(name: str) -> tuple[str, str]:
    """Return the quantity and the unit that stand in brackets at the end of a column's name, or two empty texts."""
    found = BRACKETS.search(name[-LONGEST_NAME:])
    if found is None:
        return "", ""
    text = re.sub(r"[\s^·*]", "", found[1].lower())
    for given, plain in SPELLINGS:
        text = text.replace(given, plain)
    return UNITS.get(text, ("", ""))


def columns_with(names: Sequence[str], quantity: str) -> list[int]:
    """Return the columns whose names give a unit of this quantity."""
    return [index for index, name in enumerate(names) if unit_of(name)[0] == quantity]
