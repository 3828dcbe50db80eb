"""A shader program whose uniforms are set by name, only where they change."""

from collections.abc import Mapping
from typing import Any

import moderngl
import numpy as np

from viewer.render import shader_source

EYE_BINDING = 0


class Program:
    """A moderngl program: `set(name=value)` takes numbers, sequences and float64 arrays.

    A (3, 3) array M becomes a mat3 so that `M * v` in the shader is `M @ v` here. An array is not to be changed in
    place once it was given: the same one is taken for the same values, which every eye after the first gives again.
    """

    def __init__(
        self, ctx: moderngl.Context, vertex: str, fragment: str, constants: Mapping[str, str] | None = None
    ) -> None:
        self._ctx = ctx
        self.program = shader_source.program(ctx, vertex, fragment, constants)
        self._given: dict[str, Any] = {}
        self._written: dict[str, bytes] = {}
        self._without_buffer: moderngl.VertexArray | None = None
        eye = self.program.get("Eye", None)
        if isinstance(eye, moderngl.UniformBlock):
            eye.binding = EYE_BINDING

    def set(self, **values: Any) -> None:
        """Sets uniforms; a name that the compiler has found unused is passed over."""
        for name, value in values.items():
            before = self._given.get(name)
            if before is value or (type(value) is float and type(before) is float and before == value):
                continue
            uniform = self.program.get(name, None)
            if not isinstance(uniform, moderngl.Uniform):
                self._given[name] = value
                continue
            if isinstance(value, bool | int):
                data = np.int32(value).tobytes()
            else:
                array = np.asarray(value, dtype=np.float32)
                data = (array.T if array.shape == (3, 3) and uniform.dimension == 9 else array).tobytes()
            if self._written.get(name) != data:
                uniform.write(data)
                self._written[name] = data
            self._given[name] = value

    def draw(self, mode: int = moderngl.TRIANGLES, vertices: int = 3) -> None:
        """Draws vertices that the shader makes of their numbers alone."""
        if self._without_buffer is None:
            self._without_buffer = self._ctx.vertex_array(self.program, [])
        self._without_buffer.render(mode, vertices=vertices)

    def release(self) -> None:
        """Gives it back."""
        if self._without_buffer is not None:
            self._without_buffer.release()
        self.program.release()
