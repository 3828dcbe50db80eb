"""Race report files: a table (.csv), figures (.png), or both on one page (.html)."""

import html
import os

from viewer.common import __version__
from viewer.common.errors import brief, refusal
from viewer.common.language import marked
from viewer.common.output_files import WholeFile, output_suffix
from viewer.export.race_report import Report, cells, csv_text
from viewer.race.sweep import Outcome
from viewer.scenario.sections.race import Recorded
from viewer.scene.words.sources import title

RELATIVE = ", relative to the largest"
SUFFIXES = (".html", ".csv", ".png")


def check_output(path: str | os.PathLike[str]) -> str:
    """Return the suffix of a report's file.

    Raises InputError if it is unknown, or if the folder or matplotlib is missing.
    """
    suffix = output_suffix(path, marked("report"), SUFFIXES)
    if suffix != ".csv":
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            raise refusal(
                "output: {suffix} needs matplotlib: pip install 'poinsot[report]'; .csv does not", suffix=suffix
            ) from None
    return suffix


def write_report(report: Report, path: str | os.PathLike[str]) -> None:
    """Write the report in the format of its suffix, whole or not at all."""
    suffix = check_output(path)
    if suffix == ".csv":
        content = csv_text(report).encode()
    else:
        from viewer.export import race_figures  # here, as below: it imports matplotlib

        content = race_figures.png(report) if suffix == ".png" else html_text(report).encode()
    with WholeFile(path) as file:
        file.write(content)


def html_text(report: Report) -> str:
    """Return the report as one HTML page: the body and its motion, the table, the verdicts, the figures."""
    from viewer.export import race_figures

    course, escape = report.course, html.escape
    period = course.exact.period
    body = course.body.principal_moments
    facts = (
        ("body", "I = " + ", ".join(f"{value:.6g}" for value in body) + (RELATIVE if report.relative else " kg m²")),
        ("start", "ω = " + ", ".join(brief(float(value)) for value in course.start.omega_body) + " rad/s"),
        ("step", f"{course.step:.6g} s, {course.steps_per_rotation:.4g} steps a rotation"),
        ("time", f"{course.steps * course.step:.6g} s, {course.steps} steps"),
        ("period" if course.kept is None else "nutation", "none" if period is None else f"{period:.9g} s"),
    )
    head = "".join(f"<th>{escape(heading)}</th>" for heading in (*report.headings, "verdict"))
    rows = "".join(
        "<tr>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in cells(trajectory))
        + f'<td class="verdict">{escape(Outcome.of(trajectory).verdict)}</td></tr>'
        for trajectory in report.trajectories
    )
    plots = race_figures.svg(race_figures.race_figure(report))
    work = race_figures.svg(race_figures.work_figure(report)) if report.sweep else ""
    subject, heading = _subject(report)
    return _PAGE.format(
        title=escape(title(report.scenario)),
        summary=escape(report.scenario.summary if report.scenario.holds("summary") else ""),
        remarks="".join(f"<p>{escape(remark)}</p>" for remark in report.remarks),
        facts="".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts),
        head=head,
        rows=rows,
        reading=escape(report.reading),
        subject=subject,
        heading=heading,
        claims=_claims(report),
        plots=plots,
        work=f"<h2>Work and precision</h2>{_WORK}{work}" if work else "",
        version=escape(__version__),
    )


def _subject(report: Report) -> tuple[str, str]:
    """Return what is compared, in words: for the title, and as the heading of the table."""
    recorded = [isinstance(trajectory.lane, Recorded) for trajectory in report.trajectories]
    if not any(recorded):
        return "a race of integrators", "What each integrator does to the same body"
    several = "recordings of one body" if sum(recorded) > 1 else "a recording"
    if not all(recorded):
        return f"{several} beside integrators", "Each recording and each integrator beside the exact motion"
    return (
        f"{several} beside the exact motion",
        f"{'Each' if len(recorded) > 1 else 'The'} recording beside the exact motion",
    )


def _claims(report: Report) -> str:
    """Return the section of the sources' claims about the lanes that are integrators, "" if there are none."""
    rows = "".join(
        f'<tr><td>{html.escape(one.lane)}</td><td class="verdict">{html.escape(one.claim)}</td>'
        f'<td class="verdict">{html.escape(one.reading)}</td><td class="verdict">{html.escape(one.result)}</td></tr>'
        for one in report.findings
    )
    head = "<thead><tr><th>lane</th><th>claim</th><th>read</th><th>here</th></tr></thead>"
    table = f'<div class="scroll"><table>{head}\n<tbody>{rows}</tbody></table></div>\n'
    return f"<h2>Claims of the sources</h2>\n{table}" if rows else ""


_WORK = (
    "<p>Each line is one lane over a range of steps. Down is more precise, left is cheaper: CPU seconds for a"
    " simulated second, one core. A method's slope is its order.</p>"
)

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}: {subject}</title>
<style>
:root {{ color: #16202b; background: #fff; font: 15px/1.5 system-ui, sans-serif }}
body {{ max-width: 76rem; margin: 2rem auto; padding: 0 1.5rem }}
h1 {{ font-weight: 600; margin-bottom: 0 }} h2 {{ font-weight: 600; margin-top: 2.2rem }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem }}
dt {{ color: #5a6672 }} dd {{ margin: 0; font-variant-numeric: tabular-nums }}
table {{ border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }}
th, td {{ text-align: right; padding: .3rem .6rem; border-bottom: 1px solid #d3dbe3; white-space: nowrap }}
th {{ color: #5a6672; font-weight: 500 }}
th:first-child, td:first-child, th:last-child, td.verdict {{ text-align: left }} td.verdict {{ white-space: normal }}
svg {{ width: 100%; height: auto }} footer {{ color: #5a6672; margin-top: 2rem }}
.scroll {{ overflow-x: auto }}
</style></head><body>
<h1>{title}</h1><p>{summary}</p>
<dl>{facts}</dl>{remarks}
<h2>{heading}</h2>
<p>Largest errors against the exact motion, phase at the end: + runs ahead, T is the period of the motion in the
body. A perfect energy says nothing about the phase.</p>
<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>
<p>{reading}</p>
{claims}<h2>The motion</h2>{plots}
{work}
<footer>Poinsot {version}</footer>
</body></html>
"""
