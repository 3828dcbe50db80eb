"""Bodies of the user's own (meshes, tensors and parts): where their files are looked for, and how scenes name them.

A scene file names a mesh file by its path relative to the scene file if the mesh lies beside or below it; in memory, it
is named by its absolute path. The meshes that come with the program are named by their names alone.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from viewer.common.errors import InputError, prefixed, refusal, shown
from viewer.common.language import tr
from viewer.common.quantities import written as si_text
from viewer.common.resources import folder as resources
from viewer.physics.body import SHAPES, RigidBody
from viewer.physics.solids import holes
from viewer.physics.solids.composite import Part, region_of, triangles
from viewer.physics.solids.inertia import THandle
from viewer.physics.solids.mesh_body import UNITS, MeshSource, last_read, mesh_source
from viewer.scenario.field import TEXT_LIMIT
from viewer.scenario.fields import fields_of
from viewer.scenario.sections.body import Body

Renamed = Callable[[str], str]

NAMING = ("body.file", "body.appearance", "body.parts")  # the fields that name files
RECORDINGS = "recording.files"
START_MASS = 1.0  # kg, of a mesh until the user gives it
START_SPEED = 3.0  # rad/s, of a mesh about the axis of its middle moment, and a hundredth of it about the others
NEARLY_EQUAL = 0.03  # of the largest: moments this near to each other are those of an axisymmetric body
SPEED_ACROSS = 0.9  # rad/s, of an axisymmetric mesh across its axis: the tumbling about its middle axis takes minutes
DIMENSIONS = {name for shape in SHAPES.values() for name in shape.dimensions}


def shipped(name: str) -> str | None:
    """Return the path of the mesh that comes with the program under this name, or None if there is none."""
    if not name or Path(name).name != name:
        return None
    path = str(resources("assets") / "bodies" / name)
    return path if os.path.isfile(path) else None


def usable(dimensions: Mapping[str, Any]) -> dict[str, Any]:
    """Return the dimensions of a shape, with the names of files replaced by paths that can be opened."""
    return _renamed(dimensions, lambda name: shipped(name) or name)


def usable_parts(body: Body) -> tuple[Part, ...]:
    """Return the parts of a composite body, with the names of files replaced by paths that can be opened."""
    return tuple(usable({"parts": body.parts})["parts"])


def check_local(path: str, value: Any) -> None:
    """Raise InputError if the value of the field at `path` in a scene's text names a file on another computer.

    Whatever Windows takes for such a name is refused on every system: opening someone else's scene must not lead to
    signing in at a server.
    """

    def check(name: str) -> str:
        if name[:2].replace("\\", "/") == "//":
            raise refusal(
                "{path}: {name} is on another computer; allowed are files of this one", path=path, name=shown(name)
            )
        return name

    _in_scene({path: value}, check)


def located(values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the values of a scene's text in `folder`, by path, with its files named by the paths where they are found.

    A file is looked for beside the text, then among the files that come with the program. A file that is missing at its
    absolute path is looked for beside the text, too, as it may have been moved with the text.
    """

    def find(name: str) -> str:
        beside, moved = os.path.join(folder, name), os.path.join(folder, Path(name).name)
        if not os.path.exists(beside):
            if shipped(name):
                return name
            if os.path.isabs(name) and os.path.exists(moved):
                beside = moved
        return os.path.abspath(beside)

    return _in_scene(values, find)


