"""What the camera of a race's cell shows: what is drawn there, seen from any side, and no more, so that it fills it."""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.scenario.sections.picture import Show
from viewer.scene.camera.framing import Subject
from viewer.scene.camera.sweep import Profile, ball, mirrored
from viewer.scene.constructions.poinsot import FRAMES
from viewer.scene.constructions.scale import MOMENTUM_REACH, Construction, MomentumSpace
from viewer.scene.description import Trail
from viewer.scene.presentation import Presentation

Array = NDArray[np.float64]

FURTHEST = 2.2  # times the ellipsoid: so far a path is followed that leads away from it
CORNERS = np.linspace(0.0, 0.5 * math.pi, 9)
MARGIN = 1.06  # around it, for the names


def poinsot_cell(
    subject: Subject, presentation: Presentation, built: Construction, paths: tuple[Trail, ...]
) -> Profile:
    """Of Poinsot's construction, `subject`'s profile where L or the space stays upright."""
    show, profile = presentation.show, subject.profile
    if FRAMES[presentation.view.frame].on_body:
        profile = _about_z(built.semi_axes, _ends(built.axis_ends, show))
        if show.angular_momentum:
            profile += ball(built.arrow)
        if show.body:
            profile += _about_z(built.solid.reach)
    reach = max(map(_reach, paths), default=0.0)
    inside = float(np.max(built.semi_axes, initial=1e-9))
    return profile + ball(min(reach, FURTHEST * inside)) if reach > inside else profile


def momentum_cell(show: Show, built: MomentumSpace) -> Profile:
    """Of momentum space."""
    ellipsoid = np.minimum(built.semi_axes, MOMENTUM_REACH * built.radius)
    ends = _ends(built.outer + built.stub_length, show)
    return tuple((MARGIN * x, MARGIN * y) for x, y in _about_z(ellipsoid, ends) + ball(built.radius))


def _ends(ends: Array, show: Show) -> Array:
    return ends if show.body_axes else np.zeros(3)


def _about_z(semi_axes: Array, ends: Array | None = None) -> Profile:
    """An ellipsoid turned about z', and the ends of the axes."""
    wide = float(max(semi_axes[:2]))
    points = np.column_stack((wide * np.sin(CORNERS), semi_axes[2] * np.cos(CORNERS)))
    if ends is not None:
        points = np.concatenate((points, [(max(ends[:2]), 0.0), (0.0, ends[2])]))
    return mirrored(points)


def _reach(path: Trail) -> float:
    """How far a path leads from the centre, m."""
    ring, scale = path.ring, float(np.linalg.norm(path.world_from_points, 2))
    first = ring.row_at(float(path.newest[0]) - path.length)
    rows = ring.rows(first, ring.count)[:, path.column : path.column + 3]
    with np.errstate(over="ignore"):
        squares = np.einsum("ij,ij->i", rows, rows)
    return scale * math.sqrt(float(np.max(squares, initial=0.0)))
