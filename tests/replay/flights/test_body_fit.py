"""Bodies found from tosses: within the uncertainty that is claimed, whatever the sensor's axes; what is open is said.

The tosses are scipy's, with noise of .01 to .05 rad/s, as phones have.
"""

import time as clock

import numpy as np
import pytest
from helpers.tosses import euler, solid, toss
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from viewer.replay.fits.torque import LINEAR, QUADRATIC
from viewer.replay.flights.body_fit import RATIO_OPEN, fit_flight, fit_flights
from viewer.replay.flights.flights_fit import Flight
from viewer.replay.flights.words import report

PHONE = np.array((1.0, 0.79, 0.215))
RACKET = np.array((1.0, 0.92, 0.1))


def angles(fit, axes):
    """Between the fitted and the true axes by size of their moments [rad]."""
    return np.arccos(np.clip(np.abs(np.sum(fit.axes[:, fit.order] * axes, axis=0)), 0.0, 1.0))


@pytest.mark.slow
def test_ratios_are_within_the_uncertainty_as_often_as_it_says():
    chance = np.random.default_rng(19)
    off, drags = [], []
    for n in range(40):
        one = toss(chance, PHONE if n % 2 else solid(chance), noise=chance.uniform(0.01, 0.05))
        fit = fit_flight(one.time, one.rates)
        off.append((fit.ratios - one.moments)[1:] / fit.ratios_sigma[1:])
        drags.append((fit.drag - 0.02) / fit.drag_sigma)
        assert fit.residual < 0.02
    size = np.abs(np.array(off))
    # binomial: .68 of 80 within .16, three of its sigmas; .95 within .07
    assert 0.52 < (size < 1.0).mean() < 0.84  # measured .7
    assert (size < 1.96).mean() > 0.88  # measured .95
    assert size.max() < 4.5
    assert 0.45 < (np.abs(drags) < 1.0).mean() < 0.91


@pytest.mark.parametrize("about", [0, 1, 2])
def test_a_phones_ratios_are_known_to_a_hundredth_by_one_toss(about):
    chance = np.random.default_rng(about)
    one = toss(chance, PHONE, about=about)
    fit = fit_flight(one.time, one.rates)
    np.testing.assert_allclose(fit.ratios, PHONE, atol=0.01)  # measured .001; .03 is what real phones gave
    assert angles(fit, one.axes).max() < np.radians(1.0)
    assert fit.axes_sigma.max() < np.radians(2.0)


def test_a_racket_is_found_with_axes_that_are_not_the_sensors():
    one = toss(np.random.default_rng(4), RACKET, about=1)
    fit = fit_flight(one.time, one.rates)
    np.testing.assert_allclose(fit.ratios, RACKET, atol=0.01)


def test_a_turned_sensor_sees_other_axes_and_the_same_ratios():
    one = toss(np.random.default_rng(7), PHONE, about=1)
    first = fit_flight(one.time, one.rates)
    turn = Rotation.from_euler("xyz", (40.0, -25.0, 130.0), degrees=True).as_matrix()
    second = fit_flight(one.time, one.rates @ turn.T)
    np.testing.assert_allclose(second.ratios, first.ratios, atol=1e-4)  # a tenth of their sigmas
    np.testing.assert_allclose(second.drag, first.drag, atol=1e-4)
    assert angles(second, turn @ first.axes[:, first.order]).max() < 1e-3
    np.testing.assert_allclose(second.rates(one.time), first.rates(one.time) @ turn.T, atol=0.01)


def test_without_noise_it_is_exact():
    one = toss(np.random.default_rng(8), np.array((1.0, 0.8, 0.5)), noise=0.0)
    fit = fit_flight(one.time, one.rates)
    np.testing.assert_allclose(fit.ratios, one.moments, atol=1e-6)
    assert fit.drag == pytest.approx(0.02, abs=1e-6)


def test_two_flights_know_more_than_one():
    chance = np.random.default_rng(9)
    axes = Rotation.random(random_state=chance).as_matrix()
    flights = []
    for _ in range(2):
        one = toss(chance, PHONE, noise=0.05)
        flights.append(Flight(one.time + 5.0, one.rates @ one.axes @ axes.T))
    fits, both = [fit_flights([flight]) for flight in flights], fit_flights(flights)
    assert both.ratios_sigma[1] < min(fit.ratios_sigma[1] for fit in fits)
    assert np.abs((both.ratios - PHONE)[1:] / both.ratios_sigma[1:]).max() < 3.0
    assert [motion.begin for motion in both.motions] == [5.0, 5.0]
    np.testing.assert_allclose(both.rates(flights[1].time, 1), flights[1].rates, atol=0.3)  # six noises


def test_what_the_sensor_clips_does_not_bend_the_result():
    chance = np.random.default_rng(10)
    one = toss(chance, PHONE, about=2, seconds=0.8)
    limit = 0.97 * float(np.abs(one.rates).max())
    clipped = np.clip(one.rates, -limit, limit)
    assert (clipped != one.rates).sum() > 5
    fit = fit_flight(one.time, clipped, limit)
    assert np.abs((fit.ratios - PHONE)[1:] / fit.ratios_sigma[1:]).max() < 3.0
    blind = fit_flight(one.time, clipped)
    assert blind.residual > 1.1 * fit.residual  # it takes the limit for what was measured


