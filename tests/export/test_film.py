"""Films: every picture at its exact time and from where the camera is, and what is refused."""

import os
import sys
from collections import deque
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.films import SCENE, av, pictures, short

from viewer import cli
from viewer.common.errors import InputError
from viewer.export import film
from viewer.export.film import Film, closed_loop, film_steps, write_film
from viewer.export.offscreen import offscreen_renderer
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.simulation import Simulation
from viewer.replay.opening import read_own
from viewer.scenario.scenario import Scenario
from viewer.scene.annotations.picture_legend import LegendEntry
from viewer.scene.naming.spot import Sign
from viewer.session.session import Session


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


@pytest.mark.parametrize("shutter_deg", [0.0, 180.0])
def test_every_picture_of_a_film_has_the_legend(gl: Any, tmp_path: Path, shutter_deg: float) -> None:
    path, wanted = tmp_path / "a.gif", short(shutter_deg=shutter_deg, subframes=2, seconds=0.1, size=(320, 192))
    legend = [LegendEntry("Body", Sign("surface", (1.0, 0.0, 0.0)), 20.0, 20.0)]
    deque(film_steps(path, wanted, offscreen_renderer, lambda: None, legend), maxlen=0)
    found = pictures(path)
    assert len(found) == 2
    for picture in found:  # at 0.6 times the size in a large one
        red, green, blue = picture[12, 17].astype(int)
        assert red - max(green, blue) > 100  # measured 121; 10 without it


