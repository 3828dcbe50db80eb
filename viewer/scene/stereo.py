"""Where the eyes stand and what each of them sees: off-axis frusta, and the part of the picture each one fills."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viewer.scene.camera import Camera, projection
from viewer.sections import Stereo
from viewer.stereo_modes import STEREO_MODES, StereoMode

Array = NDArray[np.float64]


@dataclass(frozen=True)
class EyeView:
    """One eye: matrices for column vectors, and its rectangle in the finished picture.

    `rectangle`: x, y, width, height in pixels from the lower left corner. `shown_size`: width and height that the
    rectangle takes once the screen has stretched it; widths of lines and letters count in these pixels.
    """

    clip_from_world: Array
    position: Array
    rectangle: tuple[int, int, int, int]
    shown_size: tuple[float, float]


def rectangles(mode: StereoMode, size: tuple[int, int]) -> list[tuple[int, int, int, int]]:
    """The rectangle of each of the mode's eyes in a picture of `size` pixels."""
    width, height = size
    if mode.layout == "columns":
        half = max(width // 2, 1)
        return [(0, 0, half, height), (width - half, 0, half, height)]
    return [(0, 0, width, height)] * len(mode.eyes)


def shown_size(mode: StereoMode, size: tuple[int, int]) -> tuple[float, float]:
    """Width and height of one eye's picture once the screen has stretched it."""
    _x, _y, width, height = rectangles(mode, size)[0]
    if mode.squeezed:
        return 2.0 * width, float(height)
    return float(width), float(height)


def eye_views(
    camera: Camera, stereo: Stereo, size: tuple[int, int], near: float, far: float
) -> list[EyeView]:
    """The views of all eyes of the mode, in the table's order.

    The eyes stand `separation` apart, in hundredths of the camera's distance; points at `convergence` times that
    distance appear in the plane of the screen.
    """
    mode = STEREO_MODES[stereo.mode]
    shown = shown_size(mode, size)
    aspect = shown[0] / shown[1]
    apart = 0.01 * stereo.separation * camera.distance
    convergence = stereo.convergence * camera.distance
    views = []
    for eye, rectangle in zip(mode.eyes, rectangles(mode, size), strict=True):
        sideways = 0.5 * eye * apart * (-1.0 if stereo.exchange_eyes else 1.0)
        clip_from_view = projection(camera.field_of_view, aspect, near, far, sideways, convergence)
        views.append(
            EyeView(
                clip_from_view @ camera.view_from_world(sideways),
                camera.position + sideways * camera.right,
                rectangle,
                shown,
            )
        )
    return views
