"""Where things are for the pointer: the projection of the eye in whose picture it is, and back at a given depth."""

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.sections.picture import Stereo
from viewer.scene.camera.camera import Camera, projection

Array = NDArray[np.float64]
Pair = tuple[float, float]

RANGE = 1e-3, 1e3  # of the camera's distance: nearest and farthest depth; any will do that holds the scene


@frozen
class Picking:
    """An eye's picture of `size` pixels as it is seen; positions count right and down from its upper left corner.

    `clip_from_world`: (4, 4), for column vectors. `backward`: (3,), the camera's.
    """

    clip_from_world: Array
    backward: Array
    size: Pair

    def pixel(self, point: Array) -> Pair:
        """Where a point (3,) [m] of the world appears."""
        x, y, _, w = (self.clip_from_world @ (*point, 1.0)).tolist()
        across, up = x / w, y / w
        return 0.5 * (1.0 + across) * self.size[0], 0.5 * (1.0 - up) * self.size[1]

    def depth(self, point: Array) -> float:
        """How far towards the eye a point lies, from the middle of the body, m."""
        return float(point @ self.backward)

    def point(self, pixel: Pair, depth: float) -> Array:
        """The point (3,) [m] that appears there and lies so far towards the eye."""
        clip = self.clip_from_world @ (*(depth * self.backward), 1.0)  # all points as deep have this z and w
        across, up = 2.0 * pixel[0] / self.size[0] - 1.0, 1.0 - 2.0 * pixel[1] / self.size[1]
        found = np.linalg.solve(self.clip_from_world, (across * clip[3], up * clip[3], clip[2], clip[3]))
        return np.asarray(found[:3] / found[3])

    def ray(self, pixel: Pair) -> tuple[Array, Array]:
        """A point (3,) [m] and the unit vector (3,) away from the eye of the line of sight through a pixel."""
        away = self.point(pixel, 0.0)
        towards = self.point(pixel, 1e-2 * max(float(np.linalg.norm(away)), 1.0))
        return away, (away - towards) / float(np.linalg.norm(away - towards))


def picking(camera: Camera, stereo: Stereo, size: Pair, part: int) -> Picking:
    """For the picture in that part of the window; where eyes share a part, as one in the middle between them sees it.

    `stereo`: with the eyes as they stand in that picture.
    """
    mode = STEREO_MODES[stereo.mode]
    eye = mode.eyes[part] if mode.halves != (1, 1) else 0
    sideways = 0.5 * (-eye if stereo.exchange_eyes else eye) * 0.01 * stereo.separation * camera.distance
    near, far = (fraction * camera.distance for fraction in RANGE)
    aspect, convergence = size[0] / size[1], stereo.convergence * camera.distance
    clip = projection(camera.field_of_view, aspect, near, far, sideways, convergence)
    return Picking(clip @ camera.view_from_world(sideways), camera.backward, size)
