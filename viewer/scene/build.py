"""Snapshot + view -> what is drawn: the only place that decides what the picture contains."""

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viewer.physics.history import History
from viewer.quality import FULL, Quality
from viewer.scene.axes import axis_colors, axis_names, body_axes, space_axes
from viewer.scene.camera import Camera, Subject, between, framed, upright_frame
from viewer.scene.comfort import (
    Eyes,
    Picture,
    depths,
    disc_points,
    place_eyes,
    surrounds,
    swept_points,
    with_eyes,
)
from viewer.scene.construction import (
    ARROW_REACH,
    STUB_REACH,
    Construction,
    construct,
    round_below,
    solid_of,
    within,
)
from viewer.scene.description import (
    DASH,
    Curve,
    Frame,
    Layer,
    Plane,
    SceneDescription,
    Shell,
    Solid,
    Stroke,
    Trail,
)
from viewer.scene.label_layout import arrange, spots
from viewer.scene.labels import arrow_labels, ruling_labels
from viewer.scene.momentum import describe_momentum, momentum_subject
from viewer.scene.momentum_space import momentum_space
from viewer.scene.palette import theme_of
from viewer.scene.projection import projection
from viewer.scene.race import (
    below_title,
    ghosts,
    grid_boxes,
    ground,
    lane_arrows,
    lane_snapshot,
    legend,
    shown_lanes,
    with_title,
    without_lanes,
)
from viewer.scene.stereo import WHOLE, Box, OnScreen, eye_views, shown_size, width_on_screen
from viewer.scene.tints import tint_legend, trail_tint
from viewer.sections import View
from viewer.session import Snapshot
from viewer.stereo_modes import STEREO_MODES
from viewer.themes import Theme

Array = NDArray[np.float64]

# px: up to this size of an eye's picture, lines and letters have their plain widths
STANDARD = (900.0, 720.0)
SMALL = (560.0, 360.0)  # px: from here down they shrink with the picture
LEAST_SHARE = 0.6  # .. to so much
ARROW_WIDTHS = {"L": 5.0, "ω": 4.2}
ARROW_HEAD = 18.0
KEY_LIGHT = (-0.55, 0.75, 0.60)  # right, up, backward: from the camera's upper left
TRAIL_COLUMN = 1  # of the ring: omega in the world
TRAIL_FADE_PERIODS = 1.2
FURTHEST = 1e4  # times the construction's size: no arrow is longer, wherever an integrator drives omega


@dataclass(frozen=True)
class ViewFrame:
    """What stands upright: +L (sign 1), -L (-1), or (0) the third axis of space or of the body, on which the camera
    rides; and the latitude the picture is fitted at."""

    sign: float
    fit_latitude_deg: float
    on_body: bool = False


FRAMES = {
    "ceiling": ViewFrame(1.0, 62.0),
    "floor": ViewFrame(-1.0, 75.0),
    "space": ViewFrame(0.0, 62.0),
    "body": ViewFrame(0.0, 62.0, on_body=True),
}
OTHER = {"poinsot": "momentum", "momentum": "poinsot"}
INSET_SHARE = 0.36  # of the shorter side of an eye's picture
INSET_SIDES = (120.0, 320.0)  # px, at least and at most
INSET_MARGIN = 12.0
INSET_LONGITUDE_DEG = 30.0
INSET_ZOOM = 0.86  # leaves room for the names
GRID_GAP = 4.0  # px


def build_frame(
    snapshot: Snapshot,
    size: tuple[int, int],
    pixel_scale: float = 1.0,
    on_the_way: tuple[Camera, float] | None = None,
    screen: OnScreen | None = None,
    quality: Quality = FULL,
    eyes_on_the_way: tuple[Eyes, float] | None = None,
) -> Frame:
    """The picture of a snapshot for `size` pixels, which are drawn in that quality.

    `pixel_scale`: pixels per pixel of the screen at scale 1 (more on a fine screen, or where a picture is drawn larger
    to be reduced). Lines and letters grow with it, and with pictures larger than the standard one. `on_the_way`: the
    camera comes from there and has gone this share of the way; so do the eyes with `eyes_on_the_way`. `screen`: where
    the picture is seen.
    """
    scenario, screen = snapshot.scenario, screen or OnScreen()
    mode = STEREO_MODES[scenario.stereo.mode]
    if mode.layout == "woven":  # by the pixels of the screen: they stay
        screen = dataclasses.replace(screen, resolution=quality.resolution)
    else:
        size = (max(round(quality.resolution * size[0]), 1), max(round(quality.resolution * size[1]), 1))
        pixel_scale *= quality.resolution
    shown = shown_size(mode, size)
    pixel_scale *= _share_of_standard(shown, pixel_scale)
    sheet = _Sheet(size, pixel_scale, screen)
    large = scenario.view.construction
    main = _layer(snapshot, large, scenario.view, sheet, WHOLE, on_the_way, eyes_on_the_way)
    stereo = with_eyes(scenario.stereo, main.eyes)
    if scenario.race.show == "grid" and snapshot.lanes:
        main = dataclasses.replace(main, scene=ground(main.scene))
        cells = _cells(snapshot, sheet, shown)
        return Frame(**vars(main), size=size, stereo=stereo, screen=screen, insets=cells)
    insets: tuple[Layer, ...] = ()
    if scenario.show.inset:
        latitude = FRAMES[scenario.view.frame].fit_latitude_deg
        view = dataclasses.replace(
            scenario.view,
            latitude_deg=latitude,
            longitude_deg=INSET_LONGITUDE_DEG,
            zoom=INSET_ZOOM,
            pan=(0.0, 0.0),
        )
        insets = (_layer(snapshot, OTHER[large], view, sheet, _inset_box(shown, pixel_scale)),)
    return Frame(**vars(main), size=size, stereo=stereo, screen=screen, insets=insets)


