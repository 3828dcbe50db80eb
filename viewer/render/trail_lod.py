"""The points of a long trail that are drawn: as few as look on the screen like all of them.

The rows are in blocks. For each block the largest distance from the trail is known if only every 2nd, 4th, .. row is
joined. A picture then uses the coarsest choice for each block whose distance is too small to be seen. Vertices keep the
direction that the trail has there, so that coarse and fine blocks join.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from viewer.common.ring_buffer import RingView

LARGEST = 1e15  # of a coordinate: its square stays finite in a shader
BLOCK = 64  # rows
STRIDES = np.array([2**level for level in range(7)], dtype=np.int64)
MOST = 12_000  # points drawn; if there would be more, old turns are drawn more coarsely
NEWEST = 2048  # rows that are never drawn more coarsely


class TrailLod:
    """The distances by which one ring's blocks miss the trail, brought up to date as rows come in."""

    def __init__(self, capacity: int) -> None:
        self._blocks = capacity // BLOCK + 2  # enough for all rows that are kept
        self._misses = np.zeros((self._blocks, len(STRIDES)))
        self._lengths = np.zeros(self._blocks)
        self._known = 0  # blocks, by running number

    def follow(self, ring: RingView, column: int, anew: bool) -> None:
        """Add the blocks that the ring has filled since the last call, or all blocks if it began `anew`."""
        if anew:
            self._known = 0
        full = (ring.count - 1) // BLOCK
        first = max(self._known, -(-ring.first // BLOCK), full - self._blocks)
        if full > first:
            self._take(first, ring.rows(first * BLOCK, full * BLOCK + 1)[:, column : column + 3])
        self._known = max(full, 0)

    def _take(self, first: int, rows: NDArray[np.float64]) -> None:
        """Add whole blocks from the block `first` on; `rows` also has the row after the last block."""
        rows = np.clip(rows, -LARGEST, LARGEST)
        blocks = sliding_window_view(rows, BLOCK + 1, axis=0)[::BLOCK].transpose(0, 2, 1)
        here = np.arange(first, first + len(blocks)) % self._blocks
        self._misses[here] = misses(blocks)
        steps = np.diff(rows, axis=0)
        self._lengths[here] = np.sum(np.sqrt(np.einsum("ij,ij->i", steps, steps)).reshape(-1, BLOCK), axis=1)

    def start(self, first: int, end: int, longest: float) -> int:
        """Return the first row, from `first` on, from which the trail up to `end` is hardly longer than `longest`."""
        blocks = np.arange(-(-first // BLOCK), min(end // BLOCK, self._known))
        length = np.cumsum(self._lengths[blocks[::-1] % self._blocks])
        kept = int(np.searchsorted(length, longest))
        return first if kept >= len(blocks) else int(blocks[len(blocks) - kept - 1]) * BLOCK

    def chosen(self, first: int, end: int, tolerance: float) -> NDArray[np.int64]:
        """Return the running numbers of rows to join, of first..end-1, that miss the trail by at most `tolerance`."""
        rows = np.arange(first, end)
        blocks = np.arange(first // BLOCK, (end - 1) // BLOCK + 1)
        misses_here = self._misses[blocks % self._blocks]
        unknown = (blocks >= self._known) | (blocks * BLOCK < first)
        old = (blocks + 1) * BLOCK < end - NEWEST
        strides = self._strides(misses_here, tolerance)
        strides[unknown] = 1
        while np.sum(BLOCK // strides[old]) > MOST and np.any(strides[old] < BLOCK):
            tolerance = max(2.0 * tolerance, 1e-12)
            strides[old] = self._strides(misses_here[old], tolerance)
        stride = np.repeat(strides, BLOCK)[first % BLOCK : first % BLOCK + len(rows)]
        kept = (rows & (stride - 1)) == 0
        kept[[0, -1]] = True
        chosen: NDArray[np.int64] = rows[kept]
        return chosen

    @staticmethod
    def _strides(misses_of_blocks: NDArray[np.float64], tolerance: float) -> NDArray[np.int64]:
        strides: NDArray[np.int64] = STRIDES[np.sum(misses_of_blocks[:, 1:] <= tolerance, axis=1)]
        return strides


def misses(blocks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by how much blocks of points are missed at each of STRIDES, (n, len(STRIDES)), rising along a row.

    `blocks` is (n, BLOCK + 1, 3); the result is in single precision, as the points are drawn.
    """
    count = len(blocks)
    x = np.ascontiguousarray(blocks.transpose(2, 1, 0), dtype=np.float32)  # blocks last: added fastest
    result = np.zeros((count, len(STRIDES)))
    for level, stride in enumerate(STRIDES[1:], start=1):
        ends = x[:, ::stride, None]
        away = x[:, :-1].reshape(3, -1, stride, count) - ends[:, :-1]
        fractions = np.arange(stride, dtype=np.float32)[:, None] / np.float32(stride)
        away -= fractions * np.diff(ends, axis=1)  # from the chord's point
        away *= away
        farthest = np.sqrt(np.max(np.sum(away, axis=0).reshape(-1, count), axis=0))
        result[:, level] = np.maximum(result[:, level - 1], farthest)
    return result
