"""Checkpoints of a motion, in both directions of time: any state can be restored, in bounded memory.

The latest samples are all kept. Of the older ones, only one in every few is kept, and fewer as the motion goes on. A
state between two samples is computed again from the first of them, which gives the same numbers bit for bit.
"""

from bisect import bisect_right
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.common.ring_buffer import DecimatedBuffer, RingBuffer, RingView
from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation, exact_motion
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.simulation import Simulation
from viewer.physics.state import SAMPLE, Sample, SampleRows, Samples
from viewer.session.document import ActiveLoads

RECENT = 102_400  # samples that are kept one by one, with the rows of their trail: 29.5 MB, 1,600 turns
SPARSE = 12288  # samples of the whole motion, 2 MB: after an hour of 8000 steps a second at most 4096 steps apart
CHANGES = 4000  # of loads and solver, and pulses, that are remembered
RETRACED = 6000  # steps that are computed again to show the end of a trail whose samples are gone
CLOSED = 1024  # rows that are computed again, at most
# largest turning between two rows, rad, if the step allows: on a radius of 100 px a chord sags by 0.1 px
TRAIL_ANGLE = 0.1
POSITION_COLUMN, TRAIL_WIDTH = 7, 10  # time, omega in the world, omega in the body, position of the centre of mass

Array = NDArray[np.float64]


@frozen
class Segment:
    """A motion from one change or pulse to the next.

    `simulation` is a copy of the simulation at the beginning of the segment; it is never advanced itself. `active` are
    the loads and the solver. `first` is the earlier segment with which the exact motion began; None if it begins with
    this one. A change of the solver keeps the exact motion; a pulse or a change of the loads begins a new one.
    """

    simulation: Simulation
    active: ActiveLoads
    first: "Segment | None" = None

    @classmethod
    def of(cls, simulation: Simulation, active: ActiveLoads, before: "Segment | None" = None) -> "Segment":
        """Return the segment that begins with `simulation` and follows the segment `before`, if there is one."""
        if before is None or _setup(before.simulation) == _setup(simulation):
            return cls(simulation.copy(), active)
        loads, then = simulation.loads, before.simulation.loads
        goes_on = loads == then or (loads.free and then.free)
        return cls(simulation.copy(), active, (before.first or before) if goes_on else None)

    @cached_property
    def exact(self) -> tuple[FreeRotation | LagrangeTop, float] | None:
        """The exact motion with which the segment is compared, and the time [s] at which it began.

        None under loads, except for a symmetric top under its weight alone.
        """
        if self.first is not None:
            return self.first.exact
        motion = exact_motion(self.simulation.body, self.simulation.state, self.simulation.loads)
        return None if motion is None else (motion, self.simulation.time)

    @property
    def begun(self) -> float | None:
        """The time [s] at which the free motion began; None under loads."""
        return (self.first or self).simulation.time if self.simulation.loads.free else None

    @cached_property
    def kept_momentum(self) -> Array | None:
        """The conserved L (3,) in space; None if a torque acts."""
        if self.simulation.loads.changes_momentum:
            return None
        return np.asarray((self.first or self).simulation.angular_momentum_world)

    @property
    def steps(self) -> int:
        """The value of `Simulation.steps` at which the segment begins."""
        return self.simulation.steps


def _setup(simulation: Simulation) -> tuple[object, ...]:
    """Return all settings that a change can change; a pulse changes none of them."""
    solver = simulation.integrator, simulation.step, simulation.stabilisation, simulation.gradient
    return simulation.loads, *solver, simulation.largest_omega


