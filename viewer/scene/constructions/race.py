"""A race in the scene: as ghosts over the true body, each in its lane's colour, or as a grid of small scenes."""

import dataclasses
import math
import textwrap
from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color, hex_color
from viewer.common.language import tr
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.rotation import from_rotation_vector, multiply, rotation_matrix
from viewer.race.live import LaneNow
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import Stereo
from viewer.scenario.sections.race import LANE_COLORS, Lane, Race, Recorded
from viewer.scene.annotations.label_layout import half_size
from viewer.scene.annotations.labels import plain_letters
from viewer.scene.camera.camera import Canvas
from viewer.scene.constructions.scale import Construction, within
from viewer.scene.description import Label, Layer, Patch, SceneDescription, Stroke
from viewer.scene.presentation import Presentation
from viewer.scene.stereo.anaglyph_theme import readable_in, theme_of
from viewer.scene.stereo.views import Box
from viewer.scene.words.formatting import GAP, format_errors
from viewer.session.derived import STRAYS
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]
AnyLane = Lane | Recorded

OMEGA_WIDTH = 2.4
OMEGA_HEAD = 9.0
TITLE_SIZE, NOTE_SIZE = 15.0, 11.5
# the largest with which a cell's title fits into one line; else it has more
TITLE_SIZES = TITLE_SIZE, 13.5, 12.5
TITLE_MARGIN, TITLE_ROOM = 12.0, 60.0  # px: two lines, and the name of L below them
NAME_ROOM = 16.0  # px: the name of an axis beside them
NOTE_LINE, NOTE_LETTER = 19.5, 0.53  # px of one line more; width of a letter, of its size
LEAST_LEGEND = (420.0, 300.0)  # px: in less there is none
ALIKE = 0.98  # of the largest figures: as large as these, in fewer columns, is as good
LONGEST_ERRORS = ("E −8e−88", "|L| −8e−88", "−8.88 T")  # of a lane: the room for them stays as the digits change
GROUND_EDGE = 3.0  # px from the edge of a cell to the ground of its title
FURTHEST = 3.0  # times the construction's size: no lane's arrow is longer


def lane_color(number: int, theme: str, stereo: Stereo) -> Color:
    """The colour of the lane with that number in the theme of that name, in a stereo mode and glasses."""
    return readable_in(theme, stereo, hex_color(LANE_COLORS[number % len(LANE_COLORS)]))


def color_of(lane: AnyLane, number: int, lanes: Sequence[AnyLane], scenario: Scenario) -> Color:
    """The colour of a lane's numbers and curves, one of these `lanes`: its own, but the text's where the body turns as
    it does, and the ghost of the exact motion has its own."""
    if lane is _body_lane(lanes, scenario.race):
        return theme_of(scenario).text
    return lane_color(number, scenario.view.theme, scenario.stereo)


def _body_lane(lanes: Sequence[AnyLane], race: Race) -> AnyLane | None:
    """The one recording as which the body turns beside the ghosts; None where none is."""
    recorded = [lane for lane in lanes if isinstance(lane, Recorded)]
    alone = race.show == "ghosts" and len(recorded) == 1 and recorded[0].name not in race.hidden
    return recorded[0] if alone else None


def shown_lanes(snapshot: Snapshot, race: Race) -> tuple[LaneNow, ...]:
    """The lanes that are not hidden."""
    return tuple(now for now in snapshot.lanes if now.lane.name not in race.hidden)


