"""The panel's section Body: the shape with the fields that it has, and how its inertia was found."""

import os
from pathlib import Path
from typing import Any

from viewer.common.errors import InputError
from viewer.common.language import marked, tr
from viewer.physics.body import SHAPES
from viewer.physics.solids.mesh_body import mesh_source
from viewer.scenario.custom_body import extents_of, source_of, volume_of
from viewer.scenario.scenario import field_at
from viewer.scene.words.formatting import extents, printable, sentence
from viewer.session.session import Session
from viewer.ui.panel.body import inertia_details, mesh_file, weight
from viewer.ui.panel.body.parts_form import PartsForm
from viewer.ui.panel.body.tensor_form import TensorForm
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.fields import FieldWidgets
from viewer.workspace.state import UiState

GIVEN_IN_AXES = ("tensor", "mesh", "composite")  # shapes whose axes are not the principal ones
METHOD = "body.method"
ONLY_RATIOS = marked(
    "A recording of free motion reveals only the ratios of the moments, not their size: I and the tensor are relative"
    " to the largest. Another shape ends the comparison with the recording."
)


class BodySection:
    """Draws the section and gives what the user does there to the session."""

    def __init__(self, session: Session, controls: FieldWidgets, state: UiState, ask_mesh: mesh_file.Ask) -> None:
        """`ask_mesh`: asks for a mesh file, as `FileDialog.ask_mesh`."""
        self._session, self._controls, self._ask_mesh = session, controls, ask_mesh
        self._parts = PartsForm(session, controls, state, ask_mesh)
        self._tensor = TensorForm(session, controls, state)

    def draw(self, look: Look) -> None:
        """The rows, as wide as there is room."""
        body = self._session.scenario.body
        shape = SHAPES[body.shape]
        self._controls.row(look, "body.shape", formula=shape.formula)
        if self._session.document.ratios is not None:
            with scopes.colored(look.palette.dim), scopes.wrapped(0.0):
                imgui.text_unformatted(tr(ONLY_RATIOS))
            self._controls.row(look, "body.show_parts")
            return
        if body.shape == "mesh":
            self._mesh(look)
        elif body.shape == "composite":
            self._parts.draw(look)
        else:
            for name in shape.dimensions:
                if name == "tensor":
                    self._tensor.draw(look)
                    continue
                self._controls.row(look, f"body.{name}", formula=shape.formula if name != "moments" else "")
        rigid = self._session.snapshot().body
        if body.shape in GIVEN_IN_AXES:
            name = f"{Path(body.file).name}: " if body.shape == "mesh" else ""
            line = tr("inertia from {source}").format(source=rigid.inertia_source.text)
            with scopes.colored(look.palette.dim), scopes.wrapped(0.0):
                imgui.text_unformatted(printable(name + line if name else sentence(line)))
            inertia_details.draw(look, self._controls, rigid, volume_of(body))
        if rigid.warning:  # a note: the motion is that of these moments
            with scopes.wrapped(0.0):
                imgui.text_unformatted(sentence(rigid.warning))

    def _mesh(self, look: Look) -> None:
        """File, unit and size; weight; what the inertia is computed from."""
        controls, body = self._controls, self._session.scenario.body
        mesh_file.row(look, controls, "body.file", body.file, lambda: self._ask_mesh(body.file, self._set_file))
        controls.row(look, "body.unit")
        controls.row(look, "body.longest")
        controls.heading(look, tr("Size"), extents(extents_of(body)))
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
        self._method(look)

    def _method(self, look: Look) -> None:
        """What the inertia is computed from; what this mesh does not allow is greyed."""
        body, field = self._session.scenario.body, field_at(METHOD)
        self._controls.label(look, tr(field.label))
        room, impossible = imgui.get_content_region_avail().x, source_of(body).impossible
        chosen = self._controls.choose(look, METHOD, field, body.method, room, "auto", impossible)
        if chosen is None:
            return
        values: dict[str, Any] = {METHOD: chosen}
        if chosen == "shell" and body.density and not body.shell_thickness:  # of which the density says nothing
            values["body.mass"] = float(f"{self._session.snapshot().body.mass:.{weight.DIGITS}g}")
        self._controls.editor.commit()
        self._controls.editor.change(values)
        self._controls.editor.commit()

    def _set_file(self, path: str) -> str | None:
        """Another mesh, in its own unit or the likely one; returns what is wrong with it."""
        body = self._session.scenario.body
        try:
            source = mesh_source(path)
        except InputError as error:
            return str(error)
        unit = "longest" if body.unit == "longest" and source.file.unit is None else source.likely_unit
        values = {"body.file": os.path.abspath(path), "body.unit": unit}
        if body.method in source.impossible:
            values[METHOD] = "auto"
        self._controls.editor.commit()
        done = self._controls.editor.change(values)
        self._controls.editor.commit()
        return None if done else tr("This mesh cannot be the body")
