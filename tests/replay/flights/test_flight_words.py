"""What a toss was, in one line, and what it leaves open."""

import numpy as np
import pytest
from helpers.tosses import euler

from tests.helpers.synthetic_tosses import MOMENTS, as_phyphox, tossed_phone
from viewer.physics.poinsot.spin import circulation
from viewer.replay.flights.body_fit import fit_flight, fit_flights
from viewer.replay.flights.flights_fit import Flight
from viewer.replay.flights.free_flights import FreeFlight, find_flights
from viewer.replay.flights.words import (
    describe,
    drag_of,
    flips,
    moments_of,
    quality_of,
    report,
    stability_of,
    unknown,
    with_sigma,
)

PHONE = np.array((1.0, 0.79, 0.21))
TIME = np.arange(81) / 100


def fitted(start, moments=PHONE, noise=0.02, drag=0.0):
    rates = euler(np.array(moments), np.array(start), TIME, drag)
    return fit_flight(TIME, rates + noise * np.random.default_rng(1).normal(size=rates.shape)), rates


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ((15.0, 3.0, 3.0), "wobbled about the axis of the largest moment, 13°; "),
        ((0.8, 22.0, 0.8), "thrown about the middle axis; flipped "),
        ((0.5, 0.5, 20.0), "wobbled about the axis of the smallest moment, "),
        ((7.0, 8.0, 24.0), "wobbled about the axis of the smallest moment, 64°; "),
        ((14.5, 0.5, 19.0), "tumbled; flipped "),
    ],
)
def test_the_axis_of_the_throw(start, words):
    fit, _ = fitted(start)
    assert describe(fit).startswith(words)
    assert describe(fit).count(";") == (2 if "wobbled" in words else 3)


@pytest.mark.parametrize("start", [(1.5, 22.0, 1.0), (0.3, 18.0, 0.2), (0.02, 12.0, 0.0)])
def test_flips_are_counted(start):
    fit, rates = fitted(start)
    counted = int(np.count_nonzero(np.diff(np.sign(rates[:, 1]))))
    assert flips(fit) == counted
    if not fit.determined:  # it left the axis by some degrees only: the ratios are known to .5
        assert describe(fit).startswith(
            "its moments cannot be told apart; which principal axis it turned about is unknown; "
        )
        return
    expected = {0: "did not flip", 1: "flipped once", 2: "flipped twice"}.get(counted, f"flipped {counted} times")
    assert f"; {expected}; " in describe(fit)


def test_drag_is_told_where_it_is_seen():
    assert drag_of(fitted((1.5, 22.0, 1.0), drag=0.05)[0]).startswith("drag 0.0")
    assert drag_of(fitted((1.5, 22.0, 1.0), drag=0.0)[0]).startswith("no drag above ")


def test_numbers_are_as_fine_as_they_are_known():
    assert with_sigma(0.79046, 0.0021) == "0.790 ± 0.002"
    assert with_sigma(0.79046, 0.21) == "0.8 ± 0.2"
    assert with_sigma(12.3, 4.0) == "12 ± 4"
    assert with_sigma(0.5, 0.0) == "0.5"


def test_the_middle_axis_is_the_unstable_one_and_by_how_much():
    fit, _ = fitted((1.0, 20.0, 1.0))
    first, middle, last = stability_of(fit)
    assert first.endswith("stable")
    assert last.endswith("rotation about it is stable")
    # linearised Euler's equations: .065 s
    rate = np.linalg.norm((1.0, 20.0, 1.0)) * np.sqrt((1.0 - 0.79) * (0.79 - 0.21) / 0.21)
    found = float(middle.split("unstable, a small deviation grows e-fold in ")[1].removesuffix(" s"))
    assert found == pytest.approx(1 / rate, rel=0.03)


def test_what_is_not_known_is_said():
    assert unknown(fitted((1.0, 20.0, 1.0))[0]) == [
        "free motion reveals only the ratios of the moments, not their size"
    ]
    steady = fit_flight(TIME, np.tile([0.0, 12.0, 0.0], (81, 1)) + 0.03 * np.random.default_rng(2).normal(size=(81, 3)))
    assert unknown(steady)[1].startswith("these moments are not determined")
    assert not any("stable" in line for line in report(steady, (0,)))
    top, _ = fitted((9.0, 5.0, 2.0), (1.0, 0.6, 0.6))
    assert unknown(top)[1].startswith("the two smaller moments are not told apart: which directions across the axis")
    short, _ = fitted((3.0, 4.0, 2.0), noise=2.0)
    assert short.ratios_sigma[0] == 0.0  # of the largest to itself
    assert unknown(short)[1] == "these moments are not determined: too few turns, or too much noise"
    sphere, _ = fitted((9.0, 5.0, 2.0), (1.0, 1.0, 1.0))
    assert describe(sphere).startswith(
        "spun about one axis only; whether that of the largest, middle or smallest moment is unknown"
    )
    assert not any(word in line for line in report(sphere, (0,)) for word in ("symmetric", "e-fold"))


