"""The panel's sections about the motion: Start, which |L|, energy and axis can also give, and Solver."""

import dataclasses
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from viewer.common.language import marked, tr
from viewer.common.quantities import PER_LARGEST
from viewer.physics.poinsot.construction import energy_bounds
from viewer.physics.poinsot.spin import at_energy, circulation, separatrix_energy
from viewer.physics.stepping.projection import GradientSettings
from viewer.scenario.field import Choice, Number
from viewer.scenario.scenario import Scenario, field_at
from viewer.scenario.sections.motion import START_AXIS, START_ENERGY, START_FORMS, START_MOMENTUM
from viewer.scene.words.formatting import short, with_unit
from viewer.scene.words.spin import SIDES, rank_names
from viewer.session.snapshot import Snapshot
from viewer.ui.panel.section import Draw, Row, Section, texts_of
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import SMALLEST, Look, row, text, text_right, tooltip, width_of
from viewer.ui.widgets.style import FONT_SIZE, mix, u32
from viewer.workspace.editor import FIELD

PATH = "start.angular_velocity"
SAME = 1e-12  # relative: energies or moments closer than this are the same
DIGITS = 6  # significant digits of the energy's bounds in the panel

Array = NDArray[np.float64]
BOX, GAP = 24.0, 8.0  # height of a box and of the line between two, at scale 1


class StartSection(Section):
    """Orientation, velocities and position, and three rows that edit start.angular_velocity as |L|, energy and axis."""

    title = marked("Start")
    _drag_began: Array | None = None  # L when the drag of the energy began

    def draw(self, look: Look) -> None:
        """Draw all rows, as wide as there is room."""
        super().draw(look)
        self._form(look)

    def rows(self) -> Iterator[Row]:
        """Yield the rows that a search can find."""
        yield from super().rows()
        for path, field in (START_FORMS | {"start.axis": START_AXIS}).items():
            yield texts_of(path, field), self._form

    def _form(self, look: Look) -> None:
        """Draw |L|, energy and axis; for a body at rest, the last two rows say "none"."""
        scenario = self._session.scenario
        moments = self._session.snapshot().body.principal_moments
        momentum = moments * np.array(scenario.start.angular_velocity)
        size = float(np.linalg.norm(momentum))
        self._size(look, moments, momentum, size)
        if size == 0.0:
            several = float(np.ptp(moments)) > SAME * float(moments.max())
            for field in (START_ENERGY, START_AXIS) if several else (START_AXIS,):
                self._controls.label(look, tr(field.label))
                imgui.text_disabled(tr("none"))
            return
        self._energy(look, moments, momentum, size)
        self._axis(look, moments, momentum, size)

    def _size(self, look: Look, moments: Array, momentum: Array, size: float) -> None:
        default = float(np.linalg.norm(moments * np.array(Scenario().start.angular_velocity)))
        new = self._controls.edit(look, "start.momentum", self._in_known_unit(START_MOMENTUM), size, default)
        if new is not None:
            direction = momentum / size if size else np.array((0.0, 0.0, 1.0))
            self._set(moments, direction * new)

    def _energy(self, look: Look, moments: Array, momentum: Array, size: float) -> None:
        """Draw the energy between its bounds, with a mark at the separatrix if there is one."""
        low, high = energy_bounds(moments, size)
        if high - low <= SAME * high:
            return  # a sphere has one energy only
        low, high = _outward(low, high)
        field = dataclasses.replace(self._in_known_unit(START_ENERGY), low=low, high=high, soft_low=low, soft_high=high)
        middle = separatrix_energy(moments, momentum)
        three = len(set(rank_names(moments))) == 3
        energy = min(high, max(low, float(0.5 * momentum @ (momentum / moments))))
        marks = (middle,) if three else ()
        new = self._controls.edit(look, "start.energy", field, energy, middle, whole=(low, high), marks=marks)
        if imgui.is_item_activated():
            self._drag_began = momentum
        if new is not None:
            began = self._drag_began if imgui.is_item_active() else None
            self._set(moments, at_energy(moments, momentum if began is None else began, new))

    def _axis(self, look: Look, moments: Array, momentum: Array, size: float) -> None:
        """Draw the choice of the axis about which L circulates."""
        found = circulation(moments, momentum)
        ranks = rank_names(moments)
        labels = tuple((name, f"{label} {tr(ranks['xyz'.index(name[1])])}") for name, label in START_AXIS.choices)
        field = dataclasses.replace(START_AXIS, choices=labels)
        value = "any" if found.axis is None else f"{SIDES[found.sign < 0]}{'xyz'[found.axis]}"
        new = self._controls.edit(look, "start.axis", field, value)
        if new is not None:
            along = np.zeros(3)
            along["xyz".index(new[1])] = -size if new[0] == SIDES[1] else size
            self._set(moments, along)
            self._controls.editor.commit()

    def _in_known_unit(self, field: Number) -> Number:
        """Return a field with the unit in which its value is known.

        If a recording has shown only the ratios of the moments, that is the unit per largest moment.
        """
        unit = field.unit if self._session.document.ratios is None else PER_LARGEST[field.unit]
        return dataclasses.replace(field, unit=unit)

    def _set(self, moments: Array, momentum: Array) -> None:
        self._controls.editor.change({PATH: tuple(float(w) + 0.0 for w in momentum / moments)})


