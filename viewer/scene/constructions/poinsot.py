"""Poinsot's construction: the things that are drawn of it, and the figure that the camera frames."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color, mixed
from viewer.common.frozen import frozen
from viewer.scenario.choices.themes import Theme
from viewer.scenario.sections.picture import SUITED_POLAR_ANGLES, Show, View
from viewer.scene.annotations.label_layout import arrange
from viewer.scene.annotations.label_places import ALMOST, SHAFT_PRICE, STUB_PRICE, THIN_PRICE, lines_on, points_of
from viewer.scene.annotations.labels import (
    L_OFFSET,
    SPACE_AXES,
    SYMBOL_SIZE,
    axis_colors,
    axis_names,
    body_axes,
    omega_label,
    ruling_labels,
    ruling_unit,
    space_axes,
    triad_box,
)
from viewer.scene.annotations.ticks import HALF_LENGTHS, measured_legend, measured_points, rolling_ticks
from viewer.scene.annotations.trails import points_along, tint_legend, trail_of
from viewer.scene.camera.camera import Canvas, cross, smooth_step, upright_frame
from viewer.scene.camera.framing import Subject
from viewer.scene.camera.sweep import ball
from viewer.scene.constructions.axis_path import AXIS_WIDTH, axis_end, sphere_and_bounds, sphere_radius
from viewer.scene.constructions.cones import cones
from viewer.scene.constructions.correction import badge, correction_arrow, longest_omega
from viewer.scene.constructions.drawing import Drawing, Lines
from viewer.scene.constructions.gimbals import gimbal_rings
from viewer.scene.constructions.loads import (
    handle_position,
    path_trail,
    pulled_point,
    spring_strokes,
)
from viewer.scene.constructions.race import (
    flashes,
    ghost_axes,
    ghost_lanes,
    ghosts,
    lane_arrows,
    lane_snapshot,
    legend,
)
from viewer.scene.constructions.scale import FURTHEST, Construction, round_below, within
from viewer.scene.description import DASH, Curve, Label, Plane, SceneDescription, Shell, Solid, Stroke, Trail
from viewer.scene.presentation import Presentation
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

ARROW_HEAD = 18.0
KEY_LIGHT = (-0.55, 0.75, 0.60)  # right, up, backward: from the camera's upper left
TRAIL_COLUMN = 1  # of the ring: omega in the world
PATH_COLUMN = 4  # .. and in the body
TRAIL_FADE = 1.2  # turns of the motion
PATH_FADE = 6.0
RIM = 0.935  # of the plane's reach must fit into the picture; the rest is in the margin
IDEAL = (0.55, 0.8)  # alpha and width of the polhode beside a path of omega in the body
ORIGIN_AXES = 0.2  # of the construction's radius: axes at the point where the body began, if the camera stays there
DIMENSION_WIDTH = 2.2
DIMENSION_ASIDE = 15.0  # px from L's arrow to the dimension line beside it
DIMENSION_CASING = 1.75  # px, to either side of its lines
DIMENSION_TICK = 6.0  # px, to either side of its ends
NAMED_ON_BODY = 0.8  # mixing of an axis name's colour with the text's, on a body whose face has the axis's colour
ONE_LINE = 10.0, 24.0  # px between L and omega: up to the first they look like one line, from the second on like two
RIGHT_ANGLE = 11.0  # px, side of its mark


@frozen
class ViewFrame:
    """The direction that is upright in the picture: +L (sign 1), -L (sign -1), or the third axis of space (sign 0).

    If `on_body`, the camera rides on the body, whose third axis is upright. If it `repeats`, it turns about L so that
    a free motion looks after a period as it did before.
    """

    sign: float
    on_body: bool = False
    repeats: bool = False


FRAMES = {
    "ceiling": ViewFrame(1.0),
    "floor": ViewFrame(-1.0),
    "repeating": ViewFrame(1.0, repeats=True),
    "space": ViewFrame(0.0),
    "body": ViewFrame(0.0, on_body=True),
}


def poinsot_subject(
    snapshot: Snapshot, view: View, built: Construction, bare: bool = False, plane: bool = False
) -> Subject:
    """Return what the camera frames of Poinsot's construction: all that turns, and with `plane` the invariable plane.

    If `bare`, it is only the body and L.
    """
    start = snapshot.start_angular_momentum_world
    length = float(np.linalg.norm(start))
    start_axis = start / length if length > 0.0 else built.momentum_axis
    frame = FRAMES[view.frame]
    sign = frame.sign or 1.0
    if frame.sign:
        frame_from_world = upright_frame(sign * built.momentum_axis, sign * start_axis)
        if frame.repeats:
            frame_from_world = _turned(snapshot).T @ frame_from_world
        tip = (0.0, sign * built.arrow)
        profile = (*ball(built.solid.radius), tip) if bare else (
            *built.sweep.profile, *built.sweep.swept(built.axis_ends), tip
        )  # fmt: skip
        if plane and built.moving:
            profile += ((RIM * plane_reach(snapshot, built), sign * built.plane_distance),)
    else:
        frame_from_world = snapshot.reading.rotation_world_from_body.T if frame.on_body else np.eye(3)
        turning = max(float(np.max(built.axis_ends)), math.sqrt(float(np.max(built.sweep.squares))))
        profile = ball(max(built.solid.radius if bare else turning, built.arrow))
    return Subject(frame_from_world, -_away(snapshot, view), profile, SUITED_POLAR_ANGLES[view.frame])


def _turned(snapshot: Snapshot) -> Array:
    """Return the rotation (3, 3), since t = 0 about its upright axis, of the frame in which the motion repeats."""
    turns = 0.0
    if snapshot.frame_period is not None and snapshot.loads.free:
        turns = math.fmod(snapshot.reading.time / snapshot.frame_period, 1.0)
    sine, cosine = math.sin(2.0 * math.pi * turns), math.cos(2.0 * math.pi * turns)
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def _away(snapshot: Snapshot, view: View) -> Array:
    """Return how far the body has moved from the camera's target, (3,) m; zero if the camera follows the body."""
    return np.zeros(3) if view.follow else snapshot.moved


