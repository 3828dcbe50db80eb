"""Writes files whole or not at all, also where the program is killed."""

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, cast

from viewer.common.errors import refusal, shown
from viewer.common.language import tr
from viewer.common.part_file import PartFile, WriteError, as_write_error

MOST_FILES = 9999  # of one name in a folder


def output_suffix(path: str | os.PathLike[str], kind: str, allowed: Iterable[str]) -> str:
    """The suffix of a file to write, in lower case; InputError where no `kind` of file has it, or it has no folder."""
    path = Path(path)
    suffix, allowed = path.suffix.lower(), tuple(allowed)
    if suffix not in allowed:
        raise refusal(
            "output: {path} is not a {kind} file; allowed are names ending in {allowed}",
            path=shown(str(path)),
            kind=tr(kind),
            allowed=", ".join(allowed),
        )
    if not path.parent.is_dir():
        raise refusal("output: folder {parent} not found", parent=shown(str(path.parent)))
    return suffix


@contextlib.contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """An open file to write (and to read); at the end of the block it replaces `path`.

    If the block raises, `path` stays as it was and nothing else is left. A link is followed. Raises InputError where
    the system refuses (folder missing, read-only, disk full, ...).
    """
    with _one_line_errors(path):
        with as_write_error():
            target = Path(os.path.realpath(path))
            if target.is_dir():
                raise refusal("{path}: is a folder; allowed is a file", path=path)
            if target.exists() and not target.is_file():
                raise refusal("{path}: is not a regular file", path=path)
            part = PartFile(target.parent, target.stat().st_mode & 0o777 if target.exists() else None)
        with part:
            yield cast(BinaryIO, part.file)
            part.replace(target)


class NewFile:
    """`with NewFile(folder, names) as file` writes a file under the first unused one of the names.

    `path`: where it is once the block has ended; the next name where another program takes this one in the meantime.
    Raises InputError as `whole_file` does, and where all names are taken.
    """

    def __init__(self, folder: Path, names: Iterator[str]) -> None:
        self._folder = folder
        self._names = names
        self.path = self._free()

    def _free(self) -> Path:
        for name in self._names:
            if not os.path.lexists(self._folder / name):
                return self._folder / name
        raise refusal(
            "{folder}: already has {most} files with this name; move some of them",
            folder=self._folder,
            most=MOST_FILES,
        )

    def __enter__(self) -> BinaryIO:
        with _one_line_errors(self.path), as_write_error():
            self._part = PartFile(self._folder, None)
        return cast(BinaryIO, self._part.file)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with _one_line_errors(self.path), self._part:
            if error is not None:
                raise error
            while not self._part.appear(self.path):
                self.path = self._free()


def numbered(stem: str, suffix: str, first: int = 1) -> Iterator[str]:
    """The names stem1.suffix, stem2.suffix, ..."""
    return (f"{stem}{number}{suffix}" for number in range(first, MOST_FILES + 1))


@contextlib.contextmanager
def _one_line_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    """Raises a failure to write as an InputError that names `path`."""
    try:
        yield
    except (WriteError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, WriteError) and error.strerror else error
        raise refusal("{path}: cannot be written: {reason}", path=path, reason=reason) from None