def turning_as_recorded(snapshot: Snapshot, race: Race) -> Snapshot:
    """With ghosts: the body turns as the scene's one recording, and the exact motion is a ghost; else as it is."""
    body = _body_lane([now.lane for now in snapshot.lanes], race)
    now = next((now for now in snapshot.lanes if now.lane is body and now.stopped is None), None)
    if now is None:
        return snapshot
    here = snapshot.reading
    ahead = here.time - now.time  # less than between two rows, from which it turns on evenly
    orientation = multiply(from_rotation_vector(now.omega_world * ahead), now.orientation_wxyz)
    turned = dataclasses.replace(
        now, time=here.time, orientation_wxyz=orientation, rotation_world_from_body=rotation_matrix(orientation)
    )
    exact = dataclasses.replace(
        now, lane=Lane(snapshot.integrator, snapshot.stabilisation), time=here.time, trail=snapshot.trail, gaps=(),
        orientation_wxyz=here.orientation_wxyz, rotation_world_from_body=here.rotation_world_from_body,
        omega_world=here.omega_world, angular_momentum_world=here.angular_momentum_world, energy_error=0.0,
        momentum_error=0.0, direction_error=0.0, orientation_error=0.0,
        phase_error=None if now.phase_error is None else 0.0, other_since=None,
    )  # fmt: skip
    others = tuple(lane for lane in snapshot.lanes if lane is not now)
    return dataclasses.replace(lane_snapshot(snapshot, turned), lanes=(exact, *others), recorded=now)


def lane_arrows(snapshot: Snapshot, presentation: Presentation, built: Construction) -> list[Stroke]:
    """Where each lane's omega points, thin."""
    if presentation.race.show != "ghosts" or not presentation.show.angular_velocity:
        return []
    arrows = []
    for now in shown_lanes(snapshot, presentation.race):
        tip = within(built.scale * now.omega_world, FURTHEST * built.radius)
        if now.stopped is None and float(np.linalg.norm(tip)) > 0.0:
            color = lane_color(now.number, presentation.view.theme, presentation.stereo)
            name = f"lane:{now.lane.label}"
            arrows.append(Stroke(np.zeros(3), tip, color, 0.95, OMEGA_WIDTH, OMEGA_HEAD, name=name))
    return arrows


def lane_snapshot(snapshot: Snapshot, now: LaneNow) -> Snapshot:
    """A lane in place of the motion; the construction stays that of the targets."""
    errors = now.energy_error, now.momentum_error, now.direction_error, now.orientation_error
    return dataclasses.replace(
        snapshot,
        lanes=(),
        strays=not isinstance(now.lane, Recorded) and max(map(abs, errors)) > STRAYS,
        correction=None,  # that is the motion's own, as is
        measured=snapshot.measured if isinstance(now.lane, Recorded) else None,
        stabilisation="off",
        trail=now.trail,
        gaps=now.gaps,
        reading=dataclasses.replace(
            snapshot.reading,
            time=now.time,
            orientation_wxyz=now.orientation_wxyz,
            rotation_world_from_body=now.rotation_world_from_body,
            omega_world=now.omega_world,
            omega_body=now.rotation_world_from_body.T @ now.omega_world,
            angular_momentum_world=now.angular_momentum_world,
        ),
    )


def with_title(
    layer: Layer,
    now: LaneNow | None,
    snapshot: Snapshot,
    presentation: Presentation,
    size: tuple[float, float],
    text_size: float = 1.0,
) -> Layer:
    """A cell with its title: whose motion it is (None: the one that is raced against) and how much that errs.

    `size`: width and height of the cell in pixels at scale 1; `text_size`: of its letters, of the plain one.
    """
    scene, theme = layer.scene, layer.scene.theme
    if now is None:
        title, color = Lane(snapshot.integrator, snapshot.stabilisation).label, theme.text
    else:
        title, color = now.lane.label, lane_color(now.number, presentation.view.theme, presentation.stereo)
    errs = format_errors(now) if now is not None else _whose(snapshot)
    told = _notes(errs, size[0] / text_size) if presentation.legends else []
    notes = tuple((line, theme.text, NOTE_SIZE) for line in told)
    written, letter = _title(title, size[0] / text_size)
    lines = (*((line, color, letter) for line in written), *notes)
    canvas = Canvas(layer.camera, size, layer.eyes.convergence, text_size)
    titles = _lines(lines, canvas)
    labels, backings = _title_ground(titles, scene, canvas, theme.background_bottom)
    return dataclasses.replace(layer, scene=dataclasses.replace(scene, labels=(*labels, *titles), backings=backings))


