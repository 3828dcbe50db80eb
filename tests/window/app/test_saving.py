"""The dialog that saves pictures and films, driven by mouse and keys, and what it writes."""

import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from viewer.commands.documents import ask_picture, open_named, save_to
from viewer.common import language
from viewer.common.errors import InputError
from viewer.common.resources import file
from viewer.export import film
from viewer.export.picture_files import png_bytes
from viewer.scenario.scenario import Scenario


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("POINSOT_HOME", str(tmp_path))


def type_into(shown, field: str, words: str) -> None:
    shown.click(*shown.middle(field))
    shown.key("ctrl+a")
    shown.type(words)


def choose(shown, field: str, entry: str) -> None:
    shown.click(*shown.middle(field))
    shown.click(*shown.middle(entry))


def decoded(path):
    av = pytest.importorskip("av", reason="PyAV is not installed (extra film)")
    with av.open(path) as film:
        return float(film.streams.video[0].average_rate), [frame.to_ndarray() for frame in film.decode(video=0)]


@pytest.mark.slow
def test_a_film_of_the_dialog_is_that_of_the_command(desktop, tmp_path):
    pytest.importorskip("av", reason="PyAV is not installed (extra film)")
    shown = desktop("rod", size=(800, 600))
    shown.key("ctrl+shift+r")
    choose(shown, "##size", "other")
    type_into(shown, "##save size", "160 x 120")
    assert "##length" not in shown.boxes  # losing energy, the motion does not repeat
    for field, words in (("seconds", "0.5"), ("start", "1.25"), ("speed", "0.5"), ("fps", "12"), ("shutter", "90")):
        type_into(shown, f"##save {field}", words)
    type_into(shown, "##save name", "mine")
    shown.click(*shown.middle("save"))
    shown.until(lambda: shown.app.workspace.writer.job is None)
    path = tmp_path / "videos" / "mine.mp4"
    assert shown.message == f"Saved {path}"
    shown.app.scene_view.scenario.save(tmp_path / "same.toml")
    command = [sys.executable, "-m", "viewer", "render", tmp_path / "same.toml", "-o", tmp_path / "same.mp4", "--size",
               "160x120", "--seconds", "0.5", "--time", "1.25", "--speed", "0.5", "--fps", "12",
               "--shutter", "90"]  # fmt: skip
    subprocess.run([str(word) for word in command], check=True, timeout=60)
    (rate, pictures), (same_rate, same) = decoded(path), decoded(tmp_path / "same.mp4")
    assert rate == same_rate == 12.0
    assert len(pictures) == len(same) == 6
    for drawn, wanted in zip(pictures, same, strict=True):
        np.testing.assert_array_equal(drawn, wanted)
    assert np.abs(pictures[0].astype(int) - pictures[-1].astype(int)).max() > 50  # it moves


def test_a_picture_has_the_size_and_the_background_that_were_chosen(desktop, tmp_path):
    shown = desktop("sphere", size=(800, 600))
    shown.key("ctrl+shift+p")
    choose(shown, "##size", "1920x1080")
    shown.click(*shown.middle("transparent"))
    type_into(shown, "##save name", "ball")
    shown.click(*shown.middle("save"))
    shown.until(lambda: shown.app.workspace.writer.job is None)
    with Image.open(tmp_path / "pictures" / "ball.png") as picture:
        assert (picture.size, picture.mode) == ((1920, 1080), "RGBA")
        assert picture.getpixel((3, 3))[3] == 0
    assert Scenario.load(tmp_path / "pictures" / "ball.png") == shown.scenario
    shown.key("ctrl+shift+p")
    type_into(shown, "##save name", "ball")
    before = (tmp_path / "pictures" / "ball.png").stat().st_mtime_ns
    shown.key("Return")
    assert shown.app.ui.save_dialog.is_open
    assert (tmp_path / "pictures" / "ball.png").stat().st_mtime_ns == before  # only a second press replaces it
    shown.click(*shown.middle("save"))
    shown.until(lambda: shown.app.workspace.writer.job is None)
    assert (tmp_path / "pictures" / "ball.png").stat().st_mtime_ns > before
    shown.settle()


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize(
    ("field", "words", "why"),
    [
        ("fps", "1000", "Frames per second: 1000 is outside 1 to 240"),
        ("seconds", "0", "0 s is outside"),
        ("speed", "fast", "'fast' is not a number"),
        ("shutter", "400", "Shutter: 400 degrees is outside 0 to 360 degrees"),
        ("start", "", "is empty; allowed is a number"),
        ("folder", "/nowhere/at/all", "Folder: /nowhere/at/all not found"),
    ],
)
def test_what_is_refused_stays_in_the_dialog_and_says_why(desktop, tmp_path, field, words, why):
    pytest.importorskip("av", reason="PyAV is not installed (extra film)")
    shown = desktop("paper-fig1", size=(800, 600))
    shown.key("ctrl+shift+r")
    if f"##save {field}" not in shown.boxes:
        choose(shown, "##length", "other")
    type_into(shown, f"##save {field}", words or " ")
    place = shown.boxes["save"]
    shown.click(*shown.middle("save"))
    assert shown.app.ui.save_dialog.is_open
    assert why in shown.app.ui.save_dialog._form.refused
    assert shown.boxes["save"] == place
    assert shown.app.workspace.writer.job is None
    assert not list(tmp_path.glob("videos/*"))
    shown.key("Escape")
    assert not shown.app.ui.save_dialog.is_open


