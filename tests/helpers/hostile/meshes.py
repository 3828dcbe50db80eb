"""Mesh files that nobody expects, in every format."""

from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from helpers.fuzzing import NAMED
from helpers.hostile.edits import WORDS, mutations
from viewer.common.resources import folder
from viewer.physics.body import RigidBody
from viewer.physics.solids import mesh_body
from viewer.physics.solids.limits import SUFFIXES

MESH_WORDS = [
    *WORDS, b"f 1 2 3\n", b"v 1 2 3\n", b"1e40", b"-1", b"\x80\x96\x98\x00", b"mtllib /etc/passwd\n", b"float",
    b"property list uchar float vertex_indices\n", b"element face 0\n", b"element vertex 0\n", b"double"
]  # fmt: skip


def meshes() -> list[tuple[str, bytes]]:
    """Small meshes in every format, with its suffix."""
    import trimesh

    found = [(".ply", (folder("assets") / "bodies" / "phone.ply").read_bytes())]
    for mesh in (trimesh.creation.box((1.0, 2.0, 3.0)), trimesh.creation.icosphere(1)):
        found += [
            (f".{kind[:3]}", mesh.export(file_type=kind)) for kind in ("stl", "stl_ascii", "obj", "off", "glb", "ply")
        ]
        found.append((".ply", mesh.export(file_type="ply", encoding="ascii")))
    assert {suffix for suffix, _ in found} == set(SUFFIXES)
    return [(suffix, data if isinstance(data, bytes) else data.encode()) for suffix, data in found]


def read_bytes_as_mesh(given: tuple[str, bytes, str]) -> object:
    """A body from a mesh file with that suffix and these bytes, in that unit."""
    suffix, data, unit = given
    Path(NAMED + suffix).write_bytes(data)
    mesh_body._kept.clear()
    source = mesh_body.mesh_source(NAMED + suffix)
    assert np.isfinite(source.extents).all()
    assert source.likely_unit in mesh_body.UNITS
    longest = 1.0 if unit == "longest" else None
    return RigidBody.from_mesh(NAMED + suffix, unit=None if longest else unit, longest=longest, mass=1.0)


UNITS = st.sampled_from(["m", "mm", "longest"])
MESHES = st.one_of(
    [st.tuples(st.just(suffix), mutations([data], MESH_WORDS, b"\0" not in data), UNITS) for suffix, data in meshes()]
)
