"""The plots of a race: what each lane does over time, and the paths of L in space and of L and omega in the body."""

from collections.abc import Callable, Iterator
from itertools import chain
from math import isfinite, nan
from typing import TypeAlias

import numpy as np

from viewer.common.color import Color
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.race.live import LaneRows, LiveRace, Runner
from viewer.scenario.scenario import Scenario
from viewer.scene.constructions.race import color_of
from viewer.scene.words.formatting import scaled
from viewer.session.quantities import Pane
from viewer.ui.platform.imgui_module import imgui, implot
from viewer.ui.plots import chart
from viewer.ui.plots.chart import DIGITS, ERROR_DIGITS, Hover, Table, TimeLink, Value
from viewer.ui.plots.curves import FLOOR, LOWEST, Array, CurveTable, broken, thinned
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look

DASHES = 40  # dashes of a dashed curve
PATH = 1500  # samples of a path: the latest ones
FULL = 1.25  # reach of a path's axes, relative to |L| or to the largest omega of the exact motion
WIDEST = 2.5  # the most to which that reach grows if a lane goes beyond it
ACROSS = 48.0  # at scale 1: room for a number below a path
RANKS = ("body_smallest", "body_middle", "body_largest")  # fields of a sample

Size: TypeAlias = tuple[float, float]  # width and height in pixels
Values: TypeAlias = Callable[[LiveRace, LaneRows], Array]  # the values (N,) of samples (N,)
Shown = list[tuple[Runner, Color, LaneRows]]  # the lanes that are shown, with their samples so far


def field_values(name: str) -> Values:
    """Return a function for the values of a field of a lane's samples."""
    return lambda _, rows: rows[name]


def phase_values(_: LiveRace, rows: LaneRows) -> Array:
    """Return the phase errors [rad], nan for a sample that has none."""
    return np.asarray(rows["counts"]["ahead"])


def omega_values(axis: int) -> Values:
    """Return a function for the values of omega about a body axis [rad/s]."""

    def values(race: LiveRace, rows: LaneRows) -> Array:
        moments = race.course.body.principal_moments
        rank = int(np.argsort(moments).tolist().index(axis))
        return np.asarray(rows[RANKS[rank]] * (race.momentum / moments[axis]))

    return values


@frozen
class OverTime:
    """A quantity of each lane over time.

    `around` is the exact value of a quantity whose error is shown, on a logarithmic scale; None if the quantity itself
    is shown. `axis` is the body axis if the quantity is a component of omega; the exact motion is then shown, too. If
    `decay` is given, drag k [1/s] makes the quantity decay as exp(-decay k t).
    """

    values: Values
    around: float | None = None
    axis: int | None = None
    decay: float | None = None


@frozen
class Path:
    """One quantity of each lane over another.

    `loop` returns the closed path (N, 2) of the exact motion. `circle`: no true path leaves the circle of radius |L|.
    `measured`: a sensor measures the quantities, and so they are known even while it is at its limit.
    """

    across: Values
    up: Values
    loop: Callable[[LiveRace], Array] | None = None
    circle: bool = False
    measured: bool = False


def _momentum_path(i: int, j: int) -> Path:
    """Return the path of L in body axes, relative to |L|; `i` and `j` number the axes in the order of their moments."""

    def loop(race: LiveRace) -> Array:
        moments = race.course.body.principal_moments
        axes = np.argsort(moments)[[i, j]]
        return np.asarray(race.loop[:, axes] * moments[axes] / race.momentum)

    return Path(field_values(RANKS[i]), field_values(RANKS[j]), loop, circle=True)


def _omega_path(i: int, j: int) -> Path:
    """Return the path of omega on two of the body axes."""
    return Path(omega_values(i), omega_values(j), lambda race: race.loop[:, [i, j]], measured=True)


OVER_TIME = {
    "race_factor": OverTime(field_values("energy_factor")),
    "race_size": OverTime(field_values("momentum_ratio"), decay=1.0),
    "race_kinetic": OverTime(field_values("energy_ratio"), decay=2.0),
    "race_energy": OverTime(field_values("energy_ratio"), around=1.0),
    "race_phase": OverTime(phase_values, around=0.0),
    "race_turn": OverTime(field_values("turn"), around=0.0),
    **{f"race_omega_{name}": OverTime(omega_values(axis), axis=axis) for axis, name in enumerate("xyz")},
}
PATHS = {
    "race_across": Path(field_values("across_1"), field_values("across_2")),
    "race_body_12": _momentum_path(0, 1),
    "race_body_23": _momentum_path(1, 2),
    "race_body_13": _momentum_path(0, 2),
    "race_omega_xy": _omega_path(0, 1),
    "race_omega_yz": _omega_path(1, 2),
    "race_omega_xz": _omega_path(0, 2),
}