def _outward(low: float, high: float) -> tuple[float, float]:
    """Return two numbers rounded to DIGITS digits, the lower one downwards and the higher one upwards."""
    step_low, step_high = (10.0 ** (np.floor(np.log10(v)) - DIGITS + 1) for v in (low, high))
    ends = np.floor(low / step_low) * step_low, np.ceil(high / step_high) * step_high
    return float(f"{ends[0]:.{DIGITS - 1}e}"), float(f"{ends[1]:.{DIGITS - 1}e}")


class SolverSection(Section):
    """The integrator and its steps, and the stabilisation with a switch of its own."""

    title = marked("Solver")

    def draw(self, look: Look) -> None:
        """Draw all rows, as wide as there is room."""
        super().draw(look)
        snapshot = self._session.snapshot()
        if snapshot.corrector is not None:
            draw_correction_loop(look, snapshot, self._session.scenario.solver.gradient)

    def row(self, look: Look, path: str) -> None:
        """Draw the row of a field; the step stands above the row of the stabilisation."""
        if path == FIELD:
            self._controls.heading(look, tr("Step h"), with_unit(self._session.scenario.solver.step, "s"))
            self._method(look)
        else:
            super().row(look, path)

    def form_of(self, path: str) -> Draw | None:
        """Return what draws the row of the stabilisation, without that of the step above it; None for other fields."""
        return self._method if path == FIELD else None

    def _method(self, look: Look) -> None:
        """Draw the switch for the stabilisation and, beside it, the choice of method."""
        controls, stabilisation, field = self._controls, self._workspace.stabilisation, field_at(FIELD, Choice)
        room = imgui.get_content_region_avail().x
        if controls.box(look, "stabilise", tr(field.label), stabilisation.on, f"{tr(field.description)} (K)"):
            stabilisation.toggle()
        imgui.same_line(round(0.5 * room))
        pairs = zip(field.choices, field.meanings, strict=True)
        choices, meanings = zip(*(pair for pair in pairs if pair[0][0] != "off"), strict=True)
        shown = replace(field, choices=choices, meanings=meanings)
        new = controls.choose(look, FIELD, shown, stabilisation.method, imgui.get_content_region_avail().x)
        if new is not None:
            controls.editor.set(FIELD, new)


def draw_correction_loop(look: Look, snapshot: Snapshot, settings: GradientSettings) -> None:
    """Draw the diagram of the correction as wide as the room allows, and light the boxes that are active at present.

    `snapshot` is of a motion stabilised along the gradient.
    """
    now, corrector = snapshot.reading, snapshot.corrector
    assert corrector is not None
    error = abs(now.energy - now.target_energy)
    needed = error > settings.k_e * now.target_energy
    share = error / now.target_energy if now.target_energy > 0.0 else 0.0
    height, gap = look.px(BOX), look.px(GAP)
    left, y, right = row("corrections", 5 * height + 4 * gap)
    tooltip(
        look,
        tr("The paper's Fig. 4: one cycle, once a step"),
        tr("The lit boxes act at present."),
        tr("i_c: the fraction of the energy's error that a step corrects"),
    )
    middle, relation = (left + right) / 2, ">" if needed else "≤"
    lessened = f"× {short(settings.k1)}" if corrector > settings.i_0 else "i_c = i_0"
    amplified = f"× {short(settings.k2)}" if corrector < 1.0 else "i_c = 1"
    halves = (left, middle - gap / 2), (middle + gap / 2, right)
    levels = (
        [((left, right), True, "ω = J L′", "E = ½ ω·L′")],
        [((left, right), True, tr("Correction needed?"), f"{short(share)} {relation} {short(settings.k_e)}")],
        [(halves[0], not needed, tr("no: lessen"), lessened), (halves[1], needed, tr("yes: amplify"), amplified)],
        [((left, right), True, tr("Corrector"), f"i_c = {short(corrector)}")],
        [((left, right), error > 0.0, tr("Turn the body"), "−i_c ΔE (ω × L)/|ω × L|²")],
    )
    target = imgui.get_window_draw_list()
    for above, boxes in zip(((), *levels), levels, strict=False):
        ends = max((above, boxes), key=len) if above else ()  # a line to or from each of two boxes
        for (low, high), *_ in ends:
            x = (low + high) / 2
            target.add_line((x, y - gap), (x, y), u32(look.palette.dim), look.px(1))
        for (low, high), lit, name, value in boxes:
            _box(look, low, high, y, lit, name, value)
        y += height + gap


def _box(look: Look, left: float, right: float, y: float, lit: bool, name: str, value: str) -> None:
    """Draw one box with its name at the left and its value at the right, in smaller letters if they do not fit."""
    p, pad = look.palette, look.px(6)
    target, low, high = imgui.get_window_draw_list(), (left, y), (right, y + look.px(BOX))
    target.add_rect_filled(low, high, u32(p.raised), look.px(4))
    target.add_rect(low, high, u32(p.accent if lit else p.line), look.px(4))
    color = p.text if lit else mix(p.raised, p.dim, 0.7)
    room = right - left - 2 * pad
    wide = width_of(name) + width_of(value) + pad
    size = FONT_SIZE * min(1.0, max(SMALLEST, 0.97 * room / wide))  # widths are not quite in proportion
    with scopes.font(look.fonts.regular, size):
        top = y + (look.px(BOX) - imgui.get_text_line_height()) / 2
        if width_of(name) + width_of(value) + pad <= room:
            text(left + pad, top, color, name)
        text_right(right - pad, top, color, value)
