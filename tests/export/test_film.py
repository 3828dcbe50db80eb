"""Films: every picture at its exact time, tags that other programs read, and no broken file whatever happens."""

import io
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.playing import PAPER
from helpers.processes import environment, heed_interrupts, on_small_disk, output, written
from PIL import Image, ImageSequence

from viewer import cli
from viewer.common.errors import InputError
from viewer.export.film import film, mp4, video
from viewer.export.film.encoder import Encoder
from viewer.export.film.film import Film, write_film
from viewer.export.image_renderer import Shot
from viewer.export.images import api
from viewer.export.offscreen import offscreen_renderer
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import Stereo
from viewer.scene.camera import path as camera_path
from viewer.session.opening import read_own
from viewer.session.session import Session

av = pytest.importorskip("av", reason="PyAV is not installed (extra film)")

SCENE = PAPER.with_value("title", "Ein Film – Ω")
SIZE = (160, 96)


def short(scene: Scenario = SCENE, **more: Any) -> Film:
    return Film(scene, **{"seconds": 0.5, "fps": Fraction(20), "size": SIZE, "samples": 1} | more)


def pictures(path: Path) -> list[Any]:
    if path.suffix == ".gif":
        with Image.open(path) as file:
            return [np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(file)]
    with av.open(path) as container:
        return [
            frame.reformat(format="rgb24", src_colorspace="ITU709").to_ndarray() for frame in container.decode(video=0)
        ]


@pytest.mark.parametrize("fps", [24, 60, Fraction(30000, 1001)])
def test_a_picture_shows_the_state_at_its_time_to_round_off(fps: Fraction) -> None:
    """The steps of 1/8000 s divide none of these rates; measured: 1.4e-14 and 1.3e-13 rad/s."""
    scene = SCENE.with_value("solver.integration_period", 1 / 500).with_value("solver.extra_substeps", 15)
    exact = FreeRotation(scene.rigid_body(), scene.start_state())
    for n, shot in enumerate(short(scene, fps=Fraction(fps), seconds=2.0).shots()):
        truth = exact.at(float(n / Fraction(fps)))
        assert shot.snapshot.reading.time == pytest.approx(float(n / Fraction(fps)), abs=1e-12)
        np.testing.assert_allclose(shot.snapshot.reading.orientation_wxyz, truth.orientation_wxyz, atol=2e-13)
        np.testing.assert_allclose(shot.snapshot.reading.omega_body, truth.omega_body, atol=2e-12)


def test_start_and_speed_of_a_film() -> None:
    times = [shot.snapshot.reading.time for shot in short(start=3.0, speed=0.5).shots()]
    np.testing.assert_allclose(times, 3.0 + np.arange(10) / 40, atol=1e-12)


def test_a_film_of_a_recording_shows_it_beside_the_exact_motion() -> None:
    scene, found = read_own("tossed-phone.csv", 1)
    own = Scenario().with_values(scene)
    for n, shot in enumerate(short(own, recording=found, seconds=0.5).shots()):
        (now,) = shot.snapshot.lanes
        row = int(np.argmin(np.abs(found.trajectories[0].states.time - n / 20)))
        np.testing.assert_allclose(now.orientation_wxyz, found.trajectories[0].states.orientation_wxyz[row], atol=1e-9)
        assert shot.snapshot.measured is not None


def test_several_pictures_in_one_step_show_the_nearest_step() -> None:
    """With friction, where nothing is known between two steps."""
    scene = Scenario.preset("rod").with_value("solver.integration_period", 0.05)  # five steps
    times = [shot.snapshot.reading.time for shot in short(scene, start=0.001, speed=0.05).shots()]  # every .0025 s
    np.testing.assert_allclose(times, 0.01 * np.array([0, 0, 1, 1, 1, 1, 2, 2, 2, 2]), atol=1e-12)


