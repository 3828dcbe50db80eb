"""A body's mass and inertia in the panel: mass given or from a density, the present tensor, and all other facts."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.common.language import marked, tr
from viewer.physics import rotation
from viewer.physics.body import RigidBody
from viewer.scenario.field import Choice, Number
from viewer.scenario.scenario import field_at
from viewer.scenario.sections.body import DENSITIES
from viewer.scene.words.formatting import columns, named, printable, rounded, short, with_unit
from viewer.session.snapshot import Snapshot
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look, label_and_value, row, shortened, text, text_right, tooltip, width_of
from viewer.ui.widgets.fields import FieldWidgets

Array = NDArray[np.float64]

OTHER = marked("Other file…")
USUAL_MASS, USUAL_DENSITY = 1.0, 1000.0  # kg, kg/m3: what a right click sets
DIGITS = 6  # significant digits of a mass or density that is computed from the other
BY_MASS, BY_DENSITY, HOLE = "mass", "density", "hole"
WAYS = {BY_MASS: marked("Given"), BY_DENSITY: marked("From density"), HOLE: marked("From density, as a hole")}
WAY = Choice(marked("Mass"), marked("whether the mass itself is given, or a density from which it follows"))
MATERIAL = Choice(
    marked("Material"), marked("sets the density; the numbers are rounded"),
    choices=(("", marked("Other")), *((name, material.label) for name, material in DENSITIES.items())),
    meanings=("", *(f"{material.density:g} kg/m³\n{material.source}" for material in DENSITIES.values())),
)  # fmt: skip
ROUND_OFF = 1e-9  # fraction of the largest element: smaller elements are 0
DETAILS = marked("Tensor, axes, centre of mass")
COPY = marked("Copy these numbers")


class Weight(NamedTuple):
    """The mass [kg] or the density [kg/m3] of a body or part; the one not given is 0. A hole has a negative density."""

    mass: float
    density: float

    @property
    def way(self) -> str:
        """The key of WAYS that says which of the two is given."""
        return HOLE if self.density < 0.0 else BY_DENSITY if self.density else BY_MASS


def weight_rows(
    look: Look, controls: FieldWidgets, path: str, fields: tuple[Number, Number], now: Weight, volume: float | None,
    around: Callable[[], float] | None = None,
) -> tuple[Weight, bool] | None:  # fmt: skip
    """Draw the rows of a weight; return the new weight and whether the gesture ends with it, or None if it is the same.

    `path` is that of the section or of the list's entry, `fields` are its fields of mass and density. Without a
    `volume` [m3], only the mass can be given. `around` returns the density [kg/m3] of what surrounds a hole; without it
    there are no holes.
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
    """Return the same weight given in the way `way`; a hole has the negative density of what surrounds it."""
    density = abs(now.density) or float(f"{now.mass / volume:.{DIGITS}g}")
    if way == BY_MASS:
        return Weight(float(f"{abs(now.density) * volume:.{DIGITS}g}") or now.mass, 0.0)
    if way == HOLE and around is not None and (surrounding := around()) > 0.0:
        return Weight(0.0, -surrounding)
    return Weight(0.0, -density if way == HOLE else density)


def mesh_file_row(look: Look, controls: FieldWidgets, path: str, file: str, ask: Callable[[], None]) -> None:
    """Draw the name of a mesh file of the body or part at `path`, and a button that asks for another file."""
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


class Fact(NamedTuple):
    """A quantity known of a body: a number, a vector (3,) or a matrix (3, 3). `symbols` has one for each row."""

    symbols: tuple[str, ...]
    label: str
    values: Array
    unit: str
    meaning: str = ""

    @property
    def copied(self) -> Iterator[str]:
        """The lines to copy, with all digits."""
        for symbol, values in zip(self.symbols, self.values if self.values.ndim > 1 else [self.values], strict=True):
            yield f"{symbol} = {values.tolist()!r} {self.unit}".rstrip()


def facts_of(body: RigidBody, volume: float | None) -> list[Fact]:
    """Return what is known of a body, in SI units; `volume` [m3] is None if it is unknown."""
    given = tr("in the axes in which the body was given")
    volumes = [] if volume is None else [Fact(("V",), tr("Volume"), np.array(volume), "m³")]
    return [
        Fact(("m",), tr("Mass"), np.array(body.mass), "kg"),
        *volumes,
        Fact(("r",), tr("Centre of mass"), body.centre, "m", given),
        Fact(("I1, I2, I3",), tr("Principal moments"), body.principal_moments, "kg m²", tr("about x′, y′, z′")),
        Fact(("Ix", "Iy", "Iz"), tr("Tensor"), body.tensor, "kg m²", tr(
            "About the centre of mass, or about the pivot if there is one, in the axes in which the body was given. Off"
            " the diagonal: Ixy = −∫ x y dm, ..."
        )),
        Fact(("x'", "y'", "z'"), tr("Principal axes x′, y′, z′"), body.principal_axes.T, "", tr(
            "Each row is an axis of the body in the axes in which it was given"
        )),
    ]  # fmt: skip


