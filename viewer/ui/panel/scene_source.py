"""The line below the scene's title from which its numbers' source and what is assumed are read."""

from viewer.common.language import tr
from viewer.scenario.scenario import Scenario
from viewer.scene.words.sources import sources
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look, text, tooltip, width_of
from viewer.ui.widgets.keyboard_focus import KeyboardFocus
from viewer.ui.widgets.style import u32

BUTTON, POPUP = "##where the numbers come from", "sources"
UNDERLINE = 0.5  # of the text's opacity


def draw(look: Look, scenario: Scenario, focus: KeyboardFocus) -> None:
    """Nothing for a scene that says neither; else a line to point at, or to press so that the texts stay."""
    lines = sources(scenario)
    if not lines:
        return
    room, place = imgui.get_content_region_avail().x, imgui.get_cursor_screen_pos()
    words = tr("Where the numbers come from")
    size = width_of(words), imgui.get_text_line_height()
    if imgui.invisible_button(BUTTON, size):
        imgui.open_popup(POPUP)
    color = look.palette.text if imgui.is_item_hovered() else look.palette.dim
    text(place.x, place.y, color, words)
    below, target = place.y + size[1], imgui.get_window_draw_list()
    target.add_line((place.x, below), (place.x + size[0], below), u32(color, UNDERLINE))
    tooltip(look, *lines)
    focus.button(look, BUTTON)
    imgui.set_next_window_pos((place.x, below + look.px(2)))
    with scopes.popup(POPUP) as opened, scopes.wrapped(room):
        for line in lines if opened else ():
            imgui.text_unformatted(line)
