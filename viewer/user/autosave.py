"""Unsaved scenes survive: the scene of every open window is kept in a file of its own until it is saved.

The file is locked while the program runs; an unlocked one was left behind by a program that ended with unsaved changes
or was killed. Scenes are written in a background thread, so that a slow disk delays no frame. Nothing is deleted
without the user's decision: a file that cannot be read is moved aside.
"""

import contextlib
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from viewer.common import folders, locks
from viewer.common.errors import InputError
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.common.output_files import WholeFile
from viewer.scenario.scenario import Scenario
from viewer.user import log

FOLDER = "unsaved"
SUFFIX = ".toml"
LOCK = ".lock"
ASIDE = "unreadable"  # the folder, inside FOLDER, of files that cannot be read
OFFERED = 10  # scenes at a time, the newest first
DELAY = 1.0  # s after a change, for more to follow
RETRY = 5.0  # s after a failed write


@frozen
class Leftover:
    """A scene that a program left unsaved: its file, its title, and when it was written [s since 1970]."""

    path: Path
    title: str
    when: float

    def delete(self) -> None:
        """Delete the scene's file and its lock."""
        for each in (self.path, self.path.with_suffix(LOCK)):
            with contextlib.suppress(OSError):
                each.unlink(missing_ok=True)


def folder() -> Path:
    """Return the folder of unsaved scenes."""
    return folders.state() / FOLDER


class Autosave:
    """The file that keeps the unsaved scene of one window; `problem` says why the scene is not kept."""

    def __init__(self) -> None:
        self.path = folder() / f"{os.getpid()}-{os.urandom(4).hex()}{SUFFIX}"
        self.problem: str | None = None
        self._lock: BinaryIO | None = None
        self._wanted: Scenario | None = None  # what the file should hold; None for no file
        self._written: Scenario | None = None  # what the file holds
        self._due = 0.0  # when the next attempt is
        self._thread: threading.Thread | None = None

    def follow(self, scenario: Scenario | None, now: float) -> None:
        """Take note of the present scene, or None if nothing is unsaved; `now` is the time [s] on any clock."""
        if scenario is not self._wanted:
            self._wanted, self._due = scenario, now + DELAY
        if self._wanted is not self._written and now >= self._due and not self._busy:
            self._due = now + RETRY
            self._thread = threading.Thread(target=self._put, args=(scenario,), daemon=True)
            self._thread.start()

    def wait(self, now: float) -> float | None:
        """Return the seconds until `follow` is due again, or None if it is due only after a change."""
        if self._wanted is self._written:
            return None
        return DELAY if self._busy else max(0.0, self._due - now)

    @property
    def _busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def keep(self, scenario: Scenario) -> bool:
        """Write the scene at once; return whether that succeeded."""
        self.finish_writing()
        self._wanted = scenario
        self._put(scenario)
        return self._written is scenario

    def _put(self, scenario: Scenario | None) -> None:
        try:
            if scenario is None:
                self.path.unlink(missing_ok=True)
            else:
                for own in (folders.state(), self.path.parent):
                    folders.make_private(own)
                if self._lock is None:
                    self._lock = locks.acquire(self.path.with_suffix(LOCK))
                with WholeFile(self.path, private=True) as file:
                    file.write(scenario.to_text().encode("utf-8"))
        except OSError as error:
            text = tr("unsaved changes: {path}: cannot be saved: {reason}")
            self.problem = text.format(path=self.path, reason=error.strerror or error)
        except InputError as error:
            self.problem = tr("unsaved changes: {error}").format(error=error)
        except Exception as error:  # an unexpected one ends this thread, so it is reported here
            self.problem = tr("unsaved changes: {error}").format(error=log.crash(error)[0])
        else:
            self._written, self.problem = scenario, None

    def adopt(self, left: Leftover, scenario: Scenario) -> bool:
        """Take over a file that was left behind; return False if another window holds it. Raises OSError."""
        self.finish_writing()
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

    def finish_writing(self) -> None:
        """Wait for the write that is under way."""
        if self._thread is not None:
            self._thread.join()

    def close(self, unsaved: Scenario | None) -> str | None:
        """Stop, as the window closes, and keep the `unsaved` scene for the next start.

        Return why it is not kept, or None.
        """
        self._wanted = unsaved
        self.finish_writing()
        if self._wanted is not self._written:
            self._put(unsaved)
        if self._lock is not None:
            locks.release(self._lock, self.path.with_suffix(LOCK))
            self._lock = None
        return self.problem


def left_behind(report: Callable[[str], None] = lambda message: None) -> list[Leftover]:
    """Return the scenes that ended programs have left unsaved, the newest first.

    A file that cannot be read is moved aside, and `report` gets a line about it.
    """
    _delete_orphans()
    found: list[Leftover] = []
    for when, path in sorted(_files(), reverse=True):
        if len(found) == OFFERED:
            break
        if _in_use(path.with_suffix(LOCK)):
            continue
        try:
            found.append(Leftover(path, Scenario.load(path).title, when))
        except (InputError, OSError) as error:
            report(_moved_aside(path, str(error)))
    return found


def _delete_orphans() -> None:
    """Delete the locks of programs that were killed while they had no scene to keep."""
    with contextlib.suppress(OSError):
        for path in folder().glob(f"*{LOCK}"):
            if path.with_suffix(SUFFIX).exists():
                continue
            file = locks.acquire(path)
            if file is not None:
                locks.release(file, path)


def _moved_aside(path: Path, why: str) -> str:
    """Move an unreadable file aside; return a line about it."""
    aside = path.parent / ASIDE / path.name
    try:
        folders.make_private(aside.parent)
        path.replace(aside)
        path.with_suffix(LOCK).unlink(missing_ok=True)
    except OSError:
        aside = path
    reason = why.removeprefix(f"{path}: ")
    text = tr("An unsaved scene cannot be read; its file is kept as {path}: {reason}")
    return text.format(path=aside, reason=reason)


def _files() -> list[tuple[float, Path]]:
    """Return the time of the last change [s since 1970] and the path of each unsaved scene."""
    files = []
    with contextlib.suppress(OSError), os.scandir(folder()) as entries:
        for entry in entries:
            if entry.name.endswith(SUFFIX) and not entry.name.startswith("."):
                with contextlib.suppress(OSError):
                    files.append((entry.stat().st_mtime, Path(entry.path)))
    return files


def _in_use(path: Path) -> bool:
    """Return whether a running program holds the lock at this path."""
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
