"""A recorded motion that runs in a race as a lane does."""

from copy import copy

import numpy as np

from viewer.common.errors import brief
from viewer.common.language import tr
from viewer.physics.samples import SAMPLE, Sample, kernel_unit
from viewer.physics.simulation import NumericalOverflow
from viewer.race.trajectory import Trajectory


class RecordingEnds(NumericalOverflow):
    """There are no more rows after `time` [s]."""

    def __init__(self, time: float) -> None:
        super().__init__(tr("The recording"), time, "")
        self.message = tr("ends at t = {time} s").format(time=brief(time, 4))
        self.args = (tr("The recording ends at t = {time} s").format(time=brief(time, 4)),)


class RecordedLane:
    """What a race asks of a simulation, answered from a recording: the row nearest to each step."""

    def __init__(self, trajectory: Trajectory) -> None:
        states, course = trajectory.states, trajectory.course
        body, unit = course.body, kernel_unit(course.body)
        self._step, self.steps = course.step, 0
        L = states.omega_body * body.principal_moments / unit
        self._rows = np.zeros(len(states.time), SAMPLE)
        self._rows["time"], self._rows["orientation_wxyz"] = states.time, states.orientation_wxyz
        self._rows["angular_momentum"] = L
        self._rows["target_energy"] = 0.5 * body.principal_moments @ states.omega_body[0] ** 2 / unit
        self._rows["target_norm"] = np.linalg.norm(L[0])
        self._end = float(states.time[-1])

    def advance_steps(self, count: int) -> None:
        """Further by `count` steps; raises RecordingEnds where there are no more rows."""
        if (self.steps + count) * self._step > self._end + 0.5 * self._step:
            raise RecordingEnds(self._end)
        self.steps += count

    def sample(self) -> Sample:
        """As `Simulation.sample`."""
        time = self.steps * self._step
        nearest = int(np.searchsorted(self._rows["time"], time - 0.5 * self._step))
        return Sample.from_row(self._rows[min(nearest, len(self._rows) - 1)])._replace(steps=self.steps)

    def copy(self) -> "RecordedLane":
        """Another one at the same position."""
        return copy(self)

    def resume(self, sample: Sample) -> None:
        """Back to where it gave `sample`."""
        self.steps = sample.steps
