"""STK's attitude files (.a): keywords, the kind of table, its rows, the scalar part of a quaternion last."""

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import refusal, shown
from viewer.common.language import tr
from viewer.replay.conventions import WORLD_FROM_BODY, Conventions
from viewer.replay.files.contents import Contents
from viewer.replay.files.lines import Line, lines_of
from viewer.replay.formats.orientations import quaternions_of_angles, quaternions_of_matrices
from viewer.replay.formats.spacecraft.stk_times import timed
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
    columns = dict(zip(("t", *names), timed(rows, names, keys.get("timeformat", "EpSec"), where), strict=True))
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