def describe_poinsot(
    drawing: Drawing, lines: Lines, trail: Trail | None, paths: tuple[Trail, ...], large: bool
) -> SceneDescription:
    """Return the scene, with the `lines` of the things in the table, and the `paths` that `body_paths` returns.

    If it is not `large`, everything too small to read is left out.
    """
    snapshot, presentation, built = drawing.snapshot, drawing.presentation, drawing.built
    canvas, plane = drawing.canvas, drawing.plane
    view, show, theme, camera = presentation.view, presentation.show, presentation.theme, canvas.camera
    moments = np.asarray(snapshot.body.principal_moments)
    colors = axis_colors(theme, moments)
    rotation = snapshot.reading.rotation_world_from_body
    tip = omega_tip(snapshot, built)
    size = built.solid
    solid = Solid(size.kind, size.half_extents, colors, size.bar, size.mesh, view.material) if show.body else None
    own_arrows, front_arrows = _told_apart(lines.arrows, canvas)
    arrows = [*lane_arrows(snapshot, presentation, built), *own_arrows]
    strokes, triad, stubs = list[Stroke](), list[Stroke](), list[Stroke]()
    labels, triad_labels = list[Label](), list[Label]()
    if show.body_axes:
        names = axis_names(view.axis_names, moments)
        vectors = [arrow for arrow in lines.arrows if arrow.name in ("L", "ω")]
        inner, room = built.axis_ends - built.stub_length, np.full(3, built.stub_length)
        if snapshot.loads.held and not show.ellipsoid:  # from the pivot to the sphere
            inner, room = np.zeros(3), np.full(3, sphere_radius(built))
        stubs, labels = body_axes(inner, room, rotation, colors, names, canvas, solid, vectors)
        if not inner.any():
            stubs = [replace(stub, width=AXIS_WIDTH) for stub in stubs[::2]]  # the positive ones
        strokes += stubs
        labels = [replace(name, on_body=mixed(name.color, theme.text, NAMED_ON_BODY)) for name in labels]
    flashed, flashed_axes = flashes(snapshot, presentation, built)
    strokes += ghost_axes(snapshot, presentation, built) + flashed_axes
    labels = [*lines.labels, *labels]
    times, apart = drawing.correction
    if times > 0.0 and show.angular_velocity:
        arrows += correction_arrow(tip, apart, longest_omega(built), theme.angular_velocity, canvas, theme)
    if presentation.legends and large:
        labels += legend(snapshot, presentation, canvas, badge(snapshot, times, theme))
    corner = [triad_box(canvas)] if large and show.space_axes else []
    if plane is not None and show.plane and large:
        outer = built.scale * snapshot.curves.herpolhode_radii[1] + max(HALF_LENGTHS) * built.radius
        labels += ruling_labels(plane, outer, built, canvas, theme, corner)
    away = _away(snapshot, view)
    if np.any(away != 0.0) and show.space_axes:
        strokes += [
            Stroke(-away, ORIGIN_AXES * built.radius * axis - away, theme.text, 0.6, 1.5, name=name)
            for axis, name in zip(np.eye(3), SPACE_AXES, strict=True)
        ]
    if large and show.space_axes:
        triad, triad_labels = space_axes(canvas, theme)
    triad += lines.overlay
    curves: tuple[Curve, ...] = (_polhode(snapshot, show, built, theme),) if show.polhode and built.moving else ()
    (both_cones, tangent), (sphere, bounds) = cones(drawing), sphere_and_bounds(drawing)
    curves += bounds + gimbal_rings(drawing)
    if show.labels:
        drawn = [arrow for arrow in arrows if arrow.head or not arrow.name]  # names may stand on the arms of forces
        priced = [(drawn, SHAFT_PRICE), (stubs, STUB_PRICE), (strokes[len(stubs) :], THIN_PRICE)]
        paths_seen = [points_of(curve, rotation) for curve in curves] + ([] if trail is None else [points_along(trail)])
        labels = arrange(labels, canvas, solid, rotation, drawn, tip, lines_on(canvas, priced, paths_seen), corner)
    if large and show.herpolhode and built.moving:
        scale, scale_labels = tint_legend(snapshot, presentation, canvas)
        triad, triad_labels = triad + scale, triad_labels + scale_labels
    if large:
        scale, scale_labels = measured_legend(snapshot, presentation, canvas)
        triad, triad_labels = triad + scale, triad_labels + scale_labels
    ends = {"omega": tip, "contact": tip, "momentum": momentum_end(built)}
    ends |= axis_end(paths)
    if (pulled := pulled_point(snapshot, presentation)) is not None:
        ends["body"] = pulled
    rolling = rolling_ticks(snapshot, show, built, canvas, theme, trail)
    to_eye = camera.position - (plane.centre if plane else np.zeros(3))
    key = np.array(KEY_LIGHT) / np.linalg.norm(KEY_LIGHT)
    return SceneDescription(
        theme=theme,
        world_from_body=rotation,
        camera_forward=-camera.backward,
        key_light=key[0] * camera.right + key[1] * camera.up + key[2] * camera.backward,
        solid=solid,
        shell=Shell(built.semi_axes, built.holds_body) if show.ellipsoid and built.moving else None,
        sphere=sphere,
        plane=plane if show.plane else None,
        curves=curves,
        cones=both_cones,
        tangent=tangent,
        trail=trail,
        paths=paths,
        polhode_ticks=rolling[0],
        trail_ticks=rolling[1],
        measured=measured_points(snapshot, presentation, built, canvas),
        centre_path=path_trail(snapshot, presentation),
        contact=tip if built.moving and show.angular_velocity else None,
        pivot=np.zeros(3) if snapshot.loads.held and show.loads else None,
        handle=handle_position(drawing, ends),
        arrows=tuple(arrows),
        front_arrows=front_arrows,
        strokes=tuple(strokes),
        overlay_strokes=tuple(triad + spring_strokes(snapshot, presentation, canvas)),
        labels=tuple(labels + triad_labels) if show.labels else (),
        plane_in_front=bool(to_eye @ built.momentum_axis > 0.0),
        ghosts=flashed + ghosts(snapshot, presentation),
    )


