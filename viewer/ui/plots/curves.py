"""What the plots draw: curves, their colours, the limits of their axes and the numbers on them. Knows no ImPlot."""

from math import ceil, floor, log10

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.scenario.choices.themes import Theme
from viewer.scene.annotations.axes import axis_colors
from viewer.session.plot_data import NAMES
from viewer.session.quantities import QUANTITIES, Pane, Quantity

FLOOR = 1e-17  # 0 is drawn here on a logarithmic scale: below every error that float64 knows
LOWEST = 4e-18
FLATTEST = 1e-3  # of a value: a curve that varies by less is drawn as flat

Array = NDArray[np.float64]
Curves = list[tuple[Array, Array, int]]  # rows of least and of largest values; level, 0: of single moments
Line = tuple[Quantity, Array, Array]  # with times and values


def curves_of(pane: Pane, curves: Curves, log: bool) -> list[Line]:
    """The curves of a plot: of rows that stand for a stretch least and largest value, one after the other."""
    found = []
    for number, name in enumerate(NAMES, start=1):
        quantity = QUANTITIES[name]
        for low, high, level in curves if quantity.pane == pane.name else ():
            least, largest = low[:, number], high[:, number]
            if log:
                bounds = np.maximum(np.abs(least), FLOOR), np.maximum(np.abs(largest), FLOOR)
                least, largest = np.minimum(*bounds), np.maximum(*bounds)
            if len(largest) < 2 or not np.isfinite(largest).any():
                continue
            times, values = low[:, 0], largest
            if level:
                falls = np.gradient(least + largest) < 0.0  # then the largest comes first
                ends = np.where(falls, largest, least), np.where(falls, least, largest)
                times = np.column_stack((low[:, 0], high[:, 0])).ravel()
                values = np.column_stack(ends).ravel()
            found.append((quantity, np.ascontiguousarray(times), np.ascontiguousarray(values)))
    return found


def ticks(begin: float, end: float, most: float) -> list[float]:
    """Round times between two times, at most `most` of them, or 2."""
    wanted = (end - begin) / max(most, 2.0)
    decade = 10.0 ** floor(log10(wanted))
    step = next(step * decade for step in (1.0, 2.0, 5.0, 10.0) if step * decade >= wanted * (1.0 - 1e-9))
    return [round(number * step, 12) for number in range(ceil(begin / step), floor(end / step) + 1)]


def color_of(theme: Theme, quantity: Quantity, principal_moments: Array) -> Color:
    """Of a curve: that which the same thing has in the scene."""
    name, _, axis = quantity.color.partition(".")
    if name == "axes":
        return axis_colors(theme, principal_moments)[int(axis)]
    found: Color = getattr(theme, name)
    return found


def limits_of(lines: list[Line], log: bool) -> tuple[float, float]:
    """Between which values a plot shows its curves."""
    finite = [values[np.isfinite(values)] for _, _, values in lines]
    values = np.concatenate(finite) if finite else np.zeros(0)
    if log:
        high = max(float(values.max()) if len(values) else 0.0, 1e-14)
        return LOWEST, high * (high / LOWEST) ** 0.2  # room for the legend
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = 0.5 * max(high - low, FLATTEST * max(abs(low), abs(high)), 1e-12)
    middle = 0.5 * (low + high)
    return middle - 1.15 * room, middle + 1.45 * room
