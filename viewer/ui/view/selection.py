"""The selected one of several bodies: a frame around its cell."""

from viewer.ui.overlay import Overlay, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.view.scene_view import SceneView
from viewer.ui.widgets.style import u32
from viewer.workspace.workspace import Workspace

INSIDE, ROUND, WIDTH = 2.0, 6.0, 1.5  # px at scale 1: from the cell's edge, of its corners, of the line


class SelectedBody(Overlay):
    """The frame around the cell of the selected body; of another body no part is selected."""

    def __init__(self, workspace: Workspace, scene_view: SceneView) -> None:
        self._scene, self._state, self._scene_view = workspace.session.scene, workspace.state, scene_view
        self._selected = self._scene.selected  # in the last layout
        self._behind = False  # whether the cells were about to be others when it was drawn

    def wait(self) -> float | None:
        """Return 0 while the cells are about to be others than those of the last layout."""
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
