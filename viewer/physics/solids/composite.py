"""A body that is a sum of parts: simple solids and meshes, each with a mass or density, position and orientation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import cos, pi, radians, sin
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError, Wording, allowed_names, brief, prefixed, refusal, shown
from viewer.common.frozen import frozen
from viewer.physics.solids import holes, limits, mesh_body, triangle_mesh
from viewer.physics.solids.inertia import MassProperties, check_tensor
from viewer.physics.solids.limits import MOST_FACES
from viewer.physics.solids.triangle_mesh import Cut, TriangleMesh

Array = NDArray[np.float64]

MOST_PARTS = 64
THIN = 0.02  # of the whole body's reach: the thickness at which points, thin rods and thin rings are drawn


@frozen
class Part:
    """A part of a composite body.

    Either `mass` or `density` is given, and the other is 0. Of the sizes, only those that its shape has in PART_SHAPES
    count.

    Parameters
    ----------
    shape : str, optional
        A key of PART_SHAPES.
    mass : float, optional
        The mass [kg].
    density : float, optional
        The density [kg/m3]; below 0 for a hole.
    position : sequence of float, optional
        The position (3,) [m] of the part's own origin in the frame of the parts. The origin is the middle of a box,
        ellipsoid, sphere, cylinder, rod or ring, the middle of a cone's base, the origin of a mesh file.
    orientation_deg : sequence of float, optional
        The angles (3,) [degrees] of turns about the axes x, then y, then z.
    width, depth, height, radius, length : float, optional
        The sizes [m].
    file : str, optional
        The mesh file of a mesh.
    unit : str, optional
        The unit of the mesh file's coordinates, or "longest" if it follows from `longest`.
    longest : float, optional
        The longest extent of a mesh [m].

    Raises
    ------
    InputError
        If a value is not allowed; the message begins with its name.

    Examples
    --------
    >>> from viewer import Part, RigidBody
    >>> ends = [Part("sphere", mass=1, position=(0, 0, z)) for z in (-1, 1)]
    >>> [round(float(moment), 3) for moment in RigidBody.composite(ends).principal_moments]
    [2.002, 2.002, 0.002]
    """

    shape: str = "box"
    mass: float = 0.0
    density: float = 0.0
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    orientation_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    width: float = 0.1
    depth: float = 0.1
    height: float = 0.1
    radius: float = 0.05
    length: float = 0.1
    file: str = ""
    unit: str = "m"
    longest: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.shape, str) or self.shape not in PART_SHAPES:
            raise refusal(
                "shape: {shape} is unknown; {allowed}",
                shape=shown(self.shape),
                allowed=allowed_names(self.shape, PART_SHAPES),
            )
        if isinstance(self.mass, float | int) and self.mass < 0.0:
            raise refusal("mass: {value} kg is below 0; a hole has a density below 0", value=brief(self.mass))
        limits.PART_MASS.check("mass", self.mass)
        limits.PART_DENSITY.check("density", self.density)
        limits.PLACE.check_three("position", self.position)
        limits.ANGLE.check_three("orientation_deg", self.orientation_deg)
        thin = PART_SHAPES[self.shape].volume is None
        if thin and self.density:
            raise refusal("density: a {shape} has no volume; allowed is a mass", shape=self.shape)
        if bool(self.mass) == bool(self.density):
            if thin:
                raise refusal("mass: allowed is a mass above 0")
            raise refusal("mass: allowed is either a mass or a density")
        for name in PART_SHAPES[self.shape].dimensions:
            if name in ("file", "unit"):
                if not isinstance(getattr(self, name), str):
                    raise refusal("{path}: {value} is not a string", path=name, value=shown(getattr(self, name)))
            elif name != "longest" or self.unit == "longest":
                limits.LENGTH.check(name, getattr(self, name))

    @property
    def rotation(self) -> Array:
        """The rotation (3, 3) from the part's own frame to the frame of the parts."""
        (cx, sx), (cy, sy), (cz, sz) = ((cos(radians(a)), sin(radians(a))) for a in self.orientation_deg)
        about_x = np.array([[1.0, 0.0, 0.0], [0.0, cx, -sx], [0.0, sx, cx]])
        about_y = np.array([[cy, 0.0, sy], [0.0, 1.0, 0.0], [-sy, 0.0, cy]])
        about_z = np.array([[cz, -sz, 0.0], [sz, cz, 0.0], [0.0, 0.0, 1.0]])
        return np.asarray(about_z @ about_y @ about_x)

    @property
    def volume(self) -> float | None:
        """The volume [m3]; None for a thin part, which has none."""
        volume = PART_SHAPES[self.shape].volume
        return None if volume is None else volume(self)

    @property
    def weight(self) -> float:
        """The mass [kg], given or from the density; below 0 for a hole."""
        return self.mass or self.density * (self.volume or 0.0)

    @property
    def size_of_mesh(self) -> tuple[str | None, float | None]:
        """The unit and the longest extent [m], one of which is None: the arguments of `MeshSource.scale`."""
        return (None, self.longest) if self.unit == "longest" else (self.unit, None)

    def properties(self) -> MassProperties:
        """Return the part's mass properties in the frame of the parts; a hole has a mass below zero."""
        own = PART_SHAPES[self.shape].of_one_kg(self)
        return own.times(self.weight).moved(self.rotation, np.array(self.position))

    def reach(self) -> float:
        """Return roughly how far the part reaches from the origin of the frame of the parts [m]."""
        return float(np.linalg.norm(self.position)) + PART_SHAPES[self.shape].size(self)

    def triangles(self, thickness: float) -> TriangleMesh:
        """Return the part's triangles in the frame of the parts; those of holes face inward.

        Parameters
        ----------
        thickness : float
            The thickness [m] at which a thin part is drawn.
        """
        mesh = PART_SHAPES[self.shape].triangles(self, thickness)
        faces = mesh.faces[:, ::-1] if self.density < 0.0 else mesh.faces
        return replace(mesh, vertices=mesh.vertices @ self.rotation.T + self.position, faces=faces)


