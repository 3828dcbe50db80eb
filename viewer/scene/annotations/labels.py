"""The names of vectors, axes and the plane's ruling, where they stand, and the letters that they are written in."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.common.quantities import Unit, suited
from viewer.scenario.choices.themes import Theme
from viewer.scene.annotations.label_layout import CORNERS, arrange
from viewer.scene.annotations.label_places import BESIDE_NAME, Pair, distances, gap_to, gaps, lines_on
from viewer.scene.annotations.letters import half_size
from viewer.scene.camera.camera import Canvas, smooth_step
from viewer.scene.constructions.scale import Construction
from viewer.scene.description import Label, Plane, Solid, Stroke
from viewer.scene.words.formatting import rounded

Array = NDArray[np.float64]

SYMBOL_SIZE = 22.0
OMEGA_SIZE = 26.0  # larger, because ω is a small letter
AXIS_SIZE = 17.0
STEEP = 0.3  # foreshortened length of an axis, of its true one, below which it nearly points at the eye
L_OFFSET = (19.5, 2.0)
OMEGA_NAME_AT = 0.62  # of omega's length: there its name stands
OMEGA_OFFSET = 19.0
LEFT_OF_L = 2.0  # px: from here on omega's name stands on the left
OFF_L = 8.0  # px between its letters and the middle of L's shaft
NUMBER_SIZE = 13.5
NUMBERED = 0.93  # of the plane's reach
NUMBER_ROOM = 3.0  # px between a number and the circle that herpolhode and ticks reach
EDGE_ROOM = 6.0  # px between a number and the picture's edge
CIRCLE_POINTS = 49
BODY_AXES, SPACE_AXES = ("x′", "y′", "z′"), ("x", "y", "z")
STUB_WIDTH = 2.0  # px
AXIS_OFFSET = 15.0  # px from the end of a stub to the middle of its name
ALONG_VECTOR = 10.0, 14.0  # px on the screen from a vector: up to the first a stub is hidden, from the second on seen
TRIAD_LENGTH = 34.0
TRIAD_CORNER = (64.0, 58.0)
TRIAD_LETTERS = 18.0  # px that its letters reach beyond its axes
TRIAD_SIZE = 120.0  # of the square in the corner that holds the triad with its letters


def omega_label(arrow: Stroke, momentum_end: Array, canvas: Canvas) -> Label:
    """Return omega's name beside its shaft: to the right, but to the left if omega is left of L on the screen."""
    start = canvas.project(arrow.start)
    along, momentum = canvas.project(arrow.end) - start, canvas.project(momentum_end) - start
    length = float(np.linalg.norm(along))
    right = np.array([along[1], -along[0]]) / length if length > 1.0 else np.array([1.0, 0.0])
    if right[0] < 0.0:
        right = -right
    label = Label(arrow.name, OMEGA_NAME_AT * arrow.end, arrow.color, OMEGA_SIZE, (0.0, 0.0))
    (x, y), (wide, tall), left = right.tolist(), half_size(label), _left_of_momentum(momentum, along)
    side = -OMEGA_OFFSET if left > LEFT_OF_L else max(OMEGA_OFFSET, wide * abs(x) + tall * abs(y) + left + OFF_L)
    return replace(label, offset=(side * x, side * y))


def _left_of_momentum(momentum: Array, along: Array) -> float:
    """Return how far omega, at its name, is to the left of L on the screen, px; -inf if L is not seen."""
    length = float(np.linalg.norm(momentum))
    if length < 1.0:
        return -math.inf
    left = OMEGA_NAME_AT * float(momentum[0] * along[1] - momentum[1] * along[0]) / length
    return left * math.copysign(1.0, momentum[1])  # left on the screen, even if L points down


def ruling_unit(reach: float, scale: float) -> Unit:
    """Return the unit of the plane's ruling, which reaches `reach` metres at `scale` metres per rad/s."""
    return suited("rad/s", reach / scale)


