"""The command palette: a few letters find a command, and Enter runs it. Every key goes to its text field."""

from collections.abc import Callable

from viewer.common.language import marked, tr
from viewer.ui.layout import Rect
from viewer.ui.overlay import Modal, UiCanvas
from viewer.ui.overlays.commands import Command
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import Look, shortened, text, text_right, width_of
from viewer.ui.widgets.form import TextField
from viewer.ui.widgets.style import u32

LISTED = 10  # lines that are shown at once
FOUND = 200  # lines that can be reached
WIDTH = 560.0  # at scale 1
LONGEST = 100  # the most characters of a query
MOVES = {
    imgui.Key.down_arrow: 1, imgui.Key.up_arrow: -1, imgui.Key.tab: 1, imgui.Key.page_down: LISTED,
    imgui.Key.page_up: -LISTED,
}  # fmt: skip
HELP = marked("Action, preset or field; or set a value: mass 3")


class CommandPalette(Modal):
    """A line to type into, with the matching commands below it."""

    def __init__(self, find: Callable[[str, int], list[Command]]) -> None:
        """Make the palette. `find` returns the commands for a query, the best first, and at most the number given."""
        self._find = find
        self.query = ""
        self.found: list[Command] = []
        self.at = 0  # the line that Enter takes
        self._first = 0  # the uppermost line that is shown
        self._field = TextField()

    def toggle(self) -> None:
        """Open the palette, with nothing typed, or close it."""
        self.is_open = not self.is_open
        self._field = TextField()
        self._search("")

    def take_key(self, key: str) -> bool:
        """Close the palette; all other keys are for its text field."""
        if key not in ("Escape", "Ctrl+K"):
            return False
        self.close()
        return True

    @property
    def typing(self) -> bool:
        return self.is_open

    @property
    def waiting(self) -> bool:
        return self.is_open and self._field.waiting

    def _search(self, query: str) -> None:
        self.query, self.at, self._first = query, 0, 0
        self.found = self._find(query, FOUND) if self.is_open else []

    def _move(self, by: int) -> None:
        last = max(0, len(self.found) - 1)
        wraps = abs(by) == 1
        at = self.at + by
        self.at = at % (last + 1) if wraps else min(last, max(0, at))
        self._first = min(self.at, max(self._first, self.at - LISTED + 1))

    def _run(self, at: int) -> None:
        if at < len(self.found):
            self.close()
            self.found[at].run()

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the palette; a click beside it closes it."""
        if not self.is_open:
            return
        look, size = canvas.look, canvas.size
        line = imgui.get_text_line_height() + look.px(8)
        width = max(1.0, min(look.px(WIDTH), size[0] - look.px(24)))
        top = min(look.px(60), 0.1 * size[1])
        listed = max(1, min(LISTED, int((size[1] - top - 3 * line) / line)))
        first = min(self.at, max(self._first, self.at - listed + 1))
        shown = self.found[first : first + listed]
        tall = look.px(16) + line * (1 + max(1, len(shown))) + look.px(8)
        rect = Rect(round((size[0] - width) / 2), round(top), round(width), round(tall))
        with windows.dialog(look, "CommandPalette", rect):
            self._read(look, rect)
            y = rect.y + look.px(12) + line
            if not shown:
                text(rect.x + look.px(14), y + look.px(4), look.palette.dim, tr("no matches"))
            for i, command in enumerate(shown):
                self._entry(look, rect, y + i * line, line, first + i, command)
            if windows.clicked_beside(rect):
                self.close()

    def _read(self, look: Look, rect: Rect) -> None:
        """Draw the text field, and follow the keys that lead through the list."""
        imgui.set_cursor_screen_pos((rect.x + look.px(8), rect.y + look.px(8)))
        with scopes.styled(frame_padding=(look.px(6), look.px(4))):
            goes_on = self._field.draw("##query", rect.width - look.px(16), LONGEST, tr(HELP))
        if self._field.text != self.query:
            self._search(self._field.text)
        for key, by in MOVES.items():
            if imgui.is_key_pressed(key):
                self._move(-by if key == imgui.Key.tab and imgui.get_io().key_shift else by)
        if any(imgui.is_key_pressed(key, False) for key in (imgui.Key.enter, imgui.Key.keypad_enter)):
            self._run(self.at)
        elif not goes_on and not imgui.is_any_mouse_down():
            self._field = TextField(self.query)

    def _entry(self, look: Look, rect: Rect, y: float, line: float, at: int, command: Command) -> None:
        """Draw the line of a command; moving the mouse over it selects the command, a click runs it."""
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
