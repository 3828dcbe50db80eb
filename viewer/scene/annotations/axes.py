"""Axes in the scene, and those of space in a corner of the picture."""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.scenario.choices.themes import Theme
from viewer.scene.annotations.label_layout import arrange
from viewer.scene.annotations.labels import stub_label
from viewer.scene.camera.camera import Camera, Canvas
from viewer.scene.description import Label, Solid, Stroke

Array = NDArray[np.float64]

BODY_AXES, SPACE_AXES = ("x′", "y′", "z′"), ("x", "y", "z")
STUB_WIDTH = 2.0  # px
TRIAD_LENGTH = 34.0
TRIAD_CORNER = (64.0, 58.0)
TRIAD_SIZE = 120.0  # of the square in the corner that holds the triad with its letters


def axis_colors(theme: Theme, moments: Array) -> tuple[Color, Color, Color]:
    """The colour of each body axis: by the rank of its moment of inertia, equal ones in the order of the axes."""
    rank = np.argsort(np.argsort(moments, kind="stable"), kind="stable")
    return theme.axes[rank[0]], theme.axes[rank[1]], theme.axes[rank[2]]


def axis_names(naming: str, moments: Array) -> tuple[str, ...]:
    """Names of the body axes: "letters", or "moments": e and the rank of the moment of inertia."""
    if naming == "letters":
        return BODY_AXES
    rank = np.argsort(np.argsort(moments, kind="stable"), kind="stable")
    return tuple(("e₁", "e₂", "e₃")[i] for i in rank)


def body_axes(
    inner: Array,
    room: float,
    rotation: Array,
    colors: tuple[Color, ...],
    names: tuple[str, ...],
    camera: Camera,
    solid: Solid | None = None,
) -> tuple[list[Stroke], list[Label]]:
    """Stubs at both ends of each body axis, from `inner` (3,) metres off the origin on, `room` metres long, and names
    at the positive ones, but for those that the solid hides."""
    tips = (inner + room)[:, None] * rotation.T
    in_sight = [1.0] * 3 if solid is None else solid.size.visibility(tips @ rotation, camera.position @ rotation)
    strokes, labels = [], []
    for i, name in enumerate(names):
        axis = rotation[:, i]
        for sign in (1.0, -1.0):
            start, end = sign * inner[i] * axis, sign * (inner[i] + room) * axis
            strokes.append(Stroke(start, end, colors[i], 1.0, STUB_WIDTH, name=BODY_AXES[i]))
        if in_sight[i] > 0.0:
            labels.append(stub_label(name, tips[i], axis, colors[i], camera, in_sight[i]))
    return strokes, labels


def space_axes(canvas: Canvas, theme: Theme) -> tuple[list[Stroke], list[Label]]:
    """The space axes as a small triad in the lower left corner, in the plane of the screen."""
    camera, origin = canvas.camera, canvas.on_screen_plane(*TRIAD_CORNER)
    per_pixel = canvas.metres_per_pixel(canvas.convergence * camera.distance)
    strokes, labels = [], []
    for axis, name in zip(np.eye(3), SPACE_AXES, strict=True):
        end = origin + TRIAD_LENGTH * per_pixel * axis
        strokes.append(Stroke(origin, end, theme.text, 0.8, 1.6, name=name))
        right, up = float(axis @ camera.right), float(axis @ camera.up)
        length = math.hypot(right, up)
        offset = (10.0 * right / length, 10.0 * up / length) if length > 1e-6 else (8.0, 8.0)
        labels.append(Label(name, end, theme.text, 15.0, offset, alpha=0.9 * min(1.0, length / 0.25)))
    return strokes, arrange(labels, canvas, None, np.eye(3))
