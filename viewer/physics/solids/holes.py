"""Checks that the holes of a composite body lie where there is something to take away.

At some hundred points of each hole, evenly spread in it and on its edges, the densities of all parts are added up.
None of these sums may be below zero.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError, refusal
from viewer.common.frozen import frozen

Array = NDArray[np.float64]

FLUSH = 1e-6  # of the body's reach: how far a hole may stick out; mesh files of float32 are exact to 1e-7
ROUNDING = 1e-9  # of the body's reach and of the sum of densities
SPREAD = 256  # points in the box around a hole
ROUND = 32  # points on a round edge
WORK = 1_000_000  # the most faces of meshes times points; but there are at least FEWEST points
FEWEST = 16


@frozen
class Region:
    """The region that a part fills with its density.

    Attributes
    ----------
    density
        The density [kg/m3]; below 0 for a hole.
    rotation, position
        The rotation (3, 3) and the position (3,) [m] that lead from the part's own frame to the frame of the parts.
    times
        A function that returns how often (N,) the region encloses each of the points (N, 3) of its own frame.
    samples
        A function that returns points (N, 3) of the region, in its own frame, at least a given depth [m] below the
        surface.
    radius
        How far the region reaches from its origin [m].
    faces
        The number of faces of its mesh; 0 if it has none.
    """

    density: float
    rotation: Array
    position: Array
    times: Callable[[Array], Array]
    samples: Callable[[float], Array]
    radius: float
    faces: int = 0

    def there(self, points: Array) -> Array:
        """Return the region's density (N,) [kg/m3] at points (N, 3) of the frame of the parts; 0 outside the region."""
        return self.density * self.times((points - self.position) @ self.rotation)

    def placed(self, points: Array) -> Array:
        """Return points (N, 3) of the region's own frame in the frame of the parts."""
        return points @ self.rotation.T + self.position


def check(regions: Sequence[Region | None], reach: float) -> None:
    """Raise InputError if a hole takes away more than is there.

    `regions` has one region for each part, or None for a thin part. `reach` [m] is how far the whole body reaches.
    """
    solids = [(number, region) for number, region in enumerate(regions) if region is not None]
    least = -ROUNDING * sum(abs(region.density) for _, region in solids)
    most = max(FEWEST, WORK // max(1, sum(region.faces for _, region in solids)))
    for number, hole in solids:
        if hole.density > 0.0:
            continue
        samples = hole.samples(FLUSH * reach)
        points = hole.placed(samples[:: -(-len(samples) // most)])
        filled, taken = np.zeros(len(points)), np.full(len(points), hole.density)
        for other, region in solids:
            apart = math.dist(hole.position, region.position)
            if other != number and apart < hole.radius + region.radius:
                there = region.there(points)
                filled, taken = filled + np.maximum(there, 0.0), taken + np.minimum(there, 0.0)
        at = int(np.argmin(filled + taken))
        density = float(filled[at] + taken[at])
        if density < least:
            raise _refused(number, density, bool(filled[at] == 0.0))


def density_around(hole: Region, others: Sequence[Region | None]) -> float:
    """Return the total density [kg/m3] of the other parts at the middle of a hole."""
    middle = hole.placed(hole.samples(0.0).mean(axis=0, keepdims=True))
    return float(sum(region.there(middle)[0] for region in others if region is not None))


def _refused(number: int, density: float, outside: bool) -> InputError:
    if outside:
        return refusal(
            "parts[{number}]: the hole reaches outside of the solids: there the density would be {density:.6g} kg/m³;"
            " make it end at the surface",
            number=number,
            density=density,
        )
    return refusal(
        "parts[{number}]: the hole takes away more than is there: the density would be {density:.6g} kg/m³; allowed is"
        " 0 or more",
        number=number,
        density=density,
    )


def simple(
    kind: str, half: tuple[float, float, float], reach: float
) -> tuple[Callable[[Array], Array], Callable[[float], Array], float]:
    """Return `times`, `samples` and `radius` of the `Region` of a simple solid with these half extents [m].

    `kind` is a key of GAUGES. A cone has the middle of its base at its origin.
    """
    size, middle = np.array(half), np.array(MIDDLES.get(kind, (0.0, 0.0, 0.0)))
    limit = 1.0 + ROUNDING * reach / min(half)

    def times(points: Array) -> Array:
        return np.asarray(GAUGES[kind](points / size) <= limit, dtype=np.float64)

    def samples(depth: float) -> Array:
        return np.asarray((middle + (_spread(kind) - middle) * np.maximum(1.0 - depth / size, 0.0)) * size)

    return times, samples, math.hypot(*half)


# functions of points (N, 3) in units of the half extents; a point is inside the solid if the value is at most 1
GAUGES: dict[str, Callable[[Array], Array]] = {
    "box": lambda u: np.max(np.abs(u), axis=1),
    "ellipsoid": lambda u: np.linalg.norm(u, axis=1),
    "cylinder": lambda u: np.maximum(np.hypot(u[:, 0], u[:, 1]), np.abs(u[:, 2])),
    "cone": lambda u: np.maximum(1.0 - u[:, 2], np.hypot(u[:, 0], u[:, 1]) + u[:, 2]),
}
MIDDLES = {"cone": (0.0, 0.0, 0.25)}


@cache
def _spread(kind: str) -> Array:
    """Return points (N, 3) of a simple solid, in units of its half extents: on its edges, then evenly inside.

    `kind` is a key of GAUGES. M. Roberts, "The unreasonable effectiveness of quasirandom sequences" (2018): multiples
    of powers of 1/1.2207...
    """
    steps = np.array([0.8191725133961645, 0.6710436067037893, 0.5497004779019703])
    cube = 2.0 * ((0.5 + np.outer(np.arange(1, SPREAD + 1), steps)) % 1.0) - 1.0
    if kind == "cone":
        cube[:, 2] = 0.5 + 0.5 * cube[:, 2]
    angles = (np.arange(ROUND) + 0.3) * (2.0 * np.pi / ROUND)
    rim = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(ROUND)])
    if kind == "box":
        edges = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    elif kind == "cylinder":
        edges = np.concatenate([rim - np.eye(3)[2], rim + np.eye(3)[2]])
    elif kind == "cone":
        edges = np.concatenate([rim, [[0.0, 0.0, 1.0]]])
    else:
        edges = np.concatenate([cube / np.linalg.norm(cube, axis=1)[:, None], np.eye(3), -np.eye(3)])
    return np.concatenate([edges, cube[GAUGES[kind](cube) <= 1.0]])


def below_faces(corners: Array, depth: float) -> Array:
    """Return points (4 N, 3) at a depth below N faces with corners (N, 3, 3): four below each.

    One is below the middle of the face, the others are near its corners.
    """
    middles = corners.mean(axis=1)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inward = normals * (-depth / np.maximum(np.linalg.norm(normals, axis=1), 1e-300))[:, None]
    near = corners + 1e-3 * (middles[:, None] - corners)
    points = np.concatenate([middles[:, None], near], axis=1) + inward[:, None]
    return np.asarray(points.reshape(-1, 3))
