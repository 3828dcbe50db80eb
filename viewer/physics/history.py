"""A ring of samples: memory and cost per frame do not grow with running time."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


class History:
    """The last `capacity` rows of `width` numbers each.

    Rows are numbered from 0 as they come; row n stands in `data[n % capacity]`. `data` (capacity, width) is allocated
    once. `count`: rows ever appended since the last `clear`; `generation`: how often it was cleared.
    """

    def __init__(self, capacity: int, width: int) -> None:
        if capacity < 1 or width < 1:
            raise ValueError(f"history: {capacity} rows of {width} are not allowed; at least 1 of each")
        self.data: Array = np.zeros((capacity, width))
        self.count = 0
        self.generation = 0

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
        return max(0, self.count - self.capacity)

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

    def clear(self) -> None:
        """Forgets all rows."""
        self.count = 0
        self.generation += 1
