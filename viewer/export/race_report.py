"""The contents of a race report: the lanes' trajectories and the runs of a sweep, also as a text table and as CSV.

A report also tests, in the race, what the sources claim about their integrators. A claim can be understood in several
ways, so its result says how it was tested: "at each step" looks at many single steps in a row, "over all steps"
compares the beginning with the end, and "at a fixed step" compares two bodies that make steps of the same length.
"""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError
from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.state import State
from viewer.race.sweep import Outcome, Task
from viewer.race.trajectory import Course, Trajectory, run_lane
from viewer.race.verdict import format_angle, format_phase
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import Lane, Recorded

Array = NDArray[np.float64]

HEADINGS = ("lane", "order", "energy", "|L|", "direction", "orientation", "phase", "flips", "CPU a step")
COLUMNS = (
    "lane", "integrator", "stabilisation", "steps_per_rotation", "step_s", "steps", "cpu_s",
    "largest_relative_energy_error", "largest_relative_momentum_error", "largest_direction_error_rad",
    "largest_orientation_error_rad", "final_phase_error_rad", "flips", "left_finite_range_at_s",
    "circles_another_axis_from_s", "verdict",
)  # fmt: skip
STEPS = 600  # single steps that are looked at, at most
SHORT = 100  # .. if two bodies are compared: round-off grows later
ROUND_OFF = 1e-11  # of |L|: paths closer than this are the same


@frozen
class Finding:
    """One claim about one lane: its text, how it is tested (`reading`), and the result."""

    lane: str
    claim: str
    reading: str
    result: str

    def __str__(self) -> str:
        return f"{self.lane}: {self.claim} ({self.reading}): {self.result}"


class Tried:
    """A lane of a race that is run again, with a sample at every step."""

    def __init__(self, trajectory: Trajectory, lane: Lane) -> None:
        self.whole, self.lane, course = trajectory, lane, trajectory.course
        self.course = replace(course, steps=min(course.steps, STEPS), every=1)
        self.inverse = np.sort(1.0 / course.body.principal_moments)

    @cached_property
    def steps(self) -> Trajectory:
        """The trajectory of the first steps, one sample a step."""
        return run_lane(self.course, self.lane)

    @property
    def factor(self) -> Array:
        """J_L = 2E/|L|² after each step."""
        return self.steps.energy_factor

    def count(self, holds: NDArray[np.bool_]) -> str:
        """Return, in words, the number of single steps at which `holds` is true."""
        first = "the first " if self.whole.course.steps > self.course.steps else ""
        return f"at {int(np.count_nonzero(holds))} of {first}{len(holds)} steps"


def _growth(tried: Tried) -> tuple[str, str]:
    return "at each step", tried.count(np.diff(tried.steps.angular_momentum_norm) > 0.0)


def _to_middle(tried: Tried) -> tuple[str, str]:
    low, middle, high = tried.inverse
    factor = tried.whole.energy_factor
    first, last = (abs(value - middle) / (high - low) for value in (factor[0], factor[-1]))
    each = tried.count(np.diff(tried.factor) * (middle - tried.factor[:-1]) > 0.0)
    return "over all steps", f"from {first:.2g} to {last:.2g} of the span of 1/I away from it; nearer {each}"


def _to_largest(tried: Tried) -> tuple[str, str]:
    low, _, high = tried.inverse
    factor = tried.whole.energy_factor
    first, last = (abs(value - high) / (high - low) for value in (factor[0], factor[-1]))
    each = tried.count(np.diff(tried.factor) > 0.0)
    return "over all steps", f"from {first:.2g} to {last:.2g} of the span of 1/I away from it; nearer {each}"


def _third_order(tried: Tried) -> tuple[str, str]:
    """Return how the claim is tested, and by how much the error of one step shrinks if the step is half as long.

    The error is that of the energy factor 2E/|L|².
    """
    errors = []
    for fraction in (1.0, 0.5):
        factor = run_lane(replace(tried.course, step=fraction * tried.course.step, steps=1), tried.lane).energy_factor
        errors.append(abs(float(factor[1] - factor[0])))
    largest = tried.whole.largest
    swing = (largest.largest_factor - largest.least_factor) / (tried.inverse[2] - tried.inverse[0])
    smaller = "0"
    if errors[1] > 1e-15 * tried.inverse[2]:
        smaller = f"{errors[0] / errors[1]:.1f} times as small at half of it (h³: 8)"
    return "in the first step", f"{smaller}; over all steps it swings by {swing:.1g} of the span of 1/I"


def _less_turned(tried: Tried) -> tuple[str, str]:
    """Return how the claim is tested, and the angle by which L turns in the body in the first step.

    The angle is compared with the right one, |v| with v = h (omega - J_G L).
    """
    inverse, step = 1.0 / tried.course.body.principal_moments, tried.course.step
    before, after = tried.steps.angular_momentum_body[:2]
    G = np.cross(before, inverse * before)
    square = float(G @ G)
    v = step * (inverse * before - (float(G @ (inverse * G)) / square * before if square > 0.0 else 0.0))
    wanted = float(np.linalg.norm(v))
    axis = v / wanted if wanted > 0.0 else v
    across = before - axis * (axis @ before)
    turned = abs(float(np.arctan2(axis @ np.cross(across, after), across @ after)))
    if square == 0.0 or turned == 0.0:
        return "in the first step", "L does not turn in the body"
    angles = f"by {np.degrees(turned):.3g}° in place of {np.degrees(wanted):.3g}°"
    return "in the first step", f"{angles}, {100.0 * (1.0 - turned / wanted):.3g} % less"


