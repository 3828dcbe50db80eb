"""How a stereo mode divides the window: a part for each eye that has one, and the whole interface in every part.

Window pixels count from the window's upper left corner. Ui pixels count from the upper left corner of one eye's picture
as it is seen: a mode with half pictures draws it squeezed, and the screen stretches it again. y points down in both.
"""

import math
from functools import lru_cache

from viewer.common.frozen import frozen
from viewer.scenario.choices.stereo_modes import StereoMode
from viewer.scene.stereo.views import rectangles, shown_size
from viewer.ui.layout import Rect


@frozen
class Viewports:
    """The `size` of the interface, in ui pixels, and the `rects` of the window that show it, in window pixels."""

    size: tuple[int, int]
    rects: tuple[Rect, ...]

    @property
    def stretch(self) -> tuple[float, float]:
        """Ui pixels per window pixel, across and down."""
        return self.size[0] / self.rects[0].width, self.size[1] / self.rects[0].height

    def find(self, x: float, y: float) -> int:
        """Return the number of the part that holds the window's point (x, y), or is nearest to it."""
        return min(range(len(self.rects)), key=lambda part: _distance(self.rects[part], x, y))

    def inward(self, part: int, x: float, y: float) -> tuple[float, float]:
        """Return the window's point (x, y) in the ui pixels of a part, even if it lies outside that part."""
        rect = self.rects[min(part, len(self.rects) - 1)]
        across, down = self.stretch
        return (x - rect.x) * across, (y - rect.y) * down

    def outward(self, rect: Rect) -> tuple[Rect, ...]:
        """Return where each part of the window shows a rectangle of the interface, grown to whole window pixels."""
        across, down = self.stretch
        left, top = math.floor(rect.x / across), math.floor(rect.y / down)
        right, bottom = math.ceil((rect.x + rect.width) / across), math.ceil((rect.y + rect.height) / down)
        return tuple(Rect(part.x + left, part.y + top, right - left, bottom - top) for part in self.rects)


def picture_size(rects: tuple[Rect, ...]) -> tuple[int, int]:
    """Return the size of the picture made up of these parts, which lie side by side or one above the other."""
    columns, rows = len({rect.x for rect in rects}), len({rect.y for rect in rects})
    return columns * rects[0].width, rows * rects[0].height


@lru_cache(maxsize=4)  # asked for many times a frame
def divide(mode: StereoMode, size: tuple[int, int], widest: int | None = None) -> Viewports:
    """Return the parts of a window of `size` pixels; eyes that share their pixels share a part.

    `widest` limits the distance between pictures side by side, and so the width of each part [pixels]; the parts then
    meet in the middle of the window.
    """
    width, height = max(size[0], 1), max(size[1], 1)
    left = 0
    if mode.layout == "columns" and widest is not None and 2 * widest < width:
        left, width = width // 2 - max(widest, 1), 2 * max(widest, 1)
    rects = dict.fromkeys(rectangles(mode, (width, height)))
    across, down = shown_size(mode, (width, height))
    return Viewports(
        size=(round(across), round(down)), rects=tuple(Rect(left + x, height - y - h, w, h) for x, y, w, h in rects)
    )


def _distance(rect: Rect, x: float, y: float) -> float:
    """Return how far a point lies outside of a rectangle, in pixels; 0 within."""
    across = max(rect.x - x, 0.0, x - (rect.x + rect.width - 1))
    down = max(rect.y - y, 0.0, y - (rect.y + rect.height - 1))
    return across + down
