"""Text in columns, buttons with an icon, lists to choose from, tooltips: drawn in the interface's colours."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import floor

from viewer.common.color import Color
from viewer.common.frozen import frozen
from viewer.ui.platform.imgui_module import Font, imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.icons import Icon
from viewer.ui.widgets.style import FONT_SIZE, Fonts, Palette, mix, u32

TOOLTIP_WIDTH = 18  # font sizes at which a tooltip's text is wrapped
SMALLEST = 0.75  # fraction of the usual size to which text shrinks for lack of room before it is cut


@frozen
class Look:
    """The colours, the fonts, and the pixels per unit of size, which every drawing function needs."""

    palette: Palette
    fonts: Fonts
    scale: float

    def px(self, size: float) -> float:
        """Return `size` at scale 1 in whole pixels."""
        return float(round(size * self.scale))


def text(x: float, y: float, color: Color, string: str) -> float:
    """Write `string` with the upper left corner at (x, y) in pixels of the screen; return its width."""
    imgui.get_window_draw_list().add_text((round(x), round(y)), u32(color), string)
    return width_of(string)


def text_right(x: float, y: float, color: Color, string: str) -> float:
    """Write `string` so that it ends at x; return its width."""
    width = width_of(string)
    text(x - width, y, color, string)
    return width


def width_of(string: str) -> float:
    """Return the width of one line of text in pixels."""
    return float(imgui.calc_text_size(string).x)


def fitting_size(look: Look, string: str, room: float, least: float) -> float:
    """Return the size of the present font, at scale 1, in which a line is at most `room` pixels wide.

    It is never larger than usual, nor smaller than the fraction `least` of the usual size.
    """
    wide = width_of(string)
    if wide <= room:
        return FONT_SIZE
    fits = 0.97 * room / wide  # widths are not quite in proportion
    return floor(FONT_SIZE * look.scale * max(least, fits)) / look.scale  # ImGui rounds to whole pixels


def shortened(string: str, room: float) -> str:
    """Return a text that is cut with an ellipsis, between words if it has several, to be at most `room` pixels wide."""
    return _cut(string, lambda kept: width_of(kept) <= room)


def shortened_to(string: str, room: float, tall: float) -> str:
    """Return a text cut with an ellipsis so that, wrapped at `room` pixels, it is at most `tall` pixels high."""
    return _cut(string, lambda kept: imgui.calc_text_size(kept, False, room).y <= tall)


def _cut(string: str, fits: Callable[[str], bool]) -> str:
    if fits(string):
        return string
    low, high = 0, len(string)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(string[:middle].rstrip() + "…") else (low, middle - 1)
    kept = string[:low].rstrip()
    if string[low : low + 1].strip() and " " in kept:
        kept = kept[: kept.rindex(" ")].rstrip()
    return kept + "…" if low else ""


def row(name: str, height: float) -> tuple[float, float, float]:
    """Lay out an invisible item as wide as there is room, to draw over; return its left, top and right edge."""
    imgui.invisible_button(f"##{name}", (imgui.get_content_region_avail().x, height))
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    return low.x, low.y, high.x


def label_and_value(look: Look, name: str, label: str, value: str, *meaning: str) -> None:
    """Draw a label, and its value at the right, one line lower if they do not fit side by side.

    `meaning` are the lines of the tooltip.
    """
    line, room = imgui.get_text_line_height(), imgui.get_content_region_avail().x
    below = 0.0 if width_of(label) + look.px(8) + width_of(value) <= room else line
    left, top, right = row(name, line + below)
    if meaning:
        tooltip(look, *meaning)
    text(left, top, look.palette.dim, label)
    text_right(right, top + below, look.palette.text, value)


def icon_button(
    look: Look,
    name: str,
    icon: Icon,
    width: float,
    height: float,
    plain: bool = False,
    lit: bool = False,
    dim: bool = False,
    label: str = "",
) -> bool:
    """Draw a button with an icon, and beside it a `label`; return whether it was clicked.

    `plain`: it has no background until the mouse is over it. `lit`: what it switches is on. `dim`: a click on it only
    says why it does nothing.
    """
    clicked = bool(imgui.invisible_button(name, (width, height)))
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    p = look.palette
    held, hovered = imgui.is_item_active(), imgui.is_item_hovered()
    target = imgui.get_window_draw_list()
    if hovered or lit or not plain:
        ground = p.active if held else p.hovered if hovered else p.raised
        target.add_rect_filled(low, high, u32(ground), look.px(4))
    color = p.accent if lit else mix(p.raised, p.text, 0.4) if dim else p.text
    side, middle = min(width, height), (low.y + high.y) / 2
    if lit and (label or plain):
        target.add_rect(low, high, u32(p.accent), look.px(4))
    icon(target, low.x + look.px(3) + side / 2 if label else (low.x + high.x) / 2, middle, side * 0.25, u32(color))
    if label:
        text(low.x + look.px(3) + side, middle - imgui.get_text_line_height() / 2, color, label)
    return clicked


@contextmanager
def combo(look: Look, name: str, preview: str, width: float, font: Font | None = None) -> Iterator[bool]:
    """Draw a field, `width` pixels wide, that opens a list below it; yield whether the list is open.

    The field shows `preview` in `font`, in smaller letters if it does not fit otherwise.
    """
    imgui.set_next_item_width(width)
    arrow, height, face = look.px(20), imgui.get_frame_height(), font or look.fonts.regular
    room = width - arrow - look.px(7)
    flags = imgui.ComboFlags_.no_arrow_button.value | imgui.ComboFlags_.height_large.value
    at = imgui.get_cursor_screen_pos()
    target = imgui.get_window_draw_list()
    with scopes.font(face):
        size = fitting_size(look, preview, room, SMALLEST)
    with scopes.font(face, size):
        cut = shortened(preview, room)
    with scopes.combo(name, cut, flags, face, size) as opened:
        x, y, r = at.x + width - arrow / 2, at.y + height / 2, look.px(4)
        points = ((x - r, y - 0.5 * r), (x + r, y - 0.5 * r), (x, y + 0.6 * r))
        target.add_triangle_filled(*points, u32(look.palette.dim))
        yield opened


def tooltip(look: Look, *lines: str) -> None:
    """Show `lines` while the mouse rests on the last item: the first line in the text's colour, the rest dimmer.

    Nothing is shown while another item is in use, such as a field that is typed in.
    """
    other_in_use = imgui.is_any_item_active() and not imgui.is_item_active()
    if other_in_use or not imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip.value):
        return
    style, wrap = imgui.get_style(), imgui.get_font_size() * TOOLTIP_WIDTH
    sizes = [imgui.calc_text_size(line, False, wrap) for line in lines]
    width = max(size.x for size in sizes) + 2 * style.window_padding.x
    height = sum(size.y + style.item_spacing.y for size in sizes) - style.item_spacing.y + 2 * style.window_padding.y
    with scopes.tooltip(beside_item(look, width, height)) as seen:
        if not seen:
            return
        with scopes.wrapped(wrap):
            for i, line in enumerate(lines):
                with scopes.colored(look.palette.dim if i else look.palette.text):
                    imgui.text_unformatted(line)


def beside_item(look: Look, width: float, height: float) -> tuple[float, float]:
    """Return the upper left corner of a card beside the last item: below or above it, or beside the list it is in."""
    low, high, window = imgui.get_item_rect_min(), imgui.get_item_rect_max(), imgui.get_io().display_size
    gap, edge, own = look.px(4), look.px(2), imgui.internal.get_current_window()
    kinds = imgui.WindowFlags_
    if own.flags & kinds.popup.value and not own.flags & kinds.modal.value:
        y = max(edge, min(low.y, window.y - height - edge))
        if own.pos.x + own.size.x + gap + width <= window.x:
            return own.pos.x + own.size.x + gap, y
        if own.pos.x - gap - width >= 0.0:
            return own.pos.x - gap - width, y
    mouse = max(low.x, min(imgui.get_mouse_pos().x, high.x))
    x = max(edge, min(mouse, window.x - width - edge))
    is_below = high.y + gap + height <= window.y or low.y - gap - height < 0.0
    return x, high.y + gap if is_below else low.y - gap - height
