"""In a minute, with the physics: a real window that shows a picture, takes the mouse and quits; a film."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
from helpers.processes import environment
from PIL import Image, ImageSequence


def test_a_window_shows_the_scene_moves_a_slider_and_quits(desktop):
    shown = desktop()
    first = shown.screen()
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 500
    depth = shown.scenario.body.depth
    shown.drag(shown.middle("##body.depth[0]"), (40, 0))
    assert shown.scenario.body.depth > depth
    assert np.mean(shown.screen() != first) > 0.02
    shown.key("ctrl+q")
    assert shown.app.loop.ending


def test_a_film_shows_the_body_turn(tmp_path: Path) -> None:
    film = "render paper-fig1 --seconds 0.2 --fps 20 --size 160x96 -o film.gif"
    subprocess.run(
        [sys.executable, "-W", "error", "-m", "viewer", *film.split()],
        cwd=tmp_path, env=environment(), check=True, timeout=120,
    )  # fmt: skip
    with Image.open(tmp_path / "film.gif") as file:
        pictures = [np.asarray(picture.convert("RGB")) for picture in ImageSequence.Iterator(file)]
    assert len(pictures) == 4
    assert all(np.mean(a != b) > 0.01 for a, b in pairwise(pictures))