@pytest.mark.parametrize("suffix", film.FORMATS)
def test_every_kind_of_film_holds_its_pictures(gl: Any, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    wanted = short()
    write_film(path, wanted, offscreen_renderer)
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


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-o a.avi --seconds 1", "output: 'a.avi' is not a film file; allowed are names ending in .mp4, .mkv, .gif"),
        ("-o a.mkv", "seconds: 'a.mkv' is a film; give its length with --seconds"),
        ("-o a.png --seconds 1", "seconds: 'a.png' is a picture; films are .mp4, .mkv, .gif"),
        ("-o a.mkv --seconds 1 --fps 0", "fps: 0 is outside 1 to 240"),
        ("-o a.gif --seconds 1 --fps 60", "fps: 60 is outside 1 to 50"),
        ("-o a.mkv --seconds 0", "seconds: 0 s is outside 0.001 to 86400 s"),
        ("-o a.mkv --seconds 1 --speed 0", "speed: 0 is outside 1e-6 to 1e10"),
        ("-o a.mkv --seconds 1 --speed fast", "--speed: 'fast' is neither auto nor a number"),
        ("-o a.mkv --seconds 1 --size 101x64", "size: 101x64; the sides of a film in .mkv are even numbers"),
        ("-o a.mkv --seconds 1 --transparent", "transparent: a film has no transparency"),
        ("-o no/a.mkv --seconds 1", "output: folder 'no' not found"),
        ("-o a.mp4 --seconds 1 --stereo cross-eyed", "stereo.mode: MP4 has no tag for right left; allowed there"),
        ("-o a.mkv --seconds 1 --samples 9", "samples: 9 is unknown; allowed are 1, 2, 3, 4"),
        ("-o a.mkv --seconds 1 --shutter 361", "shutter: 361 degrees is outside 0 to 360 degrees"),
        ("-o a.mkv --seconds 1 --shutter nan", "--shutter: 'nan' is not a number"),
        ("-o a.mkv --seconds 1 --shutter 90 --subframes 0", "subframes: 0 is outside 1 to 256"),
        ("-o a.mkv --seconds 1 --subframes 8", "subframes: 8 has no effect without --shutter"),
        ("-o a.png --shutter 180", "shutter: 'a.png' is a picture; films are .mp4, .mkv, .gif"),
        (
            "-o a.mkv --seconds 1 --exposure 1",
            "exposure: 'a.mkv' is a film; give the angle",
        ),
        ("-o a.png --subframes 8", "subframes: 8 has no effect on a picture without --exposure"),
        ("-o a.png --exposure -1", "exposure: -1 s is outside 0 to 1e6 s"),
        ("-o a.png --exposure nan", "--exposure: 'nan' is not a number"),
        ("-o a.png --exposure 1e9", "exposure: 1e9 s is outside 0 to 1e6 s"),
        ("-o a.png --time 1 --exposure 1e6", "exposure: 1e6 s is outside 0 to 999999 s"),
        ("-o a.png --exposure 1 --subframes 257", "subframes: 257 is outside 1 to 256"),
        ("-o a.png --exposure 1 --transparent", "transparent: an open shutter sees the background, too"),
        ("-o a.mkv --seconds nan", "--seconds: 'nan' is not a number"),
        ("-o a.mkv --seconds 1 --fps inf", "--fps: 'inf' is not a number"),
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


def test_the_camera_of_a_film_follows_its_path() -> None:
    scene = SCENE.with_values({"view.azimuth_deg": 170.0, "camera_path.kind": "orbit"})
    azimuths = [s.scenario.view.azimuth_deg for s in short(scene).shots()]
    np.testing.assert_allclose(np.array(azimuths) % 360, 170 + 12 * np.arange(10) / 20)


def seam(name: str, frame: str) -> tuple[float, float]:
    """The mean differences of a loop's first picture from the second one, and from the one after the last, of 255."""
    scene = Scenario.preset(name)
    speed = Session(scene, playing=False).scene.speed
    loop = closed_loop(Film(scene, 0.0, Fraction(15), (320, 200), 1, speed=speed), frame)
    shots = replace(loop, seconds=loop.seconds + 1 / 15).shots()
    renderer = offscreen_renderer()
    first, second, *_, after = (
        renderer.render(shot).astype(float) for n, shot in enumerate(shots) if n in (0, 1, loop.count)
    )
    return float(np.abs(second - first).mean()), float(np.abs(after - first).mean())


@pytest.mark.sweep("repeating-dzhanibekov", "body-tennis-racket")
@pytest.mark.parametrize("name", ["dzhanibekov", "tennis-racket", "t-handle", "disc", "book", "toutatis", "sphere"])
@pytest.mark.parametrize("frame", ["repeating", "body"])
def test_a_closed_loop_leads_on_from_its_last_picture_to_its_first(gl, name, frame):
    """Pictures in turn differ by 1 to 8 of 255; those a period apart by 0.03 at most, by the smoothing of names."""
    step, after = seam(name, frame)
    assert after < 0.1
    assert after < 0.1 * step or frame == "body"


@pytest.mark.parametrize(
    ("name", "changes", "why"),
    [
        ("rod", {}, "this motion does not repeat"),
        ("race-of-five", {}, "a recording, a race or several bodies"),
        ("twenty-boxes", {}, "a recording, a race or several bodies"),
        ("sphere", {"start.linear_velocity": (1.0, 0.0, 0.0)}, "this motion does not repeat"),
        ("dzhanibekov", {"camera_path.kind": "orbit"}, "the camera path orbit does not come back"),
        ("dzhanibekov", {"solver.integrator": "explicit-euler"}, "the body stands"),
    ],
)
def test_what_does_not_come_back_is_no_closed_loop(name, changes, why):
    film = short(Scenario.preset(name).with_values(changes))
    with pytest.raises(InputError, match=f"loop: .*{why}"):
        closed_loop(film, "repeating")


def test_the_periods_before_a_loop_of_an_exact_motion_are_not_stepped(monkeypatch):
    """The dialog would stand still meanwhile: nine periods of 8.95 s have 640,000 steps."""
    made, advance = [], Simulation.advance_steps
    monkeypatch.setattr(Simulation, "advance_steps", lambda self, steps: made.append(steps) or advance(self, steps))
    closed_loop(short(Scenario.preset("dzhanibekov")), "repeating")
    assert sum(made) < 1000  # measured: 31


def test_a_loop_is_a_whole_number_of_pictures_with_full_trails():
    film = closed_loop(short(Scenario.preset("dzhanibekov"), fps=Fraction(7)), "repeating")
    period = FreeRotation(film.scenario.rigid_body(), film.scenario.start_state()).period
    assert film.count / film.fps * Fraction(film.speed) == pytest.approx(period, rel=1e-12)
    assert abs(film.speed - 1.0) < 0.5 / film.count
    assert film.start == pytest.approx(film.scenario.view.trail_periods * period)
    with pytest.raises(InputError, match="loop: 'space' is unknown; allowed are repeating, body"):
        closed_loop(film, "space")
