"""The card of a guided tour, with the text and the question of a step, and the ring around what the step refers to.

In a low window the verdict on an answer takes the place of the step's text.
"""

from collections.abc import Callable
from functools import partial
from math import pi, sin

from viewer.common.color import Color
from viewer.common.language import tr
from viewer.scenario.tours import SCENE_PARTS, Step, Tour
from viewer.scene.camera.camera import Canvas
from viewer.scene.naming.things import anchor
from viewer.ui.layout import Areas, Rect, beside_scene
from viewer.ui.lecture.layout import HEAD, column
from viewer.ui.overlay import Card, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.view.scene_view import SceneView
from viewer.ui.widgets import icons, scopes, windows
from viewer.ui.widgets.drawing import Look, fitting_size, icon_button, shortened, text, text_right, tooltip, width_of
from viewer.ui.widgets.keyboard_focus import KeyboardFocus
from viewer.ui.widgets.style import mix, u32
from viewer.ui.window_layout import WindowLayout
from viewer.workspace.tour_guide import TourGuide

WIDTH = 460.0  # at scale 1
MARGIN, PAD = 12.0, 14.0
BUTTONS = 84.0, 64.0  # least widths of the buttons that lead on and back
GAP = 8.0  # between answers, and around the question
INSET, TICK = 10.0, 16.0  # padding of an answer's text in its button, and room for the mark after it
LEAST = 260.0  # at scale 1: least width of the scene beside the panel, at which the card can be read
HIGHEST = 0.6  # fraction of the scene's height: a card that would take more is laid out for a low window
LOWEST = 110.0  # at scale 1: with less height there is no card
SMALLEST = 0.6  # fraction of the usual size to which a title or an answer shrinks before it is cut
BESIDE = 320.0  # at scale 1: least width for messages beside the card
PULSE_SECONDS = 1.6
PULSES = 3
RING = 17.0  # at scale 1: radius about a thing of the scene


