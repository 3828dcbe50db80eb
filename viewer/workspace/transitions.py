"""Changes of the view by the mouse, and transitions of camera and eyes to the positions that the scene asks for.

The scene follows the hand: a drag to the right turns it to the right, a drag upwards shows it from further below. It
turns about its middle or, enlarged, about a point that one looks at. What is in the picture then turns within it, at
every zoom as at 1, and so a drag always turns by the same angle.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.scenario.choices.stereo_modes import MIDDLE, STEREO_MODES
from viewer.scenario.field import Number
from viewer.scenario.scenario import Scenario, field_at
from viewer.scenario.sections.picture import Stereo, View
from viewer.scene.camera.camera import Camera, look, smooth_step
from viewer.scene.camera.framing import zoomed_field_of_view
from viewer.scene.description import Frame
from viewer.scene.presentation import Transition
from viewer.scene.stereo.comfort import Eyes, same_eyes

HALF_TURN_DEG = 180.0  # turn by a drag over the height of the scene
ZOOM_STEP = 1.12  # factor of one notch of the wheel
ABOUT_POINT = (1.0, 2.0)  # zooms at which the scene turns about its middle, and about the point that one looks at

SECONDS = 0.3  # of a camera's transition
EYES_SECONDS = 0.12  # in which the rest of the eyes' transition shrinks to 1/e
LONGEST = 1.0 / 20.0  # s: a longer time between two pictures counts as this for the eyes' transition

FURTHEST_PAN = 0.8, 0.5  # heights of the picture that a drag may move the figure's middle away, at zoom 1
GLIDES = ("polar_angle_deg", "azimuth_deg", "zoom", "pan")  # of the view
# the octant of positive x', y', z' in momentum space fills the picture: x' to the lower left, y' to the right, z' up
OCTANT: dict[str, Any] = {"polar_angle_deg": 62.0, "azimuth_deg": 40.0, "zoom": 1.4, "pan": (0.0, -0.15)}

Array = NDArray[np.float64]
Changes = dict[str, object]
Place = tuple[float, float]  # to the right and up, in heights of the picture
MIDDLE_OF_SCENE = np.zeros(3)


def orbit(view: View, dx: float, dy: float, height: float, about: Array = MIDDLE_OF_SCENE) -> Changes:
    """Return the changes of the view by a drag that turns it.

    The drag goes `dx` px to the right and `dy` px up, over a scene `height` px tall. The point `about`, a result of
    `turning_point`, stays where it is in the picture.
    """
    degrees = HALF_TURN_DEG / max(height, 1.0)
    azimuth = wrapped(view.azimuth_deg - dx * degrees)
    polar_angle = clamped("view.polar_angle_deg", view.polar_angle_deg + dy * degrees)
    turned = replace(view, azimuth_deg=azimuth, polar_angle_deg=polar_angle)
    moved = view.pan + (_place(view, about) - _place(turned, about))
    right, up = (clamped("view.pan", shift) for shift in moved.tolist())
    return {"view.azimuth_deg": azimuth, "view.polar_angle_deg": polar_angle, "view.pan": (right, up)}


def turning_point(view: View, seen: Array) -> Array:
    """Return the point (3,) about which drags turn a view in which one looks at `seen`, a result of `seen_at`.

    It is counted from the middle of the scene along the axes of the view's frame, in distances of the camera. Not
    enlarged, the scene turns about its middle.
    """
    return np.asarray(smooth_step(view.zoom, *ABOUT_POINT) * (seen @ _axes(view)))


def _axes(view: View) -> Array:
    """Return the directions to the right, upwards and towards the eye in the view's frame, as rows (3, 3)."""
    angles = math.radians(view.polar_angle_deg), math.radians(view.azimuth_deg)
    camera = look(np.eye(3), MIDDLE_OF_SCENE, *angles, 1.0, 1.0)
    return np.stack([camera.right, camera.up, camera.backward])


def _place(view: View, point: Array) -> Array:
    """Return how far to the right of and above the middle of the scene a point, as of `turning_point`, appears (2,)."""
    seen = _axes(view) @ point
    return np.asarray(0.5 / math.tan(0.5 * zoomed_field_of_view(view)) / (1.0 - seen[2]) * seen[:2])


