"""A part of a picture as a picture of its own, so that pictures larger than the graphics can draw are put together.

Every pixel is computed from the same numbers as in the whole: its position there, the whole's projection, and what is
the same all over a line, a letter or a surface. Only which pixels are looked at depends on the tile, and
the last bit of a curve's depth, which the rasteriser interpolates.
"""

from dataclasses import replace

from viewer.scene.description import Frame
from viewer.scene.stereo.views import EyeView, Rectangle, common, part_size

STEP = 4  # of the screen's pixels: tiles begin at multiples of it, so that patterns and derivatives are as in the whole


def part_of(frame: Frame, tile: Rectangle) -> Frame:
    """The tile x, y, width, height of a frame, from its lower left corner on: the same pixels, drawn alone."""

    def cut(views: tuple[EyeView, ...]) -> tuple[EyeView, ...]:
        parts = [_interlaced(frame, view, tile) if interlaced else _inside(view, tile) for view in views]
        return tuple(
            _cut(view, inside, corner)
            for view, (inside, corner) in zip(views, parts, strict=True)
            if min(inside[2:]) > 0
        )

    interlaced = frame.mode.layout == "interlaced"
    layers = tuple(replace(layer, views=cut(layer.views)) for layer in frame.layers)
    return replace(frame, size=tile[2:], layers=layers)


def _inside(view: EyeView, tile: Rectangle) -> tuple[Rectangle, tuple[int, int]]:
    """The view's pixels that lie in the tile, and where they are drawn."""
    inside = common(view.rectangle, tile)
    return inside, (inside[0] - tile[0], inside[1] - tile[1])


def _interlaced(frame: Frame, view: EyeView, tile: Rectangle) -> tuple[Rectangle, tuple[int, int]]:
    """The same where the view is one position in a pattern."""
    pattern, block = frame.mode.interlacing, frame.screen.block
    width, height = part_size(frame.mode, tile[2:], block)
    x, y, w, h = view.rectangle
    inside = (x + tile[0] // len(pattern[0]), y + tile[1] // len(pattern), width, height)
    return inside, (x // w * width, y // h * height)


def _cut(view: EyeView, inside: Rectangle, corner: tuple[int, int]) -> EyeView:
    """The view's pixels `inside` alone, drawn from `corner` on."""
    across, up = inside[0] - corner[0], inside[1] - corner[1]
    window = view.window and (view.window[0] - across, view.window[1] - up, *view.window[2:])
    offset = (inside[0] - view.rectangle[0], inside[1] - view.rectangle[1])
    return replace(view, rectangle=(*corner, *inside[2:]), window=window, offset=offset)
