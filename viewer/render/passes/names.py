"""Names over a picture that has fewer pixels than the window shows it with."""

from collections.abc import Sequence
from dataclasses import replace

import moderngl

from viewer.render.eye_uniforms import EYE, write_eye
from viewer.render.passes.glyphs import HALO, Glyphs
from viewer.render.program import EYE_BINDING
from viewer.scene.description import Frame, Label, Layer
from viewer.scene.stereo.views import EyeView, Rectangle


class Names:
    """Draws the names of a picture that was drawn without them, as sharp as the window is."""

    def __init__(self, ctx: moderngl.Context, glyphs: Glyphs) -> None:
        self._ctx, self._glyphs = ctx, glyphs
        self._block = ctx.buffer(reserve=EYE.itemsize, dynamic=True)

    def draw(self, frame: Frame, buffer: int, places: dict[Rectangle, Rectangle]) -> None:
        """Draws those of one buffer's eyes; `places`: where in the window each rectangle of the picture is shown."""
        ctx = self._ctx
        ctx.enable(moderngl.BLEND)
        ctx.blend_func = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
        chosen = slice(buffer, buffer + 1) if frame.mode.layout == "quad-buffer" else slice(None)
        for layer in frame.layers:
            for view in layer.views[chosen]:
                x, y, *drawn = view.rectangle
                place = ctx.viewport = places[view.rectangle]
                across, up = (shown / side for shown, side in zip(place[2:], drawn, strict=True))
                width, height = view.shown_size
                size, scale = (width * across, height * up), layer.pixel_scale * up
                if view.window is not None:
                    left, low, *sides = view.window
                    corner = round(place[0] + across * (left - x)), round(place[1] + up * (low - y))
                    ctx.scissor = *corner, round(across * sides[0]), round(up * sides[1])
                write_eye(
                    self._block, layer, replace(view, rectangle=place, pixels=place[2:], shown_size=size)
                )
                self._block.bind_to_uniform_block(EYE_BINDING)
                covering = frame.insets if layer is frame.main else ()
                self._glyphs.write(
                    [n for n in layer.scene.labels if not _covered(n, layer, view, covering)], scale
                )
                self._glyphs.draw(layer.scene.theme.halo, HALO * scale)
                ctx.scissor = None


def _covered(name: Label, layer: Layer, view: EyeView, insets: Sequence[Layer]) -> bool:
    """Whether the middle of a name lies where there is an inset."""
    across, up, _, depth = view.clip_from_world @ (*name.anchor, 1.0)
    if depth <= 0.0:
        return False
    x, y, width, height = view.rectangle
    right, above = (
        layer.pixel_scale * n / side for n, side in zip(name.offset, view.shown_size, strict=True)
    )
    at = x + width * (0.5 + 0.5 * across / depth + right), y + height * (0.5 + 0.5 * up / depth + above)
    return any(
        0.0 <= at[0] - window[0] < window[2] and 0.0 <= at[1] - window[1] < window[3]
        for inset in insets
        for window in [other.window for other in inset.views if other.eye == view.eye]
        if window is not None
    )
