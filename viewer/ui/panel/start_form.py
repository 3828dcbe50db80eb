"""The start of the motion as |L|, energy and axis."""

import dataclasses

import numpy as np
from numpy.typing import NDArray

from viewer.common.language import tr
from viewer.common.quantities.units import PER_LARGEST
from viewer.physics.poinsot.construction import energy_bounds
from viewer.physics.poinsot.spin import at_energy, circulation, separatrix_energy
from viewer.scenario.field import Field
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.motion import START_AXIS, START_ENERGY, START_MOMENTUM
from viewer.scene.words.spin import SIDES, rank_names
from viewer.session.session import Session
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.number_field import NumberSpec

PATH = "start.angular_velocity"
SAME = 1e-12  # relative: energies or moments closer than this are the same
DIGITS = 6  # of the energy's bounds as the panel gives them

Array = NDArray[np.float64]


class StartForm:
    """Three rows that edit start.angular_velocity as |L|, energy and axis."""

    def __init__(self, session: Session, controls: FieldWidgets) -> None:
        self._session, self._controls = session, controls
        self._from: Array | None = None  # L where the drag of the energy began

    def draw(self, look: Look) -> None:
        """The rows, as wide as there is room; at rest the last two say that there is none, and keep their places."""
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
        number = NumberSpec("start.momentum", self._known(START_MOMENTUM), size, default)
        new = self._controls.number_row(look, number)
        if new is not None:
            direction = momentum / size if size else np.array((0.0, 0.0, 1.0))
            self._set(moments, direction * new)

    def _energy(self, look: Look, moments: Array, momentum: Array, size: float) -> None:
        """The energy between its bounds, with a mark at the separatrix where there is one."""
        low, high = energy_bounds(moments, size)
        if high - low <= SAME * high:
            return  # a sphere has one energy only
        low, high = _outward(low, high)
        field = dataclasses.replace(self._known(START_ENERGY), low=low, high=high, soft_low=low, soft_high=high)
        middle = separatrix_energy(moments, momentum)
        three = len(set(rank_names(moments))) == 3
        energy = min(high, max(low, float(0.5 * momentum @ (momentum / moments))))
        marks = (middle,) if three else ()
        number = NumberSpec("start.energy", field, energy, middle, whole=(low, high), marks=marks)
        new = self._controls.number_row(look, number)
        if imgui.is_item_activated():
            self._from = momentum
        if new is not None:
            began = self._from if imgui.is_item_active() else None
            self._set(moments, at_energy(moments, momentum if began is None else began, new))

    def _axis(self, look: Look, moments: Array, momentum: Array, size: float) -> None:
        """Around which axis L goes."""
        found = circulation(moments, momentum)
        ranks = rank_names(moments)
        labels = tuple((name, f"{label} {tr(ranks['xyz'.index(name[1])])}") for name, label in START_AXIS.choices)
        field = dataclasses.replace(START_AXIS, choices=labels)
        value = "any" if found.axis is None else f"{SIDES[found.sign < 0]}{'xyz'[found.axis]}"
        self._controls.label(look, tr(field.label))
        new = self._controls.choose(look, "start.axis", field, value, imgui.get_content_region_avail().x)
        if new is not None:
            along = np.zeros(3)
            along["xyz".index(new[1])] = -size if new[0] == SIDES[1] else size
            self._set(moments, along)
            self._controls.editor.commit()

    def _known(self, field: Field) -> Field:
        """Per largest moment where a recording has told no more than ratios."""
        unit = field.unit if self._session.document.ratios is None else PER_LARGEST[field.unit]
        return dataclasses.replace(field, unit=unit)

    def _set(self, moments: Array, momentum: Array) -> None:
        self._controls.editor.change({PATH: tuple(float(w) + 0.0 for w in momentum / moments)})


def _outward(low: float, high: float) -> tuple[float, float]:
    """Bounds with a few digits that hold both."""
    down, up = float(f"{low:.{DIGITS - 1}e}"), float(f"{high:.{DIGITS - 1}e}")
    step_low, step_high = (10.0 ** (np.floor(np.log10(v)) - DIGITS + 1) for v in (low, high))
    return float(f"{down - step_low * (down > low):.{DIGITS - 1}e}"), float(
        f"{up + step_high * (up < high):.{DIGITS - 1}e}"
    )
