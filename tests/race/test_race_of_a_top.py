"""A race of a symmetric top: beside the closed form of its motion, with the errors of what the weight keeps."""

import csv

import numpy as np
import pytest
from numpy.testing import assert_allclose

from viewer.common.errors import InputError
from viewer.export.race_files import html_text
from viewer.export.race_report import Report, csv_text, text_table
from viewer.physics.errors import turn_between
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.rotation import rotate
from viewer.race.live import LiveRace
from viewer.race.sweep import Outcome, run_task, tasks
from viewer.race.trajectory import Course, run_lane
from viewer.race.verdict import verdict
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import Lane
from viewer.scene.words.describe import facts
from viewer.scene.words.formatting import format_errors
from viewer.session.session import Session

LANES = ["exact", "exact-drift4", "jolt", "split+closest-point", "explicit-euler"]


def scene(**more: object) -> Scenario:
    changes = {path.replace("__", "."): value for path, value in more.items()}
    shown = {"race.show": "ghosts", "race.lanes": LANES, "race.steps_per_rotation": 60.0}
    return Scenario.preset("top-with-cusps").with_values(shown | changes)


def test_the_errors_are_those_beside_the_closed_form() -> None:
    """Of the composed drift measured: 3e-15 of E + V, 4e-13 rad. The top begins at rest at a cusp."""
    scenario = scene()
    course = Course.of(scenario, steps_per_rotation=60.0, periods=5.0)
    body, loads = scenario.rigid_body(), scenario.loads_value()
    moments, centre = body.principal_moments.tolist(), body.centre_of_mass.tolist()
    top = LagrangeTop(moments, centre, (0.0, 0.0, -loads.weight), scenario.start_state())
    assert top.nutation_period is not None
    assert course.steps * course.step == pytest.approx(5.0 * top.nutation_period, rel=2e-3)
    crude = run_lane(course, Lane("jolt"))
    there = top.at(crude.states.time)
    assert_allclose(crude.errors.orientation, turn_between(there.orientation_wxyz, crude.states.orientation_wxyz))
    L = rotate(there.orientation_wxyz, moments * there.omega_body)
    aside = np.cross(crude.angular_momentum_world, L)
    sine = np.linalg.norm(aside, axis=1) / np.linalg.norm(L, axis=1) / crude.angular_momentum_norm
    assert_allclose(np.sin(crude.errors.direction), sine, atol=1e-12)
    height = rotate(crude.states.orientation_wxyz, body.centre_of_mass)[:, 2]
    E = 0.5 * (crude.states.omega_body**2 @ moments) + loads.weight * height
    assert_allclose(crude.errors.energy, (E - E[0]) / (E[0] + loads.weight * 0.1), atol=1e-14)
    assert np.abs(crude.errors.energy[-1]) > 0.01
    assert crude.errors.phase is None
    assert crude.circling.phase is crude.circling.other is None
    fine = run_lane(course, Lane("exact-drift4"))
    assert fine.largest.energy < 1e-14
    assert fine.largest.orientation < 2e-12
    assert verdict(fine) == "true: every error stays below what can be seen"
    assert verdict(crude).startswith("E + V is off by up to 2.9 %; a component of L that stays, by 1.5 %; L points")
    exact = run_lane(course, Lane("exact"))
    assert max(exact.largest.orientation, exact.largest.momentum, exact.largest.energy) < 1e-14


def test_the_live_lanes_are_those_of_the_race_on_paper_forward_and_back() -> None:
    scenario = scene()
    race = LiveRace(scenario)
    seconds = 300 * race.course.step
    assert race.follow(seconds * (1 + 1e-12))
    course = Course.of(scenario, steps_per_rotation=60.0, seconds=seconds)
    for now in race.now():
        errors = run_lane(course, now.lane).errors
        for mine, theirs in (
            (now.energy_error, errors.energy),
            (now.momentum_error, errors.momentum),
            (now.direction_error, errors.direction),
            (now.orientation_error, errors.orientation),
        ):
            assert mine == pytest.approx(theirs[-1], rel=1e-9, abs=2e-14)
        assert now.phase_error is None
        assert format_errors(now).startswith("E + V ")
    exact = race.runners[0].until(race.shown)
    for name in ("turn", "across_1", "across_2"):
        assert np.abs(exact[name]).max() < 1e-14
    for name in ("momentum_ratio", "energy_ratio"):
        assert_allclose(exact[name], 1.0, atol=1e-14)
    assert race.runners[2].until(race.shown)["turn"][-1] > 0.05
    before = [now.orientation_wxyz for now in race.now()]
    race.follow(0.5 * seconds)
    race.follow(seconds * (1 + 1e-12))
    assert np.array_equal(before, [now.orientation_wxyz for now in race.now()])


def test_runs_of_a_sweep_are_those_of_the_race() -> None:
    course = Course.of(scene(), steps_per_rotation=40.0, periods=2.0)
    lanes = [Lane("jolt"), Lane("split", "closest-point")]
    for task in tasks(course, lanes, [40.0]):
        found, wanted = run_task(task), Outcome.of(run_lane(course, task.lane))
        assert (found.energy, found.orientation) == (wanted.energy, wanted.orientation)


def test_a_report_has_the_symbols_of_what_stays_and_no_claims() -> None:
    scenario = scene()
    course = Course.of(scenario, steps_per_rotation=40.0, periods=2.0)
    report = Report(scenario, course, tuple(run_lane(course, Lane(name)) for name in ("exact-drift", "jolt")), {})
    text = text_table(report)
    assert text.splitlines()[0].split()[:8] == ["lane", "order", "E", "+", "V", "L", "z,", "L"]
    assert "Claims" not in text
    assert not report.findings
    rows = list(csv.DictReader(csv_text(report).splitlines()))
    assert float(rows[1]["largest_relative_energy_error"]) == report.trajectories[1].largest.energy
    pytest.importorskip("matplotlib")
    page = html_text(report)
    assert "<dt>nutation</dt>" in page
    assert "error of E + V" in page


@pytest.mark.parametrize(("more", "why"), [
    ({"loads.external_friction": 0.1}, "loads: a race compares with the exact motion, which is known without loads"),
    ({"body.pivot": (0.05, 0.0, -0.1)}, "body.pivot: this body is not symmetric about the line from the pivot"),
    ({"body.pivot": (0.1, 0.0, 0.0)}, "body.pivot: this body is not symmetric about the line from the pivot"),
])  # fmt: skip
def test_motions_without_a_closed_form_are_refused(more: dict[str, object], why: str) -> None:
    with pytest.raises(InputError, match=why):
        Course.of(scene().with_values(more))


def test_a_race_beside_a_session_ends_with_a_push_and_not_with_the_solver() -> None:
    session = Session(scene(), playing=False)
    session.run_to(0.1)
    assert [now.names for now in session.snapshot().lanes] == [("E + V", "L z, L axis")] * len(LANES)
    assert "with errors: Exact (closed form): E + V at round-off, L z and L axis at" in facts(session)["text"]
    session.change({"solver.integrator": "rkmk4"})
    assert len(session.snapshot().lanes) == len(LANES)
    session.change({"loads.gravity": 5.0})
    assert session.snapshot().lanes == ()
    assert session.scene.message is not None
    assert session.scene.message.startswith("No race: a load or a torque pulse has acted")
    session.undo()
    assert len(session.snapshot().lanes) == len(LANES)
