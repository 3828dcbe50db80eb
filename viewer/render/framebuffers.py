"""The target of a picture, a colour texture with depth, and the OpenGL state that drawing leaves behind."""

import contextlib
from collections.abc import Iterator
from typing import Any

import moderngl


class RenderTarget:
    """A framebuffer of `size` pixels with a colour texture and, by default, depth."""

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], *, depth: bool = True) -> None:
        self.size = size
        self.texture = ctx.texture(size, 4)
        self.texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self.texture.repeat_x = self.texture.repeat_y = False
        self._depth = ctx.depth_renderbuffer(size) if depth else None
        self.framebuffer = ctx.framebuffer([self.texture], self._depth)

    def clear_depth(self) -> None:
        """Set the depth everywhere to the farthest value, and keep the colours."""
        self.framebuffer.color_mask = (False, False, False, False)
        self.framebuffer.clear(depth=1.0)
        self.framebuffer.color_mask = (True, True, True, True)

    def smooth(self, on: bool) -> None:
        """Switch the interpolation between pixels on or off; it is on for a picture shown larger than it was drawn."""
        filter = moderngl.LINEAR if on else moderngl.NEAREST
        if self.texture.filter[0] != filter:
            self.texture.filter = (filter, filter)

    def read(self) -> bytes:
        """Return the picture as RGBA bytes, bottom row first; three channels alone would take ten times as long."""
        return self.framebuffer.read(components=4, alignment=1)

    def release(self) -> None:
        """Free the memory."""
        self.framebuffer.release()
        self.texture.release()
        if self._depth is not None:
            self._depth.release()


@contextlib.contextmanager
def plain_state(ctx: moderngl.Context) -> Iterator[None]:
    """Leave OpenGL's state plain and nothing masked, even if an exception ends the block."""
    ctx.enable_only(moderngl.NOTHING)
    try:
        yield
    finally:
        ctx.enable_only(moderngl.NOTHING)
        ctx.depth_func, ctx.cull_face = "<=", "back"
        drawn_to: Any = ctx.fbo
        if drawn_to is not None:
            drawn_to.scissor, drawn_to.depth_mask = None, True
            drawn_to.color_mask = (True, True, True, True)
            drawn_to.use()  # or the masks stay as they were
