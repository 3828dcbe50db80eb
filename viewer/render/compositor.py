"""Makes one picture of the eyes' pictures, where they do not simply lie side by side."""

from collections.abc import Sequence
from typing import Protocol

import moderngl

from viewer import anaglyph
from viewer.render.program import Program
from viewer.render.targets import Target
from viewer.scene.description import Frame
from viewer.scene.stereo import EyeView, woven_pixels, woven_size

Part = tuple[tuple[int, int], tuple[EyeView, ...]]


class Compositor(Protocol):
    """Fills `output` from the parts that `parts` names."""

    def draw(self, drawn: Sequence[Target], frame: Frame, output: Target) -> None: ...


def parts(frame: Frame) -> list[Part]:
    """The pictures that are drawn for a frame, each with its size in pixels and its views."""
    layout, size = frame.mode.layout, frame.size
    if layout in ("mixed", "buffers"):
        return [(size, (view,)) for view in frame.views]
    if layout == "woven":
        across, down = len(frame.mode.weave[0]), len(frame.mode.weave)
        width, height = woven_pixels(frame.mode, size, frame.screen)
        return [((across * width, down * height), frame.views)]
    return [(size, frame.views)]


class Anaglyph:
    """Mixes the colours of a left and a right picture for coloured glasses."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._program = Program(ctx, "fullscreen.vert", "anaglyph.frag")
        self._array = ctx.vertex_array(self._program.program, [])
        self._program.set(left_eye=0, right_eye=1)

    def draw(self, drawn: Sequence[Target], frame: Frame, output: Target) -> None:
        """Fills `output` from the eyes' pictures, left first."""
        stereo = frame.stereo
        left, right = anaglyph.matrices(
            stereo.anaglyph_method, stereo.glasses, (0.01 * stereo.left_leak, 0.01 * stereo.right_leak)
        )
        self._program.set(left_matrix=left, right_matrix=right)
        output.framebuffer.use()
        for unit, eye in enumerate(drawn):
            eye.texture.use(unit)
        self._array.render(moderngl.TRIANGLES, vertices=3)


class Weave:
    """Puts the pixels of the parts, which lie beside and above each other, in turn."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._program = Program(ctx, "fullscreen.vert", "weave.frag")
        self._array = ctx.vertex_array(self._program.program, [])
        self._program.set(parts=0)

    def draw(self, drawn: Sequence[Target], frame: Frame, output: Target) -> None:
        """Fills `output` from the one picture that holds all parts."""
        weave, block = frame.mode.weave, frame.screen.block
        part = woven_size(frame.mode, frame.size, block)
        counts = (len(weave[0]), len(weave))
        self._program.set(counts=counts, part_size=part, block=block)
        output.framebuffer.use()
        drawn[0].smooth(frame.screen.resolution < 1.0)
        drawn[0].texture.use(0)
        self._array.render(moderngl.TRIANGLES, vertices=3)


# by StereoMode.layout; the others need none
COMPOSITORS: dict[str, type[Anaglyph] | type[Weave]] = {"mixed": Anaglyph, "woven": Weave}
