"""What is shown beside a scene in lecture mode and on its page: the controls and the numbers that suit the scene."""

from viewer.physics.integrators import INTEGRATORS
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.lesson import MOST, Control

EXACT_READOUTS = ("omega", "energy", "momentum")
ERROR_READOUTS = ("energy", "energy_error", "momentum_error")
VECTORS = ("loads.force", "loads.torque")
FRICTIONS = ("loads.external_friction", "loads.internal_friction")


def controls_of(scenario: Scenario) -> tuple[Control, ...]:
    """Return up to three controls: those of the scene's lesson that have an effect, or else the usual ones.

    The usual ones are, in this order: the loads on the body, the step of the race or of an integrator that errs, and
    the components of the angular velocity, the largest first.
    """
    named = [Control.parse(name) for name in scenario.lesson.controls]
    of_lesson, driving = (
        [control for control in controls if scenario.has_effect(control.path)]
        for controls in (named, _driving(scenario))
    )
    return tuple(dict.fromkeys(of_lesson or driving))[:MOST]


def readouts_of(scenario: Scenario) -> tuple[str, ...]:
    """Return the names of the large numbers: the lesson's, else the usual ones, with errors if the integrator errs."""
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
    """Return a control for each component of a vector, the largest component first."""
    return [Control(path, index) for index in sorted(range(len(vector)), key=lambda i: -abs(vector[i]))]


def _errs(scenario: Scenario) -> bool:
    """Return whether the integrator changes the energy or |L| where it should not."""
    return not {"energy", "|L|"} <= set(INTEGRATORS[scenario.solver.integrator].conserves)
