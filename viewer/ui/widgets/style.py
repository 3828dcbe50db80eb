"""The interface's look: one palette made from the scene's theme, the fonts, and sizes in units of the text scale."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

from viewer.common import resources
from viewer.common.color import Color
from viewer.common.frozen import frozen
from viewer.scenario.choices.themes import Theme
from viewer.ui.platform.imgui_module import Font, imgui

FONT_SIZE = 16.0  # height of a line of text at scale 1, in pixels
NEVER = 1e9  # s until a tooltip appears that is not wanted
SYMBOL_SIZE = 0.86  # of DejaVu's letters, to look as large as Roboto's
# FreeType's flag: hinted letters advance by whole pixels, and the space after a "y" almost vanishes
NO_HINTING = 1 << 0
DENSITY = 2.0  # resolution of letters per pixel: as they begin anywhere between pixels, they would be blurred at 1


@frozen
class Palette:
    """The colours of the interface."""

    background: Color
    raised: Color  # fields and buttons
    hovered: Color
    active: Color
    line: Color
    text: Color
    dim: Color
    accent: Color
    fill: Color  # the part of a slider left of its value
    danger: Color
    good: Color


def mix(a: Color, b: Color, fraction: float) -> Color:
    """Return the colour `a` with `fraction` of `b` in it."""
    red, green, blue = (x + (y - x) * fraction for x, y in zip(a, b, strict=True))
    return red, green, blue


def neutral(palette: Palette) -> Palette:
    """Return the palette for an interface that is drawn in greys, where red is as dark as small print."""
    return replace(palette, danger=palette.text, good=palette.text)


def palette_of(theme: Theme) -> Palette:
    """Return the palette that belongs to a theme of the scene."""
    ground = theme.background_top if theme.dark else theme.background_bottom
    accent = theme.axes[0]
    return Palette(
        background=ground,
        raised=mix(ground, theme.text, 0.085 if theme.dark else 0.075),
        hovered=mix(ground, theme.text, 0.14),
        active=mix(ground, theme.text, 0.19),
        line=mix(ground, theme.text, 0.13),
        text=mix(ground, theme.text, 0.94),
        dim=mix(ground, theme.text, 0.62 if theme.dark else 0.66),
        accent=accent,
        fill=mix(ground, accent, 0.34 if theme.dark else 0.30),
        danger=(0.93, 0.42, 0.40) if theme.dark else (0.75, 0.16, 0.16),
        good=(0.45, 0.80, 0.50) if theme.dark else (0.10, 0.45, 0.20),
    )


@frozen
class Fonts:
    """The two faces of the interface."""

    regular: Font
    medium: Font


def load_fonts() -> Fonts:
    """Add the interface's fonts to the current ImGui context."""
    others = ("panel-symbols.ttf", SYMBOL_SIZE), ("icons.otf", 1.0)
    return Fonts(_face("panel.ttf", *others), _face("panel-medium.ttf", ("panel.ttf", 1.0), *others))


def _face(name: str, *others: tuple[str, float]) -> Font:
    """Return a face; letters that it lacks come from the first of the `others` that has them, scaled by its size."""
    fonts = imgui.get_io().fonts
    faces: list[Font] = []
    for merged, (file, size) in enumerate([(name, 1.0), *others]):
        config = imgui.ImFontConfig()
        config.font_loader_flags, config.rasterizer_density = NO_HINTING, DENSITY
        config.merge_mode = merged > 0
        config.extra_size_scale = size
        with resources.file("assets", "fonts", file) as path:
            faces.append(fonts.add_font_from_file_ttf(str(path), FONT_SIZE, config))
    return faces[0]


@lru_cache(maxsize=1024)
def u32(color: Color, alpha: float = 1.0) -> int:
    """Return a colour as ImGui's draw lists take it."""
    red, green, blue = (round(255 * c) for c in color)
    return red | green << 8 | blue << 16 | round(255 * alpha) << 24


def apply(palette: Palette, scale: float, tooltips: bool = True) -> None:
    """Set the current ImGui context's style: the colours, the sizes times `scale`, and whether there are tooltips."""
    style = imgui.get_style()
    fresh = imgui.Style()
    for name in ("frame_padding", "item_spacing", "item_inner_spacing", "window_padding", "cell_padding"):
        setattr(style, name, getattr(fresh, name))
    style.font_size_base = FONT_SIZE
    style.font_scale_dpi = scale
    sizes: dict[str, float] = {
        "window_rounding": 8, "child_rounding": 0, "frame_rounding": 4, "popup_rounding": 6, "grab_rounding": 3,
        "scrollbar_rounding": 4, "scrollbar_size": 8, "grab_min_size": 8, "indent_spacing": 12,
        "window_border_size": 0, "popup_border_size": 1, "frame_border_size": 0, "child_border_size": 0,
        "scrollbar_padding": 1,
    }  # fmt: skip
    for name, size in sizes.items():
        setattr(style, name, max(1.0, round(size * scale)) if size else 0.0)
    style.window_padding = (12 * scale, 10 * scale)
    style.frame_padding = (7 * scale, 4 * scale)
    style.item_spacing = (6 * scale, 4 * scale)
    style.item_inner_spacing = (6 * scale, 4 * scale)
    style.hover_stationary_delay = 0.15
    style.hover_delay_short = 0.25 if tooltips else NEVER
    style.hover_delay_normal = fresh.hover_delay_normal if tooltips else NEVER
    _set_colors(style, palette)


def _set_colors(style: Any, p: Palette) -> None:
    """Set every colour of ImGui from the palette."""
    col = imgui.Col_
    clear = 0.0
    table: list[tuple[Any, Color, float]] = [
        (col.text, p.text, 1), (col.text_disabled, p.dim, 1), (col.window_bg, p.background, 1),
        (col.child_bg, p.background, clear), (col.popup_bg, mix(p.background, p.raised, 0.6), 1),
        (col.border, p.line, 1), (col.border_shadow, p.background, clear), (col.frame_bg, p.raised, 1),
        (col.frame_bg_hovered, p.hovered, 1), (col.frame_bg_active, p.active, 1), (col.title_bg, p.background, 1),
        (col.title_bg_active, p.background, 1), (col.scrollbar_bg, p.background, clear),
        (col.scrollbar_grab, p.hovered, 1), (col.scrollbar_grab_hovered, p.active, 1),
        (col.scrollbar_grab_active, p.dim, 1), (col.check_mark, p.accent, 1), (col.slider_grab, p.accent, 1),
        (col.slider_grab_active, p.accent, 1), (col.button, p.raised, 1), (col.button_hovered, p.hovered, 1),
        (col.button_active, p.active, 1), (col.header, p.raised, 1), (col.header_hovered, p.hovered, 1),
        (col.header_active, p.active, 1), (col.separator, p.line, 1), (col.text_selected_bg, p.fill, 1),
        (col.input_text_cursor, p.text, 1), (col.nav_cursor, p.accent, 1),
        (col.modal_window_dim_bg, (0.0, 0.0, 0.0), 0.45), (col.checkbox_selected_bg, p.raised, 1),
    ]  # fmt: skip
    for index, color, alpha in table:
        style.set_color_(index.value, imgui.ImVec4(*color, alpha))
