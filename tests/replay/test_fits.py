"""The numbers that the fits to recordings stand on, by hand."""

import io
from dataclasses import replace

import numpy as np
import pytest

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.state import State
from viewer.replay.common_motion import _agreed
from viewer.replay.files import lines
from viewer.replay.files.source import Member
from viewer.replay.fits.inertia import Fit
from viewer.replay.fits.likeness import Rows
from viewer.replay.fits.motion_fit import Recorded, Turned
from viewer.replay.fits.rigid_fit import alike_rows
from viewer.replay.flights.flights_fit import Flight, FlightsFit
from viewer.replay.flights.free_flights import ACCELERATION_NOISE, LEVER, _place


def test_residuals_that_are_alike_are_worth_fewer_rows() -> None:
    """(1 + r)/(1 - r) of the correlation r of neighbours, as of a process of the first order."""
    assert alike_rows([np.array([1.0, 2.0, 3.0])]) == pytest.approx((1 + 8 / 14) / (1 - 8 / 14))
    assert alike_rows([np.array([1.0, 2.0]), np.array([3.0, -1.0])]) == pytest.approx(1.0)  # 2 - 3: less than none
    assert alike_rows([np.array([1.0, -1.0, 1.0])]) == 1.0
    assert alike_rows([np.ones(10_000)]) == pytest.approx(1.98 / 0.02)
    noise = np.random.default_rng(1).normal(size=(100_000, 3))
    assert alike_rows([noise]) == pytest.approx(1.0, abs=0.02)
    smooth = np.zeros(100_000)
    for n in range(1, len(smooth)):
        smooth[n] = 0.5 * smooth[n - 1] + noise[n, 0]
    assert alike_rows([smooth]) == pytest.approx(3.0, rel=0.03)


def test_a_body_has_turned_by_its_rate_times_the_time() -> None:
    time = np.concatenate((0.01 * np.arange(400), 4.0 + 0.02 * np.arange(200)))
    omega = np.tile((0.3, 0.0, 0.4), (len(time), 1))
    turned = Turned.of(Recorded(time, None, omega))
    np.testing.assert_allclose(turned.angle, 0.5 * time, rtol=1e-12)
    half, axis = 0.25 * time, np.array((0.6, 0.0, 0.8))
    q = np.column_stack((np.cos(half), np.outer(np.sin(half), axis)))
    turned = Turned.of(Recorded(time, q, None))
    last = (len(time) - 1) // turned.lag * turned.lag
    np.testing.assert_allclose(turned.angle[: last + 1], 0.5 * time[: last + 1], rtol=1e-9, atol=1e-12)


def fit(moments: tuple[float, float, float], misfit: float, sigma: float = 1e-3) -> Fit:
    return Fit(np.diag(moments), misfit, np.eye(6) * sigma**2)


def test_the_fit_that_most_agree_with_is_taken_and_of_these_the_best() -> None:
    good, better, faulty = fit((0.4, 0.8, 1.0), 0.1), fit((0.401, 0.8, 1.0), 1e-2), fit((0.7, 0.9, 1.0), 1e-6)
    assert _agreed({"a": good, "b": better, "c": faulty})[0] == "b"
    assert _agreed({"c": faulty, "b": better, "a": good})[0] == "b"
    unknown = fit((0.4, 0.8, 1.0), 1e-9, sigma=10.0)  # which the motion does not show
    assert not unknown.determined
    assert _agreed({"a": good, "u": unknown, "v": unknown})[0] == "a"
    assert _agreed({"v": unknown, "u": unknown})[0] == "u"  # nothing better is known


def test_the_beginning_of_a_flight_ends_with_the_row_at_which_it_has_turned_so_far() -> None:
    """At a turn a second and 100 rows a second."""
    time = 0.01 * np.arange(300)
    flight = Flight(time, np.tile((0.0, 2.0 * np.pi, 0.0), (300, 1)))
    for turns, rows in ((0.495, 51), (1.005, 102), (0.01, 8), (9.0, 300)):
        assert len(FlightsFit([flight], None).shortened(turns).whole[0].time) == rows


def test_a_sensor_is_where_it_explains_best_what_it_felt() -> None:
    """Least squares, with a place of 0 within LEVER as good as an acceleration of 0 within its noise."""
    chance = np.random.default_rng(2)
    arm, felt = chance.normal(size=(4, 9, 3, 3)), chance.normal(size=(4, 9, 3))
    for found, rows, seen in zip(_place(arm, felt), arm, felt, strict=True):
        system = np.vstack((rows.reshape(-1, 3), ACCELERATION_NOISE / LEVER * np.eye(3)))
        wanted = np.linalg.lstsq(system, np.concatenate((seen.ravel(), np.zeros(3))), rcond=None)[0]
        np.testing.assert_allclose(found, wanted, rtol=1e-10)


def test_lines_tell_how_much_has_been_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "REPORT_EVERY", 10)
    text, told = "".join(f"{n:04d} 1.0\n" for n in range(100)), []
    member = Member("a.txt", len(text), lambda: io.BytesIO(text.encode()))
    found = list(lines.lines_of(member, "a.txt", told.append))
    assert found == [(n + 1, f"{n:04d} 1.0") for n in range(100)]
    np.testing.assert_allclose(told, 0.1 * np.arange(1, 11))


def test_a_turn_that_is_slower_than_the_rates_differs_by_as_much() -> None:
    """The recorded turn is slower than the recorded rates say, by a tenth of the slower spin."""
    body, step, time = RigidBody.from_moments((1, 2, 2.5)), 0.01, 0.01 * np.arange(51)
    slow, fast = (FreeRotation(body, State((1, 0, 0, 0), (0, 0, speed))).at(time) for speed in (2.0, 2.2))
    rows = Rows(body, fast, step, True, True, np.eye(3), np.zeros(3))
    assert rows.tried("exact", (1,), 15)[0].difference == pytest.approx(0.0, abs=1e-12)
    turns_slower = replace(fast, orientation_wxyz=slow.orientation_wxyz)
    found = replace(rows, states=turns_slower).tried("exact", (1,), 15)[0]
    assert found.difference == pytest.approx(0.1 / 1.1, rel=1e-9)
