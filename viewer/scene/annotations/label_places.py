"""Where a name stands among lines, arrows and other names: at the place around its anchor that disturbs least.

Each place that a name may take has a price, which counts its distance from the place where the name would stand by
itself, and all that the name would cover there. The cheapest place wins. While the scene moves, `LabelMotion` leads
the name from one place to the next.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.scene.camera.camera import Canvas
from viewer.scene.description import Curve, Stroke

Array = NDArray[np.float64]
Pair = tuple[float, float]  # x and y, px from the middle of the picture

ALMOST = 1e-6  # px: as good as nothing
GAP = 1.5  # px kept between a line and a name that has to look for a place
DEEP = 8.0  # px: a line that runs this much further in costs its full price
# px between a name and another name, a head or the touching point: hidden up to the first, seen from the second on
BESIDE_NAME = 4.75, 6.0
BESIDE_SHAFT = 5.0  # px kept between a name and a straight line
NAME_PRICE = 2.0  # of covering another name, an arrow's head or the touching point
SHAFT_PRICE, STUB_PRICE, THIN_PRICE, CURVE_PRICE = 1.0, 0.8, 0.5, 0.4  # .. a line of that kind
EVERY = 4  # points of a curve for each one looked at
TURNS = np.radians([0, 18, -18, 36, -36, 56, -56, 80, -80, 110, -110, 145, -145, 180])
FURTHER = 11.0  # px: a second ring around the anchor
SYMBOL = 12.0  # px: half the width up to which the rings are round
TURN_PRICE, FURTHER_PRICE = 0.16, 0.18  # of a turn by a right angle; of the second ring
ALONG = np.array([0, 5, -5, 10, -10, 16, -16, 22, -22, 30, -30, 40, -40, 52])  # px along a shaft, outwards
ALONG_PRICE, SIDE_PRICE = 0.006, 0.5  # of a pixel along the shaft; of its other side
_TURNED, _NOT = np.stack([np.cos(TURNS), np.sin(TURNS)], axis=1), np.zeros((len(TURNS), 2))
RINGS = np.stack([np.concatenate([_TURNED, _NOT]), np.concatenate([_NOT, _TURNED])], axis=1)  # (K, ring, 2)
RING_PRICES = TURN_PRICE * np.abs(np.tile(TURNS, 2)) / (0.5 * math.pi) + np.repeat([0.0, FURTHER_PRICE], len(TURNS))
SIDES = np.stack([np.repeat([1.0, -1.0], len(ALONG)), np.tile(ALONG, 2)], axis=1)  # offsets, and px along the shaft
SIDE_PRICES = ALONG_PRICE * np.abs(SIDES[:, 1]) + np.where(SIDES[:, 0] < 0.0, SIDE_PRICE, 0.0)
NEAR, SOFT = 9.0, 0.02  # px, and difference in price, within which places merge
WIDEST = 11.0  # px: half the width of a line, and what is kept free beside it


@frozen
class Lines:
    """Straight lines on the screen, a column each, (8, N).

    The rows are x and y of the start, x and y of the unit vector along the line, its length, half its width, its
    price, and 1 for a piece of a curve, else 0; lengths are in px. Of all pieces of curves that a name covers, it pays
    only for the dearest.
    """

    columns: Array

    def only(self, place: Pair, reach: float) -> "Lines":
        """Return the lines that may come within `reach` of a place."""
        x, y, u, v, length, *_ = self.columns
        half = 0.5 * length
        right, up = x + half * u - place[0], y + half * v - place[1]
        return Lines(self.columns[:, right * right + up * up < (half + reach) ** 2])

    def near(self, places: Array, reach: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return indices (P,) of `places` (K, 2) and (P,) of lines: all pairs that may come within `reach`."""
        x, y, u, v, length, *_ = self.columns
        half = 0.5 * length
        right, up = places[:, :1] - (x + half * u), places[:, 1:] - (y + half * v)
        which, line = np.nonzero(right * right + up * up < (half + reach) ** 2)
        return which, line


def gaps(x: Array | float, y: Array | float, half: tuple[Array | float, Array | float], columns: Array) -> Array:
    """Return the gaps [px] between lines and boxes around x, y with half sizes `half`; negative if a line runs through.

    The size of a box is measured towards the line's nearest point.
    """
    from_x, from_y, u, v, length, width, *_ = columns
    right, up = x - from_x, y - from_y
    along = np.clip(right * u + up * v, 0.0, length)
    across, above = np.abs(right - along * u) + ALMOST, np.abs(up - along * v)
    distance = np.sqrt(across * across + above * above)
    return np.asarray(distance - (across * half[0] + above * half[1]) / distance - width)


def distances(lines: Sequence[Stroke], points: Array, canvas: Canvas) -> Array:
    """Return how far points (N, 3) are from lines on the screen, (K, N) px."""
    start, end = canvas.project(np.array([[line.start, line.end] for line in lines])).swapaxes(0, 1)[:, :, None]
    along, past = end - start, canvas.project(points) - start
    fraction = (past * along).sum(axis=2) / np.maximum((along * along).sum(axis=2), ALMOST)
    return np.asarray(np.linalg.norm(past - np.clip(fraction, 0.0, 1.0)[:, :, None] * along, axis=2))


