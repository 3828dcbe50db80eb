"""Snapshot + view -> the picture: which construction is drawn where, from where it is seen, and by which eyes."""

import dataclasses

from viewer.scenario.sections.picture import View
from viewer.scene.camera.camera import Camera, between
from viewer.scene.camera.extent import momentum_extent, poinsot_extent
from viewer.scene.camera.framing import FIT_POLAR_ANGLE_DEG, framed
from viewer.scene.camera.sight import Extent
from viewer.scene.constructions.momentum import describe_momentum, momentum_subject
from viewer.scene.constructions.poinsot import describe_poinsot, invariable_plane, poinsot_subject, poinsot_trail
from viewer.scene.constructions.race import grid_boxes, lane_snapshot, shown_lanes, title_fraction, with_title
from viewer.scene.constructions.scale import construct, momentum_space
from viewer.scene.description import Frame, Layer, background
from viewer.scene.presentation import ARRIVED, Display, Presentation, Transition
from viewer.scene.stereo.comfort import Picture, depths, place_eyes, with_eyes, worst
from viewer.scene.stereo.views import WHOLE, Box, eye_views, shown_size, width_on_screen
from viewer.session.snapshot import Snapshot

# px: up to this size of an eye's picture, lines and letters have their plain widths
STANDARD = (900.0, 720.0)
SMALL = (560.0, 360.0)  # px: from here down they shrink with the picture
SMALLEST = 0.6  # .. to so much
OTHER = {"poinsot": "momentum", "momentum": "poinsot"}
INSET_FRACTION = 0.31  # of the shorter side of an eye's picture
INSET_SIDES = (120.0, 320.0)  # px, at least and at most
INSET_MARGIN = 12.0
INSET_AZIMUTH_DEG = 30.0
INSET_ZOOM = 0.86  # leaves room for the names; so in the cells of a race
GRID_GAP = 4.0  # px
NEAR_PLANE = 0.02  # of the camera's distance: nothing is drawn from nearer by
ROOM = 1.5  # between which all else is, of how far it reaches: lines have a width


def build_frame(
    snapshot: Snapshot, presentation: Presentation, display: Display, transition: Transition = ARRIVED
) -> Frame:
    """The picture of a snapshot, as `presentation` has it, for a display; camera and eyes may be on the move."""
    mode, quality = presentation.mode, display.quality
    size, pixel_scale, screen = display.size, display.pixel_scale, display.screen
    if mode.layout == "interlaced":  # by the pixels of the screen: they stay
        screen = dataclasses.replace(screen, resolution=quality.resolution)
    else:
        size = (max(round(quality.resolution * size[0]), 1), max(round(quality.resolution * size[1]), 1))
        pixel_scale *= quality.resolution
    shown = shown_size(mode, size)
    pixel_scale *= _fraction_of_standard(shown, pixel_scale)
    display = Display(size, pixel_scale, screen)  # as it is drawn
    grid = presentation.race.show == "grid" and bool(snapshot.lanes)
    main = _layer(snapshot, presentation, display, WHOLE, transition, empty=grid)
    insets: tuple[Layer, ...] = ()
    if grid:
        insets = _cells(snapshot, presentation, display, shown)
    elif presentation.show.inset:
        inset = dataclasses.replace(presentation, view=_inset_view(presentation.view))
        insets = (_layer(snapshot, inset, display, _inset_box(shown, pixel_scale)),)
    layers = (main, *insets)
    comfort = worst([layer.comfort for layer in (insets if grid else layers)])
    return Frame(layers, size, with_eyes(presentation.stereo, main.eyes), screen, comfort)


def _cells(
    snapshot: Snapshot, presentation: Presentation, display: Display, shown: tuple[float, float]
) -> tuple[Layer, ...]:
    """The grid of a race: the motion itself, then every lane in the same view.

    The cell of a lane that diverged is empty: its title shows when.
    """
    view = presentation.view
    if view.construction == "momentum":
        view = dataclasses.replace(view, zoom=INSET_ZOOM * view.zoom)
        presentation = dataclasses.replace(presentation, view=view)
    lanes = shown_lanes(snapshot, presentation.race)
    runners = (None, *lanes)
    boxes = grid_boxes(len(runners), shown, GRID_GAP * display.pixel_scale)
    cells = []
    for now, box in zip(runners, boxes, strict=True):
        scene = dataclasses.replace(snapshot, lanes=()) if now is None else lane_snapshot(snapshot, now)
        plain = (box[2] * shown[0] / display.pixel_scale, box[3] * shown[1] / display.pixel_scale)
        left = now is not None and now.stopped is not None
        above = title_fraction(lanes, plain)
        cell = _layer(scene, presentation, display, box, empty=left, above=above)
        cells.append(with_title(cell, now, snapshot, presentation, plain))
    return tuple(cells)


