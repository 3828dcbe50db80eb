"""The chart of every plot: ImPlot's colours and sizes from the interface's palette, axes, curves, title and legend."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.common.quantities import Unit, suited
from viewer.scene.words.formatting import scaled
from viewer.session.quantities import Pane
from viewer.ui.platform.imgui_module import imgui, implot
from viewer.ui.plots.curves import number, ticks
from viewer.ui.widgets.drawing import Look, shortened, text, width_of
from viewer.ui.widgets.style import mix, u32

Array = NDArray[np.float64]
TimeLink: TypeAlias = tuple[Any, Any]  # implot.BoxedValue of both ends of the time axis
Span: TypeAlias = tuple[float, float] | None
SI = Unit("", 1.0)
TICK = 62.0  # at scale 1: room for a number on the axis of a plot
UP = 28.0  # .. on an upright axis
DOT = 3.0  # at scale 1: radius of the end of a path
ZOOM = (1e-9, 1e13)  # s: the shortest and the longest time axis
X, Y = implot.ImAxis_.x1.value, implot.ImAxis_.y1.value
NONE_OF = ("no_title", "no_menus", "no_box_select", "no_mouse_text", "no_frame")
PLOT = sum(getattr(implot.Flags_, name).value for name in NONE_OF)
X_AXIS = implot.AxisFlags_.no_menus.value | implot.AxisFlags_.no_highlight.value
Y_AXIS = X_AXIS | implot.AxisFlags_.lock.value


@contextmanager
def applied(look: Look) -> Iterator[None]:
    """Give ImPlot the interface's style within the block."""
    p, col, var = look.palette, implot.Col_, implot.StyleVar_
    inside = _inside(look)
    colors: list[tuple[Any, tuple[float, float, float], float]] = [
        (col.frame_bg, p.background, 0.0), (col.plot_bg, inside, 1.0), (col.plot_border, p.line, 1.0),
        (col.legend_bg, inside, 0.75), (col.legend_border, p.line, 0.0), (col.legend_text, p.text, 1.0),
        (col.inlay_text, p.dim, 1.0), (col.axis_text, p.dim, 1.0), (col.axis_grid, p.text, 0.13),
        (col.axis_bg_hovered, p.hovered, 0.5), (col.axis_bg_active, p.active, 0.5),
    ]  # fmt: skip
    sizes: list[tuple[Any, tuple[float, float]]] = [
        (var.plot_padding, (2, 3)), (var.label_padding, (4, 2)), (var.legend_padding, (3, 3)),
        (var.legend_inner_padding, (3, 1)), (var.legend_spacing, (2, 0)), (var.plot_min_size, (40, 30)),
    ]  # fmt: skip
    for index, color, alpha in colors:
        implot.push_style_color(index.value, imgui.ImVec4(*color, alpha))
    for index, size in sizes:
        implot.push_style_var(index.value, imgui.ImVec2(*(look.scale * side for side in size)))
    try:
        yield
    finally:
        implot.pop_style_var(len(sizes))
        implot.pop_style_color(len(colors))


def _inside(look: Look) -> tuple[float, float, float]:
    """Return the ground of a plot."""
    p = look.palette
    dark = sum(p.background) < 1.5
    return mix(p.background, (0.0, 0.0, 0.0), 0.22) if dark else mix(p.background, p.raised, 0.35)


@frozen
class Curve:
    """A curve of a plot over time, `weight` pixels wide at scale 1. `label`: its entry in the legend; it has none where
    it begins with "##"."""

    label: str
    color: Color
    times: Array
    values: Array
    weight: float = 2.0
    dashed: bool = False


