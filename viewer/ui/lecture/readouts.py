"""What lecture mode shows of a scene: its large numbers, one entry each, and the controls and numbers that suit it."""

from collections.abc import Callable

import numpy as np

from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.physics.integrators import INTEGRATORS
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.lesson import MOST, Control
from viewer.scene.words.spin import period_name
from viewer.session.snapshot import Snapshot

EXACT_READOUTS = ("omega", "energy", "momentum")
ERROR_READOUTS = ("energy", "energy_error", "momentum_error")
VECTORS = ("loads.force", "loads.torque")
FRICTIONS = ("loads.external_friction", "loads.internal_friction")


@frozen
class Readout:
    """`color`: of the theme, by name. `of`: the value, None where there is none. `error`: of that quantity."""

    label: str
    unit: str
    color: str
    of: Callable[[Snapshot], float | None]
    error: bool = False

    def title(self, snapshot: Snapshot) -> str:
        """Return the label as it is shown."""
        if self is READOUTS["period"]:
            return period_name(snapshot)
        return tr("Error of {quantity}").format(quantity=self.label) if self.error else self.label


def _momentum(snapshot: Snapshot) -> float:
    return float(np.linalg.norm(snapshot.reading.angular_momentum_world))


def _relative(value: float, target: float) -> float:
    return (value - target) / target if target else 0.0


READOUTS = {
    "time": Readout("t", "s", "text", lambda s: s.reading.time),
    "omega": Readout("|ω|", "rad/s", "angular_velocity", lambda s: float(np.linalg.norm(s.reading.omega_world))),
    "energy": Readout("E", "J", "polhode", lambda s: s.reading.energy),
    "momentum": Readout("|L|", "kg m²/s", "angular_momentum", _momentum),
    "period": Readout("T", "s", "text", lambda s: s.period),
    "energy_error": Readout(
        "E", "", "polhode", lambda s: _relative(s.reading.energy, s.reading.target_energy), error=True
    ),
    "momentum_error": Readout(
        "|L|", "", "angular_momentum", lambda s: _relative(_momentum(s), s.reading.target_momentum), error=True
    ),
}


def controls_of(scenario: Scenario) -> tuple[Control, ...]:
    """Up to three controls: those of the scene's lesson that have an effect, else what drives it.

    That is, in this order: what acts on the body, the race's step or that of an integrator that errs, and the angular
    velocity, its largest component first.
    """
    named = [Control.parse(name) for name in scenario.lesson.controls]
    of_lesson, driving = (
        [control for control in controls if scenario.has_effect(control.path)]
        for controls in (named, _driving(scenario))
    )
    return tuple(dict.fromkeys(of_lesson or driving))[:MOST]


def readouts_of(scenario: Scenario) -> tuple[str, ...]:
    """The names of the numbers: those of the scene's lesson, else the errors where the integrator makes some."""
    return scenario.lesson.readouts or (ERROR_READOUTS if _errs(scenario) else EXACT_READOUTS)


def _driving(scenario: Scenario) -> list[Control]:
    found = []
    for path in VECTORS:
        vector = scenario.value(path)
        if any(vector):
            found.append(_largest(path, vector)[0])
    found += [Control(path) for path in FRICTIONS if scenario.value(path)]
    if scenario.race.show != "off" and not scenario.bodies:
        by_rotation = scenario.race.stepping == "rotation"
        found.append(Control("race.steps_per_rotation" if by_rotation else "race.step"))
    elif _errs(scenario):
        found += [Control("solver.integrator"), Control("solver.integration_period")]
    return found + _largest("start.angular_velocity", scenario.start.angular_velocity)


def _largest(path: str, vector: tuple[float, ...]) -> list[Control]:
    """The components of a vector, the largest first; equal ones in their order."""
    return [Control(path, index) for index in sorted(range(len(vector)), key=lambda i: -abs(vector[i]))]


def _errs(scenario: Scenario) -> bool:
    """Whether the integrator changes the energy or |L| where it should not."""
    return not {"energy", "|L|"} <= set(INTEGRATORS[scenario.solver.integrator].conserves)
