"""Mixes the eyes' pictures into one picture, in layouts in which they do not simply lie side by side."""

from collections.abc import Callable, Sequence

import moderngl

from viewer.render.framebuffers import RenderTarget
from viewer.render.program import Program
from viewer.scenario.choices.stereo_modes import Matrix, composite
from viewer.scene.description import Frame
from viewer.scene.stereo.views import Rectangle, part_size, position_eyes, reduced_size


def part_sizes(frame: Frame) -> list[tuple[int, int]]:
    """Return the sizes [px] of the pictures drawn for a frame, among which a layer's views are divided evenly."""
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


Constants = dict[str, str]
Uniforms = dict[str, object]


def _anaglyph(frame: Frame) -> tuple[Constants, Uniforms]:
    """Return the constants and uniforms that mix a left and a right picture for coloured glasses."""
    stereo = frame.stereo
    left, right, black = composite(
        stereo.anaglyph_method, stereo.glasses, (0.01 * stereo.left_leak, 0.01 * stereo.right_leak)
    )
    constants = {}
    if not stereo.left_leak and not stereo.right_leak:
        constants = {"LEFT_MATRIX": _glsl("mat3", left), "RIGHT_MATRIX": _glsl("mat3", right)}
        constants["BLACK"] = _glsl("vec3", black)
    return constants, {"left_matrix": left, "right_matrix": right, "black": black}


def _interlaced(frame: Frame) -> tuple[Constants, Uniforms]:
    """Return the constants and uniforms that interlace the parts, which lie beside and above each other in one picture.

    There is one part for each position in the pattern. At a reduced resolution there are instead both eyes' whole
    pictures; in a checkerboard, where each eye has two positions, this costs 0.72 as much.
    """
    pattern, block, reduced = frame.mode.interlacing, frame.screen.block, frame.screen.resolution < 1.0
    eyes = position_eyes(frame.mode, frame.size, frame.screen)
    second = sum(1 << number for number, eye in enumerate(eyes) if eye != eyes[0])
    constants = {
        "COUNTS": f"uvec2({len(pattern[0])}, {len(pattern)})",
        "BLOCK": f"{block}u",
        "REDUCED": str(int(reduced)),
        "SECOND": f"{second}u",
    }
    return constants, {"part_size": frame.size if reduced else part_size(frame.mode, frame.size, block)}


# by StereoMode.layout: the fragment shader, and the function of its constants and uniforms; other layouts need none
COMPOSITORS: dict[str, tuple[str, Callable[[Frame], tuple[Constants, Uniforms]]]] = {
    "anaglyph": ("anaglyph.frag", _anaglyph),
    "interlaced": ("interlace.frag", _interlaced),
}


class Compositor:
    """Mixes the eyes' pictures into one, in a layout of COMPOSITORS.

    The shader is compiled again if its constants change: constants cost nothing when they are folded into the code.
    """

    def __init__(self, ctx: moderngl.Context, layout: str) -> None:
        self._ctx = ctx
        self._fragment, self._given = COMPOSITORS[layout]
        self._constants: Constants = {}
        self._program: Program | None = None

    def draw(
        self, drawn: Sequence[RenderTarget], frame: Frame, framebuffer: moderngl.Framebuffer, viewport: Rectangle
    ) -> None:
        """Fill a framebuffer's viewport, x, y, width, height, from the eyes' pictures, left first."""
        constants, uniforms = self._given(frame)
        if self._program is None or constants != self._constants:
            program = Program(self._ctx, "fullscreen.vert", self._fragment, constants)
            program.set(**{f"part_{unit}": unit for unit in range(len(drawn))})
            if self._program is not None:
                self._program.release()
            self._program, self._constants = program, constants
        framebuffer.use()
        self._ctx.viewport = viewport
        for unit, part in enumerate(drawn):
            part.smooth(frame.screen.resolution < 1.0)
            part.texture.use(unit)
        self._program.set(corner=viewport[:2], **uniforms)
        self._program.draw()


def _glsl(kind: str, values: Matrix) -> str:
    """Return the GLSL constant of a matrix (3, 3), column by column, or of a vector (3,)."""
    return f"{kind}({', '.join(f'{value:.9f}' for value in values.T.ravel())})"
