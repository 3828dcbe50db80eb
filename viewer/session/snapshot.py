"""The motion at one time, as plain data."""

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from viewer.common.ring_buffer import RingView
from viewer.physics.body import RigidBody
from viewer.physics.loads import Loads
from viewer.physics.poinsot.curves import Curves
from viewer.physics.rest import at_rest
from viewer.physics.rotation import rotation_matrix
from viewer.physics.simulation import Simulation
from viewer.race.live import LaneNow
from viewer.scenario.sections.motion import Body

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Reading:
    """Where the body is and how it turns; SI units, arrays read-only.

    `position`: of the centre of mass, at the origin at t = 0. `energy` is that of the body, `target_energy` what it
    would be without the integrator's errors; likewise |L| and `target_momentum`.
    """

    time: float
    position: Array
    orientation_wxyz: Array
    rotation_world_from_body: Array
    omega_body: Array
    omega_world: Array
    angular_momentum_world: Array
    target_momentum: float
    energy: float
    target_energy: float

    @classmethod
    def of(cls, simulation: Simulation) -> "Reading":
        """That of a simulation as it is now."""
        state = simulation.state
        orientation = np.asarray(state.orientation_wxyz)
        return cls(
            time=simulation.time,
            position=np.asarray(state.position),
            orientation_wxyz=orientation,
            rotation_world_from_body=rotation_matrix(orientation),
            omega_body=np.asarray(state.omega_body),
            omega_world=simulation.omega_world,
            angular_momentum_world=np.array(simulation.angular_momentum_world, dtype=np.float64),
            target_momentum=float(simulation.target_momentum),
            energy=float(simulation.rotational_energy),
            target_energy=float(simulation.target_energy),
        )

    def __post_init__(self) -> None:
        for array in (
            self.position,
            self.orientation_wxyz,
            self.rotation_world_from_body,
            self.omega_body,
            self.omega_world,
            self.angular_momentum_world,
        ):
            array.setflags(write=False)

    @property
    def at_rest(self) -> bool:
        """Whether the body is."""
        return at_rest(self.energy, float(np.linalg.norm(self.angular_momentum_world)))


@dataclass(frozen=True)
class Correction:
    """What the stabilisation does at the next step: L in the body before and after it, (3,).

    `largest`: how far apart the two may be anywhere on the curve [kg m2/s].
    """

    before: Array
    after: Array
    largest: float


@dataclass(frozen=True)
class Snapshot:
    """All of a motion that can be shown.

    `shape`: of the body, as the scene has it. `loads`: that act now. `curves`: those of the targets.
    `period`: of the torque-free motion from here on, None where there is none; `flip_period`: between two of its flips,
    likewise. `trail`: rows (time, omega_world, omega_body), the last one at most .1 rad of turning ago. `lanes`: of the
    race, at their last step up to now. `correction`: None where there is none or no momentum space is shown.
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

    @property
    def turn_time(self) -> float:
        """The period, where there is none the time of one turn [s]."""
        return self.period or 2.0 * pi / max(float(np.linalg.norm(self.reading.omega_world)), 1e-9)
