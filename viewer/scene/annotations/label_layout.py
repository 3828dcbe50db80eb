"""Keeps the names in the scene off each other, off arrows, lines and the touching point, and inside the picture."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import mixed
from viewer.scene.annotations.label_places import (
    BESIDE_NAME,
    BESIDE_SHAFT,
    SHAFT_PRICE,
    WIDEST,
    Lines,
    Pair,
    best_place,
    gap_to,
    gaps,
    lines_on,
)
from viewer.scene.annotations.letters import half_size
from viewer.scene.camera.camera import Canvas, smooth_step
from viewer.scene.description import CONTACT_RADIUS, Frame, Label, Layer, Solid, Stroke
from viewer.scene.stereo.views import shown_size

Array = NDArray[np.float64]

HEAD_RADIUS = 0.36  # of the length of an arrow's head, as in shaders/include/arrow.glsl
EDGE = 4.0  # px between a name and the edge of the picture
FURTHEST = 30.0  # px that a name stands from its anchor
CORNERS = np.array([(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)])
NO_LINES = Lines(np.zeros((8, 0)))
# closeness of a name's line of sight to the solid, 1 on its surface: the name is in front of it, and beside it
ON_BODY = (1.0, 1.15)


def arrange(
    labels: Sequence[Label], canvas: Canvas, solid: Solid | None, world_from_body: Array,
    arrows: Sequence[Stroke] = (), contact: Array | None = None, lines: Lines = NO_LINES,
    boxes: Sequence[tuple[Pair, Pair]] = (),
) -> list[Label]:  # fmt: skip
    """Return the labels in the canvas's text size, moved or faded so that each can be read; earlier ones come first.

    Names are moved off the heads of `arrows`, the touching point, `lines`, headings (labels that are not centred),
    `boxes`, given by their middles and half sizes, and each other. Numbers that stand on their anchors stay: they have
    been chosen where all of these can avoid them.
    """
    if not labels:
        return []
    labels = [_in_size(label, canvas.text_size) for label in labels]
    marks = [point for arrow in arrows for point in (arrow.start, arrow.end)]
    points = np.array([*(label.anchor for label in labels), *marks, *([] if contact is None else [contact])])
    seen: list[Pair] = [(x, y) for x, y in canvas.project(points).tolist()]
    ends = seen[len(labels) : len(labels) + len(marks)]
    taken = [] if contact is None else [(seen[-1], (CONTACT_RADIUS + 1.0, CONTACT_RADIUS + 1.0))]
    taken += [_head(arrow, start, end) for arrow, start, end in zip(arrows, ends[::2], ends[1::2], strict=True)]
    of_arrows = {arrow.name: (arrow, a, b) for arrow, a, b in zip(arrows, ends[::2], ends[1::2], strict=True)}
    halves = [half_size(label) for label in labels]
    headings = [
        ((x + label.offset[0] + w, y), (w, h))
        for label, (x, y), (w, h) in zip(labels, seen, halves, strict=False)
        if not label.centred
    ]
    wanted = [(x + label.offset[0], y + label.offset[1]) for label, (x, y) in zip(labels, seen, strict=False)]
    taken += [*headings, *boxes]
    taken += [(at, half) for label, at, half in zip(labels, wanted, halves, strict=False) if _stays(label)]
    nearest = _nearest_lines(np.array(wanted), np.array(halves), lines)
    placed: list[Label] = []
    for i, (label, anchor, half, position) in enumerate(zip(labels, seen, halves, wanted, strict=False)):
        if not label.centred or _stays(label):
            placed.append(label)
            continue
        alpha = label.alpha
        apart = gap_to(position, half, taken)
        room = _room(anchor, half, canvas.size)
        inside = abs(position[0]) <= room[0] and abs(position[1]) <= room[1]
        if nearest[i] < 0.0 or not inside or apart < BESIDE_NAME[1]:
            shaft = _beside(label, *of_arrows[label.text]) if label.text in of_arrows else None
            position = best_place(anchor, label.offset, half, taken, lines, room, shaft)
            apart = gap_to(position, half, taken)
        if label.text not in of_arrows:
            alpha *= smooth_step(apart, *BESIDE_NAME)
        if alpha < 0.02:
            continue
        offset = position[0] - anchor[0], position[1] - anchor[1]
        if (offset, alpha) != (label.offset, label.alpha):
            label = replace(label, offset=offset, alpha=alpha)
        placed.append(label)
        taken.append((position, half))
    if solid is not None:
        _bring_forward(placed, canvas, solid, world_from_body)
    return placed


def _head(arrow: Stroke, start: Pair, end: Pair) -> tuple[Pair, Pair]:
    """Return the middle and the half sizes [px] of an arrow's head on the screen."""
    right, up, length = end[0] - start[0], end[1] - start[1], max(math.dist(start, end), 1e-6)
    fraction = min(0.5 * arrow.head / length, 0.5)
    x, y = arrow.head * abs(right) / length, arrow.head * abs(up) / length
    half = 0.5 * x + HEAD_RADIUS * y, 0.5 * y + HEAD_RADIUS * x
    return (end[0] - fraction * right, end[1] - fraction * up), half


