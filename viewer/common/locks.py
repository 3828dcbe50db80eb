"""Locks between processes, for settings, autosave, sweeps and files being written. A lock is a locked open file.

The system releases it when the process ends, however it ends. The package `filelock` would not do: it locks separate
files at paths, while here the file being written may itself be locked, and may have no path. Importing `filelock` also
takes 14 ms of processor time.
"""

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

RETRY = 0.01  # s


def try_lock(descriptor: int) -> bool:
    """Lock an open file until it is closed; return False if another process holds the lock.

    Raises OSError if the file system has no locks.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def acquire(path: Path) -> BinaryIO | None:
    """Return the file at `path` open and locked, or None if another process holds the lock.

    A new file can be read and written by its owner only.
    """
    while True:
        file = open(path, "ab", opener=private)  # noqa: SIM115  it stays open
        try:
            if not try_lock(file.fileno()):
                file.close()
                return None
            if is_at(file.fileno(), path):
                return file
        except BaseException:
            file.close()
            raise
        file.close()  # whoever held it deleted it in between


def private(path: str, flags: int) -> int:
    """Open a file; serves as the `opener` of `open`. A new file can be read and written by its owner only."""
    return os.open(path, flags, 0o600)


def release(file: BinaryIO, path: Path) -> None:
    """Delete and unlock a file that `acquire` has returned."""
    if sys.platform == "win32":  # an open file cannot be deleted there
        file.close()
    with contextlib.suppress(OSError):
        path.unlink()
    file.close()


@contextlib.contextmanager
def exclusive(path: Path, timeout: float) -> Iterator[None]:
    """Hold the lock at `path` inside the block. Waits for it up to `timeout` seconds, then raises TimeoutError."""
    end = time.monotonic() + timeout
    while (file := acquire(path)) is None:
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(RETRY)
    try:
        yield
    finally:
        release(file, path)


def is_at(descriptor: int, path: Path) -> bool:
    """Return whether the open file is the one at `path`."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
