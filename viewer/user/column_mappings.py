"""The columns that the user has assigned in tables with unusual names, remembered for the next table of that shape."""

import json
from pathlib import Path

from viewer.common import folders, input_files, locks
from viewer.common.errors import InputError
from viewer.common.output_files import WholeFile

FILE = "columns.json"
SIZE_LIMIT = 1_000_000  # bytes
MOST = 200  # shapes that are remembered: the latest
LOCK_TIMEOUT = 1.0  # s


def path() -> Path:
    """Return the path of the file of remembered columns."""
    return folders.state() / FILE


def recall(shape: str) -> str | None:
    """Return the columns of a table of this shape, as `remember` was given them, or None if there are none."""
    return _read().get(shape)


def remember(shape: str, columns: str) -> bool:
    """Remember the columns of a table of this shape; return False if they cannot be written."""
    try:
        folders.make_private(path().parent)
        with locks.exclusive(path().with_suffix(".lock"), LOCK_TIMEOUT):
            remembered = _read()
            remembered.pop(shape, None)
            remembered[shape] = columns
            with WholeFile(path(), private=True) as file:
                file.write(json.dumps(dict(list(remembered.items())[-MOST:]), indent=1).encode("utf-8"))
    except (OSError, InputError):
        return False
    return True


def _read() -> dict[str, str]:
    """Return the columns by the shape of their table; none if the file is broken."""
    try:
        found = json.loads(input_files.read_text(path(), SIZE_LIMIT))
    except (InputError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(shape): columns for shape, columns in found.items() if isinstance(columns, str)}
