"""The command palette: type a few letters of what is wanted, Enter does it. It takes every key while it is open."""

from typing import Any

from viewer.ui.layout import Rect
from viewer.ui.overlays.commands import Command, find
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import windows
from viewer.ui.widgets.drawing import Look, shortened, text, text_right, width_of
from viewer.ui.widgets.style import u32

LISTED = 10  # lines that are shown at once
FOUND = 200  # that can be reached
WIDTH = 560.0  # at scale 1
HELP = "Action, preset or field; or set a value: mass 3"


class CommandPalette:
    """A line to type into, with the matching commands below it."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self.is_open = False
        self.query = ""
        self.found: list[Command] = []
        self.at = 0  # the line that Enter takes
        self._first = 0  # the uppermost line that is shown
        self._selected = False  # the whole query: what is typed next replaces it

    def toggle(self) -> None:
        """Opens or closes it; it opens empty."""
        self.is_open = not self.is_open
        self._type("")

    def take_key(self, key: str) -> bool:
        """Whether a key, written as in the table of actions, is for the palette: all are while it is open."""
        if not self.is_open:
            return False
        moves = {"Down": 1, "Tab": 1, "Up": -1, "Shift+Tab": -1, "PageDown": LISTED, "PageUp": -LISTED}
        if key in ("Escape", "Ctrl+K"):
            self.is_open = False
        elif key == "Enter":
            self._run(self.at)
        elif key in moves:
            self._move(moves[key])
        elif key == "Ctrl+A":
            self._selected = bool(self.query)
        elif key in ("Ctrl+Backspace", "Ctrl+U") or (key == "Backspace" and self._selected):
            self._type("")
        elif key == "Backspace":
            self._type(self.query[:-1])
        elif key == "Ctrl+V":
            self.take_text(imgui.get_clipboard_text() or "")
        return True

    def take_text(self, typed: str) -> bool:
        """The same for typed text."""
        if self.is_open:
            before = "" if self._selected else self.query
            self._type(before + "".join(letter for letter in typed if letter.isprintable()))
        return self.is_open

    def _type(self, query: str) -> None:
        self.query, self.at, self._first, self._selected = query[:100], 0, 0, False
        self.found = find(self._app, self.query, FOUND) if self.is_open else []

    def _move(self, by: int) -> None:
        last = max(0, len(self.found) - 1)
        wraps = abs(by) == 1
        at = self.at + by
        self.at = at % (last + 1) if wraps else min(last, max(0, at))
        self._first = min(self.at, max(self._first, self.at - LISTED + 1))

    def _run(self, at: int) -> None:
        if at < len(self.found):
            self.is_open = False
            self.found[at].run(self._app)

    def draw(self, look: Look, size: tuple[int, int]) -> None:
        """Draws it over an interface of `size` pixels; a click beside it closes it."""
        if not self.is_open:
            return
        line = imgui.get_text_line_height() + look.px(8)
        width = max(1.0, min(look.px(WIDTH), size[0] - look.px(24)))
        top = min(look.px(60), 0.1 * size[1])
        listed = max(1, min(LISTED, int((size[1] - top - 3 * line) / line)))
        first = min(self.at, max(self._first, self.at - listed + 1))
        shown = self.found[first : first + listed]
        tall = look.px(16) + line * (1 + max(1, len(shown))) + look.px(8)
        rect = Rect(round((size[0] - width) / 2), round(top), round(width), round(tall))
        with windows.sheet(look, "CommandPalette", rect):
            self._line(look, rect, line)
            y = rect.y + look.px(12) + line
            if not shown:
                text(rect.x + look.px(14), y + look.px(4), look.palette.dim, "no matches")
            for i, command in enumerate(shown):
                self._entry(look, rect, y + i * line, line, first + i, command)
            if windows.clicked_beside(rect):
                self.is_open = False

    def _line(self, look: Look, rect: Rect, line: float) -> None:
        """What has been typed, with a cursor behind it."""
        p, x, y = look.palette, rect.x + look.px(14), rect.y + look.px(8)
        target = imgui.get_window_draw_list()
        target.add_rect_filled(
            (rect.x + look.px(8), y),
            (rect.x + rect.width - look.px(8), y + line),
            u32(p.raised),
            look.px(4),
        )
        query = shortened(self.query[::-1], rect.width - look.px(36))[::-1]
        if self._selected:
            target.add_rect_filled(
                (x, y + look.px(3)), (x + width_of(query), y + line - look.px(3)), u32(p.fill)
            )
        used = text(x, y + look.px(4), p.text, query)
        target.add_rect_filled(
            (x + used + 1, y + look.px(5)), (x + used + 2, y + line - look.px(5)), u32(p.text)
        )
        if not self.query:
            text(x + look.px(6), y + look.px(4), p.dim, shortened(HELP, rect.width - look.px(40)))

    def _entry(self, look: Look, rect: Rect, y: float, line: float, at: int, command: Command) -> None:
        """One line; the mouse over it chooses it, a click does it."""
        p = look.palette
        imgui.set_cursor_screen_pos((rect.x + look.px(8), y))
        clicked = imgui.invisible_button(f"{command.title}##{at}", (max(1.0, rect.width - look.px(16)), line))
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        moved = imgui.get_io().mouse_delta
        if imgui.is_item_hovered() and (moved.x or moved.y):
            self.at = at
        if at == self.at:
            imgui.get_window_draw_list().add_rect_filled(low, high, u32(p.fill), look.px(4))
        room = high.x - low.x - look.px(24)
        title = shortened(command.title, room)
        hint = shortened(command.hint, room - width_of(title))
        text(low.x + look.px(6), y + look.px(4), p.text, title)
        text_right(high.x - look.px(6), y + look.px(4), p.dim, hint)
        if clicked:
            self._run(at)