def draw_over_time(
    look: Look, link: TimeLink, size: tuple[float, float], curves: list[Curve], limits: tuple[float, float], unit: str,
    log: bool, now: float,
) -> None:  # fmt: skip
    """Draw axes, curves and a line at the time `now` [s] of a plot of that size over time, which has just been begun.

    `link`: of its time axis to those of the others. `limits`: the ends of its upright axis, whose values have that
    `unit`; `log`: they are on a logarithmic scale.
    """
    implot.setup_axes("", "", X_AXIS, Y_AXIS)
    begin, end = link[0].value, link[1].value
    setup_ticks(X, begin, end, size[0] / look.px(TICK), suited("s", end - begin), named=True)
    implot.setup_axis_links(X, *link)
    implot.setup_axis_zoom_constraints(X, *ZOOM)
    implot.setup_axis_limits(Y, *limits, imgui.Cond_.always.value)
    if log:
        implot.setup_axis_scale(Y, implot.Scale_.log10.value)
    else:
        setup_ticks(Y, *limits, size[1] / look.px(UP), scaled(limits, unit))
    for curve in curves:
        line(look, curve.label, curve.color, curve.times, curve.values, curve.weight, curve.dashed)
    draw_now(look, now)


def draw_now(look: Look, time: float) -> None:
    """Draw a vertical line at the time that is shown [s]."""
    flags = implot.ItemFlags_.no_legend.value | implot.ItemFlags_.no_fit.value
    spec = implot.Spec(line_color=(*look.palette.text, 0.45), line_weight=look.px(1), flags=flags)
    implot.plot_inf_lines("##now", np.array([time]), spec)


def line(look: Look, name: str, color: Color, x: Array, y: Array, weight: float, dashed: bool = False) -> None:
    """Draw a line through the points (x, y), `weight` pixels wide at scale 1."""
    flags = implot.LineFlags_.segments.value if dashed else 0
    implot.plot_line(name, x, y, implot.Spec(line_color=(*color, 1.0), line_weight=look.px(weight), flags=flags))


def setup_ticks(axis: int, begin: float, end: float, most: float, unit: Unit = SI, named: bool = False) -> None:
    """Put numbers on an axis that are round in `unit`, at most `most` or 2; `named`: with the unit, unless it is the
    SI unit."""
    values = ticks(begin / unit.size, end / unit.size, most)
    behind = f" {unit.name}" if named and unit.size != 1.0 else ""
    implot.setup_axis_ticks(axis, [value * unit.size for value in values], [number(value) + behind for value in values])


def legend_beside(look: Look, size: tuple[float, float], entries: list[tuple[str, Color]]) -> float:
    """Draw a legend at the right of the place of a plot that has no room for one in a line; return its width.

    `size` is that of plot and legend; the plot is not drawn yet. Entries that find no room are left out: the pointer
    over the plot names them.
    """
    line, gap = imgui.get_text_line_height(), look.px(2)
    wide: float = max(width_of(label) for label, _ in entries) + line + 3 * gap
    corner = imgui.get_cursor_screen_pos()
    left, side, target = corner.x + size[0] - wide + gap, line - 2 * gap, imgui.get_window_draw_list()
    for row, (label, color) in enumerate(entries):
        y = corner.y + gap + row * (line + gap)
        if y + line > corner.y + size[1]:
            break
        target.add_rect_filled((left, y + gap), (left + side, y + gap + side), u32(color))
        text(left + side + gap, y, look.palette.text, label)
    return wide


def title(look: Look, pane: Pane, span: Span, remark: str | None = None) -> None:
    """Draw the title with the unit, or a remark in its place, above a plot.

    `span` reaches from the numbers of its upright axis to its right edge or that of the legend beside it; it is None if
    there is no room.
    """
    if span is None:
        return
    at, (left, right) = implot.get_plot_pos(), span
    name, values = tr(pane.label), implot.get_plot_limits().y
    unit = pane.unit if pane.error else scaled((values.min, values.max), pane.unit).name
    line = shortened(remark or (f"{name} [{unit}]" if unit else name), right - left)
    x = max(left, min(at.x, right - width_of(line)))
    text(x, at.y - imgui.get_text_line_height() - look.px(1), look.palette.dim, line)


def dot(look: Look, name: str, color: Color, x: Array, y: Array) -> None:
    """Mark the end of a path, so that one that stays where it begins is seen, too."""
    ink, circle = (*color, 1.0), implot.Marker_.circle.value
    spec = implot.Spec(marker=circle, marker_size=look.px(DOT), marker_fill_color=ink, marker_line_color=ink)
    implot.plot_scatter(name, x, y, spec)
