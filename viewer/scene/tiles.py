"""A part of a picture as a picture of its own, so that pictures larger than the graphics can draw are put together.

The whole picture is drawn past the tile's edges: moved, nothing else, so that every pixel is computed from the same
numbers. Only where the whole is larger than the graphics' coordinates reach, the tile's share of the view is drawn with
a projection of its own; then a corner may come to lie on another 1/256 of a pixel than in the tile beside it.
"""

from dataclasses import replace

import numpy as np

from viewer.scene.description import Frame
from viewer.scene.stereo import EyeView, Rectangle, common, woven_size

STEP = 4  # of the screen's pixels: tiles begin at multiples of it, so that weaves and derivatives are as in the whole


def part_of(frame: Frame, tile: Rectangle, reach: int) -> Frame:
    """The tile x, y, width, height of a frame, from its lower left corner on: the same pixels, drawn alone.

    `reach`: the longest side, px, of what may be drawn past the tile's edges.
    """

    def cut(views: tuple[EyeView, ...]) -> tuple[EyeView, ...]:
        if frame.mode.layout == "woven":
            parts = [_woven(frame, view, tile) for view in views]
        else:
            parts = [(inside, at(inside)) for inside in (common(view.rectangle, tile) for view in views)]
        return tuple(
            _moved(view, inside, corner) if max(view.rectangle[2:]) <= reach else _cut(view, inside, corner)
            for view, (inside, corner) in zip(views, parts, strict=True)
            if min(inside[2:]) > 0
        )

    def at(inside: Rectangle) -> tuple[int, int]:
        return inside[0] - tile[0], inside[1] - tile[1]

    insets = tuple(replace(inset, views=cut(inset.views)) for inset in frame.insets)
    return replace(frame, size=tile[2:], views=cut(frame.views), insets=insets)


def _woven(frame: Frame, view: EyeView, tile: Rectangle) -> tuple[Rectangle, tuple[int, int]]:
    """The pixels of one place in the weave that lie in the tile, and where they are drawn."""
    weave, block = frame.mode.weave, frame.screen.block
    width, height = woven_size(frame.mode, tile[2:], block)
    x, y, w, h = view.rectangle
    inside = (x + tile[0] // len(weave[0]), y + tile[1] // len(weave), width, height)
    return inside, (x // w * width, y // h * height)


def _moved(view: EyeView, inside: Rectangle, corner: tuple[int, int]) -> EyeView:
    """The view moved so that the pixels `inside` lie at `corner`; only these are drawn."""
    offset = (inside[0] - corner[0], inside[1] - corner[1])
    return replace(
        view,
        rectangle=_shifted(view.rectangle, offset),
        window=view.window and _shifted(view.window, offset),
        drawn=(*corner, *inside[2:]),
        offset=offset,
    )


def _cut(view: EyeView, inside: Rectangle, corner: tuple[int, int]) -> EyeView:
    """The view of the pixels `inside` of the whole alone, drawn from `corner` on."""
    (x, y, w, h), (left, low, width, height) = view.rectangle, inside
    part = ((left - x) / w, (low - y) / h, (left - x + width) / w, (low - y + height) / h)
    across, up = width / w, height / h
    part_from_whole = np.diag([1.0 / across, 1.0 / up, 1.0, 1.0])
    part_from_whole[:2, 3] = (1.0 - part[0] - part[2]) / across, (1.0 - part[1] - part[3]) / up
    offset = (left - corner[0], low - corner[1])
    return replace(
        view,
        clip_from_world=part_from_whole @ view.clip_from_world,
        rectangle=(*corner, width, height),
        shown_size=(view.shown_size[0] * across, view.shown_size[1] * up),
        window=view.window and _shifted(view.window, offset),
        part=part,
        offset=offset,
    )


def _shifted(rectangle: Rectangle, offset: tuple[int, int]) -> Rectangle:
    return (rectangle[0] - offset[0], rectangle[1] - offset[1], *rectangle[2:])
