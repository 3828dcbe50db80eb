"""Where nothing was recorded nothing is known: told in a line, no rate, flight or curve goes across."""

import numpy as np
import pytest

from tests.helpers.synthetic_tosses import Tosses, tossed_phone
from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.state import State
from viewer.replay.analysis import replay
from viewer.replay.conventions import Conventions
from viewer.replay.flights.free_flights import find_flights
from viewer.replay.raw_recording import RATES, RawRecording, jumps, raw_recording
from viewer.replay.recording import interpret
from viewer.ui.plots.curves import broken

STATES = FreeRotation(RigidBody.from_moments((1.0, 2.0, 2.5)), State((1, 0, 0, 0), (0.4, 2.0, 0.3)))
SAID = Conventions("wxyz", "world from body", "body", "rad/s", "s", (1.0, 2.0, 2.5))
PHONE = Conventions(rate_frame="body", rate_unit="rad/s", time_unit="s", acceleration_unit="m/s2")


def without(time: np.ndarray, *spans: tuple[float, float]) -> np.ndarray:
    return time[~np.any([(time > low) & (time < high) for low, high in spans], axis=0)]


def test_a_jump_in_time_is_a_gap_and_told_in_one_line():
    time = without(np.arange(1000) * 0.01, (2.0, 5.2), (7.0, 7.3))
    states = STATES.at(time)
    found = interpret(RawRecording("a.csv", time, states.orientation_wxyz, states.omega_body, SAID))
    told = "2 gaps, the longest of 3.2 s at t = 2 s; nothing is known of the motion in them"
    assert found.warnings == (told,)
    np.testing.assert_array_equal(time[found.gaps], (5.2, 7.3))
    track = replay(found).trajectory
    np.testing.assert_allclose(track.gaps, ((2.0, 5.2), (7.0, 7.3)))


def test_uneven_steps_are_no_gaps():
    chance = np.random.default_rng(0)
    grown = np.cumsum(1e-3 * 1.5 ** (20.0 * np.sin(np.arange(400) / 20.0)))  # of a solver that adapts its step
    jittered = np.arange(500) * 0.01 + 0.004 * chance.uniform(-1.0, 1.0, 500)
    lost = np.delete(np.arange(500) * 0.01, [40, 41, 42, 300])  # 4 steps at most
    for time in (grown, np.sort(jittered), lost, np.arange(3.0), np.arange(2.0)):
        assert len(jumps(time)) == 0
    assert jumps(np.array([0.0, 1.0, 2.0, 8.0, 9.0, 10.0])).tolist() == [3]


def test_rates_from_orientations_do_not_reach_across_a_gap():
    time = without(np.arange(600) * 0.01, (2.0, 3.7))
    states = STATES.at(time)
    found = interpret(RawRecording("a.csv", time, states.orientation_wxyz, None, SAID))
    off = np.abs(found.omega_body - states.omega_body).max(axis=1)
    assert off.max() < 5e-7  # measured 2e-7, at the ends of the rows; across the gap 1.6
    assert len(found.gaps) == 1


@pytest.mark.parametrize("with_accelerometer", [True, False])
def test_no_flight_goes_across_a_pause_of_which_the_clock_says_nothing(with_accelerometer):
    """The flight is cut in its middle, .1 s are lost there, and the clock stood still meanwhile, as phyphox's does."""
    time, omega, felt = tossed_phone(0, Tosses(throws=((20.0, 0.9, 0.8),), jitter=0.0, flight=1.2))
    flying = (time > 1.86) & (time < 3.0)
    time, omega, felt = time[flying], omega[flying], felt[flying]
    kept = (time < 2.4) | (time > 2.5)
    row = int(np.argmax(time > 2.5))
    row -= int(np.count_nonzero(~kept))
    clock = np.arange(np.count_nonzero(kept)) * 0.01
    columns = {"t": clock} | dict(zip(RATES, omega[kept].T, strict=True))
    if with_accelerometer:
        columns |= dict(zip(("ax", "ay", "az"), felt[kept].T, strict=True))
    found = interpret(raw_recording("a.csv", columns, PHONE, breaks=[float(clock[row])]))
    assert found.gaps.tolist() == [row]
    flights = find_flights(found.time, found.omega_body, found.acceleration, found.gaps)
    assert flights
    assert not any(flight.first < row < flight.end or flight.whole for flight in flights)
    across = find_flights(found.time, found.omega_body, found.acceleration)
    assert any(flight.first < row < flight.end for flight in across)


