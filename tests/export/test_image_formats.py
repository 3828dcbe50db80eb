"""Every kind of picture file holds what was drawn, and the scene that made it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.frames import DRAWN
from helpers.playing import PAPER
from helpers.processes import environment
from PIL import Image, ImageSequence

from viewer import __version__
from viewer.common.errors import InputError
from viewer.export.offscreen import offscreen_renderer, render_image, render_to_file, shot_of
from viewer.export.picture_files import FORMATS, PngWriter
from viewer.export.video import GifWriter
from viewer.scenario.choices.stereo_modes import STEREO_MODES, WIGGLES
from viewer.scenario.choices.themes import MATERIALS, PAINT
from viewer.scenario.scenario import Scenario

SCENE = (
    PAPER.with_value("title", "Dreh ‘n’ Impuls Ω")
    .with_value("view.theme", "light")
    .with_value("stereo.separation", 4.0)
)
SIZE = (320, 180)
SUPERSAMPLED = ("mono", "anaglyph", "side-by-side-half", "row-interlaced", "column-interlaced", "checkerboard")


def eyes() -> tuple[Any, Any]:
    both = render_image(SCENE, 1.0, (640, 180), "side-by-side")
    return both[:, :320], both[:, 320:]


def error(image: Any, truth: Any) -> float:
    """The mean difference, of 255."""
    assert image.shape == truth.shape
    return float(np.abs(np.asarray(image).astype(int) - truth).mean())


def frames(path: Path) -> list[Any]:
    with Image.open(path) as file:
        return [np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(file)]


@pytest.mark.usefixtures("gl")
@pytest.mark.parametrize("suffix", sorted(FORMATS.keys() - {".html", ".glb"}))  # test_page.py, test_gltf.py
def test_every_kind_of_file_holds_the_picture_and_its_scene(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"picture{suffix.upper()}"
    render_to_file(SCENE, path, 1.0, SIZE)
    left, right = eyes()
    mono = render_image(SCENE, 1.0, SIZE)
    expected, bound = {  # measured: jpg 1.35, jps 1.36, mpo 1.36, gif 2.05
        ".png": ([mono], 0.0),
        ".jpg": ([mono], 1.8),
        ".jpeg": ([mono], 1.8),
        ".jps": ([np.hstack([right, left])], 1.8),
        ".mpo": ([left, right], 1.8),
        ".gif": ([left, right], 2.6),
    }[suffix]
    found = frames(path)
    assert len(found) == len(expected)
    for image, truth in zip(found, expected, strict=True):
        assert error(image, truth) <= bound
    if len(expected) == 2:
        assert error(found[0], left) < error(found[0], right)
    assert Scenario.load(path) == SCENE
    assert os.listdir(tmp_path) == [path.name]


def test_a_multi_picture_file_says_that_it_is_a_stereo_pair(gl: Any, tmp_path: Path) -> None:
    render_to_file(SCENE, tmp_path / "a.mpo", 1.0, SIZE)
    with Image.open(tmp_path / "a.mpo") as file:
        entries = file.mpinfo[0xB002]
    assert [entry["Attribute"]["MPType"] for entry in entries] == ["Multi-Frame Image: (Disparity)"] * 2
    assert [entry["Attribute"]["RepresentativeImageFlag"] for entry in entries] == [True, False]


def test_a_wiggle_shows_each_eye_as_long_and_goes_on_for_ever(gl: Any, tmp_path: Path) -> None:
    render_to_file(SCENE, tmp_path / "a.gif", 1.0, SIZE)
    with Image.open(tmp_path / "a.gif") as file:
        assert file.info["loop"] == 0
        assert [frame.info["duration"] for frame in ImageSequence.Iterator(file)] == [
            1000 / WIGGLES
        ] * 2  # as the table of modes says


def test_a_png_names_its_program_and_holds_the_scene_as_text(gl: Any, tmp_path: Path) -> None:
    render_to_file(SCENE, tmp_path / "a.png", 1.0, SIZE)
    with Image.open(tmp_path / "a.png") as file:
        assert file.info["Software"] == f"Poinsot {__version__}"
        assert file.info["Poinsot scene"].startswith(f"# Poinsot {__version__}, picture at t = 1 s, checksum ")


def test_a_transparent_picture_over_black_and_white(gl: Any, tmp_path: Path) -> None:
    render_to_file(SCENE, tmp_path / "a.png", 1.0, SIZE, transparent=True)
    with Image.open(tmp_path / "a.png") as file:
        assert file.mode == "RGBA"
        image = np.asarray(file).astype(float)
    alpha = image[..., 3] / 255
    assert alpha[:20, :20].max() == alpha[-20:, -20:].max() == 0.0  # the corners are empty
    assert alpha.max() == 1.0
    assert 0.02 < np.mean(alpha == 1.0) < 0.3  # the body is not transparent
    opaque = alpha == 1.0
    assert (
        np.abs(image[opaque][:, :3] - render_image(SCENE, 1.0, SIZE)[opaque]).mean() < 0.01
    )  # of 255; measured: .0004


@pytest.mark.parametrize("mode", ["anaglyph"])
def test_transparency_is_refused_where_it_makes_no_sense(gl: Any, tmp_path: Path, mode: str) -> None:
    with pytest.raises(InputError, match=f"transparent: {mode} mixes"):
        render_to_file(SCENE.with_value("stereo.mode", mode), tmp_path / "a.png", transparent=True)
    with pytest.raises(InputError, match=r"transparent: \.jpg has no transparency; allowed is \.png"):
        render_to_file(SCENE, tmp_path / "a.jpg", transparent=True)
    assert os.listdir(tmp_path) == []


@pytest.mark.sweep(most=4)
@pytest.mark.parametrize(
    ("mode", "samples"), [(mode, 1) for mode in STEREO_MODES] + [(mode, 2) for mode in SUPERSAMPLED]
)
def test_tiles_leave_no_seams(gl: Any, monkeypatch: pytest.MonkeyPatch, mode: str, samples: int) -> None:
    tiled_is_whole(monkeypatch, SCENE.with_value("stereo.mode", mode), samples)


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("preset", DRAWN)
def test_tiles_of_every_kind_of_scene(gl: Any, monkeypatch: pytest.MonkeyPatch, preset: str) -> None:
    tiled_is_whole(monkeypatch, Scenario.preset(preset).with_value("view.theme", "light"), 1)


@pytest.mark.parametrize("material", [name for name in MATERIALS if name != PAINT])
def test_tiles_of_every_material(gl: Any, monkeypatch: pytest.MonkeyPatch, material: str) -> None:
    tiled_is_whole(monkeypatch, Scenario.preset("box-80kg").with_value("view.material", material), 1)


def tiled_is_whole(monkeypatch: pytest.MonkeyPatch, scenario: Scenario, samples: int) -> None:
    """A picture drawn at once, and in three ways in tiles: measured, 2 of 8.7e6 pixels differ, by 1/255."""
    renderer = offscreen_renderer()
    interlaced = STEREO_MODES[scenario.stereo.mode].layout == "interlaced"
    size = (404, 300) if interlaced else (403, 301)
    shot = shot_of(scenario.with_value("show.inset", True), 5.0, size, samples)
    whole = renderer.render(shot)
    assert len(np.unique(whole.reshape(-1, 3), axis=0)) > 1000
    for largest, pixels in ((202 * samples, 2**23), (64 * samples, 2**23), (4096, 403 * samples**2 * 34)):
        monkeypatch.setattr(renderer, "largest", largest)
        monkeypatch.setattr(renderer, "tile_pixels", pixels)
        off = np.abs(renderer.render(shot).astype(int) - whole).max(axis=2)
        assert off.max() <= 1
        assert np.count_nonzero(off) <= 2


def test_tiles_of_what_is_larger_than_any_viewport(gl: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    renderer, shot = offscreen_renderer(), shot_of(SCENE, 1.0, (40_000, 64), 1)
    pictures = []
    for largest in (renderer.largest, 3000):
        monkeypatch.setattr(renderer, "largest", largest)
        pictures.append(renderer.render(shot))
    np.testing.assert_array_equal(*pictures)


@pytest.mark.slow
def test_a_picture_larger_than_memory_is_written_in_strips(gl: Any, tmp_path: Path) -> None:
    """In a process of its own: 4000 x 3000 pixels have 36 MB, with the supersampled ones 144 MB."""
    code = (
        "import resource, sys; from viewer.export.offscreen import render_to_file; from viewer import Scenario;"
        "scene = Scenario.preset('paper-fig1');"
        "render_to_file(scene, 'small.png', size=(2048, 1024), samples=2);"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
        "render_to_file(scene, 'large.png', size=(4000, 3000), samples=2);"
        "print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True
    )
    assert float(done.stdout) < 40  # MB; measured: 13, with the whole picture in memory 64
    with Image.open(tmp_path / "large.png") as file:
        assert file.size == (4000, 3000)


@pytest.mark.parametrize("channels", [3, 4])
def test_png_strips(tmp_path: Path, channels: int) -> None:
    image = np.random.default_rng(1).integers(0, 256, (37, 21, channels), dtype=np.uint8)
    image[10:20] = 7
    with (tmp_path / "a.png").open("wb") as file:
        writer = PngWriter(file, (21, 37), channels, "", "test")
        for start, end in ((0, 1), (1, 9), (9, 37)):
            writer.write(image[start:end])
        writer.finish()
    with Image.open(tmp_path / "a.png") as read:
        np.testing.assert_array_equal(np.asarray(read), image)


def test_gif_times_add_up(tmp_path: Path) -> None:
    images = [np.full((8, 8, 3), 10 * i, dtype=np.uint8) for i in range(24)]
    with (tmp_path / "a.gif").open("wb") as file:
        writer = GifWriter(file, (8, 8), 1 / 24, "", images[:1])
        for image in images:
            writer.add(image)
        writer.finish()
    with Image.open(tmp_path / "a.gif") as read:
        shown = [frame.info["duration"] for frame in ImageSequence.Iterator(read)]
    assert sum(shown) == 1000
    assert set(shown) == {40, 50}
