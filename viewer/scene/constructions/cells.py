"""The cells of a grid: how large they are, the title of each in a race, and the name of each of several bodies."""

import dataclasses
import math
import textwrap
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.race.live import LaneNow
from viewer.scenario.sections.race import Lane
from viewer.scene.annotations.letters import half_size, plain_letters
from viewer.scene.camera.camera import Canvas, cell_text_size
from viewer.scene.constructions.race import (
    NOTE_LETTER,
    NOTE_SIZE,
    TITLE_MARGIN,
    TITLE_SIZE,
    lane_color,
    shortened,
    text_lines,
    whose,
)
from viewer.scene.description import Label, Layer, Patch, SceneDescription
from viewer.scene.naming.things import hidden_switches
from viewer.scene.presentation import Presentation
from viewer.scene.stereo.views import Box
from viewer.scene.words.formatting import GAP, format_errors
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

READABLE = (330.0, 300.0)  # px: in smaller cells lines and letters are thinner
SMALLEST = 0.5  # .. down to this factor
NAMED = 0.52  # of the plain size: if letters are smaller, only the body's name or the title is written
LEAST_TITLE, LEAST_NOTE, LEAST_NAME = 13.0, 11.0, 10.0  # px on the screen
TITLE_ROOM = 60.0  # px: two lines, and the name of L below them
NOTE_LINE = 19.5  # px for each further line
LONGEST_ERRORS = ("E −8e−88", "|L| −8e−88", "−8.88 T")  # of a lane: room for these is kept, whatever the digits are
GROUND_EDGE = 3.0  # px from the edge of a cell to the ground of its title
NAME_SIZE = 14.0  # px
NAME_ROOM = 24.0  # px below the body
ALIKE = 0.98  # of the largest figures: a size from which on fewer columns are preferred


@frozen
class Cell:
    """A cell of `size` pixels at its own scale, which is `scale` times the picture's.

    `text_size` is the factor by which its letters are enlarged.
    """

    size: tuple[float, float]
    scale: float
    text_size: float

    @classmethod
    def of(cls, shown: tuple[float, float], text_size: float) -> "Cell":
        """Return the cell of `shown` pixels at the picture's scale, for a user who enlarges letters by `text_size`."""
        scale = cell_scale(shown)
        size = shown[0] / scale, shown[1] / scale
        return cls(size, scale, cell_text_size(text_size, size))

    def letters(self, plain: float, least: float) -> float:
        """Return the size [px] of letters that are `plain` px large, but at least `least` px on the screen."""
        return self.text_size * max(plain, least / self.scale)

    @property
    def title(self) -> float:
        """The size of the letters of a title, px."""
        return self.letters(TITLE_SIZE, LEAST_TITLE)

    @property
    def note(self) -> float:
        """The size of the letters below a title, px."""
        return self.letters(NOTE_SIZE, LEAST_NOTE)

    @property
    def name(self) -> float:
        """The size of the letters of a body's name, px."""
        return self.letters(NAME_SIZE, LEAST_NAME)


def cell_scale(shown: tuple[float, float]) -> float:
    """Return the factor by which lines and letters are smaller in cells of `shown` pixels at scale 1."""
    return min(max(min(shown[0] / READABLE[0], shown[1] / READABLE[1]), SMALLEST), 1.0)


def cell_presentation(
    presentation: Presentation, bare: bool, scale: float, legends: bool = False, together: bool = False
) -> Presentation:
    """Return the presentation of each cell; if `bare`, there is no construction around the body.

    If `together`, all bodies are in one space, without loads and paths.
    """
    hidden = {"space_axes", "inset", *hidden_switches(bare, together)}
    if bare or scale < NAMED:
        hidden.add("labels")
    show = dataclasses.replace(presentation.show, **dict.fromkeys(hidden, False))
    return dataclasses.replace(presentation, show=show, legends=legends and presentation.legends)