def pan(view: View, dx: float, dy: float, height: float) -> Changes:
    """Return the changes of the view by a drag that moves the picture.

    The drag goes `dx` px to the right and `dy` px up, over a scene `height` px tall. It does not move the figure out of
    the picture.
    """
    pans = []
    for before, moved, most in zip(view.pan, (dx, dy), FURTHEST_PAN, strict=True):
        most = max(most * max(view.zoom, 1.0), abs(before))
        pans.append(min(max(before + moved / max(height, 1.0), -most), most))
    return {"view.pan": tuple(pans)}


def zoom(view: View, zoomed: float, places: tuple[Place, Place, Place], home: Place) -> Changes:
    """Return the changes of the view by a zoom to `zoomed`.

    `places` are the point of the picture that stays in place, and the lower left and upper right corner of the picture,
    all three counted from where the middle of the scene appears. `home` is the pan at zoom 1: on the way back there,
    the view stays within what can be reached from there by zooming in around points of the picture. A zoom below 1
    leaves the middle of the scene in place.
    """
    before, after = max(view.zoom, 1.0) - 1.0, max(zoomed, 1.0) - 1.0
    pans = []
    for pan, own, still, low, high in zip(view.pan, home, *places, strict=True):
        moved = pan - (after - before) / (before + 1.0) * still
        # zooming in from home around points of the picture leads to between these; a hand may have moved it farther
        least, most = after * (own - pan - high), after * (own - pan - low)
        by_hand = (pan - own) * after / before if before > 0.0 else 0.0
        least, most = min(by_hand, least), max(by_hand, most)
        pans.append(clamped("view.pan", own + min(max(moved - own, least), most)))
    return {"view.zoom": zoomed, "view.pan": tuple(pans)}


def wrapped(degrees: float) -> float:
    """Return an angle [°] as the equal one within -180..180."""
    return (degrees + 180.0) % 360.0 - 180.0


def clamped(path: str, value: float) -> float:
    """Return the nearest value that the field at `path` allows."""
    field = field_at(path, Number)
    return min(field.high, max(field.low, value))


def smooth(t: float) -> float:
    """Return 0 for `t` up to 0, 1 for `t` from 1 on, and a smooth rise with level ends in between."""
    t = min(1.0, max(0.0, t))
    return t * t * (3.0 - 2.0 * t)


