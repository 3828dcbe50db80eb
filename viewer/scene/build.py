"""Snapshot + view -> the picture: which construction is drawn where, from where it is seen, and by which eyes."""

import dataclasses

from viewer.common.color import Color
from viewer.common.frozen import frozen
from viewer.scenario.bodies import in_one_space, shows_constructions
from viewer.scenario.choices.themes import FULL
from viewer.scenario.sections.picture import SUITED_POLAR_ANGLES, View
from viewer.scenario.sections.race import Lane
from viewer.scene.annotations.labels import space_axes
from viewer.scene.camera.camera import Camera, Canvas, between, cell_text_size
from viewer.scene.camera.extent import momentum_cell, momentum_extent, poinsot_cell, poinsot_extent
from viewer.scene.camera.framing import Subject, framed, height_in
from viewer.scene.camera.sight import Extent
from viewer.scene.constructions.bodies import (
    cell_presentation,
    cell_scale,
    name_fraction,
    names_below,
    places_of,
    reach_of,
    space_extent,
    space_subject,
    with_name,
)
from viewer.scene.constructions.correction import cell_badge
from viewer.scene.constructions.drawing import Drawing
from viewer.scene.constructions.momentum import describe_momentum, momentum_subject
from viewer.scene.constructions.poinsot import (
    body_paths,
    describe_poinsot,
    invariable_plane,
    poinsot_subject,
    poinsot_trail,
)
from viewer.scene.constructions.race import (
    grid_boxes,
    lane_color,
    lane_snapshot,
    legend,
    shown_lanes,
    title_fractions,
    turning_as_recorded,
    with_title,
)
from viewer.scene.constructions.scale import Construction, MomentumSpace, construct, grown, momentum_space
from viewer.scene.description import Frame, Layer, SceneDescription, Trail, background
from viewer.scene.naming.things import drawn_lines
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
INSET_ZOOM = 0.86  # leaves room for the names
LEAST_NAMES = 0.75  # of the plain size, in a cell that is too small for that
GRID_GAP = 4.0  # px
NEAR_PLANE = 0.02  # of the camera's distance: nothing is drawn from nearer by
ROOM = 1.5  # between which all else is, of how far it reaches: lines have a width


@frozen
class _Drawn(Display):
    """A display in the pixels that are drawn, of which it has `size`. `shown`: an eye's picture as it is seen, in them:
    it keeps the proportions of the whole one, however coarse, so that nothing moves when it gets finer. `width`: its
    width on the screen, m, None where nobody knows it."""

    shown: tuple[float, float] = (1.0, 1.0)
    width: float | None = None


def build_frame(
    snapshot: Snapshot, presentation: Presentation, display: Display, transition: Transition = ARRIVED
) -> Frame:
    """The picture of a snapshot, as `presentation` has it, for a display; camera and eyes may be on the move."""
    snapshot = turning_as_recorded(snapshot, presentation.race)
    coarse = display.quality.name != FULL.name
    drawn = _as_drawn(presentation, display)
    if snapshot.bodies and in_one_space(presentation.view):
        layers = _one_space(snapshot, presentation, drawn, transition)
        stereo, comfort = with_eyes(presentation.stereo, layers[0].eyes), layers[0].comfort
        return Frame(layers, drawn.size, stereo, drawn.screen, comfort, coarse=coarse, in_one_space=True)
    racing = presentation.race.show == "grid" and bool(snapshot.lanes)
    grid = racing or bool(snapshot.bodies)
    main = _layer(snapshot, presentation, drawn, WHOLE, transition, empty=grid)
    insets: tuple[Layer, ...] = ()
    if snapshot.bodies:
        insets = _body_cells(snapshot, presentation, drawn)
    elif racing:
        insets = _cells(snapshot, presentation, drawn)
    elif presentation.show.inset:
        inset = dataclasses.replace(presentation, view=_inset_view(presentation.view), handle="")
        insets = (_layer(snapshot, inset, drawn, _inset_box(drawn.shown, drawn.pixel_scale)),)
    layers = (main, *insets)
    comfort = worst([layer.comfort for layer in (insets if grid else layers)])
    return Frame(layers, drawn.size, with_eyes(presentation.stereo, main.eyes), drawn.screen, comfort, coarse=coarse)


