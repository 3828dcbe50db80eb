"""One lane's motion over a time, at evenly spaced samples, and its errors against the exact motion."""

import time
from dataclasses import dataclass, field
from functools import cached_property
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError, refusal
from viewer.common.language import tr
from viewer.physics.body import RigidBody
from viewer.physics.errors import Deviation, deviation
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rest import at_rest
from viewer.physics.rotation import rotate_back
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import State, States, angular_momentum_body, angular_momentum_world, rotational_energy
from viewer.physics.stepping.projection import GradientSettings
from viewer.scenario.lanes import Lane, Recorded
from viewer.scenario.scenario import Scenario

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Course:
    """What all lanes of a race have in common: the torque-free body, its start, the step [s] and their number.

    Every `every`-th step is a sample. `gradient`: the constants of lanes with that stabilisation.
    """

    body: RigidBody
    start: State
    step: float
    steps: int
    every: int = 1
    gradient: GradientSettings = field(default_factory=GradientSettings)

    @classmethod
    def of(
        cls,
        scenario: Scenario,
        *,
        steps_per_rotation: float | None = None,
        step: float | None = None,
        seconds: float | None = None,
        periods: float | None = None,
        samples: int = 2000,
    ) -> "Course":
        """The race of a scene: the step as such or by steps per rotation (else the scene's), the time as such or in
        periods of omega_body (else 20). Raises InputError where that is not allowed.
        """
        if not scenario.loads_value().free:
            raise refusal("loads: a race compares with the exact torque-free motion; take away all loads")
        body, start = scenario.rigid_body(), scenario.start_state()
        turn = rotation_time(body, start)
        if steps_per_rotation is not None:
            step = turn / _within(tr("steps per rotation"), steps_per_rotation, 2.0, 1e6)
        step = _within("step", scenario.solver.step if step is None else step, 1e-9 * turn, 10.0 * turn, " s")
        if seconds is None:
            period = FreeRotation(body, start).period or turn
            seconds = _within("periods", 20.0 if periods is None else periods, 1e-3, 1e6) * period
        steps = round(_within("seconds", seconds, step, 1e9 * step, " s") / step)
        return cls(body, start, step, steps, max(1, -(-steps // samples)), scenario.solver.gradient)

    @classmethod
    def of_race(cls, scenario: Scenario, **more: Any) -> "Course":
        """The same at the step of the scene's race, a fixed one or so many a turn; `more`: as in `of`."""
        race = scenario.race
        step = {"step": race.step} if race.stepping == "fixed" else {"steps_per_rotation": race.steps_per_rotation}
        return cls.of(scenario, **{**step, **more})

    @property
    def steps_per_rotation(self) -> float:
        """Steps in the time of a turn about L."""
        return rotation_time(self.body, self.start) / self.step

    @cached_property
    def exact(self) -> FreeRotation:
        """The reference."""
        return FreeRotation(self.body, self.start)

    @cached_property
    def across(self) -> Array:
        """Two unit vectors across L at the start, and across each other, (2, 3)."""
        along = angular_momentum_world(self.body, self.start)
        first = np.cross(along, np.eye(3)[np.argmin(np.abs(along))])
        second = np.cross(along, first)
        return np.stack((first / np.linalg.norm(first), second / np.linalg.norm(second)))


def rotation_time(body: RigidBody, start: State) -> float:
    """The mean time of a turn about L [s]: 2 pi |L| / 2E. Raises InputError at rest."""
    energy = float(rotational_energy(body, start))
    momentum = float(np.linalg.norm(angular_momentum_body(body, start)))
    if at_rest(energy, momentum):
        speed = float(np.linalg.norm(start.omega_body))
        raise refusal("start.angular_velocity: {speed:g} rad/s is at rest; a race needs a body that turns", speed=speed)
    return pi * momentum / energy


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A lane's samples, from t = 0 to the end or to where it stopped.

    cpu_seconds: that its steps took. stopped: when and why, where it did. gaps: (begin, end) [s] where a recording has
    no rows; clipped: between which its sensor was at its limit.
    """

    lane: Lane | Recorded
    course: Course
    states: States
    cpu_seconds: float
    stopped: NumericalOverflow | None
    gaps: tuple[tuple[float, float], ...] = ()
    clipped: tuple[tuple[float, float], ...] = ()

    @cached_property
    def errors(self) -> Deviation:
        """Against the exact motion."""
        with np.errstate(over="ignore", invalid="ignore"):
            return deviation(self.course.exact, self.course.body, self.states)

    @cached_property
    def angular_momentum_world(self) -> Array:
        """L in space (N, 3) [kg m2/s]."""
        return angular_momentum_world(self.course.body, self.states)

    @cached_property
    def angular_momentum_body(self) -> Array:
        """L in the body (N, 3) [kg m2/s]."""
        return angular_momentum_body(self.course.body, self.states)

    @cached_property
    def angular_momentum_norm(self) -> Array:
        """|L| (N,) [kg m2/s]."""
        return np.asarray(np.linalg.norm(self.angular_momentum_body, axis=1))

    @cached_property
    def energy_factor(self) -> Array:
        """J_L = 2E / |L|^2 (N,) [1/(kg m2)]: between the least and the largest 1/I."""
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            return np.asarray(2.0 * rotational_energy(self.course.body, self.states) / self.angular_momentum_norm**2)

    @property
    def flips(self) -> int:
        """How often the sense about the middle axis has reversed from sample to sample."""
        middle = int(np.argsort(self.course.body.principal_moments)[1])
        sense = np.sign(self.states.omega_body[:, middle])
        sense = sense[sense != 0.0]
        return int(np.count_nonzero(sense[1:] != sense[:-1]))


def run_lane(course: Course, lane: Lane, fast: bool = False) -> Trajectory:
    """Lets one lane run; `fast`: with compiled steps (extra `fast`). Raises InputError where the body is not for it."""
    simulation = start_lane(course, lane, fast)
    samples = [_sample(simulation)]
    stopped, spent = None, 0.0
    for _ in range(course.steps // course.every):
        began = time.process_time()
        try:
            simulation.advance_steps(course.every)
        except NumericalOverflow as error:
            stopped = error
            break
        finally:
            spent += time.process_time() - began
        samples.append(_sample(simulation))
    return Trajectory(lane, course, _states(samples), spent, stopped)


def start_lane(course: Course, lane: Lane, fast: bool = False) -> Simulation:
    """The simulation of a lane at t = 0. Raises InputError where the body is not for it."""
    try:
        return Simulation(
            course.body, course.start, lane.integrator, course.step, stabilisation=lane.stabilisation,
            gradient=course.gradient, fast=fast,
        )  # fmt: skip
    except ValueError as error:
        raise InputError(f"lane: {lane.name}: {error}") from None


def _sample(simulation: Simulation) -> tuple[float, Array, Array, Array, Array | None]:
    state = simulation.state
    L = simulation.angular_momentum_world
    return simulation.time, state.orientation_wxyz, state.omega_body, L, simulation.stretch


def _states(samples: list[tuple[float, Array, Array, Array, Array | None]]) -> States:
    times, orientations, rates, momenta, stretches = zip(*samples, strict=True)
    t, q, omega = np.array(times), np.array(orientations), np.array(rates)
    if stretches[0] is None:
        return States(t, q, omega)
    return States(t, q, omega, momentum_body=rotate_back(q, np.array(momenta)), stretch=np.array(stretches))


def _within(what: str, value: float, low: float, high: float, unit: str = "") -> float:
    if not low <= value <= high:
        raise refusal(
            "{what}: {value:g}{unit} is outside {low:g} to {high:g}{unit}",
            what=what,
            value=value,
            unit=unit,
            low=low,
            high=high,
        )
    return value
