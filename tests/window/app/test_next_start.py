"""The next window opens as the last one was closed."""

from pathlib import Path

import pytest
from helpers.logs import short_log

from viewer.cli import main
from viewer.cli.window import run
from viewer.common import resources
from viewer.scenario.presets import DEFAULT_PRESET
from viewer.scenario.scenario import Scenario
from viewer.user import autosave, left_off
from viewer.user.settings import Settings


def closed(desktop, **more):
    shown = desktop("dzhanibekov", settings=Settings.of_user(), **more)
    shown.session.change({"body.mass": 7.0})
    shown.session.change({"view.zoom": 1.5})
    shown.key("g")
    shown.key("p")
    folded = shown.app.state.panel
    shown.close()
    return folded


def reopened(desktop):
    settings = Settings.of_user()
    left = left_off.load(settings.scene_defaults())
    return desktop(settings=settings, scenario=left.scenario, left_off=left)


def test_scene_view_and_what_was_open_are_as_they_were(desktop):
    folded = closed(desktop)
    assert folded is False
    (kept,) = autosave.folder().glob("*.toml")
    again = reopened(desktop)
    assert (again.scenario.body.mass, again.scenario.view.zoom) == (7.0, 1.5)
    assert (again.app.state.plots, again.app.state.panel) == (True, False)
    assert again.session.unsaved
    again.until(lambda: again.app.documents._look_at == float("inf"))
    assert again.app.documents.left == []  # it is open: nobody has to ask for it
    assert list(autosave.folder().glob("*.toml")) == [kept]
    again.session.undo()
    assert again.scenario.body.mass == 7.0


def test_the_tour_that_was_running_is_not_the_scene(desktop):
    shown = desktop("rod", settings=Settings.of_user())
    shown.app.ui.tour.start("poinsot")
    shown.settle()
    shown.close()
    assert left_off.load(Settings().scene_defaults()).scenario.title == "From a spin to a flat spin"


def opened(monkeypatch, *arguments):
    found = []
    monkeypatch.setattr("viewer.cli.window._window", lambda scene, *_, **more: found.append((scene.title, more)))
    run(list(arguments))
    title, more = found[0]
    return title, more["opening"], more["left"] is not None


def test_which_scene_a_start_without_one_shows(desktop, monkeypatch):
    assert opened(monkeypatch) == ("T-handle", True, False)
    closed(desktop)
    assert opened(monkeypatch) == ("Dzhanibekov effect", False, True)
    assert opened(monkeypatch, "--first") == ("T-handle", True, False)
    assert opened(monkeypatch, "rod")[0].startswith("From a spin")
    left_off.path().write_text("]")
    assert opened(monkeypatch) == ("Ellipsoid near its middle axis", False, False)


def mine(desktop):
    """A scene of the user's own, unsaved."""
    shown = desktop("rod", settings=Settings.of_user())
    shown.session.change({"body.mass": 7.0})
    return shown


def left():
    found = left_off.load(Settings().scene_defaults())
    return found.scenario.body.shape, found.scenario.body.mass, found.unsaved


OWN = ("cylinder", 7.0, True)


@pytest.mark.parametrize("how", [{"opening": True}, {"tour": "flip"}])
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
    for begin in (lambda shown: shown.key("F5", "Next", "Next"), lambda shown: shown.app.documents.open(str(playlist))):
        shown = mine(desktop)
        shown.app.state.plots = True
        begin(shown)
        assert not shown.scenario.title.startswith("From a spin")
        shown.close()
        assert left() == OWN
        assert left_off.load(Settings().scene_defaults()).plots


def test_what_is_opened_after_a_lecture_is_the_scene(desktop):
    shown = mine(desktop)
    shown.key("F5", "Next", "F5")
    shown.app.documents.open("disc")
    shown.close()
    assert left()[0] == Scenario.preset("disc").body.shape