def _beside(label: Label, arrow: Stroke, start: Pair, end: Pair) -> Pair | None:
    """Return the unit vector along an arrow whose name stands beside its shaft.

    It is None if the name stands at the tip, or if the arrow is shorter than a pixel.
    """
    length = math.dist(start, end)
    if label.anchor is arrow.end or length < 1.0:
        return None
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def _room(anchor: Pair, half: Pair, size: Pair) -> Pair:
    """Return how far right and up a name's middle may be from the picture's, px; inf if its anchor is far outside."""
    right, up = (max(0.5 * side - h - EDGE, 0.0) for side, h in zip(size, half, strict=True))
    beyond = EDGE + FURTHEST  # the thing that it names may still be in the picture
    if abs(anchor[0]) > right + 2.0 * half[0] + beyond or abs(anchor[1]) > up + 2.0 * half[1] + beyond:
        return math.inf, math.inf
    return right, up


def _nearest_lines(places: Array, halves: Array, lines: Lines) -> list[float]:
    """Return the gap [px] between each box and the nearest line; boxes are `places` (K, 2) with `halves` (K, 2)."""
    which, line = lines.near(places, float(halves.max()) + WIDEST)
    found = gaps(places[which, 0], places[which, 1], (halves[which, 0], halves[which, 1]), lines.columns[:, line])
    nearest = np.full(len(places), math.inf)
    np.minimum.at(nearest, which, found)
    gap: list[float] = nearest.tolist()
    return gap


def _stays(label: Label) -> bool:
    """Return whether a label belongs on its anchor, such as a number of the plane's ruling."""
    return label.style == "number" and label.centred and label.offset == (0.0, 0.0)


def _in_size(label: Label, text_size: float) -> Label:
    """Return a label enlarged, with its distance from its anchor, by `text_size`; a legend's line is not changed."""
    if text_size == 1.0 or not label.centred:
        return label
    offset = label.offset[0] * text_size, label.offset[1] * text_size
    return replace(label, size=label.size * text_size, offset=offset)


def _bring_forward(labels: list[Label], canvas: Canvas, solid: Solid, world_from_body: Array) -> None:
    """Move the anchors of names so that none stands in or behind the solid; give those in front of it their colour.

    A name moves along its line of sight, towards the depth of the solid's nearest point: the closer it is to the
    solid, the further it moves. A number stays on the plane that it is written on.
    """
    camera = canvas.camera
    moved = [i for i, label in enumerate(labels) if label.centred and not _stays(label)]
    anchors = np.array([labels[i].anchor for i in moved]).reshape(-1, 3)
    depths = (camera.position - anchors) @ camera.backward
    per_pixel = canvas.metres_per_pixel(1.0) * depths
    offsets = per_pixel[:, None] * np.array([labels[i].offset for i in moved]).reshape(-1, 2)
    names = anchors + offsets @ np.stack([camera.right, camera.up])
    size, in_body, eye = solid.size, names @ world_from_body, camera.position @ world_from_body
    nearest, misses = size.closeness(in_body, eye), size.misses(in_body, eye)
    front = float(camera.position @ camera.backward) - size.support(world_from_body.T @ camera.backward)
    thinnest = float(np.min(solid.half_extents))
    rows = zip(moved, nearest, misses, depths.tolist(), per_pixel.tolist(), strict=True)
    for i, close, miss, depth, pixel in rows:
        label = labels[i]
        reach = pixel * math.hypot(*half_size(label)) / thinnest
        if label.on_body is not None and miss < ON_BODY[1]:
            color = mixed(label.on_body, label.color, smooth_step(miss, *ON_BODY))
            label = labels[i] = replace(label, color=color)
        forward = 1.0 - smooth_step(close, 1.0 + reach, 1.5 + reach)
        if forward > 0.0 and 0.0 < front < depth:
            fraction = 1.0 + forward * (front / depth - 1.0)
            labels[i] = replace(label, anchor=camera.position + fraction * (label.anchor - camera.position))


