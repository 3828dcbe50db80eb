"""What there is to show at one moment: plain data, all that a picture follows from."""

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from viewer.common.ring_buffer import RingBuffer
from viewer.physics.body import RigidBody
from viewer.physics.rest import at_rest
from viewer.race.live import LaneNow
from viewer.scenario.scenario import Scenario

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Snapshot:
    """SI units, radians. Arrays are read-only.

    `energy` is that of the body, `target_energy` what it ought to be: they differ as the integrator errs; so do |L| and
    `target_momentum`. The construction is that of the targets.
    `energy_min`, `energy_max`: the bounds for this |L|. `period`: of the torque-free motion from here on, None where
    there is none; `flip_period`: between two of its flips, likewise. `position`: of the centre of mass, at the origin
    at t = 0. `trail`: rows (time, omega_world, omega_body), the last one at most .1 rad of turning ago.
    `polhode`: (N, 3) in the body frame, a closed curve. `herpolhode_radii`: inner and outer, about L. `separatrix`: two
    closed curves (2, N, 3) of L in the body, or none (0, N, 3). `correction`: L in the body as the next step leaves it,
    and as the stabilisation then leads it back, None where it is off or no momentum space is shown;
    `largest_correction`: how far apart the two may come anywhere on the curve [kg m2/s]. `lanes`: of the race, at the
    last step of theirs up to now.
    """

    scenario: Scenario
    body: RigidBody
    position: Array
    orientation_wxyz: Array
    rotation_world_from_body: Array
    omega_body: Array
    omega_world: Array
    angular_momentum_world: Array
    start_angular_momentum_world: Array
    target_momentum: float
    time: float
    energy: float
    target_energy: float
    energy_min: float
    energy_max: float
    period: float | None
    flip_period: float | None
    trail: RingBuffer
    polhode: Array
    herpolhode_radii: tuple[float, float]
    separatrix: Array
    playing: bool
    speed: float
    speed_reached: float
    message: str | None
    revision: int
    lanes: tuple[LaneNow, ...] = ()
    correction: tuple[Array, Array] | None = None
    largest_correction: float = 0.0

    @property
    def at_rest(self) -> bool:
        """Whether the body is."""
        return at_rest(self.energy, float(np.linalg.norm(self.angular_momentum_world)))

    @property
    def turn_time(self) -> float:
        """The period, where there is none the time of one turn [s]."""
        return self.period or 2.0 * pi / max(float(np.linalg.norm(self.omega_world)), 1e-9)
