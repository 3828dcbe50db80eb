"""Combines the eyes' full-size pictures into one."""

import moderngl
import numpy as np
from numpy.typing import NDArray

from viewer.render.program import Program
from viewer.render.targets import Target

# Dubois' least-squares matrices for red-cyan glasses, for linear light: rows R, G, B of the result.
# Eric Dubois, "A projection method to generate anaglyph stereo images", ICASSP 2001.
DUBOIS_RED_CYAN = (
    np.array(
        [
            [0.456100, 0.500484, 0.176381],
            [-0.0400822, -0.0378246, -0.0157589],
            [-0.0152161, -0.0205971, -0.00546856],
        ]
    ),
    np.array(
        [
            [-0.0434706, -0.0879388, -0.00155529],
            [0.378476, 0.73364, -0.0184503],
            [-0.0721527, -0.112961, 1.2264],
        ]
    ),
)


def srgb_decoded(encoded: NDArray[np.float64]) -> NDArray[np.float64]:
    """Linear light, 0..1, of sRGB values, 0..1 (IEC 61966-2-1)."""
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def srgb_encoded(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    """sRGB values, 0..1, of linear light, clamped to 0..1 (IEC 61966-2-1)."""
    light = np.clip(linear, 0.0, 1.0)
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


class Anaglyph:
    """Red-cyan anaglyph of a left and a right picture."""

    def __init__(self, ctx: moderngl.Context) -> None:
        left, right = DUBOIS_RED_CYAN
        constants = {"LEFT_MATRIX": _glsl(left), "RIGHT_MATRIX": _glsl(right)}
        self._program = Program(ctx, "fullscreen.vert", "anaglyph.frag", constants)
        self._array = ctx.vertex_array(self._program.program, [])
        self._program.set(left_eye=0, right_eye=1)

    def draw(self, eyes: list[Target], output: Target) -> None:
        """Fills `output` from the eyes' pictures, left first."""
        output.framebuffer.use()
        for unit, eye in enumerate(eyes):
            eye.texture.use(unit)
        self._array.render(moderngl.TRIANGLES, vertices=3)


# by StereoMode.composite
COMPOSITORS = {"anaglyph": Anaglyph}


def _glsl(matrix: NDArray[np.float64]) -> str:
    """A (3, 3) matrix as a GLSL constant, column by column."""
    return f"mat3({', '.join(f'{value:.9f}' for value in matrix.T.ravel())})"
