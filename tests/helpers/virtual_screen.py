"""A screen that nobody sees, for what needs a display."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from helpers.processes import environment


@contextmanager
def virtual_screen(size: str) -> Iterator[str]:
    """The name of its display, ":0" for instance. Xvfb looks for a free number by itself, so that many run at once."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
        env=environment(display=False),
    )
    os.close(write)
    try:
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        assert number, "Xvfb does not start"
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()
