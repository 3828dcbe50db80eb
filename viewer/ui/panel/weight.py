"""Rows that a mesh and the parts of a composite body have alike: the file, and the mass as given or from a density."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from viewer.common.language import marked, tr
from viewer.scenario.field import Choice, Number
from viewer.scenario.scenario import field_at
from viewer.scenario.sections.body import DENSITIES
from viewer.scene.words.formatting import named, printable, with_unit
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets.drawing import Look, shortened, text_right, tooltip, width_of
from viewer.ui.widgets.fields import FieldWidgets

OTHER = marked("Other file…")
AskMesh = Callable[[str | None, Callable[[str], str | None]], None]  # as `FileDialog.ask_mesh`
USUAL_MASS, USUAL_DENSITY = 1.0, 1000.0  # kg, kg/m3: what a right click sets
DIGITS = 6  # of a number that another one is turned into
BY_MASS, BY_DENSITY, HOLE = "mass", "density", "hole"
WAYS = {BY_MASS: marked("Given"), BY_DENSITY: marked("From density"), HOLE: marked("From density, as a hole")}
WAY = Choice(marked("Mass"), marked("whether the mass itself is given, or a density from which it follows"))
MATERIAL = Choice(
    marked("Material"), marked("sets the density; the numbers are rounded"),
    choices=(("", marked("Other")), *((name, material.label) for name, material in DENSITIES.items())),
    meanings=("", *(f"{material.density:g} kg/m³\n{material.source}" for material in DENSITIES.values())),
)  # fmt: skip


class Weight(NamedTuple):
    """`mass` [kg] or `density` [kg/m3], the other one is 0; a density below 0: a hole."""

    mass: float
    density: float

    @property
    def way(self) -> str:
        """How it is given, one of WAYS."""
        return HOLE if self.density < 0.0 else BY_DENSITY if self.density else BY_MASS


def rows(
    look: Look, controls: FieldWidgets, path: str, fields: tuple[Number, Number], now: Weight, volume: float | None,
    around: Callable[[], float] | None = None,
) -> tuple[Weight, bool] | None:  # fmt: skip
    """Draw the rows; return what the weight became, and whether that ends the gesture. `fields`: of mass and density.

    `volume` [m3]: None: a density says nothing. `path`: that of the section or of the list's entry. `around`: the
    density [kg/m3] of what a hole would lie in; None: it cannot be a hole.
    """
    mass, density = fields
    way, changed = now.way, None
    if volume is not None or way != BY_MASS:
        ways = [way for way in WAYS if around is not None or way != HOLE]
        field = replace(WAY, choices=tuple((way, WAYS[way]) for way in ways), meanings=("",) * len(ways))
        new = controls.edit(look, f"{path}.weight", field, way)
        changed = None if new is None else (_given(now, volume or 1.0, new, around), True)
    if way == BY_MASS:
        least = replace(mass, low=max(mass.low, 1e-9), log_scale=mass.soft_low > 0.0)
        number = controls.edit(look, f"{path}.mass", least, now.mass, USUAL_MASS)
        return changed if number is None else (Weight(number, 0.0), False)
    sign = -1.0 if way == HOLE else 1.0
    least = replace(density, low=1e-6, soft_low=0.0, log_scale=False)
    number = controls.edit(look, f"{path}.density", least, sign * now.density, USUAL_DENSITY)
    changed = changed if number is None else (Weight(0.0, sign * number), False)
    known = next((name for name, material in DENSITIES.items() if material.density == sign * now.density), "")
    chosen = controls.edit(look, f"{path}.material", MATERIAL, known)
    if chosen:
        return Weight(0.0, sign * DENSITIES[chosen].density), True
    if volume is not None:
        controls.heading(look, tr("Resulting mass"), with_unit(now.density * volume, "kg"))
    return changed


def _given(now: Weight, volume: float, way: str, around: Callable[[], float] | None) -> Weight:
    """Return the same weight, given in another way; a hole takes away what it lies in."""
    density = abs(now.density) or float(f"{now.mass / volume:.{DIGITS}g}")
    if way == BY_MASS:
        return Weight(float(f"{abs(now.density) * volume:.{DIGITS}g}") or now.mass, 0.0)
    if way == HOLE and around is not None and (surrounding := around()) > 0.0:
        return Weight(0.0, -surrounding)
    return Weight(0.0, -density if way == HOLE else density)


def mesh_file_row(look: Look, controls: FieldWidgets, path: str, file: str, ask: Callable[[], None]) -> None:
    """Draw the name of a mesh file, and a button that asks for another. `path`: of the body or part."""
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
