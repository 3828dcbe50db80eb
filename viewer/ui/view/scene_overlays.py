"""Marks over the scene: the name of what a key has just chosen, and the frame around the selected body."""

from viewer.common.language import tr
from viewer.scenario.field import Choice
from viewer.scenario.scenario import field_at
from viewer.scene.words.formatting import sentence
from viewer.ui.overlay import Overlay, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.view.scene_view import SceneView
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import width_of
from viewer.ui.widgets.style import u32
from viewer.workspace.workspace import Workspace

NAMED_SECONDS = 1.5  # for which the name is shown
LARGE = 30.0  # size of its letters, in pixels at scale 1
INSIDE, ROUND, WIDTH = 2.0, 6.0, 1.5  # px at scale 1: the frame's distance from the cell's edge, rounding, and width


class ChoiceName(Overlay):
    """The name of the stereo mode, the view or another choice, large in the upper part of the scene once it is made."""

    def __init__(self, workspace: Workspace) -> None:
        self._session, self._editor, self._stereo = workspace.session, workspace.editor, workspace.stereo
        self._clock = workspace.clock
        self._gone = float("-inf")  # when the choice was made whose name was last shown to its end

    def wait(self) -> float | None:
        """Return the seconds until the name disappears, or None if none is shown."""
        _, chosen_at = self._editor.chosen
        return None if chosen_at == self._gone else max(0.0, chosen_at + NAMED_SECONDS - self._clock())

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the name, and below it the meaning of the choice if there is room for it."""
        look, scene = canvas.look, canvas.areas.scene
        self._stereo.remember()
        path, chosen_at = self._editor.chosen
        if not self.wait():
            self._gone = chosen_at
            return
        field, target = field_at(path, Choice), imgui.get_background_draw_list()
        names = [name for name, _ in field.choices]
        at = names.index(self._session.scenario.value(path))
        with scopes.font(look.fonts.medium, LARGE):
            name = tr(field.choices[at][1])
            wide, tall = width_of(name), imgui.get_text_line_height()
            middle, top = scene.x + scene.width / 2, scene.y + round(0.1 * scene.height)
            pad = look.px(16)
            summary = sentence(tr(field.meanings[at]))
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
