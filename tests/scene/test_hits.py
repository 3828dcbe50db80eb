"""Where a line meets the body: the point lies on the surface by the solid's equation, and nothing lies before it."""

import numpy as np
import pytest
from helpers.mesh_shapes import box
from hypothesis import given
from hypothesis import strategies as st

from viewer.physics.solids.triangle_mesh import TriangleMesh
from viewer.scene.constructions.solids import SolidSize, hit, size_of_mesh


def inside(kind, extents, points):
    """By how much of itself the solid has to shrink for the points (N, 3) to leave it: 1 on the surface."""
    scaled = np.abs(points) / extents
    if kind == "box":
        return scaled.max(axis=1)
    if kind == "cylinder":
        return np.maximum(np.hypot(scaled[:, 0], scaled[:, 1]), scaled[:, 2])
    return np.linalg.norm(scaled, axis=1)


@pytest.mark.parametrize("kind", ["ellipsoid", "box", "cylinder"])
def test_it_meets_the_surface_first_there(kind):
    rng, met = np.random.default_rng(3), 0
    for _ in range(200):
        extents = rng.uniform(0.05, 1.0, 3)
        if kind == "cylinder":
            extents[1] = extents[0]
        direction = rng.normal(size=3)
        direction /= np.linalg.norm(direction)
        point = rng.uniform(-1.0, 1.0, 3) - 5.0 * direction
        along = np.linspace(0.0, 10.0, 4001)
        within = inside(kind, extents, point + along[:, None] * direction) <= 1.0
        found = hit(SolidSize(kind, extents), point, direction)
        if found is None:
            assert not within.any()
            continue
        met += 1
        assert inside(kind, extents, (point + found * direction)[None])[0] == pytest.approx(1.0, abs=1e-9)
        assert not within[along < found - 1e-9].any()
    assert met > 30


def test_along_an_axis_and_past_a_side():
    extents = np.array([0.5, 0.25, 0.1])
    for kind in ("ellipsoid", "box"):
        assert hit(SolidSize(kind, extents), np.array([0.0, 0.0, 3.0]), np.array([0.0, 0.0, -1.0])) == pytest.approx(
            2.9
        )
        assert hit(SolidSize(kind, extents), np.array([0.6, 0.0, 3.0]), np.array([0.0, 0.0, -1.0])) is None
    rod = np.array([0.5, 0.5, 0.1])
    assert hit(SolidSize("cylinder", rod), np.array([0.0, 0.3, 3.0]), np.array([0.0, 0.0, -1.0])) == pytest.approx(2.9)
    assert hit(SolidSize("cylinder", rod), np.array([0.0, 0.6, 3.0]), np.array([0.0, 0.0, -1.0])) is None


def test_a_t_handle_is_met_at_its_bars():
    extents, bar = np.array([0.5, 0.06, 0.4]), 0.2  # the crossbar at z' = .2, the handle down to -.54
    down, towards = np.array([0.0, 0.0, -1.0]), np.array([0.0, -1.0, 0.0])
    assert hit(SolidSize("t-handle", extents, bar), np.array([0.4, 0.0, 3.0]), down) == pytest.approx(2.74)
    assert hit(SolidSize("t-handle", extents, bar), np.array([0.0, 3.0, -0.5]), towards) == pytest.approx(2.94)
    assert hit(SolidSize("t-handle", extents, bar), np.array([0.4, 3.0, 0.2]), towards) == pytest.approx(2.94)
    assert hit(SolidSize("t-handle", extents, bar), np.array([0.0, 3.0, -0.55]), towards) is None
    assert hit(SolidSize("t-handle", extents, bar), np.array([0.2, 3.0, 0.0]), towards) is None


def test_a_mesh_of_a_box_is_met_where_the_box_is():
    extents, rng = np.array([0.5, 0.25, 0.1]), np.random.default_rng(5)
    mesh = size_of_mesh(box(extents))
    solid, met = SolidSize("box", extents), 0
    for _ in range(300):
        direction = rng.normal(size=3)
        direction /= np.linalg.norm(direction)
        point = rng.uniform(-0.7, 0.7, 3) - 3.0 * direction
        expected, found = hit(solid, point, direction), hit(mesh, point, direction)
        assert (found is None) == (expected is None)
        if expected is not None:
            met += 1
            assert found == pytest.approx(expected, abs=1e-12)
    assert met > 50


def test_no_line_slips_through_between_two_triangles():
    """Along the diagonals of the faces and through corners of a grid."""
    mesh = size_of_mesh(box(np.array([0.5, 0.5, 0.5])))
    for u in np.linspace(-0.49, 0.49, 99):
        for place in ([u, u, 3.0], [u, -u, 3.0]):
            assert hit(mesh, np.array(place), np.array([0.0, 0.0, -1.0])) == pytest.approx(2.5)


def test_a_mesh_reaches_as_far_as_its_vertices():
    rng = np.random.default_rng(8)
    points = rng.normal(size=(400, 3)) * [3.0, 2.0, 1.0]
    size = size_of_mesh(TriangleMesh(points, np.arange(399, dtype=np.int32).reshape(-1, 3)))
    used = points[:399]
    assert size.radius == pytest.approx(np.max(np.linalg.norm(used, axis=1)))
    np.testing.assert_allclose(size.reach, np.max(np.abs(used), axis=0))
    for factors in rng.uniform(0.0, 1.0, (50, 3)):
        assert size.furthest(factors) == pytest.approx(np.max(used**2 @ factors))
    assert len(size.mesh.outer_squares) < 200  # of 399; measured: 110


@given(factors=st.tuples(*3 * [st.floats(0.01, 10.0)]), bar=st.floats(0.05, 0.6))
def test_the_furthest_point_of_a_t_handle_is_that_of_its_two_cylinders(factors, bar):
    x, r, z = 0.7, 0.12, 0.6  # half the crossbar, the radius, half of all the height
    angle = np.linspace(0.0, 2.0 * np.pi, 721)
    bottom = 2.0 * z - (bar + r)
    crossbar = np.stack((np.full(angle.shape, x), r * np.cos(angle), bar + r * np.sin(angle)), axis=1)
    stem = np.stack((r * np.cos(angle), r * np.sin(angle), np.full(angle.shape, -bottom)), axis=1)
    most = (np.concatenate((crossbar, stem)) ** 2 @ factors).max()
    found = SolidSize("t-handle", np.array([x, r, z]), bar).furthest(np.array(factors))
    assert most <= found * (1.0 + 1e-12)
    assert found == pytest.approx(most, rel=3e-4)  # 2e-5 by the steps of the angle
