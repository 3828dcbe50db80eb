"""The view in which what a picture shows of one moment just fits, as the camera fits the whole motion otherwise."""

from collections.abc import Callable
from dataclasses import replace
from math import tan

import numpy as np
from numpy.typing import NDArray

from viewer.scenario.sections.picture import View
from viewer.scene.annotations.trails import points_along
from viewer.scene.camera.camera import Camera
from viewer.scene.camera.framing import FIT_MARGIN
from viewer.scene.constructions.poinsot import RIM
from viewer.scene.description import Frame, SceneDescription

Array = NDArray[np.float64]
Support = Callable[[Array], float]  # how far a thing reaches in a direction, (3,), m in the world

ROUNDS = 40  # of a search whose error at least halves in each, as nothing is twice as far as the camera's target
SMALLEST, LARGEST = 0.99, 50.0  # zooms; of the whole motion, the camera lets 0.0006 into its margin


def fitted_to_moment(frame: Frame, view: View) -> View:
    """Return the view, enlarged and moved so that what `frame` shows just fits, with the motion's margin around it.

    A view that has been zoomed or moved stays as it is, as does that of a camera which does not follow the body, and
    that of a picture with several figures, which are equally large.
    """
    camera, scene = frame.main.camera, frame.main.scene
    if view.zoom != 1.0 or view.pan != (0.0, 0.0) or not view.follow or frame.in_one_space:
        return view
    things = supports(scene)
    if not things:
        return view
    left, low, right, top = bounds(things, camera)
    (width, height), (across, raised) = frame.main.views[0].shown_size, camera.shift  # shifted aside by an inset
    free = width / height - 2.0 * abs(across), 1.0 - 2.0 * abs(raised)
    zoom = min(free[0] / (right - left), free[1] / (top - low), LARGEST * FIT_MARGIN) / FIT_MARGIN
    if zoom < SMALLEST:  # what an integrator blows up leaves the picture, as in a window
        return view
    return replace(view, zoom=zoom, pan=(-0.5 * zoom * (left + right), -0.5 * zoom * (low + top)))


def supports(scene: SceneDescription) -> list[Support]:
    """Return the support functions of all that a scene shows, except names and what stands in a corner."""
    found: list[Support] = []
    if (solid := scene.solid) is not None:
        turns = [scene.world_from_body, *(ghost.world_from_body for ghost in scene.ghosts)]
        found.append(lambda toward: max(solid.size.support(toward @ turn) for turn in turns))
    ellipsoids = [] if scene.shell is None else [scene.shell.semi_axes]
    if (both := scene.constraints) is not None:
        ellipsoids += [np.full(3, both.radius), np.minimum(both.semi_axes, both.reach)]
    if ellipsoids:
        found.append(
            lambda toward: float(np.linalg.norm(np.array(ellipsoids) * (toward @ scene.world_from_body), axis=1).max())
        )
    if (sphere := scene.sphere) is not None:
        found.append(lambda toward: float(np.linalg.norm(sphere.semi_axes * toward)))
    if (plane := scene.plane) is not None:
        rim = RIM * plane.reach * plane.world_from_plane[:, :2]
        found.append(lambda toward: float(plane.centre @ toward + np.linalg.norm(toward @ rim)))
    trail = np.zeros((0, 3)) if scene.trail is None else points_along(scene.trail)
    lines = [end for line in (*scene.arrows, *scene.strokes) for end in (line.start, line.end)]
    rings = [curve.points for curve in scene.curves if curve.in_space]
    points = np.concatenate([np.reshape(lines, (-1, 3)), trail, *rings])
    if len(points) > 0:
        found.append(lambda toward: float(np.max(points @ toward)))
    return found


def bounds(things: list[Support], camera: Camera) -> tuple[float, float, float, float]:
    """Return the positions of the left, lower, right and upper bound of things, in the picture's heights.

    They are counted from the camera's axis. A bound is a plane through the eye, turned until nothing reaches beyond it.
    """
    reach = []
    for side in (-camera.right, -camera.up, camera.right, camera.up):
        slope = 0.0
        for _ in range(ROUNDS):
            toward = side + slope * camera.backward
            beyond = max(support(toward) for support in things) - float(camera.position @ toward)
            slope += beyond / camera.distance
        reach.append(0.5 * slope / tan(0.5 * camera.field_of_view))
    left, low, right, top = reach
    return -left, -low, right, top
