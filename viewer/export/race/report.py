"""What a race report contains: the lanes' trajectories and the runs of a sweep, also as a table to read and as CSV."""

import csv
import io
from dataclasses import dataclass
from functools import cached_property

from viewer.export.race.claims import Finding, findings, reading_of
from viewer.physics.integrators import INTEGRATORS
from viewer.race.sweep import Outcome, Task
from viewer.race.trajectory import Course, Trajectory
from viewer.race.verdict import format_angle, format_phase
from viewer.scenario.lanes import Lane, Recorded
from viewer.scenario.scenario import Scenario

HEADINGS = ("lane", "order", "energy", "|L|", "direction", "orientation", "phase", "flips", "CPU a step")
COLUMNS = (
    "lane", "integrator", "stabilisation", "steps_per_rotation", "step_s", "steps", "cpu_s",
    "largest_relative_energy_error", "largest_relative_momentum_error", "largest_direction_error_rad",
    "largest_orientation_error_rad", "final_phase_error_rad", "flips", "left_finite_range_at_s",
    "circles_another_axis_from_s", "verdict",
)  # fmt: skip


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
        """The sentences that say how the step is meant, and over what the errors are taken."""
        return reading_of(self.course, self.fixed_step)

    @cached_property
    def findings(self) -> list[Finding]:
        """The tested claims of the sources about these lanes."""
        return findings(self.trajectories)

    def rows(self) -> list[tuple[Lane | Recorded, float, Outcome]]:
        """Return lane, steps per rotation and outcome of the race's own runs, then of the sweep's."""
        steps = self.course.steps_per_rotation
        own = [(trajectory.lane, steps, Outcome.of(trajectory)) for trajectory in self.trajectories]
        swept = [(task.lane, task.steps_per_rotation, outcome) for task, outcome in self.sweep.items()]
        return [*own, *swept]


def csv_text(report: Report) -> str:
    """Return a row for every run, every number with all its digits, units in the names of the columns.

    A recording has taken no time here, and its cell is empty.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for lane, steps_per_rotation, o in report.rows():
        writer.writerow((
            lane.name, lane.integrator, lane.stabilisation, repr(float(steps_per_rotation)), repr(o.step),
            o.steps, repr(o.cpu_seconds) if lane.integrator else "", repr(o.energy), repr(o.momentum),
            repr(o.direction), repr(o.orientation), "" if o.phase is None else repr(o.phase),
            "" if o.flips is None else o.flips, "" if o.stopped is None else repr(o.stopped),
            "" if o.other_since is None else repr(o.other_since), o.verdict,
        ))  # fmt: skip
    return out.getvalue()


def text_table(report: Report) -> str:
    """Return the race's own runs as aligned text, with the verdicts below the numbers, and below them the claims."""
    lines = [HEADINGS, *(cells(trajectory) for trajectory in report.trajectories)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADINGS))]
    text = []
    for n, line in enumerate(lines):
        numbers = (cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))
        text.append("  ".join((line[0].ljust(widths[0]), *numbers)))
        if n:
            text.append(f"    {Outcome.of(report.trajectories[n - 1]).verdict}")
    text += ["", report.reading]
    if report.findings:
        text += ["Claims of the sources, and how each is read:", *(f"    {finding}" for finding in report.findings)]
    return "\n".join(text) + "\n"


def cells(trajectory: Trajectory) -> tuple[str, ...]:
    """Return a lane's line under HEADINGS."""
    o = Outcome.of(trajectory)
    made = max(round(float(trajectory.states.time[-1]) / o.step), 1)
    cpu, flips = f"{1e6 * o.cpu_seconds / made:.2g} µs", "–" if o.flips is None else str(o.flips)
    method = INTEGRATORS.get(trajectory.lane.integrator)
    order = {None: "none", 0: "exact"}.get(method.order, str(method.order)) if method else "recorded"
    if method is None:
        cpu = "–"  # nothing was computed
    if o.stopped is not None:
        return trajectory.lane.name, order, *["∞"] * 4, "", flips, cpu
    return (
        trajectory.lane.name,
        order,
        f"{o.energy:.1e}",
        f"{o.momentum:.1e}",
        format_angle(o.direction),
        format_angle(o.orientation),
        "–" if o.phase is None else format_phase(o.phase),
        flips,
        cpu,
    )
