"""What a motion has gone through, both ways in time from where it began: any moment comes back, in bounded memory.

The last rows are kept one by one, of all of them some at intervals that grow; a state between two rows is stepped to
again, which gives the same numbers bit for bit.
"""

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viewer.common.ring_buffer import DecimatedBuffer, RingBuffer
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rotation import rotate
from viewer.physics.samples import SAMPLE, Sample, SampleRows
from viewer.physics.simulation import Simulation
from viewer.session.document import Acting

RECENT = 8192  # rows that stay one by one: 1.3 MB, a trail of 140 s at 3.7 rad/s
MARKS = 12288  # rows of the whole, 2 MB: after an hour of 8000 steps a second at most 4096 steps apart
CHANGES = 4000  # of loads and solver, and pulses, that are remembered
RETRACED = 6000  # steps that are made again to show the end of a trail whose rows are gone

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Segment:
    """A segment of a motion: how it stood when it began (never moved, only copied), and what has acted since.

    exact: the exact motion to compare with, and when it began [s]; None under loads. Another solver goes on to be
    compared with the same; after a pulse or under other loads it begins anew.
    """

    simulation: Simulation
    acting: Acting
    exact: tuple[FreeRotation, float] | None

    @classmethod
    def of(cls, simulation: Simulation, acting: Acting, before: "Segment | None" = None) -> "Segment":
        """The segment that begins with `simulation`; `before`: the one that it follows."""
        if not simulation.loads.free:
            return cls(simulation.copy(), acting, None)
        exact = before.exact if before is not None and before.setup != _setup(simulation) else None
        exact = exact or (FreeRotation(simulation.body, simulation.state), simulation.time)
        return cls(simulation.copy(), acting, exact)

    @property
    def setup(self) -> tuple[object, ...]:
        """All that a change can change; a pulse leaves it."""
        return _setup(self.simulation)

    @property
    def kept_momentum(self) -> Array | None:
        """L (3,) in space, which stays as it is; None where a torque acts."""
        loads = self.simulation.loads
        if loads.turns or loads.external_friction:
            return None
        if self.exact is None:
            return np.asarray(self.simulation.angular_momentum_world)
        start = self.exact[0].at(0.0)
        moments = self.simulation.body.principal_moments
        return rotate(start.orientation_wxyz, moments * start.omega_body)

    @property
    def steps(self) -> int:
        """Where it begins."""
        return self.simulation.steps


def _setup(simulation: Simulation) -> tuple[object, ...]:
    return simulation.loads, simulation.integrator, simulation.step, simulation.stabilisation


class Direction:
    """One direction of time: later (sign 1) or earlier (-1) than `origin`, in steps; `end`: how far it is known."""

    def __init__(self, sign: int) -> None:
        self.sign, self.origin, self.end = sign, 0, 0
        self.recent = RingBuffer(RECENT, SAMPLE)
        self.marks = DecimatedBuffer(MARKS, SAMPLE)

    def begin_anew(self, simulation: Simulation) -> None:
        """Forgets everything; `simulation` stands at the new origin."""
        self.recent.clear()
        self.marks.cut(0)
        self.origin = simulation.steps
        self.append(simulation.sample())

    def append(self, sample: Sample) -> None:
        """Adds a sample at the far end."""
        self.marks.offer(self.recent.count, sample)
        self.recent.append(sample)
        self.end = sample.steps

    @property
    def last(self) -> int:
        """Where the last row stands."""
        return int(self.recent.data["steps"][(self.recent.count - 1) % self.recent.capacity])

    def upto(self, steps: int) -> int:
        """How many rows there have been up to `steps`; those before the first that is kept count all."""
        recent, kept = self.recent, self.recent.data["steps"]
        numbers = range(recent.first, recent.count)

        def position(number: int) -> int:
            return int(self.sign * kept[number % recent.capacity])

        return recent.first + bisect_right(numbers, self.sign * steps, key=position)

    def nearest(self, steps: int) -> Sample | None:
        """The last sample up to `steps` that is kept."""
        count = self.upto(steps)
        if count > self.recent.first:
            return Sample.from_row(self.recent.rows(count - 1, count)[0])
        kept = self._marks_upto(steps)
        return Sample.from_row(self.marks.rows[kept - 1]) if kept else None

    def _marks_upto(self, steps: int) -> int:
        places = self.sign * self.marks.rows["steps"]
        return int(np.searchsorted(places, self.sign * steps, side="right"))

    def cut(self, steps: int) -> None:
        """Forgets what lies beyond `steps`."""
        count = self.upto(steps)
        if count > self.recent.first or not self.recent.count:
            self.recent.cut(count)
            self.marks.cut(count)
        else:  # the rows that stay are too old to be kept one by one
            kept = self._marks_upto(steps)
            count = (kept - 1) * self.marks.every + 1 if kept else 0
            self.marks.cut(count)
            self.recent.cut(count)
        self.end = steps


