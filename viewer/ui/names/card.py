"""The card beside the pointer: what the thing under it is called, what it is, its value there; and where it stands.

Places are in ui pixels, y downwards.
"""

import numpy as np
from numpy.typing import NDArray

from viewer.common.language import marked, tr
from viewer.scene.camera.camera import Canvas as PictureCanvas
from viewer.scene.description import Frame
from viewer.scene.naming.spot import Spot, part_in
from viewer.scene.naming.things import proviso, relative, thing_of
from viewer.scene.naming.values import Value
from viewer.scene.words.formatting import columns, sentence, with_unit
from viewer.session.snapshot import Snapshot
from viewer.ui.layout import Rect
from viewer.ui.names.pointer import NamePointer
from viewer.ui.overlay import Canvas, Overlay
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.view.scene_view import SceneView
from viewer.ui.view.stereo_name import StereoName
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import Look, shortened, text, width_of
from viewer.ui.widgets.style import mix, u32
from viewer.workspace.workspace import Workspace

WIDTH, PAD = 290.0, 10.0  # at scale 1
Place = tuple[float, float]
SWATCH = 9.0  # side of the square in the thing's colour
LARGEST = 0.25  # of the scene's area: a card that would cover more says only the name and the values
DISTANCES = 1.0, 4.0  # times `beside`: from the pointer to a card
SPOT = 12.0  # at scale 1: half the side of the square around a tip
FURTHER = 0.02  # how much worse it is to stand further away, or in the next corner of the list
SIDES = (1, 1), (-1, 1), (1, -1), (-1, -1)  # right and down: the corners around the pointer
GESTURES = {  # what can be done with a thing, where it is not in a cell or a race
    "body": marked("Ctrl + drag pulls it by a spring."),
    "contact": marked("A drag moves it along its curve in time."),
}


class NameCard(Overlay):
    """Stays in its corner of the pointer while that points at the same thing, though the scene goes on."""

    def __init__(
        self, workspace: Workspace, scene_view: SceneView, pointer: NamePointer, stereo_name: StereoName
    ) -> None:
        self._session, self._state, self._scene_view = workspace.session, workspace.state, scene_view
        self._names, self._stereo_name = pointer, stereo_name
        self._chosen_for: tuple[object, ...] = ()
        self._place = 0
        self.box: Rect | None = None  # of the card that was drawn last

    def wait(self) -> float | None:
        return self._names.wait()

    def draw(self, canvas: Canvas) -> None:
        """Draw the card, if the pointer is over a thing that says its name."""
        spot, scene, frame = self._state.named, canvas.areas.scene, self._scene_view.frame
        if spot is None or canvas.pointer is None:
            return
        spared = [] if frame is None or spot.layer else to_spare(frame, scene, canvas.look.scale)
        if self._stereo_name.rect is not None:
            spared.append(self._stereo_name.rect)
        relative, snapshot = self._session.document.ratios is not None, self._scene_view.snapshot_of(spot.layer)
        self._draw(canvas.look, scene, canvas.pointer, snapshot, spot, spared, relative)

    def _draw(
        self,
        look: Look,
        scene: Rect,
        pointer: tuple[float, float],
        snapshot: Snapshot,
        spot: Spot,
        spared: list[Rect],
        ratios: bool = False,
    ) -> None:
        """Draw it within the scene, beside the pointer, where it covers least of what is to be spared. `ratios`: no
        more is known of the moments of inertia."""
        thing = thing_of(spot.name, snapshot)
        if thing is None:
            return
        thing = relative(thing) if ratios else thing
        whose = "" if part_in(spot.name) is not None else spot.name.partition(":")[2]
        name = sentence(tr(thing.name)) + (f": {whose}" if whose else "")
        free = spot.layer == 0 and not snapshot.lanes and spot.name in GESTURES
        gesture = tr(GESTURES[spot.name]) if free else ""
        sentences = tr(thing.sentence), thing.more(snapshot), proviso(spot.name, snapshot), gesture
        about = " ".join(part for part in sentences if part)
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
        found = places(area, pointer, size, (look.px(windows.BESIDE[0]), look.px(windows.BESIDE[1])))
        chosen_for = (scene, pointer, thing, len(spared))
        if chosen_for != self._chosen_for:
            self._chosen_for, self._place = chosen_for, best(found, size, pointer, spared)
        return found[self._place]


