"""A file that takes long to read: the window goes on meanwhile, says how far it is, and Escape ends it."""

import subprocess
import threading
import zipfile

import numpy as np
import pytest
from helpers.bricks import MOMENTS, brick, write_case

from viewer.commands.actions import ACTIONS
from viewer.commands.documents import open_named
from viewer.commands.opening import restore
from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.state import State
from viewer.replay import opening
from viewer.scenario.scenario import Scenario
from viewer.user.autosave import Autosave, left_behind
from viewer.workspace.files import Request


@pytest.fixture
def slow(monkeypatch):
    """Reading reports a half and then waits for `go`, where the test asked for `slow.csv`."""
    go, read, ended = threading.Event(), opening.read, []

    def slowly(name, base=None, progress=None, *others):
        if name != "slow.csv":
            return read(name, base, progress, *others)
        try:
            while not go.wait(0.01):
                progress(0.5)
        except BaseException as error:
            ended.append(error)
            raise
        return Scenario.preset("disc"), None

    monkeypatch.setattr("viewer.commands.opening.read", slowly)
    monkeypatch.setattr("viewer.workspace.files.PROMPT", 0.05)
    go.ended = ended
    yield go
    go.set()


def test_the_window_goes_on_while_a_file_is_read(desktop, slow):
    shown = desktop(playing=True)
    assert open_named(shown.app.workspace, "slow.csv") is None
    shown.until(lambda: shown.message == "Opening slow.csv: 50 % (Escape cancels)")
    time = shown.session.motion.time
    shown.until(lambda: shown.session.motion.time > time + 0.1)
    assert shown.scenario.title == Scenario.preset("paper-fig1").title
    slow.set()
    shown.until(lambda: shown.scenario.title == Scenario.preset("disc").title)
    assert shown.app.workspace.files.opening is None
    assert shown.message is None


def test_undo_while_a_file_is_read_cancels_that_and_leaves_the_last_step(desktop, slow):
    """It undid the step before, and then the file opened all the same."""
    shown = desktop()
    shown.session.change({"body.mass": 2.5})
    open_named(shown.app.workspace, "slow.csv")
    shown.until(lambda: shown.app.workspace.files.opening is not None)
    shown.key("ctrl+z")
    assert shown.app.workspace.files.opening is None
    assert shown.scenario.body.mass == 2.5
    shown.until(lambda: slow.ended)
    shown.key("ctrl+z")
    assert shown.scenario.body.mass != 2.5


def test_a_long_reading_says_how_long_it_has_taken(desktop, slow, monkeypatch):
    monkeypatch.setattr("viewer.workspace.files.LONG", 1.0)
    shown = desktop()
    open_named(shown.app.workspace, "slow.csv")
    shown.until(lambda: shown.message == "Opening slow.csv: 50 % after 1 s (Escape cancels)")
    shown.until(lambda: shown.message == "Opening slow.csv: 50 % after 2 s (Escape cancels)")


def test_a_window_that_begins_with_a_file_shows_another_scene_at_rest_until_it_is_read(desktop, slow):
    """The scene that stands in is dimmed, and is no step of undo; what the command line changes holds for the file."""
    shown = desktop(playing=True)
    files, bright = shown.app.workspace.files, shown.screen().mean()
    changes = lambda scenario: scenario.with_value("show.plane", False)  # noqa: E731
    files.first = Request("slow.csv", begins=True, changes=changes)
    shown.until(lambda: shown.message == "Opening slow.csv: 50 % (Escape cancels)")
    assert files.beginning
    shown.until(lambda: shown.screen().mean() < 0.8 * bright)
    time = shown.session.motion.time
    shown.turn()
    assert shown.session.motion.time == time
    slow.set()
    shown.until(lambda: shown.scenario.title == Scenario.preset("disc").title)
    assert not files.beginning
    assert not shown.scenario.show.plane
    assert shown.session.undo_possible == (False, False)
    shown.until(lambda: shown.session.motion.time > 0.1)
    assert shown.screen().mean() > 0.8 * bright


def test_a_window_that_begins_with_a_file_that_is_refused_says_so_in_the_terminal_too(desktop, tmp_path, capsys):
    (tmp_path / "still.csv").write_text("t,wx,wy,wz\n" + "".join(f"{t},0,0,0\n" for t in range(20)))
    shown = desktop(opening=Request.of([str(tmp_path / "still.csv")], begins=True), guest=True)
    shown.until(lambda: "the body does not turn" in (shown.message or ""))
    assert not shown.app.workspace.files.beginning
    assert shown.scenario.title == Scenario.preset("paper-fig1").title
    assert capsys.readouterr().err == f"poinsot: {shown.message}\n"


