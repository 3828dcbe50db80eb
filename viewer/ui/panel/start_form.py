"""The spin of the body: what the panel says that it does, and the start as |L|, energy and axis."""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError
from viewer.physics.loads import Loads
from viewer.physics.poinsot.construction import energy_bounds
from viewer.physics.poinsot.spin import ALIKE, Circulation, at_energy, circulation, separatrix_energy
from viewer.physics.rest import AT_REST
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections import START_AXIS, START_ENERGY, START_MOMENTUM
from viewer.ui.panel.ranks import AXES, RANKS, rank_words
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.fields import Controls
from viewer.ui.widgets.formatting import plain, short
from viewer.ui.widgets.number_field import Number

PATH = "start.angular_velocity"
SIDES = ("+", "−")
ACROSS = np.radians(89.9)  # L that is so far from the axis of symmetry stands across it
DIGITS = 6  # of the energy's bounds as the panel gives them

Array = NDArray[np.float64]


def words(
    moments: Array, omega: Array, flip_period: float | None, loads: Loads, resting: bool
) -> tuple[str, str]:
    """What a motion does, (a line, a sentence for those who ask), from its rates (3,) and what acts on the body.

    As it goes on without loads, `flip_period` [s] included; under loads only what can be said of this moment.
    """
    if resting:
        return "At rest", f"It turns no faster than {AT_REST:g} rad/s."
    if loads.turns:
        axis = int(np.argmax(np.abs(omega)))
        angle = np.degrees(np.arctan2(np.linalg.norm(np.delete(omega, axis)), abs(omega[axis])))
        line = (
            f"Under a torque: ω {short(float(angle))}° from {_place(moments, axis, omega[axis] < 0.0, False)}"
        )
        return (
            line,
            "The torque of the force changes L all the time: the free motion does not tell what follows.",
        )
    found = circulation(moments, moments * omega)
    friction = loads.external_friction > 0.0 or loads.internal_friction > 0.0
    line, more = _free_words(found, moments, None if friction else flip_period, ranked=not friction)
    if loads.external_friction > 0.0:
        return f"Slowing, {line[0].lower()}{line[1:]}", f"{more} External friction slows it down."
    if friction and _least_energy(found, moments):
        return _free_words(found, moments, None, ranked=True)
    if friction:
        axes = " or ".join(AXES[i] for i in np.flatnonzero(moments >= moments.max() * (1.0 - ALIKE)))
        led = f"The friction inside leads it to a spin about {axes}, with the largest moment."
        return f"Settling, {line[0].lower()}{line[1:]}", f"{more} {led}"
    return line, more


def _free_words(
    found: Circulation, moments: Array, flip_period: float | None, ranked: bool
) -> tuple[str, str]:
    """Of a motion without loads, or as if there were none; where more is to be said, axes are not `ranked`."""
    if found.axis is None:
        return "Steady", "Every axis of this body is a principal axis: ω and L stay parallel."
    place, angle = _place(moments, found.axis, found.sign < 0, ranked), short(float(np.degrees(found.stray)))
    ranks = rank_words(moments)
    alone = next((i for i in range(3) if ranks.count(ranks[i]) == 1), found.axis)  # of a symmetric body
    symmetric = "equal" in ranks
    if symmetric and (found.axis != alone or found.stray > ACROSS):
        across = f"about an axis across {AXES[alone]}"
        line = "Flat spin, end over end" if ranks[alone] == RANKS[0] else f"Steady {across}"
        return line, f"It turns {across}, the axis of symmetry; ω and L are parallel."
    if found.steady and found.rank == 1:
        return f"Steady about {place}, unstable", "The least nudge makes it tumble."
    if found.steady:
        return f"Steady about {place}", "A nudge makes it wobble, and no more."
    if symmetric:
        more = f"The axis of symmetry goes evenly around L, always {angle}° from it; nothing flips."
        return f"Precessing, {place} {angle}° from L", more
    if found.stable:
        return (
            f"Wobbling about {place}, {angle}°",
            f"L goes around {place} and strays {angle}° from it at most.",
        )
    flips = f": flips every {short(flip_period)} s" if flip_period else ""
    more = f"L goes around {place} and strays {angle}° from it, near to the middle axis, where it dwells and flips."
    return f"Tumbling{flips}", more


def _place(moments: Array, axis: int, negative: bool, ranked: bool) -> str:
    """A side of a body axis, with the rank of its moment where wanted."""
    side = f"{SIDES[bool(negative)]}{AXES[axis]}"
    return f"{side} ({rank_words(moments)[axis]})" if ranked else side


