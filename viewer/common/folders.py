"""The folders of the user's files: settings, log, unsaved scenes. A folder is created only when a file needs it.

The environment variable POINSOT_HOME puts them all into one folder: for tests, and for use from a USB stick.
"""

import contextlib
import os
from pathlib import Path

NAME = "poinsot"
VARIABLE = "POINSOT_HOME"


def config() -> Path:
    """Return the folder for settings that a user may edit and copy to another machine."""
    return _folder("config")


def log() -> Path:
    """Return the folder for the log."""
    return _folder("log")


def state() -> Path:
    """Return the folder for what lasts between runs and belongs to this machine, such as unsaved scenes."""
    return _folder("state")


def cache() -> Path:
    """Return the folder for what can be made again."""
    return _folder("cache")


def documents() -> Path:
    """Return the folder for tables that the user saves."""
    return _folder("documents", own=False)


def pictures() -> Path:
    """Return the folder for pictures that the user saves."""
    return _folder("pictures", own=False)


def videos() -> Path:
    """Return the folder for films that the user saves."""
    return _folder("videos", own=False)


def make_private(folder: Path) -> None:
    """Create a folder that only its user may enter, or restrict an existing one if possible. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(OSError):  # it is somebody else's
        folder.chmod(0o700)


def _folder(kind: str, own: bool = True) -> Path:
    """Return the folder of one kind, by the system's convention or below POINSOT_HOME.

    `own` says whether the folder is this program's alone, not one that the user shares with other programs.
    """
    home = os.environ.get(VARIABLE)
    if home:
        return Path(home).absolute() / kind
    import platformdirs  # here: 5 ms

    name = getattr(platformdirs, f"user_{kind}_path")
    path: Path = name(NAME, appauthor=False) if own else name()
    return path
