"""Lines of sight through a picture, where they meet ellipsoids and boxes, and how far apart the eyes see what is there.

All of it comes from the camera and from the eyes' own matrices, and from nothing that places the eyes.
"""

import math

import numpy as np

from viewer.scene.camera.camera import Camera
from viewer.scene.description import Frame


def lines_of_sight(camera: Camera, aspect: float, across: int = 49, up: int = 29) -> np.ndarray:
    """Rays of a centred eye through the picture, its sides included, (up * across, 3); of depth 1."""
    high, (right, above) = math.tan(0.5 * camera.field_of_view), camera.shift
    x, y = np.meshgrid(np.linspace(-aspect, aspect, across) - 2.0 * right, np.linspace(-1.0, 1.0, up) - 2.0 * above)
    rays = high * (x[..., None] * camera.right + y[..., None] * camera.up) - camera.backward
    return rays.reshape(-1, 3)


def meets_ellipsoid(
    rays: np.ndarray, eye: np.ndarray, world_from_body: np.ndarray, semi_axes: np.ndarray
) -> np.ndarray:
    """The depths at which rays enter and leave an ellipsoid about the origin, (2, N); nan where they miss it."""
    ray, start = rays @ world_from_body / semi_axes, eye @ world_from_body / semi_axes
    a, b, c = np.sum(ray**2, axis=1), ray @ start, start @ start - 1.0
    with np.errstate(invalid="ignore"):
        root = np.sqrt(b**2 - a * c)
    return in_front(np.stack([-b - root, -b + root]) / a)


def meets_box(rays: np.ndarray, eye: np.ndarray, world_from_body: np.ndarray, half_extents: np.ndarray) -> np.ndarray:
    """The depths at which rays enter and leave a box about the origin, (2, N); nan where they miss it."""
    ray, start = rays @ world_from_body, eye @ world_from_body
    with np.errstate(divide="ignore"):
        faces = np.sort([(-half_extents - start) / ray, (half_extents - start) / ray], axis=0)
    enters, leaves = faces[0].max(axis=1), faces[1].min(axis=1)
    return in_front(np.where(enters <= leaves, [enters, leaves], np.nan))


def in_front(depths: np.ndarray) -> np.ndarray:
    """Depths, nan where they are behind the eye."""
    return np.where(depths > 0.0, depths, np.nan)


def parallax(frame: Frame, points: np.ndarray) -> np.ndarray:
    """The parallax of points, (..., 3), in widths of the picture, from the eyes' own matrices."""
    left, right = (np.insert(points, 3, 1.0, axis=-1) @ view.clip_from_world.T for view in frame.main.views)
    return np.asarray(0.5 * (right[..., 0] / right[..., 3] - left[..., 0] / left[..., 3]))
