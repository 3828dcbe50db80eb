"""Standard output and standard error: writing progress and messages never stops the work that they report.

A terminal can close, a pipe's reader can end, a script can close both streams, and a film must not fail for that. Data
requested on standard output are different: if they cannot be written, an `OutputError` is raised.
"""

import contextlib
import errno
import io
import json
import math
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, TextIO

from viewer.common.errors import InputError, refusal

PATIENCE = 1.0  # s before anything is shown
REDRAW = 0.1  # s between two states of the bar on a terminal
LINE = 15.0  # s between two lines elsewhere
WIDTH = 30  # characters of the bar
KNOWN = 0.01  # of the work, that must be done before the rest is estimated


class OutputError(OSError):
    """Standard output cannot be written."""


def prepare() -> None:
    """Make the standard streams usable, whatever state they were left in.

    Closed descriptors are opened on the null device. Otherwise the next file to be opened would get their numbers, and
    printed text would be written into that file.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  (print would take standard output)
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Closed()), encoding="utf-8")
    if isinstance(sys.stdout, io.TextIOWrapper):
        buffer = sys.stdout.buffer
        raw = getattr(buffer, "raw", buffer)  # with PYTHONUNBUFFERED there is no buffer
        if type(raw) is io.FileIO and raw.fileno() == 1:
            sys.stdout.flush()
            ours: Any = _Output(1, "wb", closefd=False)
            sys.stdout = io.TextIOWrapper(
                ours if buffer is raw else io.BufferedWriter(ours),
                encoding=sys.stdout.encoding,
                line_buffering=sys.stdout.line_buffering,
                write_through=sys.stdout.write_through,
            )
        sys.stdout.reconfigure(errors="backslashreplace")  # for a terminal or pipe that has no θ


class _Output(io.FileIO):
    """Standard output, whose errors are an `OutputError`."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise OutputError(error.errno, error.strerror) from None


class _Closed(io.RawIOBase):
    """Standard output that was closed."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        raise OutputError(errno.EBADF, "it is closed")


def raise_broken_off(ended: BaseException | None, path: Path, holds: str) -> NoReturn:
    """Raise `ended`, the exception that broke off a file, or the error of a full disk if it is None.

    `holds` is a sentence on how much the file holds; it is added to the error's text, or reported in a line of its own.
    """
    ended = ended or refusal("{path}: cannot be written: {reason}", path=path, reason=os.strerror(errno.ENOSPC))
    if isinstance(ended, InputError):
        raise InputError(f"{ended}; {holds}") from None
    report(f"interrupted; {holds}" if isinstance(ended, KeyboardInterrupt) else holds)
    raise ended


def report(text: str) -> None:
    """Write one line to standard error, after the program's name; no character of the text controls the terminal."""
    line = " ".join(text.splitlines())
    line = "".join(char if char.isprintable() else repr(char)[1:-1] for char in line)
    show(f"poinsot: {line}\n", sys.stderr)


def show(text: str, out: TextIO) -> None:
    """Write a text and flush; if that fails, abandon the stream silently."""
    try:
        out.write(text)
        out.flush()
    except (OSError, ValueError):  # ValueError: it was closed
        abandon(out)


def abandon(out: TextIO) -> None:
    """Redirect a stream to the null device, so that later output and Python's flush at exit do not fail."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, out.fileno())
        os.close(nowhere)


def json_text(data: Any) -> str:
    """Return plain data as indented JSON with every digit.

    A number that is not finite, which JSON does not have, becomes null.
    """
    return json.dumps(_finite(data), indent=2, ensure_ascii=False, allow_nan=False)


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: _finite(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


class Progress:
    """Shows the progress of `total` pieces of work: a bar on a terminal, else some lines; nothing if it is quick."""

    def __init__(
        self, total: int, unit: str, out: TextIO | None = None, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._total, self._unit, self._clock = total, unit, clock
        self._out = sys.stderr if out is None else out  # None in a program without a console
        self._terminal = self._out is not None and not self._out.closed and self._out.isatty()
        self._began = clock()
        self._next = self._began + (PATIENCE if self._terminal else LINE)
        self._shown = 0  # characters of the line on the terminal
        self.done = 0

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:  # removes the bar for the text that follows
            show("\r" + " " * self._shown + "\r", self._out)

    def advance(self, count: int = 1) -> None:
        """Count `count` more pieces as done."""
        self.done += count
        now = self._clock()
        if self._out is None or now < self._next:
            return
        self._next = now + (REDRAW if self._terminal else LINE)
        line = self._line(now - self._began)
        if self._terminal:
            filled = WIDTH * self.done // max(self._total, 1)
            line = f"[{'#' * filled}{'.' * (WIDTH - filled)}] {line}"
            show("\r" + line.ljust(self._shown), self._out)
            self._shown = len(line)
        else:
            show(f"poinsot: {line}\n", self._out)

    def _line(self, seconds: float) -> str:
        line, fraction = f"{self.done} of {self._total} {self._unit}s", self.done / max(self._total, 1)
        if fraction < KNOWN or seconds <= 0.0:
            return line
        left = duration(seconds * (1.0 - fraction) / fraction)
        return f"{line}, {100 * fraction:.0f} %, {self.done / seconds:.3g} a second, {left} left"


def duration(seconds: float) -> str:
    """Return a duration as text: "40 s", "3 min 05 s", "2 h 10 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