@pytest.mark.parametrize("suffix", film.FORMATS)
def test_every_kind_of_film_holds_its_pictures(gl: Any, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    wanted = short()
    assert write_film(path, wanted, offscreen_renderer) == 10
    drawn = [offscreen_renderer().render(shot) for shot in wanted.shots()]
    found = pictures(path)
    assert len(found) == 10
    errors = np.array([[np.abs(a.astype(int) - b).mean() for b in drawn] for a in found])
    assert np.diag(errors).max() < 5.0  # of 255, between moments 10; measured: mkv, mp4 3.9, gif 2.8
    assert np.array_equal(errors.argmin(axis=1), np.arange(10))  # each is that of its own moment
    assert os.listdir(tmp_path) == [path.name]
    if suffix == ".gif":
        assert Scenario.load(path) == SCENE
        return
    with av.open(path) as container:
        stream = container.streams.video[0]
        assert float(stream.average_rate) == 20.0
        assert [float(f.time) for f in container.decode(video=0)] == pytest.approx(np.arange(10) / 20, abs=6e-4)
        assert container.metadata["title"] == SCENE.title
        tags = {key.lower(): value for key, value in container.metadata.items()}
        assert Scenario.from_text(tags["comment"]) == SCENE


def test_an_open_shutter_sees_the_mean_light_of_its_moments(
    gl: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each moment is drawn from a session of its own; sRGB as IEC 61966-2-1 has it."""
    taken: list[Any] = []
    monkeypatch.setattr(film.Recorder, "add", lambda recorder, image: taken.append(image))
    scene = SCENE.with_value("camera_path.kind", "orbit").with_value("show.labels", False)
    blurred = short(scene, seconds=0.1, speed=2.0, start=1.0, shutter_deg=90.0, subframes=4)
    write_film(tmp_path / "a.gif", blurred, offscreen_renderer)
    assert len(taken) == 2
    for n, image in enumerate(taken):
        light = 0.0
        for k in range(4):
            clock = n / 20 + (k + 0.5) / 4 * (90 / 360) / 20
            snapshot = Session(scene, playing=False).scene.snapshot_at(1.0 + 2.0 * clock)
            drawn = offscreen_renderer().render(Shot(snapshot, camera_path.at(scene, clock), SIZE, 1)) / 255
            light = light + np.where(drawn <= 0.04045, drawn / 12.92, ((drawn + 0.055) / 1.055) ** 2.4) / 4
        mean = 255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
        assert np.abs(image - mean).max() < 0.505  # of 255, of which rounding is .5; measured: .5012
        assert np.abs(image - 255 * drawn).max() > 50  # not one of them


def test_names_in_a_blurred_film_are_sharp_while_the_camera_moves(
    gl: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Letters are nowhere but where the middle moment by itself has them."""
    taken: list[Any] = []
    monkeypatch.setattr(film.Recorder, "add", lambda recorder, image: taken.append(image))
    sharp = []
    scene = SCENE.with_values({"camera_path.kind": "orbit", "camera_path.turn_rate": 60.0, "show.space_axes": False})
    for labels in (True, False):
        blurred = short(
            scene.with_value("show.labels", labels), seconds=0.1, fps=Fraction(10), shutter_deg=360.0, subframes=5,
            size=(640, 384),
        )  # fmt: skip
        write_film(tmp_path / "a.gif", blurred, offscreen_renderer)
        sharp.append(offscreen_renderer().render(list(next(blurred.pictures()))[2]))
    written, meant = (np.abs(a.astype(int) - b).max(axis=2) for a, b in (taken, sharp))
    assert np.count_nonzero(meant > 20) > 300
    assert not written[meant == 0].any()
    assert np.mean(written[meant > 20] > 10) > 0.95


@pytest.mark.parametrize(("speed", "count"), [(6.0, 16), (60.0, 48), (600.0, 256)])
def test_a_fast_turn_is_seen_at_as_many_moments_as_show_no_bands(speed: float, count: int) -> None:
    """At 60 rad/s and 60 pictures a second it turns by .5 rad: the rim, at .4 of 720 px, moves 3 px in 1/48 of it."""
    scene = Scenario.preset("dzhanibekov").with_value("start.angular_velocity", (0.0, speed, 0.0))
    wanted = Film(scene, 0.05, Fraction(60), (1280, 720), shutter_deg=180.0)
    assert [len(list(shots)) for shots in wanted.pictures()] == [count] * 3
    asked = Film(scene, 0.05, Fraction(60), (1280, 720), shutter_deg=180.0, subframes=4)
    assert [len(list(shots)) for shots in asked.pictures()] == [4] * 3


@pytest.mark.parametrize(("exposure", "count"), [(0.05, 64), (1.0, 96), (3.0, 256)])
def test_a_blurred_picture_has_as_many_moments_as_show_no_bands(exposure: float, count: int) -> None:
    """At 1 rad/s it turns by 1 rad in 1 s: the rim, at .4 of 720 px, moves 3 px in 1/96 of it."""
    scene = Scenario.preset("dzhanibekov").with_value("start.angular_velocity", (0.0, 1.0, 0.0))
    assert len(api.shot_of(scene, 0.0, exposure=exposure).exposed) == count
    assert len(api.shot_of(scene, 0.0, exposure=exposure, subframes=4).exposed) == 4


TAGS = {  # mode: Matroska's name (left eye first, right eye first), and whether MP4 has one
    "mono": (None, None, True),
    "anaglyph": ("anaglyph_cyan_red", "anaglyph_cyan_red", True),
    "side-by-side": ("left_right", "right_left", True),
    "side-by-side-half": ("left_right", "right_left", True),
    "cross-eyed": ("right_left", "left_right", False),
    "top-bottom": ("top_bottom", "bottom_top", True),
    "top-bottom-half": ("top_bottom", "bottom_top", True),
    "row-interlaced": ("row_interleaved_lr", "row_interleaved_rl", False),
    "column-interlaced": ("col_interleaved_lr", "col_interleaved_rl", False),
    "checkerboard": ("checkerboard_lr", "checkerboard_rl", False),
    "quad-buffer": (None, None, True),
    "left": (None, None, True),
    "right": (None, None, True),
    "wiggle": (None, None, True),
}


@pytest.mark.parametrize("mode", STEREO_MODES)
def test_every_stereo_mode_has_its_tag_or_is_refused(mode: str) -> None:
    left, right, in_mp4 = TAGS[mode]
    assert video.stereo_tag(Stereo(mode=mode)) == left
    assert video.stereo_tag(Stereo(mode=mode, exchange_eyes=True)) == right
    video.check(".mkv", Stereo(mode=mode), SIZE)
    if in_mp4:
        video.check(".mp4", Stereo(mode=mode), SIZE)
    else:
        with pytest.raises(InputError, match=r"stereo\.mode: MP4 has no tag for .*, or write \.mkv"):
            video.check(".mp4", Stereo(mode=mode), SIZE)


@pytest.mark.skipif(shutil.which("mkvinfo") is None, reason="mkvinfo (Debian: mkvtoolnix) is not installed")
@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ("side-by-side", "side by side (left first)"),
        ("cross-eyed", "side by side (right first)"),
        ("top-bottom", "top bottom (left first)"),
        ("row-interlaced", "row interleaved (left first)"),
        ("checkerboard", "checkerboard (left first)"),
        ("anaglyph", "anaglyph (cyan/red)"),
        ("mono", None),
    ],
)
def test_another_program_reads_matroskas_tag(gl: Any, tmp_path: Path, mode: str, told: str | None) -> None:
    write_film(tmp_path / "a.mkv", short(SCENE.with_value("stereo.mode", mode)), offscreen_renderer)
    said = subprocess.run(["mkvinfo", tmp_path / "a.mkv"], capture_output=True, text=True, check=True).stdout
    found = [line.split(":")[1] for line in said.splitlines() if "Stereo mode" in line]
    assert [told] == [line.split(" ", 2)[2].removeprefix("(")[:-1] for line in found] if told else found == []


