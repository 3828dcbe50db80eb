"""The panel's section Body: the shape with its fields, a tensor that is typed, and what is known of the inertia."""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from viewer.commands.documents import ask_mesh
from viewer.common.errors import InputError, brief
from viewer.common.language import marked, tr
from viewer.common.quantities import readings
from viewer.physics.body import SHAPES, RigidBody
from viewer.physics.solids.mesh_body import mesh_source
from viewer.scenario.custom_body import extents_of, source_of, volume_of
from viewer.scenario.field import Number, Vector
from viewer.scenario.scenario import field_at
from viewer.scene.words.formatting import extents, printable, sentence
from viewer.ui.panel import inertia
from viewer.ui.panel.parts_form import PartsForm
from viewer.ui.panel.section import Draw, Section
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.view.scene_view import SceneView
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.fields import DEFAULT, FieldWidgets
from viewer.workspace.workspace import Workspace

GIVEN_IN_AXES = ("tensor", "mesh", "composite")  # shapes whose axes are not the principal ones
AXES = "panel.tensor"  # the setting: in which axes the inertia tensor is shown
METHOD, TENSOR = "body.method", "body.tensor"
ROWS = ((0, 3, 4), (3, 1, 5), (4, 5, 2))  # the tensor's elements, as indices of its six numbers
LISTS = (3, 6, 9)  # lengths of lists of numbers: the principal moments, the six numbers, the whole tensor
Tensor = tuple[float, ...]
ONLY_RATIOS = marked(
    "A recording of free motion reveals only the ratios of the moments, not their size: I and the tensor are relative"
    " to the largest. Another shape ends the comparison with the recording."
)


class BodySection(Section):
    """The rows of the shape, the facts known of the inertia, and the present inertia tensor."""

    title = marked("Body")
    settings_shown = (AXES,)

    def __init__(self, workspace: Workspace, controls: FieldWidgets, scene_view: SceneView) -> None:
        super().__init__(workspace, controls, scene_view)
        self._parts = PartsForm(workspace, controls)
        self._tensor = TensorForm(workspace, controls)

    def draw(self, look: Look) -> None:
        """Draw all rows, as wide as there is room."""
        self._body(look)
        self.setting(look, AXES)

    def setting(self, look: Look, path: str) -> None:
        """Draw the choice of the axes, those of the body or of space, and the present inertia tensor in them."""
        super().setting(look, path)
        unit = "kg m²" if self._session.document.ratios is None else ""
        inertia.tensor_now(look, self._session.snapshot(), self._settings.value(path), unit)

    def form_of(self, path: str) -> Draw | None:
        """Return the form of a body given by a tensor, a mesh or parts; None for any other body."""
        return self._body if self._session.scenario.body.shape in GIVEN_IN_AXES else None

    def _body(self, look: Look) -> None:
        """Draw the shape, its fields, and what is known of the inertia."""
        body = self._session.scenario.body
        shape = SHAPES[body.shape]
        self._controls.row(look, "body.shape")
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
        self._controls.row(look, "body.pivot")
        rigid = self._session.snapshot().body
        if body.shape in GIVEN_IN_AXES:
            name = f"{Path(body.file).name}: " if body.shape == "mesh" else ""
            line = tr("inertia from {source}").format(source=rigid.inertia_source.text)
            with scopes.colored(look.palette.dim), scopes.wrapped(0.0):
                imgui.text_unformatted(printable(name + line if name else sentence(line)))
            inertia.details(look, self._controls, rigid, volume_of(body))
        if rigid.warning:  # a note: the motion is that of these moments
            with scopes.wrapped(0.0):
                imgui.text_unformatted(sentence(rigid.warning))

    def _mesh(self, look: Look) -> None:
        """Draw the rows of a mesh: its file, unit, size and weight, and what the inertia is computed from."""
        controls, body = self._controls, self._session.scenario.body
        ask = partial(ask_mesh, self._workspace, body.file, self._set_file)
        inertia.mesh_file_row(look, controls, "body.file", body.file, ask)
        controls.row(look, "body.unit")
        if source_of(body).file.unit is None:
            with scopes.colored(look.palette.dim):
                imgui.text_unformatted(tr("The file gives no unit"))
        controls.row(look, "body.longest")
        controls.heading(look, tr("Size"), extents(extents_of(body)))
        rigid, volume = self._session.snapshot().body, volume_of(body)
        found = rigid.inertia_source.method
        if found == "shell":
            controls.row(look, "body.shell_thickness")
        now = inertia.Weight(0.0 if body.density else body.mass, body.density)
        filled = volume if found != "shell" else rigid.mass / body.density if body.density else None
        fields = field_at("body.mass", Number), field_at("body.density", Number)
        if (new := inertia.weight_rows(look, controls, "body", fields, now, filled)) is not None:
            changed, final = new
            values = {"body.density": changed.density} if changed.density else {"body.mass": changed.mass}
            controls.editor.change(values)
            if final:
                controls.editor.commit()
        self._method(look)

    def _method(self, look: Look) -> None:
        """Draw the choice of what the inertia is computed from; choices that this mesh does not allow are grey."""
        body = self._session.scenario.body
        impossible = source_of(body).impossible
        chosen = self._controls.edit(look, METHOD, field_at(METHOD), body.method, "auto", impossible=impossible)
        if chosen is None:
            return
        values: dict[str, Any] = {METHOD: chosen}
        if chosen == "shell" and body.density and not body.shell_thickness:  # it then gives no mass
            values["body.mass"] = float(f"{self._session.snapshot().body.mass:.{inertia.DIGITS}g}")
        self._controls.editor.commit()
        self._controls.editor.change(values)
        self._controls.editor.commit()

    def _set_file(self, path: str) -> str | None:
        """Set another mesh, in its own unit or the likely one; return what is wrong with it, or None."""
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


