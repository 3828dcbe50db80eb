"""The motion as a table of numbers, made block by block, so that a long table needs no more memory than a short one.

A scene of several bodies has one table: the motion of the first body, then those of the others in their order.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError, brief, refusal
from viewer.physics import state
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.kernels.quaternion import Three
from viewer.physics.rotation import rotate
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import Samples, States, angular_acceleration, orthogonality_error, point_velocity
from viewer.scenario.scenario import Scenario
from viewer.session.bodies import check_bodies

COLUMNS = (
    "time_s",
    *(f"orientation_{c}" for c in "wxyz"),
    *(f"omega_body_{c}_rad_per_s" for c in "xyz"),
    *(f"omega_world_{c}_rad_per_s" for c in "xyz"),
    *(f"angular_momentum_world_{c}_kg_m2_per_s" for c in "xyz"),
    "rotational_energy_J",
    "target_energy_J",
    *(f"position_{c}_m" for c in "xyz"),
    *(f"angular_acceleration_world_{c}_rad_per_s2" for c in "xyz"),
)
OF_MATRIX = ("orthogonality_error",)  # the last column, if the integrator keeps a rotation matrix
TORQUE_COLUMNS = tuple(f"external_torque_world_{c}_N_m" for c in "xyz")  # if one acts: with friction's, so dL/dt
WEIGHT_COLUMNS = ("potential_energy_J", "total_energy_J")  # if gravity acts: of the weight, and with kinetic energies
AXIS_COLUMNS = ("angular_momentum_along_axis_kg_m2_per_s",)  # of a symmetric top under gravity
CENTRE_COLUMNS = tuple(f"centre_of_mass_{c}_m" for c in "xyz")  # if a body has a pivot, which is then its position
POINT_COLUMNS = tuple(f"point_velocity_world_{c}_m_per_s" for c in "xyz")  # of the point that was requested
MOVING_COLUMNS = (*(f"linear_momentum_{c}_kg_m_per_s" for c in "xyz"), "translational_energy_J")
BODY = "body"  # the first column for a scene of several bodies: the body's number, from 1 on
BLOCK = 4096  # rows at most
LONGEST = 1e12  # s

Array = NDArray[np.float64]
Rows = dict[tuple[str, ...], Array]  # from the names of columns to their values (n, columns)


def usual_seconds(scenario: Scenario) -> float:
    """Return 10 s, or one period of the motion if the period is shorter than 0.1 s or longer than 100 s."""
    try:
        period = FreeRotation(scenario.rigid_body(), scenario.start_state()).period
    except ValueError:
        period = None
    return 10.0 if period is None or 0.1 <= period <= 100.0 else period


class Table:
    """The motion at t = 0, `every`, 2 `every`, .. `seconds`, each at the nearest step, in rows of `columns`.

    `fast` compiles the steps (extra `fast`), which pays if there are many. `point` [m] is a point of the body, in body
    axes from the centre of mass, or None; the table then has its velocity, too. Raises InputError if the times are not
    allowed or numba is missing.
    """

    def __init__(
        self, scenario: Scenario, seconds: float, every: float, fast: bool = False, point: Three | None = None
    ) -> None:
        step = scenario.solver.step
        if not step * (1 - 1e-9) <= seconds <= LONGEST:
            raise refusal(
                "seconds: {seconds} s is outside {step} to {longest} s",
                seconds=brief(seconds),
                step=brief(step),
                longest=brief(LONGEST),
            )
        if not step * (1 - 1e-9) <= every <= seconds:
            raise refusal(
                "every: {every} s is outside {step} to {seconds} s (step to seconds)",
                every=brief(every),
                step=brief(step),
                seconds=brief(seconds),
            )
        self.scenario = scenario
        self._rows_each = int(seconds / every * (1 + 1e-12)) + 1
        self._steps_a_row = every / step
        check_bodies(scenario)
        scenarios = [scenario.of_body(number) for number in range(len(scenario.bodies))] or [scenario]
        self._simulations = [one.simulation(fast) for one in scenarios]
        self.rows = self._rows_each * len(scenarios)
        first = (BODY,) if scenario.bodies else ()
        loads = [one.loads for one in self._simulations]
        self._point = point
        is_shown = {
            COLUMNS: True,
            MOVING_COLUMNS: any(one.moves for one in scenarios),
            TORQUE_COLUMNS: any(one.changes_momentum for one in loads),
            WEIGHT_COLUMNS: any(one.weight > 0.0 for one in loads),
            AXIS_COLUMNS: any(one.loads.weight > 0.0 and one.body.top_axis is not None for one in self._simulations),
            CENTRE_COLUMNS: any(one.held for one in loads),
            POINT_COLUMNS: point is not None,
            OF_MATRIX: INTEGRATORS[scenario.solver.integrator].matrix,
        }
        self._shown = [names for names, shown in is_shown.items() if shown]
        self.columns = (*first, *(name for names in self._shown for name in names))

    def blocks(self) -> Iterator[Array]:
        """Yield the rows in blocks (n, columns); the first ones are small.

        If the physics fails, InputError is raised after the rows up to the failure.
        """
        for number, simulation in enumerate(self._simulations, start=1):
            for rows in self._blocks_of(simulation):
                bodies = np.full((len(rows), 1), float(number))
                yield np.concatenate((bodies, rows), axis=1) if self.scenario.bodies else rows

    def _blocks_of(self, simulation: Simulation) -> Iterator[Array]:
        now = simulation.state
        start = States(
            np.zeros(1),
            now.orientation_wxyz[None],
            now.omega_body[None],
            now.position[None],
            now.linear_momentum[None],
            stretch=None if simulation.stretch is None else simulation.stretch[None],
        )
        yield self._chosen(_rows(simulation, start, np.array([simulation.target_energy]), self._point))
        done, steps, size = 1, 0, 1
        while done < self._rows_each:
            numbers = np.arange(done, min(done + size, self._rows_each))
            ends = np.rint(numbers * self._steps_a_row).astype(np.int64)
            for every, count in _runs(np.diff(ends, prepend=steps)):
                before = simulation.copy()
                try:
                    yield self._chosen(_sampled(simulation, count, every, self._point))
                except NumericalOverflow as error:
                    yield from map(self._chosen, _until_it_fails(before, every, self._point))
                    raise InputError(f"solver.integrator: {error}") from None
            done, steps, size = done + len(numbers), int(ends[-1]), min(2 * size, BLOCK)

    def _chosen(self, rows: Rows) -> Array:
        """Return the columns that this table has."""
        return np.concatenate([rows[names] for names in self._shown], axis=1)


def _runs(lengths: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yield each value and the number of times that it occurs in succession."""
    starts = np.flatnonzero(np.diff(lengths, prepend=lengths[0] - 1))
    for start, end in zip(starts, [*starts[1:], len(lengths)], strict=True):
        yield int(lengths[start]), int(end - start)


