"""A ring of samples: memory and cost per frame do not grow with running time."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


class History:
    """The last `capacity` rows of `width` numbers each.

    Rows are numbered from 0 as they come; row n stands in `data[n % capacity]`. `data` (capacity, width) is allocated
    once. `count`: rows ever appended since the last `clear`; `generation`: how often it was cleared
    or cut.
    """

    def __init__(self, capacity: int, width: int) -> None:
        if capacity < 1 or width < 1:
            raise ValueError(f"history: {capacity} rows of {width} are not allowed; at least 1 of each")
        self.data: Array = np.zeros((capacity, width))
        self.count = 0
        self.generation = 0
        self._lost = 0  # rows before this one are gone, whatever `count` says

    def take_memory(self) -> None:
        """Takes all its memory now, which the system else gives out page by page: then it does not grow with time."""
        self.data[self.count :] = 0.0

    @property
    def capacity(self) -> int:
        """Rows that are kept."""
        return len(self.data)

    @property
    def width(self) -> int:
        """Numbers in a row."""
        return int(self.data.shape[1])

    @property
    def first(self) -> int:
        """The number of the oldest row that is still kept."""
        return max(self._lost, self.count - self.capacity)

    def append(self, row: Sequence[float] | Array) -> None:
        """Adds one row."""
        self.data[self.count % self.capacity] = row
        self.count += 1

    def append_rows(self, rows: ArrayLike) -> None:
        """Adds rows (n, width), the oldest first; of more than `capacity` only the last stay."""
        new = np.asarray(rows, dtype=np.float64)
        if new.ndim != 2 or new.shape[1] != self.width:
            raise ValueError(f"history: rows of shape {new.shape} are not (n, {self.width})")
        kept = new[-self.capacity :]
        numbers = np.arange(self.count + len(new) - len(kept), self.count + len(new))
        self.data[numbers % self.capacity] = kept
        self.count += len(new)

    def rows(self, first: int, last: int) -> Array:
        """A copy of the rows first..last-1 that are still kept, in order: (n, width)."""
        numbers = np.arange(max(first, self.first), min(last, self.count))
        return self.data[numbers % self.capacity]

    def cut(self, count: int) -> None:
        """Forgets the newest rows, so that `count` stay, if there were more."""
        if count < self.count:
            self._lost = min(count, self.first)
            self.count = count
            self.generation += 1

    def clear(self) -> None:
        """Forgets all rows."""
        self.count = self._lost = 0
        self.generation += 1


class Thinned:
    """Rows of `width` numbers over any length of time: when `capacity` are there, every second one goes.

    `every`: of so many rows that were offered one is kept, the first always.
    """

    def __init__(self, capacity: int, width: int) -> None:
        if capacity < 2 or width < 1:
            raise ValueError(f"history: {capacity} rows of {width} are not allowed; at least 2 and 1")
        self._data: Array = np.zeros((capacity, width))
        self._kept = 0
        self.every = 1

    @property
    def rows(self) -> Array:
        """What is kept, the oldest first: (n, width), a view."""
        return self._data[: self._kept]

    def offer(self, number: int, row: Sequence[float] | Array) -> None:
        """Row `number` has come; numbers go up by 1 from 0, or from where it was cut."""
        if number % self.every:
            return
        if self._kept == len(self._data):
            half = self._data[::2]
            self._data[: len(half)] = half
            self._kept, self.every = len(half), 2 * self.every
            if number % self.every:
                return
        self._data[self._kept] = row
        self._kept += 1

    def cut(self, count: int) -> None:
        """Forgets the rows with numbers from `count` on."""
        self._kept = min(self._kept, -(-count // self.every))
        if not self._kept:
            self.every = 1
