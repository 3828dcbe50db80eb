"""Several bodies, the name of each below it: in a grid of cells, one in each, with its construction or only itself; or
all in one space."""

import dataclasses
import math

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.scenario.sections.picture import SUITED_POLAR_ANGLES, View
from viewer.scene.annotations.labels import plain_letters
from viewer.scene.camera.camera import Canvas
from viewer.scene.camera.framing import Subject
from viewer.scene.camera.sight import Extent, Oval
from viewer.scene.camera.sweep import ball
from viewer.scene.constructions.poinsot import FRAMES, omega_tip
from viewer.scene.constructions.scale import Construction, solid_of
from viewer.scene.description import Label, Layer
from viewer.scene.naming.things import hidden_switches
from viewer.scene.presentation import Presentation
from viewer.scene.stereo.views import Box
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

GAPS = 1.7, 1.2  # from row to row of bodies side by side and from body to body in one, of how far they reach
NAME_SIZE, NAME_LETTER = 14.0, 0.56  # px; width of a letter, of its size
NAME_ROOM = 24.0  # px below the body
READABLE = (330.0, 300.0)  # px: in smaller cells lines and letters are thinner
SMALLEST = 0.5  # .. to so much
NAMED = 0.6  # of the plain size: where letters are smaller only the body's name is written
SMALLEST_NAME = 10.0  # px on the screen
CUT = ".."  # in place of the rest of a long name; there is no letter for an ellipsis


def cell_presentation(presentation: Presentation, bare: bool, scale: float, apart: bool = True) -> Presentation:
    """How each cell shows its body; `bare`: without a construction around it; `scale`: as `cell_scale` has it. Not
    `apart`: in one space, where there are no loads and paths either."""
    hidden = {"space_axes", "inset", *hidden_switches(bare, together=not apart)}
    if bare or scale < NAMED:
        hidden.add("labels")
    show = dataclasses.replace(presentation.show, **dict.fromkeys(hidden, False))
    return dataclasses.replace(presentation, show=show)


def cell_scale(shown: tuple[float, float]) -> float:
    """The size of lines and letters in cells of `shown` pixels at scale 1, of the plain one."""
    return min(max(min(shown[0] / READABLE[0], shown[1] / READABLE[1]), SMALLEST), 1.0)


def name_fraction(shown: tuple[float, float], scale: float, text_size: float = 1.0) -> float:
    """The fraction of a cell's height that the name takes; of `shown` pixels at that scale."""
    return min(NAME_ROOM * _name_size(scale, text_size) / NAME_SIZE / shown[1], 0.3)


def _name_size(scale: float, text_size: float) -> float:
    return text_size * max(NAME_SIZE, SMALLEST_NAME / scale)


def with_name(layer: Layer, body: Snapshot, size: tuple[float, float], scale: float, text_size: float = 1.0) -> Layer:
    """A cell of `size` pixels with the body's name below it, and why the body has stopped, if it has.

    `text_size`: of its letters, of the plain one.
    """
    canvas, theme = Canvas(layer.camera, size, layer.eyes.convergence), layer.scene.theme
    letters = _name_size(scale, text_size)
    most = max(int(size[0] / (NAME_LETTER * letters)), 3)
    name = plain_letters(body.name)
    name = name if len(name) <= most else name[: max(most - len(CUT), 1)] + CUT
    place = canvas.on_screen_plane(0.5 * size[0], 0.5 * NAME_ROOM * letters / NAME_SIZE)
    labels = [Label(name, place, theme.text, letters, (0.0, 0.0), style="number")]
    if body.stopped is not None:
        middle = canvas.on_screen_plane(0.5 * size[0], 0.5 * size[1])
        labels.append(Label("diverged", middle, theme.text, letters, (0.0, 0.0), style="number", alpha=0.8))
    return dataclasses.replace(layer, scene=dataclasses.replace(layer.scene, labels=(*layer.scene.labels, *labels)))


def cell_at(layers: tuple[Layer, ...], across: float, up: float) -> int | None:
    """The number of the cell at a point of an eye's picture, in fractions of it from the lower left; None: of none."""
    for number, layer in enumerate(layers):
        left, low, width, height = layer.box
        if left <= across < left + width and low <= up < low + height:
            return number
    return None


