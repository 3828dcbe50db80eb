"""The colours: one entry a theme. Colours are sRGB, 0..1; names say what they paint."""

from dataclasses import dataclass

Color = tuple[float, float, float]


def srgb(code: str) -> Color:
    """The colour of a `#RRGGBB` code."""
    red, green, blue = (int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


@dataclass(frozen=True)
class Theme:
    """Every colour and opacity of the scene. `axes` belong to the smallest, middle and largest moment of inertia."""

    name: str
    background_top: Color
    background_bottom: Color
    background_centre: Color
    angular_momentum: Color
    angular_velocity: Color
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
    contact: Color
    shadow_alpha: float
    ambient: float
    rim_light: float
    herpolhode_floor_alpha: float
    polhode_width: float


THEMES: dict[str, Theme] = {
    theme.name: theme
    for theme in (
        Theme(
            name="dark",
            background_top=srgb("#161B22"),
            background_bottom=srgb("#0C0F13"),
            background_centre=srgb("#232B35"),
            angular_momentum=srgb("#FF6AD5"),
            angular_velocity=srgb("#FF9A2E"),
            polhode=srgb("#4FE0C6"),
            herpolhode=srgb("#FFD75E"),
            shell=srgb("#9DB7D6"),
            sections=srgb("#C9DAEE"),
            plane=srgb("#3A4654"),
            grid=srgb("#8FA1B5"),
            body=srgb("#A19A90"),
            edge=srgb("#2A2E33"),
            axes=(srgb("#78A6EC"), srgb("#F4EFE6"), srgb("#AFCB6A")),
            text=srgb("#E9EEF4"),
            halo=srgb("#0C0F13"),
            dark=True,
            shell_rim_alpha=0.55,
            plane_alpha=0.16,
            contact=srgb("#A9D6FF"),
            shadow_alpha=0.40,
            ambient=0.20,
            rim_light=0.16,
            herpolhode_floor_alpha=0.25,
            polhode_width=2.5,
        ),
        Theme(
            name="light",
            background_top=srgb("#FFFFFF"),
            background_bottom=srgb("#F4F6F8"),
            background_centre=srgb("#FFFFFF"),
            angular_momentum=srgb("#A8269A"),
            angular_velocity=srgb("#E06500"),
            polhode=srgb("#007F73"),
            herpolhode=srgb("#8A5A00"),
            shell=srgb("#7FA0C8"),
            sections=srgb("#3E5C80"),
            plane=srgb("#D3DBE3"),
            grid=srgb("#66727F"),
            body=srgb("#BDB6AA"),
            edge=srgb("#4A4F55"),
            axes=(srgb("#3F6FBF"), srgb("#3C4046"), srgb("#66892A")),
            text=srgb("#16202B"),
            halo=srgb("#FFFFFF"),
            dark=False,
            shell_rim_alpha=0.50,
            plane_alpha=0.24,
            contact=srgb("#20303F"),
            shadow_alpha=0.30,
            ambient=0.54,
            rim_light=-0.12,
            herpolhode_floor_alpha=0.60,
            polhode_width=3.1,
        ),
        Theme(
            name="high-contrast",
            background_top=srgb("#000000"),
            background_bottom=srgb("#000000"),
            background_centre=srgb("#000000"),
            angular_momentum=srgb("#FF7BFF"),
            angular_velocity=srgb("#FFA000"),
            polhode=srgb("#2CF5E0"),
            herpolhode=srgb("#FFF27A"),
            shell=srgb("#A8C4E8"),
            sections=srgb("#FFFFFF"),
            plane=srgb("#28323E"),
            grid=srgb("#B8C8DA"),
            body=srgb("#9A948B"),
            edge=srgb("#000000"),
            axes=(srgb("#6FA8FF"), srgb("#FFFFFF"), srgb("#B6E34B")),
            text=srgb("#FFFFFF"),
            halo=srgb("#000000"),
            dark=True,
            shell_rim_alpha=0.85,
            plane_alpha=0.30,
            contact=srgb("#C8E6FF"),
            shadow_alpha=0.55,
            ambient=0.20,
            rim_light=0.30,
            herpolhode_floor_alpha=0.70,
            polhode_width=3.6,
        ),
    )
}
