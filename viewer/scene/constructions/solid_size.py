"""The kind of a solid and its size, and how far it reaches. Metres, along the body axes, from the centre of mass."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.physics.solids.triangle_mesh import TriangleMesh
from viewer.scene.constructions import t_bars

Array = NDArray[np.float64]

THINNEST = 1e-6  # of the longest half extent: no mesh is drawn as thinner


class SolidSize(NamedTuple):
    """An "ellipsoid", a "box", a "cylinder" about body z, a "t-handle", crossbar along x, handle along -z, or a "mesh".

    `half_extents`: (3,). `bar`: where a T's crossbar crosses the z axis. A mesh has its centre of mass at the origin,
    between minus and plus the half extents.
    """

    kind: str
    half_extents: Array
    bar: float = 0.0
    mesh: TriangleMesh | None = None

    @property
    def reach(self) -> Array:
        """How far it reaches from the origin along the body axes, (3,), m."""
        if self.kind != "t-handle":
            return self.half_extents
        return np.array([*self.half_extents[:2], max(t_bars.ends(self.half_extents, self.bar))])

    @property
    def radius(self) -> float:
        """How far it reaches from its centre of mass, m."""
        return math.sqrt(self.furthest(np.ones(3))) if self.mesh is None else self.mesh.radius

    def furthest(self, factors: Array) -> float:
        """The largest sum of factors p^2 over its points p; `factors`: (3,), positive."""
        if self.mesh is not None:
            return float(np.max(self.mesh.outer_squares @ factors))
        if self.kind == "t-handle":
            return t_bars.furthest(self.half_extents, self.bar, factors)
        reach = factors * self.half_extents**2
        if self.kind == "ellipsoid":
            return float(np.max(reach))
        if self.kind == "cylinder":
            return float(reach[2] + max(reach[0], reach[1]))
        return float(np.sum(reach))


def size_of_mesh(mesh: TriangleMesh) -> SolidSize:
    """Of a mesh in the body frame."""
    return SolidSize("mesh", np.maximum(mesh.reach, THINNEST * float(np.max(mesh.reach))), mesh=mesh)
