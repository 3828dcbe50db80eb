"""How the camera is placed: its distance, the room that it leaves for an inset, and its path in a film."""

import math
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
AT_POLE = 1e-3  # rad: closer to the axis, the target keeps the height that it has at this angle


@frozen
class Subject:
    """The figure around `centre` (3,) that the camera looks at, and the frame about whose upright axis it turns.

    `profile` is the outline that must fit into the picture at zoom 1, seen from `polar_angle_deg`.
    """

    frame_from_world: Array
    centre: Array
    profile: Profile
    polar_angle_deg: float


def _outermost(profile: Profile, fineness: int) -> Array:
    """Return the right half of the outermost points (3, N), m: to the right, upright and towards the eye.

    Each corner of the profile has `fineness` of them around the axis. The left half is the mirror image.
    """
    around = np.linspace(0.0, math.pi, fineness)
    out, up = np.array(profile).T
    sideways, towards = np.outer(out, np.sin(around)), np.outer(out, np.cos(around))
    return np.stack([sideways.ravel(), np.repeat(up, fineness), towards.ravel()])


def height_in(cell: tuple[float, float], subject: Subject, view: View, room: tuple[float, float] = (0.0, 0.0)) -> float:
    """Return the height at which a metre of the subject appears in a cell of this width and height, px.

    It is correct up to a factor that is the same for all cells. `room` is as in `framed`.
    """
    fitted, field_of_view = math.radians(subject.polar_angle_deg), math.radians(view.field_of_view_deg)
    free = cell[1] * (1.0 - sum(room))
    return free / fit(subject.profile, fitted, field_of_view, cell[0] / free)[1]


def framed(
    subject: Subject, view: View, aspect: float, inset: Box | None = None, room: tuple[float, float] = (0.0, 0.0)
) -> Camera:
    """Return the camera that `view` asks for, for a picture of this aspect, with an inset in its lower right corner.

    `room` holds the fractions of the picture's height that lines of text above and below the figure take. A zoom below
    1 moves the camera away. A larger one leaves it where all fits and narrows its field of view: the picture grows, and
    the camera never enters what it shows.
    """
    field_of_view = math.radians(view.field_of_view_deg)
    profile, fitted = subject.profile, math.radians(subject.polar_angle_deg)
    (above, below), fraction = room, 1.0 - sum(room)
    height, distance = fit(profile, fitted, field_of_view, aspect / fraction)
    right, up = 0.0, 0.5 * (below - above)
    if inset is not None:  # the figure is left of it or above it, whichever makes it larger
        free, top = inset[0], inset[1] + inset[3]
        height, distance = fit(profile, fitted, field_of_view, free * aspect)
        higher, farther = fit(profile, fitted, field_of_view, aspect / (1.0 - top))
        right = 0.5 * (free - 1.0) * aspect
        if farther / (1.0 - top) < distance:
            height, distance, fraction, right, up = higher, farther, 1.0 - top, 0.0, 0.5 * top
    return look(
        subject.frame_from_world,
        height * subject.frame_from_world[2] + subject.centre,
        math.radians(view.polar_angle_deg),
        math.radians(view.azimuth_deg),
        distance / (min(view.zoom, 1.0) * fraction),
        zoomed_field_of_view(view),
        (view.pan[0] + right, view.pan[1] + up),
    )


def zoomed_field_of_view(view: View) -> float:
    """Return the vertical angle of view [rad] of a view, which a zoom above 1 narrows."""
    return 2.0 * math.atan(math.tan(0.5 * math.radians(view.field_of_view_deg)) / max(view.zoom, 1.0))


@lru_cache(maxsize=256)
def fit(profile: Profile, polar_angle: float, field_of_view: float, aspect: float) -> tuple[float, float]:
    """Return the height of the camera's target on the upright axis and its distance from there, [m].

    Seen from `polar_angle` [rad], the profile then just fits. As the target rises, the distance that the upper side
    requires falls, and that of the lower side rises: the larger of them is least where they are equal.
    """
    sideways, z, towards = _outermost(profile, 25)
    st, ct = max(math.sin(polar_angle), AT_POLE), math.cos(polar_angle)
    tan_up = math.tan(0.5 * field_of_view) / FIT_MARGIN
    near, upward = towards * st + z * ct, (z * st - towards * ct) / tan_up
    above, below = float(np.max(near + upward)), float(np.max(near - upward))
    height = 0.5 * (above - below) * tan_up / st
    beside_it = float(np.max(near + sideways / (tan_up * aspect))) - height * ct
    return height, max(0.5 * (above + below) - height * ct, beside_it, 1e-6)


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
        zoom = min(max(math.exp(zoom), 0.05), 50.0)
        right, up = (zoom / view.zoom * shift for shift in view.pan)  # what is in the middle of the picture stays there
        view = replace(view, polar_angle_deg=polar_angle, azimuth_deg=_wrapped(azimuth), zoom=zoom, pan=(right, up))
    return replace(scenario, view=view)


def smooth(times: Array, values: Array, time: float) -> Array:
    """Return the values (n,) at `time` on a smooth curve through `values` (k, n) at `times` (k,), at rest at both ends.

    It consists of cubic pieces whose slopes keep each piece between the values at its ends, so it never overshoots.
    """
    from scipy.interpolate import PchipInterpolator  # scipy takes 0.3 s to import, and few films need it

    # one more key beyond either end, with the values of that end, makes the slope there 0
    widened = np.concatenate([times[:1] - 1.0, times, times[-1:] + 1.0])
    curve = PchipInterpolator(widened, np.concatenate([values[:1], values, values[-1:]]))
    return np.asarray(curve(np.clip(time, times[0], times[-1])))


def _wrapped(degrees: float) -> float:
    return (degrees + 180.0) % 360.0 - 180.0
