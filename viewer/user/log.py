"""The log file in the user's log folder: errors, with what a bug report needs; bounded in size.

Writing never raises: if the file cannot be written, there is no log.
"""

import contextlib
import os
from pathlib import Path

from viewer.common import folders
from viewer.common.language import tr
from viewer.common.locks import private

FILE = "poinsot.log"
LARGEST = 500_000  # bytes; a file that would exceed it becomes the older one
OLDER = ".1"


def path() -> Path:
    """Return the path of the log, whether it exists or not."""
    return folders.log() / FILE


def write(kind: str, message: str, detail: str = "") -> None:
    """Add an entry: time, process, kind ("error", "notice", "crash"), one line, and below it the detail, indented."""
    import datetime  # here, as traceback below: 6 ms of every start

    now = datetime.datetime.now().astimezone().isoformat(sep=" ", timespec="milliseconds")
    lines = [f"{now} [{os.getpid()}] {kind}: {' '.join(message.split())}"]
    lines += [f"    {line}" for line in detail.splitlines()]
    entry = ("\n".join(lines) + "\n").encode("utf-8", "backslashreplace")
    with contextlib.suppress(OSError):
        file = path()
        folders.make_private(file.parent)
        if file.exists() and file.stat().st_size + len(entry) > LARGEST:
            file.replace(file.with_name(FILE + OLDER))
        with open(
            file, "ab", opener=private
        ) as target:  # so that programs that run at the same time append whole entries
            target.write(entry[:LARGEST])


def crash(error: BaseException) -> tuple[str, str]:
    """Log an unexpected exception; return one line for the user, and the traceback."""
    import traceback

    detail = "".join(traceback.format_exception(error)).rstrip()
    reason = " ".join(str(error).split()) or tr("no message")
    message = tr("internal error: {kind}: {message}").format(kind=type(error).__name__, message=reason)
    write("crash", message, detail)
    return message[:300], detail
