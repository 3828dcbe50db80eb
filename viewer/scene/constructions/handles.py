"""What the pointer can take hold of in the scene, by name, and where that is drawn."""

import numpy as np
from numpy.typing import NDArray

from viewer.scene.constructions.loads import acting_forces, force_arrow
from viewer.scene.constructions.scale import load_scale
from viewer.scene.presentation import Presentation
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

FORCE_HANDLES = ("tip", "point")  # of the force
# those, the tips of omega and of L, and where the ellipsoid touches the plane; of the body any point
HANDLES = (*FORCE_HANDLES, "omega", "momentum", "contact", "body")


def handle_position(snapshot: Snapshot, presentation: Presentation, ends: dict[str, Array]) -> Array | None:
    """Where the handle that the pointer is over is drawn, (3,) m; `ends`: of those that are not of the force."""
    if presentation.handle not in FORCE_HANDLES:
        return ends.get(presentation.handle)
    force = next((acting for acting in acting_forces(snapshot) if acting.name == "F"), None)
    if force is None or not presentation.show.loads:
        return None
    point, tip = force_arrow(snapshot, force, load_scale(snapshot, presentation.view))
    return tip if presentation.handle == "tip" else point
