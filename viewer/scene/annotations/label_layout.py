"""Keeps the names in the scene apart: none on another, on an arrow, a stub or the touching point, none outside.

Everything here is continuous: as things move, a name slides or fades, and never jumps.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import mixed
from viewer.common.frozen import frozen
from viewer.scene.camera.canvas import Canvas
from viewer.scene.constructions.t_bars import bars
from viewer.scene.description import CONTACT_RADIUS, Label, Solid, Stroke

Array = NDArray[np.float64]
Pair = tuple[float, float]  # x and y, px; plain numbers, as hundreds of them are compared for each picture

LETTER = 0.30, 0.36  # half of a letter's width and height, of the size of its label
FAINT = 0.4  # opacity with which an arrow's name changes sides: it is always there
NARROW = frozenset("′₁₂₃ʟₑᵣꜰ ./")  # half as wide as other letters
EDGE = 4.0  # px between a name and the edge of the picture
FURTHEST_PUSH = 30.0  # px that a name is pushed aside; what still overlaps then fades
PUSHES = 4  # rounds, as each thing it is pushed off may push it onto another one
LEFTWARDS = 4.0  # px: so far right of a thing's middle a name still goes left; arrows mostly have theirs on the right
SIDES = 0.5, 3.0  # px from where it changes sides: faded out, in full
OWN = 0.5  # px from the end of a stub: its own name, which is beside it anyway
GAP = 3.0  # px between a name and what it was pushed off
HIDDEN = (0.985, 1.05)  # how near the line of sight comes to the solid's surface (1): hidden, clear
ON_BODY = (1.0, 1.15)  # how near to the solid the line of sight through a name passes: before it, beside it
PAST = np.linspace(-1.5, 1.5, 31)  # samples of a line past a solid, in its sizes
SIGHT = np.linspace(0.0, 1.0, 33)[1:] ** 2  # samples of the line to the eye, dense near the name


@frozen
class Spot:
    """Something on the screen that names keep off: a disc, in pixels from the middle of the picture; or all discs from
    there to `end`: the shaft of the arrow `name`, on which only the names of arrows may stand."""

    centre: Pair
    radius: float
    end: Pair | None = None
    name: str = ""

    def nearest(self, position: Pair) -> tuple[Pair, Pair]:
        """The disc that is nearest: its middle and its half sizes."""
        half = self.radius, self.radius
        if self.end is None:
            return self.centre, half
        (x, y), (across, up) = self.centre, (self.end[0] - self.centre[0], self.end[1] - self.centre[1])
        squared = max(across * across + up * up, 1e-6)
        fraction = min(max(((position[0] - x) * across + (position[1] - y) * up) / squared, 0.0), 1.0)
        return (x + fraction * across, y + fraction * up), half


def spots(arrows: Sequence[Stroke], contact: Array, canvas: Canvas) -> list[Spot]:
    """What names keep off: the heads of the arrows, their shafts and the touching point."""
    points = np.array([contact, *(point for arrow in arrows for point in (arrow.end, arrow.start))])
    ring, *ends = _seen(canvas, points)
    found = [Spot(ring, CONTACT_RADIUS + 1.0)]
    for arrow, (x, y), start in zip(arrows, ends[::2], ends[1::2], strict=True):
        fraction = min(0.5 * arrow.head / max(math.dist((x, y), start), 1e-6), 0.5)
        found.append(Spot((x - fraction * (x - start[0]), y - fraction * (y - start[1])), 0.5 * arrow.head))
        found.append(Spot(start, 0.5 * arrow.width, (x, y), arrow.name))
    return found


def lines_of(strokes: Sequence[Stroke], canvas: Canvas) -> list[Spot]:
    """Thin lines, which a number does not stand on."""
    ends = _seen(canvas, np.array([point for stroke in strokes for point in (stroke.start, stroke.end)]).reshape(-1, 3))
    pairs = zip(strokes, ends[::2], ends[1::2], strict=True)
    return [Spot(start, 0.5 * stroke.width, end) for stroke, start, end in pairs]


def _seen(canvas: Canvas, points: Array) -> list[Pair]:
    return [(x, y) for x, y in canvas.project(points).tolist()]


def arrange(
    labels: Sequence[Label], spots: Sequence[Spot], canvas: Canvas, solid: Solid | None, world_from_body: Array,
    thin: Sequence[Spot] = (), stubs: Sequence[Spot] = (),
) -> list[Label]:  # fmt: skip
    """The labels in the canvas's text size, earlier ones first served, moved or faded so that each is read.

    Symbols are pushed aside, off `stubs` of axes as well; numbers fade, behind the solid and on `thin` lines as well.
    """
    taken = [spot.nearest(spot.centre) for spot in spots if spot.end is None]
    shafts = [spot for spot in spots if spot.end is not None]
    of_arrows = {shaft.name for shaft in shafts}
    if not labels:
        return []
    labels = [_in_size(label, canvas.text_size) for label in labels]
    points = np.array([label.anchor for label in labels])
    clear = np.ones(len(labels))
    numbers = [i for i, label in enumerate(labels) if label.style == "number"]
    if solid is not None and numbers:
        clear[numbers] = clear_view(points[numbers], canvas.camera.position, solid, world_from_body)
    placed: list[Label] = []
    for label, anchor, in_sight in zip(labels, _seen(canvas, points), clear.tolist(), strict=True):
        if not label.centred:  # a line of a legend: it stays
            placed.append(label)
            continue
        half = half_size(label)
        wanted = anchor[0] + label.offset[0], anchor[1] + label.offset[1]
        if label.fixed:
            placed.append(label)
            taken.extend(_squares(wanted, half))
            continue
        of_arrow = label.text in of_arrows
        lines = [] if of_arrow else shafts
        if label.style == "number":
            nearest = [shaft.nearest(wanted) for shaft in lines]
            free = min(_clear_of([*taken, *nearest], wanted, half), _beside([*lines, *thin], wanted, half))
            alpha = label.alpha * in_sight * free
            position = wanted
        else:
            lines = [*lines, *(stub for stub in stubs if stub.end is None or math.dist(stub.end, anchor) > OWN)]
            pushed, fade = _pushed(wanted, half, taken, lines)
            position = _within(pushed, half, canvas.size)
            free = _apart_from(taken, position, half)
            if of_arrow and free < 1.0:  # where there is no room it stays near its arrow, on a stub if need be
                pushed, _ = _pushed(wanted, half, taken, [])
                near = _within(pushed, half, canvas.size)
                position = near[0] + free * (position[0] - near[0]), near[1] + free * (position[1] - near[1])
                free = _apart_from(taken, position, half)
            if of_arrow:
                alpha = label.alpha * max(fade, FAINT) * free
            else:
                alpha = label.alpha * fade * min(free, _beside(lines, position, half))
        if alpha < 0.02:
            continue
        placed.append(replace(label, offset=(position[0] - anchor[0], position[1] - anchor[1]), alpha=alpha))
        taken.append((position, half))
    if solid is not None:
        _bring_forward(placed, canvas, solid, world_from_body)
    return placed


def _in_size(label: Label, text_size: float) -> Label:
    """A name so much larger and farther from its anchor; a line of a legend stays."""
    if text_size == 1.0 or not label.centred:
        return label
    offset = label.offset[0] * text_size, label.offset[1] * text_size
    return replace(label, size=label.size * text_size, offset=offset)


def half_size(label: Label) -> Pair:
    """Half the width and height that a label takes, in pixels."""
    letters = len(label.text) - 0.5 * sum(map(NARROW.__contains__, label.text))
    return label.size * LETTER[0] * max(letters, 1.0), label.size * LETTER[1]


def _bring_forward(labels: list[Label], canvas: Canvas, solid: Solid, world_from_body: Array) -> None:
    """Moves the names' anchors: names are drawn over the solid, so none stands in or behind it; and colours them.

    On its line of sight one comes forward to the solid's nearest point, the more the nearer the name is to the solid.
    """
    camera = canvas.camera
    moved = [i for i, label in enumerate(labels) if label.centred]
    anchors = np.array([labels[i].anchor for i in moved]).reshape(-1, 3)
    depths = (camera.position - anchors) @ camera.backward
    per_pixel = canvas.metres_per_pixel(1.0) * depths
    offsets = per_pixel[:, None] * np.array([labels[i].offset for i in moved]).reshape(-1, 2)
    names = anchors + offsets @ np.stack([camera.right, camera.up])
    nearest = _nearest(names, camera.position, solid, world_from_body)
    misses = _misses(names, camera.position, solid, world_from_body)
    front = float(camera.position @ camera.backward) - support(solid, world_from_body.T @ camera.backward)
    thinnest = float(np.min(solid.half_extents))
    rows = zip(moved, nearest, misses, depths.tolist(), per_pixel.tolist(), strict=True)
    for i, close, miss, depth, pixel in rows:
        label = labels[i]
        reach = pixel * math.hypot(*half_size(label)) / thinnest
        if label.on_body is not None and miss < ON_BODY[1]:
            color = mixed(label.on_body, label.color, _smooth(miss, *ON_BODY))
            label = labels[i] = replace(label, color=color)
        forward = 1.0 - _smooth(close, 1.0 + reach, 1.5 + reach)
        if forward > 0.0 and 0.0 < front < depth:
            fraction = 1.0 + forward * (front / depth - 1.0)
            labels[i] = replace(label, anchor=camera.position + fraction * (label.anchor - camera.position))


def support(solid: Solid, direction: Array) -> float:
    """How far the solid reaches from its middle in a direction, (3,), in the body, m."""
    if solid.kind == "t-handle":
        return max(float(middle @ direction) + support(part, direction[order]) for part, middle, order in _bars(solid))
    if solid.mesh is not None:
        return float(np.max(solid.mesh.vertices @ direction))
    pull = np.abs(solid.half_extents * direction)
    if solid.kind == "box":
        return float(np.sum(pull))
    if solid.kind == "cylinder":
        return math.hypot(pull[0], pull[1]) + float(pull[2])
    return float(np.linalg.norm(pull))


def _bars(solid: Solid) -> Iterator[tuple[Solid, Array, list[int]]]:
    """A T-handle's bars as solids, with the middle in the body, (3,), and which axes of the body are their own."""
    for half_extents, middle, order in bars(solid.half_extents, solid.bar):
        yield Solid("cylinder", half_extents, solid.axis_colors), middle, order


