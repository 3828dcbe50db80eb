"""The state of a body, one or N at a time, the quantities that follow from it, and the samples of a simulation.

A sample is all that moves in a simulation: a tuple after one step, a structured array after each of N steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import frexp, ldexp
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.common.errors import refusal
from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody
from viewer.physics.kernels.quaternion import Four, Six, Three
from viewer.physics.rotation import rotate, rotate_back
from viewer.physics.torque_of_time import three

Array = NDArray[np.float64]
AT_REST = 1e-12  # rad/s: a turn in 200 000 years


def at_rest(energy: float, L_norm: float) -> bool:
    """Return whether a body of this energy [J] and |L| [kg m2/s] turns about L no faster than AT_REST.

    The rate about L is 2E/|L|.
    """
    return 2.0 * energy <= AT_REST * L_norm


@dataclass(frozen=True, eq=False, init=False)
class State:
    """The orientation and the motion of a body at one time, with read-only float64 arrays.

    Parameters
    ----------
    orientation_wxyz : array_like
        Quaternion (4,), body to world; it is normalised.
    omega_body : array_like
        Angular velocity (3,) [rad/s] in the body frame.
    position : array_like, optional
        Position (3,) [m] of the centre of mass, in space.
    linear_momentum : array_like, optional
        Linear momentum (3,) [kg m/s], in space.
    momentum : array_like, optional
        The former name of `linear_momentum`.

    Raises
    ------
    ValueError
        For a zero quaternion, a wrong shape, a number that is not finite.

    Examples
    --------
    >>> from viewer import State
    >>> State((2, 0, 0, 0), (0, 0, 3)).orientation_wxyz
    array([1., 0., 0., 0.])
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
        """Make a state; `momentum` is the former name of `linear_momentum`."""
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
    """N states of a body.

    Attributes
    ----------
    time
        The times (N,) [s].
    orientation_wxyz
        The orientations (N, 4), body to world.
    omega_body
        The angular velocities (N, 3) in body axes [rad/s].
    position, linear_momentum
        Position [m] and linear momentum [kg m/s] of the centre of mass, (N, 3) in space; None if they are not known.
    momentum_body
        L (N, 3) in body axes [kg m2/s] if the integrator keeps a matrix that is no rotation, else None. With such a
        matrix L is not I omega.
    stretch
        The stretch (N, 6) of such a matrix (see `kernels.matrix`), else None.
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
    """Return the energy of rotation, omega.I omega / 2 [J]: a number, or (N,)."""
    omega = state.omega_body
    if isinstance(state, States) and state.momentum_body is not None:
        return np.asarray(0.5 * np.sum(state.momentum_body * omega, axis=-1))
    return np.asarray(0.5 * np.sum(body.principal_moments * omega * omega, axis=-1))


def angular_momentum_body(body: RigidBody, state: State | States) -> Array:
    """Return L (..., 3) in the body frame [kg m2/s]: I omega, unless the states have their own `momentum_body`."""
    if isinstance(state, States) and state.momentum_body is not None:
        return state.momentum_body
    return np.asarray(body.principal_moments * state.omega_body)


def angular_momentum_world(body: RigidBody, state: State | States) -> Array:
    """Return L (..., 3) in space [kg m2/s]."""
    return rotate(state.orientation_wxyz, angular_momentum_body(body, state))


def stretch_matrices(stretch: Array) -> Array:
    """Return the symmetric matrices (..., 3, 3) of the six numbers (..., 6) xx, yy, zz, xy, xz, yz."""
    return stretch[..., np.array(((0, 3, 4), (3, 1, 5), (4, 5, 2)))]


def stretched_omega(stretch: Array, angular_momentum_body: Array, inverse_moments: Array) -> Array:
    """Return omega (N, 3) in the frame of Q for an integrator's matrix R = Q S that is no rotation: S J S L."""
    S = stretch_matrices(stretch)
    return np.asarray((S @ (inverse_moments * (S @ angular_momentum_body[..., None])[..., 0])[..., None])[..., 0])


def point_velocity(body: RigidBody, state: State | States, point: ArrayLike) -> Array:
    """Return the velocity omega x r + v of a point of the body, in space.

    Parameters
    ----------
    body : RigidBody
        The body.
    state : State or States
        Its orientation and its motion; v is taken as 0 if states have no linear momentum.
    point : array_like
        The point (3,) [m], along the body axes from the centre of mass.

    Returns
    -------
    ndarray
        Velocities (..., 3) [m/s].

    Raises
    ------
    ValueError
        If the point is not three finite numbers.

    Examples
    --------
    >>> from viewer import RigidBody, State, point_velocity
    >>> point_velocity(RigidBody.sphere(1, 0.1), State((1, 0, 0, 0), (0, 0, 2)), (1, 0, 0))
    array([0., 2., 0.])
    """
    about = rotate(state.orientation_wxyz, np.cross(state.omega_body, three("point", point)))
    P = state.linear_momentum
    return about if P is None else np.asarray(about + P / body.mass)


