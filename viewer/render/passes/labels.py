"""Labels, drawn letter by letter from a baked distance field."""

import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import moderngl
import numpy as np

from viewer.common import resources
from viewer.common.color import Color
from viewer.render.eye_uniforms import EyeUniforms
from viewer.render.program import Instances, Program
from viewer.scene.annotations.letters import MIDDLE, SMALL, SPACE, atlas
from viewer.scene.description import Frame, Label, Layer
from viewer.scene.stereo.views import EyeView, Rectangle

HALO = 2.4  # px around a letter
GLYPH_FORMAT = "3f 4f 4f 4f"
GLYPH_FIELDS = ("anchor", "box", "texels", "ink")
GLYPH_FLOATS = 15
R16F = 0x822D  # OpenGL's number for one float16 a texel


class _Atlas:
    """All letters as one distance field."""

    def __init__(self, ctx: moderngl.Context) -> None:
        header = atlas()
        field = zlib.decompress(resources.read_bytes("assets", "fonts", "labels.bin"))
        self.em: int = header["em"]
        self.spread = float(header["spread"])
        self.glyphs: dict[str, dict[str, list[float]]] = header["glyphs"]
        self.size: tuple[int, int] = (header["size"][0], header["size"][1])
        # as float16: from 8-bit texels, a tile and the whole picture would interpolate different values
        self.texture = ctx.texture(self.size, 1, field, internal_format=R16F)
        self.texture.filter = (moderngl.LINEAR, moderngl.LINEAR)


class LabelPass:
    """The letters of one layer, and their atlas, which is read with the first of them."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx, self._eye = ctx, EyeUniforms(ctx)
        self._program = Program(ctx, "glyph.vert", "glyph.frag")
        self._letters = Instances(ctx, GLYPH_FLOATS, (self._program, GLYPH_FORMAT, GLYPH_FIELDS))

    @cached_property
    def _atlas(self) -> _Atlas:
        field = _Atlas(self._ctx)
        self._program.set(spread=field.spread, field=0)
        return field

    def rows(self, label: Label, scale: float) -> list[tuple[float, ...]]:
        """Return 3 + 4 + 4 + 4 numbers for each letter: anchor, box in pixels, box in the atlas, colour with alpha."""
        field = self._atlas
        font = field.glyphs[label.style]
        size = label.size * scale
        drawn = (
            (letter, 1.0, 0.0) if letter in font else SMALL.get(letter, (letter, 1.0, 0.0)) for letter in label.text
        )
        known = [(font.get(letter), fraction, lowered) for letter, fraction, lowered in drawn]
        width = sum(fraction * glyph[6] if glyph else SPACE for glyph, fraction, _ in known)
        pen = label.offset[0] * scale - (0.5 * width * size if label.centred else 0.0)
        base = label.offset[1] * scale - MIDDLE[label.style] * size
        u, v = field.size
        rows = []
        for glyph, fraction, lowered in known:
            if glyph is None:
                pen += SPACE * size
                continue
            x, y, w, h, left, low, advance = glyph
            em = fraction * size
            box = (pen + left * em, base - lowered * size + low * em, w * em / field.em, h * em / field.em)
            rows.append((*label.anchor, *box, x / u, y / v, w / u, h / v, *label.color, label.alpha))
            pen += advance * em
        return rows

    def write(self, labels: Sequence[Label], scale: float) -> None:
        """Replace the letters by those of these labels."""
        rows = [row for label in labels for row in self.rows(label, scale)]
        self._letters.write(np.array(rows, dtype=np.float32))

    def draw(self, halo_color: Color, scale: float) -> None:
        """Draw the letters, with halos of this scale."""
        if self._letters.count:
            self._atlas.texture.use(0)
            self._program.set(halo_color=halo_color, halo=HALO * scale)
            self._letters.draw()

    def draw_over(self, frame: Frame, buffer: int, viewports: dict[Rectangle, Rectangle]) -> None:
        """Draw the labels of a picture that was drawn without them, at the resolution of the window that shows it.

        `buffer` is that of the eye, if each eye has its own; `viewports` has the rectangle of the window in which each
        rectangle of the picture is shown.
        """
        ctx = self._ctx
        ctx.enable(moderngl.BLEND)
        ctx.blend_func = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
        chosen = slice(buffer, buffer + 1) if frame.mode.layout == "quad-buffer" else slice(None)
        for layer in frame.layers:
            for view in layer.views[chosen]:
                x, y, *drawn = view.rectangle
                viewport = ctx.viewport = viewports[view.rectangle]
                across, up = (shown / side for shown, side in zip(viewport[2:], drawn, strict=True))
                width, height = view.shown_size
                size, scale = (width * across, height * up), layer.pixel_scale * up
                if view.window is not None:
                    left, low, *sides = view.window
                    corner = round(viewport[0] + across * (left - x)), round(viewport[1] + up * (low - y))
                    ctx.scissor = *corner, round(across * sides[0]), round(up * sides[1])
                seen = replace(view, rectangle=viewport, pixels=viewport[2:], shown_size=size)
                self._eye.use(layer, seen)
                covering = frame.insets if layer is frame.main else ()
                labels = [n for n in layer.scene.labels if not _covered(n, layer, view, covering)]
                self.write(labels, scale)
                self.draw(layer.scene.theme.halo, scale)
                ctx.scissor = None


def _covered(name: Label, layer: Layer, view: EyeView, insets: Sequence[Layer]) -> bool:
    """Return whether the middle of a name lies in an inset."""
    across, up, _, depth = view.clip_from_world @ (*name.anchor, 1.0)
    if depth <= 0.0:
        return False
    x, y, width, height = view.rectangle
    right, above = (layer.pixel_scale * n / side for n, side in zip(name.offset, view.shown_size, strict=True))
    at = x + width * (0.5 + 0.5 * across / depth + right), y + height * (0.5 + 0.5 * up / depth + above)
    return any(
        0.0 <= at[0] - window[0] < window[2] and 0.0 <= at[1] - window[1] < window[3]
        for inset in insets
        for window in [other.window for other in inset.views if other.eye == view.eye]
        if window is not None
    )
