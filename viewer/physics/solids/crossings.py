"""How many times triangles enclose a point: a line from it leaves what they enclose more often than it enters it."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# the lines run along the last column: no direction of a part that people make, so that they meet no edge
_ALONG = np.linalg.qr(np.array([[0.6180339887, 0.2718281828, 0.3141592654],
                                [-0.1732050808, 0.5772156649, 0.4142135624],
                                [0.2236067977, -0.3678794412, 0.6931471806]]))[0]  # fmt: skip
_ALONG *= np.linalg.det(_ALONG)


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
