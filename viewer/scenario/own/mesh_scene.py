"""The scene of a mesh file that is opened."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from viewer.common.language import tr
from viewer.common.quantities.units import written
from viewer.physics.body import RigidBody
from viewer.physics.solids.mesh_body import UNITS, mesh_source
from viewer.scenario.field import TEXT_LIMIT

if TYPE_CHECKING:
    from viewer.scenario.scenario import Scenario

START_MASS = 1.0  # kg: until the user says it
SPEED = 3.0  # rad/s, about the axis of the middle moment, and a hundredth of it about the others
NEARLY = 0.03  # of the largest: moments so near to each other are those of an axisymmetric body,
TILTED = 0.9  # rad/s: .. which turns about its axis of symmetry, and so fast across: the tumbling about its middle
# axis would take minutes


def mesh_scene(path: str | os.PathLike[str], base: "Scenario") -> "Scenario":
    """`base` with the body that is in a mesh file, turning as `_start` has it. Raises InputError.

    The unit is that of the format, else guessed from the size; the method of its inertia the best one possible: both
    are values of the scene from then on, and stand in its summary.
    """
    source = mesh_source(path)
    unit = source.likely_unit
    body = RigidBody.from_mesh(path, unit=unit, mass=START_MASS)
    name = Path(path).name
    values = {
        "title": Path(path).stem[:TEXT_LIMIT] if Path(path).stem.isprintable() else "",
        "summary": summary(name, unit, source.longest, body, source.file.unit is None)[:TEXT_LIMIT],
        "body.shape": "mesh",
        "body.file": os.path.abspath(path),
        "body.unit": unit,
        "body.mass": START_MASS,
        "body.method": body.inertia_source.method,
        "start.angular_velocity": _start(body),
    }
    return base.with_values(values)


def _start(body: RigidBody) -> tuple[float, ...]:
    """The angular velocity [rad/s] with which it is shown: about its middle axis, or as an axisymmetric body."""
    low, middle, high = np.argsort(body.principal_moments, kind="stable").tolist()
    small, between, large = (body.principal_moments[[low, middle, high]] / body.principal_moments[high]).tolist()
    near = between - small < NEARLY, large - between < NEARLY
    if near[0] == near[1]:
        return tuple(SPEED if axis == middle else 0.01 * SPEED for axis in range(3))
    along, across = (high, middle) if near[0] else (low, middle)
    return tuple(SPEED if axis == along else TILTED if axis == across else 0.0 for axis in range(3))


def given_as(scene: "Scenario", values: Mapping[str, Any]) -> "Scenario":
    """The scene of a mesh as `mesh_scene` guesses it, with what the user says of its body. Raises InputError."""
    changed = scene.with_values(values)
    body, given = changed.rigid_body(), changed.body
    source = mesh_source(given.file)
    by_longest = given.unit == "longest"
    unit = "m" if by_longest else given.unit
    longest = given.longest if by_longest else source.longest
    return changed.with_values({"summary": summary(Path(given.file).name, unit, longest, body, False)[:TEXT_LIMIT]})


def tells_of_mesh(text: str, file: str) -> bool:
    """Whether a scene's summary is the one below, of that mesh file."""
    return bool(file) and text.startswith(f"{Path(file).name}: ")


def summary(name: str, unit: str, longest: float, body: RigidBody, guessed: bool) -> str:
    """What is to be known of a mesh that was opened: its size, its unit, its mass, and how its inertia was found."""
    size, metric = f"{longest:.4g} {unit}", written(longest * UNITS[unit], "m", 4)
    size = size if size == metric else f"{size} = {metric}"
    text = tr("{file}: longest extent {size}; mass {mass}; inertia from {source}")
    if guessed:
        text = tr("{file}: longest extent {size}, if its unit is {unit} (a guess); mass {mass}; inertia from {source}")
    name = name if name.isprintable() else ""
    return text.format(
        file=name, size=size, unit=unit, mass=written(body.mass, "kg", 6), source=body.inertia_source.text
    )