def test_a_lecture_that_begins_with_a_tour_gives_up_the_file_that_is_read(desktop, slow, tmp_path):
    """The file burst into the lecture as soon as it was read."""
    (tmp_path / "monday.toml").write_text('[[items]]\ntour = "flip"\n')
    shown = desktop()
    open_named(shown.app.workspace, "slow.csv")
    shown.until(lambda: shown.message == "Opening slow.csv: 50 % (Escape cancels)")
    open_named(shown.app.workspace, str(tmp_path / "monday.toml"))
    assert shown.app.workspace.files.opening is None
    shown.until(lambda: slow.ended)
    slow.set()
    shown.settle()
    assert shown.app.workspace.state.lecture
    assert shown.app.workspace.tour.step is not None


def test_a_scene_that_is_restored_gives_up_the_file_that_is_read(desktop, slow):
    """Its recording was put on the restored scene."""
    shown = desktop()
    Autosave().close(Scenario.preset("rod"))
    shown.app.workspace.unsaved.left = left_behind()
    open_named(shown.app.workspace, "slow.csv")
    shown.until(lambda: shown.message == "Opening slow.csv: 50 % (Escape cancels)")
    restore(shown.app.workspace, shown.app.workspace.unsaved.left[0])
    assert shown.app.workspace.files.opening is None
    shown.until(lambda: slow.ended)
    assert shown.scenario.title == Scenario.preset("rod").title


def test_a_window_at_rest_is_not_drawn_again_and_again_while_a_file_is_read(desktop, slow):
    shown = desktop()
    open_named(shown.app.workspace, "slow.csv")
    shown.until(lambda: shown.message == "Opening slow.csv: 50 % (Escape cancels)")
    for _ in range(5):
        shown.turn()
    frames = shown.app.frames.count
    for _ in range(5):
        shown.turn()
    assert shown.app.frames.count == frames


def test_a_motion_that_goes_on_leaves_time_to_the_reading(desktop, slow):
    shown = desktop(playing=True)
    usual = shown.app.frames.interval
    open_named(shown.app.workspace, "slow.csv")
    assert shown.app.frames.interval > 2.0 * usual
    slow.set()
    shown.until(lambda: shown.app.workspace.files.opening is None)
    assert shown.app.frames.interval == usual


def test_escape_ends_it_and_the_scene_stays(desktop, slow):
    shown = desktop()
    open_named(shown.app.workspace, "slow.csv")
    shown.until(lambda: shown.message is not None)
    shown.loop.step(0.0)
    ACTIONS["leave"].run(shown.app.workspace)
    shown.until(lambda: slow.ended)
    shown.settle()
    assert shown.message is None
    assert shown.scenario.title == Scenario.preset("paper-fig1").title


def test_the_cross_of_its_message_ends_it(desktop, slow):
    shown = desktop()
    open_named(shown.app.workspace, "slow.csv")
    shown.until(lambda: shown.message is not None)
    shown.until(lambda: "close" in shown.boxes)
    subprocess.run(["xdotool", "mousemove", *map(str, map(round, shown.middle("close"))), "click", "1"], check=True)
    shown.until(lambda: slow.ended)
    shown.settle()
    assert shown.message is None


def test_another_file_takes_its_place(desktop, slow):
    shown = desktop()
    open_named(shown.app.workspace, "slow.csv")
    assert open_named(shown.app.workspace, "rod") is None
    shown.until(lambda: shown.app.workspace.files.opening is None)
    assert shown.scenario.title == Scenario.preset("rod").title
    shown.until(lambda: slow.ended)
    shown.settle()
    assert shown.scenario.title == Scenario.preset("rod").title


def test_a_log_that_is_none_says_so_and_the_scene_stays(desktop, tmp_path):
    shown = desktop()
    path = tmp_path / "a.csv"
    path.write_text("t,wx,wy,wz\n0,1,2,three\n")
    assert "'three' is not a number" in open_named(shown.app.workspace, str(path))
    shown.settle()
    assert "'three' is not a number" in shown.message
    assert shown.scenario.title == Scenario.preset("paper-fig1").title


