"""The gallery's pictures of the presets are what the presets look like, without words, on Mesa's rasteriser.

`POINSOT_UPDATE_GOLDEN=1` draws them anew.
"""

import os
from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from viewer.common.resources import folder
from viewer.export.offscreen import render_image
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.scenario.tours import tours
from viewer.session.session import Session
from viewer.ui.overlays.gallery import THUMBNAIL, ground_of
from viewer.ui.widgets.style import palette_of

MOMENT = 5.0  # s; in space, where all goes slowly, of the screen's time
# other moments, at which scenes do not look like those with the same motion, and a T-handle looks like a T
MOMENTS = {"paper-fig1-fine": 2.5, "race-hidden-phase": 11.0, "t-handle": 2.0, "toutatis-spin": 9.0}
GROUNDS = "dark", "light"
MEAN_TOLERANCE = 1.3  # of 255: measured 1.09 at most, which is what the compression loses


@pytest.mark.sweep(most=5)
@pytest.mark.parametrize("name", PRESETS)
def test_thumbnail(gl, name: str) -> None:
    if "llvmpipe" not in gl.info["GL_RENDERER"]:
        pytest.skip("pictures are compared on Mesa's software rasteriser only")
    scenario = Scenario.preset(name).with_values({"show.space_axes": False, "show.labels": False})
    if scenario.race.show == "grid":  # its cells have words
        scenario = scenario.with_value("race.show", "ghosts")
    speed = Session(scenario, playing=False).scene.speed if PRESETS[name].group == "space" else 1.0
    time = MOMENTS.get(name, MOMENT) * speed
    for ground in GROUNDS:
        drawn = render_image(scenario.with_value("view.theme", ground), time=time, size=THUMBNAIL)
        path = folder("assets").joinpath("thumbnails", ground, f"{name}.webp")
        if os.environ.get("POINSOT_UPDATE_GOLDEN") == "1":
            Image.fromarray(drawn).save(str(path), quality=90, method=6)
        with path.open("rb") as file, Image.open(file) as image:
            kept = image.convert("RGB")
        assert kept.size == THUMBNAIL
        seen, right = (np.asarray(picture.reduce(2)).astype(int) for picture in (kept, Image.fromarray(drawn)))
        assert np.abs(seen - right).mean() <= MEAN_TOLERANCE


@pytest.mark.parametrize("ground", GROUNDS)
def test_no_two_look_the_same(ground: str) -> None:
    pictures = {}
    for path in folder("assets").joinpath("thumbnails", ground).iterdir():
        with path.open("rb") as file, Image.open(file) as image:
            pictures[path.name] = np.asarray(image.convert("RGB").reduce(8)).astype(int)
    differences = {
        (one, other): float(np.abs(pictures[one] - pictures[other]).mean()) for one, other in combinations(pictures, 2)
    }
    closest = min(differences, key=differences.__getitem__)
    assert differences[closest] > 2.0, closest  # of 255; measured 3.7; it was .38


def test_each_tour_has_a_picture_of_its_own() -> None:
    pictures = [tour.picture for tour in tours().values()]
    assert len(set(pictures)) == len(pictures) == 13


def test_there_is_none_of_a_preset_that_is_gone() -> None:
    for ground in GROUNDS:
        kept = [path.name for path in folder("assets").joinpath("thumbnails", ground).iterdir()]
        assert sorted(kept) == sorted(f"{name}.webp" for name in PRESETS)


def test_each_theme_has_those_on_its_own_ground() -> None:
    grounds = {name: ground_of(palette_of(theme)) for name, theme in THEMES.items()}
    assert grounds == {"dark": "dark", "light": "light", "high-contrast": "dark"}
