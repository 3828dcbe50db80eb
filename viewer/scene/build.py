"""Snapshot + view -> what is drawn: the only place that decides what the picture contains."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viewer.physics.history import History
from viewer.scene.camera import Camera, between, fit, look, upright_frame
from viewer.scene.construction import ARROW_REACH, STUB_REACH, Construction, construct, solid_of
from viewer.scene.description import DASH, Frame, Label, Plane, SceneDescription, Shell, Solid, Stroke, Trail
from viewer.scene.labels import arrow_labels, ruling_labels, stub_label
from viewer.scene.stereo import OnScreen, eye_views, shown_size
from viewer.session import Snapshot
from viewer.stereo_modes import STEREO_MODES
from viewer.themes import THEMES, Color, Theme

Array = NDArray[np.float64]

# px: up to this size of an eye's picture, lines and letters have their plain widths
STANDARD = (900.0, 720.0)
ARROW_WIDTHS = {"L": 5.0, "ω": 4.2}
ARROW_HEAD = 18.0
KEY_LIGHT = (-0.55, 0.75, 0.60)  # right, up, backward: from the camera's upper left
TRIAD_LENGTH = 34.0
TRIAD_CORNER = (64.0, 58.0)
TRAIL_FADE_PERIODS = 1.2
FURTHEST = 1e4  # times the construction's size: no arrow is longer, wherever an integrator drives omega


@dataclass(frozen=True)
class ViewFrame:
    """What stands upright: +L (sign 1), -L (-1) or the space axis z (0); and the latitude the picture is fitted at."""

    sign: float
    fit_latitude_deg: float


FRAMES = {"ceiling": ViewFrame(1.0, 62.0), "floor": ViewFrame(-1.0, 75.0), "space": ViewFrame(0.0, 62.0)}


def build_frame(
    snapshot: Snapshot,
    size: tuple[int, int],
    pixel_scale: float = 1.0,
    on_the_way: tuple[Camera, float] | None = None,
    screen: OnScreen | None = None,
) -> Frame:
    """The picture of a snapshot in `size` pixels.

    `pixel_scale`: pixels per pixel of the screen at scale 1 (more on a fine screen, or where a picture is drawn larger
    to be reduced). Lines and letters grow with it, and with pictures larger than the standard one. `on_the_way`: the
    camera comes from there and has gone this share of the way. `screen`: where the picture is seen.
    """
    scenario, screen = snapshot.scenario, screen or OnScreen()
    mode = STEREO_MODES[scenario.stereo.mode]
    built = construct(snapshot)
    shown = shown_size(mode, size)
    pixel_scale *= max(1.0, min(shown[0] / STANDARD[0], shown[1] / STANDARD[1]) / pixel_scale)
    camera, frame_from_world = _camera(snapshot, built, shown[0] / shown[1])
    if on_the_way is not None:
        camera = between(on_the_way[0], camera, on_the_way[1])
    plain = shown[0] / pixel_scale, shown[1] / pixel_scale
    scene = _describe(snapshot, built, camera, frame_from_world, plain)
    room = 1.5 * max(built.radius, built.half_height, scene.plane.reach if scene.plane else 0.0, 1e-3)
    eye_distance = max(camera.distance, float(np.linalg.norm(camera.position)))
    near = max(0.02 * camera.distance, camera.distance - room - float(np.linalg.norm(_away(snapshot))))
    views = eye_views(camera, scenario.stereo, size, near, eye_distance + 2.0 * room, screen)
    return Frame(size, pixel_scale, scenario.stereo, screen, tuple(views), camera, scene)


def _camera(snapshot: Snapshot, built: Construction, aspect: float) -> tuple[Camera, Array]:
    """The camera and frame_from_world: at zoom 1 everything that turns stays inside the picture."""
    view = snapshot.scenario.view
    start = snapshot.start_angular_momentum_world
    length = float(np.linalg.norm(start))
    start_axis = start / length if length > 0.0 else built.momentum_axis
    frame = FRAMES[view.frame]
    sign = frame.sign or 1.0
    if frame.sign:
        frame_from_world = upright_frame(sign * built.momentum_axis, sign * start_axis)
        radius, depth = built.radius, built.depth
    else:
        frame_from_world = np.eye(3)
        radius = depth = max(built.radius, built.half_height)
    field_of_view = math.radians(view.field_of_view_deg)
    latitude = math.radians(frame.fit_latitude_deg)
    centre, distance = fit(
        radius, depth, sign * built.half_height, radius + _stub_length(built), latitude, field_of_view, aspect
    )
    camera = look(
        frame_from_world,
        centre * frame_from_world[2] - _away(snapshot),
        math.radians(view.latitude_deg),
        math.radians(view.longitude_deg),
        distance / view.zoom,
        field_of_view,
        view.pan,
    )
    return camera, frame_from_world


def _away(snapshot: Snapshot) -> Array:
    """Where the body is for the camera, (3,), m: all is drawn around the body, so a camera that stays is moved."""
    return np.zeros(3) if snapshot.scenario.view.follow else np.asarray(snapshot.position)


def _axis_colors(theme: Theme, moments: Array) -> tuple[Color, Color, Color]:
    """The colour of each body axis: by the rank of its moment, equal moments in the order of the axes."""
    rank = np.argsort(np.argsort(moments, kind="stable"), kind="stable")
    return theme.axes[rank[0]], theme.axes[rank[1]], theme.axes[rank[2]]


def nice_spacing(reach: float) -> float:
    """The largest of 1, 2, 5 x 10^n that rules `reach` at least four times."""
    wanted = reach / 4.0
    decade = 10.0 ** math.floor(math.log10(wanted))
    return decade * max(step for step in (1.0, 2.0, 5.0) if step * decade <= wanted * (1.0 + 1e-9))


def _describe(
    snapshot: Snapshot,
    built: Construction,
    camera: Camera,
    frame_from_world: Array,
    shown: tuple[float, float],
) -> SceneDescription:
    """`shown`: width and height of an eye's picture in pixels at scale 1, in which labels are placed."""
    scenario = snapshot.scenario
    show, theme = scenario.show, THEMES[scenario.view.theme]
    moments = np.asarray(snapshot.body.principal_moments)
    colors = _axis_colors(theme, moments)
    kind, half_extents = solid_of(scenario.body, moments)
    rotation = snapshot.rotation_world_from_body
    tip = _within(built.scale * snapshot.omega_world, FURTHEST * built.radius)
    plane = _plane(snapshot, built, frame_from_world) if built.moving else None
    arrows = _arrows(snapshot, built, theme, tip)
    strokes, labels = (
        _body_axes(built, rotation, half_extents, colors, camera) if show.body_axes else ([], [])
    )
    labels += arrow_labels(arrows, camera, shown)
    if plane is not None and show.plane:
        labels += ruling_labels(plane, built.scale, camera, shown, theme)
    away = _away(snapshot)
    if np.any(away != 0.0) and show.space_axes:
        strokes += [
            Stroke(-away, 0.2 * built.radius * axis - away, theme.text, 0.6, 1.5) for axis in np.eye(3)
        ]
    triad, triad_labels = _space_axes(camera, scenario.stereo.convergence, shown, theme)
    to_eye = camera.position - (plane.centre if plane else np.zeros(3))
    key = np.array(KEY_LIGHT) / np.linalg.norm(KEY_LIGHT)
    return SceneDescription(
        theme=theme,
        world_from_body=rotation,
        camera_forward=-camera.backward,
        key_light=key[0] * camera.right + key[1] * camera.up + key[2] * camera.backward,
        solid=Solid(kind, half_extents, colors) if show.body else None,
        shell=Shell(built.semi_axes, built.holds_body) if show.ellipsoid and built.moving else None,
        plane=plane if show.plane else None,
        polhode=built.scale * snapshot.polhode if show.polhode and built.moving else None,
        trail=_trail(snapshot, built) if show.herpolhode and built.moving else None,
        contact=tip if built.moving and show.angular_velocity else None,
        arrows=tuple(arrows),
        strokes=tuple(strokes),
        overlay_strokes=tuple(triad) if show.space_axes else (),
        labels=tuple(labels + (triad_labels if show.space_axes else [])) if show.labels else (),
        plane_in_front=bool(to_eye @ built.momentum_axis > 0.0),
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


def _body_axes(
    built: Construction, rotation: Array, half_extents: Array, colors: tuple[Color, ...], camera: Camera
) -> tuple[list[Stroke], list[Label]]:
    """Stubs that leave the ellipsoid (or the body, where there is none) at both ends of each axis."""
    inner = np.maximum(built.semi_axes, half_extents)
    room = _stub_length(built)
    strokes, labels = [], []
    for i, name in enumerate(("x′", "y′", "z′")):
        axis = rotation[:, i]
        for sign in (1.0, -1.0):
            start, end = sign * inner[i] * axis, sign * (inner[i] + room) * axis
            strokes.append(Stroke(start, end, colors[i], 0.9 if sign > 0 else 0.6, 1.5))
        label = stub_label(name, (inner[i] + room) * axis, axis, colors[i], camera)
        if label is not None:
            labels.append(label)
    return strokes, labels


def _space_axes(
    camera: Camera, convergence: float, shown: tuple[float, float], theme: Theme
) -> tuple[list[Stroke], list[Label]]:
    """The space axes as a small triad in the lower left corner, in the plane of the screen."""
    depth = convergence * camera.distance
    per_pixel = 2.0 * depth * math.tan(0.5 * camera.field_of_view) / shown[1]
    x, y = (per_pixel * (corner - 0.5 * side) for corner, side in zip(TRIAD_CORNER, shown, strict=True))
    origin = camera.position - depth * camera.backward + x * camera.right + y * camera.up
    strokes, labels = [], []
    for axis, name in zip(np.eye(3), ("x", "y", "z"), strict=True):
        end = origin + TRIAD_LENGTH * per_pixel * axis
        strokes.append(Stroke(origin, end, theme.text, 0.8, 1.6))
        flat = np.array([axis @ camera.right, axis @ camera.up])
        length = float(np.linalg.norm(flat))
        offset = flat / length * 10.0 if length > 1e-6 else np.array([8.0, 8.0])
        fade = min(1.0, length / 0.25)
        labels.append(
            Label(name, end, theme.text, 15.0, (float(offset[0]), float(offset[1])), alpha=0.9 * fade)
        )
    return strokes, labels


def _within(vector: Array, longest: float) -> Array:
    """The vector, or the one in its direction of length `longest` where it is longer."""
    largest = float(np.max(np.abs(vector)))
    if largest <= 0.5 * longest:
        return vector
    direction = vector / largest
    length = largest * float(np.linalg.norm(direction))
    return vector if length <= longest else direction * (longest / float(np.linalg.norm(direction)))


def _trail(snapshot: Snapshot, built: Construction) -> Trail:
    ring: History = snapshot.trail
    newest = np.array([snapshot.time, *_within(snapshot.omega_world, FURTHEST * built.radius / built.scale)])
    period = snapshot.period or 2.0 * math.pi / max(float(np.linalg.norm(snapshot.omega_world)), 1e-9)
    start = float(np.linalg.norm(snapshot.start_angular_momentum_world))
    moved = not snapshot.scenario.loads_value().free or abs(snapshot.target_momentum - start) > 1e-9 * start
    return Trail(ring, newest, built.scale, TRAIL_FADE_PERIODS * period, fades_out=moved)