def _independent(tried: Tried) -> tuple[str, str]:
    """Return how the claim is tested, and how far the path of L in the body depends on the smallest 1/I.

    The path is compared with that of a body whose 1/I are all larger by the difference between the largest and the
    smallest.
    """
    course = replace(tried.course, steps=min(tried.course.steps, SHORT))
    inverse = 1.0 / course.body.principal_moments
    raised = inverse + (tried.inverse[2] - tried.inverse[0])
    L = course.start.omega_body / inverse
    other = replace(
        course, body=RigidBody.from_moments(tuple(1.0 / raised)), start=State(course.start.orientation_wxyz, L * raised)
    )
    paths = [run_lane(one, tried.lane).angular_momentum_body for one in (course, other)]
    count = min(map(len, paths))
    apart = float(np.abs(paths[0][:count] - paths[1][:count]).max()) / float(np.linalg.norm(L))
    return "at a fixed step", "the same to round-off" if apart < ROUND_OFF else f"moves by {apart:.1g} of |L|"


CLAIMS: tuple[tuple[tuple[str, ...], str, Callable[[Tried], tuple[str, str]]], ...] = (
    (("explicit-euler",), "|L| always grows", _growth),
    (("jolt", "jolt-rotation"), "2E/|L|² goes to the middle 1/I", _to_middle),
    (("naive-rotation", "first-order"), "2E/|L|² goes to the largest 1/I", _to_largest),
    (("modified-jolt", "modified-jolt-fast", "momentum-first"), "the error of 2E/|L|² begins with h³", _third_order),
    (("modified-jolt-fast",), "it turns by 2 atan(θ/2) in place of θ", _less_turned),
    ((), "the path of L in the body does not depend on the smallest 1/I", _independent),
)


def findings(trajectories: tuple[Trajectory, ...]) -> list[Finding]:
    """Return every claim about the lanes of a race, in the order of the lanes.

    There are no claims about a recording or a top, or for a body with equal moments.
    """
    found = []
    for trajectory in trajectories:
        lane = trajectory.lane
        if not isinstance(lane, Lane) or trajectory.course.kept is not None:
            continue
        tried = Tried(trajectory, lane)
        if tried.inverse[2] - tried.inverse[0] <= 1e-9 * tried.inverse[2]:
            continue
        for names, claim, test in CLAIMS:
            if names and (lane.integrator not in names or lane.stabilisation != "off"):
                continue
            try:
                with np.errstate(over="ignore", invalid="ignore"):
                    found.append(Finding(lane.name, claim, *test(tried)))
            except InputError:  # the integrator refuses the other body
                continue
    return found


@dataclass(frozen=True, eq=False)
class Report:
    """A race and its results; `sweep` may be empty."""

    scenario: Scenario
    course: Course
    trajectories: tuple[Trajectory, ...]
    sweep: dict[Task, Outcome]
    remarks: tuple[str, ...] = ()  # sentences above the table
    fixed_step: bool = False  # whether the step itself was requested, and not the number of steps a rotation
    relative: bool = False  # whether only the ratios of the moments are known: the largest is 1
    drag: float | None = None  # that of the flight that the report is about [1/s]

    @property
    def reading(self) -> str:
        """The sentences that explain the step, and the time over which the errors are taken."""
        course = self.course
        step = f"At {course.steps_per_rotation:.4g} steps a rotation (for this body {course.step:.6g} s a step)"
        if self.fixed_step:
            steps = f"({course.steps_per_rotation:.4g} steps in a rotation of this body)"
            step = f"At a fixed step of {course.step:.6g} s {steps}"
        if course.kept is not None:
            return (
                f"{step}. Errors are the largest over all {course.steps} steps; those of E + V over the largest E that"
                " it allows, those of L along the vertical and along the axis, of which the larger is given, over the"
                " largest |L| at that energy; direction: of L, beside that of the exact motion at the same time."
            )
        return (
            f"{step}. Errors are the largest over all {course.steps} steps, not those of one step; phase: at the end."
            " Flips: how often the turning about the middle axis has reversed, which it does in a wobble, too."
        )

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings of the table, with the symbols of what should stay."""
        if self.course.kept is None:
            return HEADINGS
        return HEADINGS[:2] + self.course.kept_names + HEADINGS[4:]

    @cached_property
    def findings(self) -> list[Finding]:
        """The tested claims of the sources about these lanes."""
        return findings(self.trajectories)

    def rows(self) -> list[tuple[Lane | Recorded, float, Outcome]]:
        """Return the lane, the steps per rotation and the outcome of each run: those of the race, then of the sweep."""
        steps = self.course.steps_per_rotation
        own = [(trajectory.lane, steps, Outcome.of(trajectory)) for trajectory in self.trajectories]
        swept = [(task.lane, task.steps_per_rotation, outcome) for task, outcome in self.sweep.items()]
        return [*own, *swept]


def csv_text(report: Report) -> str:
    """Return CSV with a row for every run, all digits of its numbers, and units in the names of the columns.

    The cell for the CPU time of a recording is empty.
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
    """Return the race's own runs as aligned text, with a verdict below each line, and the claims at the end."""
    lines = [report.headings, *(cells(trajectory) for trajectory in report.trajectories)]
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
    """Return the cells of a lane's row under HEADINGS."""
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
