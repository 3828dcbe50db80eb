"""The scene of the very first start: the motion slows down when the body flips, and then the arrows appear faintly."""

from math import exp

from viewer.session.session import Session
from viewer.workspace.state import UiState

SLOWEST = 0.3  # of the speed, in the middle of a flip
SLOW_PART = 0.09  # of the time between two flips: width of the slow time before and after a flip
FAINT = 0.45  # opacity of arrows and ellipsoid, over their usual one
FAINT_PART = 0.15  # of the time between two flips, in which they appear


class FirstScene:
    """The special course of the very first scene, until the user changes it, opens another one, or presses Escape.

    It runs while `UiState.opening` is set.
    """

    def __init__(self, session: Session, state: UiState) -> None:
        self._session, self._state = session, state
        self._first_time = self._period = 0.0  # of the motion, and the time between two flips, s
        self.flip: float | None = None  # the time of a flip, s; computed when it is first needed
        self._explained: tuple[object, ...] = ()  # `_content` at the beginning

    def begin(self) -> None:
        """Show the scene for the first time, with the panel folded."""
        self._state.opening, self._state.panel = True, False
        self._explained = self._content
        period = self._session.snapshot().flip_period
        if period is not None:
            self._first_time, self.flip, self._period = self._session.motion.time, None, period
            self._session.playback.pace = self.pace

    def end(self) -> None:
        """Return to the usual speed and display, because the user takes over or another scene is opened."""
        if self._state.opening:
            self._state.opening, self._state.faint = False, 0.0
            self._session.playback.pace = None

    def follow(self) -> None:
        """End the first scene if it has been changed.

        After the first flip, the arrows of L and omega and the ellipsoid appear faintly.
        """
        if self._content != self._explained:
            self.end()
        elif self._state.opening and self.flip is not None:
            since = (self._session.motion.time - self.flip) / (FAINT_PART * self._period)
            self._state.faint = FAINT * min(1.0, max(0.0, since))

    def pace(self, time: float) -> float:
        """Return the factor of the playback speed at a time [s] of the motion: 1 far from a flip, less close to one."""
        if time == self._first_time:
            return 1.0  # finding the flips would take a tenth of the start: the first picture does not wait for that
        if self.flip is None:
            self.flip, _ = self._session.motion.next_flip()
        if self.flip is None:
            return 1.0
        away = (time - self.flip + 0.5 * self._period) % self._period - 0.5 * self._period
        return 1.0 - (1.0 - SLOWEST) * exp(-((away / (SLOW_PART * self._period)) ** 2))

    @property
    def _content(self) -> tuple[object, ...]:
        """The scene without the clock and the view."""
        scene, motion = self._session.scenario, self._session.motion
        return scene.body, scene.start, scene.loads, scene.solver, scene.race, scene.bodies, scene.show, motion.changes
