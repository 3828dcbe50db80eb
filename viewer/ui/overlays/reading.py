"""Windows to be read: the list of keys, and the scene in plain words."""

from viewer.commands import actions
from viewer.common.language import tr
from viewer.scene.words.formatting import named, printable
from viewer.ui.layout import Rect
from viewer.ui.overlay import Modal, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import Look, text, tooltip, width_of
from viewer.ui.widgets.style import u32

SCROLLS = {"Up": -1.0, "Down": 1.0, "PageUp": -16.0, "PageDown": 16.0, "Home": -999.0, "End": 999.0}  # lines
GAP = 24.0  # at scale 1, between a key and what it does
CAP = 3.0  # between a key and the edge of its cap, and between two caps
BETWEEN = 36.0  # between two columns
LEAST = 200.0  # least room for the descriptions of keys in each of two or three columns
NARROW = 160.0  # with less room than this a description stands below its key
WIDTH, MARGIN, PAD = 640.0, 8.0, 16.0  # at scale 1: width of the window of words, margin around it, padding in it
CLOSES, COPIES = ("Escape", "Enter", "Ctrl+D"), "Ctrl+C"

Group = tuple[str, list[tuple[str, str]]]


class Scrolled(Modal):
    """A window that the arrow and page keys scroll."""

    def __init__(self) -> None:
        self._lines = 0.0  # to scroll in the next frame

    def take_key(self, key: str) -> bool:
        """Scroll the window if the key is one that scrolls; return whether it is."""
        self._lines += SCROLLS.get(key, 0.0)
        return key in SCROLLS

    def _scroll(self) -> None:
        """Scroll the window that is being drawn."""
        if self._lines:
            imgui.set_scroll_y(imgui.get_scroll_y() + self._lines * imgui.get_text_line_height())
            self._lines = 0.0


class Keys(Scrolled):
    """The list of keys, in as many columns as there is room for; a click or Escape closes it."""

    fills = True

    def toggle(self) -> None:
        """Open or close the list."""
        self.is_open = not self.is_open

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the list in the middle of the window."""
        if not self.is_open:
            return
        look, (width, height) = canvas.look, canvas.size
        imgui.set_next_window_pos((width / 2, height / 2), 0, (0.5, 0.5))
        room = max(1.0, width - look.px(16)), max(1.0, height - look.px(16))
        imgui.set_next_window_size_constraints((0, 0), room)
        seen = windows.flags("always_auto_resize") & ~imgui.WindowFlags_.no_scrollbar.value
        sizes = {"window_padding": (look.px(20), look.px(16)), "window_border_size": 1.0}
        with scopes.window("Keys", seen, sizes, (look.palette.background, 1.0)):
            columns, wide = _columns(look, room[0] - look.px(52))
            for i, column in enumerate(columns):
                if i:
                    imgui.same_line(0, look.px(BETWEEN))
                _column(look, column, wide)
            self._scroll()
            if imgui.is_window_appearing():
                imgui.set_window_focus()
            elif imgui.is_mouse_clicked(0):
                self.close()


def _columns(look: Look, room: float) -> tuple[list[list[Group]], float]:
    """Return the groups in one, two or three columns, and the width of the descriptions of keys."""
    for count in (3, 2, 1):
        columns = _divided(actions.rows(), count)
        left = room - sum(_key_width(look, column) for column in columns) - (count - 1) * look.px(BETWEEN)
        if left / count >= look.px(LEAST):
            break
    return columns, left / count


def _divided(groups: list[Group], count: int) -> list[list[Group]]:
    """Return the groups in their order, in at most `count` columns of about the same height."""
    tall = [len(lines) + 2 for _, lines in groups]
    even = sum(tall) / count
    columns: list[list[Group]] = [[] for _ in range(count)]
    before = 0.0
    for group, lines in zip(groups, tall, strict=True):
        columns[min(count - 1, int((before + lines / 2) / even))].append(group)
        before += lines
    return [column for column in columns if column]


def _key_width(look: Look, column: list[Group]) -> float:
    return max(width_of(keys) for _, lines in column for keys, _ in lines) + look.px(GAP)


def _write_keys(look: Look, keys: str, caps: bool) -> None:
    """Write keys at the cursor; with `caps`, each stands in the outline of a key's cap."""
    (x, y), pad, high = imgui.get_cursor_screen_pos(), look.px(CAP), imgui.get_text_line_height()
    for key in keys.split(", ") if caps else [keys]:
        if caps:
            end = x + width_of(key) + 2 * pad, y + high + look.px(1)
            imgui.get_window_draw_list().add_rect((x, y - look.px(1)), end, u32(look.palette.dim, 0.5), look.px(4))
        text(x + caps * pad, y, look.palette.accent, key)
        x += width_of(key) + 3 * pad


