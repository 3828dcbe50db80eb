"""A hundred thousand inputs for all that reads what others have written; tests/helpers/fuzzing.py: what is watched.

python tests/benchmarks/fuzz.py [INPUTS [TARGET ...]]

What goes wrong is counted by its kind; the first input of each kind is kept. Exit status 1 where anything did.
"""

import contextlib
import faulthandler
import os
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers.fuzzing import Target, attempt
from helpers.hostile.targets import TARGETS

HANG = 600  # s on one input: then the traceback of all threads is shown, and the run ends
SLOW = 10.0  # s of computing on one input: reported, too


class Findings:
    """What came of the inputs of one target. `wrong`: by kind, how many."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self.taken = self.refused = 0
        self.slowest = 0.0
        self.wrong: Counter[str] = Counter()

    @property
    def count(self) -> int:
        return self.taken + self.refused + self.wrong.total()

    def tried(self) -> Callable[[Any], None]:
        """Tries one input."""

        def one(value: Any) -> None:
            faulthandler.dump_traceback_later(HANG, exit=True)
            began = time.process_time()
            try:
                taken = attempt(self._target, value)
                self.taken, self.refused = self.taken + taken, self.refused + (not taken)
            except Exception as error:
                frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "viewer" in frame.filename]
                where = " ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-2:])
                self._add(f"{type(error).__name__} at {where}", f"{error!r:.600}", value)
            seconds = time.process_time() - began
            self.slowest = max(self.slowest, seconds)
            if seconds > SLOW:
                self._add("slow", f"{seconds:.1f} s", value)

        return one

    def _add(self, kind: str, what: str, value: Any) -> None:
        self.wrong[kind] += 1
        if self.wrong[kind] == 1:
            place = tempfile.mkstemp(".txt", f"fuzz-{self._target.name}-".replace(" ", "-"))[1]
            Path(place).write_text(repr(value))
            print(f"{self._target.name}: {kind}: {what} ({place})", flush=True)


def main(inputs: int = 100_000, *names: str) -> int:
    """Shares the inputs among the targets and prints what came of them."""
    targets = [target for name, target in TARGETS.items() if not names or name in names]
    begin, wrong = random.SystemRandom().randrange(2**31), 0
    print(f"seed {begin}")
    for target in targets:
        findings, began = Findings(target), time.perf_counter()
        share = round(inputs * target.share / sum(other.share for other in targets))
        run = begin
        while (rest := share - findings.count) > 0:  # hypothesis ends early where it sees the same again and again
            run += 1
            everything = settings(
                max_examples=rest, deadline=None, database=None, phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )(given(target.inputs)(findings.tried()))  # fmt: skip
            seed(run)(everything)()
        faulthandler.cancel_dump_traceback_later()
        print(
            f"{target.name:<14} {findings.count:>7} inputs: {findings.taken} taken, {findings.refused} refused in a"
            f" line, {findings.wrong.total()} wrong; slowest {1000 * findings.slowest:.0f} ms,"
            f" all {time.perf_counter() - began:.0f} s",
            flush=True,
        )
        for kind, number in findings.wrong.most_common():
            print(f"    {number} {kind}")
        wrong += findings.wrong.total()
    return int(wrong > 0)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        os.environ["POINSOT_HOME"] = place
        given_inputs, *chosen = sys.argv[1:] or ["100000"]
        sys.exit(main(int(given_inputs), *chosen))
