"""What the user has said of the columns of tables that name them in an unusual way, kept for the next of that shape."""

import json
from pathlib import Path

from viewer.common import folders, input_files, locks
from viewer.common.errors import InputError
from viewer.common.output_files import WholeFile

FILE = "columns.json"
SIZE_LIMIT = 1_000_000  # bytes
MOST = 200  # of which the latest are kept
LOCK_TIMEOUT = 1.0  # s


def path() -> Path:
    """The file in which they are kept."""
    return folders.state() / FILE


def recall(shape: str) -> str | None:
    """The columns of a table of this shape, as `remember` got them; None where nothing is kept."""
    return _kept().get(shape)


def remember(shape: str, columns: str) -> bool:
    """Keeps the columns of a table of this shape; False where they cannot be kept."""
    try:
        folders.make_private(path().parent)
        with locks.exclusive(path().with_suffix(".lock"), LOCK_TIMEOUT):
            kept = _kept()
            kept.pop(shape, None)
            kept[shape] = columns
            with WholeFile(path(), private=True) as file:
                file.write(json.dumps(dict(list(kept.items())[-MOST:]), indent=1).encode("utf-8"))
    except (OSError, InputError):
        return False
    return True


def _kept() -> dict[str, str]:
    """All of them; none where the file is broken."""
    try:
        found = json.loads(input_files.read_text(path(), SIZE_LIMIT))
    except (InputError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(shape): columns for shape, columns in found.items() if isinstance(columns, str)}
