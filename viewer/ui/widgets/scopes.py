"""Scopes of Dear ImGui and ImPlot as contexts: what is begun is also ended if an exception is raised in between.

A function here begins its scope when it is called, so call it only in a `with` statement.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

from viewer.common.color import Color
from viewer.ui.platform.imgui_module import DrawList, Font, imgui, implot
from viewer.ui.widgets.style import u32

Scope = AbstractContextManager[bool]


class _Ended(AbstractContextManager[bool]):
    """A scope that yields whether it was `begun` and, if so, calls `by` at its end.

    A generator would take twice as long, and a frame opens 80 scopes.
    """

    def __init__(self, by: Callable[[], object], begun: bool = True) -> None:
        self._by, self._begun = by, begun

    def __enter__(self) -> bool:
        return self._begun

    def __exit__(self, *_: object) -> None:
        if self._begun:
            self._by()


@cache
def _number(kind: str, name: str) -> int:
    """Return the number of a name in one of ImGui's enumerations."""
    number: int = getattr(getattr(imgui, kind), name).value
    return number


def colored(color: Color, alpha: float = 1.0, what: str = "text") -> Scope:
    """Set one of ImGui's colours within the block."""
    imgui.push_style_color(_number("Col_", what), u32(color, alpha))
    return _Ended(imgui.pop_style_color)


def styled(**sizes: Any) -> Scope:
    """Set ImGui's sizes of these names within the block."""
    for name, size in sizes.items():
        imgui.push_style_var(_number("StyleVar_", name), size)
    return _Ended(lambda: imgui.pop_style_var(len(sizes)))


def font(which: Font, size: float = 0.0) -> Scope:
    """Set another font within the block, of the present size, or `size` pixels high at scale 1."""
    imgui.push_font(which, size)
    return _Ended(imgui.pop_font)


def wrapped(at: float) -> Scope:
    """Wrap text within the block at this x in the window, or at the window's edge if `at` is 0."""
    imgui.push_text_wrap_pos(at)
    return _Ended(imgui.pop_text_wrap_pos)


def window(name: str, flags: int, sizes: dict[str, Any], ground: tuple[Color, float] | None = None) -> Scope:
    """Begin a window, whose position has been set; `sizes` and `ground` are for the window and not for its contents."""
    with styled(**sizes), colored(*ground, what="window_bg") if ground else nullcontext():
        imgui.begin(name, None, flags)
    return _Ended(imgui.end)


def child(name: str, size: tuple[float, float], flags: int = 0, ground: Color | None = None) -> Scope:
    """Begin a part of a window that scrolls by itself."""
    with colored(ground, what="child_bg") if ground else nullcontext():
        imgui.begin_child(name, size, flags)
    return _Ended(imgui.end_child)


def group() -> Scope:
    """Let the items within the block count as one."""
    imgui.begin_group()
    return _Ended(imgui.end_group)


def disabled(off: bool) -> Scope:
    """Disable the items within the block if `off` is true."""
    imgui.begin_disabled(off)
    return _Ended(imgui.end_disabled)


def combo(name: str, shown: str, flags: int, which: Font, size: float) -> Scope:
    """Draw a field with a list to choose from, and begin the list if it is open.

    `which` and `size` are the font of the text `shown` in the field; they do not change the field's height.
    """
    height, padding, window = (
        imgui.get_frame_height(),
        imgui.get_style().frame_padding,
        imgui.internal.get_current_window(),
    )
    with font(which, size), styled(frame_padding=(padding.x, (height - imgui.get_font_size()) / 2)):
        opened = bool(imgui.begin_combo(name, shown, flags))
    window.dc.prev_line_text_base_offset = padding.y  # else smaller letters would move the text beside the field
    return _Ended(imgui.end_combo, opened)


def modal(name: str, flags: int) -> Scope:
    """Begin a popup in front of everything else, if it is open."""
    return _Ended(imgui.end_popup, bool(imgui.begin_popup_modal(name, None, flags)[0]))


def popup(name: str) -> Scope:
    """Begin a list, if it is open; `imgui.open_popup` opens it, and a press beside it closes it."""
    return _Ended(imgui.end_popup, bool(imgui.begin_popup(name)))


def tooltip(at: tuple[float, float]) -> Scope:
    """Begin a tooltip with its upper left corner at this point, if it is shown."""
    imgui.set_next_window_pos(at)
    return _Ended(imgui.end_tooltip, bool(imgui.begin_tooltip()))


def clip(target: DrawList, low: tuple[float, float], high: tuple[float, float]) -> Scope:
    """Clip drawing on `target` to these corners and to its present clip rectangle, within the block."""
    target.push_clip_rect(low, high, True)
    return _Ended(target.pop_clip_rect)


def plot(name: str, size: tuple[float, float], flags: int) -> Scope:
    """Begin a plot, if it can be seen."""
    return _Ended(implot.end_plot, bool(implot.begin_plot(f"##{name}", size, flags)))


def plot_clip() -> Scope:
    """Clip drawing to the plot, within the block."""
    implot.push_plot_clip_rect()
    return _Ended(implot.pop_plot_clip_rect)
