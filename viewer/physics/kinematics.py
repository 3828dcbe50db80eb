"""Rates that a state has: the velocity of a point of the body, and the angular acceleration."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.physics.body import RigidBody
from viewer.physics.rotation import rotate, rotate_back
from viewer.physics.samples import stretched_omega
from viewer.physics.state import State, States, angular_momentum_body
from viewer.physics.torque_of_time import three

Array = NDArray[np.float64]


def point_velocity(body: RigidBody, state: State | States, point: ArrayLike) -> Array:
    """omega x r + v (..., 3) [m/s] in space, of a point (3,) [m] along the body axes from the centre of mass.

    v is 0 where states have no linear momentum. Raises ValueError where the point is not three finite numbers.
    """
    about = rotate(state.orientation_wxyz, np.cross(state.omega_body, three("point", point)))
    P = state.linear_momentum
    return about if P is None else np.asarray(about + P / body.mass)


def angular_acceleration(body: RigidBody, state: State | States, torque_world: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
    """d omega/dt = I^-1 (torque - omega x L) (..., 3) [rad/s2] in space, under a torque (..., 3) [N m] in space."""
    L = angular_momentum_body(body, state)
    rate = rotate_back(state.orientation_wxyz, torque_world) + np.cross(L, state.omega_body)
    if isinstance(state, States) and state.stretch is not None:
        return rotate(state.orientation_wxyz, stretched_omega(state.stretch, rate, body.inverse_moments))
    return rotate(state.orientation_wxyz, rate / body.principal_moments)