def files_of(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the paths, for opening, of all files that the values of a scene name, for bodies and recordings."""
    found: list[str] = []

    def note(name: str) -> str:
        found.append(shipped(name) or name)
        return name

    _in_scene(values, note)
    return tuple(found)


def written(values: Mapping[str, Any], folder: Path | None) -> dict[str, Any]:
    """Return the values of a scene as they are written in a text in `folder`.

    If `folder` is None, the text may lie anywhere.
    """

    def name_of(path: str) -> str:
        if shipped(path):
            return path
        absolute = Path(os.path.abspath(path))
        home = None if folder is None else Path(os.path.abspath(folder))
        return absolute.relative_to(home).as_posix() if home and absolute.is_relative_to(home) else str(absolute)

    return _in_scene(values, name_of)


def rigid_body(body: Body) -> RigidBody:
    """Return the body that the section [body] describes; raises InputError if its sizes do not fit each other."""
    is_file = body.shape in ("mesh", "composite")  # which may change on the disk
    return _made(body) if is_file or not any(body.pivot) else _made_once(body)


def _made(body: Body) -> RigidBody:
    shape = SHAPES[body.shape]
    try:
        made = shape.make(**usable({name: getattr(body, name) for name in shape.dimensions}))
        if not any(body.pivot):
            return made
        if made.mesh is None:  # only a mesh is drawn away from the origin of the body frame
            made = replace(made, mesh=replace(triangles(_solids(body, made)), parts=None))
        return made.about(body.pivot)
    except ValueError as error:
        raise prefixed("body.", error) from None


_made_once = lru_cache(maxsize=4)(_made)  # a change of the scene asks for the same body several times


def _solids(body: Body, made: RigidBody) -> tuple[Part, ...]:
    """Return the solids, from the centre of mass, as which a body without a mesh is drawn."""
    if body.shape == "cylinder":
        return (Part("cylinder", mass=1.0, radius=body.radius, height=body.height),)
    if body.shape == "t-handle":
        radius, bar = 0.5 * body.thickness, THandle(body.width, body.height, body.thickness).bar
        stem, across = body.height - radius, (0.0, 90.0, 0.0)
        return (
            Part("cylinder", mass=1.0, radius=radius, height=body.width, position=(0, 0, bar), orientation_deg=across),
            Part("cylinder", mass=1.0, radius=radius, height=stem, position=(0, 0, bar - 0.5 * stem)),
        )
    width, depth, height = (2.0 * made.half_axes).tolist()
    if body.shape == "box":
        width, depth, height = body.width, body.depth, body.height
    return (Part("box" if body.shape == "box" else "ellipsoid", mass=1.0, width=width, depth=depth, height=height),)


def is_made_of(body: Body, name: str) -> bool:
    """Return whether the field with this name counts for a body of this shape.

    The mass of a mesh does not count if its density is given.
    """
    if name == "mass" and body.shape == "mesh" and body.density:
        return False
    return name in SHAPES[body.shape].dimensions or name not in DIMENSIONS


def as_simulated(body: Body, found: RigidBody) -> dict[str, Any]:
    """Return the values from which a body is made, as plain values, without those that have no effect.

    The mass [kg] is that of `found`, the body that was made from them.
    """
    needless = {name for name in ("file", "appearance", "density") if not getattr(body, name)}
    if body.unit != "longest":
        needless.add("longest")
    if body.shape != "mesh" and not body.appearance:
        needless |= {"unit", "longest"}
    if body.shape != "composite" and not body.show_parts:
        needless |= {"show_parts", "parts"}
    if found.inertia_source.method != "shell" or not (body.density or body.method == "auto"):
        needless.add("shell_thickness")
    dimensions = (name for name in SHAPES[body.shape].dimensions if name not in needless)
    values: dict[str, Any] = {"mass": found.mass} | ({"pivot": body.pivot} if any(body.pivot) else {})
    values |= {name: getattr(body, name) for name in dimensions if name != "mass"}
    if "parts" in values:
        tables = fields_of(Body)["parts"].plain(body.parts)
        unset = ("mass", "density")  # the one of them that is 0 follows from the other
        values["parts"] = [{key: entry for key, entry in t.items() if entry or key not in unset} for t in tables]
    return values


def volume_of(body: Body) -> float | None:
    """Return the volume [m3] of the solid that a body is made of.

    It is None if it is not known, as for a shell, a tensor or thin parts.
    """
    if body.shape == "mesh":
        source, scale = _measured(body)
        found, how = source.inertia(body.method, body.shell_thickness > 0.0)
        return None if how.method == "shell" else found.mass * scale**3
    if body.shape != "composite":
        return None
    total = 0.0
    for part in usable_parts(body):
        volume = None if fault_of(part) else part.volume
        if volume is None:
            return None
        total += -volume if part.density < 0.0 else volume
    return total


def fault_of(part: Part) -> str:
    """Return what is wrong at present with the file of a part, or an empty text."""
    try:
        part.properties()
    except InputError as error:
        return str(error)
    return ""


def reach_of(body: Body) -> float:
    """Return how far [m] the parts of a composite body reach from their origin."""
    return max((part.reach() for part in usable_parts(body) if not fault_of(part)), default=0.0) or 0.1


def density_around(body: Body, number: int) -> float:
    """Return the density [kg/m3] of a body's other parts at the middle of the part `number`.

    It is 0 if there is no other part there, or if the part is thin.
    """
    parts = usable_parts(body)
    reach, hole = reach_of(body), region_of(parts[number], reach_of(body))
    others = [part for part in parts if part is not parts[number] and not fault_of(part)]
    return 0.0 if hole is None else holes.density_around(hole, [region_of(part, reach) for part in others])


def extents_of(body: Body) -> tuple[float, float, float]:
    """Return how far [m] a mesh reaches along the x, y and z axes of its file."""
    source, scale = _measured(body)
    x, y, z = (scale * source.extents).tolist()
    return x, y, z


def source_of(body: Body) -> MeshSource:
    """Return the contents of a body's mesh file as they were when it was last read. Raises InputError."""
    return last_read(shipped(body.file) or body.file)


def _measured(body: Body) -> tuple[MeshSource, float]:
    """Return the contents of a body's mesh file, and the length of its unit [m]."""
    source = source_of(body)
    by_longest = body.unit == "longest"
    return source, source.scale(None if by_longest else body.unit, body.longest if by_longest else None)


def _in_scene(values: Mapping[str, Any], renamed: Renamed) -> dict[str, Any]:
    """Return the values of a scene with all its files renamed: those of its body or bodies, and of its recordings."""
    own = {path.removeprefix("body."): value for path, value in values.items() if path in NAMING}
    found = dict(values) | {f"body.{name}": value for name, value in _renamed(own, renamed).items()}
    if RECORDINGS in found:
        found[RECORDINGS] = tuple(renamed(name) for name in found[RECORDINGS])
    if "bodies" in found:
        found["bodies"] = tuple(_of_member(entry, renamed) for entry in found["bodies"])
    return found


def _of_member(entry: Any, renamed: Renamed) -> Any:
    """Return one of several bodies, as a member or as a table, with its files renamed."""
    if isinstance(entry, Mapping):
        return {**entry, "body": _renamed(entry["body"], renamed)} if "body" in entry else entry
    if not hasattr(entry, "values"):
        return entry
    return replace(entry, values=tuple(_in_scene(dict(entry.values), renamed).items()))


def _renamed(dimensions: Mapping[str, Any], renamed: Renamed) -> dict[str, Any]:
    found = dict(dimensions)
    for name in ("file", "appearance"):
        if found.get(name):
            found[name] = renamed(found[name])
    if "parts" in found:
        found["parts"] = type(found["parts"])(_of_part(part, renamed) for part in found["parts"])
    return found


def _of_part(part: Any, renamed: Renamed) -> Any:
    """Return a part, or the table of one, with its file renamed."""
    if isinstance(part, Mapping):
        return {**part, "file": renamed(part["file"])} if part.get("file") else part
    return replace(part, file=renamed(part.file)) if part.file else part


def mesh_values(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the values, by path, of a new scene for a mesh file; raises InputError if the file cannot be used.

    The unit is that of the format, or else guessed from the size. The inertia is computed by the best method possible.
    From then on both are values of the scene, and its summary names them.
    """
    source = mesh_source(path)
    unit = source.likely_unit
    found = RigidBody.from_mesh(path, unit=unit, mass=START_MASS)
    name = Path(path).stem
    body: dict[str, Any] = {"shape": "mesh", "file": os.path.abspath(path), "unit": unit, "mass": START_MASS}
    return {
        "title": name[:TEXT_LIMIT] if name.isprintable() else "",
        "summary": mesh_summary(Body(**body), found, guessed=source.file.unit is None),
        **{f"body.{name}": value for name, value in body.items()},
        "body.method": found.inertia_source.method,
        "start.angular_velocity": _mesh_start(found),
    }


def _mesh_start(body: RigidBody) -> tuple[float, ...]:
    """Return the angular velocity [rad/s] with which a mesh starts.

    It turns about its middle axis, or, if it is axisymmetric, about its axis and across it.
    """
    low, middle, high = np.argsort(body.principal_moments, kind="stable").tolist()
    small, between, large = (body.principal_moments[[low, middle, high]] / body.principal_moments[high]).tolist()
    near = between - small < NEARLY_EQUAL, large - between < NEARLY_EQUAL
    if near[0] == near[1]:
        return tuple(START_SPEED if axis == middle else 0.01 * START_SPEED for axis in range(3))
    along, across = (high, middle) if near[0] else (low, middle)
    return tuple(START_SPEED if axis == along else SPEED_ACROSS if axis == across else 0.0 for axis in range(3))


def mesh_summary(body: Body, found: RigidBody, guessed: bool = False) -> str:
    """Return what is known of a mesh that was opened: its size, unit and mass, and the source of its inertia.

    `found` is the body that was made from it; `guessed` says that its unit is a guess.
    """
    file = Path(body.file).name
    by_longest = body.unit == "longest"
    unit = "m" if by_longest else body.unit
    longest = body.longest if by_longest else mesh_source(body.file).longest
    size, metric = f"{longest:.4g} {unit}", si_text(longest * UNITS[unit], "m", 4)
    text = tr("{file}: longest extent {size}; mass {mass}; inertia from {source}")
    if guessed:
        text = tr("{file}: longest extent {size}, if its unit is {unit} (a guess); mass {mass}; inertia from {source}")
    return text.format(
        file=file if file.isprintable() else "",
        size=size if size == metric else f"{size} = {metric}",
        unit=unit,
        mass=si_text(found.mass, "kg", 6),
        source=found.inertia_source.text,
    )[:TEXT_LIMIT]


def is_mesh_summary(text: str, file: str) -> bool:
    """Return whether a scene's summary is the one that `mesh_summary` made of this mesh file."""
    return bool(file) and text.startswith(f"{Path(file).name}: ")