class TourCard(Card):
    """The card with the present step of a tour, while one runs."""

    def __init__(
        self,
        guide: TourGuide,
        layout: WindowLayout,
        show_field: Callable[[str], str],
        focus: KeyboardFocus,
        scene_view: SceneView,
        clock: Callable[[], float],
    ) -> None:
        """`show_field` shows the control of a field, and returns the control's name."""
        self._layout, self._show_field, self._focus, self._scene_view = layout, show_field, focus, scene_view
        self._guide, self._clock = guide, clock
        guide.point_at = self.point_at
        self._folded_for: Step | None = None  # the step for which the panel has been folded
        self._pulse_began = float("-inf")
        self._tallest: tuple[object, int] = (None, 0)

    @property
    def is_open(self) -> bool:
        return self._guide.tour is not None

    def close(self) -> None:
        self._guide.end()

    def take_key(self, key: str) -> bool:
        return self._guide.take_key(key)

    def take_text(self, typed: str) -> bool:
        return self._guide.take_text(typed)

    def wait(self) -> float | None:
        """Return 0 while the ring pulses, else None."""
        return 0.0 if self.is_open and self._clock() - self._pulse_began < PULSE_SECONDS else None

    def point_at(self, step: Step) -> None:
        """Point at what a step refers to.

        If that is a field, its control is shown first, provided that the panel or the board has room for it.
        """
        self._pulse_began = self._clock()
        has_room = self._layout.areas.board is not None or self._layout.panel_fits(LEAST)
        if has_room and step.point is not None and _in_panel(step):
            self._focus.point(self._show_field(step.point))

    def leaves(self, look: Look, scene: Rect) -> Rect:
        """Return the part of the scene that the card leaves to the messages: beside it, or above if that is narrow."""
        if self.box is None or self.box.y >= scene.y + scene.height or self.box.x >= scene.x + scene.width:
            return scene
        beside = self.box.x - scene.x
        if beside >= look.px(BESIDE):
            return Rect(scene.x, scene.y, beside, scene.height)
        return Rect(scene.x, scene.y, scene.width, self.box.y - scene.y)

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the card and the ring around what its step refers to."""
        self.box = None
        if canvas.hidden:
            return
        self._draw(canvas.look, canvas.areas)
        canvas.free = self.leaves(canvas.look, canvas.free)
        if self.wait() is not None and self._guide.step is not None:
            self._draw_ring(canvas.look, canvas.areas, self._guide.step)

    def _draw(self, look: Look, areas: Areas) -> None:
        """Draw the card in its own part of the window, or in the lower right corner of the scene."""
        guide, layout = self._guide, self._layout
        if guide.tour is None or guide.step is None:
            layout.card_height = layout.tallest_card = 0
            return
        scene, docked, margin = areas.scene, areas.card, look.px(MARGIN)
        whole, most = scene.width, HIGHEST * scene.height
        if (board := column(areas)) is not None:
            whole, most = board.width, board.height - look.px(HEAD)
        elif docked is not None and beside_scene(areas):
            whole, most = scene.width + docked.width, float(docked.height)
        elif docked is not None:
            most = HIGHEST * (scene.height + docked.height)
            if areas.plots is None:  # it leaves the scene half of the window
                most = min(most, scene.y + scene.height + docked.height - layout.viewports.size[1] / 2)
        width = docked.width if docked is not None else min(look.px(WIDTH), scene.width - 2 * margin)
        low, height = self._measured(look, guide.step, width, most)
        layout.card_height = self._measured(look, guide.step, whole, most)[1]  # as if it had the whole width
        layout.tallest_card = self._tallest_of(look, guide.tour, most)
        if docked is not None:
            self.box = docked
        else:
            height = min(height, scene.height - round(2 * margin))
            if width < look.px(180) or height < look.px(LOWEST):
                return
            x, y = scene.x + scene.width - width - margin, scene.y + scene.height - height - margin
            self.box = Rect(round(x), round(y), round(width), height)
        scrolls = docked is not None and docked.width < whole and height > docked.height
        foldable = docked is not None and areas.panel is not None and not _in_panel(guide.step)
        if foldable and (low or (scrolls and guide.step.question)) and self._folded_for != guide.step:
            self._folded_for = guide.step  # once: whoever unfolds the panel wants it
            layout.show_panel(False)
        window = windows.docked if docked is not None else windows.card
        with window(look, "Tour", self.box):
            self._card(look, self.box, guide.tour, guide.step, low or scrolls)

    def _measured(self, look: Look, step: Step, width: float, most: float) -> tuple[bool, int]:
        """Return whether a card of this width is laid out for a low window, and its height.

        That is so if it would otherwise be higher than `most` pixels.
        """
        inner, around = width - 2 * look.px(PAD), self._around(look)
        tall = _step_height(look, step, inner, low=False) + around
        low = tall > most
        return low, round(_step_height(look, step, inner, low=True) + around if low else tall)

    def _tallest_of(self, look: Look, tour: Tour, most: float) -> int:
        """Return the height of the tallest card of a tour, with the panel open at steps that point into it.

        It is measured again only when something that it depends on has changed.
        """
        widths = self._layout.beside_panel(False), self._layout.beside_panel(True)
        of_what = tour.name, tr(tour.title), widths, most, look.scale
        if self._tallest[0] != of_what:
            tall = (self._measured(look, step, widths[_in_panel(step)], most)[1] for step in tour.steps)
            self._tallest = of_what, max(tall)
        return self._tallest[1]

    def _around(self, look: Look) -> float:
        """Return the height of the title, the buttons and the edges of a card together."""
        return float(imgui.get_text_line_height() + imgui.get_frame_height() + look.px(42))

    def _card(self, look: Look, box: Rect, tour: Tour, step: Step, low: bool) -> None:
        """Draw the title, the step and the buttons; a step that is longer than the card scrolls."""
        guide, p, pad, line = self._guide, look.palette, look.px(PAD), imgui.get_text_line_height()
        count, right, top = len(tour.steps), box.x + box.width - pad, box.y + look.px(12)
        gone = box.x + box.width * (guide.at + 1) / count
        imgui.get_window_draw_list().add_rect_filled((box.x, box.y), (gone, box.y + look.px(3)), u32(p.accent))
        imgui.set_cursor_screen_pos((right - line, top))
        ended = icon_button(look, "End", icons.cross, line, line, plain=True)
        tooltip(look, tr("End the tour (Escape); your own scene comes back"))
        where, edge = tr("{step} of {count}").format(step=guide.at + 1, count=count), right - line - look.px(6)
        room = edge - box.x - pad - text_right(edge, top, p.dim, where) - look.px(10)
        title = tr("Question") if guide.asks else tr(tour.title)  # the title may be an answer
        with scopes.font(look.fonts.medium):
            size = fitting_size(look, title, room, SMALLEST)
        with scopes.font(look.fonts.medium, size):
            text(box.x + pad, top, p.text, shortened(title, room))
        imgui.set_cursor_screen_pos((box.x + pad, top + line + look.px(7)))
        tall = box.height - self._around(look)
        with scopes.child(f"step {tour.name} {guide.at}", (box.width - pad, tall)):
            self._step(look, step, box.x + pad, box.width - 2 * pad, low)
        imgui.set_cursor_screen_pos((box.x + pad, top + line + tall + look.px(17)))
        self._buttons(look, step, guide.at + 1 == count, right)
        if ended:
            guide.end()

    def _buttons(self, look: Look, step: Step, last: bool, right: float) -> None:
        """Draw the buttons that lead on and back, and at the right the one that points again.

        While a question is open, the first button shows its answer.
        """
        guide, p, side, top = self._guide, look.palette, imgui.get_frame_height(), imgui.get_cursor_screen_pos().y
        onward, back = tr("Show answer") if guide.asks else tr("Finish") if last else tr("Next"), tr("Back")
        wide, less = (
            max(look.px(least), width_of(name) + look.px(20))
            for least, name in zip(BUTTONS, (onward, back), strict=True)
        )
        action: Callable[[], object] | None = None
        with scopes.colored(p.fill, what="button"):
            if imgui.button(f"{onward}###Next", (wide, 0.0)):
                action = guide.next
        tooltip(look, tr("Enter", "key"))
        imgui.same_line(0, look.px(6))
        with scopes.colored(p.hovered, what="button"), scopes.disabled(guide.at == 0):
            if imgui.button(f"{back}###Back", (less, 0.0)):
                action = guide.back
        tooltip(look, tr("Backspace"))
        if step.point is not None:
            imgui.set_cursor_screen_pos((right - side, top))
            if icon_button(look, "point", icons.point_at, side, side, plain=True):
                action = partial(self.point_at, step)
            tooltip(look, tr("Show it again"))
        if action is not None:
            action()

    def _step(self, look: Look, step: Step, left: float, width: float, low: bool) -> None:
        """Draw the step's text below the title, its question and answers, and the verdict on an answer."""
        p, top, answer = look.palette, imgui.get_cursor_screen_pos().y, self._guide.answer
        if not step.question:
            _write(left, top, width, p.text, tr(step.text))
            return
        said, color = tr("Press {keys}, or click.").format(keys=_numbers(step)), p.dim
        if answer is not None:
            said, color = verdict(step, answer), p.good if answer == step.right else p.text
        instead = low and answer is not None
        _write(left, top, width, color if instead else p.text, said if instead else tr(step.text))
        top += _text_height(step, width, low) + look.px(GAP)
        with scopes.font(look.fonts.medium):
            _write(left, top, width, p.text, tr(step.question))
            top += _height(tr(step.question), width) + look.px(GAP)
        row, places = imgui.get_frame_height() + look.px(4), _places(look, step, width)
        for number, (at, x, wide) in enumerate(places, start=1):
            imgui.set_cursor_screen_pos((left + x, top + at * row))
            if self._answer_button(look, step, number, wide):
                self._guide.choose(number)
        if not low:
            _write(left, top + (places[-1][0] + 1) * row + look.px(GAP) - look.px(4), width, color, said)

    def _answer_button(self, look: Look, step: Step, number: int, width: float) -> bool:
        """Draw an answer; return whether it was pressed.

        Once an answer is chosen, the right one has a tick, and the chosen one a frame, with a cross if it is wrong.
        """
        p, chosen = look.palette, self._guide.answer
        answered, right, mine = chosen is not None, number == step.right, number == chosen
        pressed = bool(imgui.invisible_button(f"###answer {number}", (width, imgui.get_frame_height())))
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        target, middle = imgui.get_window_draw_list(), (low.y + high.y) / 2
        hovered = imgui.is_item_hovered() and not answered
        ground = mix(p.raised, p.good, 0.25) if answered and right else p.active if hovered else p.hovered
        target.add_rect_filled(low, high, u32(ground), look.px(4))
        if mine:
            edge = p.good if right else p.danger
            target.add_rect(low, high, u32(edge), look.px(4), thickness=look.px(2))
        color = p.dim if answered and not (right or mine) else p.text
        size = fitting_size(look, _answer(step, number), width - look.px(2 * INSET + TICK), SMALLEST)
        with scopes.font(look.fonts.regular, size):
            text(low.x + look.px(INSET), middle - imgui.get_text_line_height() / 2, color, _answer(step, number))
        if answered and (right or mine):
            icon, ink = (icons.tick, p.good) if right else (icons.cross, p.danger)
            icon(target, high.x - look.px(INSET + 0.4 * TICK), middle, look.px(5), u32(ink))
        return pressed and not answered

    def _draw_ring(self, look: Look, areas: Areas, step: Step) -> None:
        """Draw the ring that pulses around what the step refers to, over everything else."""
        if step.point is None:
            return
        gone = (self._clock() - self._pulse_began) / PULSE_SECONDS
        swing = abs(sin(PULSES * pi * gone))
        there = max(0.0, 1.0 - gone**4)
        p, target = look.palette, imgui.get_foreground_draw_list()
        halo, line = u32(p.background, 0.7 * there), u32(p.accent, there)
        strokes = ((halo, look.px(6)), (line, look.px(3)))
        shape = self.find(areas, step.point)
        if isinstance(shape, Rect):
            out = look.px(3) + look.px(5) * swing
            low = shape.x - out, shape.y - out
            high = shape.x + shape.width + out, shape.y + shape.height + out
            for color, thick in strokes:
                target.add_rect(low, high, color, look.px(6), thickness=thick)
        elif shape is not None:
            scene = areas.scene
            with scopes.clip(target, (scene.x, scene.y), (scene.x + scene.width, scene.y + scene.height)):
                for color, thick in strokes:
                    target.add_circle(shape, look.px(RING) * (1.0 + 0.45 * swing), color, 48, thick)

    def find(self, areas: Areas, name: str) -> Rect | tuple[float, float] | None:
        """Return where a thing is: a part of the interface, or a point of the scene; None if it is not shown."""
        if name in SCENE_PARTS:
            frame, scene = self._scene_view.frame, areas.scene
            point = None if frame is None else anchor(frame.main, name)
            if frame is None or point is None:
                return None
            right, up = Canvas(frame.main.camera, scene.size).project(point)
            return scene.x + scene.width / 2 + float(right), scene.y + scene.height / 2 - float(up)
        if "." not in name:
            part: Rect | None = getattr(areas, name)
            return part
        found, panel = self._focus.pointed_at, areas.panel or areas.board
        if found is None or panel is None:
            return None
        (left, top), (right, bottom) = found
        if top < panel.y or bottom > panel.y + panel.height:
            return None
        return Rect(round(left), round(top), round(right - left), round(bottom - top))