def clear_view(points: Array, eye: Array, solid: Solid, world_from_body: Array) -> list[float]:
    """1 where the solid hides nothing of the line from one of `points`, (N, 3), to `eye`, 0 where it is in between."""
    return [_smooth(close, *HIDDEN) for close in _nearest(points, eye, solid, world_from_body)]


def _nearest(points: Array, eye: Array, solid: Solid, world_from_body: Array) -> list[float]:
    """How near to the solid's middle the lines from (N, 3) points to the eye come, N, its surface being at 1."""
    if solid.kind == "t-handle":
        of_bars = [
            _nearest(points - world_from_body @ middle, eye - world_from_body @ middle, part, world_from_body[:, order])
            for part, middle, order in _bars(solid)
        ]
        return [min(pair) for pair in zip(*of_bars, strict=True)]
    start, end = points @ world_from_body / solid.half_extents, eye @ world_from_body / solid.half_extents
    return _least(start.T[:, :, None] + SIGHT * (end - start).T[:, :, None], solid.kind)


def _misses(points: Array, eye: Array, solid: Solid, world_from_body: Array) -> list[float]:
    """The same of the whole straight lines from the eye through them; a T-handle and a mesh as ellipsoids."""
    start, through = eye @ world_from_body / solid.half_extents, (points - eye) @ world_from_body / solid.half_extents
    ahead = through / np.linalg.norm(through, axis=1, keepdims=True)
    nearest = start - (ahead @ start)[:, None] * ahead
    return _least(nearest.T[:, :, None] + PAST * ahead.T[:, :, None], solid.kind)


