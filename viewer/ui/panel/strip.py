"""The folded panel: a strip at the right with what leads to it and to the keys."""

from typing import Any

from viewer.ui.layout import Rect
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import windows
from viewer.ui.widgets.drawing import Look, icon_button, tooltip, unfold_icon


def draw(look: Look, place: Rect, app: Any) -> None:
    """The whole strip."""
    with windows.docked(look, "Strip", place, (5, 10)):
        windows.line(look, place, upper=False)
        side = look.px(28)
        if icon_button(look, "unfold", unfold_icon, side, side):
            app.toggle_panel()
        tooltip(look, "Show the panel (P)")
        if imgui.button("?", (side, side)):
            app.toggle_keys()
        tooltip(look, "Keys")
