"""The line below the scene's title where its numbers' source and what is assumed are read and written."""

from viewer.common.language import tr
from viewer.scenario.field import TEXT_LIMIT
from viewer.scenario.scenario import Scenario, field_at
from viewer.scene.words.formatting import named
from viewer.scene.words.sources import sources
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look, text, tooltip, width_of
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.style import u32

BUTTON, POPUP = "##where the numbers come from", "sources"
UNDERLINE = 0.5  # of the text's opacity
TEXTS = ("source", "assumed")
LINES = 2  # of a text that is written, at least


class SceneSource:
    """Draws it, and gives what the user writes to the session."""

    def __init__(self, controls: FieldWidgets) -> None:
        self._controls = controls
        self._writing = False  # the texts are fields

    def draw(self, look: Look, scenario: Scenario) -> None:
        """A line to point at, or to press so that the texts stay; it stands there for every scene, so that what is
        below it keeps its place when a change makes the numbers the user's own."""
        lines = sources(scenario)
        room, place = imgui.get_content_region_avail().x, imgui.get_cursor_screen_pos()
        words = tr("Where the numbers come from") if lines else tr("Say where the numbers come from")
        size = width_of(words), imgui.get_text_line_height()
        if imgui.invisible_button(BUTTON, size):
            imgui.open_popup(POPUP)
            self._writing = not lines
        color = look.palette.text if imgui.is_item_hovered() else look.palette.dim
        text(place.x, place.y, color, words)
        below, target = place.y + size[1], imgui.get_window_draw_list()
        target.add_line((place.x, below), (place.x + size[0], below), u32(color, UNDERLINE))
        if lines:
            tooltip(look, *lines)
        self._controls.focus.button(look, BUTTON)
        imgui.set_next_window_pos((place.x, below + look.px(2)))
        with scopes.popup(POPUP) as opened:
            if opened and self._writing:
                for name in TEXTS:
                    self._field(look, name, tr(scenario.value(name)), room - 2 * imgui.get_style().window_padding.x)
            elif opened:
                self._read(lines, room)

    def _read(self, lines: list[str], room: float) -> None:
        with scopes.wrapped(room):
            for line in lines:
                imgui.text_unformatted(line)
        if imgui.button(named("Change…")):
            self._writing = True

    def _field(self, look: Look, name: str, words: str, room: float) -> None:
        """A field with one of the texts; what is typed into it is one step of undo."""
        field, editor = field_at(name), self._controls.editor
        pad = imgui.get_style().frame_padding
        lines = imgui.calc_text_size(words + " ", False, room - 3 * pad.x).y / imgui.get_text_line_height()
        tall = max(LINES, round(lines)) * imgui.get_text_line_height() + 2 * pad.y
        with scopes.colored(look.palette.dim):
            imgui.text_unformatted(tr(field.label))
        tooltip(look, tr(field.description))
        if imgui.is_window_appearing() and name == TEXTS[0]:
            imgui.set_keyboard_focus_here()
        flag = imgui.InputTextFlags_.word_wrap.value
        changed, typed = imgui.input_text_multiline(f"##{name}", words, (room, tall), flag)
        if imgui.is_item_activated():
            editor.commit()
        leaves = imgui.is_key_pressed(imgui.Key.escape)  # what was typed stays: undo takes it back
        if changed and not leaves:
            editor.change({name: "".join(c if c.isprintable() else " " for c in typed)[:TEXT_LIMIT]})
        if imgui.is_item_deactivated():
            editor.commit()
            if leaves:
                imgui.close_current_popup()
        if len(words) >= TEXT_LIMIT:
            with scopes.colored(look.palette.dim):
                imgui.text_unformatted(field.allowed)
