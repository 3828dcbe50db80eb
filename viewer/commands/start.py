"""Begins the motion anew from a present state: the values of the section [start] of the scene."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.physics.rotation import angles_about_space_axes
from viewer.scenario.field import Number
from viewer.scenario.scenario import field_at
from viewer.session.session import Session
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

PATHS = ("start.orientation_deg", "start.angular_velocity", "start.linear_velocity", "start.position")


def allowed(path: str, vector: Array) -> Array:
    """Return a vector (3,), shortened if it is longer than the field allows in its direction."""
    field = field_at(path, Number)
    return np.asarray(vector / max(float(np.max(vector / np.where(vector < 0.0, field.low, field.high))), 1.0))


def beyond(path: str, vector: Array) -> bool:
    """Return whether a vector (3,) is longer than the field allows."""
    return not np.array_equal(allowed(path, vector), vector)


def start_values(snapshot: Snapshot, orientation_wxyz: Array, omega_body: Array) -> dict[str, Any]:
    """Return the fields of a start with this orientation (4,) and angular velocity (3,) [rad/s] along the body axes.

    Position and velocity of the centre of mass are those of the snapshot.
    """
    now, velocity = snapshot.reading.position, snapshot.reading.linear_momentum / snapshot.body.mass
    degrees = np.clip(np.degrees(angles_about_space_axes(orientation_wxyz)), -180.0, 180.0)
    vectors = degrees, allowed(PATHS[1], omega_body), allowed(PATHS[2], velocity), allowed(PATHS[3], now)
    return {path: tuple(vector.tolist()) for path, vector in zip(PATHS, vectors, strict=True)}


def begin_here(session: Session) -> None:
    """Begin the motion anew from its present state, so that all pushes are part of its start, as one undoable action.

    Of several bodies, this is the selected one. Raises InputError, and changes nothing, if the start does not allow the
    present values.
    """
    snapshot = session.snapshot()
    now = snapshot.reading
    linear = now.linear_momentum / snapshot.body.mass, now.position
    for path, vector in zip(PATHS[1:], (now.omega_body, *linear), strict=True):
        field_at(path).check(path, tuple(vector.tolist()))
    session.commit_change()
    session.change(start_values(snapshot, now.orientation_wxyz, now.omega_body))
    session.commit_change()
