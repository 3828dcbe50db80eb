"""What a process has to know that a test starts."""

import os
import signal
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
