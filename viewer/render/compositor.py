"""Makes one picture of the eyes' pictures, where they do not simply lie side by side."""

from collections.abc import Sequence

import moderngl

from viewer.render.framebuffers import RenderTarget
from viewer.render.program import Program
from viewer.scenario.choices import stereo_modes
from viewer.scene.description import Frame
from viewer.scene.stereo.views import Rectangle, part_size, position_eyes, reduced_size


def part_sizes(frame: Frame) -> list[tuple[int, int]]:
    """Of the pictures that are drawn for a frame, in pixels; each has as many of a layer's views as the others."""
    layout, size = frame.mode.layout, frame.size
    if layout in ("anaglyph", "quad-buffer"):
        return [size] * len(frame.main.views)
    if layout == "interlaced" and frame.screen.resolution < 1.0:
        width, height = reduced_size(frame.mode, size, frame.screen)
        return [(len(frame.mode.eyes) * width, height)]
    if layout == "interlaced":
        width, height = part_size(frame.mode, size, frame.screen.block)
        return [(len(frame.mode.interlacing[0]) * width, len(frame.mode.interlacing) * height)]
    return [size]


class _FullPicture:
    """A fragment shader over the whole output, made anew where its constants change: folded, they cost nothing."""

    def __init__(self, ctx: moderngl.Context, fragment: str) -> None:
        self._ctx, self._fragment = ctx, fragment
        self._constants: dict[str, str] = {}
        self._program: Program | None = None

    def draw(
        self,
        drawn: Sequence[RenderTarget],
        framebuffer: moderngl.Framebuffer,
        viewport: Rectangle,
        constants: dict[str, str],
        **uniforms: object,
    ) -> None:
        """Fills a framebuffer's viewport, x, y, width, height, from the textures `part_0`, `part_1` .."""
        if self._program is None or constants != self._constants:
            program = Program(self._ctx, "fullscreen.vert", self._fragment, constants)
            program.set(**{f"part_{unit}": unit for unit in range(len(drawn))})
            if self._program is not None:
                self._program.release()
            self._program, self._constants = program, constants
        framebuffer.use()
        self._ctx.viewport = viewport
        for unit, part in enumerate(drawn):
            part.texture.use(unit)
        self._program.set(**uniforms)
        self._program.draw()


class Anaglyph:
    """Mixes the colours of a left and a right picture for coloured glasses."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._pass = _FullPicture(ctx, "anaglyph.frag")

    def draw(
        self, drawn: Sequence[RenderTarget], frame: Frame, framebuffer: moderngl.Framebuffer, viewport: Rectangle
    ) -> None:
        """Fills a framebuffer's viewport from the eyes' pictures, left first."""
        stereo = frame.stereo
        left, right, black = stereo_modes.composite(
            stereo.anaglyph_method, stereo.glasses, (0.01 * stereo.left_leak, 0.01 * stereo.right_leak)
        )
        constants = {}
        if not stereo.left_leak and not stereo.right_leak:
            constants = {"LEFT_MATRIX": _glsl("mat3", left), "RIGHT_MATRIX": _glsl("mat3", right)}
            constants["BLACK"] = _glsl("vec3", black)
        self._pass.draw(drawn, framebuffer, viewport, constants, left_matrix=left, right_matrix=right, black=black)


class Interlace:
    """Puts the pixels of the parts in turn: those that lie beside and above each other, one for each position in the
    pattern; or, in fewer pixels, those of both eyes' whole pictures, which lie side by side (in a checkerboard, where
    each eye has two positions, .72 of the cost)."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._pass = _FullPicture(ctx, "interlace.frag")

    def draw(
        self, drawn: Sequence[RenderTarget], frame: Frame, framebuffer: moderngl.Framebuffer, viewport: Rectangle
    ) -> None:
        """Fills a framebuffer's viewport from the one picture that holds all parts."""
        pattern, block = frame.mode.interlacing, frame.screen.block
        reduced = frame.screen.resolution < 1.0
        eyes = position_eyes(frame.mode, frame.size, frame.screen)
        second = sum(1 << number for number, eye in enumerate(eyes) if eye != eyes[0])
        constants = {
            "COUNTS": f"uvec2({len(pattern[0])}, {len(pattern)})",
            "BLOCK": f"{block}u",
            "REDUCED": str(int(reduced)),
            "SECOND": f"{second}u",
        }
        drawn[0].smooth(reduced)
        inside = frame.size if reduced else part_size(frame.mode, frame.size, block)
        self._pass.draw(drawn, framebuffer, viewport, constants, part_size=inside, corner=viewport[:2])


# by StereoMode.layout; the others need none
Compositor = Anaglyph | Interlace
COMPOSITORS: dict[str, type[Compositor]] = {"anaglyph": Anaglyph, "interlaced": Interlace}


def _glsl(kind: str, values: stereo_modes.Matrix) -> str:
    """A (3, 3) matrix, column by column, or a vector, (3,), as a GLSL constant."""
    return f"{kind}({', '.join(f'{value:.9f}' for value in values.T.ravel())})"