def test_a_recording_comes_back(desktop, tmp_path, monkeypatch):
    file = Path(short_log(tmp_path / "log.csv"))
    shown = desktop("rod", settings=Settings.of_user())
    shown.app.documents.open(str(file))
    title = shown.scenario.title
    shown.session.change({"view.zoom": 1.5})
    shown.close()
    started = []
    monkeypatch.setattr("viewer.cli.window._window", lambda *given, **more: started.append((given, more)))
    run([])
    (scenario, _, _, recording), more = started[0]
    assert (scenario.title, scenario.view.zoom) == (title, 1.5)
    assert recording is not None
    again = desktop(scenario=scenario, recording=recording, scene_name=more["left"].file)
    assert again.session.document.recordings is recording
    file.unlink()
    run([])
    (scenario, _, settings, recording), more = started[1]
    assert scenario.title == Scenario.preset(DEFAULT_PRESET).title
    assert (recording, more["left"]) == (None, None)
    assert settings.problems == [f"The last recording cannot be opened: {file}: file not found"]


def test_a_recording_that_replay_shows_comes_back(desktop, tmp_path, monkeypatch):
    file = Path(short_log(tmp_path / "log.csv"))
    started = []
    monkeypatch.setattr("viewer.cli.window._window", lambda *given, **more: started.append((given, more)))
    main(["replay", str(file), "--show"])
    scenario, options, settings, recording = started[0][0]
    desktop(scenario=scenario, settings=settings, recording=recording, scene_name=options.scene).close()
    run([])
    (scenario, _, _, recording), more = started[1]
    assert recording is not None
    assert (more["left"].file, more["left"].recordings) == (None, (str(file),))


def test_a_comparison_and_a_chosen_flight_come_back(desktop, tmp_path, monkeypatch):
    files = [short_log(tmp_path / f"{name}.csv") for name in ("one", "two")]
    started = []
    monkeypatch.setattr("viewer.cli.window._window", lambda *given, **more: started.append((given, more)))
    run(files)
    scenario, _, settings, recording = started[0][0]
    desktop(scenario=scenario, settings=settings, recording=recording).close()
    run([])
    scenario, _, settings, recording = started[1][0]
    assert recording.files == tuple(files)
    shown = desktop(scenario=scenario, settings=settings, recording=recording, left_off=started[1][1]["left"])
    assert [now.lane.name for now in shown.session.snapshot().lanes] == ["one.csv", "two.csv"]
    with resources.file("assets", "logs", "tossed-phone.csv") as tossed:
        shown.app.documents.open(str(tossed))
        shown.until(lambda: shown.session.document.recording is not None)
        shown.app.documents.choose_flight("3")
        shown.until(lambda: shown.session.document.recording.flight == "3")
        shown.close()
        run([])
    scenario, _, settings, recording = started[2][0]
    assert recording.flight == "3"
    again = desktop(scenario=scenario, settings=settings, recording=recording, left_off=started[2][1]["left"])
    assert again.session.document.recording is recording
    assert again.session.playback.loop == (0.0, float(recording.trajectory.states.time[-1]))


@pytest.mark.parametrize("tour", [False, True])
def test_a_crash_in_a_lecture_leaves_the_unsaved_scene_of_the_user_behind(desktop, tmp_path, tour):
    playlist = tmp_path / "monday.toml"
    playlist.write_text("[[items]]\n" + ('tour = "stereo"\n' if tour else 'scene = "disc"\n'))
    shown = mine(desktop)
    shown.app.documents.open(str(playlist))
    shown.settle()
    documents = shown.app.documents
    shown.until(lambda: documents._autosave.wait(shown.app._clock()) is None)
    (kept,) = autosave.folder().glob("*.toml")  # what is there when the program is killed now
    assert (Scenario.load(kept).body.shape, Scenario.load(kept).body.mass) == OWN[:2]
    kept.unlink()
    documents._autosave._written = None
    assert documents.keep()  # as after an exception
    assert Scenario.load(kept).body.mass == OWN[1]
