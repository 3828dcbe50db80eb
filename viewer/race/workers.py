"""Processes that carry out a sweep: they end when the process that started them ends.

They run no code from the working folder, and import nothing but the standard library before they ignore the signals
that end the sweep.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import connection

SAFE_PATH = "PYTHONSAFEPATH"  # modules are not looked for in the working folder


@contextlib.contextmanager
def workers(count: int) -> Iterator[Executor]:
    """Yield an executor with `count` processes. An exception in the block ends them at once."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"  # before the first of them starts: its first import would be multiprocessing
    try:
        with ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begin) as pool:
            try:
                yield pool
            except BaseException:  # a pool does not cope with a killed worker if a run was cancelled before
                for process in multiprocessing.active_children():
                    process.terminate()
                raise
    finally:
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before


def _begin() -> None:
    """Ignore requests to end, which the parent process handles, and end when the parent does."""
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
