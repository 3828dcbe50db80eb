"""Steps that move the rotation and the centre of mass together, because one of them depends on the other.

That is so under a force that turns with the body, and under a force or torque function, which may vary with the
position.
"""

from itertools import pairwise
from math import dist, hypot, inf, isfinite
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody
from viewer.physics.centre_of_mass import SHORT, CentreOfMass, turn
from viewer.physics.integrators import Integrator
from viewer.physics.kernels.matrix import UNSTRETCHED, stretched_rates
from viewer.physics.kernels.quaternion import Four, Moving, Three, to_body
from viewer.physics.loads import Loads
from viewer.physics.state import State, kernel_unit
from viewer.physics.stepping.kicks import ITERATIONS, ROUND_OFF, Place, Targets
from viewer.physics.stepping.stepper import Stepper

Array = NDArray[np.float64]


@frozen
class Coordinates:
    """The floats in which an integrator keeps a body's motion: (w, x, y, z, Lx, Ly, Lz), and the six of S if `matrix`.

    The rotation matrix is R = Q S: Q from the quaternion, S a symmetric stretch. L is in space if `in_space`, else in
    body axes. `moments` are in `unit` [kg m2], L in `unit` rad/s; J is 1/`moments`.
    """

    unit: float
    moments: Three
    J: Three
    in_space: bool
    matrix: bool

    @classmethod
    def of(cls, body: RigidBody, method: Integrator) -> "Coordinates":
        """Return the coordinates in which `method` moves `body`."""
        unit = kernel_unit(body)
        x, y, z = (float(value) / unit for value in body.principal_moments)
        return cls(unit, (x, y, z), (1.0 / x, 1.0 / y, 1.0 / z), method.in_space, method.matrix)

    def momentum_of(self, state: State) -> Three:
        """Return L of a state, in body axes."""
        x, y, z = state.omega_body.tolist()
        return self.moments[0] * x, self.moments[1] * y, self.moments[2] * z

    def at(self, orientation: Four, momentum_body: Three) -> Moving:
        """Return the floats of an orientation and an L in body axes."""
        w, x, y, z = orientation
        seven = (w, x, y, z, *(to_body(w, -x, -y, -z, *momentum_body) if self.in_space else momentum_body))
        return (*seven, *UNSTRETCHED) if self.matrix else seven

    def momentum_body(self, seven: Moving) -> Three:
        """Return L in body axes."""
        return to_body(*seven[:7]) if self.in_space else seven[4:7]

    def momentum_world(self, seven: Moving) -> Three:
        """Return L in space."""
        w, x, y, z = seven[:4]
        return seven[4:7] if self.in_space else to_body(w, -x, -y, -z, *seven[4:7])

    def omega_body(self, seven: Moving) -> Three:
        """Return the angular velocity in body axes [rad/s]."""
        bx, by, bz = self.momentum_body(seven)
        stretch = seven[7:]
        if stretch:
            return stretched_rates(bx, by, bz, self.J, stretch)
        return self.J[0] * bx, self.J[1] * by, self.J[2] * bz

    def omega_world(self, seven: Moving) -> Array:
        """Return the angular velocity (3,) in space [rad/s]."""
        w, x, y, z = seven[:4]
        return np.array(to_body(w, -x, -y, -z, *self.omega_body(seven)))

    def energy(self, seven: Moving) -> float:
        """Return the energy of rotation, omega.L/2."""
        bx, by, bz = self.momentum_body(seven)
        if seven[7:]:
            return 0.5 * sum(rate * part for rate, part in zip(self.omega_body(seven), (bx, by, bz), strict=True))
        return 0.5 * (self.J[0] * bx * bx + self.J[1] * by * by + self.J[2] * bz * bz)


class Moved(NamedTuple):
    """All that a step changes: the rotation, the targets and the centre of mass."""

    rotation: Moving
    targets: Targets
    centre: CentreOfMass

    @property
    def finite(self) -> bool:
        """Whether all numbers are finite."""
        return isfinite(sum(self.rotation) + sum(self.targets)) and self.centre.finite


