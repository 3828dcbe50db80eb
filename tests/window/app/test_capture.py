"""Pictures and films of what a real window shows."""

import re
import time

import numpy as np
import pytest
from PIL import Image

from viewer.commands.actions import ACTIONS
from viewer.commands.documents import open_named
from viewer.export import writer
from viewer.scenario.scenario import Scenario
from viewer.session import playback
from viewer.ui.overlays.commands import commands
from viewer.ui.view.viewports import picture_size
from viewer.workspace.transitions import SECONDS, smooth


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("POINSOT_HOME", str(tmp_path))


def files(tmp_path, kind):
    folder = tmp_path / kind
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_pictures_are_numbered_and_open_the_scene_that_made_them(desktop, tmp_path):
    shown = desktop(preset="rod")
    shown.session.change({"body.mass": 7.0})
    shown.key("ctrl+p", "ctrl+p")
    names = files(tmp_path, "pictures")
    assert names == [f"{shown.scenario.title.replace(':', '')} {n}.png" for n in (1, 2)]
    path = tmp_path / "pictures" / names[1]
    assert shown.message == f"Saved {path}"
    with Image.open(path) as picture:
        assert picture.size == picture_size(shown.app.ui.layout.scene_rects)
        drawn = np.asarray(picture).astype(int)
    seen = shown.app.scene_view.renderer.read()
    assert np.abs(drawn - seen).mean() < 2.0  # the same picture, drawn finer; measured: .42
    saved = shown.scenario
    open_named(shown.app.workspace, "sphere")
    open_named(shown.app.workspace, str(path))
    assert shown.scenario == saved
    assert shown.app.workspace.files.path is None  # saving does not take the picture's place
    shown.settle()


def test_other_kinds_of_pictures_come_from_the_palette(desktop, tmp_path):
    shown = desktop(preset="rod")
    kinds = [command for command in commands(shown.app.workspace) if re.match(r"Save a \..* picture", command.title)]
    assert [kind.title.split()[2] for kind in kinds] == [".jpg", ".jps", ".mpo", ".gif"]
    for kind in kinds:
        kind.run()
    names = files(tmp_path, "pictures")
    assert sorted(name.rpartition(".")[2] for name in names) == ["gif", "jpg", "jps", "mpo"]
    for name in names:
        assert Scenario.load(tmp_path / "pictures" / name) == shown.scenario
    shown.settle()


def test_a_picture_stands_beside_its_scene(desktop, tmp_path):
    Scenario.preset("sphere").with_value("title", "a/b: c").save(tmp_path / "own.toml")
    shown = desktop()
    open_named(shown.app.workspace, str(tmp_path / "own.toml"))
    shown.key("ctrl+p")
    assert (tmp_path / "a b c 1.png").exists()


def test_a_film_has_a_picture_for_every_sixtieth_of_a_second(desktop, tmp_path):
    av = pytest.importorskip("av", reason="PyAV is not installed (extra film)")
    shown = desktop("paper-fig2", playing=True)  # exact between two steps
    shown.session.change({"playback.speed": 1.0})
    shown.app.workspace.writer.toggle_film()
    assert shown.message == f"Recording a film to {tmp_path / 'videos'}"
    first = shown.session.motion.time
    times = []
    record = shown.app.workspace.writer.record

    def watched():
        times.append(shown.session.snapshot().reading.time)
        record()

    shown.app.workspace.writer.record = watched
    shown.until(lambda: len(times) >= 8)
    shown.app.workspace.writer.toggle_film()
    assert not shown.app.workspace.writer.recording
    steps = np.arange(1, len(times) + 1) / writer.FPS
    np.testing.assert_allclose(np.array(times) - first, steps, atol=shown.scenario.solver.step + 1e-12)
    np.testing.assert_allclose(np.diff(times), 1 / writer.FPS, atol=1e-9)  # however long each took to draw
    (name,) = files(tmp_path, "videos")
    assert shown.message.startswith(f"Saved {tmp_path / 'videos' / name} (0.1 s)")
    with av.open(tmp_path / "videos" / name) as film:
        assert len(list(film.decode(video=0))) == len(times)


@pytest.mark.slow
def test_a_film_of_a_motion_faster_than_the_machine_waits_for_it_and_hears_escape(desktop, tmp_path, monkeypatch):
    """A picture every sixtieth of a second of film, however long the physics takes; the window is drawn meanwhile."""
    pytest.importorskip("av", reason="PyAV is not installed (extra film)")
    monkeypatch.setattr(writer, "PROMPT", 0.0)
    monkeypatch.setattr(playback, "FILMED", 0.0)  # then a frame makes four steps
    shown = desktop("dzhanibekov", playing=True)
    shown.session.change({"solver.integration_period": 1e-4, "playback.auto_speed": False, "playback.speed": 0.12})
    shown.app.workspace.writer.toggle_film()
    times, frames, record = [], shown.app.frames.count, shown.app.workspace.writer.record

    def watched():
        times.append(shown.session.snapshot().reading.time)
        record()

    shown.app.workspace.writer.record = watched
    shown.until(lambda: len(times) >= 3)
    np.testing.assert_allclose(np.diff(times), 0.12 / writer.FPS, atol=1e-12)  # 20 steps
    assert shown.app.frames.count - frames >= 4 * len(times)
    shown.session.change({"playback.speed": 1e10})
    shown.until(lambda: shown.app.workspace.writer.waiting is not None)
    begun = time.monotonic()
    shown.key("Escape")
    assert not shown.app.workspace.writer.recording
    assert time.monotonic() - begun < 10.0
    assert re.search(r"\(0\.1 s\)$", shown.message)
    shown.session.playback.pause()
    shown.settle()


