"""The event loop: sleeps until there is an event or a frame is due, and goes on after an unexpected exception."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from viewer.common import signals
from viewer.common.errors import ErrorBoundary
from viewer.ui.platform.pyglet_options import toolkit

if TYPE_CHECKING:
    from viewer.app.app import App

RETRY = 0.1  # s until the next frame after one that failed as a whole
PACE = 0.95  # fraction of the screen's interval after which a frame may begin: the swap waits for the rest


class Loop(toolkit.EventLoop):  # type: ignore[misc]
    """pyglet's event loop, for the window of one app."""

    def __init__(self, app: "App", clock: Callable[[], float]) -> None:
        super().__init__()
        self._app, self._clock = app, clock
        self.boundary = ErrorBoundary(lambda error: app.failed(error))
        self._ending = False
        self._exposed = True
        self._before = clock()  # when a frame could have been due last
        self._next_frame = 0.0
        toolkit.event_loop = self

    @property
    def ending(self) -> bool:
        """Whether the program has been asked to end."""
        return self._ending or signals.asked() is not None

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
        if self.boundary.attempt("frame", lambda: waits.append(self._turn())):
            return waits[0]
        self._exposed = True
        return RETRY

    def _turn(self) -> float | None:
        app, now = self._app, self._clock()
        if self.ending:
            self.exit()
            return 0.0
        if not app.visible:
            self._before = now
            app.workspace.writer.work()
            return None if app.workspace.writer.job is None else 0.0
        if now >= self._next_frame:
            seconds, self._before = now - self._before, now
            app.prepare(now)
            if self._exposed or app.due:
                self._next_frame, self._exposed = now + app.interval, False
                app.frame(seconds)
        now = self._clock()
        until_next = max(0.0, self._next_frame - now)
        if self._exposed or app.due:
            return until_next
        wait = app.wait(now)
        return None if wait is None else max(until_next, wait)

    def _blocking_timer(self) -> None:
        """While the system holds the loop (on Windows: the window is being resized)."""
        toolkit.platform_event_loop.set_timer(self._blocking_timer, self.idle())
