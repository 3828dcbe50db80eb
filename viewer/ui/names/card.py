"""The thing of the scene under the pointer, and the card that tells its name, its meaning and its values.

Places are in ui pixels, y downwards.
"""

from collections.abc import Callable

import numpy as np

from viewer.common.language import marked, tr
from viewer.scene.camera.camera import Canvas
from viewer.scene.description import Frame
from viewer.scene.naming.spot import Spot, part_in, spot_at
from viewer.scene.naming.things import proviso, relative, thing_of
from viewer.scene.naming.values import Value
from viewer.scene.words.formatting import columns, sentence, with_unit
from viewer.ui.layout import Rect
from viewer.ui.overlay import Overlay, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.view.scene_view import SceneView
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import shortened, text, width_of
from viewer.ui.widgets.style import mix, u32
from viewer.ui.window_layout import WindowLayout
from viewer.user.settings import Settings
from viewer.workspace.state import UiState
from viewer.workspace.workspace import Workspace

WIDTH, PAD = 290.0, 10.0  # at scale 1
Place = tuple[float, float]
SWATCH = 9.0  # side of the square in the thing's colour
LARGEST = 0.25  # fraction of the scene's area: a card that would cover more has only the name and the values
REST = 0.35  # s for which the pointer rests on a surface before its name appears: surfaces are nearly everywhere
STAYS = 5.0  # s of rest after which that name disappears: it has been read, and hides a part of the picture
SOON = 1e-3  # s
GESTURES = {  # what can be done with a thing that is not in a cell or a race
    "body": marked("Ctrl + drag pulls it by a spring."),
    "contact": marked("A drag moves it along its curve in time."),
}


class NamePointer:
    """Finds the thing under the pointer when pointer or picture have changed, and sets `UiState.named` to it."""

    def __init__(
        self,
        state: UiState,
        settings: Settings,
        layout: WindowLayout,
        scene_view: SceneView,
        clock: Callable[[], float],
    ) -> None:
        self._state, self._settings, self._layout, self._scene_view = state, settings, layout, scene_view
        self._clock = clock
        self._part = 0  # the part of the window that has the pointer
        self._pointer: tuple[float, float] | None = None  # None if it is not over the scene, or a button is down
        self._moved_at = 0.0
        self._found_for: tuple[object, ...] = ()
        self._resting_on: Spot | None = None  # a surface whose name is going to appear

    def point_at(self, x: float, y: float, part: int) -> None:
        """Follow the pointer, which is over the scene with no button down."""
        self._part, self._pointer, self._moved_at = part, (x, y), self._clock()

    def leave(self) -> None:
        """Forget the pointer, because it has left the scene or a button goes down."""
        self._pointer = self._resting_on = None
        self._state.named = None

    def update(self) -> None:
        """Find the thing that the pointer is over now, if that may have changed."""
        if not self._due:
            return
        self._found_for = self._for
        found, before = self._find(), self._state.named
        surface = found is not None and found.point is None
        there = found is not None and before is not None and (found.layer, found.name) == (before.layer, before.name)
        rested = self._clock() - self._moved_at
        self._resting_on = found if surface and not there and rested < REST else None
        gone = self._resting_on is not None or (surface and rested >= STAYS)
        self._state.named = None if gone else found

    def wait(self) -> float | None:
        """Return the seconds until `update` has something to do, or None for never."""
        if self._for != self._found_for:
            return SOON
        if self._changes_at is not None:
            return max(self._changes_at - self._clock(), SOON)
        return None

    @property
    def _changes_at(self) -> float | None:
        """The time at which the name of a surface appears or disappears; None if there is no such name."""
        if self._resting_on is not None:
            return self._moved_at + REST
        named = self._state.named
        return None if named is None or named.point is not None else self._moved_at + STAYS

    @property
    def _due(self) -> bool:
        return self._for != self._found_for or (self._changes_at is not None and self._clock() >= self._changes_at)

    @property
    def _for(self) -> tuple[object, ...]:
        """All that the thing under the pointer depends on."""
        if self._pointer is None:
            return ()
        return self._pointer, self._part, self._scene_view.count, self._off, self._layout.areas.scene

    @property
    def _off(self) -> bool:
        """Whether no names are shown at the pointer now."""
        state = self._state
        overlays = self._layout.overlays
        elsewhere = overlays.modal or overlays.reading or state.chart or state.hidden or state.hand or state.lecture
        return elsewhere or state.quiz_open or not self._settings.value("names.pointer")

    def _find(self) -> Spot | None:
        return None if self._pointer is None or self._off else self.spot_at(*self._pointer, self._part)

    def spot_at(self, x: float, y: float, part: int) -> Spot | None:
        """Return the thing at the ui's point (x, y), as the scene is seen in this part of the window, or None."""
        frame, scene = self._scene_view.frame, self._layout.areas.scene
        if frame is None or self._state.chart:
            return None
        pixel, size = (x + 0.5 - scene.x, y + 0.5 - scene.y), (float(scene.width), float(scene.height))
        return spot_at(frame, part, pixel, size, self._layout.scale)


