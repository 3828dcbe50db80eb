"""The list of keys over the scene."""

from collections.abc import Callable

from viewer.ui import actions
from viewer.ui.draw import Look, text, width_of
from viewer.ui.layout import Rect
from viewer.ui.messages import flags
from viewer.ui.native_imgui import imgui
from viewer.ui.style import u32


def draw_keys(look: Look, scene: Rect, close: Callable[[], None]) -> None:
    """The list of keys over the middle of the scene; a click anywhere closes it."""
    p, (width, height) = look.palette, scene.size
    imgui.set_next_window_pos((scene.x + width / 2, scene.y + height / 2), 0, (0.5, 0.5))
    imgui.set_next_window_size_constraints(
        (0, 0), (max(1.0, width - look.px(16)), max(1.0, height - look.px(16)))
    )
    imgui.push_style_var(imgui.StyleVar_.window_padding.value, (look.px(20), look.px(16)))
    imgui.push_style_color(imgui.Col_.window_bg.value, u32(p.background, 0.97))
    imgui.begin("Keys", None, flags("always_auto_resize") & ~imgui.WindowFlags_.no_scrollbar.value)
    imgui.pop_style_color()
    imgui.pop_style_var()
    two = width >= look.px(640)
    groups = actions.rows()
    halves = [groups[:2], groups[2:]] if two else [groups]
    for i, half in enumerate(halves):
        if i:
            imgui.same_line(0, look.px(36))
        column = max(width_of(keys) for _, lines in half for keys, _ in lines) + look.px(24)
        imgui.begin_group()
        for j, (title, lines) in enumerate(half):
            _group(look, title, lines, column, first=j == 0)
        imgui.end_group()
    if imgui.is_window_appearing():
        imgui.set_window_focus()
    elif imgui.is_mouse_clicked(0):
        close()
    imgui.end()


def _group(look: Look, title: str, lines: list[tuple[str, str]], column: float, first: bool) -> None:
    """A heading and its lines: keys in one column, what they do in the next."""
    p = look.palette
    if not first:
        imgui.dummy((0.0, look.px(6)))
    imgui.push_font(look.fonts.medium, 0.0)
    imgui.text_unformatted(title)
    imgui.pop_font()
    for keys, description in lines:
        at = imgui.get_cursor_screen_pos()
        imgui.dummy((column + width_of(description), imgui.get_text_line_height()))
        text(at.x, at.y, p.accent, keys)
        text(at.x + column, at.y, p.text, description)
