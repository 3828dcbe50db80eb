"""When the ui is laid out.

It is laid out in the frame that follows an input or a change, and in every other frame while only the clock runs, which
changes numbers and curves. In between, the last layout is shown again.
"""

from collections.abc import Callable

from viewer.session.session import Session
from viewer.ui.overlay import Overlays

SETTLE_FRAMES = 2  # layouts after an input: one in which ImGui sees it, one that shows its effect
TOOLTIP_SECONDS = 0.6  # after an input over the panel: time in which a tooltip may appear
TOOLTIP_INTERVAL = 0.1  # s between two layouts in this time
CLOCK_INTERVAL = 0.03  # s between two layouts while only the clock runs: every second frame of a screen with 60 Hz


class Freshness:
    """Decides when the ui is laid out again: it remembers what the last layout showed, and when it was made."""

    def __init__(
        self, session: Session, overlays: Overlays, content: Callable[[], object], clock: Callable[[], float]
    ) -> None:
        """`content` returns all that a layout depends on besides the motion, the pointer and the input."""
        self._session, self._overlays, self._made_of, self._clock = session, overlays, content, clock
        self._content: tuple[object, ...] = ()  # of the last layout
        self._pointer: tuple[float, float] | None = None
        self._at = clock()
        self.settling = SETTLE_FRAMES  # frames in which the ui is still to be laid out because of an input
        self._tooltip_until = 0.0

    def touched(self, resting: bool = False) -> None:
        """Note an input. `resting`: the mouse may come to rest on something with a tooltip."""
        self.settling = SETTLE_FRAMES
        if resting:
            self._tooltip_until = self._clock() + TOOLTIP_SECONDS

    def one_more(self) -> None:
        """Ask for another layout in the next frame."""
        self.settling = max(self.settling, 1)

    def begin(self, pointer: tuple[float, float] | None) -> float:
        """Begin a layout with the mouse at `pointer`; return the seconds since the last one began."""
        self._content, self._pointer = self._now, pointer
        before, self._at = self._at, self._clock()
        return self._at - before

    @property
    def _now(self) -> tuple[object, ...]:
        """All that a layout depends on, except the pointer and the input.

        The first item is the one that the clock changes.
        """
        status = self._session.status
        return status.by_clock, status.revision - status.by_clock, status.event, self._made_of()

    def due(self, pointer: tuple[float, float] | None) -> bool:
        """Return whether the ui has to be laid out in a frame that is drawn now, with the mouse at `pointer`."""
        if self.settling > 0 or not self._session.scene.moving:
            return True
        if self._content[1:] != self._now[1:] or self._pointer != pointer:
            return True
        return self._clock() - self._at >= CLOCK_INTERVAL or self._wait() == 0.0

    def wait(self) -> float | None:
        """Return the seconds until a frame of the ui is due even without input; None if none is."""
        return 0.0 if self.settling > 0 or self._content != self._now else self._wait()

    def _wait(self) -> float | None:
        """Return the seconds until something on the ui appears, moves or disappears; None if nothing does."""
        since, waits = self._clock() - self._at, [self._overlays.wait()]
        if self._clock() < self._tooltip_until:
            waits.append(max(0.0, TOOLTIP_INTERVAL - since))
        return min((wait for wait in waits if wait is not None), default=None)
