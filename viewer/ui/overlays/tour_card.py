"""The card of a guided tour with the text and the question of a step, and the ring around what the step refers to."""

from collections.abc import Callable
from math import pi, sin

from viewer.common.language import marked, tr
from viewer.scenario.tours import SCENE_PARTS, Step, Tour
from viewer.scene.camera.camera import Canvas as PictureCanvas
from viewer.scene.naming.things import anchor
from viewer.ui.layout import Areas, Rect, beside_scene
from viewer.ui.lecture.layout import HEAD, column
from viewer.ui.overlay import Canvas, Card
from viewer.ui.overlays.tour_question import TourQuestion
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.view.scene_view import SceneView
from viewer.ui.widgets import icons, scopes, windows
from viewer.ui.widgets.drawing import Look, fitting_size, icon_button, shortened, text, text_right, tooltip, width_of
from viewer.ui.widgets.keyboard_focus import KeyboardFocus
from viewer.ui.widgets.style import u32
from viewer.ui.window_layout import WindowLayout
from viewer.workspace.tour_guide import TourGuide

WIDTH = 460.0  # at scale 1
MARGIN, PAD = 12.0, 14.0
BUTTONS, GAP = (84.0, 64.0, 60.0), 6.0  # least widths of what leads on, back and out of the tour
END = marked("End the tour (Escape); your own scene comes back")
LEAST = 260.0  # at scale 1: so wide the scene has to be beside the panel, for the card to be read
HIGHEST = 0.6  # of the scene's height: a card in its corner that would take more is laid out for a low window
LOWEST = 110.0  # at scale 1: in less height there is no card
SMALLEST_TITLE = 0.6  # of the usual size: so small a title gets before it is cut
BESIDE = 320.0  # at scale 1: so much room messages want beside the card
PULSE_SECONDS = 1.6
PULSES = 3
RING = 17.0  # at scale 1: radius about a thing of the scene