@pytest.mark.skipif(shutil.which("ffprobe") is None, reason="ffprobe (Debian: ffmpeg) is not installed")
@pytest.mark.parametrize(
    ("mode", "told"), [("side-by-side", "side by side"), ("top-bottom", "top and bottom"), ("mono", None)]
)
def test_another_program_reads_the_box_of_mp4(gl: Any, tmp_path: Path, mode: str, told: str | None) -> None:
    path = tmp_path / "a.mp4"
    write_film(path, short(SCENE.with_value("stereo.mode", mode)), offscreen_renderer)
    said = subprocess.run(
        ["ffprobe", "-v", "error", "-show_streams", "-of", "json", path], capture_output=True, check=True
    )
    assert said.stderr == b""
    data = json.loads(said.stdout)["streams"][0].get("side_data_list", [])
    assert [entry["type"] for entry in data if entry["side_data_type"] == "Stereo 3D"] == ([told] if told else [])
    _, box, rest = path.read_bytes().partition(b"st3d")  # then version and flags, and the layout
    assert (rest[4] if box else None) == {"side-by-side": 2, "top-bottom": 1, "mono": None}[mode]
    assert len(pictures(path)) == 10


def test_a_file_that_is_no_mp4_stays_as_it_is(tmp_path: Path) -> None:
    for data in (b"", b"moov", b"\0\0\0\x08moov", b"\0\0\0\x10moov\0\0\0\x08trak", b"\0\0\0\0ftyp" * 3):
        file = io.BytesIO(data)
        assert not mp4.mark(file, 1)
        assert file.getvalue() == data