def _least(units: Array, kind: str) -> list[float]:
    """How near to the middle of a solid of that kind, whose surface is at 1, any of (3, N, M) points comes, N."""
    x, y, z = np.abs(units)
    if kind == "box":
        away = np.maximum(np.maximum(x, y), z)
    elif kind == "cylinder":
        away = np.maximum(np.hypot(x, y), z)
    else:
        away = np.sqrt(x * x + y * y + z * z)
    nearest: list[float] = np.min(away, axis=1).tolist()
    return nearest


def _clear_of(others: Sequence[tuple[Pair, Pair]], position: Pair, half: Pair) -> float:
    """1 where a box is 5 px or more from all others, 0 where it overlaps one of them by one."""
    (x, y), (wide, tall) = position, half
    least = math.inf
    for (right, up), (half_wide, half_tall) in others:
        across, above = abs(x - right) - wide - half_wide, abs(y - up) - tall - half_tall
        apart = across if across > above else above
        if apart < least:
            least = apart
    return _smooth(least, -1.0, 5.0)


def _squares(position: Pair, half: Pair) -> list[tuple[Pair, Pair]]:
    """A long line of text as boxes that are about square, side by side: names keep off them as off discs."""
    count = max(1, round(half[0] / half[1]))
    side = half[0] / count
    return [((position[0] + (2 * n + 1 - count) * side, position[1]), (side, half[1])) for n in range(count)]


