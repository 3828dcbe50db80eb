"""Work against precision: errors and cost of each lane over a range of step sizes, run in parallel by any executor."""

import json
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import asdict
from functools import partial
from math import inf, isfinite
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np

from viewer.common import input_files, locks
from viewer.common.errors import InputError
from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody
from viewer.physics.loads import Loads
from viewer.physics.state import State
from viewer.physics.stepping.projection import GradientSettings
from viewer.race.trajectory import Course, Largest, Trajectory, rotation_time, run_lane
from viewer.race.verdict import verdict
from viewer.scenario.sections.race import Lane

LARGEST_FILE = 2**28  # bytes of a file of stored runs
SAMPLES = 200  # of a run, for its verdict
HEADING = "# Poinsot, runs of a sweep, version "
ERRORS = ("energy", "momentum", "direction", "orientation")  # which may be inf, and null in a file


@frozen
class Task:
    """One run: a lane at one step size, as plain values, so that it can be sent to another process or machine.

    `weight` [N] acts on a top at its `centre_of_mass` [m], as seen from the pivot.
    """

    integrator: str
    stabilisation: str
    moments: tuple[float, float, float]
    orientation_wxyz: tuple[float, float, float, float]
    omega_body: tuple[float, float, float]
    steps_per_rotation: float
    seconds: float
    fast: bool
    gradient: tuple[float, ...] = GradientSettings().constants
    weight: float = 0.0
    centre_of_mass: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def lane(self) -> Lane:
        """The lane of this run."""
        return Lane(self.integrator, self.stabilisation)


@frozen
class Outcome:
    """The result of a run: its cost, and its largest errors over all steps, which are inf if it stopped.

    Attributes
    ----------
    step, steps
        The step size [s], and the number of steps that were to be made.
    cpu_seconds
        The processor time [s] that the steps took.
    energy, momentum, direction, orientation
        The largest errors: of energy and |L| (relative), of the direction of L and of the orientation [rad].
    phase
        The phase error at the end [rad]; None if there is none.
    flips
        How often the sense about the middle axis reversed; None if the steps are too long to tell.
    stopped
        The time [s] at which the run stopped; None if it did not.
    other_since
        The time [s] from which L circles another axis than in the exact motion, as in `Circling`; None if it never
        does.
    verdict
        The verdict in a sentence.
    """

    step: float
    steps: int
    cpu_seconds: float
    energy: float
    momentum: float
    direction: float
    orientation: float
    phase: float | None
    flips: int | None
    stopped: float | None
    other_since: float | None
    verdict: str

    @classmethod
    def of(cls, trajectory: Trajectory) -> "Outcome":
        """Return the outcome of a lane that has run."""
        course, gone, circling = trajectory.course, trajectory.stopped, trajectory.circling
        largest = Largest(inf, inf, inf, inf) if gone is not None else trajectory.largest
        return cls(
            course.step, course.steps, trajectory.cpu_seconds, largest.energy, largest.momentum, largest.direction,
            largest.orientation, phase=None if gone is not None else circling.phase, flips=circling.known_flips,
            stopped=None if gone is None else gone.time, other_since=circling.other, verdict=verdict(trajectory),
        )  # fmt: skip


def tasks(course: Course, lanes: Iterable[Lane], steps_per_rotation: Iterable[float], fast: bool = False) -> list[Task]:
    """Return all runs of a sweep: every lane at every step size, the largest first, each run as long as the course."""
    q, w = course.start.orientation_wxyz.tolist(), course.start.omega_body.tolist()
    moments = course.body.principal_moments.tolist()
    seconds, loads = course.steps * course.step, course.loads
    last = seconds, fast, course.gradient.constants, loads.weight, loads.centre_of_mass
    return [
        Task(lane.integrator, lane.stabilisation, tuple(moments), tuple(q), tuple(w), float(n), *last)
        for n in sorted(steps_per_rotation)
        for lane in lanes
    ]


