"""The plots of a race: each lane's energy factor, |L|, errors, and the paths of L in space and in the body."""

from collections.abc import Iterator
from itertools import chain
from math import nan

import numpy as np

from viewer.common.color import Color
from viewer.race.live import LaneRows, LiveRace, Runner
from viewer.scenario.scenario import Scenario
from viewer.scene.constructions.race import lane_color
from viewer.session.quantities import Pane
from viewer.ui.platform.imgui_module import imgui, implot
from viewer.ui.plots import style
from viewer.ui.plots.curves import FLOOR, LOWEST, Array
from viewer.ui.plots.style import TimeLink
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look

MOST = 500  # points of a curve
PATH = 600  # samples of a path: the latest ones
FULL = 1.25  # of |L|: so far a path is shown

# over time: the field of a sample; whether it is an error around 1 or 0, on a logarithmic scale
OVER_TIME = {
    "race_factor": ("energy_factor", None),
    "race_size": ("momentum_ratio", None),
    "race_energy": ("energy_ratio", 1.0),
    "race_phase": ("phase", 0.0),
}
PATHS = {
    "race_across": ("across_1", "across_2"),
    "race_body_12": ("body_smallest", "body_middle"),
    "race_body_23": ("body_middle", "body_largest"),
    "race_body_13": ("body_smallest", "body_largest"),
}

RACE_PANES: dict[str, Pane] = {
    pane.name: pane
    for pane in (
        Pane("race_factor", "2E/|L|²", "1/(kg m²)", width=1.2),
        Pane("race_size", "|L|/|L₀|", ""),
        Pane("race_energy", "Energy errors", "", error=True),
        Pane("race_phase", "Phase errors", "rad", error=True),
        Pane("race_across", "L across", ""),
        Pane("race_body_12", "L₁ L₂", ""),
        Pane("race_body_23", "L₂ L₃", ""),
        Pane("race_body_13", "L₁ L₃", ""),
    )
}
MEANINGS = {
    "race_factor": "Between the smallest and the largest 1/I, shown as lines; should not move",
    "race_size": "|L| relative to its exact value; should stay 1",
    "race_energy": "Relative errors of the energy",
    "race_phase": "Phase error along the path of L in the body; 2π is one period",
    "race_across": "L in space, perpendicular to its initial direction, relative to |L|; should stay at the centre",
    "race_body_12": "L in the body, axes of the smallest and the middle moment, relative to |L|; should be closed",
    "race_body_23": "L in the body, axes of the middle and the largest moment, relative to |L|; should be closed",
    "race_body_13": "L in the body, axes of the smallest and the largest moment, relative to |L|; should be closed",
}
# in a table: the field of a sample, the name of its column with the unit
COLUMNS = {
    "energy_factor": "energy_factor_per_kg_m2",
    "momentum_ratio": "momentum_relative",
    "energy_ratio": "energy_relative",
    "phase": "phase_error_rad",
    "across_1": "momentum_across_1_relative",
    "across_2": "momentum_across_2_relative",
    "body_smallest": "momentum_body_smallest_relative",
    "body_middle": "momentum_body_middle_relative",
    "body_largest": "momentum_body_largest_relative",
}
Shown = list[tuple[Runner, Color, LaneRows]]  # the lanes that are shown, with their samples so far
FIRST_SHOWN = ("race_factor", "race_phase", "race_across", "race_body_13")


def draw(look: Look, race: LiveRace, scenario: Scenario, pane: Pane, size: tuple[float, float], link: TimeLink) -> None:
    """One plot; `link`: the boxed ends of the time axis. Lanes have their colours in the scene."""
    lanes = [
        (runner, lane_color(runner.number, scenario.stereo), runner.until(race.shown))
        for runner in race.runners
        if runner.lane.name not in scenario.race.hidden
    ]
    kind = style.PLOT | implot.Flags_.no_legend.value
    kind |= implot.Flags_.equal.value if pane.name in PATHS else 0
    with scopes.plot(pane.name, size, kind) as seen:
        if not seen:
            return
        if pane.name in OVER_TIME:
            _over_time(look, race, lanes, pane, link)
        else:
            _path(look, lanes, pane)
        style.title(look, pane)


