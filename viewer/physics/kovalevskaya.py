"""Kovalevskaya's top, and the quantity that its weight keeps beside E + V and L along the vertical."""

import numpy as np
from numpy.typing import NDArray

from viewer.physics.body import ALIKE, RigidBody
from viewer.physics.loads import Loads
from viewer.physics.rotation import rotate_back
from viewer.physics.state import State, States

Array = NDArray[np.float64]


def axis_of_kovalevskaya(body: RigidBody) -> int | None:
    """Return the number of the axis whose moment is half of both others, if the centre of mass lies across it."""
    moments, place = body.principal_moments, np.abs(body.centre_of_mass)
    axis = int(np.argmin(moments))
    alike = np.all(np.abs(np.delete(moments, axis) - 2.0 * moments[axis]) <= ALIKE * moments.max())
    return axis if alike and place.max() > 0.0 and place[axis] <= ALIKE * place.max() else None


def kovalevskaya_rate(body: RigidBody, loads: Loads, states: State | States) -> Array | None:
    """Return kappa [rad/s], the fourth root of Kovalevskaya's integral; None if the loads do not keep it.

    With A = B = 2 C about the pivot, the centre of mass (x, y) across the axis of C, and the vertical gamma as the body
    sees it, the weight alone keeps the integral |(p + i q)^2 - m g/C (x + i y) (gamma_x + i gamma_y)|^2, where p and q
    are the components of omega across that axis (S. Kowalevski, Acta Mathematica 12 (1889), p. 177).

    Parameters
    ----------
    body : RigidBody
        The body.
    loads : Loads
        The loads as they act on it.
    states : State or States
        One state or N states.
    """
    axis = axis_of_kovalevskaya(body) if loads.only_weight else None
    if axis is None:
        return None
    first, second = (axis + 1) % 3, (axis + 2) % 3

    def across(vectors: Array) -> NDArray[np.complex128]:
        return np.asarray(vectors[..., first] + 1j * vectors[..., second])

    upright = rotate_back(states.orientation_wxyz, np.array((0.0, 0.0, 1.0)))
    pull = loads.weight / body.principal_moments[axis] * across(body.centre_of_mass)
    return np.asarray(np.sqrt(np.abs(across(np.asarray(states.omega_body)) ** 2 - pull * across(upright))))
