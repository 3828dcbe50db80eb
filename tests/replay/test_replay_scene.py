"""A log as a scene: its body and start, the exact motion, and the log itself as a lane of the race."""

import csv
import dataclasses
import io

import numpy as np
import pytest
from helpers.logs import LOGS, short_log
from helpers.tosses import euler

from viewer.common.errors import InputError
from viewer.export.race_report import Report, csv_text
from viewer.physics.loads import Loads
from viewer.replay.opening import read
from viewer.replay.scene import replayed, scene_of, title_of
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import Recorded
from viewer.scene.words.describe import facts
from viewer.scene.words.spin import describe_spin
from viewer.session.session import Session

LOG = "mujoco-implicitfast.csv"


@pytest.fixture(scope="module")
def found():
    return replayed(LOGS / LOG)


def test_a_title_is_whole_or_says_that_it_is_not(found):
    assert title_of(replayed(LOGS / "mujoco-euler.csv")).endswith("0.2 m of 80 kg")
    conventions = dataclasses.replace(found.recording.conventions, source="a" * 79 + " long name")
    recording = dataclasses.replace(found.recording, conventions=conventions)
    assert title_of(dataclasses.replace(found, recordings=(recording,))) == "a" * 79 + "…"


def test_the_scene_of_a_log(found):
    scenario = scene_of(found, Scenario().with_value("view.theme", "light"))
    assert scenario.title.startswith("MuJoCo 4.0.0, integrator implicitfast")
    assert scenario.rigid_body().principal_moments == pytest.approx((4 / 3, 104 / 15, 116 / 15), rel=1e-9)
    start = scenario.start_state()
    np.testing.assert_allclose(
        np.abs(start.orientation_wxyz @ found.trajectory.states.orientation_wxyz[0]), 1.0, rtol=1e-14
    )
    np.testing.assert_allclose(start.omega_body, (0.05, 5.0, 0.05), atol=1e-12)
    assert scenario.race.lanes == ("implicit-bullet",)
    assert scenario.view.theme == "light"
    assert scenario.solver.integrator == "exact"


def test_the_log_runs_in_the_race_and_errs_as_it_was_measured(found):
    session = Session(Scenario.preset("rod"), playing=False)
    session.open(scene_of(found, session.scenario), found)
    session.run_to(20.01)
    log, twin = session.snapshot().lanes
    assert isinstance(log.lane, Recorded)
    assert log.lane.label == "MuJoCo 4.0.0"
    row = 1200  # at 1/60 s
    errors = found.trajectory.errors
    assert log.time == pytest.approx(20.0, abs=1e-6)
    assert log.energy_error == pytest.approx(errors.energy[row], rel=1e-9)
    assert log.momentum_error == pytest.approx(errors.momentum[row], rel=1e-9)
    assert log.orientation_error == pytest.approx(errors.orientation[row], rel=1e-9)
    assert log.phase_error == pytest.approx(errors.phase[row], rel=1e-9)
    assert twin.lane.name == "implicit-bullet"
    assert twin.energy_error == pytest.approx(log.energy_error, rel=1e-5)  # measured 5e-9: it is that integrator
    session.playback.seek(3.01)
    assert session.snapshot().lanes[0].orientation_error == pytest.approx(errors.orientation[180], rel=1e-9)


def test_what_is_doubtful_about_a_log_is_told_however_it_is_opened(found):
    doubtful = dataclasses.replace(found, warnings=("not declared, so inferred: wxyz",))
    session = Session(scene_of(found), playing=False, recording=doubtful)
    assert session.scene.message == doubtful.warnings[0]
    assert session.scene.message_is_doubt
    assert isinstance(session.snapshot().lanes[0].lane, Recorded)
    session.change({"body.moments": (1.0, 2.0, 2.5)})
    assert session.scene.message is None


def test_a_recording_has_taken_no_time_in_a_table(found):
    report = Report(Scenario(), found.trajectory.course, found.trajectories, {})
    (line,) = csv.DictReader(io.StringIO(csv_text(report)))
    assert line["cpu_s"] == ""
    assert line["lane"] == found.recording.name


