"""The gallery's pictures of the presets are what the presets look like, without words, on Mesa's rasteriser.

`POINSOT_UPDATE_GOLDEN=1` draws them anew.
"""

import os

import numpy as np
import pytest
from PIL import Image

from viewer.common.resources import folder
from viewer.export.images.api import render_image
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session
from viewer.ui.overlays.gallery import THUMBNAIL

MOMENT = 5.0  # s; in space, where all goes slowly, of the screen's time
MEAN_TOLERANCE = (
    0.6  # of 255: measured 0 where they were drawn; wider than that of larger pictures, as edges count more
)


@pytest.mark.parametrize("name", PRESETS)
def test_thumbnail(gl, name: str) -> None:
    if "llvmpipe" not in gl.info["GL_RENDERER"]:
        pytest.skip("pictures are compared on Mesa's software rasteriser only")
    scenario = Scenario.preset(name).with_values({"show.space_axes": False, "show.labels": False})
    if scenario.race.show == "grid":  # its cells have words
        scenario = scenario.with_value("race.show", "ghosts")
    speed = Session(scenario, playing=False).speed if PRESETS[name].group == "space" else 1.0
    drawn = render_image(scenario, time=MOMENT * speed, size=THUMBNAIL)
    path = folder("assets").joinpath("thumbnails", f"{name}.png")
    if os.environ.get("POINSOT_UPDATE_GOLDEN") == "1":
        Image.fromarray(drawn).save(str(path), optimize=True)
    with path.open("rb") as file, Image.open(file) as image:
        kept = np.asarray(image.convert("RGB")).astype(int)
    assert kept.shape == (THUMBNAIL[1], THUMBNAIL[0], 3)
    assert np.abs(drawn - kept).mean() <= MEAN_TOLERANCE


def test_there_is_none_of_a_preset_that_is_gone() -> None:
    kept = [path.name for path in folder("assets").joinpath("thumbnails").iterdir()]
    assert sorted(kept) == sorted(f"{name}.png" for name in PRESETS)
