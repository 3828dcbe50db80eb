"""Tosses are found in a recording, all of them and nothing else; ten minutes of handling hold none."""

from pathlib import Path

import numpy as np
import pytest
from helpers.handling import handled
from helpers.tosses import euler
from scipy.signal import butter, sosfiltfilt

from tests.helpers.synthetic_tosses import LIMIT, Tosses, tossed_phone
from viewer.replay.flights.free_flights import FreeFlight, find_flights
from viewer.replay.flights.signal_quality import CLIPPED, GAPS, JITTER, ONE_AXIS, SLOW, limit_of, noise_of

DATA = Path(__file__).parents[2] / "data"
RELEASED, FLIGHT, CYCLE = 1.85, 0.75, 2.72  # s, of the synthetic recording


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("accelerometer", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_ten_minutes_of_handling_hold_no_flight(seed, accelerometer):
    time, omega, force = handled(600.0, 100.0, seed)
    assert find_flights(time, omega, force if accelerometer else None) == ()


def test_a_leap_in_time_takes_no_memory():
    time, omega, force = tossed_phone(3, Tosses())
    found = find_flights(time, omega, force)
    later = np.where(np.arange(len(time)) < len(time) // 2, time, time + 1e12)
    leapt = find_flights(later, omega, force)
    assert [(flight.first, flight.end) for flight in leapt[:1]] == [(flight.first, flight.end) for flight in found[:1]]


@pytest.mark.parametrize("accelerometer", [True, False])
@pytest.mark.parametrize("rate", [50.0, 100.0, 200.0, 400.0])
@pytest.mark.parametrize("noise", [0.01, 0.05])
def test_three_tosses_are_found_where_they_are(rate, noise, accelerometer):
    time, omega, force = tossed_phone(3, Tosses(rate=rate, noise=noise))
    found = find_flights(time, omega, force if accelerometer else None)
    assert len(found) == 3
    slack = 0.03 if accelerometer else 0.06  # s: the swing of the hand is nearly a free turn
    for number, flight in enumerate(found):
        assert flight.begin == pytest.approx(RELEASED + number * CYCLE, abs=slack)
        assert flight.until == pytest.approx(RELEASED + number * CYCLE + FLIGHT, abs=slack)
        assert flight.residual < 0.02
        assert (flight.begin, flight.until) == (time[flight.first], time[flight.end - 1])
    assert [CLIPPED in flight.flags for flight in found] == [False, True, False]
    assert found[1].limit == LIMIT
    assert found[1].turns == pytest.approx(4.2, abs=0.3)


def test_a_sensor_far_off_the_centre_of_mass_of_a_fast_phone_feels_much_and_flies_all_the_same():
    time, omega, force = tossed_phone(1)
    flight = find_flights(time, omega, force)[1]
    felt = np.linalg.norm(force[flight.rows], axis=1)
    assert felt.max() > 15.0  # m/s2: more than at rest


def test_tosses_of_a_racket_that_the_air_slows_are_found():
    time, *rates = np.loadtxt(DATA / "racket-tosses.csv", delimiter=",", skiprows=1).T
    found = find_flights(time, np.stack(rates, axis=1))
    assert len(found) == 3
    for flight, (begin, until) in zip(found, ((1.50, 2.35), (5.20, 6.08), (9.10, 9.85)), strict=True):
        assert (flight.begin, flight.until) == pytest.approx((begin, until), abs=0.03)  # measured .02
        assert flight.residual < 0.009  # measured .008; .02 without drag


@pytest.mark.parametrize("accelerometer", [True, False])
def test_tosses_of_other_bodies_between_handling(accelerometer):
    """Not of the project's making: scipy's motion, cut into a recording of handling."""
    time, omega, force = handled(60.0, 100.0, 8)
    begins = 1000, 2500, 4000
    for number, (begin, moments) in enumerate(
        zip(begins, ((1.0, 0.8, 0.3), (1.0, 0.92, 0.1), (0.6, 1.0, 0.7)), strict=True)
    ):
        rows = slice(begin, begin + 70)
        start = np.array((3.0, 14.0, 2.0))[[number, (number + 1) % 3, (number + 2) % 3]]
        chance = np.random.default_rng(number)
        omega[rows] = euler(np.array(moments), start, time[rows] - time[begin], 0.02)
        omega[rows] += 0.03 * chance.normal(size=(70, 3))
        force[rows] = 0.1 * chance.normal(size=(70, 3))
    found = find_flights(time, omega, force if accelerometer else None)
    assert len(found) == 3
    for flight, begin in zip(found, begins, strict=True):
        assert abs(flight.first - begin) <= 3
        assert abs(flight.end - (begin + 70)) <= 3


def test_a_recording_that_is_all_free_is_one_flight():
    time = np.arange(2000) * 0.02
    omega = euler(np.array((1.0, 2.0, 2.5)), np.array((0.4, 2.0, 0.3)), time)
    found = find_flights(time, omega)
    assert [(flight.first, flight.end, flight.whole) for flight in found] == [(0, 2000, True)]
    forced = omega + np.stack((0 * time, np.sin(time), 0 * time), axis=1)
    assert not any(flight.whole for flight in find_flights(time, forced))


def test_rest_and_next_to_nothing_are_no_flights():
    time = np.arange(1000) / 100
    still = 0.02 * np.random.default_rng(0).normal(size=(1000, 3))
    assert find_flights(time, still) == ()
    assert find_flights(time, still, still + np.array((0.0, 0.0, 9.81))) == ()
    assert find_flights(time[:5], still[:5]) == ()
    assert find_flights(time, 0.0 * still) == ()


def only(found: tuple[FreeFlight, ...]) -> FreeFlight:
    assert len(found) == 1
    return found[0]


def test_gaps_jitter_and_a_low_rate_are_flagged():
    made = Tosses(throws=((1.0, 20.0, 2.0),))
    time, omega, force = tossed_phone(0, made)
    assert only(find_flights(time, omega, force)).flags == ()
    kept = np.delete(np.arange(len(time)), [210, 211, 212])
    assert only(find_flights(time[kept], omega[kept], force[kept])).flags == (GAPS,)
    time, omega, force = tossed_phone(0, Tosses(throws=((1.0, 20.0, 2.0),), jitter=0.2))
    assert only(find_flights(time, omega, force)).flags == (JITTER,)
    time, omega, force = tossed_phone(0, Tosses(throws=((1.0, 30.0, 2.0),), rate=25.0))
    assert SLOW in only(find_flights(time, omega, force)).flags


def test_a_limit_is_where_a_component_stays_at_its_extreme():
    time = np.linspace(0.0, 1.0, 200)
    omega = np.stack((30.0 * np.sin(9.0 * time), 3.0 + time, 0 * time), axis=1)
    assert limit_of(omega) == np.inf
    assert limit_of(np.clip(omega, -25.0, 25.0)) == 25.0
    assert limit_of(np.tile([0.0, 12.0, 0.0], (100, 1))) == np.inf  # a steady spin of a simulator
    for digits in (1, 2, 3):  # the top of a smooth maximum, written with few digits
        assert limit_of(np.round(omega, digits)) == np.inf
        assert limit_of(np.round(np.clip(omega, -25.0, 25.0), digits)) == 25.0
    assert limit_of(np.zeros((100, 3))) == np.inf
    # whole deg/s that stand still at the release of a toss, and four digits, which are coarser above 10 than below
    released = np.array((391.0, 415, 440, 464, 490, 516, 542, 542, 542, 540, 539, 539, 538, 539, 538, 537))
    assert limit_of(np.stack((released, 0 * released, 0 * released), axis=1)) == np.inf
    top = np.array([float(f"{size:.4g}") for size in 10.43 - 0.6 * np.linspace(-1.5, 1.0, 260) ** 2])
    assert limit_of(np.stack((top, 0 * top, 0 * top), axis=1)) == np.inf


def test_an_accelerometer_may_be_slower_or_without_gravity():
    time, omega, force = tossed_phone(2)
    expected = [(flight.first, flight.end) for flight in find_flights(time, omega, force)]
    missing = force.copy()
    missing[np.arange(len(time)) % 3 > 0] = np.nan
    found = find_flights(time, omega, missing)
    assert len(found) == 3
    for flight, (first, end) in zip(found, expected, strict=True):
        assert abs(flight.first - first) <= 3
        assert abs(flight.end - end) <= 3
    without = [(flight.first, flight.end) for flight in find_flights(time, omega)]
    for useless in (np.full_like(force, np.nan), 0.1 * omega):
        assert [(flight.first, flight.end) for flight in find_flights(time, omega, useless)] == without


def turned_by_hand(seed, band):
    """Two minutes at 100 Hz of large, smooth turning by hand: 8 rad/s, up to `band` Hz, with noise of .02 rad/s."""
    chance = np.random.default_rng((seed, int(band * 10)))
    smooth = sosfiltfilt(butter(2, band, fs=100, output="sos"), chance.normal(size=(12000, 3)), axis=0)
    rates = smooth * (8.0 / np.sqrt(3.0) / smooth.std())
    return np.arange(12000) / 100, rates + 0.02 * chance.normal(size=rates.shape)


def test_large_smooth_turning_by_hand_is_not_taken_for_a_flight():
    found = [find_flights(*turned_by_hand(seed, band)) for seed in range(3) for band in (0.3, 0.6, 1.0)]
    assert sum(map(len, found)) == 0  # of 18 minutes; 66 where the noise is not looked at


def test_a_steady_spin_by_hand_is_doubted():
    chance, time = np.random.default_rng(2), np.arange(3000) / 100
    axis = np.array((0.6, 0.0, 0.8))
    rates = (8.0 + 0.1 * np.sin(0.7 * time))[:, None] * axis + 0.02 * chance.normal(size=(3000, 3))
    for flight in find_flights(time, rates):
        assert ONE_AXIS in flight.flags
    assert find_flights(time, rates)[0].whole
    tumbling = euler(np.array((1.0, 2.0, 2.5)), np.array((0.4, 2.0, 0.3)), time)
    assert find_flights(time, tumbling)[0].flags == ()


def test_the_noise_of_what_is_smooth():
    time = np.arange(2000) / 100
    smooth = np.stack((10.0 * np.sin(5.0 * time), 3.0 * np.cos(4.0 * time), time), axis=1)
    assert noise_of(smooth) < 1e-4
    noisy = smooth + 0.02 * np.random.default_rng(0).normal(size=smooth.shape)
    assert noise_of(noisy) == pytest.approx(0.02 * np.sqrt(3.0), rel=0.05)
    assert noise_of(noisy[:5]) == 0.0
