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

    Cubic pieces whose slopes keep every piece between its ends: nothing overshoots (Fritsch and Butland, "A method for
    constructing local monotone piecewise cubic interpolants", 1984).
    """
    if len(times) == 1 or time <= times[0]:
        return np.asarray(values[0])
    if time >= times[-1]:
        return np.asarray(values[-1])
    steps = np.diff(times)[:, None]
    slopes = np.diff(values, axis=0) / steps
    before, after, h, k = slopes[:-1], slopes[1:], steps[:-1], steps[1:]
    same = before * after > 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = 3.0 * (h + k) / ((2.0 * k + h) / before + (k + 2.0 * h) / after)
    tangents = np.zeros_like(values)
    tangents[1:-1] = np.where(same, mean, 0.0)
    i = int(np.searchsorted(times, time, side="right")) - 1
    length = times[i + 1] - times[i]
    t = (time - times[i]) / length
    return np.asarray(
        (1 + 2 * t) * (1 - t) ** 2 * values[i]
        + t * (1 - t) ** 2 * length * tangents[i]
        + t * t * (3 - 2 * t) * values[i + 1]
        + t * t * (t - 1) * length * tangents[i + 1]
    )


def _wrapped(degrees: float) -> float:
    return (degrees + 180.0) % 360.0 - 180.0
