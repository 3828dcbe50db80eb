"""Which part of a picture a body of many points may cover."""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.scene.stereo.views import EyeView, Rectangle, common

Array = NDArray[np.float64]

SIDES = 16  # of the polygon around it
TURN = 2.0 * math.pi / SIDES
NORMALS = np.column_stack([np.cos(TURN * np.arange(SIDES)), np.sin(TURN * np.arange(SIDES))])
FARTHEST = 1e5  # px: of points that lie beyond, only the picture's part counts


def covered(points: NDArray[np.float32], view: EyeView, world_from_body: Array, margin: int) -> tuple[Rectangle, Array]:
    """What of a picture the points of a body, (3, N) m, may cover, and `margin` px more for the edges.

    A rectangle, which may be empty, and a polygon around the same, (SIDES, 2) in the viewport, -1..1.
    """
    x, y, width, height = view.scissor or view.viewport
    drawn = common(view.viewport, (x - margin, y - margin, width + 2 * margin, height + 2 * margin))
    reach = _reach(points, view, world_from_body)
    if reach is None:
        corners = np.array([[drawn[0] + i * drawn[2], drawn[1] + j * drawn[3]] for i in (0, 1) for j in (0, 1)])
        reach = np.max(NORMALS @ corners.T, axis=1)
    reach = reach + margin
    quarter = SIDES // 4
    left, low = (math.floor(-reach[number]) for number in (2 * quarter, 3 * quarter))
    right, high = (math.ceil(reach[number]) for number in (0, quarter))
    after, normals_after = np.roll(reach, -1), np.roll(NORMALS, -1, axis=0)
    across = (reach * normals_after[:, 1] - after * NORMALS[:, 1]) / math.sin(TURN)
    up = (after * NORMALS[:, 0] - reach * normals_after[:, 0]) / math.sin(TURN)
    start, size = np.array(view.viewport[:2]), np.array(view.viewport[2:])
    around = 2.0 * (np.column_stack([across, up]) - start) / size - 1.0
    return common(drawn, (left, low, right - left, high - low)), around


def _reach(points: NDArray[np.float32], view: EyeView, world_from_body: Array) -> Array | None:
    """How far they reach in the directions NORMALS, (SIDES,) px; None where some are behind the eye or too far away."""
    rows = view.clip_from_world[[0, 1, 3]]
    clip = (rows[:, :3] @ world_from_body).astype(np.float32) @ points + rows[:, 3:].astype(np.float32)
    if np.min(clip[2]) <= 0.0:
        return None
    at = (0.5 + 0.5 * clip[:2] / clip[2]) * np.array(view.pixels, dtype=np.float32)[:, None]
    if np.max(np.abs(at)) > FARTHEST:
        return None
    half = NORMALS[: SIDES // 2].astype(np.float32) @ at
    reach = np.concatenate([np.max(half, axis=1), -np.min(half, axis=1)]).astype(np.float64)
    return np.asarray(reach - NORMALS @ view.from_drawn)
