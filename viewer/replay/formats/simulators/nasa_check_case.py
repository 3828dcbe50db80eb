"""NASA's check cases of flight simulations: Euler angles against north, east and down, rates against inertial axes."""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from viewer.common.language import tr
from viewer.physics.rotation import multiply
from viewer.replay.conventions import WORLD_FROM_BODY, Conventions
from viewer.replay.files.contents import Contents, Table, columns_of
from viewer.replay.kinematics import rates_of, wxyz
from viewer.replay.raw_recording import (
    FEWEST_ROWS,
    QUATERNION,
    RATES,
    STEPS_AT_ALL,
    Progress,
    RawRecording,
    check_steps,
    raw_recording,
)

Array = NDArray[np.float64]

COMPARED = 2000  # rows, by which the earth's rate is found
EARTH_RATE = 7.292115e-5  # rad/s, of WGS 84
TIME, ANGLES = "time", [f"eulerAngle_deg_{name}" for name in ("Yaw", "Pitch", "Roll")]
SPEEDS = [f"bodyAngularRateWrtEi_deg_s_{name}" for name in ("Roll", "Pitch", "Yaw")]
PLACE = ["longitude_deg", "latitude_deg"]
ANGLE_ROLES, PLACE_ROLES = ("yaw", "pitch", "roll"), ("longitude", "latitude")


def recognises(contents: Contents) -> bool:
    """By the names of its columns."""
    return _table(contents) is not None


def read(contents: Contents, progress: Progress) -> RawRecording:
    """The orientations against inertial axes, where it has angles, and the rates. Raises InputError."""
    found = _table(contents)
    assert found is not None
    table, names = found
    warnings: list[str] = []
    wanted = {"t": TIME} | dict(zip(RATES, SPEEDS, strict=True))
    oriented = set(ANGLES) <= set(names)
    if oriented:
        wanted |= dict(zip(ANGLE_ROLES, ANGLES, strict=True))
    if oriented and set(PLACE) <= set(names):
        wanted |= dict(zip(PLACE_ROLES, PLACE, strict=True))
    columns = columns_of(table, {role: names.index(name) for role, name in wanted.items()}, progress, warnings)
    given = {role: columns[role] for role in ("t", *RATES)}
    if oriented:
        given |= _orientations(contents.name, columns, warnings)
    declared = Conventions("wxyz", WORLD_FROM_BODY, "body", "deg/s", "s")
    return raw_recording(contents.name, given, declared, warnings)


def _orientations(name: str, columns: dict[str, Array], warnings: list[str]) -> dict[str, Array]:
    """The quaternions against inertial axes, as columns. `name`: the file's, for errors."""
    given = np.stack([columns[role] for role in ANGLE_ROLES], axis=1)
    angles = np.radians(np.nan_to_num(given))
    local = wxyz(Rotation.from_euler("ZYX", angles)) if len(angles) else np.empty((0, 4))
    rates = np.radians(np.stack([columns[role] for role in RATES], axis=1))
    q = _against_inertial_axes(name, columns, local, rates, warnings)
    q[~np.isfinite(given).all(axis=1)] = np.nan
    return dict(zip(QUATERNION, q.T, strict=True))


def _table(contents: Contents) -> tuple[Table, list[str]] | None:
    return next(((table, names) for table, names in contents.named if {TIME, *SPEEDS} <= set(names)), None)


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