# the columns of a race's table: name, with the unit, and values
COLUMNS: dict[str, Values] = {
    "energy_factor_per_kg_m2": field_values("energy_factor"),
    "momentum_relative": field_values("momentum_ratio"),
    "energy_relative": field_values("energy_ratio"),
    "phase_error_rad": phase_values,
    "orientation_error_rad": field_values("turn"),
    "momentum_across_1_relative": field_values("across_1"),
    "momentum_across_2_relative": field_values("across_2"),
    "momentum_body_smallest_relative": field_values("body_smallest"),
    "momentum_body_middle_relative": field_values("body_middle"),
    "momentum_body_largest_relative": field_values("body_largest"),
    **{f"omega_{name}_body_rad_per_s": omega_values(axis) for axis, name in enumerate("xyz")},
}

RACE_PANES: dict[str, Pane] = {
    pane.name: pane
    for pane in (
        Pane("race_factor", "2E/|L|²", "1/(kg m²)", width=1.2, free=True, meaning=(
            "Between the smallest and the largest 1/I, shown as lines; should not move"
        )),
        Pane("race_size", "|L|/|L₀|", "", meaning=(
            "|L| relative to its exact value; should stay 1; dashed: what the drag of a flight leaves of it"
        )),
        Pane("race_kinetic", "E/E₀", "", recorded=True, meaning=(
            "E relative to its exact value; should stay 1; dashed: what the drag of a flight leaves of it"
        )),
        Pane("race_energy", "Energy errors", "", error=True, meaning=(
            "Relative errors of the energy"
        )),
        Pane("race_phase", "Phase errors", "rad", error=True, free=True, meaning=(
            "Phase error along the path of L in the body; 2π is one period"
        )),
        Pane("race_turn", "Turn errors", "rad", error=True, free=False, meaning=(
            "Angle of the turn from the exact orientation"
        )),
        *(
            Pane(f"race_omega_{name}", f"ω {name}′", "rad/s",
                 meaning=f"Angular velocity about {name}′; in grey the exact one")
            for name in "xyz"
        ),
        Pane("race_across", "L across", "", meaning=(
            "L in space, perpendicular to its initial direction, relative to |L|, of a top beside the exact L; should"
            " stay at the centre"
        )),
        Pane("race_body_12", "L₁ L₂", "", free=True, meaning=(
            "L in the body, axes of the smallest and the middle moment, relative to |L|; should be closed"
        )),
        Pane("race_body_23", "L₂ L₃", "", free=True, meaning=(
            "L in the body, axes of the middle and the largest moment, relative to |L|; should be closed"
        )),
        Pane("race_body_13", "L₁ L₃", "", free=True, meaning=(
            "L in the body, axes of the smallest and the largest moment, relative to |L|; should be closed"
        )),
        *(
            Pane(f"race_omega_{a}{b}", f"ω {a}′ {b}′", "rad/s", free=True,
                 meaning=f"Path of ω in the body, {b}′ over {a}′; in grey the closed polhode on which it belongs")
            for a, b in ("xy", "yz", "xz")
        ),
    )
}  # fmt: skip
FIRST_SHOWN = ("race_factor", "race_phase", "race_turn", "race_across", "race_body_13")


def draw(
    look: Look,
    race: LiveRace,
    scenario: Scenario,
    pane: Pane,
    size: Size,
    span: chart.Span,
    link: TimeLink,
    rooms: dict[str, Size],
    hover: Hover,
    drag: float | None = None,
) -> None:
    """Draw one plot, with each lane in the colour that it has in the scene and the number that it has in the panel.

    `span` is the left and right end of its title, `link` has the ends of the time axis. `rooms` has the size of the
    area between the axes in which each path was drawn last; the function updates it. `drag` is that of the flight shown
    [1/s], or None.
    """
    every = [runner.lane for runner in race.runners]
    lanes = [
        (runner, color_of(runner.lane, runner.number, every, scenario), runner.until(race.shown))
        for runner in race.runners
        if runner.lane.name not in scenario.race.hidden
    ]
    kind = chart.PLOT | implot.Flags_.no_legend.value
    with scopes.plot(pane.name, size, kind) as seen:
        if not seen:
            return
        if pane.name in OVER_TIME:
            _over_time(look, race, lanes, pane, link, size, drag)
            hover.over(look, pane.name, lambda time: values_at(look, race, lanes, pane, time), {})
        else:
            _path(look, race, lanes, pane, rooms)
        chart.title(look, pane, span)