def _title_ground(
    titles: list[Label], scene: SceneDescription, canvas: Canvas, color: Color
) -> tuple[tuple[Label, ...], tuple[Patch, ...]]:
    """Return the scene's names that do not stand on these lines in the upper left corner, and the ground of the lines:
    what strays there, such as a lane that diverges, does not run through them."""
    corner = 0.5 * np.array(canvas.size) * (-1.0, 1.0)
    boxes = [_box(line, canvas) for line in titles]
    labels = tuple(name for name in scene.labels if not any(_meet(_box(name, canvas), box) for box in boxes))
    right = min(max(float(at[0] + half[0]) for at, half in boxes) + GROUND_EDGE, -float(corner[0]) - GROUND_EDGE)
    low = min(float(at[1]) - line.size for (at, _), line in zip(boxes, titles, strict=True))

    low_left, high_right = (float(corner[0]) + GROUND_EDGE, low), (right, float(corner[1]) - GROUND_EDGE)
    middle = [0.5 * (a + b + side) for a, b, side in zip(low_left, high_right, canvas.size, strict=True)]
    half = [0.5 * (b - a) for a, b in zip(low_left, high_right, strict=True)]
    return labels, (Patch(canvas.on_screen_plane(middle[0], middle[1]), (half[0], half[1]), color, GROUND_EDGE),)


def _box(label: Label, canvas: Canvas) -> tuple[Array, Array]:
    """The middle of a label and half its size, px."""
    half = np.array(half_size(label))
    at = canvas.project(label.anchor) + np.array(label.offset)
    at[0] += 0.0 if label.centred else half[0]
    return at, half


def _meet(one: tuple[Array, Array], other: tuple[Array, Array]) -> bool:
    """Whether two boxes overlap."""
    return bool(np.all(np.abs(one[0] - other[0]) < one[1] + other[1]))


def title_fractions(names: Sequence[str], shown: tuple[float, float]) -> tuple[float, float]:
    """The fractions of the width and the height of a cell of `shown` pixels that titles with these names take.

    More than all of the width: a word is cut.
    """
    energy, momentum, phase = LONGEST_ERRORS
    notes = _notes(GAP.join((energy, momentum, f"{max(tr('phase'), tr('turn'), key=len)} {phase}")), shown[0])
    widths = [NOTE_LETTER * NOTE_SIZE * len(line) for line in notes]
    titles = [_title(name, shown[0]) for name in names]
    widths += [NOTE_LETTER * letter * len(line) for written, letter in titles for line in written]
    more = len(notes) - 1 + max(len(written) for written, _ in titles) - 1
    wide, tall = TITLE_MARGIN + max(widths) + NAME_ROOM, TITLE_ROOM + more * NOTE_LINE
    return wide / shown[0], min(tall / shown[1], 0.4)


def _title(name: str, width: float) -> tuple[list[str], float]:
    """The lines of a title in a cell of that width, px, and the size of their letters; it breaks between words."""
    room = (width - 2.0 * TITLE_MARGIN) / NOTE_LETTER
    size = next((size for size in TITLE_SIZES if len(name) <= int(room / size)), TITLE_SIZES[-1])
    return textwrap.wrap(name, max(int(room / size), 1), break_long_words=False, break_on_hyphens=False) or [""], size


def _whose(snapshot: Snapshot) -> str:
    """The scene's own motion: what the lanes are compared with, where its integrator has no error."""
    return tr("reference") if INTEGRATORS[snapshot.integrator].dense else tr("this motion")