def _in_panel(step: Step) -> bool:
    """Return whether a step refers to a field, which the panel shows."""
    return step.point is not None and "." in step.point


def verdict(step: Step, answer: int) -> str:
    """Return the text that says whether an answer is right, and why.

    `answer` is the answer's number, or 0 if none was chosen.
    """
    head = tr("Right.") if answer == step.right else tr("Answer: {number}.").format(number=step.right)
    return f"{head} {tr(step.why)}"


def _step_height(look: Look, step: Step, width: float, low: bool) -> float:
    """Return the height of a step in pixels at this width; it does not change when the question is answered.

    `low`: the step is laid out for a low window.
    """
    tall = _text_height(step, width, low)
    if not step.question:
        return tall
    with scopes.font(look.fonts.medium):
        tall += _height(tr(step.question), width)
    rows = _places(look, step, width)[-1][0] + 1
    said = 0.0 if low else _said_height(step, width) + look.px(GAP)
    return float(tall + said + look.px(2 * GAP) + rows * (imgui.get_frame_height() + look.px(4)))


def _text_height(step: Step, width: float, low: bool) -> float:
    """Return the height of a step's text; in a low window it includes the room for a verdict in its place."""
    tall = _height(tr(step.text), width)
    return max(tall, _said_height(step, width)) if low and step.question else tall


