"""Shapes of four vertices each, as rows of a buffer that grows as needed."""

import moderngl
import numpy as np
from numpy.typing import NDArray

from viewer.render.program import Program

Layout = tuple[Program, str, tuple[str, ...]]  # what draws the rows, their format and the names of their fields


FEWEST = 64  # rows that there is room for


class Instances:
    """Rows of `floats` numbers; each of the layouts draws all of them in its own way.

    Its programs are compiled with the first rows.
    """

    def __init__(self, ctx: moderngl.Context, floats: int, *layouts: Layout) -> None:
        self._ctx, self._floats, self._layouts = ctx, floats, layouts
        self.count = 0
        self._buffer: moderngl.Buffer | None = None
        self._arrays: list[moderngl.VertexArray] = []

    def _reserve(self, count: int) -> moderngl.Buffer:
        for array in self._arrays:
            array.release()
        if self._buffer is not None:
            self._buffer.release()
        self._buffer = self._ctx.buffer(reserve=4 * self._floats * max(count, FEWEST), dynamic=True)
        self._arrays = [
            self._ctx.vertex_array(program.program, [(self._buffer, f"{rows}/i", *names)])
            for program, rows, names in self._layouts
        ]
        return self._buffer

    def write(self, rows: NDArray[np.float32]) -> None:
        """Replaces them by (N, floats) rows."""
        self.count = len(rows)
        if not self.count:
            return
        buffer = self._buffer
        if buffer is None or rows.nbytes > buffer.size:
            buffer = self._reserve(2 * self.count)
        buffer.write(np.ascontiguousarray(rows))

    def draw(self, layout: int = 0) -> None:
        """Draws them in the layout of that number."""
        if self.count:
            self._arrays[layout].render(moderngl.TRIANGLE_STRIP, vertices=4, instances=self.count)