def _pushed(wanted: Pair, half: Pair, taken: Sequence[tuple[Pair, Pair]], shafts: Sequence[Spot]) -> tuple[Pair, float]:
    """`wanted`, moved off what it would overlap, by FURTHEST_PUSH at most, and its opacity: 0 as it changes sides."""
    right = up = 0.0
    own = 0.5 * (half[0] + half[1]) + GAP  # two names are far enough apart where they are as discs
    for other, other_half in taken:
        distance, reach = math.dist(wanted, other), own + 0.5 * (other_half[0] + other_half[1])
        if distance < reach:  # from its very middle, where no direction leads out, nothing is pushed: it fades
            push = (reach - distance) * _smooth(distance / reach, 0.0, 0.6) / max(distance, 1e-6)
            right, up = right + push * (wanted[0] - other[0]), up + push * (wanted[1] - other[1])
    x, y, alpha = wanted[0] + right, wanted[1] + up, 1.0
    for _ in range(PUSHES):
        before = x, y
        for shaft in shafts:
            other, _ = shaft.nearest((x, y))
            away = x - other[0], y - other[1]
            if math.hypot(*away) >= math.hypot(*half) + shaft.radius + GAP:
                continue
            (right, up), fade = _turned(away, _span(half, shaft, away), _leftwards(shaft))
            reach = _span(half, shaft, (right, up))
            if math.hypot(*away) < reach:
                x, y, alpha = other[0] + reach * right, other[1] + reach * up, alpha * fade
        if (x, y) == before:
            break
    right, up = x - wanted[0], y - wanted[1]
    fraction = min(1.0, FURTHEST_PUSH / max(math.hypot(right, up), 1e-6))
    return (wanted[0] + fraction * right, wanted[1] + fraction * up), alpha


def _turned(away: Pair, reach: float, left: Pair) -> tuple[Pair, float]:
    """The unit vector in which a name goes that is `away` from the middle of something; `left` if that is all but 0."""
    fraction = LEFTWARDS * max(1.0 - math.hypot(*away) / reach, 0.0)
    right, up = away[0] + fraction * left[0], away[1] + fraction * left[1]
    length = math.hypot(right, up)
    if length < 1e-6:
        return left, 0.0
    return (right / length, up / length), _smooth(length, *SIDES)


def _leftwards(shaft: Spot) -> Pair:
    """The unit vector across a shaft that points to the left."""
    end = shaft.end or shaft.centre
    across, up = end[0] - shaft.centre[0], end[1] - shaft.centre[1]
    length = math.copysign(max(math.hypot(across, up), 1e-6), up)
    return -up / length, across / length


def _span(half: Pair, shaft: Spot, direction: Pair) -> float:
    """The distance in that direction at which a name's box has left a shaft by GAP."""
    length = max(math.hypot(*direction), 1e-6)
    return (half[0] * abs(direction[0]) + half[1] * abs(direction[1])) / length + shaft.radius + GAP


def _beside(shafts: Sequence[Spot], position: Pair, half: Pair) -> float:
    """1 where all shafts run beside a name's box, 0 where one is a little way in."""
    least = math.inf
    for shaft in shafts:
        (x, y), _ = shaft.nearest(position)
        away = position[0] - x, position[1] - y
        least = min(least, math.hypot(*away) - _span(half, shaft, away) + GAP)
    return _smooth(least, -1.5, 0.5)


def _apart_from(others: Sequence[tuple[Pair, Pair]], position: Pair, half: Pair) -> float:
    """1 where a name is apart from all others, both taken as ellipses, 0.5 where it touches one, and soon 0."""
    (x, y), (wide, tall) = position, half
    least = math.inf
    for (right, up), (half_wide, half_tall) in others:
        across, above = (x - right) / (wide + half_wide), (y - up) / (tall + half_tall)
        squared = across * across + above * above
        if squared < least:
            least = squared
    return _smooth(math.sqrt(least), 0.9, 1.1)


def _within(position: Pair, half: Pair, size: Pair) -> Pair:
    """`position`, moved so that the name lies in the picture; unmoved where it is far outside."""
    x, y = position
    right, up = (max(0.5 * side - h - EDGE, 0.0) for side, h in zip(size, half, strict=True))
    beyond = EDGE + FURTHEST_PUSH  # what it is the name of may still be in the picture
    if abs(x) > right + 2.0 * half[0] + beyond or abs(y) > up + 2.0 * half[1] + beyond:
        return position
    return min(max(x, -right), right), min(max(y, -up), up)


def _smooth(value: float, low: float, high: float) -> float:
    if value <= low or value >= high:
        return 0.0 if value <= low else 1.0
    fraction = (value - low) / (high - low)
    return fraction * fraction * (3.0 - 2.0 * fraction)
