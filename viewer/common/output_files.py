"""Writes files whole or not at all, even if the program is killed."""

import contextlib
import itertools
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, cast

from viewer.common.errors import refusal, shown
from viewer.common.language import tr
from viewer.common.part_file import PartFile, WriteError, as_write_error

MOST_FILES = 9999  # files in a folder whose names differ only by a number


def output_suffix(path: str | os.PathLike[str], kind: str, allowed: Iterable[str]) -> str:
    """Return the suffix of a file to write, in lower case.

    Raises InputError if the suffix is not one of those `allowed` for this `kind` of file, or if the folder is missing.
    """
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


class WholeFile:
    """`with WholeFile(path) as file` opens a new file, to write and to read, which replaces `path` at the end.

    If the block sets `complete` to False, the file at `path` is left as it was, and the new file is put beside it,
    under the first unused one of the names FILE.part.SUFFIX, FILE.part2.SUFFIX, ... After the block the attribute
    `path` says where the new file is. If the block raises an error, `path` is left as it was and no new file remains.
    If `path` is a link, the file that it leads to is replaced. With `private`, only the user may read the file. Raises
    InputError if the system refuses (folder missing, read-only, disk full, ...).
    """

    def __init__(self, path: str | os.PathLike[str], private: bool = False) -> None:
        self.path, self.complete = Path(path), True
        self._private = private

    def __enter__(self) -> BinaryIO:
        with _one_line_errors(self.path), as_write_error():
            target = self._target = Path(os.path.realpath(self.path))
            if target.is_dir():
                raise refusal("{path}: is a folder; allowed is a file", path=self.path)
            if target.exists() and not target.is_file():
                raise refusal("{path}: is not a regular file", path=self.path)
            mode = target.stat().st_mode & 0o777 if target.exists() else None
            self._part = PartFile(target.parent, 0o600 if self._private else mode)
        return cast(BinaryIO, self._part.file)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with _one_line_errors(self.path), self._part:
            if error is not None:
                raise error
            if self.complete:
                self._part.replace(self._target)
                return
            folder = self._target.parent if self.path.is_symlink() else self.path.parent
            stem, suffix = f"{self._target.stem}.part", self._target.suffix
            names = itertools.chain([f"{stem}{suffix}"], numbered(stem, suffix, 2))
            self.path = _appeared(self._part, _unused(folder, names), names)


class NewFile:
    """`with NewFile(folder, names) as file` writes a file under the first unused one of the names.

    If another program takes that name in the meantime, the next one is used; after the block `path` says where the file
    is. Raises InputError as `WholeFile` does, and if all names are taken.
    """

    def __init__(self, folder: Path, names: Iterator[str]) -> None:
        self._folder = folder
        self._names = names
        self.path = _unused(folder, names)

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
            self.path = _appeared(self._part, self.path, self._names)


def _appeared(part: PartFile, path: Path, names: Iterator[str]) -> Path:
    """Move the part file to `path`, or, if another program has taken that path meanwhile, to the next unused name.

    Returns the path that the file now has. Raises InputError as `_unused` does.
    """
    while not part.appear(path):
        path = _unused(path.parent, names)
    return path


def _unused(folder: Path, names: Iterator[str]) -> Path:
    """Return the path of the next of the names that is unused in the folder. Raises InputError if there is none."""
    for name in names:
        if not os.path.lexists(folder / name):
            return folder / name
    raise refusal(
        "{folder}: already has {most} files with this name; move some of them", folder=folder, most=MOST_FILES
    )


def numbered(stem: str, suffix: str, first: int = 1) -> Iterator[str]:
    """Return the names stem1.suffix, stem2.suffix, ..."""
    return (f"{stem}{number}{suffix}" for number in range(first, MOST_FILES + 1))


@contextlib.contextmanager
def _one_line_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn a failure to write into an InputError that names `path`."""
    try:
        yield
    except (WriteError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, WriteError) and error.strerror else error
        raise refusal("{path}: cannot be written: {reason}", path=path, reason=reason) from None