def test_a_file_is_replaced_only_by_the_button_that_says_so(desktop, tmp_path):
    shown = desktop("sphere", size=(800, 600))
    shown.key("ctrl+shift+p")
    type_into(shown, "##save name", "ball")
    (tmp_path / "pictures").mkdir(exist_ok=True)
    (tmp_path / "pictures" / "ball.png").write_text("mine")
    shown.click(*shown.middle("save"))
    assert "already exists" in shown.app.ui.save_dialog._form.refused
    type_into(shown, "##save name", "balls")
    type_into(shown, "##save name", "ball")
    assert not shown.app.ui.save_dialog._form.refused
    shown.click(*shown.middle("save"))  # which asks again
    assert "already exists" in shown.app.ui.save_dialog._form.refused
    assert (tmp_path / "pictures" / "ball.png").read_text() == "mine"
    shown.click(*shown.middle("save"))
    shown.until(lambda: not shown.app.ui.save_dialog.is_open)
    shown.until(lambda: (tmp_path / "pictures" / "ball.png").read_bytes().startswith(b"\x89PNG"))


def test_the_name_offered_is_the_title_that_is_shown(desktop, tmp_path):
    shown = desktop("dzhanibekov", size=(800, 600))
    shown.app.workspace.settings.change("panel.language", "de")
    shown.app.ui.touched()
    shown.until(lambda: language.chosen() == "de")
    shown.key("ctrl+shift+p")
    assert shown.app.ui.save_dialog._form.typed["name"] == "Dschanibekow-Effekt 1"
    shown.key("Escape")
    shown.app.workspace.writer.save_picture()
    assert (tmp_path / "pictures" / "Dschanibekow-Effekt 1.png").exists()
    shown.app.workspace.settings.change("panel.language", "en")
    shown.app.ui.touched()
    shown.until(lambda: language.chosen() == "en")


def test_enter_saves_what_the_dialog_offers(desktop, tmp_path):
    shown = desktop("dzhanibekov", size=(800, 600))
    shown.key("ctrl+k")
    shown.type("picture kind")
    shown.settle()
    shown.key("Return")
    shown.until(lambda: shown.app.ui.save_dialog.is_open)
    shown.settle()
    assert shown.app.ui.save_dialog.is_open  # that key was for the palette
    shown.key("Return")
    shown.until(lambda: list(tmp_path.glob("pictures/*.png")))
    assert not shown.app.ui.save_dialog.is_open


def test_a_page_is_saved_and_opens_as_its_scene_when_it_is_dropped(desktop, tmp_path):
    shown = desktop("race-of-five", size=(800, 600))
    shown.key("ctrl+shift+p")
    dialog = shown.app.ui.save_dialog
    choose(shown, "##kind", ".html")
    shown.settle()
    type_into(shown, "##save name", "race")
    shown.click(*shown.middle("save"))
    shown.until(lambda: not dialog.is_open and shown.app.workspace.writer.job is None)
    (page,) = tmp_path.glob("pictures/*")
    assert shown.message == f"Saved {page}. The page leaves out: motions beside it, of a race or a recording."
    scene = shown.scenario
    assert open_named(shown.app.workspace, "rod") is None
    shown.until(lambda: shown.scenario != scene)
    shown.app.on_file_drop(0, 0, [str(page)])
    shown.until(lambda: shown.scenario == scene)
    assert shown.session.document.path is None  # a scene is not written over a page


def test_typing_goes_to_the_dialog_that_was_opened_anew(desktop):
    shown = desktop("paper-fig1", size=(800, 600))
    shown.key("ctrl+shift+p")
    type_into(shown, "##save folder", "/nowhere")
    shown.click(*shown.middle("save"))
    shown.click(*shown.middle("##save name"))
    shown.key("Escape", "ctrl+shift+r")
    before = shown.scenario
    shown.click(*shown.middle("##save name"))
    shown.key("ctrl+a")
    shown.type("black kites")
    assert shown.app.ui.save_dialog._form.typed["name"] == "black kites"
    assert shown.scenario == before
    shown.key("Escape")
    assert not shown.app.ui.save_dialog.is_open


