"""A scene that is saved while a recording is open names it, and opens with it again."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from helpers.disagreeing_log import disagreeing_log

from viewer.cli import main
from viewer.common.errors import InputError
from viewer.common.resources import file
from viewer.replay import scene as replay_scene
from viewer.replay.conventions import DIRECTIONS, FRAMES, ORDERS, RATE_UNITS, TIME_UNITS, parse_conventions
from viewer.replay.mapping import parse_mapping
from viewer.replay.opening import read
from viewer.replay.scene import replayed, scene_of
from viewer.scenario.fields import fields_of
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import AUTO, Recording
from viewer.scene.words.sources import summary
from viewer.session.session import Session


@pytest.fixture
def tossed(tmp_path):
    with file("assets", "logs", "tossed-phone.csv") as path:
        shutil.copy(path, tmp_path / "toss.csv")
    return tmp_path / "toss.csv"


def saved(found, scene):
    """The session of a recording, after its scene was saved."""
    session = Session(scene_of(found), playing=False, recording=found)
    session.save(scene)
    return session


def opened(scene):
    """The session of a scene's file, and what is said when it is opened."""
    lines: list[str] = []
    scenario, found = read(scene, Scenario(), tell=lines.append)
    return Session(scenario, playing=False, recording=found, path=str(scene)), lines


def test_the_findings_of_a_recording_are_told_of_its_motion_alone(tossed):
    found = replayed(tossed, flight="1")
    session = Session(scene_of(found), playing=False, recording=found)
    assert summary(session) == session.scenario.summary != ""
    session.change({"start.angular_velocity": (1.0, 2.0, 3.0)})
    assert summary(session) == ""
    session.undo()
    assert summary(session) == session.scenario.summary != ""


def test_a_flight_is_there_again(tossed, tmp_path):
    before = saved(replayed(tossed, flight="1"), tmp_path / "a.toml")
    again, lines = opened(tmp_path / "a.toml")
    assert lines == []
    assert again.document.recording.flight == "1"
    assert again.document.ratios == before.document.ratios
    assert again.scenario == before.scenario
    assert '\nfiles = ["toss.csv"]' in (tmp_path / "a.toml").read_text()


def test_a_repaired_one_stays_repaired(tmp_path):
    name = disagreeing_log(tmp_path / "log.csv", "x-y-z")
    before = saved(replayed(name, repair=True), tmp_path / "a.toml")
    again, lines = opened(tmp_path / "a.toml")
    assert lines == []
    assert again.document.recording.recording.conventions.rate_axes == "x-y-z"
    assert again.document.ratios == before.document.ratios


def test_scene_and_recording_may_be_moved_together(tossed, tmp_path):
    saved(replayed(tossed), tmp_path / "a.toml")
    there = tmp_path / "there"
    there.mkdir()
    for name in ("a.toml", "toss.csv"):
        shutil.move(tmp_path / name, there / name)
    again, lines = opened(there / "a.toml")
    assert lines == []
    assert again.document.recording.files == (str(there / "toss.csv"),)


def test_several_are_there_again_with_their_tolerance(tmp_path):
    with file("assets", "logs", "mujoco-euler.csv") as one, file("assets", "logs", "mujoco-implicitfast.csv") as other:
        found = replayed(one, other, tolerance=0.2)
        saved(found, tmp_path / "a.toml")
        again, lines = opened(tmp_path / "a.toml")
    assert lines == []
    assert again.document.recordings.files == found.files
    assert [one.tolerance for one in again.document.recordings.compared] == [0.2, 0.2]


def test_columns_and_conventions_are_as_they_were_said_and_not_remembered(tmp_path, monkeypatch):
    names = "t,qw,qx,qy,qz,wx,wy,wz"
    with file("assets", "logs", "mujoco-euler.csv") as path:
        rows = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    assert rows[0].replace(" ", "").startswith("t,")
    width = len(rows[0].split(","))
    table = tmp_path / "table.csv"
    table.write_text("\n".join([",".join(f"c{i}" for i in range(width)), *rows[1:400]]))
    said = [name.strip() for name in rows[0].split(",")]
    mapping = parse_mapping(",".join(f"{name}={said.index(name) + 1}" for name in names.split(",") if name in said))
    found = replayed(table, wanted=parse_conventions(quaternion="wxyz", moments="1.5, 2.5, 3"), columns=mapping)
    saved(found, tmp_path / "a.toml")
    monkeypatch.setattr(replay_scene, "recall_columns", lambda shape: None)
    monkeypatch.setattr(replay_scene, "remember_columns", lambda *_: pytest.fail("the scene's columns are remembered"))
    again, lines = opened(tmp_path / "a.toml")
    assert lines == []
    assert again.document.recording.recording.read_as == found.recording.read_as
    assert again.document.recording.recording.read_as.columns == mapping
    assert again.document.ratios is None


