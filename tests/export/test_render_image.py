"""Pictures without a window: size, eyes, files."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.processes import environment
from PIL import Image

import viewer
from viewer import Scenario
from viewer.common.errors import GraphicsError, InputError
from viewer.export import offscreen
from viewer.export.image_renderer import Shot, box_filtered
from viewer.export.offscreen import offscreen_renderer, render_image
from viewer.export.picture_files import save_image
from viewer.session.session import Session

PAPER = Scenario.preset("paper-fig1")
SIZE = (320, 180)

pytestmark = pytest.mark.usefixtures("gl")


def test_a_picture_is_rgb_of_the_size_asked_for() -> None:
    image = viewer.render_image(PAPER, time=1.0, size=SIZE)
    assert (image.shape, image.dtype) == ((180, 320, 3), np.uint8)
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 1000


def test_the_same_scene_gives_the_same_picture_whatever_was_drawn_between() -> None:
    first = render_image(PAPER, time=1.0, size=SIZE)
    render_image(Scenario.preset("sphere"), size=(100, 300), stereo="anaglyph")
    np.testing.assert_array_equal(render_image(PAPER, time=1.0, size=SIZE), first)


def test_it_is_drawn_in_its_own_context_and_leaves_the_callers(tmp_path: Path) -> None:
    """Another context may be current, also at the first picture; what it had goes on to be drawn there."""
    lines = (
        "import moderngl, numpy as np, viewer",
        "from viewer.export.offscreen import render_to_file",
        "own = moderngl.create_context(standalone=True, require=330, backend='egl')",
        "texture = own.texture((4, 4), 4, bytes(range(64)))",
        "scene = viewer.Scenario.preset('sphere')",
        "pictures = [viewer.render_image(scene, size=(64, 64)) for _ in range(2)]",
        "render_to_file(scene, 'a.png', size=(64, 64))",
        "assert texture.read() == bytes(range(64)) and own.error == 'GL_NO_ERROR'",
        "assert own.texture((2, 2), 4).read() == bytes(16)",
        "assert np.array_equal(*pictures) and pictures[0].std() > 5.0",
    )
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True, env=environment(), cwd=tmp_path)


def test_time_moves_the_body() -> None:
    early, late = (render_image(PAPER, time=t, size=SIZE).astype(int) for t in (0.0, 1.0))
    assert np.mean(np.abs(early - late).max(axis=2) > 20) > 0.01


def test_stereo_replaces_the_mode_and_swapping_exchanges_the_halves() -> None:
    pair = render_image(PAPER, size=SIZE, stereo="side-by-side")
    swapped = render_image(PAPER.with_value("stereo.exchange_eyes", True), size=SIZE, stereo="side-by-side")
    left, right = pair[:, :160], pair[:, 160:]
    assert np.abs(left.astype(int) - right).max() > 50
    # the background is dithered by position, and edges round with it: measured 2 of 255 in 3 values, else 1
    np.testing.assert_allclose(swapped.astype(int), np.hstack([right, left]), atol=2)
    np.testing.assert_allclose(render_image(PAPER, size=SIZE, stereo="cross-eyed").astype(int), swapped, atol=2)


def test_supersampling_shows_the_same_scene_smoother() -> None:
    plain, fine = (render_image(PAPER, size=SIZE, samples=n).astype(int) for n in (1, 2))
    difference = np.abs(plain - fine)
    assert 0 < difference.mean() < 3.0
    assert np.percentile(difference, 90) < 12  # of 255: the same picture but for edges


@pytest.mark.parametrize("factor", [1, 2, 3, 4])
def test_the_box_filter_is_the_rounded_mean(factor: int) -> None:
    image = np.random.default_rng(1).integers(0, 256, (5 * factor, 7 * factor, 4), dtype=np.uint8)
    blocks = image.reshape(5, factor, 7, factor, 4).astype(float)
    mean = np.floor(blocks.mean(axis=(1, 3)) + 0.5)
    for channels in (3, 4):
        np.testing.assert_array_equal(box_filtered(image, factor, channels), mean[..., :channels])


@pytest.mark.parametrize("arguments", [{"size": (0, 100)}, {"size": (1, 1)}, {"size": (64, 70000)}, {"time": -1.0}])
@pytest.mark.parametrize("more", [{}, {"samples": 5}, {"stereo": "hologram"}])
def test_values_that_are_not_allowed(arguments: dict[str, Any], more: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        render_image(PAPER, **arguments, **more)


def test_the_smallest_and_an_odd_size() -> None:
    assert render_image(PAPER, size=(64, 64)).shape == (64, 64, 3)
    assert render_image(PAPER, size=(201, 77), stereo="side-by-side").shape == (77, 201, 3)


def test_a_notebook_shows_a_scene_as_a_picture_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = PAPER._repr_png_()
    (tmp_path / "a.png").write_bytes(shown)
    assert Scenario.load(tmp_path / "a.png") == PAPER
    with Image.open(tmp_path / "a.png") as read:
        np.testing.assert_array_equal(np.asarray(read), render_image(PAPER, size=(640, 360)))
    assert PAPER._repr_png_() is shown

    def no_graphics(*_: Any, **__: Any) -> None:
        raise GraphicsError("no OpenGL")

    monkeypatch.setattr(offscreen, "render_image", no_graphics)
    assert Scenario.preset("sphere")._repr_png_() is None  # then its text is shown


@pytest.mark.parametrize("name", ["a.png", "a.PNG", "a.jpg", "a.jpeg"])
def test_files(tmp_path: Path, name: str) -> None:
    image = render_image(PAPER, size=SIZE)
    save_image(image, tmp_path / name)
    with Image.open(tmp_path / name) as read:
        assert read.format == ("PNG" if name.lower() == "a.png" else "JPEG")
        difference = np.abs(np.asarray(read).astype(int) - image)
    assert difference.mean() <= (0 if read.format == "PNG" else 3)
    assert os.listdir(tmp_path) == [name]


def test_a_picture_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    image = np.zeros((64, 64, 3), dtype=np.uint8)
    for name, message in {
        "a.bmp": "not a picture, page",
        "no/a.png": "not found",
        ".png": "not a picture, page",
    }.items():
        with pytest.raises(InputError, match=message):
            save_image(image, tmp_path / name)
    assert os.listdir(tmp_path) == []


def test_a_picture_with_an_open_shutter_is_the_mean_light_of_its_moments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each moment is drawn by itself; sRGB as IEC 61966-2-1 has it. A large picture, in strips, is the same."""
    scene = PAPER.with_value("show.labels", False)
    offscreen.render_to_file(scene, tmp_path / "a.png", 1.0, SIZE, samples=1, exposure=0.4, subframes=4)
    light = np.zeros((*SIZE[::-1], 3))
    for later in (0.05, 0.15, 0.25, 0.35):
        snapshot = Session(scene, playing=False).scene.snapshot_at(1.0 + later)
        drawn = offscreen_renderer().render(Shot(snapshot, scene, SIZE, 1)) / 255
        light += np.where(drawn <= 0.04045, drawn / 12.92, ((drawn + 0.055) / 1.055) ** 2.4) / 4
    mean = 255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    with Image.open(tmp_path / "a.png") as image:
        written = np.asarray(image).astype(float)
    assert np.abs(written - mean).max() < 0.505  # of 255, of which rounding is .5
    assert np.abs(written - 255 * drawn).max() > 50  # not one of them
    assert Scenario.load(tmp_path / "a.png") == scene
    monkeypatch.setattr(offscreen_renderer(), "tile_pixels", 320 * 64)
    shot = offscreen.shot_of(scene, 1.0, SIZE, 1, exposure=0.4, subframes=4)
    np.testing.assert_array_equal(offscreen_renderer().render(shot), written)


