"""The selected one of several bodies: a frame around its cell."""

from viewer.ui.layout import Rect
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.style import u32

INSIDE, ROUND, WIDTH = 2.0, 6.0, 1.5  # px at scale 1: from the cell's edge, of its corners, of the line


def draw_selection(look: Look, cell: Rect) -> None:
    """The frame around a cell."""
    inside = look.px(INSIDE)
    low, high = (cell.x + inside, cell.y + inside), (cell.x + cell.width - inside, cell.y + cell.height - inside)
    color = u32(look.palette.accent, 0.8)
    imgui.get_background_draw_list().add_rect(low, high, color, look.px(ROUND), look.px(WIDTH))
