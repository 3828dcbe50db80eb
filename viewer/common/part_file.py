"""A file that is being written, of which nothing remains if the program is killed.

If the system can make files without a name (`O_TMPFILE`), the file has none. Otherwise it has a hidden name and is
locked; the next process that writes into the folder deletes the hidden files that killed processes have left.
"""

import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from viewer.common import locks, signals

FULL = (errno.ENOSPC, errno.EDQUOT)
LEAST_RESERVE = 1 << 16  # bytes
PART = ".poinsot-part"  # the end of a hidden name
BINARY: int = getattr(os, "O_BINARY", 0)


class WriteError(OSError):
    """A failure of the file that is being written; any other OSError concerns something else."""


@contextlib.contextmanager
def as_write_error() -> Iterator[None]:
    """Turn an OSError raised in the block into a `WriteError`."""
    try:
        yield
    except OSError as error:
        raise WriteError(error.errno, error.strerror or str(error)) from None


def keep_free(file: BinaryIO, size: int) -> None:
    """Reserve disk space for the end of an open `WholeFile` or `NewFile`: `size` bytes, or as many as fit."""
    raw = cast(Any, file).raw
    if isinstance(raw, _Raw):
        raw.keep_free(size)


def disk_full(file: BinaryIO) -> bool:
    """Return whether the disk is full; if so, the reserved space is free now, for the end of the file."""
    raw = cast(Any, file).raw
    return isinstance(raw, _Raw) and raw.full


class _Raw(io.FileIO):
    """A file in `folder` that raises a `WriteError` if it fails, and can reserve disk space for its end."""

    def __init__(self, descriptor: int, folder: Path) -> None:
        super().__init__(descriptor, "r+b")
        self._folder, self._reserve, self.full = folder, cast(Any, None), False

    def keep_free(self, size: int) -> None:
        self._reserve = _reserved(self._folder, size)

    def write(self, data: Any, /) -> int:
        with as_write_error():
            try:
                return super().write(data)
            except OSError as error:
                if error.errno not in FULL or self._reserve is None:
                    raise
            self._release()
            self.full = True
            return super().write(data)

    def readinto(self, buffer: Any, /) -> int:
        with as_write_error():
            return super().readinto(buffer)

    def truncate(self, size: int | None = None, /) -> int:
        with as_write_error():
            return super().truncate(size)

    def close(self) -> None:
        self._release()
        super().close()

    def _release(self) -> None:
        if self._reserve is not None:
            self._reserve.close()
            self._reserve = None


def _reserved(folder: Path, size: int) -> Any:
    """Return an unnamed file that occupies `size` bytes, or half, a quarter, ... of that if the disk lacks space.

    Returns None if not even LEAST_RESERVE bytes fit.
    """
    import tempfile  # here, as shutil below: 3 ms of every start

    while size >= LEAST_RESERVE:
        try:
            file = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115  closed when it is given up
        except OSError:
            return None
        try:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, size)
            elif file.write(bytes(size)) < size:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return file
        except OSError:
            file.close()
            size //= 2
    return None


