"""What the body's surface looks like: one entry a material, each with its own part of shaders/include/material.glsl."""

from dataclasses import dataclass

import numpy as np

from viewer.common.color import Color, linear_from_oklab, oklab_from_srgb, srgb_from_linear


@dataclass(frozen=True)
class Material:
    """`shading`: MATERIAL of the shaders.

    `lighter`: than the theme's colour of bodies; `tone`: a and b of OKLab in place of that colour's, None: its own.
    `bevel`: how wide edges catch light, `edges`: opacity of the lines along them, both relative to paint's.
    """

    name: str
    label: str
    summary: str
    shading: int
    lighter: float = 0.0
    tone: tuple[float, float] | None = None
    bevel: float = 1.0
    edges: float = 1.0

    def body(self, color: Color) -> Color:
        """The colour of bodies in a theme where those of paint have that one."""
        if self.lighter == 0.0 and self.tone is None:
            return color
        lightness, *own = oklab_from_srgb(np.array(color))
        wanted = np.array([lightness + self.lighter, *(self.tone or own)])
        red, green, blue = srgb_from_linear(linear_from_oklab(wanted))
        return float(red), float(green), float(blue)


PAINT = "paint"
MATERIALS: dict[str, Material] = {
    material.name: material
    for material in (
        Material(PAINT, "Paint", "satin, with a soft highlight", 0),
        Material("wood", "Wood", "rings and fibres along the longest side", 1, 0.0, (0.025, 0.065)),
        Material("metal", "Metal", "brushed along the longest side", 2, -0.09, (-0.002, -0.003)),
        Material("paper", "Paper", "matt, with fine fibres and soft edges", 3, 0.06, (0.002, 0.012), 1.6, 0.55),
    )
}