def test_where_the_log_ends_it_says_so(tmp_path):
    session = Session(Scenario(), playing=False)
    session.open(*read(short_log(tmp_path / "log.csv", LOG, 31), session.scenario))
    session.run_to(1.0)
    log = session.snapshot().lanes[0]
    assert log.stopped == "The recording ends at t = 0.5 s"


def test_another_body_is_not_the_logs_any_more_and_undo_brings_it_back(found):
    session = Session(Scenario.preset("rod"), playing=False)
    session.open(scene_of(found, session.scenario), found)
    session.change({"body.moments": (1.0, 2.0, 2.5)})
    assert [now.lane.name for now in session.snapshot().lanes] == ["implicit-bullet"]
    session.undo()
    assert isinstance(session.snapshot().lanes[0].lane, Recorded)
    session.undo()
    assert session.scenario.title == Scenario.preset("rod").title


def test_a_log_that_is_none_leaves_the_scene(tmp_path):
    path = tmp_path / "broken.csv"
    path.write_text("t,a,b\n1,2,3\n")
    session = Session(Scenario.preset("rod"), playing=False)
    before = session.scenario
    with pytest.raises(InputError, match=r"broken.csv, line 1: neither columns"):
        session.open(*read(path, session.scenario))
    assert session.scenario is before


def test_a_motion_beyond_what_a_scene_holds_is_told(tmp_path):
    path = tmp_path / "fast.csv"
    rows = [f"{0.0001 * n},{9e6},{50.0 * np.cos(n)},{0.1 * n}" for n in range(50)]
    path.write_text("# moments: 1, 2, 2.5\n# angular velocity: body, rad/s\nt,wx,wy,wz\n" + "\n".join(rows) + "\n")
    with pytest.raises(InputError, match=r"fast.csv: start.angular_velocity\[0\]: 9e6 rad/s is outside"):
        read(path, Scenario())


def test_the_words_about_the_spin_name_no_axis_that_the_flight_leaves_open(tmp_path):
    time = np.arange(81) / 100
    rates = euler(np.array((1.0, 1.0, 0.2)), np.array((12.0, 3.0, 2.0)), time)
    rates = rates + 0.05 * np.random.default_rng(1).normal(size=rates.shape)
    rows = "\n".join(",".join(f"{value:.6f}" for value in (t, *w)) for t, w in zip(time, rates, strict=True))
    (tmp_path / "toss.csv").write_text(f"t,wx,wy,wz\n{rows}\n")
    toss = replayed(tmp_path / "toss.csv", flight="1")
    assert toss.line.startswith("symmetric about its axis of smallest moment")
    session = Session(scene_of(toss), recording=toss)
    least, *alike = np.sort(session.document.resolved_moments)
    assert alike[0] == alike[1] > least
    assert np.argmin(session.document.resolved_moments) == np.argmin(toss.body.principal_moments)
    assert not facts(session)["spin"].startswith(("Tumbling", "Wobbling"))


def test_the_words_about_the_spin_say_where_no_principal_axis_is_known():
    told, free = np.full(3, 0.9), Loads()
    line, _ = describe_spin(np.array((1.0, 0.9, 0.8)), np.array((0.1, 9.0, 0.3)), 2.0, free, False, False, told)
    assert line == "Principal axis unknown"


def test_a_long_summary_ends_with_a_whole_word(found):
    told = dataclasses.replace(found, warnings=("several words " * 60,))
    whole, said = "; ".join(told.findings()[1:]), scene_of(told).summary
    assert len(whole) > 300 >= len(said) > 280
    kept = said.removesuffix(" …")
    assert whole.startswith(kept)
    assert whole[len(kept)] == " "


def test_the_longest_title_that_is_whole_has_eighty_characters(found):
    for count, wanted in ((80, "a" * 80), (81, "a" * 79 + "…")):
        conventions = dataclasses.replace(found.recording.conventions, source="a" * count)
        recording = dataclasses.replace(found.recording, conventions=conventions)
        assert title_of(dataclasses.replace(found, recordings=(recording,))) == wanted
