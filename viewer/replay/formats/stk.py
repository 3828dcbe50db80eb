"""STK's attitude files (.a): keywords, the kind of the table, and its rows.

Most tables have the scalar part of a quaternion last. Times count from an epoch, or are dates in any time scale.
"""

from collections.abc import Sequence

import numpy as np

from viewer.common.errors import refusal, shown
from viewer.common.language import tr
from viewer.replay.conventions import WORLD_FROM_BODY, Conventions
from viewer.replay.files.contents import Contents
from viewer.replay.files.lines import Line, lines_of, numbers, seconds_of
from viewer.replay.files.source import Member
from viewer.replay.formats.columns import Columns, FileFormat
from viewer.replay.formats.orientations import quaternions_of_angles, quaternions_of_matrices
from viewer.replay.raw_recording import QUATERNION, RATES, Array, Progress, RawRecording, raw_recording

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
ABOUT = {"1": "roll", "2": "pitch", "3": "yaw"}  # the name of the turn about each axis
USUAL_SEQUENCES: dict[tuple[str, ...], str] = {ANGLES: "313", YAW_PITCH_ROLL: "321"}
INERTIAL = ("j2000", "icrf", "inertial", "b1950", "meanofepoch", "trueofepoch", "temeofepoch", "alignmentatepoch")
DAY = 86_400.0  # s
ELAPSED = {
    "EpSec": 1.0, "EpMin": 60.0, "EpHr": 3600.0, "EpDay": DAY, "EpYear": 365.25 * DAY, "JDate": DAY, "ModJDate": DAY,
    "JED": DAY,
}  # fmt: skip
DATES = {  # what an example looks like, and the format of `time.strptime`
    **dict.fromkeys(("UTCG", "LCLG", "TAIG", "TDTG", "TDBG", "GPSG"), ("1 Jul 2007 12:00:00.000", "%d %b %Y %H:%M:%S")),
    **dict.fromkeys(("UTCJ", "LCLJ", "TAIJ"), ("182/07 12:00:00.000", "%j/%y %H:%M:%S")),
    "UTCJFOUR": ("182/2007 12:00:00.000", "%j/%Y %H:%M:%S"),
    "ISO-YMD": ("2007-07-01T12:00:00.000", "%Y-%m-%dT%H:%M:%S"),
    "ISO-YD": ("2007-182T12:00:00.000", "%Y-%jT%H:%M:%S"),
    "YYYY/MM/DD": ("2007/07/01 12:00:00.000", "%Y/%m/%d %H:%M:%S"),
    "DD/MM/YYYY": ("01/07/2007 12:00:00.000", "%d/%m/%Y %H:%M:%S"),
    "YYYY:MM:DD": ("2007:07:01:12:00:00.000", "%Y:%m:%d:%H:%M:%S"),
}


def _attitude_file(contents: Contents) -> Member | None:
    """Return the first file with a version of STK and the beginning of attitude data."""
    return next((one for one in contents.begins(MARK) if "begin attitude" in one.text_start.lower()), None)


def _read(contents: Contents, member: Member, progress: Progress) -> RawRecording:
    """Return the recording in the file's table. Raises InputError."""
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
    warnings, axes = [], keys.get("coordinateaxes", "")
    if axes and axes.split()[0].lower() not in INERTIAL:
        warnings.append(tr("axes {axes} taken as inertial ones").format(axes=shown(axes)))
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


def _from_angles(columns: Columns, names: tuple[str, ...], sequence: str, where: str, warnings: list[str]) -> None:
    """Replace angles [deg] by quaternions. Raises InputError.

    Euler angles turn about axes that move with the body, in the order of a sequence such as "321"; yaw, pitch and roll
    turn about the fixed reference axes, in the order of their sequence (STK help, Orientation Methods).
    """
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
        sequence = sequence[::-1]  # about fixed axes: the last turn comes first
        names = tuple(ABOUT[axis] for axis in sequence)
    angles = np.stack([columns.pop(name) for name in names], axis=1)
    columns |= quaternions_of_angles(angles, sequence, where)


def _timed(rows: Sequence[Line], names: Sequence[str], time_format: str, where: str) -> Array:
    """Return the times [s] and the numbers of rows, (1 + len(names), N); times given as dates count from the first row.

    Raises InputError, which names the line.
    """
    given = time_format.strip("\"' ").lower()
    for name, seconds in ELAPSED.items():
        if name.lower() == given:
            return np.array((seconds, *([1.0] * len(names))))[:, None] * numbers(rows, ("t", *names), where)
    for name, (example, form) in DATES.items():
        if name.lower() == given:
            found = numbers(rows, names, where, skip=len(example.split()))
            return np.concatenate((seconds_of(rows, (form,), example, where)[None], found))
    raise refusal(
        "{name}: TimeFormat: {given} is not read; allowed are {allowed}",
        name=where,
        given=shown(time_format),
        allowed=", ".join((*ELAPSED, *DATES)),
    )


STK = FileFormat(_attitude_file, _read)
