"""Where the time goes between the start of the process and the first picture: named marks on one clock."""

import os
import time

STARTED = "POINSOT_STARTED"  # environment: time.perf_counter() of whoever started this process

_marks: list[tuple[str, float]] = []


def mark(name: str) -> None:
    """Records that `name` is done now."""
    _marks.append((name, time.perf_counter()))


def report() -> str:
    """A table: milliseconds that each part took, and since the start of the process (or the first mark)."""
    lines = []
    start = before = float(os.environ.get(STARTED, _marks[0][1] if _marks else 0.0))
    for name, now in _marks:
        lines.append(f"{name:<28} {1e3 * (now - before):8.1f} ms {1e3 * (now - start):8.1f} ms")
        before = now
    return "\n".join(lines)