class Direction:
    """The record in one direction of time: later than the origin if `sign` is 1, earlier if it is -1.

    `origin` and `end` are counted in steps; the motion is known up to `end`. The last `capacity` samples are all kept.
    """

    def __init__(self, sign: int, capacity: int) -> None:
        self.sign, self.origin, self.end = sign, 0, 0
        self.recent = RingBuffer(capacity, SAMPLE)
        self.sparse = DecimatedBuffer(SPARSE, SAMPLE)
        self._path = RingBuffer(capacity, TRAIL_WIDTH)  # rows of the trail at the same samples

    def restart(self, simulation: Simulation) -> None:
        """Start the record anew at the state of `simulation`, and forget the old record."""
        self.recent.clear()
        self.sparse.cut(0)
        self._path.clear()
        self.origin = simulation.steps
        self.append(simulation)

    def append(self, simulation: Simulation) -> None:
        """Add the present sample of a simulation at the end of the record."""
        sample = simulation.sample()
        self._keep(sample)
        centre = simulation.body.centre_at(sample.orientation_wxyz, sample.position)
        self._path.append((sample.time, *simulation.omega_world, *simulation.omega_body, *centre))

    def append_rows(self, body: RigidBody, samples: SampleRows) -> None:
        """Add samples (N,) of the motion of a body at the end of the record."""
        for row in samples:
            self._keep(Sample.from_row(row))
        self._path.append_rows(trail_rows(body, samples))

    def _keep(self, sample: Sample) -> None:
        self.sparse.offer(self.recent.count, sample)
        self.recent.append(sample)
        self.end = sample.steps

    def trail(self, steps: int) -> RingView:
        """Return the rows (N, TRAIL_WIDTH) of the kept samples from the origin up to `steps`."""
        return replace(self._path.view(), count=self.count_up_to(steps))

    def reaches_back_to(self, steps: int, trail: RingView) -> bool:
        """Return whether the first row of a trail in this direction is at `steps` or nearer to the origin."""
        if trail.first == trail.count:
            return False
        return self.sign * int(self.recent.data["steps"][trail.first % self.recent.capacity]) <= self.sign * steps

    @property
    def last(self) -> int:
        """The position of the last sample."""
        return int(self.recent.data["steps"][(self.recent.count - 1) % self.recent.capacity])

    def count_up_to(self, steps: int) -> int:
        """Return the number of samples up to `steps`, including the early ones that are no longer kept."""
        recent, kept = self.recent, self.recent.data["steps"]
        if self.sign * steps >= self.sign * self.end:  # as in every frame of a motion that runs
            return recent.count
        numbers = range(recent.first, recent.count)

        def position(number: int) -> int:
            return int(self.sign * kept[number % recent.capacity])

        return recent.first + bisect_right(numbers, self.sign * steps, key=position)

    def nearest(self, steps: int) -> Sample | None:
        """Return the kept sample that is closest to `steps`, but not beyond it; None if there is none."""
        count = self.count_up_to(steps)
        if count > self.recent.first:
            return Sample.from_row(self.recent.rows(count - 1, count)[0])
        kept = self._sparse_up_to(steps)
        return Sample.from_row(self.sparse.rows[kept - 1]) if kept else None

    def _sparse_up_to(self, steps: int) -> int:
        positions = self.sign * self.sparse.rows["steps"]
        return int(np.searchsorted(positions, self.sign * steps, side="right"))

    def cut(self, steps: int) -> None:
        """Forget everything beyond `steps`."""
        count = self.count_up_to(steps)
        if count > self.recent.first or not self.recent.count:
            self.recent.cut(count)
            self.sparse.cut(count)
        else:  # the remaining samples are too old to be kept one by one
            kept = self._sparse_up_to(steps)
            count = (kept - 1) * self.sparse.every + 1 if kept else 0
            self.sparse.cut(count)
            self.recent.cut(count)
        self._path.cut(count)
        self.end = steps


