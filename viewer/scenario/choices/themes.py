"""The colours: one entry a theme. Colours are sRGB, 0..1; names are those of what they paint."""

from viewer.common.color import Color, hex_color
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


THEMES: dict[str, Theme] = {
    theme.name: theme
    for theme in (
        Theme(
            name="dark",
            background_top=hex_color("#161B22"),
            background_bottom=hex_color("#0C0F13"),
            background_centre=hex_color("#232B35"),
            angular_momentum=hex_color("#FF6AD5"),
            angular_velocity=hex_color("#FF9A2E"),
            force=hex_color("#F2405E"),
            torque=hex_color("#A664FE"),
            polhode=hex_color("#4FE0C6"),
            herpolhode=hex_color("#FFD75E"),
            shell=hex_color("#9DB7D6"),
            sections=hex_color("#C9DAEE"),
            plane=hex_color("#5F748E"),
            grid=hex_color("#8FA1B5"),
            body=hex_color("#B9AFA0"),
            edge=hex_color("#2A2E33"),
            axes=(hex_color("#78A6EC"), hex_color("#E08C98"), hex_color("#AFCB6A")),
            text=hex_color("#E9EEF4"),
            halo=hex_color("#0C0F13"),
            dark=True,
            shell_rim_alpha=0.55,
            plane_alpha=0.45,
            shadow=hex_color("#04060A"),
            shadow_alpha=0.95,
            ambient=0.20,
            rim_light=0.13,
            herpolhode_floor_alpha=0.25,
            polhode_width=2.5,
        ),
        Theme(
            name="light",
            background_top=hex_color("#FFFFFF"),
            background_bottom=hex_color("#F4F6F8"),
            background_centre=hex_color("#FFFFFF"),
            angular_momentum=hex_color("#A8269A"),
            angular_velocity=hex_color("#D55C00"),
            force=hex_color("#8D0723"),
            torque=hex_color("#7F0FDC"),
            polhode=hex_color("#00766B"),
            herpolhode=hex_color("#7C5200"),
            shell=hex_color("#7FA0C8"),
            sections=hex_color("#3E5C80"),
            plane=hex_color("#BFCBD8"),
            grid=hex_color("#66727F"),
            body=hex_color("#C6BDAF"),
            edge=hex_color("#4A4F55"),
            axes=(hex_color("#3F6FBF"), hex_color("#A85A68"), hex_color("#66892A")),
            text=hex_color("#16202B"),
            halo=hex_color("#FFFFFF"),
            dark=False,
            shell_rim_alpha=0.50,
            plane_alpha=0.45,
            shadow=hex_color("#17222E"),
            shadow_alpha=0.50,
            ambient=0.54,
            rim_light=-0.12,
            herpolhode_floor_alpha=0.60,
            polhode_width=3.1,
        ),
        Theme(
            name="high-contrast",
            background_top=hex_color("#000000"),
            background_bottom=hex_color("#000000"),
            background_centre=hex_color("#000000"),
            angular_momentum=hex_color("#FF7BFF"),
            angular_velocity=hex_color("#FFA000"),
            force=hex_color("#F57377"),
            torque=hex_color("#B8ECAC"),
            polhode=hex_color("#2CF5E0"),
            herpolhode=hex_color("#FFF27A"),
            shell=hex_color("#A8C4E8"),
            sections=hex_color("#FFFFFF"),
            plane=hex_color("#566A82"),
            grid=hex_color("#B8C8DA"),
            body=hex_color("#B4AB9D"),
            edge=hex_color("#000000"),
            axes=(hex_color("#6FA8FF"), hex_color("#FF9AAB"), hex_color("#B6E34B")),
            text=hex_color("#FFFFFF"),
            halo=hex_color("#000000"),
            dark=True,
            shell_rim_alpha=0.85,
            plane_alpha=0.50,
            shadow=hex_color("#000000"),
            shadow_alpha=0.85,
            ambient=0.20,
            rim_light=0.25,
            herpolhode_floor_alpha=0.70,
            polhode_width=3.6,
        ),
    )
}
