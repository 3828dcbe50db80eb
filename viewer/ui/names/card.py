"""The card beside the pointer: what the thing under it is called, what it is, and its value there."""

from viewer.common.language import tr
from viewer.scene.naming.spot import Spot
from viewer.scene.naming.things import Value, thing_of
from viewer.session.snapshot import Snapshot
from viewer.ui.layout import Rect
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import Look, shortened, text, width_of
from viewer.ui.widgets.formatting import sentence, short
from viewer.ui.widgets.style import mix, u32

WIDTH, PAD = 290.0, 10.0  # at scale 1
SWATCH = 9.0  # side of the square in the thing's colour


def draw(look: Look, scene: Rect, pointer: tuple[float, float], snapshot: Snapshot, spot: Spot) -> None:
    """Draws it within the scene, where it does not lie under the pointer."""
    thing = thing_of(spot.name, snapshot)
    if thing is None:
        return
    whose = spot.name.partition(":")[2]
    name = sentence(tr(thing.name)) + (f": {whose}" if whose else "")
    about, values = tr(thing.sentence), [written(value) for value in thing.values(snapshot, spot)]
    pad, gap, line = look.px(PAD), look.px(4), imgui.get_text_line_height()
    width = min(look.px(WIDTH), scene.width - 2.0 * look.px(windows.EDGE))
    inside = width - 2.0 * pad
    if inside < look.px(80):
        return
    tall = imgui.calc_text_size(about, False, inside).y
    rows = [row for value in values for row in _broken(value, inside)]
    height = 2.0 * pad + line + gap + tall + (gap if rows else 0.0) + line * len(rows)
    x, y = windows.beside(look, scene, pointer, (width, height))
    with windows.card(look, "Name", Rect(round(x), round(y), round(width), round(height)), mouse=False):
        p, side = look.palette, look.px(SWATCH)
        left, top = round(x + pad), round(y + pad)
        middle = top + 0.5 * (line - side)
        ink = u32(spot.color)
        imgui.get_window_draw_list().add_rect_filled((left, middle), (left + side, middle + side), ink, look.px(2))
        with scopes.font(look.fonts.medium):
            text(left + side + look.px(6), top, p.text, shortened(name, inside - side - look.px(6)))
        imgui.set_cursor_screen_pos((left, top + line + gap))
        with scopes.wrapped(pad + inside + 1.0), scopes.colored(mix(p.dim, p.text, 0.5)):
            imgui.text_unformatted(about)
        y = top + line + gap + tall + gap
        for row in rows:
            text(left, y, p.text, row)
            y += line


def written(value: Value) -> str:
    """A quantity as a formula: "ω = (0.100, 3.00, 0) rad/s"."""
    number = short(value.value) if isinstance(value.value, float) else f"({', '.join(map(short, _even(value.value)))})"
    return f"{value.symbol} = {number} {value.unit}"


def _even(parts: tuple[float, ...]) -> tuple[float, ...]:
    """The parts of a vector without what is round-off beside the largest."""
    largest = max(map(abs, parts))
    return tuple(0.0 if abs(part) < 1e-12 * largest else part for part in parts)


def _broken(line: str, room: float) -> list[str]:
    """A line, or two where it is too wide, broken before its value."""
    if width_of(line) <= room:
        return [line]
    symbol, _, rest = line.partition(" = ")
    return [f"{symbol} =", shortened(f"   {rest}", room)]
