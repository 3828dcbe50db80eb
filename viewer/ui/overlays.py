"""What lies over the scene: the line of messages at its bottom and the list of keys."""

import time
from collections.abc import Callable

from viewer.ui import actions
from viewer.ui.draw import Look, cross_icon, icon_button, text, width_of
from viewer.ui.layout import Rect
from viewer.ui.native_imgui import imgui
from viewer.ui.style import u32
from viewer.ui.text import printable

NOTICE_SECONDS = 4.0  # that a notice stays; an error stays until it is closed or another message comes
FLAGS = ("no_decoration", "no_move", "no_saved_settings", "no_nav", "no_focus_on_appearing")


def flags(*names: str) -> int:
    """ImGui's window flags by name."""
    value = 0
    for name in (*FLAGS, *names):
        value |= getattr(imgui.WindowFlags_, name).value
    return value


class Messages:
    """One line at the bottom of the scene: what the app has to say, else what the session says."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._text: str | None = None
        self._error = False
        self._until = 0.0
        self._closed: str | None = None  # the session's message that the user has closed
        self.box: tuple[float, float, float, float] | None = (
            None  # left, top, right, bottom of the line last drawn
        )

    def error(self, words: str) -> None:
        """Shows an error until it is closed."""
        self._text, self._error, self._until = printable(words), True, float("inf")

    def notice(self, words: str) -> None:
        """Shows a notice for a few seconds."""
        self._text, self._error, self._until = printable(words), False, self._clock() + NOTICE_SECONDS

    def clear(self) -> None:
        """Takes the app's own message away."""
        self._text = None

    def current(self, session_message: str | None) -> tuple[str, bool] | None:
        """The line to show and whether it is an error; None for nothing."""
        if self._text is not None and self._clock() >= self._until:
            self._text = None
        if session_message is None:
            self._closed = None
        if self._text is not None:
            return self._text, self._error
        if session_message is not None and session_message != self._closed:
            return session_message, True
        return None

    def wait(self) -> float | None:
        """Seconds until a notice ends; None where nothing is to end by itself."""
        if self._text is None or self._until == float("inf"):
            return None
        return max(0.0, self._until - self._clock())

    def draw(self, look: Look, scene: Rect, session_message: str | None, hidden: bool) -> None:
        """Draws the line at the bottom of the scene; notices not while `hidden`."""
        line = self.current(session_message)
        self.box = None
        width, height = scene.size
        if line is None or (hidden and not line[1]) or width < look.px(80) or height < look.px(60):
            return
        words, error = line
        p, margin, pad, button = look.palette, look.px(12), look.px(12), look.px(22)
        room = width - 2 * margin - 2 * pad - button
        wrapped = imgui.calc_text_size(words, False, room)
        box = (min(wrapped.x, room) + 2 * pad + button, wrapped.y + 2 * look.px(8))
        x, y = scene.x + margin, scene.y + height - margin - box[1]
        imgui.set_next_window_pos((x, y))
        imgui.set_next_window_size(box)
        imgui.push_style_color(imgui.Col_.window_bg.value, u32(p.raised, 0.96))
        imgui.begin("Message", None, flags())
        imgui.pop_style_color()
        self.box = (x, y, x + box[0], y + box[1])
        stripe = p.danger if error else p.accent
        imgui.get_window_draw_list().add_rect_filled((x, y), (x + look.px(3), y + box[1]), u32(stripe))
        imgui.set_cursor_screen_pos((x + pad, y + look.px(8)))
        imgui.push_text_wrap_pos(pad + room + 1.0)
        imgui.text_unformatted(words)
        imgui.pop_text_wrap_pos()
        imgui.set_cursor_screen_pos((x + box[0] - button - look.px(4), y + (box[1] - button) / 2))
        if icon_button(look, "close", cross_icon, button, button, plain=True):
            if self._text is None:
                self._closed = session_message
            self.clear()
        imgui.end()


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
