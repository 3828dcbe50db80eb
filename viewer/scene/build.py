"""The picture of a snapshot: which construction is drawn in which layer, and by which camera and eyes it is seen."""

import dataclasses

from viewer.common.color import Color
from viewer.common.frozen import frozen
from viewer.scenario.bodies import in_one_space, shows_constructions
from viewer.scenario.sections.picture import SUITED_POLAR_ANGLES, View
from viewer.scenario.sections.race import Lane
from viewer.scene.annotations.labels import space_axes
from viewer.scene.camera.camera import Camera, Canvas, between, cell_text_size
from viewer.scene.camera.extent import momentum_extent, poinsot_extent
from viewer.scene.camera.framing import Subject, framed, height_in
from viewer.scene.camera.sight import Extent
from viewer.scene.camera.sweep import ball
from viewer.scene.constructions.axis_path import axis_trails
from viewer.scene.constructions.bodies import names_below, places_of, reach_of, space_extent, space_subject
from viewer.scene.constructions.cells import (
    Cell,
    cell_presentation,
    cell_scale,
    grid_boxes,
    name_fraction,
    title_fraction,
    with_name,
    with_title,
)
from viewer.scene.constructions.correction import badge
from viewer.scene.constructions.drawing import Drawing
from viewer.scene.constructions.gimbals import gimbal_reach
from viewer.scene.constructions.momentum import describe_momentum, momentum_subject
from viewer.scene.constructions.poinsot import (
    body_paths,
    describe_poinsot,
    invariable_plane,
    poinsot_subject,
    poinsot_trail,
)
from viewer.scene.constructions.race import (
    lane_color,
    lane_snapshot,
    shown_lanes,
    text_lines,
    turning_as_recorded,
)
from viewer.scene.constructions.scale import Construction, MomentumSpace, construct, grown, momentum_space
from viewer.scene.description import Frame, Layer, SceneDescription, background
from viewer.scene.naming.things import drawn_lines
from viewer.scene.presentation import ARRIVED, Display, Presentation, Transition, enlargement
from viewer.scene.stereo.comfort import Picture, depths, place_eyes, with_eyes, worst
from viewer.scene.stereo.views import WHOLE, Box, eye_views, shown_size, width_on_screen
from viewer.session.snapshot import Snapshot

SMALL = (560.0, 360.0)  # px: from here down they shrink with the picture
SMALLEST = 0.6  # .. down to this factor
OTHER = {"poinsot": "momentum", "momentum": "poinsot"}
INSET_FRACTION = 0.31  # of the shorter side of an eye's picture
INSET_SIDES = (120.0, 320.0)  # px, at least and at most
INSET_MARGIN = 12.0
INSET_AZIMUTH_DEG = 30.0
INSET_ZOOM = 0.86  # leaves room for the names
GRID_GAP = 4.0  # px
NEAR_PLANE = 0.02  # of the camera's distance: nothing nearer is drawn
LINE_MARGIN = 1.5  # of the extent's reach: the range of depths has room for the width of lines


@frozen
class _Drawn(Display):
    """A display whose `size` counts the pixels that are drawn.

    `shown` is the size of an eye's picture as it is seen, in these pixels. Its proportions are the same at any
    resolution, so that nothing moves when the picture gets finer. `width` is that of an eye's picture on the screen
    [m], or None if it is unknown.
    """

    shown: tuple[float, float] = (1.0, 1.0)
    width: float | None = None

    def plain(self, box: Box = WHOLE) -> tuple[float, float]:
        """Return width and height of a box of an eye's picture, in pixels at scale 1."""
        return box[2] * self.shown[0] / self.pixel_scale, box[3] * self.shown[1] / self.pixel_scale


def build_frame(
    snapshot: Snapshot, presentation: Presentation, display: Display, transition: Transition = ARRIVED
) -> Frame:
    """Return the picture of a snapshot, as `presentation` has it, for a display.

    While `transition` lasts, camera and eyes are on the way to their places.
    """
    snapshot = turning_as_recorded(snapshot, presentation.race)
    drawn = _as_drawn(presentation, display)
    together = bool(snapshot.bodies) and in_one_space(presentation.view)
    grid = not together and _has_cells(snapshot, presentation)
    if together:
        layers = _one_space(snapshot, presentation, drawn, transition)
    else:
        layers = (_layer(snapshot, presentation, drawn, WHOLE, transition, empty=grid),)
    if grid:
        layers += _cells(snapshot, presentation, drawn)
    elif presentation.show.inset and not together:
        view = _inset_view(presentation.view)
        inset = dataclasses.replace(presentation, view=view, handle="", legends=False)
        layers += (_layer(snapshot, inset, drawn, _inset_box(drawn)),)
    seen = layers[1:] if grid else layers[:1] if together else layers
    comfort = worst([layer.comfort for layer in seen])
    stereo = with_eyes(presentation.stereo, layers[0].eyes)
    return Frame(layers, drawn.size, stereo, drawn.screen, comfort, in_one_space=together)


