"""STK's attitude files (.a): keywords, the kind of table, its rows, the scalar part of a quaternion last; times elapsed
since an epoch or as dates, in any time scale."""

import datetime
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import refusal, shown
from viewer.common.language import tr
from viewer.replay.conventions import WORLD_FROM_BODY, Conventions
from viewer.replay.files.contents import Contents
from viewer.replay.files.lines import Line, lines_of, numbers
from viewer.replay.formats.orientations import quaternions_of_angles, quaternions_of_matrices
from viewer.replay.raw_recording import QUATERNION, RATES, Progress, RawRecording, raw_recording

Array = NDArray[np.float64]

MARK = "stk.v."
SCALAR_LAST = ("qx", "qy", "qz", "qw")
YAW_PITCH_ROLL, ANGLE_RATES = ("yaw", "pitch", "roll"), ("d1", "d2", "d3")
ANGLES, MATRIX = ("first", "second", "third"), tuple(f"m{row}{column}" for row in "123" for column in "123")
TABLES = {
    "AttitudeTimeQuaternions": SCALAR_LAST,
    "AttitudeTimeQuatScalarFirst": QUATERNION,
    "AttitudeTimeQuatAngVels": (*SCALAR_LAST, *RATES),
    "AttitudeTimeAngVels": RATES,
    "AttitudeTimeEulerAngles": ANGLES,
    "AttitudeTimeEulerAnglesAndRates": (*ANGLES, *ANGLE_RATES),
    "AttitudeTimeYPRAngles": YAW_PITCH_ROLL,
    "AttitudeTimeYPRAnglesAndRates": (*YAW_PITCH_ROLL, *ANGLE_RATES),
    "AttitudeTimeDCM": MATRIX,
    "AttitudeTimeDCMAngVels": (*MATRIX, *RATES),
}
ABOUT = {"1": "roll", "2": "pitch", "3": "yaw"}  # the axes
USUAL_SEQUENCES: dict[tuple[str, ...], str] = {ANGLES: "313", YAW_PITCH_ROLL: "321"}
INERTIAL = ("j2000", "icrf", "inertial", "b1950", "meanofepoch", "trueofepoch", "temeofepoch", "alignmentatepoch")
DAY = 86_400.0  # s
ELAPSED = {
    "EpSec": 1.0, "EpMin": 60.0, "EpHr": 3600.0, "EpDay": DAY, "EpYear": 365.25 * DAY, "JDate": DAY, "ModJDate": DAY,
    "JED": DAY,
}  # fmt: skip
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLOCK = r"(?P<hour>\d\d?):(?P<minute>\d\d):(?P<second>\d\d(\.\d*)?)"
_GREGORIAN = re.compile(rf"(?P<day>\d\d?) (?P<name>[a-z]{{3}}) (?P<year>\d{{4}}) {_CLOCK}")
_JULIAN = re.compile(rf"(?P<days>\d{{1,3}})/(?P<year>\d\d) {_CLOCK}")
DATES = {  # what an example looks like, and the pattern
    **dict.fromkeys(("UTCG", "LCLG", "TAIG", "TDTG", "TDBG", "GPSG"), ("1 Jul 2007 12:00:00.000", _GREGORIAN)),
    **dict.fromkeys(("UTCJ", "LCLJ", "TAIJ"), ("182/07 12:00:00.000", _JULIAN)),
    "UTCJFOUR": ("182/2007 12:00:00.000", re.compile(rf"(?P<days>\d{{1,3}})/(?P<year>\d{{4}}) {_CLOCK}")),
    "ISO-YMD": (
        "2007-07-01T12:00:00.000", re.compile(rf"(?P<year>\d{{4}})-(?P<month>\d\d)-(?P<day>\d\d)t{_CLOCK}z?")
    ),
    "ISO-YD": ("2007-182T12:00:00.000", re.compile(rf"(?P<year>\d{{4}})-(?P<days>\d{{3}})t{_CLOCK}z?")),
    "YYYY/MM/DD": (
        "2007/07/01 12:00:00.000", re.compile(rf"(?P<year>\d{{4}})/(?P<month>\d\d?)/(?P<day>\d\d?) {_CLOCK}")
    ),
    "DD/MM/YYYY": (
        "01/07/2007 12:00:00.000", re.compile(rf"(?P<day>\d\d?)/(?P<month>\d\d?)/(?P<year>\d{{4}}) {_CLOCK}")
    ),
    "YYYY:MM:DD": (
        "2007:07:01:12:00:00.000", re.compile(rf"(?P<year>\d{{4}}):(?P<month>\d\d?):(?P<day>\d\d?):{_CLOCK}")
    ),
}  # fmt: skip
CENTURY = 60  # years of two digits from here on are of 1900


def recognises(contents: Contents) -> bool:
    """By its version and the beginning of its data."""
    return any("begin attitude" in member.text_start.lower() for member in contents.begins(MARK))


