"""The depths of a scene's nearest and farthest point within the picture's sides, in closed form.

A scene consists of straight lines and of ovals: linear images of a ball (filled ellipsoids) or of a disc. Depth is a
linear function on an oval, and so is the distance of a point from a side of the picture. The nearest and the farthest
point are therefore extreme points of the oval itself, of its section with one side, or of its section with two sides
that meet; or the eye, if that is inside the oval.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.scene.camera.camera import Camera

Array = NDArray[np.float64]
# depths of the nearest and the farthest point, and of the nearest one that the picture's left or right side cuts, m
Span = tuple[float, float, float]

ROUNDING = 1e-9
AFTER = [1, 2, 3, 0]  # the index of each side's next one around the picture
APPROACH = 0.3  # by this fraction a surface counts as farther while half a picture separates it from the next side


@frozen
class Oval:
    """All points centre + spread @ u with |u| <= 1: an ellipsoid or a disc, m, in world coordinates.

    `centre` is (3,). The columns of `spread`, (3, 3) or for a disc (3, 2), are the semi-axes, at right angles.
    """

    centre: Array
    spread: Array

    @property
    def reach(self) -> float:
        """The largest distance of its points from the origin."""
        longest = max(math.hypot(*axis) for axis in self.spread.T.tolist())
        return math.hypot(*self.centre.tolist()) + longest


def ball(radius: float) -> Oval:
    """Return a ball about the origin."""
    return Oval(np.zeros(3), radius * np.eye(3))


@frozen
class Extent:
    """All that is or may become visible around the origin, m, in world coordinates.

    Each of the `parts` lies within all of its ovals. `lines` (N, 2, 3) are the ends of straight lines. `thin` are parts
    that only lines fill as they turn.
    """

    parts: tuple[tuple[Oval, ...], ...]
    lines: Array
    thin: tuple[tuple[Oval, ...], ...] = ()

    @property
    def reach(self) -> float:
        """The largest distance of its parts and lines from the origin."""
        far = max((min(oval.reach for oval in part) for part in (*self.parts, *self.thin)), default=0.0)
        return max(far, math.sqrt((self.lines * self.lines).sum(axis=-1).max(initial=0.0)))

    def seen(self, camera: Camera, aspect: float) -> list[Span]:
        """Return the depths between which the camera sees all lines together, and each part that is in the picture.

        A surface that approaches the left or right side already counts as cut there, at a greater depth, so that
        nothing jumps when it is. Lines and what they fill count as cut at an infinite depth. `aspect` is the picture's
        width over its height.
        """
        up, (across, raised) = math.tan(0.5 * camera.field_of_view), camera.shift
        axes = np.array([-camera.right, -camera.up, camera.right, camera.up])
        # the distance of each side from the camera's axis at a depth of 1
        away = up * np.array([aspect - 2.0 * across, 1.0 - 2.0 * raised, aspect + 2.0 * across, 1.0 + 2.0 * raised])
        away = away[:, None]
        sides = axes - away * camera.backward  # inwards
        corners = away * axes
        corners = -corners - corners[AFTER] - camera.backward  # along the edge in which a side meets the next
        spans = _seen_lines(self.lines, camera, sides)
        parts = (*self.parts, *self.thin)
        ovals = [oval for part in parts for oval in part]
        found = _seen_ovals(ovals, camera, sides, corners) if ovals else []
        rest = iter(found)
        for number, part in enumerate(parts):
            common = [next(rest) for _ in part]
            inside = [span for span in common if span is not None]
            if len(inside) == len(common):
                nearest, farthest, cut = (f(s[i] for s in inside) for i, f in enumerate((max, min, max)))
                if nearest <= farthest:
                    spans.append((nearest, farthest, cut if number < len(self.parts) else math.inf))
        return spans


def _seen_lines(lines: Array, camera: Camera, sides: Array) -> list[Span]:
    """Return the depths between which lines (N, 2, 3) are visible, cut off at the sides; empty if none is."""
    if len(lines) == 0:
        return []
    offset = lines - camera.position
    depth = -(offset @ camera.backward)
    inside = offset @ sides.T  # (N, 2, 4): how far each end is inside of each side
    if inside.min() >= 0.0:
        return [(float(depth.min()), float(depth.max()), math.inf)]
    start, end = inside[:, 0], inside[:, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        cut = start / (start - end)
    enters = np.max(np.where(start < 0.0, cut, 0.0), axis=1)
    leaves = np.min(np.where(end < 0.0, cut, 1.0), axis=1)
    seen = (enters <= leaves) & ~np.any((start < 0.0) & (end < 0.0), axis=1)
    if not np.any(seen):
        return []
    fractions = np.stack([enters, leaves], axis=1)[seen]
    ends = depth[seen, :1] + fractions * (depth[seen, 1:] - depth[seen, :1])
    return [(float(np.min(ends)), float(np.max(ends)), math.inf)]


def _seen_ovals(ovals: Sequence[Oval], camera: Camera, sides: Array, corners: Array) -> list[Span | None]:
    """Return the depths between which each oval is visible, or None for one that is not visible."""
    spread = np.zeros((len(ovals), 3, 3))  # of a disc, the last column is 0
    for i, oval in enumerate(ovals):
        spread[i, :, : oval.spread.shape[1]] = oval.spread
    flat = np.array([oval.spread.shape[1] == 2 for oval in ovals])
    offset = np.array([oval.centre for oval in ovals]) - camera.position
    slope, middle = -camera.backward @ spread, -(offset @ camera.backward)  # depth: middle + slope @ u
    steep, clear = sides @ spread, offset @ sides.T  # how far inside of each side: clear + steep @ u
    approach = -2.0 * APPROACH / float((sides[0] + sides[2]) @ camera.backward)
    with np.errstate(divide="ignore", invalid="ignore"):
        to_unit = spread / (spread * spread).sum(axis=1, keepdims=True)
        eye = -(offset[:, None] @ to_unit)[:, 0]  # of a disc: nan in the last place
        squared = (steep * steep).sum(axis=2, keepdims=True)
        foot = -clear[:, :, None] / squared * steep  # of each side's cut: its middle
        half = slope[:, None] - (steep @ slope[:, :, None]) / squared * steep
        half[flat] = np.stack([-steep[flat, :, 1], steep[flat, :, 0], 0.0 * clear[flat]], axis=2)
        half *= np.sqrt((1.0 - (foot * foot).sum(axis=2)) / (half * half).sum(axis=2))[:, :, None]
        met = _along(eye, corners @ to_unit)
        met[flat] = np.tile(_corners(steep[flat], clear[flat]), (1, 2, 1))
        top = _top(slope)
        lean = slope[:, None] + approach * steep[:, ::2]
        lean /= np.sqrt((lean * lean).sum(axis=2, keepdims=True))
        ends = np.concatenate([top, -top, -lean, foot + half, foot - half, met], axis=1)
        inside = clear[:, None] + ends @ steep.transpose(0, 2, 1)
        seen = (inside >= -ROUNDING * np.abs(clear)[:, None]).all(axis=2)
        seen &= (ends * ends).sum(axis=2) <= 1.0 + ROUNDING
        depth = middle[:, None] + (ends @ slope[:, :, None])[:, :, 0]
        eye_inside = (eye * eye).sum(axis=1) <= 1.0
        cut = np.min(np.where(seen, depth + approach * inside[:, :, ::2].min(axis=2), np.inf), axis=1)
    nearest = np.min(np.where(seen, depth, np.inf), axis=1)
    farthest = np.max(np.where(seen, depth, -np.inf), axis=1)
    nearest, farthest = (np.where(eye_inside, 0.0, nearest), np.where(eye_inside, np.maximum(farthest, 0.0), farthest))
    spans = zip(nearest.tolist(), farthest.tolist(), np.where(eye_inside, 0.0, cut).tolist(), strict=True)
    return [span if span[1] >= span[0] else None for span in spans]


# The points (N, M, 3) of N unit balls or discs at which depth can be least or most; nan or outside if there is none.
# `slope` (N, 3) is the gradient of depth. A point u lies clear + steep @ u inside of each side, in the order of
# the sides around the picture, with `steep` (N, 4, 3) and `clear` (N, 4).


def _top(slope: Array) -> Array:
    """Return the farthest point of each oval."""
    length = np.sqrt((slope * slope).sum(axis=1, keepdims=True))
    return np.where(length > 0.0, slope / length, (1.0, 0.0, 0.0))[:, None]  # else all have the same depth


def _corners(steep: Array, clear: Array) -> Array:
    """Return the points of each disc's plane in which two sides meet."""
    x, y, u, v = steep[..., 0], steep[..., 1], steep[:, AFTER, 0], steep[:, AFTER, 1]
    after = clear[:, AFTER]
    met = np.stack([after * y - clear * v, clear * u - after * x, 0.0 * x], axis=2)
    return np.asarray(met / (x * v - y * u)[:, :, None])


def _along(eye: Array, edges: Array) -> Array:
    """Return the points in which the edges between two sides, lines (N, 4, 3) from the eye, enter and leave balls."""
    squared = (edges * edges).sum(axis=2, keepdims=True)
    foot = eye[:, None] - (edges @ eye[:, :, None]) / squared * edges
    half = np.sqrt((1.0 - (foot * foot).sum(axis=2, keepdims=True)) / squared) * edges
    return np.concatenate([foot + half, foot - half], axis=1)
