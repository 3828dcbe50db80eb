"""Marks over the scene: the name of a stereo mode just chosen, and the frame around the selected body."""

from collections.abc import Callable

from viewer.common.language import tr
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scene.words.formatting import sentence
from viewer.ui.overlay import Overlay, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.view.scene_view import SceneView
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import width_of
from viewer.ui.widgets.style import u32
from viewer.workspace.editor import StereoChoice
from viewer.workspace.workspace import Workspace

NAMED_SECONDS = 1.5  # for which the name is shown
LARGE = 30.0  # size of its letters, in pixels at scale 1
INSIDE, ROUND, WIDTH = 2.0, 6.0, 1.5  # px at scale 1: the frame's distance from the cell's edge, rounding, and width


class StereoName(Overlay):
    """The name of the stereo mode, shown large in the upper part of the scene after the mode was chosen."""

    def __init__(self, stereo: StereoChoice, clock: Callable[[], float]) -> None:
        self._stereo, self._clock = stereo, clock
        self._gone = float("-inf")  # when the mode was chosen whose name was last shown to its end

    def wait(self) -> float | None:
        """Return the seconds until the name disappears, or None if none is shown."""
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


class SelectedBody(Overlay):
    """The frame around the cell of the selected body; when another body is selected, no part is selected any more."""

    def __init__(self, workspace: Workspace, scene_view: SceneView) -> None:
        self._scene, self._state, self._scene_view = workspace.session.scene, workspace.state, scene_view
        self._selected = self._scene.selected  # in the last layout
        self._behind = False  # whether the picture was out of date when the frame was drawn

    def wait(self) -> float | None:
        """Return 0 if the frame was drawn around the cell of a picture that was out of date, else None."""
        return 0.0 if self._behind else None

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the frame, if the scene has several bodies in cells of their own."""
        scene, look = self._scene, canvas.look
        if self._selected != scene.selected:
            self._selected, self._state.part = scene.selected, None
        self._behind = scene.bodies is not None and not scene.moving and self._scene_view.due
        cell = None if canvas.hidden or canvas.chart else self._scene_view.body_rect(scene.selected)
        if cell is None:
            return
        inside = look.px(INSIDE)
        low = cell.x + inside, cell.y + inside
        high = cell.x + cell.width - inside, cell.y + cell.height - inside
        color = u32(look.palette.accent, 0.8)
        imgui.get_background_draw_list().add_rect(low, high, color, look.px(ROUND), look.px(WIDTH))
