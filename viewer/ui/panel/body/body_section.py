"""The panel's section Body: the shape with the fields that it has, and how its inertia was found."""

import os
from collections.abc import Callable
from pathlib import Path

from viewer.common.errors import InputError
from viewer.common.language import marked, tr
from viewer.physics.body import SHAPES
from viewer.physics.solids.mesh_body import mesh_source
from viewer.scenario.own_bodies import extents_of, volume_of
from viewer.scenario.scenario import field_at
from viewer.session.session import Session
from viewer.ui.panel.body import inertia_details, weight
from viewer.ui.panel.body.parts_form import PartsForm
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.state import UiState
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look, shortened, text_right, tooltip, width_of
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.formatting import columns, named, printable, sentence

GIVEN_IN_AXES = ("tensor", "mesh", "composite")  # shapes whose axes are not the principal ones
CHOOSE = marked("Choose…")
AskMesh = Callable[[str | None, Callable[[str], str | None]], None]


class BodySection:
    """Draws the section and gives what the user does there to the session."""

    def __init__(self, session: Session, controls: FieldWidgets, state: UiState, ask_mesh: AskMesh) -> None:
        """`ask_mesh`: asks for a mesh file, as `FileDialog.ask_mesh`."""
        self._session, self._controls, self._ask_mesh = session, controls, ask_mesh
        self._parts = PartsForm(session, controls, state, ask_mesh)

    def draw(self, look: Look) -> None:
        """The rows, as wide as there is room."""
        body = self._session.scenario.body
        shape = SHAPES[body.shape]
        self._controls.row(look, "body.shape", formula=shape.formula)
        if body.shape == "mesh":
            self._mesh(look)
        elif body.shape == "composite":
            self._parts.draw(look)
        else:
            for name in shape.dimensions:
                self._controls.row(look, f"body.{name}", formula=shape.formula if name != "moments" else "")
        rigid = self._session.snapshot().body
        if body.shape in GIVEN_IN_AXES:
            name = f"{Path(body.file).name}: " if body.shape == "mesh" else ""
            line = tr("inertia from {source}").format(source=rigid.inertia_source.text)
            with scopes.colored(look.palette.dim), scopes.wrapped(0.0):
                imgui.text_unformatted(printable(name + line if name else sentence(line)))
            inertia_details.draw(look, self._controls, rigid, volume_of(body))
        if rigid.warning:
            with scopes.colored(look.palette.danger), scopes.wrapped(0.0):
                imgui.text_unformatted(sentence(rigid.warning))

    def _mesh(self, look: Look) -> None:
        """File, unit and size; weight; what the inertia is computed from."""
        controls, body = self._controls, self._session.scenario.body
        file_row(look, controls, "body.file", body.file, lambda: self._ask_mesh(body.file, self._set_file))
        controls.row(look, "body.unit")
        controls.row(look, "body.longest")
        extents, unit = columns(extents_of(body), "m")
        controls.heading(look, tr("Size"), f"{' × '.join(extents)} {unit}")
        rigid, volume = self._session.snapshot().body, volume_of(body)
        found = rigid.inertia_source.method
        if found == "shell":
            controls.row(look, "body.shell_thickness")
        now = weight.Weight(0.0 if body.density else body.mass, body.density)
        filled = volume if found != "shell" else rigid.mass / body.density if body.density else None
        fields = field_at("body.mass"), field_at("body.density")
        if (new := weight.rows(look, controls, "body", fields, now, filled)) is not None:
            changed, final = new
            values = {"body.density": changed.density} if changed.density else {"body.mass": changed.mass}
            controls.editor.change(values)
            if final:
                controls.editor.commit()
        controls.row(look, "body.method")

    def _set_file(self, path: str) -> str | None:
        """Another mesh, in its own unit or the likely one; returns what is wrong with it."""
        try:
            source = mesh_source(path)
        except InputError as error:
            return str(error)
        unit = self._session.scenario.body.unit
        unit = source.file.unit or (unit if unit == "longest" else source.likely_unit)
        values = {"body.file": os.path.abspath(path), "body.unit": unit, "body.method": "auto"}
        done = self._controls.editor.change(values)
        self._controls.editor.commit()
        return None if done else tr("This mesh cannot be the body: see the message")


def file_row(look: Look, controls: FieldWidgets, path: str, file: str, ask: Callable[[], None]) -> None:
    """The name of a file, and a button that asks for another one."""
    controls.label(look, tr(field_at("body.file").label))
    room, label = imgui.get_content_region_avail().x, tr(CHOOSE)
    width = width_of(label) + look.px(16)
    at = imgui.get_cursor_screen_pos()
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + room - width)
    if imgui.button(named(CHOOSE, f"##{path}"), (width, 0.0)):
        ask()
    tooltip(look, printable(file))
    controls.focus.button(look, f"{CHOOSE}##{path}")
    name = shortened(printable(Path(file).name), room - width - look.px(6))
    text_right(at.x + room - width - look.px(6), at.y + imgui.get_style().frame_padding.y, look.palette.text, name)
