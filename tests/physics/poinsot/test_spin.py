"""Around which axis a spin goes, and how it is led to another energy."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.poinsot.construction import energy_bounds
from viewer.physics.poinsot.spin import at_energy, circulation, separatrix_energy
from viewer.physics.state import State

MOMENTS = np.array([0.0145, 0.052, 0.0625])


def energy_of(moments, momentum) -> float:
    return float(0.5 * momentum @ (momentum / moments))


@pytest.mark.parametrize(
    ("omega", "axis", "sign"), [((3, 1, 0), 0, 1), ((-3, 1, 0), 0, -1), ((0, 1, 3), 2, 1), ((0, 1, -3), 2, -1)]
)
def test_the_axis_and_its_side(omega, axis, sign):
    found = circulation(MOMENTS, MOMENTS * omega)
    assert (found.axis, found.rank, found.sign) == (axis, axis, sign)
    assert found.stable


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0), (0, 2, 1)])
@pytest.mark.parametrize("omega", [(0.3, 2.0, 0.5), (2.0, 0.7, 0.1), (0.1, 0.4, 2.0), (0.0, 3.0, 0.3)])
def test_the_stray_is_that_of_the_exact_motion(order, omega):
    moments, start = MOMENTS[list(order)], np.array(omega)[list(order)]
    exact = FreeRotation(RigidBody.from_moments(moments), State((1.0, 0.0, 0.0, 0.0), start))
    L = moments * exact.at(np.linspace(0.0, exact.period, 4001)).omega_body
    found = circulation(moments, moments * start)
    cosine = np.abs(L[:, found.axis]) / np.linalg.norm(L, axis=1)
    assert found.stray == pytest.approx(np.arccos(cosine.min()), abs=1e-5)
    assert np.all(np.sign(L[:, found.axis]) == found.sign)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_spin_near_the_middle_axis_tumbles_and_the_one_on_it_is_steady_but_not_stable(order):
    moments, middle = MOMENTS[list(order)], order.index(1)
    near = circulation(moments, moments * np.array((0.0, 3.0, 0.3))[list(order)])
    assert (near.axis, near.rank, near.stable, near.steady) == (order.index(2), 2, False, False)
    on = circulation(moments, moments * np.array((0.0, -3.0, 0.0))[list(order)])
    assert (on.axis, on.rank, on.sign, on.stable, on.steady) == (middle, 1, -1, False, True)


@pytest.mark.parametrize(
    ("moments", "omega", "axis", "rank"),
    [
        ((1, 1, 1), (1, 2, 3), None, 2),
        ((1, 1, 2), (0, 0, 0), None, 2),
        ((1, 1, 2), (1, 0, 1), 2, 2),
        ((1, 1, 2), (0, 1, 0), 1, 0),
        ((1, 2, 2), (1, 0, 1), 0, 0),
        ((1, 2, 2), (0, -1, 0), 1, 2),
    ],
)
def test_bodies_with_equal_moments(moments, omega, axis, rank):
    found = circulation(np.array(moments, float), np.array(moments, float) * omega)
    assert (found.axis, found.rank) == (axis, rank)
    assert found.stable


COMPONENT = st.one_of(st.just(0.0), st.floats(1e-3, 10.0), st.floats(-10.0, -1e-3))
SIZE = st.floats(0.01, 100.0)


@given(st.tuples(SIZE, SIZE, SIZE), st.tuples(COMPONENT, COMPONENT, COMPONENT), st.floats(0.0, 1.0))
def test_any_energy_between_the_bounds_is_reached_with_the_same_momentum(moments, omega, share):
    moments = np.array(moments)
    momentum = moments * omega
    size = float(np.linalg.norm(momentum))
    low, high = energy_bounds(moments, size)
    led = at_energy(moments, momentum, low + share * (high - low))
    assert np.linalg.norm(led) == pytest.approx(size, rel=1e-14)
    if size > 0.0:
        # measured: 3e-15 of the larger bound
        assert energy_of(moments, led) == pytest.approx(low + share * (high - low), abs=2e-14 * high)
    assert np.all(led * momentum >= 0.0)


def test_there_and_back_through_the_separatrix():
    start = MOMENTS * (0.2, 2.5, 0.6)
    energy, middle = energy_of(MOMENTS, start), separatrix_energy(MOMENTS, start)
    assert energy < middle
    across = at_energy(MOMENTS, start, 1.5 * middle)
    assert circulation(MOMENTS, across).axis == 0
    np.testing.assert_allclose(at_energy(MOMENTS, across, energy), start, atol=1e-14)
    on = at_energy(MOMENTS, start, middle)
    assert energy_of(MOMENTS, on) == pytest.approx(middle, rel=4e-16)
    assert circulation(MOMENTS, on).stray == pytest.approx(np.pi / 2, abs=1e-6)


def test_at_the_ends_the_body_spins_about_its_axes():
    start = MOMENTS * (0.2, 2.5, -0.6)
    size = np.linalg.norm(start)
    np.testing.assert_array_equal(at_energy(MOMENTS, start, 0.0), (0, 0, -size))
    np.testing.assert_array_equal(at_energy(MOMENTS, start, 1e9), (size, 0, 0))
    np.testing.assert_array_equal(at_energy(MOMENTS, np.zeros(3), 1.0), np.zeros(3))
