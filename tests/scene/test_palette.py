"""No colour of the scene is bright to one eye and dark to the other."""

import dataclasses

import numpy as np
import pytest

from viewer.anaglyph import GLASSES, METHODS
from viewer.scenario import Scenario
from viewer.scene.palette import LIMIT, gentle_theme, rivalry, theme_of
from viewer.themes import THEMES, Theme


def colors_of(theme: Theme) -> np.ndarray:
    """Every colour of a theme, (N, 3)."""
    found: list[tuple[float, ...]] = []
    for field in dataclasses.fields(Theme):
        value = getattr(theme, field.name)
        if isinstance(value, tuple):
            found += list(value) if isinstance(value[0], tuple) else [value]
    return np.array(found)


@pytest.mark.parametrize("name", list(THEMES))
@pytest.mark.parametrize("method", list(METHODS))
@pytest.mark.parametrize("glasses", list(GLASSES))
def test_every_colour_is_as_bright_to_one_eye_as_to_the_other(name: str, method: str, glasses: str) -> None:
    plain, gentle = colors_of(THEMES[name]), colors_of(gentle_theme(name, method, glasses))
    before, after = (np.abs(rivalry(colors, method, glasses)) for colors in (plain, gentle))
    # measured before: 143 of 255 (polhode, colours as they are), 24 with Dubois' red-cyan (L); after: 12.0 at most
    assert after.max() <= LIMIT + 1e-9
    kept = before <= LIMIT
    np.testing.assert_array_equal(gentle[kept], plain[kept])
    assert len(np.unique(np.round(gentle, 3), axis=0)) >= len(np.unique(np.round(plain, 3), axis=0)) - 2


def test_white_and_grey_have_none_and_saturated_red_has_much() -> None:
    for method in METHODS:
        for glasses in GLASSES:
            for value in (0.1, 0.5, 1.0):
                # Dubois' tables round to .001
                assert abs(float(rivalry(np.full(3, value), method, glasses))) < 0.3
    assert float(rivalry(np.array([1.0, 0.0, 0.0]), "color", "red-cyan")) == pytest.approx(255.0)
    assert float(rivalry(np.array([0.0, 1.0, 1.0]), "color", "red-cyan")) == pytest.approx(-255.0)


def test_only_the_anaglyph_changes_the_colours() -> None:
    scenario = Scenario.preset("paper-fig1")
    assert theme_of(scenario.with_value("stereo.mode", "side-by-side")) is THEMES["dark"]
    changed = theme_of(scenario.with_value("stereo.mode", "anaglyph"))
    assert changed.angular_momentum != THEMES["dark"].angular_momentum
    assert changed is theme_of(scenario.with_value("stereo.mode", "anaglyph"))