@dataclass(frozen=True)
class _Sheet:
    """What the layers of a picture share."""

    size: tuple[int, int]
    pixel_scale: float
    screen: OnScreen


def _cells(snapshot: Snapshot, sheet: _Sheet, shown: tuple[float, float]) -> tuple[Layer, ...]:
    """The grid of a race: the motion itself, then every lane in the same view."""
    view = snapshot.scenario.view
    runners = (None, *shown_lanes(snapshot))
    boxes = grid_boxes(len(runners), shown, GRID_GAP * sheet.pixel_scale)
    cells = []
    for now, box in zip(runners, boxes, strict=True):
        scene = without_lanes(snapshot) if now is None else lane_snapshot(snapshot, now)
        plain = (box[2] * shown[0] / sheet.pixel_scale, box[3] * shown[1] / sheet.pixel_scale)
        cell = _layer(scene, view.construction, below_title(view, plain), sheet, box)
        cells.append(with_title(cell, now, snapshot, plain))
    return tuple(cells)


def _share_of_standard(shown: tuple[float, float], pixel_scale: float) -> float:
    """How much larger, or in a small picture smaller, than plain its lines and letters are."""
    width, height = (side / pixel_scale for side in shown)
    larger = min(width / STANDARD[0], height / STANDARD[1])
    return max(larger, 1.0) * min(max(min(width / SMALL[0], height / SMALL[1]), LEAST_SHARE), 1.0)


def _inset_box(shown: tuple[float, float], pixel_scale: float) -> Box:
    """The inset's place in an eye's picture: a square in the lower right corner, as shares of it."""
    least, most = (side * pixel_scale for side in INSET_SIDES)
    side = min(max(INSET_SHARE * min(shown), least), most, 0.5 * min(shown))
    margin = INSET_MARGIN * pixel_scale
    return (shown[0] - side - margin) / shown[0], margin / shown[1], side / shown[0], side / shown[1]


def _layer(
    snapshot: Snapshot,
    construction: str,
    view: View,
    sheet: _Sheet,
    box: Box,
    on_the_way: tuple[Camera, float] | None = None,
    eyes_on_the_way: tuple[Eyes, float] | None = None,
) -> Layer:
    """One construction as `view` shows it, in `box` of each eye's picture."""
    whole = shown_size(STEREO_MODES[snapshot.scenario.stereo.mode], sheet.size)
    shown = (whole[0] * box[2], whole[1] * box[3])
    plain = (shown[0] / sheet.pixel_scale, shown[1] / sheet.pixel_scale)
    aspect, large = shown[0] / shown[1], box == WHOLE
    momentum = construction == "momentum"
    space, built = momentum_space(snapshot), construct(snapshot)
    subject = momentum_subject(snapshot, space) if momentum else _subject(snapshot, built, view)
    camera = framed(subject, view, aspect)
    if on_the_way is not None:
        camera = between(on_the_way[0], camera, on_the_way[1])
    plane = None if momentum or not built.moving else _plane(snapshot, built, subject.frame_from_world)
    stereo = snapshot.scenario.stereo
    picture = Picture(camera, aspect, width_on_screen(stereo, sheet.size, sheet.screen))
    swept = swept_points(subject)
    if plane is not None:
        swept = np.concatenate([swept, _swept_by_plane(snapshot, subject, view, plane, picture)])
    room = 1.5 * max(float(np.max(np.abs(swept - subject.centre))), 1e-3)
    near = max(0.02 * camera.distance, camera.distance - room - float(np.linalg.norm(subject.centre)))
    span = depths(swept, picture, near)
    if surrounds(subject, camera.position):
        span = dataclasses.replace(span, nearest=near)
    eyes, comfort = place_eyes(stereo, picture, span, eyes_on_the_way)
    seen = _with_stereo(snapshot, eyes)
    if momentum:
        scene = describe_momentum(seen, space, camera, plain, large)
    else:
        scene = _describe(seen, built, camera, plane, plain, large)
    eye_distance = max(camera.distance, float(np.linalg.norm(camera.position)))
    far = eye_distance + 2.0 * room
    views = eye_views(camera, seen.scenario.stereo, sheet.size, near, far, sheet.screen, box)
    return Layer(sheet.pixel_scale, tuple(views), camera, scene, eyes, comfort)


