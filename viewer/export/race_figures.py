"""The plots of a race, drawn with matplotlib: the motions of the lanes, and their work against their precision."""

import io
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from viewer.common.errors import brief
from viewer.export.race_report import Report
from viewer.race.trajectory import Trajectory
from viewer.scenario.sections.race import LANE_COLORS

Array = NDArray[np.float64]

REFERENCE = "#16202B"
DPI = 110
LONGEST_LABEL = 44
DRAG: dict[str, Any] = {"color": REFERENCE, "linewidth": 0.8, "linestyle": "--"}
SMALLEST, LARGEST = 1e-17, 1e3  # errors in a plot with a log scale
FURTHEST = 1e6  # times the value at the beginning: up to this a lane that blows up is drawn


def style(index: int) -> dict[str, Any]:
    """Return matplotlib's line style of the lane with this number."""
    return {"color": LANE_COLORS[index % len(LANE_COLORS)], "linewidth": 1.2}


def race_figure(report: Report) -> Figure:
    """Draw twelve plots: the energy factor, |L|, the path of L in space and in the body, and the errors.

    Of a top only the errors say something: four plots.
    """
    is_top = report.course.kept is not None
    figure = Figure(figsize=(13.0, 6.4 if is_top else 9.4), layout="constrained")
    axes = figure.subplots(*((2, 3) if is_top else (3, 4)))
    errors = [trajectory.errors for trajectory in report.trajectories]
    names = [f"error of {name}" for name in report.course.kept_names] if is_top else ["energy error"]
    over_time: dict[str, list[Array | None]] = {names[0]: [np.abs(e.energy) for e in errors]}
    if is_top:
        over_time[names[1]] = [np.abs(e.momentum) for e in errors]
    over_time["direction of L, rad"] = [e.direction for e in errors]
    over_time["orientation error, rad"] = [e.orientation for e in errors]
    if is_top:
        for at, (name, values) in zip(axes.flat, over_time.items(), strict=False):
            _over_time(at, report, name, values, log_scale=True)
        axes[1, 2].axis("off")
        _legend(axes[1, 1], report)
        return figure
    lengths = [trajectory.angular_momentum_norm for trajectory in report.trajectories]
    _energy_factor(axes[0, 0], report)
    _over_time(axes[0, 1], report, "|L| / |L|₀", [norm / norm[0] for norm in lengths])
    if report.drag is not None:
        time = report.trajectories[0].states.time
        axes[0, 1].plot(time, np.exp(-report.drag * (time - time[0])), **DRAG)
    _across(axes[0, 2], report)
    _legend(axes[0, 3], report)
    over_time["phase error, rad"] = [None if e.phase is None else np.abs(e.phase) for e in errors]
    for at, (name, values) in zip(axes[1], over_time.items(), strict=True):
        _over_time(at, report, name, values, log_scale=True)
    for at, (i, j) in zip(axes[2], ((0, 1), (1, 2), (0, 2)), strict=False):
        _body_path(at, report, i, j)
    _axis_note(axes[2, 3], report)
    return figure


def work_figure(report: Report) -> Figure:
    """Draw CPU seconds for a simulated second against the largest errors of orientation and energy, on log scales."""
    figure = Figure(figsize=(13.0, 5.2), layout="constrained")
    axes = figure.subplots(1, 2)
    seconds = report.course.steps * report.course.step
    for at, name in zip(axes, ("orientation", "energy"), strict=True):
        for n, lane in enumerate(trajectory.lane for trajectory in report.trajectories):
            runs = [o for task, o in report.sweep.items() if task.lane == lane]
            runs = [o for o in runs if np.isfinite(getattr(o, name)) and o.cpu_seconds > 0.0]
            if runs:
                cost = [o.cpu_seconds / seconds for o in runs]
                error = [max(getattr(o, name), SMALLEST) for o in runs]
                at.loglog(cost, error, marker="o", markersize=3.0, label=lane.label, **style(n))
        at.set_xlabel("CPU s for a simulated second")
        at.set_title(f"largest {name} error" + (", rad" if name == "orientation" else ", relative"))
        at.grid(True, which="major", linewidth=0.3)
    axes[0].legend(fontsize=7, frameon=False)
    return figure


def png(report: Report) -> bytes:
    """Return both figures, one above the other, as a PNG."""
    from PIL import Image

    figures = [race_figure(report)] + ([work_figure(report)] if report.sweep else [])
    images = []
    for figure in figures:
        data = io.BytesIO()
        figure.savefig(data, dpi=DPI, format="png")
        images.append(Image.open(data).convert("RGB"))
    whole = Image.new("RGB", (max(p.width for p in images), sum(p.height for p in images)), (255, 255, 255))
    top = 0
    for image in images:
        whole.paste(image, (0, top))
        top += image.height
    out = io.BytesIO()
    whole.save(out, "PNG", optimize=True)
    return out.getvalue()


