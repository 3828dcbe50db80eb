"""A rigid body, which is its mass and its principal moments of inertia, and the table of solids to make it from."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.common.errors import Wording, brief, prefixed, refusal, shown
from viewer.common.frozen import frozen
from viewer.physics.rotation import rotate
from viewer.physics.solids.inertia import LEAST, InertiaSource, MassProperties, THandle, check_tensor, principal_axes
from viewer.physics.solids.triangle_mesh import TriangleMesh

if TYPE_CHECKING:
    from viewer.physics.solids.composite import Part

Array = NDArray[np.float64]

MOMENT_LOW, MOMENT_HIGH = 1e-60, 1e60  # kg m2: products of a few of them stay finite
FORMULA = InertiaSource("formula")
CENTRED = 1e-9  # of the body's size: a centre of mass this close to the origin counts as there; files are less exact
ALIKE = 1e-12  # relative difference up to which two moments are equal, or a point lies on an axis
ROUNDING = 1e-12  # relative; a flat solid meets its triangle inequality only to round-off


@frozen
class RigidBody:
    """A rigid body: its mass and its principal moments of inertia, in the order of the body axes x, y, z, never sorted.

    The body frame is the frame of the principal axes at the centre of mass or, if the body turns about a pivot, at the
    pivot. Two bodies are equal if mass, moments, axes and centre are; how a body looks and how its moments were found
    do not count.

    Parameters
    ----------
    principal_moments : ndarray
        The moments (3,) [kg m2] about the body axes.
    mass : float, optional
        The mass [kg].
    principal_axes : ndarray, optional
        The rotation (3, 3) from the body frame to the frame in which the body was given, that of a mesh file, a tensor
        or the parts: v_given = principal_axes @ v_body. Its columns are the body axes in that frame.
    centre : ndarray, optional
        The centre of mass (3,) [m] in that frame.
    inertia_source : InertiaSource, optional
        What the moments were computed from.
    mesh : TriangleMesh, optional
        The surface that is drawn, in the body frame; None if the shape says how the body looks.
    parts : tuple of Part, optional
        The parts of a composite body.
    centre_of_mass : ndarray, optional
        The centre of mass (3,) [m] in the body frame; 0 unless the body turns about a pivot, see `about`.

    Raises
    ------
    ValueError
        If a moment or the mass is not positive and finite.

    Examples
    --------
    >>> from viewer import RigidBody
    >>> RigidBody.box(12, 1, 2, 3).principal_moments
    array([13., 10.,  5.])
    """

    principal_moments: Array
    mass: float = 1.0
    principal_axes: Array = field(default_factory=lambda: np.eye(3))
    centre: Array = field(default_factory=lambda: np.zeros(3))
    inertia_source: InertiaSource = FORMULA
    mesh: TriangleMesh | None = field(default=None, repr=False)
    parts: tuple[Part, ...] = field(default=(), repr=False)
    centre_of_mass: Array = field(default_factory=lambda: np.zeros(3))

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
        object.__setattr__(self, "principal_moments", moments)
        for name in ("principal_moments", "principal_axes", "centre", "centre_of_mass"):
            value = np.array(getattr(self, name), dtype=np.float64)
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
        return (self.mass, *self.principal_moments.tolist(), *frame, *self.centre_of_mass.tolist())

    @property
    def inverse_moments(self) -> Array:
        """The inverse moments (3,) [1/(kg m2)]."""
        return np.asarray(1.0 / self.principal_moments, dtype=np.float64)

    @property
    def tensor(self) -> Array:
        """The inertia tensor (3, 3) [kg m2] at the body frame's origin, along the axes in which the body was given.

        Its off-diagonal elements are -integral x y dm and so on.
        """
        return np.asarray(self.principal_axes * self.principal_moments @ self.principal_axes.T)

    @cached_property
    def top_axis(self) -> int | None:
        """The number of the body axis through pivot and centre of mass about which a top is symmetric, or None."""
        return axis_of_top(self.principal_moments, self.centre_of_mass)

    def centre_at(self, orientation_wxyz: ArrayLike, position: ArrayLike) -> Array:
        """Return the places (..., 3) [m] in space of the centre of mass, from orientations and positions of the body.

        Parameters
        ----------
        orientation_wxyz : array_like
            Orientations (..., 4).
        position : array_like
            Positions (..., 3) [m] of its pivot or, without one, of the centre of mass itself.
        """
        there = np.asarray(position, dtype=np.float64)
        return there + rotate(orientation_wxyz, self.centre_of_mass) if self.centre_of_mass.any() else there

    @property
    def half_axes(self) -> Array:
        """The half axes (3,) [m] of the ellipsoid of this mass that has these moments.

        If no solid has them, its short axes are kept above a twelfth of the longest.
        """
        squares = 5.0 / self.mass * (0.5 * float(np.sum(self.principal_moments)) - self.principal_moments)
        extents = np.sqrt(np.maximum(squares, 0.0))
        return np.asarray(np.maximum(extents, float(np.max(extents)) / 12.0))

    @property
    def warning(self) -> str | None:
        """A sentence on the triangle inequality that the moments violate; None if they violate none.

        A body that violates one can turn, but no solid has such moments.
        """
        return broken_triangle(self.principal_moments, " kg m²")

    @classmethod
    def box(cls, mass: float, width: float, depth: float, height: float) -> RigidBody:
        """Return a homogeneous box.

        Parameters
        ----------
        mass : float
            The mass [kg].
        width, depth, height : float
            Its extents [m] along body x, y, z.
        """
        m, w, d, h = _sizes(mass, width=width, depth=depth, height=height)
        return cls(np.array([d * d + h * h, w * w + h * h, w * w + d * d]) * (m / 12), m)

    @classmethod
    def ellipsoid(cls, mass: float, width: float, depth: float, height: float) -> RigidBody:
        """Return a homogeneous ellipsoid.

        Parameters
        ----------
        mass : float
            The mass [kg].
        width, depth, height : float
            Its full axes [m] along body x, y, z.
        """
        m, w, d, h = _sizes(mass, width=width, depth=depth, height=height)
        return cls(np.array([d * d + h * h, w * w + h * h, w * w + d * d]) * (m / 20), m)

    @classmethod
    def cylinder(cls, mass: float, radius: float, height: float) -> RigidBody:
        """Return a homogeneous cylinder about body z.

        Parameters
        ----------
        mass : float
            The mass [kg].
        radius, height : float
            Its radius and its height [m].
        """
        m, r, h = _sizes(mass, radius=radius, height=height)
        across = m * (3 * r * r + h * h) / 12
        return cls(np.array([across, across, m * r * r / 2]), m)

    @classmethod
    def sphere(cls, mass: float, radius: float) -> RigidBody:
        """Return a homogeneous sphere.

        Parameters
        ----------
        mass : float
            The mass [kg].
        radius : float
            Its radius [m].
        """
        m, r = _sizes(mass, radius=radius)
        return cls(np.full(3, 0.4 * m * r * r), m)

    @classmethod
    def t_handle(cls, mass: float, width: float, height: float, thickness: float) -> RigidBody:
        """Return a homogeneous T of two round bars: the crossbar lies along body x, the stem along body z.

        Parameters
        ----------
        mass : float
            The mass [kg].
        width : float
            The length of the crossbar [m].
        height : float
            The whole height [m].
        thickness : float
            The diameter of both bars [m].
        """
        m, w, h, t = _sizes(mass, width=width, height=height, thickness=thickness)
        return cls(m * np.array(THandle(w, h, t).moments), m)

    @classmethod
    def from_moments(cls, moments: Sequence[float], mass: float = 1.0) -> RigidBody:
        """Return a body with given principal moments; even moments that no solid has are allowed, see `warning`.

        Parameters
        ----------
        moments : sequence of float
            The moments (3,) [kg m2].
        mass : float, optional
            The mass [kg].
        """
        return cls(np.array(moments, dtype=np.float64), mass, inertia_source=InertiaSource("moments"))

    @classmethod
    def from_tensor(cls, tensor: Sequence[float] | Sequence[Sequence[float]] | Array, mass: float = 1.0) -> RigidBody:
        """Return a body with an inertia tensor about the centre of mass.

        Parameters
        ----------
        tensor : array_like
            The tensor (3, 3) [kg m2], or its elements Ixx, Iyy, Izz, Ixy, Ixz, Iyz. The last three are Ixy = -integral
            x y dm; sources that state +integral x y dm as the product of inertia need their sign changed.
        mass : float, optional
            The mass [kg].

        Raises
        ------
        ValueError
            If no solid has that tensor.
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
        """Return the body in a mesh file: STL, OBJ, PLY, GLB, OFF. Its `inertia_source` says which `method` was used.

        Parameters
        ----------
        path : str or path
            The file.
        unit : str, optional
            The unit of its coordinates: mm, cm, in, m or km (GLB: m).
        longest : float, optional
            The longest extent along x, y, z [m], in place of the unit.
        mass, density : float, optional
            The mass [kg] or the density [kg/m3]; exactly one must be given.
        method : str, optional
            "solid", "shell" (a thin sheet along the surface), "hull" (convex hull), or "auto": the first of these that
            is possible, a shell only if its thickness is given or the mesh is flat.
        thickness : float, optional
            The thickness of a shell [m], from which its mass follows if a density is given.

        Raises
        ------
        ValueError
            If the file cannot be read, or the arguments do not fit it.
        """
        from viewer.physics.solids import mesh_body  # here: few bodies have a mesh

        found, source, scale = mesh_body.mesh_properties(path, unit, longest, mass, density, method, thickness)
        mesh = mesh_body.mesh_source(path).drawn(method, thickness is not None, scale)
        return cls._of(found, source, mesh)

    def about(self, pivot: Sequence[float]) -> RigidBody:
        """Return the same body, free to turn about a pivot that stays where it is.

        The moments and the axes are those of the tensor at the pivot, by the parallel axis theorem.

        Parameters
        ----------
        pivot : sequence of float
            The pivot (3,) [m] as seen from the centre of mass, in the axes of this body.

        Raises
        ------
        ValueError
            If the pivot is not three finite numbers, is so far off the body axes that the tensor there keeps too few
            digits of the smallest moment, or a moment about it is out of range.

        Examples
        --------
        >>> from viewer import RigidBody
        >>> top = RigidBody.from_moments((1, 1, 0.5), mass=2).about((0, 0, -3))
        >>> top.principal_moments, top.centre_of_mass
        (array([19. , 19. ,  0.5]), array([0., 0., 3.]))
        """
        given = np.asarray(pivot, dtype=np.float64)
        if given.shape != (3,) or not np.isfinite(given).all():
            raise refusal("pivot: {given} is not allowed; it must be three finite numbers", given=shown(pivot))
        away = np.diag(np.full(3, given @ given)) - np.outer(given, given)
        moments, axes = principal_axes(np.diag(self.principal_moments) + self.mass * away)
        ratio = float(moments.min() / moments.max())
        if np.count_nonzero(given) > 1 and ratio < LEAST:
            raise refusal(
                "pivot: {distance:.3g} m from the centre of mass is too far: the smallest moment there is {ratio:.3g}"
                " of the largest; allowed is at least {least:g} of it, or a pivot on a body axis",
                distance=math.hypot(*given),
                ratio=ratio,
                least=LEAST,
            )
        return replace(
            self,
            principal_moments=moments,
            principal_axes=self.principal_axes @ axes,
            centre_of_mass=self.centre_of_mass - given @ axes,
            mesh=self.mesh and self.mesh.moved(given, axes),
        )

    def with_appearance(
        self, path: str | os.PathLike[str], *, unit: str | None = None, longest: float | None = None
    ) -> RigidBody:
        """Return the same body, drawn as a mesh.

        The origin of the mesh file is the centre of mass, its axes are those of the tensor.

        Parameters
        ----------
        path : str or path
            The file.
        unit : str, optional
            As in `from_mesh`.
        longest : float, optional
            As in `from_mesh`.

        Raises
        ------
        ValueError
            If the file cannot be read, or its unit is not known.
        """
        from viewer.physics.solids import mesh_body  # here: few bodies have a mesh

        source = mesh_body.mesh_source(path)
        return replace(self, mesh=source.placed(np.zeros(3), self.principal_axes, source.scale(unit, longest)))

    def drawn_as_parts(self, parts: Sequence[Part]) -> RigidBody:
        """Return the same body, drawn as parts: their centre of mass is the body's, their axes are those of the tensor.

        Parameters
        ----------
        parts : sequence of Part
            The parts.

        Raises
        ------
        ValueError
            If the parts make no solid.
        """
        from viewer.physics.solids import composite

        centre = composite.total(parts).centre
        return replace(self, mesh=composite.triangles(parts).moved(centre, self.principal_axes))

    @classmethod
    def composite(cls, parts: Sequence[Part]) -> RigidBody:
        """Return a body that is the sum of parts, by the parallel axis theorem.

        Parameters
        ----------
        parts : sequence of Part
            The parts.

        Raises
        ------
        ValueError
            If the parts make no solid.
        """
        from viewer.physics.solids import composite

        found = composite.total(parts)
        body = cls._of(found, InertiaSource("composite", None, composite.notes(parts)), None)
        mesh = composite.triangles(parts).moved(body.centre, body.principal_axes)
        return replace(body, mesh=mesh, parts=tuple(parts))

    @classmethod
    def _of(cls, found: MassProperties, source: InertiaSource, mesh: TriangleMesh | None) -> RigidBody:
        """Return the body with these mass properties, which may be in any frame; `mesh` is in the body frame."""
        moments, axes = principal_axes(found.tensor)
        size = math.sqrt(float(moments.max()) / found.mass) + float(np.max(np.abs(found.centre)))
        centre = np.where(np.abs(found.centre) < CENTRED * size, 0.0, found.centre)
        return cls(moments, found.mass, axes, centre, source, mesh)


