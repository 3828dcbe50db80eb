"""Labels as letters from a baked distance field."""

import json
import zlib
from collections.abc import Sequence

import moderngl
import numpy as np

from viewer.common import resources
from viewer.render.program import Program
from viewer.scene.description import Label

HALO = 2.4  # px around a letter
GLYPH_FORMAT = "3f 4f 4f 4f/i"
GLYPH_FLOATS = 15
SPACE = 0.28  # em
SUBSCRIPTS = dict(zip("₁₂₃ʟ", "123L", strict=True))
SUBSCRIPT = (0.62, 0.20)  # of a subscript: size, and how far below the base line, em
MIDDLE = {"symbol": 0.30, "number": 0.35}  # em: height of the middle of the letters above the base line


class Glyphs:
    """The atlas, and the letters of one frame."""

    def __init__(self, ctx: moderngl.Context) -> None:
        header = json.loads(resources.read_text("assets", "fonts", "labels.json"))
        field = zlib.decompress(resources.read_bytes("assets", "fonts", "labels.bin"))
        shares = (np.arange(256) / 255).astype(np.float16)
        halves = shares[np.frombuffer(field, np.uint8)]
        self._em: int = header["em"]
        self._glyphs: dict[str, dict[str, list[float]]] = header["glyphs"]
        self._size: tuple[int, int] = (header["size"][0], header["size"][1])
        self._texture = ctx.texture(self._size, 1, halves, dtype="f2")
        self._texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self._ctx = ctx
        self._program = Program(ctx, "glyph.vert", "glyph.frag")
        self._program.set(spread=float(header["spread"]), field=0)
        self._reserve(128)
        self._count = 0

    def _reserve(self, count: int) -> None:
        self._capacity = count
        self._buffer = self._ctx.buffer(reserve=4 * GLYPH_FLOATS * count, dynamic=True)
        self._array = self._ctx.vertex_array(
            self._program.program, [(self._buffer, GLYPH_FORMAT, "anchor", "box", "texels", "ink")]
        )

    def rows(self, label: Label, scale: float) -> list[tuple[float, ...]]:
        """(3 + 4 + 4 + 4) numbers a letter: anchor, box in pixels, box in the atlas, colour."""
        font = self._glyphs[label.style]
        size = label.size * scale
        known = [
            (
                font.get(SUBSCRIPTS.get(character, character)),
                *(SUBSCRIPT if character in SUBSCRIPTS else (1.0, 0.0)),
            )
            for character in label.text
        ]
        width = sum(share * glyph[6] if glyph else SPACE for glyph, share, _ in known)
        pen = label.offset[0] * scale - (0.5 * width * size if label.centred else 0.0)
        base = label.offset[1] * scale - MIDDLE[label.style] * size
        u, v = self._size
        rows = []
        for glyph, share, lowered in known:
            if glyph is None:
                pen += SPACE * size
                continue
            x, y, w, h, left, low, advance = glyph
            em = share * size
            box = (pen + left * em, base - lowered * size + low * em, w * em / self._em, h * em / self._em)
            rows.append((*label.anchor, *box, x / u, y / v, w / u, h / v, *label.color, label.alpha))
            pen += advance * em
        return rows

    def write(self, labels: Sequence[Label], scale: float) -> None:
        """Replaces the letters."""
        rows = [row for label in labels for row in self.rows(label, scale)]
        self._count = len(rows)
        if self._count > self._capacity:
            self._array.release()
            self._buffer.release()
            self._reserve(2 * self._count)
        if rows:
            self._buffer.write(np.array(rows, dtype=np.float32))

    def draw(self, halo_color: tuple[float, float, float], halo: float) -> None:
        """Draws them; `halo` px wide."""
        if self._count:
            self._texture.use(0)
            self._program.set(halo_color=halo_color, halo=halo)
            self._array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=self._count)
