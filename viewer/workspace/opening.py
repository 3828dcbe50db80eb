"""Reads a file in a thread: meanwhile the window goes on, shows the progress, and can cancel it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from viewer.replay.opening import Recordings
    from viewer.scenario.scenario import Scenario

Result = TypeVar("Result")

PROMPT = 0.15  # s that the window waits: nearly every file is read by then, and opens without a message
LOOK_EVERY = 0.1  # s; so often, too, a motion that goes on meanwhile is drawn


@dataclass(frozen=True)
class Awaited:
    """The recordings, from these files, of the scene that the window has begun with, which are read while it runs.

    `flight`: as `LastSession` has it. `read`: called as an Opening's, and with what takes a line about what is missing.
    """

    files: tuple[str, ...]
    flight: str | None
    read: "Callable[[Callable[[float], None], Callable[[str], object]], Recordings | None]"


def awaited_by(scenario: "Scenario") -> Awaited | None:
    """The recordings that a scene names; None where it names none."""
    if not scenario.recording.files:
        return None

    def read(progress: Callable[[float], None], tell: Callable[[str], object]) -> "Recordings | None":
        from viewer.replay.opening import recording_of  # here: few windows read a recording

        return recording_of(scenario, tell, progress)

    return Awaited(scenario.recording.files, scenario.recording.flight or None, read)


class Ended(Exception):
    """Nobody waits for the file any more."""


class Opening(Generic[Result]):
    """One file: `read` is called with a function to which it reports the fraction that is done."""

    def __init__(self, name: str, read: Callable[[Callable[[float], None]], Result]) -> None:
        self.name = name
        self.fraction = 0.0
        self._ended = False
        self._result: Result | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(read,), name=f"opening {name}", daemon=True)
        self._thread.start()
        self._thread.join(PROMPT)

    @property
    def done(self) -> bool:
        """Whether there is a result, or an error."""
        return not self._thread.is_alive()

    def result(self) -> Result:
        """What was read; raises what `read` raised. Only where it is done."""
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def end(self) -> None:
        """Nobody waits for it any more; it stops at its next report."""
        self._ended = True

    def _run(self, read: Callable[[Callable[[float], None]], Result]) -> None:
        try:
            self._result = read(self._report)
        except BaseException as error:  # whoever asks for the result gets it
            self._error = error

    def _report(self, fraction: float) -> None:
        if self._ended:
            raise Ended
        self.fraction = fraction
