"""What the mouse does to the view: pure functions from a gesture to new values of the section [view].

The scene follows the hand: a drag to the right turns it to the right, upwards shows it from further below.
"""

from viewer.scenario.field import Number
from viewer.scenario.scenario import field_at
from viewer.scenario.sections.picture import View

HALF_TURN_DEG = 180.0  # that a drag over the height of the scene turns
ZOOM_STEP = 1.12  # factor of one notch of the wheel

Changes = dict[str, object]


def orbit(view: View, dx: float, dy: float, height: float) -> Changes:
    """A drag by (dx right, dy up) pixels over a scene `height` pixels tall turns the view."""
    degrees = HALF_TURN_DEG / max(height, 1.0)
    return {
        "view.azimuth_deg": wrapped(view.azimuth_deg - dx * degrees),
        "view.polar_angle_deg": clamped("view.polar_angle_deg", view.polar_angle_deg + dy * degrees),
    }


def pan(view: View, dx: float, dy: float, height: float) -> Changes:
    """A drag by (dx right, dy up) pixels moves the picture."""
    right, up = view.pan
    moved = (right + dx / max(height, 1.0), up + dy / max(height, 1.0))
    return {"view.pan": tuple(clamped("view.pan", value) for value in moved)}


def zoom(view: View, notches: float) -> Changes:
    """Turning the wheel by `notches` away from oneself enlarges."""
    return {"view.zoom": clamped("view.zoom", view.zoom * ZOOM_STEP**notches)}


def wrapped(degrees: float) -> float:
    """The same direction within -180..180."""
    return (degrees + 180.0) % 360.0 - 180.0


def clamped(path: str, value: float) -> float:
    """The nearest value that the field allows."""
    field = field_at(path, Number)
    return min(field.high, max(field.low, value))
