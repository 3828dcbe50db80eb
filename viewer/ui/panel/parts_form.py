"""The parts of a composite body: a list to select from, and the fields of the selected one."""

import os
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from viewer.commands.documents import ask_mesh
from viewer.common.errors import InputError
from viewer.common.language import marked, tr
from viewer.physics.solids.composite import PART_SHAPES, THIN, Part
from viewer.physics.solids.mesh_body import mesh_source
from viewer.scenario.custom_body import density_around, fault_of, reach_of, usable_parts
from viewer.scenario.field import Choice, Field, Number, Tables
from viewer.scenario.scenario import field_at
from viewer.scene.words.formatting import named, printable, with_unit
from viewer.session.session import Session
from viewer.ui.panel import inertia
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look, shortened, text, text_right, tooltip, width_of
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.style import u32
from viewer.workspace.editor import SceneEditor
from viewer.workspace.workspace import Workspace

PATH = "body.parts"
ADD, DUPLICATE, REMOVE = marked("Add a part"), marked("Duplicate"), marked("Remove")
MASS_POINTS = marked("Only mass points")
ARMS = 1.0, 0.6, 0.3  # distances of the mass points on each axis, as fractions of the body's reach
SHOWN = 9  # parts in the list at once; a longer list scrolls
APART = 1.1  # least distance of a copy from its part, as a fraction of the part's width
GAP = 0.1  # between the body and a new part, and least distance of a copy, as a fraction of the body's reach
SHARE = 0.25  # size of a new part, as a fraction of the body's reach
KIND = marked("Kind")
USUAL = Part("point", 1.0)  # the part whose lengths a right click sets
SIZES = {"width": 1.0, "depth": 1.0, "height": 1.0, "radius": 0.5, "length": 2.0}  # lengths of a new part of size 1


