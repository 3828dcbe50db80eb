"""The race beside a running motion: its lanes follow the motion in the steps of the race, and go back to any time."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError
from viewer.common.frozen import frozen
from viewer.common.ring_buffer import DecimatedBuffer, RingBuffer, RingView
from viewer.physics.errors import COUNTS, Circling, angle_between, turn_between
from viewer.physics.poinsot.construction import largest_rate
from viewer.physics.rotation import rotation_matrix
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import (
    SAMPLE,
    Sample,
    SampleRows,
    Samples,
    States,
    angular_momentum_body,
    angular_momentum_world,
    kernel_unit,
)
from viewer.race.recorded_lane import RecordedLane, sample_rows
from viewer.race.trajectory import Course, Trajectory, joined, roughness, start_lane
from viewer.scenario.sections.race import Lane, Recorded, parse_lanes

if TYPE_CHECKING:
    from viewer.scenario.scenario import Scenario

LANE_SAMPLES = 8192  # samples of a lane: they thin out as time goes on
SAMPLES_PER_ROTATION = 48  # at least, if there are as many steps; also per period, if that is shorter
TRAIL_ROWS = 4096
# A sample of a lane: that of its simulation; the counts up to it; 2E/|L|^2 [1/(kg m2)]; |L| and E as fractions of the
# exact ones, E of a top with the error of E + V; the turn from the exact orientation [rad]; components of L as
# fractions of the exact |L|: in space along the two directions of `Course.across`, of a top from the exact L on, and in
# body axes in the order of rising moments.
LANE_SAMPLE = np.dtype(
    [
        ("motion", SAMPLE),
        ("counts", COUNTS),
        *(
            (name, np.float64)
            for name in (
                "energy_factor", "momentum_ratio", "energy_ratio", "turn", "across_1", "across_2", "body_smallest",
                "body_middle", "body_largest",
            )
        ),
    ]
)  # fmt: skip
REFERENCE = np.dtype([("time", np.float64), ("omega_body", np.float64, 3)])
LOOP_POINTS = 200  # points of the exact path in the body
ALMOST = 1e-9  # the fraction of a step by which a time may fall short of the step's end
CHUNK = 16  # steps of all lanes between two questions whether it is late

Array = NDArray[np.float64]
LaneRows = NDArray[np.void]  # (N,) of dtype LANE_SAMPLE
LaneCounts = NDArray[np.void]  # (N,) of dtype COUNTS


@frozen
class LaneNow:
    """A lane at one time, and its errors against the exact motion at that time.

    `number` is its index in the race, which gives its colour. `stopped` says why it has stopped, or is None. `gaps`
    are times (begin, end) [s] between which a recording has no rows. The errors of energy and |L| are relative, and
    `names` are their symbols; for a top they are those of `Deviation`. The errors of the direction of L, the
    orientation and the phase are in rad. `phase_error` is None if there is no phase. `flips`
    counts the flips about the middle axis since t = 0, or is None if the steps are too long to tell. `other_since` is
    the time [s] from which L circles another axis than in the exact motion, or None.
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
    flips: int | None
    other_since: float | None
    gaps: tuple[tuple[float, float], ...] = ()
    names: tuple[str, str] = ("E", "|L|")


class Runner:
    """One lane, with its simulation and its samples so far: rows of dtype LANE_SAMPLE."""

    def __init__(
        self,
        lane: Lane | Recorded,
        number: int,
        simulation: Simulation | RecordedLane,
        recorded: Trajectory | None = None,
    ) -> None:
        """Begin a lane; `recorded` is its motion if it comes from a recording, else None."""
        self.lane, self.number = lane, number
        self.gaps = () if recorded is None else recorded.gaps
        self.clipped = () if recorded is None else recorded.clipped
        self.simulation = simulation
        self.samples = DecimatedBuffer(LANE_SAMPLES, LANE_SAMPLE)
        self.trail = RingBuffer(TRAIL_ROWS, 7)
        self.offered = 0
        self.blur = 0.0 if recorded is None else roughness(recorded.angular_momentum_body)
        self.circling = Circling()  # the counts up to its last step
        self.new: list[Any] = []  # rows of steps that are not yet counted
        self.first: list[States] = [simulation.states_of()]  # the state at t = 0, until it is counted
        self.stopped: NumericalOverflow | None = None

    def advance(self, steps: int) -> None:
        """Make `steps` steps, or fewer if the lane stops."""
        try:
            while steps > 0 and self.stopped is None:
                rows = self.simulation.path(steps)
                self.new.extend(rows)
                steps -= len(rows)
        except NumericalOverflow as error:
            self.stopped = error

    def count(self, course: Course, there: Array | None) -> LaneCounts:
        """Return the counts after each new step, (N,) of dtype COUNTS.

        `there` is the phase of the exact motion at these steps, or None if it has none.
        """
        states = joined([*self.first, self.simulation.states_of(self.new)] if self.new else self.first)
        self.first.clear()
        self.new.clear()
        if isinstance(self.simulation, RecordedLane):  # whose rows are nearest to the steps
            there = course.exact.phase(course.exact.at(states.time).omega_body)
        there = None if there is None else there[: len(states.time)]
        counts = self.circling.after(course.exact, course.body, states, there, self.blur)
        self.circling = Circling(*counts[-1].item())
        return counts

    def at(self, steps: int, course: Course) -> tuple[Sample, Circling]:
        """Return the lane's sample and counts after `steps` steps, or after its last step if it has made fewer."""
        if steps >= self.simulation.steps:
            return self.simulation.sample(), self.circling
        simulation, before = self.simulation.copy(), self.until(steps)[-1]
        simulation.resume(Sample.from_row(before["motion"]))
        circling = Circling(*before["counts"].item())
        if steps > simulation.steps:
            states = simulation.states_of([*simulation.path(steps - simulation.steps)])
            there = course.exact.phase(course.exact.at(states.time).omega_body)
            counts = circling.after(course.exact, course.body, states, there, self.blur)
            circling = Circling(*counts[-1].item())
        return simulation.sample(), circling

    def until(self, steps: int) -> LaneRows:
        """Return the lane's samples up to the step number `steps`, as a view."""
        rows = self.samples.rows
        return rows[: int(np.searchsorted(rows["motion"]["steps"], steps, side="right"))]


