"""A gyroscope's bias: known from its rest, or else within the uncertainty of the body that a flight tells."""

import numpy as np
import pytest
from helpers.handling import handled
from helpers.tosses import euler, solid, toss

from viewer.replay.analysis import replay
from viewer.replay.conventions import Conventions
from viewer.replay.flights.body_fit import fit_flight, fit_flights
from viewer.replay.flights.flights_fit import Flight
from viewer.replay.flights.rest import DRIFT, Rest, rest_of, unknown_rest
from viewer.replay.raw_recording import raw_recording
from viewer.replay.recording import interpret

PHONE = np.array((1.0, 0.79, 0.21))
BIAS = np.array((0.012, -0.009, 0.016))
DOWN = np.array((0.3, 0.2, 9.8))


def tossed(noise=0.005, bias=BIAS):
    """A phone lies for two seconds, is taken up, and is tossed: times, rates, specific force."""
    chance = np.random.default_rng(5)
    flight = np.arange(80) / 100.0
    omega = euler(PHONE, np.array((1.0, 12.0, 1.5)), flight)
    up = np.linspace(0.0, 1.0, 30)[:, None] ** 2 * omega[0]
    rates = np.concatenate((np.zeros((200, 3)), up, omega, up[::-1] / np.linalg.norm(omega[0]) * 12.0))
    force = np.concatenate((np.tile(DOWN, (200, 1)), 2.0 * DOWN + 0.0 * up, 0.0 * omega, 3.0 * DOWN + 0.0 * up))
    rates = rates + bias + noise * chance.normal(size=rates.shape)
    return np.arange(len(rates)) / 100.0, rates, force + 0.02 * chance.normal(size=force.shape)


@pytest.mark.parametrize("accelerometer", [True, False])
def test_what_it_shows_at_rest_is_taken_off(accelerometer):
    time, rates, force = tossed()
    groups = {"w": rates, "a": force} if accelerometer else {"w": rates}
    columns = {"t": time} | {f"{name}{n}": v for name, of in groups.items() for n, v in zip("xyz", of.T, strict=True)}
    said = Conventions(rate_frame="body", rate_unit="rad/s", time_unit="s", acceleration_unit="m/s2")
    found = replay(interpret(raw_recording("file.csv", columns, said)))
    assert found.selection is not None
    fit = found.selection.fit
    assert "the gyroscope shows 1.3°/s at rest, which is taken off its rates" in found.findings()
    np.testing.assert_allclose(found.selection.rest.rates, BIAS, atol=1e-3)  # measured 3e-4, sigma 3e-4
    np.testing.assert_allclose(fit.bias, BIAS, atol=3.0 * DRIFT)
    assert np.abs((fit.ratios - PHONE)[1:] / fit.ratios_sigma[1:]).max() < 2.0
    # energy and |L| are those of the rates without it
    states = found.trajectory.states
    off = states.omega_body - found.course.exact.at(states.time).omega_body
    np.testing.assert_allclose(np.median(off, axis=0), 0.0, atol=4e-3)


def test_neither_a_slow_turn_nor_a_hand_nor_digits_that_stand_still_are_rest():
    time, rates, force = tossed()
    assert rest_of(time, rates, force) is not None
    turning = np.arange(200)[:, None] * 0.03 * np.array((0.0, 9.8, -0.2)) / 100.0  # at .03 rad/s about x
    assert rest_of(time, rates, np.concatenate((force[:200] + turning, force[200:]))) is None
    assert rest_of(time, rates, 0.1 * force) is None  # no gravity, as in phyphox's acceleration without g
    assert rest_of(time, np.round(rates, 1), force) is None
    slowly = 0.03 * np.sin(2.0 * np.pi * time[:, None] + np.arange(3))
    assert rest_of(time, rates + slowly, force) is None
    assert rest_of(time[:50], rates[:50], force[:50]) is None


def test_the_rest_between_handling_is_found():
    shown = []
    for seed in range(6):
        time, omega, force = handled(60.0, 100.0, seed)
        found = rest_of(time, omega + BIAS, force)
        shown += [] if found is None else [found.rates]
    assert len(shown) >= 3
    np.testing.assert_allclose(
        shown, np.tile(BIAS, (len(shown), 1)), atol=4e-3
    )  # measured 2.6e-3; the noise's part is 2e-3 in each second


def test_a_bias_that_no_rest_shows_is_within_the_uncertainty():
    chance = np.random.default_rng(8)
    moments = solid(chance)
    one = toss(chance, moments, noise=0.002)
    rates = one.rates + BIAS

    def off(fit):
        return np.abs((fit.ratios - moments)[1:] / fit.ratios_sigma[1:]).max()

    assert off(fit_flight(one.time, rates)) > 5.0  # measured 8.6
    assert (
        off(fit_flights([Flight(one.time, rates)], unknown_rest([rates]))) < 2.5
    )  # measured 2.0, of a bias of three sigmas
    known = fit_flights([Flight(one.time, rates)], Rest(BIAS, DRIFT))
    assert off(known) < 2.0  # measured 1.2
    assert known.ratios_sigma.max() < 1e-4  # measured 8e-5, and 2.2e-4 if the bias is not known


@pytest.mark.slow
@pytest.mark.parametrize("biased", [False, True])
def test_without_rest_the_ratios_are_within_the_uncertainty_as_often_as_it_says(biased):
    chance, off = np.random.default_rng(20), []
    for _ in range(100):
        moments = solid(chance)
        one = toss(chance, moments, noise=chance.choice((0.002, 0.005, 0.01, 0.02)), seconds=chance.uniform(0.5, 1.0))
        rates = one.rates + biased * 0.01 * chance.normal(size=3)
        fit = fit_flights([Flight(one.time, rates)], unknown_rest([rates]))
        if fit.determined:
            off.append((fit.ratios - moments)[1:] / fit.ratios_sigma[1:])
    size = np.abs(np.array(off))
    assert 0.60 < (size < 1.0).mean() < 0.80
    assert (size < 2.0).mean() > 0.90
    assert size.max() < 4.5