def _told_apart(arrows: Sequence[Stroke], canvas: Canvas) -> tuple[list[Stroke], tuple[Stroke, ...]]:
    """Return the arrows, and omega to be drawn once more where it and L look like one line.

    L has no dashes there: among those of omega nobody could tell which vector ends where. Where they approach each
    other, omega comes to the front first, then the dashes of L go.
    """
    vectors = {arrow.name: arrow for arrow in arrows}
    if not {"L", "ω"} <= vectors.keys():
        return list(arrows), ()
    omega = vectors["ω"]
    apart = smooth_step(_distance_in_sight(omega, vectors["L"], canvas), *ONE_LINE)
    front = (replace(omega, alpha=min(2.0 - 2.0 * apart, 1.0)),) if apart < 1.0 else ()
    dashes = min(2.0 * apart, 1.0)
    return [replace(arrow, dashes=dashes) if arrow.name == "L" else arrow for arrow in arrows], front


def _distance_in_sight(omega: Stroke, momentum: Stroke, canvas: Canvas) -> float:
    """Return how far omega is from L on the screen [px] at the outermost of its points that the picture shows.

    Points farther out than L's end do not count. It is inf if the picture shows none of omega. Both arrows start at the
    same point.
    """
    start, tip, end = canvas.project(np.array([omega.start, omega.end, momentum.end]))
    along, half = tip - start, 0.5 * np.array(canvas.size)
    with np.errstate(divide="ignore", invalid="ignore"):
        cut = np.sort((np.stack([-half, half]) - start) / along, axis=0)  # fractions at which it crosses the sides
    enters, leaves = max(float(np.nanmax(cut[0], initial=0.0)), 0.0), min(float(np.nanmin(cut[1], initial=1.0)), 1.0)
    if enters > leaves:
        return math.inf
    line = end - start
    past = min(leaves, math.hypot(*line) / max(math.hypot(*along), ALMOST)) * along
    fraction = min(max(float(past @ line) / max(float(line @ line), ALMOST), 0.0), 1.0)
    return math.dist(past, fraction * line)


