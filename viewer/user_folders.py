"""Where the user's own files stand: settings, log, what is kept between runs. Nothing is made until it is written.

The environment variable POINSOT_HOME puts them all below one folder: for tests, and for a stick that is carried around.
"""

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
    """For what is kept between runs and belongs to this machine: scenes saved by themselves."""
    return _folder("state")


def cache() -> Path:
    """For what can be made again."""
    return _folder("cache")


def _folder(kind: str) -> Path:
    """The folder of one kind; that of the user's system, or below POINSOT_HOME."""
    home = os.environ.get(VARIABLE)
    if home:
        return Path(home).absolute() / kind
    import platformdirs  # here: 5 ms

    path: Path = getattr(platformdirs, f"user_{kind}_path")(NAME, appauthor=False)
    return path
