"""The folded panel: a strip at the right with what leads to it and to the keys."""

from typing import Any

from viewer.ui.draw import Look, icon_button, tooltip, unfold_icon
from viewer.ui.layout import Rect
from viewer.ui.messages import flags
from viewer.ui.native_imgui import imgui
from viewer.ui.style import u32


def draw(look: Look, place: Rect, app: Any) -> None:
    """The whole strip."""
    imgui.set_next_window_pos((place.x, place.y))
    imgui.set_next_window_size(place.size)
    imgui.push_style_var(imgui.StyleVar_.window_rounding.value, 0.0)
    imgui.push_style_var(imgui.StyleVar_.window_min_size.value, (1.0, 1.0))
    imgui.push_style_var(imgui.StyleVar_.window_padding.value, (look.px(5), look.px(10)))
    imgui.begin("Strip", None, flags("no_bring_to_front_on_focus"))
    imgui.pop_style_var(3)
    imgui.get_window_draw_list().add_rect_filled(
        (place.x, place.y), (place.x + 1.0, place.y + place.height), u32(look.palette.line)
    )
    side = look.px(28)
    if icon_button(look, "unfold", unfold_icon, side, side):
        app.toggle_panel()
    tooltip(look, "Show the panel (P)")
    if imgui.button("?", (side, side)):
        app.toggle_keys()
    tooltip(look, "Keys")
    imgui.end()
