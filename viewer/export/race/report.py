"""What a race report contains: the lanes' trajectories, and the runs of a sweep."""

from dataclasses import dataclass
from functools import cached_property

from viewer.export.race.claims import Finding, findings, reading_of
from viewer.race.sweep import Outcome, Task
from viewer.race.trajectory import Course, Trajectory
from viewer.scenario.lanes import Lane, Recorded
from viewer.scenario.scenario import Scenario


@dataclass(frozen=True, eq=False)
class Report:
    """`sweep` may be empty."""

    scenario: Scenario
    course: Course
    trajectories: tuple[Trajectory, ...]
    sweep: dict[Task, Outcome]
    remarks: tuple[str, ...] = ()  # sentences above the table
    fixed_step: bool = False  # whether the step was asked for as such, and not as steps a rotation
    relative: bool = False  # whether only the ratios of the moments are known: the largest is 1
    drag: float | None = None  # of the flight that it is about [1/s]

    @property
    def reading(self) -> str:
        """How the step is meant, and over what the errors are taken."""
        return reading_of(self.course, self.fixed_step)

    @cached_property
    def findings(self) -> list[Finding]:
        """What the sources claim of these lanes, tested."""
        return findings(self.trajectories)

    def rows(self) -> list[tuple[Lane | Recorded, float, Outcome]]:
        """(lane, steps per rotation, outcome): the race's own runs, then the sweep's."""
        steps = self.course.steps_per_rotation
        own = [(trajectory.lane, steps, Outcome.of(trajectory)) for trajectory in self.trajectories]
        swept = [(task.lane, task.steps_per_rotation, outcome) for task, outcome in self.sweep.items()]
        return [*own, *swept]
