"""A race report as one HTML page: what was raced, the table, the verdicts, the figures."""

import html

from viewer.common.errors import brief
from viewer.common.version import __version__
from viewer.export.race import figures
from viewer.export.race.report import Report
from viewer.export.race.text import HEADINGS, cells
from viewer.race.sweep import Outcome


def html_text(report: Report) -> str:
    """The page, self-contained."""
    course, escape = report.course, html.escape
    body = course.body.principal_moments
    facts = (
        ("body", "I = " + ", ".join(f"{value:.6g}" for value in body) + " kg m²"),
        ("start", "ω = " + ", ".join(brief(float(value)) for value in course.start.omega_body) + " rad/s"),
        ("step", f"{course.step:.6g} s, {course.steps_per_rotation:.4g} steps a rotation"),
        ("time", f"{course.steps * course.step:.6g} s, {course.steps} steps"),
        ("period", "none" if course.exact.period is None else f"{course.exact.period:.9g} s"),
    )
    head = "".join(f"<th>{escape(heading)}</th>" for heading in (*HEADINGS, "verdict"))
    rows = "".join(
        "<tr>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in cells(trajectory))
        + f'<td class="verdict">{escape(Outcome.of(trajectory).verdict)}</td></tr>'
        for trajectory in report.trajectories
    )
    plots = figures.svg(figures.race_figure(report))
    work = figures.svg(figures.work_figure(report)) if report.sweep else ""
    return _PAGE.format(
        title=escape(report.scenario.title),
        summary=escape(report.scenario.summary),
        remarks="".join(f"<p>{escape(remark)}</p>" for remark in report.remarks),
        facts="".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts),
        head=head,
        rows=rows,
        reading=escape(report.reading),
        claims="".join(
            f'<tr><td>{escape(one.lane)}</td><td class="verdict">{escape(one.claim)}</td>'
            f'<td class="verdict">{escape(one.reading)}</td><td class="verdict">{escape(one.result)}</td></tr>'
            for one in report.findings
        ),
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
th:first-child, td:first-child, th:last-child, td.verdict {{ text-align: left }} td.verdict {{ white-space: normal }}
svg {{ width: 100%; height: auto }} footer {{ color: #5a6672; margin-top: 2rem }}
.scroll {{ overflow-x: auto }}
</style></head><body>
<h1>{title}</h1><p>{summary}</p>
<dl>{facts}</dl>{remarks}
<h2>What each integrator does to the same body</h2>
<p>Largest errors against the exact motion, phase at the end: + runs ahead, T is the period of the motion in the
body. A perfect energy says nothing about the phase.</p>
<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>
<p>{reading}</p>
<h2>Claims of the sources</h2>
<div class="scroll"><table><thead><tr><th>lane</th><th>claim</th><th>read</th><th>here</th></tr></thead>
<tbody>{claims}</tbody></table></div>
<h2>The motion</h2>{plots}
{work}
<footer>Poinsot {version}</footer>
</body></html>
"""
