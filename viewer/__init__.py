"""Poinsot: how a rigid body turns, live and in stereo. The public names load on first use, so importing is light."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from viewer.export.picture import render_image
    from viewer.physics.body import RigidBody
    from viewer.physics.exact import FreeRotation
    from viewer.physics.integrators import INTEGRATORS
    from viewer.physics.simulation import Simulation
    from viewer.physics.state import State
    from viewer.scenario import Scenario

__version__ = "0.1.0"
__all__ = ["INTEGRATORS", "FreeRotation", "RigidBody", "Scenario", "Simulation", "State", "render_image"]

_HOMES = {
    "INTEGRATORS": "viewer.physics.integrators",
    "FreeRotation": "viewer.physics.exact",
    "RigidBody": "viewer.physics.body",
    "Scenario": "viewer.scenario",
    "Simulation": "viewer.physics.simulation",
    "State": "viewer.physics.state",
    "render_image": "viewer.export.picture",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'viewer' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
