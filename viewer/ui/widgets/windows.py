"""The windows of Dear ImGui that hold the interface: at a side of the scene, or as a card over it."""

import contextlib
from collections.abc import Iterator
from typing import Any

from viewer.common.color import Color
from viewer.scenario.field import Number
from viewer.ui.layout import Rect
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.style import u32
from viewer.user.settings import Settings, default_of, setting_at

FLAGS = ("no_decoration", "no_move", "no_saved_settings", "no_nav", "no_focus_on_appearing")
BESIDE = (18.0, 20.0)  # px at scale 1 from the pointer to the corner of a card, across and down
EDGE = 4.0  # px at scale 1 from such a card to the edge of its area
SPLITTER = 5.0  # px at scale 1 in which the mouse can take the edge of a part
TAKEN = 2.0  # px at scale 1: width of that edge under the mouse; else it is one pixel wide
DOCKED = ("no_bring_to_front_on_focus", "no_scroll_with_mouse")


def flags(*names: str) -> int:
    """Return the flags that every window has, with those of these names."""
    value = 0
    for name in (*FLAGS, *names):
        value |= getattr(imgui.WindowFlags_, name).value
    return value


Pad = tuple[float, float] | None  # padding around a window's contents, at scale 1; None for the default


def docked(look: Look, name: str, rect: Rect, pad: Pad = None) -> scopes.Scope:
    """Begin a part of the interface beside the scene."""
    sizes = {"window_rounding": 0.0, "window_min_size": (1.0, 1.0)}
    return _window(look, name, rect, pad, DOCKED, sizes)


def card(look: Look, name: str, rect: Rect, mouse: bool = True, lowest: bool = False) -> scopes.Scope:
    """Begin a card over the scene.

    `mouse`: whether the card takes the mouse. `lowest`: it lies under all other cards, whichever came first.
    """
    names = (*(() if mouse else ("no_mouse_inputs",)), *(("no_bring_to_front_on_focus",) if lowest else ()))
    return _window(look, name, rect, None, names, {}, (look.palette.raised, 1.0))


@contextlib.contextmanager
def dialog(look: Look, name: str, rect: Rect, pad: Pad = None) -> Iterator[None]:
    """Begin a window with an edge, over everything; it gets the focus when it appears."""
    with _window(look, name, rect, pad, (), {"window_border_size": 1.0}, (look.palette.background, 1.0)):
        if imgui.is_window_appearing():
            imgui.set_window_focus()
        yield


def veil(size: tuple[float, float]) -> None:
    """Dim the whole window, `size` in pixels, behind what is begun next, as Dear ImGui does behind a popup."""
    imgui.set_next_window_pos((0.0, 0.0))
    imgui.set_next_window_size(size)
    with scopes.window("Veil", flags("no_inputs", "no_background"), {"window_rounding": 0.0}):
        if imgui.is_window_appearing():
            imgui.set_window_focus()
        color = imgui.get_color_u32(imgui.Col_.modal_window_dim_bg.value)
        imgui.get_window_draw_list().add_rect_filled((0.0, 0.0), size, color)


def _window(
    look: Look,
    name: str,
    rect: Rect,
    pad: Pad,
    names: tuple[str, ...],
    sizes: dict[str, Any],
    ground: tuple[Color, float] | None = None,
) -> scopes.Scope:
    """Begin a window with these flags, style sizes and colour, which are for the window and not for its contents."""
    if pad is not None:
        sizes = {**sizes, "window_padding": (look.px(pad[0]), look.px(pad[1]))}
    imgui.set_next_window_pos((rect.x, rect.y))
    imgui.set_next_window_size(rect.size)
    return scopes.window(name, flags(*names), sizes, ground)


@contextlib.contextmanager
def modal(
    look: Look,
    name: str,
    size: tuple[float, float],
    window: tuple[float, float],
    opening: bool,
    top: float | None = None,
) -> Iterator[bool]:
    """Begin a popup in front of everything else; yield whether it is open.

    It is opened now if `opening`. It has this `size`, or less in a smaller window. It stands in the middle of the
    window, whose size is `window`, or with its upper edge at `top` as far as there is room below.
    """
    if opening:
        imgui.open_popup(name)
    wide, high = (min(one, max(side - look.px(16), 1.0)) for one, side in zip(size, window, strict=True))
    middle = (window[1] - high) / 2
    top = middle if top is None else max(min(top, 2 * middle - look.px(8)), look.px(8))
    names = ("no_title_bar", "no_move", "no_resize", "no_saved_settings", "no_scrollbar", "no_scroll_with_mouse")
    imgui.set_next_window_pos((window[0] / 2, top), 0, (0.5, 0.0))
    imgui.set_next_window_size((wide, high))
    with scopes.modal(name, sum(getattr(imgui.WindowFlags_, flag).value for flag in names)) as seen:
        yield seen


def beside(look: Look, area: Rect, pointer: tuple[float, float], size: tuple[float, float]) -> tuple[float, float]:
    """Return the upper left corner of a card in `area`: at the lower right of the pointer, or at its left or above."""
    right, down = (look.px(away) for away in BESIDE)
    edge = look.px(EDGE)
    x, y = pointer[0] + right, pointer[1] + down
    if x + size[0] + edge > area.x + area.width:
        x = pointer[0] - right - size[0]
    if y + size[1] + edge > area.y + area.height:
        y = pointer[1] - 0.6 * down - size[1]
    x = min(max(x, area.x + edge), area.x + area.width - size[0] - edge)
    return x, max(min(y, area.y + area.height - size[1] - edge), area.y + edge)


def clicked_beside(rect: Rect) -> bool:
    """Return whether the mouse has just been pressed outside `rect`."""
    mouse = imgui.get_mouse_pos()
    return bool(imgui.is_mouse_clicked(0)) and not rect.holds(mouse.x, mouse.y)


def stripe(look: Look, rect: Rect, color: Color) -> None:
    """Draw the coloured left edge of a card that should be read."""
    corners = (rect.x, rect.y), (rect.x + look.px(3), rect.y + rect.height)
    imgui.get_window_draw_list().add_rect_filled(*corners, u32(color))


def line(look: Look, rect: Rect, upper: bool) -> None:
    """Draw the edge of a part towards the scene: its upper edge if `upper`, else its left one."""
    right, down = (rect.width, 1.0) if upper else (1.0, rect.height)
    corners = (rect.x, rect.y), (rect.x + right, rect.y + down)
    imgui.get_window_draw_list().add_rect_filled(*corners, u32(look.palette.line))


class Splitter:
    """The left or upper edge of a part of the interface; dragging it changes the setting for the part's size."""

    def __init__(self, settings: Settings, path: str, upper: bool) -> None:
        self._settings, self._path, self._upper = settings, path, upper
        self._before = 0.0  # the size when the edge was taken

    def draw(self, look: Look, rect: Rect) -> None:
        """Draw the edge of the part at `rect`, and let the mouse drag it."""
        inside = imgui.get_cursor_screen_pos()
        imgui.set_cursor_screen_pos((rect.x, rect.y))
        imgui.invisible_button(f"##{self._path.partition('.')[0]} edge", self._along(rect, look.px(SPLITTER)))
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
        """Return the size, across and down, of a strip along the edge that is `width` pixels thick."""
        return (max(1.0, rect.width), width) if self._upper else (width, max(1.0, rect.height))
