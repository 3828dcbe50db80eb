"""Recordings of NASA's programs: the simulator 42, and the check cases of flight simulations.

42 writes time.42, qbn.42 and wbn.42 beside one another. The check cases have Euler angles against north, east and down,
and rates against inertial axes.
"""

import re
from collections.abc import Iterable

import numpy as np
from scipy.spatial.transform import Rotation

from viewer.common.errors import refusal, shown
from viewer.common.language import tr
from viewer.physics.rotation import multiply
from viewer.replay.conventions import WORLD_FROM_BODY, Conventions
from viewer.replay.files.contents import Contents, Table, columns_of
from viewer.replay.files.source import Member
from viewer.replay.files.text_table import text_table
from viewer.replay.formats.columns import ColumnFormat, Columns, FileFormat, Found, plain_names, vector
from viewer.replay.kinematics import rates_of, wxyz
from viewer.replay.raw_recording import (
    FEWEST_ROWS,
    QUATERNION,
    RATES,
    STEPS_AT_ALL,
    Array,
    Progress,
    RawRecording,
    check_steps,
    part,
    raw_recording,
)

CLOCK = "time.42"
NUMBERED = re.compile(r"[qw]bn(\d*)\.42")
FILES = {CLOCK: ("t",), "qbn.42": ("qx", "qy", "qz", "qw"), "wbn.42": RATES}

COMPARED = 2000  # rows, by which the earth's rate is found
EARTH_RATE = 7.292115e-5  # rad/s, of WGS 84
ANGLE_ROLES, PLACE_ROLES = ("yaw", "pitch", "roll"), ("longitude", "latitude")
_ANGLES = re.compile(r"eulerangle_deg_(?P<part>yaw|pitch|roll)")
_SPEEDS = re.compile(r"bodyangularratewrtei_deg_s_(?P<part>roll|pitch|yaw)")
_PLACE = re.compile(r"(?P<part>longitude|latitude)_deg")


def _members(contents: Contents) -> dict[str, Member] | None:
    """Return the files of one spacecraft in one folder, by their names in FILES, or None if there are none.

    Several spacecraft have files such as qbn00.42 and qbn01.42. The files are then those of the spacecraft whose file
    was opened, or else of the first one.
    """
    first = next((member for known in FILES if (member := contents.member(known)) is not None), None)
    if first is None:
        return None
    beside = {member.base.lower(): member for member in contents.source.members if member.folder == first.folder}
    number = min(_spacecraft([contents.name]) or _spacecraft(beside), default="")
    named = {name: name.replace(".", f"{number}.") if name != CLOCK else name for name in FILES}
    return {name: beside[own] for name, own in named.items() if own in beside}


def _read_42(contents: Contents, members: dict[str, Member], progress: Progress) -> RawRecording:
    """Return the recording in these files, with as many rows as the shortest of them has. Raises InputError."""
    columns: Columns = {}
    warnings: list[str] = []
    names = [member.base for member in contents.source.members if NUMBERED.fullmatch(member.base.lower())]
    count = len(_spacecraft(names))
    if count > 1 and not _spacecraft([contents.name]):
        text = tr("files of {count} spacecraft: the first one's are read; open another one's file, such as {name}")
        warnings.append(text.format(count=count, name=shown(max(names))))
    if CLOCK not in members or len(members) < 2:
        raise refusal("{name}: time.42 and qbn.42 or wbn.42 must stand beside one another", name=contents.name)
    for done, (name, member) in enumerate(members.items()):
        where, roles = contents.source.shown(member), FILES[name]
        table = text_table(member, where)
        if table.columns != len(roles):
            raise refusal(
                "{where}: {found} columns instead of {columns}", where=where, found=table.columns, columns=len(roles)
            )
        indices = {role: index for index, role in enumerate(roles)}
        columns |= columns_of(table, indices, part(progress, done / len(members), (done + 1) / len(members)), warnings)
    rows = min(len(column) for column in columns.values())
    columns = {role: column[:rows] for role, column in columns.items()}
    declared = Conventions("wxyz", WORLD_FROM_BODY, "body", "rad/s", "s", source="42")
    return raw_recording(contents.name, columns, declared, warnings)


