"""Pairs of Dear ImGui and ImPlot: what is begun is ended, also where something is raised in between."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from viewer.common.color import Color
from viewer.ui.platform.imgui_module import DrawList, Font, imgui, implot
from viewer.ui.widgets.style import u32


@contextmanager
def colored(color: Color, alpha: float = 1.0, what: str = "text") -> Iterator[None]:
    """One of ImGui's colours is this within the block."""
    imgui.push_style_color(getattr(imgui.Col_, what).value, u32(color, alpha))
    try:
        yield
    finally:
        imgui.pop_style_color()


@contextmanager
def styled(**sizes: Any) -> Iterator[None]:
    """ImGui's sizes of these names are others within the block."""
    for name, size in sizes.items():
        imgui.push_style_var(getattr(imgui.StyleVar_, name).value, size)
    try:
        yield
    finally:
        imgui.pop_style_var(len(sizes))


@contextmanager
def font(which: Font) -> Iterator[None]:
    """Another font of the usual size."""
    imgui.push_font(which, 0.0)
    try:
        yield
    finally:
        imgui.pop_font()


@contextmanager
def wrapped(at: float) -> Iterator[None]:
    """Text breaks at this place in the window, 0: at its edge."""
    imgui.push_text_wrap_pos(at)
    try:
        yield
    finally:
        imgui.pop_text_wrap_pos()


@contextmanager
def window(
    name: str, flags: int, sizes: dict[str, Any], ground: tuple[Color, float] | None = None
) -> Iterator[None]:
    """A window, where the next one is to stand. `sizes` and `ground` are its own, not those of what is in it."""
    with styled(**sizes), colored(*ground, what="window_bg") if ground else nullcontext():
        imgui.begin(name, None, flags)
    try:
        yield
    finally:
        imgui.end()


@contextmanager
def child(
    name: str, size: tuple[float, float], flags: int = 0, ground: Color | None = None
) -> Iterator[None]:
    """A part of a window that scrolls by itself."""
    with colored(ground, what="child_bg") if ground else nullcontext():
        imgui.begin_child(name, size, flags)
    try:
        yield
    finally:
        imgui.end_child()


@contextmanager
def group() -> Iterator[None]:
    """Items that count as one."""
    imgui.begin_group()
    try:
        yield
    finally:
        imgui.end_group()


@contextmanager
def disabled(off: bool) -> Iterator[None]:
    """Items that cannot be used where `off`."""
    imgui.begin_disabled(off)
    try:
        yield
    finally:
        imgui.end_disabled()


@contextmanager
def combo(name: str, shown: str, flags: int, which: Font | None = None) -> Iterator[bool]:
    """A field with a list to choose from; whether the list is open. `which`: the font of what the field shows."""
    with font(which) if which is not None else nullcontext():
        is_open = bool(imgui.begin_combo(name, shown, flags))
    try:
        yield is_open
    finally:
        if is_open:
            imgui.end_combo()


@contextmanager
def modal(name: str, flags: int) -> Iterator[bool]:
    """A popup before everything else; whether it is open."""
    is_open = bool(imgui.begin_popup_modal(name, None, flags)[0])
    try:
        yield is_open
    finally:
        if is_open:
            imgui.end_popup()


@contextmanager
def item_tooltip() -> Iterator[bool]:
    """The tooltip of the last item; whether it is shown."""
    shown = bool(imgui.begin_item_tooltip())
    try:
        yield shown
    finally:
        if shown:
            imgui.end_tooltip()


@contextmanager
def clip(target: DrawList, low: tuple[float, float], high: tuple[float, float]) -> Iterator[None]:
    """What is drawn on `target` stays between these corners, and within what it was to stay in before."""
    target.push_clip_rect(low, high, True)
    try:
        yield
    finally:
        target.pop_clip_rect()


@contextmanager
def plot(name: str, size: tuple[float, float], flags: int) -> Iterator[bool]:
    """A plot; whether it can be seen."""
    seen = bool(implot.begin_plot(f"##{name}", size, flags))
    try:
        yield seen
    finally:
        if seen:
            implot.end_plot()


@contextmanager
def plot_clip() -> Iterator[None]:
    """What is drawn stays within the plot."""
    implot.push_plot_clip_rect()
    try:
        yield
    finally:
        implot.pop_plot_clip_rect()
