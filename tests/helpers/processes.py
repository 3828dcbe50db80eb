"""What a process has to know that a test starts."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import AnyStr

import pytest

import viewer

SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")


def environment(display: bool = True, **more: str) -> dict[str, str]:
    """One in which `viewer` is found, wherever the process runs; without `display` that of a machine that has none."""
    kept = {name: value for name, value in os.environ.items() if display or name not in SCREENS}
    return kept | {"PYTHONPATH": str(Path(viewer.__file__).parents[1])} | more


def heed_interrupts() -> None:
    """For `preexec_fn`: what a script runs in the background ignores Ctrl-C, or its terminal's end; this does not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def output(process: "subprocess.Popen[AnyStr]") -> tuple[AnyStr, AnyStr]:
    """What a process that is about to end has written to its pipes; kills one that does not end, and fails."""
    try:
        return process.communicate(timeout=180)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise


def written(process: int, folder: Path, size: int, patience: float = 60.0) -> None:
    """Waits until the files that a process has open or has made in a folder have so many bytes; fails if they never do.

    While it is written a file has no name where the system knows such files.
    """
    until = time.monotonic() + patience
    while time.monotonic() < until:
        opened = Path(f"/proc/{process}/fd")
        with contextlib.suppress(OSError):  # one may be closed in between
            named = {path: path.stat().st_size for path in folder.iterdir()}
            links = opened.iterdir() if opened.exists() else ()
            here = [link for link in links if os.readlink(link).startswith(f"{folder}/")]
            if sum(named.values()) + sum(link.stat().st_size for link in here) >= size:
                return
        time.sleep(0.02)
    raise AssertionError(f"{size} bytes were never written")


def on_small_disk(folder: Path, megabytes: int, words: str, name: str) -> "subprocess.CompletedProcess[str]":
    """Runs the command `poinsot` on a disk in memory that it fills, where it writes `name` and nothing else; the file
    stands in `folder` afterwards. Skips the test where no disk may be made."""
    script = (
        "import os, sys\nfrom viewer import cli\nos.chdir('disk')\nstatus = cli.main(sys.argv[1:])\n"
        f"print(status)\nos.system('cp {name} ..; ls -A > ../ls')"
    )
    (folder / "disk").mkdir()
    mounted = f'mount -t tmpfs -o size={megabytes}m none disk && exec {sys.executable} -c "$0" {words}'
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", mounted, script],
        cwd=folder, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip("no disk may be made here")
    assert done.stdout == "2\n", done.stderr
    assert (folder / "ls").read_text() == f"{name}\n"
    return done


def refused(*arguments: str) -> str:
    """The message with which a process of its own refuses; nothing on standard output, no traceback, no file."""
    before = os.listdir()
    done = subprocess.run(
        [sys.executable, "-m", "viewer", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environment(display=False),
    )
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.count("\n") == 1
    assert os.listdir() == before
    return done.stderr.removeprefix("poinsot: ").rstrip("\n")
