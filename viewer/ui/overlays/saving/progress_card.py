"""The card in the scene's upper right corner that shows how far a file is that is being saved."""

from viewer.common.language import tr
from viewer.export.writer import Writer
from viewer.scene.words.formatting import printable
from viewer.ui.layout import Rect
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import windows
from viewer.ui.widgets.drawing import Look, shortened, text, width_of
from viewer.ui.widgets.style import u32

WIDTH, MARGIN, PAD = 320.0, 12.0, 12.0  # at scale 1


class ProgressCard:
    """A bar, how long it will still take, and a button that cancels it."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.box: Rect | None = None  # of what was drawn last

    def covers(self, x: float, y: float) -> bool:
        """Whether (x, y) lies on the card."""
        return self.box is not None and self.box.holds(x, y)

    def draw(self, look: Look, scene: Rect, hidden: bool) -> None:
        """The card while a file is being saved, not while the interface is `hidden`."""
        self.box, job = None, self._writer.job
        if job is None or hidden:
            return
        p, pad, margin, line = look.palette, look.px(PAD), look.px(MARGIN), imgui.get_text_line_height()
        width = min(look.px(WIDTH), scene.width - 2 * margin)
        height = 2 * line + imgui.get_frame_height() + look.px(26)
        if width < look.px(120) or height + 2 * margin > scene.height:
            return
        left, top = scene.x + scene.width - width - margin, scene.y + margin
        self.box = Rect(round(left), round(top), round(width), round(height))
        with windows.card(look, "Saving", self.box):
            x, room, target = left + pad, width - 2 * pad, imgui.get_window_draw_list()
            text(x, top + look.px(7), p.text, shortened(printable(job.path.name), room))
            y = top + look.px(7) + line + look.px(4)
            text(x, y, p.dim, shortened(job.text, room))
            y += line + look.px(6)
            cancel = tr("Cancel")
            button, tall = width_of(cancel) + look.px(20), imgui.get_frame_height()
            end, middle, half = x + room - button - look.px(10), y + tall / 2, look.px(3)
            target.add_rect_filled((x, middle - half), (end, middle + half), u32(p.active), half)
            done = x + (end - x) * job.fraction
            target.add_rect_filled((x, middle - half), (done, middle + half), u32(p.accent), half)
            imgui.set_cursor_screen_pos((x + room - button, y))
            if imgui.button(f"{cancel}###cancel saving", (button, 0.0)):
                self._writer.cancel()
