"""The text of a step of a tour, its question with the answers as buttons, and what is said once one is chosen."""

from viewer.common.color import Color
from viewer.common.language import tr
from viewer.scenario.tours import Step
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import icons, scopes
from viewer.ui.widgets.drawing import Look, fitting_size, text, width_of
from viewer.ui.widgets.style import mix, u32
from viewer.workspace.tour_guide import TourGuide

GAP = 8.0  # at scale 1
INSET = 10.0  # of an answer's text in its button
TICK = 16.0  # for the mark behind it
SMALLEST = 0.6  # of the usual size: so small an answer gets


def verdict(step: Step, answer: int) -> str:
    """What is said to an answer, by its number; 0: none was chosen."""
    if answer == step.right:
        head = tr("Right.")
    elif answer:
        head = tr("No, it is {number}.").format(number=step.right)
    else:
        head = tr("It is {number}.").format(number=step.right)
    return f"{head} {tr(step.why)}"


class TourQuestion:
    """Draws the text and the question of a step; what they take of the card stays the same when it is answered.

    In a low window what is said to the answer takes the place of the text.
    """

    def height(self, look: Look, step: Step, width: float, low: bool) -> float:
        """How tall it is in pixels where it is `width` wide; `low`: in a low window."""
        tall = _height(tr(step.text), width)
        if not step.question:
            return tall
        said = max(_height(verdict(step, answer), width) for answer in range(len(step.answers) + 1))
        rows = max(row for row, *_ in self._places(look, step, width)) + 1
        row = imgui.get_frame_height() + look.px(4)
        tall = max(tall, said) if low else tall + said + look.px(GAP)
        return float(tall + look.px(2 * GAP) + self._question_height(look, step, width) + rows * row)

    def _question_height(self, look: Look, step: Step, width: float) -> float:
        with scopes.font(look.fonts.medium):
            return _height(tr(step.question), width)

    def _places(self, look: Look, step: Step, width: float) -> list[tuple[int, float, float]]:
        """Row, left edge and width of each answer: side by side where all of them have room so, else one below the
        other."""
        count, gap = len(step.answers), look.px(GAP)
        each = (width - (count - 1) * gap) / count
        room = each - look.px(2 * INSET + TICK)
        if max(width_of(_answer(step, number)) for number in range(1, count + 1)) <= room:
            return [(0, at * (each + gap), each) for at in range(count)]
        return [(at, 0.0, width) for at in range(count)]

    def draw(self, look: Look, guide: TourGuide, step: Step, left: float, width: float, low: bool) -> None:
        """The step's text from the present line on, its question with the answers, and what is said to one chosen."""
        p, top = look.palette, imgui.get_cursor_screen_pos().y
        answered = guide.answer is not None
        said, color, tall = "", p.dim, _height(tr(step.text), width)
        if step.question:
            said = tr("Press {keys}, or click.").format(keys=_numbers(step))
        if guide.answer is not None:
            said, color = verdict(step, guide.answer), p.good if guide.answer == step.right else p.text
        if step.question and low:
            tall = max(tall, *(_height(verdict(step, answer), width) for answer in range(len(step.answers) + 1)))
        instead = bool(step.question) and low and answered
        self._lines(left, top, width, color if instead else p.text, said if instead else tr(step.text))
        if not step.question:
            return
        top += tall + look.px(GAP)
        with scopes.font(look.fonts.medium):
            self._lines(left, top, width, p.text, tr(step.question))
        top += self._question_height(look, step, width) + look.px(GAP)
        row, places = imgui.get_frame_height() + look.px(4), self._places(look, step, width)
        for number, (at, x, wide) in enumerate(places, start=1):
            imgui.set_cursor_screen_pos((left + x, top + at * row))
            if self._answer_button(look, guide, step, number, wide):
                guide.choose(number)
        if not low:
            top += (max(at for at, *_ in places) + 1) * row + look.px(GAP) - look.px(4)
            self._lines(left, top, width, color, said)

    def _lines(self, left: float, top: float, width: float, color: Color, string: str) -> None:
        """A text that breaks at `width`."""
        imgui.set_cursor_screen_pos((left, top))
        with scopes.wrapped(left - imgui.get_window_pos().x + width + 1.0), scopes.colored(color):
            imgui.text_unformatted(string)

    def _answer_button(self, look: Look, guide: TourGuide, step: Step, number: int, width: float) -> bool:
        """One answer; once there is an answer the right one has a tick, and the chosen one a frame."""
        p, answered = look.palette, guide.answer is not None
        right, mine = number == step.right, number == guide.answer
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


def _numbers(step: Step) -> str:
    """The numbers of the answers, as they are said."""
    *first, last = (str(number) for number, _ in enumerate(step.answers, start=1))
    return tr("{first} or {last}").format(first=", ".join(first), last=last)


def _answer(step: Step, number: int) -> str:
    """An answer behind its number."""
    return f"{number}   {tr(step.answers[number - 1])}"


def _height(string: str, width: float) -> float:
    """Of a text that breaks at `width`, in pixels."""
    return float(imgui.calc_text_size(string, False, width).y)
