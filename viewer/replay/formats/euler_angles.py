"""Roll, pitch and yaw as autopilots and simulators of flight write them: turns about z, then y, then x of the body."""

import re

import numpy as np
from scipy.spatial.transform import Rotation

from viewer.common.language import tr
from viewer.replay.conventions import WORLD_FROM_BODY, Conventions
from viewer.replay.files.column_names import guessed_roles, matches, normalised
from viewer.replay.files.contents import Contents, Table, timed_columns
from viewer.replay.kinematics import wxyz
from viewer.replay.raw import QUATERNION, RATES, Progress, RawRecording, raw_recording

ORDER = ("yaw", "pitch", "roll")
TURN = 2.0 * np.pi  # no angle in radians is written larger
_ANGLE = re.compile(
    r"(?P<prefix>([a-z0-9]+_)*?)(euler_?(angle_?)?)?(?P<part>roll|pitch|yaw|phi|theta|psi)(_angle)?"
    r"(_(?P<unit>deg(rees?)?|rad(ians?)?))?"
)
_GREEK = {"psi": "yaw", "theta": "pitch", "phi": "roll"}


def recognises(contents: Contents) -> bool:
    """By the names of its columns, where there is nothing better: neither a quaternion nor rates."""
    return _table(contents) is not None


def read(contents: Contents, progress: Progress) -> RawRecording:
    """The orientations as quaternions. Raises InputError."""
    found = _table(contents)
    assert found is not None
    table, roles, unit = found
    warnings: list[str] = []
    columns, time_unit = timed_columns(contents, table, roles, progress, warnings)
    angles = np.stack([columns.pop(role) for role in ORDER], axis=1)
    known = np.isfinite(angles).all(axis=1)
    largest = float(np.abs(angles[known]).max(initial=0.0))
    if not unit:
        unit = "deg" if largest > TURN else "rad"
        text = (
            tr("angles taken as degrees, the largest is {largest}; a name such as yaw_rad would say otherwise")
            if unit == "deg"
            else tr("angles taken as radians, the largest is {largest}; a name such as yaw_deg would say otherwise")
        )
        warnings.append(text.format(largest=f"{largest:.3g}"))
    q = np.full((len(angles), 4), np.nan)
    if known.any():
        turned = Rotation.from_euler("ZYX", angles[known], degrees=unit == "deg")
        q[known] = wxyz(turned)
    columns |= dict(zip(QUATERNION, q.T, strict=True))
    declared = Conventions("wxyz", WORLD_FROM_BODY, "body", "rad/s", time_unit)
    return raw_recording(contents.name, columns, declared, warnings)


def _table(contents: Contents) -> tuple[Table, dict[str, int], str] | None:
    """The first such table, its columns by their roles and the unit of its angles, "" where the names give none."""
    for table, names in contents.named:
        given = set(guessed_roles(names)[0])
        if given >= set(RATES) or given >= set(QUATERNION):
            continue
        found = matches(_ANGLE, [normalised(name) for name in names])
        roles = {_GREEK.get(match["part"], match["part"]): index for index, match in reversed(found)}
        if set(roles) == set(ORDER):
            units = {(match["unit"] or "")[:3] for _, match in found}
            return table, {role: roles[role] for role in ORDER}, units.pop() if len(units) == 1 else ""
    return None
