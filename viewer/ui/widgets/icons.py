"""Icons: (x, y) is the middle in pixels of the screen, r half the height.

Most are letters of Font Awesome, which every face of the interface includes; the others are drawn.
"""

from collections.abc import Callable

from viewer.ui.platform.imgui_module import DrawList, imgui

Icon = Callable[[DrawList, float, float, float, int], None]

SIZE, PLAYER_SIZE = 2.3, 2.7  # of a letter, in halves of an icon's height; a player's letters have wider margins


def letter(code: str, size: float = SIZE) -> Icon:
    """Return an icon that is a letter of the interface's font."""

    def draw(target: DrawList, x: float, y: float, r: float, color: int) -> None:
        font, pixels = imgui.get_font(), round(size * r)
        glyph = font.get_font_baked(pixels).find_glyph(ord(code))
        left_top = round(x - 0.5 * (glyph.x0 + glyph.x1)), round(y - 0.5 * (glyph.y0 + glyph.y1))
        target.add_text(font, pixels, left_top, color, code)

    return draw


search = letter("\uf002")
gallery = letter("\uf009")
tick = letter("\uf00c")
cross = letter("\uf00d")
tours = letter("\uf024")
picture = letter("\uf030")
film = letter("\uf03d")
step_back = letter("\uf048", PLAYER_SIZE)
restart = letter("\uf049", PLAYER_SIZE)
pause = letter("\uf04c", PLAYER_SIZE)
step = letter("\uf051", PLAYER_SIZE)
unfold = letter("\uf053")
fold = letter("\uf054")
point_at = letter("\uf05b")
full_screen = letter("\uf065")
copy = letter("\uf0c5")
lines = letter("\uf0c9")
keys = letter("\uf11c")
more = letter("\uf141")
plots = letter("\uf201")
hand = letter("\uf256")
black = letter("\uf26c")
undo = letter("\uf2ea")
redo = letter("\uf2f9")
loop = letter("\uf363")
lecture = letter("\uf51b")
stereo = letter("\uf530")


def play(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """Draw a triangle that points right."""
    target.add_triangle_filled((x - 0.7 * r, y - r), (x - 0.7 * r, y + r), (x + r, y), color)


def back(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """Draw a triangle that points left."""
    target.add_triangle_filled((x + 0.7 * r, y - r), (x - r, y), (x + 0.7 * r, y + r), color)


def flip(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """Draw a triangle that points up beside one that points down."""
    for side in (-1, 1):
        middle, tip, foot = x + side * 0.55 * r, y + side * 0.95 * r, y - side * 0.75 * r
        corners = [(middle - 0.5 * r, foot), (middle, tip), (middle + 0.5 * r, foot)]
        target.add_triangle_filled(*(corners if side < 0 else reversed(corners)), color)


def stabilise(target: DrawList, x: float, y: float, r: float, color: int) -> None:
    """Draw a wave that comes to rest on a line."""
    points = [(-1.0, 0.0), (-0.75, -0.9), (-0.35, 0.75), (0.0, -0.5), (0.3, 0.3), (0.55, -0.1), (1.1, 0.0)]
    target.add_polyline([imgui.ImVec2(x + dx * r, y + dy * r) for dx, dy in points], color, 0.28 * r, 0)
