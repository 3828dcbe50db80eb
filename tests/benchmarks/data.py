"""`simulate` to CSV and NPZ beside numpy's own writing of the same array.

    python tests/benchmarks/data.py [STEPS] [STEPS A ROW]

Compiled steps where numba is installed. The shares are those of writing alone, of rows that are there: in turns, the
median; until the file is on the disk, which numpy does not wait for, they are in brackets.
"""

import importlib.util
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from viewer.export.table import BLOCK, Table
from viewer.export.table_files import write_table
from viewer.scenario.scenario import Scenario

ROUNDS = 5
FAST = importlib.util.find_spec("numba") is not None


def main(steps: int = 10_000_000, every: int = 10) -> None:
    """Prints seconds and bytes."""
    scenario = Scenario.preset("paper-fig1")
    step = scenario.solver.step

    def table() -> Table:
        return Table(scenario, steps * step, every * step, FAST)

    for _ in Table(scenario, 100 * step, step, FAST).blocks():  # compiles
        pass
    with tempfile.TemporaryDirectory() as folder:
        csv, npz = Path(folder) / "a.csv", Path(folder) / "a.npz"
        array = np.concatenate(list(table().blocks()))
        columns = table().columns
        record = array.view([(name, np.float64) for name in columns])[:, 0]
        print(f"{steps:.0e} steps, {len(array)} rows of {len(columns)}, compiled: {FAST}")
        report("rows", lambda: [None for _ in table().blocks()], None)
        for name, path, own in (
            ("CSV", csv, lambda: np.savetxt(csv, array, fmt="%.17g", delimiter=",", header=",".join(columns))),
            ("NPZ", npz, lambda: np.savez(npz, motion=record)),
        ):
            report(f"simulate to {name}", lambda path=path: write_table(path, table()), path)
            shares = []
            for _ in range(ROUNDS if name == "NPZ" else 1):
                theirs = report(f"numpy to {name}", own, path)
                to_disk = report("to the disk", lambda path=path: flushed(path), None)
                ours = report(f"rows to {name}", lambda path=path: write_table(path, Ready(table(), array)), path)
                shares.append((ours / theirs, ours / (theirs + to_disk)))
            plain, whole = map(statistics.median, zip(*shares, strict=True))
            print(
                f"{name}: writing takes {plain:.2f} of numpy's time ({whole:.2f} where numpy waits for the disk, too)"
            )


class Ready:
    """A table whose rows are there."""

    def __init__(self, table: Table, array: np.ndarray) -> None:
        self.scenario, self.rows, self._array = table.scenario, len(array), array
        self.columns = table.columns

    def blocks(self) -> Iterator[np.ndarray]:
        """As a table gives them."""
        return (self._array[i : i + BLOCK] for i in range(0, self.rows, BLOCK))


def flushed(path: Path) -> None:
    """Waits until a file is on the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def report(name: str, work: Callable[[], object], path: Path | None) -> float:
    """Does it and prints how long it took and how large the file is."""
    began = time.perf_counter()
    work()
    seconds = time.perf_counter() - began
    size = "" if path is None else f"{path.stat().st_size / 1e6:9.0f} MB"
    print(f"{name:<16} {seconds:8.2f} s {size}", flush=True)
    return seconds


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