def _sampled(simulation: Simulation, count: int, every: int, point: Three | None) -> Rows:
    """Return `count` rows, one after every `every` steps."""
    if simulation.loads.free:  # then its energy should stay
        states = simulation.sampled(count, every)
        return _rows(simulation, states, np.full(count, simulation.target_energy), point)
    if simulation.dense:  # the closed form of a top
        samples = Samples(simulation.body, simulation.advance_sampled(count, every))
        return _rows(simulation, samples.states, samples.target_energy, point)
    times, energies = np.empty(count), np.empty(count)
    orientations, omegas = np.empty((count, 4)), np.empty((count, 3))
    positions, momenta = np.empty((count, 3)), np.empty((count, 3))
    for i in range(count):
        simulation.advance_steps(every)
        now = simulation.state
        times[i], energies[i] = simulation.time, simulation.target_energy
        orientations[i], omegas[i] = now.orientation_wxyz, now.omega_body
        positions[i], momenta[i] = now.position, now.linear_momentum
    return _rows(simulation, States(times, orientations, omegas, positions, momenta), energies, point)


def _until_it_fails(simulation: Simulation, every: int, point: Three | None) -> Iterator[Rows]:
    """Yield single rows, one after every `every` steps, until the physics fails."""
    while True:
        try:
            yield _sampled(simulation, 1, every, point)
        except NumericalOverflow:
            return


def _rows(simulation: Simulation, states: States, target_energy: Array, point: Three | None) -> Rows:
    """Return the values of all columns; without a point, or a matrix that the state has, those have none."""
    assert states.position is not None
    assert states.linear_momentum is not None
    body, loads, q = simulation.body, simulation.loads, states.orientation_wxyz
    torques = loads.torques_at(states)
    energy = (states.linear_momentum**2).sum(axis=1) / (2.0 * body.mass)
    rotational = state.rotational_energy(body, states)
    height = loads.potential_energy(q, states.position)
    axis = body.top_axis
    along = np.full(len(q), np.nan) if axis is None else body.principal_moments[axis] * states.omega_body[:, axis]
    found: Rows = {
        COLUMNS: np.column_stack((
            states.time, q, states.omega_body, rotate(q, states.omega_body), state.angular_momentum_world(body, states),
            rotational, target_energy, states.position, angular_acceleration(body, states, torques),
        )),
        MOVING_COLUMNS: np.column_stack((states.linear_momentum, energy)),
        TORQUE_COLUMNS: torques,
        WEIGHT_COLUMNS: np.column_stack((height, rotational + energy + height)),
        AXIS_COLUMNS: along[:, None],
        CENTRE_COLUMNS: states.position + rotate(q, body.centre_of_mass),
    }  # fmt: skip
    if point is not None:
        found[POINT_COLUMNS] = point_velocity(body, states, point)
    if states.stretch is not None:
        found[OF_MATRIX] = orthogonality_error(states.stretch)[:, None]
    return found
