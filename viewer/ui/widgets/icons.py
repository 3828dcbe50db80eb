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


def black(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A screen that is dark: a filled rectangle."""
    target.add_rect_filled((x - 1.15 * r, y - 0.8 * r), (x + 1.15 * r, y + 0.8 * r), color, 0.15 * r)


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


def undo(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """An arrow that bends back to the left."""
    _bent(target, x, y, r, color, -1.0)


def redo(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """An arrow that bends to the right."""
    _bent(target, x, y, r, color, 1.0)


def _bent(target: DrawList, x: float, y: float, r: float, color: int, side: float) -> None:
    points = [(-0.8, 0.85), (-0.95, 0.25), (-0.7, -0.2), (-0.2, -0.4), (0.4, -0.4)]
    target.add_polyline([imgui.ImVec2(x + side * dx * r, y + dy * r) for dx, dy in points], color, 0.26 * r, 0)
    corners = [(x + side * 0.3 * r, y - r), (x + side * 1.05 * r, y - 0.4 * r), (x + side * 0.3 * r, y + 0.2 * r)]
    target.add_triangle_filled(*(corners if side > 0 else reversed(corners)), color)


def picture(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A camera."""
    target.add_rect((x - 1.1 * r, y - 0.6 * r), (x + 1.1 * r, y + 0.9 * r), color, 0.25 * r, thickness=0.24 * r)
    target.add_rect_filled((x - 0.45 * r, y - r), (x + 0.45 * r, y - 0.5 * r), color, 0.1 * r)
    target.add_circle((x, y + 0.15 * r), 0.38 * r, color, 16, 0.24 * r)


def film(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A film camera: a case and the bellows in front of it."""
    target.add_rect((x - 1.1 * r, y - 0.7 * r), (x + 0.4 * r, y + 0.7 * r), color, 0.25 * r, thickness=0.24 * r)
    corners = (x + 0.5 * r, y), (x + 1.15 * r, y - 0.6 * r), (x + 1.15 * r, y + 0.6 * r)
    target.add_triangle_filled(*corners, color)


def full_screen(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """The four corners of a frame."""
    for right in (-1, 1):
        for down in (-1, 1):
            points = [(0.95, 0.35), (0.95, 0.85), (0.4, 0.85)]
            corner = [imgui.ImVec2(x + right * dx * r, y + down * dy * r) for dx, dy in points]
            target.add_polyline(corner, color, 0.26 * r, 0)


def stereo(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """Glasses."""
    for side in (-1, 1):
        target.add_circle((x + side * 0.66 * r, y + 0.1 * r), 0.52 * r, color, 20, 0.24 * r)
    target.add_line((x - 0.2 * r, y - 0.05 * r), (x + 0.2 * r, y - 0.05 * r), color, 0.24 * r)


def gallery(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """Four small pictures."""
    for right in (-1, 1):
        for down in (-1, 1):
            left, top = x + right * 0.52 * r, y + down * 0.52 * r
            corners = (left - 0.38 * r, top - 0.38 * r), (left + 0.38 * r, top + 0.38 * r)
            target.add_rect_filled(*corners, color, 0.1 * r)


def tours(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A flag on its pole."""
    target.add_line((x - 0.7 * r, y - r), (x - 0.7 * r, y + r), color, 0.24 * r)
    target.add_triangle_filled((x - 0.6 * r, y - r), (x + 0.95 * r, y - 0.45 * r), (x - 0.6 * r, y + 0.15 * r), color)


def lecture(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A projection screen on its stand."""
    target.add_rect((x - 1.1 * r, y - 0.9 * r), (x + 1.1 * r, y + 0.4 * r), color, 0.1 * r, thickness=0.24 * r)
    for side in (-1, 1):
        target.add_line((x, y + 0.4 * r), (x + side * 0.55 * r, y + r), color, 0.24 * r)


def hand(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A hand with its fingers spread."""
    for dx, tip in ((-0.5, -0.6), (-0.1, -0.95), (0.3, -0.8), (0.68, -0.4)):
        target.add_line((x + dx * r, y + 0.3 * r), (x + dx * r, y + tip * r), color, 0.28 * r)
    target.add_line((x - 0.45 * r, y + 0.55 * r), (x - r, y - 0.05 * r), color, 0.28 * r)
    target.add_rect_filled((x - 0.64 * r, y + 0.15 * r), (x + 0.82 * r, y + r), color, 0.4 * r)


def search(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A magnifying glass."""
    target.add_circle((x - 0.2 * r, y - 0.2 * r), 0.65 * r, color, 20, 0.26 * r)
    target.add_line((x + 0.28 * r, y + 0.28 * r), (x + 0.95 * r, y + 0.95 * r), color, 0.32 * r)


def keys(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """A keyboard."""
    target.add_rect((x - 1.2 * r, y - 0.75 * r), (x + 1.2 * r, y + 0.75 * r), color, 0.2 * r, thickness=0.22 * r)
    for dx in (-0.7, -0.23, 0.23, 0.7):
        corners = (x + (dx - 0.13) * r, y - 0.4 * r), (x + (dx + 0.13) * r, y - 0.12 * r)
        target.add_rect_filled(*corners, color)
    target.add_rect_filled((x - 0.6 * r, y + 0.15 * r), (x + 0.6 * r, y + 0.4 * r), color)


def more(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """Three dots."""
    for dx in (-0.75, 0.0, 0.75):
        target.add_circle_filled((x + dx * r, y), 0.22 * r, color)
