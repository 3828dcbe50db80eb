"""The interface on a sheet of its own, from which it is put into the window squeezed, with nothing left out."""

from collections.abc import Sequence
from typing import Any

import moderngl

from viewer.render.program import Program

Viewport = tuple[int, int, int, int]


class Sheet:
    """A transparent picture, premultiplied by its opacity."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx: Any = ctx
        self._program = Program(ctx, "fullscreen.vert", "ui_sheet.frag")
        self._array = ctx.vertex_array(self._program.program, [])
        self._texture: Any = None
        self._framebuffer: Any = None

    def cleared(self, size: tuple[int, int]) -> Any:
        """Its framebuffer, of `size` pixels, with nothing on it."""
        if self._texture is None or self._texture.size != size:
            self._release_picture()
            self._texture = self._ctx.texture(size, 4)
            self._framebuffer = self._ctx.framebuffer([self._texture])
        self._framebuffer.clear()
        return self._framebuffer

    def put(self, framebuffer: Any, viewports: Sequence[Viewport]) -> None:
        """Lays it over each of the places in `framebuffer`, half as wide or half as high as it is."""
        ctx = self._ctx
        framebuffer.use()
        ctx.enable_only(moderngl.BLEND)
        ctx.blend_func = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
        self._texture.use(0)
        for viewport in viewports:
            ctx.viewport = viewport
            self._array.render(moderngl.TRIANGLES, vertices=3)

    def release(self) -> None:
        """Deletes its GL objects."""
        self._release_picture()
        self._array.release()
        self._program.program.release()

    def _release_picture(self) -> None:
        if self._texture is not None:
            self._framebuffer.release()
            self._texture.release()
