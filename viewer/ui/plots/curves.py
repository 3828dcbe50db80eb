"""The contents of the plots, without ImPlot: curves and their colours, limits and numbers of the axes, tables."""

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10, nan

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.scenario.choices.themes import Theme
from viewer.scene.annotations.labels import axis_colors
from viewer.scene.words.formatting import MINUS, SUPERSCRIPTS
from viewer.session.plot_data import NAMES, HeldData, PlotData
from viewer.session.quantities import QUANTITIES, Pane, Quantity

FLOOR = 1e-17  # 0 is drawn here on a logarithmic scale: below every error that float64 knows
LOWEST = 4e-18  # the lower end of a logarithmic axis
LARGEST_GAP = 0.25  # the largest fraction of a plot's height that is kept free for text
EDGE = 0.05  # fraction of its height that is at least kept free above and below the curves
MOST = 500  # pairs of least and largest values to which a longer curve is thinned
FLATTEST = 1e-3  # fraction of a value: a curve that varies by less is drawn as flat

UNIT_NAMES = {
    "J": "J",
    "kg m²/s": "kg_m2_per_s",
    "kg m/s": "kg_m_per_s",
    "rad/s": "rad_per_s",
    "rad": "rad",
    "1": "relative",
}

Array = NDArray[np.float64]
CurveTable = tuple[list[str], Iterator[list[float]]]  # a heading, and rows of numbers, nan where there is no value
Curves = list[tuple[Array, Array, int]]  # rows of least values, and of largest; level, 0 for rows of single moments
Line = tuple[Quantity, Array, Array]  # a quantity, its times and its values


def curves_of(pane: Pane, curves: Curves, log: bool) -> list[Line]:
    """Return the curves of a plot; a row for a stretch of time adds its least and its largest value to a curve."""
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


def nearest(known: PlotData | HeldData, time: float) -> tuple[Array, Array] | None:
    """Return two arrays (1 + number of QUANTITIES,), each with the time first: the values nearest to a time [s].

    Both arrays are those of the nearest sample. If single samples are no longer kept, they are the least and the
    largest values in the nearest stretch of time. None if there is no sample yet.
    """
    rows = [row for low, high, _ in known.between(time, time, 1) for row in zip(low, high, strict=True)]
    return min(rows, key=lambda row: max(row[0][0] - time, time - row[1][0], 0.0), default=None)


def ticks(begin: float, end: float, most: float) -> list[float]:
    """Return round numbers between two numbers, at most `most` of them, or a few more to have at least 2."""
    wanted = (end - begin) / max(most, 2.0)
    decade = 10.0 ** floor(log10(wanted))
    steps = [step * decade for step in (10.0, 5.0, 2.0, 1.0, 0.5)]
    enough = sum(step >= wanted * (1.0 - 1e-9) for step in steps)
    for step in steps[enough - 1 :]:
        found = [float(f"{count * step:.12g}") for count in range(ceil(begin / step), floor(end / step) + 1)]
        if len(found) >= 2:
            break
    return found


def color_of(theme: Theme, quantity: Quantity, principal_moments: Array) -> Color:
    """Return the colour of a curve, which is that of the same thing in the scene."""
    name, _, axis = quantity.color.partition(".")
    if name == "axes":
        return axis_colors(theme, principal_moments)[int(axis)]
    found: Color = getattr(theme, name)
    return found


def numbers(values: list[float]) -> list[str]:
    """Return the texts at the ticks of an axis: all have equally many decimals and, if need be, one power of ten."""
    largest = max(map(abs, values), default=0.0)
    power = 0 if largest == 0.0 or 1e-4 <= largest < 1e6 else floor(log10(largest))
    shown = [float(f"{value / 10.0**power:.12g}") for value in values]
    decimals = max((len(f"{value:.12f}".rstrip("0").partition(".")[2]) for value in shown), default=0)
    behind = f"·{power_of_ten(power)}" if power else ""
    return [f"{value:.{decimals}f}".replace("-", MINUS) + (behind if value else "") for value in shown]


def decades(low: float, high: float, most: float) -> list[int]:
    """Return the exponents of evenly spaced powers of ten between two positive numbers.

    There are at most `most` + 1 of them, or 3 if `most` is less than 2.
    """
    first, last = ceil(log10(low)), floor(log10(high))
    step = max(1, ceil((last - first) / max(most, 2.0)))
    return list(range(last, first - 1, -step))