@frozen
class PartShape:
    """A kind of part.

    Attributes
    ----------
    label
        The name on the screen.
    dimensions
        The fields of `Part` that it takes.
    of_one_kg
        A function that returns the mass properties of 1 kg in the part's own frame.
    volume
        A function that returns the volume [m3]; None for a thin part, which has only a mass.
    size
        A function that returns roughly how far the part reaches from its own origin [m].
    triangles
        A function that returns the triangles of a part, drawn with a given thickness [m] if it is thin.
    half
        A function that returns the half extents along the part's axes [m], but the whole height of a cone; None for a
        thin part and a mesh.
    """

    label: str
    dimensions: tuple[str, ...]
    of_one_kg: Callable[[Part], MassProperties]
    volume: Callable[[Part], float] | None
    size: Callable[[Part], float]
    triangles: Callable[[Part, float], TriangleMesh]
    half: Callable[[Part], tuple[float, float, float]] | None = None


def _diagonal(x: float, y: float, z: float, along: float = 0.0) -> MassProperties:
    """Return the mass properties of 1 kg with these moments about its centre, which lies at z = `along`."""
    return MassProperties(1.0, np.array([0.0, 0.0, along]), np.diag([x, y, z]))


def _block(part: Part, divisor: float) -> MassProperties:
    w, d, h = part.width**2, part.depth**2, part.height**2
    return _diagonal((d + h) / divisor, (w + h) / divisor, (w + d) / divisor)


def _cylinder(part: Part) -> MassProperties:
    across = (3.0 * part.radius**2 + part.height**2) / 12.0
    return _diagonal(across, across, 0.5 * part.radius**2)


def _cone(part: Part) -> MassProperties:
    across = 3.0 / 80.0 * (4.0 * part.radius**2 + part.height**2)
    return _diagonal(across, across, 0.3 * part.radius**2, 0.25 * part.height)


def _ball(part: Part) -> MassProperties:
    return _diagonal(*[0.4 * part.radius**2] * 3)


def _mesh_of_density_one(part: Part) -> MassProperties:
    if why := mesh_body.mesh_source(part.file).unsure:
        raise refusal("file: {name} is no solid: {why}; allowed is a closed mesh", name=Path(part.file).name, why=why)
    return mesh_body.mesh_properties(part.file, *part.size_of_mesh, density=1.0, method="solid")[0]


def _mesh(part: Part) -> MassProperties:
    found = _mesh_of_density_one(part)
    return found.times(1.0 / found.mass)