def invariable_plane(snapshot: Snapshot, built: Construction, frame_from_world: Array) -> Plane:
    """Return the invariable plane, with a grid of round spacing, one direction of which follows the camera's frame."""
    inner, outer = (built.scale * radius for radius in snapshot.curves.herpolhode_radii)
    normal = built.momentum_axis
    first = frame_from_world[0] - (frame_from_world[0] @ normal) * normal
    if np.linalg.norm(first) < 0.1:
        first = frame_from_world[1] - (frame_from_world[1] @ normal) * normal
    first /= np.linalg.norm(first)
    reach = plane_reach(snapshot, built)
    unit = built.scale * ruling_unit(reach, built.scale).size
    spacing = unit * round_below(0.25 * reach / unit)  # at least four lines
    bounds = (inner, outer) if outer - inner > 1e-6 * reach else (0.0, 0.0)
    world_from_plane = np.stack([first, cross(normal, first), normal], axis=1)
    return Plane(built.plane_distance * normal, world_from_plane, reach, spacing, bounds)


def plane_reach(snapshot: Snapshot, built: Construction) -> float:
    """Return how far from L the plane is drawn, m."""
    outer = built.scale * snapshot.curves.herpolhode_radii[1]
    return max(2.0 * outer, 1.05 * float(np.max(built.semi_axes)))


def momentum_lines(drawing: Drawing) -> Lines:
    """Return the arrow of L, with its name at the tip."""
    if not drawing.built.moving:
        return Lines()
    color = drawing.theme.angular_momentum
    arrow = Stroke(np.zeros(3), momentum_end(drawing.built), color, 1.0, 5.0, ARROW_HEAD, name="L")
    return Lines((arrow,), labels=(Label("L", arrow.end, color, SYMBOL_SIZE, L_OFFSET),))


def omega_lines(drawing: Drawing) -> Lines:
    """Return the arrow of omega, with its name beside the shaft, away from L."""
    if drawing.snapshot.reading.at_rest:
        return Lines()
    tip, color = omega_tip(drawing.snapshot, drawing.built), drawing.theme.angular_velocity
    arrow = Stroke(np.zeros(3), tip, color, 1.0, 4.2, 0.85 * ARROW_HEAD, DASH, name="ω")
    beside = momentum_end(drawing.built) if drawing.presentation.show.angular_momentum else np.zeros(3)
    return Lines((arrow,), labels=(omega_label(arrow, beside, drawing.canvas),))


def momentum_end(built: Construction) -> Array:
    """Return the end (3,) [m] of L's arrow."""
    return built.arrow * built.momentum_axis


def omega_tip(snapshot: Snapshot, built: Construction) -> Array:
    """Return the end (3,) [m] of omega's arrow."""
    return within(built.scale * snapshot.reading.omega_world, FURTHEST * built.radius)


