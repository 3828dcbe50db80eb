"""Mass properties of solids and sheets, how the inertia of a mesh was found, and principal axes.

The integrals of products of coordinates over tetrahedra and triangles are exact for flat faces; see, for example,
J. Blow and A. J. Binstock, "How to find the inertia tensor of a 3D solid body" (2004). The axes are chosen by a rule,
so that they do not swap when a solid changes a little.
"""

import math
from functools import cached_property
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import Wording, refusal
from viewer.common.frozen import frozen

Array = NDArray[np.float64]
EQUAL = 1e-7  # relative to the largest moment: closer moments count as equal; float32 in files is no better
ROUNDING = 1e-9  # relative error by which a tensor may violate the triangle inequality
LEAST = 1e-10  # relative to the largest moment: the smallest allowed; turning the axes leaves it six digits
_TIE = 1e-9  # difference of traces below which two rotations count as equally near to the file's axes
METHODS = {"auto": "Automatic", "solid": "Solid", "shell": "Shell", "hull": "Convex hull"}
TOLD = 1e-6  # a smaller error of the volume is not told; files of float32 are no better
CERTAIN = 1e-3  # the largest error of the volume of a mesh that may be a part of other bodies
LEAST_VOLUME = 1e-7  # of the longest extent times the area: a smaller volume counts as none
MEANINGS = {
    "formula": "the closed form of the shape",
    "moments": "the principal moments as given",
    "tensor": "the tensor as given",
    "solid": "the solid that the mesh encloses",
    "shell": "a thin shell along the mesh",
    "hull": "the convex hull of the mesh",
    "composite": "the sum of the parts",
}


class MassProperties(NamedTuple):
    """The mass [kg], `centre` (3,) [m] and `tensor` (3, 3) [kg m2] about the centre, along the axes of some frame.

    The off-diagonal elements of the tensor are -integral x y dm and so on.
    """

    mass: float
    centre: Array
    tensor: Array

    def times(self, factor: float) -> "MassProperties":
        """Return the properties of the same solid with the density times a factor."""
        return MassProperties(self.mass * factor, self.centre, self.tensor * factor)

    def scaled(self, factor: float) -> "MassProperties":
        """Return the properties of the same mass in a solid enlarged by a factor."""
        return MassProperties(self.mass, self.centre * factor, self.tensor * factor**2)

    def moved(self, rotation: Array, position: Array) -> "MassProperties":
        """Return the properties of the same solid, turned about the origin by `rotation`, then moved by `position`."""
        tensor = rotation @ self.tensor @ rotation.T
        return MassProperties(self.mass, rotation @ self.centre + position, 0.5 * (tensor + tensor.T))

    def tensor_about(self, point: Array) -> Array:
        """Return the tensor (3, 3) [kg m2] about a point (3,)."""
        return np.asarray(self.tensor + self.mass * _steiner(self.centre - point))

    @classmethod
    def total(cls, parts: "list[MassProperties]") -> "MassProperties":
        """Return the sum by the parallel axis theorem; masses below zero are holes. The total mass must not be zero."""
        mass = sum(part.mass for part in parts)
        centre = sum((part.mass * part.centre for part in parts), np.zeros(3)) / mass
        tensor = sum((part.tensor_about(centre) for part in parts), np.zeros((3, 3)))
        return cls(mass, centre, tensor)


def enclosed(vertices: Array, faces: NDArray[np.integer]) -> MassProperties:
    """Return the mass properties of the solid of density 1 that the faces enclose, counter-clockwise seen from outside.

    `vertices` (V, 3), `faces` (F, 3). Space that is enclosed n times counts n times; if the faces are inside out, it
    counts -1 times. The mass may thus be negative or zero. If it is zero, the centre is the middle of the vertices.
    """
    return enclosed_by(vertices[faces], np.ones(len(faces)), _middle(vertices))