def test_a_picture_that_cannot_be_compiles_no_shaders(desktop, tmp_path, monkeypatch):
    shown = desktop()
    (tmp_path / "pictures").write_text("a file where the folder should be")
    made = []
    monkeypatch.setattr(writer, "ImageRenderer", lambda ctx: made.append(ctx))
    shown.key("ctrl+p")
    assert "cannot be made: File exists" in shown.message
    assert not made


def test_a_film_that_cannot_be_is_told(desktop, tmp_path, monkeypatch):
    shown = desktop()
    (tmp_path / "videos").write_text("a file where the folder should be")
    shown.key("ctrl+r")
    assert "cannot be made: File exists" in shown.message
    assert not shown.app.workspace.writer.recording
    monkeypatch.setitem(__import__("sys").modules, "av", None)
    shown.key("ctrl+r")
    assert "pip install 'poinsot[film]'" in shown.message


def test_a_dot_in_the_corner_tells_of_a_recording(desktop):
    pytest.importorskip("av", reason="PyAV is not installed (extra film)")
    shown = desktop(preset="sphere")
    shown.session.change({"view.theme": "dark"})
    shown.session.change({"stereo.mode": "mono"})

    def reds() -> int:
        red, green, blue = np.moveaxis(shown.screen()[:80, :60].astype(int), 2, 0)
        return np.count_nonzero((red > 200) & (green < 130) & (blue < 130))

    shown.settle()
    assert reds() == 0
    shown.app.workspace.writer.toggle_film()
    shown.until(lambda: shown.app.workspace.writer.seconds > 0)
    assert reds() > 30  # of a disc of 10 px
    shown.app.workspace.state.toggle("hidden")
    shown.until(lambda: reds() == 0)
    shown.app.workspace.writer.release()


def test_closing_the_window_ends_the_film(desktop, tmp_path):
    pytest.importorskip("av", reason="PyAV is not installed (extra film)")
    shown = desktop()
    shown.app.workspace.writer.toggle_film()
    shown.until(lambda: shown.app.workspace.writer.seconds > 0)
    shown.app.workspace.writer.release()
    assert len(files(tmp_path, "videos")) == 1


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize("glide", ["home", "view"])
def test_a_film_glides_by_its_own_time_where_the_window_does(desktop, tmp_path, glide):
    """Each picture takes far longer to draw than it lasts in the film; between two the glide goes on by a sixtieth."""
    pytest.importorskip("av", reason="PyAV is not installed (extra film)")
    late = [0.0]
    shown = desktop("sphere", clock=lambda: time.perf_counter() + late[0], size=(480, 320))
    shown.session.change({"stereo.mode": "anaglyph"})
    shown.session.change({"view.zoom": 3.0 if glide == "home" else 2.0})  # nearer by, the plane's rim comes too near
    shown.settle()
    shown.app.workspace.writer.toggle_film()
    if glide == "home":
        ACTIONS["home"].run(shown.app.workspace)
    else:
        shown.session.change({"view.frame": "floor"})
    seen = []
    record = shown.app.workspace.writer.record

    def watched():
        view = shown.app.scene_view
        seen.append((view.scenario.view.zoom, view.transition.camera, view.transition.eyes, view.eyes))
        record()

    shown.app.workspace.writer.record = watched
    while len(seen) < 30:
        late[0] += 0.3  # s a picture
        shown.app.loop.next_frame = 0.0
        shown.app.loop.idle()
    shares = smooth_shares(len(seen))
    if glide == "home":
        zooms = np.log([zoom for zoom, *_ in seen])
        assert zooms[0] == pytest.approx(np.log(3.0), abs=0.2)
        assert zooms[-1] == pytest.approx(0.0, abs=1e-12)
        np.testing.assert_allclose(zooms, (1.0 - shares) * np.log(3.0), atol=1e-9)
    else:
        found = [1.0 if way is None else way[1] for _, way, *_ in seen]
        np.testing.assert_allclose(found, shares, atol=1e-9)
    assert all(eyes_way is not None for _, _, eyes_way, _ in seen)
    apart = [eyes.separation for *_, eyes in seen]
    assert np.abs(np.diff(apart)).max() < 0.35 * max(np.ptp(apart), 1e-9) + 1e-9
    shown.app.workspace.writer.toggle_film()


def smooth_shares(count):
    return np.array([smooth(n / writer.FPS / SECONDS) for n in range(count)])