def test_a_film_is_cancelled_while_the_window_goes_on(desktop, tmp_path):
    pytest.importorskip("av", reason="PyAV is not installed (extra film)")
    shown = desktop("sphere", size=(800, 600), playing=True)
    ask_picture(shown.app.workspace, film=True)
    shown.settle()
    shown.until(lambda: "##save name" in shown.boxes)
    shown.app.ui.save_dialog._length = "other"
    shown.app.ui.save_dialog._form.typed["seconds"] = "3600"
    shown.app.ui.save_dialog._take()
    began, frames = shown.session.motion.time, shown.app.frames.count
    shown.until(lambda: shown.app.workspace.writer.job.done >= 3)
    assert shown.session.motion.time > began
    assert shown.app.frames.count > frames
    assert " of 216000" in shown.app.workspace.writer.job.text
    shown.until(lambda: "cancel saving" in shown.boxes)
    shown.app.workspace.session.playback.pause()
    x, y = (str(round(at)) for at in shown.middle("cancel saving"))
    subprocess.run(["xdotool", "mousemove", x, y, "click", "1"], check=True)
    shown.until(lambda: shown.app.workspace.writer.job is None)
    assert shown.app.workspace.writer.job is None
    assert shown.message.startswith("Not saved: ")
    assert not list(tmp_path.glob("videos/*"))
    shown.settle()


def test_closing_the_window_keeps_what_is_drawn_of_a_film(desktop, tmp_path):
    pytest.importorskip("av", reason="PyAV is not installed (extra film)")
    shown = desktop("sphere", size=(480, 320))
    ask_picture(shown.app.workspace, film=True)
    shown.settle()
    shown.app.ui.save_dialog._form.typed["seconds"] = "60"
    shown.app.ui.save_dialog._length = "other"
    shown.app.ui.save_dialog._take()
    shown.until(lambda: shown.app.workspace.writer.job.done >= 4)
    shown.app.workspace.writer.release()
    (path,) = tmp_path.glob("videos/*.mp4")
    assert 4 <= len(decoded(path)[1]) < 60 * 60


