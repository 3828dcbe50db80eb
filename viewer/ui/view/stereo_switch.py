"""Changes the stereo mode by keys and names it on the screen for a moment."""

from collections.abc import Callable

from viewer.common.language import tr
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scene.words.formatting import sentence
from viewer.session.session import Session
from viewer.ui.layout import Rect
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look, width_of
from viewer.ui.widgets.style import u32
from viewer.workspace.editor import SceneEditor

NAMED_SECONDS = 1.5  # that the name stays
LARGE = 30.0  # its letters, in pixels at scale 1
MONO, FIRST = "mono", "anaglyph"  # what is gone back from and to, as long as no other mode has been shown


class StereoSwitch:
    """Remembers the last mode that was not mono."""

    def __init__(self, session: Session, editor: SceneEditor, clock: Callable[[], float]) -> None:
        self._session, self._editor, self._clock = session, editor, clock
        self._last = FIRST
        self._until = float("-inf")
        self.rect: Rect | None = None  # where the name is shown

    @property
    def mode(self) -> str:
        """The present mode, by its name."""
        return self._session.scenario.stereo.mode

    def choose(self, name: str) -> None:
        """Sets a mode and names it."""
        self._note()
        self._editor.set("stereo.mode", name)
        self._note()
        self._until = self._clock() + NAMED_SECONDS

    def next(self, by: int) -> None:
        """Goes on in the table of modes, round and round."""
        names = list(STEREO_MODES)
        self.choose(names[(names.index(self.mode) + by) % len(names)])

    def toggle_mono(self) -> None:
        """To mono, or back to the last mode."""
        self._note()
        self.choose(self._last if self.mode == MONO else MONO)

    def _note(self) -> None:
        if self.mode != MONO:
            self._last = self.mode

    def wait(self) -> float | None:
        """Seconds until the name goes; None: there is none."""
        return None if self._until == float("-inf") else max(0.0, self._until - self._clock())

    def draw(self, look: Look, scene: Rect) -> None:
        """The name of the mode, large in the upper part of the scene, while it is new."""
        self._note()
        self.rect = None
        if self.wait() is None:
            return
        if self._clock() >= self._until:
            self._until = float("-inf")
            return
        mode, target = STEREO_MODES[self.mode], imgui.get_background_draw_list()
        with scopes.font(look.fonts.medium, LARGE):
            name, wide, tall = tr(mode.label), width_of(tr(mode.label)), imgui.get_text_line_height()
            middle, top = scene.x + scene.width / 2, scene.y + round(0.1 * scene.height)
            pad = look.px(16)
            summary = sentence(tr(mode.summary))
        below = width_of(summary)
        if below + 2 * pad > scene.width:
            summary, below = "", 0.0
        half = max(wide, below) / 2 + pad
        height = tall + (imgui.get_text_line_height() if summary else 0.0) + look.px(18)
        self.rect = Rect(round(middle - half), round(top), round(2 * half), round(height))
        low, high = (middle - half, top), (middle + half, top + height)
        target.add_rect_filled(low, high, u32(look.palette.background, 0.85), look.px(8))
        with scopes.font(look.fonts.medium, LARGE):
            target.add_text((round(middle - wide / 2), top + look.px(7)), u32(look.palette.text), name)
        if summary:
            target.add_text((round(middle - below / 2), top + tall + look.px(8)), u32(look.palette.dim), summary)
