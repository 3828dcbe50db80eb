"""Readouts: moments of inertia, energy between its bounds, |L|, period, and what the spin does."""

import numpy as np

from viewer.common.language import marked, tr
from viewer.physics.poinsot.spin import separatrix_energy
from viewer.scenario.choices.themes import Theme
from viewer.scene.words.spin import AXES, SAME, Array, describe_spin, rank_names, ranks_of
from viewer.session.snapshot import Snapshot
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets.drawing import Look, row, shortened, text, text_right, tooltip, width_of
from viewer.ui.widgets.formatting import full, short
from viewer.ui.widgets.style import mix, u32

DIVERGED = marked("Diverged: this is the last state")


def draw(look: Look, theme: Theme, snapshot: Snapshot) -> None:
    """The block of readouts, as wide as there is room."""
    _moments(look, theme, snapshot.body.principal_moments)
    _energy(look, theme, snapshot)
    _momentum_and_period(look, snapshot)
    _matrix(look, snapshot)
    if snapshot.moves:
        _translation(look, snapshot)
    _status(look, snapshot)


def _momentum_and_period(look: Look, snapshot: Snapshot) -> None:
    """|L| at the left, the period at the right of one line."""
    momentum, period = float(np.linalg.norm(snapshot.reading.angular_momentum_world)), snapshot.period
    momentum = 0.0 if snapshot.reading.at_rest else momentum
    left, top, right = row("readout |L| and T", imgui.get_text_line_height())
    tooltip(
        look,
        tr("Magnitude of the angular momentum; period of the torque-free motion from now on"),
        f"|L| = {full(momentum)} kg m²/s",
        tr("no period") if period is None else f"T = {full(float(period))} s",
    )
    p, gap = look.palette, look.px(5)
    x = left + text(left, top, p.dim, "|L|") + 2 * gap
    x += text(x, top, p.text, short(momentum)) + gap
    text(x, top, p.dim, "kg m²/s")
    right -= text_right(right, top, p.dim, " s" if period is not None else "")
    right -= text_right(right, top, p.text, tr("none") if period is None else short(float(period))) + 2 * gap
    text_right(right, top, p.dim, "T")


def _translation(look: Look, snapshot: Snapshot) -> None:
    """|P| at the left, the kinetic energy of the centre of mass at the right of one line."""
    momentum, energy = float(np.linalg.norm(snapshot.reading.linear_momentum)), snapshot.translational_energy
    left, top, right = row("readout |P| and E", imgui.get_text_line_height())
    tooltip(
        look,
        tr("Magnitude of the linear momentum and kinetic energy of the centre of mass"),
        f"|P| = {full(momentum)} kg m/s",
        f"½ M v² = {full(energy)} J",
    )
    p, gap = look.palette, look.px(5)
    x = left + text(left, top, p.dim, "|P|") + 2 * gap
    x += text(x, top, p.text, short(momentum)) + gap
    text(x, top, p.dim, "kg m/s")
    right -= text_right(right, top, p.dim, " J")
    right -= text_right(right, top, p.text, short(energy)) + 2 * gap
    text_right(right, top, p.dim, "½ M v²")


def _moments(look: Look, theme: Theme, moments: Array) -> None:
    """The three moments in columns, each with its rank in the colour of its axis."""
    line = imgui.get_text_line_height()
    left, top, right = row("readout I", 2 * line + look.px(3))
    tooltip(
        look,
        tr("Principal moments of inertia"),
        *(f"I {axis} = {full(float(m))} kg m²" for axis, m in zip(AXES, moments, strict=True)),
    )
    p = look.palette
    text(left, top, p.dim, "I")
    unit = look.px(50)
    text(right - unit, top, p.dim, "kg m²")
    column = (right - unit - look.px(5) - left - look.px(12)) / 3
    ranks, names = ranks_of(moments), rank_names(moments)
    for i, moment in enumerate(moments):
        x = left + look.px(12) + (i + 1) * column
        text_right(x, top, p.text, short(float(moment)))
        rank = ranks[i]
        color = p.dim if rank is None else mix(theme.axes[rank], p.text, 0.1)
        text_right(x, top + line + look.px(1), color, tr(names[i]))


