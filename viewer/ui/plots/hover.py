"""The pointer over a plot: the values of its curves at that time beside it; a click goes to that time."""

from collections.abc import Callable
from math import floor, log10

import numpy as np

from viewer.common.color import Color
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.common.quantities import suited
from viewer.scene.words.formatting import MINUS, short
from viewer.ui.layout import Rect
from viewer.ui.platform.imgui_module import imgui, implot
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import Look, text, text_right, width_of
from viewer.ui.widgets.style import u32

DIGITS, ERROR_DIGITS = 5, 3  # of a value, and of an error
PAD, SWATCH, COLUMN = 8.0, 9.0, 14.0  # at scale 1: in the card, side of a colour, between names and values
DOT = 3.0  # .. radius of the mark on a curve


@frozen
class Value:
    """The least and the largest value of a curve at a time, which are the same for a single sample.

    drawn: where the curve goes through there; None for more than one sample. `digits`: how many are written.
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
        """ "1.2345 J", or "1.2345 to 1.2401 J"."""
        unit = suited("" if self.unit == "1" else self.unit, self.low, self.high)
        low, high = (short(value / unit.size, self.digits) for value in (self.low, self.high))
        number = low if low == high else tr("{low} to {high}").format(low=low, high=high)
        return f"{number} {unit.name}".rstrip()


@frozen
class Table:
    """The values of a plot at the sample nearest to a time; `time` [s]: of that sample."""

    time: float
    values: list[Value]


class Hover:
    """What the pointer over the plots shows and does. `seek`: goes to a recorded time [s]; `now`: the time shown."""

    def __init__(self, seek: Callable[[float], object], now: Callable[[], float]) -> None:
        self._seek, self._now = seek, now
        self.silent = False  # no values are shown
        self.table: Table | None = None  # what is shown
        self._span = 1.0  # s between the edges of the plot under the pointer
        self._pressed = ""  # the plot in which the button went down
        self._before: float | None = None  # the time before the last click

    def begin(self) -> None:
        """Begin before the plots are drawn."""
        self.table = None

    def over(self, look: Look, name: str, table: Callable[[float], Table | None], labels: list[str]) -> None:
        """Follow the pointer over a plot, whose curves are drawn. `table` gives its values at a time [s]; `labels`
        are those of its legend's entries."""
        if not implot.is_plot_hovered() or any(implot.is_legend_entry_hovered(label) for label in labels):
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
        """Go to the time of a press and release at one place; a double click, which fits the axes, takes the first one
        back."""
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
    """Return a time [s] as finely as one can point at it on an axis of that span [s]."""
    unit = suited("s", span)
    decimals = max(0, 4 - floor(log10(span / unit.size)))
    return f"{time / unit.size:.{decimals}f} {unit.name}".replace("-", MINUS)


def legend_shows(label: str) -> bool:
    """Return whether the legend of the present plot has not switched this curve off."""
    item = implot.internal.get_item(label)
    return item is None or bool(item.show)
