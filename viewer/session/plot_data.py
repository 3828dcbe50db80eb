"""The plotted quantities of a running motion, in bounded memory and with little work, however long it runs."""

from bisect import bisect_right
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import brief
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.common.ring_buffer import RingBuffer
from viewer.physics.errors import Circling
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.state import SampleRows, Samples
from viewer.session.checkpoints import Checkpoints, Direction
from viewer.session.quantities import QUANTITIES, Comparison

Array = NDArray[np.float64]

BLOCK = 4096  # rows at a time
ROWS = 8192  # kept of each level of a pyramid
NAMES = tuple(QUANTITIES)
SHOWN_IN_HAND = ("velocity",)  # the plots of a hand-held phone
OMEGA = [1 + NAMES.index(f"omega_{axis}") for axis in "xyz"]  # columns


class PlotData:
    """The plotted quantities of a motion, in both directions of time.

    Call `follow` before reading, until it returns True.
    """

    def __init__(self, checkpoints: Checkpoints) -> None:
        self.checkpoints = checkpoints
        self._asked: FreeRotation | None = None
        self._has_phase = False
        self._directions = tuple(
            _DirectionData(checkpoints, direction) for direction in (checkpoints.earlier, checkpoints.later)
        )

    def follow(self) -> bool:
        """Add new samples, some thousand rows at most; return False if there are more."""
        done = [direction.follow() for direction in self._directions]
        return all(done)

    def between(self, first: float, last: float, most: int) -> list[tuple[Array, Array, int]]:
        """Return what `MinMaxPyramid.between` returns, for the times before the origin and for those after it.

        Columns are the time [s] and the QUANTITIES in their order; rows are in the order of time.
        """
        found = []
        for direction, sign in zip(self._directions, (-1, 1), strict=True):
            begin, end = (first, last) if sign > 0 else (-last, -first)
            low, high, level = direction.pyramid.between(begin, end, most)
            low, high = low.copy(), high.copy()
            if sign < 0:
                low[:, 0], high[:, 0] = -high[:, 0], -low[:, 0]
                low, high = low[::-1], high[::-1]
            found.append((low, high, level))
        return found

    @property
    def why_no_phase(self) -> str | None:
        """Why there is no phase error now; None if there is one."""
        exact = self.checkpoints.segments[-1].exact
        if exact is None:
            return tr("no phase, no turn: no exact motion under loads")
        if isinstance(exact[0], LagrangeTop):
            return tr("no phase: the motion of a top has no single period")
        if exact[0] is not self._asked:
            self._asked, self._has_phase = exact[0], exact[0].phase((1.0, 1.0, 1.0)) is not None
        if not self._has_phase:
            return tr("no phase: steady spin or separatrix")
        found = next((one for one in (each.circling for each in self._directions) if one.phase is None), None)
        if found is None:
            return None
        if found.other is not None:
            text = tr("no phase from t = {time} s on, where the motion circles another axis")
            return text.format(time=brief(found.other, 4))
        text = tr("no phase from t = {time} s on: the samples are half a period apart or more")
        return text.format(time=brief(found.lost_since, 4))


