"""Which controls and numbers a lecture shows of a scene that names none itself: those that tell most about it."""

from viewer.physics.integrators import INTEGRATORS
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.lesson import MOST, Control

EXACT_READOUTS = ("omega", "energy", "momentum")
ERROR_READOUTS = ("energy", "energy_error", "momentum_error")
VECTORS = ("loads.force", "loads.torque")
FRICTIONS = ("loads.external_friction", "loads.internal_friction")


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
