"""While a film is being recorded: a dot and the seconds, in the scene's upper left corner. No film shows it."""

from viewer.ui.layout import Rect
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.style import u32

MARGIN, RADIUS = 14.0, 5.0  # px at scale 1


def draw(look: Look, scene: Rect, seconds: float) -> None:
    """The mark of a film of that length so far, behind all windows."""
    target, middle = imgui.get_background_draw_list(), 0.5 * imgui.get_text_line_height()
    x, y, radius = scene.x + look.px(MARGIN), scene.y + look.px(MARGIN), look.px(RADIUS)
    target.add_circle_filled((x + radius, y + middle), radius, u32(look.palette.danger))
    target.add_text((x + 3 * radius, y), u32(look.palette.text), f"{seconds:.0f} s")
