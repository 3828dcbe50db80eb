"""What the inertia of a mesh is computed from: the solid that it encloses, a shell along it, or its convex hull."""

from collections.abc import Callable

import numpy as np

from viewer.common.errors import Wording, refusal
from viewer.physics.solids.closing import Closed, closed
from viewer.physics.solids.crossings import areas_of
from viewer.physics.solids.inertia import (
    LEAST_VOLUME,
    InertiaSource,
    MassProperties,
    check_tensor,
    enclosed,
    hull_faces,
    moment_errors,
    surface,
)
from viewer.physics.solids.repair import Surface


def mesh_inertia(
    found: Surface, method: str = "auto", shell: bool = False, mended: Callable[[], Closed | None] | None = None
) -> tuple[MassProperties, InertiaSource]:
    """Return the mass properties of a surface that `judged` has returned, and how they were found.

    The density is 1 kg/m3, that of a shell 1 kg/m2. `shell` says whether the thickness of a shell is known; `mended`
    returns what `closed` does, and is called if there is a fault. The
    `method` "auto" takes the solid. If the surface has a fault, it takes a shell if its thickness is known; if all
    parts of the surface are open, it takes the convex hull, or a shell if the surface is flat. Raises InputError if the
    method is not possible.
    """
    fault, notes = found.fault, tuple(found.notes)
    area = float(np.sum(areas_of(found.vertices[found.faces])))
    extent = float(np.max(np.ptp(found.vertices, axis=0)))
    if area <= LEAST_VOLUME * extent**2:
        raise refusal("mesh: it has no face with an area")
    least = LEAST_VOLUME * extent * area
    solid: MassProperties | None = enclosed(found.vertices, found.faces)
    how = InertiaSource("solid", None, notes)
    bounds = None if solid is None else (solid.tensor, solid.tensor)
    all_open = False
    if fault is None and solid is not None and solid.mass <= least:
        fault, solid = Wording("it encloses no volume"), None
    elif fault is not None:
        mesh = closed(found) if mended is None else mended()
        solid = None if mesh is None else mesh.properties
        if mesh is not None:
            bounds = mesh.bounds
            errors = moment_errors(mesh.properties.tensor, bounds)
            how = InertiaSource("solid", fault, notes + mesh.notes, mesh.volume_error, errors)
            all_open = mesh.all_open
    taken = solid is not None and not all_open and (fault is None or not shell)
    if method == "solid" or (method == "auto" and taken):
        if solid is None:
            raise refusal("mesh: it is no solid: {why}; allowed are shell and hull", why=fault)
        return _checked(solid), how
    reason = fault or Wording("that was chosen")
    if method == "shell" or (method == "auto" and shell):
        return _shell(found), InertiaSource("shell", reason, notes)
    points = found.vertices[np.unique(found.faces)]
    faces = hull_faces(points)
    hull = None if faces is None else enclosed(points, faces)
    if hull is not None and hull.mass > least:
        if solid is None or bounds is None:
            return _checked(hull), InertiaSource("hull", reason, notes, None, None)
        more = hull.mass / solid.mass - 1.0
        if more > 0.0005:
            larger = Wording("the hull is {percent:.3g} % larger than what the faces enclose", percent=100.0 * more)
            notes = (*notes, larger)
        volume = min(max(1.0 - (1.0 - (how.volume_error or 0.0)) * solid.mass / hull.mass, 0.0), 1.0)
        return _checked(hull), InertiaSource("hull", reason, notes, volume, moment_errors(hull.tensor, bounds))
    if method == "hull":
        raise refusal("mesh: it is flat, so that its convex hull has no volume; allowed is shell")
    return _shell(found), InertiaSource("shell", Wording("it is flat"), notes)


def _shell(found: Surface) -> MassProperties:
    return _checked(surface(found.vertices, found.faces))


def _checked(found: MassProperties) -> MassProperties:
    check_tensor(found.tensor)
    return found