class CameraAnimator:
    """Moves camera and eyes of one window; `clock` returns seconds, those of a film while one is recorded."""

    def __init__(self, clock: Callable[[], float], home: View) -> None:
        """Begin at `home`, the view with which the scene was opened."""
        self._clock, self.home = clock, home
        self._pan: Place = (0.0, 0.0)  # the view's pan when its zoom was last at most 1
        self._glide: ViewTransition | None = None
        self._glide_began = 0.0
        self._before_octant: View | None = None  # the view before it was sent to the octant
        self._camera, self._eyes = CameraTransition(), EyeTransition()

    @property
    def gliding(self) -> bool:
        """Whether the view is on its way to another one."""
        return self._glide is not None

    def opened(self, home: View) -> None:
        """Stop gliding: a scene with the view `home` has been opened."""
        self.stop()
        self.home, self._pan = home, (0.0, 0.0)

    def zoom(self, view: View, notches: float, places: tuple[Place, Place, Place]) -> Changes:
        """Return the changes of the view when the wheel turns by `notches` away from the user.

        `places` are those of the function `zoom`.
        """
        return zoom(view, clamped("view.zoom", view.zoom * ZOOM_STEP**notches), places, self._unzoomed_pan(view))

    def with_middle(self, view: View, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the changes `values`; if they zoom without panning, with the pan that keeps the middle in place."""
        if "view.zoom" not in values or "view.pan" in values:
            return values
        middle, low, high = ((side - view.pan[0], side - view.pan[1]) for side in (0.0, -0.5, 0.5))
        return {**values, **zoom(view, values["view.zoom"], (middle, low, high), self._unzoomed_pan(view))}

    def _unzoomed_pan(self, view: View) -> Place:
        if view.zoom <= 1.0:
            self._pan = view.pan
        return self._pan

    def go_home(self, view: View) -> None:
        """Begin to glide from `view` to the view with which the scene was opened."""
        self.go_to(view, replace(self.home, polar_angle_deg=self.home.polar_angle_in(view.frame)))

    def show_octant(self, view: View) -> None:
        """Begin to glide from `view` to the first octant of momentum space."""
        if not self._in_octant(view):
            self._before_octant = view
        self.go_to(view, replace(view, **OCTANT))

    def leave_octant(self, view: View) -> None:
        """Begin to glide back from the octant to the view before it, if the view is still that of the octant."""
        if self._before_octant is not None and self._in_octant(view):
            self.go_to(view, self._before_octant)
        self._before_octant = None

    def _in_octant(self, view: View) -> bool:
        """Return whether the view shows the octant, or is on its way there."""
        end = view if self._glide is None else self._glide.end
        return all(getattr(end, name) == value for name, value in OCTANT.items())

    def go_to(self, view: View, end: View) -> None:
        """Begin to glide from `view` to `end`."""
        self._glide, self._glide_began = ViewTransition(view, end), self._clock()

    def stop(self) -> None:
        """Stop gliding, and stay at the present view."""
        self._glide = None

    def glide(self) -> Changes:
        """Return the changes of the view that are due now."""
        if self._glide is None:
            return {}
        glide, seconds = self._glide, self._clock() - self._glide_began
        if seconds >= SECONDS:
            self._glide = None
        return glide.at(seconds)

    def follow(self, scenario: Scenario, momentum: Array) -> Transition:
        """Return the transition of a picture that shows `scenario`; `momentum` (3,) is L in space."""
        now = self._clock()
        camera = self._camera.follow(followed_frame(scenario), momentum, now)
        return Transition(camera, self._eyes.follow(scenario.stereo, now), self._camera.scale)

    def hold(self, scale: float) -> None:
        """Keep the camera and the size of the construction unchanged while something is dragged in the picture.

        `scale` is the construction's metres per rad/s.
        """
        self.stop()
        self._camera.hold(scale)

    def let_go(self) -> None:
        """End the hold, and let the camera move to the position that the scene asks for."""
        self._camera.let_go(self._clock())

    def drawn(self, frame: Frame) -> None:
        """Note that this picture has been drawn."""
        self._camera.arrived(frame.main.camera)
        self._eyes.arrived(frame.main.eyes)

    @property
    def state(self) -> tuple[bool, float]:
        """Whether the eyes have arrived, and the fraction of its path that the camera has covered."""
        return self._eyes.there, self._camera.fraction(self._clock())

    def forget(self) -> None:
        """Begin anew: the next picture is of another scene, to which no transition leads."""
        self._before_octant = None
        self._camera.forget()
        self._eyes.forget()

    def with_eyes(self, stereo: Stereo, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the changes `values`, extended so that ending automatic comfort does not move the eyes."""
        return self._eyes.handed_over(stereo, values)


@frozen
class ViewTransition:
    """A transition from one view to another: azimuth the short way round, zoom by equal factors in equal times."""

    start: View
    end: View

    def at(self, seconds: float) -> Changes:
        """Return the view's values `seconds` after the beginning; from SECONDS on, they are exactly the end's."""
        s = smooth(seconds / SECONDS)
        a, b = self.start, self.end
        if s >= 1.0:
            return {f"view.{name}": getattr(b, name) for name in GLIDES}
        turn = wrapped(b.azimuth_deg - a.azimuth_deg)
        zoomed = clamped("view.zoom", a.zoom * (b.zoom / a.zoom) ** s)
        # so that a point on which the picture was enlarged stays where it is
        moved = s if math.isclose(a.zoom, b.zoom) else (zoomed - a.zoom) / (b.zoom - a.zoom)
        return {
            "view.polar_angle_deg": a.polar_angle_deg + s * (b.polar_angle_deg - a.polar_angle_deg),
            "view.azimuth_deg": wrapped(a.azimuth_deg + s * turn),
            "view.zoom": zoomed,
            "view.pan": tuple(p + moved * (q - p) for p, q in zip(a.pan, b.pan, strict=True)),
        }


def followed_frame(scenario: Scenario) -> str:
    """Return the name of the frame in which the camera is at rest, marked if the picture has an inset.

    In momentum space the frame is always that of the body.
    """
    view = scenario.view
    frame = view.frame if view.construction == "poinsot" else view.construction
    return f"{frame} beside an inset" if scenario.show.inset else frame


class CameraTransition:
    """The camera's transition when the followed frame changes, or L reverses abruptly.

    L reverses if a load stops the body and spins it up in the opposite direction.
    """

    def __init__(self) -> None:
        self._frame: str | None = None
        self._axis: Array = np.zeros(3)
        self._camera: Camera | None = None
        self._start: Camera | None = None
        self._began = 0.0
        self._held = False
        self.scale: float | None = None  # metres per rad/s from which the construction's size changes with the camera

    def hold(self, scale: float) -> None:
        """Keep the camera until `let_go`."""
        self._start, self._held, self.scale = self._camera, self._camera is not None, scale

    def let_go(self, now: float) -> None:
        """Begin the transition from the held camera at the time `now` [s]."""
        if self._held:
            self._held, self._began = False, now

    def fraction(self, now: float) -> float:
        """Return the fraction of the path covered at the time `now` [s]; 1 if the camera has arrived."""
        if self._held:
            return 0.0
        return 1.0 if self._start is None else smooth((now - self._began) / SECONDS)

    def follow(self, frame: str, momentum: Array, now: float) -> tuple[Camera, float] | None:
        """Return the camera at the start of the path and the fraction of the path covered; None if it has arrived.

        `frame` is the result of `followed_frame`; `momentum` (3,) is L in space.
        """
        turned_over = float(momentum @ self._axis) < 0.0
        if self._frame is not None and (frame != self._frame or turned_over) and not self._held:
            self._start, self._began, self.scale = self._camera, now, None
        if np.any(momentum != 0.0):
            self._axis = momentum
        self._frame = frame
        fraction = self.fraction(now)
        if self._start is None or fraction >= 1.0:
            self._start = self.scale = None
            return None
        return self._start, fraction

    def arrived(self, camera: Camera) -> None:
        """Note the camera of the picture that was drawn."""
        self._camera = camera

    def forget(self) -> None:
        """Begin anew: the next picture is of another scene."""
        self._frame = self._start = self.scale = None
        self._held = False
        self._axis = np.zeros(3)


class EyeTransition:
    """Moves the eyes smoothly to comfortable positions; remembers their positions in the last picture."""

    def __init__(self) -> None:
        self._eyes: Eyes | None = None
        self._then = 0.0
        self.there = True

    def follow(self, stereo: Stereo, now: float) -> tuple[Eyes, float] | None:
        """Return the eyes of the last picture and the fraction of the path to cover; None if they arrive at once."""
        fraction = 1.0 - math.exp(-min(max(now - self._then, 0.0), LONGEST) / EYES_SECONDS)
        self._then = now
        if self._eyes is None or not stereo.comfort or STEREO_MODES[stereo.mode].eyes == (MIDDLE,):
            self._eyes = None
            return None
        return self._eyes, fraction

    def arrived(self, eyes: Eyes) -> None:
        """Note the eyes of the picture that was drawn."""
        self.there = self._eyes is None or same_eyes(eyes, self._eyes)
        self._eyes = eyes

    def forget(self) -> None:
        """Begin anew: the next picture is of another scene."""
        self._eyes = None

    def handed_over(self, stereo: Stereo, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the changes `values`, extended so that ending automatic comfort does not move the eyes.

        A change of only the separation or only the convergence ends automatic comfort; the other one then gets its
        present value.
        """
        names = ("separation", "convergence")
        taken = any(f"stereo.{name}" in values for name in names)
        if not (stereo.comfort and taken) or self._eyes is None or "stereo.comfort" in values:
            return values
        return {f"stereo.{name}": getattr(self._eyes, name) for name in names} | dict(values)