def _notes(errors: str, width: float) -> list[str]:
    """How much a lane errs, or words in place of that, in as many lines as a cell of that width takes."""
    lines: list[str] = []
    letters = max(int((width - 2.0 * TITLE_MARGIN) / (NOTE_LETTER * NOTE_SIZE)), 1)
    parts = (textwrap.wrap(part, letters, break_long_words=False) for part in errors.split(GAP))
    for part in chain.from_iterable(parts):
        longer = GAP.join([*lines[-1:], part])
        if lines and len(longer) * NOTE_LETTER * NOTE_SIZE <= width - 2.0 * TITLE_MARGIN:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def legend(
    snapshot: Snapshot, presentation: Presentation, canvas: Canvas, first: tuple[tuple[str, Color, float], ...] = ()
) -> list[Label]:
    """The lines `first` (text, colour, size) and the ghosts' names and errors in the upper left corner; the latter
    where there is room."""
    width, height = canvas.size
    if presentation.race.show != "ghosts" or width < LEAST_LEGEND[0] or height < LEAST_LEGEND[1]:
        return _lines(first, canvas)
    if width < canvas.text_size * LEAST_LEGEND[0] or height < canvas.text_size * LEAST_LEGEND[1]:
        canvas = dataclasses.replace(canvas, text_size=1.0)
    text = presentation.theme.text
    lines = list(first)
    if (now := snapshot.recorded) is not None:
        lines += [(now.lane.label, text, TITLE_SIZE), (format_errors(now), text, NOTE_SIZE)]
    for now in shown_lanes(snapshot, presentation.race):
        color = lane_color(now.number, presentation.view.theme, presentation.stereo)
        exact = snapshot.recorded is not None and now is snapshot.lanes[0]
        lines += [
            (now.lane.label, color, TITLE_SIZE),
            (_whose(snapshot) if exact else format_errors(now), text, NOTE_SIZE),
        ]
    return _lines(tuple(lines), canvas)


def _shortened(text: str, size: float, width: float) -> str:
    """What fits of a line into that width, px, with an ellipsis where it is less."""
    letters = max(1, int(width / (NOTE_LETTER * size)))
    return text if len(text) <= letters else text[: letters - 1].rstrip(" ,") + "…"


def _lines(lines: tuple[tuple[str, Color, float], ...], canvas: Canvas) -> list[Label]:
    """Lines of text, each with colour and plain size, from the upper left corner down, in the plane of the screen.

    What is wider than the picture ends in an ellipsis.
    """
    labels, down, grown = [], 2.0, canvas.text_size
    for text, color, size in lines:
        text = _shortened(text, size, canvas.size[0] / grown - 2.0 * TITLE_MARGIN)
        down += 0.5 * size + 8.0
        anchor = canvas.on_screen_plane(grown * TITLE_MARGIN, canvas.size[1] - grown * down)
        down += 0.5 * size
        size *= grown
        labels.append(Label(plain_letters(text), anchor, color, size, (0.0, 0.0), style="number", centred=False))
    return labels


def grid_boxes(
    count: int, shown: tuple[float, float], gap: float, figure: Callable[[float, float], float]
) -> list[Box]:
    """Boxes for `count` cells in a picture of that size, row by row from the upper left, `gap` pixels apart.

    `figure`: how large a cell of that width and height, px, shows what is in it. The columns are as many as make that
    largest.
    """
    grids = [_boxes(count, columns, shown, gap) for columns in range(1, count + 1)]
    sides = [(boxes[0][2] * shown[0], boxes[0][3] * shown[1]) for boxes in grids]
    sizes = [figure(*cell) if min(cell) > 0.0 else 0.0 for cell in sides]
    return next(boxes for boxes, size in zip(grids, sizes, strict=True) if size >= ALIKE * max(sizes))


def _boxes(count: int, columns: int, shown: tuple[float, float], gap: float) -> list[Box]:
    """The same in so many columns."""
    width, height = shown
    rows = math.ceil(count / columns)
    across, down = gap / width, gap / height
    w, h = (1.0 - across) / columns - across, (1.0 - down) / rows - down
    return [(across + (n % columns) * (w + across), 1.0 - (n // columns + 1) * (h + down), w, h) for n in range(count)]
