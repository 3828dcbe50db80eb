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

LINE = re.compile(r"(?P<part>.+?) +(?P<took>[\d.]+) ms +(?P<since>[\d.]+) ms")
LIMIT = 450.0  # ms that are to be reached
# In the process that is measured: the time at which each of these parts is there.
SCRIPT = """
import sys, time
start = before = float(sys.argv.pop(1))

def mark(name):
    global before
    now = time.perf_counter()
    print(f"{name:<28} {1e3 * (now - before):8.1f} ms {1e3 * (now - start):8.1f} ms")
    before = now

def marked(home, attribute, name):
    wrapped = getattr(home, attribute)

    def run(*args, **more):
        result = wrapped(*args, **more)
        mark(name)
        return result

    setattr(home, attribute, run)

import gc
gc.disable()  # as `viewer.__main__` does
from viewer import cli
from viewer.cli import window
mark("command imported")
from viewer.app import app
mark("app imported")
marked(app, "opened_window", "window open")
marked(app, "Writer", "renderer ready")
marked(app, "Ui", "ui ready")
marked(app.Frames, "draw", "first picture")
sys.exit(cli.main())
"""


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
        [sys.executable, "-c", SCRIPT, repr(time.perf_counter()), "--exit-after-frames", "1"],
        env=installed() | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    matches = [LINE.fullmatch(line) for line in done.stdout.splitlines()]
    return [(m["part"], float(m["took"]), float(m["since"])) for m in matches if m]


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