@pytest.mark.parametrize(
    ("mode", "bound"),  # measured below 2.4 and 3.01 of 255; with shared colours 3.26 and 5.25
    [("row-interlaced", 2.4), ("anaglyph", 3.3)],
)
def test_eyes_that_share_a_picture_keep_their_colours(gl: Any, tmp_path: Path, mode: str, bound: float) -> None:
    """With colours shared by 2 x 2 pixels each eye would get those of the other."""
    scene = SCENE.with_value("stereo.mode", mode).with_value("stereo.separation", 20.0)
    write_film(tmp_path / "a.mkv", short(scene), offscreen_renderer)
    drawn = offscreen_renderer().render(next(short(scene).shots()))
    assert np.abs(pictures(tmp_path / "a.mkv")[0].astype(int) - drawn).mean() < bound


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-o a.avi --seconds 1", "output: 'a.avi' is not a film file; allowed are names ending in .mp4, .mkv, .gif"),
        ("-o a.mkv", "seconds: 'a.mkv' is a film; give its length with --seconds"),
        ("-o a.png --seconds 1", "seconds: 'a.png' is a picture; films are .mp4, .mkv, .gif"),
        ("-o a.mkv --seconds 1 --fps 0", "fps: 0 is outside 1 to 240 pictures a second in .mkv"),
        ("-o a.gif --seconds 1 --fps 60", "fps: 60 is outside 1 to 50 pictures a second in .gif"),
        ("-o a.mkv --seconds 0", "seconds: 0 s is outside 0.01667 to 86400 s"),
        ("-o a.mkv --seconds 1 --speed 0", "speed: 0 is outside 1e-6 to 1e10 simulated seconds a second"),
        ("-o a.mkv --seconds 1 --speed fast", "--speed: 'fast' is neither auto nor a number"),
        ("-o a.mkv --seconds 1 --size 101x64", "size: 101x64; the sides of a film in .mkv are even numbers"),
        ("-o a.mkv --seconds 1 --transparent", "transparent: a film has no transparency"),
        ("-o no/a.mkv --seconds 1", "output: folder 'no' not found"),
        ("-o a.mp4 --seconds 1 --stereo cross-eyed", "stereo.mode: MP4 has no tag for right left; allowed there"),
        ("-o a.mkv --seconds 1 --samples 9", "samples: 9 is unknown; allowed are 1, 2, 3, 4"),
        ("-o a.mkv --seconds 1 --shutter 361", "shutter: 361 is outside 0 to 360 degrees"),
        ("-o a.mkv --seconds 1 --shutter nan", "shutter: nan is outside 0 to 360 degrees"),
        ("-o a.mkv --seconds 1 --shutter 90 --subframes 0", "subframes: 0 is outside 1 to 256"),
        ("-o a.mkv --seconds 1 --subframes 8", "subframes: 8 has no effect without --shutter"),
        ("-o a.png --shutter 180", "shutter: 'a.png' is a picture; films are .mp4, .mkv, .gif"),
        (
            "-o a.mkv --seconds 1 --exposure 1",
            "exposure: 'a.mkv' is a film; give the angle",
        ),
        ("-o a.png --subframes 8", "subframes: 8 has no effect on a picture without --exposure"),
        ("-o a.png --exposure -1", "exposure: -1 s is outside 0 to 1e6 s"),
        ("-o a.png --exposure nan", "exposure: nan s is outside 0 to 1e6 s"),
        ("-o a.png --exposure 1e9", "exposure: 1e9 s is outside 0 to 1e6 s"),
        ("-o a.png --time 1 --exposure 1e6", "exposure: 1e6 s is outside 0 to 999999 s"),
        ("-o a.png --exposure 1 --subframes 257", "subframes: 257 is outside 1 to 256"),
        ("-o a.png --exposure 1 --transparent", "transparent: an open shutter sees the background, too"),
        ("-o a.mkv --seconds nan", "seconds: nan s is outside"),
        ("-o a.mkv --seconds 1 --fps inf", "fps: "),
    ],
)
def test_what_no_film_can_be_is_one_line(
    words: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["render", "rod", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert err.startswith(f"poinsot: {message}")
    assert (err.count("\n"), out) == (1, "")
    assert os.listdir() == []


def test_without_pyav_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(InputError, match=r"\.mp4 needs PyAV; pip install 'poinsot\[film\]' brings it"):
        film.check(tmp_path / "a.mp4", short())
    film.check(tmp_path / "a.gif", short())


def render(folder: Path, *words: str, **more: Any) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "viewer", "render", "rod", "--size", "320x192", "--samples", "1", *words]
    return subprocess.Popen(command, cwd=folder, env=environment(), stderr=subprocess.PIPE, text=True, **more)


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
@pytest.mark.parametrize("suffix", film.FORMATS)
def test_an_interrupted_film_is_playable_and_says_so(tmp_path: Path, suffix: str) -> None:
    process = render(tmp_path, "--seconds", "3000", "-o", f"a{suffix}", preexec_fn=heed_interrupts)
    written(process.pid, tmp_path, film.ROOM + film.ROOM_PICTURES * 3 * 320 * 192 + 20_000)
    for _ in range(50):  # impatient: Ctrl-C again and again within .1 s, and while the film is ended
        process.send_signal(signal.SIGINT)
        time.sleep(0.01)
    _, said = output(process)
    assert process.returncode == 130
    assert os.listdir(tmp_path) == [f"a{suffix}"]
    found = len(pictures(tmp_path / f"a{suffix}"))
    last = said.splitlines()[-1]  # a slow machine tells of its progress before
    assert last.startswith(f"poinsot: interrupted; a{suffix} holds the first {found} of ")
    assert found >= 1


@pytest.mark.skipif(sys.platform == "win32", reason="limits as POSIX has them")
@pytest.mark.parametrize("suffix", film.FORMATS)
def test_a_full_disk_is_one_line_and_no_file(tmp_path: Path, suffix: str) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))

    process = render(tmp_path, "--seconds", "20", "-o", f"a{suffix}", preexec_fn=limit)
    _, said = output(process)
    assert process.returncode == 2
    assert said.splitlines()[-1] == f"poinsot: a{suffix}: cannot be written: File too large"
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(sys.platform != "linux", reason="a small disk as Linux has it")
@pytest.mark.parametrize("suffix", film.FORMATS)
def test_the_pictures_that_a_full_disk_takes_are_kept(tmp_path: Path, suffix: str) -> None:
    """A disk of 3 MB in memory, of which 2 are kept free."""
    words = f"render dzhanibekov --size 320x240 --samples 1 --speed 10 --seconds 60 -o a{suffix}"
    done = on_small_disk(tmp_path, 3, words, f"a{suffix}")
    found = len(pictures(tmp_path / f"a{suffix}"))
    told = done.stderr.splitlines()[-1]
    assert f"cannot be written: No space left on device; a{suffix} holds the first {found} of" in told
    assert found >= 5


