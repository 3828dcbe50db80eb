"""A hundred thousand inputs for every reader of what others have written; tests/fuzzing.py says what is watched.

python tests/benchmarks/fuzz.py [INPUTS]
"""

import contextlib
import faulthandler
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers.fuzzing import TARGETS, Target, attempt

HANG = 120  # s on one input: then the traceback of all threads is shown, and the run ends


def trial(target: Target, counts: list[int], slowest: list[float]) -> Callable[[Any], None]:
    """Tries one input, counts what comes of it and how long it takes."""

    def tried(value: Any) -> None:
        faulthandler.dump_traceback_later(HANG, exit=True)
        began = time.perf_counter()
        counts[attempt(target, value)] += 1
        slowest[0] = max(slowest[0], time.perf_counter() - began)

    return tried


def main(inputs: int = 100_000) -> None:
    """Shares the inputs among the targets and prints what came of them."""
    for name, target in TARGETS.items():
        counts, slowest = [0, 0], [0.0]

        began = time.perf_counter()
        share = -(-inputs // len(TARGETS))
        run = 0
        while sum(counts) < share:  # hypothesis ends early where it sees the same again and again
            run += 1
            rest = share - sum(counts)
            everything = settings(
                max_examples=rest, deadline=None, database=None, phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )(given(target.inputs)(trial(target, counts, slowest)))  # fmt: skip
            seed(run)(everything)()
        faulthandler.cancel_dump_traceback_later()
        print(
            f"{name:<14} {sum(counts):>7} inputs: {counts[1]} taken, {counts[0]} refused in one line;"
            f" slowest {1000 * slowest[0]:.0f} ms, all {time.perf_counter() - began:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        os.environ["POINSOT_HOME"] = place
        main(*map(int, sys.argv[1:]))
