"""The claims of the sources in a race report: what is said of them is what plain loops give."""

from dataclasses import replace

import numpy as np
import pytest

from viewer.cli import main
from viewer.export.race_report import findings
from viewer.race.trajectory import Course, run_lane
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import DEFAULT_LANES, Lane

MOMENTS = np.array([10.0, 4.0, 2.0])
J = 1.0 / MOMENTS
START = MOMENTS * (1.0, 2.0, 3.0)
H = 1 / 60


def explicit(L: np.ndarray, J: np.ndarray, h: float) -> np.ndarray:
    return L + h * np.cross(L, J * L)


def jolt(L: np.ndarray, J: np.ndarray, h: float) -> np.ndarray:
    new = explicit(L, J, h)
    return new * np.linalg.norm(L) / np.linalg.norm(new)


def rotated(L: np.ndarray, v: np.ndarray) -> np.ndarray:
    angle = np.linalg.norm(v)
    k = v / angle
    return L * np.cos(angle) + np.cross(k, L) * np.sin(angle) + k * (k @ L) * (1 - np.cos(angle))


def naive(L: np.ndarray, J: np.ndarray, h: float) -> np.ndarray:
    return rotated(L, -h * J * L)


def modified(L: np.ndarray, J: np.ndarray, h: float) -> np.ndarray:
    G = np.cross(L, J * L)
    return rotated(L, -h * (J * L - (G @ (J * G)) / (G @ G) * L))


def run(law, J: np.ndarray, steps: int, h: float = H) -> np.ndarray:
    found = [START]
    for _ in range(steps):
        found.append(law(found[-1], J, h))
    return np.array(found)


def factor(L: np.ndarray) -> np.ndarray:
    return np.sum(J * L**2, axis=1) / np.sum(L**2, axis=1)


@pytest.fixture(scope="module")
def found() -> dict[tuple[str, str], str]:
    course = Course.of_race(Scenario.preset("ode-blog"), seconds=20.0)
    assert course.step == H
    trajectories = tuple(run_lane(course, lane) for lane in DEFAULT_LANES)
    return {(one.lane, one.reading): one.result for one in findings(trajectories)}


def test_the_growth_of_explicit_euler_is_counted_step_by_step(found):
    grows = np.diff(np.linalg.norm(run(explicit, J, 600), axis=1)) > 0
    assert found["explicit-euler", "at each step"] == f"at {np.count_nonzero(grows)} of the first 600 steps"


@pytest.mark.parametrize(("name", "law", "end"), [("jolt", jolt, J[1]), ("naive-rotation", naive, J[2])])
def test_where_the_energy_goes_is_read_over_all_steps(found, name, law, end):
    away = np.abs(factor(run(law, J, 1200)) - end) / np.ptp(J)
    nearer = np.count_nonzero(np.diff(np.abs(factor(run(law, J, 600)) - end)) < 0)
    result = found[name, "over all steps"]
    assert result.startswith(f"from {away[0]:.2g} to {away[-1]:.2g} of the span")
    assert result.endswith(f"nearer at {nearer} of the first 600 steps")


def test_the_order_of_the_proposals_is_read_in_one_step(found):
    one, half = (abs(np.diff(factor(run(modified, J, 1, h)))[0]) for h in (H, H / 2))
    for name in ("modified-jolt", "momentum-first"):
        assert found[name, "in the first step"].startswith(f"{one / half:.1f} times as small at half of it")
    assert one / half == pytest.approx(8.0, abs=0.2)  # measured 7.9


def test_an_energy_without_error_is_said_to_have_none():
    course = Course.of_race(Scenario.preset("disc"), seconds=1.0)
    of_top = findings((run_lane(course, Lane("momentum-first")),))
    (result,) = (one.result for one in of_top if one.reading == "in the first step")
    assert result.startswith("0; over all steps it swings by ")


@pytest.mark.parametrize("name", ["explicit-euler", "jolt", "modified-jolt", "momentum-first", "naive-rotation"])
def test_the_smallest_J_is_read_at_a_fixed_step(found, name):
    """J raised by the span of the three, 100 steps of the same length."""
    laws = {"explicit-euler": explicit, "jolt": jolt, "modified-jolt": modified, "momentum-first": modified}
    law = laws.get(name, naive)
    apart = np.abs(run(law, J, 100) - run(law, J + np.ptp(J), 100)).max() / np.linalg.norm(START)
    result = found[name, "at a fixed step"]
    assert (result == "the same to round-off") == (apart < 1e-11)
    if name == "naive-rotation":
        assert result == f"moves by {apart:.1g} of |L|"


def test_the_report_says_how_the_step_is_meant(capsys):
    for words, told in (
        ("race ode-blog --periods 1", "At a fixed step of 0.0166667 s (121.2 steps in a rotation of this body)."),
        ("race paper-fig1 --periods 1 --step .02", "At a fixed step of 0.02 s"),
        ("race ode-blog --periods 1 --steps-per-rotation 40", "At 40 steps a rotation"),
        ("race paper-fig1 --periods 1", "At 30 steps a rotation"),
    ):
        assert main(words.split()) == 0
        out = capsys.readouterr().out
        assert told in out
        assert "the path of L in the body does not depend on the smallest 1/I (at a fixed step)" in out


def test_a_sphere_has_no_claims_and_a_stabilised_lane_only_that_about_the_body():
    course = Course.of(Scenario.preset("sphere"), steps_per_rotation=30, periods=1)
    assert findings((run_lane(course, Lane("jolt")),)) == []
    course = Course.of(Scenario.preset("ode-blog"), steps_per_rotation=30, periods=1)
    claims = [one.reading for one in findings((run_lane(course, Lane("jolt", "closest-point")),))]
    assert claims == ["at a fixed step"]


@pytest.mark.parametrize("omega", [(1.0, 2.0, 3.0), (0.0, 0.0, 3.0)])
def test_the_fast_rotation_turns_by_less(omega):
    """By 2 atan(|v|/2), v = h (omega - J_G L), in the first step; about an axis of inertia by nothing."""
    start = replace(Scenario.preset("ode-blog").start_state(), omega_body=omega)
    course = replace(Course.of_race(Scenario.preset("ode-blog"), seconds=2.0), start=start, step=0.5)
    (result,) = (one.result for one in findings((run_lane(course, Lane("modified-jolt-fast")),)) if "atan" in one.claim)
    L = MOMENTS * omega
    G = np.cross(L, J * L)
    if not G.any():
        assert result == "L does not turn in the body"
        return
    angle = 0.5 * np.linalg.norm(J * L - (G @ (J * G)) / (G @ G) * L)
    turned = 2 * np.arctan(angle / 2)
    told = f"by {np.degrees(turned):.3g}° in place of {np.degrees(angle):.3g}°, {100 * (1 - turned / angle):.3g} % less"
    assert result == told
