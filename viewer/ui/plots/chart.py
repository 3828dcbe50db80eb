"""The chart of every plot: ImPlot's style, axes and curves; the values beside the pointer, and a click on a time."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import floor, log10
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.common.quantities import Unit, suited
from viewer.scene.words.formatting import MINUS, scaled, sentence, short
from viewer.session.quantities import Pane
from viewer.ui.layout import Rect
from viewer.ui.platform.imgui_module import imgui, implot
from viewer.ui.plots.curves import decades, numbers, power_of_ten, ticks
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import Look, shortened, text, text_right, width_of
from viewer.ui.widgets.style import mix, u32

Array = NDArray[np.float64]
TimeLink: TypeAlias = tuple[Any, Any]  # implot.BoxedValue of both ends of the time axis
Span: TypeAlias = tuple[float, float] | None
SI = Unit("", 1.0)
TICK = 62.0  # at scale 1: room for a number on the axis of a plot
UP = 28.0  # at scale 1: room for a number on an upright axis
DOT = 3.0  # at scale 1: radius of the end of a path, and of the mark on a curve
ZOOM = (1e-9, 1e13)  # s: the shortest and the longest time axis
DIGITS, ERROR_DIGITS = 5, 3  # significant digits of a value, and of an error
NUMBER = 13.0  # at scale 1: size of the number at the end of a lane's curve
PAD, SWATCH, COLUMN = 8.0, 9.0, 14.0  # at scale 1: in the card of values, side of a colour, from names to values
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
    """Return the background colour of a plot."""
    p = look.palette
    dark = sum(p.background) < 1.5
    return mix(p.background, (0.0, 0.0, 0.0), 0.22) if dark else mix(p.background, p.raised, 0.35)


@frozen
class Curve:
    """A curve of a plot over time, `weight` pixels wide at scale 1.

    It has no entry in the legend if its label begins with "##".
    """

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
    """Draw the contents of a plot over time that has just been begun: axes, curves, and a line at the time `now` [s].

    `link` has the ends of the time axis, which the plots share. `limits` are the ends of the upright axis, whose values
    have this `unit`, and a logarithmic scale if `log`.
    """
    implot.setup_axes("", "", X_AXIS, Y_AXIS)
    begin, end = link[0].value, link[1].value
    setup_ticks(X, begin, end, size[0] / look.px(TICK), suited("s", end - begin), named=True)
    implot.setup_axis_links(X, *link)
    implot.setup_axis_zoom_constraints(X, *ZOOM)
    implot.setup_axis_limits(Y, *limits, imgui.Cond_.always.value)
    if log:
        implot.setup_axis_scale(Y, implot.Scale_.log10.value)
        powers = decades(*limits, size[1] / look.px(UP))
        implot.setup_axis_ticks(Y, [10.0**power for power in powers], list(map(power_of_ten, powers)))
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
    """Put numbers on an axis that are round in `unit`; `most` is as in `ticks`.

    If `named`, the unit stands beside each number, unless it is the SI unit.
    """
    values = ticks(begin / unit.size, end / unit.size, most)
    behind = f" {unit.name}" if named and unit.size != 1.0 else ""
    implot.setup_axis_ticks(axis, [value * unit.size for value in values], [one + behind for one in numbers(values)])


def title(look: Look, pane: Pane, span: Span, remark: str | None = None) -> None:
    """Draw the name of a plot with its unit, or a `remark` in their place, above the plot.

    `span` has the x of the left and the right end of the room for it, or is None if there is none.
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
    """Mark the end of a path, so that even a path that never leaves its beginning is seen."""
    ink, circle = (*color, 1.0), implot.Marker_.circle.value
    spec = implot.Spec(marker=circle, marker_size=look.px(DOT), marker_fill_color=ink, marker_line_color=ink)
    implot.plot_scatter(name, x, y, spec)


def numbers_at_ends(look: Look, ends: list[tuple[int, Color, Array, Array]], above: float = 0.0) -> None:
    """Write each of these numbers, in its colour, at the end of the curve through (x, y), which tells curves apart.

    It stands above the end; where it would cover another number, it moves to the left, and at the edge of the plot
    to a line below. The fraction `above` of the plot's height stays free at the top.
    """
    at, size, taken = implot.get_plot_pos(), implot.get_plot_size(), list[tuple[float, float]]()
    target, inside = implot.get_plot_draw_list(), u32(_inside(look), 0.8)
    with scopes.plot_clip(), scopes.font(look.fonts.medium, NUMBER):
        tall = imgui.get_text_line_height()
        wide = max((width_of(f"{number} ") for number, *_ in ends), default=0.0)
        for number, color, x, y in reversed(ends):
            known = np.flatnonzero(np.isfinite(y))
            if not len(known):
                continue
            end = implot.plot_to_pixels(float(x[known[-1]]), float(y[known[-1]]))
            left = first = min(max(end.x - wide, at.x), at.x + size.x - wide)
            top = min(max(end.y - tall - look.px(DOT), at.y + above * size.y), at.y + size.y - tall)
            while covered := [other for other, above in taken if abs(left - other) < wide and abs(top - above) < tall]:
                left = min(covered) - wide
                if left < at.x:
                    left, top = first, top + tall
            taken.append((left, top))
            target.add_rect_filled((left, top), (left + wide, top + tall), inside)
            target.add_text((round(left), round(top)), u32(color), str(number))


