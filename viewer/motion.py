"""A running motion: the simulation, its trail, and what Poinsot's construction needs to know of it."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.fields import SceneError
from viewer.physics import construction, correction, rotation
from viewer.physics.exact import FreeRotation
from viewer.physics.history import History
from viewer.physics.simulation import Simulation
from viewer.physics.state import State
from viewer.scenario import Scenario

TRAIL_ROWS = 4096
TRAIL_WIDTH = 7  # time, omega in the world, omega in the body
# rad of turning between two rows, at most, where the step allows: on a radius of 100 px a chord sags by .1 px
TRAIL_ANGLE = 0.1
CHUNKS = (4, 256)  # steps between two looks at the clock: the first time, and at most
ALL = 10**9  # steps: no trail, no clock
CORRECTIONS = 16  # points of the curve from which the largest correction is looked for
SAME = 1e-10  # relative change of E or |L| below which the polhode is not drawn anew
LEAST = 1e-14  # relative distance from the least energy that is round-off

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Reading:
    """The motion at one moment; SI units. `target_energy`, `target_momentum`: what `energy` and |L| ought to be."""

    time: float
    position: Array
    orientation_wxyz: Array
    omega_body: Array
    omega_world: Array
    angular_momentum_world: Array
    target_momentum: float
    energy: float
    target_energy: float


class Motion:
    """The motion of a scene from t = 0 on. Raises SceneError where its body, loads and integrator do not fit."""

    def __init__(self, scenario: Scenario, trail: History, fast: bool = False) -> None:
        """`trail`: rows of TRAIL_WIDTH, is cleared. `fast`: the steps are compiled, and the trail is not kept."""
        self._fast = fast
        try:
            self.body = scenario.rigid_body()
            self._simulation = Simulation(
                self.body,
                scenario.start_state(),
                integrator=scenario.solver.integrator,
                step=scenario.solver.step,
                loads=scenario.loads_value(),
                stabilisation=scenario.solver.stabilisation,
                fast=fast,
            )
        except ValueError as error:
            raise SceneError(str(error)) from None
        self._loads = scenario.loads_value()
        self._start_momentum = self._momentum()
        self._curves: _Curves | None = None
        self._largest = 0.0
        self._largest_for: tuple[_Curves, str, float] | None = None
        self.trail = trail
        trail.clear()
        self._interval = self._rows_every()
        self._sample()

    @property
    def time(self) -> float:
        """Simulated time in seconds."""
        return float(self._simulation.time)

    @property
    def step(self) -> float:
        """The step h in seconds."""
        return float(self._simulation.step)

    @property
    def period(self) -> float | None:
        """Of the torque-free motion from here on [s]."""
        return self._construction().period

    def change(self, scenario: Scenario) -> None:
        """Lets other loads and another solver act from now on. Raises SceneError and changes nothing if they clash."""
        loads, solver = scenario.loads_value(), scenario.solver
        try:
            self._simulation.change(
                loads=loads,
                integrator=solver.integrator,
                step=solver.step,
                stabilisation=solver.stabilisation,
            )
        except ValueError as error:
            raise SceneError(str(error)) from None
        self._loads = loads
        self._interval = self._rows_every()

    def pulse(self, angular_impulse_body: tuple[float, float, float]) -> None:
        """An angular impulse [N m s] along the body axes acts now. Raises SceneError where L would not stay finite."""
        before = self._trail_row()
        try:
            self._simulation.kick(angular_impulse_body)
        except ValueError as error:
            raise SceneError(str(error)) from None
        self.trail.append(before)
        self._interval = self._rows_every()
        self._sample()

    def run(self, steps: int, late: Callable[[], bool] = lambda: False) -> int:
        """Makes `steps` steps, fewer when `late()`; returns how many. Raises NumericalOverflow."""
        done = 0
        chunk, most = (ALL, ALL) if self._fast else CHUNKS
        while done < steps:
            count = min(steps - done, max(self._interval - self._unsampled, 1), chunk)
            chunk = min(2 * chunk, most)
            self._simulation.advance_steps(count)
            done += count
            self._unsampled += count
            if not self._loads.free:
                self._interval = self._rows_every()
            if self._unsampled >= self._interval:
                self._sample()
            if late():
                break
        return done

    def reading(self) -> Reading:
        """The motion now."""
        simulation, state = self._simulation, self._simulation.state
        return Reading(
            time=self.time,
            position=np.asarray(state.position),
            orientation_wxyz=np.asarray(state.orientation_wxyz),
            omega_body=np.asarray(state.omega_body),
            omega_world=simulation.omega_world,
            angular_momentum_world=self._momentum(),
            target_momentum=float(self._simulation.target_momentum),
            energy=float(simulation.rotational_energy),
            target_energy=float(simulation.target_energy),
        )

    def quantities(self) -> dict[str, Any]:
        """The fields of a Snapshot that the motion determines."""
        reading, curves = self.reading(), self._construction()
        return vars(reading) | {
            "body": self.body,
            "rotation_world_from_body": rotation.rotation_matrix(reading.orientation_wxyz),
            "start_angular_momentum_world": self._start_momentum,
            "energy_min": curves.energy_bounds[0],
            "energy_max": curves.energy_bounds[1],
            "period": curves.period,
            "trail": self.trail,
            "polhode": curves.polhode,
            "herpolhode_radii": curves.herpolhode_radii,
            "separatrix": curves.separatrix,
            "correction": correction.next_correction(self._simulation),
            "largest_correction": self._largest_correction(curves),
        }

    def _largest_correction(self, curves: "_Curves") -> float:
        """The most that a step may need anywhere on the curve [kg m2/s]; 0 without stabilisation."""
        simulation = self._simulation
        if simulation.stabilisation == "off":
            return 0.0
        wanted = (curves, simulation.integrator, simulation.step)
        if self._largest_for != wanted:
            omega = curves.polhode[:: len(curves.polhode) // CORRECTIONS]
            self._largest = correction.largest_correction(
                self.body, omega, simulation.integrator, simulation.step
            )
            self._largest_for = wanted
        return self._largest

    def _momentum(self) -> Array:
        return np.array(self._simulation.angular_momentum_world, dtype=np.float64)

    def _sample(self) -> None:
        self.trail.append(self._trail_row())
        self._unsampled = 0

    def _trail_row(self) -> tuple[float, ...]:
        return (self.time, *self._simulation.omega_world, *self._simulation.state.omega_body)

    def _rows_every(self) -> int:
        """How many steps make at most TRAIL_ANGLE of turning, at the largest |omega| that E and |L| allow."""
        if self._fast:
            return ALL
        smallest = float(min(self.body.principal_moments))
        fastest = min(
            sqrt(2 * self._simulation.rotational_energy / smallest),
            float(np.linalg.norm(self._momentum())) / smallest,
        )
        turned = fastest * self.step
        return int(max(1, min(TRAIL_ANGLE / turned if turned > 0 else inf, 1e9)))

    def _construction(self) -> "_Curves":
        state, energy = self._simulation.state, float(self._simulation.target_energy)
        momentum = float(self._simulation.target_momentum)
        if self._curves is None or not self._curves.fit(energy, momentum, np.asarray(state.omega_body)):
            self._curves = _Curves(self.body, state, energy, momentum)
        return self._curves


class _Curves:
    """What depends on E and |L| only, and on which of its two branches the polhode runs."""

    def __init__(self, body: Any, state: State, energy: float, momentum: float) -> None:
        moments = body.principal_moments
        self._energy, self._momentum, self._moments = energy, momentum, moments
        self._side = self._side_of(np.asarray(state.omega_body))
        self.polhode = construction.polhode(moments, energy, momentum, state.omega_body)
        self.polhode.setflags(write=False)
        self.separatrix = construction.separatrix(moments, momentum)
        self.separatrix.setflags(write=False)
        self.herpolhode_radii = construction.herpolhode_radii(moments, energy, momentum)
        self.energy_bounds = construction.energy_bounds(moments, momentum)
        self.period = self._period_of(body, state)

    def _period_of(self, body: Any, state: State) -> float | None:
        """As FreeRotation has it; where the energy is the least to round-off, the time of a turn of that spin."""
        speed = float(np.linalg.norm(state.omega_body))
        if speed > 0.0 and self._energy - self.energy_bounds[0] <= LEAST * self._energy:
            period: float | None = 2.0 * pi / speed
        else:
            period = FreeRotation(body, state).period
        return float(period) if period is not None and isfinite(period) else None

    def fit(self, energy: float, momentum: float, omega_body: Array) -> bool:
        """Whether they still hold."""
        return (
            abs(energy - self._energy) <= SAME * self._energy
            and abs(momentum - self._momentum) <= SAME * self._momentum
            and self._side_of(omega_body) == self._side
        )

    def _side_of(self, omega_body: Array) -> bool:
        """The sign of omega along the axis that the polhode goes around."""
        low, middle, high = np.argsort(self._moments, kind="stable")
        around = high if 2 * self._energy * self._moments[middle] < self._momentum**2 else low
        return bool(omega_body[around] >= 0)
