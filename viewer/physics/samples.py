"""Samples of a motion: all that moves in a simulation, at one step as a tuple, at N steps as a structured array."""

from functools import cached_property
from math import frexp, ldexp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody
from viewer.physics.kernels.quaternion import Four, Six, Three
from viewer.physics.rotation import rotate, rotate_back
from viewer.physics.state import States, stretch_matrices, stretched_omega

Array = NDArray[np.float64]
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
    """Return the unit 2^n kg m2, near the least moment, of the kernels: products of many J stay in range, exactly."""
    return ldexp(1.0, frexp(float(body.principal_moments.min()))[1])


def orthogonality_error(stretch: Array) -> Array:
    """|R^T R - 1| (...), the root of the sum of the squares: R = Q S, so R^T R = S^2."""
    S = stretch_matrices(stretch)
    return np.asarray(np.linalg.norm(S @ S - np.eye(3), axis=(-2, -1)))


class Sample(NamedTuple):
    """A simulation after `steps`, from which it goes on bit for bit; a row of dtype SAMPLE in the same order.

    Angular momentum (in space where `in_space`, else in the body frame), `target_energy` and `target_norm`, the
    targets of the energy and of |L|, are in `kernel_unit`; all else is SI. `gradient_fraction`:
    the i_c of the gradient method. `correction`: of the stabilisation in the step that follows [rad]. `stretch`: of an
    integrator that keeps a rotation matrix (`kernels.matrix`); NO_STRETCH of the others.
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
    def from_row(cls, row: np.void) -> "Sample":
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
        """Of the kernels [kg m2]."""
        return kernel_unit(self.body)

    @property
    def time(self) -> Array:
        """(N,) in s."""
        return self.rows["time"]

    @cached_property
    def orientation_wxyz(self) -> Array:
        """(N, 4), unit quaternions."""
        q = self.rows["orientation_wxyz"]
        return np.asarray(q / np.linalg.norm(q, axis=1, keepdims=True))

    @cached_property
    def angular_momentum_world(self) -> Array:
        """L (N, 3) in space [kg m2/s]."""
        L = self.rows["angular_momentum"] * self.unit
        return np.where(self.rows["in_space"][:, None], L, rotate(self.orientation_wxyz, L))

    @cached_property
    def angular_momentum_body(self) -> Array:
        """L (N, 3) in the body frame [kg m2/s]."""
        L = self.rows["angular_momentum"] * self.unit
        return np.where(self.rows["in_space"][:, None], rotate_back(self.orientation_wxyz, L), L)

    @cached_property
    def angular_momentum_norm(self) -> Array:
        """|L| (N,) [kg m2/s]."""
        return np.asarray(np.linalg.norm(self.rows["angular_momentum"], axis=1) * self.unit)

    @cached_property
    def omega_body(self) -> Array:
        """(N, 3) in rad/s."""
        moments, stretched = self.body.principal_moments, self._stretched
        omega = np.asarray(self.angular_momentum_body / moments)
        if stretched.any():
            stretch = self.rows["stretch"][stretched]
            omega[stretched] = stretched_omega(stretch, self.angular_momentum_body[stretched], 1.0 / moments)
        return omega

    @property
    def omega_world(self) -> Array:
        """(N, 3) in rad/s."""
        return rotate(self.orientation_wxyz, self.omega_body)

    @property
    def energy(self) -> Array:
        """Of the rotation (N,) [J]."""
        if self._stretched.any():
            return np.asarray(0.5 * np.sum(self.angular_momentum_body * self.omega_body, axis=1))
        return np.asarray(0.5 * np.sum(self.angular_momentum_body**2 / self.body.principal_moments, axis=1))

    @property
    def orthogonality_error(self) -> Array:
        """Of the integrator's matrix R, |R^T R - 1| (N,); NaN where the state is a rotation."""
        found = np.full(len(self.rows), np.nan)
        found[self._stretched] = orthogonality_error(self.rows["stretch"][self._stretched])
        return found

    @cached_property
    def _stretched(self) -> NDArray[np.bool_]:
        """(N,): whether the integrator keeps a matrix."""
        return np.asarray(self.rows["stretch"][:, :3].any(axis=1))

    @property
    def target_energy(self) -> Array:
        """The target of the energy (N,) [J]."""
        return np.asarray(self.rows["target_energy"] * self.unit)

    @property
    def target_momentum(self) -> Array:
        """The target of |L| (N,) [kg m2/s]; momentum schemes have no error in it."""
        target = self.rows["target_norm"] * self.unit
        return np.where(self.rows["in_space"], self.angular_momentum_norm, target)

    @property
    def linear_momentum_norm(self) -> Array:
        """|P| (N,) [kg m/s]."""
        return np.asarray(np.linalg.norm(self.rows["linear_momentum"], axis=1))

    @property
    def translational_energy(self) -> Array:
        """P^2 / 2M of the centre of mass (N,) [J]."""
        return np.asarray(self.linear_momentum_norm**2 / (2.0 * self.body.mass))

    @property
    def correction(self) -> Array:
        """The turn (N,) [rad] with which the stabilisation corrects the step that follows."""
        return self.rows["correction"]

    @property
    def gradient_fraction(self) -> Array:
        """The i_c (N,) of the gradient method in the step that led here."""
        return self.rows["gradient_fraction"]

    @property
    def states(self) -> States:
        """As what the exact motion is compared with."""
        rows = self.rows
        linear = rows["position"], rows["linear_momentum"]
        if not self._stretched.any():
            return States(self.time, self.orientation_wxyz, self.omega_body, *linear)
        return States(
            self.time, self.orientation_wxyz, self.omega_body, *linear, self.angular_momentum_body, rows["stretch"]
        )
