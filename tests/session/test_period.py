"""Period, flips, loop and automatic speed are those of the motion as it is now, not those of its targets."""

import dataclasses

import numpy as np
import pytest
from helpers.playing import play, session
from scipy.integrate import solve_ivp
from scipy.special import ellipk

from viewer.scenario.scenario import Scenario
from viewer.session import playback
from viewer.session.session import Session


def period_of(moments: np.ndarray, omega: np.ndarray) -> float:
    """Of the free motion [s]: 4 K(m) / lambda (Landau and Lifshitz, Mechanics, section 37)."""
    order = np.argsort(moments)
    A, B, C = moments[order]
    twice, square = float(moments @ omega**2), float(np.sum((moments * omega) ** 2))
    if square < twice * B:  # about the axis of the least moment
        A, C = C, A
    rate = (C - B) * (square - twice * A) / (A * B * C)
    m = (B - A) * (twice * C - square) / ((C - B) * (square - twice * A))
    return float(4.0 * ellipk(m) / np.sqrt(rate))


def flips_of(moments: np.ndarray, omega: np.ndarray, seconds: float) -> np.ndarray:
    """When omega about the middle axis changes sign, by DOP853."""
    middle = int(np.argsort(moments)[1])

    def slope(_t: float, w: np.ndarray) -> np.ndarray:
        return np.cross(moments * w, w) / moments

    def crossing(_t: float, w: np.ndarray) -> float:
        return float(w[middle])

    found = solve_ivp(slope, (0.0, seconds), omega, method="DOP853", rtol=1e-12, atol=1e-13, events=crossing)
    return np.asarray(found.t_events[0])


def drifted(time: float) -> Session:
    """The paper's Fig. 3 without its stabilisation, which leaves its curve."""
    running = session(Scenario.preset("paper-fig3"), solver__stabilisation="off")
    running.playback.pause()
    running.scene.run_on_to(time)
    return running


@pytest.mark.parametrize("time", [0.0, 2.5, 5.0, 7.5])
def test_the_period_of_a_motion_that_has_drifted(time: float) -> None:
    """It was 7.007 s at 7.5 s, too, where the motion takes 1.248 s."""
    running = drifted(time)
    now = running.snapshot()
    moments, omega = np.asarray(now.body.principal_moments), np.asarray(now.reading.omega_body)
    assert now.period == pytest.approx(period_of(moments, omega), rel=1e-9)
    flips = flips_of(moments, omega, 3.0 * now.period)
    assert np.diff(flips) == pytest.approx(now.flip_period, rel=1e-8)
    assert now.turn_time == now.period  # and the trail's length with it
    assert running.scene.speed == playback.automatic_speed(now.period)


def test_back_on_the_curve_it_is_the_curve_s_again() -> None:
    """Stabilised at 7.5 s, it is back on its curve soon; 1.47 s stood there."""
    running = drifted(7.5)
    running.change({"solver.stabilisation": "closest-point"})
    running.scene.run_on_to(8.0)
    assert running.snapshot().period == pytest.approx(7.00707, rel=1e-3)
    assert running.scene.speed == playback.automatic_speed(7.00707)


def test_a_motion_that_drifts_has_no_loop_and_no_next_flip() -> None:
    """It does not repeat, and flips every 0.2 s earlier than the exact motion from here on would."""
    running = drifted(7.5)
    assert running.snapshot().strays
    running.playback.toggle_loop()
    assert running.playback.loop is None
    assert "does not repeat" in (running.scene.message or "")
    running.playback.jump_to_flip()
    assert running.snapshot().reading.time == pytest.approx(7.5)
    assert "exact motion only, which First order leaves" in (running.scene.message or "")


def test_automatic_speed_follows_a_body_that_slows_down_in_steps() -> None:
    """A period takes 4 to 15 s on the screen until it is at rest; and the speed does not change with every frame."""
    running = session(Scenario.preset("box-80kg"), loads__external_friction=1.0, solver__extra_substeps=0)
    speeds = []
    for time in range(1, 60):
        running.scene.run_on_to(float(time))
        period = running.snapshot().period
        assert period is not None
        assert 4.0 <= period / running.scene.speed <= 15.0
        speeds.append(running.scene.speed)
    assert 2 <= len(set(speeds)) <= 12


@pytest.mark.slow
def test_automatic_speed_does_not_follow_a_motion_that_blows_up_to_a_standstill() -> None:
    """Its period goes to zero; the clock goes on until the motion diverges, and that is said."""
    running = session(Scenario.preset("ode-blog"), solver__integrator="explicit-euler")
    running.playback.play()
    frames = 0
    while running.playback.playing and frames < 1000:
        running.scene.advance(0.2)
        assert running.snapshot().reading.time <= 31.6
        frames += 1
    assert frames < 1000  # 541
    assert "diverged at t = 31.58 s" in (running.scene.message or "")


def test_a_loop_needs_a_motion_that_repeats() -> None:
    running = session(loads__external_friction=0.05)
    running.playback.toggle_loop()
    assert running.playback.loop is None
    assert "force and friction" in (running.scene.message or "")


@pytest.mark.parametrize("what", ["friction", "pulse"])
def test_a_loop_ends_where_the_motion_ceases_to_repeat(what: str) -> None:
    running = session()
    running.playback.toggle_loop()
    play(running, 1.0)
    if what == "pulse":
        running.pulse(0, 1)
    else:
        running.change({"loads.external_friction": 0.05})
    assert running.playback.loop is None
    running.change({"loads.external_friction": 0.0})
    play(running, 1.0)
    running.playback.seek(0.5)
    running.playback.toggle_loop()
    assert running.playback.loop is None  # it would run into what changed at 1 s
    assert "within the next period" in (running.scene.message or "")


def test_a_motion_without_a_period_has_the_time_of_one_turn() -> None:
    now = dataclasses.replace(drifted(0.0).snapshot(), period=None)
    assert now.turn_time == pytest.approx(2.0 * np.pi / np.linalg.norm(now.reading.omega_body), rel=1e-14)
