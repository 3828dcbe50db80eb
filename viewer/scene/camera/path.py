"""Where the camera is at which second of a film."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from viewer.scenario.scenario import Scenario

Array = NDArray[np.float64]


def at(scenario: Scenario, seconds: float) -> Scenario:
    """The scene with the view that its camera path has at `seconds` on the film's clock."""
    path, view = scenario.camera_path, scenario.view
    if path.kind == "orbit":
        view = replace(view, azimuth_deg=_wrapped(view.azimuth_deg + path.turn_rate * seconds))
    elif path.kind == "ride":
        view = replace(view, frame="body")
    elif path.kind == "keys" and path.keys:
        keys = np.array(path.keys)
        keys[:, 3] = np.log(keys[:, 3])
        polar_angle, azimuth, zoom = smooth(keys[:, 0], keys[:, 1:], seconds).tolist()
        view = replace(
            view,
            polar_angle_deg=polar_angle,
            azimuth_deg=_wrapped(azimuth),
            zoom=min(max(float(np.exp(zoom)), 0.05), 50.0),
        )
    return replace(scenario, view=view)


def smooth(times: Array, values: Array, time: float) -> Array:
    """The values (n,) at `time` on a smooth curve through (k,) times, (k, n) values, at rest at both ends.

    Cubic pieces whose slopes keep every piece between its ends: nothing overshoots.
    """
    from scipy.interpolate import PchipInterpolator  # here: scipy takes .3 s to import, and few films need it

    # a key more at either end, with the values of the end, has it at rest there
    widened = np.concatenate([times[:1] - 1.0, times, times[-1:] + 1.0])
    curve = PchipInterpolator(widened, np.concatenate([values[:1], values, values[-1:]]))
    return np.asarray(curve(np.clip(time, times[0], times[-1])))


def _wrapped(degrees: float) -> float:
    return (degrees + 180.0) % 360.0 - 180.0
