"""The path of the axis of a body about a pivot: where the line from there to the centre of mass has pointed.

It is drawn on a sphere about the pivot, which holds the body. The axis of a symmetric top nods between two circles on
that sphere: its path has waves, loops or cusps.
"""

from collections.abc import Iterable
from math import cos, sin

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.scenario.choices.themes import Theme
from viewer.scene.annotations.labels import axis_colors
from viewer.scene.annotations.trails import trail_of
from viewer.scene.constructions.drawing import Drawing, Lines
from viewer.scene.constructions.scale import Construction
from viewer.scene.description import Curve, Shell, Stroke, Trail
from viewer.scene.presentation import Presentation
from viewer.session.checkpoints import POSITION_COLUMN
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

SPHERE = 1.12  # its radius, over that of the body
SPHERE_OPACITY = 0.4  # of the ellipsoid's
FADE = 40.0  # periods
BOUNDS = (0.7, 1.0)  # opacity of the circles, and their width, px
AXIS_WIDTH = 1.6  # px, as of the body axes from the pivot
TURN = np.linspace(0.0, 2.0 * np.pi, 240, endpoint=False)
LEVEL = np.column_stack((np.cos(TURN), np.sin(TURN), np.zeros_like(TURN)))  # a level circle of radius 1


def has_path(snapshot: Snapshot, presentation: Presentation) -> bool:
    """Return whether the path is drawn; a lane of a race has no places of the centre of mass."""
    recorded = snapshot.trail.data.shape[1] > POSITION_COLUMN
    poinsot = presentation.view.construction == "poinsot"
    return presentation.show.axis_path and snapshot.loads.held and recorded and poinsot


def directions(snapshot: Snapshot, orientation_wxyz: Array | None = None) -> Array:
    """Return the unit vectors (..., 3) from the pivot to the centre of mass, now or at orientations (..., 4)."""
    body, q = snapshot.body, snapshot.reading.orientation_wxyz if orientation_wxyz is None else orientation_wxyz
    return body.centre_at(q, np.zeros(3)) / np.linalg.norm(body.centre_of_mass)


def sphere_radius(built: Construction) -> float:
    """Return the radius of the sphere, m."""
    return SPHERE * built.solid.radius


def axis_color(snapshot: Snapshot, theme: Theme) -> Color:
    """Return the colour of the axis: that of the body axis along which it lies, or the text's."""
    axis = snapshot.body.top_axis
    return theme.text if axis is None else axis_colors(theme, snapshot.body.principal_moments)[axis]


def axis_lines(drawing: Drawing) -> Lines:
    """Return the axis, from the pivot to the sphere, unless a body axis that is drawn lies along it."""
    snapshot, show = drawing.snapshot, drawing.presentation.show
    if not has_path(snapshot, drawing.presentation):
        return Lines()
    if snapshot.body.top_axis is not None and show.body_axes and not show.ellipsoid:
        return Lines()
    end = sphere_radius(drawing.built) * directions(snapshot)
    color = axis_color(snapshot, drawing.theme)
    return Lines((Stroke(np.zeros(3), end, color, 0.9, AXIS_WIDTH, name="axis"),))


def axis_trails(snapshot: Snapshot, presentation: Presentation, built: Construction) -> tuple[Trail, ...]:
    """Return the path so far, if it is drawn."""
    if not has_path(snapshot, presentation):
        return ()
    radius, length = sphere_radius(built), float(np.linalg.norm(snapshot.body.centre_of_mass))
    pivot = np.asarray(snapshot.reading.position)
    x, y, z = (radius / length * pivot).tolist()
    return (trail_of(
        snapshot, presentation, POSITION_COLUMN, pivot + length * directions(snapshot), radius / length * np.eye(3),
        axis_color(snapshot, presentation.theme), np.full(3, length), FADE, False, origin=(x, y, z), name="axis",
    ),)  # fmt: skip


def axis_end(paths: Iterable[Trail]) -> dict[str, Array]:
    """Return the end (3,) [m] of the axis on the sphere, by its name, or nothing if its path is not drawn."""
    return {path.name: path.in_world(path.newest[1:]) for path in paths if path.name == "axis"}


def sphere_and_bounds(drawing: Drawing) -> tuple[Shell | None, tuple[Curve, ...]]:
    """Return the sphere on which the path lies, and the circles between which the axis of a top nods."""
    snapshot, theme = drawing.snapshot, drawing.theme
    if not has_path(snapshot, drawing.presentation):
        return None, ()
    radius = sphere_radius(drawing.built)
    sphere, (alpha, width) = np.full(3, radius), BOUNDS
    circles = tuple(
        Curve(radius * (sin(angle) * LEVEL + (0.0, 0.0, cos(angle))), theme.text, width, alpha, sphere, "bounds", True)
        for angle in (() if snapshot.top is None else snapshot.top.inclinations)
    )
    return Shell(sphere, True, SPHERE_OPACITY, in_space=True), circles
