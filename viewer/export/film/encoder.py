"""Encodes pictures in a thread of its own, while the next ones are drawn."""

import contextlib
import os
import queue
import sys
import threading
from typing import Protocol

from viewer.export.image_renderer import Image

WAITING = 4  # pictures that may wait
BEHIND = 10  # by how much the encoder is "nicer" than the drawing, on Linux


class FilmWriter(Protocol):
    """Takes a film's pictures, (H, W, 3), one after the other."""

    def add(self, image: Image) -> None: ...

    def finish(self) -> None: ...


class Encoder:
    """Passes pictures on to `writer`; what fails there is raised here, with the next picture or at the end."""

    def __init__(self, writer: FilmWriter) -> None:
        self._writer = writer
        self._waiting: queue.Queue[Image | None] = queue.Queue(WAITING)
        self._error: BaseException | None = None
        self.count = 0  # pictures encoded so far
        self._thread = threading.Thread(target=self._work, name="encoder", daemon=True)
        self._thread.start()

    def add(self, image: Image) -> None:
        """The next picture; waits while too many do."""
        while True:
            self._check()
            with contextlib.suppress(queue.Full):
                self._waiting.put(image, timeout=0.2)
                return

    def finish(self) -> None:
        """Waits until all pictures are encoded, and ends the film."""
        self.stop()
        self._check()
        self._writer.finish()

    def stop(self) -> None:
        """Waits until all pictures are encoded, or the encoding has failed."""
        while self._thread.is_alive():
            with contextlib.suppress(queue.Full):
                self._waiting.put(None, timeout=0.2)
                break
        self._thread.join()

    def _check(self) -> None:
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        _stand_back()
        try:
            while (image := self._waiting.get()) is not None:
                self._writer.add(image)
                self.count += 1
        except BaseException as error:  # whatever it is: the other thread raises it
            self._error = error


def _stand_back() -> None:
    """Lets this thread, and those that the codec starts from it, take what the drawing leaves, which sets the pace.

    Where the encoding is the slower of the two, the drawing waits for it, so that it has all there is. Measured on two
    cores, software rendering, 1280x720, samples 1: a tenth more pictures a second.
    """
    if sys.platform == "linux":  # elsewhere the priority is that of the whole process
        with contextlib.suppress(OSError):
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + BEHIND)
