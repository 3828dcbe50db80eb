"""A recorded motion, as a lane of a race and as points beside the exact motion."""

from copy import copy

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import Wording, brief
from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody
from viewer.physics.simulation import NumericalOverflow
from viewer.physics.state import SAMPLE, Sample, SampleRows, Samples, States, kernel_unit
from viewer.race.trajectory import Trajectory


class RecordingEnds(NumericalOverflow):
    """The end of a recording's rows, at `time` [s]."""

    def __init__(self, time: float) -> None:
        super().__init__("", time, "")
        self.message = Wording("ends at t = {time} s", time=brief(time, 4))

    def __str__(self) -> str:
        return str(Wording("The recording ends at t = {time} s", time=brief(self.time, 4)))


def sample_rows(body: RigidBody, states: States) -> SampleRows:
    """Return recorded states as samples of a simulation, all with 0 steps."""
    unit = kernel_unit(body)
    L = states.omega_body * body.principal_moments / unit
    rows = np.zeros(len(states.time), SAMPLE)
    rows["time"], rows["orientation_wxyz"] = states.time, states.orientation_wxyz
    rows["angular_momentum"] = L
    rows["target_energy"] = 0.5 * body.principal_moments @ states.omega_body[0] ** 2 / unit
    rows["target_norm"] = np.linalg.norm(L[0])
    return rows


class RecordedLane:
    """A recording that takes the place of a simulation in a race. A step leads to the row nearest to it in time."""

    def __init__(self, trajectory: Trajectory) -> None:
        self._step, self.steps = trajectory.course.step, 0
        self.body = trajectory.course.body
        self._rows = sample_rows(self.body, trajectory.states)
        self._end = float(trajectory.states.time[-1])

    def path(self, count: int) -> SampleRows:
        """Make `count` steps, or fewer if the rows end, and return the row nearest to each step.

        Raises RecordingEnds if not even one step is left.
        """
        count = min(count, int((self._end + 0.5 * self._step) / self._step) - self.steps)
        if count < 1:
            raise RecordingEnds(self._end)
        self.steps += count
        return self._nearest(np.arange(self.steps - count + 1, self.steps + 1))

    def _nearest(self, steps: NDArray[np.int64]) -> SampleRows:
        """Return the rows that are nearest in time to the steps (N,)."""
        time, times = steps * self._step, self._rows["time"]
        after = np.searchsorted(times, time)
        before = np.maximum(after - 1, 0)
        later = after < len(times)
        after[~later] -= 1
        return self._rows[np.where(later & (time - times[before] >= times[after] - time), after, before)]

    def states_of(self, rows: list[np.void] | None = None) -> States:
        """Return rows as states, as `Simulation.states_of` does; None stands for the present row."""
        found = self._nearest(np.array([self.steps])) if rows is None else np.array(rows, SAMPLE)
        return Samples(self.body, found).states

    def sample(self) -> Sample:
        """Return the present sample, as `Simulation.sample` does."""
        return Sample.from_row(self._nearest(np.array([self.steps]))[0])._replace(steps=self.steps)

    def copy(self) -> "RecordedLane":
        """Return a lane of the same recording at the same step."""
        return copy(self)

    def resume(self, sample: Sample) -> None:
        """Go to the step of a sample."""
        self.steps = sample.steps


Array = NDArray[np.float64]

MOST = 400  # points; a longer recording gives as many evenly chosen rows


@frozen
class Measured:
    """Measured points: time (N,) [s], omega_body (N, 3) [rad/s] in principal axes, residuals (N,).

    The residuals are relative to the rms of omega.
    """

    time: Array
    omega_body: Array
    residuals: Array

    @classmethod
    def of(cls, trajectory: Trajectory, residuals: Array | None = None) -> "Measured":
        """Return the points of a recorded motion.

        `residuals` (N, 3) [rad/s] are those of a fit to its rows. If None, they are taken as measured minus exact
        omega.
        """
        states = trajectory.states
        chosen = np.unique(np.linspace(0, len(states.time) - 1, MOST).round().astype(np.intp))
        time, omega = states.time[chosen], states.omega_body[chosen]
        off = omega - trajectory.course.exact.at(time).omega_body if residuals is None else residuals[chosen]
        rms = float(np.sqrt(np.mean(np.sum(states.omega_body**2, axis=1))))
        return cls(time, omega, np.linalg.norm(off, axis=1) / max(rms, 1e-300))
