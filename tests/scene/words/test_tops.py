"""What is said of a top: its nutation and precession in the panel and in words, never the free motion's."""

from math import cos, pi, radians, sin, sqrt
from typing import Any

import pytest
from numpy.testing import assert_allclose
from scipy.special import ellipk

from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.scenario.scenario import Scenario
from viewer.scene.words.describe import describe, facts
from viewer.scene.words.spin import describe_motion, period_name
from viewer.session.session import Session

CUSPS = Scenario.preset("top-with-cusps")
A, _, C = CUSPS.rigid_body().principal_moments.tolist()
PULL = CUSPS.body.mass * CUSPS.loads.gravity * 0.1
TILT, SPIN = radians(40.0), 90.0
ROOT = sqrt((C * SPIN) ** 2 - 4.0 * A * PULL * cos(TILT))
SLOW, FAST = ((C * SPIN + sign * ROOT) / (2.0 * A * cos(TILT)) for sign in (-1, 1))
TURNS = 2.0 * pi / SLOW, 2.0 * pi / FAST
HALF_SWING = 2.0 * float(ellipk(cos(0.5 * TILT) ** 2)) * sqrt(A / PULL)


def session_of(seconds: float = 0.0, **changes: Any) -> Session:
    values = {path.replace("__", "."): value for path, value in changes.items()}
    session = Session(CUSPS.with_values(values), playing=False)
    session.run_to(seconds)
    return session


def exact() -> LagrangeTop:
    body, weight = CUSPS.rigid_body(), (0.0, 0.0, -PULL / 0.1)
    return LagrangeTop(body.principal_moments.tolist(), body.centre_of_mass.tolist(), weight, CUSPS.start_state())


def test_periods_are_those_of_the_closed_form_and_stay_while_it_moves() -> None:
    session, top = session_of(), exact()
    for seconds in (0.0, 0.05, 0.31, 1.7):
        session.run_to(seconds)
        now = session.snapshot()
        assert now.period is not None
        assert now.precession_period is not None
        assert_allclose(now.period, top.nutation_period, rtol=1e-6)  # measured: 4e-8, by the integrator's errors
        assert_allclose(now.precession_period, 2.0 * pi / (top.precession_rate or 0.0), rtol=1e-6)  # measured: 2e-7
        assert now.flip_period is None
        assert period_name(now) == "Nutation"
        assert describe_motion(now, None)[0] == "Precesses once in 2.75 s, nods 14.3 times a turn"


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"start.orientation_deg": (0.0, 0.0, 0.0)}, "Sleeping, it spins upright"),
        ({"start.orientation_deg": (0.0, 0.0, 0.0), "start.angular_velocity": (0.0, 0.0, 30.0)},
         "Spinning upright, unstable"),
        ({"start.orientation_deg": (180.0, 0.0, 0.0)}, "Hanging, it spins about the vertical"),
        ({"start.angular_velocity": (0.0, 0.0, 0.0)}, f"Swinging through the vertical, every {HALF_SWING:.3f} s"),
        ({"start.angular_velocity": (0.0, SLOW * sin(TILT), SPIN)}, f"Steady precession, once in {TURNS[0]:.2f} s"),
        ({"start.angular_velocity": (0.0, FAST * sin(TILT), SPIN)}, f"Steady precession, once in {TURNS[1]:.3f} s"),
        ({"loads.external_friction": 1e-6}, "Without other loads: precesses and nods"),
        ({"start.angular_velocity": (0.0, 0.0, 0.0), "start.orientation_deg": (180.0, 0.0, 0.0)}, "Hanging at rest"),
        ({"body.pivot": (0.02, 0.0, -0.1)}, "Under its weight: ω"),
        ({"loads.gravity": 0.0}, "Steady about"),
    ],
    ids=["sleeping", "unstable", "hanging", "pendulum", "slow", "fast", "friction", "at rest", "no top", "no weight"],
)  # fmt: skip
def test_a_top_is_said_to_do_what_it_does(changes: dict[str, Any], line: str) -> None:
    found = describe_motion(session_of(**changes).snapshot(), None)[0]
    assert found.startswith(line)


