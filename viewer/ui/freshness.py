"""When the ui is laid out: in the same frame after any input and any change, and a few times a second where nothing but
the clock goes on, which changes numbers and curves. In between the last layout is shown again."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from viewer.ui.ui import Ui

SETTLE_FRAMES = 2  # after an input: one in which ImGui sees it, one that shows what it led to
TOOLTIP_SECONDS = 0.6  # after an input over the panel: time in which a tooltip may appear
TOOLTIP_INTERVAL = 0.1
PULSE_INTERVAL = 1 / 40  # s between two frames while a tour points at something
CLOCK_INTERVAL = 0.03  # s between two layouts while only the clock runs: every second frame of a screen with 60 Hz


class Freshness:
    """Knows what the last layout of `ui` was made of, and when."""

    def __init__(self, ui: "Ui", clock: Callable[[], float]) -> None:
        self._ui, self._clock = ui, clock
        self._content: tuple[object, ...] = ()  # of the last layout
        self._pointer: tuple[float, float] | None = None
        self._at = clock()
        self.settling = SETTLE_FRAMES  # frames in which it is laid out for an input
        self._tooltip_until = 0.0

    def touched(self, resting: bool = False) -> None:
        """There was input. `resting`: the mouse may come to rest on something with a tooltip."""
        self.settling = SETTLE_FRAMES
        if resting:
            self._tooltip_until = self._clock() + TOOLTIP_SECONDS

    def one_more(self) -> None:
        """What is shown leads to another layout in the next frame."""
        self.settling = max(self.settling, 1)

    def begin(self) -> float:
        """A layout begins; the seconds since the last one."""
        self._content, self._pointer = self._now, self._ui.pointer
        before, self._at = self._at, self._clock()
        return self._at - before

    @property
    def _now(self) -> tuple[object, ...]:
        """All that a layout is made of, but for the input; first what the clock changes."""
        ui, status = self._ui, self._ui.workspace.session.status
        return (
            status.by_clock,
            status.revision - status.by_clock,
            status.event,
            replace(ui.state),
            ui.overlays.open,
            ui.workspace.messages.shown,
        )

    @property
    def due(self) -> bool:
        """Whether the ui has to be laid out in a frame that is drawn now."""
        ui = self._ui
        if self.settling > 0 or not ui.app.workspace.session.scene.moving or ui.app.workspace.writer.recording:
            return True
        if self._content[1:] != self._now[1:] or self._pointer != ui.pointer or ui.has_input or self._animated:
            return True
        return self._clock() - self._at >= CLOCK_INTERVAL or self._wait() == 0.0

    @property
    def _animated(self) -> bool:
        """Whether an element moves by itself."""
        return (self._ui.workspace.tour.tour is not None and self._ui.tour_card.pulsing) or self._ui.first_start.fading

    def wait(self) -> float | None:
        """Seconds until a frame of the ui is due without any input; None: never."""
        return 0.0 if self.settling > 0 or self._content != self._now else self._wait()

    def _wait(self) -> float | None:
        """Seconds until something in it appears, moves or goes; None: nothing does."""
        ui, since = self._ui, self._clock() - self._at
        timed = ui.workspace.messages, ui.controls.numbers, ui.stereo_name, ui.names, ui.first_hint
        waits = [element.wait() for element in timed]
        if self._clock() < self._tooltip_until:
            waits.append(max(0.0, TOOLTIP_INTERVAL - since))
        if ui.workspace.tour.tour is not None and ui.tour_card.pulsing:
            waits.append(max(0.0, PULSE_INTERVAL - since))
        return min((wait for wait in waits if wait is not None), default=None)
