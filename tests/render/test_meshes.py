"""The hulls hold what they must and face outwards."""

import numpy as np
import pytest

from viewer.render.meshes import box_edges, cube, sphere_hull


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
    assert np.linalg.norm(sphere_hull(), axis=1).max() < 1.22  # not much larger than it must be: measured 1.166


def test_edges_lie_on_both_faces_that_they_name() -> None:
    edges = box_edges()
    ends, normals = edges[:, :2].astype(np.float64), edges[:, 2:].astype(np.float64)
    np.testing.assert_array_equal(np.einsum("nek,nfk->nef", ends, normals), 1.0)
    assert len(edges) == 12