def _column(look: Look, column: list[Group], width: float) -> None:
    """Draw headings with their lines: keys, and beside or below them their description, wrapped at `width`.

    Keys beside a description have caps, gestures of the mouse have none.
    """
    across = _key_width(look, column)
    with scopes.group():
        for i, (title, lines) in enumerate(column):
            caps = title != tr("Mouse")
            if i:
                imgui.dummy((0.0, look.px(6)))
            with scopes.font(look.fonts.medium):
                imgui.text_unformatted(title)
            for keys, description in lines:
                if width < look.px(NARROW):
                    with scopes.wrapped(imgui.get_cursor_pos_x() + across + width):
                        with scopes.colored(look.palette.accent):
                            imgui.text_unformatted(keys)
                        imgui.text_unformatted(description)
                    continue
                at = imgui.get_cursor_screen_pos()
                _write_keys(look, keys, caps)
                imgui.set_cursor_screen_pos((at.x + across, at.y))
                with scopes.wrapped(imgui.get_cursor_pos_x() + width + 1.0):
                    imgui.text_unformatted(description)


class Words(Scrolled):
    """A window with the scene in words, as it was when they were asked for; Escape or a click beside it closes it."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._copied = False

    def show(self, text: str) -> None:
        """Open the window with this text, at its beginning."""
        self.text, self._copied, self._lines, self.is_open = printable(text), False, SCROLLS["Home"], True

    def take_key(self, key: str) -> bool:
        """Scroll the text, copy it, or close the window."""
        if key in CLOSES:
            self.close()
        elif key == COPIES:
            self.copy()
        return super().take_key(key) or key in (*CLOSES, COPIES)

    def copy(self) -> None:
        """Copy the text to the clipboard, and say so."""
        imgui.set_clipboard_text(self.text)
        self._copied = True

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the text in the middle of the window; it scrolls if it is higher than the window."""
        if not self.is_open:
            return
        look, size = canvas.look, canvas.size
        pad, gap, line = look.px(PAD), look.px(10), imgui.get_text_line_height()
        width = max(1.0, min(look.px(WIDTH), size[0] - 2 * look.px(MARGIN)))
        tall = imgui.calc_text_size(self.text, wrap_width=max(1.0, width - 2 * pad - look.px(MARGIN))).y
        around = 2 * pad + line + imgui.get_frame_height() + 2 * gap
        height = max(1.0, min(tall + around, size[1] - 2 * look.px(MARGIN)))
        rect = Rect(*(round(v) for v in ((size[0] - width) / 2, (size[1] - height) / 2, width, height)))
        with windows.dialog(look, "Words", rect, (PAD, PAD)), scopes.styled(item_spacing=(look.px(6), gap)):
            with scopes.font(look.fonts.medium):
                imgui.text_unformatted(tr("The scene in words"))
            with scopes.child("text", (0.0, max(1.0, height - around))):
                with scopes.wrapped(0.0):
                    imgui.text_unformatted(self.text)
                self._scroll()
            self._buttons(look, width - 2 * pad)
            if not imgui.is_window_appearing() and windows.clicked_beside(rect):
                self.close()

    def _buttons(self, look: Look, room: float) -> None:
        """Draw the button that copies, which then says so, and at the right the button that closes."""
        done = tr("Copied")
        wide = max(look.px(96), *(width_of(name) + look.px(24) for name in (tr("Copy"), done, tr("Close"))))
        left = imgui.get_cursor_pos_x()
        with scopes.colored(look.palette.fill, what="button"):
            if imgui.button(f"{done}###Copy" if self._copied else named("Copy"), (wide, 0.0)):
                self.copy()
        tooltip(look, f"{tr('Ctrl', 'key')}+C")
        imgui.same_line()
        imgui.set_cursor_pos_x(left + room - wide)
        if imgui.button(named("Close"), (wide, 0.0)):
            self.close()
        tooltip(look, tr("Escape", "key"))
