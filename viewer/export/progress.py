"""Reports on standard error how far a long piece of work has come, and how long it will still take."""

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TextIO

from viewer.export.console import show

PATIENCE = 1.0  # s before anything is shown
REDRAW = 0.1  # s between two states of the bar on a terminal
LINE = 15.0  # s between two lines elsewhere
WIDTH = 30  # characters of the bar
KNOWN = 0.01  # of the work: with less done the rest cannot be estimated


class Progress:
    """Counts `total` pieces of work: a bar on a terminal, now and then a line elsewhere; silent while it is quick."""

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
        if self._shown:  # the bar makes room for what is written next
            show("\r" + " " * self._shown + "\r", self._out)

    def advance(self, count: int = 1) -> None:
        """`count` pieces more are done."""
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
    """A duration as text: "40 s", "3 min 05 s", "2 h 10 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
