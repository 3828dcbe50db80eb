"""How many times triangles enclose a point (a line from it leaves what they enclose more often than it enters it), and
whether they pass through one another."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# the lines run along the last column: no direction of a part that people make, so that they meet no edge
_ALONG = np.linalg.qr(np.array([[0.6180339887, 0.2718281828, 0.3141592654],
                                [-0.1732050808, 0.5772156649, 0.4142135624],
                                [0.2236067977, -0.3678794412, 0.6931471806]]))[0]  # fmt: skip
_ALONG *= np.linalg.det(_ALONG)
CLEAR = 1e-6  # of the longest extent: what passes no deeper touches
PAIRS = 3_000_000  # of triangles, above which it is not looked whether they pass through one another


class Crossings:
    """Of closed faces with corners (F, 3, 3), counter-clockwise seen from outside."""

    def __init__(self, corners: Array) -> None:
        self._corners = corners @ _ALONG
        (self._left, self._below, _), (self._right, self._above, _) = (
            np.ascontiguousarray(np.moveaxis(edge, -1, 0))
            for edge in (self._corners.min(axis=1), self._corners.max(axis=1))
        )

    def times(self, points: Array) -> Array:
        """How many times the faces enclose each of the points (N, 3), which are not on them; (N,)."""
        return np.array([self._times(point) for point in points @ _ALONG], dtype=np.float64)

    def _times(self, point: Array) -> int:
        x, y = point[:2].tolist()
        met = np.flatnonzero((self._left <= x) & (x <= self._right) & (self._below <= y) & (y <= self._above))
        a, b, c = np.moveaxis(self._corners[met] - point, (1, 2), (0, 1))
        opposite = np.array(
            [_turn(b, c), _turn(c, a), _turn(a, b)]
        )  # of each corner: twice an area, seen along the line
        up, down = np.all(opposite > 0.0, axis=0), np.all(opposite < 0.0, axis=0)
        height = opposite[0] * a[2] + opposite[1] * b[2] + opposite[2] * c[2]
        return int(np.count_nonzero(up & (height > 0.0)) - np.count_nonzero(down & (height < 0.0)))


def _turn(one: Array, other: Array) -> Array:
    return np.asarray(one[0] * other[1] - one[1] * other[0])


def pass_through(corners: Array) -> bool:
    """Whether an edge of one of the triangles (F, 3, 3) passes through another one, and not only touches it.

    False where there are so many that it is not looked.
    """
    low, high = corners.min(axis=1), corners.max(axis=1)
    order = np.argsort(low[:, 0])
    corners, low, high = corners[order], low[order], high[order]
    ends = np.searchsorted(low[:, 0], high[:, 0])
    counts = np.maximum(ends - np.arange(1, len(order) + 1), 0)  # those behind each that begin before it ends
    if int(counts.sum()) > PAIRS:
        return False
    one = np.repeat(np.arange(len(order)), counts)
    other = one + 1 + np.arange(len(one)) - np.repeat(np.cumsum(counts) - counts, counts)
    meet = np.all((low[one, 1:] < high[other, 1:]) & (low[other, 1:] < high[one, 1:]), axis=1)
    one, other = one[meet], other[meet]
    clear = CLEAR * float(np.max(np.ptp(corners.reshape(-1, 3), axis=0)))
    return any(_pierce(corners[a], corners[b], clear) for a, b in ((one, other), (other, one)))


def _pierce(edges: Array, faces: Array, clear: float) -> bool:
    """Whether an edge of one of the triangles `edges` (N, 3, 3) passes through that of `faces` in the same row."""
    a, sides = faces[:, 0], np.roll(faces, -1, axis=1) - faces
    normals = np.cross(sides[:, 0], sides[:, 1])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    inwards = np.cross(normals[:, None], sides)
    inwards /= np.maximum(np.linalg.norm(inwards, axis=2, keepdims=True), 1e-300)
    heights = np.einsum("nij,nj->ni", edges - a[:, None], normals)
    for here in range(3):
        there = (here + 1) % 3
        through = (heights[:, here] > clear) & (heights[:, there] < -clear)
        through |= (heights[:, here] < -clear) & (heights[:, there] > clear)
        begin, end = edges[through, here], edges[through, there]
        fraction = heights[through, here] / (heights[through, here] - heights[through, there])
        meets = begin + fraction[:, None] * (end - begin)
        within = np.einsum("nij,nij->ni", meets[:, None] - faces[through], inwards[through])
        if np.any(np.all(within > clear, axis=1)):
            return True
    return False