def _energy(look: Look, theme: Theme, snapshot: Snapshot) -> None:
    """E as a number, and where it stands between E(min), the separatrix and E(max)."""
    low_energy, high_energy = snapshot.energy_bounds
    energy = 0.0 if snapshot.reading.at_rest else snapshot.reading.energy
    left, top, right = row("readout E", imgui.get_text_line_height())
    tooltip(look, tr("Rotational energy"), f"E = {full(energy)} J")
    unit, p = right - look.px(50), look.palette
    text(left, top, p.dim, "E")
    text(unit, top, p.dim, "J")
    text_right(unit - look.px(5), top, p.text, short(energy))
    line, bar = imgui.get_text_line_height(), look.px(5)
    left, top, right = row("readout E bounds", bar + look.px(4) + line)
    middle = separatrix_energy(snapshot.body.principal_moments, snapshot.reading.angular_momentum_world)
    tooltip(
        look,
        tr("Bounds at this |L|: spin about the axis of the largest and of the smallest moment"),
        f"E(min) = {full(low_energy)} J",
        f"E(max) = {full(high_energy)} J",
        tr("separatrix, middle axis: {energy} J").format(energy=full(middle)),
    )
    target = imgui.get_window_draw_list()
    target.add_rect_filled((left, top), (right, top + bar), u32(p.raised), bar / 2)
    span = high_energy - low_energy

    def x_of(value: float) -> float:
        fraction = (value - low_energy) / span if span > 0.0 else 0.5
        return left + bar / 2 + (right - left - bar) * min(1.0, max(0.0, fraction))

    turning = not snapshot.reading.at_rest
    if turning and None not in ranks_of(snapshot.body.principal_moments):
        tick, half, out = x_of(middle), look.px(1), look.px(3)
        target.add_rect_filled((tick - half, top - out), (tick + half, top + bar + out), u32(p.dim))
    if turning:
        target.add_circle_filled((x_of(energy), top + bar / 2), bar * 0.8, u32(theme.angular_velocity))
    y = top + bar + look.px(4)
    used = text(left, y, p.dim, "E(min) ")
    used += text(left + used, y, p.text, short(low_energy))
    number = short(high_energy)
    text_right(right, y, p.text, number)
    text_right(right - width_of(number), y, p.dim, "E(max) ")


def _matrix(look: Look, snapshot: Snapshot) -> None:
    """How far the rotation matrix is from a rotation, where the integrator keeps one."""
    error = snapshot.reading.orthogonality_error
    if error is None:
        return
    left, top, right = row("readout matrix", imgui.get_text_line_height())
    tooltip(
        look,
        tr("How far the integrator's matrix R is from a rotation; the body is drawn at the nearest one"),
        tr("norm of R^T R - 1 = {error}").format(error=full(error)),
    )
    text(left, top, look.palette.dim, tr("orthogonality error"))
    text_right(right, top, look.palette.text, short(error))


def _status(look: Look, snapshot: Snapshot) -> None:
    """What the motion does."""
    moments, now = snapshot.body.principal_moments, snapshot.reading
    if snapshot.stopped is not None:
        line, more = tr(DIVERGED), snapshot.stopped
    else:
        line, more = describe_spin(
            moments,
            now.omega_body,
            snapshot.flip_period,
            snapshot.loads,
            now.at_rest,
            bool(snapshot.external_torque.any()),
        )
    left, top, right = row("readout spin", imgui.get_text_line_height())
    tooltip(look, line, more)
    text(left, top, look.palette.text, shortened(line, right - left))


def tensor(look: Look, snapshot: Snapshot, in_space: bool) -> None:
    """The inertia tensor, three rows of three, in the axes of the body or of space."""
    moments = np.diag(snapshot.body.principal_moments)
    turned = snapshot.reading.rotation_world_from_body
    values = turned @ moments @ turned.T if in_space else moments
    line = imgui.get_text_line_height()
    left, top, right = row("readout tensor", 3 * line + look.px(4))
    tooltip(
        look,
        tr("In the axes of space: the tensor turns with the body")
        if in_space
        else tr("Diagonal: the body's axes are its principal axes"),
        *("   ".join(full(float(value)) for value in entries) + " kg m²" for entries in values),
    )
    p, unit = look.palette, look.px(50)
    column = (right - unit - look.px(5) - left) / 3
    for i, entries in enumerate(values):
        y = top + i * (line + look.px(2))
        for j, value in enumerate(entries):
            small = abs(value) < SAME * float(moments.max())  # round-off of the turning
            number, color = "0" if small else short(float(value)), p.text if i == j else p.dim
            text_right(left + (j + 1) * column, y, color, number)
    text(right - unit, top, p.dim, "kg m²")