def _has_cells(snapshot: Snapshot, presentation: Presentation) -> bool:
    """Return whether cells fill the picture: of several bodies, or of a race in a grid."""
    return bool(snapshot.bodies) or (presentation.race.show == "grid" and bool(snapshot.lanes))


def _runners(snapshot: Snapshot, presentation: Presentation) -> tuple[Snapshot, ...]:
    """Return the snapshot of each cell: those of the bodies, or of the motion itself and the shown lanes of a race."""
    if snapshot.bodies:
        return snapshot.bodies
    lanes = (lane_snapshot(snapshot, now) for now in shown_lanes(snapshot, presentation.race))
    return (dataclasses.replace(snapshot, lanes=(), measured=None), *lanes)


def layer_snapshots(snapshot: Snapshot, presentation: Presentation) -> list[Snapshot]:
    """Return the snapshot that each layer of `build_frame` shows."""
    snapshot = turning_as_recorded(snapshot, presentation.race)
    if not _has_cells(snapshot, presentation):
        return [snapshot, snapshot]
    return [snapshot, *_runners(snapshot, presentation)]


def _as_drawn(presentation: Presentation, display: Display) -> _Drawn:
    """Return the display in the pixels that are drawn."""
    mode, quality = presentation.mode, display.quality
    size, pixel_scale, screen = display.size, display.pixel_scale, display.screen
    shown = shown_size(mode, size)
    if mode.layout == "interlaced":  # the pattern is that of the screen's pixels
        screen = dataclasses.replace(screen, resolution=quality.resolution)
    else:
        size = (max(round(quality.resolution * size[0]), 1), max(round(quality.resolution * size[1]), 1))
        pixel_scale *= quality.resolution
        shown = quality.resolution * shown[0], quality.resolution * shown[1]
    # letters are as large as the picture's size or the user's text size makes them, whichever is more, not both
    larger = enlargement((shown[0] / pixel_scale, shown[1] / pixel_scale))
    text_size = max(display.text_size / larger, min(display.text_size, 1.0))
    pixel_scale *= _fraction_of_standard(shown, pixel_scale)
    width = width_on_screen(presentation.stereo, display.size, display.screen)
    return _Drawn(size, pixel_scale, screen, text_size=text_size, shown=shown, width=width)


def main_camera(
    snapshot: Snapshot, presentation: Presentation, display: Display, transition: Transition = ARRIVED
) -> Camera:
    """Return the camera of the first layer of `build_frame`, which has the same arguments."""
    snapshot = turning_as_recorded(snapshot, presentation.race)
    drawn = _as_drawn(presentation, display)
    inset = _inset_box(drawn) if presentation.show.inset else None
    subject = _subject(snapshot, presentation)[2]
    return _on_its_way(framed(subject, presentation.view, drawn.shown[0] / drawn.shown[1], inset), transition)


def _subject(
    snapshot: Snapshot, presentation: Presentation, bare: bool = False
) -> tuple[Construction, MomentumSpace | None, Subject]:
    """Return the constructions that are shown, and the figure that the camera frames; if `bare`, only the body."""
    view = presentation.view
    built = construct(snapshot, view.vector_scale, presentation.held_scale)
    if view.construction != "momentum":
        subject = poinsot_subject(snapshot, view, built, bare, presentation.show.plane and not bare)
        if presentation.show.gimbals and not bare:
            subject = dataclasses.replace(subject, profile=(*subject.profile, *ball(gimbal_reach(built))))
        return built, None, subject
    space = momentum_space(snapshot, built)
    return built, space, momentum_subject(snapshot, space)


def _on_its_way(camera: Camera, transition: Transition) -> Camera:
    """Return the camera, or the one on the way to it while `transition` lasts."""
    return camera if transition.camera is None else between(transition.camera[0], camera, transition.camera[1])