@frozen
class Value:
    """The least and the largest value of a curve at a time, which are the same for a single sample.

    `drawn` is the value at which the curve is marked, or None for more than one sample; `digits` is the number of
    significant digits that are written.
    """

    label: str
    color: Color
    low: float
    high: float
    unit: str
    drawn: float | None = None
    digits: int = DIGITS

    @property
    def written(self) -> str:
        """The value as "1.2345 J", or as "1.2345 to 1.2401 J"."""
        unit = suited("" if self.unit == "1" else self.unit, self.low, self.high)
        low, high = (short(value / unit.size, self.digits) for value in (self.low, self.high))
        number = low if low == high else tr("{low} to {high}").format(low=low, high=high)
        return f"{number} {unit.name}".rstrip()


@frozen
class Table:
    """The values of a plot at the sample nearest to a time; `time` [s] is that of the sample."""

    time: float
    values: list[Value]


class Hover:
    """What the pointer over the plots shows and does."""

    def __init__(self, seek: Callable[[float], object], now: Callable[[], float]) -> None:
        """`seek` goes to a recorded time [s], `now` returns the time that is shown [s]."""
        self._seek, self._now = seek, now
        self.silent = False  # whether no values are shown
        self.table: Table | None = None  # the values that are shown
        self._span = 1.0  # s between the edges of the plot under the pointer
        self._pressed = ""  # the plot in which the button went down
        self._before: float | None = None  # the time before the last click

    def begin(self) -> None:
        """Begin a frame, before its plots are drawn."""
        self.table = None

    def over(self, look: Look, name: str, table: Callable[[float], Table | None], entries: Mapping[str, str]) -> None:
        """Follow the pointer over a plot, after its curves are drawn.

        `table` returns its values at a time [s]; `entries` are the labels of its legend, each with a meaning.
        """
        for label, meaning in entries.items():
            if implot.is_legend_entry_hovered(label):
                mouse, gap = imgui.get_mouse_pos(), look.px(14)
                with scopes.tooltip((mouse.x + gap, mouse.y + gap)) as seen, scopes.wrapped(look.px(280)):
                    if seen:
                        imgui.text_unformatted(sentence(meaning))
                return
        if not implot.is_plot_hovered():
            return
        time, limits = float(implot.get_plot_mouse_pos().x), implot.get_plot_limits()
        self._span = limits.x.max - limits.x.min
        self._take_click(name, time)
        if self.silent or imgui.is_mouse_dragging(0):
            return
        self.table = table(time)
        if self.table is None:
            return
        flags = implot.ItemFlags_.no_legend.value | implot.ItemFlags_.no_fit.value
        spec = implot.Spec(line_color=(*look.palette.text, 0.3), line_weight=look.px(1), flags=flags)
        implot.plot_inf_lines("##pointer", np.array([time]), spec)
        with scopes.plot_clip():
            for value in self.table.values:
                if value.drawn is not None:
                    at = implot.plot_to_pixels(self.table.time, value.drawn)
                    implot.get_plot_draw_list().add_circle_filled((at.x, at.y), look.px(DOT), u32(value.color))

    def _take_click(self, name: str, time: float) -> None:
        """Go to the time at which the mouse is pressed and released at one place.

        A double click fits the axes, and so goes back to the time before its first click.
        """
        if imgui.is_mouse_double_clicked(0):
            if self._before is not None:
                self._seek(self._before)
            self._pressed, self._before = "", None
        elif imgui.is_mouse_clicked(0):
            self._pressed, self._before = name, None
        if imgui.is_mouse_released(0):
            moved = imgui.get_mouse_drag_delta(0)
            if self._pressed == name and moved.x == moved.y == 0.0:
                self._before = self._now()
                self._seek(time)
            self._pressed = ""

    def draw(self, look: Look) -> None:
        """Draw the table beside the pointer."""
        if self.table is None or not self.table.values:
            return
        heading = f"t = {clock(self.table.time, self._span)}"
        pad, line, side = look.px(PAD), imgui.get_text_line_height(), look.px(SWATCH)
        left = side + look.px(6)
        names = max(width_of(value.label) for value in self.table.values)
        numbers = max(width_of(value.written) for value in self.table.values)
        width = 2.0 * pad + max(width_of(heading), left + names + look.px(COLUMN) + numbers)
        height = 2.0 * pad + line * (1 + len(self.table.values)) + look.px(3)
        io = imgui.get_io()
        window, mouse = Rect(0, 0, int(io.display_size.x), int(io.display_size.y)), io.mouse_pos
        x, y = windows.beside(look, window, (mouse.x, mouse.y), (width, height))
        with windows.card(look, "Values", Rect(round(x), round(y), round(width), round(height)), mouse=False):
            p, x, y = look.palette, round(x + pad), round(y + pad)
            text(x, y, p.dim, heading)
            y += line + look.px(3)
            for value in self.table.values:
                middle = round(y + 0.5 * (line - side))
                low, high = (x, middle), (x + side, middle + side)
                imgui.get_window_draw_list().add_rect_filled(low, high, u32(value.color), look.px(2))
                text(x + left, y, p.text, value.label)
                text_right(x + width - 2.0 * pad, y, p.text, value.written)
                y += line


def clock(time: float, span: float) -> str:
    """Return a time [s] as text, as precisely as one can point at it on an axis that covers `span` [s]."""
    unit = suited("s", span)
    decimals = max(0, 4 - floor(log10(span / unit.size)))
    return f"{time / unit.size:.{decimals}f} {unit.name}".replace("-", MINUS)


def legend_shows(label: str) -> bool:
    """Return whether the legend of the present plot has not switched this curve off."""
    item = implot.internal.get_item(label)
    return item is None or bool(item.show)