class NameCard(Overlay):
    """The card beside the pointer, while the pointer is over a thing."""

    def __init__(self, workspace: Workspace, scene_view: SceneView, pointer: NamePointer) -> None:
        self._session, self._state, self._scene_view = workspace.session, workspace.state, scene_view
        self._names = pointer
        self.box: Rect | None = None  # of the card that was drawn last

    def wait(self) -> float | None:
        return self._names.wait()

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the card in its room, away from the body's middle, if the pointer is over a thing with a name."""
        look, spot, scene, frame = canvas.look, self._state.named, canvas.areas.scene, self._scene_view.frame
        if spot is None or canvas.pointer is None:
            return
        snapshot = self._scene_view.snapshot_of(spot.layer)
        thing, pad, gap, line = thing_of(spot.name, snapshot), look.px(PAD), look.px(4), imgui.get_text_line_height()
        edge, side = round(look.px(windows.EDGE)), look.px(SWATCH)
        inside = min(look.px(WIDTH), scene.width - 2.0 * edge) - 2.0 * pad
        if thing is None or inside < look.px(80):
            return
        if self._session.document.ratios is not None:
            thing = relative(thing)
        whose = "" if part_in(spot.name) is not None else spot.name.partition(":")[2]
        name = sentence(tr(thing.name)) + (f": {whose}" if whose else "")
        gesture = tr(GESTURES.get(spot.name, "")) if spot.layer == 0 and not snapshot.lanes else ""
        sentences = tr(thing.sentence), thing.more(snapshot), proviso(spot.name, snapshot), gesture
        about = " ".join(part for part in sentences if part)
        values = "\n".join(written(value) for value in thing.values(snapshot, spot))
        tall = imgui.calc_text_size(about, False, inside).y + gap
        below = imgui.calc_text_size(values, False, inside).y + gap if values else 0.0
        if values and (inside + 2 * pad) * (2 * pad + line + tall + below) > LARGEST * scene.width * scene.height:
            about, tall = "", 0.0
            with scopes.font(look.fonts.medium):
                inside = min(inside, max(side + look.px(6) + width_of(name), imgui.calc_text_size(values).x) + 1.0)
        body = (float(scene.x), float(scene.y)) if frame is None else body_circle(frame, scene)[:2]
        size = inside + 2.0 * pad, 2.0 * pad + line + tall + below
        room = canvas.room_for(size[0] + 2 * edge, size[1] + 2 * edge)
        area = Rect(room.x + edge, room.y + edge, room.width - 2 * edge, room.height - 2 * edge)
        x, y = place(area, canvas.pointer, size, (look.px(windows.BESIDE[0]), look.px(windows.BESIDE[1])), body)
        self.box = Rect(round(x), round(y), round(size[0]), round(size[1]))
        with windows.card(look, "Name", self.box, mouse=False):
            p, left, top = look.palette, round(x + pad), round(y + pad)
            low, high = (left, top + 0.5 * (line - side)), (left + side, top + 0.5 * (line + side))
            imgui.get_window_draw_list().add_rect_filled(low, high, u32(spot.color), look.px(2))
            with scopes.font(look.fonts.medium):
                text(left + side + look.px(6), top, p.text, shortened(name, inside - side - look.px(6)))
            parts = (about, mix(p.dim, p.text, 0.5), top + line + gap), (values, p.text, top + line + tall + gap)
            for words, color, at in parts:
                imgui.set_cursor_screen_pos((left, at))
                with scopes.wrapped(pad + inside + 1.0), scopes.colored(color):
                    imgui.text_unformatted(words)


def written(value: Value) -> str:
    """Return a quantity as a formula: "ω = (0.100, 3.00, 0) rad/s"."""
    if isinstance(value.value, float):
        return f"{tr(value.symbol)} = {with_unit(value.value, value.unit)}"
    numbers, unit = columns(_even(value.value), value.unit)
    return f"{tr(value.symbol)} = ({', '.join(numbers)}) {unit}".rstrip()


def _even(parts: tuple[float, ...]) -> tuple[float, ...]:
    """Return the components of a vector, 0 for those that are mere round-off compared with the largest."""
    largest = max(map(abs, parts))
    return tuple(0.0 if abs(part) < 1e-12 * largest else part for part in parts)


def body_circle(frame: Frame, scene: Rect) -> tuple[float, float, float]:
    """Return the middle (x, y) and the radius of the circle that the body may cover as it turns, in ui pixels.

    In momentum space it is the circle of the sphere. The radius is 0 if there is neither a body nor a sphere.
    """
    solid, held, camera = frame.main.scene.solid, frame.main.scene.constraints, frame.main.camera
    if solid is None and held is None:
        return 0.0, 0.0, 0.0
    canvas = Canvas(camera, (float(scene.width), float(scene.height)))
    right, up = canvas.project(np.zeros(3))
    reach = max(0.0 if solid is None else solid.size.radius, 0.0 if held is None else held.radius)
    metres = canvas.metres_per_pixel(max(float(camera.position @ camera.backward), 1e-9))
    return scene.x + 0.5 * scene.width + float(right), scene.y + 0.5 * scene.height - float(up), reach / metres


def place(area: Rect, pointer: Place, size: Place, beside: Place, body: Place) -> Place:
    """Return the upper left corner of a card within `area`, beside the pointer on the side away from the body's middle.

    If the card would cover the pointer there, it goes to the pointer's other side. `beside` is its distance from the
    pointer, across and down.
    """

    def corner(axis: int, after: bool) -> float:
        low, room = ((area.x, area.width), (area.y, area.height))[axis]
        at = pointer[axis] + (beside[axis] if after else -beside[axis] - size[axis])
        return max(min(at, low + room - size[axis]), low)

    right, down = pointer[0] >= body[0], pointer[1] >= body[1]
    x, y = corner(0, right), corner(1, down)
    covers = x <= pointer[0] <= x + size[0] and y <= pointer[1] <= y + size[1]
    return (corner(0, not right) if covers else x), y
