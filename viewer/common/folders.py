"""The folders of the user's files: settings, log, unsaved scenes. None is created before something is written.

The environment variable POINSOT_HOME puts them all into one folder: for tests, and for use from a USB stick.
"""

import contextlib
import os
from pathlib import Path

NAME = "poinsot"
VARIABLE = "POINSOT_HOME"


def config() -> Path:
    """For settings that a user may edit and copy to another machine."""
    return _folder("config")


def log() -> Path:
    """For the log file."""
    return _folder("log")


def state() -> Path:
    """For what is kept between runs and belongs to this machine, such as unsaved scenes."""
    return _folder("state")


def cache() -> Path:
    """For what can be made again."""
    return _folder("cache")


def documents() -> Path:
    """For tables that the user saves."""
    return _folder("documents", own=False)


def pictures() -> Path:
    """For pictures that the user saves."""
    return _folder("pictures", own=False)


def videos() -> Path:
    """For films that the user saves."""
    return _folder("videos", own=False)


def make_private(folder: Path) -> None:
    """Makes a folder that only its user may enter; one that is there is made so where it can be. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(OSError):  # it is somebody else's
        folder.chmod(0o700)


def _folder(kind: str, own: bool = True) -> Path:
    """The folder of one kind, by the system's convention or below POINSOT_HOME. `own`: for this program alone."""
    home = os.environ.get(VARIABLE)
    if home:
        return Path(home).absolute() / kind
    import platformdirs  # here: 5 ms

    name = getattr(platformdirs, f"user_{kind}_path")
    path: Path = name(NAME, appauthor=False) if own else name()
    return path
