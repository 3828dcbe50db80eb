"""What a sensor's limit leaves of a flight: the uncertainty stays true. The tosses are scipy's."""

import numpy as np
import pytest
from helpers.tosses import Toss, solid, toss
from scipy.stats import norm

from viewer.replay.flights.body_fit import fit_flight
from viewer.replay.flights.flights_fit import censored

PHONE = np.array((1.0, 0.79, 0.215))


def clipped(seed: int, part: float) -> tuple[Toss, np.ndarray, float, float]:
    """(toss, rates clipped at a part of the largest, the limit, noise)."""
    chance = np.random.default_rng((777, seed))
    noise = float(chance.uniform(0.01, 0.05))
    one = toss(chance, PHONE if seed % 2 else solid(chance), noise=noise)
    limit = part * float(np.abs(one.rates).max())
    return one, np.clip(one.rates, -limit, limit), limit, noise


def test_the_likelihood_of_a_clipped_value():
    beyond = np.linspace(-30.0, 5.0, 400)
    residuals, slopes = censored(beyond)
    np.testing.assert_allclose(0.5 * residuals**2, -norm.logcdf(beyond), rtol=1e-10)
    step = 1e-6
    by_difference = (censored(beyond + step)[0] - censored(beyond - step)[0]) / (2.0 * step)
    np.testing.assert_allclose(slopes, by_difference, rtol=1e-5, atol=1e-8)
    assert censored(np.array([50.0]))[1] == 0.0


def test_clipped_values_have_no_share_in_the_noise():
    found = []
    for seed in range(16):
        one, rates, limit, noise = clipped(seed, 0.95)
        found.append(fit_flight(one.time, rates, limit).noise / noise)
    assert np.mean(found) == pytest.approx(1.0, abs=0.03)  # measured .99; .93 where they count


def test_a_component_that_is_always_clipped_leaves_the_drag_open():
    one, rates, limit, _ = clipped(42, 0.85)
    assert (np.abs(rates) == limit).all(axis=0).any()
    fit = fit_flight(one.time, rates, limit)
    assert fit.drag_sigma == 1.0


@pytest.mark.slow
def test_ratios_and_drag_of_clipped_flights_are_within_the_uncertainty_as_often_as_it_says():
    off, drags = [], []
    for seed in range(100):
        one, rates, limit, _ = clipped(1000 + seed, (0.85, 0.95)[seed // 2 % 2])
        fit = fit_flight(one.time, rates, limit)
        off.append((fit.ratios - one.moments)[1:] / fit.ratios_sigma[1:])
        drags.append((fit.drag - 0.02) / fit.drag_sigma)
    # binomial: .954 of 100 within .02; both ratios of a toss mostly go together; measured .945, .67 and .97
    assert (np.abs(off) < 2.0).mean() > 0.9
    assert 0.57 < (np.abs(off) < 1.0).mean() < 0.8
    assert (np.abs(drags) < 2.0).mean() > 0.9
