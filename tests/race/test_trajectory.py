"""A lane's track: the same numbers as the physics, the sources' four behaviours, and the words for them."""

import numpy as np
import pytest

from viewer.common.errors import InputError
from viewer.physics.simulation import Simulation
from viewer.physics.stepping import compiled
from viewer.race.trajectory import Course, run_lane
from viewer.race.verdict import verdict
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import DEFAULT_LANES, Lane


def course(preset: str = "paper-fig1", **options) -> Course:
    return Course.of(Scenario.preset(preset), **options)


def track(name: str, where: Course):
    return run_lane(where, Lane.parse(name))


@pytest.mark.parametrize("name", ["jolt", "split", "exact-drift", "first-order+closest-point", "exact"])
def test_samples_are_those_of_the_simulation(name):
    where = course(steps_per_rotation=30, periods=2, samples=40)
    found = track(name, where)
    lane = found.lane
    other = Simulation(where.body, where.start, lane.integrator, where.step, stabilisation=lane.stabilisation)
    assert where.steps % where.every != 0  # the last step is a sample all the same
    wanted = [*range(0, where.steps, where.every), where.steps]
    assert found.states.time == pytest.approx(np.array(wanted) * where.step, rel=1e-12)
    off = 4e-15 if name == "exact" else 0.0  # many times at once are looked up: measured 1.3e-15
    for index, steps in enumerate(wanted):
        other.advance_steps(steps - other.steps)
        np.testing.assert_allclose(found.states.omega_body[index], other.state.omega_body, 0.0, off)
        np.testing.assert_allclose(found.states.orientation_wxyz[index], other.state.orientation_wxyz, 0.0, off)


def test_the_course_of_a_scene():
    where = course(steps_per_rotation=30, periods=10, samples=500)
    assert where.steps_per_rotation == pytest.approx(30)
    assert where.steps * where.step == pytest.approx(70.0707, abs=where.step)  # T = 7.00707 s
    assert 250 < where.steps // where.every <= 500
    assert course(step=0.01, seconds=3.0).steps == 300
    assert course().step == Scenario.preset("paper-fig1").solver.step


def test_explicit_euler_leaves_the_finite_range_and_the_track_ends_there():
    found = track("explicit-euler", course("dzhanibekov", steps_per_rotation=30, periods=20))
    assert found.stopped is not None
    assert found.states.time[-1] <= found.stopped.time
    assert np.isfinite(found.states.omega_body).all()
    assert verdict(found) == f"diverged at t = {found.stopped.time:.4g} s"


def test_the_four_behaviours_that_the_source_describes():
    """Explicit spirals out, Jolt goes to the middle J, naive rotation to the largest, the two proposals stay closed."""
    where = course("ode-blog", steps_per_rotation=30, seconds=60.0)
    explicit, jolt, naive, modified, momentum = (run_lane(where, lane) for lane in DEFAULT_LANES)
    low, middle, high = np.sort(1.0 / where.body.principal_moments)
    sizes = explicit.angular_momentum_norm
    assert (np.diff(sizes) >= 0).all()
    assert sizes[-1] > 2.0 * sizes[0]
    assert jolt.energy_factor[-1] == pytest.approx(middle, rel=2e-3)
    assert naive.energy_factor[-1] == pytest.approx(high, rel=1e-6)
    span = high - low
    for proposal in (modified, momentum):
        assert np.ptp(proposal.energy_factor) < 0.05 * span  # measured .012
    assert np.ptp(momentum.angular_momentum_world, axis=0).max() < 1e-12 * sizes[0]  # its L does not turn in space


def test_words_for_what_went_wrong():
    where = course("ode-blog", step=1 / 60, seconds=60.0)
    assert "settles on the axis of the smallest moment" in verdict(track("naive-rotation", where))
    assert "settles on the axis of the middle moment" in verdict(track("jolt", where))
    implicit = verdict(track("implicit", where))
    assert implicit.startswith("|L| grows by")
    assert "settles on the axis of the largest moment" in implicit
    assert verdict(track("exact", where)) == "true: every error stays below what can be seen"


def test_a_perfect_energy_with_a_wrong_phase_is_told():
    found = track("first-order+closest-point", course("dzhanibekov", steps_per_rotation=30, periods=20))
    assert np.abs(found.errors.energy).max() < 1e-13  # measured 4e-15
    assert "energy and |L| are perfect, and yet" in verdict(found)
    assert "hides a wrong phase" in verdict(found)
    assert abs(found.errors.phase[-1]) > 0.5  # measured 1.16 rad


def test_an_l_that_turns_in_space_is_told_beside_an_energy_and_a_length_that_stay():
    found = track("no-gyroscopic", course("dzhanibekov", steps_per_rotation=30, periods=20))
    assert max(found.largest.energy, found.largest.momentum) < 1e-13  # measured 0
    assert found.largest.direction > 2e-3  # 2.3e-3 measured
    assert "perfect" not in verdict(found)
    assert verdict(found).startswith("L turns by up to ")


def test_flips_are_counted():
    found = track("exact", course(step=0.02, periods=5))
    assert found.circling.known_flips == 10


@pytest.mark.parametrize(
    ("changes", "options", "words"),
    [
        ({"loads.external_friction": 0.1}, {}, "loads: a race compares with the exact motion, which is known"),
        ({"start.angular_velocity": (0.0, 0.0, 0.0)}, {}, "0 rad/s is at rest"),
        ({}, {"steps_per_rotation": 1.0}, r"steps per rotation: 1 is outside 2 to "),
        ({}, {"periods": -1.0}, "periods: -1 is outside"),
        ({}, {"seconds": float("nan")}, "seconds: nan s is outside"),
        ({}, {"step": 0.0}, "step: 0 s is outside"),
    ],
)
def test_what_is_not_allowed_is_told(changes, options, words):
    scenario = Scenario.preset("paper-fig1")
    for path, value in changes.items():
        scenario = scenario.with_value(path, value)
    with pytest.raises(InputError, match=words):
        Course.of(scenario, **options)


def test_an_integrator_that_refuses_the_body_is_told():
    with pytest.raises(InputError, match=r"lane: symmetric-top: .*two equal moments"):
        track("symmetric-top", course())


@pytest.mark.slow
def test_what_a_step_costs_does_not_count_its_compilation(tmp_path, monkeypatch):
    pytest.importorskip("numba")
    monkeypatch.setenv("POINSOT_HOME", str(tmp_path))
    compiled.compiled.cache_clear()
    where = course(step=0.01, seconds=20.0)
    found = run_lane(where, Lane("first-order"), fast=True)
    assert list(tmp_path.rglob("*.nbc"))  # it was compiled just now, which takes .5 s: 250 us a step
    assert found.cpu_seconds / where.steps < 1e-5  # measured 1e-7
    plain = run_lane(where, Lane("first-order"))
    assert (found.circling.flips, found.circling.other) == (plain.circling.flips, plain.circling.other)
    np.testing.assert_array_equal(found.states.omega_body, plain.states.omega_body)
