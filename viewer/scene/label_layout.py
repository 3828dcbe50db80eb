"""Keeps the names in the scene apart: none on another, on an arrow's head or on the touching point, none outside.

Everything here is continuous: as things move, a name slides or fades, and never jumps.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from viewer.scene.camera import Camera
from viewer.scene.description import CONTACT_RADIUS, Label, Solid, Stroke
from viewer.scene.labels import on_screen

Array = NDArray[np.float64]
Pair = tuple[float, float]  # x and y, px; plain numbers, as hundreds of them are compared for each picture

LETTER = 0.30, 0.36  # half of a letter's width and height, of the size of its label
EDGE = 4.0  # px between a name and the edge of the picture
FURTHEST_PUSH = 16.0  # px that a name is pushed aside; what still overlaps then fades
HIDDEN = (0.985, 1.05)  # how near the line of sight comes to the solid's surface (1): hidden, clear
SIGHT = np.linspace(0.0, 1.0, 33)[1:] ** 2  # samples of the way to the eye, dense near the name


@dataclass(frozen=True)
class Spot:
    """Something on the screen that names keep off: a disc, in pixels from the middle of the picture."""

    centre: Pair
    radius: float


def spots(arrows: Sequence[Stroke], contact: Array, camera: Camera, shown: Pair) -> list[Spot]:
    """What names keep off: the heads of the arrows and the touching point."""
    found = [Spot(_seen(camera, contact, shown), CONTACT_RADIUS + 1.0)]
    for arrow in arrows:
        (x, y), start = (_seen(camera, point, shown) for point in (arrow.end, arrow.start))
        share = min(0.5 * arrow.head / max(math.dist((x, y), start), 1e-6), 0.5)
        found.append(Spot((x - share * (x - start[0]), y - share * (y - start[1])), 0.5 * arrow.head))
    return found


def _seen(camera: Camera, point: Array, shown: Pair) -> Pair:
    x, y = on_screen(camera, point, shown).tolist()
    return x, y


def arrange(
    labels: Sequence[Label],
    spots: Sequence[Spot],
    camera: Camera,
    shown: Pair,
    solid: Solid | None,
    world_from_body: Array,
) -> list[Label]:
    """The labels, earlier ones first served, moved or faded so that each is read; `shown` as in `labels`.

    Symbols are pushed aside, numbers fade; numbers fade behind the solid as well.
    """
    taken: list[tuple[Pair, Pair]] = [(spot.centre, (spot.radius, spot.radius)) for spot in spots]
    placed: list[Label] = []
    for label in labels:
        if not label.centred:  # a line of a legend, which has its place
            placed.append(label)
            continue
        anchor = _seen(camera, label.anchor, shown)
        half = half_size(label)
        wanted = anchor[0] + label.offset[0], anchor[1] + label.offset[1]
        if label.style == "number":
            alpha = label.alpha * min([clearance(wanted, half, *other) for other in taken], default=1.0)
            if solid is not None:
                alpha *= clear_view(label.anchor, camera.position, solid, world_from_body)
            place = wanted
        else:
            place = _within(_pushed(wanted, half, taken), half, shown)
            alpha = label.alpha * min([_room(place, half, *other) for other in taken], default=1.0)
        if alpha < 0.02:
            continue
        label = replace(label, offset=(place[0] - anchor[0], place[1] - anchor[1]), alpha=alpha)
        if solid is not None:
            label = replace(label, anchor=_before(label, half, camera, shown, solid, world_from_body))
        placed.append(label)
        taken.append((place, half))
    return placed


def half_size(label: Label) -> Pair:
    """Half the width and height that a label takes, in pixels."""
    letters = sum(0.5 if character in "′₁₂₃ʟ ./" else 1.0 for character in label.text)
    return label.size * LETTER[0] * max(letters, 1.0), label.size * LETTER[1]


def _before(
    label: Label, half: Pair, camera: Camera, shown: Pair, solid: Solid, world_from_body: Array
) -> Array:
    """Where the name's anchor comes to lie, (3,): names are drawn over the solid, so none stands in or behind it.

    On its line of sight it comes forward to the solid's nearest point, the more the nearer the name is to the solid.
    """
    depth = float((camera.position - label.anchor) @ camera.backward)
    per_pixel = 2.0 * depth * math.tan(0.5 * camera.field_of_view) / shown[1]
    right, up = (per_pixel * offset for offset in label.offset)
    name = label.anchor + right * camera.right + up * camera.up
    reach = per_pixel * math.hypot(*half) / float(np.min(solid.half_extents))
    nearest = float(np.min(_gauge(name + SIGHT[:, None] * (camera.position - name), solid, world_from_body)))
    forward = 1.0 - _smooth(nearest, 1.0 + reach, 1.5 + reach)
    front = float(camera.position @ camera.backward) - support(solid, world_from_body.T @ camera.backward)
    if forward == 0.0 or not 0.0 < front < depth:
        return label.anchor
    share = 1.0 + forward * (front / depth - 1.0)
    return np.asarray(camera.position + share * (label.anchor - camera.position))


def support(solid: Solid, direction: Array) -> float:
    """How far the solid reaches from its middle in a direction, (3,), in the body, m."""
    pull = np.abs(solid.half_extents * direction)
    if solid.kind == "box":
        return float(np.sum(pull))
    if solid.kind == "cylinder":
        return math.hypot(pull[0], pull[1]) + float(pull[2])
    return float(np.linalg.norm(pull))


def clear_view(point: Array, eye: Array, solid: Solid, world_from_body: Array) -> float:
    """1 where the solid hides nothing of the way from `point` to `eye`, 0 where it is in between."""
    way = point + SIGHT[:, None] * (eye - point)
    return _smooth(float(np.min(_gauge(way, solid, world_from_body))), *HIDDEN)


def _gauge(points: Array, solid: Solid, world_from_body: Array) -> Array:
    """How far (N, 3) points are from the solid's middle, (N,), its surface being at 1."""
    away = np.abs(points @ world_from_body / solid.half_extents)
    if solid.kind == "box":
        return np.asarray(np.max(away, axis=1))
    if solid.kind == "cylinder":
        return np.asarray(np.maximum(np.hypot(away[:, 0], away[:, 1]), away[:, 2]))
    return np.asarray(np.sqrt(np.sum(away * away, axis=1)))