JUMP = 2.5  # px between two pictures: a smaller step is a name's ordinary motion
SECONDS = 0.07  # in which the rest of a jump shrinks to 1/e
ARRIVED = 0.3  # px


class LabelMotion:
    """Moves names smoothly, from one picture to the next, to the places that are chosen anew in each picture.

    A name that would stand on the shaft of an arrow, or on another name, on its way is at its place at once.
    """

    def __init__(self) -> None:
        self._names: dict[tuple[int, str], tuple[Pair, Pair]] = {}  # by layer and text: place, offset still to go
        self.moving = False

    def led(self, frame: Frame, seconds: float) -> Frame:
        """Return `frame` with each name on the way to its place, `seconds` after the last picture."""
        names, self._names, self.moving = self._names, {}, False
        left, shown = math.exp(-max(seconds, 0.0) / SECONDS), shown_size(frame.mode, frame.size)
        layers = tuple(
            replace(layer, scene=replace(layer.scene, labels=tuple(moved)))
            if (moved := self._moved(number, layer, shown, names, left))
            else layer
            for number, layer in enumerate(frame.layers)
        )
        return replace(frame, layers=layers) if self.moving else frame

    def forget(self) -> None:
        """Forget the last picture: the names of the next one are where they belong at once."""
        self._names, self.moving = {}, False

    def _moved(
        self, number: int, layer: Layer, shown: Pair, names: dict[tuple[int, str], tuple[Pair, Pair]], left: float
    ) -> list[Label]:
        """Return the labels of the layer with this number, some still on the way; none if all are at their places."""
        labels, obstacles = layer.scene.labels, None
        moved: list[Label] = []
        for i, label in enumerate(labels):
            if label.style != "symbol" or not label.centred:
                continue
            key, place, behind = (number, label.text), label.offset, (0.0, 0.0)
            if key in names:
                before, (right, up) = names[key]
                behind = right * left, up * left
                if math.dist(before, place) > JUMP:
                    behind = behind[0] + before[0] - place[0], behind[1] + before[1] - place[1]
                if math.hypot(*behind) >= ARRIVED:
                    obstacles = obstacles or _Obstacles(layer, shown)
                if obstacles is None or math.hypot(*behind) < ARRIVED or obstacles.hit(i, behind):
                    behind = 0.0, 0.0
            self._names[key] = place, behind
            if behind != (0.0, 0.0):
                self.moving = True
                moved = moved or list(labels)
                moved[i] = replace(label, offset=(place[0] + behind[0], place[1] + behind[1]))
        return moved


class _Obstacles:
    """The shafts of arrows and the names in a layer, at their places; the picture of one eye has the size `shown`."""

    def __init__(self, layer: Layer, shown: Pair) -> None:
        width, height = (part * side / layer.pixel_scale for part, side in zip(layer.box[2:], shown, strict=True))
        canvas, labels = Canvas(layer.camera, (width, height)), layer.scene.labels
        self._shafts = lines_on(canvas, [(layer.scene.arrows, SHAFT_PRICE)]).columns
        places = canvas.project(np.array([label.anchor for label in labels])) + [label.offset for label in labels]
        self._boxes = [(place, half_size(label)) for place, label in zip(places.tolist(), labels, strict=True)]
        self._names = [i for i, label in enumerate(labels) if label.centred]

    def hit(self, number: int, behind: Pair) -> bool:
        """Return whether the name of this number, if it is `behind` [px] its place, is on a shaft or another name."""
        (x, y), half = self._boxes[number]
        place = x + behind[0], y + behind[1]
        if gap_to(place, half, [self._boxes[i] for i in self._names if i != number]) < 0.0:
            return True
        return float(gaps(*place, half, self._shafts).min(initial=math.inf)) < -BESIDE_SHAFT