def _cells(snapshot: Snapshot, presentation: Presentation, display: _Drawn) -> tuple[Layer, ...]:
    """Return the grid of several bodies with their names, or of a race with titles, all in the same view.

    The cell of a body or a lane that diverged is empty: its title shows when.
    """
    bodies, view, runners = snapshot.bodies, presentation.view, _runners(snapshot, presentation)
    bare = bool(bodies) and not shows_constructions(view, len(bodies))
    lanes = (None, *(() if bodies else shown_lanes(snapshot, presentation.race)))
    titles = [Lane(snapshot.integrator, snapshot.stabilisation).label, *(now.lane.label for now in lanes if now)]
    subject = _subject(runners[0], presentation, bare)[2]

    def cell_of(across: float, down: float) -> tuple[Cell, tuple[float, float]]:
        """Return the cell of this width and height [px], and the fractions of the height above and below the figure."""
        cell = Cell.of((across / display.pixel_scale, down / display.pixel_scale), display.text_size)
        return cell, (0.0, name_fraction(cell)) if bodies else (title_fraction(titles, cell), 0.0)

    def height(across: float, down: float) -> float:
        return height_in((across, down), subject, view, cell_of(across, down)[1])

    boxes = grid_boxes(len(runners), display.shown, GRID_GAP * display.pixel_scale, height)
    cell, room = cell_of(boxes[0][2] * display.shown[0], boxes[0][3] * display.shown[1])
    legends = bool(bodies) and presentation.show.labels and not bare
    shown = cell_presentation(presentation, bare, cell.scale, legends)
    smaller = dataclasses.replace(display, pixel_scale=display.pixel_scale * cell.scale)
    cells = []
    for number, (runner, box) in enumerate(zip(runners, boxes, strict=True)):
        now = None if bodies else lanes[number]
        stopped = runner.stopped if now is None else now.stopped
        color = None if now is None else lane_color(now.number, view.theme, presentation.stereo)
        layer = _layer(runner, shown, smaller, box, empty=stopped is not None, room=room, path_color=color, bare=bare)
        titled = with_name(layer, runner, cell) if bodies else with_title(layer, now, snapshot, presentation, cell)
        cells.append(titled)
    return tuple(cells)


