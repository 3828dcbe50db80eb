"""The choice of a stereo mode by keys, the tool bar or the palette."""

from collections.abc import Callable

from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.session.session import Session
from viewer.workspace.editor import SceneEditor

MONO, FIRST = "mono", "anaglyph"  # what is gone back from and to, as long as no other mode has been shown


class StereoChoice:
    """Chooses the stereo mode and remembers the last one that was not mono."""

    def __init__(self, session: Session, editor: SceneEditor, clock: Callable[[], float]) -> None:
        self._session, self._editor, self._clock = session, editor, clock
        self._last = FIRST
        self.chosen_at = float("-inf")  # when a mode was chosen last, by the clock

    @property
    def mode(self) -> str:
        """The present mode, by its name."""
        return self._session.scenario.stereo.mode

    def choose(self, name: str) -> None:
        """Set a mode."""
        self.remember()
        self._editor.set("stereo.mode", name)
        self.remember()
        self.chosen_at = self._clock()

    def next(self, by: int) -> None:
        """Go on in the table of modes, round and round."""
        names = list(STEREO_MODES)
        self.choose(names[(names.index(self.mode) + by) % len(names)])

    def toggle_mono(self) -> None:
        """Go to mono, or back to the last mode."""
        self.remember()
        self.choose(self._last if self.mode == MONO else MONO)

    def remember(self) -> None:
        """Remember the present mode, which may have been set by another control, unless it is mono."""
        if self.mode != MONO:
            self._last = self.mode