def axis_of_top(moments: Array, centre_of_mass: Array) -> int | None:
    """Return the number of the axis on which the centre of mass lies and about which the moments are equal, or None."""
    place = np.abs(centre_of_mass)
    axis = int(np.argmax(place))
    one, other = np.delete(moments, axis).tolist()
    on_axis = place[axis] > 0.0 and np.delete(place, axis).max() <= ALIKE * place[axis]
    return axis if on_axis and abs(one - other) <= ALIKE * max(one, other) else None


def broken_triangle(moments: Array, unit: str) -> str | None:
    """Return a sentence on the triangle inequality that moments (3,) in `unit` violate; None if they violate none."""
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
    """Return the body of a scene's mesh file.

    A `density` of 0 means that the mass is given instead; a `shell_thickness` of 0 means that no thickness is given.
    """
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
        raise prefixed("file: ", error) from None


def _of_numbers(make: Callable[..., RigidBody]) -> Callable[..., RigidBody]:
    """Return a function that makes a body as `make` does, but drawn as `parts` or as a mesh file if a scene says so."""

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
            raise prefixed("appearance: ", error) from None

    return made


@frozen
class Shape:
    """A kind of body. Its `dimensions` are fields of a scene, and the arguments of `make`.

    `formula` gives the principal moments in terms of m, w, d, h, r (mass, width, depth, height, radius). If there is no
    formula, it says how the moments are found.
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
