"""The dialog for a mesh whose file does not say its unit: how large it is, what it weighs, how its inertia is found."""

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
from viewer.ui.widgets.drawing import Look, combo, shortened, text_right, tooltip, width_of
from viewer.workspace.questions import MeshSizeQuestion
from viewer.workspace.workspace import Workspace

LONGEST = "longest"
METHOD_ORDER = ("solid", "shell", "hull")
MASS, DENSITY = "mass", "density"
WEIGHTS = {MASS: marked("Given"), DENSITY: marked("From density")}
LETTERS = 60  # in a number that is typed


class MeshDialog(FormDialog[MeshSizeQuestion]):
    """Asks how large a mesh is."""

    kind = MeshSizeQuestion

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, "Mesh")

    def _show_question(self, question: MeshSizeQuestion) -> None:
        self._scenario, self._name = question.scenario, printable(Path(question.path).name)
        source, scenario = mesh_source(question.path), question.scenario
        self._impossible = source.impossible
        self._faces = len(source.surface.faces)
        self._sizes = {unit: extents(source.extents * size) for unit, size in UNITS.items()}
        self._unit, self._method, self._weight = scenario.body.unit, scenario.body.method, MASS
        metres = source.longest * UNITS[self._unit]
        self._typed = {
            LONGEST: written(metres, "m", 4),
            MASS: written(scenario.body.mass, "kg", 6),
            DENSITY: "1000",
            "thickness": "",
        }
        self._error: str | None = None

    def _contents(self, look: Look) -> None:
        with self._form.rows():
            entered = self._rows(look)
        form.refused(look, self._error or "")
        self._buttons(look, entered)

    def _rows(self, look: Look) -> bool:
        """What is asked; whether Enter was pressed in a field."""
        room = imgui.get_content_region_avail().x
        right, about = imgui.get_cursor_screen_pos().x + room, tr("{count} triangles").format(count=self._faces)
        with scopes.font(look.fonts.medium):
            imgui.text_unformatted(shortened(self._name, room - width_of(about) - look.px(12)))
        tooltip(look, self._name)
        text_right(right, imgui.get_item_rect_min().y, look.palette.dim, about)
        with scopes.colored(look.palette.dim), scopes.wrapped(0.0):
            imgui.text_unformatted(tr("The file does not say its unit. How large is it?"))
        self._choose_size(look)
        needed = self._needs_thickness
        entered = self._choose_weight(look)
        self._choose_method(look)
        if self._needs_thickness:
            entered = self._number(look, "thickness", tr("Thickness")) or entered
            if not needed:
                imgui.set_scroll_here_y(1.0)
        return entered

    @property
    def _needs_thickness(self) -> bool:
        return self._method == "shell" and self._weight == DENSITY

    def _choose_size(self, look: Look) -> None:
        """A line for each unit with the size that the mesh has then, and one for its longest extent."""
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
        before = self._typed[LONGEST]
        self._field(look, LONGEST)
        if self._typed[LONGEST] != before:
            self._unit = LONGEST

    def _choose_weight(self, look: Look) -> bool:
        """Mass, or density with a list of materials; whether Enter was pressed."""
        form.label(look, tr("Mass"))
        with combo(look, "##weight", tr(WEIGHTS[self._weight]), imgui.get_content_region_avail().x) as opened:
            for way, label in WEIGHTS.items() if opened else ():
                if imgui.selectable(named(label, f"##{way}"), way == self._weight)[0]:
                    self._weight = way
        if self._weight == MASS:
            return self._number(look, MASS, tr("Mass"))
        form.label(look, tr("Material"))
        known = next((m.label for m in DENSITIES.values() if f"{m.density:g}" == self._typed[DENSITY].strip()), None)
        shown = tr(known) if known else tr("Other")
        with combo(look, "##material", shown, imgui.get_content_region_avail().x) as opened:
            for material in DENSITIES.values() if opened else ():
                if imgui.selectable(named(material.label), material.label == known)[0]:
                    self._typed[DENSITY] = f"{material.density:g}"
                tooltip(look, f"{material.density:g} kg/m³", material.source)
        return self._number(look, DENSITY, tr("Density"), "kg/m³")

    def _choose_method(self, look: Look) -> None:
        """Solid, shell or hull; beside what is not possible stands why."""
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
                with scopes.colored(look.palette.dim), scopes.wrapped(0.0):
                    imgui.text_unformatted(f"({why})")

    def _number(self, look: Look, name: str, label: str, unit: str = "") -> bool:
        form.label(look, label)
        return self._field(look, name, unit)

    def _field(self, look: Look, name: str, unit: str = "") -> bool:
        """A field to type a number into; whether Enter was pressed in it."""
        entered, typed = form.text_field(look, f"##mesh {name}", self._typed[name], unit)
        if typed != self._typed[name]:
            self._typed[name], self._error = typed[:LETTERS], None
        return entered

    def _buttons(self, look: Look, entered: bool) -> None:
        imgui.dummy((0.0, look.px(2)))
        cancelled, pressed = form.buttons(look, named("Open"))
        if cancelled:
            self.close()
        elif pressed or entered or form.enter_pressed():
            self._take()

    def _take(self) -> None:
        """Hands the scene on; what is wrong with it stands in the dialog."""
        try:
            scenario = self._scenario.with_values(self._values())
            summary = mesh_summary(scenario.body, scenario.rigid_body())
            scenario = scenario.with_value("summary", summary)
        except InputError as error:
            self._error = sentence(str(error).removeprefix("body."))
            return
        answer = self._question.answer
        self._error = self._workspace.messages.for_dialog(lambda: answer(scenario))
        if self._error is None:
            self.close()

    def _values(self) -> dict[str, Any]:
        """The fields of the body as they are chosen; raises InputError."""
        values: dict[str, Any] = {"body.unit": self._unit, "body.method": self._method}
        wanted = [("body.longest", LONGEST)] if self._unit == LONGEST else []
        wanted.append((f"body.{self._weight}", self._weight))
        wanted += [("body.shell_thickness", "thickness")] if self._needs_thickness else []
        for path, name in wanted:
            field = field_at(path, Number)
            least = 1e-9 if name != LONGEST else field.low
            values[path] = parse(replace(field, low=max(field.low, least)), self._typed[name])
        return values


def _radio(look: Look, label: str, chosen: bool) -> bool:
    """A ring to choose one of several; whether it was clicked."""
    with scopes.colored(look.palette.active, what="frame_bg"):
        return bool(imgui.radio_button(label, chosen))
