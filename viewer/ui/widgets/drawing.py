"""Small drawing helpers on ImGui's draw lists: text in columns, icons, buttons with an icon."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from viewer.scenario.choices.themes import Color
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.style import Fonts, Palette, mix, u32


@dataclass(frozen=True)
class Look:
    """What every drawing function needs to know: colours, fonts, and pixels per unit of size."""

    palette: Palette
    fonts: Fonts
    scale: float

    def px(self, size: float) -> float:
        """`size` at scale 1 in whole pixels."""
        return float(round(size * self.scale))


def text(x: float, y: float, color: Color, words: str) -> float:
    """Writes `words` with the upper left corner at (x, y) in pixels of the screen; returns their width."""
    imgui.get_window_draw_list().add_text((round(x), round(y)), u32(color), words)
    return width_of(words)


def text_right(x: float, y: float, color: Color, words: str) -> float:
    """Writes `words` so that they end at x; returns their width."""
    width = width_of(words)
    text(x - width, y, color, words)
    return width


def width_of(words: str) -> float:
    """Width of one line of text, in pixels."""
    return float(imgui.calc_text_size(words).x)


def shortened(words: str, room: float) -> str:
    """`words`, cut with an ellipsis where they are wider than `room` pixels."""
    if width_of(words) <= room:
        return words
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if width_of(words[:middle].rstrip() + "…") <= room else (low, middle - 1)
    return words[:low].rstrip() + "…" if low else ""


Icon = Callable[[Any, float, float, float, int], None]


def play_icon(target: Any, x: float, y: float, r: float, color: int) -> None:
    """A triangle that points right; (x, y) is the centre, r half the height."""
    target.add_triangle_filled((x - 0.7 * r, y - r), (x - 0.7 * r, y + r), (x + r, y), color)


def pause_icon(target: Any, x: float, y: float, r: float, color: int) -> None:
    """Two upright bars."""
    for side in (-1, 1):
        middle = x + side * 0.52 * r
        target.add_rect_filled((middle - 0.27 * r, y - r), (middle + 0.27 * r, y + r), color, 0.1 * r)


def step_icon(target: Any, x: float, y: float, r: float, color: int) -> None:
    """A triangle against a bar."""
    target.add_triangle_filled(
        (x - 0.9 * r, y - 0.85 * r), (x - 0.9 * r, y + 0.85 * r), (x + 0.45 * r, y), color
    )
    target.add_rect_filled((x + 0.5 * r, y - 0.85 * r), (x + 0.85 * r, y + 0.85 * r), color)


def step_back_icon(target: Any, x: float, y: float, r: float, color: int) -> None:
    """A bar and a triangle that points left."""
    target.add_triangle_filled(
        (x + 0.9 * r, y - 0.85 * r), (x - 0.45 * r, y), (x + 0.9 * r, y + 0.85 * r), color
    )
    target.add_rect_filled((x - 0.85 * r, y - 0.85 * r), (x - 0.5 * r, y + 0.85 * r), color)


def back_icon(target: Any, x: float, y: float, r: float, color: int) -> None:
    """A triangle that points left."""
    target.add_triangle_filled((x + 0.7 * r, y - r), (x - r, y), (x + 0.7 * r, y + r), color)


def restart_icon(target: Any, x: float, y: float, r: float, color: int) -> None:
    """A bar and two triangles that point left."""
    for tip in (-0.65, 0.25):
        right = x + (tip + 0.85) * r
        target.add_triangle_filled((right, y - 0.85 * r), (x + tip * r, y), (right, y + 0.85 * r), color)
    target.add_rect_filled((x - 1.05 * r, y - 0.85 * r), (x - 0.75 * r, y + 0.85 * r), color)


def flip_icon(target: Any, x: float, y: float, r: float, color: int) -> None:
    """A triangle that points up beside one that points down."""
    for side in (-1, 1):
        middle, tip, foot = x + side * 0.55 * r, y + side * 0.95 * r, y - side * 0.75 * r
        corners = [(middle - 0.5 * r, foot), (middle, tip), (middle + 0.5 * r, foot)]
        target.add_triangle_filled(*(corners if side < 0 else reversed(corners)), color)


def loop_icon(target: Any, x: float, y: float, r: float, color: int) -> None:
    """An arrow that comes round again."""
    target.path_arc_to((x, y), 0.85 * r, -0.9, 4.4)
    target.path_stroke(color, 0.3 * r)
    tip = 0.85 * r
    target.add_triangle_filled(
        (x - 0.3 * tip, y - 1.55 * tip),
        (x + 0.5 * tip, y - 0.95 * tip),
        (x - 0.3 * tip, y - 0.35 * tip),
        color,
    )


def plots_icon(target: Any, x: float, y: float, r: float, color: int) -> None:
    """Two axes and a curve."""
    target.add_rect_filled((x - r, y - r), (x - 0.75 * r, y + r), color)
    target.add_rect_filled((x - r, y + 0.75 * r), (x + r, y + r), color)
    points = [(-0.6, 0.35), (-0.2, -0.45), (0.2, 0.2), (0.9, -0.75)]
    target.add_polyline([imgui.ImVec2(x + dx * r, y + dy * r) for dx, dy in points], color, 0.28 * r, 0)


def cross_icon(target: Any, x: float, y: float, r: float, color: int) -> None:
    """A cross, to close with."""
    for side in (-1, 1):
        target.add_line((x - 0.7 * r, y - side * 0.7 * r), (x + 0.7 * r, y + side * 0.7 * r), color, 0.28 * r)


def tick_icon(target: Any, x: float, y: float, r: float, color: int) -> None:
    """A tick: all is well."""
    corners = ((x - 0.9 * r, y), (x - 0.25 * r, y + 0.7 * r), (x + r, y - 0.8 * r))
    target.add_polyline([imgui.ImVec2(*at) for at in corners], color, 0.3 * r, 0)


def unfold_icon(target: Any, x: float, y: float, r: float, color: int) -> None:
    """An angle that points left: the panel comes out."""
    _angle(target, x, y, r, color, -1.0)


def fold_icon(target: Any, x: float, y: float, r: float, color: int) -> None:
    """An angle that points right: the panel goes."""
    _angle(target, x, y, r, color, 1.0)


def _angle(target: Any, x: float, y: float, r: float, color: int, side: float) -> None:
    tip, back = x + side * 0.5 * r, x - side * 0.4 * r
    points = [imgui.ImVec2(*at) for at in ((back, y - r), (tip, y), (back, y + r))]
    target.add_polyline(points, color, 0.3 * r, 0)


def copy_icon(target: Any, x: float, y: float, r: float, color: int) -> None:
    """Two sheets, one before the other."""
    for dx, dy in ((-0.35, -0.35), (0.35, 0.35)):
        corners = (x + (dx - 0.6) * r, y + (dy - 0.7) * r), (x + (dx + 0.6) * r, y + (dy + 0.7) * r)
        target.add_rect(*corners, color, 0.2 * r, thickness=0.2 * r)


def target_icon(target: Any, x: float, y: float, r: float, color: int) -> None:
    """A ring around a dot."""
    target.add_circle((x, y), r, color, 24, 0.26 * r)
    target.add_circle_filled((x, y), 0.35 * r, color)


def list_icon(target: Any, x: float, y: float, r: float, color: int) -> None:
    """Three lines."""
    for dy in (-0.7, 0.0, 0.7):
        target.add_line((x - 0.9 * r, y + dy * r), (x + 0.9 * r, y + dy * r), color, 0.28 * r)


def icon_button(
    look: Look,
    name: str,
    icon: Icon,
    width: float,
    height: float,
    plain: bool = False,
    lit: bool = False,
    dim: bool = False,
) -> bool:
    """A button that shows an icon; True when clicked. `plain`: no ground until the mouse is over it.

    `lit`: what it stands for is on. `dim`: it will only say why it does nothing.
    """
    clicked = bool(imgui.invisible_button(name, (width, height)))
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    p = look.palette
    held, hovered = imgui.is_item_active(), imgui.is_item_hovered()
    target = imgui.get_window_draw_list()
    if hovered or not plain:
        ground = p.active if held else p.hovered if hovered else p.raised
        target.add_rect_filled(low, high, u32(ground), look.px(4))
    color = p.accent if lit else mix(p.raised, p.text, 0.4) if dim else p.text
    icon(target, (low.x + high.x) / 2, (low.y + high.y) / 2, min(width, height) * 0.25, u32(color))
    return clicked


@contextmanager
def combo(look: Look, name: str, preview: str, width: float, font: Any = None) -> Iterator[bool]:
    """A field that opens a list below it, `width` pixels wide; whether it is open. `font`: of what the field shows."""
    imgui.set_next_item_width(width)
    arrow = look.px(20)
    cut = shortened(preview, width - arrow - look.px(7))
    flags = imgui.ComboFlags_.no_arrow_button.value | imgui.ComboFlags_.height_large.value
    at = imgui.get_cursor_screen_pos()
    target = imgui.get_window_draw_list()
    with scopes.combo(name, cut, flags, font) as opened:
        x, y, r = at.x + width - arrow / 2, at.y + imgui.get_frame_height() / 2, look.px(4)
        points = ((x - r, y - 0.5 * r), (x + r, y - 0.5 * r), (x, y + 0.6 * r))
        target.add_triangle_filled(*points, u32(look.palette.dim))
        yield opened


def tooltip(look: Look, *lines: str) -> None:
    """Shows `lines` while the mouse rests on the last item; the first one in the text's colour, the others dimmer."""
    with scopes.item_tooltip() as seen:
        if not seen:
            return
        with scopes.wrapped(imgui.get_font_size() * 18):
            for i, line in enumerate(lines):
                with scopes.colored(look.palette.dim if i else look.palette.text):
                    imgui.text_unformatted(line)
