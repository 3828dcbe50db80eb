"""The part of omega along L, which is always the same (the paper's Fig. 2): why omega's tip stays on the plane."""

import numpy as np
from numpy.typing import NDArray

from viewer.scenario.choices.themes import Theme
from viewer.scene.annotations.labels import SYMBOL_SIZE
from viewer.scene.camera.camera import Camera
from viewer.scene.description import Label, Plane, Stroke

Array = NDArray[np.float64]

WIDTH = 2.0
ASIDE = 15.0  # px from L's arrow to the dimension line beside it
TICK = 6.0  # px, to either side of its ends
CORNER = 11.0  # px, side of the mark of the right angle


def projection(
    plane: Plane, tip: Array, camera: Camera, shown: tuple[float, float], theme: Theme
) -> tuple[list[Stroke], list[Label]]:
    """A dimension line beside L as long as omega's part along L, and the right angle at the foot of omega's tip."""
    foot = plane.centre
    per_pixel = 2.0 * camera.distance * np.tan(0.5 * camera.field_of_view) / shown[1]
    along, across = foot / np.linalg.norm(foot), tip - foot
    left = np.cross(camera.backward, along)
    length = float(np.linalg.norm(left))
    left = left / length if length > 1e-6 else -camera.right
    if left @ across > 0.0:  # on the side of L away from omega
        left = -left
    color, aside = theme.angular_velocity, ASIDE * per_pixel * left
    tick = TICK * per_pixel * left
    strokes = [Stroke(aside, foot + aside, color, 1.0, WIDTH)]
    strokes += [Stroke(end + aside - tick, end + aside + tick, color, 1.0, 1.6) for end in (0.0 * foot, foot)]
    reach = float(np.linalg.norm(across))
    side = CORNER * per_pixel
    if reach > 2.0 * side:
        across = across / reach
        corner = foot + side * (across - along)
        strokes += [
            Stroke(foot, tip, theme.text, 0.7, 1.2),
            Stroke(foot + side * across, corner, theme.text, 0.7, 1.2),
            Stroke(foot - side * along, corner, theme.text, 0.7, 1.2),
        ]
    anchor, sign = 0.5 * foot + aside, 1.0 if left @ camera.right > 0.0 else -1.0
    return strokes, [Label("ωʟ", anchor, color, SYMBOL_SIZE, (20.0 * sign, 0.0))]
