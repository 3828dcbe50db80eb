"""The closed form with drag, against scipy's integrator, its elliptic functions and the symmetric top."""

import numpy as np
import pytest
from helpers.tosses import euler, solid
from scipy.special import ellipj

from viewer.replay.flights.motion import free_rates, slowed_along

TIME = np.linspace(0.0, 1.0, 81)


def with_drag(moments, start, drag=0.0):
    slow, left = slowed_along(TIME, TIME, drag)
    return free_rates(np.array([moments]), np.array([start]), slow)[0] * left[:, None]


@pytest.mark.parametrize("drag", [0.0, 1e-12, 0.012, 0.7, -0.1])
def test_it_is_the_solution_of_eulers_equations_with_the_torque_minus_k_l(drag):
    chance = np.random.default_rng(1)
    for about in (None, 0, 1, 2):
        moments = solid(chance)[chance.permutation(3)]
        start = 5.0 * chance.normal(size=3) if about is None else np.eye(3)[about] * 20.0 + 0.1
        found = with_drag(moments, start, drag)
        np.testing.assert_allclose(found, euler(moments, start, TIME, drag), atol=1e-8)  # measured 2e-10, DOP853's


def test_many_bodies_at_a_time_are_the_same_as_one_by_one():
    chance = np.random.default_rng(2)
    moments, starts = np.array([solid(chance) for _ in range(9)]), 8.0 * chance.normal(size=(9, 3))
    together = free_rates(moments, starts, TIME)
    for one, start, found in zip(moments, starts, together, strict=True):
        np.testing.assert_allclose(free_rates(one[None], start[None], TIME)[0], found, atol=1e-12)


def test_a_steady_spin_and_a_motion_on_the_separatrix_go_along_with_others():
    moments = np.array([(1.0, 5.0, 9.0)] * 3 + [(2.0, 2.0, 2.0), (9.0, 1.0, 5.0)])
    starts = np.array([(3.0, 2.0, 1.0), (0.0, 4.0, 0.0), (1.0, 2.0, 3.0), (1.0, 2.0, 3.0), (1.0, 3.0, 2.0)])
    for one, start, found in zip(moments, starts, free_rates(moments, starts, TIME), strict=True):
        np.testing.assert_allclose(found, euler(one, start, TIME), atol=1e-8)


def test_a_symmetric_top_turns_about_its_axis_at_an_even_rate():
    found = with_drag((0.6, 0.6, 1.0), (1.0, 0.0, 9.0))
    angle = (1.0 - 0.6) / 0.6 * 9.0 * TIME
    np.testing.assert_allclose(found, np.stack((np.cos(angle), np.sin(angle), 9.0 + 0 * angle), axis=1), atol=1e-12)


def test_the_flip_of_a_phone_is_jacobis_functions():
    """About the middle axis, started where it turns about no other but the largest moment's: omega by cn, sn, dn."""
    A, B, C = 0.21, 0.79, 1.0
    a, c = 0.5, 12.0  # at t = 0: of the axes A and C
    k1, k2, k3 = (C - B) / A, (C - A) / B, (B - A) / C  # rates of change, by Euler's equations
    assert k1 * a * a < 10 * k3 * c * c
    lam = c * np.sqrt(k1 * k2)  # L circulates the axis of C
    m = k3 * a * a / (k1 * c * c)
    sn, cn, dn, _ = ellipj(lam * TIME, m)
    expected = np.stack((a * cn, a * np.sqrt(k2 / k1) * sn, c * dn), axis=1)
    np.testing.assert_allclose(with_drag((A, B, C), (a, 0.0, c)), expected, atol=1e-10)


def test_rest_and_a_steady_spin_stay():
    np.testing.assert_array_equal(with_drag((1.0, 2.0, 2.5), (0.0, 0.0, 0.0)), np.zeros((81, 3)))
    np.testing.assert_array_equal(with_drag((1.0, 2.0, 2.5), (0.0, 3.0, 0.0)), np.tile([0.0, 3.0, 0.0], (81, 1)))
    left = with_drag((1.0, 2.0, 2.5), (0.0, 3.0, 0.0), 0.5)
    np.testing.assert_allclose(left[:, 1], 3.0 * np.exp(-0.5 * TIME), rtol=1e-14)
