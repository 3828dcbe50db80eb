"""A T-handle: two solid round bars of one thickness, the crossbar along x and across its middle the handle along -z."""

import math
from functools import cached_property

from viewer.common.errors import refusal
from viewer.common.frozen import frozen


@frozen
class THandle:
    """Lengths in metres: `width` of the crossbar along x, `height` of the whole along z, `thickness` of both bars.

    Homogeneous, of mass 1. The handle begins on the crossbar's axis. What it has in common with the crossbar counts
    once: that is half of the solid in which two cylinders of radius r cross at right angles (Steinmetz's), whose
    section at y is a rectangle of 2 s by s with s² = r² - y², so that its integrals are elementary. Where the thickness
    is at most width and height, that half lies inside both bars. Axes of symmetry: the body axes at the centre of mass.
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
        """Of both bars."""
        return 0.5 * self.thickness

    @cached_property
    def _integrals(self) -> tuple[float, float, float, float, float]:
        """Over the solid of 1, z, x², y², z² from the middle of the crossbar's axis: m³, m⁴, m⁵."""
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
        """Where the crossbar's axis crosses the z axis through the centre of mass, m."""
        volume, z, *_ = self._integrals
        return -z / volume

    @property
    def top(self) -> float:
        """How far it reaches along +z from the centre of mass, m."""
        return self.bar + self.radius

    @property
    def bottom(self) -> float:
        """How far it reaches along -z, m."""
        return self.height - self.top

    @cached_property
    def moments(self) -> tuple[float, float, float]:
        """About x, y, z through the centre of mass, for 1 kg: kg m²."""
        volume, _, *squares = self._integrals
        xx, yy, zz = (square / volume for square in squares)
        zz -= self.bar**2  # parallel axes
        return yy + zz, xx + zz, xx + yy
