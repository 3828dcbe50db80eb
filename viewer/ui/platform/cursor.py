"""The mouse cursor as the interface draws it, where a stereo mode needs one in each eye's picture.

Outlines in pixels at scale 1, clockwise round or beside the point that the cursor points at; y downwards.
"""

from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.style import u32

BORDER = (0.05, 0.05, 0.05)
INSIDE = (0.97, 0.97, 0.97)

Outline = tuple[tuple[float, float], ...]

ARROW: Outline = ((0, 0), (11.6, 12), (6.4, 12), (9, 17.9), (6.4, 19), (3.8, 13), (0, 16.5))
BEAM: Outline = (
    (-4, -9), (0, -7.6), (4, -9), (4, -7), (1, -6), (1, 6), (4, 7),
    (4, 9), (0, 7.6), (-4, 9), (-4, 7), (-1, 6), (-1, -6), (-4, -7),
)  # fmt: skip
ACROSS: Outline = (
    (-11, 0), (-6, -5), (-6, -1.5), (6, -1.5), (6, -5), (11, 0), (6, 5), (6, 1.5), (-6, 1.5), (-6, 5),
)  # fmt: skip
HAND: Outline = (
    (-1.5, 0), (0.5, 0), (1, 6), (3, 5.5), (4, 6.5), (6, 6), (7, 7.5), (8.7, 7.3), (9.5, 8.5), (9.5, 13), (7.5, 19),
    (-1.5, 19), (-6.5, 12), (-5.5, 10.5), (-4, 11), (-2.2, 13), (-2.2, 1),
)  # fmt: skip
ARM: Outline = ((-1.5, -6), (-4.5, -6), (0, -11), (4.5, -6), (1.5, -6), (1.5, -1.5))


def _turned(outline: Outline, quarters: int) -> Outline:
    """Turned clockwise by quarter turns."""
    for _ in range(quarters):
        outline = tuple((-y, x) for x, y in outline)
    return outline


# by pyglet's names of the system's cursors, as `imgui_input.CURSORS` has them; what is not here is the arrow
OUTLINES: dict[str, Outline] = {
    "text": BEAM,
    "hand": HAND,
    "size_left_right": ACROSS,
    "size_up_down": _turned(ACROSS, 1),
    "size": tuple(point for quarters in range(4) for point in _turned(ARM, quarters)),
}


def draw(look: Look, name: str, x: float, y: float) -> None:
    """Draws a cursor over everything else of the interface; it points at (x, y)."""
    target = imgui.get_foreground_draw_list()
    size = look.scale
    x, y = round(x), round(y)
    points = [imgui.ImVec2(x + size * px, y + size * py) for px, py in OUTLINES.get(name, ARROW)]
    target.add_polyline(points, u32(BORDER), 2.6 * size, imgui.ImDrawFlags_.closed.value)
    target.add_concave_poly_filled(points, u32(INSIDE))
