"""The state of a body, one or N at a time, and what follows from it: energy, angular momentum, rates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.common.errors import refusal
from viewer.physics.body import RigidBody
from viewer.physics.rotation import rotate, rotate_back
from viewer.physics.torque_of_time import three

Array = NDArray[np.float64]
AT_REST = 1e-12  # rad/s: a turn in 200 000 years


def at_rest(energy: float, L_norm: float) -> bool:
    """Whether a body of that energy [J] and |L| [kg m2/s] turns about L no faster than AT_REST, at 2E/|L| [rad/s]."""
    return 2.0 * energy <= AT_REST * L_norm


@dataclass(frozen=True, eq=False, init=False)
class State:
    """Orientation (4,) wxyz, body to world; angular velocity (3,) [rad/s] in the body frame; position (3,) [m] and
    linear momentum (3,) [kg m/s] of the centre of mass, in space. Array-likes go in, read-only float64 comes out.

    The orientation is normalised. Raises ValueError for a zero quaternion, a wrong shape, a number that is not finite.
    """

    orientation_wxyz: Array
    omega_body: Array
    position: Array
    linear_momentum: Array

    def __init__(
        self,
        orientation_wxyz: ArrayLike,
        omega_body: ArrayLike,
        position: ArrayLike = (0.0, 0.0, 0.0),
        linear_momentum: ArrayLike = (0.0, 0.0, 0.0),
        *,
        momentum: ArrayLike | None = None,
    ) -> None:
        """`momentum`: the former name of `linear_momentum`."""
        quaternion = _vector("orientation_wxyz", orientation_wxyz, 4)
        largest = np.abs(quaternion).max()
        if largest == 0.0:
            raise refusal("orientation_wxyz: (0, 0, 0, 0) is no orientation; any other finite numbers are")
        quaternion = quaternion / largest  # first, so that no square overflows
        self._set("orientation_wxyz", quaternion / np.sqrt(quaternion @ quaternion))
        self._set("omega_body", _vector("omega_body", omega_body, 3))
        self._set("position", _vector("position", position, 3))
        self._set("linear_momentum", _vector("linear_momentum", linear_momentum if momentum is None else momentum, 3))

    @property
    def momentum(self) -> Array:
        """The former name of `linear_momentum`."""
        return self.linear_momentum

    def _set(self, name: str, vector: Array) -> None:
        vector.setflags(write=False)
        object.__setattr__(self, name, vector)


@dataclass(frozen=True, eq=False)
class States:
    """N states: time (N,) [s], orientation_wxyz (N, 4), omega_body (N, 3) [rad/s].

    position [m] and linear_momentum [kg m/s] of the centre of mass (N, 3) in space, None where they are not known.
    momentum_body: L (N, 3) in the body [kg m2/s] where it is not I omega, for the integrator keeps a matrix that is no
    rotation; stretch (N, 6): of that matrix, see `kernels.matrix`.
    """

    time: Array
    orientation_wxyz: Array
    omega_body: Array
    position: Array | None = None
    linear_momentum: Array | None = None
    momentum_body: Array | None = None
    stretch: Array | None = None

    @property
    def momentum(self) -> Array | None:
        """The former name of `linear_momentum`."""
        return self.linear_momentum


def _vector(name: str, value: ArrayLike, size: int) -> Array:
    vector = np.array(value, dtype=np.float64)
    if vector.shape != (size,) or not np.isfinite(vector).all():
        raise refusal(
            "{name}: {value!r} is not allowed; it must be {size} finite numbers", name=name, value=value, size=size
        )
    return vector


def rotational_energy(body: RigidBody, state: State | States) -> Array:
    """omega.I omega / 2 in J; a number, or (N,)."""
    omega = state.omega_body
    if isinstance(state, States) and state.momentum_body is not None:
        return np.asarray(0.5 * np.sum(state.momentum_body * omega, axis=-1))
    return np.asarray(0.5 * np.sum(body.principal_moments * omega * omega, axis=-1))


def angular_momentum_body(body: RigidBody, state: State | States) -> Array:
    """I omega (..., 3) in kg m2/s, in the body frame."""
    if isinstance(state, States) and state.momentum_body is not None:
        return state.momentum_body
    return np.asarray(body.principal_moments * state.omega_body)


def angular_momentum_world(body: RigidBody, state: State | States) -> Array:
    """L (..., 3) in kg m2/s, in space."""
    return rotate(state.orientation_wxyz, angular_momentum_body(body, state))


def stretch_matrices(stretch: Array) -> Array:
    """Return the symmetric matrices (..., 3, 3) of the six numbers (..., 6) xx, yy, zz, xy, xz, yz."""
    return stretch[..., np.array(((0, 3, 4), (3, 1, 5), (4, 5, 2)))]


def stretched_omega(stretch: Array, angular_momentum_body: Array, inverse_moments: Array) -> Array:
    """omega (N, 3) = S J S L in the body, of a matrix R = Q S that is no rotation Q."""
    S = stretch_matrices(stretch)
    return np.asarray((S @ (inverse_moments * (S @ angular_momentum_body[..., None])[..., 0])[..., None])[..., 0])


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
