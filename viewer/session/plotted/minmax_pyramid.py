"""Least and largest values of rows over longer and longer stretches: a whole run at once, its end in detail."""

from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray

from viewer.common.ring_buffer import RingBuffer

Array = NDArray[np.float64]

ROWS = 8192  # kept of each level


class MinMaxPyramid:
    """Level 0 holds the last ROWS rows of `width` numbers, level k least and largest of 2^k rows each, the last ROWS.

    NaN stands for no value. Memory grows with the logarithm of the number of rows: 20 levels for a week.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._levels = [RingBuffer(ROWS, 2 * width)]

    @property
    def count(self) -> int:
        """Rows that have come."""
        return self._levels[0].count

    def clear(self) -> None:
        """Forgets all rows."""
        del self._levels[1:]
        self._levels[0].clear()

    def append(self, rows: Array) -> None:
        """Adds rows (n, width), the oldest first; n at most ROWS / 2, or some would be lost to the next level."""
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
        """(least, largest, level): rows (n, width) of the finest level that has all from `first` to `last`, at most
        `most` of them if there is a choice, and one more on either side. The rows' first number must grow.
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
                    rows = np.concatenate((rows, newest))  # the bucket that is not full yet
                return rows[:, : self._width], rows[:, self._width :], level
        raise AssertionError
