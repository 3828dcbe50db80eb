"""Where the names in the scene stand, so that they are read and cover nothing."""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.scene.camera import Camera
from viewer.scene.description import Label, Plane, Stroke
from viewer.themes import Color, Theme

Array = NDArray[np.float64]

SYMBOL_SIZE = 22.0
OMEGA_SIZE = 26.0  # a small letter, and the arrow's name all the same
AXIS_SIZE = 17.0
STEEP = 0.3  # of an axis that all but points at the eye: its share that is seen
L_OFFSET = (19.0, 2.0)
OMEGA_PLACE = 0.62  # of the way along omega, beside which its name stands
OMEGA_OFFSET = 18.0
LEFT_OF_L = (2.5, 5.5)  # px: from here on omega's name changes sides, here it has done so
FAINT = 0.4  # opacity with which it does: it is always there, and only once
NUMBER_SIZE = 12.5
RULING_ROOM = np.array([20.0, 13.0])  # px between the middles of two numbers, one way or the other
EDGE_ROOM = np.array([36.0, 12.0])
UNIT_ROOM = np.array([14.0, 0.0])  # .. more beside the number that has the unit


def on_screen(camera: Camera, point: Array, shown: tuple[float, float]) -> Array:
    """Where a world point appears to the centred eye, (2,), in pixels from the middle of the picture."""
    offset = point - camera.position
    depth = max(-float(offset @ camera.backward), 1e-6)
    per_unit = 0.5 * shown[1] / math.tan(0.5 * camera.field_of_view) / depth
    return per_unit * np.array([offset @ camera.right, offset @ camera.up])


def arrow_labels(arrows: list[Stroke], camera: Camera, shown: tuple[float, float]) -> list[Label]:
    """L beside its tip; omega beside its shaft, to the right, but to the left where the arrow is left of L.

    It fades while it changes sides.
    """
    labels = []
    momentum: Array | None = None
    for arrow in arrows:
        tip = on_screen(camera, arrow.end, shown)
        along = tip - on_screen(camera, arrow.start, shown)
        if arrow.name == "L":
            momentum = along
            labels.append(Label(arrow.name, arrow.end, arrow.color, SYMBOL_SIZE, L_OFFSET))
            continue
        length = float(np.linalg.norm(along))
        right = np.array([along[1], -along[0]]) / length if length > 1.0 else np.array([1.0, 0.0])
        if right[0] < 0.0:
            right = -right
        to_the_right = 1.0 - 2.0 * _left_of(momentum, along)
        side = OMEGA_OFFSET * math.copysign(1.0, to_the_right) * right
        labels.append(
            Label(
                arrow.name,
                OMEGA_PLACE * arrow.end,
                arrow.color,
                OMEGA_SIZE,
                (float(side[0]), float(side[1])),
                alpha=max(abs(to_the_right), FAINT),
            )
        )
    return labels


def _left_of(momentum: Array | None, along: Array) -> float:
    """How surely the place of omega's name is left of L on the screen, 0..1; 0 where they all but coincide."""
    if momentum is None:
        return 0.0
    length = float(np.linalg.norm(momentum))
    if length < 1.0:
        return 0.0
    left = OMEGA_PLACE * float(momentum[0] * along[1] - momentum[1] * along[0]) / length
    left *= math.copysign(1.0, momentum[1])  # of the screen, also where L points down
    return min(1.0, max(0.0, (left - LEFT_OF_L[0]) / (LEFT_OF_L[1] - LEFT_OF_L[0])))


def stub_label(name: str, tip: Array, axis: Array, color: Color, camera: Camera) -> Label | None:
    """The name at the positive end of a body axis; faded out while the axis turns away from the eye."""
    towards = camera.position - tip
    facing = float(axis @ towards) / float(np.linalg.norm(towards))
    alpha = min(1.0, max(0.0, (facing + 0.35) / 0.2))
    if alpha == 0.0:
        return None
    flat = np.array([axis @ camera.right, axis @ camera.up])
    length = float(np.linalg.norm(flat))
    flat /= max(length, STEEP)
    offset = 11.0 * flat + max(0.0, 1.0 - length / STEEP) * np.array([9.0, 9.0])
    return Label(name, tip, color, AXIS_SIZE, (float(offset[0]), float(offset[1])), alpha=alpha)


def ruling_labels(
    plane: Plane, scale: float, camera: Camera, shown: tuple[float, float], theme: Theme
) -> list[Label]:
    """Numbers in rad/s along the grid line that runs most nearly to the right and away from the eye.

    A number that would touch its neighbour or the picture's edge is left out; the last one carries the unit.
    """
    directions = [s * plane.world_from_plane[:, i] for i in (0, 1) for s in (1.0, -1.0)]
    along = max(directions, key=lambda d: float(d @ camera.right) - 0.35 * float(d @ camera.backward))
    marks = int(0.80 * plane.reach / plane.spacing)
    labels: list[Label] = []
    nearest = None
    for n in range(marks, 0, -1):
        anchor = plane.centre + n * plane.spacing * along
        here = on_screen(camera, anchor, shown)
        if np.any(np.abs(here) > 0.5 * np.array(shown) - EDGE_ROOM):
            continue
        room = RULING_ROOM if len(labels) != 1 else RULING_ROOM + UNIT_ROOM
        if nearest is not None and np.max(np.abs(here - nearest) / room) < 1.0:
            continue
        nearest = here
        fade = 1.0 - 0.75 * (n * plane.spacing / plane.reach) ** 2
        text = f"{n * plane.spacing / scale:.6g}" + ("" if labels else " rad/s")
        labels.append(Label(text, anchor, theme.grid, NUMBER_SIZE, (0.0, 0.0), "number", fade))
    return labels
