"""A part of a picture as a picture of its own, so that pictures larger than the graphics can draw are put together."""

from dataclasses import replace

import numpy as np

from viewer.scene.description import Frame
from viewer.scene.stereo import EyeView, Rectangle, woven_size

STEP = 4  # of the screen's pixels: tiles begin at multiples of it, so that weaves and derivatives are as in the whole


def part_of(frame: Frame, x: int, y: int, width: int, height: int) -> Frame:
    """The part of `width` by `height` pixels whose lower left corner is at x, y: the same pixels, drawn alone."""
    tile = (x, y, width, height)

    def cut(views: tuple[EyeView, ...]) -> tuple[EyeView, ...]:
        if frame.mode.layout == "woven":
            return tuple(_woven(frame, view, tile) for view in views)
        return tuple(part for part in (_cut(view, tile) for view in views) if part is not None)

    insets = tuple(replace(inset, views=cut(inset.views)) for inset in frame.insets)
    return replace(frame, size=(width, height), views=cut(frame.views), insets=insets)


def _cut(view: EyeView, tile: Rectangle) -> EyeView | None:
    """What of an eye's picture lies in the tile x, y, width, height; None where that is nothing."""
    (x, y, width, height), (tx, ty, tw, th) = view.rectangle, tile
    left, low = max(x, tx), max(y, ty)
    right, high = min(x + width, tx + tw), min(y + height, ty + th)
    if left >= right or low >= high:
        return None
    return _drawn(view, (left, low, right - left, high - low), (left - tx, low - ty))


def _woven(frame: Frame, view: EyeView, tile: Rectangle) -> EyeView:
    """The pixels of one place in the weave that lie in the tile."""
    weave, block = frame.mode.weave, frame.screen.block
    width, height = woven_size(frame.mode, tile[2:], block)
    x, y, w, h = view.rectangle
    inside = (x + tile[0] // len(weave[0]), y + tile[1] // len(weave), width, height)
    return _drawn(view, inside, (x // w * width, y // h * height))


def _drawn(view: EyeView, inside: Rectangle, corner: tuple[int, int]) -> EyeView:
    """The view of the pixels `inside` of the whole, drawn from `corner` on."""
    (x, y, w, h), (left, low, width, height) = view.rectangle, inside
    part = ((left - x) / w, (low - y) / h, (left - x + width) / w, (low - y + height) / h)
    across, up = width / w, height / h
    part_from_whole = np.diag([1.0 / across, 1.0 / up, 1.0, 1.0])
    offset = (left - corner[0], low - corner[1])
    window = view.window and (view.window[0] - offset[0], view.window[1] - offset[1], *view.window[2:])
    part_from_whole[:2, 3] = (1.0 - part[0] - part[2]) / across, (1.0 - part[1] - part[3]) / up
    return replace(
        view,
        clip_from_world=part_from_whole @ view.clip_from_world,
        rectangle=(*corner, width, height),
        shown_size=(view.shown_size[0] * across, view.shown_size[1] * up),
        window=window,
        part=part,
        offset=offset,
    )