def enclosed_by(triangles: Array, shares: Array, origin: Array) -> MassProperties:
    """Return what `enclosed` does for triangles (N, 3, 3), each counted `shares` (N,) times.

    Nothing cancels if the `origin` (3,) is near the solid.
    """
    corners = triangles - origin
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    volumes = shares * np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0  # of the tetrahedra from the origin
    return _collected(origin, volumes, corners, corners.sum(axis=1), 4, 20.0)


def surface(vertices: Array, faces: NDArray[np.integer]) -> MassProperties:
    """Return the mass properties of a sheet of 1 kg/m2 along the faces; the arguments are as in `enclosed`."""
    origin = _middle(vertices)
    corners = (vertices - origin)[faces]
    areas = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    return _collected(origin, areas, corners, corners.sum(axis=1), 3, 12.0)


def _collected(origin: Array, sizes: Array, corners: Array, sums: Array, count: int, divisor: float) -> MassProperties:
    """Return the mass properties of N triangles, or of N tetrahedra that have the origin as a corner.

    `sizes` (N,) are their areas or volumes, `corners` (N, 3, 3) the corners other than the origin, and `sums` (N, 3)
    the sums of these corners. `count` is the number of all corners of one triangle or tetrahedron.
    """
    size = float(np.sum(sizes))
    first = sizes @ sums / count
    each = np.einsum("i,ikm,ikn->mn", sizes, corners, corners, optimize=True)
    second = (each + np.einsum("i,im,in->mn", sizes, sums, sums, optimize=True)) / divisor
    middle = first / size if size else np.zeros(3)
    second = second - size * np.outer(middle, middle)
    return MassProperties(size, origin + middle, np.asarray(np.trace(second) * np.eye(3) - second))


def _middle(vertices: Array) -> Array:
    return np.asarray(0.5 * (vertices.min(axis=0) + vertices.max(axis=0)))


def _steiner(offset: Array) -> Array:
    """Return the tensor of a point of 1 kg at an offset (3,) from the point of reference."""
    return np.asarray(float(offset @ offset) * np.eye(3) - np.outer(offset, offset))


def principal_axes(tensor: Array) -> tuple[Array, Array]:
    """Return the principal moments (3,) of a symmetric tensor (3, 3), and the rotation whose columns are their axes.

    Of all right-handed axes that the tensor allows, those nearest to x, y, z are taken: the rotation of largest trace,
    which has the smallest angle. If two moments are equal to 1e-7 of the largest, any axes in their plane would do, and
    the nearest are taken, too. If all three are equal, the axes are x, y, z themselves. A solid that is symmetric about
    x, y, z thus keeps these axes while its dimensions pass through equal moments.
    """
    moments = np.diag(tensor)
    if not (tensor - np.diag(moments)).any():
        return moments.copy(), np.eye(3)
    size = float(np.max(np.abs(tensor)))
    moments, axes = np.linalg.eigh(tensor / size)
    if moments[2] - moments[0] <= EQUAL:
        return size * np.diag(tensor / size), np.eye(3)
    if moments[1] - moments[0] <= EQUAL:
        rotation = _about(axes[:, 2])
    elif moments[2] - moments[1] <= EQUAL:
        rotation = _about(axes[:, 0])
    else:
        rotation = _nearest([_signed(axes, order, signs) for order in permutations(range(3)) for signs in _SIGNS])
    return size * np.diag(rotation.T @ (tensor / size) @ rotation), rotation


_SIGNS = tuple(product((1.0, -1.0), repeat=3))


def _signed(axes: Array, order: tuple[int, ...], signs: tuple[float, ...]) -> Array:
    return np.asarray(axes[:, order] * np.array(signs))


def _about(axis: Array) -> Array:
    """Return the axes nearest to x, y, z of which one lies along `axis` (3,) and the others are perpendicular to it."""
    found = []
    for along in range(3):
        for sign in (1.0, -1.0):
            found.append(_least_turn(sign * axis, along))
    return _nearest(found)


