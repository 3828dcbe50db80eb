"""A spring between a point of a body and one in space, which turns the body only: the pull of a pointer."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.physics.body import RigidBody
from viewer.physics.rotation import rotate, rotation_matrix
from viewer.physics.state import State

Array = NDArray[np.float64]

LEAST_LEVER = 0.4  # of the body's reach: nearer to the centre the spring is no stiffer


def turning_mass(body: RigidBody, orientation_wxyz: ArrayLike, lever: ArrayLike) -> float:
    """What a force at a lever (3,) [m] in space has to move where the centre stays: the mean over both directions
    across it, kg."""
    R = rotation_matrix(np.asarray(orientation_wxyz))
    x, y, z = np.asarray(lever, dtype=np.float64).tolist()
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    mobility = across.T @ (R * body.inverse_moments) @ R.T @ across  # velocity there of a force there
    return 2.0 / float(np.trace(mobility))


def spring_force(
    body: RigidBody, reach: float, state: State, point_body: ArrayLike, target: ArrayLike, rate: float, seconds: float
) -> Array:
    """The force (3,) [N] in space at a point (3,) [m] of the body, pulled towards `target` (3,) [m] in space.

    Critically damped with the natural frequency `rate` [rad/s], however heavy the body is. The force acts for
    `seconds`: it is that of the end of this time, as an implicit step has it, so that it calms the body at any length.
    `reach`: how far the body reaches from its centre, m.
    """
    lever = rotate(state.orientation_wxyz, np.asarray(point_body, dtype=np.float64))
    length = max(float(np.linalg.norm(lever)), 1e-9)
    mass = turning_mass(body, state.orientation_wxyz, lever * max(1.0, LEAST_LEVER * reach / length))
    velocity = np.cross(rotate(state.orientation_wxyz, state.omega_body), lever)
    stiffness, damping = rate * rate, 2.0 * rate  # per mass
    pull = stiffness * (np.asarray(target, dtype=np.float64) - lever) - (damping + stiffness * seconds) * velocity
    return np.asarray(mass * pull / (1.0 + damping * seconds + stiffness * seconds * seconds))
