"""What the camera shows of a scene: from how far, how it makes room for an inset, and along which path in a film."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import View
from viewer.scene.camera.camera import Camera, look
from viewer.scene.camera.sweep import Profile
from viewer.scene.stereo.views import Box

Array = NDArray[np.float64]

FIT_MARGIN = 1.08  # room around what must fit, labels included
AT_POLE = 1e-3  # rad: nearer to the axis the height of the target is as it is here


@frozen
class Subject:
    """What the camera looks at around `centre` (3,), as it turns about the upright axis of its frame.

    `profile`: what must fit into the picture at zoom 1, seen from `polar_angle_deg`.
    """

    frame_from_world: Array
    centre: Array
    profile: Profile
    polar_angle_deg: float


def _outermost(profile: Profile, fineness: int) -> Array:
    """Return half of the outermost points, (3, N), to the right, upright and towards the eye, m.

    There are `fineness` of them around the axis. The other half is the mirror image.
    """
    around = np.linspace(0.0, math.pi, fineness)
    out, up = np.array(profile).T
    sideways, towards = np.outer(out, np.sin(around)), np.outer(out, np.cos(around))
    return np.stack([sideways.ravel(), np.repeat(up, fineness), towards.ravel()])


def height_in(cell: tuple[float, float], subject: Subject, view: View, room: tuple[float, float] = (0.0, 0.0)) -> float:
    """Return how high a metre of the subject appears in a cell of that width and height, px.

    This is up to a factor that is the same in all cells. `room`: as in `framed`.
    """
    fitted, field_of_view = math.radians(subject.polar_angle_deg), math.radians(view.field_of_view_deg)
    free = cell[1] * (1.0 - sum(room))
    return free / fit(subject.profile, fitted, field_of_view, cell[0] / free)[1]


def framed(
    subject: Subject, view: View, aspect: float, inset: Box | None = None, room: tuple[float, float] = (0.0, 0.0)
) -> Camera:
    """Return the camera that `view` asks for, for a picture of that aspect, with an inset in its lower right corner.

    The inset keeps the margin to the figure that it has to the picture's sides. `room`: the fractions of the picture's
    height that lines above and below the figure take.
    """
    field_of_view = math.radians(view.field_of_view_deg)
    profile, fitted = subject.profile, math.radians(subject.polar_angle_deg)
    (above, below), fraction = room, 1.0 - sum(room)
    height, distance = fit(profile, fitted, field_of_view, aspect / fraction)
    right, up = 0.0, 0.5 * (below - above)
    if inset is not None:
        left, low, across, tall = inset
        (right, up), fraction = beside(
            profile, fitted, field_of_view, aspect, 2.0 * left + across - 1.0, 2.0 * low + tall
        )
    return look(
        subject.frame_from_world,
        height * subject.frame_from_world[2] + subject.centre,
        math.radians(view.polar_angle_deg),
        math.radians(view.azimuth_deg),
        distance / (view.zoom * fraction),
        field_of_view,
        (view.pan[0] + right, view.pan[1] + up),
    )


@lru_cache(maxsize=256)
def fit(profile: Profile, polar_angle: float, field_of_view: float, aspect: float) -> tuple[float, float]:
    """Return the height of the camera's target on the upright axis and its distance from there, [m].

    All then just fits, seen from that `polar_angle` [rad]. The distance that the upper side asks for falls with the
    target's height as the lower side's rises: where they are the same, it is least.
    """
    sideways, z, towards = _outermost(profile, 25)
    st, ct = max(math.sin(polar_angle), AT_POLE), math.cos(polar_angle)
    tan_up = math.tan(0.5 * field_of_view) / FIT_MARGIN
    near, upward = towards * st + z * ct, (z * st - towards * ct) / tan_up
    above, below = float(np.max(near + upward)), float(np.max(near - upward))
    height = 0.5 * (above - below) * tan_up / st
    beside_it = float(np.max(near + sideways / (tan_up * aspect))) - height * ct
    return height, max(0.5 * (above + below) - height * ct, beside_it, 1e-6)


@lru_cache(maxsize=256)
def beside(
    profile: Profile,
    polar_angle: float,
    field_of_view: float,
    aspect: float,
    left: float,
    top: float,
) -> tuple[tuple[float, float], float]:
    """Return how far the fitted figure moves to the right and up to keep off an inset, and the fraction of its size.

    The inset reaches from `left` to the right side of the picture and from below up to `top`, as fractions of it. The
    figure's way is in heights of the view. The figure moves away from it as far as it must and can; where that
    does not do, it shrinks.
    """
    centre, distance = fit(profile, polar_angle, field_of_view, aspect)
    sideways, z, towards = _outermost(profile, 41)
    st, ct = math.sin(polar_angle), math.cos(polar_angle)
    depth = (distance - towards * st - (z - centre) * ct) * 2.0 * math.tan(0.5 * field_of_view)
    x, y = sideways / depth, ((z - centre) * st - towards * ct) / depth  # in heights of the picture
    corner = np.array([aspect * (left - 0.5), top - 0.5])
    limit = 0.5 * np.array([aspect, 1.0]) / FIT_MARGIN

    def clear(fraction: float, moved: float) -> tuple[bool, float, float]:
        """Return whether the figure keeps off, moved by a fraction of what there is room for, and how far that is."""
        right = -moved * max(limit[0] - fraction * float(np.max(x)), 0.0)
        up = moved * max(limit[1] - fraction * float(np.max(y)), 0.0)
        inside = (fraction * x + right > corner[0]) & (fraction * y + up < corner[1])
        return not np.any(inside), right, up

    fraction, moved = 1.0, 0.0
    if not clear(1.0, 0.0)[0]:
        if clear(1.0, 1.0)[0]:
            moved = _least(lambda value: clear(1.0, value)[0])
        else:
            fraction, moved = 1.0 - _least(lambda value: clear(1.0 - value, 1.0)[0]), 1.0
    _, right, up = clear(fraction, moved)
    return (right, up), fraction


def _least(holds: Callable[[float], bool]) -> float:
    """Return the least value in 0..1 from which on it holds."""
    low, high = 0.0, 1.0
    for _ in range(14):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def along_path(scenario: Scenario, seconds: float) -> Scenario:
    """Return the scene with the view that its camera path has at `seconds` on the film's clock."""
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
    """Return the values (n,) at `time` on a smooth curve through (k,) times, (k, n) values, at rest at both ends.

    Cubic pieces whose slopes keep every piece between its ends: nothing overshoots.
    """
    from scipy.interpolate import PchipInterpolator  # scipy takes 0.3 s to import, and few films need it

    # a key more at either end, with the values of the end, has it at rest there
    widened = np.concatenate([times[:1] - 1.0, times, times[-1:] + 1.0])
    curve = PchipInterpolator(widened, np.concatenate([values[:1], values, values[-1:]]))
    return np.asarray(curve(np.clip(time, times[0], times[-1])))


def _wrapped(degrees: float) -> float:
    return (degrees + 180.0) % 360.0 - 180.0