def _said_height(step: Step, width: float) -> float:
    """Return the height of the longest verdict on an answer."""
    return max(_height(verdict(step, answer), width) for answer in range(len(step.answers) + 1))


def _places(look: Look, step: Step, width: float) -> list[tuple[int, float, float]]:
    """Return row, left edge and width of each answer; they stand side by side if all have room, else in a column."""
    count, gap = len(step.answers), look.px(GAP)
    each = (width - (count - 1) * gap) / count
    if max(width_of(_answer(step, number)) for number in range(1, count + 1)) <= each - look.px(2 * INSET + TICK):
        return [(0, at * (each + gap), each) for at in range(count)]
    return [(at, 0.0, width) for at in range(count)]


def _write(left: float, top: float, width: float, color: Color, string: str) -> None:
    """Write a text wrapped at `width`."""
    imgui.set_cursor_screen_pos((left, top))
    with scopes.wrapped(left - imgui.get_window_pos().x + width + 1.0), scopes.colored(color):
        imgui.text_unformatted(string)


def _numbers(step: Step) -> str:
    """Return the numbers of the answers in words: "1, 2 or 3"."""
    *first, last = (str(number) for number, _ in enumerate(step.answers, start=1))
    return tr("{first} or {last}").format(first=", ".join(first), last=last)


def _answer(step: Step, number: int) -> str:
    """Return an answer with its number before it."""
    return f"{number}   {tr(step.answers[number - 1])}"


def _height(string: str, width: float) -> float:
    """Return the height of a text wrapped at `width`, in pixels."""
    return float(imgui.calc_text_size(string, False, width).y)
