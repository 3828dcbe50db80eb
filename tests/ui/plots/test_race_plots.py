"""The plots of a race: what is drawn and written are the lanes' own numbers."""

import numpy as np
import pytest

from viewer.race.live import LiveRace
from viewer.race.trajectory import Course, run_lane
from viewer.scenario.lanes import parse_lanes
from viewer.scenario.scenario import Scenario
from viewer.ui.plots.race import COLUMNS, RACE_PANES, table

SCENE = Scenario.preset("race-of-five")


@pytest.fixture(scope="module")
def race():
    found = LiveRace(SCENE)
    found.follow(150.0)
    return found


def test_samples_are_those_of_the_tracks(race):
    course = Course.of(SCENE, steps_per_rotation=30.0, seconds=150.0, samples=10**6)
    order = np.argsort(course.body.principal_moments)
    for runner, lane in zip(race.runners, parse_lanes(list(SCENE.race.lanes)), strict=True):
        track = run_lane(course, lane)
        rows = runner.until(race.shown)
        many = len(rows)
        assert many > 300
        if track.stopped is not None:
            rows = rows[: many // 2]  # later it leaves what floats can compare
        many = len(rows)
        size, energy = track.angular_momentum_norm[0], track.errors.energy[:many] + 1.0
        np.testing.assert_allclose(rows["momentum_ratio"], track.angular_momentum_norm[:many] / size, rtol=1e-12)
        np.testing.assert_allclose(rows["energy_ratio"], energy, rtol=1e-12)
        np.testing.assert_allclose(rows["energy_factor"], track.energy_factor[:many], rtol=1e-12)
        np.testing.assert_allclose(rows["phase"], track.errors.phase[:many], atol=1e-9)
        in_body = np.column_stack([rows[f"body_{name}"] for name in ("smallest", "middle", "largest")])
        np.testing.assert_allclose(in_body, track.angular_momentum_body[:many, order] / size, atol=1e-12)
        across = np.hypot(rows["across_1"], rows["across_2"])
        L = track.angular_momentum_world[:many] / size
        np.testing.assert_allclose(across, np.linalg.norm(np.cross(L, L[0]), axis=1), atol=1e-12)


def test_the_table_holds_the_lanes_that_are_shown(race):
    heading, rows = table(race, ("jolt",), 20.0, 140.0)
    rows = np.array(list(rows))
    assert heading[0] == "time_s"
    assert len(heading) == 1 + 4 * len(COLUMNS)
    assert not any(name.startswith("jolt") for name in heading)
    assert 20.0 <= rows[0, 0] < rows[-1, 0] <= 140.0
    column = heading.index("naive-rotation_energy_factor_per_kg_m2")
    assert rows[-1, column] == pytest.approx(2.0, rel=1e-3)
    gone = rows[:, heading.index("explicit-euler_energy_relative")]
    assert np.isnan(gone[-1])  # it diverged at 131 s
    assert not np.isnan(gone[0])


def test_every_pane_is_drawn(stage):
    shown = stage("race-of-five", size=(2400, 900))
    shown.app.session.run_to(60.0)
    shown.app.state.plots = True
    shown.frame(2)
    before = shown.pixels().copy()
    for name in RACE_PANES:
        shown.ui.plots.shown[name] = True
    shown.frame(3)
    words = [words for words, _ in shown.texts]
    for pane in RACE_PANES.values():
        assert pane.label in words
    assert np.mean(shown.pixels() != before) > 0.01
    assert "Follow" in words
