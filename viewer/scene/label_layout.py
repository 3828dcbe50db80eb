"""Keeps the names in the scene apart: none on another, on an arrow's head or on the touching point, none outside.

Everything here is continuous: as things move, a name slides or fades, and never jumps.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from viewer.scene.camera import Camera
from viewer.scene.description import CONTACT_RADIUS, Label, Solid, Stroke
from viewer.scene.labels import on_screen

Array = NDArray[np.float64]

LETTER = np.array([0.30, 0.36])  # half of a letter's width and height, of the size of its label
EDGE = 4.0  # px between a name and the edge of the picture
FURTHEST_PUSH = 16.0  # px that a name is pushed aside; what still overlaps then fades
HIDDEN = (0.985, 1.05)  # how near the line of sight comes to the solid's surface (1): hidden, clear
SIGHT = np.linspace(0.0, 1.0, 33)[1:] ** 2  # samples of the way to the eye, dense near the name


@dataclass(frozen=True)
class Spot:
    """Something on the screen that names keep off: a disc, in pixels from the middle of the picture."""

    centre: Array
    radius: float


def spots(arrows: Sequence[Stroke], contact: Array, camera: Camera, shown: tuple[float, float]) -> list[Spot]:
    """What names keep off: the heads of the arrows and the touching point."""
    found = [Spot(on_screen(camera, contact, shown), CONTACT_RADIUS + 1.0)]
    for arrow in arrows:
        end, start = (on_screen(camera, point, shown) for point in (arrow.end, arrow.start))
        length = max(float(np.linalg.norm(end - start)), 1e-6)
        found.append(Spot(end - (end - start) * min(0.5 * arrow.head / length, 0.5), 0.5 * arrow.head))
    return found


def arrange(
    labels: Sequence[Label],
    spots: Sequence[Spot],
    camera: Camera,
    shown: tuple[float, float],
    solid: Solid | None,
    world_from_body: Array,
) -> list[Label]:
    """The labels, earlier ones first served, moved or faded so that each is read; `shown` as in `labels`.

    Symbols are pushed aside, numbers fade; numbers fade behind the solid as well.
    """
    taken: list[tuple[Array, Array]] = [(spot.centre, np.full(2, spot.radius)) for spot in spots]
    placed: list[Label] = []
    for label in labels:
        if not label.centred:  # a line of a legend, which has its place
            placed.append(label)
            continue
        anchor = on_screen(camera, label.anchor, shown)
        half = half_size(label)
        wanted = anchor + label.offset
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
        offset = place - anchor
        placed.append(replace(label, offset=(float(offset[0]), float(offset[1])), alpha=alpha))
        taken.append((place, half))
    return placed


def half_size(label: Label) -> Array:
    """Half the width and height that a label takes, (2,), in pixels."""
    letters = sum(0.5 if character in "′₁₂₃ʟ ./" else 1.0 for character in label.text)
    return np.asarray(label.size * LETTER * [max(letters, 1.0), 1.0])


def clear_view(point: Array, eye: Array, solid: Solid, world_from_body: Array) -> float:
    """1 where the solid hides nothing of the way from `point` to `eye`, 0 where it is in between."""
    way = (point + SIGHT[:, None] * (eye - point)) @ world_from_body / solid.half_extents
    away = np.abs(way)
    if solid.kind == "box":
        gauge = np.max(away, axis=1)
    elif solid.kind == "cylinder":
        gauge = np.maximum(np.hypot(away[:, 0], away[:, 1]), away[:, 2])
    else:
        gauge = np.sqrt(np.sum(away * away, axis=1))
    return _smooth(float(np.min(gauge)), *HIDDEN)


def clearance(place: Array, half: Array, other: Array, other_half: Array) -> float:
    """1 where two boxes are 5 px apart, 0 where they overlap by one."""
    gap = np.max(np.abs(place - other) - half - other_half)
    return _smooth(float(gap), -1.0, 5.0)


def _reach(half: Array, other_half: Array) -> float:
    """The distance at which two names, taken as discs, are far enough apart."""
    return float(np.mean(half) + np.mean(other_half)) + 2.0


def _pushed(wanted: Array, half: Array, taken: Sequence[tuple[Array, Array]]) -> Array:
    """`wanted`, moved away from what it would overlap, by FURTHEST_PUSH at most."""
    moved = np.zeros(2)
    for other, other_half in taken:
        between = wanted - other
        distance = float(np.linalg.norm(between))
        reach = _reach(half, other_half)
        if (
            distance < reach
        ):  # from its very middle, where the way out is not clear, nothing is pushed: it fades
            push = (reach - distance) * _smooth(distance / reach, 0.0, 0.6)
            moved = moved + between * (push / max(distance, 1e-6))
    length = float(np.linalg.norm(moved))
    return wanted + moved * min(1.0, FURTHEST_PUSH / max(length, 1e-6))


def _room(place: Array, half: Array, other: Array, other_half: Array) -> float:
    """1 where a name does not overlap another one, 0 where it stands on its middle."""
    share = float(np.linalg.norm(place - other)) / _reach(half, other_half)
    return _smooth(share, 0.55, 0.9)


def _within(place: Array, half: Array, shown: tuple[float, float]) -> Array:
    """`place`, moved so that the name lies in the picture; unmoved where it is far outside."""
    limit = np.maximum(0.5 * np.array(shown) - half - EDGE, 0.0)
    if np.any(np.abs(place) > limit + 2.0 * half + EDGE):
        return place
    return np.asarray(np.clip(place, -limit, limit))


def _smooth(value: float, low: float, high: float) -> float:
    share = min(max((value - low) / (high - low), 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)