class TensorForm:
    """The six numbers of a tensor, which are applied as soon as a solid can have them, and can be pasted as a list.

    `UiState.tensor` has numbers that are typed but not applied.
    """

    def __init__(self, workspace: Workspace, controls: FieldWidgets) -> None:
        self._session, self._controls, self._state = workspace.session, controls, workspace.state
        self._typed_over: Tensor = ()  # the body's tensor when those were typed

    def draw(self, look: Look) -> None:
        """Draw the boxes, and the reason if their numbers are not applied."""
        controls, applied = self._controls, self._session.scenario.body.tensor
        if self._typed_over != applied:
            self._state.tensor, self._typed_over = None, applied
        shown = self._state.tensor or applied
        new = controls.edit(look, TENSOR, field_at(TENSOR), shown, DEFAULT.body.tensor, take_list=self._take_list)
        if new is not None:
            self._take(new)
        if self._state.tensor is not None and (why := _refused(self._state.tensor)) is not None:
            with scopes.colored(look.palette.danger), scopes.wrapped(0.0):
                imgui.text_unformatted(tr("Not applied: {why}. Escape drops it").format(why=why))

    def _take_list(self, text: str, bare: float) -> str | None:
        """Take a tensor written as a list; return None if the text is no list, else what is wrong with it, or ""."""
        ways = readings(text, field_at(TENSOR, Vector).unit, bare)
        if not ways:
            return None
        self._controls.editor.commit()
        try:
            self._take(_six(ways))
        except ValueError as error:
            return str(error)
        return ""

    def _take(self, tensor: Tensor) -> None:
        """Apply a tensor, or keep it in `UiState.tensor` if no solid can have it."""
        if _refused(tensor) is not None:
            self._state.tensor = tensor
        elif self._controls.editor.change({TENSOR: tensor}):
            self._state.tensor = None


def _refused(tensor: Tensor) -> str | None:
    """Return why no solid can have this tensor, or None if one can."""
    try:
        RigidBody.from_tensor(tensor)
    except InputError as error:
        return str(error).partition(": ")[2]
    return None


def _six(ways: Sequence[Sequence[float]]) -> Tensor:
    """Return the six numbers of a tensor, given each way in which the typed list of numbers can be read.

    Raises ValueError if not exactly one way gives a list of a length in LISTS, or if the tensor is not symmetric.
    """
    fitting = [numbers for numbers in ways if len(numbers) in LISTS]
    name = tr(field_at(TENSOR, Vector).label)
    if len(fitting) != 1:
        text = (
            tr("{name}: the commas can be decimal ones or separate numbers; write 1.5, or 1; 5")
            if fitting
            else tr("{name}: {count} numbers; allowed are 3 (the principal moments), 6, or 9 (the whole tensor)")
        )
        raise ValueError(text.format(name=name, count=len(ways[0])))
    numbers = fitting[0]
    if len(numbers) == 3:
        return (*numbers, 0.0, 0.0, 0.0)
    if len(numbers) == 6:
        return tuple(numbers)
    six = [0.0] * 6
    for row, places in enumerate(ROWS):
        for column, place in enumerate(places):
            here, across = numbers[3 * row + column], numbers[3 * column + row]
            if here != across:
                text = tr("{name}: {here} and {across} must be the same, as the tensor is symmetric")
                raise ValueError(text.format(name=name, here=brief(here), across=brief(across)))
            six[place] = here
    return tuple(six)