def written(value: Value) -> str:
    """Return a quantity as a formula: "ω = (0.100, 3.00, 0) rad/s"."""
    if isinstance(value.value, float):
        return f"{tr(value.symbol)} = {with_unit(value.value, value.unit)}"
    numbers, unit = columns(_even(value.value), value.unit)
    return f"{tr(value.symbol)} = ({', '.join(numbers)}) {unit}".rstrip()


def _even(parts: tuple[float, ...]) -> tuple[float, ...]:
    """Return the parts of a vector without what is round-off beside the largest."""
    largest = max(map(abs, parts))
    return tuple(0.0 if abs(part) < 1e-12 * largest else part for part in parts)


def _broken(line: str, room: float) -> list[str]:
    """Return a line, or two where it is too wide, broken before its value."""
    if width_of(line) <= room:
        return [line]
    symbol, _, rest = line.partition(" = ")
    return [f"{symbol} =", shortened(f"   {rest}", room)]


def body_circle(frame: Frame, scene: Rect) -> tuple[float, float, float]:
    """Middle and radius of what the body while it turns, or the sphere of momentum space, may cover; radius 0: there is
    none."""
    solid, held, camera = frame.main.scene.solid, frame.main.scene.constraints, frame.main.camera
    if solid is None and held is None:
        return 0.0, 0.0, 0.0
    x, y = _places(frame, scene, np.zeros(3))
    reach = max(0.0 if solid is None else solid.size.radius, 0.0 if held is None else held.radius)
    metres = _canvas(frame, scene).metres_per_pixel(max(float(camera.position @ camera.backward), 1e-9))
    return float(x), float(y), reach / metres


def to_spare(frame: Frame, scene: Rect, scale: float) -> list[Rect]:
    """Return what a card should leave free: the body, the contact, and the tips of the arrows."""
    x, y, radius = body_circle(frame, scene)
    found = [_square((x, y), radius)] if radius > 0.0 else []
    shown = frame.main.scene
    points = [arrow.end for arrow in shown.arrows] + ([] if shown.contact is None else [shown.contact])
    return found + [_square((float(x), float(y)), SPOT * scale) for x, y in (_places(frame, scene, p) for p in points)]


def places(area: Rect, pointer: Place, size: Place, beside: Place) -> list[Place]:
    """Return the upper left corners that a card may have within `area`: around the pointer, the nearer ones first.

    `beside`: from the pointer to the nearer ones, across and down.
    """
    found = []
    for far in DISTANCES:
        for right, down in SIDES:
            x = pointer[0] + (far * beside[0] if right > 0 else -far * beside[0] - size[0])
            y = pointer[1] + (far * beside[1] if down > 0 else -far * beside[1] - size[1])
            x = max(min(x, area.x + area.width - size[0]), area.x)
            found.append((x, max(min(y, area.y + area.height - size[1]), area.y)))
    return found


def best(places: list[Place], size: Place, pointer: Place, spared: list[Rect]) -> int:
    """The number of the place from which a card does not cover the pointer, and least of what is to be spared."""

    def cost(number: int) -> float:
        x, y = places[number]
        card = Rect(round(x), round(y), round(size[0]), round(size[1]))
        covered = sum(_covered(card, rect) for rect in spared)
        return covered + FURTHER * number + (100.0 if card.holds(*pointer) else 0.0)

    return min(range(len(places)), key=cost)


def _covered(card: Rect, rect: Rect) -> float:
    """Return how much of the smaller of the two the other one covers, 0..1."""
    across = min(card.x + card.width, rect.x + rect.width) - max(card.x, rect.x)
    down = min(card.y + card.height, rect.y + rect.height) - max(card.y, rect.y)
    least = min(card.width * card.height, rect.width * rect.height)
    return max(across, 0) * max(down, 0) / max(least, 1)


def _square(middle: Place, half: float) -> Rect:
    return Rect(round(middle[0] - half), round(middle[1] - half), round(2 * half), round(2 * half))


def _canvas(frame: Frame, scene: Rect) -> PictureCanvas:
    return PictureCanvas(frame.main.camera, (float(scene.width), float(scene.height)))


def _places(frame: Frame, scene: Rect, point: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where a point of the world is shown, (2,)."""
    right, up = _canvas(frame, scene).project(point)
    return np.array([scene.x + 0.5 * scene.width + right, scene.y + 0.5 * scene.height - up])
