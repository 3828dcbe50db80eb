"""How deep what is seen of a scene lies: its nearest and its farthest point within the picture's sides, in closed form.

All is made of ovals: straight images of a ball (an ellipsoid, filled) or of a disc; and of straight lines. Depth is
linear along an oval, and so is how far a point lies inside a side of the picture. What is nearest or farthest then lies
at the end of the oval itself, of its cut with one side, or of its cut with two sides that meet; or in the eye.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viewer.scene.camera import Camera

Array = NDArray[np.float64]
Span = tuple[float, float]  # depths of the nearest and the farthest point, m

ROUNDING = 1e-9


@dataclass(frozen=True)
class Oval:
    """All points centre + spread @ u with |u| <= 1: an ellipsoid or a disc, m, in world coordinates.

    `centre`: (3,). `spread`: (3, 3) or, of a disc, (3, 2); columns at right angles: the semi-axes.
    """

    centre: Array
    spread: Array

    @property
    def reach(self) -> float:
        """How far from the origin it may come."""
        return float(np.linalg.norm(self.centre)) + float(np.max(np.linalg.norm(self.spread, axis=0)))


def ball(radius: float) -> Oval:
    """About the origin."""
    return Oval(np.zeros(3), radius * np.eye(3))


@dataclass(frozen=True)
class Extent:
    """What there is to see, or can come to be seen: around the origin, m, in world coordinates.

    `parts`: each lies within all of its ovals. `lines`: (N, 2, 3), from there to there.
    """

    parts: tuple[tuple[Oval, ...], ...]
    lines: Array

    @property
    def reach(self) -> float:
        """How far from the origin any of it may come."""
        far = max((min(oval.reach for oval in part) for part in self.parts), default=0.0)
        return max(far, float(np.max(np.linalg.norm(self.lines, axis=-1), initial=0.0)))

    def seen(self, camera: Camera, aspect: float) -> list[Span]:
        """What the camera has of each part and of all lines within the sides of a picture, width over height `aspect`;
        nothing of what is outside."""
        up = math.tan(0.5 * camera.field_of_view)
        axes = np.array([-camera.right, -camera.up, camera.right, camera.up])
        sides = axes - up * np.array([[aspect], [1.0], [aspect], [1.0]]) * camera.backward  # inwards
        spans = _seen_lines(self.lines, camera, sides)
        ovals = [oval for part in self.parts for oval in part]
        found: list[Span | None] = [None] * len(ovals)
        for dimensions in (2, 3):
            chosen = [i for i, oval in enumerate(ovals) if oval.spread.shape[1] == dimensions]
            if chosen:
                for i, span in zip(
                    chosen, _seen_ovals([ovals[i] for i in chosen], camera, sides), strict=True
                ):
                    found[i] = span
        rest = iter(found)
        for part in self.parts:
            common = [next(rest) for _ in part]
            inside = [span for span in common if span is not None]
            if len(inside) == len(common):
                nearest, farthest = max(s[0] for s in inside), min(s[1] for s in inside)
                if nearest <= farthest:
                    spans.append((nearest, farthest))
        return spans


def _seen_lines(lines: Array, camera: Camera, sides: Array) -> list[Span]:
    """The span of what is seen of all lines, (N, 2, 3): each is cut off at the sides."""
    if len(lines) == 0:
        return []
    offset = lines - camera.position
    depth = -(offset @ camera.backward)
    inside = offset @ sides.T  # (N, 2, 4): how far each end is inside of each side
    start, end = inside[:, 0], inside[:, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        cut = start / (start - end)
    enters = np.max(np.where(start < 0.0, cut, 0.0), axis=1)
    leaves = np.min(np.where(end < 0.0, cut, 1.0), axis=1)
    seen = (enters <= leaves) & ~np.any((start < 0.0) & (end < 0.0), axis=1)
    if not np.any(seen):
        return []
    shares = np.stack([enters, leaves], axis=1)[seen]
    ends = depth[seen, :1] + shares * (depth[seen, 1:] - depth[seen, :1])
    return [(float(np.min(ends)), float(np.max(ends)))]


def _seen_ovals(ovals: Sequence[Oval], camera: Camera, sides: Array) -> list[Span | None]:
    """The span of what is seen of each oval, all of as many dimensions; None: nothing."""
    spread = np.array([oval.spread for oval in ovals])
    offset = np.array([oval.centre for oval in ovals]) - camera.position
    slope, middle = -camera.backward @ spread, -(offset @ camera.backward)  # depth: middle + slope @ u
    steep, clear = sides @ spread, offset @ sides.T  # how far inside of each side: clear + steep @ u
    with np.errstate(divide="ignore", invalid="ignore"):
        if spread.shape[2] == 2:
            ends = np.concatenate(
                [*_free(slope), *_one_side_of_disc(steep, clear), _corners(steep, clear)], axis=1
            )
            eye_inside = np.zeros(len(ovals), dtype=bool)
        else:
            to_unit = spread / np.sum(spread**2, axis=1, keepdims=True)
            eye = -np.einsum("ni,nij->nj", offset, to_unit)
            edges = np.cross(sides, sides[[1, 2, 3, 0]]) @ to_unit
            ends = np.concatenate(
                [*_free(slope), *_one_side(slope, steep, clear), *_along(eye, edges)], axis=1
            )
            eye_inside = np.sum(eye**2, axis=1) <= 1.0
        inside = clear[:, None] + ends @ steep.transpose(0, 2, 1)
        seen = np.all(inside >= -ROUNDING * np.abs(clear)[:, None], axis=2)
        seen &= np.sum(ends**2, axis=2) <= 1.0 + ROUNDING
        depth = middle[:, None] + (ends @ slope[:, :, None])[:, :, 0]
    nearest = np.min(np.where(seen, depth, np.inf), axis=1)
    farthest = np.max(np.where(seen, depth, -np.inf), axis=1)
    nearest, farthest = (
        np.where(eye_inside, 0.0, nearest),
        np.where(eye_inside, np.maximum(farthest, 0.0), farthest),
    )
    return [
        (near, far) if far >= near else None
        for near, far in zip(nearest.tolist(), farthest.tolist(), strict=True)
    ]


# Where depth can be least or most on N unit balls or discs: (N, M, k) each, nan or outside where there is none.
# `slope`: (N, k), of depth. `steep`: (N, 4, k) and `clear`: (N, 4): how far inside a point is of each side, in their
# order around the picture, is clear + steep @ u.


def _free(slope: Array) -> tuple[Array, Array]:
    """The ends of all of it."""
    along = slope / np.linalg.norm(slope, axis=1, keepdims=True)
    along = np.where(np.isnan(along), np.eye(slope.shape[1])[0], along)[:, None]  # all as deep: any will do
    return along, -along


def _one_side(slope: Array, steep: Array, clear: Array) -> tuple[Array, Array]:
    """The ends of each side's cut through a ball."""
    squared = np.sum(steep**2, axis=2, keepdims=True)
    foot = -clear[:, :, None] / squared * steep
    way = slope[:, None] - (steep @ slope[:, :, None]) / squared * steep
    way *= np.sqrt((1.0 - np.sum(foot**2, axis=2)) / np.sum(way**2, axis=2))[:, :, None]
    return foot + way, foot - way