def places_of(bodies: tuple[Snapshot, ...], moved: bool = True) -> Array:
    """Where each body is in the space that all share, (N, 3), m; not `moved`: where it was at t = 0.

    Where all begin at one place they stand apart in rows on the level, the first one at the far left.
    """
    starts = np.array([body.start_position for body in bodies])
    places = starts + [body.moved for body in bodies] if moved else starts
    return places if np.any(starts != starts[0]) else places + _side_by_side([solid_of(body).radius for body in bodies])


def _side_by_side(radii: list[float]) -> Array:
    """Where balls of these radii stand in rows about the origin, (N, 3), m, so that none touches another."""
    columns = math.ceil(len(radii) / math.isqrt(len(radii)))
    row, column = np.divmod(np.arange(len(radii)), columns)
    found = np.zeros((len(radii), 3))
    for axis, (line, gap) in enumerate(zip((row, column), GAPS, strict=True)):
        widths = np.zeros(max(line) + 1)
        np.maximum.at(widths, line, 2.0 * gap * np.array(radii))
        found[:, axis] = (np.cumsum(widths) - 0.5 * widths - 0.5 * np.sum(widths))[line]
    return found


def reach_of(body: Snapshot, built: Construction) -> float:
    """How far what is drawn of it comes from its centre, m: the body and its arrows."""
    tip = float(np.linalg.norm(omega_tip(body, built)))
    return max(built.body_radius, built.arrow, float(np.max(built.semi_axes)), tip)


def space_subject(selected: Snapshot, view: View, places: Array, reaches: list[float]) -> Subject:
    """What the camera shows of balls with these places, (N, 3) about its target, and radii: z is upright, or the camera
    rides on the selected body."""
    frame = FRAMES[view.frame]
    if frame.on_body:
        profile = ball(max(float(np.linalg.norm(place)) + r for place, r in zip(places, reaches, strict=True)))
        frame_from_world = selected.reading.rotation_world_from_body.T
    else:
        frame_from_world = np.diag([1.0, -1.0, -1.0]) if frame.sign < 0.0 else np.eye(3)
        profile = tuple(
            (out + math.hypot(x, y), up + z)
            for (x, y, z), r in zip((places @ frame_from_world.T).tolist(), reaches, strict=True)
            for out, up in ball(r)
        )
    return Subject(frame_from_world, np.zeros(3), profile, SUITED_POLAR_ANGLES[view.frame])


def space_extent(places: Array, reaches: list[float]) -> Extent:
    """What there is to see of those balls."""
    balls = (Oval(place, reach * np.eye(3)) for place, reach in zip(places, reaches, strict=True))
    return Extent(tuple((each,) for each in balls), np.zeros((0, 2, 3)))


def names_below(
    bodies: tuple[Snapshot, ...], places: Array, canvas: Canvas, color: Color, scale: float
) -> tuple[Label, ...]:
    """The name of each body below it, at its depth; of one that has diverged that as well."""
    size = _name_size(scale, canvas.text_size)
    labels = []
    for body, place in zip(bodies, places, strict=True):
        foot = place - solid_of(body).radius * canvas.camera.up
        labels.append(Label(plain_letters(body.name), foot, color, size, (0.0, -0.5 * size), style="number"))
        if body.stopped is not None:
            labels.append(Label("diverged", place, color, size, (0.0, 0.0), style="number", alpha=0.8))
    return tuple(labels)


def body_box(layer: Layer, size: tuple[int, int]) -> Box | None:
    """The square around a body in one space, in a picture of `size`; None where the camera is in it or past it."""
    scene, canvas = layer.scene, Canvas(layer.camera, (float(size[0]), float(size[1])))
    reach = max([0.0 if scene.solid is None else scene.solid.size.radius, *(math.hypot(*a.end) for a in scene.arrows)])
    depth = float(layer.camera.position @ layer.camera.backward)
    if depth <= reach:
        return None
    (x, y), half = canvas.project(np.zeros(3)).tolist(), reach / canvas.metres_per_pixel(depth)
    return 0.5 + (x - half) / size[0], 0.5 + (y - half) / size[1], 2.0 * half / size[0], 2.0 * half / size[1]
