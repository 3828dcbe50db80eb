"""Where a picture is drawn: a colour texture with depth, multisampled where asked."""

import moderngl


class Target:
    """A framebuffer of `size` pixels with a colour texture.

    `samples`: 0, or the number of samples a pixel; then `resolve` fills the texture.
    """

    def __init__(
        self, ctx: moderngl.Context, size: tuple[int, int], *, samples: int = 0, depth: bool = True
    ) -> None:
        self.ctx = ctx
        self.size = size
        self.texture = ctx.texture(size, 4)
        self.texture.filter = (moderngl.NEAREST, moderngl.NEAREST)  # always sampled pixel by pixel
        self.texture.repeat_x = self.texture.repeat_y = False
        self._parts: list[moderngl.Renderbuffer | moderngl.Framebuffer] = []
        if samples:
            color = ctx.renderbuffer(size, 4, samples=samples)
            depth_part = ctx.depth_renderbuffer(size, samples=samples)
            self.framebuffer = ctx.framebuffer([color], depth_part)
            self._resolved = ctx.framebuffer([self.texture])
            self._parts += [color, depth_part, self._resolved]
        else:
            only_part = ctx.depth_renderbuffer(size) if depth else None
            self.framebuffer = ctx.framebuffer([self.texture], only_part)
            self._resolved = self.framebuffer
            if only_part is not None:
                self._parts.append(only_part)

    def resolve(self) -> None:
        """Brings the samples into the texture."""
        if self._resolved is not self.framebuffer:
            self.ctx.copy_framebuffer(self._resolved, self.framebuffer)

    def read(self) -> bytes:
        """The picture as RGB bytes, bottom row first."""
        return self._resolved.read(components=3, alignment=1)

    def release(self) -> None:
        """Gives the memory back."""
        for part in (self.framebuffer, *self._parts, self.texture):
            part.release()
