"""The curves of the plots as tables: a heading, and rows of numbers, nan where there is no value."""

from collections.abc import Iterator
from itertools import chain
from math import nan

import numpy as np

from viewer.race.live import LaneRows, LiveRace
from viewer.session.plot_data import NAMES
from viewer.session.quantities import QUANTITIES
from viewer.ui.plots.curves import Curves
from viewer.ui.plots.race import Values, field_values, omega_values, phase_values

Table = tuple[list[str], Iterator[list[float]]]

UNIT_NAMES = {
    "J": "J",
    "kg m²/s": "kg_m2_per_s",
    "kg m/s": "kg_m_per_s",
    "rad/s": "rad_per_s",
    "rad": "rad",
    "1": "relative",
}
# of a race: the name of a column, with the unit, and its values
COLUMNS: dict[str, Values] = {
    "energy_factor_per_kg_m2": field_values("energy_factor"),
    "momentum_relative": field_values("momentum_ratio"),
    "energy_relative": field_values("energy_ratio"),
    "phase_error_rad": phase_values,
    "momentum_across_1_relative": field_values("across_1"),
    "momentum_across_2_relative": field_values("across_2"),
    "momentum_body_smallest_relative": field_values("body_smallest"),
    "momentum_body_middle_relative": field_values("body_middle"),
    "momentum_body_largest_relative": field_values("body_largest"),
    **{f"omega_{name}_body_rad_per_s": omega_values(axis) for axis, name in enumerate("xyz")},
}


def motion_table(curves: Curves, panes: set[str], begin: float, end: float) -> Table:
    """Return the quantities of these plots between the times `begin` and `end` [s].

    Where not every row is kept any more, a row stands for a stretch of time: its beginning and end, least and largest
    value of each quantity.
    """
    shown = {
        column: quantity
        for column, quantity in enumerate((QUANTITIES[name] for name in NAMES), start=1)
        if quantity.pane in panes
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


def race_table(race: LiveRace, hidden: tuple[str, ...], begin: float, end: float) -> Table:
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
