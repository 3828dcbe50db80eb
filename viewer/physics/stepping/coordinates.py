"""The floats that an integrator moves, and what they mean: orientation, L in space or in the body, and a stretch."""

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody
from viewer.physics.integrators import Integrator
from viewer.physics.kernels.matrix import UNSTRETCHED, stretched_rates
from viewer.physics.kernels.quaternion import Four, Moving, Three, to_body
from viewer.physics.samples import kernel_unit
from viewer.physics.state import State

Array = NDArray[np.float64]


@frozen
class Coordinates:
    """How one integrator keeps the motion of one body: (w, x, y, z, Lx, Ly, Lz), and S where it keeps a matrix R = Q S.

    L is in space where `in_space`, else in the body, in `unit` [kg m2] / s; `moments` in `unit`, J = 1/`moments`.
    """

    unit: float
    moments: Three
    J: Three
    in_space: bool
    matrix: bool

    @classmethod
    def of(cls, body: RigidBody, method: Integrator) -> "Coordinates":
        """Those in which `method` moves `body`."""
        unit = kernel_unit(body)
        x, y, z = (float(value) / unit for value in body.principal_moments)
        return cls(unit, (x, y, z), (1.0 / x, 1.0 / y, 1.0 / z), method.in_space, method.matrix)

    def momentum_of(self, state: State) -> Three:
        """L in the body."""
        x, y, z = state.omega_body.tolist()
        return self.moments[0] * x, self.moments[1] * y, self.moments[2] * z

    def at(self, orientation: Four, momentum_body: Three) -> Moving:
        """The floats at an orientation and L in the body."""
        w, x, y, z = orientation
        seven = (w, x, y, z, *(to_body(w, -x, -y, -z, *momentum_body) if self.in_space else momentum_body))
        return (*seven, *UNSTRETCHED) if self.matrix else seven

    def momentum_body(self, seven: Moving) -> Three:
        """L in the body."""
        return to_body(*seven[:7]) if self.in_space else seven[4:7]

    def momentum_world(self, seven: Moving) -> Three:
        """L in space."""
        w, x, y, z = seven[:4]
        return seven[4:7] if self.in_space else to_body(w, -x, -y, -z, *seven[4:7])

    def omega_body(self, seven: Moving) -> Three:
        """The angular velocity in the body [rad/s]."""
        bx, by, bz = self.momentum_body(seven)
        stretch = seven[7:]
        if stretch:
            return stretched_rates(bx, by, bz, self.J, stretch)
        return self.J[0] * bx, self.J[1] * by, self.J[2] * bz

    def omega_world(self, seven: Moving) -> Array:
        """The angular velocity (3,) in space [rad/s]."""
        w, x, y, z = seven[:4]
        return np.array(to_body(w, -x, -y, -z, *self.omega_body(seven)))

    def energy(self, seven: Moving) -> float:
        """omega.L/2."""
        bx, by, bz = self.momentum_body(seven)
        if seven[7:]:
            return 0.5 * sum(rate * part for rate, part in zip(self.omega_body(seven), (bx, by, bz), strict=True))
        return 0.5 * (self.J[0] * bx * bx + self.J[1] * by * by + self.J[2] * bz * bz)
