"""RigidBody, the table of shapes, quaternions, State."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from viewer.physics.body import SHAPES, RigidBody, broken_triangle
from viewer.physics.rotation import multiply, rotate, rotate_back, rotation_matrix
from viewer.physics.solids.inertia import THandle
from viewer.physics.state import State, angular_momentum_body, angular_momentum_world, rotational_energy

EPS = 2.3e-16
unit = st.lists(st.floats(-1, 1), min_size=4, max_size=4).filter(lambda q: sum(v * v for v in q) > 0.01)
vector = st.lists(st.floats(-1, 1), min_size=3, max_size=3)


def test_known_moments():
    assert_allclose(RigidBody.box(80, 1, 0.4, 0.2).principal_moments, [4 / 3, 104 / 15, 116 / 15], rtol=2 * EPS)
    paper = RigidBody.ellipsoid(1, 1, 0.5, 0.2)
    assert_allclose(paper.principal_moments, [0.0145, 0.052, 0.0625], rtol=EPS)
    assert_allclose(RigidBody.sphere(3, 0.5).principal_moments, 0.3, rtol=EPS)
    assert_allclose(RigidBody.cylinder(2, 0.5, 0.6).principal_moments, [0.185, 0.185, 0.25], rtol=EPS)
    assert_allclose(paper.inverse_moments * paper.principal_moments, 1, rtol=EPS)
    assert paper.mass == 1.0


def test_moments_keep_their_order_and_cannot_change():
    body = RigidBody.from_moments((10, 4, 2), mass=3)
    assert body.principal_moments.tolist() == [10, 4, 2]
    with pytest.raises(ValueError, match="read-only"):
        body.principal_moments[0] = 1
    assert body == RigidBody.from_moments((10, 4, 2), mass=3)
    assert hash(body) == hash(RigidBody.from_moments((10, 4, 2), mass=3))
    assert body != RigidBody.from_moments((4, 10, 2), mass=3)
    assert body != RigidBody.from_moments((10, 4, 2))


def test_every_solid_keeps_the_triangle_inequality_and_raw_moments_warn():
    sizes = {"mass": 0.7, "width": 1, "depth": 0.05, "height": 0.05, "radius": 1, "thickness": 0.03}
    for shape in SHAPES.values():
        if set(shape.dimensions) <= sizes.keys():
            assert shape.make(**{name: sizes[name] for name in shape.dimensions}).warning is None
    assert RigidBody.cylinder(1, 1, 1e-12).warning is None  # a flat disc: equality, to round-off
    assert RigidBody.from_moments((10, 4, 2)).warning == (
        "no solid has these moments: Iy + Iz = 6 kg m² is less than Ix = 10 kg m²"
    )
    assert "Ix + Iy = 3 kg m² is less than Iz" in str(RigidBody.from_moments((1, 2, 3.1)).warning)


def test_shapes_take_the_fields_that_they_name():
    assert set(SHAPES) >= {"ellipsoid", "box", "cylinder", "sphere", "moments"}  # the names that scene files may have
    assert SHAPES["moments"].make(moments=(1, 2, 2.5), mass=2) == RigidBody.from_moments((1, 2, 2.5), 2)


@pytest.mark.parametrize("sizes", [(0.3, 0.2, 0.05), (0.05, 0.05, 0.05), (1.0, 0.3, 0.05)])
def test_a_t_handle_against_its_slices(sizes):
    """The section at y is a rectangle of the crossbar, and below it one of the handle: nothing counts twice."""
    width, height, thickness = sizes
    r = thickness / 2
    angle = (np.arange(4000) + 0.5) / 4000 * np.pi - np.pi / 2
    y, s = r * np.sin(angle), r * np.cos(angle)  # s: half of a bar's width there
    low, sums = r - height, np.zeros(5)
    for half, bottom, top in ((np.full_like(s, width / 2), -s, s), (s, np.full_like(s, low), -s)):
        area = 2 * half * (top - bottom)
        z, zz = half * (top**2 - bottom**2), 2 * half * (top**3 - bottom**3) / 3
        sums += [float(np.sum(part * s)) for part in (area, z, area * half**2 / 3, area * y**2, zz)]  # dy = s dangle
    z, xx, yy, zz = sums[1:] / sums[0]
    zz -= z * z
    assert_allclose(THandle(*sizes).bar, -z, rtol=1e-13)  # measured 2e-15
    body = RigidBody.t_handle(2.0, *sizes)
    assert_allclose(body.principal_moments, 2.0 * np.array([yy + zz, xx + zz, xx + yy]), rtol=1e-13)  # measured 2e-15


def test_the_bars_of_a_t_handle_are_no_thicker_than_long():
    with pytest.raises(ValueError, match=r"thickness: 0\.2 m is more than the width, 0\.1 m; allowed is up to that"):
        RigidBody.t_handle(1.0, 0.1, 0.3, 0.2)
    with pytest.raises(ValueError, match="more than the height"):
        RigidBody.t_handle(1.0, 0.3, 0.1, 0.2)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_bad_bodies_are_refused_by_name(bad):
    with pytest.raises(ValueError, match=r"mass: .* kg is not allowed; it must be positive and finite"):
        RigidBody.box(bad, 1, 1, 1)
    with pytest.raises(ValueError, match=r"height: .* m is not allowed"):
        RigidBody.ellipsoid(1, 1, 1, bad)
    with pytest.raises(ValueError, match="radius"):
        RigidBody.sphere(1, bad)
    with pytest.raises(ValueError, match=r"moments: .* kg m² is outside 1e-60 to 1e60 kg m²"):
        RigidBody.from_moments((1, bad, 2))
    with pytest.raises(ValueError, match="moments"):
        RigidBody.from_moments((1, 2))


@given(unit, unit, vector)
def test_quaternions_turn_vectors_as_their_matrices_do(p, q, v):
    p, q = State(p, (0, 0, 0)).orientation_wxyz, State(q, (0, 0, 0)).orientation_wxyz
    assert_allclose(rotation_matrix(p) @ rotation_matrix(p).T, np.eye(3), atol=8 * EPS)
    assert_allclose(rotation_matrix(multiply(p, q)), rotation_matrix(p) @ rotation_matrix(q), atol=16 * EPS)
    assert_allclose(rotate_back(p, rotate(p, v)), v, atol=16 * EPS)


def test_quarter_turn_about_z_takes_x_to_y():
    half = math.sqrt(0.5)
    assert_allclose(rotate((half, 0, 0, half), (1, 0, 0)), (0, 1, 0), atol=EPS)
    assert rotate([(1, 0, 0, 0)] * 5, np.ones((5, 3))).shape == (5, 3)


def test_state_is_normalised_and_read_only():
    state = State(orientation_wxyz=(1e200, 0, 0, 1e200), omega_body=[1, 2, 3])
    assert_allclose(state.orientation_wxyz, [math.sqrt(0.5), 0, 0, math.sqrt(0.5)], rtol=EPS)
    assert state.position.tolist() == state.linear_momentum.tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="read-only"):
        state.omega_body[0] = 5
    with pytest.raises(ValueError, match=r"orientation_wxyz: \(0, 0, 0, 0\) is no orientation"):
        State((0, 0, 0, 0), (1, 2, 3))
    with pytest.raises(ValueError, match=r"omega_body: .* must be 3 finite numbers"):
        State((1, 0, 0, 0), (1, math.nan, 3))
    with pytest.raises(ValueError, match=r"orientation_wxyz: .* must be 4 finite numbers"):
        State((1, 0, 0), (1, 2, 3))


def test_the_papers_readouts():
    body, state = RigidBody.ellipsoid(1, 1, 0.5, 0.2), State((1, 0, 0, 0), (0, 3, 0.3))
    assert float(rotational_energy(body, state)) == pytest.approx(0.2368125, rel=EPS)
    assert_allclose(angular_momentum_body(body, state), (0, 0.156, 0.01875), rtol=2 * EPS)
    turned = State((math.sqrt(0.5), 0, 0, math.sqrt(0.5)), (0, 3, 0.3))
    assert_allclose(angular_momentum_world(body, turned), (-0.156, 0, 0.01875), atol=EPS)


def test_the_linear_momentum_is_known_by_its_former_name():
    state = State((1, 0, 0, 0), (1, 2, 3), momentum=(4, 5, 6))
    assert state.linear_momentum.tolist() == state.momentum.tolist() == [4, 5, 6]


@pytest.mark.parametrize(
    ("moments", "told"),
    [
        ((3.0, 1.0, 1.5), "Iy + Iz = 2.5 kg m² is less than Ix = 3 kg m²"),
        ((1.0, 3.0, 1.5), "Iz + Ix = 2.5 kg m² is less than Iy = 3 kg m²"),
        ((1.0, 1.5, 3.0), "Ix + Iy = 2.5 kg m² is less than Iz = 3 kg m²"),
        ((1.0, 2.0, 3.0), None),  # a plate
    ],
)
def test_the_moment_that_no_solid_has_is_named(moments, told):
    found = broken_triangle(np.array(moments), " kg m²")
    assert found is None if told is None else told in found