class CoupledSteps:
    """The steps of one setup, each of `step` [s]. `coordinates` describe the floats that `stepper` moves."""

    def __init__(self, stepper: Stepper, coordinates: Coordinates, loads: Loads, step: float) -> None:
        self._stepper, self._floats, self._loads, self._step = stepper, coordinates, loads, step

    def foreseen(self, now: Moved, time: float, begun: float) -> Place:
        """Return a function from a time [s] to position and momentum of the centre of mass.

        The function is for a step, or a part of one, that begins at `time` [s]. Without thrust, the centre of mass
        moves on a parabola, which begins at `begun` [s].
        """
        centre = now.centre
        if not centre.thrust:
            return lambda at: centre.after(at - begun)
        state = State(now.rotation[:4], self._floats.omega_body(now.rotation), *centre.after(0.0))
        force = self._loads.force_at(time, state).tolist()
        return lambda at: centre.foreseen(at - time, force)

    def by_parts(self, now: Moved, time: float, begun: float, sign: int) -> Moved:
        """Return the result of a step under loads that vary; raise NumericalOverflow if it is not finite."""
        first = now
        for begin, end in pairwise(self._stepper.cuts(time, sign)):
            now = self._part(now, time, begun, begin, end, sign)
            if not now.finite:
                raise self._stepper.overflow(time, first.rotation, first.targets, now.rotation, sign)
        return now

    def _part(self, now: Moved, time: float, begun: float, begin: float, end: float, sign: int) -> Moved:
        """Return the result of a part of the step of `by_parts`.

        `begin` and `end` are the fractions of the step between which the part lies. A torque function may depend on the
        centre of mass, which a thrust moves as the body turns. Rotation and centre of mass are then found together, by
        iterations that start from the foreseen centre of mass and end when the rotation no longer changes.
        """
        stepper, h = self._stepper, sign * self._step
        seconds, at = (end - begin) * h, time + begin * h
        place = self.foreseen(now, at, begun)
        later = Moved(*stepper.part(now.rotation, now.targets, time, begin, end, sign, place), now.centre)
        if not now.centre.thrust:
            return later
        change = inf
        for _ in range(ITERATIONS):
            if not later.finite:
                break
            first, last = ((each[:4], self._floats.omega_body(each)) for each in (now.rotation, later.rotation))
            centre = now.centre.by_ends(first, last, seconds, at)
            if self._loads.torque_function is None:
                return later._replace(centre=centre)
            place = now.centre.between(centre, first, last, seconds, at)
            before, change_before = later.rotation, change
            later = Moved(*stepper.part(now.rotation, now.targets, time, begin, end, sign, place), now.centre)
            change = dist(later.rotation, before)
            if change <= ROUND_OFF * hypot(*later.rotation) or not change < change_before:
                return later._replace(centre=centre)
        return later

    def centre_after(self, now: Moved, rotation: Moving, sign: int) -> CentreOfMass:
        """Return the centre of mass under thrust after a step that leads to the given rotation."""
        if self._stepper.dense and turn(self._floats.J, self._floats.momentum_body(rotation), self._step) > SHORT:
            return self.centre_ahead(now, sign)
        first = now.rotation[:4], self._floats.omega_body(now.rotation)
        last = rotation[:4], self._floats.omega_body(rotation)
        return now.centre.by_ends(first, last, sign * self._step)

    def centre_ahead(self, now: Moved, fraction: float) -> CentreOfMass:
        """Return the centre of mass under thrust a fraction -1..1 of a step ahead; the stepper must be dense."""

        def orientations(_steps: Array, fractions: Array) -> Array:
            parts = (fraction * fractions).tolist()
            return np.array([self._stepper.steps(now.rotation, now.targets, 1, part)[0][:4] for part in parts])

        seconds = fraction * self._step
        angle = turn(self._floats.J, self._floats.momentum_body(now.rotation), seconds)
        return now.centre.by_nodes(orientations, angle, seconds, 1)