@pytest.mark.slow
def test_what_the_scene_is_read_from_is_not_written_over(desktop, tmp_path):
    picture, log, mesh = tmp_path / "a.png", tmp_path / "b.csv", tmp_path / "c.obj"
    pixels = np.zeros((2, 2, 3), np.uint8)
    picture.write_bytes(png_bytes(pixels, Scenario.preset("rod").to_text()))
    with file("assets", "logs", "mujoco-implicitfast.csv") as example:
        log.write_bytes(example.read_bytes())
    mesh.write_text("v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    before = {path: path.read_bytes() for path in (picture, log, mesh)}
    shown = desktop("sphere", size=(480, 320))
    assert open_named(shown.app.workspace, str(picture)) is None
    with pytest.raises(InputError, match=r"a\.png is an input"):
        shown.app.workspace.writer.begin_picture(picture, (64, 64), False)
    for path in (log, mesh):
        open_named(shown.app.workspace, str(log))
        shown.until(lambda: shown.session.document.recordings is not None)
        if path is mesh:
            shown.session.change({"body.appearance": str(mesh), "body.unit": "cm"})
        (tmp_path / "link.png").unlink(missing_ok=True)
        (tmp_path / "link.png").symlink_to(path)
        with pytest.raises(InputError, match=r"link\.png is an input"):
            shown.app.workspace.writer.begin_picture(tmp_path / "link.png", (64, 64), False)
        assert " is an input " in (save_to(shown.app.workspace, str(path)) or "")
    assert {path: path.read_bytes() for path in before} == before
    shown.app.workspace.writer.begin_picture(picture, (64, 64), False)  # it is of another scene by now
    shown.until(lambda: shown.app.workspace.writer.job is None)
    assert picture.read_bytes() != before[picture]


def test_a_huge_picture_says_what_it_needs_and_is_cancelled(desktop, tmp_path):
    shown = desktop("sphere", size=(800, 600))
    shown.key("ctrl+shift+p")
    dialog = shown.app.ui.save_dialog
    choose(shown, "##size", "other")
    type_into(shown, "##save size", "20000 x 20000")
    assert dialog._needed == (400_000_000, 240_000_000)
    dialog._take()
    shown.until(lambda: shown.app.workspace.writer.job is not None and shown.app.workspace.writer.job.done > 0)
    shown.until(lambda: "cancel saving" in shown.boxes and not shown.app.ui.overlays.popup_open)
    assert shown.app.workspace.writer.job.text.endswith("left") or shown.app.workspace.writer.job.fraction < 0.02
    x, y = (str(round(at)) for at in shown.middle("cancel saving"))
    subprocess.run(["xdotool", "mousemove", x, y, "click", "1"], check=True)
    shown.until(lambda: shown.app.workspace.writer.job is None)
    assert shown.message.startswith("Not saved: ")
    assert not list(tmp_path.glob("pictures/*"))
    shown.settle()


def test_a_film_of_a_recording_shows_all_of_it_from_its_start(desktop, monkeypatch):
    asked = []
    monkeypatch.setattr(film, "film_steps", lambda path, wanted, *_: iter(asked.append(wanted) or ()))
    shown = desktop(size=(1280, 720))
    with file("assets", "logs", "tossed-phone.csv") as path:
        shown.app.on_file_drop(0, 0, [str(path)])
        shown.until(lambda: shown.session.document.recording is not None)
    shown.session.playback.seek(0.2)
    shown.key("ctrl+shift+r")
    shown.settle()
    shown.click(*shown.middle("save"))
    shown.until(lambda: asked)
    (wanted,) = asked
    assert wanted.recording is shown.session.document.recordings
    assert wanted.start == 0.0
    assert wanted.seconds * wanted.speed == pytest.approx(shown.session.playback.loop[1], rel=1e-3)


def test_a_picture_holds_the_moment_at_which_its_dialog_was_opened_and_the_legend(desktop, tmp_path):
    shown = desktop("dzhanibekov", size=(1280, 720), playing=True)
    shown.key("shift+n")
    shown.until(lambda: shown.app.ui.legend.box is not None)
    shown.key("ctrl+shift+p")
    shown.until(lambda: shown.session.playback.held)
    time, frames = shown.session.motion.time, shown.app.frames.count
    type_into(shown, "##save name", "held")
    assert shown.app.frames.count > frames
    assert shown.session.motion.time == time
    shown.click(*shown.middle("save"))
    shown.until(lambda: shown.app.workspace.writer.job is None)
    path = tmp_path / "pictures" / "held.png"
    assert f"picture at t = {time:.9g} s" in path.read_bytes().decode("latin-1")
    shown.until(lambda: shown.session.motion.time > time)  # it goes on by itself

    scene, card = shown.app.ui.layout.areas.scene, shown.app.ui.legend.box
    picture = np.asarray(Image.open(path).convert("RGB")).astype(int)
    assert picture.shape[:2] == (scene.height, scene.width)
    for entry in shown.app.ui.legend.listed:
        if entry.sign.form in ("surface", "glass"):
            x, y = round(entry.x % scene.width) + 9, round(entry.y % scene.height)
            assert card.holds(scene.x + x, scene.y + y)
            wanted = 255.0 * np.array(entry.sign.color)
            assert np.abs(picture[y, x] - wanted).max() <= 0.5


def test_a_picture_of_the_dialog_fits_its_moment_and_one_at_once_is_what_is_seen(desktop, tmp_path):
    shown = desktop("paper-fig1", size=(800, 600))
    pictures, seen = tmp_path / "pictures", shown.scene()

    def saved(*names: str) -> np.ndarray:
        """The picture that is saved by the key, or under this name by the dialog, in the size that is shown."""
        before = set(pictures.glob("*.png"))
        shown.key("ctrl+shift+p" if names else "ctrl+p")
        if names:
            type_into(shown, "##save name", names[0])
            shown.click(*shown.middle("save"))
        shown.until(lambda: shown.app.workspace.writer.job is None and set(pictures.glob("*.png")) > before)
        with Image.open(next(iter(set(pictures.glob("*.png")) - before))) as picture:
            return np.asarray(picture.convert("RGB")).astype(int)

    assert np.abs(saved() - seen).mean() < 1.2  # of 255: measured 0.71, as the window has one sample a pixel
    assert np.abs(saved("fitted") - seen).mean() > 8.0  # measured 11.6
    shown.app.workspace.editor.change({"view.zoom": 1.5})
    shown.settle()
    assert np.abs(saved("zoomed") - shown.scene()).mean() < 1.2  # measured 0.89


def test_one_period_of_a_film_is_that_of_the_motion_without_the_pushes_that_it_leaves_out(desktop):
    shown = desktop("dzhanibekov", size=(800, 600))
    period = shown.session.snapshot().period
    shown.session.pulse(0, 1)
    shown.settle()
    assert shown.session.snapshot().period < 0.7 * period
    shown.key("ctrl+shift+r")
    assert shown.app.ui.save_dialog._lengths()["once"] == f"one period, {period:.4g} s"
