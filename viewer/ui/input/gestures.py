"""What the mouse does to the view: pure functions from a gesture to new values of the section [view].

The scene follows the hand: a drag to the right turns it to the right, upwards shows it from further below.
"""

from dataclasses import dataclass

from viewer.scenario.scenario import field_at
from viewer.scenario.sections.picture import View

HALF_TURN_DEG = 180.0  # that a drag over the height of the scene turns
ZOOM_STEP = 1.12  # factor of one notch of the wheel
EASE_SECONDS = 0.3

Changes = dict[str, object]


def orbit(view: View, dx: float, dy: float, height: float) -> Changes:
    """A drag by (dx right, dy up) pixels over a scene `height` pixels tall turns the view."""
    degrees = HALF_TURN_DEG / max(height, 1.0)
    return {
        "view.azimuth_deg": wrapped(view.azimuth_deg - dx * degrees),
        "view.polar_angle_deg": _clamped("view.polar_angle_deg", view.polar_angle_deg + dy * degrees),
    }


def pan(view: View, dx: float, dy: float, height: float) -> Changes:
    """A drag by (dx right, dy up) pixels moves the picture."""
    right, up = view.pan
    moved = (right + dx / max(height, 1.0), up + dy / max(height, 1.0))
    return {"view.pan": tuple(_clamped("view.pan", value) for value in moved)}


def zoom(view: View, notches: float) -> Changes:
    """Turning the wheel by `notches` away from oneself enlarges."""
    return {"view.zoom": _clamped("view.zoom", view.zoom * ZOOM_STEP**notches)}


def wrapped(degrees: float) -> float:
    """The same direction within -180..180."""
    return (degrees + 180.0) % 360.0 - 180.0


def smooth(t: float) -> float:
    """0 before 0, 1 after 1, and between them from rest to rest."""
    t = min(1.0, max(0.0, t))
    return t * t * (3.0 - 2.0 * t)


def _clamped(path: str, value: float) -> float:
    field = field_at(path)
    return min(field.high, max(field.low, value))


@dataclass(frozen=True)
class Ease:
    """A way from one view to another that takes EASE_SECONDS: azimuth the short way round, zoom by factors."""

    start: View
    end: View

    def at(self, seconds: float) -> Changes:
        """The view's values `seconds` after the beginning; exactly the end's from EASE_SECONDS on."""
        s = smooth(seconds / EASE_SECONDS)
        a, b = self.start, self.end
        if s >= 1.0:
            return {
                f"view.{name}": getattr(b, name) for name in ("polar_angle_deg", "azimuth_deg", "zoom", "pan")
            }
        turn = wrapped(b.azimuth_deg - a.azimuth_deg)
        return {
            "view.polar_angle_deg": a.polar_angle_deg + s * (b.polar_angle_deg - a.polar_angle_deg),
            "view.azimuth_deg": wrapped(a.azimuth_deg + s * turn),
            "view.zoom": _clamped("view.zoom", a.zoom * (b.zoom / a.zoom) ** s),
            "view.pan": tuple(p + s * (q - p) for p, q in zip(a.pan, b.pan, strict=True)),
        }
