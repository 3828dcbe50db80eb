"""What a process has to know that a test starts."""

import contextlib
import os
import signal
import time
from pathlib import Path

import viewer

SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")


def environment(display: bool = True, **more: str) -> dict[str, str]:
    """One in which `viewer` is found, wherever the process runs; without `display` that of a machine that has none."""
    kept = {name: value for name, value in os.environ.items() if display or name not in SCREENS}
    return kept | {"PYTHONPATH": str(Path(viewer.__file__).parents[1])} | more


def heed_interrupts() -> None:
    """For `preexec_fn`: what runs in the background of a script is told to ignore Ctrl-C; this process is not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


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
