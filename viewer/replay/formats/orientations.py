"""Conversions of the orientations in files to columns of quaternions, world from body."""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from viewer.common.errors import refusal, shown
from viewer.common.language import tr
from viewer.replay.files.column_names import angle_columns, angle_unit
from viewer.replay.fits.frames import turns_at
from viewer.replay.kinematics import wxyz
from viewer.replay.raw_recording import ANGLES, QUATERNION, RATES, TIME, Array

SEQUENCES = ("zyx", "zxy", "yzx", "yxz", "xzy", "xyz")
"""Sequences of turns about z (yaw), y (pitch) and x (roll) of the body, which turn with it; the usual one first."""
TURN = 2.0 * np.pi  # no angle in radians is written larger

FAR = 0.05  # most that a product of two rows, or the square of one, may be off that of a rotation: more than rounding


def quaternions_of_angles(angles: Array, sequence: str, where: str) -> dict[str, Array]:
    """Return the columns of the quaternions, world from body, of Euler angles (N, 3) [deg].

    The axes of the three turns move with the body; `sequence` names them, as 1, 2, 3 or x, y, z. Raises InputError if
    it is no sequence.
    """
    letters = sequence.upper().translate(str.maketrans("123", "XYZ"))
    if len(letters) != 3 or set(letters) - set("XYZ") or letters[0] == letters[1] or letters[1] == letters[2]:
        raise refusal(
            "{name}: sequence of Euler angles: {given} is none; allowed are three axes such as 321",
            name=where,
            given=shown(sequence),
        )
    q = np.full((len(angles), 4), np.nan)
    finite = np.isfinite(angles).all(axis=1)
    if finite.any():
        q[finite] = wxyz(Rotation.from_euler(letters, angles[finite], degrees=True))
    return dict(zip(QUATERNION, q.T, strict=True))


def orientations_beside_rates(columns: dict[str, Array], names: list[str], warnings: list[str]) -> dict[str, Array]:
    """Return columns of rates with those of the orientations that roll, pitch and yaw beside them give.

    Angles in a table of rates may be those of another object, or follow any convention. So the orientations have to
    turn at these rates, along whatever axes; else the angles are left out, with a warning.
    """
    if ANGLES[0] not in columns:
        return columns
    told: list[str] = []
    q = quaternions_of_angle_columns(columns, names, told)
    columns = {role: column for role, column in columns.items() if role not in ANGLES}
    quaternion, rates = (np.stack([(columns | q)[role] for role in group], axis=1) for group in (QUATERNION, RATES))
    if turns_at(columns[TIME[0]], quaternion, rates):
        warnings += told
        return columns | q
    warnings.append(
        tr("left out roll, pitch and yaw: they do not turn at the angular velocities beside them; --columns takes both")
    )
    return columns


def quaternions_of_angle_columns(columns: dict[str, Array], names: list[str], warnings: list[str]) -> dict[str, Array]:
    """Return the columns of the quaternions of roll, pitch and yaw in a table whose columns have these names."""
    unit = angle_unit([names[index] for index in angle_columns(names).values()])
    return quaternions_of_roll_pitch_yaw(columns, unit, SEQUENCES[0], warnings)


def quaternions_of_roll_pitch_yaw(
    columns: dict[str, Array], unit: str, sequence: str, warnings: list[str]
) -> dict[str, Array]:
    """Return the columns of the quaternions of roll, pitch and yaw.

    `sequence` is the order of the turns, one of SEQUENCES. `unit` is "deg" or "rad"; if it is empty, the size of the
    angles decides, with a warning.
    """
    angles = np.stack([columns[ANGLES["xyz".index(axis)]] for axis in sequence], axis=1)
    largest = float(np.abs(angles[np.isfinite(angles)]).max(initial=0.0))
    if not unit:
        unit = "deg" if largest > TURN else "rad"
        text = (
            tr("angles taken as degrees, the largest is {largest}; a name such as yaw_rad would say otherwise")
            if unit == "deg"
            else tr("angles taken as radians, the largest is {largest}; a name such as yaw_deg would say otherwise")
        )
        warnings.append(text.format(largest=f"{largest:.3g}"))
    return quaternions_of_angles(angles if unit == "deg" else np.degrees(angles), sequence, "")


def quaternions_of_matrices(world_from_body: Array, where: str) -> dict[str, Array]:
    """Return the columns of the quaternions of matrices (N, 3, 3), nan for a matrix with nan.

    Raises InputError if a matrix is no rotation.
    """
    q = np.full((len(world_from_body), 4), np.nan)
    finite = np.isfinite(world_from_body).all(axis=(1, 2))
    if not rotations(world_from_body[finite]).all():
        row = int(np.flatnonzero(finite)[np.argmin(rotations(world_from_body[finite]))])
        raise refusal(
            "{name}: the matrix in row {row} is no rotation, with a determinant of {determinant:.3g}; allowed are rows"
            " of length 1 at right angles, right-handed",
            name=where,
            row=row + 1,
            determinant=float(np.linalg.det(world_from_body[row])),
        )
    if finite.any():
        q[finite] = wxyz(Rotation.from_matrix(world_from_body[finite]))
    return dict(zip(QUATERNION, q.T, strict=True))


def rotations(matrices: Array) -> NDArray[np.bool_]:
    """Tell which of these matrices (N, 3, 3) are rotations, apart from rounding."""
    bounded = np.clip(matrices, -2.0, 2.0)  # no product overflows, and an entry of 2 is no rotation's either
    off = bounded @ bounded.transpose(0, 2, 1) - np.eye(3)
    return np.asarray((np.abs(off).max(axis=(1, 2), initial=0.0) < FAR) & (np.linalg.det(bounded) > 0.0))
