"""The picture of the panel's torques over time: what each reaches in every column of pixels."""

from collections.abc import Sequence
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.physics.loads import Thruster, TorquePiece
from viewer.ui.platform.imgui_module import imgui, implot
from viewer.ui.plots import chart
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look

HEIGHT = 76.0  # at scale 1
SHOWN = {"constant": 5.0, "thruster": 5.0}  # s of what has no end
CYCLES = 4.0  # of a sine or of pulses without an end

Array = NDArray[np.float64]
Part = TorquePiece | Thruster
Color = tuple[float, float, float]


class TorquePicture:
    """Draws it; holds ImPlot's context from the first time on."""

    def __init__(self) -> None:
        self._context: Any = None

    def draw(self, look: Look, parts: tuple[Part, ...], colors: Sequence[Color], now: float) -> None:
        """The torques over time, as wide as there is room, with a line at the present time [s]."""
        begin, end = window_of(parts, now)
        width = imgui.get_content_region_avail().x
        columns = np.linspace(begin, end, max(2, round(width)) + 1)
        most = max(map(size_of, parts)) or 1.0
        if self._context is None:
            self._context = implot.create_context()
        implot.set_current_context(self._context)
        flags = chart.PLOT | implot.Flags_.no_inputs.value | implot.Flags_.no_legend.value
        with chart.applied(look), scopes.plot("torque in time", (width, look.px(HEIGHT)), flags) as seen:
            if not seen:
                return
            axis = chart.X_AXIS | implot.AxisFlags_.no_grid_lines.value
            implot.setup_axes("", "", axis, axis)
            implot.setup_axis_limits(chart.X, begin, end, imgui.Cond_.always.value)
            implot.setup_axis_limits(chart.Y, -1.15 * most, 1.15 * most, imgui.Cond_.always.value)
            for number, (part, color) in enumerate(zip(parts, colors, strict=True)):
                chart.line(look, f"##{number}", color, *line_of(part, columns), 1.5)
            chart.draw_now(look, now)

    def release(self) -> None:
        """Delete ImPlot's context; the ImGui context must be current."""
        if self._context is not None:
            implot.destroy_context(self._context)
            self._context = None


def window_of(parts: tuple[Part, ...], now: float) -> tuple[float, float]:
    """Return the times [s] that are shown: all that begins and ends, and some cycles of what does not; around `now`
    later."""
    begin = min(part.times[0] if isinstance(part, Thruster) else part.start for part in parts)
    last = max(_end_of(part) for part in parts)
    span = max(last - begin, 1e-3)
    margin = 0.05 * span
    if begin - margin <= now <= last + margin:
        return begin - margin, last + margin
    if now < begin:
        return now - margin, max(last, now + span) + margin
    return now - 0.7 * span, now + 0.4 * span


def _end_of(part: Part) -> float:
    if isinstance(part, Thruster):
        return part.times[-1] if len(part.times) % 2 == 0 else part.times[-1] + SHOWN["thruster"]
    if isfinite(part.end):
        return part.end
    cycle = {"sine": 1.0 / part.frequency, "pulse-train": part.period}.get(part.kind)
    return part.start + (SHOWN["constant"] if cycle is None else CYCLES * cycle)


def size_of(part: Part) -> float:
    """Return the largest magnitude of its torque [N m]."""
    return float(np.linalg.norm(part.torque if isinstance(part, Thruster) else part.amplitude))


def line_of(part: Part, columns: Array) -> tuple[Array, Array]:
    """Times [s] and values [N m] (2 n,) of a line through the least and the largest value in each of n columns.

    columns: the times (n + 1,) of their edges, rising.
    """
    low, high = envelope_of(part, columns)
    middle = low + high
    rises = np.append(middle[1:] >= middle[:-1], True)
    values = np.where(rises, (low, high), (high, low)).T.ravel()
    return np.repeat(0.5 * (columns[:-1] + columns[1:]), 2), size_of(part) * values


def envelope_of(part: Part, columns: Array) -> tuple[Array, Array]:
    """Return the least and the largest number (n,) in each column that the part's torque is multiplied by."""
    if isinstance(part, TorquePiece):
        return _within(part, columns, part.start, part.end)
    low, high = np.max([_within(part, columns, on, off) for on, off in part.burns(-inf, inf)], axis=0)
    return low, high


def _within(part: Part, columns: Array, start: float, end: float) -> tuple[Array, Array]:
    """Return the same of what acts from start to end."""
    first, last = columns[:-1], columns[1:]
    a, b = np.maximum(first, start) - start, np.minimum(last, end) - start
    low, high = np.ones_like(a), np.ones_like(a)
    kind = "constant" if isinstance(part, Thruster) else part.kind
    if isinstance(part, TorquePiece) and kind == "ramp":
        low, high = a / (end - start), b / (end - start)
    elif isinstance(part, TorquePiece) and kind == "sine":
        p, q = part.frequency * a, part.frequency * b
        ends = np.sin(2.0 * np.pi * np.array((p, q)))
        low = np.where(np.ceil(p - 0.75) <= q - 0.75, -1.0, ends.min(axis=0))
        high = np.where(np.ceil(p - 0.25) <= q - 0.25, 1.0, ends.max(axis=0))
    elif isinstance(part, TorquePiece) and kind == "pulse-train":
        m = np.floor(a / part.period)
        wraps = np.floor(b / part.period) > m
        high = np.where(wraps | (a - m * part.period < part.width), 1.0, 0.0)
        low = np.where((part.width < part.period) & (wraps | (b - m * part.period > part.width)), 0.0, 1.0)
    acts, rests = a < b, (first < start) | (last > end)
    low, high = np.where(rests, np.minimum(low, 0.0), low), np.where(rests, np.maximum(high, 0.0), high)
    return np.where(acts, low, 0.0), np.where(acts, high, 0.0)