def _one_space(
    snapshot: Snapshot, presentation: Presentation, display: _Drawn, transition: Transition
) -> tuple[Layer, ...]:
    """Return the layers of all bodies before one camera: first one with their names, then one for each body.

    In its own layer a body is at the origin, and the camera stands to it as in the space that all bodies share.
    """
    bodies, view, shown = snapshot.bodies, presentation.view, display.shown
    built = [construct(body, view.vector_scale) for body in bodies]
    reaches = [reach_of(*each) for each in zip(bodies, built, strict=True)]
    places, framed_at = places_of(bodies), places_of(bodies, view.follow)
    middle = 0.5 * (framed_at.min(axis=0) + framed_at.max(axis=0))
    places, aspect = places - middle, shown[0] / shown[1]
    subject = space_subject(snapshot, view, framed_at - middle, reaches)
    camera = _on_its_way(framed(subject, view, aspect), transition)
    extent = space_extent(places, reaches)
    near, far = _cut_off(extent, camera)
    picture = Picture(camera, aspect, display.width)
    eyes, comfort = place_eyes(presentation.stereo, picture, depths(extent, picture, near), transition.eyes)
    canvas = Canvas(camera, display.plain(), eyes.convergence, display.text_size)
    across = 2.0 * sorted(reaches)[len(reaches) // 2] / canvas.metres_per_pixel(camera.distance)
    scale = cell_scale((across, across))
    seen = cell_presentation(presentation, True, scale, together=True).with_eyes(eyes)

    def layer(scene: SceneDescription, there: Camera, smaller: float) -> Layer:
        views = eye_views(there, seen.stereo, display.size, near, far, display.screen, WHOLE, shown)
        return Layer(display.pixel_scale * smaller, tuple(views), there, scene, eyes, comfort)

    over = background(seen.theme, camera)
    if presentation.show.space_axes:
        axes, names = space_axes(canvas, seen.theme)
        strokes = tuple(dataclasses.replace(axis, name="") for axis in axes)
        over = dataclasses.replace(over, overlay_strokes=strokes, labels=tuple(names))
    if presentation.show.labels:
        below = names_below(bodies, places, canvas, seen.theme.text, scale)
        over = dataclasses.replace(over, labels=(*over.labels, *below))
    layers = [layer(over, camera, 1.0)]
    size = canvas.size[0] / scale, canvas.size[1] / scale
    for body, own, place in zip(bodies, built, places, strict=True):
        there, scene = dataclasses.replace(camera, position=camera.position - place), background(seen.theme, camera)
        if body.stopped is None:
            drawing = Drawing.of(body, seen, own, Canvas(there, size, eyes.convergence))
            scene = describe_poinsot(drawing, drawn_lines(drawing), None, (), large=False)
        layers.append(layer(dataclasses.replace(scene, contact=None), there, scale))
    return tuple(layers)


def _fraction_of_standard(shown: tuple[float, float], pixel_scale: float) -> float:
    """Return the factor by which lines and letters are enlarged or, in a small picture, made smaller."""
    width, height = shown[0] / pixel_scale, shown[1] / pixel_scale
    return enlargement((width, height)) * min(max(min(width / SMALL[0], height / SMALL[1]), SMALLEST), 1.0)


def _inset_view(view: View) -> View:
    """Return the view in which the inset shows the other construction: always from the same side."""
    return dataclasses.replace(
        view,
        construction=OTHER[view.construction],
        polar_angle_deg=SUITED_POLAR_ANGLES[view.frame],
        azimuth_deg=INSET_AZIMUTH_DEG,
        zoom=INSET_ZOOM,
        pan=(0.0, 0.0),
    )


def _inset_box(display: _Drawn) -> Box:
    """Return the inset's box in an eye's picture: a square in the lower right corner."""
    shown, (least, most) = display.shown, (side * display.pixel_scale for side in INSET_SIDES)
    side = min(max(INSET_FRACTION * min(shown), least), most, 0.5 * min(shown))
    margin = INSET_MARGIN * display.pixel_scale
    return (shown[0] - side - margin) / shown[0], margin / shown[1], side / shown[0], side / shown[1]


def _layer(
    snapshot: Snapshot,
    presentation: Presentation,
    display: _Drawn,
    box: Box,
    transition: Transition = ARRIVED,
    empty: bool = False,
    room: tuple[float, float] = (0.0, 0.0),
    path_color: Color | None = None,
    bare: bool = False,
) -> Layer:
    """Return a layer with one construction in `box` of each eye's picture, or with nothing if it is `empty`.

    `room` holds the fractions of the height that are kept free above and below the figure. `path_color` is that of the
    path of omega in the body, or None for omega's own. If `bare`, only the body is drawn.
    """
    show, large = presentation.show, box == WHOLE
    aspect = display.shown[0] * box[2] / (display.shown[1] * box[3])
    built, space, subject = _subject(snapshot, presentation, bare)
    color = path_color or presentation.theme.angular_velocity
    paths = body_paths(snapshot, presentation, built, color) if space is None else ()
    paths += axis_trails(snapshot, presentation, built)
    inset = _inset_box(display) if large and show.inset else None
    camera = _on_its_way(framed(subject, presentation.view, aspect, inset, room), transition)
    if presentation.view.fixed_scale and space is None:
        built = grown(built, snapshot)
    plain = display.plain(box)
    text_size = display.text_size if large else cell_text_size(display.text_size, plain)
    canvas = Canvas(camera, plain, text_size=text_size)
    plane = trail = None
    if space is None and built.moving:
        plane = invariable_plane(snapshot, built, subject.frame_from_world)
        if show.herpolhode:
            trail = poinsot_trail(snapshot, presentation, built)
    drawing = Drawing.of(snapshot, presentation, built, canvas, space, plane)
    lines = drawn_lines(drawing)
    if space is None:
        trails = paths if trail is None else (trail, *paths)
        extent = poinsot_extent(drawing, lines, subject, trails)
    else:
        extent = momentum_extent(drawing, space, lines)
    width = display.width
    picture = Picture(camera, aspect, None if width is None else width * box[2], box[2])
    near, far = _cut_off(extent, camera)
    eyes, comfort = place_eyes(presentation.stereo, picture, depths(extent, picture, near), transition.eyes)
    seen, canvas = presentation.with_eyes(eyes), dataclasses.replace(canvas, convergence=eyes.convergence)
    drawing = dataclasses.replace(drawing, presentation=seen, canvas=canvas)
    if empty:
        scene = background(seen.theme, camera)
    elif space is not None:
        scene = describe_momentum(drawing, space, lines, large)
    else:
        scene = describe_poinsot(drawing, lines, trail, paths, large)
    if presentation.legends and not large:
        lines_above = text_lines(badge(snapshot, drawing.correction[0], seen.theme), canvas)
        scene = dataclasses.replace(scene, labels=(*scene.labels, *lines_above))
    views = eye_views(camera, seen.stereo, display.size, near, far, display.screen, box, display.shown)
    scene = dataclasses.replace(scene, contact=None) if bare else scene
    return Layer(display.pixel_scale, tuple(views), camera, scene, eyes, comfort, box)


def _cut_off(extent: Extent, camera: Camera) -> tuple[float, float]:
    """Return the depths between which the picture is drawn, m."""
    middle, room = float(camera.position @ camera.backward), LINE_MARGIN * max(extent.reach, 1e-3)
    near = max(NEAR_PLANE * camera.distance, middle - room)
    return near, max(middle + room, 2.0 * near)
