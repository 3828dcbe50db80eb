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
    """L beside its tip; omega beside its shaft, on the side away from L."""
    labels = []
    momentum_tip: Array | None = None
    for arrow in arrows:
        tip = on_screen(camera, arrow.end, shown)
        root = on_screen(camera, arrow.start, shown)
        if arrow.name == "L":
            momentum_tip = tip - root
            labels.append(Label(arrow.name, arrow.end, arrow.color, SYMBOL_SIZE, (13.0, 2.0)))
            continue
        along = tip - root
        length = float(np.linalg.norm(along))
        side = np.array([along[1], -along[0]]) / length if length > 1.0 else np.array([1.0, 0.0])
        if momentum_tip is not None and float(side @ momentum_tip) > 0.0:
            side = -side
        share = 0.62
        offset = 18.0 * side
        labels.append(
            Label(
                arrow.name, share * arrow.end, arrow.color, OMEGA_SIZE, (float(offset[0]), float(offset[1]))
            )
        )
    return labels


def stub_label(name: str, tip: Array, axis: Array, color: Color, camera: Camera) -> Label | None:
    """The name at the positive end of a body axis; faded out while the axis turns away from the eye."""
    towards = camera.position - tip
    facing = float(axis @ towards) / float(np.linalg.norm(towards))
    alpha = min(1.0, max(0.0, (facing + 0.35) / 0.2))
    if alpha == 0.0:
        return None
    flat = np.array([axis @ camera.right, axis @ camera.up])
    length = float(np.linalg.norm(flat))
    offset = 11.0 * flat / length if length > 1e-3 else np.array([9.0, 9.0])
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
