"""The motion at one time, as plain data."""

from functools import cached_property
from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.common.ring_buffer import RingView
from viewer.physics.body import RigidBody
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.kept import Kept
from viewer.physics.kovalevskaya import kovalevskaya_rate
from viewer.physics.loads import Loads
from viewer.physics.poinsot import construction
from viewer.physics.poinsot.construction import Curves
from viewer.physics.rotation import rotation_matrix
from viewer.physics.simulation import Simulation
from viewer.physics.state import State, at_rest, orthogonality_error
from viewer.race.live import LaneNow
from viewer.race.recorded_lane import Measured
from viewer.scenario.sections.body import Body

Array = NDArray[np.float64]


@frozen
class Reading:
    """Position, orientation and motion of the body at one time; SI units, arrays read-only.

    `position` and `linear_momentum` are those of the centre of mass. `energy` is the rotational energy, `target_energy`
    its value without the integrator's errors; `target_momentum` is the value of |L| without them.
    `orthogonality_error` is |R^T R - 1| if the integrator keeps a rotation matrix R, else None.
    """

    time: float
    position: Array
    linear_momentum: Array
    orientation_wxyz: Array
    rotation_world_from_body: Array
    omega_body: Array
    omega_world: Array
    angular_momentum_world: Array
    target_momentum: float
    energy: float
    target_energy: float
    orthogonality_error: float | None = None

    @classmethod
    def of(cls, simulation: Simulation) -> "Reading":
        """Return the reading of a simulation as it is now."""
        state, stretch = simulation.state, simulation.stretch
        orientation = np.asarray(state.orientation_wxyz)
        return cls(
            time=simulation.time,
            position=np.asarray(state.position),
            linear_momentum=np.asarray(state.linear_momentum),
            orientation_wxyz=orientation,
            rotation_world_from_body=rotation_matrix(orientation),
            omega_body=np.asarray(state.omega_body),
            omega_world=simulation.omega_world,
            angular_momentum_world=np.array(simulation.angular_momentum_world, dtype=np.float64),
            target_momentum=float(simulation.target_momentum),
            energy=float(simulation.rotational_energy),
            target_energy=float(simulation.target_energy),
            orthogonality_error=None if stretch is None else float(orthogonality_error(stretch)),
        )

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    @property
    def state(self) -> State:
        """Orientation, angular velocity, position and linear momentum."""
        return State(self.orientation_wxyz, self.omega_body, self.position, self.linear_momentum)

    @property
    def at_rest(self) -> bool:
        """Whether the body is at rest."""
        return at_rest(self.energy, float(np.linalg.norm(self.angular_momentum_world)))


@frozen
class Correction:
    """The stabilisation of the next step: L in the body (3,) before and after it, and omega in space (3,) likewise.

    `largest` [kg m2/s] is the greatest distance by which it moves L anywhere on the curve, `largest_omega` [rad/s] the
    same for omega.
    """

    before: Array
    after: Array
    largest: float
    omega_before: Array
    omega_after: Array
    largest_omega: float


