"""The motion as a table of numbers, block after block, so that a long one needs no more memory than a short one."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError, brief
from viewer.physics import state
from viewer.physics.rotation import rotate
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import States
from viewer.scenario.scenario import Scenario

COLUMNS = (
    "time_s",
    *(f"orientation_{c}" for c in "wxyz"),
    *(f"omega_body_{c}_rad_per_s" for c in "xyz"),
    *(f"omega_world_{c}_rad_per_s" for c in "xyz"),
    *(f"angular_momentum_world_{c}_kg_m2_per_s" for c in "xyz"),
    "rotational_energy_J",
    "target_energy_J",
    *(f"position_{c}_m" for c in "xyz"),
)
BLOCK = 4096  # rows at most
LONGEST = 1e9  # s

Array = NDArray[np.float64]


class Table:
    """The motion at t = 0, `every`, 2 `every`, .. `seconds`, each at the nearest step; rows as in COLUMNS.

    `fast`: with compiled steps (extra `fast`), which pays where many are made.
    Raises InputError where the times are not allowed or numba is missing.
    """

    def __init__(self, scenario: Scenario, seconds: float, every: float, fast: bool = False) -> None:
        step = scenario.solver.step
        if not step * (1 - 1e-9) <= seconds <= LONGEST:
            raise InputError(f"seconds: {brief(seconds)} s is outside {brief(step)}..{brief(LONGEST)} s")
        if not step * (1 - 1e-9) <= every <= seconds:
            raise InputError(f"every: {brief(every)} s is outside {brief(step)}..{brief(seconds)} s (step..seconds)")
        self.scenario = scenario
        self.rows = int(seconds / every * (1 + 1e-12)) + 1
        self._steps_a_row = every / step
        self._simulation = scenario.simulation(fast)

    def blocks(self) -> Iterator[Array]:
        """The rows, (n, columns) at a time, first few and then more; raises InputError where the physics fails, after
        the rows up to there."""
        simulation = self._simulation
        now = simulation.state
        start = States(np.zeros(1), now.orientation_wxyz[None], now.omega_body[None])
        yield _rows(simulation, start, now.position[None], np.array([simulation.target_energy]))
        done, steps, size = 1, 0, 1
        while done < self.rows:
            numbers = np.arange(done, min(done + size, self.rows))
            ends = np.rint(numbers * self._steps_a_row).astype(np.int64)
            for every, count in _runs(np.diff(ends, prepend=steps)):
                before = simulation.copy()
                try:
                    yield _sampled(simulation, count, every)
                except NumericalOverflow as error:
                    yield from _until_it_fails(before, every)
                    raise InputError(f"solver.integrator: {error}") from None
            done, steps, size = done + len(numbers), int(ends[-1]), min(2 * size, BLOCK)


def _runs(lengths: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """(value, how often) of equal ones in succession."""
    starts = np.flatnonzero(np.diff(lengths, prepend=lengths[0] - 1))
    for start, end in zip(starts, [*starts[1:], len(lengths)], strict=True):
        yield int(lengths[start]), int(end - start)


def _sampled(simulation: Simulation, count: int, every: int) -> Array:
    """The rows after each `every` of `count` times `every` steps."""
    if simulation.loads.free:  # then its energy should stay
        states = simulation.sampled(count, every)
        assert states.position is not None
        return _rows(simulation, states, states.position, np.full(count, simulation.target_energy))
    times, energies = np.empty(count), np.empty(count)
    orientations, omegas, positions = np.empty((count, 4)), np.empty((count, 3)), np.empty((count, 3))
    for i in range(count):
        simulation.advance_steps(every)
        now = simulation.state
        times[i], energies[i] = simulation.time, simulation.target_energy
        orientations[i], omegas[i], positions[i] = now.orientation_wxyz, now.omega_body, now.position
    return _rows(simulation, States(times, orientations, omegas), positions, energies)


def _until_it_fails(simulation: Simulation, every: int) -> Iterator[Array]:
    """The rows after each `every` steps, one by one, that the physics still makes."""
    while True:
        try:
            yield _sampled(simulation, 1, every)
        except NumericalOverflow:
            return


def _rows(simulation: Simulation, states: States, position: Array, target_energy: Array) -> Array:
    columns = (
        states.time[:, None],
        states.orientation_wxyz,
        states.omega_body,
        rotate(states.orientation_wxyz, states.omega_body),
        state.angular_momentum_world(simulation.body, states),
        state.rotational_energy(simulation.body, states)[:, None],
        target_energy[:, None],
        position,
    )
    return np.concatenate(columns, axis=1)
