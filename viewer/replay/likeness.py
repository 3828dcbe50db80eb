"""Which known integrator a recorded motion resembles: each one runs beside its first rows, the likeliest to its end."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viewer.physics.integrators import INTEGRATORS
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import States, angular_momentum_body, rotational_energy
from viewer.race.trajectory import Course, Trajectory
from viewer.replay.conventions import turns_between

Array = NDArray[np.float64]

GLANCED_AT = 60  # rows in which all integrators are compared with the recording
COMPARED = 240  # rows in which the likeliest are
PARTS = (1, 2, 3, 4, 6, 8, 12, 16, 24)  # steps between two rows that are tried of every integrator
MOST_PARTS = 40  # tried of the likeliest ones
LIKELIEST = 6  # integrators of which every number of steps near the best is tried
FOLLOWED = 200_000  # steps to which the likeliest one is followed
EVEN = 1e-6  # relative; steps of time that differ by more are uneven
KEPT = 1e-4  # relative: energy and |L| that differ by less over the whole recording are the same
SAME_COURSE = (
    0.05  # of their change: so much more may differ, as a phase that is a little off moves steps in time
)


@dataclass(frozen=True)
class Likeness:
    """How much an integrator's motion differs from the recording: rms of omega over |omega|, and of the turn between
    rows, over COMPARED rows, with `parts` steps from row to row."""

    integrator: str
    parts: int
    difference: float


def likenesses(track: Trajectory) -> tuple[Likeness, ...]:
    """The LIKELIEST integrators for this body and the exact motion, the most alike first; none where the rows are not
    evenly spaced."""
    dt = np.diff(track.states.time[: COMPARED + 1])
    if np.ptp(dt) > EVEN * dt.mean() + 1e-9:
        return ()
    few, more = (_first_rows(track.states, rows) for rows in (GLANCED_AT, COMPARED))
    found = []
    for name in INTEGRATORS:
        found += _tried(track.course, name, PARTS if _depends_on_step(name) else (1,), few)
    likeliest = sorted(found, key=_unlikeness)
    names = ["exact", *dict.fromkeys(one.integrator for one in likeliest)][: LIKELIEST + 1]
    found = []
    for name in dict.fromkeys(names):
        parts = next(one.parts for one in likeliest if one.integrator == name)
        near = range(max(1, parts * 2 // 3), min(MOST_PARTS, parts * 3 // 2 + 1) + 1)
        tried = _tried(track.course, name, near if _depends_on_step(name) else (1,), more)
        found += sorted(tried, key=_unlikeness)[:1]
    return tuple(sorted(found, key=_unlikeness))


def _depends_on_step(name: str) -> bool:
    """Whether the free motion is another one in steps of another length."""
    return INTEGRATORS[name].step is not None and not INTEGRATORS[name].dense


def _unlikeness(one: Likeness) -> tuple[float, int]:
    return one.difference, one.parts


def _first_rows(states: States, count: int) -> States:
    rows = slice(0, count + 1)
    return States(states.time[rows], states.orientation_wxyz[rows], states.omega_body[rows])


def _tried(course: Course, name: str, parts: Iterable[int], states: States) -> list[Likeness]:
    """Of one integrator with so many steps a row; without those with which it diverges or the body is not for it."""
    differences = {number: _difference(course, name, number, states) for number in parts}
    return [Likeness(name, number, found) for number, found in differences.items() if found is not None]


def _run(course: Course, name: str, parts: int, count: int) -> States:
    """The states after each row, with so many steps between rows. Raises ValueError where the body is not for the
    integrator, NumericalOverflow where it diverges."""
    if INTEGRATORS[name].step is None:  # the closed form
        return course.exact.at(course.step * np.arange(1.0, count + 1.0))
    return Simulation(course.body, course.start, name, course.step / parts).sampled(count, every=parts)


def _difference(course: Course, name: str, parts: int, states: States) -> float | None:
    """None where the body is not for the integrator, or it diverges."""
    count = len(states.time) - 1
    try:
        other = _run(course, name, parts, count)
    except (ValueError, NumericalOverflow):
        return None
    rates = other.omega_body - states.omega_body[1:]
    q = np.concatenate((course.start.orientation_wxyz[None], other.orientation_wxyz))
    turn = (turns_between(q) - turns_between(states.orientation_wxyz)) / course.step
    speed = float(np.linalg.norm(states.omega_body, axis=1).mean())
    return float(np.sqrt(np.mean(np.sum(rates**2 + turn**2, axis=1)))) / speed


def goes_another_way(track: Trajectory, one: Likeness, noise: float) -> str | None:
    """What energy or |L| of the recording do that this integrator does not; None where it does the same all along.

    `noise`: of the recording's angular velocities, relative. Followed over FOLLOWED steps at most.
    """
    course, body = track.course, track.course.body
    count = min(len(track.states.time) - 1, max(1, FOLLOWED // one.parts))
    try:
        other = _run(course, one.integrator, one.parts, count)
    except NumericalOverflow:
        return "stays finite"
    least = max(KEPT, 10.0 * noise, 3.0 * one.difference)
    all_rows, some = track.states, slice(1, count + 1)
    states = States(all_rows.time[some], all_rows.orientation_wxyz[some], all_rows.omega_body[some])
    for name, of_states in (
        ("its energy", lambda some: rotational_energy(body, some)),
        ("its |L|", lambda some: np.linalg.norm(angular_momentum_body(body, some), axis=-1)),
    ):
        start = float(of_states(course.start))
        recorded, followed = of_states(states) / start, of_states(other) / start
        if np.abs(recorded - followed).max() > max(least, SAME_COURSE * float(np.ptp(recorded))):
            change = float(recorded[-1] - 1.0)
            return f"{name} {'falls' if change < 0.0 else 'grows'} by {abs(change):.2g} of itself"
    return None