def ruling_labels(
    plane: Plane, outer: float, built: Construction, canvas: Canvas, theme: Theme, taken: Sequence[tuple[Pair, Pair]]
) -> list[Label]:
    """Return rates along one of the grid lines through L, from the outermost one, which has the unit.

    They have places where they stay while the view does: no herpolhode reaches them, since they are beyond the `outer`
    radius [m] of it and its ticks, and the ellipsoid, however it turns, does not come before them. The grid line is the
    one that runs most nearly to the right and away from the eye, or the next one if it has no such place. Where the
    picture shows no such place at all, as close to the touching point, the herpolhode may pass beneath the numbers.
    They keep off the boxes in `taken`, given by their middles and half sizes.
    """
    numbers = _numbers(plane, outer, built, canvas, theme, taken)
    return numbers or _numbers(plane, 0.0, built, canvas, theme, taken)


def _numbers(
    plane: Plane, outer: float, built: Construction, canvas: Canvas, theme: Theme, others: Sequence[tuple[Pair, Pair]]
) -> list[Label]:
    """Return the labels of `ruling_labels` with places beyond the `outer` radius [m]."""
    camera, unit = canvas.camera, ruling_unit(plane.reach, built.scale)
    directions = [s * plane.world_from_plane[:, i] for i in (0, 1) for s in (1.0, -1.0)]
    directions.sort(key=lambda d: 0.35 * float(d @ camera.backward) - float(d @ camera.right))
    numbers = range(int(NUMBERED * plane.reach / plane.spacing), int(outer / plane.spacing), -1)
    rates = [rounded(n * plane.spacing / (built.scale * unit.size)) for n in numbers]
    inks = [[Label(rate + after, plane.centre, theme.text, NUMBER_SIZE, (0.0, 0.0), "number") for rate in rates]
            for after in (f" {unit.name}", "")]  # fmt: skip
    halves = canvas.text_size * np.array([[half_size(label) for label in row] for row in inks]).reshape(2, -1, 2)
    anchors = plane.centre + plane.spacing * np.multiply.outer(numbers, directions)
    free, seen = _free_places(anchors, halves, outer, plane, built, canvas), canvas.project(anchors)
    for i in range(len(directions)):
        labels, taken = list[Label](), list(others)
        for n, anchor in enumerate(anchors[:, i]):
            which = 1 if labels else 0
            (x, y), (wide, tall) = seen[n, i].tolist(), halves[which, n].tolist()
            if free[which, n, i] and gap_to((x, y), (wide, tall), taken) >= BESIDE_NAME[1]:
                labels.append(replace(inks[which][n], anchor=anchor))
                taken.append(((x, y), (wide, tall)))
        if labels:
            return labels
    return []


def _free_places(
    anchors: Array, halves: Array, outer: float, plane: Plane, built: Construction, canvas: Canvas
) -> NDArray[np.bool_]:
    """Return whether boxes around anchors (N, K, 3) on the plane are always free, (S, N, K).

    The half sizes [px] of the boxes are `halves`, (S, N, 2).
    """
    camera, normal, halves = canvas.camera, plane.world_from_plane[:, 2], halves[:, :, None]
    seen, angles = canvas.project(anchors), np.linspace(0.0, 2.0 * math.pi, CIRCLE_POINTS)
    free: NDArray[np.bool_] = np.all(np.abs(seen) + halves <= 0.5 * np.array(canvas.size) - EDGE_ROOM, axis=-1)
    circle = outer * np.stack([np.cos(angles), np.sin(angles)], axis=1) @ plane.world_from_plane[:, :2].T
    reached = lines_on(canvas, (), [plane.centre + circle]).columns
    (x, y), half = np.moveaxis(seen[..., None], 2, 0), (halves[..., :1], halves[..., 1:])
    free &= gaps(x, y, half, reached).min(axis=-1) >= NUMBER_ROOM
    if (camera.position - plane.centre) @ normal > 0.0:  # the plane is in front of the ellipsoid
        return free
    per_pixel = canvas.metres_per_pixel(1.0) * ((camera.position - anchors) @ camera.backward)[..., None]
    across = (per_pixel * halves)[..., None, :] * CORNERS
    corners = anchors[..., None, :] + across @ np.stack([camera.right, camera.up])
    free &= built.sweep.missed(corners, camera.position, normal).all(axis=-1)
    return free


def _ranks(moments: Array) -> list[int]:
    """Return the rank of each moment of inertia, from 0; equal ones rank in the order of the axes."""
    ranks: list[int] = np.argsort(np.argsort(moments, kind="stable"), kind="stable").tolist()
    return ranks


