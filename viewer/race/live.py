"""The race beside a running motion: every lane follows it in steps of its own, and goes back to any time."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from math import floor, pi, remainder
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.common.ring_buffer import DecimatedBuffer, RingBuffer, RingView
from viewer.physics.errors import angle_between, turn_between, wrapped
from viewer.physics.poinsot.construction import largest_rate
from viewer.physics.rotation import rotation_matrix
from viewer.physics.samples import SAMPLE, Sample, SampleRows, Samples
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import angular_momentum_body
from viewer.race.recorded_lane import RecordedLane, sample_rows
from viewer.race.trajectory import Course, Trajectory, start_lane
from viewer.scenario.lanes import Lane, Recorded, parse_lanes

if TYPE_CHECKING:
    from viewer.scenario.scenario import Scenario

KEPT = 8192  # samples of a lane: they thin out as time goes on
SAMPLES_PER_ROTATION = 48  # at least, where there are so many steps
TRAIL_ROWS = 4096
TURN = 2.0 * pi
# A sample of a lane: that of its simulation; phase error [rad]; 2E/|L|^2 [1/(kg m2)]; |L| and E of the exact ones; L of
# the exact |L|: in space in the two directions across its first one, in the body by rising moment.
LANE_SAMPLE = np.dtype(
    [
        ("motion", SAMPLE),
        *(
            (name, np.float64)
            for name in (
                "phase", "energy_factor", "momentum_ratio", "energy_ratio", "across_1", "across_2", "body_smallest",
                "body_middle", "body_largest",
            )
        ),
    ]
)  # fmt: skip
REFERENCE = np.dtype([("time", np.float64), ("omega_body", np.float64, 3)])
LOOP = 200  # points of the exact path in the body
ALMOST = 1e-9  # of a step: so early it counts as made
CHUNK = 16  # steps of all lanes between two looks at the clock

Array = NDArray[np.float64]
LaneRows = NDArray[np.void]  # (N,) of dtype LANE_SAMPLE


@frozen
class LaneNow:
    """A lane at one time. `number`: its index in the race, for its colour. `stopped`: why, where it has. `gaps`: of a
    recording, times (begin, end) [s].

    Errors against the exact motion at the same time: energy and |L| relative, direction of L, orientation and phase in
    rad; phase is None where there is none.
    """

    lane: Lane | Recorded
    number: int
    time: float
    stopped: str | None
    trail: RingView
    orientation_wxyz: Array
    rotation_world_from_body: Array
    omega_world: Array
    angular_momentum_world: Array
    energy_error: float
    momentum_error: float
    direction_error: float
    orientation_error: float
    phase_error: float | None
    gaps: tuple[tuple[float, float], ...] = ()


class Runner:
    """One lane: its simulation, and its samples so far, rows of dtype LANE_SAMPLE."""

    def __init__(
        self,
        lane: Lane | Recorded,
        number: int,
        simulation: Simulation | RecordedLane,
        recorded: Trajectory | None = None,
    ) -> None:
        """`recorded`: the motion, where it is no simulation's."""
        self.lane, self.number = lane, number
        self.gaps = () if recorded is None else recorded.gaps
        self.clipped = () if recorded is None else recorded.clipped
        self.simulation = simulation
        self.samples = DecimatedBuffer(KEPT, LANE_SAMPLE)
        self.trail = RingBuffer(TRAIL_ROWS, 7)
        self.offered = 0
        self.last_phase = 0.0  # at the last sample
        self.stopped: NumericalOverflow | None = None

    def advance(self, steps: int) -> None:
        """Further by `steps`, or to where it stops."""
        if self.stopped is None:
            try:
                self.simulation.advance_steps(steps)
            except NumericalOverflow as error:
                self.stopped = error

    def at(self, steps: int) -> Simulation | RecordedLane:
        """As it stood after `steps` (no more than it has made): from the sample before it on."""
        if steps >= self.simulation.steps:
            return self.simulation
        simulation = self.simulation.copy()
        simulation.resume(Sample.from_row(self.until(steps)[-1]["motion"]))
        simulation.advance_steps(steps - simulation.steps)
        return simulation

    def until(self, steps: int) -> LaneRows:
        """Its samples up to `steps`, a view."""
        rows = self.samples.rows
        return rows[: int(np.searchsorted(rows["motion"]["steps"], steps, side="right"))]


