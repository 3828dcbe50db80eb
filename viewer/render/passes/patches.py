"""Flat shapes: cards, discs and rings."""

from collections.abc import Sequence

import moderngl
import numpy as np

from viewer.render.instances import Instances
from viewer.render.program import Program
from viewer.scene.description import Patch

FLOATS = 11


class Patches:
    """The shapes of one eye's picture."""

    def __init__(self, ctx: moderngl.Context) -> None:
        program = Program(ctx, "patch.vert", "patch.frag")
        self._rows = Instances(ctx, FLOATS, (program, "3f 4f 4f", ("anchor", "box", "ink")))

    def draw(self, patches: Sequence[Patch], scale: float) -> None:
        """Draws them in their order; sizes times `scale`."""
        rows = [
            (*p.anchor, *(scale * length for length in (*p.half_size, p.corner, p.ring)), *p.color, 1.0)
            for p in patches
        ]
        self._rows.write(np.array(rows, dtype=np.float32))
        self._rows.draw()
