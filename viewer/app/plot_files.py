"""The plots as files: the curves that are shown as a table, and a picture of them."""

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from viewer.common.output_files import NewFile
from viewer.export.image_renderer import Image
from viewer.session.plotted.plot_data import NAMES
from viewer.session.plotted.quantities import QUANTITIES
from viewer.ui.plots import race
from viewer.ui.plots.plots import Plots

UNIT_NAMES = {
    "J": "J",
    "kg m²/s": "kg_m2_per_s",
    "kg m/s": "kg_m_per_s",
    "rad/s": "rad_per_s",
    "rad": "rad",
    "1": "relative",
}


def table(plots: Plots) -> tuple[list[str], Iterator[list[float]]]:
    """(heading, rows) of the curves that are shown between the plots' edges; in a race: of the lanes' samples.

    Where not every row is kept any more, a row stands for a stretch of time: its beginning and end, least and largest
    value of each quantity.
    """
    if plots.race is not None:
        return race.table(plots.race, plots.hidden_lanes, plots.begin, plots.end)
    shown = {
        column: quantity
        for column, quantity in enumerate((QUANTITIES[name] for name in NAMES), start=1)
        if quantity.pane in plots.panes and plots.shown[quantity.pane]
    }
    curves = plots.finest()
    condensed = any(level for *_, level in curves)
    names = [f"{quantity.name}_{UNIT_NAMES[quantity.unit]}" for quantity in shown.values()]
    heading = ["time_s", *names]
    if condensed:
        heading = ["time_s", "time_end_s", *(f"{name}_{end}" for name in names for end in ("min", "max"))]

    def rows() -> Iterator[list[float]]:
        columns = list(shown)
        for least, largest, _ in curves:
            inside = (largest[:, 0] >= plots.begin) & (least[:, 0] <= plots.end)
            for low, high in zip(least[inside], largest[inside], strict=True):
                if not condensed:
                    yield [low[0], *low[columns]]
                else:
                    yield [low[0], high[0], *np.stack((low[columns], high[columns]), axis=1).ravel()]

    return heading, rows()


def write_csv(plots: Plots, new: NewFile) -> Path:
    """Writes the table into a new file; an empty cell stands for no value. Raises InputError."""
    heading, rows = table(plots)
    with new as file:
        file.write((",".join(heading) + "\n").encode())
        for row in rows:
            cells = ("" if np.isnan(value) else repr(float(value)) for value in row)
            file.write((",".join(cells) + "\n").encode())
    return new.path


def write_png(pixels: Image, new: NewFile) -> Path:
    """Writes a picture (H, W, 3) into a new file. Raises InputError."""
    from PIL import Image  # here: only exports need it

    data = io.BytesIO()  # to a file Pillow would write past it, by its descriptor
    Image.fromarray(pixels).save(data, format="PNG")
    with new as file:
        file.write(data.getbuffer())
    return new.path
