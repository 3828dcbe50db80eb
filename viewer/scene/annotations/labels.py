"""Where the names in the scene stand, so that they are read and cover nothing."""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.common.quantities.units import Unit, suited
from viewer.scenario.choices.themes import Theme
from viewer.scene.camera.camera import Camera, Canvas
from viewer.scene.description import Label, Plane, Stroke
from viewer.scene.words.numbers import rounded

Array = NDArray[np.float64]

SYMBOL_SIZE = 22.0
OMEGA_SIZE = 26.0  # a small letter, and the arrow's name all the same
AXIS_SIZE = 17.0
STEEP = 0.3  # of an axis that all but points at the eye: the fraction of it that is seen
L_OFFSET = (19.0, 2.0)
OMEGA_NAME_AT = 0.62  # of omega's length, beside which its name stands
OMEGA_OFFSET = 18.0
LEFT_OF_L = 4.0  # px: from here on omega's name stands on the left
NUMBER_SIZE = 12.5
RULING_ROOM = 20.0, 13.0  # px between the middles of two numbers, across or up
EDGE_ROOM = 36.0, 12.0
UNIT_ROOM = 14.0  # .. more across, beside the number that has the unit


def omega_label(arrow: Stroke, momentum_end: Array, canvas: Canvas) -> Label:
    """Return omega's name beside its shaft: to the right, but to the left where omega is left of L on the screen."""
    start = canvas.project(arrow.start)
    along, momentum = canvas.project(arrow.end) - start, canvas.project(momentum_end) - start
    length = float(np.linalg.norm(along))
    right = np.array([along[1], -along[0]]) / length if length > 1.0 else np.array([1.0, 0.0])
    if right[0] < 0.0:
        right = -right
    side = (-OMEGA_OFFSET if _is_left(momentum, along) else OMEGA_OFFSET) * right
    anchor = OMEGA_NAME_AT * arrow.end
    return Label(arrow.name, anchor, arrow.color, OMEGA_SIZE, (float(side[0]), float(side[1])))


def _is_left(momentum: Array, along: Array) -> bool:
    """Return whether omega, where its name stands, is left of L on the screen, and not all but on it."""
    length = float(np.linalg.norm(momentum))
    if length < 1.0:
        return False
    left = OMEGA_NAME_AT * float(momentum[0] * along[1] - momentum[1] * along[0]) / length
    return left * math.copysign(1.0, momentum[1]) > LEFT_OF_L  # of the screen, also where L points down


def stub_label(name: str, tip: Array, axis: Array, color: Color, camera: Camera, alpha: float) -> Label:
    """The name at the end of a body axis."""
    right, up = float(axis @ camera.right), float(axis @ camera.up)
    length = math.hypot(right, up)
    outwards, aside = 11.0 / max(length, STEEP), 9.0 * max(0.0, 1.0 - length / STEEP)
    return Label(name, tip, color, AXIS_SIZE, (outwards * right + aside, outwards * up + aside), alpha=alpha)


def ruling_unit(reach: float, scale: float) -> Unit:
    """The unit of the plane's ruling, which reaches so far, m; `scale`: metres per rad/s."""
    return suited("rad/s", reach / scale)


def ruling_labels(plane: Plane, scale: float, canvas: Canvas, theme: Theme) -> list[Label]:
    """Numbers of angular velocity along the grid line that runs most nearly to the right and away from the eye.

    A number that would touch its neighbour or the picture's edge is left out; the last one carries the unit.
    """
    camera, size, text_size = canvas.camera, canvas.size, canvas.text_size
    directions = [s * plane.world_from_plane[:, i] for i in (0, 1) for s in (1.0, -1.0)]
    along = max(directions, key=lambda d: float(d @ camera.right) - 0.35 * float(d @ camera.backward))
    marks = int(0.80 * plane.reach / plane.spacing)
    labels: list[Label] = []
    unit = ruling_unit(plane.reach, scale)
    nearest: tuple[float, float] | None = None
    numbers = np.arange(marks, 0, -1)
    anchors = plane.centre + numbers[:, None] * plane.spacing * along
    seen = canvas.project(anchors).tolist()
    for n, anchor, (x, y) in zip(numbers.tolist(), anchors, seen, strict=True):
        if abs(x) > 0.5 * size[0] - EDGE_ROOM[0] * text_size or abs(y) > 0.5 * size[1] - EDGE_ROOM[1]:
            continue
        room = (RULING_ROOM[0] + (UNIT_ROOM if len(labels) == 1 else 0.0)) * text_size, RULING_ROOM[1] * text_size
        if nearest is not None and abs(x - nearest[0]) < room[0] and abs(y - nearest[1]) < room[1]:
            continue
        nearest = x, y
        fade = 1.0 - 0.75 * (n * plane.spacing / plane.reach) ** 2
        text = rounded(n * plane.spacing / (scale * unit.size)) + ("" if labels else f" {unit.name}")
        labels.append(Label(text, anchor, theme.grid, NUMBER_SIZE, (0.0, 0.0), "number", fade))
    return labels
