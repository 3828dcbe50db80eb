"""What no input may do to whatever reads what others have written, and the watch for it.

An input may be refused in one line; it may not raise anything else, warn, hang, make numbers that are none, open a file
that nobody named, or let code of its own run: Python's audit hook watches what is opened, started and compiled.
"""

import contextlib
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from viewer import cli
from viewer.common.errors import GraphicsError, InputError
from viewer.common.resources import folder

FORBIDDEN = tuple(
    "os.system os.exec os.posix_spawn os.remove os.rename subprocess.Popen socket.connect ctypes.dlopen pty.spawn"
    " shutil.rmtree webbrowser.open".split()
)
NAMED = "input"  # the file that is named, in the current folder
PROGRAM = (folder("assets"), Path(cli.__file__).parents[1], sys.prefix, sys.base_prefix)
OURS = tuple(str(Path(str(path)).resolve()) for path in PROGRAM)


@dataclass(frozen=True)
class Target:
    """`inputs`: what is tried; `read`: reads one of them in an empty folder, may raise InputError of one line. `share`:
    of the inputs of a target that is read in milliseconds."""

    name: str
    inputs: st.SearchStrategy[Any]
    read: Callable[[Any], object]
    share: float = 1.0


def attempt(target: Target, value: Any) -> bool:
    """Tries one input; whether it was taken. AssertionError where it did what no input may do."""
    with watched() as seen, warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            target.read(value)
            taken = True
        except (InputError, GraphicsError) as error:
            assert str(error).isprintable(), repr(error)  # one line, which steers no terminal
            assert len(str(error)) < 2000
            taken = False
    assert not seen, f"{target.name}: {seen[:3]} for {value!r}"
    return taken


_watching: list[list[str]] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watching:
        return
    if event in ("os.remove", "os.rename") and os.path.realpath(os.fsdecode(arguments[0])).startswith(
        os.path.realpath(NAMED)
    ):
        return  # what is written whole, or moved aside
    if event.startswith(FORBIDDEN):
        _watching[-1].append(f"{event} {arguments!r:.200}")
    elif event in ("exec", "compile"):  # allowed is what the program imports
        code = arguments[0] if event == "exec" else arguments[1]
        file = getattr(code, "co_filename", code)
        literal = event == "compile" and file == "<unknown>"  # ast.literal_eval, of numpy; what runs would be seen
        if not literal and not str(file).startswith((*OURS, "<frozen")):
            _watching[-1].append(f"{event} {file!r}")
    elif event == "open" and isinstance(arguments[0], str | bytes):
        path = os.path.realpath(os.fsdecode(arguments[0]))
        if not path.startswith(os.path.realpath(NAMED)) and not path.startswith(OURS):
            _watching[-1].append(f"open {path}")


sys.addaudithook(_hook)


@contextlib.contextmanager
def watched() -> Iterator[list[str]]:
    """What happens meanwhile that must not."""
    seen: list[str] = []
    _watching.append(seen)
    try:
        yield seen
    finally:
        _watching.pop()
