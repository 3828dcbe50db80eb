"""What is not saved survives: the scene of every open window is kept in a file of its own until it is saved.

The file is locked as long as the program runs; one that stands there unlocked was left behind by a program that ended
with unsaved changes, or was killed. Scenes are written in the background: a slow disk holds no frame up. Nothing is
deleted that nobody has decided on: what cannot be read is put aside.
"""

import contextlib
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from viewer.common import locks
from viewer.common.errors import InputError
from viewer.scenario.scenario import Scenario
from viewer.user import folders

FOLDER = "unsaved"
SUFFIX = ".toml"
LOCK = ".lock"
ASIDE = "unreadable"  # the folder of what cannot be read, below the others
OFFERED = 10  # files of ended programs, the newest; the others wait until these are dealt with
DELAY = 1.0  # s after a change, in which others may follow
RETRY = 5.0  # s after a scene could not be written


@dataclass(frozen=True)
class Leftover:
    """A scene that was left unsaved: its file, its title, and when it was written (seconds since 1970)."""

    path: Path
    title: str
    when: float

    def delete(self) -> None:
        """It is not wanted any more."""
        _delete(self.path)


def folder() -> Path:
    """Where unsaved scenes are kept."""
    return folders.state() / FOLDER


class Autosave:
    """Keeps the scene of one window. Never raises: `problem` says why the scene as it is now is not kept, if so."""

    def __init__(self) -> None:
        self.path = folder() / f"{os.getpid()}-{os.urandom(4).hex()}{SUFFIX}"
        self.problem: str | None = None
        self._lock: BinaryIO | None = None
        self._wanted: Scenario | None = None  # as it should stand in the file; None: no file
        self._written: Scenario | None = None  # as it stands there
        self._due = 0.0  # when the next attempt is
        self._thread: threading.Thread | None = None

    def follow(self, scenario: Scenario | None, now: float) -> None:
        """The scene is this one now, None where there is nothing to lose; `now`: seconds on any clock."""
        if scenario is not self._wanted:
            self._wanted, self._due = scenario, now + DELAY
        if self._wanted is not self._written and now >= self._due and not self._busy:
            self._due = now + RETRY
            self._thread = threading.Thread(target=self._put, args=(scenario,), daemon=True)
            self._thread.start()

    def wait(self, now: float) -> float | None:
        """Seconds until it wants to be asked again; None: not before something changes."""
        if self._wanted is self._written:
            return None
        return DELAY if self._busy else max(0.0, self._due - now)

    @property
    def _busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def keep(self, scenario: Scenario) -> bool:
        """Writes the scene at once; whether it stands in the file now."""
        self.settle()
        self._wanted = scenario
        self._put(scenario)
        return self._written is scenario

    def _put(self, scenario: Scenario | None) -> None:
        try:
            if scenario is None:
                self.path.unlink(missing_ok=True)
            else:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                if self._lock is None:
                    self._lock = locks.acquire(self.path.with_suffix(LOCK))
                scenario.save(self.path)
        except OSError as error:
            self.problem = f"unsaved changes: {self.path}: cannot be kept: {error.strerror or error}"
        except InputError as error:
            self.problem = f"unsaved changes: {error}"
        else:
            self._written, self.problem = scenario, None

    def adopt(self, left: Leftover, scenario: Scenario) -> bool:
        """Takes over a file that was left behind, as it stands; False where another window has. Raises OSError."""
        self.settle()
        lock = locks.acquire(left.path.with_suffix(LOCK))
        if lock is None:
            return False
        before, held = self.path, self._lock
        self.path, self._lock = left.path, lock
        self._wanted = self._written = scenario
        self.problem = None
        with contextlib.suppress(OSError):
            before.unlink(missing_ok=True)
        if held is not None:
            locks.release(held, before.with_suffix(LOCK))
        return True

    def settle(self) -> None:
        """Waits until what is being written is on the disk."""
        if self._thread is not None:
            self._thread.join()

    def close(self, unsaved: Scenario | None) -> str | None:
        """The window closes; `unsaved`: what would be lost, which stays for the next start. Says why it does not."""
        self._wanted = unsaved
        self.settle()
        if self._wanted is not self._written:
            self._put(unsaved)
        if self._lock is not None:
            locks.release(self._lock, self.path.with_suffix(LOCK))
            self._lock = None
        return self.problem


def left_behind(tell: Callable[[str], None] = lambda words: None) -> list[Leftover]:
    """The scenes that ended programs have left unsaved, the newest first. Reads no more than it must.

    What cannot be read is put aside, which `tell` is told of.
    """
    found: list[Leftover] = []
    for when, path in sorted(_files(), reverse=True):
        if len(found) == OFFERED:
            break
        if _in_use(path.with_suffix(LOCK)):
            continue
        try:
            found.append(Leftover(path, Scenario.load(path).title, when))
        except (InputError, OSError) as error:
            tell(_put_aside(path, str(error)))
    return found


def _put_aside(path: Path, why: str) -> str:
    """Moves a file that cannot be read out of the way; says so."""
    aside = path.parent / ASIDE / path.name
    try:
        aside.parent.mkdir(exist_ok=True)
        path.replace(aside)
        path.with_suffix(LOCK).unlink(missing_ok=True)
    except OSError:
        aside = path
    reason = why.removeprefix(f"{path}: ")
    return f"A scene that was left unsaved cannot be read, and is kept as {aside}: {reason}"


def _files() -> list[tuple[float, Path]]:
    """(when it was written, path) of each."""
    files = []
    with contextlib.suppress(OSError), os.scandir(folder()) as entries:
        for entry in entries:
            if entry.name.endswith(SUFFIX) and not entry.name.startswith("."):
                with contextlib.suppress(OSError):
                    files.append((entry.stat().st_mtime, Path(entry.path)))
    return files


def _delete(path: Path) -> None:
    for each in (path, path.with_suffix(LOCK)):
        with contextlib.suppress(OSError):
            each.unlink(missing_ok=True)


def _in_use(path: Path) -> bool:
    """Whether a running program holds the lock."""
    try:
        if not path.exists():
            return False
        file = locks.acquire(path)
    except OSError:
        return True
    if file is None:
        return True
    file.close()
    return False