def values_at(look: Look, race: LiveRace, lanes: Shown, pane: Pane, time: float) -> Table | None:
    """Return the values at the sample nearest to a time [s]: of each lane, and of the exact motion if that is drawn.

    A lane that has diverged before has no value.
    """
    quantity = OVER_TIME[pane.name]
    times = max((rows["motion"]["time"] for *_, rows in lanes), key=len, default=np.zeros(0))
    if not len(times):
        return None
    nearest, found = float(times[_nearest(times, time)]), []
    for runner, color, rows in lanes:
        row = _nearest(rows["motion"]["time"], nearest)
        missing = any(begin < nearest < after for begin, after in _holes(runner, quantity.axis is not None))
        if not missing and len(rows) and rows["motion"]["time"][row] == nearest:
            value = float(quantity.values(race, rows[row : row + 1])[0]) - (quantity.around or 0.0)
            drawn = value if quantity.around is None else max(abs(value), FLOOR)
            if isfinite(value):
                digits = DIGITS if quantity.around is None else ERROR_DIGITS
                found.append(
                    Value(f"{runner.number + 1} {runner.lane.label}", color, value, value, pane.unit, drawn, digits)
                )
    if quantity.axis is not None:
        exact = race.reference.rows
        value = float(exact["omega_body"][_nearest(exact["time"], nearest), quantity.axis])
        found.append(Value(tr("Exact"), look.palette.dim, value, value, pane.unit, value))
    return Table(nearest, found)


def _holes(runner: Runner, measured: bool) -> tuple[tuple[float, float], ...]:
    """Return the times (begin, end) [s] between which a quantity is not known.

    A quantity that is `measured` by the sensor itself is known even while the sensor is at its limit.
    """
    return runner.gaps if measured else (*runner.gaps, *runner.clipped)


def _nearest(times: Array, time: float) -> int:
    """Return the index of the nearest of some ascending times, or 0 if there are none."""
    after = int(np.searchsorted(times, time))
    near = range(max(0, after - 1), min(len(times), after + 1))
    return min(near, key=lambda row: abs(times[row] - time), default=0)


def _over_time(
    look: Look, race: LiveRace, lanes: Shown, pane: Pane, link: TimeLink, size: Size, drag: float | None
) -> None:
    """Draw a quantity of each lane over time."""
    quantity = OVER_TIME[pane.name]
    around, log = quantity.around, quantity.around is not None
    begin, end = link[0].value, link[1].value
    curves = list[chart.Curve]()
    for runner, color, rows in lanes:
        rows = _between(rows, rows["motion"]["time"], begin, end)
        values, holes = quantity.values(race, rows), _holes(runner, quantity.axis is not None)
        if around is not None:
            values = np.maximum(np.abs(values - around), FLOOR)
        curve = thinned(*broken(rows["motion"]["time"], values, holes))
        curves.append(chart.Curve(f"##{runner.number}", color, *curve))
    reference = race.reference.rows
    reference = _between(reference, reference["time"], begin, min(end, race.time * (1.0 + 1e-12)))
    if quantity.axis is not None:
        top = FULL * float(np.abs(race.loop).max())
        found = [curve.values for curve in curves if np.isfinite(curve.values).any()]
        low = min((float(np.nanmin(v)) for v in found), default=0.0)
        high = max((float(np.nanmax(v)) for v in found), default=0.0)
        limits = max(min(1.05 * low, -top), -WIDEST * top), min(max(1.05 * high, top), WIDEST * top)
    else:
        known = [curve.values[~np.isnan(curve.values)] for curve in curves]
        limits = _limits(race, pane, [values for values in known if len(values)], log)
    drawn, span, dim = list[chart.Curve](), np.array([begin, end]), look.palette.dim
    if pane.name == "race_factor":
        inverse = 1.0 / race.course.body.principal_moments
        drawn += [chart.Curve(f"##{value}", dim, span, np.array([value, value]), 1.0) for value in inverse]
    if quantity.axis is not None and len(reference):
        exact = thinned(reference["time"], reference["omega_body"][:, quantity.axis])
        drawn.append(chart.Curve("##exact", dim, *exact, 3.0))
    drawn += curves
    if quantity.decay is not None and drag is not None:
        times = np.linspace(begin, end, 2 * DASHES)
        decayed = np.exp(-quantity.decay * drag * np.maximum(times, 0.0))
        drawn.append(chart.Curve("##drag", look.palette.text, times, decayed, 1.5, dashed=True))
    chart.draw_over_time(look, link, size, drawn, limits, pane.unit, log, race.time)
    ends = zip(lanes, curves, strict=True)
    chart.numbers_at_ends(look, [(lane[0].number + 1, lane[1], one.times, one.values) for lane, one in ends])


