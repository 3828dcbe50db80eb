"""The motion of one lane at evenly spaced samples, and its errors against the exact motion in every step."""

import contextlib
import gc
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf, pi
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import prefixed, refusal
from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.physics.body import RigidBody
from viewer.physics.errors import Circling, Deviation, compared
from viewer.physics.exact.free_rotation import FreeRotation, exact_motion
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.kept import Kept
from viewer.physics.loads import Loads
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import (
    State,
    States,
    angular_momentum_body,
    angular_momentum_world,
    at_rest,
    rotational_energy,
)
from viewer.physics.stepping.projection import GradientSettings
from viewer.scenario.field import Number
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import Lane, Recorded

Array = NDArray[np.float64]
Several = TypeVar("Several", States, Deviation)

BLOCK = 4096  # steps that are compared with the exact motion together
NO_LOADS = Loads()
WARM_UP = 3  # steps before the clock starts: compiling, caches


@dataclass(frozen=True, eq=False)
class Course:
    """The course that all lanes of a race share: the body, its start, the step [s] and the number of steps.

    A sample is taken every `every` steps. `gradient` has the constants of the stabilisation "gradient". `loads` are
    none, or the weight alone of a symmetric top.
    """

    body: RigidBody
    start: State
    step: float
    steps: int
    every: int = 1
    gradient: GradientSettings = field(default_factory=GradientSettings)
    loads: Loads = NO_LOADS

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
        """Return the course of a race with roughly `samples` samples at most. Raises InputError if it is not allowed.

        The step is `step` [s], or follows from `steps_per_rotation`; if both are None, it is the scene's. The length is
        `seconds`, or a number of `periods` of omega_body, of a top of its nutation; if both are None, it is 20 periods.
        """
        body, start, loads = scenario.rigid_body(), scenario.start_state(), scenario.loads_value()
        exact = exact_motion(body, start, loads)
        if exact is None and loads.only_weight:
            raise refusal(
                "body.pivot: this body is not symmetric about the line from the pivot to its centre of mass, so no"
                " exact motion under its weight is known, with which a race would compare"
            )
        if exact is None:
            raise refusal(
                "loads: a race compares with the exact motion, which is known without loads, and under the weight alone"
                " of a top that is symmetric about the line to its pivot; take away other loads"
            )
        turn = rotation_time(body, start)
        if steps_per_rotation is not None:
            step = turn / _within(tr("steps per rotation"), steps_per_rotation, 2.0, 1e6)
        step = _within("step", scenario.solver.step if step is None else step, 1e-9 * turn, 10.0 * turn, "s")
        if seconds is None:
            period = exact.period or turn
            seconds = _within("periods", 20.0 if periods is None else periods, 1e-3, 1e6) * period
        steps = round(_within("seconds", seconds, step, 1e9 * step, "s") / step)
        loads = loads if loads.only_weight else NO_LOADS
        return cls(body, start, step, steps, max(1, -(-steps // samples)), scenario.solver.gradient, loads)

    @classmethod
    def of_race(cls, scenario: Scenario, **more: Any) -> "Course":
        """Return the course whose step is that of the scene's race; `more` is passed on to `of`."""
        race = scenario.race
        step = {"step": race.step} if race.stepping == "fixed" else {"steps_per_rotation": race.steps_per_rotation}
        return cls.of(scenario, **{**step, **more})

    @property
    def steps_per_rotation(self) -> float:
        """The number of steps in the mean time of a turn about L."""
        return rotation_time(self.body, self.start) / self.step

    @cached_property
    def exact(self) -> FreeRotation | LagrangeTop:
        """The exact motion, with which all lanes are compared."""
        found = exact_motion(self.body, self.start, self.loads)
        assert found is not None
        return found

    @cached_property
    def kept(self) -> Kept | None:
        """What the weight of a top keeps; None without weight."""
        return Kept.of(self.body, self.loads, self.start)

    @property
    def kept_names(self) -> tuple[str, str]:
        """The symbols of the energy and the momentum that should stay."""
        return ("E", "|L|") if self.kept is None else ("E + V", marked("L z, L axis"))

    @cached_property
    def across(self) -> Array:
        """Two unit vectors (2, 3), perpendicular to L at the start and to each other."""
        along = angular_momentum_world(self.body, self.start)
        first = np.cross(along, np.eye(3)[np.argmin(np.abs(along))])
        second = np.cross(along, first)
        return np.stack((first / np.linalg.norm(first), second / np.linalg.norm(second)))


def rotation_time(body: RigidBody, start: State) -> float:
    """Return the mean time of a turn about L [s]: 2 pi |L| / 2E. Raises InputError at rest."""
    energy = float(rotational_energy(body, start))
    momentum = float(np.linalg.norm(angular_momentum_body(body, start)))
    if at_rest(energy, momentum):
        speed = float(np.linalg.norm(start.omega_body))
        raise refusal("start.angular_velocity: {speed:g} rad/s is at rest; a race needs a body that turns", speed=speed)
    return pi * momentum / energy


@frozen
class Largest:
    """The largest errors of a number of states, and the least and the largest J_L = 2E / |L|^2 [1/(kg m2)].

    The errors of energy and |L| are relative. Those of the direction of L and of the orientation are in rad.
    """

    energy: float = 0.0
    momentum: float = 0.0
    direction: float = 0.0
    orientation: float = 0.0
    least_factor: float = inf
    largest_factor: float = -inf

    def with_more(self, errors: Deviation, factor: Array) -> "Largest":
        """Return the largest errors with more states taken in: `errors` are theirs, and `factor` (N,) their J_L."""
        each = errors.energy, errors.momentum, errors.direction, errors.orientation
        before = self.energy, self.momentum, self.direction, self.orientation
        E, size, tilt, turn = (max(old, float(np.abs(error).max())) for old, error in zip(before, each, strict=True))
        low, high = min(self.least_factor, float(factor.min())), max(self.largest_factor, float(factor.max()))
        return Largest(E, size, tilt, turn, low, high)


@frozen
class Counted:
    """A comparison of a motion with the exact one in all its states.

    `errors` are those of the samples, `largest` the largest of all states. `circling` has the counts up to the last
    state.
    """

    errors: Deviation
    largest: Largest
    circling: Circling


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A lane's samples, from t = 0 to the end or to where it stopped.

    `cpu_seconds` is the processor time that its steps took. `stopped` says when and why it stopped, or is None. `gaps`
    are times (begin, end) [s] between which a recording has no rows, `clipped` those between which its sensor was at
    its limit. `every_step` is the comparison in all steps, of which the samples are only some. It is None for a
    recording, all of whose rows are samples.
    """

    lane: Lane | Recorded
    course: Course
    states: States
    cpu_seconds: float
    stopped: NumericalOverflow | None
    gaps: tuple[tuple[float, float], ...] = ()
    clipped: tuple[tuple[float, float], ...] = ()
    every_step: Counted | None = None

    @cached_property
    def counted(self) -> Counted:
        """The comparison with the exact motion in every step, or in every row of a recording."""
        if self.every_step is not None:
            return self.every_step
        with np.errstate(over="ignore", invalid="ignore"):
            exact, body, states = self.course.exact, self.course.body, self.states
            blur = roughness(self.angular_momentum_body)
            errors, circling = compared(exact, body, states, Circling(), blur, self.course.kept)
        return Counted(errors, Largest().with_more(errors, self.energy_factor), circling)

    @property
    def errors(self) -> Deviation:
        """The errors of the samples against the exact motion."""
        return self.counted.errors

    @property
    def largest(self) -> Largest:
        """The largest errors of all steps."""
        return self.counted.largest

    @property
    def circling(self) -> Circling:
        """The counts up to the end: flips, phase error, and since when L has circled another axis."""
        return self.counted.circling

    @cached_property
    def angular_momentum_world(self) -> Array:
        """L in space (N, 3) [kg m2/s]."""
        return angular_momentum_world(self.course.body, self.states)

    @cached_property
    def angular_momentum_body(self) -> Array:
        """L in body axes (N, 3) [kg m2/s]."""
        return angular_momentum_body(self.course.body, self.states)

    @cached_property
    def angular_momentum_norm(self) -> Array:
        """|L| (N,) [kg m2/s]."""
        return np.asarray(np.linalg.norm(self.angular_momentum_body, axis=1))

    @cached_property
    def energy_factor(self) -> Array:
        """J_L = 2E / |L|^2 (N,) [1/(kg m2)]: between the least and the largest 1/I."""
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            return energy_factor(self.course.body, self.states)


def energy_factor(body: RigidBody, states: States) -> Array:
    """Return J_L = 2E / |L|^2 (N,) [1/(kg m2)]."""
    square = np.sum(angular_momentum_body(body, states) ** 2, axis=1)
    return np.asarray(2.0 * rotational_energy(body, states) / square)


def roughness(momentum_body: Array) -> float:
    """Return the largest second difference, from row to row, of the direction of L (N, 3) in a recording, in body axes.

    Noise may displace a row by as much. If a row is that near to the border between two axes, it does not tell which of
    them L circles.
    """
    units = momentum_body / np.maximum(np.linalg.norm(momentum_body, axis=1, keepdims=True), 1e-300)
    return float(np.linalg.norm(np.diff(units, 2, axis=0), axis=1).max(initial=0.0))


def run_lane(course: Course, lane: Lane, fast: bool = False) -> Trajectory:
    """Run one lane and return its trajectory; with `fast`, the steps are compiled, which needs the extra `fast`.

    Raises InputError if the integrator does not take the body.
    """
    simulation = start_lane(course, lane, fast)
    with contextlib.suppress(NumericalOverflow):
        simulation.copy().path(WARM_UP)  # the clock starts when everything is compiled
    if fast:
        gc.collect()  # the garbage of compiling
    states, stopped, spent = simulation.states_of(), None, 0.0
    samples, found, largest, circling = list[States](), list[Deviation](), Largest(), Circling()
    while True:
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            errors, circling = compared(course.exact, course.body, states, circling, kept=course.kept)
            largest = largest.with_more(errors, energy_factor(course.body, states))
        steps = np.arange(simulation.steps - len(states.time) + 1, simulation.steps + 1)
        kept = np.flatnonzero((steps % course.every == 0) | (steps == course.steps))
        samples.append(joined([states], kept))
        found.append(joined([errors], kept))
        if simulation.steps == course.steps:
            break
        began = time.process_time()
        try:
            rows = simulation.path(min(BLOCK, course.steps - simulation.steps))
        except NumericalOverflow as error:
            stopped = error
            break
        finally:
            spent += time.process_time() - began
        states = simulation.states_of(rows)
    counted = Counted(joined(found), largest, circling)
    return Trajectory(lane, course, joined(samples), spent, stopped, every_step=counted)


def start_lane(course: Course, lane: Lane, fast: bool = False) -> Simulation:
    """Return the simulation of a lane at t = 0. Raises InputError if the integrator does not take the body."""
    try:
        return Simulation(
            course.body, course.start, lane.integrator, course.step, course.loads, lane.stabilisation,
            course.gradient, fast,
        )  # fmt: skip
    except ValueError as error:
        raise prefixed(f"lane: {lane.name}: ", error) from None


def joined(parts: Sequence[Several], rows: NDArray[np.intp] | slice = slice(None)) -> Several:
    """Return several `States` or `Deviation`s as one. An array that is None remains None.

    `rows` selects rows of each of them.
    """
    columns: dict[str, Any] = {
        name: None if value is None else np.concatenate([getattr(part, name)[rows] for part in parts])
        for name, value in vars(parts[0]).items()
    }
    return replace(parts[0], **columns)


def _within(path: str, value: float, low: float, high: float, unit: str = "") -> float:
    """Return the value; raise InputError, whose message begins with `path`, if it is out of range."""
    found: float = Number("", "", unit=unit, low=low, high=high).check(path, value)
    return found