def test_the_encoder_raises_what_its_thread_meets() -> None:
    class Broken:
        def add(self, image: Any) -> None:
            raise OSError(28, "No space left on device")

        def finish(self) -> None:
            raise AssertionError

    encoder = Encoder(Broken())

    def feed() -> None:
        for _ in range(10):
            encoder.add(np.zeros((2, 2, 3), dtype=np.uint8))

    with pytest.raises(OSError, match="No space left"):
        feed()
    encoder.stop()


# -- camera paths -----------------------------------------------------------------------------------------------------


def scene(text: str) -> Scenario:
    return Scenario.from_text(f"[view]\npolar_angle_deg = 50\nazimuth_deg = 170\n[camera_path]\n{text}")


def test_an_orbit_turns_evenly() -> None:
    orbit = scene("kind = 'orbit'\nturn_rate = 20")
    assert [camera_path.at(orbit, s).view.azimuth_deg for s in (0, 0.25, 1, 18)] == [170, 175, -170, 170]
    assert camera_path.at(orbit, 1).view.polar_angle_deg == 50
    assert camera_path.at(scene("kind = 'still'"), 7.0) == scene("kind = 'still'")
    assert camera_path.at(scene("kind = 'ride'"), 7.0).view.frame == "body"


def test_key_frames_are_met_and_never_overshot() -> None:
    keys = scene("kind='keys'\nkeys = [[1, 40, 0, 1], [2, 60, 90, 4], [4, 60, 350, 4], [5, 30, 370, 2]]")
    for seconds, *expected in keys.camera_path.keys:
        view = camera_path.at(keys, seconds).view
        turned = (view.azimuth_deg - expected[1]) % 360
        assert (view.polar_angle_deg, view.zoom) == pytest.approx((expected[0], expected[2]))
        assert min(turned, 360 - turned) < 1e-9
    views = [camera_path.at(keys, s).view for s in np.linspace(0, 6, 601)]
    polar_angles, zooms = np.array([v.polar_angle_deg for v in views]), np.array([v.zoom for v in views])
    assert (polar_angles.min(), polar_angles.max(), zooms.min(), zooms.max()) == pytest.approx((30, 60, 1, 4))
    assert np.abs(np.diff(polar_angles, 2)).max() < 0.025  # smooth; measured: .018 degrees
    assert views[0] == views[100]
    assert views[-1] == views[500]


def test_the_camera_of_a_film_follows_its_path() -> None:
    azimuths = [s.scenario.view.azimuth_deg for s in short(scene("kind = 'orbit'")).shots()]
    np.testing.assert_allclose(np.array(azimuths) % 360, 170 + 12 * np.arange(10) / 20)
