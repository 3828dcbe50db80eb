"""A logged motion that runs in a race as a lane does."""

from copy import copy

import numpy as np
from numpy.typing import NDArray

from viewer.physics.samples import IN_SPACE, MOMENTUM, ORIENTATION, STEPS, TARGETS, TIME, WIDTH, Records
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.race.trajectory import Trajectory

Array = NDArray[np.float64]


class RecordingEnds(NumericalOverflow):
    """There are no more rows after `time` [s]."""

    def __init__(self, time: float) -> None:
        super().__init__("The log", time, "its end")
        self.words = f"ends at t = {time:.4g} s"
        self.args = (f"The log {self.words}",)


class RecordedLane:
    """What a race asks of a simulation, answered from a log: the row nearest to each step."""

    def __init__(self, track: Trajectory, like: Simulation) -> None:
        """`like`: a simulation of the same body, in whose units the rows are."""
        states, body = track.states, track.course.body
        self._like, self._step, self.steps = like, track.course.step, 0
        self._rows = np.zeros((len(states.time), WIDTH))
        self._rows[:, TIME], self._rows[:, ORIENTATION] = states.time, states.orientation_wxyz
        unit = like.records(self._rows[:1]).unit
        self._rows[:, MOMENTUM] = states.omega_body * body.principal_moments / unit
        self._rows[:, IN_SPACE] = 0.0
        energy = 0.5 * body.principal_moments @ states.omega_body[0] ** 2 / unit
        self._rows[:, TARGETS] = energy, float(np.linalg.norm(self._rows[0, MOMENTUM])), 0.0
        self._end = float(states.time[-1])

    def advance_steps(self, count: int) -> None:
        """Further by `count` steps; raises RecordingEnds where there are no more rows."""
        if (self.steps + count) * self._step > self._end + 0.5 * self._step:
            raise RecordingEnds(self._end)
        self.steps += count

    def row(self) -> tuple[float, ...]:
        """As `Simulation.row`."""
        time = self.steps * self._step
        at = int(np.searchsorted(self._rows[:, TIME], time - 0.5 * self._step))
        row = self._rows[min(at, len(self._rows) - 1)].copy()
        row[STEPS] = self.steps
        return tuple(row.tolist())

    def records(self, rows: Array) -> Records:
        """As `Simulation.records`."""
        return self._like.records(rows)

    def copy(self) -> "RecordedLane":
        """Another one at the same place."""
        return copy(self)

    def resume(self, row: Array) -> None:
        """Back to where it gave `row`."""
        self.steps = round(float(row[STEPS]))
