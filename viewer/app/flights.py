"""The free flights of a recording in the window: what is said when one is opened, and the watch for one that has just
ended while a phone is followed."""

import threading
from typing import TYPE_CHECKING

import numpy as np

from viewer.common.errors import InputError
from viewer.ui.panel.flights_section import FLIGHTS

if TYPE_CHECKING:
    from viewer.replay.analysis import Replay
    from viewer.replay.live_recording import LiveRecording
    from viewer.ui.host import Host

OPEN_SECTIONS = "panel.open_sections"
BACK = 8.0  # s of a phone's rows in which a flight is looked for
EVERY = 0.5  # s of them between two looks
OVER = 0.3  # s after its end from which on a flight is over
FEWEST = 50  # rows


def begin_flight(host: "Host") -> str | None:
    """The flight that is open runs again and again, and the panel lists all; returns what happened in it, in one line;
    None where the open scene has none."""
    found, settings = host.session.recording, host.settings
    if found is None or found.chosen is None:
        return None
    host.session.loop_flight()
    unfolded: tuple[str, ...] = settings.value(OPEN_SECTIONS)
    if FLIGHTS not in unfolded:
        settings.change(OPEN_SECTIONS, (*unfolded, FLIGHTS))
    return found.chosen.line


class FlightWatch:
    """Looks, in a thread, for a flight that has just ended in what a phone measures. `name`: the phone's."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread: threading.Thread | None = None
        self._found: Replay | None = None
        self._looked = self._until = -np.inf  # up to where it has looked, and the end of the last flight [s]

    def look(self, rows: "LiveRecording") -> "Replay | None":
        """Called before every frame: a flight that is new, once; else None."""
        if self._thread is not None:
            if self._thread.is_alive():
                return None
            self._thread, found, self._found = None, self._found, None
            return found
        newest = float(rows.time[-1]) if len(rows.time) else -np.inf
        if newest < self._looked:  # another recording began
            self._looked = self._until = -np.inf
        if newest >= self._looked + EVERY:
            self._looked = newest
            first = int(np.searchsorted(rows.time, newest - BACK))
            if len(rows.time) - first >= FEWEST:
                felt = rows.acceleration
                parts = rows.time[first:], rows.orientation_wxyz[first:], rows.omega_body[first:]
                args = (*parts, None if felt is None else felt[first:])
                self._thread = threading.Thread(target=self._search, args=args, name="flights", daemon=True)
                self._thread.start()
        return None

    def _search(self, time: np.ndarray, q: np.ndarray, omega: np.ndarray, felt: np.ndarray | None) -> None:
        from viewer.replay.analysis import replay  # here: scipy takes long to import
        from viewer.replay.conventions import Conventions
        from viewer.replay.flights.free_flights import find_flights
        from viewer.replay.recording import Recording

        begin = float(time[0])
        flights = find_flights(time - begin, omega, felt)
        ended = float(time[-1]) - OVER - begin
        new = [n for n, one in enumerate(flights) if begin + one.until > self._until + OVER and one.until < ended]
        if not new or flights[new[-1]].whole:
            return
        self._until = begin + flights[new[-1]].until
        recording = Recording(
            self._name, time - begin, q, omega, Conventions(source=self._name), (), acceleration=felt
        )  # fmt: skip
        try:
            self._found = replay(recording, str(new[-1] + 1))
        except InputError:  # it does not tell the body
            self._found = None