class PartFile:
    """A file that is being written: the open `file`, and its hidden path `name`, or None if it has no name.

    Leaving the context closes the file, and deletes it unless it has been moved to its final path.
    """

    def __init__(self, folder: Path, mode: int | None) -> None:
        """Create the file with the permissions `mode`; None stands for those of any new file. Raises OSError."""
        self._folder, self._mode = folder, mode
        self.name: Path | None = None
        with signals.held():
            _clear(folder)
            descriptor = _unnamed(folder, self._creation_mode)
            if descriptor is None:
                descriptor, self.name = _hidden(folder, self._creation_mode)
            self.file = self._opened(descriptor)

    @property
    def _creation_mode(self) -> int:
        """The permissions that the file is created with, before the user's umask."""
        return 0o666 if self._mode is None else self._mode

    def _opened(self, descriptor: int) -> io.BufferedRandom:
        if self._mode is not None and hasattr(os, "fchmod"):
            os.fchmod(descriptor, self._mode)
        return io.BufferedRandom(_Raw(descriptor, self._folder))

    def __enter__(self) -> "PartFile":
        return self

    def __exit__(self, *raised: object) -> None:
        with signals.held(), contextlib.suppress(OSError):
            with contextlib.suppress(OSError):
                self.file.close()
            if self.name is not None:
                self.name.unlink()

    def replace(self, target: Path) -> None:
        """Move the file to `target`, replacing any file there, and sync it to the disk."""
        with signals.held(), as_write_error():
            self._to_disk()
            if self.name is None and not self._linked(target):
                self._give_hidden_name()
            if self.name is not None:
                self._close_to_move()
                self.name.replace(target)
                self.name = None
            _sync(target.parent)

    def appear(self, target: Path) -> bool:
        """Move the file to `target` and sync it to the disk; return False if `target` already exists."""
        with signals.held(), as_write_error():
            self._to_disk()
            if self.name is None:
                if self._linked(target):
                    _sync(target.parent)
                    return True
                if os.path.lexists(target):
                    return False
                self._give_hidden_name()
            assert self.name is not None
            self._close_to_move()
            try:
                _move_to_new(self.name, target)
            except FileExistsError:
                return False
            _sync(target.parent)
            return True

    def _to_disk(self) -> None:
        if not self.file.closed:
            self.file.flush()
            os.fsync(self.file.fileno())

    def _close_to_move(self) -> None:
        if sys.platform == "win32":  # an open file cannot be moved there
            self.file.close()

    def _linked(self, path: Path) -> bool:
        """Link the unnamed file to a path that is not in use; return whether the system could do it."""
        folder = os.open(path.parent, os.O_RDONLY)
        try:  # only with a folder's descriptor does Python follow the link that stands in /proc
            os.link(_in_proc(self.file.fileno()), path.name, dst_dir_fd=folder)
        except OSError:
            return False
        finally:
            os.close(folder)
        return True

    def _give_hidden_name(self) -> None:
        """Give the unnamed file a hidden name; if the system cannot link it, replace it by a copy that has one."""
        import shutil

        name = _hidden_name(self._folder)
        if self._linked(name):
            self.name = name
            return
        descriptor, self.name = _hidden(self._folder, self._creation_mode)
        copy = self._opened(descriptor)
        with self.file as file:
            file.seek(0)
            shutil.copyfileobj(file, copy)
        self.file = copy
        self._to_disk()


def _sync(folder: Path) -> None:
    """Sync the names in a folder to the disk if the system can do it: Windows and some file systems cannot."""
    if sys.platform == "win32":
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:  # files may be made in it, but their names not read
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def _unnamed(folder: Path, mode: int) -> int | None:
    """Return the descriptor of a file without a name, open and locked; None if the system has no such files."""
    flag = getattr(os, "O_TMPFILE", 0)
    if not flag:
        return None
    try:
        descriptor = os.open(folder, flag | os.O_RDWR, mode)
    except OSError:
        return None
    if not os.path.exists(_in_proc(descriptor)):
        os.close(descriptor)
        return None
    _lock(descriptor)
    return descriptor


def _in_proc(descriptor: int) -> str:
    return f"/proc/self/fd/{descriptor}"


def _hidden_name(folder: Path) -> Path:
    return folder / f".{os.urandom(6).hex()}{PART}"


def _hidden(folder: Path, mode: int) -> tuple[int, Path]:
    """Return the descriptor and the path of a file with a hidden name, open and locked."""
    while True:
        name = _hidden_name(folder)
        descriptor = os.open(name, os.O_CREAT | os.O_EXCL | os.O_RDWR | BINARY, mode)
        if _lock(descriptor) and locks.is_at(descriptor, name):
            return descriptor, name
        os.close(descriptor)  # somebody else clears it away, or has done so, before it was locked


def _lock(descriptor: int) -> bool:
    """Lock the file, so that no other process deletes it as a leftover; return False if one is doing so now.

    On Windows an open file cannot be deleted anyway, and on a file system without locks no leftovers are deleted.
    """
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            return locks.try_lock(descriptor)
    return True


def _clear(folder: Path) -> None:
    """Delete the hidden files that killed processes have left in a folder."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(PART) and entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _delete_unlocked(entry.path)


def _delete_unlocked(path: str) -> None:
    if sys.platform == "win32":
        os.unlink(path)  # which fails where it is open
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        if locks.try_lock(descriptor):
            os.unlink(path)
    finally:
        os.close(descriptor)


def _move_to_new(name: Path, target: Path) -> None:
    """Move the file at `name` to an unused path. Raises FileExistsError if `target` is in use."""
    if sys.platform == "win32":
        name.rename(target)
        return
    try:
        os.link(name, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        name.replace(target)