def layer_snapshots(snapshot: Snapshot, presentation: Presentation) -> list[Snapshot]:
    """What each layer of `build_frame` shows."""
    snapshot = turning_as_recorded(snapshot, presentation.race)
    if snapshot.bodies:
        return [snapshot, *snapshot.bodies]
    if presentation.race.show == "grid" and snapshot.lanes:
        lanes = shown_lanes(snapshot, presentation.race)
        return [snapshot, snapshot, *(lane_snapshot(snapshot, now) for now in lanes)]
    return [snapshot, snapshot]


def _as_drawn(presentation: Presentation, display: Display) -> _Drawn:
    """The display in the pixels that are drawn."""
    mode, quality = presentation.mode, display.quality
    size, pixel_scale, screen = display.size, display.pixel_scale, display.screen
    shown = shown_size(mode, size)
    if mode.layout == "interlaced":  # by the pixels of the screen: they stay
        screen = dataclasses.replace(screen, resolution=quality.resolution)
    else:
        size = (max(round(quality.resolution * size[0]), 1), max(round(quality.resolution * size[1]), 1))
        pixel_scale *= quality.resolution
        shown = quality.resolution * shown[0], quality.resolution * shown[1]
    pixel_scale *= _fraction_of_standard(shown, pixel_scale)
    width = width_on_screen(presentation.stereo, display.size, display.screen)
    return _Drawn(size, pixel_scale, screen, text_size=display.text_size, shown=shown, width=width)


def main_camera(
    snapshot: Snapshot, presentation: Presentation, display: Display, transition: Transition = ARRIVED
) -> Camera:
    """The camera of the first layer of `build_frame`, which has the same arguments."""
    snapshot = turning_as_recorded(snapshot, presentation.race)
    drawn = _as_drawn(presentation, display)
    inset = _inset_box(drawn.shown, drawn.pixel_scale) if presentation.show.inset else None
    subject = _subject(snapshot, presentation)[2]
    return _on_its_way(framed(subject, presentation.view, drawn.shown[0] / drawn.shown[1], inset), transition)


def _subject(
    snapshot: Snapshot, presentation: Presentation, bare: bool = False
) -> tuple[Construction, MomentumSpace | None, Subject]:
    """The constructions that are shown, and what the camera shows of them. `bare`: there is only the body."""
    view = presentation.view
    built = construct(snapshot, view.vector_scale, presentation.held_scale)
    if view.construction != "momentum":
        return built, None, poinsot_subject(snapshot, view, built, bare, presentation.show.plane and not bare)
    space = momentum_space(snapshot, built)
    return built, space, momentum_subject(snapshot, space)


def _cell_subject(
    subject: Subject,
    presentation: Presentation,
    built: Construction,
    space: MomentumSpace | None,
    paths: tuple[Trail, ...] = (),
) -> Subject:
    """What the camera of a cell shows of them: no more than there is to see."""
    if space is None:
        return dataclasses.replace(subject, profile=poinsot_cell(subject, presentation, built, paths))
    return dataclasses.replace(subject, profile=momentum_cell(presentation.show, space))


def _on_its_way(camera: Camera, transition: Transition) -> Camera:
    """The camera, or where it is on the way there."""
    return camera if transition.camera is None else between(transition.camera[0], camera, transition.camera[1])


