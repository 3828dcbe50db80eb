"""Reads a file in a thread: meanwhile the window goes on, shows the progress, and can cancel it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from viewer.common.language import tr
from viewer.workspace.questions import ColumnsQuestion

if TYPE_CHECKING:
    from viewer.replay.findings import Replay
    from viewer.scenario.scenario import Scenario

Opened: TypeAlias = "tuple[Scenario, Replay | None]"
Progress = Callable[[float], None]

PROMPT = 0.15  # s that the window waits: nearly every file is read by then, and opens without a message
LOOK_EVERY = 0.1  # s; so often, too, a motion that goes on meanwhile is drawn


@dataclass(frozen=True)
class Awaited:
    """The recordings, from these files, of the scene that the window has begun with, which are read while it runs.

    `flight`: as `LastSession` has it. `read`: called as an Opening's, and with what takes a line about what is missing.
    """

    files: tuple[str, ...]
    flight: str | None
    read: "Callable[[Progress, Callable[[str], object]], Replay | None]"


def awaited_by(scenario: "Scenario") -> Awaited | None:
    """The recordings that a scene names; None where it names none."""
    if not scenario.recording.files:
        return None

    def read(progress: Progress, tell: Callable[[str], object]) -> "Replay | None":
        from viewer.replay.opening import recording_of  # here: few windows read a recording

        return recording_of(scenario, tell, progress)

    return Awaited(scenario.recording.files, scenario.recording.flight or None, read)


class Ended(Exception):
    """Nobody waits for the file any more."""


@dataclass(eq=False)
class Request:
    """What is to be opened, and what the reading finds out beside it.

    `name`: as it is called. `listed`: it will stand among the recent files, and ends the playlist that there was; else
    it is one of its scenes. `names`: several recordings that are opened together. `question`: about its columns, which
    the user has answered. `missing`: lines about what was not there; `checksum`: of the file as it was read.
    """

    name: str
    listed: bool = True
    names: tuple[str, ...] = ()
    question: ColumnsQuestion | None = None
    missing: list[str] = field(default_factory=list)
    checksum: str = ""


class Opening:
    """The reading of a request: `read` is called with a function to which it reports the fraction that is done."""

    def __init__(self, request: Request, read: Callable[[Progress], Opened]) -> None:
        self.request = request
        self.fraction = 0.0
        self._shown, self._show_at = "", -inf  # the text that was shown last, and when it may be shown anew
        self._ended = False
        self._result: Opened | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(read,), name=f"opening {request.name}", daemon=True)
        self._thread.start()
        self._thread.join(PROMPT)

    @property
    def text(self) -> str:
        """How far it is, in words."""
        percent, name = f"{100 * self.fraction:.0f}", Path(self.request.name).name
        return tr("Opening {name}: {percent} % (Escape cancels)").format(name=name, percent=percent)

    def progressed(self, now: float) -> bool:
        """Return whether there is another text to show, not too often, for drawing takes time from the reading; `now`:
        seconds on the clock."""
        if self.text == self._shown or now < self._show_at:
            return False
        self._shown, self._show_at = self.text, now + LOOK_EVERY
        return True

    @property
    def done(self) -> bool:
        """Whether there is a result, or an error."""
        return not self._thread.is_alive()

    def result(self) -> Opened:
        """What was read; raises what `read` raised. Only where it is done."""
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def end(self) -> None:
        """Nobody waits for it any more; it stops at its next report."""
        self._ended = True

    def _run(self, read: Callable[[Progress], Opened]) -> None:
        try:
            self._result = read(self._report)
        except BaseException as error:  # whoever asks for the result gets it
            self._error = error

    def _report(self, fraction: float) -> None:
        if self._ended:
            raise Ended
        self.fraction = fraction
