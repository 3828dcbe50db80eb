"""The legend in the scene: the names of the things that are shown, with a sign of the form and colour of each."""

import math
from collections.abc import Iterator

import numpy as np

from viewer.common.language import tr
from viewer.scene.annotations.picture_legend import HALF, LINE_WIDTHS, PATCHES, WIDE, LegendEntry, sign_lines
from viewer.scene.annotations.trails import corner
from viewer.scene.description import Frame
from viewer.scene.naming.spot import Sign, things_in
from viewer.scene.naming.things import THINGS, thing_of
from viewer.scene.words.formatting import sentence
from viewer.session.snapshot import Snapshot
from viewer.ui.layout import Rect
from viewer.ui.names.card import body_circle
from viewer.ui.overlay import Overlay, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.view.scene_view import SceneView
from viewer.ui.widgets import windows
from viewer.ui.widgets.drawing import Look, text, width_of
from viewer.ui.widgets.style import u32
from viewer.workspace.workspace import Workspace

PAD, MARGIN, GAP = 8.0, 10.0, 14.0  # at scale 1: in the card, around it, between two names
SIGN = (WIDE, 2.0 * HALF)  # width and height of a sign, at scale 1
CLEAR = 6.0  # px at scale 1 from the body, at which the body counts as not covered
MOST = 1.0 / 3.0  # the largest fraction of the scene that the legend covers
SPARED = 0.75  # fraction of the body's radius around its middle that is never covered

Entry = tuple[str, Sign]
Card = tuple[Rect, list[tuple[float, float]]]  # the card, and the upper left corners of its entries


class Legend(Overlay):
    """The legend, while it is on; `listed` are the entries that it showed last, for saved pictures."""

    def __init__(self, workspace: Workspace, scene_view: SceneView) -> None:
        self._settings, self._state, self._messages = workspace.settings, workspace.state, workspace.messages
        self._session, self._scene_view = workspace.session, scene_view
        self._just_on = False
        self._behind = False  # whether the picture of the scene was out of date when the legend was drawn
        self.box: Rect | None = None  # where it was drawn last
        self.listed: tuple[LegendEntry, ...] = ()

    @property
    def is_on(self) -> bool:
        """Whether the legend is on; lecture mode begins without it, and an open question hides it."""
        if self._state.quiz_open:
            return False
        return self._state.lecture_legend if self._state.lecture else bool(self._settings.value("names.legend"))

    def toggle(self) -> None:
        """Turn the legend on or off: in lecture mode until that ends, else in the settings."""
        if self._state.lecture:
            self._state.lecture_legend = not self._state.lecture_legend
        else:
            self._settings.change("names.legend", not self._settings.value("names.legend"))
        self._just_on = self.is_on

    def wait(self) -> float | None:
        return 0.0 if self._behind else None

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the legend where it does not cover the body; if it was just turned on and finds no place, say so."""
        self.box, self.listed, frame = None, (), self._scene_view.frame
        self._behind = self.is_on and not self._session.scene.moving and self._scene_view.due
        if frame is None or not self.is_on or canvas.hidden or canvas.chart:
            return
        just_on, self._just_on = self._just_on, False
        width = corner(self._session.scenario, self._session.document.measured is not None)[0]
        self._draw(canvas.look, canvas.areas.scene, frame, width)
        canvas.free = leaves(self.box, canvas.free)
        if just_on and self.box is None:
            self._messages.notice(tr("The legend has no room in this picture"))

    def _draw(self, look: Look, scene: Rect, frame: Frame, corner_width: float) -> None:
        """Draw the legend; `corner_width` is the width at scale 1 of what the scene has in its lower left corner."""
        items = entries(frame, self._scene_view.snapshot_of(0))
        if not items:
            return
        body, inset = body_circle(frame, scene), inset_of(frame, scene)
        items, found = choose_entries(look, scene, items, body, look.px(corner_width), inset)
        if found is None:
            return
        self.box, places = found
        line = imgui.get_text_line_height()
        with windows.card(look, "Legend", self.box, mouse=False, lowest=True):
            for (name, sign), (x, y) in zip(items, places, strict=True):
                _draw_sign(look, sign, x, y + 0.5 * line)
                text(x + look.px(SIGN[0] + 6), y, look.palette.text, name)
        right = scene.x + (scene.width if self.box.x + self.box.width / 2 > scene.x + scene.width / 2 else 0)
        lower = scene.y + (scene.height if self.box.y + self.box.height / 2 > scene.y + scene.height / 2 else 0)
        away = [((x - right) / look.scale, (y + 0.5 * line - lower) / look.scale) for x, y in places]
        self.listed = tuple(LegendEntry(*entry, *at) for entry, at in zip(items, away, strict=True))


def leaves(card: Rect | None, scene: Rect) -> Rect:
    """Return the part of the scene that the legend leaves to messages and cards: above it, or beside a column."""
    if card is None:
        return scene
    if card.y > scene.y + scene.height / 2:
        return Rect(scene.x, scene.y, scene.width, card.y - scene.y)
    return Rect(scene.x, scene.y, max(1, card.x - scene.x), scene.height)


def entries(frame: Frame, snapshot: Snapshot) -> list[Entry]:
    """Return the name and the sign of each thing in the main scene, in the order of THINGS."""
    shown = things_in(frame.main.scene)
    found = []
    for name in sorted(shown, key=_rank):
        thing = thing_of(name, snapshot)
        whose = name.partition(":")[2]
        if thing is not None and thing.in_legend:
            found.append((sentence(tr(thing.name)) + (f": {whose}" if whose else ""), shown[name]))
    return list(dict.fromkeys(found))


def _rank(name: str) -> int:
    key = name.partition(":")[0].rstrip("₁₂₃")
    return list(THINGS).index(key) if key in THINGS else len(THINGS)


def _draw_sign(look: Look, sign: Sign, x: float, y: float) -> None:
    """Draw the sign of a thing, with the middle of its left end at (x, y)."""
    target, ink, y = imgui.get_window_draw_list(), u32(sign.color, sign.alpha), float(round(y))
    middle, half, wide = x + 0.5 * look.px(SIGN[0]), 0.5 * look.px(SIGN[1]), LINE_WIDTHS.get(sign.form, 2.0)
    if sign.form in PATCHES:
        rounding, width = map(look.px, PATCHES[sign.form])
        out = half - 0.5 * width
        box = (middle - out, y - out), (middle + out, y + out)
        if width:
            target.add_rect(*box, ink, rounding, thickness=width)
        else:
            target.add_rect_filled(*box, ink, rounding)
    for (left, low), (right, high), opacity in sign_lines(sign.form):
        start, end = (x + look.px(left), y - look.px(low)), (x + look.px(right), y - look.px(high))
        target.add_line(start, end, u32(sign.color, opacity * sign.alpha), look.px(wide))


def inset_of(frame: Frame, scene: Rect) -> Rect | None:
    """Return the rectangle of the small picture in the scene's corner, or None if there is none."""
    if not frame.insets or frame.in_one_space:
        return None
    left, low, across, tall = frame.insets[0].box
    x, y = scene.x + left * scene.width, scene.y + (1.0 - low - tall) * scene.height
    return Rect(round(x), round(y), round(across * scene.width), round(tall * scene.height))


