"""Points along what is seen of a trail."""

import numpy as np
from numpy.typing import NDArray

from viewer.scene.description import Trail

Array = NDArray[np.float64]

EVENLY = np.linspace(0.0, 1.0, 100)  # along as much of a trail as is seen: between lines that make it up
FADED = 4.0  # fade times: what fades out and is older is not seen


def points_along(trail: Trail) -> Array:
    """So many points (N, 3), m in the world, the newest last; none where there is no trail yet."""
    ring, newest = trail.ring, trail.newest
    age = min(trail.length, FADED * trail.fade_time) if trail.fades_out else trail.length
    first = ring.row_at(float(newest[0]) - age)
    if first >= ring.count:
        return np.zeros((0, 3))
    rows = (first + (ring.count - 1 - first) * EVENLY).astype(int)
    vectors = ring.data[rows % ring.capacity, trail.column : trail.column + 3]
    return np.asarray(np.concatenate([vectors, newest[None, 1:4]]) @ trail.world_from_points.T - trail.origin)
