"""Kills the program in the middle of saving, again and again: no broken file may stand there, and none that is hidden.

    python tests/benchmarks/killed.py [TIMES] [named]

A picture, a table, a scene and a film in turn, each over a good file of an earlier run; ended at a random moment by
KILL, and every third time by HUP. `named`: as on a system where each file has a name while it is written.
"""

import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from viewer.scenario.scenario import Scenario

RENDER = "render rod --size 640x360 --samples 1"
SAVE = "from viewer import Scenario; s = Scenario.preset('rod')\nwhile True: s.save('a.toml')"


def check_png(path: Path) -> None:
    """Raises where the picture is not whole."""
    from PIL import Image

    with Image.open(path) as file:
        file.load()
    Scenario.load(path)


def check_film(path: Path) -> None:
    """Raises where the film cannot be played."""
    import av

    with av.open(path) as file:
        assert len(list(file.decode(video=0))) == 12


def check_table(path: Path) -> None:
    """Raises where the table is not whole."""
    with np.load(path) as file:
        assert len(file["motion"]) == 201


WORK: dict[str, tuple[list[str], Callable[[Path], object]]] = {
    "a.png": (["-m", "viewer", *f"{RENDER} -o a.png".split()], check_png),
    "a.mkv": (["-m", "viewer", *f"{RENDER} --seconds .2 -o a.mkv".split()], check_film),
    "a.npz": (["-m", "viewer", *"simulate rod --seconds 20 --every .1 -o a.npz".split()], check_table),
    "a.toml": (["-c", SAVE], Scenario.load),
}


NAMED = """
from viewer.common import part_file
part_file._unnamed = lambda folder, mode: None
"""


def main(times: int = 100) -> int:
    """Prints what was found; returns how many files were broken or left over."""
    chance, broken, killed, took = random.Random(1), 0, 0, {}
    for name, (words, check) in WORK.items():  # a good file of each kind, and how long it takes
        began = time.perf_counter()
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run([sys.executable, *words], check=True, timeout=6 if name == "a.toml" else 120)
        took[name] = time.perf_counter() - began
        check(Path(name))
    for i in range(times):
        name = list(WORK)[i % len(WORK)]
        words, check = WORK[name]
        process = subprocess.Popen([sys.executable, *words], stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.3, 1.05) * took[name])
        process.send_signal(signal.SIGHUP if i % 3 == 2 else signal.SIGKILL)
        killed += process.wait() in (-signal.SIGKILL, -signal.SIGHUP, 128 + signal.SIGHUP)
        try:
            check(Path(name))
        except Exception as error:
            broken += 1
            print(f"{name}: {error!r}")
    left = hidden()
    Scenario.preset("rod").save("a.toml")  # the next one that writes here clears away
    after = hidden()
    print(f"{times} runs, {killed} ended on the way, {broken} files broken,"
          f" {len(left)} hidden files left, {len(after)} after the next file")  # fmt: skip
    assert all(file.startswith(".") for file in left)
    return broken + len(after)


def hidden() -> list[str]:
    """What stands there besides the files that were wanted and the parts that an ended program has named."""
    files = [file for file in os.listdir() if not file.startswith("a.part")]
    return [file for file in files if file not in (*WORK, "sitecustomize.py", "__pycache__")]


if __name__ == "__main__":
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[2])
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        if "named" in sys.argv:  # read by every Python that starts
            Path("sitecustomize.py").write_text(NAMED)
            os.environ["PYTHONPATH"] += os.pathsep + folder
        sys.exit(main(*map(int, sys.argv[1:2])))
