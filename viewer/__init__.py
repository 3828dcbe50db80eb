"""Poinsot: how a rigid body turns, live and in stereo.

The public names load on first use, so importing is light.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from viewer.common import __version__ as __version__

if TYPE_CHECKING:
    from viewer.common.errors import InputError
    from viewer.export.offscreen import render_image
    from viewer.physics.body import RigidBody
    from viewer.physics.exact.free_rotation import FreeRotation
    from viewer.physics.integrators import INTEGRATORS
    from viewer.physics.loads import Loads
    from viewer.physics.ode import Bodies, euler, rk4
    from viewer.physics.rotation import matrix_from_quaternion, quaternion_from_matrix, star
    from viewer.physics.simulation import NumericalOverflow, Simulation
    from viewer.physics.solids.composite import Part
    from viewer.physics.state import State, angular_acceleration, point_velocity
    from viewer.scenario.scenario import Scenario

__all__ = [
    "INTEGRATORS", "Bodies", "FreeRotation", "InputError", "Loads", "NumericalOverflow", "Part", "RigidBody",
    "Scenario", "Simulation", "State", "angular_acceleration", "euler", "matrix_from_quaternion", "point_velocity",
    "quaternion_from_matrix", "render_image", "rk4", "star",
]  # fmt: skip

_HOMES = {
    "INTEGRATORS": "viewer.physics.integrators",
    "Bodies": "viewer.physics.ode",
    "FreeRotation": "viewer.physics.exact.free_rotation",
    "InputError": "viewer.common.errors",
    "Loads": "viewer.physics.loads",
    "NumericalOverflow": "viewer.physics.simulation",
    "Part": "viewer.physics.solids.composite",
    "RigidBody": "viewer.physics.body",
    "Scenario": "viewer.scenario.scenario",
    "Simulation": "viewer.physics.simulation",
    "State": "viewer.physics.state",
    "matrix_from_quaternion": "viewer.physics.rotation",
    "quaternion_from_matrix": "viewer.physics.rotation",
    "star": "viewer.physics.rotation",
    "euler": "viewer.physics.ode",
    "render_image": "viewer.export.offscreen",
    "rk4": "viewer.physics.ode",
    "angular_acceleration": "viewer.physics.state",
    "point_velocity": "viewer.physics.state",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'viewer' has no attribute {name!r}")
    found: Any = getattr(import_module(_HOMES[name]), name)
    if name == "Scenario":
        found._repr_png_, found._repr_html_ = _notebook_image, _notebook_page  # here: a scenario knows nothing
        found.save_page, found.show_page = _save_page, _show_page  # that draws
    return found


def _notebook_image(scenario: "Scenario") -> bytes | None:
    """Return the picture of a scene that a notebook shows, or None if this machine cannot draw."""
    from viewer.export.offscreen import notebook_image  # here: it loads OpenGL

    return notebook_image(scenario)


def _notebook_page(scenario: "Scenario") -> str | None:
    """Return the page of a scene in a frame, as HTML, or None if this machine cannot draw."""
    from viewer.export.page.pages import notebook_page

    return notebook_page(scenario)


def _save_page(scenario: "Scenario", path: str) -> None:
    """Write the scene as one HTML file, in which it plays in any browser.

    Parameters
    ----------
    path : str or path
        The file; its name ends in .html.
    """
    from viewer.export.page.pages import write_page
    from viewer.export.page.writer import PageScene

    write_page(path, [PageScene(scenario)])


def _show_page(scenario: "Scenario") -> None:
    """Show the scene, playing, below the cell of a notebook; outside of one, in the web browser."""
    from viewer.export.page.pages import show_page

    show_page(scenario)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
