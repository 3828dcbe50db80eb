"""A phone's recording from the file to the scene and on the command line."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
from helpers.handling import handled

from tests.helpers.synthetic_tosses import MOMENTS, Tosses, as_phyphox, tossed_phone
from viewer.cli import main
from viewer.common.errors import InputError
from viewer.physics.state import angular_momentum_world
from viewer.replay.analysis import replay
from viewer.replay.conventions import Conventions
from viewer.replay.raw_recording import RawRecording
from viewer.replay.recording import interpret
from viewer.replay.scene import replayed, scene_of


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "toss.csv"
    path.write_text(as_phyphox(*tossed_phone(0)), encoding="utf-8")
    return path


def test_the_scene_of_a_flight_is_the_fitted_body_from_the_fitted_start(file):
    found = replayed(file, flight="1")
    chosen, track = found.selection, found.trajectory
    np.testing.assert_allclose(found.body.principal_moments, MOMENTS, atol=0.01)
    assert track.states.time[0] == 0.0
    assert len(track.states.time) == chosen.flight.samples
    # the exact motion beside what was measured: noise of .02 rad/s, and a drag of 1.2 % a second over .75 s of 20 rad/s
    exact = track.course.exact.at(track.states.time)
    assert np.abs(exact.omega_body - track.states.omega_body).max() < 0.5
    L = angular_momentum_world(found.body, track.course.start)
    np.testing.assert_allclose(L / np.linalg.norm(L), (0.0, 0.0, 1.0), atol=1e-12)
    scene = scene_of(found)
    np.testing.assert_allclose(scene.simulation().body.principal_moments, found.body.principal_moments)
    np.testing.assert_allclose(scene.start_state().omega_body, chosen.motion.start, rtol=1e-9)
    assert scene.summary.startswith("thrown about the middle axis; flipped")
    assert found.resembled is None
    assert found.warnings == ()


def test_the_best_flight_is_shown_at_once_and_all_make_one_body(file):
    assert replayed(file).selection.shown == 1
    every = replayed(file, flight="all")
    assert every.selection.numbers == (0, 1, 2)
    assert every.selection.fit.ratios_sigma.max() < replayed(file, flight="3").selection.fit.ratios_sigma.max()


def test_the_command_lists_flights_and_reports_the_body(file, capsys):
    assert main(["replay", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "toss.csv: 977 rows over 9.76 s"
    assert [line[:9] for line in lines[1:4]] == ["flight 1:", "flight 2:", "flight 3:"]
    assert lines[2].endswith("the sensor was at its limit")
    assert lines[4] == "flight 2 is shown and fitted"
    assert "moments 1 : 0.79" in lines[6]
    assert "wrong units" not in "".join(lines)
    assert main(["replay", str(file), "--flight", "all", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    np.testing.assert_allclose(data["moments"], MOMENTS, atol=1e-3)
    assert data["fitted_flights"] == [1, 2, 3]
    report = file.with_name("report.html")
    assert main(["replay", str(file), "--flight", "1", "-o", str(report)]) == 0
    assert "thrown about the middle axis; flipped" in report.read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_simulators_recording_is_taken_as_before_unless_a_flight_is_asked_for(capsys):
    from helpers.logs import LOGS

    log = str(LOGS / "mujoco-euler.csv")
    assert main(["replay", log, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["resembles"] == "explicit-euler"
    assert "flights" not in data
    assert main(["replay", log, "--flight", "1"]) == 0
    assert "flight 1: 0.00 to 30.00 s" in capsys.readouterr().out


@pytest.mark.parametrize(("flight", "told"), [("9", "flight: '9' is not allowed; allowed are 1 to 3, or all")])
def test_a_wrong_number_is_one_line_and_status_2(file, flight, told, capsys):
    assert main(["replay", str(file), "--flight", flight]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


def test_a_recording_without_a_flight_says_so():
    time, omega, force = handled(60.0, 100.0, 3)
    said = Conventions(rate_frame="body", rate_unit="rad/s", time_unit="s", acceleration_unit="m/s2")
    recording = interpret(RawRecording("walk.csv", time, None, omega, said, (), force))
    with pytest.raises(InputError, match=r"^walk\.csv: no free flight found"):
        replay(recording)


@pytest.mark.slow
@pytest.mark.parametrize(("drag", "pure"), [(0.0, True), (0.012, False)])
def test_a_wholly_free_recording_without_noise_and_drag_is_a_simulators(drag, pure):
    made = Tosses(throws=((1.0, 20.0, 2.0),), noise=0.0, acceleration_noise=0.0, drag=drag, rate=400.0)
    time, omega, force = tossed_phone(0, made)
    free = (time > 1.86) & (time < 2.59)
    said = Conventions(rate_frame="body", rate_unit="rad/s", time_unit="s", acceleration_unit="m/s2")
    recording = interpret(RawRecording("cut.csv", time[free], None, omega[free], said, (), force[free]))
    assert (replay(recording).selection is None) == pure
    assert replay(recording, "1").selection.flight.whole


def test_the_recording_of_the_tour_is_what_its_script_makes(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "tools"))
    import build_toss

    written = np.loadtxt(Path(__file__).parents[3] / build_toss.TARGET, delimiter=",", skiprows=1)
    made = np.loadtxt(io.StringIO(build_toss.recording()), delimiter=",", skiprows=1)
    np.testing.assert_allclose(written, made, atol=2e-5)  # a last digit may round otherwise elsewhere


@pytest.mark.parametrize(("moments", "words"), [((1.0, 0.79, 0.21), "agree with"), ((1.0, 2.0, 2.5), "differ from")])
def test_declared_moments_are_compared_with_those_of_a_phones_flight(file, moments, words):
    found = replayed(file, wanted=Conventions(moments=moments))
    assert found.selection is not None
    assert [line for line in found.findings() if "the declared moments" in line and f"these {words} them" in line]


def test_a_report_gives_no_unit_to_moments_of_which_only_ratios_are_known(file, tmp_path):
    assert main(["replay", str(file), "-o", str(tmp_path / "a.html")]) == 0
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert ", relative to the largest</dd>" in text
    assert "kg m²" not in text
