"""What an ended program left unsaved is offered at the next start, and opened, kept or deleted by a click."""

from pathlib import Path

import numpy as np
import pytest
from helpers.logs import LOGS

from viewer.commands.documents import open_named
from viewer.commands.opening import restore
from viewer.scenario.scenario import Scenario
from viewer.scene.annotations.trails import LEGEND_LENGTH
from viewer.scene.camera.camera import Canvas
from viewer.scene.naming.things import anchor
from viewer.user import autosave
from viewer.user.autosave import DELAY, Autosave, left_behind
from viewer.user.settings import Settings

HEAVY = Scenario.preset("rod").with_value("body.mass", 7.0)


@pytest.fixture
def left():
    keeper = Autosave()
    keeper.follow(HEAVY, 0.0)
    keeper.follow(HEAVY, DELAY)
    keeper.close(HEAVY)
    assert len(left_behind()) == 1


def offered(desktop):
    shown = desktop(playing=True, settings=Settings.of_user())
    shown.until(lambda: "Restore" in shown.boxes, "nothing is offered")
    shown.settle()
    return shown


@pytest.mark.usefixtures("left")
def test_it_is_opened_and_still_unsaved(desktop):
    shown = offered(desktop)
    shown.click(*shown.middle("Restore"))
    assert shown.scenario.body.mass == 7.0
    assert shown.session.unsaved
    assert left_behind() == []  # it belongs to this window now
    assert len(list(autosave.folder().glob("*.toml"))) == 1
    shown.app.workspace.session.undo()
    assert shown.scenario.title == Scenario.preset("paper-fig1").title


@pytest.mark.usefixtures("left")
def test_on_a_full_disk_it_is_opened_and_still_kept(desktop, monkeypatch):
    shown = offered(desktop)
    kept = [path.read_bytes() for path in autosave.folder().glob("*.toml")]

    def full(descriptor):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        shown.click(*shown.middle("Restore"))
        assert shown.scenario.body.mass == 7.0
        assert [path.read_bytes() for path in autosave.folder().glob("*.toml")] == kept
        shown.session.change({"body.mass": 3.0})
        shown.until(lambda: shown.message is not None and "No space left on device" in shown.message)
    shown.app.workspace.unsaved.close()
    assert Scenario.load(left_behind()[0].path).body.mass == 3.0


def test_one_whose_mesh_is_gone_is_still_offered(desktop, tmp_path):
    lost = tmp_path / "lost.stl"
    Autosave().close(HEAVY.with_values({"body.shape": "mesh", "body.file": str(lost), "body.unit": "mm"}))
    shown = offered(desktop)
    shown.click(*shown.middle("Restore"))
    assert f"{lost}: file not found" in shown.message
    assert len(left_behind()) == len(shown.app.workspace.unsaved.left) == 1


@pytest.mark.usefixtures("left")
@pytest.mark.parametrize(("button", "kept"), [("Not now", 1), ("Delete", 0)])
def test_it_waits_or_goes(desktop, button, kept):
    shown = offered(desktop)
    shown.click(*shown.middle(button))
    assert len(left_behind()) == kept
    assert shown.app.ui.recovery.box is None


@pytest.mark.usefixtures("left")
def test_it_makes_way_for_a_tour_and_goes_when_another_scene_is_opened(desktop):
    shown = offered(desktop)
    shown.app.workspace.tour.start("flip")
    shown.settle()
    assert shown.app.ui.recovery.box is None
    shown.app.workspace.tour.end()
    shown.settle()
    assert shown.app.ui.recovery.box is not None
    assert open_named(shown.app.workspace, "t-handle") is None
    shown.settle()
    assert shown.app.ui.recovery.box is None
    assert "offered again at the next start" in shown.message
    assert len(left_behind()) == 1


def test_quitting_with_a_change_loses_nothing(desktop):
    shown = desktop(playing=True, settings=Settings.of_user())
    shown.session.change({"body.mass": 2.5})
    shown.app.workspace.unsaved.close()
    (kept,) = left_behind()
    assert Scenario.load(kept.path).body.mass == 2.5


def test_files_are_remembered_the_last_one_first(desktop, tmp_path):
    shown = desktop(settings=Settings.of_user())
    for name in ("one", "two", "one"):
        path = tmp_path / f"{name}.toml"
        Scenario.preset("rod").save(path)
        assert open_named(shown.app.workspace, str(path)) is None
    assert shown.app.workspace.files.recent == [str(tmp_path / "one.toml"), str(tmp_path / "two.toml")]
    (tmp_path / "two.toml").unlink()
    assert shown.app.workspace.files.recent == [str(tmp_path / "one.toml")]


