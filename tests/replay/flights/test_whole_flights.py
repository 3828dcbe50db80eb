"""Recordings that are one toss and nothing else, and recordings without any: beside scipy's integration."""

import numpy as np
import pytest
from helpers.handling import handled
from helpers.tosses import euler
from scipy.spatial.transform import Rotation

from viewer.common.errors import InputError
from viewer.replay.analysis import replay
from viewer.replay.conventions import Conventions
from viewer.replay.findings import Replay
from viewer.replay.flights.signal_quality import CLIPPED
from viewer.replay.raw_recording import raw_recording
from viewer.replay.recording import interpret

PHONE = np.array((1.0, 0.79, 0.21))
SAID = Conventions(rate_frame="body", rate_unit="rad/s", time_unit="s", acceleration_unit="m/s2")
LIMIT = 34.9  # rad/s
REST = np.array((0.0, 0.0, 9.81))


def replayed(time, omega, force=None, q=None, flight=None) -> Replay:
    columns = {"t": time}
    for names, values in (
        (("qw", "qx", "qy", "qz"), q), (("wx", "wy", "wz"), omega), (("ax", "ay", "az"), force)
    ):  # fmt: skip
        if values is not None:
            columns |= dict(zip(names, np.broadcast_to(values, (len(time), len(names))).T, strict=True))
    return replay(interpret(raw_recording("file.csv", columns, SAID)), flight)


@pytest.mark.parametrize("accelerometer", [True, False])
def test_one_toss_and_nothing_else_is_fitted_as_a_flight(accelerometer):
    chance = np.random.default_rng(0)
    time = np.arange(400) / 200.0
    omega = euler(PHONE, np.array((0.3, 12.0, 0.4)), time, drag=0.1) + 0.02 * chance.normal(size=(400, 3))
    found = replayed(time, omega, 0.05 * chance.normal(size=(400, 3)) if accelerometer else None)
    assert found.selection is not None
    fit = found.selection.fit
    assert np.abs(fit.ratios - PHONE).max() < 5e-4  # measured 2.2e-4
    assert fit.ratios_sigma.max() < 8e-4  # measured 7.4e-4; 2.3e-4 if the gyroscope's bias were known to be 0
    assert fit.drag == pytest.approx(0.1, abs=4.0 * fit.drag_sigma)
    assert "no solid has" not in " ".join(found.findings())


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize("accelerometer", [True, False])
@pytest.mark.parametrize("flight", [None, "1"])
def test_one_clipped_toss_and_nothing_else(flight, accelerometer):
    chance = np.random.default_rng(1)
    time = np.arange(80) / 100.0
    omega = euler(PHONE, np.array((0.5, 45.0, 0.4)), time) + 0.02 * chance.normal(size=(80, 3))
    clipped = np.clip(omega, -LIMIT, LIMIT)
    assert 0.1 < np.mean(np.abs(clipped) == LIMIT) < 0.4  # it is, much of the time
    found = replayed(time, clipped, 0.05 * chance.normal(size=(80, 3)) if accelerometer else None, flight=flight)
    assert CLIPPED in found.selection.flight.flags
    np.testing.assert_allclose(found.selection.fit.ratios, PHONE, atol=1e-3)  # measured 5e-5


def test_the_steps_of_a_slow_recorder_are_no_gaps():
    time = np.arange(200) / 4.0
    omega = euler(PHONE, np.array((0.1, 0.8, 0.2)), time) + 0.002 * np.random.default_rng(4).normal(size=(200, 3))
    found = replayed(time, omega)
    assert found.selection.flight.whole
    np.testing.assert_allclose(found.selection.fit.ratios, PHONE, atol=1.5e-3)  # measured 7e-4, sigma 3.6e-4


def test_a_hand_is_not_taken_for_a_free_body():
    time, omega, _ = handled(120.0, 100.0, 3)
    with pytest.raises(
        InputError, match=r"^file\.csv: no free flight found, and the whole is no motion of a free body"
    ):
        replayed(time, omega)


