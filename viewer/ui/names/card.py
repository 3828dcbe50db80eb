"""The card beside the pointer: what the thing under it is called, what it is, and its value there."""

from viewer.common.language import marked, tr
from viewer.scene.naming.spot import Spot, part_in
from viewer.scene.naming.things import proviso, relative, thing_of
from viewer.scene.naming.values import Value
from viewer.scene.words.formatting import columns, sentence, with_unit
from viewer.session.snapshot import Snapshot
from viewer.ui.layout import Rect
from viewer.ui.names import on_screen
from viewer.ui.names.on_screen import Place
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import Look, shortened, text, width_of
from viewer.ui.widgets.style import mix, u32

WIDTH, PAD = 290.0, 10.0  # at scale 1
SWATCH = 9.0  # side of the square in the thing's colour
LARGEST = 0.25  # of the scene's area: a card that would cover more says only the name and the values
GESTURES = {  # what can be done with a thing, where it is not in a cell or a race
    "body": marked("Ctrl and a drag pull it by a spring."),
    "contact": marked("A drag moves it along its curve in time."),
}


class NameCard:
    """Stays in its corner of the pointer while that points at the same thing, though the scene goes on."""

    def __init__(self) -> None:
        self._chosen_for: tuple[object, ...] = ()
        self._place = 0
        self.box: Rect | None = None  # of the card that was drawn last

    def draw(
        self,
        look: Look,
        scene: Rect,
        pointer: tuple[float, float],
        snapshot: Snapshot,
        spot: Spot,
        spared: list[Rect],
        ratios: bool = False,
    ) -> None:
        """Draws it within the scene, beside the pointer, where it covers least of what is to be spared. `ratios`: no
        more is known of the moments of inertia."""
        thing = thing_of(spot.name, snapshot)
        if thing is None:
            return
        thing = relative(thing) if ratios else thing
        whose = "" if part_in(spot.name) is not None else spot.name.partition(":")[2]
        name = sentence(tr(thing.name)) + (f": {whose}" if whose else "")
        free = spot.layer == 0 and not snapshot.lanes and spot.name in GESTURES
        gesture = tr(GESTURES[spot.name]) if free else ""
        told = tr(thing.sentence), thing.more(snapshot), proviso(spot.name, snapshot), gesture
        about = " ".join(part for part in told if part)
        values = [written(value) for value in thing.values(snapshot, spot)]
        pad, gap, line = look.px(PAD), look.px(4), imgui.get_text_line_height()
        width = min(look.px(WIDTH), scene.width - 2.0 * look.px(windows.EDGE))
        inside = width - 2.0 * pad
        if inside < look.px(80):
            return
        tall = imgui.calc_text_size(about, False, inside).y + gap
        rows = [row for value in values for row in _broken(value, inside)]
        height = 2.0 * pad + line + tall + (gap if rows else 0.0) + line * len(rows)
        side = look.px(SWATCH)
        if rows and width * height > LARGEST * scene.width * scene.height:
            about, height, tall = "", height - tall, 0.0
            with scopes.font(look.fonts.medium):
                inside = min(inside, max(side + look.px(6) + width_of(name) + 1.0, *map(width_of, rows)))
            width = inside + 2.0 * pad
        x, y = self._corner(look, scene, pointer, (width, height), (spot.layer, spot.name), spared)
        self.box = Rect(round(x), round(y), round(width), round(height))
        with windows.card(look, "Name", self.box, mouse=False):
            p = look.palette
            left, top = round(x + pad), round(y + pad)
            middle = top + 0.5 * (line - side)
            ink = u32(spot.color)
            imgui.get_window_draw_list().add_rect_filled((left, middle), (left + side, middle + side), ink, look.px(2))
            with scopes.font(look.fonts.medium):
                text(left + side + look.px(6), top, p.text, shortened(name, inside - side - look.px(6)))
            if about:
                imgui.set_cursor_screen_pos((left, top + line + gap))
                with scopes.wrapped(pad + inside + 1.0), scopes.colored(mix(p.dim, p.text, 0.5)):
                    imgui.text_unformatted(about)
            y = top + line + tall + gap
            for row in rows:
                text(left, y, p.text, row)
                y += line

    def _corner(
        self, look: Look, scene: Rect, pointer: Place, size: Place, thing: tuple[object, ...], spared: list[Rect]
    ) -> Place:
        """Its upper left corner. Chosen anew where the pointer, the thing, or what lies over the scene changes."""
        edge = round(look.px(windows.EDGE))
        area = Rect(scene.x + edge, scene.y + edge, scene.width - 2 * edge, scene.height - 2 * edge)
        found = on_screen.places(area, pointer, size, (look.px(windows.BESIDE[0]), look.px(windows.BESIDE[1])))
        chosen_for = (scene, pointer, thing, len(spared))
        if chosen_for != self._chosen_for:
            self._chosen_for, self._place = chosen_for, on_screen.best(found, size, pointer, spared)
        return found[self._place]


def written(value: Value) -> str:
    """A quantity as a formula: "ω = (0.100, 3.00, 0) rad/s"."""
    if isinstance(value.value, float):
        return f"{tr(value.symbol)} = {with_unit(value.value, value.unit)}"
    numbers, unit = columns(_even(value.value), value.unit)
    return f"{tr(value.symbol)} = ({', '.join(numbers)}) {unit}".rstrip()


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
