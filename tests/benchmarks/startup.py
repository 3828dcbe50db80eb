"""From the start of the process to the first picture on the screen: the median of nine, and where the time goes.

    python tests/benchmarks/startup.py [RUNS]

Needs a display, or xvfb-run before the command. Files are warm: the first run is not counted.
"""

import re
import statistics
import subprocess
import sys
import time
from collections import defaultdict

from peers import installed

from viewer.app.timings import STARTED

LINE = re.compile(r"(?P<part>.+?) +(?P<took>[\d.]+) ms +(?P<since>[\d.]+) ms")
LIMIT = 450.0  # ms that are to be reached


def main(runs: int = 9) -> int:
    """Prints the table; returns 1 where the limit is not kept."""
    measure()
    table: dict[str, list[float]] = defaultdict(list)
    totals = []
    for _ in range(runs):
        parts = measure()
        for part, took, _ in parts:
            table[part].append(took)
        totals.append(parts[-1][2])
    for part, took in table.items():
        print(f"{part:<28} {statistics.median(took):8.1f} ms")
    median = statistics.median(totals)
    print(f"{'first picture':<28} {median:8.1f} ms   median of {runs}, {min(totals):.0f}..{max(totals):.0f}")
    return int(median > LIMIT)


def measure() -> list[tuple[str, float, float]]:
    """(part, milliseconds, milliseconds since the start) of one start of the app."""
    done = subprocess.run(
        [sys.executable, "-m", "viewer", "--exit-after-frames", "1", "--timings"],
        env=installed() | {STARTED: repr(time.perf_counter())},
        capture_output=True,
        text=True,
        check=True,
    )
    matches = [LINE.fullmatch(line) for line in done.stdout.splitlines()]
    return [(m["part"], float(m["took"]), float(m["since"])) for m in matches if m]


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