def _swept_by_plane(
    snapshot: Snapshot, subject: Subject, view: View, plane: Plane, picture: Picture
) -> Array:
    """Points, (N, 3), around what is drawn on the plane; also while it turns, for a camera that rides on the body."""
    reach = plane.reach
    if not snapshot.scenario.show.plane:
        reach = plane.bounds[1] if snapshot.scenario.show.herpolhode else 0.0
    if FRAMES[view.frame].on_body:
        ball = math.hypot(reach, float(np.linalg.norm(plane.centre)))
        return swept_points(dataclasses.replace(subject, radius=ball, depth=ball, level=ball, tip=ball))
    return disc_points(plane.centre, plane.world_from_plane[:, :2], reach, picture)


def _with_stereo(snapshot: Snapshot, eyes: Eyes) -> Snapshot:
    """The snapshot of a scene with these eyes."""
    scenario = snapshot.scenario
    stereo = with_eyes(scenario.stereo, eyes)
    return dataclasses.replace(snapshot, scenario=dataclasses.replace(scenario, stereo=stereo))


def _subject(snapshot: Snapshot, built: Construction, view: View) -> Subject:
    """What the camera shows of Poinsot's construction: everything that turns."""
    start = snapshot.start_angular_momentum_world
    length = float(np.linalg.norm(start))
    start_axis = start / length if length > 0.0 else built.momentum_axis
    frame = FRAMES[view.frame]
    sign = frame.sign or 1.0
    if frame.sign:
        frame_from_world = upright_frame(sign * built.momentum_axis, sign * start_axis)
        radius, depth = built.radius, built.depth
    else:
        frame_from_world = snapshot.rotation_world_from_body.T if frame.on_body else np.eye(3)
        radius = depth = max(built.radius, built.half_height)
    return Subject(
        frame_from_world,
        centre=-_away(snapshot),
        radius=radius,
        depth=depth,
        tip=sign * built.half_height,
        level=radius + _stub_length(built),
        latitude=math.radians(frame.fit_latitude_deg),
    )


def _away(snapshot: Snapshot) -> Array:
    """Where the body is for the camera, (3,), m: all is drawn around the body, so a camera that stays is moved."""
    return np.zeros(3) if snapshot.scenario.view.follow else np.asarray(snapshot.position)


def nice_spacing(reach: float) -> float:
    """The largest of 1, 2, 5 x 10^n that rules `reach` at least four times."""
    return round_below(reach / 4.0)


