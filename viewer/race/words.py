"""A lane's errors in few words: angles as every picture, table and sentence writes them."""

from math import degrees, pi

from viewer.race.live import LaneNow

GAP = "   "  # between the parts of what is told of a lane


def angle_words(angle: float, sign: str = "") -> str:
    """An angle [rad] in degrees: two digits, or all whole ones; `sign` "+": also of what is positive."""
    turned = degrees(angle)
    return f"{turned:{sign}.0f}°" if abs(turned) >= 9.5 else f"{turned:{sign}.2g}°"


def phase_words(phase: float) -> str:
    """A phase error [rad] with its sign; from half a period on in periods."""
    return f"{phase / (2.0 * pi):+.2f} T" if abs(phase) > pi else angle_words(phase, "+")


def error_words(now: LaneNow) -> str:
    """A lane's errors: energy and |L| relative, then phase, or the orientation where there is no phase."""
    if now.left is not None:
        return now.left.partition(" (")[0].removeprefix(now.lane.label).strip()
    turned = (
        f"turn {angle_words(now.orientation, '+')}"
        if now.phase is None
        else f"phase {phase_words(now.phase)}"
    )
    words = GAP.join((f"E {_share(now.energy)}", f"|L| {_share(now.momentum)}", turned))
    return words.replace("-", "−")


def _share(error: float) -> str:
    return f"{error:+.0e}" if error else "0"
