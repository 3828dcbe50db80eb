"""Writes files whole or not at all, and finds names for new ones."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from viewer.fields import SceneError

MOST_FILES = 9999  # of one name in a folder


@contextlib.contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Gives a temporary path beside `path`; what is written there takes the place of `path` at the end.

    If the block raises, `path` stays as it was and the temporary file is removed. A link is followed. Raises
    SceneError where the system refuses (folder missing, read-only, disk full, ...).
    """
    try:
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise SceneError(f"{path}: is a folder; allowed is a file")
        if target.exists() and not target.is_file():
            raise SceneError(f"{path}: is not a plain file")
        temporary = target.parent / f".{target.name[:40]}.{os.urandom(6).hex()}{target.suffix}"
        try:  # from before the file is there, so that an interrupt at any moment clears it away
            os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            temporary.chmod(_mode(target))
            yield temporary
            _to_disk(temporary)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        if isinstance(error, SceneError) or not isinstance(error, OSError | UnicodeError):
            raise
        raise SceneError(f"{path}: cannot be written: {_reason(error)}") from None


def free_path(folder: Path, stem: str, suffix: str) -> Path:
    """The first of stem1.suffix, stem2.suffix, ... that is not there yet; raises SceneError where all are."""
    for number in range(1, MOST_FILES + 1):
        path = folder / f"{stem}{number}{suffix}"
        if not path.exists():
            return path
    raise SceneError(f"{folder}: has {MOST_FILES} files {stem}1{suffix}, ... already; move some of them")


def _reason(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced, or those of a new file."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _to_disk(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
