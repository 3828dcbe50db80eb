"""The picture of a body does not depend on its size, mass or rate: only the numbers in it do."""

import numpy as np
import pytest

from viewer.export.offscreen import render_image
from viewer.physics.simulation import Simulation
from viewer.scenario.scenario import Scenario

LENGTHS = ("width", "depth", "height", "radius", "thickness")


def ruled(shown: bool) -> dict[str, bool]:
    """The plane has lines and numbers that are round in the unit that suits the rate: another picture at another."""
    return {"show.labels": shown, "show.plane": shown}


def scaled(preset: str, length: float, mass: float, rate: float, **more) -> Scenario:
    base = Scenario.preset(preset)
    values = {f"body.{name}": length * getattr(base.body, name) for name in LENGTHS}
    return base.with_values(
        {
            **values,
            "body.mass": mass * base.body.mass,
            "start.angular_velocity": tuple(rate * part for part in base.start.angular_velocity),
            "solver.integration_period": base.solver.integration_period / rate,
            **ruled(rate == 1.0),
            **more,
        }
    )


def pixels(scenario: Scenario, time: float) -> np.ndarray:
    return render_image(scenario, time, size=(320, 180), samples=1).astype(int)


@pytest.mark.parametrize("preset", ["dzhanibekov", "t-handle", "paper-fig3"])
@pytest.mark.parametrize(
    ("length", "mass", "rate"),
    [(1e-3, 1e-6, 1.0), (1e7, 1e24, 1.0), (1e-3, 1e-6, 1e3), (1e7, 1e24, 1e-5)],
)
def test_a_similar_body_has_the_same_picture(preset, length, mass, rate):
    """Measured: 36 of 57,600 pixels differ by more than 8 of 255 for the largest body, at edges of ticks
    and their casings (by 17 at most), 0 for the others."""
    expected = pixels(Scenario.preset(preset).with_values(ruled(rate == 1.0)), 1.5)
    differ = np.abs(pixels(scaled(preset, length, mass, rate), 1.5 / rate) - expected).max(axis=2) > 8
    assert differ.sum() <= 40
    assert expected.std() > 10.0


@pytest.mark.parametrize("rate", [1e-8, 1e4])
@pytest.mark.parametrize("factor", [1e-25, 1e38])
@pytest.mark.parametrize("integrator", ["exact-drift", "rkmk4"])
def test_moments_and_rate_only_change_the_clock(integrator, factor, rate):
    """Euler's equations: I k and omega s give the same omega / s at the same s t; measured: 1e-13."""
    base = Scenario.preset("dzhanibekov").with_values({"solver.integrator": integrator})
    body, start = base.rigid_body(), base.start_state()
    similar = type(body).from_moments(factor * body.principal_moments, factor)
    faster = type(start)(orientation_wxyz=start.orientation_wxyz, omega_body=rate * start.omega_body)
    runs = [
        Simulation(one, begin, integrator=integrator, step=step)
        for one, begin, step in ((body, start, 0.01), (similar, faster, 0.01 / rate))
    ]
    for run in runs:
        run.advance_steps(300)
    np.testing.assert_allclose(runs[1].state.omega_body / rate, runs[0].state.omega_body, rtol=0, atol=1e-10)
    np.testing.assert_allclose(runs[1].state.orientation_wxyz, runs[0].state.orientation_wxyz, rtol=0, atol=1e-10)
