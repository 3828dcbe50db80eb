"""The dialog for a mesh whose file does not say its unit: how large it is, what it weighs, how its inertia is found."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from viewer.common.errors import InputError
from viewer.common.language import marked, tr
from viewer.physics.solids.materials import MATERIALS
from viewer.physics.solids.mesh_body import UNITS, mesh_source
from viewer.physics.solids.mesh_inertia import METHODS
from viewer.scenario.mesh_scene import given_as
from viewer.scenario.scenario import Scenario, field_at
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.state import UiState
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import Look, combo, text_right, tooltip, width_of
from viewer.ui.widgets.formatting import columns, named, parse, printable, sentence, short

WIDTH, LABEL = 440.0, 118.0  # at scale 1, of the dialog and of its labels
LONGEST = "longest"
METHOD_ORDER = ("solid", "shell", "hull")
MASS, DENSITY = "mass", "density"
WEIGHTS = {MASS: marked("Mass"), DENSITY: marked("Density")}
LETTERS = 60  # in a number that is typed


class MeshDialog:
    """A modal window; `done` gets the scene and returns an error to show in it, or None when all is well."""

    def __init__(self, state: UiState) -> None:
        self._state = state
        self._opening = False
        self.growing = False  # ImGui finds its height a frame late
        self._built: tuple[object, ...] = ()

    def ask(self, path: str, scenario: Scenario, done: Callable[[Scenario], str | None]) -> None:
        """Asks about the mesh at `path`; `scenario`: its scene as it is guessed."""
        self._scenario, self._done, self._name = scenario, done, printable(Path(path).name)
        source = mesh_source(path)
        self._impossible = source.impossible
        self._faces = len(source.surface.faces)
        self._sizes = {unit: _size(source.extents * size) for unit, size in UNITS.items()}
        self._unit, self._method, self._weight = scenario.body.unit, scenario.body.method, MASS
        metres = source.longest * UNITS[self._unit]
        self._typed = {LONGEST: f"{metres:.4g} m", MASS: f"{scenario.body.mass:g} kg", DENSITY: "1000", "thickness": ""}
        self._error: str | None = None
        self._opening = self._state.measuring = True

    def draw(self, look: Look, width: float, height: float) -> None:
        """Draws it over the window, `width` by `height` pixels, while it is open."""
        if not self._state.measuring:
            return
        with windows.modal(look, "Mesh", (WIDTH, None), (width, height), self._opening) as seen:
            if not seen:
                self._state.measuring = self._state.measuring and self._opening
            else:
                self._opening = False
                if not self._contents(look):
                    imgui.close_current_popup()

    def _contents(self, look: Look) -> bool:
        """What stands in the dialog; False when it is over."""
        right = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
        with scopes.font(look.fonts.medium):
            imgui.text_unformatted(self._name)
        about = tr("{count} triangles").format(count=self._faces)
        text_right(right, imgui.get_item_rect_min().y, look.palette.dim, about)
        with scopes.colored(look.palette.dim), scopes.wrapped(0.0):
            imgui.text_unformatted(tr("The file does not say its unit. How large is it?"))
        self._choose_size(look)
        entered = self._choose_weight(look)
        self._choose_method(look)
        if self._needs_thickness:
            entered = self._number(look, "thickness", tr("Thickness")) or entered
        if self._error:
            with scopes.colored(look.palette.danger), scopes.wrapped(0.0):
                imgui.text_unformatted(self._error)
        self._buttons(look, entered)
        built = (self._error, self._weight, self._needs_thickness, self._unit)
        self.growing, self._built = built != self._built, built
        return self._state.measuring

    @property
    def _needs_thickness(self) -> bool:
        return self._method == "shell" and self._weight == DENSITY

    def _choose_size(self, look: Look) -> None:
        """A line for each unit with the size that the mesh has then, and one for its longest extent."""
        start = imgui.get_cursor_pos_x()
        for unit, size in self._sizes.items():
            if _radio(look, f"{unit}##unit", self._unit == unit):
                self._unit = unit
            imgui.same_line(start + look.px(LABEL))
            with scopes.colored(look.palette.text if self._unit == unit else look.palette.dim):
                imgui.text_unformatted(size)
        if _radio(look, named("Longest extent"), self._unit == LONGEST):
            self._unit = LONGEST
        imgui.same_line(start + max(look.px(LABEL), imgui.get_item_rect_size().x + look.px(10)))
        before = self._typed[LONGEST]
        self._field(LONGEST)
        if self._typed[LONGEST] != before:
            self._unit = LONGEST

    def _choose_weight(self, look: Look) -> bool:
        """Mass, or density with a list of materials; whether Enter was pressed."""
        self._label(look, tr("Weight from"))
        with combo(look, "##weight", tr(WEIGHTS[self._weight]), imgui.get_content_region_avail().x) as opened:
            for way, label in WEIGHTS.items() if opened else ():
                if imgui.selectable(named(label, f"##{way}"), way == self._weight)[0]:
                    self._weight = way
        if self._weight == MASS:
            return self._number(look, MASS, tr("Mass"))
        self._label(look, tr("Material"))
        known = next((m.label for m in MATERIALS.values() if f"{m.density:g}" == self._typed[DENSITY].strip()), None)
        shown = tr(known) if known else tr("Other")
        with combo(look, "##material", shown, imgui.get_content_region_avail().x) as opened:
            for material in MATERIALS.values() if opened else ():
                if imgui.selectable(named(material.label), material.label == known)[0]:
                    self._typed[DENSITY] = f"{material.density:g}"
                tooltip(look, f"{material.density:g} kg/m³", material.source)
        return self._number(look, DENSITY, tr("Density"), "kg/m³")

    def _choose_method(self, look: Look) -> None:
        """Solid, shell or hull; beside what is not possible stands why."""
        self._label(look, tr("Inertia of"))
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

    def _label(self, look: Look, label: str) -> None:
        imgui.align_text_to_frame_padding()
        x = imgui.get_cursor_pos_x()
        with scopes.colored(look.palette.dim):
            imgui.text_unformatted(label)
        imgui.same_line(x + max(look.px(LABEL), width_of(label) + look.px(8)))

    def _number(self, look: Look, name: str, label: str, unit: str = "") -> bool:
        self._label(look, label)
        return self._field(name, unit, look.px(6))

    def _field(self, name: str, unit: str = "", gap: float = 0.0) -> bool:
        """A field to type a number into; whether Enter was pressed in it."""
        imgui.set_next_item_width(-(width_of(unit) + gap) if unit else -1.0)
        flag = imgui.InputTextFlags_.enter_returns_true.value
        entered, typed = imgui.input_text(f"##mesh {name}", self._typed[name], flag)
        if typed != self._typed[name]:
            self._typed[name], self._error = typed[:LETTERS], None
        if unit:
            imgui.same_line(0, gap)
            imgui.text_unformatted(unit)
        return bool(entered)

    def _buttons(self, look: Look, entered: bool) -> None:
        width, gap = look.px(96), imgui.get_style().item_spacing.x
        imgui.dummy((0.0, look.px(2)))
        right = imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x
        imgui.set_cursor_pos_x(right - 2 * width - gap)
        if imgui.button(named("Cancel"), (width, 0.0)) or imgui.is_key_pressed(imgui.Key.escape):
            self._state.measuring = False
        imgui.same_line()
        with scopes.colored(look.palette.fill, what="button"):
            pressed = imgui.button(named("Open"), (width, 0.0))
        if self._state.measuring and (pressed or entered or _entered()):
            self._take()

    def _take(self) -> None:
        """Hands the scene on; what is wrong with it stands in the dialog."""
        try:
            scenario = given_as(self._scenario, self._values())
        except InputError as error:
            self._error = sentence(str(error).removeprefix("body."))
            return
        self._error = self._done(scenario)
        if self._error is None:
            self._state.measuring = False

    def _values(self) -> dict[str, Any]:
        """The fields of the body as they are chosen; raises InputError."""
        values: dict[str, Any] = {"body.unit": self._unit, "body.method": self._method}
        wanted = [("body.longest", LONGEST)] if self._unit == LONGEST else []
        wanted.append((f"body.{self._weight}", self._weight))
        wanted += [("body.shell_thickness", "thickness")] if self._needs_thickness else []
        for path, name in wanted:
            field = field_at(path)
            least = 1e-9 if name != LONGEST else field.low
            values[path] = parse(replace(field, low=max(field.low, least)), self._typed[name])
        return values


def _entered() -> bool:
    """Whether Enter was pressed and no item is meant."""
    meant = imgui.is_any_item_active() or imgui.get_io().nav_visible or not imgui.is_window_focused()
    return not meant and bool(imgui.is_key_pressed(imgui.Key.enter, False))


def _radio(look: Look, label: str, chosen: bool) -> bool:
    """A ring to choose one of several; whether it was clicked."""
    with scopes.colored(look.palette.active, what="frame_bg"):
        return bool(imgui.radio_button(label, chosen))


def _size(extents: Iterable[float]) -> str:
    """How large it is: "12.3 × 4.00 × 4.00 cm"."""
    values = np.asarray(list(extents))
    largest = float(np.max(values))
    if 0.01 <= largest < 1.0:
        numbers, unit = [short(100.0 * value) for value in values], "cm"
    else:
        numbers, unit = columns(values, "m")
    return f"{' × '.join(numbers)} {unit}"
