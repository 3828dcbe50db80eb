"""A T-handle as what it is made of: two cylinders. Sizes as `description.Solid` has them, metres in the body."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def bars(half_extents: Array, bar: float) -> tuple[tuple[Array, Array, list[int]], ...]:
    """Crossbar and handle: half extents as of a cylinder about z, (3,); the middle in the body, (3,); and which axes of
    the body are that cylinder's own."""
    x, radius, z = half_extents.tolist()
    along = 0.5 * (2.0 * z - radius)  # half of the handle, which begins on the crossbar's axis
    parts = ((x, bar, [1, 2, 0]), (along, bar - along, [0, 1, 2]))
    return tuple(
        (np.array([radius, radius, half]), np.array([0.0, 0.0, middle]), order) for half, middle, order in parts
    )


def ends(half_extents: Array, bar: float) -> tuple[float, float]:
    """How far it reaches along +z and -z from the centre of mass."""
    top = bar + float(half_extents[1])
    return top, 2.0 * float(half_extents[2]) - top


def furthest(half_extents: Array, bar: float, factors: Array) -> float:
    """The largest sum of factors p^2 over its points p: it is on one of the circles around the ends."""
    (x, r, _), (_, bottom) = half_extents.tolist(), ends(half_extents, bar)
    fx, fy, fz = factors.tolist()
    high = 1.0 if fy <= fz else min(1.0, fz * bar / (r * (fy - fz)))  # the z of that point, from the bar's axis, over r
    at_bar = fx * x**2 + fy * r**2 * (1.0 - high**2) + fz * (bar + high * r) ** 2
    return float(max(at_bar, max(fx, fy) * r**2 + fz * bottom**2))