def test_both_sides_of_a_jump_in_a_flight_are_flights_of_their_own():
    time, omega, felt = tossed_phone(0, Tosses(throws=((20.0, 0.9, 0.8),), flight=1.5))
    kept = (time < 2.5) | (time > 2.75)
    flights = find_flights(time[kept], omega[kept], felt[kept])
    assert len(flights) == 2
    assert flights[0].until < 2.5 < 2.75 < flights[1].begin


def test_curves_are_broken_where_nothing_was_recorded():
    time = np.arange(10.0)
    times, values = broken(time, time**2, ((2.0, 5.0), (7.0, 8.0)))
    np.testing.assert_array_equal(times, (0, 1, 2, 3.5, 5, 6, 7, 7.5, 8, 9))
    np.testing.assert_array_equal(values, (0, 1, 4, np.nan, 25, 36, 49, np.nan, 64, 81))
    _, points = broken(time[:4], np.ones((4, 2)), ((2.0, 5.0),))  # it is in the gap now
    assert np.isnan(points[3:]).all()
    assert np.isfinite(points[:3]).all()
    assert broken(time, time, ((20.0, 21.0), (-3.0, -1.0)))[1] is time
    np.testing.assert_array_equal(broken(time, time, ((-1.0, 7.0),))[1], (np.nan, 7, 8, 9))
    times, values = broken(time, time, ((6.0, 8.0), (1.0, 4.0), (3.0, 5.0)))  # in any order, one in the other's end
    np.testing.assert_array_equal(times, (0, 1, 2.5, 4, 5, 6, 7, 8, 9))
    np.testing.assert_array_equal(values, (0, 1, np.nan, np.nan, 5, 6, np.nan, 8, 9))
    assert broken(time, time, ())[1] is time


def test_what_clipped_rates_say_of_the_momentum_is_not_drawn():
    """Of the toss that is beyond the sensor's limit: elsewhere |L| falls as the drag has it."""
    time, omega, felt = tossed_phone(1, Tosses(throws=((1.5, 35.5, 9.0),)))
    columns = {"t": time} | dict(zip((*RATES, "ax", "ay", "az"), np.column_stack((omega, felt)).T, strict=True))
    recording = interpret(raw_recording("a.csv", columns, PHONE))
    found = replay(recording, "1")
    track, fit = found.trajectory, found.selection.fit
    size = np.linalg.norm(track.states.omega_body * track.course.body.principal_moments, axis=1)
    size /= np.linalg.norm(track.course.start.omega_body * track.course.body.principal_moments)
    rows, values = broken(track.states.time, size, track.clipped)
    left = np.abs(values - np.exp(-fit.drag * rows))
    assert np.nanmax(left) < 0.004  # measured .0022, the noise; of all rows .011
    assert np.abs(size - np.exp(-fit.drag * track.states.time)).max() > 0.008
    assert 20 < np.isfinite(values).sum() < len(size)


def test_a_gap_is_told_with_three_digits_and_the_longest_are_listed_in_order():
    time = without(np.arange(2000) * 0.01, (2.0, 5.2345), (7.0, 7.3), (11.0, 12.0))
    time[time > 5.0] += 0.0015
    states = STATES.at(time)
    found = interpret(RawRecording("a.csv", time, states.orientation_wxyz, states.omega_body, SAID))
    assert found.warnings == ("3 gaps, the longest of 3.24 s at t = 2 s; nothing is known of the motion in them",)
    all_of_them = [(time[row - 1], time[row]) for row in np.flatnonzero(np.diff(time) > 0.1) + 1]
    np.testing.assert_allclose(found.gaps_within(), all_of_them)
    second = int(found.gaps[1])
    np.testing.assert_allclose(found.gaps_within(slice(0, second)), all_of_them[:1])
    np.testing.assert_allclose(found.gaps_within(slice(0, second + 1)), all_of_them[:2])
    np.testing.assert_allclose(found.gaps_within(slice(int(found.gaps[0]), None)), all_of_them[1:])