def clearance(place: Pair, half: Pair, other: Pair, other_half: Pair) -> float:
    """1 where two boxes are 5 px apart, 0 where they overlap by one."""
    across = abs(place[0] - other[0]) - half[0] - other_half[0]
    up = abs(place[1] - other[1]) - half[1] - other_half[1]
    return _smooth(max(across, up), -1.0, 5.0)


def _reach(half: Pair, other_half: Pair) -> float:
    """The distance at which two names, taken as discs, are far enough apart."""
    return 0.5 * (sum(half) + sum(other_half)) + 2.0


def _pushed(wanted: Pair, half: Pair, taken: Sequence[tuple[Pair, Pair]]) -> Pair:
    """`wanted`, moved away from what it would overlap, by FURTHEST_PUSH at most."""
    x, y = wanted
    right = up = 0.0
    for other, other_half in taken:
        distance, reach = math.dist(wanted, other), _reach(half, other_half)
        if (
            distance < reach
        ):  # from its very middle, where the way out is not clear, nothing is pushed: it fades
            push = (reach - distance) * _smooth(distance / reach, 0.0, 0.6) / max(distance, 1e-6)
            right, up = right + push * (x - other[0]), up + push * (y - other[1])
    share = min(1.0, FURTHEST_PUSH / max(math.hypot(right, up), 1e-6))
    return x + share * right, y + share * up


def _room(place: Pair, half: Pair, other: Pair, other_half: Pair) -> float:
    """1 where a name does not overlap another one, 0 where it stands on its middle."""
    return _smooth(math.dist(place, other) / _reach(half, other_half), 0.65, 0.95)


def _within(place: Pair, half: Pair, shown: Pair) -> Pair:
    """`place`, moved so that the name lies in the picture; unmoved where it is far outside."""
    (x, y), (right, up) = (
        place,
        (max(0.5 * side - h - EDGE, 0.0) for side, h in zip(shown, half, strict=True)),
    )
    if abs(x) > right + 2.0 * half[0] + EDGE or abs(y) > up + 2.0 * half[1] + EDGE:
        return place
    return min(max(x, -right), right), min(max(y, -up), up)


def _smooth(value: float, low: float, high: float) -> float:
    share = min(max((value - low) / (high - low), 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)