class Checkpoints:
    """The record of a motion in both directions of time, and its segments. Positions are `Simulation.steps`."""

    def __init__(self, simulation: Simulation, active: ActiveLoads, capacity: int | None = None) -> None:
        """Begin at the present position of `simulation`.

        `capacity` is the number of samples that each direction keeps one by one, or None for RECENT.
        """
        self.later, self.earlier = (Direction(sign, capacity or RECENT) for sign in (1, -1))
        self.restart(simulation, active)

    def restart(self, simulation: Simulation, active: ActiveLoads) -> None:
        """Forget everything; `simulation` is at the new origin."""
        self.segments = [Segment.of(simulation, active)]
        self._retraced: _Retraced | None = None  # set if samples of the trail that was shown last are gone
        for direction in (self.later, self.earlier):
            direction.restart(simulation)

    @property
    def origin(self) -> int:
        """The position at which the record began."""
        return self.later.origin

    @property
    def begin(self) -> float:
        """The time [s] at which the record began."""
        return self.segments[0].simulation.time

    @property
    def span(self) -> tuple[float, float]:
        """The times [s] between which the motion is known."""
        first, last = self.segments[0].simulation, self.segments[-1].simulation
        begin = first.time + (self.earlier.end - first.steps) * first.step
        return begin, last.time + (self.later.end - last.steps) * last.step

    def direction(self, steps: int, sign: int = 1) -> Direction:
        """Return the direction in which `steps` lies; at the origin, the one that a motion with this `sign` enters."""
        return self.later if (steps, sign) > (self.origin, 0) else self.earlier

    def segment_at(self, steps: int) -> int:
        """Return the number of the segment at `steps`; at a change, that of the segment after it."""
        return max(0, bisect_right(self.segments, steps, key=lambda segment: segment.steps) - 1)

    def next_stop(self, steps: int, sign: int) -> int | None:
        """Return the next position in direction `sign` at which something changes or the known motion ends.

        None if the motion is not known beyond `steps`.
        """
        if not self.earlier.end <= steps + sign <= self.later.end:
            return None
        if sign < 0:
            at = bisect_right(self.segments, steps - 1, key=lambda segment: segment.steps) - 1
            return self.segments[at].steps if at >= 0 else self.earlier.end
        if steps < self.origin:
            return self.origin
        at = self.segment_at(steps) + 1
        return self.segments[at].steps if at < len(self.segments) else self.later.end

    def steps_at(self, time: float) -> int:
        """Return the known position nearest to a time [s]."""
        at = max(0, bisect_right(self.segments, time, key=lambda segment: segment.simulation.time) - 1)
        start = self.segments[at].simulation
        last = self.segments[at + 1].steps if at + 1 < len(self.segments) else self.later.end
        return max(self.earlier.end, min(start.steps + round((time - start.time) / start.step), last))

    def is_change(self, steps: int) -> bool:
        """Return whether a segment begins at `steps`."""
        return self.segments[self.segment_at(steps)].steps == steps

    def reached(self, steps: int) -> None:
        """Note that the motion is known up to `steps`."""
        direction = self.direction(steps)
        direction.end = direction.sign * max(direction.sign * steps, direction.sign * direction.end)

    def simulation(self, steps: int, before: bool = False) -> Simulation:
        """Return the simulation after `steps` steps.

        If there is a change at this step, it is made already, unless `before` is true.
        """
        start = self.segments[self.segment_at(steps - before)]
        simulation, direction = start.simulation.copy(), self.direction(steps)
        sample = direction.nearest(steps - before)
        if sample is not None and direction.sign * sample.steps > direction.sign * start.steps:
            simulation.resume(sample)
        simulation.advance_steps(steps - simulation.steps)
        return simulation

    def change(self, before: Simulation, simulation: Simulation, active: ActiveLoads) -> None:
        """Begin a segment with `simulation`, on which `active` acts, and forget all that was known after it.

        `before` is the simulation at the same step, before the change.
        """
        if simulation.steps <= self.origin:
            self.restart(simulation, active)
            return
        self.later.cut(simulation.steps)
        del self.segments[self.segment_at(simulation.steps - 1) + 1 :]
        self.segments.append(Segment.of(simulation, active, self.segments[-1]))
        self.later.append(before)
        self.later.append(simulation)
        if len(self.segments) > CHANGES:
            del self.segments[: CHANGES // 2]
            self.later.origin = self.segments[0].steps
            self.earlier.restart(self.segments[0].simulation)

    def forget_from(self, time: float) -> int:
        """Forget the record from a time [s] on, but nothing before the origin; return the last known position."""
        if time > self.span[1]:
            return self.later.end
        steps = max(self.origin, self.steps_at(time) - 1)
        del self.segments[self.segment_at(steps) + 1 :]
        self.later.cut(steps)
        return steps

    def trail(self, simulation: Simulation, interval: int) -> RingView:
        """Return the trail that ends at the present position of `simulation`, with `interval` steps between two rows.

        There is one row for each sample. If the samples are no longer kept, the last rows are computed again once, and
        new ones are added as the motion goes on.
        """
        steps, direction = simulation.steps, self.direction(simulation.steps)
        start, every = self.segments[self.segment_at(steps)], direction.sign * interval
        found = direction.trail(steps)
        if found.first == 0 or found.count - found.first > CLOSED or direction.reaches_back_to(start.steps, found):
            self._retraced = None
            return found
        if self._retraced is None or not self._retraced.leads_to(steps, start, every):
            self._retraced = _Retraced(simulation, direction, start, every)
        self._retraced.follow(simulation)
        return self._retraced.ring.view()


class _Retraced:
    """The last rows of a trail whose samples are gone: computed again once, then continued with the motion."""

    def __init__(self, simulation: Simulation, direction: Direction, start: Segment, every: int) -> None:
        """Begin before the present position of `simulation`.

        The trail has at most CLOSED rows from there on. If they cannot be computed in closed form, it also begins no
        more than about RETRACED steps before. `every` is the number of steps from one row to the next, negative if the
        trail leads to earlier times.
        """
        self.ring = RingBuffer(CLOSED, TRAIL_WIDTH)
        self._start, self._every = start, every
        self._made: Simulation | None = None  # makes the rows; None if the closed form does
        steps = simulation.steps
        if simulation.dense and simulation.loads.free and not simulation.loads.pushes:
            self._last = steps - min((steps - start.steps) // every + 1, CLOSED) * every
            return
        self._made = start.simulation.copy()
        sample = direction.nearest(steps - direction.sign * min(RETRACED, CLOSED * abs(every)))
        if sample is not None and direction.sign * sample.steps > direction.sign * start.steps:
            self._made.resume(sample)
        self._last = self._made.steps

    def leads_to(self, steps: int, start: Segment, every: int) -> bool:
        """Return whether the rows can be continued to `steps`, so that nothing has to be computed again."""
        return self._start is start and self._every == every and 0 <= (steps - self._last) // every <= CLOSED

    def follow(self, simulation: Simulation) -> None:
        """Add the rows up to the present position of `simulation`."""
        count = (simulation.steps - self._last) // self._every
        if self._made is None:
            samples = simulation.closed_samples(self._last + self._every * np.arange(1, count + 1))
        else:
            samples = self._made.advance_sampled(count, self._every)
        self.ring.append_rows(trail_rows(simulation.body, samples))
        self._last += count * self._every


def trail_rows(body: RigidBody, samples: SampleRows) -> Array:
    """Return the rows of a trail, (N, TRAIL_WIDTH), at samples (N,) of the motion of a body."""
    found = Samples(body, samples)
    centres = body.centre_at(found.orientation_wxyz, samples["position"])
    return np.column_stack((found.time, found.omega_world, found.omega_body, centres))