def _cells(snapshot: Snapshot, presentation: Presentation, display: _Drawn) -> tuple[Layer, ...]:
    """The grid of a race: the motion itself, then every lane in the same view.

    The cell of a lane that diverged is empty: its title shows when.
    """
    lanes = shown_lanes(snapshot, presentation.race)
    runners = (None, *lanes)
    names = [Lane(snapshot.integrator, snapshot.stabilisation).label, *(now.lane.label for now in lanes)]
    built, space, subject = _subject(snapshot, presentation)
    subject = _cell_subject(subject, presentation, built, space)

    def height(across: float, down: float) -> float:
        title = title_fractions(names, (across / display.pixel_scale, down / display.pixel_scale))
        return height_in((across, down), subject, presentation.view, title)

    boxes = grid_boxes(len(runners), display.shown, GRID_GAP * display.pixel_scale, height)
    cells = []
    for now, box in zip(runners, boxes, strict=True):
        scene = dataclasses.replace(snapshot, lanes=(), measured=None) if now is None else lane_snapshot(snapshot, now)
        plain = (box[2] * display.shown[0] / display.pixel_scale, box[3] * display.shown[1] / display.pixel_scale)
        left = now is not None and now.stopped is not None
        color = None if now is None else lane_color(now.number, presentation.view.theme, presentation.stereo)
        letters = cell_text_size(display.text_size, plain)
        title = title_fractions(names, (plain[0] / letters, plain[1] / letters))
        cell = _layer(scene, presentation, display, box, empty=left, title=title, path_color=color)
        cells.append(with_title(cell, now, snapshot, presentation, plain, letters))
    return tuple(cells)


def _body_cells(snapshot: Snapshot, presentation: Presentation, display: _Drawn) -> tuple[Layer, ...]:
    """The grid of several bodies, in the order of the scene; that of a body that diverged is empty."""
    bare = not shows_constructions(presentation.view, len(snapshot.bodies))
    built, space, subject = _subject(snapshot.bodies[0], presentation, bare)
    subject = subject if bare else _cell_subject(subject, presentation, built, space)

    def height(across: float, down: float) -> float:
        plain = across / display.pixel_scale, down / display.pixel_scale
        scale = cell_scale(plain)
        plain = plain[0] / scale, plain[1] / scale
        below = name_fraction(plain, scale, cell_text_size(display.text_size, plain))
        return height_in((across, down), subject, presentation.view, below=below)

    boxes = grid_boxes(len(snapshot.bodies), display.shown, GRID_GAP * display.pixel_scale, height)
    across, down = (side * whole / display.pixel_scale for side, whole in zip(boxes[0][2:], display.shown, strict=True))
    scale = cell_scale((across, down))
    told = presentation.show.labels and not bare
    presentation = cell_presentation(presentation, bare, scale)
    display = dataclasses.replace(display, pixel_scale=display.pixel_scale * scale)
    plain = across / scale, down / scale
    letters = cell_text_size(display.text_size, plain)
    below = name_fraction(plain, scale, letters)
    cells = []
    for body, box in zip(snapshot.bodies, boxes, strict=True):
        cell = _layer(
            body, presentation, display, box, empty=body.stopped is not None, below=below, bare=bare, told=told
        )
        cells.append(with_name(cell, body, plain, scale, letters))
    return tuple(cells)