@pytest.mark.slow
def test_a_phones_archive_and_a_simulators_folder_are_dropped_on_the_window(desktop, tmp_path):
    shown = desktop(size=(1280, 720))
    t = 0.01 * np.arange(1000)
    body, start = RigidBody.from_moments((1.0, 2.0, 2.5)), State((1.0, 0.0, 0.0, 0.0), (0.1, 4.0, 0.1))
    motion = FreeRotation(body, start).at(t)
    with zipfile.ZipFile(tmp_path / "toss.zip", "w") as archive:
        head = '"Zeit (s)";"Gyroskop x (rad/s)";"Gyroskop y (rad/s)";"Gyroskop z (rad/s)"\n'
        rows = "".join(";".join(map(repr, row)) + "\n" for row in np.column_stack((t, motion.omega_body)).tolist())
        archive.writestr("Rohdaten.csv", head + rows.replace(".", ","))
    folder = tmp_path / "InOut"
    folder.mkdir()
    np.savetxt(folder / "time.42", t)
    np.savetxt(folder / "qbn.42", motion.orientation_wxyz[:, [1, 2, 3, 0]])
    np.savetxt(folder / "wbn.42", motion.omega_body)
    for dropped, title in ((tmp_path / "toss.zip", "toss.zip"), (folder, "42"), (folder / "wbn.42", "42")):
        shown.app.on_file_drop(0.0, 0.0, [str(dropped)])
        shown.until(lambda: shown.app.workspace.files.opening is None)
        shown.settle()
        assert shown.scenario.title == title
        assert shown.scenario.body.moments == pytest.approx((0.4, 0.8, 1.0), rel=1e-5)  # measured 5e-9
        assert shown.session.document.recordings.files == (str(dropped),)
        assert shown.app.workspace.files.recent[0] == str(dropped)
    before = shown.scenario
    (tmp_path / "broken.zip").write_bytes((tmp_path / "toss.zip").read_bytes()[:-30])
    shown.app.on_file_drop(0.0, 0.0, [str(tmp_path / "broken.zip")])
    shown.until(lambda: shown.app.workspace.files.opening is None)
    shown.settle()
    assert "broken.zip: is damaged" in shown.message
    assert shown.scenario is before


@pytest.mark.slow
def test_several_recordings_dropped_at_once_are_compared(desktop, tmp_path):
    time = np.arange(101) * 0.1
    faulty = brick(time, moments=MOMENTS * (1.05, 1.0, 1.0))
    paths = [write_case(tmp_path / f"{name}.csv", time, *brick(time)) for name in ("one", "two")]
    paths.append(write_case(tmp_path / "three.csv", time, *faulty))
    shown = desktop()
    shown.app.on_file_drop(0, 0, paths)
    shown.until(lambda: shown.app.workspace.files.opening is None)
    assert [now.lane.name for now in shown.session.snapshot().lanes] == ["one.csv", "two.csv", "three.csv"]
    assert "furthest: three.csv" in shown.session.scenario.summary
    assert "furthest: three.csv" in shown.message
    assert shown.session.playback.loop == (0.0, 10.0)
    assert shown.app.workspace.files.path is None
    assert shown.session.document.recordings.files == tuple(paths)
    shown.app.on_file_drop(0, 0, [paths[0], str(tmp_path / "nothing.csv")])
    shown.until(lambda: shown.app.workspace.files.opening is None)
    assert "nothing.csv" in shown.message
    assert len(shown.session.snapshot().lanes) == 3  # the scene before stays
    shown.app.on_file_drop(0, 0, paths[:1])
    shown.until(lambda: shown.app.workspace.files.opening is None)
    assert shown.session.playback.loop == (0.0, 10.0)  # a single one that is no flight, too


def test_of_several_tables_with_unknown_columns_one_is_asked_about_and_all_open(desktop, tmp_path):
    time = np.arange(101) * 0.1
    paths = []
    for name in ("one", "two"):
        turn, omega = brick(time)
        rows = np.column_stack((time, omega, turn.as_quat()))
        path = tmp_path / f"{name}.csv"
        path.write_text("c,r1,r2,r3,a,b,d,e\n" + "".join(",".join(map(repr, row)) + "\n" for row in rows.tolist()))
        paths.append(str(path))
    shown = desktop(size=(1280, 720))
    before = shown.scenario
    shown.app.on_file_drop(0, 0, paths)
    shown.until(lambda: shown.app.ui.columns_dialog.is_open)
    shown.settle()
    assert shown.scenario is before
    assert shown.message is None
    dialog = shown.app.ui.columns_dialog
    dialog._roles = ["t", "wx", "wy", "wz", "qx", "qy", "qz", "qw"]
    shown.app.ui.touched()
    shown.settle()
    shown.click(*shown.middle("Open"))
    shown.until(lambda: shown.session.document.recordings is not None)
    assert [now.lane.name for now in shown.session.snapshot().lanes] == ["one.csv", "two.csv"]
    assert not shown.app.ui.columns_dialog.is_open