def name_fraction(cell: Cell) -> float:
    """Return the fraction of a cell's height that the name of a body takes."""
    return min(NAME_ROOM * cell.name / NAME_SIZE / cell.size[1], 0.3)


def with_name(layer: Layer, body: Snapshot, cell: Cell) -> Layer:
    """Return a cell with the name of its body below that, and "diverged" in the middle if the body has diverged."""
    canvas, theme, letters = Canvas(layer.camera, cell.size, layer.eyes.convergence), layer.scene.theme, cell.name
    name = shortened(plain_letters(body.name), letters, cell.size[0])
    place = canvas.on_screen_plane(0.5 * cell.size[0], 0.5 * NAME_ROOM * letters / NAME_SIZE)
    labels = [Label(name, place, theme.text, letters, (0.0, 0.0), style="number")]
    if body.stopped is not None:
        middle = canvas.on_screen_plane(0.5 * cell.size[0], 0.5 * cell.size[1])
        labels.append(Label("diverged", middle, theme.text, letters, (0.0, 0.0), style="number", alpha=0.8))
    return dataclasses.replace(layer, scene=dataclasses.replace(layer.scene, labels=(*layer.scene.labels, *labels)))


def title_fraction(titles: Sequence[str], cell: Cell) -> float:
    """Return the fraction of a cell's height that the highest of these titles takes, together with a lane's errors."""
    energy, momentum, phase = LONGEST_ERRORS
    notes = _notes(GAP.join((energy, momentum, f"{max(tr('phase'), tr('turn'), key=len)} {phase}")), cell)
    more = len(notes) - 1 + max(len(_title(title, cell)) for title in titles) - 1
    return min((TITLE_ROOM + more * NOTE_LINE) * cell.title / TITLE_SIZE / cell.size[1], 0.4)


def with_title(layer: Layer, now: LaneNow | None, snapshot: Snapshot, presentation: Presentation, cell: Cell) -> Layer:
    """Return a cell with its title: whose motion it shows, and the errors of that motion.

    `now` is the lane, or None for the motion that is raced against.
    """
    scene, theme = layer.scene, layer.scene.theme
    if now is None:
        title, color = Lane(snapshot.integrator, snapshot.stabilisation).label, theme.text
    else:
        title, color = now.lane.label, lane_color(now.number, presentation.view.theme, presentation.stereo)
    errors = format_errors(now) if now is not None else whose(snapshot)
    notes = _notes(errors, cell) if presentation.legends else []
    lines = [(line, color, cell.title) for line in _title(title, cell)]
    lines += [(line, theme.text, cell.note) for line in notes]
    canvas = Canvas(layer.camera, cell.size, layer.eyes.convergence)
    titles = text_lines(lines, canvas)
    labels, backings = _title_ground(titles, scene, canvas, theme.background_bottom)
    return dataclasses.replace(layer, scene=dataclasses.replace(scene, labels=(*labels, *titles), backings=backings))


def _title_ground(
    titles: list[Label], scene: SceneDescription, canvas: Canvas, color: Color
) -> tuple[tuple[Label, ...], tuple[Patch, ...]]:
    """Return the scene's names that do not overlap these lines in the upper left corner, and the ground of the lines.

    The ground covers all that is drawn there, such as a lane that diverges.
    """
    corner = 0.5 * np.array(canvas.size) * (-1.0, 1.0)
    names = scene.labels
    places, halves = _boxes_of([*titles, *names], canvas)
    count = len(titles)
    apart = np.abs(places[count:, None] - places[:count]) >= halves[count:, None] + halves[:count]
    labels = tuple(names[i] for i in np.flatnonzero(np.all(np.any(apart, axis=2), axis=1)))
    places, halves = places[:count], halves[:count]
    right = min(float((places[:, 0] + halves[:, 0]).max()) + GROUND_EDGE, -float(corner[0]) - GROUND_EDGE)
    low = min(up - line.size for up, line in zip(places[:, 1].tolist(), titles, strict=True))

    low_left, high_right = (float(corner[0]) + GROUND_EDGE, low), (right, float(corner[1]) - GROUND_EDGE)
    middle = [0.5 * (a + b + side) for a, b, side in zip(low_left, high_right, canvas.size, strict=True)]
    half = [0.5 * (b - a) for a, b in zip(low_left, high_right, strict=True)]
    return labels, (Patch(canvas.on_screen_plane(middle[0], middle[1]), (half[0], half[1]), color, GROUND_EDGE),)


