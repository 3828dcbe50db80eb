"""The spring by which the pointer pulls the body, and the force that it has there."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from viewer.scene.camera.camera import cross
from viewer.scene.camera.canvas import Canvas
from viewer.scene.constructions.loads import FORCE_HEAD, FORCE_WIDTH
from viewer.scene.constructions.scale import load_arrow, load_scale, within
from viewer.scene.description import Stroke
from viewer.scene.presentation import Presentation
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

TURNS, SWING = 9, 7.0  # of the spring, and how far it goes to either side, px
ENDS = 0.12  # of its length: straight at either end
WIDTH = 1.8  # px


def pulled_point(snapshot: Snapshot, presentation: Presentation) -> Array | None:
    """The point (3,) [m] in the world that is pulled; None where none is."""
    if presentation.pull is None:
        return None
    return np.asarray(snapshot.reading.rotation_world_from_body @ presentation.pull.point_body)


def spring_strokes(snapshot: Snapshot, presentation: Presentation, canvas: Canvas) -> list[Stroke]:
    """The spring as a zigzag across the line of sight."""
    start, pull, camera = pulled_point(snapshot, presentation), presentation.pull, canvas.camera
    if start is None or pull is None:
        return []
    along = np.array(pull.target_world) - start
    side = cross(camera.backward, along)
    length = float(np.linalg.norm(side))
    if length == 0.0:
        return []
    swing = SWING * canvas.metres_per_pixel(camera.distance) / length * side
    parts = np.linspace(ENDS, 1.0 - ENDS, TURNS + 1)
    signs = np.where(np.arange(TURNS) % 2 == 0, 1.0, -1.0)
    knees = start + 0.5 * (parts[1:] + parts[:-1])[:, None] * along + signs[:, None] * swing
    points = [start, start + ENDS * along, *knees, start + (1.0 - ENDS) * along, start + along]
    color = presentation.theme.force
    return [Stroke(a, b, color, 0.95, WIDTH) for a, b in pairwise(points)]


def pull_arrow(snapshot: Snapshot, presentation: Presentation) -> list[Stroke]:
    """The spring's force at its point."""
    start, pull = pulled_point(snapshot, presentation), presentation.pull
    if start is None or pull is None or not presentation.show.loads:
        return []
    scale = load_scale(snapshot, presentation.view)
    end = start + within(load_arrow(np.array(pull.force_world), scale.force), scale.longest)
    return [Stroke(start, end, presentation.theme.force, 1.0, FORCE_WIDTH, FORCE_HEAD, name="F")]
