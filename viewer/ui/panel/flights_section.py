"""The panel's free flights of a recording: a list to choose from, and what is known of the body that flew."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from viewer.common import language
from viewer.common.errors import brief
from viewer.common.language import marked, tr
from viewer.session.session import Session
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look, tooltip
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.formatting import named

if TYPE_CHECKING:
    from viewer.replay.flights.chosen import ChosenFlights

FLIGHTS = marked("Flights")


class FlightsSection:
    """Draws the section; `choose` gets the flight that is wanted, as `replay` takes it."""

    def __init__(self, session: Session, controls: FieldWidgets, choose: Callable[[str], object]) -> None:
        self._session, self._controls, self._choose = session, controls, choose
        self._said: tuple[object, list[str], list[str]] = (None, [], [])

    @property
    def chosen(self) -> "ChosenFlights | None":
        """The flights of the recording that is shown; None where there are none."""
        found = self._session.recording
        return None if found is None else found.chosen

    def draw(self, look: Look) -> None:
        """A line for each flight, one for all of them together, and what the chosen ones tell."""
        chosen = self.chosen
        if chosen is None:
            return
        qualities, known = self._texts(chosen)
        together = len(chosen.numbers) > 1
        for number, flight in enumerate(chosen.flights):
            text = tr("{number}:  at {begin} s,  {seconds} s,  {turns} turns").format(
                number=number + 1,
                begin=brief(flight.begin, 4),
                seconds=f"{flight.seconds:.2f}",
                turns=brief(flight.turns, 2),
            )
            marks = " !" if flight.flags else ""
            self._line(
                look, f"{text}{marks}##flight {number + 1}", not together and number == chosen.shown, str(number + 1)
            )
            tooltip(look, qualities[number])
        if len(chosen.flights) > 1:
            self._line(look, named("All together: one body", "##flight all"), together, "all")
            tooltip(look, tr("One body is fitted to all flights; the best one is shown"))
        imgui.dummy((0.0, look.px(2)))
        with scopes.wrapped(0.0):
            for line in known:
                imgui.bullet()
                imgui.text_wrapped(line)

    def _line(self, look: Look, label: str, on: bool, which: str) -> None:
        clicked = imgui.selectable(label, on)[0]
        self._controls.focus.button(look, label)
        if clicked and not on:
            self._choose(which)

    def _texts(self, chosen: "ChosenFlights") -> tuple[list[str], list[str]]:
        """What each flight is like, and what is known of the chosen ones; computed once."""
        made_of = chosen, language.chosen()
        if self._said[0] != made_of:
            from viewer.replay.flights.words import quality_of, report  # here: scipy takes long to import

            self._said = made_of, list(map(quality_of, chosen.flights)), report(chosen.fit, chosen.numbers)
        return self._said[1:]