def _one_side_of_disc(steep: Array, clear: Array) -> tuple[Array, Array]:
    """The ends of each side's cut through a disc."""
    squared = np.sum(steep**2, axis=2, keepdims=True)
    foot = -clear[:, :, None] / squared * steep
    way = np.stack([-steep[:, :, 1], steep[:, :, 0]], axis=2)
    way = way * np.sqrt((1.0 - np.sum(foot**2, axis=2, keepdims=True)) / squared)
    return foot + way, foot - way


def _corners(steep: Array, clear: Array) -> Array:
    """Where two sides meet on a disc's plane."""
    (x, y), (u, v) = np.moveaxis(steep, 2, 0), np.moveaxis(steep[:, [1, 2, 3, 0]], 2, 0)
    after = clear[:, [1, 2, 3, 0]]
    met = np.stack([after * y - clear * v, clear * u - after * x], axis=2) / (x * v - y * u)[:, :, None]
    return np.asarray(met)


def _along(eye: Array, edges: Array) -> tuple[Array, Array]:
    """Where the lines from the eye in which two sides meet, (N, 4, 3), run into a ball and out of it."""
    squared = np.sum(edges**2, axis=2, keepdims=True)
    foot = eye[:, None] - (edges @ eye[:, :, None]) / squared * edges
    way = np.sqrt((1.0 - np.sum(foot**2, axis=2, keepdims=True)) / squared) * edges
    return foot + way, foot - way
