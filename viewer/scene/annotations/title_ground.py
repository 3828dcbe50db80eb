"""The ground of a cell's title: what strays as far as there, such as a lane that diverges, does not run through it."""

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.scene.annotations.label_layout import half_size
from viewer.scene.annotations.trails import points_along
from viewer.scene.camera.camera import Canvas
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
    boxes = [_box(line, canvas) for line in titles]
    labels = tuple(name for name in scene.labels if not any(_meet(_box(name, canvas), box) for box in boxes))
    right = min(max(float(at[0] + half[0]) for at, half in boxes) + EDGE, -float(corner[0]) - EDGE)
    low = min(float(at[1]) - line.size for (at, _), line in zip(boxes, titles, strict=True))

    def inside(points: Array) -> bool:
        return bool(np.any((points[:, 0] < right) & (points[:, 1] > low)))

    drawn = [arrow.start + ALONG * (arrow.end - arrow.start) for arrow in scene.arrows]
    drawn += [points_along(trail) for trail in (scene.trail, *scene.paths) if trail is not None]
    if not any(inside(canvas.project(points)) for points in drawn):
        return labels, ()
    low_left, high_right = (float(corner[0]) + EDGE, low), (right, float(corner[1]) - EDGE)
    middle = [0.5 * (a + b + side) for a, b, side in zip(low_left, high_right, canvas.size, strict=True)]
    half = [0.5 * (b - a) for a, b in zip(low_left, high_right, strict=True)]
    return labels, (Patch(canvas.on_screen_plane(middle[0], middle[1]), (half[0], half[1]), color, EDGE),)


def _box(label: Label, canvas: Canvas) -> tuple[Array, Array]:
    """The middle of a label and half its size, px."""
    half = np.array(half_size(label))
    at = canvas.project(label.anchor) + np.array(label.offset)
    at[0] += 0.0 if label.centred else half[0]
    return at, half


def _meet(one: tuple[Array, Array], other: tuple[Array, Array]) -> bool:
    """Whether two boxes overlap."""
    return bool(np.all(np.abs(one[0] - other[0]) < one[1] + other[1]))
