"""Several bodies in a grid of cells, one in each: with its construction, or only itself; its name below."""

import dataclasses

from viewer.scene.camera.canvas import Canvas
from viewer.scene.constructions.race import plain_letters
from viewer.scene.description import Label, Layer
from viewer.scene.presentation import Presentation
from viewer.session.snapshot import Snapshot

NAME_SIZE, NAME_LETTER = 14.0, 0.56  # px; width of a letter, of its size
NAME_ROOM = 24.0  # px below the body
READABLE = (330.0, 300.0)  # px: in smaller cells lines and letters are thinner
SMALLEST = 0.5  # .. to so much
NAMED = 0.6  # of the plain size: where letters are smaller only the body's name is written
SMALLEST_NAME = 10.0  # px on the screen
CUT = ".."  # in place of the rest of a long name; there is no letter for an ellipsis


def cell_presentation(presentation: Presentation, bare: bool, scale: float) -> Presentation:
    """How each cell shows its body; `bare`: without a construction around it; `scale`: as `cell_scale` has it."""
    hidden = ["space_axes", "inset"]
    if bare:
        hidden += ["ellipsoid", "plane", "polhode", "herpolhode", "projection", "body_axes", "labels"]
    if scale < NAMED:
        hidden.append("labels")
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