def _boxes_of(labels: Sequence[Label], canvas: Canvas) -> tuple[Array, Array]:
    """Return the middles (N, 2) of the labels' boxes and half their widths and heights (N, 2), px."""
    halves = np.array([half_size(label) for label in labels])
    places = canvas.project(np.array([label.anchor for label in labels])) + [label.offset for label in labels]
    places[:, 0] += np.where([label.centred for label in labels], 0.0, halves[:, 0])
    return places, halves


def _letters_in(cell: Cell, size: float) -> int:
    """Return the number of letters of this size [px] in a line of a cell."""
    return max(int((cell.size[0] - 2.0 * TITLE_MARGIN) / (NOTE_LETTER * size)), 1)


@lru_cache(maxsize=256)  # the same in every picture: wrapping takes longer than all else about a title
def _wrapped(text: str, most: int, on_hyphens: bool = True) -> tuple[str, ...]:
    """Return the lines of a text, each of at most `most` letters but for longer words."""
    return tuple(textwrap.wrap(text, most, break_long_words=False, break_on_hyphens=on_hyphens))


def _title(name: str, cell: Cell) -> list[str]:
    """Return the lines of a title, broken between words."""
    return list(_wrapped(name, _letters_in(cell, cell.title), False)) or [""]


def _notes(errors: str, cell: Cell) -> list[str]:
    """Return the errors of a lane, or the words in their place, in lines as wide as the cell."""
    lines, most = list[str](), _letters_in(cell, cell.note)
    parts = (_wrapped(part, most) for part in errors.split(GAP))
    for part in chain.from_iterable(parts):
        longer = GAP.join([*lines[-1:], part])
        if lines and len(longer) <= most:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def cell_at(layers: tuple[Layer, ...], across: float, up: float) -> int | None:
    """Return the number of the cell at a point, in fractions of an eye's picture from the lower left; None outside."""
    for number, layer in enumerate(layers):
        left, low, width, height = layer.box
        if left <= across < left + width and low <= up < low + height:
            return number
    return None


def grid_boxes(
    count: int, shown: tuple[float, float], gap: float, figure: Callable[[float, float], float]
) -> list[Box]:
    """Return boxes for `count` cells in a picture of this size, row by row from the upper left, `gap` pixels apart.

    `figure` returns the size of the figure in a cell of this width and height [px]; the number of columns makes that
    the largest, or nearly so.
    """
    grids = [_boxes(count, columns, shown, gap) for columns in range(1, count + 1)]
    sides = [(boxes[0][2] * shown[0], boxes[0][3] * shown[1]) for boxes in grids]
    sizes = [figure(*cell) if min(cell) > 0.0 else 0.0 for cell in sides]
    return next(boxes for boxes, size in zip(grids, sizes, strict=True) if size >= ALIKE * max(sizes))


def _boxes(count: int, columns: int, shown: tuple[float, float], gap: float) -> list[Box]:
    """Return the boxes of `grid_boxes` in this many columns."""
    width, height = shown
    rows = math.ceil(count / columns)
    across, down = gap / width, gap / height
    w, h = (1.0 - across) / columns - across, (1.0 - down) / rows - down
    return [(across + (n % columns) * (w + across), 1.0 - (n // columns + 1) * (h + down), w, h) for n in range(count)]
