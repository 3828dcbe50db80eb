"""The ground of a cell's title: what strays as far as there, such as a lane that diverges, does not run through it."""

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.scene.annotations.label_layout import half_size
from viewer.scene.annotations.trail_points import points_along
from viewer.scene.camera.canvas import Canvas
from viewer.scene.description import Label, Patch, SceneDescription

Array = NDArray[np.float64]

EDGE = 3.0  # px from the edge of the cell
ALONG = np.linspace(0.0, 1.0, 17)[:, None]  # of an arrow


def title_ground(
    titles: list[Label], scene: SceneDescription, canvas: Canvas, color: Color
) -> tuple[tuple[Label, ...], tuple[Patch, ...]]:
    """The scene's names that do not stand on these lines in the upper left corner, and the ground of those in `color`,
    where something of the scene comes there."""
    corner = 0.5 * np.array(canvas.size) * (-1.0, 1.0)
    ends = [canvas.project(line.anchor) + np.array(half_size(line)) * (2.0, 0.0) for line in titles]
    right = min(max(float(end[0]) for end in ends) + EDGE, -float(corner[0]) - EDGE)
    low = min(float(end[1]) - line.size for end, line in zip(ends, titles, strict=True))

    def inside(points: Array, half: Array | tuple[float, float] = (0.0, 0.0)) -> bool:
        across, up = points[..., 0] - half[0], points[..., 1] + half[1]
        return bool(np.any((across < right) & (up > low)))

    labels = tuple(name for name in scene.labels if not inside(_place(name, canvas), half_size(name)))
    drawn = [arrow.start + ALONG * (arrow.end - arrow.start) for arrow in scene.arrows]
    drawn += [points_along(trail) for trail in (scene.trail, *scene.paths) if trail is not None]
    if not any(inside(canvas.project(points)) for points in drawn):
        return labels, ()
    low_left, high_right = (float(corner[0]) + EDGE, low), (right, float(corner[1]) - EDGE)
    middle = [0.5 * (a + b + side) for a, b, side in zip(low_left, high_right, canvas.size, strict=True)]
    half = [0.5 * (b - a) for a, b in zip(low_left, high_right, strict=True)]
    return labels, (Patch(canvas.on_screen_plane(middle[0], middle[1]), (half[0], half[1]), color, EDGE),)


def _place(label: Label, canvas: Canvas) -> Array:
    return np.asarray(canvas.project(label.anchor) + label.offset)