def svg(figure: Figure) -> str:
    """Return a figure as an SVG element for a page."""
    from matplotlib import rc_context

    out = io.StringIO()
    with rc_context({"svg.fonttype": "none", "font.family": "sans-serif"}):
        figure.savefig(out, format="svg", metadata={"Date": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def _energy_factor(at: Any, report: Report) -> None:
    """Draw the energy factor 2E/|L|² over time, and a line for each 1/I.

    The factor lies between the least and the largest 1/I.
    """
    for moment, name in zip(np.sort(report.course.body.principal_moments), "₁₂₃", strict=True):
        at.axhline(1.0 / moment, color=REFERENCE, linewidth=0.6, linestyle=":")
        options = {"fontsize": 7, "ha": "right", "va": "bottom", "transform": at.get_yaxis_transform()}
        at.text(0.99, 1.0 / moment, f"1/I{name}", **options)
    title = "J_L = 2E / |L|²" + (", relative to the least 1/I" if report.relative else ", 1/(kg m²)")
    _over_time(at, report, title, [t.energy_factor for t in report.trajectories])
    J = 1.0 / report.course.body.principal_moments
    margin = 0.1 * max(float(np.ptp(J)), 0.1 * float(J.max()))
    at.set_ylim(float(J.min()) - margin, float(J.max()) + margin)


def _over_time(at: Any, report: Report, name: str, quantity: Sequence[Array | None], log_scale: bool = False) -> None:
    """Draw a quantity over time; `quantity` has the samples of each lane, or None for a lane without them."""
    lanes = list(zip(report.trajectories, quantity, strict=True))
    for n, (trajectory, values) in enumerate(lanes):
        if values is not None:
            shown = np.clip(values, SMALLEST if log_scale else None, LARGEST if log_scale else FURTHEST)
            at.plot(*_broken(trajectory, trajectory.states.time, shown)[:, 1:], **style(n))
    at.set_title(name, fontsize=9)
    at.set_xlabel("t, s", fontsize=8)
    if log_scale:
        at.set_yscale("log")
        at.set_ylim(bottom=_decade_below(values for _, values in lanes))
    else:
        kept = [values for trajectory, values in lanes if values is not None and trajectory.stopped is None]
        if kept:  # a lane that diverges does not flatten the others
            low, high = min(float(v.min()) for v in kept), max(float(v.max()) for v in kept)
            margin = max(0.08 * (high - low), 0.02 * abs(high))
            at.set_ylim(low - margin, high + margin)
    _plain(at)


def _broken(trajectory: Trajectory, x: Array, y: Array) -> Array:
    """Return a curve of the samples, (2, N or more), with nan in each gap of a recording, so that no gap is bridged."""
    rows = np.searchsorted(trajectory.states.time, [end for _, end in trajectory.gaps])
    return np.insert(np.stack((x, y)), rows, np.nan, axis=1)


def _decade_below(errors: Iterable[Array | None]) -> float:
    """Return where a log scale begins: a decade or more below the least error, but not below SMALLEST."""
    known = (values[1:][~np.isnan(values[1:])] for values in errors if values is not None)
    least = min((float(values.min()) for values in known if len(values)), default=SMALLEST)
    return max(10.0 ** (np.floor(np.log10(least)) - 1.0), SMALLEST) if least > SMALLEST else SMALLEST


def _across(at: Any, report: Report) -> None:
    """Draw the components of L in space that are at right angles to its first direction; they should stay 0."""
    largest = 0.0
    for n, trajectory in enumerate(report.trajectories):
        L = np.clip(trajectory.angular_momentum_world / trajectory.angular_momentum_norm[0], -FURTHEST, FURTHEST)
        x, y = report.course.across @ L.T
        at.plot(*_broken(trajectory, x, y), **style(n))
        if trajectory.stopped is None:
            largest = max(largest, float(np.hypot(x, y).max()))
    side = 1.1 * max(largest, 1e-3)
    at.set_xlim(-side, side)
    at.set_ylim(-side, side)
    at.set_aspect("equal")
    at.set_title("L across its first direction, of |L|", fontsize=9)
    _plain(at)


def _body_path(at: Any, report: Report, i: int, j: int) -> None:
    """Draw two components of L in the body, with the axes in the order of their moments; the path should be closed."""
    order = np.argsort(report.course.body.principal_moments)
    turn = np.linspace(0.0, 2.0 * np.pi, 200)
    at.plot(np.cos(turn), np.sin(turn), color=REFERENCE, linewidth=0.4, linestyle=":")
    for n, trajectory in enumerate(report.trajectories):
        L = np.clip(
            trajectory.angular_momentum_body[:, order] / trajectory.angular_momentum_norm[0], -FURTHEST, FURTHEST
        )
        at.plot(*_broken(trajectory, L[:, i], L[:, j]), **style(n))
    for limit in (at.set_xlim, at.set_ylim):
        limit(-1.25, 1.25)
    at.set_aspect("equal")
    names = ("₁", "₂", "₃")
    at.set_title(f"L in the body: L{names[i]}, L{names[j]} of |L|", fontsize=9)
    _plain(at)


def _legend(at: Any, report: Report) -> None:
    at.axis("off")
    for n, trajectory in enumerate(report.trajectories):
        label = trajectory.lane.label
        label = label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"
        gone = f"  († {trajectory.stopped.time:.3g} s)" if trajectory.stopped is not None else ""
        at.plot([], [], label=label + gone, **style(n))
    if report.drag is not None:
        at.plot([], [], label=f"drag {brief(report.drag, 3)}/s", **DRAG)
    at.legend(loc="upper left", fontsize=8, frameon=False, borderaxespad=0.0)


def _axis_note(at: Any, report: Report) -> None:
    at.axis("off")
    kept = "J_L and |L| should not move"
    if report.drag is not None:
        kept = "J_L should not move, and |L| follow the drag"
    text = (
        "₁ ₂ ₃: smallest, middle, largest moment.\n\n"
        f"{kept};\nL across its first direction should stay a point;\nthe paths in the body should be closed.\n\n"
        "Errors are against the exact motion.\n† diverged."
    )
    at.text(0.0, 0.95, text, va="top", fontsize=8, transform=at.transAxes)


def _plain(at: Any) -> None:
    at.tick_params(labelsize=7)
    at.grid(True, linewidth=0.3)
    for side in ("top", "right"):
        at.spines[side].set_visible(False)
