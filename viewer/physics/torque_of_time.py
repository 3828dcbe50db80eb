"""Torque that changes with time: pieces of a known shape, and thrusters that go on and off."""

from collections.abc import Iterator
from itertools import pairwise
from math import ceil, floor, inf, isfinite, pi, sin
from typing import Any

from viewer.common.errors import refusal, shown
from viewer.common.frozen import frozen
from viewer.physics.kernels.quaternion import Three

FRAMES = {"space": "Space", "body": "Body"}
KINDS = {"constant": "Constant", "ramp": "Ramp", "sine": "Sine", "pulse-train": "Pulse train"}
MOST_PIECES, MOST_THRUSTERS, MOST_TIMES = 16, 16, 64
LEAST_PERIOD = 1e-6  # s, of a pulse train


@frozen
class TorquePiece:
    """A torque from `start` to `end` [s], as `amplitude` (3,) [N m] times a number; 0 before and after.

    `kind` says what the number is: "constant" (1), "ramp" (rises evenly from 0 at the start to 1 at the end), "sine"
    (sin(2 pi f (t - start)), f the frequency [Hz]) or "pulse-train" (1 for `width` [s] at the beginning of every
    `period` [s], else 0). `frame` is "space" or "body", in which the amplitude is fixed. Raises ValueError if a value
    is not allowed.
    """

    kind: str = "constant"
    amplitude: Three = (0.0, 0.0, 0.0)
    frame: str = "space"
    frequency: float = 1.0
    period: float = 1.0
    width: float = 0.5
    start: float = 0.0
    end: float = inf

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in KINDS:
            raise refusal("kind: {kind} is unknown; allowed are {kinds}", kind=shown(self.kind), kinds=", ".join(KINDS))
        object.__setattr__(self, "amplitude", three("amplitude", self.amplitude))
        known_frame("frame", self.frame)
        for name in ("frequency", "period", "width", "start", "end"):
            object.__setattr__(self, name, one(name, getattr(self, name)))
        if not isfinite(self.start):
            raise refusal("start: {start:g} s is not allowed; it must be finite", start=self.start)
        if not self.start < self.end:
            raise refusal(
                "end: {end:g} s is not allowed; it must be after the start, {start:g} s", end=self.end, start=self.start
            )
        if self.kind == "ramp" and not isfinite(self.end):
            raise refusal("end: inf is not allowed; a ramp has an end")
        if self.kind == "sine" and not 0.0 < self.frequency < inf:
            raise refusal(
                "frequency: {frequency:g} Hz is not allowed; it must be above 0 and finite", frequency=self.frequency
            )
        if self.kind == "pulse-train":
            if not LEAST_PERIOD <= self.period < inf:
                raise refusal(
                    "period: {period:g} s is not allowed; it must be at least {least_period:g} s",
                    period=self.period,
                    least_period=LEAST_PERIOD,
                )
            if not 0.0 < self.width <= self.period:
                raise refusal(
                    "width: {width:g} s is not allowed; it must be above 0, at most the period", width=self.width
                )

    def at(self, time: float) -> float:
        """Return the number by which the amplitude is multiplied at a time [s]."""
        if not self.start <= time < self.end:
            return 0.0
        late = time - self.start
        if self.kind == "ramp":
            return late / (self.end - self.start)
        if self.kind == "sine":
            return sin(2.0 * pi * self.frequency * late)
        if self.kind == "pulse-train":
            return 1.0 if late - floor(late / self.period) * self.period < self.width else 0.0
        return 1.0

    def mean(self, first: float, last: float) -> float:
        """Return the mean of `at` between two times [s], in either order. It is exact, even across jumps."""
        if first > last:
            first, last = last, first
        begin, end = max(first, self.start), min(last, self.end)
        if not begin < end:
            return self.at(first) if first == last else 0.0
        inside = self._mean(begin - self.start, end - self.start)
        return inside if (begin, end) == (first, last) else inside * ((end - begin) / (last - first))

    def _mean(self, a: float, b: float) -> float:
        """Return the mean of `at` between the times a < b [s] after the start, both of them before the end."""
        if self.kind == "ramp":
            return 0.5 * (a + b) / (self.end - self.start)
        if self.kind == "sine":
            half = pi * self.frequency * (b - a)
            return sin(pi * self.frequency * (a + b)) * (sin(half) / half if half else 1.0)
        if self.kind == "pulse-train":
            m, n = floor(a / self.period), floor(b / self.period)
            c, d = min(a - m * self.period, self.width), min(b - n * self.period, self.width)
            if m == n and c < self.width and d < self.width:
                return 1.0
            return ((n - m) * self.width + d - c) / (b - a)
        return 1.0

    def edges(self, first: float, last: float) -> Iterator[float]:
        """Yield the times [s] between `first` and `last` at which the torque or its slope jumps."""
        times = [self.start, self.end]
        if self.kind == "pulse-train":
            low, high = max(first, self.start), min(last, self.end)
            numbers = range(floor((low - self.start) / self.period), ceil((high - self.start) / self.period) + 1)
            for begin in (self.start + n * self.period for n in numbers if low < high):
                times += [time for time in (begin, begin + self.width) if low < time < high]
        yield from (time for time in times if first < time < last)