def test_of_a_recording_that_is_gone_or_changed_the_ratios_remain(tossed, tmp_path, capsys):
    before = saved(replayed(tossed), tmp_path / "a.toml")
    text = tossed.read_text()
    tossed.write_text(text + "\n")
    again, lines = opened(tmp_path / "a.toml")
    assert again.document.recordings is None
    assert len(lines) == 1
    assert lines[0].endswith(
        "toss.csv: has changed since the scene was saved; the scene is opened without its recording"
    )
    tossed.unlink()
    again, lines = opened(tmp_path / "a.toml")
    assert again.document.recordings is None
    assert lines == [f"{tossed}: file not found; the scene is opened without its recording"]
    np.testing.assert_allclose(again.document.ratios, [(ratio, 0.0) for ratio, _ in before.document.ratios], rtol=1e-13)
    again.save(tmp_path / "a.toml")
    tossed.write_text(text)
    assert opened(tmp_path / "a.toml")[1] == []
    again.change({"start.angular_velocity": (1.0, 2.0, 3.0), "body.shape": "moments"})
    assert again.document.ratios is None
    tossed.unlink()
    assert main(["describe", str(tmp_path / "a.toml")]) == 0
    printed = capsys.readouterr()
    assert "all that is known of them" in printed.out
    assert printed.err.count("\n") == 1
    assert "opened without its recording" in printed.err


def test_a_scene_with_another_start_is_not_that_of_its_recording(tossed, tmp_path):
    session = saved(replayed(tossed), tmp_path / "a.toml")
    scene = Scenario.load(tmp_path / "a.toml").with_value("start.angular_velocity", (1.0, 2.0, 3.0))
    scene.save(tmp_path / "a.toml")
    again, lines = opened(tmp_path / "a.toml")
    assert again.document.recordings is None
    assert "does not belong to the body and the start" in lines[0]
    session.change({"start.angular_velocity": (1.0, 2.0, 3.0)})
    session.save(tmp_path / "a.toml")
    assert "[recording]" not in (tmp_path / "a.toml").read_text()


def test_a_scene_without_a_recording_has_no_such_section(tmp_path):
    Scenario.preset("rod").save(tmp_path / "a.toml")
    assert "[recording]" not in (tmp_path / "a.toml").read_text()
    assert "[recording]" not in Scenario.preset("rod").to_text()


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("files = 'toss.csv'", "recording.files: 'toss.csv' is not a list"),
        ("files = ['']", "recording.files[0]: '' is no name of a file"),
        ("files = ['//server/toss.csv']", "is on another computer"),
        ("checksums = ['12']", "recording.checksums[0]: '12' is not a checksum"),
        ("flight = 2", "recording.flight: 2 is not a string"),
        ("order = 'zyxw'", "recording.order: 'zyxw' is unknown"),
        ("moments = [1, 2]", "recording.moments: [1, 2] is not a list of 3 numbers"),
        ("moments = [1, -2, 3]", "recording.moments[1]: -2"),
        ("step = -1", "recording.step: -1 s is outside"),
        ("tolerance = nan", "recording.tolerance: nan is outside"),
        ("relative = 1", "recording.relative: 1 is not a switch"),
        ("rows = 3", "recording.rows: field not found"),
    ],
)
def test_a_bad_value_is_told_in_a_line(line, error):
    with pytest.raises(InputError) as raised:
        Scenario.from_text(f"[recording]\n{line}", "scene.toml", folder=Path("/nowhere"))
    assert error in str(raised.value)
    assert "(scene.toml, line 2)" in str(raised.value)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"flight": "seven"}, "seven"),
        ({"flight": "99"}, "99"),
        ({"columns": ["nonsense"]}, "nonsense"),
        ({"files": ["/dev/zero"], "checksums": []}, "not a regular file"),
        ({"files": ["a\0b"], "checksums": []}, "a"),
    ],
)
def test_what_no_recording_can_be_read_with_is_told_in_a_line(tossed, tmp_path, values, error):
    saved(replayed(tossed), tmp_path / "a.toml")
    scene = Scenario.load(tmp_path / "a.toml")
    if "a\0b" in values.get("files", []):
        with pytest.raises(InputError):
            scene.with_value("recording.files", values["files"])
        return
    scene.with_values({f"recording.{name}": value for name, value in values.items()}).save(tmp_path / "b.toml")
    again, lines = opened(tmp_path / "b.toml")
    assert again.document.recordings is None
    assert len(lines) == 1
    assert error in lines[0]


def test_the_choices_are_those_of_the_reader():
    fields = fields_of(Recording)
    of = {"order": ORDERS, "direction": DIRECTIONS, "rate_frame": FRAMES, "rate_unit": RATE_UNITS}
    for name, known in {**of, "time_unit": TIME_UNITS}.items():
        assert [choice for choice, _ in fields[name].choices] == [AUTO, *known]


def test_the_window_begins_with_the_recording_that_its_scene_names(tossed, tmp_path, monkeypatch):
    saved(replayed(tossed), tmp_path / "a.toml")
    found = []
    monkeypatch.setattr("viewer.cli.window._window", lambda *_, **more: found.append(more["awaited"]))
    assert main([str(tmp_path / "a.toml")]) == 0
    assert found[0].files == (str(tossed),)
    lines: list[str] = []
    assert found[0].read(lambda fraction: None, lines.append).files == (str(tossed),)
    tossed.unlink()
    assert found[0].read(lambda fraction: None, lines.append) is None
    assert len(lines) == 1


def test_what_is_read_while_a_tour_shows_its_own_scene_is_there_after_it(tossed):
    found = replayed(tossed)
    scenario = scene_of(found)
    session = Session(scenario, playing=False)
    session.stage(Scenario.preset("disc"), None, playing=False)
    session.attach(found, scenario)
    assert session.document.recordings is None
    assert session.scenario.title == Scenario.preset("disc").title
    session.leave_stage({})
    assert session.document.recordings is found
    assert session.playback.loop == (0.0, session.document.recorded_until)
    assert [now.lane.name for now in session.snapshot().lanes] == [found.recording.name]