@pytest.mark.parametrize("tilt", np.linspace(0.1, 1.4, 14))
def test_the_flight_and_the_panel_name_the_same_axis(tilt):
    """On both sides of the separatrix."""
    start = 15.0 * np.array((np.sin(tilt), 0.3, 2.0 * np.cos(tilt)))
    fit, _ = fitted(tuple(start))
    found = circulation(fit.moments, fit.moments * fit.motions[0].start)
    if found.flips:
        assert describe(fit).startswith(("tumbled; ", "thrown about the middle axis; "))
    else:
        rank = {0: "smallest", 2: "largest"}[found.rank]
        assert describe(fit).startswith(f"wobbled about the axis of the {rank} moment, ")


@pytest.mark.parametrize("seed", range(4))
def test_a_symmetric_body_has_no_middle_axis(seed):
    rates = euler(np.array((1.0, 1.0, 0.4)), np.array((6.0, 3.0, 8.0)), TIME, 0.0)
    fit = fit_flight(TIME, rates + 0.05 * np.random.default_rng(seed).normal(size=rates.shape))
    told = report(fit, (0,))
    angle = np.degrees(np.arctan2(np.hypot(6.0, 3.0), 0.4 * 8.0))  # 64.5, of L from z
    assert told[0].startswith("symmetric about its axis of smallest moment, as far as the flight tells; L ")
    assert float(told[0].split("; L ")[1].split("°")[0]) == pytest.approx(angle, abs=1.0)
    assert not any(word in line for line in told for word in ("middle axis", "flip", "e-fold"))
    assert told[2].startswith("axis of symmetry, against the sensor's: ")
    assert told[2].endswith("° from z")


@pytest.mark.parametrize("seed", range(4))
def test_a_pure_spin_names_no_moment(seed):
    noise = 0.03 * np.random.default_rng(seed).normal(size=(81, 3))
    told = report(fit_flight(TIME, np.tile([0.0, 0.0, 15.0], (81, 1)) + noise), (0,))
    assert told[0].startswith(
        "spun about one axis only; whether that of the largest, middle or smallest moment is unknown; "
    )
    assert not any("axis of the" in line or "axes of" in line or "±" in line for line in told[1:])
    assert told[-1].startswith("these moments are not determined: it spun about one axis only")


def test_a_synthetic_phone_is_what_it_was_made_of():
    time, omega, force = tossed_phone(0)
    flights = find_flights(time, omega, force)
    fit = fit_flights([Flight(time[one.rows], omega[one.rows], one.limit) for one in flights])
    np.testing.assert_allclose(fit.moments, MOMENTS, atol=1e-3)  # .79, .21, 1 about x, y, z; measured 1e-4
    assert fit.drag == pytest.approx(0.012, abs=1e-3)
    told = report(fit, range(3))
    assert len(told) == 10
    assert told[-1] == "whether the drag is linear or quadratic cannot be told"
    assert told[0].startswith("flight 1: thrown about the middle axis; flipped")
    assert told[1].startswith("flight 2: wobbled about the axis of the smallest moment")
    assert moments_of(fit) in told


def test_quality_is_one_line():
    flight = FreeFlight(10, 80, 1.25, 2.0, 2.46, 0.0123, ("clipped", "gaps"))
    assert quality_of(flight) == (
        "1.25 to 2.00 s, 2.5 turns, 70 samples; the sensor was at its limit; samples are missing"
    )


def test_the_synthetic_file_has_phyphoxs_shape_and_all_digits_that_matter():
    time, omega, force = tossed_phone(0)
    head, *rows = as_phyphox(time, omega, force).splitlines()
    assert head.startswith(
        '"Time (s)","Gyroscope x (rad/s)","Gyroscope y (rad/s)","Gyroscope z (rad/s)","Acceleration x'
    )
    table = np.array([[float(value) for value in row.split(",")] for row in rows])
    np.testing.assert_allclose(table, np.column_stack((time, omega, force)), atol=1e-5)


def test_a_steady_spin_tells_no_moments():
    """Without noise a ball explains it to the last digit."""
    told = report(fit_flight(TIME, np.tile([3.0, 8.0, 15.0], (81, 1))), (0,))
    assert "the ratios of its moments are unknown" in told
    assert told[-1].startswith("these moments are not determined: it spun about one axis only")


def test_rates_that_no_body_has_tell_no_moments():
    rates = 20.0 * np.random.default_rng(0).normal(size=(81, 3))
    told = report(fit_flight(TIME, rates), (0,))
    assert told[0].startswith("no rigid body turns at these rates; ")
    assert not any("±" in line for line in told[1:])