def _fraction_of_standard(shown: tuple[float, float], pixel_scale: float) -> float:
    """How much larger, or in a small picture smaller, than plain its lines and letters are."""
    width, height = (side / pixel_scale for side in shown)
    larger = min(width / STANDARD[0], height / STANDARD[1])
    return max(larger, 1.0) * min(max(min(width / SMALL[0], height / SMALL[1]), SMALLEST), 1.0)


def _inset_view(view: View) -> View:
    """How the inset shows the other construction: always from the same side."""
    return dataclasses.replace(
        view,
        construction=OTHER[view.construction],
        polar_angle_deg=FIT_POLAR_ANGLE_DEG,
        azimuth_deg=INSET_AZIMUTH_DEG,
        zoom=INSET_ZOOM,
        pan=(0.0, 0.0),
    )


def _inset_box(shown: tuple[float, float], pixel_scale: float) -> Box:
    """The inset's box in an eye's picture: a square in the lower right corner."""
    least, most = (side * pixel_scale for side in INSET_SIDES)
    side = min(max(INSET_FRACTION * min(shown), least), most, 0.5 * min(shown))
    margin = INSET_MARGIN * pixel_scale
    return (shown[0] - side - margin) / shown[0], margin / shown[1], side / shown[0], side / shown[1]


def _layer(
    snapshot: Snapshot,
    presentation: Presentation,
    display: Display,
    box: Box,
    transition: Transition = ARRIVED,
    empty: bool = False,
    above: float = 0.0,
) -> Layer:
    """One construction in `box` of each eye's picture; nothing of it where `empty`.

    `above`: the fraction of the box's height that is kept free for a title.
    """
    view, show, stereo = presentation.view, presentation.show, presentation.stereo
    whole = shown_size(presentation.mode, display.size)
    shown = (whole[0] * box[2], whole[1] * box[3])
    plain = (shown[0] / display.pixel_scale, shown[1] / display.pixel_scale)
    aspect, large = shown[0] / shown[1], box == WHOLE
    built = construct(snapshot, view.vector_scale)
    space = momentum_space(snapshot, built) if view.construction == "momentum" else None
    subject = poinsot_subject(snapshot, view, built) if space is None else momentum_subject(snapshot, space)
    inset = _inset_box(shown, display.pixel_scale) if large and show.inset else None
    camera = framed(subject, view, aspect, inset, above)
    if transition.camera is not None:
        camera = between(transition.camera[0], camera, transition.camera[1])
    plane = trail = None
    if space is None and built.moving:
        plane = invariable_plane(snapshot, built, subject.frame_from_world)
        if show.herpolhode:
            trail = poinsot_trail(snapshot, presentation, built)
    if space is None:
        extent = poinsot_extent(snapshot, presentation, built, subject, plane, trail, camera, plain)
    else:
        extent = momentum_extent(snapshot, presentation, space)
    width = width_on_screen(stereo, display.size, display.screen)
    picture = Picture(camera, aspect, None if width is None else width * box[2], box[2])
    near, far = _cut_off(extent, camera)
    span = depths(extent, picture, near)
    eyes, comfort = place_eyes(stereo, picture, span, transition.eyes)
    seen = presentation.with_eyes(eyes)
    if empty:
        scene = background(seen.theme, camera)
    elif space is not None:
        scene = describe_momentum(snapshot, seen, space, camera, plain, large)
    else:
        scene = describe_poinsot(snapshot, seen, built, camera, plane, trail, plain, large)
    views = eye_views(camera, seen.stereo, display.size, near, far, display.screen, box)
    return Layer(display.pixel_scale, tuple(views), camera, scene, eyes, comfort)


def _cut_off(extent: Extent, camera: Camera) -> tuple[float, float]:
    """Between which depths the picture is drawn, m."""
    middle, room = float(camera.position @ camera.backward), ROOM * max(extent.reach, 1e-3)
    near = max(NEAR_PLANE * camera.distance, middle - room)
    return near, max(middle + room, 2.0 * near)
