"""The next window opens as the last one was closed."""

import subprocess
import threading
from pathlib import Path

import pytest
from helpers.logs import short_log

from viewer.cli import main
from viewer.cli.window import run
from viewer.commands.documents import open_named, save_to
from viewer.commands.opening import choose_flight
from viewer.common import resources
from viewer.scenario.scenario import Scenario
from viewer.user import autosave, last_session
from viewer.user.settings import Settings


def closed(desktop, **more):
    shown = desktop("dzhanibekov", settings=Settings.of_user(), **more)
    shown.session.change({"body.mass": 7.0})
    shown.session.change({"view.zoom": 1.5})
    shown.key("g")
    shown.key("p")
    folded = shown.app.workspace.state.panel
    shown.close()
    return folded


def reopened(desktop):
    settings = Settings.of_user()
    left = last_session.load(settings.scene_defaults())
    return desktop(settings=settings, scenario=left.scenario, last_session=left, name=left.file)


def test_scene_view_and_what_was_open_are_as_they_were(desktop):
    folded = closed(desktop)
    assert folded is False
    (kept,) = autosave.folder().glob("*.toml")
    again = reopened(desktop)
    assert (again.scenario.body.mass, again.scenario.view.zoom) == (7.0, 1.5)
    assert (again.app.workspace.state.plots, again.app.workspace.state.panel) == (True, False)
    assert again.session.unsaved
    again.until(lambda: again.app.workspace.unsaved.wait(again.app.workspace.clock()) is None)
    assert again.app.workspace.unsaved.left == []  # it is open: nobody has to ask for it
    assert list(autosave.folder().glob("*.toml")) == [kept]
    again.session.undo()
    assert again.scenario.body.mass == 7.0


def test_what_another_program_wrote_between_two_starts_is_asked_about(desktop, tmp_path):
    path = tmp_path / "mine.toml"
    shown = desktop("dzhanibekov", settings=Settings.of_user())
    save_to(shown.app.workspace, str(path))
    shown.session.change({"body.mass": 7.0})
    shown.close()
    again = reopened(desktop)
    again.key("ctrl+s")  # nobody has changed it
    assert (again.app.ui.dialog.is_open, Scenario.load(path).body.mass) == (False, 7.0)
    again.session.change({"body.mass": 8.0})
    again.close()
    path.write_text(path.read_text() + "# theirs\n")
    again = reopened(desktop)
    again.key("ctrl+s")
    assert again.app.ui.dialog.is_open
    assert Scenario.load(path).body.mass == 7.0


def test_the_tour_that_was_running_is_not_the_scene(desktop):
    shown = desktop("rod", settings=Settings.of_user())
    shown.app.workspace.tour.start("poinsot")
    shown.settle()
    shown.close()
    assert last_session.load(Settings().scene_defaults()).scenario.title == "From a spin to a flat spin"


def opened(monkeypatch, *arguments):
    found = []
    monkeypatch.setattr("viewer.cli.window._window", lambda scene, *_, **more: found.append((scene.title, more)))
    run(list(arguments))
    title, more = found[0]
    return title, more["first"], more["last_session"] is not None


def test_which_scene_a_start_without_one_shows(desktop, monkeypatch):
    assert opened(monkeypatch) == ("T-handle", True, False)
    closed(desktop)
    assert opened(monkeypatch) == ("Dzhanibekov effect", False, True)
    assert opened(monkeypatch, "--first") == ("T-handle", True, False)
    assert opened(monkeypatch, "rod")[0].startswith("From a spin")
    last_session.path().write_text("]")
    assert opened(monkeypatch) == ("Ellipsoid near its middle axis", False, False)


def mine(desktop):
    """A scene of the user's own, unsaved."""
    shown = desktop("rod", settings=Settings.of_user())
    shown.session.change({"body.mass": 7.0})
    return shown


