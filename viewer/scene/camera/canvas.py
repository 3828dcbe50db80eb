"""What names and marks are laid out on: one eye's picture, in pixels at scale 1, and the world as it appears there."""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.scene.camera.camera import Camera

Array = NDArray[np.float64]

CELL = (240.0, 220.0)  # px: in a small picture beside others letters grow no further than this does to its size


@frozen
class Canvas:
    """The picture of a centred eye: `size` is its width and height in pixels at scale 1.

    `convergence`: how far away the plane of the screen lies, in the camera's distance. `text_size`: of the names there.
    """

    camera: Camera
    size: tuple[float, float]
    convergence: float = 1.0
    text_size: float = 1.0

    def metres_per_pixel(self, depth: float) -> float:
        """At a depth [m] along the camera's axis."""
        return 2.0 * depth * math.tan(0.5 * self.camera.field_of_view) / self.size[1]

    def project(self, points: Array) -> Array:
        """Where world points, (..., 3), appear, (..., 2), in pixels from the middle of the picture."""
        camera = self.camera
        seen = (points - camera.position) @ np.array([camera.right, camera.up, camera.backward]).T
        per_unit = 0.5 * self.size[1] / math.tan(0.5 * camera.field_of_view)
        return np.asarray(per_unit * seen[..., :2] / np.maximum(-seen[..., 2:], 1e-6))

    def on_screen_plane(self, x: float, y: float) -> Array:
        """The world point (3,), in the plane of the screen, at (x, y) px from the lower left corner."""
        camera, depth = self.camera, self.convergence * self.camera.distance
        per_pixel = self.metres_per_pixel(depth)
        right, up = per_pixel * (x - 0.5 * self.size[0]), per_pixel * (y - 0.5 * self.size[1])
        return np.asarray(camera.position - depth * camera.backward + right * camera.right + up * camera.up)


def cell_text_size(text_size: float, size: tuple[float, float], least: float = 1.0) -> float:
    """How much larger than plain the letters are in a cell of `size` pixels at scale 1: as the user has them, but no
    larger than there is room for them, though as large as `least`."""
    return min(text_size, max(min(size[0] / CELL[0], size[1] / CELL[1]), least))
