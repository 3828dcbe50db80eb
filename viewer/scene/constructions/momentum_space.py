"""Momentum space (Binet, the paper's Fig. 3) in the scene: the factor from kg m2/s to metres, and how much room."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viewer.scene.constructions.scale import ARROW_REACH, STUB_REACH, Construction
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

REACH = 1.7  # of the sphere's radius: so far the ellipsoid is drawn
SEEN = 0.8  # of the reach: there the ellipsoid begins to fade


@dataclass(frozen=True)
class MomentumSpace:
    """Lengths in metres of the scene.

    `scale`: metres per kg m2/s. `radius`: of the sphere. `semi_axes`: of the ellipsoid, (3,). `reach`: of everything
    that turns. `moving`: there is something to draw.
    """

    scale: float
    radius: float
    semi_axes: Array
    reach: float
    moving: bool

    @property
    def outer(self) -> Array:
        """How far the surfaces reach along the body axes, (3,), where they are clear to see."""
        seen = self.semi_axes <= SEEN * REACH * self.radius
        return np.where(seen, np.maximum(self.semi_axes, self.radius), self.radius)

    @property
    def stub_length(self) -> float:
        """Of the body axes, beyond the surfaces."""
        return 1.5 * (STUB_REACH - 1.0) * self.reach


def momentum_space(snapshot: Snapshot, built: Construction) -> MomentumSpace:
    """The construction over L' as the snapshot has it, of the size that Poinsot's has."""
    if not built.moving:
        return MomentumSpace(1.0, built.radius, np.zeros(3), built.radius, False)
    radius = ARROW_REACH * built.plane_distance
    scale = radius / snapshot.reading.target_momentum
    moments = np.asarray(snapshot.body.principal_moments, dtype=np.float64)
    semi_axes = scale * np.sqrt(2.0 * snapshot.reading.target_energy * moments)
    reach = max(min(float(np.max(semi_axes)), REACH * radius), radius)
    return MomentumSpace(scale, radius, semi_axes, reach, True)
