"""A long recording is worked on in blocks: the result is that of the whole at once."""

import tracemalloc

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

from viewer.replay.fits.inertia import PAIRS, integrals
from viewer.replay.flights.free_flights import find_flights
from viewer.replay.flights.motion import angular_acceleration
from viewer.replay.kinematics import BLOCK, blocks, integrated

ROWS = 2 * BLOCK + 77
UNEVEN = 0.002 * np.random.default_rng(5).random(ROWS)


def rates(time):
    return np.stack((np.sin(3.0 * time), 2.0 * np.cos(2.2 * time), 1.0 + np.sin(time)), axis=1)


@pytest.mark.parametrize("rows", [1, BLOCK - 1, BLOCK, BLOCK + 1, ROWS])
def test_blocks_are_all_rows_once(rows):
    seen = np.zeros(rows, int)
    for block, wide in blocks(rows, 5):
        seen[block] += 1
        assert wide.start <= max(block.start - 1, 0)
        assert block.stop <= wide.stop <= rows
    assert (seen == 1).all()


def test_integrals_are_those_of_one_spline():
    time = 0.005 * np.arange(ROWS) + UNEVEN
    omega = rates(time)
    products = np.stack([omega[:, i] * omega[:, j] for i, j in PAIRS], axis=1)
    whole = CubicSpline(time, products).antiderivative()(time)
    assert integrals(time, omega) == pytest.approx(whole, abs=1e-11)  # of up to 100; measured 2e-13


def test_angular_accelerations_are_those_of_one_spline():
    time = 0.005 * np.arange(2 * ROWS + 1)  # two rows are smoothed into one, and one is left over
    omega = rates(time)
    means = [part[:-1].reshape(ROWS, 2, -1).mean(axis=1) for part in (time, omega)]
    whole = CubicSpline(means[0][:, 0], means[1])(time, 1)
    assert angular_acceleration(time, omega) == pytest.approx(whole, abs=1e-9)  # of up to 10


@pytest.mark.parametrize("in_world", [False, True])
def test_orientations_go_on_from_block_to_block(in_world):
    time = 0.005 * np.arange(ROWS) + UNEVEN
    q, _ = integrated(time, rates(time), in_world)

    def derivative(t, q):
        w, (a, x, y, z) = rates(np.array([t]))[0], q
        cross = np.cross((x, y, z), w) * (-1.0 if in_world else 1.0)
        return 0.5 * np.array((-np.dot((x, y, z), w), *(a * w + cross)))

    span = float(time[0]), float(time[-1])
    exact = solve_ivp(derivative, span, (1.0, 0.0, 0.0, 0.0), method="DOP853", rtol=1e-10, atol=1e-10).y[:, -1]
    off = Rotation.from_quat(q[-1][[1, 2, 3, 0]]).inv() * Rotation.from_quat(exact[[1, 2, 3, 0]])
    assert off.magnitude() < 1e-5


@pytest.mark.parametrize("felt", [False, True])
def test_flights_of_a_long_recording_are_looked_for_in_little_memory(felt):
    time = 0.005 * np.arange(400_000)
    omega = 5.0 * rates(time) * (1.0 + 0.3 * np.sin(11.0 * time))[:, None]  # of no free body
    acceleration = np.full_like(omega, 9.8) if felt else None
    tracemalloc.start()
    try:
        find_flights(time, omega, acceleration)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 7 * omega.nbytes
