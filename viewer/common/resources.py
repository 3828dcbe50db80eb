"""Finds the files of `shaders/` and `assets/`, be it in a checkout, an editable install, a wheel or a zip."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


@cache
def folder(kind: str) -> "Traversable":
    """Return the folder `kind` ("shaders" or "assets").

    An installed package contains it; in a checkout it is beside the package.
    """
    package = Path(__file__).resolve().parents[1]
    for path in (package / kind, package.parent / kind):
        if path.is_dir():
            return path
    from importlib.resources import files  # here: 9 ms, for a zip only

    return files("viewer") / kind


def read_text(kind: str, *path: str) -> str:
    """Return the UTF-8 text of one file below `kind`."""
    return folder(kind).joinpath(*path).read_text(encoding="utf-8")


def read_bytes(kind: str, *path: str) -> bytes:
    """Return the bytes of one file below `kind`."""
    return folder(kind).joinpath(*path).read_bytes()


@contextmanager
def file(kind: str, *path: str) -> Iterator[Path]:
    """Yield the path of one file below `kind` in the file system; it is valid inside the `with` block."""
    found = folder(kind).joinpath(*path)
    if isinstance(found, Path):
        yield found
        return
    from importlib.resources import as_file

    with as_file(found) as copied:
        yield copied
