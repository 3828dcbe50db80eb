"""Column names as recorders and engines write them: what each column is, and which unit and frame its name gives."""

import re
from dataclasses import replace

from viewer.common.errors import refusal, shown
from viewer.replay.conventions import Conventions

TIME, QUATERNION, RATES = ("t",), ("qw", "qx", "qy", "qz"), ("wx", "wy", "wz")
LONGEST_NAME = 200  # characters that are looked at

_PREFIX = r"(?P<prefix>([a-z0-9]+_)*?)"  # such as "pose." in a message of a ROS bag
_TIME = re.compile(
    _PREFIX + r"(t|time|time_?stamp|header_stamp|seconds|seconds_elapsed|sim_?time|elapsed|elapsed_time)"
    r"(_?(?P<unit>s|ms|us|ns|sec|msec|usec|nsec|min|h|d))?"
)
_QUATERNION = re.compile(
    _PREFIX + r"(q|quat|quaternion|orientation|rot|rotation|attitude|q_rs)_?(q_?)?(?P<part>[wxyz]|[0-3])(_r)?"
)
_RATE = re.compile(
    _PREFIX
    + r"((w|omega|gyro|gyr|gyroscope|gyro_?adc|gyro_rad|ang_?vel|angular(_?velocity|_?rate)?|rotation_?rate|w_rs_s)_?"
    r"(?P<frame>body|world|b|w|local|global|space)?_?(?P<part>[xyz]|[0-2])|(?P<about>roll|pitch|yaw)_?speed)"
    r"(_(?P<unit>rad_?(per_)?s(ec)?(_1)?|deg(rees?)?_?(per_)?s(ec)?(_1)?|dps|rpm))?"
)
_OTHER_QUANTITIES = {"b", "bias", "cmd", "command", "delta", "desired", "error", "goal", "setpoint", "sp", "std",
                     "target"}  # fmt: skip
_PARTS = {"0": "w", "1": "x", "2": "y", "3": "z"}
_AXES = {"0": "x", "1": "y", "2": "z", "roll": "x", "pitch": "y", "yaw": "z"}
_FRAME_NAMES = {"b": "body", "local": "body", "w": "world", "global": "world", "space": "world"}
_SHORT_UNITS = {"sec": "s", "msec": "ms", "usec": "us", "nsec": "ns"}


def roles_by_name(names: list[str], where: str) -> tuple[list[str], Conventions]:
    """(role of each column, "" for one that is not used; conventions that the names declare). `where`: file and line,
    for errors. Raises InputError where a column is missing or ambiguous."""
    plain = [_normalised(name) for name in names]
    roles, declared = [""] * len(names), Conventions()
    if times := _matches(_TIME, plain):  # preferably one that gives its unit
        index, found = next((one for one in times if one[1]["unit"] or "seconds" in one[1][0]), times[0])
        unit = "s" if "seconds" in found[0] else found["unit"]
        roles[index], declared = "t", replace(declared, time_unit=_SHORT_UNITS.get(unit, unit))
    for index, found in _matches(_QUATERNION, plain):
        roles[index] = "q" + _PARTS.get(found["part"], found["part"])
        if found["part"] in "wxyz":  # numbers may be in either order, names are not
            declared = replace(declared, order="wxyz")
    for index, found in _matches(_RATE, plain):
        part = found["about"] or found["part"]
        role = "w" + _AXES.get(part, part)
        if role in roles and not found["prefix"]:  # of rates in body and world frame, the first are used
            continue
        frame = _FRAME_NAMES.get(found["frame"], found["frame"])
        unit = {"rad": "rad/s", "deg": "deg/s", "dps": "deg/s", "rpm": "rpm"}.get((found["unit"] or "")[:3])
        declared = replace(declared, rate_frame=frame or declared.rate_frame, rate_unit=unit or declared.rate_unit)
        roles[index] = role
    _check(names, roles, where)
    return roles, declared


def _check(names: list[str], roles: list[str], where: str) -> None:
    """Raises InputError where the roles do not make up a motion."""
    for group in (TIME, QUATERNION, RATES):
        missing = [role for role in group if role not in roles]
        if missing and (len(missing) < len(group) or group == TIME):
            raise refusal("{where}: column {missing} not found", where=where, missing=", ".join(missing))
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


def roles_by_count(count: int, where: str) -> list[str]:
    """The roles of columns without names. Raises InputError where their number leaves them open."""
    known = {4: TIME + RATES, 5: TIME + QUATERNION, 8: TIME + QUATERNION + RATES}
    if count not in known:
        raise refusal(
            "{where}: {count} columns without names; allowed are t and 3 rates, t and a quaternion, or t and both",
            where=where,
            count=count,
        )
    return list(known[count])


def _normalised(name: str) -> str:
    """In small letters, with _ for all else but digits."""
    name = name.strip().lower().replace("ω", "omega").replace("°", "deg")
    return re.sub(r"[^a-z0-9]+", "_", name).strip("_")


def _matches(pattern: re.Pattern[str], names: list[str]) -> list[tuple[int, re.Match[str]]]:
    """The columns whose names fit: those that fit without a prefix if there are any, else those whose prefix does not
    make them another quantity."""
    found = [
        (index, match)
        for index, name in enumerate(names)
        if (match := pattern.fullmatch(name[:LONGEST_NAME]))
        and not _OTHER_QUANTITIES.intersection(match["prefix"].split("_"))
    ]
    return [one for one in found if not one[1]["prefix"]] or found