class TourCard(Card):
    """Draws the step that a guide shows, while a tour runs."""

    def __init__(
        self,
        guide: TourGuide,
        layout: WindowLayout,
        show_field: Callable[[str], str],
        focus: KeyboardFocus,
        scene_view: SceneView,
        clock: Callable[[], float],
    ) -> None:
        """`show_field`: shows the control of a field, and returns its name."""
        self._layout, self._show_field, self._focus, self._scene_view = layout, show_field, focus, scene_view
        self._guide, self._clock = guide, clock
        guide.point_at = self.point_at
        self._question = TourQuestion()
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

    @property
    def animated(self) -> bool:
        """Whether it points at something just now."""
        return self.is_open and self._clock() - self._pulse_began < PULSE_SECONDS

    def point_at(self, step: Step) -> None:
        """Points at what a step refers to; where that is a field, the panel shows it, if it has room."""
        self._pulse_began = self._clock()
        if (
            (self._layout.areas.board or self._layout.panel_fits(LEAST))
            and step.point is not None
            and "." in step.point
        ):
            self._focus.point(self._show_field(step.point))

    def leaves(self, look: Look, scene: Rect) -> Rect:
        """Return what the card leaves of the scene to the messages: beside it, or above it where that is narrow."""
        if self.box is None or self.box.y >= scene.y + scene.height or self.box.x >= scene.x + scene.width:
            return scene
        beside = self.box.x - scene.x
        if beside >= look.px(BESIDE):
            return Rect(scene.x, scene.y, beside, scene.height)
        return Rect(scene.x, scene.y, scene.width, self.box.y - scene.y)

    def draw(self, canvas: Canvas) -> None:
        """Draw the card and the ring around what its step refers to."""
        self.box = None
        if canvas.hidden:
            return
        self._draw(canvas.look, canvas.areas)
        canvas.free = self.leaves(canvas.look, canvas.free)
        if self.animated and self._guide.step is not None:
            self._draw_ring(canvas.look, canvas.areas, self._guide.step)

    def _draw(self, look: Look, areas: Areas) -> None:
        """The card: in the lower right corner of the scene, or in its own part below it."""
        guide = self._guide
        if guide.tour is None or guide.step is None:
            self._layout.card_height = self._layout.tallest_card = 0
            return
        step, scene, margin = guide.step, areas.scene, look.px(MARGIN)
        side_by_side = areas.board is None and beside_scene(areas)
        room: float = scene.height + (areas.card.height if areas.card and not side_by_side else 0)
        docked, most = scene.width, HIGHEST * room
        if side_by_side and areas.card is not None:  # how it would stand below the scene
            docked += areas.card.width
        if (beside := column(areas)) is not None:
            docked, most = beside.width, beside.height - look.px(HEAD)
        elif areas.card is not None and areas.plots is None:  # it leaves the scene half of the window
            most = min(most, scene.y + room - self._layout.viewports.size[1] / 2)
        low, tall, height = self._measured(look, step, docked, most)
        if low:
            self._fold_panel(areas, step)
        self._layout.card_height = height
        self._layout.tallest_card = self._tallest_of(look, guide.tour, most)
        if areas.card is not None:
            self.box = areas.card
            if self.box.width < docked:  # beside the plots, or beside the scene
                most = self.box.height if side_by_side else most
                *_, height = self._measured(look, step, self.box.width, most)
                if not side_by_side:
                    self._layout.card_height = height
                if step.question and height > self.box.height:  # answers would scroll
                    self._fold_panel(areas, step)
                low, tall, _ = self._measured(look, step, self.box.width, min(most, self.box.height))
        else:
            width = min(look.px(WIDTH), scene.width - 2 * margin)
            low, tall, height = self._measured(look, step, width, HIGHEST * room)
            height = min(height, scene.height - round(2 * margin))
            if width < look.px(180) or height < look.px(LOWEST):
                return
            x, y = scene.x + scene.width - width - margin, scene.y + scene.height - height - margin
            self.box = Rect(round(x), round(y), round(width), height)
        window = windows.docked if areas.card else windows.card
        with window(look, "Tour", self.box):
            self._card(look, self.box, guide, guide.tour, tall, low)

    def _fold_panel(self, areas: Areas, step: Step) -> None:
        """Gives the card the panel's width, unless the step points into it; once: whoever unfolds it wants it."""
        if self._folded_for != step and areas.panel is not None and not (step.point and "." in step.point):
            self._folded_for = step
            self._layout.show_panel(False)

    def _measured(self, look: Look, step: Step, width: float, most: float) -> tuple[bool, float, int]:
        """Of a card so wide: whether it is laid out for a low window, for else it would be taller than `most`; how tall
        its text is, and how tall it is."""
        inner = width - 2 * look.px(PAD)
        frame = self._around(look)
        low = frame + self._question.height(look, step, inner, low=False) > most
        tall = self._question.height(look, step, inner, low)
        return low, tall, round(tall + frame)

    def _tallest_of(self, look: Look, tour: Tour, most: float) -> int:
        """How tall the tallest docked card of a tour is, beside the panel where the step points into it; measured when
        the tour begins, and when something of it changes."""
        wide, narrow = self._layout.beside_panel(False), self._layout.beside_panel(True)
        of_what = tour.name, tr(tour.title), wide, narrow, most, look.scale
        if self._tallest[0] != of_what:
            widths = [narrow if step.point and "." in step.point else wide for step in tour.steps]
            tall = (self._measured(look, *each, most)[2] for each in zip(tour.steps, widths, strict=True))
            self._tallest = of_what, max(tall)
        return self._tallest[1]

    def _around(self, look: Look) -> float:
        """How tall title, buttons and edges of a card are together."""
        return float(imgui.get_text_line_height() + imgui.get_frame_height() + look.px(42))

    def _card(self, look: Look, box: Rect, guide: TourGuide, tour: Tour, tall: float, low: bool) -> None:
        step = tour.steps[guide.at]
        p, pad, line = look.palette, look.px(PAD), imgui.get_text_line_height()
        target, count, ended = imgui.get_window_draw_list(), len(tour.steps), False
        gone = box.x + box.width * (guide.at + 1) / count
        target.add_rect_filled((box.x, box.y), (gone, box.y + look.px(3)), u32(p.accent))
        right, top = box.x + box.width - pad, box.y + look.px(12)
        last, edge = guide.at + 1 == count, right
        names = tr("Show answer") if guide.asks else tr("Finish") if last else tr("Next"), tr("Back"), tr("End")
        widths = [max(look.px(least), width_of(name) + look.px(20)) for least, name in zip(BUTTONS, names, strict=True)]
        narrow = sum(widths) + imgui.get_frame_height() + 3 * look.px(GAP) > box.width - 2 * pad
        if narrow and not last:
            imgui.set_cursor_screen_pos((edge - line, top))
            ended = icon_button(look, "End", icons.cross, line, line, plain=True)
            tooltip(look, tr(END))
            edge -= line + look.px(GAP)
        where = tr("{step} of {count}").format(step=guide.at + 1, count=count)
        text_right(edge, top, p.dim, where)
        room = edge - box.x - pad - width_of(where) - look.px(10)
        with scopes.font(look.fonts.medium):
            title = tr("Question") if guide.asks else tr(tour.title)  # the title may be an answer
            size = fitting_size(look, title, room, SMALLEST_TITLE)
        with scopes.font(look.fonts.medium, size):
            text(box.x + pad, top, p.text, shortened(title, room))
        imgui.set_cursor_screen_pos((box.x + pad, top + line + look.px(7)))
        tall = min(tall, box.height - self._around(look))  # what is longer scrolls
        with scopes.child(f"step {tour.name} {guide.at}", (box.width - pad, tall)):
            self._question.draw(look, guide, step, box.x + pad, box.width - 2 * pad, low)
        imgui.set_cursor_screen_pos((box.x + pad, top + line + tall + look.px(17)))
        buttons = list(zip(names, widths, strict=True))
        if self._buttons(look, guide, step, buttons[:2] if narrow or last else buttons, right) or ended:
            guide.end()

    def _buttons(
        self, look: Look, guide: TourGuide, step: Step, buttons: list[tuple[str, float]], right: float
    ) -> bool:
        """The buttons by name and width: at the left what leads on and back; at the right what points again and, where
        there is room, what ends the tour, and whether it was pressed.

        Where the question is open, the first one shows the answer.
        """
        p, gap, top = look.palette, look.px(GAP), imgui.get_cursor_screen_pos().y
        (onward, wide), (backward, less), *others = buttons
        with scopes.colored(p.fill, what="button"):
            pressed = imgui.button(f"{onward}###Next", (wide, 0.0))
        tooltip(look, tr("Enter", "key"))
        imgui.same_line(0, gap)
        ended = again = False
        with scopes.colored(p.hovered, what="button"):
            with scopes.disabled(guide.at == 0):
                back = imgui.button(f"{backward}###Back", (less, 0.0))
            tooltip(look, tr("Backspace"))
            for name, width in others:
                imgui.set_cursor_screen_pos((right - width, top))
                ended = imgui.button(f"{name}###End", (width, 0.0))
                tooltip(look, tr(END))
                right -= width + gap
        if step.point is not None:
            side = imgui.get_frame_height()
            imgui.set_cursor_screen_pos((right - side, top))
            again = icon_button(look, "point", icons.point_at, side, side, plain=True)
            tooltip(look, tr("Show it again"))
        if pressed:
            guide.next()
        elif back:
            guide.back()
        elif again:
            self.point_at(step)
        return ended

    def _draw_ring(self, look: Look, areas: Areas, step: Step) -> None:
        """The ring that pulses around what the step refers to; over everything else."""
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
        """Where the thing is: a part of the interface, or a point of the scene; None: nowhere."""
        if name in SCENE_PARTS:
            frame, scene = self._scene_view.frame, areas.scene
            point = None if frame is None else anchor(frame.main, name)
            if frame is None or point is None:
                return None
            right, up = PictureCanvas(frame.main.camera, scene.size).project(point)
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
