"""The scene in plain words, over the window: to read, to scroll and to copy."""

from viewer.common.language import tr
from viewer.scene.words.formatting import named, printable
from viewer.ui.layout import Rect
from viewer.ui.overlay import Canvas, Modal
from viewer.ui.overlays.keys import SCROLLS
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import Look, tooltip, width_of

WIDTH, MARGIN, PAD = 640.0, 8.0, 16.0  # at scale 1: of the window, around it, within it
CLOSES = ("Escape", "Enter", "Ctrl+D")
COPIES = "Ctrl+C"


class Words(Modal):
    """The text is that of the moment when it was asked for; Escape, its button or a click beside it closes it."""

    def __init__(self) -> None:
        self.text = ""
        self._copied = False
        self._lines = 0.0  # to scroll in the next frame

    def show(self, text: str) -> None:
        """Open the window with this text, at its beginning."""
        self.text, self._copied, self._lines, self.is_open = printable(text), False, SCROLLS["Home"], True

    def take_key(self, key: str) -> bool:
        """Scroll the text, copy it, or close the window."""
        if key in CLOSES:
            self.close()
        elif key == COPIES:
            self.copy()
        self._lines += SCROLLS.get(key, 0.0)
        return key in (*CLOSES, COPIES, *SCROLLS)

    def copy(self) -> None:
        """Copies the text to the clipboard, and says so."""
        imgui.set_clipboard_text(self.text)
        self._copied = True

    def draw(self, canvas: Canvas) -> None:
        """Draw the text in the middle of the window, as high as itself or the window."""
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
                if self._lines:
                    imgui.set_scroll_y(imgui.get_scroll_y() + self._lines * line)
                    self._lines = 0.0
            self._buttons(look, width - 2 * pad)
            if not imgui.is_window_appearing() and windows.clicked_beside(rect):
                self.close()

    def _buttons(self, look: Look, room: float) -> None:
        """Copy, which says that it has, and at the right Close."""
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