def choose_entries(
    look: Look,
    scene: Rect,
    items: list[Entry],
    body: tuple[float, float, float],
    corner_width: float,
    inset: Rect | None = None,
) -> tuple[list[Entry], Card | None]:
    """Return the entries that are shown, and the card with their places; the card is None if there is no room for it.

    A column in the upper right corner and lines along the lower edge are tried first with all entries, then without the
    axes, whose names are in the scene. The first card that does not cover the body is chosen, else the one that covers
    least of it. `corner_width` is the width of what the scene has in its lower left corner, `inset` the small picture
    in its lower right one.
    """
    most, radius = MOST * scene.width * scene.height, min(body[2], 0.5 * min(scene.width, scene.height))
    found, clear = [], []
    for listed in (items, [entry for entry in items if entry[1].form != "axis"]):
        for rect, at in _layouts(look, scene, listed, corner_width, inset):
            fits = rect.width * rect.height <= most and rect.x >= scene.x and not (inset and _meet(rect, inset))
            distance = _distance(rect, body)
            if fits and distance >= SPARED * radius:
                found.append((listed, (rect, at)))
                clear.append(distance - body[2])
    if not found:
        return items, None
    free = next((number for number, room in enumerate(clear) if room >= look.px(CLEAR)), int(np.argmax(clear)))
    return found[free]


def _layouts(look: Look, scene: Rect, items: list[Entry], corner_width: float, inset: Rect | None) -> Iterator[Card]:
    if not items:
        return
    pad, margin, line = look.px(PAD), look.px(MARGIN), imgui.get_text_line_height() + look.px(2)
    wide = [look.px(SIGN[0] + 6) + width_of(name) for name, _ in items]
    width, height = max(wide) + 2.0 * pad, line * len(items) + 2.0 * pad
    end = scene.x + scene.width - margin
    left, top = end - width, scene.y + margin
    if height + 2.0 * margin <= scene.height:
        corners = [(left + pad, top + pad + number * line) for number in range(len(items))]
        yield Rect(round(left), round(top), round(width), round(height)), corners
    end = end if inset is None else inset.x - margin
    flow = _flow(wide, end - scene.x - margin - 2.0 * pad - corner_width, look.px(GAP))
    width = max(x + each for (x, _), each in zip(flow, wide, strict=True)) + 2.0 * pad
    height = (flow[-1][1] + 1) * line + 2.0 * pad
    left, top = end - width, scene.y + scene.height - margin - height
    corners = [(left + pad + x, top + pad + number * line) for x, number in flow]
    yield Rect(round(left), round(top), round(width), round(height)), corners


def _flow(wide: list[float], room: float, gap: float) -> list[tuple[float, int]]:
    """Return the x at which each entry of these widths begins in lines of width `room`, and the number of its line."""
    x, row, flow = 0.0, 0, []
    for each in wide:
        if x > 0.0 and x + each > room:
            x, row = 0.0, row + 1
        flow.append((x, row))
        x += each + gap
    return flow


def _meet(one: Rect, other: Rect) -> bool:
    """Return whether two rectangles have a pixel in common."""
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    return across > 0 and min(one.y + one.height, other.y + other.height) > max(one.y, other.y)


def _distance(rect: Rect, body: tuple[float, float, float]) -> float:
    """Return the distance of the card's nearest point from the middle of the body."""
    across = max(rect.x - body[0], body[0] - rect.x - rect.width, 0.0)
    down = max(rect.y - body[1], body[1] - rect.y - rect.height, 0.0)
    return math.hypot(across, down)
