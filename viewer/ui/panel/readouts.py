"""Readouts: moments of inertia, energy between its bounds, |L|, period, and what the spin does."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from viewer.common.errors import brief, split_sigma, with_sigma
from viewer.common.language import marked, tr
from viewer.common.quantities import PER_LARGEST
from viewer.physics.poinsot.spin import separatrix_energy
from viewer.scenario.choices.themes import Theme
from viewer.scene.constructions.gimbals import ring_angles
from viewer.scene.naming.values import gimbal_lock, momentum
from viewer.scene.words.formatting import cleared, columns, fine, parts, rounded, sentence, short
from viewer.scene.words.spin import AXES, Array, describe_motion, period_name, rank_names, ranks_of
from viewer.scene.words.tops import spin_of, steady_precession
from viewer.session.snapshot import Snapshot
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import (
    SMALLEST,
    Look,
    fitting_size,
    label_and_value,
    row,
    shortened,
    text,
    text_right,
    tooltip,
    width_of,
)
from viewer.ui.widgets.style import mix, u32

Ratios: TypeAlias = tuple[tuple[float, float], ...]  # of the moments to the largest, each with its standard deviation
Places: TypeAlias = tuple[float, float, float, float]  # px at which three columns of numbers end, and units begin
Row: TypeAlias = tuple[tuple[str, ...], Callable[[], object]]  # names of its readouts from the left on, and its drawing
Labelled: TypeAlias = tuple[str, str, str]  # label, number, unit
DECIMALS = 5  # the most decimals of a ratio in a column
INERTIA, ENERGY, MOMENTUM, RATE = "kg m²", "J", "kg m²/s", "rad/s"
DIVERGED = marked("Diverged: this is the last state")


def draw(
    look: Look, theme: Theme, snapshot: Snapshot, ratios: Ratios | None = None, distinct: Array | None = None,
    is_question: bool = False, in_gimbals: bool = False, slowed: bool = False,
) -> str:  # fmt: skip
    """Draw the block of readouts; return the name of the one under the mouse, or "".

    `ratios` are those of the moments if nothing else is known of them; energy and |L| are then given per largest
    moment. `distinct` are the moments, made equal if they cannot be told apart. `is_question` says that a question
    about the motion is open; the rows that would answer it are then empty. `in_gimbals` adds the angles of the gimbals.
    `slowed` is as in `describe_motion`.
    """
    units = {unit: unit if ratios is None else PER_LARGEST[unit] for unit in (INERTIA, ENERGY, MOMENTUM)}
    places = _places(look, snapshot, units)
    empty: Row = ("",), lambda: imgui.dummy((1.0, imgui.get_text_line_height()))
    rows: list[Row] = [
        (("I x", "I y", "I z"), lambda: _moments(look, theme, snapshot.body.principal_moments, places, ratios)),
        (("E",), lambda: _energy(look, theme, snapshot, places, units[ENERGY])),
        empty if is_question else (("|L|", "T"), lambda: _momentum(look, snapshot, places, units[MOMENTUM])),
    ]
    if snapshot.reading.orthogonality_error is not None:
        rows.append((("matrix",), lambda: _matrix(look, snapshot)))
    if snapshot.moves:
        rows.append((("P",), lambda: _translation(look, snapshot, places)))
    if snapshot.loads.weight and not snapshot.moves:  # what falls also has the energy of its fall
        rows.append((("E + V", "L z"), lambda: _under_weight(look, snapshot, places)))
    if snapshot.kept is not None:
        rows.append((("L axis", "error"), lambda: _kept(look, snapshot, places)))
    if in_gimbals:
        rows.append((("gimbals",), lambda: _gimbals(look, theme, snapshot, places)))
    rows += 2 * [empty] if is_question else [
        (("spin",), lambda: _status(look, snapshot, distinct, slowed)),
        (("precession",), lambda: _precession(look, snapshot, places)),
    ]  # fmt: skip
    over = ""
    for names, drawn in rows:
        with scopes.group():
            drawn()
        if imgui.is_item_hovered():
            left, right = imgui.get_item_rect_min().x, imgui.get_item_rect_max().x
            part = (imgui.get_mouse_pos().x - left) / max(right - left, 1.0)
            over = names[min(max(int(part * len(names)), 0), len(names) - 1)]
    return over


def draw_held(look: Look, snapshot: Snapshot) -> None:
    """Draw the only readout of a phone in the hand: its angular velocity."""
    omega = 0.0 if snapshot.reading.at_rest else float(np.linalg.norm(snapshot.reading.omega_body))
    label_and_value(look, "readout omega", tr("|ω|"), f"{omega:.2f} rad/s")
    with scopes.wrapped(0.0):
        imgui.text_wrapped(tr("Held in the hand: only the angular velocity is measured"))


def _places(look: Look, snapshot: Snapshot, units: dict[str, str]) -> Places:
    """Return where the three columns of numbers end and where units begin, in px from the left edge of the block."""
    moments, energy = snapshot.body.principal_moments.tolist(), (snapshot.reading.energy, *snapshot.energy_bounds)
    names = columns(moments, units[INERTIA])[1], columns(energy, units[ENERGY])[1]
    room = imgui.get_content_region_avail().x
    unit = room - max(look.px(50), *map(width_of, names))
    first, end = look.px(12), unit - look.px(5)
    return first + (end - first) / 3, first + 2 * (end - first) / 3, end, unit


def _momentum(look: Look, snapshot: Snapshot, places: Places, unit: str) -> None:
    """Draw |L| at the left and the period at the right of one line."""
    momentum, period = float(np.linalg.norm(snapshot.reading.angular_momentum_world)), snapshot.period
    momentum, strays = 0.0 if snapshot.reading.at_rest else momentum, snapshot.strays and snapshot.top is None
    edges = row("readout |L| and T", imgui.get_text_line_height())
    meaning = [tr("Magnitude of the angular momentum; period of the torque-free motion from now on")]
    if snapshot.top is not None:
        meaning = [tr("Magnitude of the angular momentum; time in which a top nods once, under its weight alone")]
    elif snapshot.precession_period is not None:
        meaning.append(tr("In a period L goes once round in the body."))
    tooltip(
        look,
        *meaning,
        f"|L| = {rounded(momentum)} {unit}",
        tr("no period") if period is None else f"T = {fine(float(period), 's')}",
        *((tr("The integrator leaves this motion within a period."),) if strays else ()),
    )
    last = (tr("none"), "") if period is None else parts(period, "s")
    _two(look, edges, places, ("|L|", *parts(momentum, unit)), (period_name(snapshot), *last))


def _precession(look: Look, snapshot: Snapshot, places: Places) -> None:
    """Draw the mean period of precession, or "none".

    In that time, the axis about which L circulates in the body goes once round L in space, or that of a top once round
    the vertical.
    """
    period, of_top = snapshot.precession_period, snapshot.top
    name = tr("Precession") if snapshot.loads.free or of_top is not None else tr("Free precession")
    meaning = tr("Precession: mean time in which the axis that L circulates in the body goes once round L in space")
    source = [tr("After Landau and Lifshitz, Mechanics, § 37; the integral: DLMF 19.2.11")]
    if of_top is not None:
        meaning = tr("Precession: mean time in which the axis goes once round the vertical, under the weight alone")
        spin = tr("Spin about the axis: {spin}").format(spin=fine(spin_of(snapshot), "rad/s"))
        source = [spin, *(sentence(line) for line in steady_precession(of_top, snapshot))]
    elif snapshot.strays and period is not None:
        name = tr("Exact precession")
    left, top, _ = row("readout precession", imgui.get_text_line_height())
    tooltip(look, meaning, tr("none") if period is None else fine(period, "s"), *source)
    number, unit = (tr("none"), "") if period is None else parts(period, "s")
    text(left, top, look.palette.dim, name)
    text_right(left + places[2], top, look.palette.text, number)
    text(left + places[3], top, look.palette.dim, unit)


def _two(look: Look, edges: tuple[float, float, float], places: Places, first: Labelled, last: Labelled) -> None:
    """Draw two labels, each with its number and unit, in the row with these left, top and right edges."""
    p, gap, (left, top, right) = look.palette, look.px(5), edges
    label, number, unit = first
    x = left + max(places[0], text(left, top, p.dim, label) + gap + width_of(number))
    text_right(x, top, p.text, number)
    used = x + gap + text(x + gap, top, p.dim, unit) + gap
    label, number, unit = last
    x = left + places[2]
    if x - width_of(number) - 2 * gap - width_of(label) < used:  # large numbers need the whole line
        x = right - width_of(unit) - gap
    text(x + gap, top, p.dim, unit)
    x -= text_right(x, top, p.text, number)
    text_right(x - 2 * gap, top, p.dim, label)


def _translation(look: Look, snapshot: Snapshot, places: Places) -> None:
    """Draw |P| at the left and the kinetic energy of the centre of mass at the right of one line."""
    momentum, energy = float(np.linalg.norm(snapshot.reading.linear_momentum)), snapshot.translational_energy
    edges = row("readout |P| and E", imgui.get_text_line_height())
    tooltip(
        look,
        tr("Magnitude of the linear momentum and kinetic energy of the centre of mass"),
        f"|P| = {rounded(momentum)} kg m/s",
        f"½ M v² = {fine(energy, 'J')}",
    )
    _two(look, edges, places, ("|P|", short(momentum), "kg m/s"), ("½ M v²", *parts(energy, "J")))


def _under_weight(look: Look, snapshot: Snapshot, places: Places) -> None:
    """Draw what the weight keeps: the whole energy at the left and L along the vertical at the right of one line."""
    energy = cleared(snapshot.total_energy, snapshot.energy_scale)
    vertical = cleared(float(snapshot.reading.angular_momentum_world[2]), momentum(snapshot))
    edges = row("readout E + V and L z", imgui.get_text_line_height())
    tooltip(
        look,
        tr("Constant under the weight alone: the energy with its potential energy V, and L along the vertical"),
        f"E + V = {fine(energy, 'J')}",
        f"L z = {rounded(vertical)} {MOMENTUM}",
    )
    _two(look, edges, places, ("E + V", *parts(energy, "J")), ("L z", *parts(vertical, MOMENTUM)))


def _kept(look: Look, snapshot: Snapshot, places: Places) -> None:
    """Draw what a solvable top keeps beside E + V and L z at the left, and the largest error of what all tops keep."""
    axis, rate, left = snapshot.body.top_axis, snapshot.kovalevskaya_rate, ("", "", "")
    error = max(snapshot.errors.values(), key=abs)
    lines = [f"{tr(name)}: {short(off)}" for name, off in snapshot.errors.items()]
    if axis is not None:
        along = float(snapshot.body.principal_moments[axis] * snapshot.reading.omega_body[axis])
        along = cleared(along, momentum(snapshot))
        left = tr("L axis"), *parts(along, MOMENTUM)
        lines.insert(0, f"{left[0]} = {rounded(along)} {MOMENTUM}")
    elif rate is not None:
        left = "κ", *parts(rate, RATE)
        lines.insert(0, f"κ = {rounded(rate)} {RATE}")
    edges = row("readout.kept", imgui.get_text_line_height())
    tooltip(
        look,
        tr("Errors of what the weight alone keeps, over the largest E and |L| that E + V allows"),
        *lines,
    )
    _two(look, edges, places, left, (tr("error"), short(error, 2), ""))


def _gimbals(look: Look, theme: Theme, snapshot: Snapshot, places: Places) -> None:
    """Draw the angle of each ring over its name, and whether they are locked."""
    line, p = imgui.get_text_line_height(), look.palette
    left, top, _ = row("readout.gimbals", 2 * line + look.px(1))
    angles = {tr(name): f"{angle:.1f}" for name, angle in ring_angles(snapshot).items()}
    lock = gimbal_lock(snapshot)
    meaning = tr("Angles of the gimbals' rings: Euler's angles about z, a level axis and z′")
    tooltip(look, meaning, *(f"{name}: {angle}°" for name, angle in angles.items()), *filter(None, [lock]))
    for place, (name, angle) in zip(places, angles.items(), strict=False):
        text_right(left + place, top, p.text, angle)
        text_right(left + place, top + line, p.dim, name)
    text(left + places[3], top, p.dim, "°")
    if lock:
        text(left + places[3], top + line, theme.force, tr("locked"))


def _moments(look: Look, theme: Theme, moments: Array, places: Places, ratios: Ratios | None) -> None:
    """Draw the three moments in columns, each with its rank in the colour of its axis.

    If only their `ratios` are known, these stand in their place, with their standard deviations.
    """
    line = imgui.get_text_line_height()
    certain = ratios is not None and any(sigma > 0.0 for _, sigma in ratios)
    left, top, _ = row("readout I", (3 if certain else 2) * line + look.px(3))
    p = look.palette
    text(left, top, p.dim, "I")
    if ratios is None:
        meaning, exact = tr("Principal moments of inertia"), [f"{rounded(float(m))} {INERTIA}" for m in moments]
        numbers, name = columns(moments.tolist(), INERTIA)
    else:
        meaning = tr("Principal moments of inertia relative to the largest: free motion tells no more of them")
        exact = [with_sigma(*one) for one in ratios]
        cells = [_in_column(*one) for one in ratios]
        numbers, name = [number for number, _ in cells], ""
        for i, (_, sigma) in enumerate(cells if certain else ()):
            text_right(left + places[i], top + line, p.dim, sigma)
    tooltip(look, meaning, *(f"I {axis} = {number}" for axis, number in zip(AXES, exact, strict=True)))
    text(left + places[3], top, p.dim, name)
    under = top + (2 if certain else 1) * line + look.px(1)
    ranks, names = ranks_of(moments), [tr(name) for name in rank_names(moments)]
    size = fitting_size(look, max(names, key=width_of), places[1] - places[0] - look.px(4), SMALLEST)
    for place, number, rank, rank_name in zip(places, numbers, ranks, names, strict=False):
        text_right(left + place, top, p.text, number)
        color = p.dim if rank is None else mix(theme.axes[rank], p.text, 0.1)
        with scopes.font(imgui.get_font(), size):
            text_right(left + place, under, color, rank_name)


def _in_column(ratio: float, sigma: float) -> tuple[str, str]:
    """Return a ratio and its standard deviation, short enough for one of three columns."""
    if 0.0 < sigma < 0.1**DECIMALS:
        return f"{ratio:.{DECIMALS}f}", f"± {brief(sigma, 1)}"
    return split_sigma(ratio, sigma)


def _energy(look: Look, theme: Theme, snapshot: Snapshot, places: Places, unit: str) -> None:
    """Draw E as a number, and its position between E(min), the separatrix and E(max)."""
    low_energy, high_energy = snapshot.energy_bounds
    energy = 0.0 if snapshot.reading.at_rest else snapshot.reading.energy
    left, top, _ = row("readout E", imgui.get_text_line_height())
    tooltip(look, tr("Rotational energy"), f"E = {fine(energy, unit)}")
    (written, lowest, highest), name = columns((energy, low_energy, high_energy), unit)
    p = look.palette
    text(left, top, p.dim, "E")
    text(left + places[3], top, p.dim, name)
    text_right(left + places[2], top, p.text, written)
    line, bar = imgui.get_text_line_height(), look.px(5)
    left, top, right = row("readout E bounds", bar + look.px(4) + line)
    middle = separatrix_energy(snapshot.body.principal_moments, snapshot.reading.angular_momentum_world)
    tooltip(
        look,
        tr("Bounds at this |L|: spin about the axis of the largest and of the smallest moment"),
        f"E(min) = {fine(low_energy, unit)}",
        f"E(max) = {fine(high_energy, unit)}",
        tr("separatrix, middle axis: {energy}").format(energy=fine(middle, unit)),
    )
    target = imgui.get_window_draw_list()
    target.add_rect_filled((left, top), (right, top + bar), u32(p.raised), bar / 2)
    span = high_energy - low_energy

    def x_of(value: float) -> float:
        fraction = (value - low_energy) / span if span > 0.0 else 0.5
        return left + bar / 2 + (right - left - bar) * min(1.0, max(0.0, fraction))

    turning = not snapshot.reading.at_rest
    if turning and None not in ranks_of(snapshot.body.principal_moments):
        tick, half, out = x_of(middle), look.px(1), look.px(3)  # downwards: E's number stands above it
        target.add_rect_filled((tick - half, top), (tick + half, top + bar + out), u32(p.dim))
    if turning:
        target.add_circle_filled((x_of(energy), top + bar / 2), bar * 0.8, u32(theme.angular_velocity))
    y = top + bar + look.px(4)
    used = text(left, y, p.dim, "E(min) ")
    text_right(left + max(places[0], used + width_of(lowest)), y, p.text, lowest)
    end = left + places[2]
    text_right(end, y, p.text, highest)
    text_right(end - width_of(highest), y, p.dim, "E(max) ")
    text(left + places[3], y, p.dim, name)


def _matrix(look: Look, snapshot: Snapshot) -> None:
    """Draw how far the integrator's matrix is from a rotation."""
    error = snapshot.reading.orthogonality_error
    assert error is not None, "no matrix is kept"
    meaning = tr("How far the integrator's matrix R is from a rotation; the body is drawn at the nearest one")
    exact = tr("norm of R^T R - 1 = {error}").format(error=rounded(error))
    label_and_value(look, "readout matrix", tr("orthogonality error"), short(error), meaning, exact)


def _status(look: Look, snapshot: Snapshot, distinct: Array | None, slowed: bool) -> None:
    """Draw a line that says what the motion does."""
    line, more = describe_motion(snapshot, distinct, slowed)
    if snapshot.stopped is not None:
        line, more = tr(DIVERGED), snapshot.stopped
    left, top, right = row("readout spin", imgui.get_text_line_height())
    tooltip(look, line, more)
    with scopes.font(imgui.get_font(), fitting_size(look, line, right - left, SMALLEST)):
        text(left, top, look.palette.text, shortened(line, right - left))
