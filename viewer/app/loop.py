"""The event loop: sleeps until there is an event or a frame is due, and goes on after an unexpected exception."""

from collections.abc import Callable

from viewer.app.frames import Frames
from viewer.common import signals
from viewer.ui.platform.pyglet_options import toolkit

RETRY = 0.1  # s until the next frame after one that failed as a whole


class Loop(toolkit.EventLoop):  # type: ignore[misc]
    """pyglet's event loop, for the frames of one window."""

    def __init__(self, frames: Frames, clock: Callable[[], float]) -> None:
        super().__init__()
        self._frames, self._clock = frames, clock
        self._ending = False
        self._exposed = True
        self._before = clock()  # when a frame could have been due last
        self._next_frame = 0.0
        toolkit.event_loop = self

    @property
    def ending(self) -> bool:
        """Whether the program has been asked to end."""
        return self._ending or self._frames.ended or signals.asked() is not None

    def expose(self) -> None:
        """The window has to be painted again."""
        self._exposed = True

    def end(self) -> None:
        """Ends the loop after this frame."""
        self._ending = True

    def run(self, interval: float | None = None) -> None:
        """Runs until it is ended."""
        self._before = self._clock()  # what it took to open the window is no part of the motion
        with signals.waking(toolkit.platform_event_loop.notify):
            super().run(interval)

    def idle(self) -> float | None:
        """Called by pyglet after events: draws a frame if one is due; returns the seconds until the next call, None: at
        the next event."""
        waits: list[float | None] = []
        if self._frames.boundary.attempt("frame", lambda: waits.append(self._turn())):
            return waits[0]
        self._exposed = True
        return RETRY

    def _turn(self) -> float | None:
        frames, now = self._frames, self._clock()
        if self.ending:
            self.exit()
            return 0.0
        if not frames.visible:
            self._before = now
            return 0.0 if frames.work() else None
        if now >= self._next_frame:
            seconds, self._before = now - self._before, now
            frames.prepare(now)
            if self._exposed or frames.due:
                self._next_frame, self._exposed = now + frames.interval, False
                frames.draw(seconds)
        now = self._clock()
        until_next = max(0.0, self._next_frame - now)
        if self._exposed or frames.due:
            return until_next
        wait = frames.wait(now)
        return None if wait is None else max(until_next, wait)

    def _blocking_timer(self) -> None:
        """While the system holds the loop (on Windows: the window is being resized)."""
        toolkit.platform_event_loop.set_timer(self._blocking_timer, self.idle())
