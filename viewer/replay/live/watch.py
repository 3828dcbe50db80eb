"""The watch for a flight that has just ended in what a phone measures."""

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError

if TYPE_CHECKING:
    from viewer.replay.findings import Replay
    from viewer.replay.flights.free_flights import FreeFlight
    from viewer.replay.live.live_recording import LiveRecording

Array = NDArray[np.float64]

BACK = 8.0  # s of a phone's rows in which a flight is looked for
EVERY = 0.5  # s of them between two looks
OVER = 0.3  # s after its end from which on a flight is over
FEWEST = 50  # rows


class FlightWatch:
    """Looks, in a thread, for a flight that has just ended in what a phone measures; what fails there is raised by
    `look`. `name`: the phone's."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread: threading.Thread | None = None
        self._found: Replay | None = None
        self._error: Exception | None = None
        self._flights: tuple[FreeFlight, ...] = ()  # all in the rows that are kept, their times since the first row
        self._looked = -np.inf  # up to where [s]

    def look(self, rows: "LiveRecording") -> "Replay | None":
        """Called before every frame: a flight that is new, once, among all before it; else None."""
        if self._thread is not None:
            if self._thread.is_alive():
                return None
            self._thread, found, self._found = None, self._found, None
            error, self._error = self._error, None
            if error is not None:
                raise error
            return found
        newest = float(rows.time[-1]) if len(rows.time) else -np.inf
        if newest < self._looked:  # another recording began
            self._looked, self._flights = -np.inf, ()
        if newest >= self._looked + EVERY:
            self._looked = newest
            first = int(np.searchsorted(rows.time, newest - BACK))
            if len(rows.time) - first >= FEWEST:
                args = first, rows.time - rows.began, rows.orientation_wxyz, rows.omega_body, rows.acceleration
                self._thread = threading.Thread(target=self._search, args=args, name="flights", daemon=True)
                self._thread.start()
        return None

    def _search(self, first: int, time: Array, q: Array, omega: Array, felt: Array | None) -> None:
        """Looks in the rows from `first` on."""
        try:
            self._found = self._newest(first, time, q, omega, felt)
        except InputError:  # it does not tell the body
            self._found = None
        except Exception as error:  # whatever it is: the other thread raises it
            self._error = error

    def _newest(self, first: int, time: Array, q: Array, omega: Array, felt: Array | None) -> "Replay | None":
        """The newest flight in the rows from `first` on, if there is one; raises InputError where it shows no body."""
        from viewer.replay.analysis import replay  # here: scipy takes long to import
        from viewer.replay.conventions import Conventions
        from viewer.replay.flights.free_flights import find_flights
        from viewer.replay.recording import Recording

        flights = find_flights(time[first:], omega[first:], None if felt is None else felt[first:])
        until = self._flights[-1].until if self._flights else -np.inf
        new = [one for one in flights if one.until > until + OVER and one.until < time[-1] - OVER]
        if not new or new[-1].whole:
            return None
        kept = [one for one in (*self._flights, *new) if one.begin >= time[0]]
        begins = np.searchsorted(time, [one.begin for one in kept]).tolist()
        self._flights = tuple(
            replace(one, first=row, end=row + one.samples) for row, one in zip(begins, kept, strict=True)
        )
        recording = Recording(self._name, time, q, omega, Conventions(source=self._name), (), acceleration=felt)
        return replay(recording, str(len(kept)), self._flights)