class LiveRace:
    """All lanes of a scene's race, from t = 0 on. Raises InputError where the scene has loads, or is at rest.

    A lane whose integrator refuses the body is left out; `refused`: why, a sentence each.
    """

    def __init__(self, scenario: "Scenario", recordings: tuple[Trajectory, ...] = ()) -> None:
        """`recordings`: motions of this body in one course from this start, which then run first, all lanes in their
        steps."""
        race = scenario.race
        self.course = Course.of_race(scenario, periods=1.0)
        self._start: Samples | None = None  # of the exact motion; else it will be that of the first lane
        self.runners: list[Runner] = []
        self.refused: list[str] = []
        if recordings:
            self.course = replace(recordings[0].course, every=1)
            self.runners += [Runner(one.lane, n, RecordedLane(one), one) for n, one in enumerate(recordings)]
            exact = self.course.exact.at(np.zeros(1))
            self._start = Samples(self.course.body, sample_rows(self.course.body, exact))
        lanes = parse_lanes(list(race.lanes)) if race.lanes or not recordings else ()
        for number, lane in enumerate(lanes, start=len(self.runners)):
            try:
                self.runners.append(Runner(lane, number, start_lane(self.course, lane)))
            except InputError as error:
                self.refused.append(str(error))
        self.every = max(1, int(self.course.steps_per_rotation / SAMPLES_PER_ROTATION))
        self.reference = DecimatedBuffer(KEPT, REFERENCE)  # the exact motion at the times of the lanes' samples
        self._referred = 0  # samples that were offered to it
        self.has_phase = self.course.exact.phase(self.course.start.omega_body) is not None
        self.late = False  # whether it has yet to come to where it should be
        self.steps = 0  # made by all lanes
        self.shown = 0  # at which they are looked at
        self._pending: list[list[Sample | None]] = []
        self._sample()
        self._settle()

    @property
    def time(self) -> float:
        """The time [s] at which the lanes are shown."""
        return self.shown * self.course.step

    @property
    def turning(self) -> list[tuple[float, float]]:
        """Of every lane that goes on the largest |omega| that its E and |L| allow [rad/s], and its step [s]."""
        found = []
        for runner in self.runners:
            if runner.stopped is None or self.time <= runner.stopped.time:
                last = runner.until(self.shown)[-1]
                L = float(last["momentum_ratio"]) * self.momentum
                energy = 0.5 * float(last["energy_factor"]) * L * L
                found.append((largest_rate(self.course.body.principal_moments, energy, L), self.course.step))
        return found

    @cached_property
    def momentum(self) -> float:
        """|L| of the exact motion [kg m2/s]."""
        return float(np.linalg.norm(angular_momentum_body(self.course.body, self.course.start)))

    @cached_property
    def loop(self) -> Array:
        """omega in the body along one period of the exact motion, closed, (LOOP, 3) [rad/s]."""
        exact = self.course.exact
        period = exact.period or self.course.step * self.course.steps_per_rotation
        return np.asarray(exact.at(np.linspace(0.0, period, LOOP)).omega_body)

    def follow(self, time: float, late: Callable[[], bool] = lambda: False) -> bool:
        """To the last step up to `time` [s], at least to the start; less far when `late()`. True where it got there."""
        goal = max(0, floor(min(time / self.course.step, 1e12) + ALMOST))
        head = self.steps
        while self.steps < goal:
            count = min(goal - self.steps, CHUNK, self.every - self.steps % self.every)
            for runner in self.runners:
                runner.advance(count)
            self.steps += count
            if self.steps % self.every == 0:
                self._sample()
            if late():
                break
        self._settle()
        before, self.shown = self.shown, min(goal, self.steps)
        grown = before == head and self.shown == self.steps  # the trails with the samples
        if before != self.shown and not grown:
            for runner in self.runners:
                runner.trail.clear()
                runner.trail.append_rows(self._trail_rows(runner.until(self.shown)["motion"][-TRAIL_ROWS:]))
        self.late = self.shown < goal
        return not self.late

    def _trail_rows(self, rows: SampleRows) -> Array:
        """(N, 7): time, omega in the world and in the body."""
        samples = Samples(self.course.body, rows)
        with np.errstate(over="ignore", invalid="ignore"):
            return np.column_stack((samples.time, samples.omega_world, samples.omega_body))

    def _sample(self) -> None:
        self._pending.append(
            [runner.simulation.sample() if runner.stopped is None else None for runner in self.runners]
        )

    def _settle(self) -> None:
        """Gives the pending samples their phases, all at once."""
        rows = [(n, row) for sample in self._pending for n, row in enumerate(sample) if row is not None]
        self._pending.clear()
        if not rows:
            return
        motion = np.array([row for _, row in rows], SAMPLE)
        times, index = np.unique(motion["time"], return_inverse=True)
        exact = self.course.exact.at(times).omega_body
        for time, omega in zip(times, exact, strict=True):
            self.reference.offer(self._referred, np.array((time, omega), REFERENCE))
            self._referred += 1
        trails, samples = self._trail_rows(motion), self._samples(motion, exact[index])
        for (n, _), sample, trail in zip(rows, samples, trails, strict=True):
            runner = self.runners[n]
            runner.last_phase += remainder(sample["phase"] - runner.last_phase, TURN)
            sample["phase"] = runner.last_phase
            runner.samples.offer(runner.offered, sample)
            runner.offered += 1
            runner.trail.append(trail)

    def _samples(self, rows: SampleRows, exact: Array) -> LaneRows:
        """The samples of rows of any lanes, with phases within -pi..pi; `exact`: omega in the body, (N, 3), then."""
        body, made = self.course.body, np.empty(len(rows), LANE_SAMPLE)
        samples = Samples(body, rows)
        if self._start is None:
            self._start = Samples(body, rows[:1])
        L, energy = self._start.angular_momentum_norm[0], self._start.energy[0]
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            made["motion"] = rows
            made["phase"] = self._phases(samples, exact)
            made["momentum_ratio"] = ratio = samples.angular_momentum_norm / L
            made["energy_ratio"] = samples.energy / energy
            made["energy_factor"] = 2.0 * (samples.energy / energy) * energy / (ratio * L) ** 2
            across = samples.angular_momentum_world @ self.course.across.T / L
            made["across_1"], made["across_2"] = across.T
            in_body = samples.angular_momentum_body[:, np.argsort(body.principal_moments)] / L
            made["body_smallest"], made["body_middle"], made["body_largest"] = in_body.T
        return made

    def _phases(self, samples: Samples, exact: Array) -> Array:
        """Phase errors (N,) [rad] within -pi..pi; 0 where there is no phase."""
        phase = self.course.exact.phase
        with np.errstate(over="ignore", invalid="ignore"):
            here = phase(samples.omega_body)
        there = phase(exact)
        if here is None or there is None:
            return np.zeros(len(samples.time))
        return wrapped(here - there)

    def now(self) -> tuple[LaneNow, ...]:
        """Every lane as it stands, with its errors."""
        if not self.runners:
            return ()
        rows = np.array([runner.at(self.shown).sample() for runner in self.runners], SAMPLE)
        with np.errstate(over="ignore", invalid="ignore"):
            return self._lanes(Samples(self.course.body, rows))

    def _lanes(self, samples: Samples) -> tuple[LaneNow, ...]:
        exact = self.course.exact
        reference = exact.at(samples.time)
        start = self._start
        assert start is not None
        L, q = samples.angular_momentum_world, samples.orientation_wxyz
        rotation, omega = rotation_matrix(q), samples.omega_world
        energy = samples.energy / start.energy[0] - 1.0
        momentum = samples.angular_momentum_norm / start.angular_momentum_norm[0] - 1.0
        direction = angle_between(L, np.broadcast_to(start.angular_momentum_world[0], L.shape))
        orientation = turn_between(reference.orientation_wxyz, q)
        phases = self._phases(samples, reference.omega_body).tolist()
        found = []
        for n, runner in enumerate(self.runners):
            before = float(runner.until(self.shown)[-1]["phase"])
            gone = runner.stopped is not None and self.time > runner.stopped.time
            found.append(
                LaneNow(
                    lane=runner.lane, number=runner.number, time=float(samples.time[n]),
                    stopped=str(runner.stopped) if gone else None, trail=runner.trail.view(), orientation_wxyz=q[n],
                    rotation_world_from_body=rotation[n], omega_world=omega[n], angular_momentum_world=L[n],
                    energy_error=float(energy[n]), momentum_error=float(momentum[n]),
                    direction_error=float(direction[n]), orientation_error=float(orientation[n]),
                    phase_error=before + remainder(phases[n] - before, TURN) if self.has_phase else None,
                    gaps=runner.gaps,
                )
            )  # fmt: skip
        return tuple(found)


def race_of(scenario: "Scenario", recordings: tuple[Trajectory, ...]) -> tuple[LiveRace | None, str | None]:
    """The race that a scene asks for, if any, and what the user should know of it; `recordings` as in LiveRace."""
    if scenario.race.show == "off":
        return None, None
    try:
        race = LiveRace(scenario, recordings)
    except InputError as error:
        return None, tr("No race: {why}").format(why=error)
    return race, "; ".join(race.refused) or None


def race_fields(scenario: "Scenario") -> tuple[object, ...]:
    """What a scene's race depends on, besides body and start."""
    race = scenario.race
    step = race.stepping, race.steps_per_rotation, race.step
    return scenario.loads, race.show != "off", race.lanes, step, scenario.solver.gradient
