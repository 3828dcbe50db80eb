"""A race on paper: a table (.csv), a picture (.png), or both on one page (.html)."""

import csv
import html
import io
import os
from dataclasses import dataclass
from pathlib import Path

from viewer.common.errors import InputError, brief, shown
from viewer.common.output_files import whole_file
from viewer.common.version import __version__
from viewer.physics.integrators import INTEGRATORS
from viewer.race.sweep import Outcome, Task
from viewer.race.trajectory import Course, Trajectory
from viewer.race.verdict import format_angle, format_phase
from viewer.scenario.lanes import Lane, Recorded
from viewer.scenario.scenario import Scenario

SUFFIXES = (".html", ".csv", ".png")

COLUMNS = (
    "lane", "integrator", "stabilisation", "steps_per_rotation", "step_s", "steps", "cpu_s",
    "largest_relative_energy_error", "largest_relative_momentum_error", "largest_direction_error_rad",
    "largest_orientation_error_rad", "final_phase_error_rad", "flips", "left_finite_range_at_s", "verdict",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Report:
    """All that there is to say of a race: its lanes' tracks, and the runs of a sweep, which may be empty."""

    scenario: Scenario
    course: Course
    tracks: tuple[Trajectory, ...]
    sweep: dict[Task, Outcome]
    remarks: tuple[str, ...] = ()  # sentences above the table

    @property
    def lanes(self) -> tuple[Lane | Recorded, ...]:
        """The lanes in order."""
        return tuple(track.lane for track in self.tracks)

    def rows(self) -> list[tuple[Lane | Recorded, float, Outcome]]:
        """(lane, steps per rotation, outcome): the race's own runs, then the sweep's."""
        own: list[tuple[Lane | Recorded, float, Outcome]] = [
            (track.lane, self.course.steps_per_rotation, Outcome.of(track)) for track in self.tracks
        ]
        return own + [(task.lane, task.steps_per_rotation, outcome) for task, outcome in self.sweep.items()]


def check_output(path: str | os.PathLike[str]) -> None:
    """Raises InputError where the suffix is none that a report has, or what draws it is missing."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(
            f"output: {shown(os.fspath(path))} is no report; allowed are names in {', '.join(SUFFIXES)}"
        )
    if suffix != ".csv":
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            raise InputError(
                f"output: {suffix} needs matplotlib: pip install 'poinsot[report]'; .csv does not"
            ) from None


def write(report: Report, path: str | os.PathLike[str]) -> None:
    """Writes the report, whole or not at all; its suffix says what it is."""
    check_output(path)
    suffix = Path(path).suffix.lower()
    if suffix == ".csv":
        content = csv_text(report).encode()
    else:
        from viewer.export.race import figures

        content = figures.png(report) if suffix == ".png" else html_text(report).encode()
    with whole_file(path) as file:
        file.write(content)


def csv_text(report: Report) -> str:
    """A row for every run; every number with all its digits, units in the names of the columns."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for lane, steps_per_rotation, o in report.rows():
        writer.writerow((
            lane.name, lane.integrator, lane.stabilisation, repr(float(steps_per_rotation)), repr(o.step),
            o.steps, repr(o.cpu_seconds), repr(o.energy), repr(o.momentum), repr(o.direction),
            repr(o.orientation), "" if o.phase is None else repr(o.phase), o.flips,
            "" if o.stopped is None else repr(o.stopped), o.verdict,
        ))  # fmt: skip
    return out.getvalue()


HEADINGS = ("lane", "order", "energy", "|L|", "direction", "orientation", "phase", "flips", "CPU a step")


def text_table(report: Report) -> str:
    """The race's own runs as aligned text, with the verdicts below the numbers."""
    lines = [HEADINGS, *(cells(track) for track in report.tracks)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADINGS))]
    text = []
    for n, line in enumerate(lines):
        text.append("  ".join(word.ljust(widths[0]) if i == 0 else word.rjust(widths[i])
                              for i, word in enumerate(line)))  # fmt: skip
        if n:
            text.append(f"    {Outcome.of(report.tracks[n - 1]).verdict}")
    return "\n".join(text) + "\n"