def _mesh_triangles(part: Part) -> TriangleMesh:
    source = mesh_body.mesh_source(part.file)
    mesh = source.triangles()
    return TriangleMesh(mesh.vertices * source.scale(*part.size_of_mesh), mesh.faces)


def _mesh_size(part: Part) -> float:
    return float(np.max(np.linalg.norm(_mesh_triangles(part).vertices, axis=1)))


def _half_block(part: Part) -> tuple[float, float, float]:
    return 0.5 * part.width, 0.5 * part.depth, 0.5 * part.height


_BLOCK = ("width", "depth", "height")
PART_SHAPES: dict[str, PartShape] = {
    "box": PartShape(
        "Box", _BLOCK, lambda p: _block(p, 12.0), lambda p: p.width * p.depth * p.height,
        lambda p: 0.5 * max(p.width, p.depth, p.height), lambda p, _: triangle_mesh.box(p.width, p.depth, p.height),
        _half_block,
    ),
    "cylinder": PartShape(
        "Cylinder", ("radius", "height"), _cylinder, lambda p: pi * p.radius**2 * p.height,
        lambda p: max(p.radius, 0.5 * p.height), lambda p, _: triangle_mesh.cylinder(p.radius, p.height),
        lambda p: (p.radius, p.radius, 0.5 * p.height),
    ),
    "sphere": PartShape(
        "Sphere", ("radius",), _ball, lambda p: 4.0 / 3.0 * pi * p.radius**3,
        lambda p: p.radius, lambda p, _: triangle_mesh.ellipsoid(*[2.0 * p.radius] * 3),
        lambda p: (p.radius, p.radius, p.radius),
    ),
    "ellipsoid": PartShape(
        "Ellipsoid", _BLOCK, lambda p: _block(p, 20.0), lambda p: pi / 6.0 * p.width * p.depth * p.height,
        lambda p: 0.5 * max(p.width, p.depth, p.height),
        lambda p, _: triangle_mesh.ellipsoid(p.width, p.depth, p.height), _half_block,
    ),
    "cone": PartShape(
        "Cone", ("radius", "height"), _cone, lambda p: pi / 3.0 * p.radius**2 * p.height,
        lambda p: max(p.radius, p.height), lambda p, _: triangle_mesh.cone(p.radius, p.height),
        lambda p: (p.radius, p.radius, p.height),
    ),
    "point": PartShape(
        "Point mass", (), lambda p: _diagonal(0.0, 0.0, 0.0), None, lambda p: 0.0,
        lambda p, thickness: triangle_mesh.ellipsoid(*[2.0 * thickness] * 3),
    ),
    "rod": PartShape(
        "Thin rod", ("length",), lambda p: _diagonal(p.length**2 / 12.0, p.length**2 / 12.0, 0.0), None,
        lambda p: 0.5 * p.length, lambda p, thickness: triangle_mesh.cylinder(0.5 * thickness, p.length),
    ),
    "ring": PartShape(
        "Thin ring", ("radius",), lambda p: _diagonal(0.5 * p.radius**2, 0.5 * p.radius**2, p.radius**2), None,
        lambda p: p.radius, lambda p, thickness: triangle_mesh.ring(p.radius, min(thickness, p.radius)),
    ),
    "mesh": PartShape(
        "Mesh", ("file", "unit", "longest"), _mesh, lambda p: _mesh_of_density_one(p).mass, _mesh_size,
        lambda p, _: _mesh_triangles(p),
    ),
}  # fmt: skip


CUT_KINDS = {
    "box": "box", "cylinder": "cylinder", "sphere": "ellipsoid", "ellipsoid": "ellipsoid", "cone": "cone",
    "point": "ellipsoid", "rod": "cylinder",
}  # fmt: skip


def region_of(part: Part, reach: float) -> holes.Region | None:
    """Return the region that a part fills with its density; None if it is thin.

    `reach` [m] is how far the whole body reaches.
    """
    volume, half = part.volume, PART_SHAPES[part.shape].half
    if volume is None:
        return None
    place = part.density or part.mass / volume, part.rotation, np.array(part.position)
    if half is not None:
        return holes.Region(*place, *holes.simple(CUT_KINDS[part.shape], half(part), reach))
    source = mesh_body.mesh_source(part.file)
    scale = source.scale(*part.size_of_mesh)
    return holes.Region(
        *place,
        lambda points: np.clip(source.crossings.times(points / scale), 0.0, 1.0),
        lambda depth: scale * holes.below_faces(source.some_faces(), depth / scale),
        PART_SHAPES[part.shape].size(part),
        len(source.surface.faces),
    )