def power_of_ten(power: int) -> str:
    """Return a power of ten as it is written at a tick."""
    return f"10{str(power).translate(SUPERSCRIPTS)}"


def limits_of(lines: list[Line], log: bool, above: float = 0.0) -> tuple[float, float]:
    """Return the limits of a plot's axis of values; the fraction `above` of its height is free above the curves."""
    free = min(max(above, EDGE), LARGEST_GAP)
    finite = [values[np.isfinite(values)] for _, _, values in lines]
    values = np.concatenate(finite) if finite else np.zeros(0)
    if log:
        high = max(float(values.max()) if len(values) else 0.0, 1e-14)
        return LOWEST, high * (high / LOWEST) ** (free / (1.0 - free))
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = 0.5 * (max(high - low, FLATTEST * max(abs(low), abs(high))) or 1e-12)
    middle = 0.5 * (low + high)
    height = 2.0 * room / (1.0 - EDGE - free)
    return middle - room - EDGE * height, middle + room + free * height


def broken(times: Array, values: Array, gaps: Sequence[tuple[float, float]]) -> tuple[Array, Array]:
    """Return a curve of times (N,) and values (N, ...) with one row of nan in place of the rows in each gap."""
    begins, ends = np.array(gaps, dtype=np.float64).reshape(-1, 2).T
    firsts, lasts = np.searchsorted(times, begins, side="right"), np.searchsorted(times, ends)
    seen = (lasts > 0) & (firsts < len(times))
    if not seen.any():
        return times, values
    firsts, lasts, middles = firsts[seen], lasts[seen], 0.5 * (begins + ends)[seen]
    deep = np.zeros(len(times) + 1, dtype=np.intp)  # change of the number of gaps in which a row lies
    np.add.at(deep, firsts, 1)
    np.add.at(deep, lasts, -1)
    kept = np.cumsum(deep[:-1]) == 0
    places = np.concatenate(([0], np.cumsum(kept)))[firsts]
    return np.insert(times[kept], places, middles), np.insert(values[kept], places, nan, axis=0)


def thinned(times: Array, values: Array) -> tuple[Array, Array]:
    """Return a curve as it is or, if it is long, as the least and the largest value of each of its stretches."""
    if len(values) <= 2 * MOST:
        return np.ascontiguousarray(times), np.ascontiguousarray(values)
    each = -(-len(values) // MOST)
    starts = np.arange(0, len(values), each)
    low, high = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
    falls = values[starts] > values[np.minimum(starts + each, len(values)) - 1]
    pairs = np.where(falls[:, None], np.column_stack((high, low)), np.column_stack((low, high)))
    return np.repeat(times[starts], 2), pairs.ravel()


def _known(curves: Curves, column: int) -> bool:
    """Tell whether a quantity has a value anywhere, or nothing has."""
    return not curves or any(np.isfinite(least[:, column]).any() for least, _, _ in curves)


def motion_table(curves: Curves, panes: set[str], begin: float, end: float) -> CurveTable:
    """Return the quantities of these plots between the times `begin` and `end` [s].

    If single samples are no longer kept, each row is for a stretch of time, and has its beginning and end, and the
    least and the largest value of each quantity.
    """
    shown = {
        column: quantity
        for column, quantity in enumerate((QUANTITIES[name] for name in NAMES), start=1)
        if quantity.pane in panes and _known(curves, column)
    }
    condensed = any(level for *_, level in curves)
    names = [f"{quantity.name}_{UNIT_NAMES[quantity.unit]}" for quantity in shown.values()]
    heading = ["time_s", *names]
    if condensed:
        heading = ["time_s", "time_end_s", *(f"{name}_{end}" for name in names for end in ("min", "max"))]

    def rows() -> Iterator[list[float]]:
        columns = list(shown)
        for least, largest, _ in curves:
            inside = (largest[:, 0] >= begin) & (least[:, 0] <= end)
            for low, high in zip(least[inside], largest[inside], strict=True):
                if not condensed:
                    yield [low[0], *low[columns]]
                else:
                    yield [low[0], high[0], *np.stack((low[columns], high[columns]), axis=1).ravel()]

    return heading, rows()
