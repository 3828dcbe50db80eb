"""Where the ui shows what the names and the legend should not cover, and the place for a card that covers least of it.

Ui pixels, y downwards.
"""

import numpy as np
from numpy.typing import NDArray

from viewer.scene.camera.camera import Canvas
from viewer.scene.description import Frame
from viewer.ui.layout import Rect

Place = tuple[float, float]

DISTANCES = 1.0, 4.0  # times `beside`: from the pointer to a card
SPOT = 12.0  # at scale 1: half the side of the square around a tip
FURTHER = 0.02  # how much worse it is to stand further away, or in the next corner of the list
SIDES = (1, 1), (-1, 1), (1, -1), (-1, -1)  # right and down: the corners around the pointer


def body_circle(frame: Frame, scene: Rect) -> tuple[float, float, float]:
    """Middle and radius of what the body while it turns, or the sphere of momentum space, may cover; radius 0: there is
    none."""
    solid, held, camera = frame.main.scene.solid, frame.main.scene.constraints, frame.main.camera
    if solid is None and held is None:
        return 0.0, 0.0, 0.0
    x, y = _places(frame, scene, np.zeros(3))
    reach = max(0.0 if solid is None else solid.size.radius, 0.0 if held is None else held.radius)
    metres = _canvas(frame, scene).metres_per_pixel(max(float(camera.position @ camera.backward), 1e-9))
    return float(x), float(y), reach / metres


def to_spare(frame: Frame, scene: Rect, scale: float) -> list[Rect]:
    """What a card should leave free: the body, the contact, and the tips of the arrows."""
    x, y, radius = body_circle(frame, scene)
    found = [_square((x, y), radius)] if radius > 0.0 else []
    shown = frame.main.scene
    points = [arrow.end for arrow in shown.arrows] + ([] if shown.contact is None else [shown.contact])
    return found + [_square((float(x), float(y)), SPOT * scale) for x, y in (_places(frame, scene, p) for p in points)]


def places(area: Rect, pointer: Place, size: Place, beside: Place) -> list[Place]:
    """The upper left corners that a card may have within `area`: around the pointer, the nearer ones first.

    `beside`: from the pointer to the nearer ones, across and down.
    """
    found = []
    for far in DISTANCES:
        for right, down in SIDES:
            x = pointer[0] + (far * beside[0] if right > 0 else -far * beside[0] - size[0])
            y = pointer[1] + (far * beside[1] if down > 0 else -far * beside[1] - size[1])
            x = max(min(x, area.x + area.width - size[0]), area.x)
            found.append((x, max(min(y, area.y + area.height - size[1]), area.y)))
    return found


def best(places: list[Place], size: Place, pointer: Place, spared: list[Rect]) -> int:
    """The number of the place from which a card does not cover the pointer, and least of what is to be spared."""

    def cost(number: int) -> float:
        x, y = places[number]
        card = Rect(round(x), round(y), round(size[0]), round(size[1]))
        covered = sum(_covered(card, rect) for rect in spared)
        return covered + FURTHER * number + (100.0 if card.holds(*pointer) else 0.0)

    return min(range(len(places)), key=cost)


def _covered(card: Rect, rect: Rect) -> float:
    """How much of the smaller of the two the other one covers, 0..1."""
    across = min(card.x + card.width, rect.x + rect.width) - max(card.x, rect.x)
    down = min(card.y + card.height, rect.y + rect.height) - max(card.y, rect.y)
    least = min(card.width * card.height, rect.width * rect.height)
    return max(across, 0) * max(down, 0) / max(least, 1)


def _square(middle: Place, half: float) -> Rect:
    return Rect(round(middle[0] - half), round(middle[1] - half), round(2 * half), round(2 * half))


def _canvas(frame: Frame, scene: Rect) -> Canvas:
    return Canvas(frame.main.camera, (float(scene.width), float(scene.height)))


def _places(frame: Frame, scene: Rect, point: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where a point of the world is shown, (2,)."""
    right, up = _canvas(frame, scene).project(point)
    return np.array([scene.x + 0.5 * scene.width + right, scene.y + 0.5 * scene.height - up])