def table(race: LiveRace, hidden: tuple[str, ...], begin: float, end: float) -> tuple[list[str], Iterator[list[float]]]:
    """(heading, rows) of the lanes that are shown: their samples between the times `begin` and `end` [s].

    A lane that has diverged has no values (nan) after that.
    """
    runners = [runner for runner in race.runners if runner.lane.name not in hidden]
    heading = ["time_s", *(f"{runner.lane.name}_{name}" for runner in runners for name in COLUMNS.values())]
    return heading, _rows([runner.until(race.shown) for runner in runners], begin, end)


def _rows(lanes: list[LaneRows], begin: float, end: float) -> Iterator[list[float]]:
    gone = [nan] * len(COLUMNS)
    for row, time in enumerate(max(lanes, key=len)["motion"]["time"]):
        if begin <= time <= end:
            parts = ([lane[row][name] for name in COLUMNS] if row < len(lane) else gone for lane in lanes)
            yield [time, *chain.from_iterable(parts)]


def _over_time(look: Look, race: LiveRace, lanes: Shown, pane: Pane, link: TimeLink) -> None:
    field, around = OVER_TIME[pane.name]
    log = around is not None
    begin, end = link[0].value, link[1].value
    curves = []
    for runner, color, rows in lanes:
        first, last = np.searchsorted(rows["motion"]["time"], (begin, end))
        rows = rows[max(0, first - 1) : last + 1]
        rows = rows[:: max(1, len(rows) // MOST)]
        values = rows[field]
        if around is not None:
            values = np.maximum(np.abs(values - around), FLOOR)
        times = np.ascontiguousarray(rows["motion"]["time"])
        curves.append((runner.number, color, times, np.ascontiguousarray(values)))
    style.setup_time(link, log)
    limits = _limits(race, pane, [values for *_, values in curves if len(values)], log)
    implot.setup_axis_limits(style.Y, *limits, imgui.Cond_.always.value)
    if pane.name == "race_factor":
        for value in 1.0 / race.course.body.principal_moments:
            _line(look, f"##{value}", look.palette.dim, np.array([begin, end]), np.array([value, value]), 1.0)
    for number, color, times, values in curves:
        _line(look, f"##{number}", color, times, values, 2.0)
    style.cursor(look, np.array([race.time]))


def _limits(race: LiveRace, pane: Pane, curves: list[Array], log: bool) -> tuple[float, float]:
    """A lane that diverges does not flatten the others."""
    if log:
        top = max((float(values.max()) for values in curves), default=1e-12)
        return LOWEST, min(max(top, 1e-14), 1e3) * 30.0
    if pane.name == "race_factor":
        J = 1.0 / race.course.body.principal_moments
        margin = 0.12 * max(float(np.ptp(J)), 1e-3 * float(J.max()))
        return float(J.min()) - margin, float(J.max()) + margin
    top = max((float(values.max()) for values in curves), default=1.0)
    low = min((float(values.min()) for values in curves), default=1.0)
    return min(low, 0.95) - 0.02, min(max(top, 1.05), 2.0) + 0.02


def _path(look: Look, lanes: Shown, pane: Pane) -> None:
    i, j = PATHS[pane.name]
    curves, reach = [], 0.02
    for runner, color, rows in lanes:
        points = np.clip(np.column_stack((rows[i][-PATH:], rows[j][-PATH:])), -1e3, 1e3)
        curves.append((runner.number, color, points))
        if runner.stopped is None and len(points):
            reach = max(reach, float(np.abs(points).max()))
    reach = FULL if pane.name != "race_across" else min(1.2 * reach, FULL)
    axis = style.X_AXIS | implot.AxisFlags_.no_tick_labels.value
    implot.setup_axes("", "", axis, axis)
    for side in (style.X, style.Y):
        implot.setup_axis_limits(side, -reach, reach, imgui.Cond_.always.value)
    turn = np.linspace(0.0, 2.0 * np.pi, 97)
    if pane.name != "race_across":
        _line(look, "##circle", look.palette.line, np.cos(turn), np.sin(turn), 1.0)
    for number, color, points in curves:
        x, y = np.ascontiguousarray(points[:, 0]), np.ascontiguousarray(points[:, 1])
        _line(look, f"##{number}", color, x, y, 2.0)


def _line(look: Look, name: str, color: Color, x: Array, y: Array, weight: float) -> None:
    implot.plot_line(name, x, y, implot.Spec(line_color=(*color, 1.0), line_weight=look.px(weight)))