def _cut(part: Part, mesh: TriangleMesh) -> Cut:
    """Return the simple solid that a part adds to the body or takes from it; `mesh` has the part's triangles.

    A ring or a mesh is replaced by the box around it, but the kind of a hole that is a mesh is "".
    """
    own = (mesh.vertices - part.position) @ part.rotation
    low, high = np.min(own, axis=0), np.max(own, axis=0)
    half, middle = 0.5 * (high - low), 0.5 * (high + low)
    if part.shape == "cone":
        half, middle = half * (1.0, 1.0, 2.0), np.zeros(3)
    kind = CUT_KINDS.get(part.shape, "" if part.density < 0.0 else "box")
    unit_from_parts = part.rotation.T / half[:, None]
    return Cut(kind, unit_from_parts, -(unit_from_parts @ part.position) - middle / half, part.density < 0.0)


def total(parts: Sequence[Part]) -> MassProperties:
    """Return the mass properties of all parts together, in their frame. Overlaps count twice; a hole takes away.

    Raises InputError, whose message begins with "parts", if a part is not possible or the sum is no solid.
    """
    given: object = parts
    if not isinstance(given, Sequence) or isinstance(given, str | bytes):
        raise refusal("parts: {value} is not a list of parts", value=shown(given))
    if not parts:
        raise refusal("parts: there is none; a body has one at least")
    if len(parts) > MOST_PARTS:
        raise refusal("parts: {count} are too many; allowed are at most {most}", count=len(parts), most=MOST_PARTS)
    found = []
    faces = 0
    for number, part in enumerate(parts):
        if not isinstance(part, Part):
            raise refusal("parts[{number}]: {value} is no Part", number=number, value=shown(part))
        try:
            found.append(part.properties())
        except InputError as error:
            raise prefixed(f"parts[{number}]: ", error) from None
        if part.shape == "mesh":
            faces += len(mesh_body.mesh_source(part.file).surface.faces)
        if faces > MOST_FACES:
            raise refusal(
                "parts[{number}]: with it the meshes have {count} faces together; allowed are at most {most}",
                number=number,
                count=f"{faces:,}",
                most=f"{MOST_FACES:,}",
            )
    mass = sum(part.mass for part in found)
    if not mass > 1e-12 * sum(abs(part.mass) for part in found):
        raise refusal("parts: with the holes the mass is {mass} kg; allowed is more than 0", mass=brief(mass, 6))
    if any(part.density < 0.0 for part in parts):
        reach = max(part.reach() for part in parts)
        holes.check([region_of(part, reach) for part in parts], reach)
    sum_of_parts = MassProperties.total(found)
    try:
        check_tensor(sum_of_parts.tensor)
    except InputError as error:
        raise refusal("parts: they make no solid: {why}", why=error) from None
    return sum_of_parts


def triangles(parts: Sequence[Part]) -> TriangleMesh:
    """Return the triangles of all parts in their common frame; the mesh's `parts` says which part a face belongs to."""
    thickness = THIN * (max(part.reach() for part in parts) or 1.0)
    meshes = [part.triangles(thickness) for part in parts]
    holes = any(part.density < 0.0 for part in parts)
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    return TriangleMesh(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate([mesh.faces + start for mesh, start in zip(meshes, starts, strict=False)]).astype(np.int32),
        parts=np.repeat(np.arange(len(parts), dtype=np.int32), [len(mesh.faces) for mesh in meshes]),
        cuts=tuple(_cut(part, mesh) for part, mesh in zip(parts, meshes, strict=True)) if holes else (),
    )


def notes(parts: Sequence[Part]) -> tuple[Wording, ...]:
    """Return a note that says how many holes there are among the parts, or no note if there are none."""
    holes = sum(part.density < 0.0 for part in parts)
    return (Wording("holes: {count}", count=holes),) if holes else ()
