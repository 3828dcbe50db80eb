"""The bar below the stereo chart, in the timeline's place: stereo mode, and the crosstalk of the user's own glasses."""

from viewer.common.language import marked, tr
from viewer.scenario.field import Choice
from viewer.scenario.scenario import field_at
from viewer.session.session import Session
from viewer.ui.overlay import Canvas, Overlay
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import icons, windows
from viewer.ui.widgets.drawing import Look, icon_button, text, tooltip, width_of
from viewer.ui.widgets.fields import FieldWidgets
from viewer.workspace.state import UiState

LEAKS = {"stereo.left_leak": marked("Left crosstalk"), "stereo.right_leak": marked("Right crosstalk")}
MODE_WIDTH, SLIDER, NARROWEST = 170.0, 150.0, 60.0  # px at scale 1
MODE_FRACTION = 0.3  # of the bar that the mode takes at most, beside crosstalk


class ChartBar(Overlay):
    """The bar of the stereo chart, which Escape closes."""

    def __init__(self, session: Session, state: UiState, controls: FieldWidgets) -> None:
        self._session, self._state, self._controls = session, state, controls

    @property
    def is_open(self) -> bool:
        return self._state.chart

    def close(self) -> None:
        self._state.chart = False

    def draw(self, canvas: Canvas) -> None:
        """Draw the bar in the timeline's place, while the chart is shown."""
        look, rect, session, controls = canvas.look, canvas.areas.timeline, self._session, self._controls
        if rect is None or not canvas.chart:
            return
        with windows.docked(look, "Chart", rect, (10, 9)):
            windows.line(look, rect, upper=True)
            stereo, gap, button = session.scenario.stereo, look.px(12), look.px(26)
            end = rect.x + rect.width - look.px(10) - button
            field = field_at("stereo.mode", Choice)
            leaks = session.scenario.has_effect("stereo.left_leak")
            width = min(look.px(MODE_WIDTH), MODE_FRACTION * rect.width if leaks else end - rect.x - 2 * gap)
            mode = controls.choose(look, "chart.mode", field, stereo.mode, width)
            if mode is not None:
                controls.editor.set("stereo.mode", mode)
            if leaks:
                _leaks(look, session, controls, end - gap)
            imgui.same_line(0, gap)
            imgui.set_cursor_screen_pos((end, rect.y + look.px(9)))
            if icon_button(look, "close chart", icons.cross, button, button, plain=True):
                self.close()
            tooltip(look, tr("Back to the scene (C)"))


def _leaks(look: Look, session: Session, controls: FieldWidgets, end: float) -> None:
    """A slider for each eye, up to `end`; where it is narrow with letters for names."""
    gap, near = look.px(12), look.px(6)
    imgui.same_line(0, gap)
    start = imgui.get_cursor_screen_pos().x
    names = [tr(name) for name in LEAKS.values()]
    for labels in (names, ["L", "R"]):
        room = (end - start - sum(width_of(label) + near + gap for label in labels)) / len(labels)
        if room >= look.px(NARROWEST):
            break
    for path, label in zip(LEAKS, labels, strict=True):
        at = imgui.get_cursor_screen_pos()
        text(at.x, at.y + imgui.get_style().frame_padding.y, look.palette.dim, label)
        imgui.dummy((width_of(label), 1.0))
        imgui.same_line(0, near)
        width = max(min(room, look.px(SLIDER)), 1.0)
        new = controls.value(look, path, session.scenario.value(path), width)
        if new is not None:
            controls.editor.change({path: new})
        imgui.same_line(0, gap)
