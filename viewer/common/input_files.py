"""Reads files from outside: only regular files, of limited size, and TOML of limited size and depth."""

import contextlib
import os
import re
import stat
import tomllib
from collections.abc import Iterator
from typing import Any, BinaryIO

from viewer.common.errors import InputError, Wording, refusal, shown

Path = str | os.PathLike[str]

KEY_PARTS = 8  # most parts of a dotted key, 2 in scenes; tomllib's time grows with their square: 45 s for 80 kB
_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_LONG_KEY = re.compile(rf"(?<![\w-])(?:{_PART}[ \t]*\.[ \t]*){{{KEY_PARTS}}}{_PART}")


class MissingFile(InputError):
    """A path at which there is no file."""


def open_file(path: Path) -> BinaryIO:
    """Open a regular file, or a link to one, for reading.

    Raises MissingFile if there is nothing at the path, InputError if there is anything else. It never waits for a pipe
    or a device.
    """
    name = name_shown(path)
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISREG(mode):
            return open(path, "rb")
    except (FileNotFoundError, ValueError):  # ValueError: a name with a zero byte
        raise MissingFile(Wording("{name}: file not found", name=name)) from None
    except OSError as error:
        raise _unreadable(name, error) from None
    if stat.S_ISDIR(mode):
        raise refusal("{name}: is a folder; allowed is a file", name=name)
    raise refusal("{name}: is not a regular file; pipes and devices are not read", name=name)


@contextlib.contextmanager
def read_errors(name: str) -> Iterator[None]:
    """Turn an OSError raised in the block, which reads the file of this name, into an InputError."""
    try:
        yield
    except OSError as error:
        raise _unreadable(name, error) from None


def _unreadable(name: str, error: OSError) -> InputError:
    return refusal("{name}: cannot be read: {reason}", name=name, reason=error.strerror or error)


def read_bytes(path: Path, most: int) -> bytes:
    """Return the bytes of a regular file. Raises InputError if it cannot be read or has more than `most` bytes."""
    with open_file(path) as file, read_errors(name_shown(path)):
        data = file.read(most + 1)
    if len(data) > most:
        raise refusal("{path}: is larger than {most:,} bytes, the limit", path=name_shown(path), most=most)
    return data


def read_text(path: Path, most: int) -> str:
    """Return the text of a regular file of at most `most` bytes of UTF-8. Raises InputError for any other file."""
    try:
        return read_bytes(path, most).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refusal(
            "{path}: is not a text file: byte {start} is not UTF-8", path=name_shown(path), start=error.start
        ) from None


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """Return the values of a TOML text; error messages begin with `name`.

    Raises InputError if the text is not TOML, or has a key of so many parts that parsing it would take seconds.
    """
    if long := _LONG_KEY.search(text):
        line = text.count("\n", 0, long.start()) + 1
        raise refusal(
            "{name}, line {line}: a key has more than {most} parts: {long}",
            name=name,
            line=line,
            most=KEY_PARTS,
            long=shown(long[0]),
        )
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:  # tomllib's own, a number of 5000 digits, lists 1000 deep
        raise refusal("{name}: not TOML: {reason}", name=name, reason=" ".join(str(error).split())[:200]) from None


def name_shown(path: Path) -> str:
    """Return the name of a file as an error message shows it: as it is, or quoted if it has control characters."""
    name = os.fspath(path)
    return name if name.isprintable() else shown(name)
