"""The files of the open scene: its own, those from which it was read, recent ones, and the one that is being read.

A file is read in a thread: meanwhile the window goes on, shows the progress, and can cancel the reading.
"""

import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from viewer.common.language import tr
from viewer.physics.solids.limits import is_mesh_file
from viewer.replay.opening import checksum
from viewer.scenario.field import Texts
from viewer.scenario.presets import PRESETS
from viewer.scenario.recordings import is_recording
from viewer.scenario.scene_file import is_picture
from viewer.session.session import Session
from viewer.user.settings import Settings, setting_at
from viewer.workspace.questions import ColumnsQuestion, Moments

if TYPE_CHECKING:
    from viewer.replay.findings import Replay
    from viewer.scenario.scenario import Scenario

Opened: TypeAlias = "tuple[Scenario, Replay | None]"
Progress = Callable[[float], None]

PROMPT = 0.15  # s that the window waits: nearly every file is read by then, and opens without a message
LONG = 5.0  # s, from which on the time is shown, too, as no step of the work says how far it has come
LOOK_EVERY = 0.1  # s between two looks at the reading, and between two frames while it lasts

RECENT = "scenes.recent"


def own_file(name: str | None) -> str | None:
    """Return the file to which a scene opened by `name` is saved again; None if `name` is not that of a scene file."""
    if name is None:
        return None
    foreign = is_recording(name) or is_mesh_file(name) or is_picture(name)
    return None if name in PRESETS or foreign else name


@dataclass(frozen=True)
class Awaited:
    """Recordings that the scene of a new window names; they are read from `files` while the scene runs.

    `flight` and `repair` are as in `LastSession`. `read` takes two functions: the one to which an Opening's `read`
    reports its progress, and one that is called with a line about each missing file.
    """

    files: tuple[str, ...]
    flight: str | None
    read: "Callable[[Progress, Callable[[str], object]], Replay | None]"
    repair: bool = False


def awaited_by(scenario: "Scenario") -> Awaited | None:
    """Return the recordings that a scene names, or None if it names none."""
    if not scenario.recording.files:
        return None

    def read(progress: Progress, tell: Callable[[str], object]) -> "Replay | None":
        from viewer.replay.opening import recording_of  # here: few windows read a recording

        return recording_of(scenario, tell, progress)

    return Awaited(scenario.recording.files, scenario.recording.flight or None, read, scenario.recording.repair)


class Ended(Exception):
    """The reading of a file has been cancelled."""


@dataclass(eq=False)
class Request:
    """A file to open, and what its reading finds out.

    Attributes
    ----------
    name
        The name of the file, as it is shown.
    listed
        Whether the file will be among the recent ones, and ends a playlist; else it is one of the playlist's scenes.
    names
        Several recordings that are opened together; else empty.
    question
        The question about the columns that the user has answered, or None.
    moments
        The moments of inertia [kg m2] that are declared for its recordings, or None.
    begins
        Whether the window begins with it, and until then shows a scene that nobody asked for.
    changes
        What the command line changes in the scene, or None.
    missing
        Lines about files that were missing.
    checksum
        The checksum of the file as it was read.
    """

    name: str
    listed: bool = True
    names: tuple[str, ...] = ()
    question: ColumnsQuestion | None = None
    moments: Moments | None = None
    begins: bool = False
    changes: "Callable[[Scenario], Scenario] | None" = None
    missing: list[str] = field(default_factory=list)
    checksum: str = ""

    @classmethod
    def of(cls, recordings: Sequence[str], **more: Any) -> "Request":
        """Return the request of one recording, or of several together, with `more` of its attributes."""
        if len(recordings) == 1:
            return cls(recordings[0], **more)
        text = tr("{count} recordings").format(count=len(recordings))
        return cls(text, names=tuple(recordings), **more)


class Opening:
    """The reading of a request: `read` is called with a function to which it reports the fraction that is done."""

    def __init__(self, request: Request, read: Callable[[Progress], Opened]) -> None:
        self.request = request
        self.fraction, self._begun = 0.0, time.monotonic()
        self._ended = False
        self._result: Opened | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(read,), name=f"opening {request.name}", daemon=True)
        self._thread.start()
        self._thread.join(PROMPT)

    @property
    def text(self) -> str:
        """The progress of the reading, in words."""
        percent, name = f"{100 * self.fraction:.0f}", Path(self.request.name).name
        text, seconds = tr("Opening {name}: {percent} % (Escape cancels)"), time.monotonic() - self._begun
        if seconds >= LONG:
            text = tr("Opening {name}: {percent} % after {seconds} s (Escape cancels)")
        return text.format(name=name, percent=percent, seconds=int(seconds))

    @property
    def done(self) -> bool:
        """Whether there is a result, or an error."""
        return not self._thread.is_alive()

    def result(self) -> Opened:
        """Return the result of `read`, or raise its exception; allowed only if `done`."""
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def end(self) -> None:
        """Cancel the reading, which stops at its next report."""
        self._ended = True

    def _run(self, read: Callable[[Progress], Opened]) -> None:
        try:
            self._result = read(self._report)
        except BaseException as error:  # `result` raises it
            self._error = error

    def _report(self, fraction: float) -> None:
        if self._ended:
            raise Ended
        self.fraction = fraction


class Files:
    """The files of the scene that is open.

    `opened_by` is the name by which the scene was opened. `opening` is the file being read now, if any. `awaited` are
    the recordings of the scene with which the window began, until they have been read. `first` is opened as soon as the
    window shows its first picture.
    """

    def __init__(self, session: Session, settings: Settings, opened_by: str | None, checksum_then: str) -> None:
        """Take what is known of the open scene's file.

        `checksum_then` is the checksum of that file when the last window read or wrote it, or "" if it is unknown.
        """
        self._session, self._settings = session, settings
        self._checksums: dict[str, str] = {}  # of scene files as they were read or written last
        self.opened_by = opened_by
        self.opening: Opening | None = None
        self.awaited: Awaited | None = None
        self.first: Request | None = None
        if self.path is not None:
            self.note_checksum(self.path, checksum_then or checksum(self.path))

    @property
    def path(self) -> str | None:
        """The scene file that holds the open scene; None if there is none."""
        return self._session.document.path

    @property
    def inputs(self) -> tuple[str, ...]:
        """All files and presets from which the open scene was read."""
        document = self._session.document
        recordings = () if document.recordings is None else document.recordings.files
        return (*filter(None, (document.path, self.opened_by)), *recordings, *document.scenario.files)

    @property
    def beginning(self) -> bool:
        """Whether the file with which the window begins is still to be read."""
        return self.first is not None or (self.opening is not None and self.opening.request.begins)

    def checksum_of(self, path: str) -> str:
        """Return the checksum that a scene file had when it was last read or written; "" if it was neither."""
        return self._checksums.get(os.path.realpath(path), "")

    def note_checksum(self, path: str, value: str) -> None:
        """Remember the checksum of a scene file that was read or written."""
        self._checksums[os.path.realpath(path)] = value

    @property
    def recent(self) -> list[str]:
        """The files opened or saved last that are still on the disk, the latest first."""
        paths: tuple[str, ...] = self._settings.value(RECENT)
        return [path for path in paths if Path(path).is_file() or is_recording(path)]

    def note(self, path: str) -> None:
        """Make a file the most recent one."""
        absolute = str(Path(path).absolute())
        if not absolute.isprintable():
            return
        others = [other for other in self._settings.value(RECENT) if other != absolute]
        self._settings.change(RECENT, (absolute, *others)[: setting_at(RECENT, Texts).most])
