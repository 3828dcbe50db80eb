"""Icons, drawn on ImGui's draw lists: (x, y) is the middle in pixels of the screen, r half the height."""

from collections.abc import Callable

from viewer.ui.platform.imgui_module import DrawList, imgui

Icon = Callable[[DrawList, float, float, float, int], None]


def play(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A triangle that points right; (x, y) is the centre, r half the height."""
    target.add_triangle_filled((x - 0.7 * r, y - r), (x - 0.7 * r, y + r), (x + r, y), color)


def pause(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """Two upright bars."""
    for side in (-1, 1):
        middle = x + side * 0.52 * r
        target.add_rect_filled((middle - 0.27 * r, y - r), (middle + 0.27 * r, y + r), color, 0.1 * r)


def step(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A triangle against a bar."""
    back, tall = x - 0.9 * r, 0.85 * r
    target.add_triangle_filled((back, y - tall), (back, y + tall), (x + 0.45 * r, y), color)
    target.add_rect_filled((x + 0.5 * r, y - 0.85 * r), (x + 0.85 * r, y + 0.85 * r), color)


def step_back(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A bar and a triangle that points left."""
    back, tall = x + 0.9 * r, 0.85 * r
    target.add_triangle_filled((back, y - tall), (x - 0.45 * r, y), (back, y + tall), color)
    target.add_rect_filled((x - 0.85 * r, y - 0.85 * r), (x - 0.5 * r, y + 0.85 * r), color)


def back(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A triangle that points left."""
    target.add_triangle_filled((x + 0.7 * r, y - r), (x - r, y), (x + 0.7 * r, y + r), color)


def restart(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A bar and two triangles that point left."""
    for tip in (-0.65, 0.25):
        right = x + (tip + 0.85) * r
        target.add_triangle_filled((right, y - 0.85 * r), (x + tip * r, y), (right, y + 0.85 * r), color)
    target.add_rect_filled((x - 1.05 * r, y - 0.85 * r), (x - 0.75 * r, y + 0.85 * r), color)


def flip(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A triangle that points up beside one that points down."""
    for side in (-1, 1):
        middle, tip, foot = x + side * 0.55 * r, y + side * 0.95 * r, y - side * 0.75 * r
        corners = [(middle - 0.5 * r, foot), (middle, tip), (middle + 0.5 * r, foot)]
        target.add_triangle_filled(*(corners if side < 0 else reversed(corners)), color)


def loop(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """An arrow that comes round again."""
    target.path_arc_to((x, y), 0.85 * r, -0.9, 4.4)
    target.path_stroke(color, 0.3 * r)
    tip = 0.85 * r
    left = x - 0.3 * tip
    corners = (left, y - 1.55 * tip), (x + 0.5 * tip, y - 0.95 * tip), (left, y - 0.35 * tip)
    target.add_triangle_filled(*corners, color)


def plots(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """Two axes and a curve."""
    target.add_rect_filled((x - r, y - r), (x - 0.75 * r, y + r), color)
    target.add_rect_filled((x - r, y + 0.75 * r), (x + r, y + r), color)
    points = [(-0.6, 0.35), (-0.2, -0.45), (0.2, 0.2), (0.9, -0.75)]
    target.add_polyline([imgui.ImVec2(x + dx * r, y + dy * r) for dx, dy in points], color, 0.28 * r, 0)


def stabilise(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A wave that comes to rest on a line."""
    points = [(-1.0, 0.0), (-0.75, -0.9), (-0.35, 0.75), (0.0, -0.5), (0.3, 0.3), (0.55, -0.1), (1.1, 0.0)]
    target.add_polyline([imgui.ImVec2(x + dx * r, y + dy * r) for dx, dy in points], color, 0.28 * r, 0)


def cross(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A cross, to close with."""
    for side in (-1, 1):
        target.add_line((x - 0.7 * r, y - side * 0.7 * r), (x + 0.7 * r, y + side * 0.7 * r), color, 0.28 * r)


def tick(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A tick: all is well."""
    corners = ((x - 0.9 * r, y), (x - 0.25 * r, y + 0.7 * r), (x + r, y - 0.8 * r))
    target.add_polyline([imgui.ImVec2(*at) for at in corners], color, 0.3 * r, 0)


def unfold(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """An angle that points left: the panel comes out."""
    _angle(target, x, y, r, color, -1.0)


def fold(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """An angle that points right: the panel goes."""
    _angle(target, x, y, r, color, 1.0)


def _angle(target: DrawList, x: float, y: float, r: float, color: int, side: float) -> None:
    tip, back = x + side * 0.5 * r, x - side * 0.4 * r
    points = [imgui.ImVec2(*at) for at in ((back, y - r), (tip, y), (back, y + r))]
    target.add_polyline(points, color, 0.3 * r, 0)


def copy(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """Two pages, one before the other."""
    for dx, dy in ((-0.35, -0.35), (0.35, 0.35)):
        corners = (x + (dx - 0.6) * r, y + (dy - 0.7) * r), (x + (dx + 0.6) * r, y + (dy + 0.7) * r)
        target.add_rect(*corners, color, 0.2 * r, thickness=0.2 * r)


def point_at(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A ring around a dot."""
    target.add_circle((x, y), r, color, 24, 0.26 * r)
    target.add_circle_filled((x, y), 0.35 * r, color)


def lines(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """Three lines."""
    for dy in (-0.7, 0.0, 0.7):
        target.add_line((x - 0.9 * r, y + dy * r), (x + 0.9 * r, y + dy * r), color, 0.28 * r)
