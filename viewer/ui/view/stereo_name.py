"""Names the stereo mode on the screen for a moment after it was chosen."""

from collections.abc import Callable

from viewer.common.language import tr
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scene.words.formatting import sentence
from viewer.ui.overlay import Overlay, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import width_of
from viewer.ui.widgets.style import u32
from viewer.workspace.editor import StereoChoice

NAMED_SECONDS = 1.5  # that the name stays
LARGE = 30.0  # its letters, in pixels at scale 1


class StereoName(Overlay):
    """Draws the name of the mode, large in the upper part of the scene, while it is new."""

    def __init__(self, stereo: StereoChoice, clock: Callable[[], float]) -> None:
        self._stereo, self._clock = stereo, clock
        self._gone = float("-inf")  # when the mode was chosen whose name has gone

    def wait(self) -> float | None:
        """Return the seconds until the name goes, or None if there is none."""
        chosen_at = self._stereo.chosen_at
        return None if chosen_at == self._gone else max(0.0, chosen_at + NAMED_SECONDS - self._clock())

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the name, and below it the summary of the mode if there is room for it."""
        look, scene = canvas.look, canvas.areas.scene
        self._stereo.remember()
        wait = self.wait()
        if not wait:
            self._gone = self._stereo.chosen_at
            return
        mode, target = STEREO_MODES[self._stereo.value], imgui.get_background_draw_list()
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
        low, high = (middle - half, top), (middle + half, top + height)
        target.add_rect_filled(low, high, u32(look.palette.background, 0.85), look.px(8))
        with scopes.font(look.fonts.medium, LARGE):
            target.add_text((round(middle - wide / 2), top + look.px(7)), u32(look.palette.text), name)
        if summary:
            target.add_text((round(middle - below / 2), top + tall + look.px(8)), u32(look.palette.dim), summary)