def read(contents: Contents, progress: Progress) -> RawRecording:
    """The rows of the file's table. Raises InputError."""
    member = next(member for member in contents.begins(MARK) if "begin attitude" in member.text_start.lower())
    where = contents.source.shown(member)
    keys: dict[str, str] = {}
    rows: list[Line] = []
    kind, blocks = "", 0
    for number, line in lines_of(member, where, progress):
        word, _, value = line.partition(" ") if "\t" not in line.split(" ")[0] else line.partition("\t")
        if line.startswith("#"):
            continue
        if word.lower() in ("begin", "end"):
            blocks += 1 if word.lower() == "begin" else -1
            if kind and blocks == 0:
                break
        elif kind and blocks == 1:
            rows.append((number, line))
        elif blocks == 1 and word.lower().startswith("attitudetime"):
            kind = word
        elif blocks == 1:
            keys[word.lower()] = value.strip()
    names = next((names for name, names in TABLES.items() if name.lower() == kind.lower()), None)
    if names is None:
        raise refusal(
            "{name}: a table {kind} is not read; allowed are {allowed}",
            name=where,
            kind=shown(kind),
            allowed=", ".join(TABLES),
        )
    columns = dict(zip(("t", *names), _timed(rows, names, keys.get("timeformat", "EpSec"), where), strict=True))
    warnings = _about_axes(keys.get("coordinateaxes", ""))
    if names[:3] in USUAL_SEQUENCES:
        _from_angles(columns, names[:3], keys.get("sequence", ""), where, warnings)
    elif names[:9] == MATRIX:
        body_from_world = np.stack([columns.pop(name) for name in MATRIX], axis=1).reshape(-1, 3, 3)
        columns |= quaternions_of_matrices(body_from_world.transpose(0, 2, 1), where)
    if "d1" in columns:
        warnings.append(tr("left out the derivatives: angular velocities are taken from the orientations"))
        columns = {role: column for role, column in columns.items() if role not in ANGLE_RATES}
    epoch = keys.get("scenarioepoch", "")
    source = f"STK, {epoch}" if epoch.isprintable() and epoch else "STK"
    declared = Conventions("wxyz", WORLD_FROM_BODY, "body", "deg/s", "s", source=source[:80])
    return raw_recording(contents.name, columns, declared, warnings)


def _about_axes(axes: str) -> list[str]:
    """A warning about axes that may turn themselves."""
    if not axes or axes.split()[0].lower() in INERTIAL:
        return []
    return [tr("axes {axes} taken as inertial ones").format(axes=shown(axes))]


def _from_angles(
    columns: dict[str, Array], names: tuple[str, ...], sequence: str, where: str, warnings: list[str]
) -> None:
    """Replaces angles [deg] by quaternions: Euler angles in the order of a sequence such as "321", about axes that turn
    with the body; or yaw, pitch and roll, whose sequence is of turns about the reference axes (STK help, Orientation
    Methods)."""
    if not sequence:
        sequence = USUAL_SEQUENCES[names]
        warnings.append(tr("no sequence of Euler angles: taken as {sequence}").format(sequence=sequence))
    if names == YAW_PITCH_ROLL:
        sequence = sequence.upper().translate(str.maketrans("RPY", "123"))
        if sorted(sequence) != ["1", "2", "3"]:
            raise refusal(
                "{name}: Sequence: {given} is none of yaw, pitch and roll; allowed are 1, 2 and 3 in any order",
                name=where,
                given=shown(sequence),
            )
        names = tuple(ABOUT[axis] for axis in reversed(sequence))  # about fixed axes: the last turn comes first
        angles, sequence = np.stack([columns[name] for name in names], axis=1), sequence[::-1]
    else:
        angles = np.stack([columns[name] for name in names], axis=1)
    for name in names:
        del columns[name]
    columns |= quaternions_of_angles(angles, sequence, where)


def _timed(rows: Sequence[Line], names: Sequence[str], time_format: str, where: str) -> Array:
    """The times [s] of rows, of dates from the first one, and the numbers after them: (1 + len(names), N). Raises
    InputError, which names the line."""
    given = time_format.strip("\"' ").lower()
    for name, seconds in ELAPSED.items():
        if name.lower() == given:
            return np.array((seconds, *([1.0] * len(names))))[:, None] * numbers(rows, ("t", *names), where)
    for name, (example, pattern) in DATES.items():
        if name.lower() == given:
            words = len(example.split())
            found = numbers(rows, names, where, skip=words)
            return np.concatenate((_seconds(rows, words, example, pattern, where)[None], found))
    raise refusal(
        "{name}: TimeFormat: {given} is not read; allowed are {allowed}",
        name=where,
        given=shown(time_format),
        allowed=", ".join((*ELAPSED, *DATES)),
    )


def _seconds(rows: Sequence[Line], words: int, example: str, pattern: re.Pattern[str], where: str) -> Array:
    days: list[int] = []
    seconds: list[float] = []
    for number, line in rows:
        date = " ".join(line.split()[:words])
        match = pattern.fullmatch(date.replace('"', "").replace("'", "").strip().lower())
        day = None if match is None else _day(match.groupdict())
        if match is None or day is None:
            raise refusal(
                "{where}: {given} is no time; allowed are such as {example}",
                where=f"{where}, line {number}",
                given=shown(date),
                example=example,
            )
        days.append(day)
        seconds.append(3600.0 * int(match["hour"]) + 60.0 * int(match["minute"]) + float(match["second"]))
    since = DAY * (np.array(days, float) - (days[0] if days else 0)) + np.array(seconds)
    return np.asarray(since - since[:1].sum())


def _day(date: dict[str, str | None]) -> int | None:
    """The number of a date's day; None where there is none such."""
    year = int(date["year"] or 0)
    if len(date["year"] or "") == 2:
        year += 1900 if year >= CENTURY else 2000
    try:
        if days := date.get("days"):
            first = datetime.date(year, 1, 1).toordinal()
            return first + int(days) - 1 if 1 <= int(days) <= 366 else None
        name = date.get("name")
        month = MONTHS.index(name) + 1 if name else int(date["month"] or 0)
        return datetime.date(year, month, int(date["day"] or 0)).toordinal()
    except ValueError:
        return None