def _between(rows: LaneRows, times: Array, begin: float, end: float) -> LaneRows:
    """Return the rows between two times, and one more on both sides."""
    first, last = np.searchsorted(times, (begin, end))
    return rows[max(0, first - 1) : last + 1]


def _limits(race: LiveRace, pane: Pane, curves: list[Array], log: bool) -> tuple[float, float]:
    """Return the ends of the upright axis, chosen so that a lane that diverges does not flatten the others."""
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


def _path(look: Look, race: LiveRace, lanes: Shown, pane: Pane, rooms: dict[str, Size]) -> None:
    """Draw the path of each lane on axes of equal scale; `rooms` is as in `draw`."""
    path = PATHS[pane.name]
    curves, reach = [], 0.02
    loop = np.zeros((0, 2)) if path.loop is None else path.loop(race)
    size_of_loop = 1.0 if path.circle or not len(loop) else float(np.abs(race.loop).max())
    for runner, color, rows in lanes:
        latest = rows[-PATH:]
        points = np.column_stack((path.across(race, latest), path.up(race, latest))) / size_of_loop
        holes = _holes(runner, path.measured)
        _, points = broken(latest["motion"]["time"], np.clip(points, -1e3, 1e3), holes)
        curves.append((runner.number, color, size_of_loop * points))
        if runner.stopped is None:
            reach = max(reach, float(np.abs(points[np.isfinite(points)]).max(initial=0.0)))
    reach = min(1.2 * reach, FULL) if path.loop is None else min(max(FULL, 1.05 * reach), WIDEST)
    room = rooms.get(pane.name, (1.0, 1.0))
    implot.setup_axes("", "", chart.X_AXIS, chart.X_AXIS)
    for side, length, each in zip((chart.X, chart.Y), room, (ACROSS, chart.UP), strict=True):
        limit = reach * size_of_loop * length / min(room)
        chart.setup_ticks(side, -limit, limit, length / look.px(each), scaled((limit,), pane.unit))
        implot.setup_axis_limits(side, -limit, limit, imgui.Cond_.always.value)
    now = implot.get_plot_size()
    rooms[pane.name] = max(now.x, 1.0), max(now.y, 1.0)
    if path.circle:
        turn = np.linspace(0.0, 2.0 * np.pi, 97)
        chart.line(look, "##circle", look.palette.line, np.cos(turn), np.sin(turn), 1.0)
    if len(loop):
        x, y = np.ascontiguousarray(loop[:, 0]), np.ascontiguousarray(loop[:, 1])
        chart.line(look, "##exact", look.palette.dim, x, y, 3.0)
    for number, color, points in curves:
        x, y = np.ascontiguousarray(points[:, 0]), np.ascontiguousarray(points[:, 1])
        chart.line(look, f"##{number}", color, x, y, 2.0)
        chart.dot(look, f"##now {number}", color, x[-1:], y[-1:])
    chart.numbers_at_ends(look, [(number + 1, color, *points.T) for number, color, points in curves])


def race_table(race: LiveRace, hidden: tuple[str, ...], begin: float, end: float) -> CurveTable:
    """Return the samples of the lanes that are not hidden, between the times `begin` and `end` [s].

    A lane that has diverged has no values after that.
    """
    runners = [runner for runner in race.runners if runner.lane.name not in hidden]
    heading = ["time_s", *(f"{runner.lane.name}_{name}" for runner in runners for name in COLUMNS)]
    return heading, _race_rows(race, [runner.until(race.shown) for runner in runners], begin, end)


def _race_rows(race: LiveRace, lanes: list[LaneRows], begin: float, end: float) -> Iterator[list[float]]:
    gone = [nan] * len(COLUMNS)
    columns = [np.column_stack([values(race, lane) for values in COLUMNS.values()]).tolist() for lane in lanes]
    for row, time in enumerate(max(lanes, key=len)["motion"]["time"]):
        if begin <= time <= end:
            parts = (lane[row] if row < len(lane) else gone for lane in columns)
            yield [time, *chain.from_iterable(parts)]