@frozen
class Thruster:
    """A force (3,) [N] at a point (3,) [m], both fixed in the body, that goes on and off at times.

    At the `times` [s] it goes on, off, on, off and so on. If their number is odd, it remains on. Raises ValueError if
    a number is not finite, or the times do not increase.
    """

    point: Three = (0.0, 0.0, 0.0)
    force: Three = (0.0, 0.0, 0.0)
    times: tuple[float, ...] = (0.0,)

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", three("point", self.point))
        object.__setattr__(self, "force", three("force", self.force))
        times = numbers(self.times)
        if times is None or not 0 < len(times) <= MOST_TIMES or not all(isfinite(time) for time in times):
            raise refusal(
                "times: {times} is not allowed; it must be 1 to {most_times} finite numbers",
                times=shown(self.times),
                most_times=MOST_TIMES,
            )
        for before, after in pairwise(times):
            if not before < after:
                raise refusal(
                    "times: {after:g} s is not allowed after {before:g} s; each must be later",
                    after=after,
                    before=before,
                )
        object.__setattr__(self, "times", times)

    @property
    def torque(self) -> Three:
        """The torque point x force (3,) [N m], in body axes."""
        (px, py, pz), (fx, fy, fz) = self.point, self.force
        return py * fz - pz * fy, pz * fx - px * fz, px * fy - py * fx

    def is_on(self, time: float) -> bool:
        """Return whether the thruster is on at a time [s]."""
        return sum(time >= edge for edge in self.times) % 2 == 1

    def burns(self, first: float, last: float) -> Iterator[tuple[float, float]]:
        """Yield the intervals [s] between `first` and `last` in which the thruster is on, each as (begin, end)."""
        times = (*self.times, inf) if len(self.times) % 2 else self.times
        for on, off in zip(times[::2], times[1::2], strict=True):
            if max(on, first) < min(off, last):
                yield max(on, first), min(off, last)

    def mean(self, first: float, last: float) -> float:
        """Return the fraction of the time between two times [s], in either order, for which the thruster is on."""
        if first > last:
            first, last = last, first
        if first == last:
            return float(self.is_on(first))
        burns = list(self.burns(first, last))
        return 1.0 if burns == [(first, last)] else sum(off - on for on, off in burns) / (last - first)

    def edges(self, first: float, last: float) -> Iterator[float]:
        """Yield the times [s] between `first` and `last` at which the thruster goes on or off."""
        yield from (time for time in self.times if first < time < last)


def numbers(values: Any) -> tuple[float, ...] | None:
    """Return `values` as floats; None if they are not a list of numbers."""
    if isinstance(values, str | bytes):
        return None
    try:
        return tuple(float(value) for value in values)
    except (TypeError, ValueError, OverflowError):
        return None


def one(name: str, value: Any) -> float:
    """Return `value` as a float, which need not be finite; raise ValueError if it is no number."""
    found = numbers((value,))
    if found is None or isinstance(value, str | bytes):
        raise refusal("{name}: {value} is not allowed; it must be a number", name=name, value=shown(value))
    return found[0]


def three(name: str, values: Any) -> Three:
    """Return `values` as three floats; raise ValueError if they are not three finite numbers."""
    found = numbers(values)
    if found is None or len(found) != 3 or not all(isfinite(value) for value in found):
        raise refusal(
            "{name}: {values} is not allowed; it must be three finite numbers", name=name, values=shown(values)
        )
    return found[0], found[1], found[2]


def known_frame(name: str, frame: Any) -> None:
    """Raise ValueError if `frame` is no key of FRAMES."""
    if not isinstance(frame, str) or frame not in FRAMES:
        raise refusal(
            "{name}: {frame} is unknown; allowed are {frames}", name=name, frame=shown(frame), frames=", ".join(FRAMES)
        )