def report(body: RigidBody, volume: float | None) -> str:
    """Return all numbers with all digits, in SI units, as lines."""
    angle, axis = turn_of(body.principal_axes)
    lines = [tr("inertia from {source}").format(source=body.inertia_source.text)]
    lines += [line for fact in facts_of(body, volume) for line in fact.copied]
    return "\n".join([*lines, f"{angle!r}° [{', '.join(map(repr, axis))}]"])


def details(look: Look, controls: FieldWidgets, body: RigidBody, volume: float | None) -> None:
    """Draw a line that a click unfolds; while it is unfolded, all that is known of a body stands below."""
    flags = imgui.TreeNodeFlags_
    kind = flags.no_tree_push_on_open.value | flags.span_avail_width.value | flags.frame_padding.value
    with scopes.styled(frame_padding=(0.0, imgui.get_style().frame_padding.y)), scopes.colored(look.palette.dim):
        is_open = bool(imgui.tree_node_ex(named(DETAILS), kind))
    controls.focus.button(look, DETAILS)
    if not is_open:
        return
    for fact in facts_of(body, volume):
        if fact.values.ndim == 0:
            label_and_value(look, f"fact {fact.label}", fact.label, with_unit(float(fact.values), fact.unit))
        else:
            label_and_value(look, f"fact {fact.label}", fact.label, "")
            matrix(look, fact.label, fact.values, fact.unit, fact.meaning)
    angle, axis = turn_of(body.principal_axes)
    turned = tr("{angle}° about ({axis})").format(angle=short(angle), axis=", ".join(map(short, axis)))
    label_and_value(look, "rotation", tr("Rotation"), turned if angle else tr("none"))
    if imgui.button(named(COPY), (imgui.get_content_region_avail().x, 0.0)):
        imgui.set_clipboard_text(report(body, volume))
        controls.editor.notice(tr("Copied"))
    controls.focus.button(look, COPY)


def turn_of(axes: Array) -> tuple[float, tuple[float, ...]]:
    """Return angle [°] and axis of a rotation (3, 3); without a rotation the axis is zero."""
    vector = rotation.rotation_vectors(rotation.quaternion_from_matrix(axes))
    angle = float(np.linalg.norm(vector))
    if angle < ROUND_OFF:
        return 0.0, (0.0, 0.0, 0.0)
    axis = vector / angle
    return math.degrees(angle), tuple(np.where(np.abs(axis) > ROUND_OFF, axis, 0.0).tolist())


def matrix(look: Look, name: str, values: Array, unit: str, *meaning: str) -> None:
    """Draw three numbers, or three rows of three, in columns, and at the right of the first row their unit."""
    rows = np.atleast_2d(np.where(np.abs(values) > ROUND_OFF * np.abs(values).max(), values, 0.0))
    numbers, chosen = columns(rows.ravel().tolist(), unit)
    line, p = imgui.get_text_line_height(), look.palette
    left, top, right = row(f"numbers {name}", len(rows) * (line + look.px(2)) - look.px(2))
    tooltip(look, *meaning, *("   ".join(map(rounded, one)) + f" {unit}" for one in np.atleast_2d(values).tolist()))
    end = right - max(look.px(50), width_of(chosen))
    for i, number in enumerate(numbers):
        x, y = left + (i % 3 + 1) * (end - look.px(5) - left) / 3, top + i // 3 * (line + look.px(2))
        text_right(x, y, p.dim if number == "0" else p.text, number)
    text(end, top, p.dim, chosen)


def tensor_now(look: Look, snapshot: Snapshot, axes: str, unit: str) -> None:
    """Draw the present inertia tensor in the axes of the "body", of "space" or of its "file".

    `unit` is "" if only ratios of the moments are known.
    """
    body, moments = snapshot.body, np.diag(snapshot.body.principal_moments)
    turned = snapshot.reading.rotation_world_from_body
    values, meaning = {
        "space": (turned @ moments @ turned.T, tr("In the axes of space: the tensor turns with the body")),
        "file": (body.tensor, tr("In the axes of the mesh, the tensor or the parts")),
    }.get(axes, (moments, tr("Diagonal: the body's axes are its principal axes")))
    matrix(look, "tensor", values, unit, meaning)