@frozen
class HeldData:
    """The angular velocity that a hand-held phone has measured, with the interface of PlotData.

    `time` (N,) [s] counts from the beginning of the measurement, `omega_body` (N, 3) is in rad/s; `now` [s] is the time
    that the picture shows.
    """

    time: Array
    omega_body: Array
    now: float

    why_no_phase = None

    def between(self, first: float, last: float, most: int) -> list[tuple[Array, Array, int]]:
        """Return the rows between these times, and one more on either side; if there are very many, every n-th row.

        At least `most` rows are returned if there are as many. The columns are those of PlotData; all but the time and
        the angular velocity are nan.
        """
        begin, end = np.searchsorted(self.time, (first, last))
        rows = slice(max(int(begin) - 1, 0), int(end) + 1, max((int(end) - int(begin)) // most // 4, 1))
        found = np.full((len(self.time[rows]), 1 + len(NAMES)), np.nan)
        found[:, 0], found[:, OMEGA] = self.time[rows], self.omega_body[rows]
        return [(found, found, 0)]


class _DirectionData:
    """The plotted quantities in one direction of time.

    The first column is the time [s], with the opposite sign if the direction is earlier, so that it always grows.
    """

    def __init__(self, checkpoints: Checkpoints, direction: Direction) -> None:
        self._checkpoints, self._direction = checkpoints, direction
        self.pyramid = MinMaxPyramid(1 + len(NAMES))
        self._begin()

    def _begin(self) -> None:
        self.pyramid.clear()
        self._generation = self._direction.recent.generation
        self._done = 0  # samples that have been added
        self._before: tuple[int, SampleRows] | None = None  # the number of the segment, and its last sample
        self._exact: FreeRotation | LagrangeTop | None = None  # the exact motion for which `circling` has counted
        self.circling = Circling()  # the counts up to the last sample that has been added

    def follow(self) -> bool:
        """Add new samples; return False if there are more."""
        recent, sparse = self._direction.recent, self._direction.sparse
        if recent.generation != self._generation:
            self._begin()
        if self._done < recent.first:  # samples that are no longer kept one by one
            numbers = np.arange(len(sparse.rows)) * sparse.every
            left = np.flatnonzero((numbers >= self._done) & (numbers < recent.first))[:BLOCK]
            if len(left):
                self._take(sparse.rows[left])
                self._done = int(numbers[left[-1]]) + 1
                return False
            self._done = recent.first
        last = min(recent.count, self._done + BLOCK)
        if self._done < last:
            self._take(recent.rows(self._done, last))
            self._done = last
        return self._done == recent.count

    def _take(self, rows: SampleRows) -> None:
        """Add samples; those of each segment are compared with the segment's own exact motion."""
        segments, positions = self._checkpoints.segments, self._direction.sign * rows["steps"]
        edges = [0]
        first = self._checkpoints.segment_at(int(rows["steps"][0]))
        doubled = self._direction.sign > 0 and len(rows) > 1 and positions[0] == positions[1]
        while doubled and first > 0 and segments[first].steps == positions[0]:
            first -= 1  # go back to the segment before the change that was made there
        inside = segments[first + 1 :] if self._direction.sign > 0 else []
        for segment in inside:
            if segment.steps > positions[-1]:
                break
            edges.append(max(edges[-1], int(np.searchsorted(positions, segment.steps, side="right")) - 1))
        edges.append(len(rows))
        for number, (begin, end) in enumerate(pairwise(edges)):
            if end > begin:
                self.pyramid.append(self._values(rows[begin:end], first + number if self._direction.sign > 0 else 0))

    def _values(self, rows: SampleRows, number: int) -> Array:
        segment = self._checkpoints.segments[number]
        before = self._before[1] if self._before is not None and self._before[0] == number else None
        self._before = number, rows[-1:]
        if before is not None:  # for quantities measured from sample to sample
            rows = np.concatenate((before, rows))
        samples = Samples(segment.simulation.body, rows)
        if segment.exact is None or segment.exact[0] is not self._exact:
            self._exact, self.circling = None if segment.exact is None else segment.exact[0], Circling()
        comparison = Comparison.of(samples, segment, self.circling)
        if comparison.counts is not None:
            self.circling = Circling(*comparison.counts[-1].item())
        values = np.full((len(rows), 1 + len(NAMES)), np.nan)
        values[:, 0] = self._direction.sign * samples.time
        for column, quantity in enumerate(QUANTITIES.values(), start=1):
            found = quantity.of(comparison)
            if found is not None:
                values[:, column] = found
        return values[0 if before is None else 1 :]


class MinMaxPyramid:
    """Rows of `width` numbers at several resolutions, for plots.

    Level 0 holds the last ROWS rows. Level k holds the least and the largest values of 2^k rows each, for the last ROWS
    such groups. NaN stands for no value. Memory grows with the logarithm of the number of rows: 20 levels for a week.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._levels = [RingBuffer(ROWS, 2 * width)]

    @property
    def count(self) -> int:
        """The number of rows that have been appended."""
        return self._levels[0].count

    def clear(self) -> None:
        """Forget all rows."""
        del self._levels[1:]
        self._levels[0].clear()

    def append(self, rows: Array) -> None:
        """Add rows (n, width), the oldest first; n must not exceed ROWS / 2, or the next level would miss some."""
        self._levels[0].append_rows(np.concatenate((rows, rows), axis=1))
        level = 0
        while self._levels[level].count >= 2:
            below = self._levels[level]
            if level + 1 == len(self._levels):
                self._levels.append(RingBuffer(ROWS, 2 * self._width))
            above = self._levels[level + 1]
            pairs = below.rows(2 * above.count, below.count // 2 * 2).reshape(-1, 2, 2 * self._width)
            if not len(pairs):
                return
            low, high = pairs[:, :, : self._width], pairs[:, :, self._width :]
            above.append_rows(np.concatenate((np.fmin(low[:, 0], low[:, 1]), np.fmax(high[:, 0], high[:, 1])), axis=1))
            level += 1

    def between(self, first: float, last: float, most: int) -> tuple[Array, Array, int]:
        """Return the least and the largest values, (n, width) each, of the rows `first` to `last`, and their level.

        `first` and `last` are values of the first column, which must ascend. The level is the finest one that still has
        all of these rows and at most `most` of them, or else the coarsest. One more row on either side is returned,
        too.
        """
        for level, ring in enumerate(self._levels):
            numbers = range(ring.first, ring.count)

            def first_number(number: int, ring: RingBuffer = ring) -> float:
                return float(ring.data[number % ring.capacity, 0])

            begin, end = (ring.first + bisect_right(numbers, wanted, key=first_number) for wanted in (first, last))
            complete = ring.first == 0 or (len(numbers) > 0 and first_number(ring.first) <= first)
            if level + 1 == len(self._levels) or (complete and end - begin <= most):
                rows = ring.rows(max(begin - 1, ring.first), end + 1)
                newest = self._levels[0].rows(self.count - 1, self.count)
                if level and end + 1 >= ring.count and len(newest):
                    rows = np.concatenate((rows, newest))  # stands for the group that is not full yet
                return rows[:, : self._width], rows[:, self._width :], level
        raise AssertionError
