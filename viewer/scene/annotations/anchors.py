"""Where the things of a picture are that can be pointed at: one entry each."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from viewer.scene.camera.camera import Camera
from viewer.scene.description import Layer, SceneDescription

Array = NDArray[np.float64]

ALONG_PLANE = 0.5  # of its reach: there it is pointed at


def anchor(layer: Layer, name: str) -> Array | None:
    """The point (3,) in world coordinates at which the thing of that name is pointed at; None: it is not drawn."""
    return ANCHORS[name](layer.scene, layer.camera)


def _tip(*names: str) -> Callable[[SceneDescription, Camera], Array | None]:
    """The end of the arrow of one of these names."""

    def find(scene: SceneDescription, camera: Camera) -> Array | None:
        return next((arrow.end for arrow in scene.arrows if arrow.name in names), None)

    return find


def _curve(scene: SceneDescription, camera: Camera) -> Array | None:
    """The point of the first curve that is nearest to the eye."""
    if not scene.curves:
        return None
    points = scene.curves[0].points @ scene.world_from_body.T
    return np.asarray(points[int(np.argmax(points @ camera.backward))])


def _trail(scene: SceneDescription, camera: Camera) -> Array | None:
    """A point of the trail, half of what is left of it behind."""
    if scene.trail is None:
        return None
    trail, ring = scene.trail, scene.trail.ring
    number = ring.row_at(max(float(trail.newest[0]) - 0.4 * trail.fade_time, 0.0))
    columns = slice(trail.column, trail.column + 3)
    vector = ring.data[number % ring.capacity, columns] if number < ring.count else trail.newest[1:4]
    return np.asarray(trail.world_from_points @ vector)


def _plane(scene: SceneDescription, camera: Camera) -> Array | None:
    """A point of the plane, to the right of its middle."""
    plane = scene.plane
    if plane is None:
        return None
    first, second = plane.world_from_plane[:, 0], plane.world_from_plane[:, 1]
    along = float(first @ camera.right) * first + float(second @ camera.right) * second
    length = float(np.linalg.norm(along))
    return plane.centre if length == 0.0 else plane.centre + ALONG_PLANE * plane.reach / length * along


def _surface(scene: SceneDescription, camera: Camera) -> Array | None:
    """The right rim of the ellipsoid or the sphere, as the eye sees it."""
    surface = scene.shell or scene.constraints
    if surface is None:
        return None
    stretched = surface.semi_axes * (camera.right @ scene.world_from_body)
    rim = surface.semi_axes * stretched / max(float(np.linalg.norm(stretched)), 1e-300)
    return np.asarray(scene.world_from_body @ rim)


ANCHORS: dict[str, Callable[[SceneDescription, Camera], Array | None]] = {
    "L": _tip("L", "L′"),
    "omega": _tip("ω"),
    "correction": _tip("correction"),
    "contact": lambda scene, camera: scene.contact,
    "body": lambda scene, camera: np.zeros(3) if scene.solid is not None else None,
    "ellipsoid": _surface,
    "sphere": lambda scene, camera: None if scene.constraints is None else -scene.constraints.radius * camera.right,
    "plane": _plane,
    "polhode": _curve,
    "curve": _curve,
    "herpolhode": _trail,
}
