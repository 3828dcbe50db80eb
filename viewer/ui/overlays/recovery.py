"""The card that offers the unsaved scenes of earlier runs, at the bottom of the scene."""

import time
from collections.abc import Callable

from viewer.common.language import marked, plural, tr
from viewer.scene.words.formatting import named, printable
from viewer.ui.host import Documents
from viewer.ui.layout import Rect
from viewer.ui.overlay import Canvas, Card
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import Look, shortened, text, tooltip, width_of
from viewer.ui.widgets.style import u32
from viewer.user.autosave import Leftover

WIDTH = 430.0  # at scale 1
FIRST = marked("Restore")
DAY = 86400.0  # s


class Recovery(Card):
    """Shows the newest of the scenes that are left, until one of its buttons is pressed."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._later = False

    @property
    def is_open(self) -> bool:
        return self.box is not None

    def draw(self, canvas: Canvas) -> None:
        """Draw the card at the lower left, if there is something to offer, and leave the messages what is above it."""
        look, scene = canvas.look, canvas.free
        left = [] if self._later or canvas.touring else self._documents.unsaved.left
        width = min(look.px(WIDTH), scene.width - look.px(24))
        self.box = None
        if not left or width < look.px(200) or scene.height < look.px(140):
            return
        line = imgui.get_text_line_height()
        height = look.px(30) + 2 * line + look.px(12) + imgui.get_frame_height()
        x, y = scene.x + look.px(12), scene.y + scene.height - look.px(12) - height
        self.box = Rect(round(x), round(y), round(width), round(height))
        self._card(look, self.box, left, line)
        canvas.free = Rect(scene.x, scene.y, scene.width, self.box.y - scene.y)

    def _card(self, look: Look, box: Rect, left: list[Leftover], line: float) -> None:
        p, pad = look.palette, look.px(14)
        with windows.card(look, "Recovery", box):
            imgui.get_window_draw_list().add_rect_filled(
                (box.x, box.y), (box.x + look.px(3), box.y + box.height), u32(p.accent)
            )
            room = box.width - 2 * pad
            others = len(left) - 1
            more = plural(", and {count} more", ", and {count} more", others).format(count=others) if others else ""
            title = shortened(tr("“{title}”").format(title=printable(left[0].title)), room - width_of(more)) + more
            with scopes.font(look.fonts.medium):
                text(box.x + pad, box.y + look.px(12), p.text, title)
            status = _status(left[0].when)
            text(box.x + pad, box.y + look.px(16) + line, p.dim, shortened(status, room))
            imgui.set_cursor_screen_pos((box.x + pad, box.y + look.px(24) + 2 * line))
            documents = self._documents
            actions: tuple[tuple[str, Callable[[], None]], ...] = (
                (FIRST, lambda: documents.restore(left[0])),
                (marked("Not now"), self.close),
                (marked("Delete"), lambda: documents.unsaved.discard(left[0])),
            )
            for name, action in actions:
                with scopes.colored(p.fill if name == FIRST else p.hovered, what="button"):
                    pressed = imgui.button(named(name))
                if name == "Not now":
                    tooltip(look, tr("Escape", "key"))
                if pressed:
                    action()
                    break
                imgui.same_line(0, look.px(6))

    def close(self) -> None:
        """Offer it no more in this window: what is left stays for the next start."""
        self._later = True


def _status(seconds: float) -> str:
    """When the scene was left, with the date where that is more than a day ago."""
    then = time.localtime(seconds)
    if time.time() - seconds < DAY:
        return time.strftime(tr("not saved when Poinsot closed at %H:%M"), then)
    return time.strftime(tr("not saved when Poinsot closed on %Y-%m-%d at %H:%M"), then)
