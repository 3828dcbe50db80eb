"""The known integrator that a recorded motion resembles.

Each integrator runs from the first row of the recording and is compared with the next rows.
"""

from collections.abc import Iterable

import numpy as np

from viewer.common.errors import brief
from viewer.common.frozen import frozen
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import States, angular_momentum_body, rotational_energy
from viewer.race.trajectory import Course, Trajectory
from viewer.replay.kinematics import turns_between

FIRST_ROWS = 60  # in which all integrators are compared with the recording
MORE_ROWS = 240  # in which the likeliest ones are compared
SUBSTEPS = (1, 2, 3, 4, 6, 8, 12, 16, 24)  # between two rows, tried with every integrator
MOST_SUBSTEPS = 40  # tried with the likeliest ones
LIKELIEST = 6  # integrators of which every number of substeps near the best is tried
FINALISTS = 3  # numbers of substeps of one integrator that are compared in MORE_ROWS
FOLLOWED = 200_000  # steps over which the likeliest one is compared
EVEN = 1e-6  # relative; steps of time that differ by more are uneven
UNCHANGED = 1e-4  # relative: energy and |L| that differ by less over the whole recording are the same
SAME_CHANGE = 0.05  # of their change, by which they may also differ, as a phase error shifts it in time


@frozen
class Likeness:
    """How much an integrator's motion differs from the recording, with `substeps` steps from row to row.

    `difference` is an rms over some rows, relative to the mean |omega|. It combines the error of omega with the error
    of the turn from row to row, divided by the time between the rows.
    """

    integrator: str
    substeps: int
    difference: float


def likenesses(recorded: Trajectory) -> tuple[Likeness, ...]:
    """Return the likeness of the exact motion and those of the LIKELIEST integrators for this body, the nearest first.

    There are none if the rows are not evenly spaced.
    """
    dt = np.diff(recorded.states.time[: MORE_ROWS + 1])
    if np.ptp(dt) > EVEN * dt.mean() + 1e-9:
        return ()
    few, more = (_rows(recorded.states, 0, rows + 1) for rows in (FIRST_ROWS, MORE_ROWS))
    found = []
    for name in (name for name, method in INTEGRATORS.items() if not method.matrix):  # a recording has rotations
        found += _tried(recorded.course, name, SUBSTEPS if _depends_on_step(name) else (1,), few)
    likeliest = sorted(found, key=_unlikeness)
    names = ["exact", *dict.fromkeys(one.integrator for one in likeliest)][: LIKELIEST + 1]
    found = []
    for name in dict.fromkeys(names):
        substeps = next(one.substeps for one in likeliest if one.integrator == name)
        near = range(max(1, substeps * 2 // 3), min(MOST_SUBSTEPS, substeps * 3 // 2 + 1) + 1)
        tried = sorted(_tried(recorded.course, name, near if _depends_on_step(name) else (1,), few), key=_unlikeness)
        tried = _tried(recorded.course, name, [one.substeps for one in tried[:FINALISTS]], more)
        found += sorted(tried, key=_unlikeness)[:1]
    return tuple(sorted(found, key=_unlikeness))


def _depends_on_step(name: str) -> bool:
    """Tell whether the free motion of an integrator depends on the length of its steps."""
    return INTEGRATORS[name].step is not None and not INTEGRATORS[name].dense


def _unlikeness(one: Likeness) -> tuple[float, int]:
    return one.difference, one.substeps


def _rows(states: States, start: int, stop: int) -> States:
    rows = slice(start, stop)
    return States(states.time[rows], states.orientation_wxyz[rows], states.omega_body[rows])


def _tried(course: Course, name: str, substeps: Iterable[int], states: States) -> list[Likeness]:
    """Return an integrator's likeness for each number of substeps, unless it diverges or refuses the body."""
    differences = {number: _difference(course, name, number, states) for number in substeps}
    return [Likeness(name, number, found) for number, found in differences.items() if found is not None]


def _run(course: Course, name: str, substeps: int, count: int) -> States:
    """Return the states of an integrator at `count` rows after the first.

    Raises ValueError if the integrator refuses the body, NumericalOverflow if it diverges.
    """
    if INTEGRATORS[name].step is None:  # the closed form
        return course.exact.at(course.step * np.arange(1.0, count + 1.0))
    return Simulation(course.body, course.start, name, course.step / substeps).sampled(count, every=substeps)


def _difference(course: Course, name: str, substeps: int, states: States) -> float | None:
    """Return the difference of a `Likeness`, or None if the integrator refuses the body, or diverges."""
    count = len(states.time) - 1
    try:
        other = _run(course, name, substeps, count)
    except (ValueError, NumericalOverflow):
        return None
    rates = other.omega_body - states.omega_body[1:]
    q = np.concatenate((course.start.orientation_wxyz[None], other.orientation_wxyz))
    turn = (turns_between(q) - turns_between(states.orientation_wxyz)) / course.step
    speed = float(np.linalg.norm(states.omega_body, axis=1).mean())
    return float(np.sqrt(np.mean(np.sum(rates**2 + turn**2, axis=1)))) / speed


def unexplained_change(recorded: Trajectory, one: Likeness, noise: float) -> str | None:
    """Return how the recording's energy or |L| changes in a way that the integrator does not explain; else None.

    `noise` is the relative noise of the recorded angular velocities. At most FOLLOWED steps are compared.
    """
    course, body = recorded.course, recorded.course.body
    count = min(len(recorded.states.time) - 1, max(1, FOLLOWED // one.substeps))
    try:
        other = _run(course, one.integrator, one.substeps, count)
    except NumericalOverflow:
        return "stays finite"
    least = max(UNCHANGED, 10.0 * noise, 3.0 * one.difference)
    states = _rows(recorded.states, 1, count + 1)
    for name, of_states in (
        ("its energy", lambda some: rotational_energy(body, some)),
        ("its |L|", lambda some: np.linalg.norm(angular_momentum_body(body, some), axis=-1)),
    ):
        start = float(of_states(course.start))
        values, computed = of_states(states) / start, of_states(other) / start
        if np.abs(values - computed).max() > max(least, SAME_CHANGE * float(np.ptp(values))):
            change = float(values[-1] - 1.0)
            return f"{name} {'falls' if change < 0.0 else 'grows'} by {brief(100.0 * abs(change), 2)} %"
    return None