def _spacecraft(names: Iterable[str]) -> set[str]:
    """Return the numbers of the spacecraft to which files with these names belong, "" for one without a number."""
    return {found[1] for name in names if (found := NUMBERED.fullmatch(name.lower()))}


NASA_42 = FileFormat(_members, _read_42)


def _find_check_case(table: Table) -> Found | None:
    """Find the rates, and the angles and the position on the earth if there are any."""
    names = plain_names(table)
    rates = vector(names, _SPEEDS, RATES, [("roll", "pitch", "yaw")])
    if "time" not in names or not rates:
        return None
    angles = vector(names, _ANGLES, ANGLE_ROLES, [ANGLE_ROLES])
    place = vector(names, _PLACE, PLACE_ROLES, [PLACE_ROLES]) if angles else {}
    return Found({"t": names.index("time")} | rates | angles | place)


def _converted(columns: Columns, table: Table, warnings: list[str]) -> Columns:
    """Return the times and the rates, and, if there are angles, the quaternions against inertial axes."""
    given = {role: columns[role] for role in ("t", *RATES)}
    if ANGLE_ROLES[0] not in columns:
        return given
    angles = np.stack([columns[role] for role in ANGLE_ROLES], axis=1)
    turns = np.radians(np.nan_to_num(angles))
    local = wxyz(Rotation.from_euler("ZYX", turns)) if len(turns) else np.empty((0, 4))
    rates = np.radians(np.stack([columns[role] for role in RATES], axis=1))
    q = _against_inertial_axes(table.where, columns, local, rates, warnings)
    q[~np.isfinite(angles).all(axis=1)] = np.nan
    return given | dict(zip(QUATERNION, q.T, strict=True))


def _against_inertial_axes(name: str, columns: Columns, local: Array, rates: Array, warnings: list[str]) -> Array:
    """Return the orientations (N, 4) against inertial axes; `local` (N, 4) are those against north, east and down.

    In some cases the earth does not rotate. So both are tried, and the rate of the earth is used with which the
    orientations turn most nearly at the measured `rates` (N, 3) [rad/s].
    """
    if "longitude" not in columns:
        warnings.append(tr("no longitude and latitude: local north, east and down taken as inertial axes"))
        return local
    time, latitude, longitude = columns["t"], np.radians(columns["latitude"]), np.radians(columns["longitude"])
    some = np.flatnonzero(np.isfinite(np.column_stack((time, latitude, longitude, rates))).all(axis=1))[:COMPARED]
    some = some[np.concatenate(([True], np.diff(time[some]) > 0.0))] if len(some) else some
    if len(some) < FEWEST_ROWS:
        return local  # what is wrong with the numbers is said later
    check_steps(name, time[some], *STEPS_AT_ALL)
    found = {}
    for spin in (EARTH_RATE, 0.0):
        turned = np.stack((longitude + spin * time, -0.5 * np.pi - latitude), axis=1)
        q = multiply(wxyz(Rotation.from_euler("ZY", np.nan_to_num(turned))), local)
        off = rates_of(time[some], q[some]) - rates[some]
        found[spin] = float(np.median(np.linalg.norm(off, axis=1))), q
    spin = min(found, key=lambda rate: found[rate][0])
    text = tr("angles against local north, east and down put into inertial axes, with the earth at {rate} rad/s")
    warnings.append(text.format(rate=f"{spin:g}"))
    return found[spin][1]


NASA_CHECK_CASE = ColumnFormat(_find_check_case, Conventions("wxyz", WORLD_FROM_BODY, "body", "deg/s", "s"), _converted)
