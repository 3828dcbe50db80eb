"""What the moments of a body are computed from; the inertia of triangles as a solid, a shell or a hull."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import Wording, refusal
from viewer.common.frozen import frozen
from viewer.physics.solids.mass_properties import MassProperties, check_tensor, enclosed, surface

if TYPE_CHECKING:
    from viewer.physics.solids.repair import Surface

Array = NDArray[np.float64]

METHODS = {"auto": "Automatic", "solid": "Solid", "shell": "Shell", "hull": "Convex hull"}
LEAST_VOLUME = 1e-7  # of the longest extent times the area: less is none
MEANINGS = {
    "formula": "the closed form of the shape",
    "moments": "the principal moments as given",
    "tensor": "the tensor as given",
    "solid": "the solid that the mesh encloses",
    "shell": "a thin shell along the mesh",
    "hull": "the convex hull of the mesh",
    "composite": "the sum of the parts",
}


@frozen
class InertiaSource:
    """`method`: one of MEANINGS. `reason`: why it is not a better one, such as "3 open edges"; None: it is the best.

    `notes`: what was mended before.
    """

    method: str
    reason: Wording | None = None
    notes: tuple[Wording, ...] = ()

    @property
    def text(self) -> str:
        """In a line: "the convex hull of the mesh (3 open edges)"."""
        head = str(Wording(MEANINGS[self.method]))
        return "; ".join((f"{head} ({self.reason})" if self.reason else head, *map(str, self.notes)))


def mesh_inertia(found: "Surface", method: str = "auto", shell: bool = False) -> tuple[MassProperties, InertiaSource]:
    """What a judged surface weighs and how it resists turning, and how that was found.

    Of density 1 [kg/m3]; a shell of 1 kg/m2. `method` "auto": the solid; where the surface encloses none a shell if its
    thickness is known (`shell`), else the convex hull, and for what is flat a shell. Raises InputError where the method
    is not possible.
    """
    fault, notes = found.fault, tuple(found.notes)
    sheet = surface(found.vertices, found.faces)
    extent = float(np.max(np.ptp(found.vertices, axis=0)))
    if sheet.mass <= LEAST_VOLUME * extent**2:
        raise refusal("mesh: it has no face with an area")
    least = LEAST_VOLUME * extent * sheet.mass
    solid = enclosed(found.vertices, found.faces)
    if fault is None and solid.mass <= least:
        fault = Wording("it encloses no volume")
    if method == "solid" or (method == "auto" and fault is None):
        if fault is not None:
            raise refusal("mesh: it is no solid: {why}; allowed are shell and hull", why=fault)
        return _checked(solid), InertiaSource("solid", None, notes)
    reason = fault or Wording("that was chosen")
    if method == "shell" or (method == "auto" and shell):
        return _checked(sheet), InertiaSource("shell", reason, notes)
    hull = _hull(found.vertices[np.unique(found.faces)])
    if hull is not None and hull.mass > least:
        return _checked(hull), InertiaSource("hull", reason, notes)
    if method == "hull":
        raise refusal("mesh: it is flat, so that its convex hull has no volume; allowed is shell")
    return _checked(sheet), InertiaSource("shell", Wording("it is flat"), notes)


def _checked(found: MassProperties) -> MassProperties:
    check_tensor(found.tensor)
    return found


def _hull(points: Array) -> MassProperties | None:
    """Of the convex hull, of density 1; None where the points are flat."""
    from scipy.spatial import ConvexHull, QhullError  # here: scipy takes long to import

    try:
        hull = ConvexHull(points)
    except QhullError:
        return None
    corners = points[hull.simplices]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inward = np.einsum("ij,ij->i", normals, hull.equations[:, :3]) < 0.0
    faces = np.where(inward[:, None], hull.simplices[:, ::-1], hull.simplices)
    return enclosed(points, faces)