@pytest.mark.parametrize("stereo", ["mono", "anaglyph"])
def test_the_names_in_a_blurred_picture_are_those_of_its_middle_and_sharp(stereo: str) -> None:
    """Letters are nowhere but where that moment by itself has them; the axes' names move by 20 px a moment."""
    scene = Scenario.preset("box-80kg").with_values({"stereo.mode": stereo, "show.space_axes": False})
    bare = scene.with_value("show.labels", False)
    blurred, plain = (
        offscreen_renderer().render(offscreen.shot_of(one, 3.0, (640, 360), 1, exposure=0.1, subframes=5)).astype(int)
        for one in (scene, bare)
    )
    middle = Session(scene, playing=False).scene.snapshot_at(3.05)
    sharp, without = (
        offscreen_renderer().render(Shot(middle, one, (640, 360), 1)).astype(int) for one in (scene, bare)
    )
    letters = np.abs(sharp - without).max(axis=2)
    assert np.count_nonzero(letters > 20) > 200
    near = np.max([np.roll(letters, (i, j), (0, 1)) for i in range(-3, 4) for j in range(-3, 4)], axis=0)  # halos end
    assert not np.abs(blurred - plain).max(axis=2)[near == 0].any()
    assert np.mean(np.abs(blurred - plain).max(axis=2)[letters > 20] > 10) > 0.95  # measured: 1


def test_a_blurred_picture_has_no_comb() -> None:
    """Usually there is a moment for every few pixels: with twice as many it looks the same."""
    scene = Scenario.preset("dzhanibekov").with_value("show.labels", False)
    usual, finer = (
        offscreen_renderer().render(offscreen.shot_of(scene, 9.0, SIZE, 1, exposure=0.1, **more)).astype(float)
        for more in ({}, {"subframes": 128})
    )
    assert np.abs(usual - finer).max() < 5.0  # of 255; measured 2; 23 with 16 moments
