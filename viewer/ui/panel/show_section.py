"""The panel's section Show: what is drawn, boxes to tick in two columns."""

from collections.abc import Callable

from viewer.common.language import tr
from viewer.scenario.fields import fields_of
from viewer.scenario.scenario import SECTIONS
from viewer.scene.stereo.anaglyph_theme import theme_of
from viewer.scene.words.formatting import named
from viewer.session.session import Session
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets.drawing import Look, width_of
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.style import u32
from viewer.user.settings import Settings, setting_at
from viewer.workspace.state import UiState

# switches whose colour in the theme has another name
BOX_AND_DOT = 37.0  # at scale 1: the box before a label in the section Show, and the dot behind it
COLOR_OF = {"ellipsoid": "shell", "plane": "grid", "rolling_ticks": "polhode", "loads": "force", "centre_path": "text"}
NAMES = ("names.pointer", "names.legend")  # settings
SOUND = "sound.on"


class ShowSection:
    """Draws the section and gives what the user does there to the session."""

    def __init__(
        self,
        session: Session,
        settings: Settings,
        state: UiState,
        controls: FieldWidgets,
        toggle_sound: Callable[[], None],
    ) -> None:
        self._session, self._settings, self._state, self._controls = session, settings, state, controls
        self._toggle_sound = toggle_sound

    def draw(self, look: Look) -> None:
        """All boxes."""
        room, start = imgui.get_content_region_avail().x, imgui.get_cursor_pos_x()
        names = list(fields_of(SECTIONS["show"]))
        labels = [tr(field.label) for field in fields_of(SECTIONS["show"]).values()]
        widest = max(width_of(label) for label in labels[1::2]) + look.px(BOX_AND_DOT)
        second = min(room / 2, room - widest)
        for i, name in enumerate(names):
            if i % 2:
                imgui.same_line(start + second)
            self.switch(look, name)
        for number, path in enumerate(NAMES):
            if number:
                imgui.same_line(start + second)
            self.setting(look, path)
        self.setting(look, SOUND)
        if imgui.button(named("Hide the interface (H)"), (imgui.get_content_region_avail().x, 0.0)):
            self._state.toggle("hidden")
        self._controls.focus.button(look, "Hide the interface (H)")

    def switch(self, look: Look, name: str) -> None:
        """The box of a thing in the scene, with the colour of what has one of its own."""
        self._controls.switch(look, f"show.{name}")
        color = getattr(theme_of(self._session.scenario), COLOR_OF.get(name, name), None)
        if color is not None:
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            middle = high.x + look.px(9), (low.y + high.y) / 2
            imgui.get_window_draw_list().add_circle_filled(middle, look.px(3), u32(color))

    def setting(self, look: Look, path: str) -> None:
        """The box of a setting."""
        field, on = setting_at(path), bool(self._settings.value(path))
        if self._controls.box(look, path, tr(field.label), on, tr(field.description)):
            if path == SOUND:  # which a machine may not have
                self._toggle_sound()
            else:
                self._settings.change(path, not on)