def _polhode(snapshot: Snapshot, show: Show, built: Construction, theme: Theme) -> Curve:
    carrier = built.semi_axes if show.ellipsoid else np.zeros(3)
    alpha, width = IDEAL if show.body_path else (1.0, 1.0)
    width *= theme.polhode_width
    return Curve(built.scale * snapshot.curves.polhode, theme.polhode, width, alpha, carrier, "polhode")


def body_paths(snapshot: Snapshot, presentation: Presentation, built: Construction, color: Color) -> tuple[Trail, ...]:
    """Return the paths of omega in the body so far: the motion's own in `color`, and those of lanes shown as ghosts.

    An exact motion's path lies on the polhode, which is drawn as well.
    """
    if not presentation.show.body_path or not built.moving:
        return ()
    carrier = built.semi_axes if presentation.show.ellipsoid else np.zeros(3)
    world_from_points = built.scale * snapshot.reading.rotation_world_from_body
    paths = []
    lanes = ghost_lanes(snapshot, presentation)
    runs = [(snapshot, color, "path")]
    runs += [(lane_snapshot(snapshot, now), ink, f"path:{now.lane.label}") for now, ink in lanes]
    for run, ink, name in runs:
        newest = within(run.reading.omega_body, FURTHEST * built.radius / built.scale)
        path = trail_of(
            run, presentation, PATH_COLUMN, newest, world_from_points, ink, carrier, PATH_FADE, False, True, name=name
        )
        paths.append(path)
    return tuple(paths)


def poinsot_trail(snapshot: Snapshot, presentation: Presentation, built: Construction) -> Trail:
    """Return the herpolhode, which is the path of omega's tip so far."""
    newest = within(snapshot.reading.omega_world, FURTHEST * built.radius / built.scale)
    start = float(np.linalg.norm(snapshot.start_angular_momentum_world))
    moved = snapshot.begun is None and abs(snapshot.reading.target_momentum - start) > 1e-9 * start
    world_from_points, color = built.scale * np.eye(3), presentation.theme.herpolhode
    return trail_of(
        snapshot, presentation, TRAIL_COLUMN, newest, world_from_points, color, np.zeros(3), TRAIL_FADE,
        moved or not snapshot.loads.free, name="herpolhode",
    )  # fmt: skip


def omega_along_momentum(drawing: Drawing) -> Lines:
    """Return the component of omega along L (the paper's Fig. 2): because it is constant, omega ends on the plane.

    It is drawn as a dimension line beside L, of that length, with the right angle at the foot of omega's tip.
    """
    if drawing.plane is None:
        return Lines()
    canvas, theme, tip = drawing.canvas, drawing.theme, omega_tip(drawing.snapshot, drawing.built)
    camera, foot = canvas.camera, drawing.plane.centre
    per_pixel = canvas.metres_per_pixel(camera.distance)
    along, across = foot / np.linalg.norm(foot), tip - foot
    left = np.cross(camera.backward, along)
    length = float(np.linalg.norm(left))
    left = left / length if length > 1e-6 else -camera.right
    if left @ across > 0.0:  # on the side of L away from omega
        left = -left
    color, aside = theme.angular_velocity, DIMENSION_ASIDE * per_pixel * left
    tick = DIMENSION_TICK * per_pixel * left
    strokes = [Stroke(aside, foot + aside, color, 1.0, DIMENSION_WIDTH, name="ωʟ")]
    strokes += [Stroke(end + aside - tick, end + aside + tick, color, 1.0, 1.6) for end in (0.0 * foot, foot)]
    casing = 2.0 * DIMENSION_CASING
    strokes = [replace(line, color=theme.halo, width=line.width + casing, name="") for line in strokes] + strokes
    reach = float(np.linalg.norm(across))
    side = RIGHT_ANGLE * per_pixel
    if reach > 2.0 * side:
        across = across / reach
        corner = foot + side * (across - along)
        strokes += [
            Stroke(foot, tip, theme.text, 0.7, 1.2),
            Stroke(foot + side * across, corner, theme.text, 0.7, 1.2),
            Stroke(foot - side * along, corner, theme.text, 0.7, 1.2),
        ]
    anchor, sign = 0.5 * foot + aside, 1.0 if left @ camera.right > 0.0 else -1.0
    return Lines(overlay=tuple(strokes), labels=(Label("ωʟ", anchor, color, SYMBOL_SIZE, (20.0 * sign, 0.0)),))