def left():
    found = last_session.load(Settings().scene_defaults())
    return found.scenario.body.shape, found.scenario.body.mass, found.unsaved


OWN = ("cylinder", 7.0, True)


@pytest.mark.parametrize("how", [{"first": True}, {"tour": "flip"}])
def test_what_the_user_has_not_asked_for_does_not_take_the_place_of_his_scene(desktop, how):
    mine(desktop).close()
    shown = desktop("t-handle", settings=Settings.of_user(), guest=True, **how)
    shown.session.change({"view.zoom": 1.5, "stereo.mode": "anaglyph"})
    shown.close()
    assert left()[:2] == OWN[:2]
    shown = desktop("t-handle", settings=Settings.of_user(), guest=True)
    shown.session.change({"body.mass": 3.0})
    shown.close()
    assert left()[:2] == ("t-handle", 3.0)


def test_a_lecture_is_not_the_scene(desktop, tmp_path):
    playlist = tmp_path / "monday.toml"
    playlist.write_text('title = "Monday"\n[[items]]\nscene = "disc"\n[[items]]\ntour = "stereo"\n')
    for begin in (
        lambda shown: shown.key("F5", "Next", "Next"),
        lambda shown: open_named(shown.app.workspace, str(playlist)),
    ):
        shown = mine(desktop)
        shown.app.workspace.state.plots = True
        begin(shown)
        assert not shown.scenario.title.startswith("From a spin")
        shown.close()
        assert left() == OWN
        assert last_session.load(Settings().scene_defaults()).plots


def test_what_is_opened_after_a_lecture_is_the_scene(desktop):
    shown = mine(desktop)
    shown.key("F5", "Next", "F5")
    open_named(shown.app.workspace, "disc")
    shown.close()
    assert left()[0] == Scenario.preset("disc").body.shape


@pytest.fixture
def start(desktop, monkeypatch):
    """The window that the command opens; its recordings are read by the time it is returned, unless `wait` is False."""
    started = []
    monkeypatch.setattr("viewer.cli.window._window", lambda *given, **more: started.append((given, more)))

    def begin(*arguments, wait=True):
        run(list(arguments))
        (scenario, options, settings), more = started.pop()
        more = {name: more[name] for name in ("opening", "last_session", "awaited") if name in more}
        shown = desktop(playing=not wait, scenario=scenario, settings=settings, name=options.scene, **more)
        if wait:
            shown.until(lambda: shown.app.workspace.files.awaited is None and not shown.app.workspace.files.beginning)
        return shown

    return begin


def test_a_recording_comes_back_beside_the_scene_that_is_there_at_once(desktop, start, tmp_path):
    file = Path(short_log(tmp_path / "log.csv"))
    shown = desktop("rod", settings=Settings.of_user())
    open_named(shown.app.workspace, str(file))
    title = shown.scenario.title
    shown.session.change({"view.zoom": 1.5})
    shown.close()
    again = start(wait=False)
    first = again.scenario
    assert (first.title, first.view.zoom) == (title, 1.5)
    again.until(lambda: again.session.document.recordings is not None)
    assert again.session.document.recordings.files == (str(file),)
    assert again.session.playback.loop is not None
    assert again.scenario == first
    assert again.session.undo_possible == (False, False)
    again.close()
    file.unlink()
    again = start()
    assert again.message == f"The last recording cannot be opened: {file}: file not found"
    assert (again.scenario.title, again.session.document.recordings) == (title, None)


