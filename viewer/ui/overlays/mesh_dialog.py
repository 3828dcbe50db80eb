"""The dialog for a mesh whose file does not say its unit; it asks for size, mass, and the method for the inertia."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from viewer.common.errors import InputError
from viewer.common.language import marked, tr
from viewer.common.quantities import written
from viewer.physics.solids.inertia import METHODS
from viewer.physics.solids.mesh_body import UNITS, mesh_source
from viewer.scenario.custom_body import mesh_summary
from viewer.scenario.field import Number
from viewer.scenario.scenario import field_at
from viewer.scenario.sections.body import DENSITIES
from viewer.scene.words.formatting import extents, named, parse, printable, sentence
from viewer.ui.overlay import FormDialog
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import form, scopes
from viewer.ui.widgets.drawing import Look
from viewer.workspace.questions import MeshSizeQuestion
from viewer.workspace.workspace import Workspace

LONGEST = "longest"
METHOD_ORDER = ("solid", "shell", "hull")
MASS, DENSITY, THICKNESS = "mass", "density", "thickness"
WEIGHTS = {MASS: marked("Given"), DENSITY: marked("From density")}
OTHER = ""  # the material of a density that none of DENSITIES has


class MeshDialog(FormDialog[MeshSizeQuestion]):
    """The dialog that asks how large a mesh is."""

    kind = MeshSizeQuestion

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, "Mesh")

    def _show_question(self, question: MeshSizeQuestion) -> None:
        self._scenario, self._file = question.scenario, printable(Path(question.path).name)
        source, scenario = mesh_source(question.path), question.scenario
        self._source, self._impossible = source, source.impossible
        self._faces = len(source.surface.faces)
        self._sizes = {unit: extents(source.extents * size) for unit, size in UNITS.items()}
        self._unit, self._method, self._weight = scenario.body.unit, scenario.body.method, MASS
        metres = source.longest * UNITS[self._unit]
        self._form.typed = {
            LONGEST: written(metres, "m", 4),
            MASS: written(scenario.body.mass, "kg", 6),
            DENSITY: "1000",
            THICKNESS: "",
        }
        self._form.refused = ""

    def _contents(self, look: Look) -> None:
        with self._form.rows():
            self._form.heading(look, self._file, tr("{count} triangles").format(count=self._faces))
            form.remark(look, tr("The file does not say its unit. How large is it?"))
            self._choose_size(look)
            needed = self._needs_thickness
            self._choose_weight(look)
            self._choose_method(look)
            if self._needs_thickness:
                self._form.field(look, THICKNESS, tr("Thickness"))
                if not needed:
                    imgui.set_scroll_here_y(1.0)
        form.refused(look, self._form.refused)
        imgui.dummy((0.0, look.px(2)))
        taken = self._form.answer(look, named("Open"))
        if taken:
            self._take()
        elif taken is not None:
            self.close()

    @property
    def _needs_thickness(self) -> bool:
        return self._method == "shell" and self._weight == DENSITY

    def _choose_size(self, look: Look) -> None:
        """Draw a line for each unit with the size that the mesh then has, and one for its longest extent."""
        start = imgui.get_cursor_pos_x()
        for unit, size in self._sizes.items():
            if _radio(look, f"{unit}##unit", self._unit == unit):
                self._unit = unit
            imgui.same_line(start + look.px(form.LABEL))
            with scopes.colored(look.palette.text if self._unit == unit else look.palette.dim):
                imgui.text_unformatted(size)
        if _radio(look, named("Longest extent"), self._unit == LONGEST):
            self._unit = LONGEST
        imgui.same_line(start + max(look.px(form.LABEL), imgui.get_item_rect_size().x + look.px(10)))
        before = self._form.typed[LONGEST]
        self._form.field(look, LONGEST)
        if self._form.typed[LONGEST] != before:
            self._unit = LONGEST

    def _choose_weight(self, look: Look) -> None:
        """Draw the mass, or the density with a list of materials."""
        ways = {way: tr(called) for way, called in WEIGHTS.items()}
        self._weight = self._form.choose(look, "weight", ways, self._weight, tr("Mass"))
        if self._weight == MASS:
            self._form.field(look, MASS, tr("Mass"))
            return
        typed = self._form.typed
        densities = {name: f"{material.density:g}" for name, material in DENSITIES.items()}
        known = next((name for name, density in densities.items() if density == typed[DENSITY].strip()), OTHER)
        materials = {name: tr(material.label) for name, material in DENSITIES.items()} | {OTHER: tr("Other")}
        meanings = {name: (f"{densities[name]} kg/m³", material.source) for name, material in DENSITIES.items()}
        chosen = self._form.choose(look, "material", materials, known, tr("Material"), meanings=meanings)
        typed[DENSITY] = densities.get(chosen, typed[DENSITY]) if chosen != known else typed[DENSITY]
        self._form.field(look, DENSITY, tr("Density"), "kg/m³")

    def _choose_method(self, look: Look) -> None:
        """Draw the choices solid, shell and hull, and what is known of the chosen one.

        Beside a choice that is not possible stands the reason.
        """
        form.label(look, tr("Inertia of"))
        start = imgui.get_cursor_pos_x()
        for number, method in enumerate(METHOD_ORDER):
            if number:
                imgui.set_cursor_pos_x(start)
            why = self._impossible.get(method)
            with scopes.disabled(why is not None):
                if _radio(look, named(METHODS[method], "##method"), self._method == method):
                    self._method = method
            if why is not None:
                imgui.same_line()
                form.remark(look, f"({why})")
        try:
            how = self._source.inertia(self._method, False)[1]
        except InputError:
            return  # the answer is refused with the reason
        if how.reason is not None or how.notes:
            form.remark(look, sentence(how.text))

    def _take(self) -> None:
        """Answer the question with the scene and close the dialog; if something is wrong, say what."""
        try:
            scenario = self._scenario.with_values(self._values())
            summary = mesh_summary(scenario.body, scenario.rigid_body())
            scenario = scenario.with_value("summary", summary)
        except InputError as error:
            self._form.refused = sentence(str(error).removeprefix("body."))
            return
        answer = self._question.answer
        error_there = self._workspace.messages.for_dialog(lambda: answer(scenario))
        self._form.refused = error_there or ""
        if error_there is None:
            self.close()

    def _values(self) -> dict[str, Any]:
        """Return the chosen values of the body's fields, by their paths. Raises InputError."""
        values: dict[str, Any] = {"body.unit": self._unit, "body.method": self._method}
        wanted = [("body.longest", LONGEST)] if self._unit == LONGEST else []
        wanted.append((f"body.{self._weight}", self._weight))
        wanted += [("body.shell_thickness", THICKNESS)] if self._needs_thickness else []
        for path, name in wanted:
            field = field_at(path, Number)
            least = 1e-9 if name != LONGEST else field.low
            values[path] = parse(replace(field, low=max(field.low, least)), self._form.typed[name])
        return values


def _radio(look: Look, label: str, chosen: bool) -> bool:
    """Draw a radio button; return whether it was clicked."""
    with scopes.colored(look.palette.active, what="frame_bg"):
        return bool(imgui.radio_button(label, chosen))