def _least_turn(axis: Array, along: int) -> Array:
    """Return the rotation of largest trace whose column `along` is `axis`: the shortest turn to that direction.

    If the axis is to be reversed, all half turns are equally short, and the one about the next axis is taken.
    """
    unit = np.eye(3)[along]
    cosine, normal = float(axis @ unit), np.cross(unit, axis)
    if cosine < -1.0 + 1e-12:
        return np.diag([1.0 if i == (along + 1) % 3 else -1.0 for i in range(3)])
    x, y, z = normal
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + cross + cross @ cross / (1.0 + cosine))


def _nearest(rotations: list[Array]) -> Array:
    """Return the right-handed rotation of largest trace, the first of those that are equally near."""
    right = [rotation for rotation in rotations if np.linalg.det(rotation) > 0.0]
    most = max(float(np.trace(rotation)) for rotation in right)
    return next(rotation for rotation in right if float(np.trace(rotation)) >= most - _TIE)


def check_tensor(tensor: Array) -> None:
    """Raise InputError if no solid has this tensor (3, 3), or its smallest moment is below LEAST of the largest.

    The rule is the same for tensors, meshes and sums of parts. Shapes with a formula may be thinner, because they lose
    no digits.
    """
    size = float(np.max(np.abs(tensor)))
    if not 0.0 < size < np.inf:
        raise refusal("tensor: is zero or not finite; allowed are finite numbers with positive principal moments")
    low, middle, high = (size * np.linalg.eigvalsh(tensor / size)).tolist()
    if low < LEAST * high or high <= 0.0:
        raise refusal(
            "tensor: the smallest principal moment is {ratio:.3g} of the largest; allowed is at least {least:g} of it,"
            " for a tensor keeps few digits of smaller ones",
            ratio=low / max(high, -low),
            least=LEAST,
        )
    if low + middle < high * (1.0 - ROUNDING):
        raise refusal(
            "tensor: no solid has the principal moments {low:.10g}, {middle:.10g}, {high:.10g} kg m²; none may exceed"
            " the sum of the other two",
            low=low,
            middle=middle,
            high=high,
        )


@frozen
class InertiaSource:
    """How an inertia was found: `method` is a key of MEANINGS.

    `reason` says why no better method was used, or what is wrong with a solid, such as "3 open edges", or is None.
    `notes` say what was done to the mesh. For a given density, `volume_error` is the largest error of the volume to be
    expected, as a part of it, and `moment_errors` are those of the principal moments about x', y', z' through the
    centre of mass, each as a part of that moment; both are None if they are not known.
    """

    method: str
    reason: Wording | None = None
    notes: tuple[Wording, ...] = ()
    volume_error: float | None = 0.0
    moment_errors: tuple[float, float, float] | None = (0.0, 0.0, 0.0)

    @property
    def text(self) -> str:
        """The source in a line, such as "the convex hull of the mesh (3 open edges)"."""
        head = str(Wording(MEANINGS[self.method]))
        said = [f"{head} ({self.reason})" if self.reason else head, *map(str, self.notes)]
        if self.volume_error and self.moment_errors and self.volume_error > TOLD:
            volume, x, y, z = map(_percent, (self.volume_error, *self.moment_errors))
            errors = Wording("volume {volume}, moments about x′ {x}, y′ {y}, z′ {z}", volume=volume, x=x, y=y, z=z)
            said.append(str(errors))
        return "; ".join(said)

    @property
    def is_certain(self) -> bool:
        """Whether it is that of a solid, so sure that the solid may be a part of others."""
        return self.method == "solid" and self.volume_error is not None and self.volume_error <= CERTAIN


def _percent(error: float) -> Wording:
    """Return the error of a value that is not negative, in words, given as a part of it."""
    percent = rounded_up(100.0 * error)
    if percent > 100.0:
        return Wording("−100 % to +{percent:g} %", percent=percent)
    return Wording("± {percent:g} %", percent=percent)


