"""Through coloured glasses no pixel of the interface is brighter to one eye than to the other: all of it is grey."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from viewer.scenario.tours import tours
from viewer.workspace.questions import OpenQuestion

LIMIT = 12  # of 255, as in the scene


def _lecture(stage: Any) -> None:
    stage.workspace.state.lecture = stage.workspace.state.spot = True
    stage.move(640.0, 360.0)
    stage.workspace.state.spot = True


OPENED: dict[str, Callable[[Any], object]] = {
    "panel": lambda stage: None,
    "plots": lambda stage: setattr(stage.workspace.state, "plots", True),
    "chart": lambda stage: setattr(stage.workspace.state, "chart", True),
    "lecture": _lecture,
    "gallery": lambda stage: stage.ui.gallery.toggle(),
    "palette": lambda stage: stage.ui.palette.toggle(),
    "keys": lambda stage: stage.ui.keys.toggle(),
    "words": lambda stage: stage.ui.words.show("The body turns."),
    "tour": lambda stage: stage.workspace.tour.begin(tours()["flip"]),
    "files": lambda stage: stage.workspace.ask(OpenQuestion(str(Path.cwd() / "scene.toml"), lambda paths: None)),
}


@pytest.mark.sweep
@pytest.mark.parametrize("opened", OPENED)
@pytest.mark.parametrize("theme", ["dark", "light", "high-contrast"])
@pytest.mark.parametrize("preset", ["paper-fig1", "race-of-five"])
def test_no_pixel_has_a_colour(stage: Callable[..., Any], preset: str, theme: str, opened: str) -> None:
    shown = stage(preset, theme=theme, open_all=True)
    before = shown.pixels().copy()
    shown.workspace.session.change({"stereo.mode": "anaglyph"})
    OPENED[opened](shown)
    shown.frame(4)
    assert np.ptp(shown.pixels(), axis=2).max() <= LIMIT  # measured 0; before, up to 255
    assert np.ptp(before, axis=2).max() > 60  # in other modes there are colours


def test_greys_are_as_bright_as_the_colours(stage: Callable[..., Any]) -> None:
    """The luminances that WCAG defines, of the panel with its coloured words and the knob of the energy."""
    shown = stage(open_all=True)

    def luminance() -> np.ndarray:
        light = shown.pixels() / 255.0
        light = np.where(light <= 0.04045, light / 12.92, ((light + 0.055) / 1.055) ** 2.4)
        return np.asarray(light @ (0.2126, 0.7152, 0.0722))

    shown.frame(2)
    colours, paint = luminance(), shown.ui._renderer.draw
    shown.ui._renderer.draw = lambda *args: paint(*args[:3], gray=True)
    assert np.abs(luminance() - colours).max() < 0.03  # where an edge is soft
