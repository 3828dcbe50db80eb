"""Flat shapes: cards, discs and rings."""

from collections.abc import Sequence

import moderngl
import numpy as np

from viewer.render.program import Program
from viewer.scene.description import Patch

FLOATS = 11


class Patches:
    """The shapes of one eye's picture."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._program = Program(ctx, "patch.vert", "patch.frag")
        self._reserve(64)

    def _reserve(self, count: int) -> None:
        self._capacity = count
        self._buffer = self._ctx.buffer(reserve=4 * FLOATS * count, dynamic=True)
        self._array = self._ctx.vertex_array(
            self._program.program, [(self._buffer, "3f 4f 4f/i", "anchor", "box", "ink")]
        )

    def draw(self, patches: Sequence[Patch], scale: float) -> None:
        """Draws them in their order; sizes times `scale`."""
        rows = [
            (*p.anchor, *(scale * length for length in (*p.half_size, p.corner, p.ring)), *p.color, 1.0)
            for p in patches
        ]
        if len(rows) > self._capacity:
            self._array.release()
            self._buffer.release()
            self._reserve(2 * len(rows))
        if rows:
            self._buffer.write(np.array(rows, dtype=np.float32))
            self._array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=len(rows))
