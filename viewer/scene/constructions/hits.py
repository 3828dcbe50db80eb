"""Where a line of sight meets the body."""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.scene.constructions.mesh_rays import first_hit
from viewer.scene.constructions.solid_size import SolidSize
from viewer.scene.constructions.t_bars import bars

Array = NDArray[np.float64]

PARALLEL = 1e-12  # of a unit vector: a component that small meets no side


def hit(solid: SolidSize, point: Array, direction: Array) -> float | None:
    """How far along a line the solid is met first, m from `point`, None where it is missed.

    `point` (3,) [m] and the unit vector `direction` (3,) are along the body axes. What lies before the point counts,
    too.
    """
    kind, half_extents, bar, mesh = solid
    if mesh is not None:
        if hit(SolidSize("box", half_extents), point, direction) is None:
            return None
        return first_hit(mesh.vertices, mesh.faces, point, direction)
    if kind == "t-handle":
        found = [
            hit(SolidSize("cylinder", size), (point - middle)[order], direction[order])
            for size, middle, order in bars(half_extents, bar)
        ]
        return min((each for each in found if each is not None), default=None)
    if kind == "box":
        spans = [_slab(*each) for each in zip(point.tolist(), direction.tolist(), half_extents.tolist(), strict=True)]
    elif kind == "cylinder":
        height = float(half_extents[2])
        spans = [_ball((point / half_extents)[:2], (direction / half_extents)[:2]),
                 _slab(float(point[2]), float(direction[2]), height)]  # fmt: skip
    else:
        spans = [_ball(point / half_extents, direction / half_extents)]
    first, last = max(span[0] for span in spans), min(span[1] for span in spans)
    return first if first <= last else None


def _slab(point: float, direction: float, half: float) -> tuple[float, float]:
    """Between which distances along a line a coordinate lies within -half..half."""
    if abs(direction) < PARALLEL:
        return (-math.inf, math.inf) if abs(point) <= half else (math.inf, -math.inf)
    ends = (-half - point) / direction, (half - point) / direction
    return min(ends), max(ends)


def _ball(point: Array, direction: Array) -> tuple[float, float]:
    """Between which distances along a line it lies within 1 of the origin, in the coordinates given."""
    square = float(direction @ direction)
    if square < PARALLEL**2:
        return (-math.inf, math.inf) if float(point @ point) <= 1.0 else (math.inf, -math.inf)
    middle = -float(point @ direction) / square
    nearest = point + middle * direction
    room = (1.0 - float(nearest @ nearest)) / square
    return (middle - math.sqrt(room), middle + math.sqrt(room)) if room >= 0.0 else (math.inf, -math.inf)
