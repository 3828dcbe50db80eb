"""Motion blur: the mean light of moments close enough to show no bands, with sharp names."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.films import SCENE, SIZE, short
from helpers.frames import picture_of

from viewer.export import film, offscreen
from viewer.export.film import Film, write_film
from viewer.export.image_renderer import Shot, with_names_of
from viewer.export.offscreen import offscreen_renderer
from viewer.scenario.scenario import Scenario
from viewer.scene.camera.camera import Canvas
from viewer.scene.camera.framing import along_path
from viewer.session.session import Session


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
            drawn = offscreen_renderer().render(Shot(snapshot, along_path(scene, clock), SIZE, 1)) / 255
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
    assert written[meant == 0].max() <= 1  # at the edge of a halo, in one pixel
    assert np.mean(written[meant > 20] > 10) > 0.95


def test_names_stay_where_another_moment_has_them_while_the_camera_zooms() -> None:
    scenes = [SCENE.with_values({"view.zoom": zoom, "view.pan": (0.3 * zoom, 0.1)}) for zoom in (1.5, 2.5)]
    sessions = [Session(scene, playing=False) for scene in scenes]
    frame, other = (picture_of(session, SIZE) for session in sessions)
    named = with_names_of(frame, other)
    assert len(other.main.scene.labels) > 5
    for label, same in zip(named.main.scene.labels, other.main.scene.labels, strict=True):
        placed = Canvas(frame.main.camera, SIZE).project(label.anchor)
        assert placed == pytest.approx(Canvas(other.main.camera, SIZE).project(same.anchor), abs=1e-9)


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
    assert len(offscreen.shot_of(scene, 0.0, exposure=exposure).exposed) == count
    assert len(offscreen.shot_of(scene, 0.0, exposure=exposure, subframes=4).exposed) == 4