def _describe(
    snapshot: Snapshot,
    built: Construction,
    camera: Camera,
    plane: Plane | None,
    shown: tuple[float, float],
    large: bool,
) -> SceneDescription:
    """`shown`: width and height of an eye's picture in pixels at scale 1, in which labels are placed.

    Not `large`: without what is too small to read.
    """
    scenario = snapshot.scenario
    show, theme = scenario.show, theme_of(scenario)
    moments = np.asarray(snapshot.body.principal_moments)
    colors = axis_colors(theme, moments)
    kind, half_extents = solid_of(scenario.body, moments)
    rotation = snapshot.rotation_world_from_body
    tip = within(built.scale * snapshot.omega_world, FURTHEST * built.radius)
    arrows = _arrows(snapshot, built, theme, tip)
    strokes, labels = (
        body_axes(
            np.maximum(built.semi_axes, half_extents),
            _stub_length(built),
            rotation,
            colors,
            axis_names(scenario.view.axis_names, moments),
            camera,
        )
        if show.body_axes
        else ([], [])
    )
    labels = arrow_labels(arrows, camera, shown) + labels
    labels += legend(snapshot, camera, shown) if large else []
    if plane is not None and show.plane and large:
        labels += ruling_labels(plane, built.scale, camera, shown, theme)
    away = _away(snapshot)
    if np.any(away != 0.0) and show.space_axes:
        strokes += [
            Stroke(-away, 0.2 * built.radius * axis - away, theme.text, 0.6, 1.5) for axis in np.eye(3)
        ]
    triad, triad_labels = (
        space_axes(camera, scenario.stereo.convergence, shown, theme)
        if large and show.space_axes
        else ([], [])
    )
    if plane is not None and show.projection:
        marks, names = projection(plane, tip, camera, shown, theme)
        triad, labels = triad + marks, labels + names
    solid = Solid(kind, half_extents, colors) if show.body else None
    if show.labels:
        labels = arrange(labels, spots(arrows, tip, camera, shown), camera, shown, solid, rotation)
    if large and show.herpolhode and built.moving:
        scale, scale_labels = tint_legend(snapshot, theme, camera, shown)
        triad, triad_labels = triad + scale, triad_labels + scale_labels
    to_eye = camera.position - (plane.centre if plane else np.zeros(3))
    key = np.array(KEY_LIGHT) / np.linalg.norm(KEY_LIGHT)
    return SceneDescription(
        theme=theme,
        world_from_body=rotation,
        camera_forward=-camera.backward,
        key_light=key[0] * camera.right + key[1] * camera.up + key[2] * camera.backward,
        solid=solid,
        shell=Shell(built.semi_axes, built.holds_body) if show.ellipsoid and built.moving else None,
        plane=plane if show.plane else None,
        constraints=None,
        curves=(_polhode(snapshot, built, theme),) if show.polhode and built.moving else (),
        trail=_trail(snapshot, built, theme) if show.herpolhode and built.moving else None,
        contact=tip if built.moving and show.angular_velocity else None,
        arrows=tuple(lane_arrows(snapshot, built) + arrows),
        strokes=tuple(strokes),
        overlay_strokes=tuple(triad),
        labels=tuple(labels + triad_labels) if show.labels else (),
        plane_in_front=bool(to_eye @ built.momentum_axis > 0.0),
        ghosts=ghosts(snapshot),
    )


def _plane(snapshot: Snapshot, built: Construction, frame_from_world: Array) -> Plane:
    inner, outer = (built.scale * radius for radius in snapshot.herpolhode_radii)
    normal = built.momentum_axis
    first = frame_from_world[0] - (frame_from_world[0] @ normal) * normal
    if np.linalg.norm(first) < 0.1:
        first = frame_from_world[1] - (frame_from_world[1] @ normal) * normal
    first /= np.linalg.norm(first)
    reach = max(2.0 * outer, 1.15 * float(np.max(built.semi_axes)))
    spacing = built.scale * nice_spacing(reach / built.scale)
    bounds = (inner, outer) if outer - inner > 1e-6 * reach else (0.0, 0.0)
    world_from_plane = np.stack([first, np.cross(normal, first), normal], axis=1)
    return Plane(built.plane_distance * normal, world_from_plane, reach, spacing, bounds)


def _arrows(snapshot: Snapshot, built: Construction, theme: Theme, tip: Array) -> list[Stroke]:
    arrows = []
    origin = np.zeros(3)
    if snapshot.scenario.show.angular_momentum and built.moving:
        end = ARROW_REACH * built.plane_distance * built.momentum_axis
        arrows.append(
            Stroke(origin, end, theme.angular_momentum, 1.0, ARROW_WIDTHS["L"], ARROW_HEAD, name="L")
        )
    if snapshot.scenario.show.angular_velocity and float(np.linalg.norm(tip)) > 0.0:
        arrows.append(
            Stroke(
                origin, tip, theme.angular_velocity, 1.0, ARROW_WIDTHS["ω"], 0.85 * ARROW_HEAD, DASH, name="ω"
            )
        )
    return arrows


def _stub_length(built: Construction) -> float:
    return (STUB_REACH - 1.0) * built.radius


def _polhode(snapshot: Snapshot, built: Construction, theme: Theme) -> Curve:
    carrier = built.semi_axes if snapshot.scenario.show.ellipsoid else np.zeros(3)
    return Curve(built.scale * snapshot.polhode, theme.polhode, theme.polhode_width, 1.0, carrier)


def _trail(snapshot: Snapshot, built: Construction, theme: Theme) -> Trail:
    ring: History = snapshot.trail
    newest = np.array([snapshot.time, *within(snapshot.omega_world, FURTHEST * built.radius / built.scale)])
    period = snapshot.period or 2.0 * math.pi / max(float(np.linalg.norm(snapshot.omega_world)), 1e-9)
    start = float(np.linalg.norm(snapshot.start_angular_momentum_world))
    moved = not snapshot.scenario.loads_value().free or abs(snapshot.target_momentum - start) > 1e-9 * start
    return Trail(
        ring,
        TRAIL_COLUMN,
        newest,
        built.scale * np.eye(3),
        theme.herpolhode,
        np.zeros(3),
        TRAIL_FADE_PERIODS * period,
        fades_out=moved,
        length=snapshot.scenario.view.trail_periods * period,
        tint=trail_tint(snapshot, theme),
    )
