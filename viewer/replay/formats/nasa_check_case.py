"""NASA's check cases of flight simulations: Euler angles against north, east and down, rates against inertial axes."""

import re

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from viewer.common.language import tr
from viewer.physics.rotation import multiply
from viewer.replay.conventions import WORLD_FROM_BODY, Conventions
from viewer.replay.files.contents import Table
from viewer.replay.formats.columns import ColumnFormat, Columns, Found, plain_names, vector
from viewer.replay.kinematics import rates_of, wxyz
from viewer.replay.raw_recording import FEWEST_ROWS, QUATERNION, RATES, STEPS_AT_ALL, check_steps

Array = NDArray[np.float64]

COMPARED = 2000  # rows, by which the earth's rate is found
EARTH_RATE = 7.292115e-5  # rad/s, of WGS 84
ANGLE_ROLES, PLACE_ROLES = ("yaw", "pitch", "roll"), ("longitude", "latitude")
_ANGLES = re.compile(r"eulerangle_deg_(?P<part>yaw|pitch|roll)")
_SPEEDS = re.compile(r"bodyangularratewrtei_deg_s_(?P<part>roll|pitch|yaw)")
_PLACE = re.compile(r"(?P<part>longitude|latitude)_deg")


def _find(table: Table) -> Found | None:
    names = plain_names(table)
    rates = vector(names, _SPEEDS, RATES, [("roll", "pitch", "yaw")])
    if "time" not in names or not rates:
        return None
    angles = vector(names, _ANGLES, ANGLE_ROLES, [ANGLE_ROLES])
    place = vector(names, _PLACE, PLACE_ROLES, [PLACE_ROLES]) if angles else {}
    return Found({"t": names.index("time")} | rates | angles | place)


def _converted(columns: Columns, table: Table, warnings: list[str]) -> Columns:
    """Return the rates, and where there are angles the quaternions against inertial axes."""
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


def _against_inertial_axes(
    name: str, columns: dict[str, Array], local: Array, rates: Array, warnings: list[str]
) -> Array:
    """The orientations (N, 4) against axes that do not turn with the earth and the place above it.

    A case may be of an earth that does not rotate: of both rates of the earth, that counts with which the orientations
    turn as the rates (N, 3) say [rad/s].
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


NASA_CHECK_CASE = ColumnFormat(_find, Conventions("wxyz", WORLD_FROM_BODY, "body", "deg/s", "s"), _converted)
