"""Buffers of rows. Their memory and their cost per frame do not grow with the running time."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Rows = NDArray[Any]  # (N, width) float64, or (N,) of a structured dtype
Row = Sequence[object] | Rows | np.void

FIRST_ROWS = 64  # rows that there is memory for at first


class RingBuffer:
    """The last `capacity` rows; `row` is the number of columns, or a structured dtype.

    Rows are numbered from 0 as they come; row n is in `data[n % capacity]`. `data` is small at first, and is doubled
    until it holds `capacity` rows. `count` is the number that the next row will have. `generation` counts how often
    rows were cleared or cut.
    """

    def __init__(self, capacity: int, row: int | np.dtype[np.void]) -> None:
        if capacity < 1:
            raise ValueError(f"ring buffer: {capacity} rows are not allowed; at least 1 is")
        self.capacity = capacity  # rows that are kept
        self.data = _empty(min(FIRST_ROWS, capacity), row)
        self.count = 0
        self.generation = 0
        self._lost = 0  # rows before this one are gone, whatever `count` is

    @property
    def first(self) -> int:
        """The number of the oldest row that is still kept."""
        return max(self._lost, self.count - self.capacity)

    def append(self, row: Row) -> None:
        """Add one row."""
        if self.count >= len(self.data):
            self.data = enlarged(self.data, self.count + 1, self.capacity)
        self.data[self.count % self.capacity] = row
        self.count += 1

    def append_rows(self, rows: ArrayLike) -> None:
        """Add rows, the oldest first. Of more than `capacity` rows only the last are kept."""
        new = np.asarray(rows, dtype=self.data.dtype)
        if new.shape[1:] != self.data.shape[1:]:
            raise ValueError(f"ring buffer: rows {new.shape} do not fit {self.data.shape}")
        self.data = enlarged(self.data, min(self.count + len(new), self.capacity), self.capacity)
        kept = new[-self.capacity :]
        numbers = np.arange(self.count + len(new) - len(kept), self.count + len(new))
        self.data[numbers % self.capacity] = kept
        self.count += len(new)

    def rows(self, first: int, last: int) -> Rows:
        """Return a copy of the rows first..last-1 that are still there, in order."""
        numbers = np.arange(max(first, self.first), min(last, self.count))
        return self.data[numbers % self.capacity]

    def view(self) -> "RingView":
        """Return the rows as they are now; the view is valid until `capacity` rows have been added."""
        data = self.data.view()
        data.setflags(write=False)
        return RingView(self, data, self.capacity, self.first, self.count, self.generation)

    def cut(self, count: int) -> None:
        """Forget the rows with numbers from `count` on."""
        if count < self.count:
            self._lost = min(count, self.first)
            self.count = count
            self.generation += 1

    def clear(self) -> None:
        """Forget all rows."""
        self.count = self._lost = 0
        self.generation += 1


@dataclass(frozen=True, eq=False)
class RingView:
    """The rows first..count-1 of a ring buffer at one time, not copied; row n is in `data[n % capacity]`, read-only.

    Views with the same `source` and `generation` agree on the rows that both have.
    """

    source: RingBuffer
    data: Rows
    capacity: int
    first: int
    count: int
    generation: int

    def rows(self, first: int, last: int) -> Rows:
        """Return a copy of those of the rows first..last-1 that the view has, in order: (n, width)."""
        numbers = np.arange(max(first, self.first), min(last, self.count))
        return self.data[numbers % self.capacity]

    def row_at(self, time: float) -> int:
        """Return the number of the first row that is not older than a time; the first column is the time."""
        numbers = range(self.first, self.count)
        return self.first + bisect_left(numbers, time, key=lambda number: self.data[number % self.capacity, 0])


class DecimatedBuffer:
    """Rows over any length of time: whenever `capacity` rows are kept, every second one is dropped.

    `row` is as for a RingBuffer. Of the rows offered, those whose numbers are multiples of `every` are kept.
    """

    def __init__(self, capacity: int, row: int | np.dtype[np.void]) -> None:
        if capacity < 2:
            raise ValueError(f"decimated buffer: {capacity} rows are not allowed; at least 2 are")
        self._capacity = capacity
        self._data = _empty(min(FIRST_ROWS, capacity), row)
        self._kept = 0
        self.every = 1

    @property
    def rows(self) -> Rows:
        """The rows that are kept, the oldest first, as a view."""
        return self._data[: self._kept]

    def offer(self, number: int, row: Row) -> None:
        """Offer a row. Its number is one more than that of the row before: 0 at first, and `count` after a cut."""
        if number % self.every:
            return
        if self._kept == len(self._data) < self._capacity:
            self._data = enlarged(self._data, self._kept + 1, self._capacity)
        if self._kept == self._capacity:
            half = self._data[::2]
            self._data[: len(half)] = half
            self._kept, self.every = len(half), 2 * self.every
            if number % self.every:
                return
        self._data[self._kept] = row
        self._kept += 1

    def cut(self, count: int) -> None:
        """Forget the rows with numbers from `count` on."""
        self._kept = min(self._kept, -(-count // self.every))
        if not self._kept:
            self.every = 1


def _empty(count: int, row: int | np.dtype[np.void]) -> Rows:
    return np.empty((count, row)) if isinstance(row, int) else np.empty(count, row)


def enlarged(data: Rows, rows: int, most: int) -> Rows:
    """Return `data` if it has at least `rows` rows, else a copy with twice as many or more, but at most `most`.

    New rows are not initialised. Because data grow as needed, a short run takes little memory. Large blocks, allocated
    for every run, would leave gaps in memory that nothing else fits into.
    """
    if min(rows, most) <= len(data):
        return data
    larger = np.empty((min(max(rows, 2 * len(data)), most), *data.shape[1:]), data.dtype)
    larger[: len(data)] = data
    return larger