def _one_space(
    snapshot: Snapshot, presentation: Presentation, display: _Drawn, transition: Transition
) -> tuple[Layer, ...]:
    """All bodies before one camera: first a layer of their names, then one of each, in which it is at the origin and
    the camera as far from it as it is."""
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
    plain = shown[0] / display.pixel_scale, shown[1] / display.pixel_scale
    canvas = Canvas(camera, plain, eyes.convergence, display.text_size)
    across = 2.0 * sorted(reaches)[len(reaches) // 2] / canvas.metres_per_pixel(camera.distance)
    scale = cell_scale((across, across))
    seen = cell_presentation(presentation, True, scale, apart=False).with_eyes(eyes)

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
    smaller = plain[0] / scale, plain[1] / scale
    for body, own, place in zip(bodies, built, places, strict=True):
        there = dataclasses.replace(camera, position=camera.position - place)
        drawing = Drawing(body, seen, own, Canvas(there, smaller, eyes.convergence))
        scene = describe_poinsot(drawing, drawn_lines(drawing), None, (), large=False)
        if body.stopped is not None:
            scene = background(seen.theme, camera)
        layers.append(layer(dataclasses.replace(scene, contact=None), there, scale))
    return tuple(layers)


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
        polar_angle_deg=SUITED_POLAR_ANGLES[view.frame],
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
    display: _Drawn,
    box: Box,
    transition: Transition = ARRIVED,
    empty: bool = False,
    title: tuple[float, float] | None = None,
    path_color: Color | None = None,
    below: float = 0.0,
    bare: bool = False,
    told: bool = False,
) -> Layer:
    """One construction in `box` of each eye's picture; nothing of it where `empty`.

    `title`: the fractions of the box's width and height that are kept free in its upper left corner, `below`: that of
    its height for a line below; it then is a cell, in which the camera shows no more than there is to see.
    `path_color`: of the path of omega in the body, where it has not that of omega. `bare`: there is only the body.
    `told`: how it is stabilised.
    """
    show, stereo = presentation.show, presentation.stereo
    shown = (display.shown[0] * box[2], display.shown[1] * box[3])
    aspect, large = shown[0] / shown[1], box == WHOLE
    built, space, subject = _subject(snapshot, presentation, bare)
    color = path_color or presentation.theme.angular_velocity
    paths = body_paths(snapshot, presentation, built, color) if space is None else ()
    if title is not None or (below and not bare):
        subject = _cell_subject(subject, presentation, built, space, paths)
    inset = _inset_box(shown, display.pixel_scale) if large and show.inset else None
    camera = _on_its_way(framed(subject, presentation.view, aspect, inset, title, below), transition)
    if presentation.view.fixed_scale and space is None:
        built = grown(built, snapshot)
    plain = shown[0] / display.pixel_scale, shown[1] / display.pixel_scale
    least = LEAST_NAMES if title is not None else 1.0
    text_size = display.text_size if large else cell_text_size(display.text_size, plain, least)
    canvas = Canvas(camera, plain, text_size=text_size)
    plane = trail = None
    if space is None and built.moving:
        plane = invariable_plane(snapshot, built, subject.frame_from_world)
        if show.herpolhode:
            trail = poinsot_trail(snapshot, presentation, built)
    drawing = Drawing(snapshot, presentation, built, canvas, space, plane)
    lines = drawn_lines(drawing)
    if space is None:
        trails = paths if trail is None else (trail, *paths)
        extent = poinsot_extent(drawing, lines, subject, trails)
    else:
        extent = momentum_extent(drawing, space, lines)
    width = display.width
    picture = Picture(camera, aspect, None if width is None else width * box[2], box[2])
    near, far = _cut_off(extent, camera)
    span = depths(extent, picture, near)
    eyes, comfort = place_eyes(stereo, picture, span, transition.eyes)
    seen, canvas = presentation.with_eyes(eyes), dataclasses.replace(canvas, convergence=eyes.convergence)
    drawing = dataclasses.replace(drawing, presentation=seen, canvas=canvas)
    if empty:
        scene = background(seen.theme, camera)
    elif space is not None:
        scene = describe_momentum(drawing, space, lines, large)
    else:
        scene = describe_poinsot(drawing, lines, trail, paths, large)
    if told and not empty:
        times = drawing.correction[0]
        badge = legend(snapshot, seen, canvas, cell_badge(snapshot, times, seen.theme))
        scene = dataclasses.replace(scene, labels=(*scene.labels, *badge))
    views = eye_views(camera, seen.stereo, display.size, near, far, display.screen, box, display.shown)
    scene = dataclasses.replace(scene, contact=None) if bare else scene
    return Layer(display.pixel_scale, tuple(views), camera, scene, eyes, comfort, box)


def _cut_off(extent: Extent, camera: Camera) -> tuple[float, float]:
    """Between which depths the picture is drawn, m."""
    middle, room = float(camera.position @ camera.backward), ROOM * max(extent.reach, 1e-3)
    near = max(NEAR_PLANE * camera.distance, middle - room)
    return near, max(middle + room, 2.0 * near)
