"""Where a straight line meets triangles."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def first_hit(vertices: Array, faces: NDArray[np.int32], point: Array, direction: Array) -> float | None:
    """How far along a line the first of the triangles is, as `first_face` has it."""
    found = first_face(vertices, faces, point, direction)
    return None if found is None else found[0]


def first_face(vertices: Array, faces: NDArray[np.int32], point: Array, direction: Array) -> tuple[float, int] | None:
    """How far along a line the first of the triangles is, from `point` and in units of the unit vector `direction`; and
    its number.

    `vertices`: (V, 3), `faces`: (F, 3) of them. None where the line misses all of them. What lies before the point
    counts, too. The line meets a triangle where it passes on the same side of its three edges, as seen along it, so
    that none slips through between two that share an edge.
    """
    across = np.linalg.svd(direction[None])[2][1:]
    x, y = across @ (vertices - point).T
    (xa, xb, xc), (ya, yb, yc) = x[faces.T], y[faces.T]
    a, b, c = xb * yc - xc * yb, xc * ya - xa * yc, xa * yb - xb * ya
    total = a + b + c
    met = ((np.minimum(np.minimum(a, b), c) >= 0.0) | (np.maximum(np.maximum(a, b), c) <= 0.0)) & (total != 0.0)
    if not met.any():
        return None
    depths = (vertices[faces[met]] - point) @ direction
    weights = np.stack([a[met], b[met], c[met]], axis=1) / total[met, None]
    along = np.sum(weights * depths, axis=1)
    first = int(np.argmin(along))
    return float(along[first]), int(np.flatnonzero(met)[first])
