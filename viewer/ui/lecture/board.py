"""The board of lecture mode: the title of what is shown, the large numbers, and the controls of the lesson.

Each number is an entry of `READOUTS`.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from viewer.commands import lecture as commands
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.common.quantities import PER_LARGEST, suited
from viewer.scenario.choices.themes import Theme
from viewer.scenario.field import Switch, Vector
from viewer.scenario.lesson_board import controls_of, readouts_of
from viewer.scenario.scenario import field_at
from viewer.scenario.sections.lesson import MOST, Control
from viewer.scene.stereo.anaglyph_theme import theme_of
from viewer.scene.words.formatting import parts, printable
from viewer.scene.words.sources import sources, summary, title
from viewer.scene.words.spin import period_name
from viewer.session.snapshot import Snapshot
from viewer.ui.layout import Rect
from viewer.ui.lecture.layout import CELL, COLUMN, HEAD, PAD, columns, under_card
from viewer.ui.overlay import Overlay, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import icons, scopes, windows
from viewer.ui.widgets.drawing import Look, icon_button, shortened, text, text_right, width_of
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.style import FONT_SIZE, mix
from viewer.workspace.workspace import Workspace

TALLEST = 76.0  # greatest height of a row, at scale 1
UNDER = 29.0  # the part of its height for the label and the distance to the next row
GAP = 12.0
NEXT, BACK = ("PageDown", "Right", "Down", "Enter"), ("PageUp", "Left", "Up", "Backspace")
BLACK = ("B", ".")
CONTROLS_KEYS = ("Right", "Down", "Enter", "Left", "Up", "Backspace")  # keys for a control that has the keyboard
Cell = Callable[[Rect], None]


@frozen
class Readout:
    """A large number. `color` is the name of a colour of the theme; `of` returns the value, or None if there is none.

    `error`: the number is the relative error of the quantity that `label` names.
    """

    label: str
    unit: str
    color: str
    of: Callable[[Snapshot], float | None]
    error: bool = False

    def title(self, snapshot: Snapshot) -> str:
        """Return the label as it is shown."""
        if self is READOUTS["period"]:
            return period_name(snapshot)
        name = _error_of(snapshot, self.label)[0] if self.error else self.label
        return tr("Error of {quantity}").format(quantity=name) if self.error else name


def _momentum(snapshot: Snapshot) -> float:
    return float(np.linalg.norm(snapshot.reading.angular_momentum_world))


def _error_of(snapshot: Snapshot, label: str) -> tuple[str, float]:
    """Return the name and the relative error of the energy or, for "|L|", the momentum that should stay."""
    energy, momentum, *_ = snapshot.errors.items()
    return momentum if label == "|L|" else energy


READOUTS = {
    "time": Readout("t", "s", "text", lambda s: s.reading.time),
    "omega": Readout("|ω|", "rad/s", "angular_velocity", lambda s: float(np.linalg.norm(s.reading.omega_world))),
    "energy": Readout("E", "J", "polhode", lambda s: s.reading.energy),
    "momentum": Readout("|L|", "kg m²/s", "angular_momentum", _momentum),
    "period": Readout("T", "s", "text", lambda s: s.period),
    "energy_error": Readout("E", "", "polhode", lambda s: _error_of(s, "E")[1], error=True),
    "momentum_error": Readout("|L|", "", "angular_momentum", lambda s: _error_of(s, "|L|")[1], error=True),
}


class Board(Overlay):
    """The board, which also takes the keys of the lecture."""

    def __init__(self, workspace: Workspace, controls: FieldWidgets) -> None:
        self._workspace, self._session, self._state = workspace, workspace.session, workspace.state
        self._controls, self._lecture = controls, workspace.lecture

    @property
    def is_open(self) -> bool:
        return self._state.lecture

    def close(self) -> None:
        commands.end(self._workspace)

    def take_key(self, key: str) -> bool:
        """Take the keys of a presenter's remote, except CONTROLS_KEYS while a control has the keyboard."""
        in_control = key in CONTROLS_KEYS and self._controls.focus.at is not None
        if not self._state.lecture or in_control:
            return False
        if key in NEXT:
            commands.go_on(self._workspace)
        elif key in BACK:
            commands.go_back(self._workspace)
        elif key == BLACK[0]:
            self._lecture.darken()
        else:
            return False
        return True

    def take_text(self, typed: str) -> bool:
        if not self._state.lecture or typed != BLACK[1] or self._controls.focus.at is not None:
            return False
        self._lecture.darken()
        return True

    @property
    def controls(self) -> tuple[Control, ...]:
        """The controls that are shown: the one that was asked for, and those of the lesson."""
        scenario, asked = self._session.scenario, self._lecture.asked
        wanted = [asked] if asked is not None and scenario.has_effect(asked.path) else []
        return tuple(dict.fromkeys([*wanted, *controls_of(scenario)]))[:MOST]

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the board beside the scene or below it; its lower part may be taken by a card."""
        look, rect, taken = canvas.look, canvas.areas.board, under_card(canvas.areas)
        if rect is None:
            return
        beside = rect.y == 0
        with windows.docked(look, "Board", rect, (PAD, 0)):
            windows.line(look, rect, upper=not beside)
            cells = self._cells(look)
            end = rect.y + rect.height - taken
            least = -(-len(cells) // columns(rect.width, look.scale)) * round(look.px(TALLEST))
            top = self._tall_head(look, rect, end - least, taken > 0) if beside else self._head(look, rect)
            self._arrange(look, cells, Rect(rect.x, top, rect.width, end - top))

    def _titles(self) -> tuple[str, str]:
        """Return the title and the note of the playlist's item; where they are missing, the scene's title and summary.

        While a tour asks a question, which they might answer, the title is "Question" and the note is empty.
        """
        item = self._lecture.item
        if self._state.quiz_open:
            return tr("Question"), ""
        named, note = (tr(item.title), tr(item.note)) if item is not None else ("", "")
        return printable(named or title(self._session.scenario)), note or summary(self._session)

    def _head(self, look: Look, rect: Rect) -> int:
        """Draw the title, the note and the buttons in one line; return the y at which it ends."""
        p, (title, note) = look.palette, self._titles()
        x, y = rect.x + look.px(PAD), rect.y + (look.px(HEAD) - imgui.get_text_line_height()) / 2
        room = rect.width - 2 * look.px(PAD) - self._buttons(look, rect.x + rect.width - look.px(PAD), rect.y)
        with scopes.font(look.fonts.medium):
            used = text(x, y, p.text, shortened(title, room)) + look.px(GAP)
        text(x + used, y, p.dim, shortened(note, max(0.0, room - used)))
        return rect.y + round(look.px(HEAD))

    def _tall_head(self, look: Look, rect: Rect, end: int, has_card: bool) -> int:
        """Draw the buttons, and below them title, note, and the sources of the numbers; return the y at which they end.

        The sources, and a summary in place of a note, are drawn only if they end above the y `end`. If there is a card,
        only the buttons are drawn, as the card has a title of its own.
        """
        p, (title, note) = look.palette, ("", "") if has_card else self._titles()
        x, y, room = rect.x + look.px(PAD), float(rect.y), rect.width - 2 * look.px(PAD)
        self._buttons(look, rect.x + rect.width - look.px(PAD), rect.y)
        y += look.px(HEAD)
        bottom, gap = rect.y + rect.height, look.px(4)
        noted = self._lecture.item is not None and bool(self._lecture.item.note)
        texts = [
            (title, p.text, look.fonts.medium, bottom),
            (note, p.dim, look.fonts.regular, bottom if noted else end),
        ]
        for words in [] if has_card or self._state.quiz_open else sources(self._session.scenario):
            texts.append((words, p.dim, look.fonts.regular, end))
        for words, color, face, last in texts:
            with scopes.font(face), scopes.colored(color), scopes.wrapped(look.px(PAD) + room):
                tall = imgui.calc_text_size(words, False, room).y
                if words and y + tall + look.px(6) <= last:
                    imgui.set_cursor_screen_pos((x, y))
                    imgui.text_unformatted(words)
                    y += tall + gap
        return round(y + look.px(6))

    def _buttons(self, look: Look, right: float, top: float) -> float:
        """Draw the buttons back, next, black screen and end, and the number in the playlist; return their width.

        Their right edge is at `right`.
        """
        lecture, side, gap = self._lecture, look.px(28), look.px(4)
        playlist, place = lecture.playlist, ""
        if playlist is not None:
            place = tr("{number} of {count}").format(number=lecture.at + 1, count=len(playlist.items))
        width = 4 * side + 4 * gap + (width_of(place) + 2 * gap if place else 0.0)
        x, y = right - width, top + (look.px(HEAD) - side) / 2
        for name, icon, run in (
            ("lecture back", icons.unfold, partial(commands.go_back, self._workspace)),
            ("lecture next", icons.fold, partial(commands.go_on, self._workspace)),
            ("lecture black", icons.black, self._lecture.darken),
            ("lecture end", icons.cross, self.close),
        ):
            imgui.set_cursor_screen_pos((x, y))
            if icon_button(look, name, icon, side, side, plain=True):
                run()
            x += side + gap
            if name == "lecture back" and place:
                x += gap + text(x + gap, y + (side - imgui.get_text_line_height()) / 2, look.palette.dim, place) + gap
        return width + look.px(GAP)

    def _cells(self, look: Look) -> list[Cell]:
        """Return the functions that draw the numbers and the controls."""
        theme, scenario = theme_of(self._session.scenario), self._session.scenario
        if self._session.document.held:  # nothing else is measured, and nothing can be changed
            return [partial(self._number, look, theme, "omega")]
        names = [name for name in readouts_of(scenario) if not (self._state.quiz_open and name == "period")]
        cells: list[Cell] = [partial(self._number, look, theme, name) for name in names]
        return cells + [partial(self._control, look, control) for control in self.controls]

    def _arrange(self, look: Look, cells: list[Cell], rect: Rect) -> None:
        """Draw the cells in rows, all of the same size, as many as there is room for."""
        gap, tall = look.px(GAP), round(look.px(CELL[1]))
        below_each_other = rect.y > 0 and rect.height >= len(cells) * tall and rect.width < look.px(1.2 * COLUMN)
        across = 1 if below_each_other else columns(rect.width, look.scale)
        rows = -(-len(cells) // across)
        tall = max(tall, min(round(look.px(TALLEST)), rect.height // rows))
        wide = (rect.width - 2 * look.px(PAD) - (across - 1) * gap) / across
        for number, cell in enumerate(cells):
            row, column = divmod(number, across)
            if (row + 0.9) * tall > rect.height:  # the controls come last
                break
            x = rect.x + look.px(PAD) + column * (wide + gap)
            cell(Rect(round(x), rect.y + row * tall, round(wide), tall))

    def _number(self, look: Look, theme: Theme, name: str, cell: Rect) -> None:
        """Draw a number, as large as fits, below its name and unit."""
        readout, p, snapshot = READOUTS[name], look.palette, self._session.snapshot()
        color = mix(getattr(theme, readout.color), p.text, 0.1)
        title, value = readout.title(snapshot), readout.of(snapshot)
        text(cell.x, cell.y, color, shortened(title, cell.width))
        unit = readout.unit if self._session.document.ratios is None else PER_LARGEST.get(readout.unit, readout.unit)
        words, unit = (tr("none"), unit) if value is None else parts(value, unit)
        if width_of(title) + width_of(unit) + look.px(6) <= cell.width:
            text_right(cell.x + cell.width, cell.y, p.dim, unit)
        size = min(cell.height / look.scale - UNDER, FONT_SIZE * cell.width / max(1.0, width_of(words)))
        with scopes.font(look.fonts.regular, size):
            text(cell.x, cell.y + look.px(19), p.text, words)

    def _control(self, look: Look, control: Control, cell: Rect) -> None:
        """Draw the widget of a field below its label."""
        field, p = field_at(control.path), look.palette
        imgui.set_cursor_screen_pos((cell.x, cell.y + look.px(23)))
        if not isinstance(field, Switch):  # which has its label beside it
            names = [name for name in (tr(field.label), field.symbol) if name]
            if isinstance(field, Vector):
                names = [f"{name} {tr(field.labels[control.index])}" for name in names]
            if control.path.startswith("start."):  # it does not follow the motion, as the numbers above do
                names = [f"{name} (t = 0)" for name in names]
            beside = isinstance(field, Vector) and field.unit != "°"  # else the box has it
            unit = suited(field.unit, *self._session.scenario.value(control.path)).name if beside else ""
            room = cell.width - (width_of(unit) + look.px(6) if unit else 0.0)
            title = next((name for name in names if width_of(name) <= room), names[-1])
            text(cell.x, cell.y, p.dim, shortened(title, cell.width))
            if width_of(title) <= room:
                text_right(cell.x + cell.width, cell.y, p.dim, unit)
        self._controls.alone(look, control.path, control.index, float(cell.width))