class LiveRace:
    """All lanes of a scene's race, from t = 0 on. Raises InputError if the scene has loads, or is at rest.

    A lane whose integrator refuses the body is left out; `refused` says why in a sentence.
    """

    def __init__(self, scenario: "Scenario", recordings: tuple[Trajectory, ...] = ()) -> None:
        """Begin the race of a scene.

        `recordings` are recorded motions of the scene's body from its start, all with the same course. They become the
        first lanes, and all lanes take the steps of that course.
        """
        race = scenario.race
        self.course = Course.of_race(scenario, periods=1.0)
        self._start: Samples | None = None  # the exact start; without recordings, the first sample of the first lane
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
        turn = self.course.steps_per_rotation * self.course.step
        shortest = min(turn, self.course.exact.period or turn)
        self.every = max(1, int(shortest / self.course.step / SAMPLES_PER_ROTATION))
        self.reference = DecimatedBuffer(LANE_SAMPLES, REFERENCE)  # the exact motion at the times of the lanes' samples
        self._counted = -1  # the last step whose counts are known
        self.late = False  # whether the lanes have not yet got to the time last asked for
        self.steps = 0  # made by all lanes
        self.shown = 0  # the step at which the lanes are shown
        self._pending: list[list[Sample | None]] = []
        self._sample()
        self._settle()

    @property
    def time(self) -> float:
        """The time [s] at which the lanes are shown."""
        return self.shown * self.course.step

    @property
    def turning(self) -> list[tuple[float, float]]:
        """The largest |omega| [rad/s] that E and |L| allow, and the step [s], for every lane that has not stopped."""
        found = []
        for runner in self.runners:
            if runner.stopped is None or self.time <= runner.stopped.time:
                last = runner.until(self.shown)[-1]
                L = float(np.linalg.norm(last["motion"]["angular_momentum"])) * kernel_unit(self.course.body)
                energy = 0.5 * float(last["energy_factor"]) * L * L
                found.append((largest_rate(self.course.body.principal_moments, energy, L), self.course.step))
        return found

    @cached_property
    def momentum(self) -> float:
        """|L| of the exact motion [kg m2/s]."""
        return float(np.linalg.norm(angular_momentum_body(self.course.body, self.course.start)))

    @cached_property
    def loop(self) -> Array:
        """Omega over one period of the exact motion: a closed curve (LOOP_POINTS, 3) in body axes [rad/s]."""
        exact = self.course.exact
        period = exact.period or self.course.step * self.course.steps_per_rotation
        return np.asarray(exact.at(np.linspace(0.0, period, LOOP_POINTS)).omega_body)

    def follow(self, time: float, late: Callable[[], bool] = lambda: False) -> bool:
        """Bring the lanes to the last step that is not after `time` [s], and return whether they got there.

        They stop earlier as soon as `late()` is true.
        """
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
        grown = before == head and self.shown == self.steps  # whether the trails have grown with the samples
        if before != self.shown and not grown:
            for runner in self.runners:
                runner.trail.clear()
                runner.trail.append_rows(self._trail_rows(runner.until(self.shown)["motion"][-TRAIL_ROWS:]))
        self.late = self.shown < goal
        return not self.late

    def _trail_rows(self, rows: SampleRows) -> Array:
        """Return rows (N, 7) of samples: the time, omega in space and omega in body axes."""
        samples = Samples(self.course.body, rows)
        with np.errstate(over="ignore", invalid="ignore"):
            return np.column_stack((samples.time, samples.omega_world, samples.omega_body))

    def _sample(self) -> None:
        self._pending.append(
            [runner.simulation.sample() if runner.stopped is None else None for runner in self.runners]
        )

    def _settle(self) -> None:
        """Bring the counts of all lanes up to their last steps, and store the pending samples."""
        steps = np.arange(self._counted + 1, self.steps + 1)
        if not len(steps):
            return
        exact = self.course.exact.at(np.asarray(self.course.step * steps.astype(np.float64)))
        self._counted = self.steps
        there = self.course.exact.phase(exact.omega_body)
        counts = [runner.count(self.course, there) if runner.new or runner.first else None for runner in self.runners]
        sampled = np.flatnonzero(steps % self.every == 0)
        rows, counted, whose, places = list[Sample](), list[np.void](), list[Runner](), list[int]()
        for at, samples in zip(sampled.tolist(), self._pending, strict=True):
            self.reference.offer(
                int(steps[at]) // self.every, np.array((exact.time[at], exact.omega_body[at]), REFERENCE)
            )
            for runner, count, sample in zip(self.runners, counts, samples, strict=True):
                if sample is not None and count is not None:
                    rows.append(sample)
                    counted.append(count[at])
                    whose.append(runner)
                    places.append(at)
        self._pending.clear()
        if not rows:
            return
        motion, reference = np.array(rows, SAMPLE), joined([exact], np.array(places))
        if not np.array_equal(motion["time"], reference.time):  # the rows of a recording are nearest to the steps
            reference = self.course.exact.at(motion["time"])
        found = self._samples(motion, reference)
        found["counts"] = np.array(counted, COUNTS)
        for runner, sample, trail in zip(whose, found, self._trail_rows(motion), strict=True):
            runner.samples.offer(runner.offered, sample)
            runner.offered += 1
            runner.trail.append(trail)

    def _samples(self, rows: SampleRows, exact: States) -> LaneRows:
        """Return lane samples for the rows of simulations and the exact states there, without the field `counts`."""
        body, made = self.course.body, np.empty(len(rows), LANE_SAMPLE)
        samples = Samples(body, rows)
        if self._start is None:
            self._start = Samples(body, rows[:1])
        L, energy, L_world = self._start.angular_momentum_norm[0], self._start.energy[0], samples.angular_momentum_world
        kept = self.course.kept
        if kept is not None:
            L_exact = angular_momentum_world(body, exact)
            L, L_world = np.linalg.norm(L_exact, axis=1), L_world - L_exact
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            made["motion"] = rows
            made["momentum_ratio"] = ratio = samples.angular_momentum_norm / L
            made["energy_ratio"] = samples.energy / energy if kept is None else 1.0 + kept.errors(samples.states).energy
            made["energy_factor"] = 2.0 * (samples.energy / energy) * energy / (ratio * L) ** 2
            made["turn"] = turn_between(exact.orientation_wxyz, samples.orientation_wxyz)
            across = (L_world @ self.course.across.T).T / L
            made["across_1"], made["across_2"] = across
            in_body = samples.angular_momentum_body[:, np.argsort(body.principal_moments)].T / L
            made["body_smallest"], made["body_middle"], made["body_largest"] = in_body
        return made

    def now(self) -> tuple[LaneNow, ...]:
        """Return every lane, with its errors, at the time that is shown."""
        if not self.runners:
            return ()
        samples, circlings = zip(*(runner.at(self.shown, self.course) for runner in self.runners), strict=True)
        with np.errstate(over="ignore", invalid="ignore"):
            return self._lanes(Samples(self.course.body, np.array(list(samples), SAMPLE)), circlings)

    def _lanes(self, samples: Samples, circlings: Sequence[Circling]) -> tuple[LaneNow, ...]:
        exact = self.course.exact
        reference = exact.at(samples.time)
        start = self._start
        assert start is not None
        L, q = samples.angular_momentum_world, samples.orientation_wxyz
        rotation, omega = rotation_matrix(q), samples.omega_world
        energy = samples.energy / start.energy[0] - 1.0
        momentum = samples.angular_momentum_norm / start.angular_momentum_norm[0] - 1.0
        L_exact = np.broadcast_to(start.angular_momentum_world[0], L.shape)
        if self.course.kept is not None:
            errors = self.course.kept.errors(samples.states)
            energy, momentum = errors.energy, errors.momentum
            L_exact = angular_momentum_world(self.course.body, reference)
        direction = angle_between(L, L_exact)
        orientation = turn_between(reference.orientation_wxyz, q)
        found = []
        for n, runner in enumerate(self.runners):
            gone = runner.stopped is not None and self.time > runner.stopped.time
            found.append(
                LaneNow(
                    lane=runner.lane, number=runner.number, time=float(samples.time[n]),
                    stopped=str(runner.stopped) if gone else None, trail=runner.trail.view(), orientation_wxyz=q[n],
                    rotation_world_from_body=rotation[n], omega_world=omega[n], angular_momentum_world=L[n],
                    energy_error=float(energy[n]), momentum_error=float(momentum[n]),
                    direction_error=float(direction[n]), orientation_error=float(orientation[n]),
                    phase_error=circlings[n].phase, flips=circlings[n].known_flips, other_since=circlings[n].other,
                    gaps=runner.gaps, names=self.course.kept_names,
                )
            )  # fmt: skip
        return tuple(found)