@pytest.mark.parametrize("end", ["close", "Escape"])
def test_a_recording_that_takes_long_is_read_while_the_scene_runs(desktop, start, tmp_path, monkeypatch, end):
    file = short_log(tmp_path / "log.csv")
    shown = desktop("rod", settings=Settings.of_user())
    open_named(shown.app.workspace, file)
    shown.close()
    go_on = threading.Event()

    def replayed(*files, progress, flight, repair):
        while not go_on.wait(0.01):
            progress(0.25)

    monkeypatch.setattr("viewer.workspace.files.PROMPT", 0.0)
    monkeypatch.setattr("viewer.replay.scene.replayed", replayed)
    shown = start(wait=False)
    shown.until(lambda: shown.message == "Opening log.csv: 25 % (Escape cancels)")
    time = shown.session.motion.time
    shown.until(lambda: shown.session.motion.time > time)
    if end == "Escape":
        subprocess.run(["xdotool", "key", "Escape"], check=True)
        shown.until(lambda: shown.app.workspace.files.opening is None)
        assert shown.app.workspace.files.awaited is None
        shown.until(lambda: shown.message is None)  # with the next frame
    shown.close()
    go_on.set()
    assert last_session.load(Settings().scene_defaults()).recordings == ((file,) if end == "close" else ())


def test_what_the_user_opens_or_changes_meanwhile_is_left_alone(desktop, start, tmp_path):
    shown = desktop("rod", settings=Settings.of_user())
    open_named(shown.app.workspace, short_log(tmp_path / "log.csv"))
    shown.close()
    shown = start()
    found, scenario = shown.session.document.recordings, shown.scenario
    shown.session.open(scenario)
    shown.session.change({"start.angular_velocity": (1.0, 2.0, 3.0)})
    shown.session.attach(found, scenario)
    assert shown.session.document.recordings is None
    shown.session.undo()
    shown.session.attach(found, scenario)
    assert shown.session.document.recordings is found


def test_a_recording_that_replay_shows_comes_back(desktop, start, tmp_path, monkeypatch):
    file = Path(short_log(tmp_path / "log.csv"))
    started = []
    monkeypatch.setattr("viewer.cli.window._window", lambda *given, **more: started.append((given, more)))
    main(["replay", str(file), "--show"])
    (scenario, options, settings), more = started[0]
    desktop(scenario=scenario, settings=settings, name=options.scene, **more).close()
    left = last_session.load(Settings().scene_defaults())
    assert (left.file, left.recordings) == (None, (str(file),))


def test_a_comparison_and_a_chosen_flight_come_back(start, tmp_path):
    files = [short_log(tmp_path / f"{name}.csv") for name in ("one", "two")]
    start(*files).close()
    shown = start()
    assert shown.session.document.recordings.files == tuple(files)
    assert [now.lane.name for now in shown.session.snapshot().lanes] == ["one.csv", "two.csv"]
    with resources.file("assets", "logs", "tossed-phone.csv") as tossed:
        open_named(shown.app.workspace, str(tossed))
        shown.until(lambda: shown.session.document.recording is not None)
        choose_flight(shown.app.workspace, "3")
        shown.until(lambda: shown.session.document.recording.flight == "3")
        shown.close()
        again = start()
        assert again.session.document.recording.flight == "3"
        states = again.session.document.recording.trajectory.states
        assert again.session.playback.loop == (0.0, float(states.time[-1]))


@pytest.mark.parametrize("tour", [False, True])
def test_a_crash_in_a_lecture_leaves_the_unsaved_scene_of_the_user_behind(desktop, tmp_path, tour):
    playlist = tmp_path / "monday.toml"
    playlist.write_text("[[items]]\n" + ('tour = "stereo"\n' if tour else 'scene = "disc"\n'))
    shown = mine(desktop)
    open_named(shown.app.workspace, str(playlist))
    shown.settle()
    workspace = shown.app.workspace
    shown.until(lambda: workspace.unsaved.autosave.wait(workspace.clock()) is None)
    (kept,) = autosave.folder().glob("*.toml")  # what is there when the program is killed now
    assert (Scenario.load(kept).body.shape, Scenario.load(kept).body.mass) == OWN[:2]
    kept.unlink()
    assert workspace.unsaved.keep()  # as after an exception
    assert Scenario.load(kept).body.mass == OWN[1]
