"""Faces of PLY files that are no triangles."""

from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.physics.solids.mesh_files.polygons import triangulated

NAMES = ("vertex_indices", "vertex_index")


def concave_too(geometry: Any, faces: NDArray[np.int64]) -> NDArray[np.int64]:
    """The triangles (F, 3) of a `trimesh.Trimesh` from a PLY file: trimesh makes fans of all its polygons; here those
    that are not convex are right. As given where colours of faces or places in a texture hang on them."""
    stored = geometry.metadata.get("_ply_raw", {}).get("face", {}).get("data")
    if stored is None or geometry.visual.kind not in (None, "vertex"):
        return faces
    names = stored.dtype.names or () if isinstance(stored, np.ndarray) else stored
    name = next((name for name in NAMES if name in names), None)
    if name is None:
        return faces
    rows = stored[name]["f1"] if isinstance(stored, np.ndarray) else stored[name]
    counts = np.fromiter(map(len, rows), dtype=np.int64)
    if counts.size == 0 or counts.max() <= 3 or counts.min() < 3:
        return faces
    corners = np.fromiter(chain.from_iterable(rows), dtype=np.int64)
    if not 0 <= corners.min() <= corners.max() < len(geometry.vertices):
        return faces
    return triangulated(np.asarray(geometry.vertices, dtype=np.float64), corners, counts)
