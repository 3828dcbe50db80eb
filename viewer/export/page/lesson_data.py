"""What a page lets its reader change and read beside a scene: the lesson's controls, and numbers with their units."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from viewer.common.language import tr
from viewer.common.quantities import Unit, suited
from viewer.physics.state import angular_momentum_body, rotational_energy
from viewer.scenario.field import Number, Switch, Vector
from viewer.scenario.lesson_board import controls_of, readouts_of
from viewer.scenario.scenario import Scenario, field_at
from viewer.scenario.sections.lesson import Control
from viewer.scenario.value_scale import ValueScale
from viewer.session.session import Session

# what a page's own formulas make a body and its motion from
DIMENSIONS = ("mass", "width", "depth", "height", "radius", "thickness", "moments")
SOLIDS = ("box", "ellipsoid", "sphere", "cylinder", "t-handle", "moments")
STARTS = ("start.orientation_deg", "start.angular_velocity")


def lesson_data(scenario: Scenario) -> dict[str, Any]:
    """Return the lesson of a scene as a page takes it.

    Returns
    -------
    dict
        `body` and `start` have the values of the scene's fields that the motion is made from; `speed` is that at the
        start; `controls` are the sliders and switches; `readouts` are quantities with the units that suit them.
    """
    body, start = scenario.body, scenario.start
    speed = Session(scenario, playing=False).scene.speed
    return {
        "body": {"shape": body.shape} | {name: getattr(body, name) for name in DIMENSIONS},
        "start": {"orientationDeg": start.orientation_deg, "angularVelocity": start.angular_velocity},
        "speed": speed,
        "autoSpeed": scenario.playback.auto_speed,
        "controls": [_control(scenario, each) for each in controls_of(scenario) if _is_live(scenario, each.path)],
        "readouts": _readouts(scenario),
    }


def _is_live(scenario: Scenario, path: str) -> bool:
    """Return whether a page can show what a change of this field does."""
    section, _, name = path.partition(".")
    solid = name in DIMENSIONS and scenario.body.shape in SOLIDS
    return section == "show" or path in STARTS or (section == "body" and solid)


def _control(scenario: Scenario, control: Control) -> dict[str, Any]:
    """Return the control as data: a switch, or a slider with its range and the size of its unit."""
    field, value = field_at(control.path), scenario.value(control.path)
    name = tr(field.label)
    data: dict[str, Any] = {"path": control.path, "label": name, "meaning": f"{name}: {tr(field.description)}"}
    if isinstance(field, Switch):
        return data | {"kind": "switch", "value": value}
    assert isinstance(field, Number)
    whole: Iterable[float] = value if isinstance(field, Vector) else (value,)
    if isinstance(field, Vector):
        label = f"{field.symbol or name} {tr(field.labels[control.index])}"
        data |= {"index": control.index, "label": f"{label} (t = 0)" if control.path in STARTS else label}
        value = value[control.index]
    scale = ValueScale(field, value, max(map(abs, whole)))
    limits = {"low": scale.low, "high": scale.high, "log": scale.log}
    return data | {"kind": "slider", "value": value} | limits | _unit(suited(field.unit, *whole))


def _readouts(scenario: Scenario) -> list[dict[str, Any]]:
    """Return the numbers beside the scene, each with the unit that suits its value at the start."""
    body, state = scenario.rigid_body(), scenario.start_state()
    quantities = {
        "omega": ("|ω|", "rad/s", float(np.linalg.norm(state.omega_body))),
        "energy": ("E", "J", float(rotational_energy(body, state))),
        "momentum": ("|L|", "kg m²/s", float(np.linalg.norm(angular_momentum_body(body, state)))),
        "period": ("T", "s", 1.0),
    }
    found = []
    for name in readouts_of(scenario):
        if name in quantities:
            label, unit, value = quantities[name]
            found.append({"name": name, "label": label} | _unit(suited(unit, value)))
    return found


def _unit(unit: Unit) -> dict[str, Any]:
    return {"unit": unit.name, "size": unit.size}