def test_what_a_hand_does_between_clipped_limits_is_no_flight():
    time, omega, _ = handled(4.0, 100.0, 5)
    limit = 0.5 * np.abs(omega).max()
    with pytest.raises(InputError, match="no free flight found"):
        replayed(time, np.clip(omega, -limit, limit))


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize("force", [np.zeros(3), REST])
def test_orientations_are_read_beside_an_accelerometer_that_feels_no_toss(force):
    time = np.arange(400) / 20.0
    omega = euler(np.array((2.0 / 3.0, 1.0, 0.34)), np.array((1.0, 0.05, 0.02)), time)
    by_rates = replayed(time, omega)
    q = by_rates.recording.orientation_wxyz
    found = replayed(time, omega, force, q)
    assert found.selection is None
    np.testing.assert_allclose(found.body.principal_moments, (2.0 / 3.0, 1.0, 0.34), atol=1e-4)


def test_an_accelerometer_of_zeros_is_none():
    time = np.arange(400) / 20.0
    omega = euler(PHONE, np.array((0.05, 1.0, 0.02)), time)
    found = replayed(time, omega, np.zeros(3))
    assert found.recording.acceleration is None
    assert found.selection is None
    np.testing.assert_allclose(found.body.principal_moments, PHONE, atol=1e-4)


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize("noise", [0.0, 1e-5])
def test_a_flat_body_is_a_solid_but_for_the_misfit(noise):
    flat = np.array((2.0 / 3.0, 1.0, 1.0 / 3.0))
    time = np.arange(400) / 20.0
    chance = np.random.default_rng(2)
    omega = euler(flat, np.array((1.0, 0.05, 0.02)), time) + noise * chance.normal(size=(400, 3))
    found = replayed(time, omega)
    assert found.selection is None
    assert found.body.warning is None
    np.testing.assert_allclose(found.body.principal_moments, flat, atol=1e-4)  # measured 3.5e-5
    assert "kg m" not in " ".join(found.findings())


def test_moments_of_no_solid_are_told_without_a_unit_they_have_not():
    time = np.arange(400) / 50.0
    found = replayed(time, euler(np.array((1.0, 0.5, 0.3)), np.array((0.3, 2.0, 0.4)), time))
    assert "no solid has these moments: Iy + Iz = 0.8 is less than Ix = 1" in found.warnings


def test_wrong_units_are_not_suspected_beside_a_good_flight():
    time, omega, _ = handled(30.0, 100.0, 8)
    chance = np.random.default_rng(0)
    omega[1000:1070] = euler(np.array((1.0, 0.8, 0.3)), np.array((3.0, 14.0, 2.0)), time[:70], 0.02)
    omega[1000:1070] += 0.03 * chance.normal(size=(70, 3))
    columns = {"t": time} | dict(zip(("wx", "wy", "wz"), omega.T, strict=True))
    recording = interpret(raw_recording("file.csv", columns, Conventions(rate_frame="body", rate_unit="rad/s")))
    assert recording.conventions.time_unit == "s"  # nobody said so, and the whole is a hand's
    found = replay(recording)
    assert found.selection.flight.residual < 0.01
    assert found.warnings == ()


def drifting(noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Times and rates of 10 s at 60 steps a second by a method that turns at the rate of the beginning of each step."""
    moments, turn, rates = np.array((0.22, 0.8, 1.0)), Rotation.identity(), []
    L = moments * (0.3, 3.0, 0.3)
    for _ in range(600):
        rates.append(turn.inv().apply(L) / moments)
        turn *= Rotation.from_rotvec(rates[-1] / 60.0)
    return np.arange(600) / 60.0, np.array(rates) + noise * np.random.default_rng(0).normal(size=(600, 3))


def test_a_program_that_drifts_makes_no_flight():
    """Each part of its motion is nearly that of one body, the whole is not: such a body leaves 31 % of it."""
    found = replayed(*drifting(0.0))
    assert found.selection is None
    assert found.resembled in {"first-order", "naive-rotation"}
    np.testing.assert_allclose(np.sort(found.body.principal_moments), (0.22, 0.8, 1.0), atol=1e-6)  # measured 8e-8
    with pytest.raises(InputError, match="no free flight found, and the whole is no motion of a free body"):
        replayed(*drifting(0.01))
    assert replayed(*drifting(0.01), flight="1").selection.flight.whole  # asked for, it is told with its residual
