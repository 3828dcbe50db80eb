"""How far an integrator leaves the exact motion within a period: against its own flips and those of DOP853."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from viewer.physics.body import RigidBody
from viewer.physics.errors import period_deviation
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.simulation import Simulation
from viewer.physics.state import State

BODY = RigidBody.box(mass=1.0, width=1.0, depth=0.7, height=0.15)
START = State((1.0, 0.0, 0.0, 0.0), (0.01, 6.0, 0.01))
SAMPLES = 2400


def exact_flip_period() -> float:
    """Return the time between two flips of the exact motion [s], by DOP853: 4.476 s."""
    moments = np.asarray(BODY.principal_moments)

    def middle(_t: float, w: np.ndarray) -> float:
        return float(w[1])

    found = solve_ivp(
        lambda _t, w: np.cross(moments * w, w) / moments,
        (0.0, 12.0),
        START.omega_body,
        method="DOP853",
        rtol=1e-12,
        atol=1e-13,
        events=middle,
    )
    return float(np.diff(found.t_events[0])[0])


EXACT = exact_flip_period()


def flip_periods(name: str, step: float, stabilisation: str) -> np.ndarray:
    """Return the times between the flips of the motion that runs [s], over 12 s."""
    running = Simulation(BODY, START, name, step, stabilisation=stabilisation)
    every = max(1, round(12.0 / step / SAMPLES))
    states = running.sampled(round(12.0 / step / every), every)
    time, rate = np.asarray(states.time), np.asarray(states.omega_body)[:, 1]
    at = np.flatnonzero(rate[1:] * rate[:-1] < 0.0)
    return np.diff(time[at] + rate[at] / (rate[at] - rate[at + 1]) * (time[at + 1] - time[at]))


def deviation(name: str, step: float, stabilisation: str = "off") -> float:
    return period_deviation(BODY, START, Simulation(BODY, START, name, step, stabilisation=stabilisation))


def takes_the_box(name: str) -> bool:
    try:
        Simulation(BODY, START, name, 0.01)
    except ValueError:
        return False
    return True


@pytest.mark.sweep
@pytest.mark.parametrize("name", [name for name in INTEGRATORS if takes_the_box(name)])
@pytest.mark.parametrize("step", [0.002, 1 / 60])
def test_what_does_not_leave_the_exact_motion_flips_as_that_does(name: str, step: float) -> None:
    """The first flip takes as long as the exact one, to the deviation that is found and what linear interpolation
    between samples adds, 1e-4 at most."""
    found = deviation(name, step)
    if found > 0.01:
        return
    periods = flip_periods(name, step, "off")
    assert len(periods) >= 1
    assert abs(periods[0] / EXACT - 1.0) <= 2.0 * found + 1e-4


@pytest.mark.parametrize(
    ("name", "step", "least"),
    [
        ("no-gyroscopic", 0.000125, 0.99),  # 1.0: L stands still in the body, E and |L| are right
        ("no-gyroscopic", 1 / 60, 0.99),
        ("first-order", 0.000125, 0.4),  # .485; the first flips come 44 % and 49 % too early
        ("first-order", 0.002, 0.6),  # .673; 63 % and 67 %
        ("implicit", 0.002, 0.6),  # .713; 67 % and 71 %
        ("jolt", 1 / 60, 0.03),  # .038; 6 % and 12 % too late
        ("explicit-euler", 1 / 60, 0.2),  # .223: E grows by 22 %
        ("matrix-euler", 0.0005, 0.7),  # .827; after a period |R^T R - 1| is .23
    ],
)
def test_what_leaves_it(name: str, step: float, least: float) -> None:
    assert least < deviation(name, step) < 1.3 * least


def test_a_stabilised_one_is_judged_by_the_rate_on_its_curve() -> None:
    """First order at 1/60 s, projected: E is right, and every flip comes 2.0e-3 late."""
    found = deviation("first-order", 1 / 60, "closest-point")
    late = flip_periods("first-order", 1 / 60, "closest-point") / EXACT - 1.0
    np.testing.assert_allclose(late, 2.0e-3, atol=2e-4)
    assert found == pytest.approx(2.0e-3, rel=0.1)


@pytest.mark.parametrize("omega", [(0.0, 0.0, 0.0), (0.0, 6.0, 0.0), (0.0, 0.0, 2.0)])
def test_rest_and_the_spin_about_a_principal_axis_are_exact_with_every_integrator_that_turns_the_body_by_omega(
    omega: tuple[float, float, float],
) -> None:
    start = State((1.0, 0.0, 0.0, 0.0), omega)
    for name in ("no-gyroscopic", "explicit-euler", "first-order", "jolt", "split"):
        assert period_deviation(BODY, start, Simulation(BODY, start, name, 1 / 60)) < 1e-9


@pytest.mark.parametrize("speed", [1e-140, 1e20, 1e120, 1e153])
@pytest.mark.parametrize("name", ["explicit-euler", "implicit", "split", "matrix-euler"])
def test_a_motion_far_beyond_its_steps_has_left_the_exact_one(name: str, speed: float) -> None:
    """Or it has not moved at all in a step."""
    start = State((1.0, 0.0, 0.0, 0.0), (0.01 * speed, speed, 0.02 * speed))
    found = period_deviation(BODY, start, Simulation(BODY, start, name, 1 / 60))
    assert found < 1e-9 if speed < 1.0 else found > 0.01
