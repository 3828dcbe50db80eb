"""Speeds of playback, and how far the physics keeps up with the clock on the wall."""

from math import floor, inf, log10, sqrt

PERIOD_ON_SCREEN = (6.0, 10.0)  # s: automatic speed shows one period within this time
KEPT_ON_SCREEN = (
    4.0,
    15.0,
)  # s: while it does within this, it stays, though the period changes: that is to be seen
ROUND = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)  # times a power of ten: the speeds that are offered
SLOWEST, FASTEST = 1e-3, 1e6  # the range of playback.speed
MEASURE = 0.5  # s on the wall over which the reached speed is measured


def automatic_speed(period: float | None, now: float | None = None) -> float:
    """The round speed that shows one period [s] in 6 to 10 s; 1 where that fits, or where there is no period.

    `now`: the automatic speed up to now, which stays while it shows one in 4 to 15 s.
    """
    if period is None or not 0 < period < inf:
        return 1.0
    if now is not None and KEPT_ON_SCREEN[0] <= period / now <= KEPT_ON_SCREEN[1]:
        return now
    low, high = (period / seconds for seconds in reversed(PERIOD_ON_SCREEN))
    if low <= 1.0 <= high:
        return 1.0
    middle = clamped(sqrt(low) * sqrt(high))
    return clamped(min(_around(middle), key=lambda speed: abs(log10(speed / middle))))


def faster(speed: float) -> float:
    """The next round speed above."""
    return clamped(min(s for s in _around(speed) if s > speed * 1.001))


def slower(speed: float) -> float:
    """The next round speed below."""
    return clamped(max(s for s in _around(speed) if s < speed * 0.999))


def clamped(speed: float) -> float:
    """The speed within the range that is allowed."""
    return min(max(speed, SLOWEST), FASTEST)


def _around(speed: float) -> list[float]:
    """Round speeds of the decades around a speed. By division below 1, so that each is the float of its decimal."""
    decade = floor(log10(speed))
    return [
        figure * 10.0**power if power >= 0 else figure / 10.0**-power
        for power in (decade - 1, decade, decade + 1)
        for figure in ROUND
    ]


class SpeedMeter:
    """Tells the wanted speed while the physics keeps up, otherwise the measured one."""

    def __init__(self) -> None:
        self._wall = self._simulated = 0.0
        self._behind = False
        self._measured: float | None = None

    def add(self, wall: float, simulated: float, behind: bool) -> None:
        """Counts one frame: seconds on the wall, seconds simulated, whether time had to be left out."""
        self._wall += wall
        self._simulated += simulated
        self._behind = self._behind or behind
        if self._wall >= MEASURE:
            self._measured = self._simulated / self._wall if self._behind else None
            self._wall = self._simulated = 0.0
            self._behind = False

    def reached(self, wanted: float) -> float:
        """The speed of the last half second."""
        return wanted if self._measured is None else min(wanted, self._measured)
