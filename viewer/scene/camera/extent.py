"""The extent of a construction: the figures that it fills as it turns freely, and the lines that are drawn right now.

The figures do not change while the body tumbles, and so the eyes do not move. The lines lie within the figures as long
as the motion keeps to its curve; a line outside counts where it is.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from viewer.scene.annotations.trails import points_along
from viewer.scene.camera.framing import Subject
from viewer.scene.camera.sight import Extent, Oval, ball
from viewer.scene.constructions.correction import longest_momentum, longest_omega
from viewer.scene.constructions.drawing import Drawing, Lines
from viewer.scene.constructions.gimbals import gimbal_reach
from viewer.scene.constructions.loads import load_extent, path_trail
from viewer.scene.constructions.momentum import momentum_tip, momentum_trail
from viewer.scene.constructions.poinsot import FRAMES, ORIGIN_AXES, omega_tip
from viewer.scene.constructions.race import lane_arrows
from viewer.scene.constructions.scale import MOMENTUM_REACH, ROOM, Construction, MomentumSpace
from viewer.scene.description import Trail
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

# indices of the sweep's angles 11, 28, 45, 62 and 79 degrees, at which spheroids touch the figure that turns about L
TOUCHING = [2, 5, 8, 11, 14]
ORIGIN = np.zeros(3)
ASTRAY = 2.0 * (ROOM - 1.0)  # relative error of L·A L from which on L is no longer near its curve


def poinsot_extent(drawing: Drawing, drawn: Lines, subject: Subject, trails: Sequence[Trail]) -> Extent:
    """Return the extent of Poinsot's construction; `drawn` are the lines of the things in the table."""
    snapshot, presentation, built, plane = drawing.snapshot, drawing.presentation, drawing.built, drawing.plane
    show = presentation.show
    rotation, ends = snapshot.reading.rotation_world_from_body, built.axis_ends
    lines = _both_ways(rotation, ends) if show.body_axes else []
    loads, path = load_extent(drawing), path_trail(snapshot, presentation)
    paths = [_lines_of(drawn) for drawn in (*trails, path) if drawn is not None]
    if plane is None:
        return Extent(
            ((ball(float(np.max(ends))),), *loads), np.concatenate([np.array(lines).reshape(-1, 2, 3), *paths])
        )
    tip, distance = omega_tip(snapshot, built), built.plane_distance
    lines += drawn.ends + Lines(tuple(lane_arrows(snapshot, presentation, built))).ends
    if show.space_axes and np.any(subject.centre != 0.0):
        lines += [(subject.centre, subject.centre + ORIGIN_AXES * built.radius * axis) for axis in np.eye(3)]
    parts: list[tuple[Oval, ...]] = [(Oval(np.zeros(3), rotation * np.sqrt(built.sweep.squares)),), *loads]
    thin: list[tuple[Oval, ...]] = []
    if show.gimbals:
        parts.append((ball(gimbal_reach(built)),))
    if snapshot.lanes:
        parts.append((ball(built.solid.radius),))
    reach = plane.reach if show.plane else ROOM * built.scale * snapshot.curves.herpolhode_radii[1]
    if FRAMES[presentation.view.frame].on_body:
        parts.append((ball(max(math.hypot(reach, distance), built.arrow)),))
    else:
        parts.append((Oval(plane.centre, reach * plane.world_from_plane[:, :2]),))
        solids, axes = _turning(snapshot, built, plane.world_from_plane)
        parts.append(solids)
        thin += [axes] if show.body_axes else []
    times, apart = drawing.correction
    if times > 0.0 and show.angular_velocity:
        longest = longest_omega(built)
        around = longest + built.scale * snapshot.curves.herpolhode_radii[1]
        thin.append((Oval(plane.centre, plane.world_from_plane * [around, around, longest]),))
        lines.append((tip, tip + apart))
    return Extent(tuple(parts), np.concatenate([np.array(lines).reshape(-1, 2, 3), *paths]), tuple(thin))


def _turning(snapshot: Snapshot, built: Construction, world_from_plane: Array) -> tuple[tuple[Oval, ...], ...]:
    """Return figures that each enclose ellipsoid and body as they turn about L, and others that enclose the axes."""
    squares, ends = built.sweep.squares, built.axis_ends**2
    along = (snapshot.reading.rotation_world_from_body.T @ built.momentum_axis) ** 2
    if abs(float(along @ squares) / float(built.sweep.along[0] @ squares) - 1.0) > ASTRAY:
        return tuple((ball(ROOM * math.sqrt(float(np.max(each)))),) for each in (squares, ends))
    upright = ends * [np.min(built.sweep.along, axis=0), np.max(built.sweep.along, axis=0)]  # of the ends, m^2
    radii, heights = (of_all[TOUCHING] for of_all in built.sweep.around)
    slenderness = heights / radii
    level = ends - upright
    axes = np.sqrt((level + slenderness[:, None, None] ** -2.0 * upright).max(axis=(1, 2)))
    wide = np.stack([ROOM * radii, axes])
    extents = np.stack([wide, wide, wide * slenderness], axis=-1)
    return tuple(tuple(Oval(ORIGIN, spread) for spread in each) for each in world_from_plane * extents[:, :, None])


def momentum_extent(drawing: Drawing, space: MomentumSpace, drawn: Lines) -> Extent:
    """Return the extent of the construction in momentum space, whose surfaces are fixed in the body."""
    snapshot, presentation = drawing.snapshot, drawing.presentation
    show, rotation = presentation.show, snapshot.reading.rotation_world_from_body
    lines = _both_ways(rotation, space.outer + space.stub_length) if show.body_axes else []
    loads = load_extent(drawing)
    if not space.moving:
        return Extent(((ball(space.radius),), *loads), np.array(lines).reshape(-1, 2, 3))
    tip = momentum_tip(snapshot, space)
    times, apart = drawing.correction
    parts: list[tuple[Oval, ...]] = [(ball(ROOM * space.radius),), *loads]
    thin: tuple[tuple[Oval, ...], ...] = ()
    if times > 0.0:
        thin = ((ball(ROOM * space.radius + longest_momentum(space)),),)
        lines += [(tip, tip + apart), (np.zeros(3), tip)]
    lines += drawn.ends
    if show.ellipsoid:
        parts.append((Oval(np.zeros(3), rotation * space.semi_axes), ball(MOMENTUM_REACH * space.radius)))
    trail = np.zeros((0, 2, 3))
    if show.herpolhode or show.body_path:
        trail = _lines_of(momentum_trail(snapshot, presentation, space))
    return Extent(tuple(parts), np.concatenate([np.array(lines).reshape(-1, 2, 3), trail]), thin)


def _both_ways(rotation: Array, ends: Array) -> list[tuple[Array, Array]]:
    """Return the lines along the body axes that reach `ends` (3,) [m] from the origin to both sides."""
    return [(-end * axis, end * axis) for end, axis in zip(ends, rotation.T, strict=True)]


def _lines_of(trail: Trail) -> Array:
    """Return straight lines (N, 2, 3), m in the world, along the visible part of a trail."""
    points = points_along(trail)
    return np.stack([points[:-1], points[1:]], axis=1)