class Recording:
    """The halves, and the segments of the later one. Places are steps, as `Simulation.steps` counts them."""

    def __init__(self, simulation: Simulation, acting: Acting) -> None:
        self.later, self.earlier = Direction(1), Direction(-1)
        self.begin_anew(simulation, acting)

    def begin_anew(self, simulation: Simulation, acting: Acting) -> None:
        """Forgets everything; `simulation` stands at the new origin."""
        self.segments = [Segment.of(simulation, acting)]
        for half in (self.later, self.earlier):
            half.begin_anew(simulation)

    def take_memory(self) -> None:
        """Takes what a long run forwards needs now, 3 MB: then it does not grow with time."""
        self.later.recent.take_memory()
        self.later.marks.take_memory()

    @property
    def origin(self) -> int:
        """Where it began."""
        return self.later.origin

    @property
    def begin(self) -> float:
        """The time [s] at which it began."""
        return self.segments[0].simulation.time

    @property
    def span(self) -> tuple[float, float]:
        """The times [s] between which it is known."""
        first, last = self.segments[0].simulation, self.segments[-1].simulation
        begin = first.time + (self.earlier.end - first.steps) * first.step
        return begin, last.time + (self.later.end - last.steps) * last.step

    def half(self, steps: int, sign: int = 1) -> Direction:
        """The half in which a motion at `steps` lies; at the origin, the one that it goes into in direction `sign`."""
        return self.later if (steps, sign) > (self.origin, 0) else self.earlier

    def segment(self, steps: int) -> int:
        """The number of the segment at `steps`; a change belongs to what follows it."""
        return max(0, bisect_right(self.segments, steps, key=lambda segment: segment.steps) - 1)

    def next_stop(self, steps: int, sign: int) -> int | None:
        """The next place in direction `sign` where something happens or knowledge ends; None beyond that."""
        if not self.earlier.end <= steps + sign <= self.later.end:
            return None
        if sign < 0:
            at = bisect_right(self.segments, steps - 1, key=lambda segment: segment.steps) - 1
            return self.segments[at].steps if at >= 0 else self.earlier.end
        if steps < self.origin:
            return self.origin
        at = self.segment(steps) + 1
        return self.segments[at].steps if at < len(self.segments) else self.later.end

    def steps_at(self, time: float) -> int:
        """The place nearest to a time [s], of those that are known."""
        at = max(0, bisect_right(self.segments, time, key=lambda segment: segment.simulation.time) - 1)
        start = self.segments[at].simulation
        last = self.segments[at + 1].steps if at + 1 < len(self.segments) else self.later.end
        return max(self.earlier.end, min(start.steps + round((time - start.time) / start.step), last))

    def is_change(self, steps: int) -> bool:
        """Whether a segment begins there."""
        return self.segments[self.segment(steps)].steps == steps

    def reached(self, steps: int) -> None:
        """The motion is known up to there."""
        half = self.half(steps)
        half.end = half.sign * max(half.sign * steps, half.sign * half.end)

    def simulation(self, steps: int, before: bool = False) -> Simulation:
        """The motion at `steps`; where something changes there: after that, or `before` it."""
        start = self.segments[self.segment(steps - before)]
        simulation, half = start.simulation.copy(), self.half(steps)
        sample = half.nearest(steps - before)
        if sample is not None and half.sign * sample.steps > half.sign * start.steps:
            simulation.resume(sample)
        simulation.advance_steps(steps - simulation.steps)
        return simulation

    def change(self, before: Sample, simulation: Simulation, acting: Acting) -> None:
        """From `simulation` on something else acts; what was known of the time after it is forgotten.

        `before`: the last sample up to then.
        """
        if simulation.steps <= self.origin:
            self.begin_anew(simulation, acting)
            return
        self.later.cut(simulation.steps)
        del self.segments[self.segment(simulation.steps - 1) + 1 :]
        self.segments.append(Segment.of(simulation, acting, self.segments[-1]))
        self.later.append(before)
        self.later.append(simulation.sample())
        if len(self.segments) > CHANGES:
            del self.segments[: CHANGES // 2]
            self.later.origin = self.segments[0].steps
            self.earlier.begin_anew(self.segments[0].simulation)

    def forget_from(self, time: float) -> int:
        """Forgets what was known from a time [s] after the beginning on; returns the last place that is known then."""
        if time > self.span[1]:
            return self.later.end
        steps = max(self.origin, self.steps_at(time) - 1)
        del self.segments[self.segment(steps) + 1 :]
        self.later.cut(steps)
        return steps

    def trail(self, steps: int, count: int) -> SampleRows:
        """The rows between the origin and `steps`, at most the last `count`; none where they are no longer kept."""
        half = self.half(steps)
        last = half.upto(steps)
        return half.recent.rows(max(last - count, 0), last)

    def retraced(self, steps: int, count: int, every: int) -> SampleRows:
        """The last rows before `steps` made again, `every` steps apart: at most `count`, and for RETRACED steps."""
        half = self.half(steps)
        start = self.segments[self.segment(steps)]
        made, sample = start.simulation.copy(), half.nearest(steps - half.sign * RETRACED)
        if sample is not None and half.sign * sample.steps > half.sign * start.steps:
            made.resume(sample)
        return made.advance_sampled(min(abs(steps - made.steps) // every, count), half.sign * every)