def cost(gap: Array, columns: Array) -> Array:
    """Return the price (..) of the lines (N) that boxes with these gaps (.., N) cover."""
    each = columns[6] * np.clip((GAP - gap) / DEEP, 0.0, 1.0)
    curved = each * columns[7]
    return np.asarray((each - curved).sum(axis=-1) + curved.max(axis=-1, initial=0.0))


def lines_on(
    canvas: Canvas, priced: Sequence[tuple[Sequence[Stroke], float]], curves: Sequence[Array] = (), width: float = 3.0
) -> Lines:
    """Return strokes with their prices, and curves, each (N, 3) points in the world, as lines in canvas pixels."""
    strokes = [(stroke, price) for group, price in priced for stroke in group]
    ends = [point for stroke, _ in strokes for point in (stroke.start, stroke.end)]
    seen = canvas.project(np.concatenate([np.array(ends).reshape(-1, 3), *curves])).T
    first = len(ends)
    starts, stops = [seen[:, 0:first:2]], [seen[:, 1:first:2]]
    for points in curves:
        path = seen[:, first : first + len(points)]
        starts.append(path[:, :-1])
        stops.append(path[:, 1:])
        first += len(points)
    columns = np.empty((8, sum(part.shape[1] for part in starts)))
    columns[0:2] = np.concatenate(starts, axis=1)
    span = np.concatenate(stops, axis=1) - columns[0:2]
    columns[4] = np.sqrt((span * span).sum(axis=0))
    columns[2:4] = span / np.maximum(columns[4], ALMOST)
    columns[5], columns[6], columns[7] = 0.5 * width, CURVE_PRICE, 1.0
    straight = len(strokes)
    columns[5, :straight] = [0.5 * stroke.width + BESIDE_SHAFT for stroke, _ in strokes]
    columns[6, :straight] = [price for _, price in strokes]
    columns[7, :straight] = 0.0
    return Lines(columns)


def points_of(curve: Curve, rotation: Array) -> Array:
    """Return every EVERY-th point of a closed curve, in the world, with the first repeated at the end."""
    kept = curve.in_world(rotation)[::EVERY]
    return np.concatenate([kept, kept[:1]])


def gap_to(place: Pair, half: Pair, taken: Sequence[tuple[Pair, Pair]]) -> float:
    """Return the gap [px] from a box to the nearest of those in `taken`, below 0 if they overlap.

    A box is given by its middle and its half sizes.
    """
    (x, y), (wide, tall) = place, half
    return min(
        (max(abs(x - right) - wide - half_wide, abs(y - up) - tall - half_tall)
         for (right, up), (half_wide, half_tall) in taken),
        default=math.inf,
    )  # fmt: skip


def best_place(
    anchor: Pair, offset: Pair, half: Pair, taken: Sequence[tuple[Pair, Pair]], lines: Lines, room: Pair,
    shaft: Pair | None = None,
) -> Pair:  # fmt: skip
    """Return the place of a name, px from the middle of the picture.

    `taken` are the middles and half sizes of boxes that are there already; `room` is how far right and up the name's
    middle may be from the picture's. `shaft` is the unit vector on the screen along the arrow beside which the name
    stands, or None if it stands at a point.
    """
    places, extra = _around(anchor, offset, half[0]) if shaft is None else _beside(anchor, offset, shaft)
    if room[0] < math.inf:
        places = np.clip(places, (-room[0], -room[1]), room)
    right, up = np.abs(places - anchor).max(axis=0).tolist()
    reach = math.hypot(right + half[0], up + half[1]) + WIDEST  # nothing farther off is in the name's way
    columns = lines.only(anchor, reach).columns
    covered = cost(gaps(places[:, :1], places[:, 1:], half, columns), columns)
    others = [(*place, *size) for place, size in taken if math.dist(place, anchor) < sum(size) + reach]
    if others:
        boxes = np.array(others)
        apart = (np.abs(places[:, None] - boxes[:, :2]) - boxes[:, 2:] - half).max(axis=2)
        covered = covered + NAME_PRICE * np.clip((BESIDE_NAME[1] - apart) / DEEP, 0.0, 1.0).sum(axis=1)
    prices = extra + covered
    best = int(np.argmin(prices))
    off = places - places[best]
    weights = np.exp((prices[best] - prices) / SOFT)
    weights[(off * off).sum(axis=1) >= NEAR * NEAR] = 0.0
    x, y = (weights @ places / weights.sum()).tolist()
    return x, y


def _around(anchor: Pair, offset: Pair, half_width: float) -> tuple[Array, Array]:
    """Return places in two rings around an anchor, (K, 2), and their prices, (K,); wide names stand farther aside."""
    radius = max(math.hypot(*offset), 1.0)
    further = 1.0 + FURTHER / radius
    (x, y), turned = offset, RINGS[:, 0] + further * RINGS[:, 1]
    away = turned[:, :1] * (x, y) + turned[:, 1:] * (-y, x)
    return anchor + away * (1.0 + max(half_width - SYMBOL, 0.0) / radius, 1.0), RING_PRICES


def _beside(anchor: Pair, offset: Pair, shaft: Pair) -> tuple[Array, Array]:
    """Return places along both sides of a shaft, and their prices."""
    return anchor + SIDES[:, :1] * offset + SIDES[:, 1:] * shaft, SIDE_PRICES
