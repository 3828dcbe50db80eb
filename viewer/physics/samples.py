"""What the rows of `Simulation.row` say: a motion's quantities at N moments at once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from viewer.physics.body import RigidBody
from viewer.physics.rotation import rotate, rotate_back
from viewer.physics.state import States

Array = NDArray[np.float64]

WIDTH = 20  # numbers in a row
STEPS, TIME = 0, 1
ORIENTATION, MOMENTUM, IN_SPACE, TARGETS = slice(2, 6), slice(6, 9), 9, slice(10, 13)
POSITION, LINEAR_MOMENTUM, CORRECTION = slice(13, 16), slice(16, 19), 19


@dataclass(frozen=True)
class Records:
    """N moments of the motion of `body`; `rows` (N, WIDTH) as `Simulation.row` gives them, SI units come out.

    A row is: steps, time [s], orientation wxyz, L in the frame of the integrator, 1 where that is space, the targets
    (energy, |L|, share of the gradient method), position, momentum, correction [rad]. L and energies are in `unit`.
    """

    body: RigidBody
    rows: Array
    unit: float

    @property
    def time(self) -> Array:
        """(N,) in s."""
        return self.rows[:, TIME]

    @cached_property
    def orientation_wxyz(self) -> Array:
        """(N, 4), unit quaternions."""
        q = self.rows[:, ORIENTATION]
        return np.asarray(q / np.linalg.norm(q, axis=1, keepdims=True))

    @cached_property
    def momentum_world(self) -> Array:
        """L (N, 3) in space [kg m2/s]."""
        L, in_space = self.rows[:, MOMENTUM] * self.unit, self.rows[:, IN_SPACE, None] == 1.0
        return np.where(in_space, L, rotate(self.orientation_wxyz, L))

    @cached_property
    def momentum_body(self) -> Array:
        """L (N, 3) in the body frame [kg m2/s]."""
        L, in_space = self.rows[:, MOMENTUM] * self.unit, self.rows[:, IN_SPACE, None] == 1.0
        return np.where(in_space, rotate_back(self.orientation_wxyz, L), L)

    @cached_property
    def momentum_size(self) -> Array:
        """|L| (N,) [kg m2/s]."""
        return np.asarray(np.linalg.norm(self.rows[:, MOMENTUM], axis=1) * self.unit)

    @cached_property
    def omega_body(self) -> Array:
        """(N, 3) in rad/s."""
        return np.asarray(self.momentum_body / self.body.principal_moments)

    @property
    def omega_world(self) -> Array:
        """(N, 3) in rad/s."""
        return rotate(self.orientation_wxyz, self.omega_body)

    @property
    def energy(self) -> Array:
        """Of the rotation (N,) [J]."""
        return np.asarray(0.5 * np.sum(self.momentum_body**2 / self.body.principal_moments, axis=1))

    @property
    def target_energy(self) -> Array:
        """What the energy ought to be (N,) [J]."""
        return np.asarray(self.rows[:, TARGETS][:, 0] * self.unit)

    @property
    def target_momentum(self) -> Array:
        """What |L| ought to be (N,) [kg m2/s]; momentum schemes have no error in it."""
        own = self.rows[:, IN_SPACE] == 1.0
        return np.where(own, self.momentum_size, self.rows[:, TARGETS][:, 1] * self.unit)

    @property
    def correction(self) -> Array:
        """The turn (N,) [rad] with which the stabilisation corrects the step that follows."""
        return self.rows[:, CORRECTION]

    @property
    def states(self) -> States:
        """As what the exact motion is compared with."""
        linear = self.rows[:, POSITION], self.rows[:, LINEAR_MOMENTUM]
        return States(self.time, self.orientation_wxyz, self.omega_body, *linear)