def _least_energy(found: Circulation, moments: Array) -> bool:
    """Whether friction inside has nothing left to take."""
    if found.axis is None or (found.steady and found.rank == 2):
        return True
    return found.rank == 0 and found.stray > ACROSS and len(set(rank_words(moments))) == 2


class StartForm:
    """Three rows that edit start.angular_velocity as |L|, energy and axis."""

    def __init__(self, session: Any, controls: Controls) -> None:
        self._session, self._controls = session, controls
        self._from: Array | None = None  # L where the drag of the energy began

    def draw(self, look: Look) -> None:
        """The rows, as wide as there is room."""
        scenario: Scenario = self._session.scenario
        moments = self._session.snapshot().body.principal_moments
        momentum = moments * np.array(scenario.start.angular_velocity)
        size = float(np.linalg.norm(momentum))
        self._size(look, moments, momentum, size)
        if size == 0.0:
            return
        self._energy(look, moments, momentum, size)
        self._axis(look, moments, momentum, size)

    def _row(self, look: Look, number: Number) -> float | None:
        """A number with its label; what is typed is checked as a field of a file is."""
        self._controls.label(look, number.field.label)
        new = self._controls.numbers.box(look, number, imgui.get_content_region_avail().x)
        try:
            return None if new is None else float(number.field.check(number.path, new))
        except InputError as error:
            self._controls.report(plain(error))
            return None

    def _size(self, look: Look, moments: Array, momentum: Array, size: float) -> None:
        default = float(np.linalg.norm(moments * np.array(Scenario().start.angular_velocity)))
        field = START_MOMENTUM
        new = self._row(look, Number("start.momentum", field, size, default, unit=field.unit))
        if new is not None:
            direction = momentum / size if size else np.array((0.0, 0.0, 1.0))
            self._set(moments, direction * new)

    def _energy(self, look: Look, moments: Array, momentum: Array, size: float) -> None:
        """The energy between its bounds, with a mark at the separatrix where there is one."""
        low, high = energy_bounds(moments, size)
        if high - low <= 1e-12 * high:
            return  # a sphere has one energy only
        low, high = _outward(low, high)
        field = dataclasses.replace(START_ENERGY, low=low, high=high, soft_low=low, soft_high=high)
        middle = separatrix_energy(moments, momentum)
        three = len(set(rank_words(moments))) == 3
        energy = min(high, max(low, float(0.5 * momentum @ (momentum / moments))))
        marks = (middle,) if three else ()
        number = Number("start.energy", field, energy, middle, unit=field.unit, marks=marks)
        new = self._row(look, number)
        if imgui.is_item_activated():
            self._from = momentum
        if new is not None:
            began = self._from if imgui.is_item_active() else None
            self._set(moments, at_energy(moments, momentum if began is None else began, new))

    def _axis(self, look: Look, moments: Array, momentum: Array, size: float) -> None:
        """Around which axis L goes."""
        found = circulation(moments, momentum)
        ranks = rank_words(moments)
        labels = tuple((name, f"{label} {ranks['xyz'.index(name[1])]}") for name, label in START_AXIS.choices)
        field = dataclasses.replace(START_AXIS, choices=labels)
        value = "any" if found.axis is None else f"{SIDES[found.sign < 0]}{'xyz'[found.axis]}"
        self._controls.label(look, field.label)
        new = self._controls.choose(look, "start.axis", field, value, imgui.get_content_region_avail().x)
        if new is not None:
            along = np.zeros(3)
            along["xyz".index(new[1])] = -size if new[0] == SIDES[1] else size
            self._set(moments, along)
            self._session.commit_change()

    def _set(self, moments: Array, momentum: Array) -> None:
        self._controls.change(PATH, tuple(float(w) + 0.0 for w in momentum / moments), final=False)


def _outward(low: float, high: float) -> tuple[float, float]:
    """Bounds with a few digits that hold both."""
    down, up = float(f"{low:.{DIGITS - 1}e}"), float(f"{high:.{DIGITS - 1}e}")
    step_low, step_high = (10.0 ** (np.floor(np.log10(v)) - DIGITS + 1) for v in (low, high))
    return float(f"{down - step_low * (down > low):.{DIGITS - 1}e}"), float(
        f"{up + step_high * (up < high):.{DIGITS - 1}e}"
    )
