"""Shader programs, compiled when they first draw, with uniforms set by name; and shapes drawn as instances."""

from array import array
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from viewer.render import shader_source

EYE_BINDING = 0
PLAIN = (float, tuple)  # types compared by value; tuples hold numbers, or such tuples
FEWEST = 64  # rows that the smallest instance buffer holds


class Program:
    """A moderngl program: `set(name=value)` takes numbers, sequences and float64 arrays.

    A (3, 3) array M becomes a mat3 so that `M * v` in the shader is `M @ v` here. An array must not be changed in place
    once it was set: when the same array is set again, as for every eye after the first, its values count as unchanged.
    """

    def __init__(
        self, ctx: moderngl.Context, vertex: str, fragment: str, constants: Mapping[str, str] | None = None
    ) -> None:
        self._ctx = ctx
        self._source = vertex, fragment, constants
        self._uniforms: dict[str, moderngl.Uniform] = {}  # none before it is compiled
        self._given: dict[str, Any] = {}
        self._written: dict[str, bytes] = {}
        self._without_buffer: moderngl.VertexArray | None = None

    @cached_property
    def program(self) -> moderngl.Program:
        """The program of moderngl, with the uniforms that have been set so far. Raises ShaderError."""
        program = shader_source.program(self._ctx, *self._source)
        eye = program.get("Eye", None)
        if isinstance(eye, moderngl.UniformBlock):
            eye.binding = EYE_BINDING
        self._uniforms = uniforms_of(program)
        for name, value in self._given.items():
            self._write(name, value)
        return program

    def set(self, **values: Any) -> None:
        """Set uniforms; a name that the compiler has found unused is ignored."""
        given = self._given
        for name, value in values.items():
            before = given.get(name)
            if before is value or (type(value) in PLAIN and type(before) is type(value) and before == value):
                continue
            given[name] = value
            if name in self._uniforms:
                self._write(name, value)

    def _write(self, name: str, value: Any) -> None:
        uniform = self._uniforms.get(name)
        if uniform is None:
            return
        data = _bytes(value, uniform.dimension)
        if self._written.get(name) != data:
            uniform.write(data)
            self._written[name] = data

    def draw(self, mode: int = moderngl.TRIANGLES, vertices: int = 3) -> None:
        """Draw vertices that the shader computes from their numbers alone."""
        if self._without_buffer is None:
            self._without_buffer = self._ctx.vertex_array(self.program, [])
        self._without_buffer.render(mode, vertices=vertices)

    def release(self) -> None:
        """Free the program."""
        if self._without_buffer is not None:
            self._without_buffer.release()
        if "program" in self.__dict__:
            self.program.release()


def uniforms_of(program: moderngl.Program) -> dict[str, moderngl.Uniform]:
    """Return the uniforms that the compiler has left in the program, by their names."""
    return {name: member for name in program if isinstance(member := program[name], moderngl.Uniform)}


def _bytes(value: Any, dimension: int) -> bytes:
    """Return the bytes of a value for a uniform of `dimension` numbers."""
    if type(value) is float:
        return array("f", (value,)).tobytes()
    if isinstance(value, bool | int):
        return np.int32(value).tobytes()
    numbers = np.asarray(value, dtype=np.float32)
    return (numbers.T if numbers.shape == (3, 3) and dimension == 9 else numbers).tobytes()


Layout = tuple[Program, str, tuple[str, ...]]  # the program that draws the rows, their format, their fields


class Instances:
    """Rows of `floats` numbers; each of the layouts draws all rows in its own way.

    The layouts' programs are compiled with the first rows.
    """

    def __init__(self, ctx: moderngl.Context, floats: int, *layouts: Layout) -> None:
        self._ctx, self._floats, self._layouts = ctx, floats, layouts
        self.count = 0
        self._buffer: moderngl.Buffer | None = None
        self._arrays: list[moderngl.VertexArray] = []

    def _reserve(self, count: int) -> moderngl.Buffer:
        for vertex_array in self._arrays:
            vertex_array.release()
        if self._buffer is not None:
            self._buffer.release()
        self._buffer = self._ctx.buffer(reserve=4 * self._floats * max(count, FEWEST), dynamic=True)
        self._arrays = [
            self._ctx.vertex_array(program.program, [(self._buffer, f"{rows}/i", *names)])
            for program, rows, names in self._layouts
        ]
        return self._buffer

    def write(self, rows: NDArray[np.float32]) -> None:
        """Replace the rows by these, (N, floats)."""
        self.count = len(rows)
        if not self.count:
            return
        buffer = self._buffer
        if buffer is None or rows.nbytes > buffer.size:
            buffer = self._reserve(2 * self.count)
        buffer.write(np.ascontiguousarray(rows))

    def draw(self, layout: int = 0) -> None:
        """Draw the rows in the layout with this number."""
        if self.count:
            self._arrays[layout].render(moderngl.TRIANGLE_STRIP, vertices=4, instances=self.count)
