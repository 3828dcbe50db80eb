"""The look of the scene: themes with their colours, materials of bodies, and qualities of moving pictures.

Colours are sRGB, 0..1, named after what they paint.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from viewer.common.color import Color, hex_color, linear_from_oklab, oklab_from_srgb, srgb_from_linear
from viewer.common.frozen import frozen


@frozen
class Theme:
    """Every colour and opacity of the scene. `axes` belong to the smallest, middle and largest moment of inertia."""

    name: str
    background_top: Color
    background_bottom: Color
    background_centre: Color
    angular_momentum: Color
    angular_velocity: Color
    force: Color
    torque: Color
    polhode: Color
    herpolhode: Color
    shell: Color
    sections: Color
    plane: Color
    grid: Color
    body: Color
    edge: Color
    axes: tuple[Color, Color, Color]
    text: Color
    halo: Color
    dark: bool
    shell_rim_alpha: float
    plane_alpha: float
    shadow: Color
    shadow_alpha: float
    ambient: float
    rim_light: float
    herpolhode_floor_alpha: float
    polhode_width: float


# fmt: off
NAMES = "dark", "light", "high-contrast"
VALUES: dict[str, tuple[Any, Any, Any]] = {  # a value for each of NAMES, in their order
    "background_top": ("#161B22", "#FFFFFF", "#000000"),
    "background_bottom": ("#0C0F13", "#F4F6F8", "#000000"),
    "background_centre": ("#232B35", "#FFFFFF", "#000000"),
    "angular_momentum": ("#FF6AD5", "#A8269A", "#FF7BFF"),
    "angular_velocity": ("#FF9A2E", "#D55C00", "#FFA000"),
    "force": ("#F2405E", "#8D0723", "#F57377"),
    "torque": ("#A664FE", "#7F0FDC", "#B8ECAC"),
    "polhode": ("#4FE0C6", "#00766B", "#2CF5E0"),
    "herpolhode": ("#FFD75E", "#7C5200", "#FFF27A"),
    "shell": ("#9DB7D6", "#7FA0C8", "#A8C4E8"),
    "sections": ("#C9DAEE", "#3E5C80", "#FFFFFF"),
    "plane": ("#5F748E", "#BFCBD8", "#566A82"),
    "grid": ("#8FA1B5", "#66727F", "#B8C8DA"),
    "body": ("#B9AFA0", "#C6BDAF", "#B4AB9D"),
    "edge": ("#2A2E33", "#4A4F55", "#000000"),
    "axes": (
        ("#78A6EC", "#E08C98", "#AFCB6A"),
        ("#3F6FBF", "#A85A68", "#66892A"),
        ("#6FA8FF", "#FF9AAB", "#B6E34B"),
    ),
    "text": ("#E9EEF4", "#16202B", "#FFFFFF"),
    "halo": ("#0C0F13", "#FFFFFF", "#000000"),
    "dark": (True, False, True),
    "shell_rim_alpha": (0.55, 0.50, 0.85),
    "plane_alpha": (0.45, 0.45, 0.50),
    "shadow": ("#04060A", "#17222E", "#000000"),
    "shadow_alpha": (0.95, 0.50, 0.85),
    "ambient": (0.20, 0.54, 0.20),
    "rim_light": (0.13, -0.12, 0.25),
    "herpolhode_floor_alpha": (0.25, 0.60, 0.70),
    "polhode_width": (2.5, 3.1, 3.6),
}
# fmt: on


def _value(written: Any) -> Any:
    """Return texts in hexadecimal as colours, whether one or several, and anything else as it is."""
    if isinstance(written, tuple):
        return tuple(map(hex_color, written))
    return hex_color(written) if isinstance(written, str) else written


THEMES: dict[str, Theme] = {
    name: Theme(name, **{key: _value(values[number]) for key, values in VALUES.items()})
    for number, name in enumerate(NAMES)
}


@frozen
class Material:
    """A material of bodies; `shading` is the value of MATERIAL in the shaders.

    `lighter` is added to the lightness of the theme's colour of bodies. `tone` replaces the components a and b of that
    colour in OKLab; None keeps them. `bevel` is the width in which edges catch light, and `edges` the opacity of the
    lines along edges, both as a multiple of that of paint.
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
        """Return the colour of bodies of this material in a theme in which bodies of paint have the colour given."""
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


@frozen
class Quality:
    """How finely a moving picture is drawn.

    `resolution` is the number of pixels drawn, across and down, for each pixel of the screen.
    """

    name: str
    label: str
    resolution: float

    def within(self, size: tuple[int, int], largest: int) -> "Quality":
        """Return this quality, or a coarser one if a picture of `size` pixels would have a side above `largest`."""
        if max(size) * self.resolution <= largest:
            return self
        return replace(self, resolution=(largest - 1) / max(size))


QUALITIES: dict[str, Quality] = {
    quality.name: quality
    for quality in (
        Quality("full", "Full", 1.0),
        Quality("high", "High", 0.85),
        Quality("medium", "Medium", 0.7),
        Quality("low", "Low", 0.5),
    )
}
AUTO = "auto"
FULL = QUALITIES["full"]
