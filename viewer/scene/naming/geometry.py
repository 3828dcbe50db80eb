"""How far the pointer is from lines, in pixels of an eye's picture, and what its line of sight meets first."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.scene.stereo.picking import Pair, Picking

Array = NDArray[np.float64]

BEHIND = 1e-9  # of the deepest point: what is no farther away than that is behind the eye


@frozen
class OnLine:
    """The point of a line that is meant: `line`: its number; `along`: number of its point before it, and the fraction
    of the piece up to the next one. `away`: px from the pointer."""

    line: int
    along: float
    point: Array
    away: float


def nearest_line(lines: Sequence[Array], picking: Picking, pixel: Pair, reach: float, tie: float) -> OnLine | None:
    """The line, (N, 3) points each, that the pointer is over: within `reach` px, and nearest to the eye of those that
    are at most `tie` px farther from it than the nearest one. None: there is none.

    Distances are to the straight pieces as the eye sees them.
    """
    if not lines:
        return None
    points = np.concatenate(lines)
    clip = points @ picking.clip_from_world[:, :3].T + picking.clip_from_world[:, 3]
    depth = clip[:, 3]
    seen = depth > BEHIND * np.max(np.abs(depth))
    inverse = 1.0 / np.where(seen, depth, 1.0)
    x = 0.5 * (1.0 + clip[:, 0] * inverse) * picking.size[0] - pixel[0]
    y = 0.5 * (1.0 - clip[:, 1] * inverse) * picking.size[1] - pixel[1]
    counts = [len(line) for line in lines]
    number = np.repeat(np.arange(len(lines)), counts)
    whole = seen[:-1] & seen[1:] & (number[:-1] == number[1:])
    across, down = np.diff(x), np.diff(y)
    squares = across * across + down * down
    fraction = np.clip(-(x[:-1] * across + y[:-1] * down) / np.where(squares > 0.0, squares, 1.0), 0.0, 1.0)
    away = np.hypot(x[:-1] + fraction * across, y[:-1] + fraction * down)
    away = np.where(whole, away, np.inf)
    least = float(np.min(away, initial=np.inf))
    if not least <= reach:
        return None
    near = np.flatnonzero(away <= min(least + tie, reach))
    shallow = (1.0 - fraction[near]) * inverse[near] + fraction[near] * inverse[near + 1]  # 1 / depth runs straight
    best = int(near[int(np.argmax(shallow))])
    t = float(fraction[best])
    t = t * float(depth[best]) / ((1.0 - t) * float(depth[best + 1]) + t * float(depth[best]))
    point = points[best] + t * (points[best + 1] - points[best])
    line = int(number[best])
    return OnLine(line, best - sum(counts[:line]) + t, point, float(away[best]))


def meets_disc(point: Array, direction: Array, centre: Array, world_from_plane: Array, reach: float) -> bool:
    """Whether a line of sight meets the disc of that radius in a plane; its columns are two directions in it and its
    normal. `point`, `direction`: as `Picking.ray` has them."""
    normal = world_from_plane[:, 2]
    slope = float(direction @ normal)
    if slope == 0.0:
        return False
    met = point + float((centre - point) @ normal) / slope * direction
    return float(np.linalg.norm(met - centre)) <= reach
