"""Where a point of the world appears in a picture, and where a force's arrow ends: apart from the program."""

from typing import Any

import numpy as np


def eye_pixel(layer: Any, point: Any, size: tuple[float, float], eye: int = 0) -> np.ndarray:
    """Pixels right and down from the upper left corner of a layer's picture of that size, for the left (-1), the right
    (+1) or an eye in the middle between them: similar triangles with the plane of the screen."""
    camera, eyes = layer.camera, layer.eyes
    sideways = 0.5 * eye * 0.01 * eyes.separation * camera.distance
    screen = eyes.convergence * camera.distance
    x, y, z = (np.asarray(point) - camera.position) @ np.stack([camera.right, camera.up, camera.backward], axis=1)
    across, up = sideways + (x - sideways) * screen / -z, y * screen / -z
    half_height, (right, above) = screen * np.tan(0.5 * camera.field_of_view), camera.shift
    from_middle = 0.5 * across / half_height + right, 0.5 * up / half_height + above  # heights
    return np.array([0.5 * size[0] + from_middle[0] * size[1], (0.5 - from_middle[1]) * size[1]])


def force_tip(scenario: Any, rotation: np.ndarray, radius: float) -> np.ndarray:
    """Where the arrow of the scene's force ends: as long as .8 radii for m R 1/s2, with the cube root of its size."""
    loads, mass = scenario.loads, scenario.body.mass
    force = np.array(loads.force) if loads.frame == "space" else rotation @ loads.force
    size = np.linalg.norm(force)
    length = scenario.view.vector_scale * 0.8 * radius * np.cbrt(size / (mass * radius))
    return rotation @ np.array(loads.arm) + force / size * length


def box_radius(scenario: Any) -> float:
    """How far a box reaches from its middle."""
    body = scenario.body
    return 0.5 * float(np.linalg.norm([body.width, body.depth, body.height]))
