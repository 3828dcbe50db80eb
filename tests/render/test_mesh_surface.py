"""Normals, edges and marks of surfaces of triangles, against the solids that they come from."""

import numpy as np
import pytest
from helpers.mesh_shapes import box, ellipsoid, torus, wing_nut

from viewer.physics.solids.triangle_mesh import TriangleMesh
from viewer.render.mesh_surface import NO_FACE, STEPS, MeshSurface, mesh_surface
from viewer.render.passes.mesh_body import seen_edges
from viewer.scene.constructions.solids import size_of_mesh


def surface_of(mesh: TriangleMesh) -> MeshSurface:
    return mesh_surface(mesh, size_of_mesh(mesh).half_extents)


def corner_normals(surface: MeshSurface) -> tuple[np.ndarray, np.ndarray]:
    """(F, 3, 3) unit vectors and (F, 3) whether flat: what the shader makes of the packed numbers."""
    bits = surface.triangles[:, :, 3].astype(np.int64)
    x, y = (part * 2.0 / (STEPS - 1) - 1.0 for part in (bits % STEPS, bits // STEPS % STEPS))
    z = 1.0 - np.abs(x) - np.abs(y)
    under = np.maximum(-z, 0.0)
    x, y = x - under * np.where(x < 0, -1, 1), y - under * np.where(y < 0, -1, 1)
    normals = np.stack([x, y, z], axis=-1)
    return normals / np.linalg.norm(normals, axis=-1, keepdims=True), bits >= STEPS**2


def test_a_box_is_flat_and_has_its_twelve_edges() -> None:
    extents = np.array([0.5, 0.2, 0.1])
    surface = surface_of(box(extents))
    assert len(surface.vertices) == 8
    assert surface.closed
    assert surface.edges.sharp == 12
    assert len(surface.edges.rows) == 18  # and a diagonal of each side
    normals, flat = corner_normals(surface)
    assert flat.all()
    np.testing.assert_allclose(np.sort(np.abs(normals), axis=-1), [[[0, 0, 1]] * 3] * 12, atol=1e-3)
    for eye, expected in (([9.0, 0.0, 0.0], 4), ([9.0, 9.0, 0.0], 7), ([9.0, 9.0, 9.0], 9)):
        assert len(seen_edges(surface, np.array(eye))) == expected


def test_an_ellipsoid_is_round_and_its_normals_come_near_to_those_of_the_ellipsoid() -> None:
    extents, worst = np.array([0.5, 0.3, 0.2]), []
    for rows in (24, 96):
        surface = surface_of(ellipsoid(extents, rows))
        normals, flat = corner_normals(surface)
        assert surface.closed
        assert surface.edges.sharp == 0
        assert not flat.any()
        true = surface.triangles[:, :, :3] / extents  # the corners in units of the extents: those over them again
        true = true / np.linalg.norm(true, axis=-1, keepdims=True)
        worst.append(float(np.max(np.arccos(np.clip(np.sum(normals * true, axis=-1), -1.0, 1.0)))))
    assert worst[1] < 0.4 * worst[0]
    assert worst[1] < 0.02  # radians; measured: .011


def test_its_outline_is_where_the_surface_turns_away() -> None:
    """The edges drawn of a sphere lie within a facet of the circle that the eye sees as its outline."""
    rows = 60
    surface = surface_of(ellipsoid(np.ones(3), rows))
    eye = np.array([3.0, 2.0, 1.5])
    ends = surface.edges.rows[seen_edges(surface, eye), :6].reshape(-1, 3)
    away = ends @ eye / np.linalg.norm(eye) - 1.0 / np.linalg.norm(eye)
    assert np.max(np.abs(away)) < np.pi / rows  # measured: .03
    assert len(ends) / 2 >= 2 * rows


def test_marks_are_where_the_axes_leave_the_surface() -> None:
    extents = np.array([0.5, 0.3, 0.2])
    places, rooms = surface_of(ellipsoid(extents, 40)).marks
    np.testing.assert_allclose(places[::2], np.diag(extents), atol=1e-3)
    np.testing.assert_allclose(places[1::2], -np.diag(extents), atol=1e-3)
    for number, room in enumerate(rooms):
        others = np.delete(np.arange(3), number // 2)
        np.testing.assert_allclose(room[others], extents[others], rtol=0.01)


def test_where_an_axis_passes_through_a_hole_the_mark_is_beside_it() -> None:
    places, _ = surface_of(torus(0.1, 0.04)).marks
    for place, sign in ((places[4], 1.0), (places[5], -1.0)):
        assert sign * place[2] > 0.03
        assert 0.06 < np.hypot(*place[:2]) < 0.14


def test_open_surfaces_have_their_border() -> None:
    whole = box(np.array([0.5, 0.2, 0.1]))
    surface = surface_of(TriangleMesh(whole.vertices, whole.faces[2:]))
    assert not surface.closed
    assert np.count_nonzero(surface.edges.faces[:, 1] == NO_FACE) == 4


@pytest.mark.parametrize("mesh", [wing_nut(), torus(0.1, 0.04)])
def test_size_and_place_of_the_unit_do_not_matter(mesh: TriangleMesh) -> None:
    large = TriangleMesh(1e7 * mesh.vertices, mesh.faces)
    one, other = surface_of(mesh), surface_of(large)
    np.testing.assert_allclose(one.triangles, other.triangles, atol=1e-6, rtol=1e-3)
    assert one.edges.sharp == other.edges.sharp
    np.testing.assert_allclose(1e7 * one.marks, other.marks, rtol=1e-6)


def test_a_short_sharp_edge_on_a_smooth_surface_is_not_drawn() -> None:
    """A dent turns three of an ellipsoid's edges sharp; a box as small has edges that end nowhere, and keeps them."""
    round_one = ellipsoid(np.array([0.5, 0.3, 0.2]), 24)
    dented = round_one.vertices.copy()
    dented[24 * 20] *= 1.03
    assert surface_of(TriangleMesh(dented, round_one.faces)).edges.sharp == 0
    small = box(np.full(3, 0.01))
    faces = np.concatenate([round_one.faces, small.faces + len(dented)])
    assert surface_of(TriangleMesh(np.concatenate([round_one.vertices, small.vertices]), faces)).edges.sharp == 12
