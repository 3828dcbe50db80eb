"""Bodies from mesh files, which are read again only after they have changed."""

import os
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from viewer.common import input_files
from viewer.common.errors import InputError, Wording, allowed_names, brief, prefixed, refusal, shown
from viewer.physics.solids import limits
from viewer.physics.solids.inertia import METHODS, InertiaSource, MassProperties, principal_axes
from viewer.physics.solids.triangle_mesh import TriangleMesh

if TYPE_CHECKING:
    from viewer.physics.solids.closing import Closed
    from viewer.physics.solids.crossings import Crossings
    from viewer.physics.solids.mesh_files.reader import MeshFile
    from viewer.physics.solids.repair import Surface

Array = NDArray[np.float64]

UNITS = {"mm": 1e-3, "cm": 1e-2, "in": 0.0254, "m": 1.0, "km": 1e3}  # in metres
FILES_KEPT = 64  # as many as a scene can have bodies
SAMPLED_FACES = 64  # faces of a hole's mesh below which the densities are added up
LOOKS_LIKE_MM = 10.0  # units of the file: a mesh of this length or more was probably drawn in mm, a shorter one in m


@dataclass(eq=False)
class MeshSource:
    """The mesh that a file holds, in its own unit."""

    file: "MeshFile"
    surface: "Surface"
    _inertias: dict[tuple[str, bool], tuple[MassProperties, InertiaSource]] = field(default_factory=dict)
    _placed: tuple[tuple[bytes, bytes, float], TriangleMesh] | None = None

    @cached_property
    def extents(self) -> Array:
        """The extents along x, y, z (3,), in the unit of the file."""
        return np.asarray(np.ptp(self.surface.vertices[self.surface.faces.ravel()], axis=0))

    @property
    def longest(self) -> float:
        """The longest extent along x, y, z, in the unit of the file."""
        return float(np.max(self.extents))

    @property
    def likely_unit(self) -> str:
        """The unit that the format of the file prescribes, or else a guess from the size."""
        return self.file.unit or ("mm" if self.longest >= LOOKS_LIKE_MM else "m")

    @cached_property
    def crossings(self) -> "Crossings":
        """The counter of how often the surface encloses a point; lengths are in the unit of the file."""
        from viewer.physics.solids.crossings import Crossings

        closed = self.closed if self.surface.fault else None
        return Crossings(self.surface.vertices[self.surface.faces] if closed is None else closed.corners)

    @cached_property
    def closed(self) -> "Closed | None":
        """Closed triangles in place of those of the surface; None if they enclose no volume."""
        from viewer.physics.solids.closing import closed

        return closed(self.surface)

    def some_faces(self) -> Array:
        """Return the corners (N, 3, 3) of at most SAMPLED_FACES faces, evenly chosen, in the unit of the file."""
        faces = self.surface.faces
        return self.surface.vertices[faces[:: -(-len(faces) // SAMPLED_FACES)]]

    def scale(self, unit: str | None, longest: float | None) -> float:
        """Return the length [m] of a unit of the file, from the name of the unit or the longest extent [m].

        Raises InputError if both are given, or if neither is and the file does not prescribe a unit.
        """
        if unit not in (None, "longest") and longest is not None:
            raise refusal("unit, longest: only one of them can be given")
        if longest is not None:
            return longest / self.longest
        name = unit or self.file.unit
        if name == "longest":
            raise refusal("longest: must be given, for the unit is to follow from it")
        if name is None:
            raise refusal("unit: must be given, for the file does not say; allowed are {names}", names=", ".join(UNITS))
        if name not in UNITS:
            raise refusal("unit: {name} is unknown; {allowed}", name=shown(name), allowed=allowed_names(name, UNITS))
        return UNITS[name]

    def inertia(self, method: str, shell: bool) -> tuple[MassProperties, InertiaSource]:
        """Return what `mesh_inertia` finds if one unit of the file is taken as a metre."""
        if method not in METHODS:
            raise refusal(
                "method: {method} is unknown; {allowed}", method=shown(method), allowed=allowed_names(method, METHODS)
            )
        key = method, shell
        if key not in self._inertias:
            from viewer.physics.solids.mesh_inertia import mesh_inertia  # as for repair

            found = self._inertias[key] = mesh_inertia(self.surface, method, shell, lambda: self.closed)
            if found[1].method == "solid":
                self._inertias["solid", shell] = found
        return self._inertias[key]

    @cached_property
    def impossible(self) -> dict[str, Wording]:
        """The methods by which the inertia cannot be found, each with the reason."""
        best = self.inertia("auto", False)[1]
        refused = {"hull": ("solid",), "shell": ("solid", "hull")}.get(best.method, ())
        if best.reason is None or (best.method == "hull" and best.volume_error is not None):
            return {}
        return dict.fromkeys(refused, best.reason)

    @property
    def unsure(self) -> Wording | None:
        """Why it is not certain enough what the surface encloses for the mesh to be a part of other bodies, or None."""
        best = self.inertia("auto", False)[1]
        return None if best.is_certain else best.reason

    def drawn(self, method: str, shell: bool, scale: float) -> TriangleMesh:
        """Return the triangles in the body frame, in metres; the same object while the arguments are the same."""
        found = self.inertia(method, shell)[0]
        _, axes = principal_axes(found.tensor)
        return self.placed(found.centre, axes, scale)

    def placed(self, centre: Array, axes: Array, scale: float) -> TriangleMesh:
        """Return the triangles in metres, in the frame with this centre and these axes.

        `centre` (3,) is in the file's unit; the columns of `axes` (3, 3) are the axes. The same object is returned
        while the arguments are the same.
        """
        key = centre.tobytes(), axes.tobytes(), scale
        if self._placed is None or self._placed[0] != key:
            mesh = self.triangles()
            self._placed = key, replace(mesh, vertices=scale * (mesh.vertices - centre) @ axes)
        return self._placed[1]

    def triangles(self) -> TriangleMesh:
        """Return the triangles to draw: mended, in the file's unit; vertices are split only if the file has colours."""
        surface, look = self.surface, self.file.appearance
        if look.colors is None and look.uv is None:
            return TriangleMesh(surface.vertices, surface.faces.astype(np.int32))
        faces = self.file.faces[surface.kept].astype(np.int32)
        faces[surface.flipped] = faces[surface.flipped][:, ::-1]
        return TriangleMesh(self.file.vertices, faces, look.colors, look.uv, look.texture)


Stamp = tuple[int, int]  # the time and the size of a file
_kept: OrderedDict[str, tuple[Stamp, MeshSource]] = OrderedDict()  # by path
_refused: dict[str, tuple[Stamp, InputError]] = {}  # by path, the last file that could not be used


def mesh_source(path: str | os.PathLike[str]) -> MeshSource:
    """Return the mesh of a file. The file is read again only if it has changed.

    If the file is gone, the mesh last read is returned. Raises InputError if the file cannot be used.
    """
    from viewer.physics.solids.mesh_files.reader import read_mesh  # here: few scenes have a mesh, and it takes 3 ms
    from viewer.physics.solids.repair import judged

    name = os.path.abspath(path)
    stamp = _stamp(name)
    if name in _kept and stamp in (None, _kept[name][0]):
        _kept.move_to_end(name)
        return _kept[name][1]
    if stamp is not None and _refused.get(name, (None, None))[0] == stamp:
        raise _refused[name][1]
    _refused.clear()
    try:
        file = read_mesh(path)
        try:
            surface = judged(file.vertices, file.faces)
        except InputError as error:
            raise prefixed(f"{input_files.name_shown(path)}: ", error) from None
    except InputError as error:
        if stamp is not None:
            _refused[name] = stamp, error
        raise
    surface.notes[:0] = file.notes
    found = MeshSource(file, surface)
    if stamp is not None:
        _kept[name] = stamp, found
        while len(_kept) > FILES_KEPT:
            _kept.popitem(last=False)
    return found


def last_read(path: str | os.PathLike[str]) -> MeshSource:
    """Return the mesh that was last read from a file, whatever the file holds now.

    A file that has not been read yet is read now. Raises InputError if it cannot be used.
    """
    kept = _kept.get(os.path.abspath(path))
    return mesh_source(path) if kept is None else kept[1]


def _stamp(name: str) -> Stamp | None:
    try:
        found = os.stat(name)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


def mesh_properties(
    path: str | os.PathLike[str],
    unit: str | None = None,
    longest: float | None = None,
    mass: float | None = None,
    density: float | None = None,
    method: str = "auto",
    thickness: float | None = None,
) -> tuple[MassProperties, InertiaSource, float]:
    """Return a mesh's mass properties in the file's frame, how they were found, and the length [m] of the file's unit.

    The arguments are as in `RigidBody.from_mesh`. Raises InputError if the file or an argument cannot be used.
    """
    if (mass is None) == (density is None):
        raise refusal("mass: must be given, or density, but not both")
    given = (("mass", mass, limits.MASS), ("density", density, limits.DENSITY), ("longest", longest, limits.LENGTH),
             ("thickness", thickness, limits.THICKNESS))  # fmt: skip
    for name, value, allowed in given:
        if value is not None:
            allowed.check(name, value)
    if not isinstance(path, str | os.PathLike) or not isinstance(os.fspath(path), str):
        raise refusal("path: {value} is no path; allowed is a mesh file: STL, OBJ, PLY, GLB, OFF", value=shown(path))
    source = mesh_source(path)
    scale = source.scale(unit, longest)
    try:
        found, how = source.inertia(method, thickness is not None)
    except InputError as error:
        raise prefixed(f"{Path(path).name}: ", error) from None
    limits.LENGTH.check("longest extent", scale * source.longest)
    found = found.scaled(scale)
    if thickness is not None and how.method == "shell" and thickness > scale * source.longest:
        raise refusal(
            "thickness: {thickness} m is more than the mesh is long, {longest} m",
            thickness=brief(thickness),
            longest=brief(scale * source.longest),
        )
    if mass is None:
        assert density is not None
        if how.method == "shell" and thickness is None:
            raise refusal(
                "thickness: must be given, for {file} is taken as {shell}; its mass is from density and thickness",
                file=Path(path).name, shell=how.text,
            )  # fmt: skip
        size = found.mass * (scale**2 * (thickness or 0.0) if how.method == "shell" else scale**3)
        mass = density * size
    return found.times(mass / found.mass), how, scale
