"""A rigid body: mass and principal moments of inertia; and the table of solids that it can be made from."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viewer.common.language import tr
from viewer.physics.solids.t_handle import THandle

Array = NDArray[np.float64]

MOMENT_LOW, MOMENT_HIGH = 1e-60, 1e60  # kg m2: products of a few of them stay finite
ROUNDING = 1e-12  # relative; a flat solid meets its triangle inequality only to round-off


@dataclass(frozen=True)
class RigidBody:
    """Mass [kg] and principal moments (3,) [kg m2] about the body axes x, y, z, in this order, never sorted.

    The body frame is the frame of the principal axes at the centre of mass. Equal values compare equal.
    Raises ValueError where a moment or the mass is not positive and finite.
    """

    principal_moments: Array
    mass: float = 1.0

    def __post_init__(self) -> None:
        moments = np.array(self.principal_moments, dtype=np.float64)
        if moments.shape != (3,):
            raise ValueError(f"moments: {self.principal_moments!r} are not three numbers")
        for value in moments:
            if not MOMENT_LOW <= value <= MOMENT_HIGH:
                raise ValueError(f"moments: {value:g} kg m² is outside {MOMENT_LOW:g}..{MOMENT_HIGH:g} kg m²")
        moments.setflags(write=False)
        object.__setattr__(self, "principal_moments", moments)
        object.__setattr__(self, "mass", _positive("mass", self.mass, "kg"))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RigidBody):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[float, ...]:
        return (self.mass, *self.principal_moments.tolist())

    @property
    def inverse_moments(self) -> Array:
        """(3,), 1 / (kg m2)."""
        return np.asarray(1.0 / self.principal_moments, dtype=np.float64)

    @property
    def warning(self) -> str | None:
        """Which triangle inequality the moments break, if any: no solid has such moments, yet they can turn."""
        for i, j, k in ((1, 2, 0), (2, 0, 1), (0, 1, 2)):
            a, b, c = self.principal_moments[[i, j, k]].tolist()
            if (a + b) < c * (1.0 - ROUNDING):
                text = tr("no solid has these moments: {two} = {sum} kg m² is less than {third} = {moment} kg m²")
                two = f"I{'xyz'[i]} + I{'xyz'[j]}"
                return text.format(two=two, sum=f"{a + b:g}", third=f"I{'xyz'[k]}", moment=f"{c:g}")
        return None

    @classmethod
    def box(cls, mass: float, width: float, depth: float, height: float) -> "RigidBody":
        """A homogeneous box [kg, m]; width, depth, height lie along body x, y, z."""
        m, w, d, h = _sizes(mass, width=width, depth=depth, height=height)
        return cls(np.array([d * d + h * h, w * w + h * h, w * w + d * d]) * (m / 12), m)

    @classmethod
    def ellipsoid(cls, mass: float, width: float, depth: float, height: float) -> "RigidBody":
        """A homogeneous ellipsoid [kg, m]; width, depth, height are its full axes along body x, y, z."""
        m, w, d, h = _sizes(mass, width=width, depth=depth, height=height)
        return cls(np.array([d * d + h * h, w * w + h * h, w * w + d * d]) * (m / 20), m)

    @classmethod
    def cylinder(cls, mass: float, radius: float, height: float) -> "RigidBody":
        """A homogeneous cylinder [kg, m] about body z."""
        m, r, h = _sizes(mass, radius=radius, height=height)
        across = m * (3 * r * r + h * h) / 12
        return cls(np.array([across, across, m * r * r / 2]), m)

    @classmethod
    def sphere(cls, mass: float, radius: float) -> "RigidBody":
        """A homogeneous sphere [kg, m]."""
        m, r = _sizes(mass, radius=radius)
        return cls(np.full(3, 0.4 * m * r * r), m)

    @classmethod
    def t_handle(cls, mass: float, width: float, height: float, thickness: float) -> "RigidBody":
        """A homogeneous T of two round bars [kg, m], as `THandle` has it: crossbar along body x, handle along z."""
        m, w, h, t = _sizes(mass, width=width, height=height, thickness=thickness)
        return cls(m * np.array(THandle(w, h, t).moments), m)

    @classmethod
    def from_moments(cls, moments: Sequence[float], mass: float = 1.0) -> "RigidBody":
        """Raw principal moments (3,) [kg m2]; also such that no solid has, see `warning`."""
        return cls(np.array(moments, dtype=np.float64), mass)


def _positive(name: str, value: float, unit: str) -> float:
    number = float(value)
    if not 0.0 < number < math.inf:
        raise ValueError(f"{name}: {number:g} {unit} is not allowed; it must be positive and finite")
    return number


def _sizes(mass: float, **lengths: float) -> tuple[float, ...]:
    return (_positive("mass", mass, "kg"), *(_positive(name, size, "m") for name, size in lengths.items()))


@dataclass(frozen=True)
class Shape:
    """One kind of body. `dimensions`: the fields that it takes, which are the arguments of `make`.

    `formula`: its principal moments, with m, w, d, h, r for mass, width, depth, height, radius; or how they are found.
    """

    name: str
    label: str
    formula: str
    dimensions: tuple[str, ...]
    make: Callable[..., RigidBody]


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
        "moments", "Raw moments", "I = (I₁, I₂, I₃); a solid has I₁ + I₂ ≥ I₃ for each order", ("moments", "mass"),
        RigidBody.from_moments,
    ),
)  # fmt: skip

SHAPES: dict[str, Shape] = {shape.name: shape for shape in _TABLE}
