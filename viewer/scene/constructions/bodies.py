"""Several bodies in one space, each with its name below it."""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.scenario.sections.picture import SUITED_POLAR_ANGLES, View
from viewer.scene.annotations.letters import plain_letters
from viewer.scene.camera.camera import Canvas
from viewer.scene.camera.framing import Subject
from viewer.scene.camera.sight import Extent, Oval
from viewer.scene.camera.sweep import ball
from viewer.scene.constructions.cells import LEAST_NAME, NAME_SIZE
from viewer.scene.constructions.poinsot import FRAMES, omega_tip
from viewer.scene.constructions.scale import Construction, solid_of
from viewer.scene.description import Label, Layer
from viewer.scene.stereo.views import Box
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

GAPS = 1.7, 1.2  # from row to row of bodies side by side, and from body to body in a row, over their diameters


def places_of(bodies: tuple[Snapshot, ...], moved: bool = True) -> Array:
    """Return the position of each body, (N, 3) m, in the space that all share; if not `moved`, that at t = 0.

    Bodies that all begin at the same point stand apart in rows on the level, the first one at the far left.
    """
    starts = np.array([body.start_position for body in bodies])
    places = starts + [body.moved for body in bodies] if moved else starts
    return places if np.any(starts != starts[0]) else places + _side_by_side([solid_of(body).radius for body in bodies])


def _side_by_side(radii: list[float]) -> Array:
    """Return the centres (N, 3) [m] of balls of these radii, in rows about the origin, so that no two touch."""
    columns = math.ceil(len(radii) / math.isqrt(len(radii)))
    row, column = np.divmod(np.arange(len(radii)), columns)
    found = np.zeros((len(radii), 3))
    for axis, (line, gap) in enumerate(zip((row, column), GAPS, strict=True)):
        widths = np.zeros(max(line) + 1)
        np.maximum.at(widths, line, 2.0 * gap * np.array(radii))
        found[:, axis] = (np.cumsum(widths) - 0.5 * widths - 0.5 * np.sum(widths))[line]
    return found


def reach_of(body: Snapshot, built: Construction) -> float:
    """Return the largest distance [m] from a body's centre of the body, its ellipsoid and its arrows."""
    tip = float(np.linalg.norm(omega_tip(body, built)))
    return max(built.solid.radius, built.arrow, float(np.max(built.semi_axes)), tip)


def space_subject(selected: Snapshot, view: View, places: Array, reaches: list[float]) -> Subject:
    """Return what the camera frames: balls with the radii `reaches` at `places` (N, 3), relative to its target.

    The z axis is upright, or the camera rides on the selected body.
    """
    frame = FRAMES[view.frame]
    if frame.on_body:
        profile = ball(max(float(np.linalg.norm(place)) + r for place, r in zip(places, reaches, strict=True)))
        frame_from_world = selected.reading.rotation_world_from_body.T
    else:
        frame_from_world = np.diag([1.0, -1.0, -1.0]) if frame.sign < 0.0 else np.eye(3)
        profile = tuple(
            (out + math.hypot(x, y), up + z)
            for (x, y, z), r in zip((places @ frame_from_world.T).tolist(), reaches, strict=True)
            for out, up in ball(r)
        )
    return Subject(frame_from_world, np.zeros(3), profile, SUITED_POLAR_ANGLES[view.frame])


def space_extent(places: Array, reaches: list[float]) -> Extent:
    """Return the extent of these balls."""
    balls = (Oval(place, reach * np.eye(3)) for place, reach in zip(places, reaches, strict=True))
    return Extent(tuple((each,) for each in balls), np.zeros((0, 2, 3)))


def names_below(
    bodies: tuple[Snapshot, ...], places: Array, canvas: Canvas, color: Color, scale: float
) -> tuple[Label, ...]:
    """Return the name of each body, below it and at its depth, and "diverged" in place of a body that has diverged."""
    size = canvas.text_size * max(NAME_SIZE, LEAST_NAME / scale)
    labels = []
    for body, place in zip(bodies, places, strict=True):
        foot = place - solid_of(body).radius * canvas.camera.up
        labels.append(Label(plain_letters(body.name), foot, color, size, (0.0, -0.5 * size), style="number"))
        if body.stopped is not None:
            labels.append(Label("diverged", place, color, size, (0.0, 0.0), style="number", alpha=0.8))
    return tuple(labels)


def body_box(layer: Layer, size: tuple[int, int]) -> Box | None:
    """Return the square around a body in one space, in a picture of `size`; None if the camera is in it or past it."""
    scene, canvas = layer.scene, Canvas(layer.camera, (float(size[0]), float(size[1])))
    reach = max([0.0 if scene.solid is None else scene.solid.size.radius, *(math.hypot(*a.end) for a in scene.arrows)])
    depth = float(layer.camera.position @ layer.camera.backward)
    if depth <= reach:
        return None
    (x, y), half = canvas.project(np.zeros(3)).tolist(), reach / canvas.metres_per_pixel(depth)
    return 0.5 + (x - half) / size[0], 0.5 + (y - half) / size[1], 2.0 * half / size[0], 2.0 * half / size[1]
