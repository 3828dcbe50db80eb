"""The panel's free flights of a recording: a list to choose from, and what is known of the body that flew."""

from typing import TYPE_CHECKING

from viewer.commands.opening import FLIGHTS, ask_columns, choose_flight
from viewer.common import language
from viewer.common.color import Color
from viewer.common.errors import brief
from viewer.common.language import marked, tr
from viewer.scene.words.formatting import named
from viewer.ui.panel.section import Section
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look, text, text_right, tooltip
from viewer.workspace.messages import COLUMNS

if TYPE_CHECKING:
    from viewer.replay.flights.selection import FlightSelection

HEADINGS = (marked("No."), marked("at"), marked("lasts"), marked("turns"), marked("residual"))
ENDS = 0.32, 0.53, 0.7, 1.0  # right ends of all columns but the first, as fractions of the width


def cells(number: int, chosen: "FlightSelection") -> tuple[str, ...]:
    """Return the cells of a flight's line, in the order of HEADINGS; a doubtful record is marked.

    `number` counts the flights from 0. The residual is that of the fit, which only the chosen flights have.
    """
    flight, fitted = chosen.flights[number], dict(zip(chosen.numbers, chosen.fit.motions, strict=True)).get(number)
    return (
        f"{number + 1}{' !' if flight.flags else ''}",
        f"{flight.begin:.2f} s",
        f"{flight.seconds:.2f} s",
        brief(flight.turns, 2),
        "" if fitted is None else tr("{percent} %").format(percent=brief(100.0 * fitted.residual, 2)),
    )


class FlightsSection(Section):
    """The free flights of a recording: a list to choose from, and what is known of the body that flew."""

    title = FLIGHTS

    _cached_texts: tuple[object, list[str], list[str]] = (None, [], [])

    @property
    def selection(self) -> "FlightSelection | None":
        """The flights of the recording that is shown; None if there are none."""
        found = self._session.document.recording
        return None if found is None else found.selection

    def draw(self, look: Look) -> None:
        """Draw a line for each flight, one for all of them together, and what is known from the chosen ones."""
        chosen = self.selection
        if chosen is None:
            return
        qualities, findings = self._texts(chosen)
        together = len(chosen.numbers) > 1
        self._cells(look, tuple(map(tr, HEADINGS)), look.palette.dim)
        tooltip(
            look,
            tr("Residual: what the fitted body leaves of the rates, of the chosen flights; !: its line says more"),
        )
        for number in range(len(chosen.flights)):
            top = imgui.get_cursor_screen_pos()
            self._line(look, f"##flight {number + 1}", not together and number == chosen.shown, str(number + 1))
            tooltip(look, qualities[number])
            below = imgui.get_cursor_screen_pos()
            imgui.set_cursor_screen_pos(top)
            self._cells(look, cells(number, chosen), look.palette.text)
            imgui.set_cursor_screen_pos(below)
        if len(chosen.flights) > 1:
            self._line(look, named("All together: one body", "##flight all"), together, "all")
            tooltip(look, tr("One body is fitted to all flights; the best one is shown"))
        if self._session.document.recordings is not None and self._session.document.recordings.files:
            if imgui.button(named(COLUMNS), (imgui.get_content_region_avail().x, 0.0)):
                ask_columns(self._workspace)
            self._controls.focus.button(look, COLUMNS)
            tooltip(look, tr("Say anew what the columns of the recording are, and their signs"))
        imgui.dummy((0.0, look.px(2)))
        with scopes.wrapped(0.0):
            for line in findings:
                imgui.bullet()
                imgui.text_wrapped(line)

    def _cells(self, look: Look, texts: tuple[str, ...], color: Color) -> None:
        """Draw the cells of a line: the number, and the columns that end at ENDS."""
        at, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
        first, *others = texts
        text(at.x, at.y, color, first)
        for end, cell in zip(ENDS, others, strict=True):
            text_right(at.x + end * room, at.y, color, cell)
        imgui.dummy((room, imgui.get_text_line_height()))

    def _line(self, look: Look, label: str, on: bool, which: str) -> None:
        """Draw the line that chooses a flight, or all of them."""
        clicked = imgui.selectable(label, on)[0]
        self._controls.focus.button(look, label)
        if clicked and not on:
            choose_flight(self._workspace, which)

    def _texts(self, chosen: "FlightSelection") -> tuple[list[str], list[str]]:
        """Return a text about each flight, and lines about the chosen ones.

        They are kept until the choice or the language changes.
        """
        made_of = chosen, language.chosen()
        if self._cached_texts[0] != made_of:
            from viewer.replay.flights.words import quality_of, report  # here: scipy takes long to import

            self._cached_texts = made_of, list(map(quality_of, chosen.flights)), report(chosen.fit, chosen.numbers)
        return self._cached_texts[1:]
