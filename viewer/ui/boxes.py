"""What the interface is laid out in: Dear ImGui's windows, at a side of the scene or as a card over it."""

import contextlib
from collections.abc import Iterator

from viewer.ui.draw import Look
from viewer.ui.layout import Rect
from viewer.ui.native_imgui import imgui
from viewer.ui.style import u32

FLAGS = ("no_decoration", "no_move", "no_saved_settings", "no_nav", "no_focus_on_appearing")
DOCKED = ("no_bring_to_front_on_focus", "no_scroll_with_mouse")


def flags(*names: str) -> int:
    """The flags of every window, and those of these names."""
    value = 0
    for name in (*FLAGS, *names):
        value |= getattr(imgui.WindowFlags_, name).value
    return value


Pad = tuple[float, float] | None  # around what is in a window, at scale 1; None: as usual


@contextlib.contextmanager
def docked(look: Look, name: str, place: Rect, pad: Pad = None) -> Iterator[None]:
    """A part of the interface beside the scene."""
    imgui.push_style_var(imgui.StyleVar_.window_rounding.value, 0.0)
    imgui.push_style_var(imgui.StyleVar_.window_min_size.value, (1.0, 1.0))
    _begin(look, name, place, pad, flags(*DOCKED))
    imgui.pop_style_var(2)
    yield
    imgui.end()


@contextlib.contextmanager
def card(look: Look, name: str, place: Rect) -> Iterator[None]:
    """A card over the scene, which shines through a little."""
    imgui.push_style_color(imgui.Col_.window_bg.value, u32(look.palette.raised, 0.97))
    _begin(look, name, place, None, flags())
    imgui.pop_style_color()
    yield
    imgui.end()


@contextlib.contextmanager
def sheet(look: Look, name: str, place: Rect, pad: Pad = None) -> Iterator[None]:
    """A sheet with an edge, over everything; it gets the focus when it appears."""
    imgui.push_style_color(imgui.Col_.window_bg.value, u32(look.palette.background, 0.98))
    imgui.push_style_var(imgui.StyleVar_.window_border_size.value, 1.0)
    _begin(look, name, place, pad, flags())
    imgui.pop_style_var()
    imgui.pop_style_color()
    if imgui.is_window_appearing():
        imgui.set_window_focus()
    yield
    imgui.end()


def _begin(look: Look, name: str, place: Rect, pad: Pad, value: int) -> None:
    imgui.set_next_window_pos((place.x, place.y))
    imgui.set_next_window_size(place.size)
    if pad is not None:
        imgui.push_style_var(imgui.StyleVar_.window_padding.value, (look.px(pad[0]), look.px(pad[1])))
    imgui.begin(name, None, value)
    if pad is not None:
        imgui.pop_style_var()


def clicked_beside(place: Rect) -> bool:
    """Whether the mouse has just been pressed outside of a place."""
    mouse = imgui.get_mouse_pos()
    return bool(imgui.is_mouse_clicked(0)) and not place.holds(mouse.x, mouse.y)


def line(look: Look, place: Rect, upper: bool) -> None:
    """The edge towards the scene: the upper one, else the left one."""
    right, down = (place.width, 1.0) if upper else (1.0, place.height)
    corners = (place.x, place.y), (place.x + right, place.y + down)
    imgui.get_window_draw_list().add_rect_filled(*corners, u32(look.palette.line))
