"""What is plotted of a phone in the hand: the angular velocity that it has measured, as it comes."""

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.session.plot_data import NAMES

Array = NDArray[np.float64]

SHOWN = ("velocity",)  # plots that there are
OMEGA = [1 + NAMES.index(f"omega_{axis}") for axis in "xyz"]  # columns


@frozen
class HeldData:
    """time (N,) [s] since it began to measure, omega_body (N, 3) [rad/s]; `now`: the time in the picture. Is read as
    the PlotData of a motion."""

    time: Array
    omega_body: Array
    now: float

    why_no_phase = None

    def between(self, first: float, last: float, most: int) -> list[tuple[Array, Array, int]]:
        """The rows in these times and those beside them; of very many some, evenly chosen, at least `most`. Columns as
        those of PlotData, nan in all but the angular velocity."""
        begin, end = np.searchsorted(self.time, (first, last))
        rows = slice(max(int(begin) - 1, 0), int(end) + 1, max((int(end) - int(begin)) // most // 4, 1))
        found = np.full((len(self.time[rows]), 1 + len(NAMES)), np.nan)
        found[:, 0], found[:, OMEGA] = self.time[rows], self.omega_body[rows]
        return [(found, found, 0)]
