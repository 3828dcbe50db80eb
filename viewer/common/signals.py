"""Requests to end the program: Ctrl-C, the system's own request (TERM), and the loss of the terminal (HUP).

The first request raises `Interrupted` in the main thread. Later ones are ignored, as the program is already ending and
cleaning up. A request is held back while an exception would do harm: in callbacks of C libraries, which do not expect
exceptions, and while a file that is almost complete is being finished.
"""

import _thread
import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType

AGAIN = 0.01  # s until a request that was dropped is raised once more
NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # the last one is Windows'


class Interrupted(KeyboardInterrupt):
    """A request to end the program."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.status = 128 + number  # as shells report it


class _Requests:
    """The state of the requests: `asked` is the first signal, `raised` whether `Interrupted` was raised for it."""

    taken: tuple[int, ...] = ()  # the signals that are ours
    asked: int | None = None
    raised = False
    held = 0  # how many blocks of `held` are open; nothing is raised inside them


_requests = _Requests()


def take_over() -> None:
    """Handle the requests from now on, except those that have a handler already (nohup, a debugger)."""
    _requests.asked, _requests.raised = None, False
    if threading.current_thread() is not threading.main_thread():
        return
    known = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    usual = (signal.SIG_DFL, signal.default_int_handler, _came)
    _requests.taken = tuple(number for number in known if signal.getsignal(number) in usual)
    for number in _requests.taken:
        signal.signal(number, _came)
    if sys.unraisablehook is sys.__unraisablehook__:  # whoever has set it wants to see them
        sys.unraisablehook = _raise_again


def asked() -> int | None:
    """Return the signal that has asked the program to end, or None."""
    return _requests.asked


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Hold requests back until the end of the block. In other threads than the main one, do nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _requests.held += 1
    try:
        yield
    finally:
        _requests.held -= 1
        _raise()


def _came(number: int, frame: FrameType | None) -> None:
    if _requests.asked is None:
        _requests.asked = number
        for taken in _requests.taken:  # also while Python itself ends, which sets its handlers back
            signal.signal(taken, signal.SIG_IGN)
    _raise()


def _raise() -> None:
    if _requests.asked is not None and not _requests.raised and not _requests.held:
        _requests.raised = True
        raise Interrupted(_requests.asked)


def _raise_again(dropped: "sys.UnraisableHookArgs") -> None:
    """Raise a request again if Python has dropped it.

    Python drops exceptions that are raised in the callbacks of its garbage collection and of its imports.
    """
    if not isinstance(dropped.exc_value, Interrupted) or _requests.asked is None:
        sys.__unraisablehook__(dropped)
        return
    _requests.raised = False
    signal.signal(_requests.asked, _came)
    again = threading.Timer(AGAIN, _thread.interrupt_main, (_requests.asked,))  # not in here, where it would be dropped
    again.daemon = True
    again.start()


@contextlib.contextmanager
def waking(wake: Callable[[], None]) -> Iterator[None]:
    """Call `wake` from a thread when a signal comes, inside the block.

    Python's own handlers run only once the main thread is awake.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    import socket  # here: only the window needs it; a pipe does not do on Windows

    near, far = socket.socketpair()

    def pass_on() -> None:
        with near:
            while near.recv(1):
                wake()

    far.setblocking(False)
    before = signal.set_wakeup_fd(far.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=pass_on, name="signals", daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        far.close()  # which ends the thread