def angular_acceleration(body: RigidBody, state: State | States, torque_world: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
    """Return the angular acceleration d omega/dt = I^-1 (torque - omega x L), in space.

    Parameters
    ----------
    body : RigidBody
        The body.
    state : State or States
        Its orientation and its angular velocity.
    torque_world : array_like, optional
        The torque (..., 3) [N m] in space.

    Returns
    -------
    ndarray
        Angular accelerations (..., 3) [rad/s2].

    Examples
    --------
    >>> from viewer import RigidBody, State, angular_acceleration
    >>> angular_acceleration(RigidBody.from_moments((1, 2, 3)), State((1, 0, 0, 0), (1, 0, 1)))
    array([0., 1., 0.])
    """
    L = angular_momentum_body(body, state)
    rate = rotate_back(state.orientation_wxyz, torque_world) + np.cross(L, state.omega_body)
    if isinstance(state, States) and state.stretch is not None:
        return rotate(state.orientation_wxyz, stretched_omega(state.stretch, rate, body.inverse_moments))
    return rotate(state.orientation_wxyz, rate / body.principal_moments)


SampleRows = NDArray[np.void]  # (N,) of dtype SAMPLE

NO_STRETCH: Six = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
SAMPLE = np.dtype(
    [
        ("steps", np.int64),
        ("time", np.float64),
        ("orientation_wxyz", np.float64, 4),
        ("angular_momentum", np.float64, 3),
        ("in_space", np.bool_),
        ("target_energy", np.float64),
        ("target_norm", np.float64),
        ("gradient_fraction", np.float64),
        ("position", np.float64, 3),
        ("linear_momentum", np.float64, 3),
        ("correction", np.float64),
        ("stretch", np.float64, 6),
    ],
    align=True,
)


def kernel_unit(body: RigidBody) -> float:
    """Return the kernels' unit of inertia: 2^n kg m2 near the least moment, which keeps products of many J in range."""
    return ldexp(1.0, frexp(float(body.principal_moments.min()))[1])


def orthogonality_error(stretch: Array) -> Array:
    """Return |R^T R - 1| (...) for R = Q S, for which R^T R = S^2.

    It is the root of the sum of the squares of the elements.
    """
    S = stretch_matrices(stretch)
    return np.asarray(np.linalg.norm(S @ S - np.eye(3), axis=(-2, -1)))


class Sample(NamedTuple):
    """All that moves in a simulation, from which it can go on, bit for bit.

    A row of dtype SAMPLE has the same fields in the same order. Units are SI, but `kernel_unit` takes the place of kg
    m2 where it is named.

    Attributes
    ----------
    steps, time
        The number of steps and the time [s].
    orientation_wxyz
        The quaternion from body to world.
    angular_momentum
        L, in `kernel_unit` rad/s: in space if `in_space`, else in the body frame.
    in_space
        Whether `angular_momentum` is in space.
    target_energy, target_norm
        The targets of the energy and of |L|, in `kernel_unit`.
    gradient_fraction
        The fraction i_c of the gradient method, see `GradientSettings`.
    position, linear_momentum
        Those of the centre of mass, in space.
    correction
        The angle [rad] by which the stabilisation turns the body in the next step.
    stretch
        The stretch of an integrator's matrix (see `kernels.matrix`); NO_STRETCH if it keeps none.
    """

    steps: int
    time: float
    orientation_wxyz: Four
    angular_momentum: Three
    in_space: bool
    target_energy: float
    target_norm: float
    gradient_fraction: float
    position: Three
    linear_momentum: Three
    correction: float
    stretch: Six = NO_STRETCH

    @classmethod
    def from_row(cls, row: np.void) -> Sample:
        """Return the sample in a row of dtype SAMPLE."""
        fields = (tuple(value.tolist()) if isinstance(value, np.ndarray) else value for value in row.item())
        return cls._make(fields)


@frozen
class Samples:
    """N samples of the motion of `body`, in SI units; `rows` (N,) of dtype SAMPLE."""

    body: RigidBody
    rows: SampleRows

    @cached_property
    def unit(self) -> float:
        """The unit of the kernels [kg m2]."""
        return kernel_unit(self.body)

    @property
    def time(self) -> Array:
        """The times (N,) [s]."""
        return self.rows["time"]

    @cached_property
    def orientation_wxyz(self) -> Array:
        """The orientations (N, 4), unit quaternions."""
        q = self.rows["orientation_wxyz"]
        return np.asarray(q / np.linalg.norm(q, axis=1, keepdims=True))

    @cached_property
    def angular_momentum_world(self) -> Array:
        """The angular momenta L (N, 3) in space [kg m2/s]."""
        L, in_space = self.rows["angular_momentum"] * self.unit, self.rows["in_space"]
        return L if in_space.all() else np.where(in_space[:, None], L, rotate(self.orientation_wxyz, L))

    @cached_property
    def angular_momentum_body(self) -> Array:
        """The angular momenta L (N, 3) in the body frame [kg m2/s]."""
        L, in_space = self.rows["angular_momentum"] * self.unit, self.rows["in_space"]
        return np.where(in_space[:, None], rotate_back(self.orientation_wxyz, L), L) if in_space.any() else L

    @cached_property
    def angular_momentum_norm(self) -> Array:
        """The sizes |L| (N,) [kg m2/s]."""
        return np.asarray(np.linalg.norm(self.rows["angular_momentum"], axis=1) * self.unit)

    @cached_property
    def omega_body(self) -> Array:
        """The angular velocities (N, 3) in the body frame [rad/s]."""
        moments, stretched = self.body.principal_moments, self._stretched
        omega = np.asarray(self.angular_momentum_body / moments)
        if stretched.any():
            stretch = self.rows["stretch"][stretched]
            omega[stretched] = stretched_omega(stretch, self.angular_momentum_body[stretched], 1.0 / moments)
        return omega

    @property
    def omega_world(self) -> Array:
        """The angular velocities (N, 3) in space [rad/s]."""
        return rotate(self.orientation_wxyz, self.omega_body)

    @property
    def energy(self) -> Array:
        """The energies of the rotation (N,) [J]."""
        if self._stretched.any():
            return np.asarray(0.5 * np.sum(self.angular_momentum_body * self.omega_body, axis=1))
        return np.asarray(0.5 * np.sum(self.angular_momentum_body**2 / self.body.principal_moments, axis=1))

    @property
    def orthogonality_error(self) -> Array:
        """The errors |R^T R - 1| (N,) of the integrator's matrix R; NaN where the state is a rotation."""
        found = np.full(len(self.rows), np.nan)
        found[self._stretched] = orthogonality_error(self.rows["stretch"][self._stretched])
        return found

    @cached_property
    def _stretched(self) -> NDArray[np.bool_]:
        """Whether each sample (N,) has the stretch of an integrator's matrix."""
        return np.asarray(self.rows["stretch"][:, :3].any(axis=1))

    @property
    def target_energy(self) -> Array:
        """The target energy (N,) [J], see `SteppedBody.target_energy`."""
        return np.asarray(self.rows["target_energy"] * self.unit)

    @property
    def target_momentum(self) -> Array:
        """The target of |L| (N,) [kg m2/s]. Momentum schemes make no error in |L|: for them it is |L| itself."""
        target = self.rows["target_norm"] * self.unit
        return np.where(self.rows["in_space"], self.angular_momentum_norm, target)

    @property
    def linear_momentum_norm(self) -> Array:
        """The sizes |P| (N,) [kg m/s]."""
        return np.asarray(np.linalg.norm(self.rows["linear_momentum"], axis=1))

    @property
    def translational_energy(self) -> Array:
        """The kinetic energies P^2 / 2M of the centre of mass (N,) [J]."""
        return np.asarray(self.linear_momentum_norm**2 / (2.0 * self.body.mass))

    @property
    def correction(self) -> Array:
        """The angle (N,) [rad] by which the stabilisation turns the body in the next step."""
        return self.rows["correction"]

    @property
    def gradient_fraction(self) -> Array:
        """The fraction i_c (N,) of the gradient method in the step that led to the sample."""
        return self.rows["gradient_fraction"]

    @property
    def states(self) -> States:
        """The samples as states, to compare them with the exact motion."""
        rows = self.rows
        linear = rows["position"], rows["linear_momentum"]
        if not self._stretched.any():
            return States(self.time, self.orientation_wxyz, self.omega_body, *linear)
        return States(
            self.time, self.orientation_wxyz, self.omega_body, *linear, self.angular_momentum_body, rows["stretch"]
        )
