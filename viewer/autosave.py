"""What is not saved survives: the scene of every open window is kept in a file of its own until it is saved.

The file is locked as long as the program runs; one that stands there unlocked was left behind by a program that ended
with unsaved changes, or was killed. Scenes are written in the background: a slow disk holds no frame up.
"""

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from viewer import user_folders
from viewer.errors import SceneError
from viewer.scenario import Scenario

FOLDER = "unsaved"
SUFFIX = ".toml"
LOCK = ".lock"
KEPT = 10  # files of ended programs; older ones are deleted
DELAY = 1.0  # s after a change, in which others may follow


@dataclass(frozen=True)
class Left:
    """A scene that was left unsaved: its file, its title, and when it was written (seconds since 1970)."""

    path: Path
    title: str
    when: float

    def delete(self) -> None:
        """It is not wanted any more."""
        _delete(self.path)


def folder() -> Path:
    """Where unsaved scenes are kept."""
    return user_folders.state() / FOLDER


class Autosave:
    """Keeps the scene of one window. Never raises: where the folder cannot be written nothing is kept."""

    def __init__(self) -> None:
        self.path = folder() / f"{os.getpid()}-{os.urandom(4).hex()}{SUFFIX}"
        self._lock: IO[bytes] | None = None
        self._wanted: Scenario | None = None  # as it should stand in the file; None: no file
        self._written: Scenario | None = None
        self._changed = 0.0
        self._thread: threading.Thread | None = None

    def follow(self, scenario: Scenario | None, now: float) -> None:
        """The scene is this one now, None where there is nothing to lose; `now`: seconds on any clock."""
        if scenario is not self._wanted:
            self._wanted, self._changed = scenario, now
        if self._wanted is not self._written and now - self._changed >= DELAY:
            self._write()

    def wait(self, now: float) -> float | None:
        """Seconds until it wants to be asked again; None: not before something changes."""
        if self._wanted is self._written or self._busy:
            return None if self._wanted is self._written else DELAY
        return max(0.0, self._changed + DELAY - now)

    @property
    def _busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _write(self) -> None:
        if self._busy:
            return
        scenario = self._written = self._wanted
        self._thread = threading.Thread(target=self._put, args=(scenario,), daemon=True)
        self._thread.start()

    def _put(self, scenario: Scenario | None) -> None:
        with contextlib.suppress(OSError, SceneError):
            if scenario is None:
                self.path.unlink(missing_ok=True)
                return
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self._lock is None:
                self._lock = _locked(self.path.with_suffix(LOCK))
            scenario.save(self.path)

    def settle(self) -> None:
        """Waits until what is being written is on the disk."""
        if self._thread is not None:
            self._thread.join()

    def close(self, unsaved: Scenario | None) -> None:
        """The window closes; `unsaved`: what would be lost, which stays for the next start."""
        self._wanted = unsaved
        self.settle()
        if self._wanted is not self._written:
            self._put(unsaved)
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        with contextlib.suppress(OSError):
            self.path.with_suffix(LOCK).unlink(missing_ok=True)


def left_behind() -> list[Left]:
    """The scenes that ended programs have left unsaved, the newest first. Reads no more than it must."""
    found = []
    for path in _files():
        if _in_use(path.with_suffix(LOCK)):
            continue
        try:
            scenario, when = Scenario.load(path), path.stat().st_mtime
        except (SceneError, OSError):
            _delete(path)  # written whole or not at all: it is none of ours
            continue
        found.append(Left(path, scenario.title, when))
    found.sort(key=lambda left: left.when, reverse=True)
    for old in found[KEPT:]:
        old.delete()
    return found[:KEPT]


def _files() -> Iterator[Path]:
    with contextlib.suppress(OSError):
        yield from sorted(path for path in folder().iterdir() if path.suffix == SUFFIX)


def _delete(path: Path) -> None:
    for each in (path, path.with_suffix(LOCK)):
        with contextlib.suppress(OSError):
            each.unlink(missing_ok=True)


def _locked(path: Path) -> IO[bytes] | None:
    """The file at `path`, open and locked until it is closed or the program ends; None where another holds it."""
    file = path.open("ab")
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


def _in_use(path: Path) -> bool:
    """Whether a running program holds the lock."""
    try:
        if not path.exists():
            return False
        file = _locked(path)
    except OSError:
        return True
    if file is None:
        return True
    file.close()
    return False
