"""The log file in the user's log folder: what went wrong, with all that a bug report needs. Bounded in size.

Writing it never raises: where it cannot be written there is no log.
"""

import contextlib
import os
from pathlib import Path

from viewer.user import folders

FILE = "poinsot.log"
LARGEST = 500_000  # bytes; a file that would grow beyond becomes the older one
OLDER = ".1"


def path() -> Path:
    """Where the log is, or would be."""
    return folders.log() / FILE


def write(kind: str, words: str, detail: str = "") -> None:
    """Adds an entry: time, process, kind ("error", "notice", "crash"), one line, and below it the detail, indented."""
    import datetime  # here, as traceback below: 6 ms of every start

    now = datetime.datetime.now().astimezone().isoformat(sep=" ", timespec="milliseconds")
    lines = [f"{now} [{os.getpid()}] {kind}: {' '.join(words.split())}"]
    lines += [f"    {line}" for line in detail.splitlines()]
    entry = ("\n".join(lines) + "\n").encode("utf-8", "backslashreplace")
    with contextlib.suppress(OSError):
        file = path()
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists() and file.stat().st_size + len(entry) > LARGEST:
            file.replace(file.with_name(FILE + OLDER))
        with file.open("ab") as target:  # programs that run at the same time add whole entries
            target.write(entry[:LARGEST])


def crash(error: BaseException) -> tuple[str, str]:
    """Logs an exception that nobody expected; returns one line for the user, and the detail."""
    import traceback

    detail = "".join(traceback.format_exception(error)).rstrip()
    words = f"internal error: {type(error).__name__}: {' '.join(str(error).split()) or 'no message'}"
    write("crash", words, detail)
    return words[:300], detail