def cells(track: Trajectory) -> tuple[str, ...]:
    """A lane's line under HEADINGS."""
    o = Outcome.of(track)
    cpu = f"{1e6 * o.cpu_seconds / max(len(track.states.time) - 1, 1) / track.course.every:.2g} µs"
    method = INTEGRATORS.get(track.lane.integrator)
    order = "log" if method is None else str(method.order or "exact")
    if o.stopped is not None:
        return track.lane.name, order, *["∞"] * 4, "", str(o.flips), cpu
    return (
        track.lane.name,
        order,
        f"{o.energy:.1e}",
        f"{o.momentum:.1e}",
        format_angle(o.direction),
        format_angle(o.orientation),
        "–" if o.phase is None else format_phase(o.phase),
        str(o.flips),
        cpu,
    )


def html_text(report: Report) -> str:
    """One page that needs nothing beside it: what was raced, the table, the verdicts, the plots."""
    from viewer.export.race import figures

    course, escape = report.course, html.escape
    body = course.body.principal_moments
    facts = (
        ("body", "I = " + ", ".join(f"{value:.6g}" for value in body) + " kg m²"),
        ("start", "ω = " + ", ".join(brief(float(value)) for value in course.start.omega_body) + " rad/s"),
        ("step", f"{course.step:.6g} s, {course.steps_per_rotation:.4g} steps a rotation"),
        ("time", f"{course.steps * course.step:.6g} s, {course.steps} steps"),
        ("period", "none" if course.exact.period is None else f"{course.exact.period:.9g} s"),
    )
    head = "".join(f"<th>{escape(word)}</th>" for word in (*HEADINGS, "what it comes to"))
    rows = "".join(
        "<tr>"
        + "".join(f"<td>{escape(word)}</td>" for word in cells(track))
        + f'<td class="words">{escape(Outcome.of(track).verdict)}</td></tr>'
        for track in report.tracks
    )
    plots = figures.svg(figures.race_figure(report))
    work = figures.svg(figures.work_figure(report)) if report.sweep else ""
    return _PAGE.format(
        title=escape(report.scenario.title),
        summary=escape(report.scenario.summary),
        remarks="".join(f"<p>{escape(words)}</p>" for words in report.remarks),
        facts="".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts),
        head=head,
        rows=rows,
        plots=plots,
        work=f"<h2>Work and precision</h2>{_WORK}{work}" if work else "",
        version=escape(__version__),
    )


_WORK = (
    "<p>Each line is one lane over a range of steps. Down is more precise, left is cheaper: CPU seconds for a"
    " simulated second, one core. A method's slope is its order.</p>"
)

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}: a race of integrators</title>
<style>
:root {{ color: #16202b; background: #fff; font: 15px/1.5 system-ui, sans-serif }}
body {{ max-width: 76rem; margin: 2rem auto; padding: 0 1.5rem }}
h1 {{ font-weight: 600; margin-bottom: 0 }} h2 {{ font-weight: 600; margin-top: 2.2rem }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem }}
dt {{ color: #5a6672 }} dd {{ margin: 0; font-variant-numeric: tabular-nums }}
table {{ border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }}
th, td {{ text-align: right; padding: .3rem .6rem; border-bottom: 1px solid #d3dbe3; white-space: nowrap }}
th {{ color: #5a6672; font-weight: 500 }}
th:first-child, td:first-child, th:last-child, td.words {{ text-align: left }} td.words {{ white-space: normal }}
svg {{ width: 100%; height: auto }} footer {{ color: #5a6672; margin-top: 2rem }}
.scroll {{ overflow-x: auto }}
</style></head><body>
<h1>{title}</h1><p>{summary}</p>
<dl>{facts}</dl>{remarks}
<h2>What each integrator does to the same body</h2>
<p>Largest errors against the exact motion, phase at the end: + runs ahead, T is the period of the motion in the
body. A perfect energy says nothing about the phase.</p>
<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>
<h2>The motion</h2>{plots}
{work}
<footer>Poinsot {version}</footer>
</body></html>
"""
