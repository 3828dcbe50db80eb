"""Work against precision: what each lane errs and costs over a range of steps. Parallel over any executor."""

import json
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import asdict, dataclass, replace
from functools import partial
from math import inf, isfinite
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np

from viewer import incoming
from viewer.errors import SceneError
from viewer.lanes import Lane
from viewer.physics.body import RigidBody
from viewer.physics.state import State
from viewer.race.track import Course, Track, rotation_time, run_lane
from viewer.race.verdict import verdict

LARGEST_FILE = 2**28  # bytes of the runs that are kept
WARM_UP = 3  # steps before the clock starts: compiling, caches
SAMPLES = 200  # at least, at which a run's errors are looked at
SAMPLES_PER_PERIOD = 8  # at least: whole periods of phase are counted
ERRORS = ("energy", "momentum", "direction", "orientation")  # which may be inf, and null in a file


@dataclass(frozen=True)
class Task:
    """One run: a lane at one step. Plain values, so that it can be sent to another process or machine."""

    integrator: str
    stabilisation: str
    moments: tuple[float, float, float]
    orientation_wxyz: tuple[float, float, float, float]
    omega_body: tuple[float, float, float]
    steps_per_rotation: float
    seconds: float
    fast: bool

    @property
    def lane(self) -> Lane:
        """Whose run it is."""
        return Lane(self.integrator, self.stabilisation)


@dataclass(frozen=True)
class Outcome:
    """What a run came to: its largest errors over the samples, inf where it left the finite range.

    step [s]; cpu_seconds that the steps took; energy, momentum: relative; direction of L, orientation [rad]; phase: at
    the end [rad], None where there is none; flips of the sense about the middle axis; left: when it left the finite
    range [s], or None; verdict: in words.
    """

    step: float
    steps: int
    cpu_seconds: float
    energy: float
    momentum: float
    direction: float
    orientation: float
    phase: float | None
    flips: int
    left: float | None
    verdict: str

    @classmethod
    def of(cls, track: Track) -> "Outcome":
        """The outcome of a lane that has run."""
        course, errors, gone = track.course, track.errors, track.left is not None
        energy, momentum, direction, orientation = (
            inf if gone else float(np.abs(error).max())
            for error in (errors.energy, errors.momentum, errors.direction, errors.orientation)
        )
        return cls(
            step=course.step,
            steps=course.steps,
            cpu_seconds=track.cpu_seconds,
            energy=energy,
            momentum=momentum,
            direction=direction,
            orientation=orientation,
            phase=None if gone or errors.phase is None else float(errors.phase[-1]),
            flips=track.flips,
            left=None if track.left is None else track.left.time,
            verdict=verdict(track),
        )


def tasks(
    course: Course, lanes: Iterable[Lane], steps_per_rotation: Iterable[float], fast: bool = False
) -> list[Task]:
    """All runs of a sweep: every lane at every step, the coarse ones first; over the time of the course."""
    q, w = course.start.orientation_wxyz.tolist(), course.start.omega_body.tolist()
    moments = course.body.principal_moments.tolist()
    seconds = course.steps * course.step
    return [
        Task(lane.integrator, lane.stabilisation, tuple(moments), tuple(q), tuple(w), float(n), seconds, fast)
        for n in sorted(steps_per_rotation)
        for lane in lanes
    ]


def run_task(task: Task) -> Outcome:
    """Carries out one run."""
    body = RigidBody.from_moments(task.moments)
    start = State(task.orientation_wxyz, task.omega_body)
    step = rotation_time(body, start) / task.steps_per_rotation
    steps = max(1, round(task.seconds / step))
    run_lane(Course(body, start, step, WARM_UP), task.lane, task.fast)
    course = Course(body, start, step, steps)
    samples = max(SAMPLES, SAMPLES_PER_PERIOD * task.seconds / (course.exact.period or task.seconds))
    track = run_lane(replace(course, every=max(1, int(steps / samples))), task.lane, task.fast)
    return Outcome.of(track)


def sweep(
    work: list[Task], executor: Executor | None = None, kept: "Kept | None" = None
) -> Iterator[tuple[Task, Outcome]]:
    """Carries out `work` and gives every run as it ends; runs that `kept` holds come first and are not made again.

    `executor`: anything with the interface of concurrent.futures; without one the runs are made here, one by one.
    """
    known = {} if kept is None else kept.outcomes
    yield from ((task, known[task]) for task in work if task in known)
    open_tasks = [task for task in work if task not in known]
    results = _here(open_tasks) if executor is None else _elsewhere(open_tasks, executor)
    for task, outcome in results:
        if kept is not None:
            kept.add(task, outcome)
        yield task, outcome


def _here(work: list[Task]) -> Iterator[tuple[Task, Outcome]]:
    return ((task, run_task(task)) for task in work)


def _elsewhere(work: list[Task], executor: Executor) -> Iterator[tuple[Task, Outcome]]:
    """As they end; what has not begun is called off where the caller stops."""
    ended: SimpleQueue[tuple[Task, Future[Outcome]]] = SimpleQueue()  # as_completed takes no foreign futures
    futures: list[Future[Outcome]] = []
    try:
        for task in work:
            future = executor.submit(run_task, task)
            futures.append(future)
            future.add_done_callback(partial(_put, ended, task))
        for _ in work:
            task, future = ended.get()
            yield task, future.result()
    finally:
        for future in futures:
            future.cancel()


def _put(queue: SimpleQueue[tuple[Task, Future[Outcome]]], task: Task, future: Future[Outcome]) -> None:
    queue.put((task, future))


class Kept:
    """The runs of an interrupted sweep, a line of JSON each, in a file beside the result; `done` deletes it.

    Lines that are no runs (the last one of a killed sweep) are left out.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.outcomes: dict[Task, Outcome] = {}
        try:
            lines = incoming.read_text(path, LARGEST_FILE).splitlines()
        except incoming.MissingFile:
            lines = []
        except SceneError as error:
            raise SceneError(f"{error}; it should hold the runs of an earlier sweep") from None
        for line in lines:
            run = _parsed(line)
            if run is not None:
                self.outcomes[run[0]] = run[1]

    def add(self, task: Task, outcome: Outcome) -> None:
        """Keeps one run; on the disk when this returns."""
        self.outcomes[task] = outcome
        values = asdict(outcome)
        values |= {name: None for name in ERRORS if not isfinite(values[name])}
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"task": asdict(task), "outcome": values}) + "\n")
        except OSError as error:
            raise SceneError(f"{self.path}: cannot be written ({error.strerror})") from None

    def done(self) -> None:
        """The sweep is complete."""
        self.path.unlink(missing_ok=True)


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