@pytest.mark.usefixtures("left")
@pytest.mark.parametrize("size", [(800, 600), (1280, 720)])
def test_the_card_stands_clear_of_L_and_of_the_axes_and_escape_closes_it(desktop, size):
    shown = offered(desktop)
    shown.session.change({"view.quality": "full"})  # also where the machine is busy: pixels are compared
    shown.resize(*size)
    shown.session.playback.pause()
    shown.settle()
    card, scene = shown.app.ui.recovery.box, shown.app.ui.layout.areas.scene
    frame = shown.app.scene_view.frame
    right, up = Canvas(frame.main.camera, scene.size).project(anchor(frame.main, "L"))
    assert not card.holds(scene.x + scene.width / 2 + right, scene.y + scene.height / 2 - up)
    with_card = shown.screen().copy()
    shown.key("Escape")
    assert shown.app.ui.recovery.box is None
    assert len(left_behind()) == 1
    without = shown.screen()
    axes = np.s_[scene.y + scene.height - 112 : scene.y + scene.height, 8:112]  # the corner of the space axes
    assert np.array_equal(with_card[axes], without[axes])
    assert (without[axes] > 150).any()


@pytest.mark.parametrize("size", [(800, 600), (1280, 720), (640, 480)])
@pytest.mark.parametrize("color", ["age", "speed"])
def test_messages_stand_clear_of_what_is_in_the_corner(desktop, size, color):
    shown = desktop(size=size)
    shown.session.change({"view.trail_color": color})
    shown.settle()
    scene = shown.app.ui.layout.areas.scene
    wide = 112 if color == "age" else min(scene.width, 300)
    corner = np.s_[scene.y + scene.height - 112 : scene.y + scene.height, 8:wide]
    before = shown.screen()[corner].copy()
    shown.app.workspace.messages.error("Saved /home/somebody/Pictures/Ellipsoid near its middle axis 1.png, and more")
    shown.app.workspace.messages.error("a second one")
    shown.app.workspace.messages.toggle_list()
    shown.app.ui.touched()
    shown.settle()
    assert len(shown.app.ui.message_card.boxes) == 2
    assert np.array_equal(shown.screen()[corner], before)


def test_messages_stand_clear_of_the_legend_that_grows_with_a_large_window(desktop):
    shown = desktop(size=(1900, 1060))
    shown.session.change({"view.trail_color": "speed"})
    shown.settle()
    scene, main = shown.app.ui.layout.areas.scene, shown.app.scene_view.frame.main
    canvas = Canvas(main.camera, scene.size)
    places = {label.text: canvas.project(label.anchor) for label in main.scene.labels}
    right, up = places["speed, rad/s"]  # in the middle of the colours
    assert up < -0.4 * scene.height
    shown.app.workspace.messages.error("Saved /home/somebody/Pictures/Ellipsoid near its middle axis 1.png, and more")
    shown.app.ui.touched()
    shown.settle()
    (box,) = shown.app.ui.message_card.boxes
    half = LEGEND_LENGTH / 2 * main.pixel_scale
    assert box.x > scene.x + scene.width / 2 + right + half


@pytest.mark.slow
def test_a_scene_of_a_recording_is_kept_with_it_and_read_again(desktop):
    """It came back without its rows, and ran on past their end."""
    shown = desktop()
    open_named(shown.app.workspace, str(LOGS / "mujoco-euler.csv"))
    shown.until(lambda: shown.session.document.recordings is not None)
    shown.session.change({"stereo.mode": "anaglyph"})
    kept = shown.app.workspace.unsaved.scene
    assert [Path(name).name for name in kept.recording.files] == ["mujoco-euler.csv"]
    assert kept.stereo.mode == "anaglyph"
    Autosave().close(kept)
    shown.session.open(HEAVY)
    shown.app.workspace.unsaved.left = left_behind()
    restore(shown.app.workspace, shown.app.workspace.unsaved.left[0])
    shown.until(lambda: shown.session.document.recordings is not None, "the recording is not read")
    assert shown.scenario.stereo.mode == "anaglyph"
    assert shown.session.unsaved
