"""No colour of the scene is bright to one eye and dark to the other."""

import dataclasses

import numpy as np
import pytest

from viewer.common.color import hex_color
from viewer.scenario.choices.stereo_modes import GLASSES, METHODS
from viewer.scenario.choices.themes import THEMES, Theme
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import Stereo
from viewer.scenario.sections.race import LANE_COLORS, MOST_LANES
from viewer.scene.annotations.trails import colors
from viewer.scene.constructions.race import lane_color
from viewer.scene.stereo.anaglyph_theme import APART, LIMIT, gentle_theme, rivalry, theme_of


def colors_of(theme: Theme) -> np.ndarray:
    """Every colour of a theme, (N, 3)."""
    found: list[tuple[float, ...]] = []
    for field in dataclasses.fields(Theme):
        value = getattr(theme, field.name)
        if isinstance(value, tuple):
            found += list(value) if isinstance(value[0], tuple) else [value]
    return np.array(found)


@pytest.mark.sweep(together=2)
@pytest.mark.parametrize("name", list(THEMES))
@pytest.mark.parametrize("method", list(METHODS))
@pytest.mark.parametrize("glasses", list(GLASSES))
def test_every_colour_is_as_bright_to_one_eye_as_to_the_other(name: str, method: str, glasses: str) -> None:
    plain, gentle = colors_of(THEMES[name]), colors_of(gentle_theme(name, method, glasses))
    before, after = (np.abs(rivalry(colors, method, glasses)) for colors in (plain, gentle))
    # measured before: 143 of 255 (polhode, colours as they are), 24 with Dubois' red-cyan (L); after: 12.0 at most
    assert after.max() <= LIMIT + 1e-9
    other = (2.0, 2.0, 2.0)
    moved = colors_of(dataclasses.replace(THEMES[name], **dict.fromkeys(APART, other), axes=(other,) * 3))[:, 0] == 2.0
    kept = (before <= LIMIT) & ~moved  # what is told apart by lightness, and axes, which must stand out, may move
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


# Ottosson's OKLab, from linear sRGB
CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
OPPONENTS = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def seen(colors: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """OKLab of sRGB colours that stand in both eyes' pictures, as the filters mix them."""
    light = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    light = np.clip(light @ (left + right).T, 0.0, 1.0)
    cones = light @ np.array(CONES).T
    return np.cbrt(cones) @ np.array(OPPONENTS).T


# least distance of two of them through the glasses, where white has a lightness of 1: measured
# dubois .095, color .089, half-color .094, optimized .096; where there are no hues gray .063, true .063
# (before: .027, .031, .036, .028, .007, .006)
LEAST = {"dubois": 0.09, "color": 0.085, "half-color": 0.09, "optimized": 0.09, "gray": 0.06, "true": 0.06}


@pytest.mark.parametrize("name", list(THEMES))
@pytest.mark.parametrize("method", list(METHODS))
@pytest.mark.parametrize("glasses", list(GLASSES))
def test_no_two_of_what_is_shown_look_alike_through_the_glasses(name: str, method: str, glasses: str) -> None:
    theme = gentle_theme(name, method, glasses)
    left, right = METHODS[method].matrices(GLASSES[glasses])
    shown = ("angular_momentum", "angular_velocity", "polhode", "herpolhode", "shell", "body")
    looks = seen(np.array([getattr(theme, part) for part in shown]), left, right)
    white, ground = seen(np.array([(1.0, 1.0, 1.0), theme.background_centre]), left, right)
    for i, one in enumerate(looks):
        for j, other in enumerate(looks[:i]):
            assert np.linalg.norm(one - other) > LEAST[method] * white[0], (shown[i], shown[j])
        assert abs(one[0] - ground[0]) > 0.2 * white[0], shown[i]


@pytest.mark.sweep
@pytest.mark.parametrize("glasses", list(GLASSES))
@pytest.mark.parametrize("method", list(METHODS))
def test_lanes_and_coloured_trails_too_are_as_bright_to_both_eyes(method: str, glasses: str) -> None:
    """Measured before: 97 of 255, the darkest blue of a lane with amber-blue glasses."""
    stereo = Stereo(mode="anaglyph", anaglyph_method=method, glasses=glasses)
    lanes = np.array([lane_color(number, "dark", stereo) for number in range(MOST_LANES)])
    assert np.abs(rivalry(lanes, method, glasses)).max() <= LIMIT + 1e-9
    for theme in THEMES:
        for cyclic in (False, True):
            stops = colors(gentle_theme(theme, method, glasses), cyclic, stereo)
            assert np.abs(rivalry(stops, method, glasses)).max() <= LIMIT + 1e-9
    for mode in ("mono", "side-by-side"):
        plain = [lane_color(number, "high-contrast", Stereo(mode=mode)) for number in range(MOST_LANES)]
        np.testing.assert_allclose(plain, [hex_color(code) for code in LANE_COLORS])