def test_rows_of_the_hand_at_both_ends_are_left_out():
    one = toss(np.random.default_rng(11), PHONE, about=1)
    spoilt = one.rates.copy()
    spoilt[-2:] *= 0.6
    spoilt[0] += 3.0
    fit = fit_flight(one.time, spoilt)
    assert np.flatnonzero(fit.motions[0].left_out).tolist() == [0, len(one.time) - 2, len(one.time) - 1]
    assert np.abs((fit.ratios - PHONE)[1:] / fit.ratios_sigma[1:]).max() < 3.0


def test_uneven_times_are_taken_as_they_are():
    one = toss(np.random.default_rng(12), PHONE, about=1, jitter=0.8)
    kept = np.delete(np.arange(len(one.time)), [20, 21, 22, 50])
    fit = fit_flight(one.time[kept], one.rates[kept])
    assert np.abs((fit.ratios - PHONE)[1:] / fit.ratios_sigma[1:]).max() < 3.0
    assert fit.noise == pytest.approx(0.03, rel=0.2)


def test_a_turn_about_one_axis_leaves_the_ratios_open():
    time = np.arange(81) / 100
    rates = np.tile([0.0, 12.0, 0.0], (81, 1)) + 0.03 * np.random.default_rng(13).normal(size=(81, 3))
    fit = fit_flight(time, rates)
    assert not fit.determined
    assert fit.ratios_sigma.max() > RATIO_OPEN
    assert fit.noise == pytest.approx(0.03, rel=0.2)


def test_a_symmetric_body_has_no_axes_across_its_own():
    moments, time = np.array((1.0, 0.6, 0.6)), np.arange(81) / 100
    chance = np.random.default_rng(14)
    rates = euler(moments, np.array((9.0, 5.0, 2.0)), time) + 0.02 * chance.normal(size=(81, 3))
    fit = fit_flight(time, rates)
    np.testing.assert_allclose(fit.ratios, moments, atol=0.01)
    first, middle, least = fit.axes_sigma[fit.order]
    assert first < np.radians(2.0)
    assert min(middle, least) > np.radians(15.0)


@pytest.mark.parametrize(("power", "formula"), [(0, LINEAR), (1, QUADRATIC)])
def test_the_kind_of_a_drag_is_named_if_the_other_leaves_twice_as_much(power, formula):
    moments, start, chance = PHONE[[1, 0, 2]], np.array((2.0, 9.0, 4.0)), np.random.default_rng(6)
    size = np.linalg.norm(start)

    def slope(_, omega):
        drag = 0.06 * (np.linalg.norm(omega) / size) ** power
        return np.cross(moments * omega, omega) / moments - drag * omega

    time = np.arange(600) / 100
    rates = solve_ivp(slope, (0.0, 6.0), start, "DOP853", time, rtol=1e-11, atol=1e-11).y.T
    lost = np.linalg.norm(moments * rates[-1]) / np.linalg.norm(moments * start)
    rates += 0.01 * chance.normal(size=rates.shape)
    fit = fit_flights([Flight(time, rates)])
    assert fit.drag_formula == formula
    assert fit.noise == pytest.approx(0.01, rel=0.05)
    assert fit.drag == pytest.approx(-np.log(lost) / time[-1], abs=4.0 * fit.drag_sigma)  # the mean of either kind
    assert np.abs((fit.moments - moments)[[0, 2]] / fit.moments_sigma[[0, 2]]).max() < 3.0
    np.testing.assert_allclose(fit.rates(time), rates, atol=0.05)  # five noises
    brief = fit_flights([Flight(time[:80], rates[:80])])
    assert brief.drag_formula == ""
    assert brief.drag == pytest.approx(0.06, abs=4.0 * brief.drag_sigma + 0.002)


def test_a_flight_of_many_turns_is_followed():
    one = toss(np.random.default_rng(15), PHONE, about=1, seconds=6.0)
    fit = fit_flight(one.time, one.rates)
    np.testing.assert_allclose(fit.ratios, PHONE, atol=1e-3)
    assert fit.noise == pytest.approx(0.03, rel=0.1)


def test_one_flight_takes_less_than_half_a_second():
    chance = np.random.default_rng(16)
    spent = []
    for _ in range(5):
        one = toss(chance, PHONE)
        begin = clock.process_time()
        fit_flight(one.time, one.rates)
        spent.append(clock.process_time() - begin)
    assert np.median(spent) < 0.5  # measured .03


@pytest.mark.slow
def test_ten_minutes_at_200_hz_are_fitted_by_some_of_their_rows_with_a_true_uncertainty():
    chance = np.random.default_rng(17)
    time = np.arange(120_000) / 200.0
    rates = euler(PHONE, np.array((1.0, 6.0, 0.5)), time, 0.002) + 0.03 * chance.normal(size=(len(time), 3))
    begin = clock.process_time()
    fit = fit_flight(time, rates)
    assert clock.process_time() - begin < 3.0  # measured .2, and 6 with all rows
    assert np.abs((fit.ratios - PHONE)[1:] / fit.ratios_sigma[1:]).max() < 3.0
    assert fit.ratios_sigma.max() < 5e-4
    assert (fit.fitted_rows, len(fit.motions[0].residuals)) == (2000, 120_000)
    assert fit.noise == pytest.approx(0.03, rel=0.05)
    # of all rows, to the end, the noise alone is left
    assert float(np.std(fit.motions[0].residuals[-6000:])) == pytest.approx(0.03, rel=0.1)
    assert any(line.startswith("fitted to 2000 of 120000 samples") for line in report(fit, (0,)))