def moment_errors(tensor: Array, bounds: tuple[Array, Array]) -> tuple[float, float, float]:
    """Return the largest errors of the principal moments of a tensor (3, 3), each as a part of that moment.

    They are in the order of `principal_axes`. The true tensor lies between the `bounds`. Its moment about each axis is
    compared, and also its own principal moment of the same rank, which may be about another axis.
    """
    moments, axes = principal_axes(tensor)
    rank = np.argsort(np.argsort(moments))
    errors = [
        np.abs(np.maximum(other, 0.0) - moments)
        for bound in bounds
        for other in (np.linalg.eigvalsh(bound)[rank], np.diag(axes.T @ bound @ axes))
    ]
    x, y, z = (np.max(errors, axis=0) / np.maximum(moments, 1e-300)).tolist()
    return x, y, z


def rounded_up(value: float) -> float:
    """Return a number rounded up to two digits."""
    if value <= 0.0:
        return 0.0
    place = 10.0 ** (math.floor(math.log10(value)) - 1)
    return float(f"{math.ceil(value / place - 1e-9) * place:.2g}")


def hull_faces(points: Array) -> NDArray[np.int64] | None:
    """Return the faces of the convex hull of points (N, 3), counter-clockwise seen from outside; None if it is flat."""
    from scipy.spatial import ConvexHull, QhullError  # here: scipy takes long to import

    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):  # fewer than four points
        return None
    corners = points[hull.simplices]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inward = np.einsum("ij,ij->i", normals, hull.equations[:, :3]) < 0.0
    return np.asarray(np.where(inward[:, None], hull.simplices[:, ::-1], hull.simplices), dtype=np.int64)


@frozen
class THandle:
    """A T-handle: two solid round bars of one thickness, the crossbar along x, the stem from its middle along -z.

    `width` is the length of the crossbar along x, `height` the whole height along z, `thickness` the diameter of both
    bars, in metres.

    The T-handle is homogeneous and of mass 1. The stem begins on the crossbar's axis. The volume that it shares with
    the crossbar counts once. That volume is half of the solid in which two cylinders of radius r cross at right angles
    (Steinmetz's). Its section at y is a rectangle of 2 s by s with s² = r² - y², so that its integrals are elementary.
    As the thickness is at most width and height, it lies inside both bars. The body axes, at the centre of mass, are
    the axes of symmetry.
    """

    width: float
    height: float
    thickness: float

    def __post_init__(self) -> None:
        for name in ("width", "height"):
            if self.thickness > getattr(self, name):
                raise refusal(
                    "thickness: {thickness:g} m is more than the {name}, {length:g} m; allowed is up to that",
                    thickness=self.thickness,
                    name=name,
                    length=getattr(self, name),
                )

    @property
    def radius(self) -> float:
        """The radius of both bars [m]."""
        return 0.5 * self.thickness

    @cached_property
    def _integrals(self) -> tuple[float, float, float, float, float]:
        """The integrals over the solid of 1, z, x², y², z² from the middle of the crossbar's axis: m³, m⁴, m⁵."""
        r, bar, handle = self.radius, self.width, self.height - self.radius
        area, across = math.pi * r**2, math.pi * r**4 / 4  # of a bar's section, and of its y² there
        volume = area * (bar + handle) - 8 / 3 * r**3
        z = -area * handle**2 / 2 + 3 * math.pi / 8 * r**4
        xx = area * bar**3 / 12 + across * handle - 32 / 45 * r**5
        yy = across * (bar + handle) - 8 / 15 * r**5
        zz = across * bar + area * handle**3 / 3 - 32 / 45 * r**5
        return volume, z, xx, yy, zz

    @cached_property
    def bar(self) -> float:
        """The height of the crossbar's axis above the centre of mass, along z [m]."""
        volume, z, *_ = self._integrals
        return -z / volume

    @property
    def top(self) -> float:
        """The reach along +z from the centre of mass [m]."""
        return self.bar + self.radius

    @property
    def bottom(self) -> float:
        """The reach along -z from the centre of mass [m]."""
        return self.height - self.top

    @cached_property
    def moments(self) -> tuple[float, float, float]:
        """The moments about x, y, z through the centre of mass, for a mass of 1 kg [kg m²]."""
        volume, _, *squares = self._integrals
        xx, yy, zz = (square / volume for square in squares)
        zz -= self.bar**2  # parallel axes
        return yy + zz, xx + zz, xx + yy
