"""The hulls hold what they must and face outwards."""

import numpy as np
import pytest

from viewer.scene.meshes import box_edges, cube, cylinder_rims, sphere_hull


@pytest.mark.parametrize("mesh", [cube(), sphere_hull()], ids=["cube", "sphere hull"])
def test_triangles_face_outwards(mesh: np.ndarray) -> None:
    a, b, c = mesh.reshape(-1, 3, 3).transpose(1, 0, 2).astype(np.float64)
    normals = np.cross(b - a, c - a)
    assert np.all(np.sum(normals * (a + b + c), axis=1) > 0.0)


def test_the_hull_contains_the_sphere_with_room_for_a_soft_edge() -> None:
    a, b, c = sphere_hull().reshape(-1, 3, 3).transpose(1, 0, 2).astype(np.float64)
    normals = np.cross(b - a, c - a)
    distances = np.sum(normals * a, axis=1) / np.linalg.norm(normals, axis=1)
    assert distances.min() == pytest.approx(1.03, abs=1e-6)
    assert (
        np.linalg.norm(sphere_hull(), axis=1).max() < 1.22
    )  # not much larger than it must be: measured 1.166


@pytest.mark.parametrize("edges", [box_edges(), cylinder_rims()], ids=["box", "rims"])
def test_edges_lie_on_both_faces_that_they_name(edges: np.ndarray) -> None:
    ends, normals = edges[:, :2].astype(np.float64), edges[:, 2:].astype(np.float64)
    heights = np.einsum("nek,nfk->nef", ends, normals)
    np.testing.assert_allclose(heights, 1.0, atol=6e-4)  # chords of 96 to the circle sag by 5.4e-4
    assert len(edges) in (12, 192)