class PartsForm:
    """The list of a composite body's parts, and the rows of the selected one."""

    def __init__(self, workspace: Workspace, controls: FieldWidgets) -> None:
        self._workspace, self._session, self._state = workspace, workspace.session, workspace.state
        self._controls = controls
        self._drawn: tuple[Part, ...] = ()
        self._selected: dict[tuple[Part, ...], int] = {}  # the index that was selected, by the parts there were

    @property
    def _all(self) -> tuple[Part, ...]:
        return self._session.scenario.body.parts

    @property
    def _measured(self) -> tuple[Part, ...]:
        """The parts; the names of mesh files are replaced by paths that can be opened."""
        return usable_parts(self._session.scenario.body)

    def draw(self, look: Look) -> None:
        """Draw the list, its buttons, and the selected part."""
        parts, state = self._all, self._state
        if self._drawn and len(parts) != len(self._drawn):  # undone, done again, or those of another scene
            self._remember()
            state.part = self._selected.get(parts)
        self._drawn = parts
        if state.part is not None and state.part >= len(parts):
            state.part = None
        with scopes.group():
            self._list(look, parts)
        self._buttons(look, parts)
        if state.part is not None and state.part < len(self._all):
            self._fields(look, state.part)
        else:
            with scopes.colored(look.palette.dim), scopes.wrapped(0.0):
                imgui.text_unformatted(tr("Select a part here or in the scene to change it"))

    def _list(self, look: Look, parts: tuple[Part, ...]) -> None:
        """Draw a line for each part with its number, kind and mass."""
        line = imgui.get_frame_height()
        spacing = imgui.get_style().item_spacing.y
        tall = min(len(parts), SHOWN) * (line + spacing) - spacing
        with scopes.child("parts", (0.0, tall), 0, look.palette.raised):
            for number, part in enumerate(self._measured):
                self._line(look, number, part, line)

    def _line(self, look: Look, number: int, part: Part, height: float) -> None:
        p, chosen = look.palette, self._state.part == number
        room = imgui.get_content_region_avail().x
        name = f"##part {number}"
        if imgui.invisible_button(name, (room, height)):
            self._state.part = None if chosen else number
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        hovered = imgui.is_item_hovered()
        if hovered:
            self._controls.pointed = f"part:{number}"
        if hovered or chosen:
            ground = p.fill if chosen else p.hovered
            imgui.get_window_draw_list().add_rect_filled(low, high, u32(ground), look.px(4))
        self._controls.focus.button(look, name)
        y, pad = low.y + imgui.get_style().frame_padding.y, look.px(6)
        mass = "–" if fault_of(part) else tr("hole") if part.density < 0.0 else with_unit(part.weight, "kg")
        label = f"{number + 1}  {tr(PART_SHAPES[part.shape].label)}"
        text_right(high.x - pad, y, p.text if chosen else p.dim, mass)
        text(low.x + pad, y, p.text, shortened(label, high.x - low.x - 3 * pad - width_of(mass)))

    def _buttons(self, look: Look, parts: tuple[Part, ...]) -> None:
        """Draw the button Add, which opens a list of kinds, and those that duplicate and remove the selected part."""
        full, chosen = len(parts) >= field_at(PATH, Tables).most, self._state.part
        width = (imgui.get_content_region_avail().x - 2 * look.px(4)) / 3

        def button(label: str, possible: bool) -> bool:
            with scopes.disabled(not possible):
                pressed = imgui.button(named(label), (width, 0.0)) and possible
            self._controls.focus.button(look, label)
            return pressed

        if button(ADD, not full):
            imgui.open_popup("kinds of parts")
        tooltip(look, tr(field_at(PATH).description))
        with scopes.popup("kinds of parts") as opened:
            for kind, shape in PART_SHAPES.items() if opened else ():
                if imgui.selectable(named(shape.label), False)[0]:
                    self._add(kind)
            if opened:
                imgui.separator()
                if imgui.selectable(named(MASS_POINTS), False)[0]:
                    only_mass_points(self._session, self._controls.editor)
                tooltip(look, tr("Two on each axis: a body as the sum over its mass points"))
        imgui.same_line(0, look.px(4))
        if button(DUPLICATE, chosen is not None and not full) and chosen is not None:
            self._insert(self._copy(parts[chosen], self._measured[chosen]), chosen + 1)
        imgui.same_line(0, look.px(4))
        if button(REMOVE, chosen is not None and len(parts) > 1) and chosen is not None:
            self._set([*parts[:chosen], *parts[chosen + 1 :]], None)

    def _copy(self, part: Part, measured: Part) -> Part:
        """Return a copy of a part, moved along x so that it stands beside the part and its other copies."""
        reach = self._reach()
        across = 0.0 if fault_of(measured) else float(np.ptp(measured.triangles(THIN * reach).vertices[:, 0]))
        aside = float(f"{max(APART * across, GAP * reach):.2g}")
        copy = part
        while copy in self._all:
            x, y, z = copy.position
            copy = replace(copy, position=(x + aside, y, z))
        return copy

    def _add(self, kind: str) -> None:
        """Add a part at the end of the list.

        It has a tenth of the body's mass, and stands beside the others along x. For a mesh, the user is first asked for
        the file; it has the usual density, and stands where its file has it.
        """
        if kind == "mesh":
            ask_mesh(self._workspace, None, self._add_mesh)
            return
        reach, size = self._reach(), float(f"{SHARE * self._reach():.1g}")
        lengths: dict[str, Any] = {name: factor * size for name, factor in SIZES.items()}
        new = Part(kind, mass=float(f"{0.1 * self._session.snapshot().body.mass:.2g}"), **lengths)
        others = (part.triangles(THIN * reach).vertices[:, 0] for part in self._measured if not fault_of(part))
        end = max(map(np.max, others), default=0.0)
        x = end + GAP * reach - np.min(new.triangles(THIN * reach).vertices[:, 0])
        self._insert(replace(new, position=(float(f"{x:.3g}"), 0.0, 0.0)), len(self._all))

    def _add_mesh(self, path: str) -> str | None:
        """Add a part from a mesh file; return what is wrong with it, or None."""
        return self._with_mesh(Part("mesh", density=inertia.USUAL_DENSITY), path, self._all, len(self._all))

    def _other_mesh(self, number: int, path: str) -> str | None:
        """Give a part another mesh; its position and its mass or density do not change.

        Return what is wrong with the mesh, or None.
        """
        parts = self._all
        if number >= len(parts):
            return tr("The part is gone")
        return self._with_mesh(parts[number], path, (*parts[:number], *parts[number + 1 :]), number)

    def _with_mesh(self, part: Part, path: str, others: tuple[Part, ...], at: int) -> str | None:
        """Put a part with the mesh of a file among the `others`, at index `at`; return what is wrong with it, or None.

        The mesh is in its own unit, or in the likely one.
        """
        try:
            part = replace(part, file=os.path.abspath(path), unit=mesh_source(path).likely_unit)
            part.properties()
        except InputError as error:
            return str(error)
        done = self._set([*others[:at], part, *others[at:]], at)
        return None if done else tr("This mesh cannot be a part")

    def _insert(self, part: Part, at: int) -> bool:
        parts = list(self._all)
        parts.insert(at, part)
        return self._set(parts, at)

    def _set(self, parts: list[Part], selected: int | None) -> bool:
        """Replace the parts as one undoable step; return whether they were accepted."""
        editor = self._controls.editor
        editor.commit()
        done = editor.change({PATH: parts})
        editor.commit()
        if done:
            self._remember()
            self._state.part, self._drawn = selected, self._all
        return done

    def _remember(self) -> None:
        """Remember which part is selected, so that undo selects it again."""
        if self._state.part is not None:
            self._selected[self._drawn] = self._state.part

    def _reach(self) -> float:
        """Return the distance [m] to which the parts reach from their origin."""
        return reach_of(self._session.scenario.body)

    def _change(self, number: int, **values: Any) -> None:
        """Give one part other values, as a part of a gesture."""
        parts = list(self._all)
        try:
            parts[number] = replace(parts[number], **values)
        except InputError as error:
            reason = str(error)
            self._controls.editor.attempt(lambda: _refuse(number, reason))
            return
        self._controls.editor.change({PATH: parts})

    def _fields(self, look: Look, number: int) -> None:
        """Draw kind, dimensions, weight, position and orientation of a part."""
        part, shape = self._all[number], field_at(PATH, Tables).key("shape", Choice)
        choices = tuple(choice for choice in shape.choices if choice[0] != "mesh" or part.file)
        shape = replace(shape, label=KIND, choices=choices, meanings=())
        kind = self._controls.edit(look, f"{PATH}[{number}].shape", shape, part.shape)
        if kind is not None:
            self._set_kind(number, kind)
            return
        for key in PART_SHAPES[part.shape].dimensions:
            if key == "file":
                ask = partial(ask_mesh, self._workspace, part.file, partial(self._other_mesh, number))
                inertia.mesh_file_row(look, self._controls, f"{PATH}[{number}]", part.file, ask)
            elif key != "longest" or part.unit == "longest":
                self._row(look, number, key, None if key == "unit" else getattr(USUAL, key))
        measured = self._measured[number]
        if fault := fault_of(measured):
            with scopes.colored(look.palette.danger), scopes.wrapped(0.0):
                imgui.text_unformatted(printable(fault))
        self._weight(look, number, part, None if fault else measured.volume)
        for key in ("position", "orientation_deg"):
            self._row(look, number, key)

    def _row(self, look: Look, number: int, key: str, default: Any = None) -> None:
        """Draw the row of one value of a part."""
        field = field_at(PATH, Tables).key(key, Field)
        new = self._controls.edit(look, f"{PATH}[{number}].{key}", field, getattr(self._all[number], key), default)
        if new is not None and key == "unit":
            self._set_unit(number, new)
        elif new is not None:
            self._change(number, **{key: new})

    def _weight(self, look: Look, number: int, part: Part, volume: float | None) -> None:
        """Draw the rows of a part's weight."""
        table = field_at(PATH, Tables)
        fields, now = (table.key("mass", Number), table.key("density", Number)), inertia.Weight(part.mass, part.density)
        around = partial(density_around, self._session.scenario.body, number)
        new = inertia.weight_rows(look, self._controls, f"{PATH}[{number}]", fields, now, volume, around)
        if new is not None:
            changed, final = new
            if final:  # a step of undo of its own
                self._controls.editor.commit()
            self._change(number, **changed._asdict())
            if final:
                self._controls.editor.commit()

    def _set_unit(self, number: int, unit: str) -> None:
        """Give a part's mesh another unit; a change to "longest" keeps its size."""
        part, source = self._measured[number], mesh_source(self._measured[number].file)
        values: dict[str, Any] = {"unit": unit}
        if unit == "longest" != part.unit:
            values["longest"] = float(f"{source.longest * source.scale(part.unit, None):.{inertia.DIGITS}g}")
        self._change(number, **values)
        self._controls.editor.commit()

    def _set_kind(self, number: int, kind: str) -> None:
        """Give a part another shape, with the same position and weight; a thin shape has a mass and no density."""
        part = self._all[number]
        if PART_SHAPES[kind].volume is None and part.density:
            measured = self._measured[number]
            part = replace(part, mass=abs(0.0 if fault_of(measured) else measured.weight) or 1.0, density=0.0)
        parts = list(self._all)
        parts[number] = replace(part, shape=kind, unit=Part.unit)
        self._set(parts, number)


def only_mass_points(session: Session, editor: SceneEditor) -> None:
    """Replace the parts of the body by mass points, with the body's mass and reach, as one undoable step."""
    editor.commit()
    editor.change({PATH: mass_points(session.snapshot().body.mass, reach_of(session.scenario.body))})
    editor.commit()


def mass_points(mass: float, reach: float) -> list[Part]:
    """Return six equal points of `mass` [kg] in all, two on each axis; the first two lie at a distance `reach` [m]."""
    each, points = float(f"{mass / 6.0:.3g}"), []
    for axis, arm in enumerate(ARMS):
        for side in (1.0, -1.0):
            place = [0.0, 0.0, 0.0]
            place[axis] = side * float(f"{arm * reach:.2g}")
            points.append(Part("point", mass=each, position=(place[0], place[1], place[2])))
    return points


def _refuse(number: int, reason: str) -> None:
    raise InputError(f"{PATH}[{number}].{reason}")
