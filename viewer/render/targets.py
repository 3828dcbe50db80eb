"""Where a picture is drawn: a colour texture with depth."""

import moderngl


class Target:
    """A framebuffer of `size` pixels with a colour texture and, unless told otherwise, depth."""

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], *, depth: bool = True) -> None:
        self.size = size
        self.texture = ctx.texture(size, 4)
        self.texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self.texture.repeat_x = self.texture.repeat_y = False
        self._depth = ctx.depth_renderbuffer(size) if depth else None
        self.framebuffer = ctx.framebuffer([self.texture], self._depth)

    def clear_depth(self) -> None:
        """Sets the depth to that of what is farthest; the colours stay."""
        self.framebuffer.color_mask = (False, False, False, False)
        self.framebuffer.clear(depth=1.0)
        self.framebuffer.color_mask = (True, True, True, True)

    def smooth(self, on: bool) -> None:
        """Whether it is sampled between its pixels: where it is shown larger than it was drawn."""
        filter = moderngl.LINEAR if on else moderngl.NEAREST
        if self.texture.filter[0] != filter:
            self.texture.filter = (filter, filter)

    def read(self) -> bytes:
        """The picture as RGBA bytes, as it is kept (three channels alone take ten times as long), bottom row first."""
        return self.framebuffer.read(components=4, alignment=1)

    def release(self) -> None:
        """Gives the memory back."""
        self.framebuffer.release()
        self.texture.release()
        if self._depth is not None:
            self._depth.release()