def axis_colors(theme: Theme, moments: Array) -> tuple[Color, Color, Color]:
    """Return the colour of each body axis, which depends on the rank of its moment of inertia."""
    x, y, z = _ranks(moments)
    return theme.axes[x], theme.axes[y], theme.axes[z]


def axis_names(naming: str, moments: Array) -> tuple[str, ...]:
    """Return the names of the body axes: x′, y′, z′ for "letters"; for "moments" e with the moment's rank."""
    return BODY_AXES if naming == "letters" else tuple("e" + "₁₂₃"[rank] for rank in _ranks(moments))


def body_axes(
    inner: Array,
    room: Array,
    rotation: Array,
    colors: tuple[Color, ...],
    names: tuple[str, ...],
    canvas: Canvas,
    solid: Solid | None = None,
    vectors: Sequence[Stroke] = (),
) -> tuple[list[Stroke], list[Label]]:
    """Return stubs at both ends of each body axis, and names at the positive ones that the solid does not hide.

    The stubs are `room` (3,) metres long and begin `inner` (3,) metres from the origin. A stub that lies
    along one of the `vectors` on the screen is not seen, nor is its name.
    """
    camera = canvas.camera
    ends = np.stack([inner, inner + room])[:, :, None] * rotation.T
    ends = np.stack([ends, -ends])  # of the stubs: sign, inner and outer end, axis, (3,)
    tips = ends[0, 1]
    in_sight = np.ones(3) if solid is None else solid.size.visibility(tips @ rotation, camera.position @ rotation)
    apart = np.full((2, 3), math.inf)
    if vectors:
        apart = distances(vectors, ends.reshape(-1, 3), canvas).reshape(-1, *ends.shape[:3]).max(axis=2).min(axis=0)
    strokes, labels = [], []
    for i, name in enumerate(names):
        axis = rotation[:, i]
        alphas = [smooth_step(gap, *ALONG_VECTOR) for gap in apart[:, i].tolist()]
        for (start, end), alpha in zip(ends[:, :, i], alphas, strict=True):
            strokes.append(Stroke(start, end, colors[i], alpha, STUB_WIDTH, name=BODY_AXES[i]))
        if in_sight[i] > 0.0:
            right, up = float(axis @ camera.right), float(axis @ camera.up)
            length = math.hypot(right, up)
            outwards, aside = AXIS_OFFSET / max(length, STEEP), 9.0 * max(0.0, 1.0 - length / STEEP)
            offset = (outwards * right + aside, outwards * up + aside)
            labels.append(Label(name, tips[i], colors[i], AXIS_SIZE, offset, alpha=in_sight[i] * alphas[0]))
    return strokes, labels


def triad_box(canvas: Canvas) -> tuple[Pair, Pair]:
    """Return the middle, from that of the picture, and the half sizes [px] of the space axes with their letters."""
    half = TRIAD_LENGTH + TRIAD_LETTERS * canvas.text_size
    return (TRIAD_CORNER[0] - 0.5 * canvas.size[0], TRIAD_CORNER[1] - 0.5 * canvas.size[1]), (half, half)


def space_axes(canvas: Canvas, theme: Theme) -> tuple[list[Stroke], list[Label]]:
    """Return the space axes as a small triad in the lower left corner, in the plane of the screen."""
    camera, origin = canvas.camera, canvas.on_screen_plane(*TRIAD_CORNER)
    per_pixel = canvas.metres_per_pixel(canvas.convergence * camera.distance)
    strokes, labels = [], []
    for axis, name in zip(np.eye(3), SPACE_AXES, strict=True):
        end = origin + TRIAD_LENGTH * per_pixel * axis
        strokes.append(Stroke(origin, end, theme.text, 0.8, 1.6, name=name))
        right, up = float(axis @ camera.right), float(axis @ camera.up)
        length = math.hypot(right, up)
        offset = (10.0 * right / length, 10.0 * up / length) if length > 1e-6 else (8.0, 8.0)
        labels.append(Label(name, end, theme.text, 15.0, offset, alpha=0.9 * min(1.0, length / 0.25)))
    return strokes, arrange(labels, canvas, None, np.eye(3))