@pytest.mark.parametrize(("rate", "shape"), [(0.0, "cusps"), (-2.5, "loops"), (1.5, "a wave")])
def test_the_shape_of_the_path_is_told(rate: float, shape: str) -> None:
    start = (0.0, rate * sin(TILT), SPIN)
    for seconds in (0.0, 0.13):
        snapshot = session_of(seconds, start__angular_velocity=start).snapshot()
        assert describe_motion(snapshot, None)[1].endswith(f"{shape}.")


def test_words_speak_of_the_top_and_not_of_the_free_motion() -> None:
    session = session_of(0.3)
    text, found = describe(session), facts(session)
    assert "It spins about its axis at 90.0 rad/s; it nods once in 0.193 s; at this inclination" in text
    for free in ("Without loads its period", "torque-free", "circles", "flip"):
        assert free not in text
    top = exact()
    assert_allclose(found["nutation_period_s"], top.nutation_period, rtol=1e-6)
    assert_allclose(found["spin_rate_rad_per_s"], top.spin_rate, rtol=1e-6)
    assert_allclose(found["inclinations_rad"], top.inclinations, atol=1e-6)
    assert_allclose(facts(session_of())["steady_precession_rad_per_s"], (SLOW, FAST), rtol=1e-12)


def test_an_upright_body_that_is_no_top_is_not_said_to_move_freely() -> None:
    """Its weight has no torque while the centre of mass is straight above the pivot."""
    box = {"loads.gravity": 9.81, "body.pivot": (0.0, 0.0, -0.3), "start.angular_velocity": (0.0, 0.0, 5.0)}
    snapshot = Session(Scenario.preset("box-80kg").with_values(box), playing=False).snapshot()
    assert not snapshot.external_torque.any()
    line, more = describe_motion(snapshot, None)
    assert line == "Under its weight: ω 0° from +z′"
    assert more.startswith("Its weight turns it about the pivot unless the centre of mass is straight above or below;")


@pytest.mark.parametrize(("tilt", "told"), [(180.0, ""), (120.0, "it could precess steadily, once in 0.502 s.")])
def test_steady_precession_that_is_as_fast_both_ways_is_told_once(tilt: float, told: str) -> None:
    text = describe(session_of(start__orientation_deg=(tilt, 0.0, 0.0), start__angular_velocity=(0.0, 0.0, 0.0)))
    assert "or, fast," not in text
    assert ("precess steadily" in text) == bool(told)
    assert told in text


def test_what_the_weight_keeps_is_0_where_it_is_round_off() -> None:
    session = Session(Scenario.preset("wheel-on-a-string").with_values({"start.angular_velocity": (0.0, 0.0, 20.0)}))
    assert 0.0 < abs(session.snapshot().reading.angular_momentum_world[2]) < 1e-15  # measured: 5.1e-16
    assert "L along the vertical, 0 kg m²/s, and L along the axis, 2.29 kg m²/s" in describe(session)
    session.change({"start.angular_velocity": (0.0, 0.0, 0.0)})
    assert "the energy with its potential energy, 0 J" in describe(session)


def test_what_swings_without_a_period_keeps_the_length_of_its_paths() -> None:
    """Their length is counted in turns, which stand still where it turns back."""
    session = session_of(body__pivot=(0.02, 0.0, -0.1), start__angular_velocity=(0.0, 0.0, 0.0))
    times = []
    for seconds in (0.0, 0.1, 0.37):
        session.run_to(seconds)
        assert session.snapshot().period is None
        times.append(session.snapshot().turn_time)
    assert_allclose(times, times[0], rtol=1e-5)
    assert 0.1 < times[0] < 2.0