@frozen
class Snapshot:
    """All of a motion that can be shown.

    Attributes
    ----------
    shape
        The body as the scene describes it.
    loads
        The loads that act now.
    curves
        The curves that belong to the targets of E and |L|.
    period
        The period [s] of the torque-free motion from here on, or of a top's nutation; None if there is none.
    flip_period
        The time [s] between two flips of that motion, or None if it does not flip.
    trail
        Rows of time, omega_world, omega_body and the place of the centre of mass in space. From row to row the body
        turns by at most 0.1 rad, or by one step if that is more.
    lanes
        The lanes of the race, at their last step up to now.
    correction
        The correction of the next step; None if nothing is corrected, or while loads act.
    stabilisation
        The method of the stabilisation, or "off".
    corrector
        The i_c of the gradient method; None for other methods.
    bodies
        The snapshots of all bodies, including the selected one, if the scene has several.
    name
        The body's name, if the scene has several bodies.
    begun
        The time [s] of the last change of loads or the last pulse, after which the motion is free; None if there was no
        such change, or while loads act.
    precession_period
        The mean time [s] in which the axis about which the body wobbles goes once round L, or that of a top once round
        the vertical; None if it does not go round.
    frame_period
        The time [s] of one turn of the frame, rotating about L, in which the motion repeats after each period; negative
        if the frame turns clockwise, None if it is at rest.
    strays
        Whether the integrator leaves the torque-free motion within a period, so that the times above are only those of
        the exact motion.
    stopped
        Why the motion goes no further than here, if it has diverged; else None.
    cap
        The cap on |omega| [rad/s], if it limits |omega| now; else None.
    measured
        The measured angular velocities of the recording that this motion explains; None without a recording.
    recorded
        The recording, if the picture shows the body as recorded; the computed motion is then the first of the lanes.
    gaps
        Times (begin, end) [s] between which a recording has no rows, so that the trail is unknown.
    start_position
        The position [m] of the centre of mass at t = 0.
    kept
        What the weight alone keeps of a body about a pivot; None if it does not act alone.
    top
        The motion under its weight alone of a body that is symmetric about the line from its pivot to its centre of
        mass, with periods, rates and inclinations; None for other bodies and without weight.
    hangs
        Whether a body about a pivot began with its centre of mass no higher than the pivot.
    """

    body: RigidBody
    shape: Body
    integrator: str
    loads: Loads
    reading: Reading
    start_angular_momentum_world: Array
    curves: Curves
    period: float | None
    flip_period: float | None
    trail: RingView
    lanes: tuple[LaneNow, ...] = ()
    correction: Correction | None = None
    stabilisation: str = "off"
    corrector: float | None = None
    bodies: "tuple[Snapshot, ...]" = ()
    name: str = ""
    begun: float | None = None
    precession_period: float | None = None
    frame_period: float | None = None
    strays: bool = False
    stopped: str | None = None
    cap: float | None = None
    measured: Measured | None = None
    recorded: LaneNow | None = None
    gaps: tuple[tuple[float, float], ...] = ()
    start_position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    kept: Kept | None = None
    top: LagrangeTop | None = None
    hangs: bool = False

    @property
    def moved(self) -> Array:
        """The displacement (3,) [m] of the centre of mass since t = 0."""
        return np.asarray(self.reading.position - self.start_position)

    @property
    def energy_bounds(self) -> tuple[float, float]:
        """The least and the largest energy [J] that the present |L| allows; (0, 0) at rest."""
        momentum = 0.0 if self.reading.at_rest else float(np.linalg.norm(self.reading.angular_momentum_world))
        return construction.energy_bounds(self.body.principal_moments, momentum)

    @cached_property
    def external_force(self) -> Array:
        """The force (3,) [N] on the centre of mass now, in space."""
        return self.loads.force_at(self.reading.time, self.reading.state)

    @cached_property
    def external_torque(self) -> Array:
        """The torque (3,) [N m] about the centre of mass now, in space, of all loads except friction."""
        return self.loads.torque_at(self.reading.time, self.reading.state)

    @cached_property
    def friction_torque(self) -> Array:
        """The torque (3,) [N m] of the external friction now, in space."""
        return self.loads.friction_at(self.reading.state)

    @property
    def moves(self) -> bool:
        """Whether the centre of mass moves, or a force will move it."""
        return self.loads.pushes or bool(self.reading.linear_momentum.any())

    @property
    def translational_energy(self) -> float:
        """The kinetic energy of the centre of mass, P^2 / 2M [J]."""
        P = self.reading.linear_momentum
        return float(P @ P) / (2.0 * self.body.mass)

    @property
    def total_energy(self) -> float:
        """The energy [J] of rotation, translation and weight, which is conserved if nothing but the weight acts."""
        reading = self.reading
        height = self.loads.potential_energy(reading.orientation_wxyz, reading.position)
        return reading.energy + self.translational_energy + float(height)

    @property
    def energy_scale(self) -> float:
        """The energy [J] of rotation and of the weight's greatest height above the pivot, beside which E + V is 0."""
        return self.reading.energy + self.loads.weight * float(np.linalg.norm(self.body.centre_of_mass))

    @cached_property
    def kovalevskaya_rate(self) -> float | None:
        """The quantity kappa [rad/s] of `physics.kovalevskaya`; None where the loads do not keep it."""
        rate = kovalevskaya_rate(self.body, self.loads, self.reading.state)
        return None if rate is None else float(rate)

    @cached_property
    def errors(self) -> dict[str, float]:
        """The relative errors of E and |L|, by their symbols; under the weight alone those of what it keeps."""
        now = self.reading
        if self.kept is not None:
            energy, vertical, axial = self.kept.errors(now.state)
            found = {"E + V": float(energy), "L z": float(vertical)}
            return found if axial is None else found | {"L axis": float(axial)}
        size = float(np.linalg.norm(now.angular_momentum_world))
        pairs = ("E", now.energy, now.target_energy), ("|L|", size, now.target_momentum)
        return {name: value / target - 1.0 if target else 0.0 for name, value, target in pairs}

    @property
    def turn_time(self) -> float:
        """The period [s], or the time of one turn if there is no period.

        What swings about a pivot turns unevenly: for it that is the time of a turn with all of its energy.
        """
        rate = float(np.linalg.norm(self.reading.omega_world))
        if self.loads.held and self.loads.weight:
            about = float(self.loads.potential_energy(self.reading.orientation_wxyz, np.zeros(3)))  # V about the pivot
            most = self.reading.energy + about + self.loads.weight * float(np.linalg.norm(self.loads.centre_of_mass))
            rate = sqrt(max(2.0 * most, 0.0) / float(np.max(self.body.principal_moments)))
        return self.period or 2.0 * pi / max(rate, 1e-9)
