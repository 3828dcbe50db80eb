"""A rigid body: mass and principal moments of inertia; and the table of solids that it can be made from."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import Wording, brief, refusal, shown
from viewer.common.frozen import frozen
from viewer.physics.solids.inertia import InertiaSource, MassProperties, THandle, check_tensor, principal_axes
from viewer.physics.solids.triangle_mesh import TriangleMesh

if TYPE_CHECKING:
    from viewer.physics.solids.composite import Part

Array = NDArray[np.float64]

MOMENT_LOW, MOMENT_HIGH = 1e-60, 1e60  # kg m2: products of a few of them stay finite
FORMULA = InertiaSource("formula")
CENTRED = 1e-9  # of the radius of gyration: a centre of mass so near to the origin is there; files are less exact
ROUNDING = 1e-12  # relative; a flat solid meets its triangle inequality only to round-off


@frozen
class RigidBody:
    """Mass [kg] and principal moments (3,) [kg m2] about the body axes x, y, z, in this order, never sorted.

    The body frame is the frame of the principal axes at the centre of mass. Where the body came in another frame, that
    of a mesh file, of a tensor or of the parts: `principal_axes` (3, 3) is the rotation v_file = principal_axes @
    v_body, whose columns are the body axes in that frame, and `centre` (3,) [m] the centre of mass there.
    `inertia_source`: what the moments were computed from. `mesh`: how it looks, in the body frame; None: as its shape
    says. `parts`: of a composite body, what it is the sum of.
    Equal values compare equal; how it looks and where its moments come from do not count.
    Raises ValueError where a moment or the mass is not positive and finite.
    """

    principal_moments: Array
    mass: float = 1.0
    principal_axes: Array = field(default_factory=lambda: np.eye(3))
    centre: Array = field(default_factory=lambda: np.zeros(3))
    inertia_source: InertiaSource = FORMULA
    mesh: TriangleMesh | None = field(default=None, repr=False)
    parts: tuple[Part, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        moments = np.array(self.principal_moments, dtype=np.float64)
        if moments.shape != (3,):
            raise refusal(
                "moments: {principal_moments!r} are not three numbers", principal_moments=self.principal_moments
            )
        for value in moments:
            if not MOMENT_LOW <= value <= MOMENT_HIGH:
                raise refusal(
                    "moments: {value:g} kg m² is outside {moment_low:g} to {moment_high:g} kg m²",
                    value=float(value),
                    moment_low=MOMENT_LOW,
                    moment_high=MOMENT_HIGH,
                )
        axes, centre = np.array(self.principal_axes, dtype=np.float64), np.array(self.centre, dtype=np.float64)
        for name, value in (("principal_moments", moments), ("principal_axes", axes), ("centre", centre)):
            value.setflags(write=False)
            object.__setattr__(self, name, value)
        object.__setattr__(self, "mass", _positive("mass", self.mass, "kg"))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RigidBody):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[float, ...]:
        frame = (*self.principal_axes.ravel().tolist(), *self.centre.tolist())
        return (self.mass, *self.principal_moments.tolist(), *frame)

    @property
    def inverse_moments(self) -> Array:
        """(3,), 1 / (kg m2)."""
        return np.asarray(1.0 / self.principal_moments, dtype=np.float64)

    @property
    def tensor(self) -> Array:
        """The inertia tensor (3, 3) [kg m2] about the centre of mass, along the axes of the file, the tensor
        or the parts.

        Its off-diagonal elements are -integral x y dm and so on.
        """
        return np.asarray(self.principal_axes * self.principal_moments @ self.principal_axes.T)

    @property
    def warning(self) -> str | None:
        """Which triangle inequality the moments break, if any: no solid has such moments, yet they can turn."""
        return broken_triangle(self.principal_moments, " kg m²")

    @classmethod
    def box(cls, mass: float, width: float, depth: float, height: float) -> RigidBody:
        """Return a homogeneous box [kg, m]; width, depth, height lie along body x, y, z."""
        m, w, d, h = _sizes(mass, width=width, depth=depth, height=height)
        return cls(np.array([d * d + h * h, w * w + h * h, w * w + d * d]) * (m / 12), m)

    @classmethod
    def ellipsoid(cls, mass: float, width: float, depth: float, height: float) -> RigidBody:
        """Return a homogeneous ellipsoid [kg, m]; width, depth, height are its full axes along body x, y, z."""
        m, w, d, h = _sizes(mass, width=width, depth=depth, height=height)
        return cls(np.array([d * d + h * h, w * w + h * h, w * w + d * d]) * (m / 20), m)

    @classmethod
    def cylinder(cls, mass: float, radius: float, height: float) -> RigidBody:
        """Return a homogeneous cylinder [kg, m] about body z."""
        m, r, h = _sizes(mass, radius=radius, height=height)
        across = m * (3 * r * r + h * h) / 12
        return cls(np.array([across, across, m * r * r / 2]), m)

    @classmethod
    def sphere(cls, mass: float, radius: float) -> RigidBody:
        """Return a homogeneous sphere [kg, m]."""
        m, r = _sizes(mass, radius=radius)
        return cls(np.full(3, 0.4 * m * r * r), m)

    @classmethod
    def t_handle(cls, mass: float, width: float, height: float, thickness: float) -> RigidBody:
        """A homogeneous T of two round bars [kg, m], as `THandle` has it: crossbar along body x, handle along z."""
        m, w, h, t = _sizes(mass, width=width, height=height, thickness=thickness)
        return cls(m * np.array(THandle(w, h, t).moments), m)

    @classmethod
    def from_moments(cls, moments: Sequence[float], mass: float = 1.0) -> RigidBody:
        """Raw principal moments (3,) [kg m2]; also such that no solid has, see `warning`."""
        return cls(np.array(moments, dtype=np.float64), mass, inertia_source=InertiaSource("moments"))

    @classmethod
    def from_tensor(cls, tensor: Sequence[float] | Sequence[Sequence[float]] | Array, mass: float = 1.0) -> RigidBody:
        """From the inertia tensor about the centre of mass [kg m2]: (3, 3), or Ixx, Iyy, Izz, Ixy, Ixz, Iyz.

        The last three are the elements of the tensor, Ixy = -integral x y dm; sources that state +integral x y dm as
        the product of inertia need their sign changed. Raises ValueError where no solid has it.
        """
        try:
            given = np.array(tensor, dtype=np.float64)
        except (TypeError, ValueError):
            given = np.empty(0)
        if given.shape == (6,):
            xx, yy, zz, xy, xz, yz = given.tolist()
            given = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if given.shape != (3, 3) or not np.array_equal(given, given.T, equal_nan=True):
            raise refusal("tensor: allowed are six numbers, or three rows of three that are symmetric")
        check_tensor(given)
        return cls._of(MassProperties(mass, np.zeros(3), given), InertiaSource("tensor"), None)

    @classmethod
    def from_mesh(
        cls,
        path: str | os.PathLike[str],
        *,
        unit: str | None = None,
        longest: float | None = None,
        mass: float | None = None,
        density: float | None = None,
        method: str = "auto",
        thickness: float | None = None,
    ) -> RigidBody:
        """From a mesh file: STL, OBJ, PLY, GLB, OFF.

        `unit`: of its coordinates, mm, cm, in, m or km (GLB: m); or `longest`: its longest extent along x, y, z [m].
        `mass` [kg] or `density` [kg/m3], one of them. `method`: "solid", "shell" (a thin sheet along the surface, of
        `thickness` [m], which only its mass from a density depends on), "hull" (convex hull), or "auto": the first of
        these that is possible, a shell only where its thickness is given or the mesh is flat. `inertia_source` says
        which it was. Raises ValueError.
        """
        from viewer.physics.solids import mesh_body  # here: few bodies have a mesh

        found, source, scale = mesh_body.mesh_properties(path, unit, longest, mass, density, method, thickness)
        mesh = mesh_body.mesh_source(path).drawn(method, thickness is not None, scale)
        return cls._of(found, source, mesh)

    def with_appearance(
        self, path: str | os.PathLike[str], *, unit: str | None = None, longest: float | None = None
    ) -> RigidBody:
        """The same body, drawn as a mesh file whose origin is the centre of mass, with its axes as those of the tensor.

        `unit`, `longest`: as of `from_mesh`. Raises ValueError.
        """
        from viewer.physics.solids import mesh_body  # here: few bodies have a mesh

        source = mesh_body.mesh_source(path)
        return replace(self, mesh=source.placed(np.zeros(3), self.principal_axes, source.scale(unit, longest)))

    def drawn_as_parts(self, parts: Sequence[Part]) -> RigidBody:
        """Return the same body, drawn as a composite one about its own centre of mass, the axes of the parts as those
        of the tensor. Raises ValueError where they make no solid.
        """
        from viewer.physics.solids import composite

        centre = composite.total(parts).centre
        return replace(self, mesh=composite.triangles(parts).moved(centre, self.principal_axes))

    @classmethod
    def composite(cls, parts: Sequence[Part]) -> RigidBody:
        """From `viewer.Part`s, by parallel axes. Raises ValueError where they make no solid."""
        from viewer.physics.solids import composite

        found = composite.total(parts)
        body = cls._of(found, InertiaSource("composite", None, composite.notes(parts)), None)
        mesh = composite.triangles(parts).moved(body.centre, body.principal_axes)
        return replace(body, mesh=mesh, parts=tuple(parts))

    @classmethod
    def _of(cls, found: MassProperties, source: InertiaSource, mesh: TriangleMesh | None) -> RigidBody:
        """Return the body with these mass properties in some frame; `mesh`: in the frame of the body."""
        moments, axes = principal_axes(found.tensor)
        size = math.sqrt(float(moments.max()) / found.mass) + float(np.max(np.abs(found.centre)))
        centre = np.where(np.abs(found.centre) < CENTRED * size, 0.0, found.centre)
        return cls(moments, found.mass, axes, centre, source, mesh)


def broken_triangle(moments: Array, unit: str) -> str | None:
    """Which triangle inequality moments (3,) in `unit` break, as a sentence; None where a solid may have them."""
    for i, j, k in ((1, 2, 0), (2, 0, 1), (0, 1, 2)):
        a, b, c = moments[[i, j, k]].tolist()
        if (a + b) < c * (1.0 - ROUNDING):
            return str(Wording(
                "no solid has these moments: {two} = {sum} is less than {third} = {moment}",
                two=f"I{'xyz'[i]} + I{'xyz'[j]}", sum=brief(a + b, 6) + unit,
                third=f"I{'xyz'[k]}", moment=brief(c, 6) + unit,
            ))  # fmt: skip
    return None


def _positive(name: str, value: float, unit: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise refusal(
            "{name}: {value} is not a number; it must be positive and finite", name=name, value=shown(value)
        ) from None
    if not 0.0 < number < math.inf:
        raise refusal(
            "{name}: {number:g} {unit} is not allowed; it must be positive and finite",
            name=name,
            number=number,
            unit=unit,
        )
    return number


def _sizes(mass: float, **lengths: float) -> tuple[float, ...]:
    return (_positive("mass", mass, "kg"), *(_positive(name, size, "m") for name, size in lengths.items()))


def _mesh_body(
    file: str, unit: str, longest: float, mass: float, density: float, method: str, shell_thickness: float
) -> RigidBody:
    """As a scene has it: with a density of 0 the mass is given, with a thickness of 0 that is not known."""
    if not file:
        raise refusal("file: is missing; allowed is a mesh file: STL, OBJ, PLY, GLB, OFF")
    if method == "shell" and density > 0.0 and shell_thickness == 0.0:
        raise refusal("shell_thickness: 0 m gives no mass; allowed is more than 0, or a density of 0 and a mass")
    try:
        return RigidBody.from_mesh(
            file,
            unit=None if unit == "longest" else unit,
            longest=longest if unit == "longest" else None,
            mass=None if density > 0.0 else mass,
            density=density if density > 0.0 else None,
            method=method,
            thickness=shell_thickness if shell_thickness > 0.0 else None,
        )
    except ValueError as error:
        raise ValueError(f"file: {error}") from None


def _of_numbers(make: Callable[..., RigidBody]) -> Callable[..., RigidBody]:
    """A body of `make`, as a scene has it: drawn as `parts` or as the mesh file `appearance`, where they are given."""

    def made(
        *,
        appearance: str = "",
        unit: str = "m",
        longest: float = 1.0,
        show_parts: bool = False,
        parts: Sequence[Part] = (),
        **numbers: Any,
    ) -> RigidBody:
        body = make(**numbers)
        if show_parts and parts:
            return body.drawn_as_parts(parts)
        if not appearance:
            return body
        by_extent = unit == "longest"
        try:
            return body.with_appearance(
                appearance, unit=None if by_extent else unit, longest=longest if by_extent else None
            )
        except ValueError as error:
            raise ValueError(f"appearance: {error}") from None

    return made


@frozen
class Shape:
    """One kind of body. `dimensions`: the fields that it takes, which are the arguments of `make`.

    `formula`: its principal moments, with m, w, d, h, r for mass, width, depth, height, radius; or how they are found.
    """

    name: str
    label: str
    formula: str
    dimensions: tuple[str, ...]
    make: Callable[..., RigidBody]


_LOOK = ("appearance", "unit", "longest", "show_parts", "parts")
_SIDES = ("mass", "width", "depth", "height")
_TABLE = (
    Shape("ellipsoid", "Ellipsoid", "I = m/20 (d² + h², w² + h², w² + d²)", _SIDES, RigidBody.ellipsoid),
    Shape("box", "Box", "I = m/12 (d² + h², w² + h², w² + d²)", _SIDES, RigidBody.box),
    Shape(
        "cylinder", "Cylinder", "I = m/12 (3 r² + h², 3 r² + h², 6 r²)", ("mass", "radius", "height"),
        RigidBody.cylinder,
    ),
    Shape(
        "t-handle", "T-handle", "I: two round bars, by parallel axes; what they have in common counts once",
        ("mass", "width", "height", "thickness"), RigidBody.t_handle,
    ),
    Shape("sphere", "Sphere", "I = 2/5 m r²", ("mass", "radius"), RigidBody.sphere),
    Shape(
        "moments", "Raw moments", "I = (I₁, I₂, I₃); a solid has I₁ + I₂ ≥ I₃ for each order",
        ("moments", "mass", *_LOOK), _of_numbers(RigidBody.from_moments),
    ),
    Shape(
        "tensor", "Tensor", "Ixx = ∫ (y² + z²) dm, Ixy = −∫ x y dm, ..., turned into its principal axes",
        ("tensor", "mass", *_LOOK), _of_numbers(RigidBody.from_tensor),
    ),
    Shape(
        "mesh", "Mesh", "I: integrals over the triangles of a file",
        ("file", "unit", "longest", "mass", "density", "method", "shell_thickness"), _mesh_body,
    ),
    Shape("composite", "Composite", "I: the sum of the parts, by parallel axes", ("parts",), RigidBody.composite),
)  # fmt: skip

SHAPES: dict[str, Shape] = {shape.name: shape for shape in _TABLE}
