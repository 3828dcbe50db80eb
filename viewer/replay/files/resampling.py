"""A sensor's values at the times of another one."""

import numpy as np
from numpy.typing import NDArray

from viewer.common.language import tr

Array = NDArray[np.float64]


def at_times(time: Array, own: Array, columns: dict[str, Array], warnings: list[str]) -> dict[str, Array]:
    """Columns (M,) of times `own` (M,) at the times `time` (N,), by straight lines; nan beyond their ends.

    None and a warning where these times run back, or are too few.
    """
    usable = np.logical_and.reduce([np.isfinite(own), *(np.isfinite(column) for column in columns.values())])
    own = own[usable]
    if len(own) < 2 or (np.diff(own) < 0.0).any():
        warnings.append(tr("left out the accelerometer: its times run back, or it has fewer than two rows"))
        return {}
    step = float(np.median(np.diff(own)))
    outside = (time < own[0] - step) | (time > own[-1] + step)
    return {role: np.where(outside, np.nan, np.interp(time, own, column[usable])) for role, column in columns.items()}