def run_task(task: Task) -> Outcome:
    """Carry out one run and return its outcome."""
    body = RigidBody(np.array(task.moments), centre_of_mass=np.array(task.centre_of_mass))
    start = State(task.orientation_wxyz, task.omega_body)
    step = rotation_time(body, start) / task.steps_per_rotation
    steps = max(1, round(task.seconds / step))
    gradient = GradientSettings(*task.gradient)
    loads = Loads(gravity=task.weight / body.mass).on(body)
    course = Course(body, start, step, steps, max(1, steps // SAMPLES), gradient, loads)
    return Outcome.of(run_lane(course, task.lane, task.fast))


def sweep(
    work: list[Task], executor: Executor | None = None, kept: "StoredRuns | None" = None
) -> Iterator[tuple[Task, Outcome]]:
    """Carry out `work`, and yield every run with its outcome as it ends.

    Runs that are stored in `kept` come first and are not made again. `executor` is anything with the interface of
    concurrent.futures; without one the runs are made here, one by one.
    """
    known = {} if kept is None else kept.outcomes
    yield from ((task, known[task]) for task in work if task in known)
    open_tasks = [task for task in work if task not in known]
    here = ((task, run_task(task)) for task in open_tasks)
    for task, outcome in here if executor is None else _elsewhere(open_tasks, executor):
        if kept is not None:
            kept.add(task, outcome)
        yield task, outcome


def _elsewhere(work: list[Task], executor: Executor) -> Iterator[tuple[Task, Outcome]]:
    """Yield the runs in the order in which they end. If the caller stops early, the rest is not cancelled here."""
    ended: SimpleQueue[tuple[Task, Future[Outcome]]] = SimpleQueue()  # as_completed takes no foreign futures
    for task in work:
        executor.submit(run_task, task).add_done_callback(partial(_put, ended, task))
    for _ in work:
        task, future = ended.get()
        yield task, future.result()


def _put(queue: SimpleQueue[tuple[Task, Future[Outcome]]], task: Task, future: Future[Outcome]) -> None:
    queue.put((task, future))


class StoredRuns:
    """The runs of an interrupted sweep in a file beside the result; `done` deletes the file.

    The file has a heading, by which it is recognised, and a line of JSON for each run. Lines that are not whole runs,
    such as the last one of a killed sweep, are ignored. So are the runs of another version of the program, whose
    numbers may differ. Raises InputError if the file is something else, or if another process has it open.
    """

    def __init__(self, path: Path, version: str) -> None:
        self.path = path
        self.outcomes: dict[Task, Outcome] = {}
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: is not a regular file; the runs of this sweep would go there")
        try:
            self._file = locks.acquire(path)
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None
        if self._file is None:
            raise InputError(f"{path}: another sweep is writing to the same output")
        text = input_files.read_bytes(path, LARGEST_FILE).decode("utf-8", "replace")
        heading, *lines = text.split("\n")
        torn = HEADING.startswith(text)  # killed before the heading was whole, or empty
        if not torn and not heading.startswith(HEADING):
            self._file.close()
            raise InputError(f"{path}: is not a file of kept runs, which a sweep would write there; move it away")
        if heading == HEADING + version and lines:
            self.outcomes = dict(run for run in map(_parsed, lines) if run is not None)
            if lines[-1]:  # a line that was torn off in the middle
                self._append("\n")
        else:
            self._file.truncate(0)
            self._append(f"{HEADING}{version}\n")

    def add(self, task: Task, outcome: Outcome) -> None:
        """Store one run. It survives the end of this process, as the system has it when this returns."""
        self.outcomes[task] = outcome
        values = asdict(outcome)
        values |= {name: None for name in ERRORS if not isfinite(values[name])}
        self._append(json.dumps({"task": asdict(task), "outcome": values}) + "\n")

    def _append(self, text: str) -> None:
        assert self._file is not None
        try:
            self._file.write(text.encode())
            self._file.flush()
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written: {error.strerror}") from None

    def close(self) -> None:
        """Close the file, so that the next sweep can use it; delete it if there is no run in it."""
        if self._file is not None and not self.outcomes:
            self.done()
        elif self._file is not None:
            self._file.close()
            self._file = None

    def done(self) -> None:
        """Delete the file, because the sweep is complete."""
        if self._file is not None:
            locks.release(self._file, self.path)
            self._file = None


def _parsed(line: str) -> tuple[Task, Outcome] | None:
    try:
        values: Any = json.loads(line)
        task: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in values["task"].items()
        }
        outcome: dict[str, Any] = dict(values["outcome"])
        outcome |= {name: inf for name in ERRORS if outcome[name] is None}
        return Task(**task), Outcome(**outcome)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
