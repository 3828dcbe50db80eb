"""The row of a mesh file: its name, and a button that asks for another one."""

from collections.abc import Callable
from pathlib import Path

from viewer.common.language import marked, tr
from viewer.scenario.scenario import field_at
from viewer.scene.words.formatting import named, printable
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets.drawing import Look, shortened, text_right, tooltip, width_of
from viewer.ui.widgets.fields import FieldWidgets

OTHER = marked("Other file…")
Ask = Callable[[str | None, Callable[[str], str | None]], None]  # as `FileDialog.ask_mesh`


def row(look: Look, controls: FieldWidgets, path: str, file: str, ask: Callable[[], None]) -> None:
    """`path`: what the file is that of, in the scene; `file`: its path."""
    controls.label(look, tr(field_at("body.file").label))
    room, label = imgui.get_content_region_avail().x, tr(OTHER)
    width = width_of(label) + look.px(16)
    at = imgui.get_cursor_screen_pos()
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + room - width)
    if imgui.button(named(OTHER, f"##{path}"), (width, 0.0)):
        ask()
    tooltip(look, printable(file))
    controls.focus.button(look, f"{OTHER}##{path}")
    name = shortened(printable(Path(file).name), room - width - look.px(6))
    text_right(at.x + room - width - look.px(6), at.y + imgui.get_style().frame_padding.y, look.palette.text, name)
