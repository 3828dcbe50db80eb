"""The edge of the panel and of the plots, which can be dragged; a double click puts it back."""

from viewer.scenario.field import Number
from viewer.ui.layout import Rect
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.style import u32
from viewer.user.settings import Settings, default_of, setting_at

WIDTH = 5.0  # at scale 1: where the mouse takes it
TAKEN = 2.0  # at scale 1: as it is drawn under the mouse; else as a line of one pixel


class Splitter:
    """The left edge of a part of the interface, or its upper one: a setting, the part's size there, follows it."""

    def __init__(self, settings: Settings, path: str, upper: bool) -> None:
        self._settings, self._path, self._upper = settings, path, upper
        self._before = 0.0  # the size when it was taken

    def draw(self, look: Look, rect: Rect) -> None:
        """Draws the edge of the part at `rect`, and lets the mouse drag it."""
        inside = imgui.get_cursor_screen_pos()
        imgui.set_cursor_screen_pos((rect.x, rect.y))
        imgui.invisible_button(f"##{self._path.partition('.')[0]} edge", self._along(rect, look.px(WIDTH)))
        taken = imgui.is_item_hovered() or imgui.is_item_active()
        if taken:
            cursors = imgui.MouseCursor_
            imgui.set_mouse_cursor((cursors.resize_ns if self._upper else cursors.resize_ew).value)
        right, down = self._along(rect, look.px(TAKEN) if taken else 1.0)
        color = look.palette.accent if taken else look.palette.line
        corners = (rect.x, rect.y), (rect.x + right, rect.y + down)
        imgui.get_window_draw_list().add_rect_filled(*corners, u32(color))
        if imgui.is_item_activated():
            self._before = (rect.height if self._upper else rect.width) / look.scale
        if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0):
            self._settings.change(self._path, default_of(self._path))
        elif imgui.is_item_active() and imgui.is_mouse_dragging(0, 1.0):
            drag, field = imgui.get_mouse_drag_delta(0, 0.0), setting_at(self._path, Number)
            size = self._before - (drag.y if self._upper else drag.x) / look.scale
            self._settings.change(self._path, min(field.high, max(field.low, float(round(size)))))
        imgui.set_cursor_screen_pos(inside)

    def _along(self, rect: Rect, width: float) -> tuple[float, float]:
        """Right and down: a piece `width` wide along the edge."""
        return (max(1.0, rect.width), width) if self._upper else (width, max(1.0, rect.height))
