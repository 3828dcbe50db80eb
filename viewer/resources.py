"""Finds the files of `shaders/` and `assets/` in a checkout, an editable install, a wheel and a zip."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def folder(kind: str) -> Traversable:
    """The folder `kind` ("shaders" or "assets"): inside the package when installed, beside it in a checkout."""
    inside = files("viewer") / kind
    if inside.is_dir():
        return inside
    return Path(__file__).resolve().parent.parent / kind


def read_text(kind: str, *path: str) -> str:
    """The UTF-8 text of one file below `kind`."""
    return folder(kind).joinpath(*path).read_text(encoding="utf-8")


def read_bytes(kind: str, *path: str) -> bytes:
    """The bytes of one file below `kind`."""
    return folder(kind).joinpath(*path).read_bytes()
