"""The stereo chart: each eye sees what is meant for it, at the parallax that is written beside it."""

import numpy as np
import pytest

from viewer.common.color import linear_from_srgb, srgb_from_linear
from viewer.scenario.choices.stereo_modes import GLASSES, METHODS, STEREO_MODES, composite
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.sections.picture import Stereo
from viewer.scene.presentation import Display
from viewer.scene.stereo.chart import STEPS, chart_frame

SIZE = (640, 360)


def drawn(renderer, size: tuple[int, int] = SIZE, **stereo: object) -> np.ndarray:
    renderer.draw(chart_frame(Stereo(**stereo), Display(size)))  # type: ignore[arg-type]
    return renderer.read().astype(int)


@pytest.mark.parametrize("mode", list(STEREO_MODES))
def test_every_mode_draws_it(renderer, mode: str) -> None:
    assert drawn(renderer, mode=mode).std() > 20


def test_each_eye_sees_its_own_letter_and_squares(renderer) -> None:
    left, right = drawn(renderer, mode="left"), drawn(renderer, mode="right")
    for x, y, eye in ((2.6, 6.75, "L"), (7.0, 6.75, "R")):
        row, column = SIZE[1] - round(40 * y), round(40 * x)
        spot = np.s_[row - 25 : row + 25, column - 25 : column + 25]
        seen, hidden = (left, right) if eye == "L" else (right, left)
        assert seen[spot].max() > 240
        assert hidden[spot].max() < 60
    exchanged = drawn(renderer, mode="right", exchange_eyes=True)
    np.testing.assert_array_equal(left[50:], exchanged[50:])  # below the heading, which tells of the exchange


@pytest.mark.parametrize("theme", list(THEMES))
def test_in_every_theme_what_stands_on_a_card_is_clear_to_see(renderer, theme: str) -> None:
    renderer.draw(chart_frame(Stereo(mode="left"), Display(SIZE), theme_name=theme))
    picture = renderer.read().astype(int)
    for x, y in ((10.9, 6.8), (1.9, 4.3)):  # the disc in front, the first step
        row, column = SIZE[1] - round(40 * y), round(40 * x)
        contrast = np.abs(picture[row, column] - picture[row, column + 35])
        assert contrast.min() > 150  # measured: 187


@pytest.mark.parametrize("number", range(len(STEPS)))
def test_the_steps_have_the_parallax_that_they_tell(renderer, number: int) -> None:
    positions = []
    for mode in ("left", "right"):
        frame = chart_frame(Stereo(mode=mode), Display(SIZE))
        disc = [p for p in frame.main.scene.patches if p.half_size[0] == pytest.approx(0.31 * 40)][number]
        clip = frame.main.views[0].clip_from_world @ np.append(disc.anchor, 1.0)
        positions.append(0.5 * clip[:2] / clip[3])
    assert positions[1][0] - positions[0][0] == pytest.approx(STEPS[number], abs=1e-12)
    assert positions[1][1] == pytest.approx(positions[0][1], abs=1e-12)


@pytest.mark.sweep
@pytest.mark.parametrize("method", list(METHODS))
@pytest.mark.parametrize("glasses", list(GLASSES))
def test_the_grey_ramp_stays_grey(renderer, method: str, glasses: str) -> None:
    picture = drawn(renderer, mode="anaglyph", anaglyph_method=method, glasses=glasses)
    row = SIZE[1] - round(40 * 0.72)
    for i in range(11):
        pixel = picture[row, round(40 * (0.6 + 14.8 / 11 * (i + 0.5)))]
        lit = [p for p in range(3) if not (method == "true" and p == GLASSES[glasses].dark)]
        # measured 1 of 255: Dubois' tables have three decimals
        np.testing.assert_allclose(pixel[lit], round(25.5 * i), atol=1)


def test_an_anaglyph_of_every_method_and_glasses_is_the_matrices_of_both_eyes(renderer) -> None:
    for method in METHODS:
        for glasses in GLASSES:
            stereo = Stereo(mode="anaglyph", anaglyph_method=method, glasses=glasses, left_leak=5.0, right_leak=3.0)
            renderer.draw(chart_frame(stereo, Display(SIZE)))
            eyes = [np.frombuffer(part.read(), np.uint8).reshape(360, 640, 4)[::-1, :, :3] for part in renderer._drawn]
            left, right, black = composite(method, glasses, (0.05, 0.03))
            light = linear_from_srgb(eyes[0] / 255.0) @ left.T + linear_from_srgb(eyes[1] / 255.0) @ right.T + black
            worst = np.max(np.abs(255.0 * srgb_from_linear(light) - renderer.read()))
            assert worst <= 1.0  # measured .60: rounding to 8 bits alone makes .5


def test_the_chart_is_the_same_on_a_finer_screen(renderer) -> None:
    small = drawn(renderer, mode="side-by-side").astype(float)
    renderer.draw(chart_frame(Stereo(mode="side-by-side"), Display((1280, 720), 2.0)))
    large = renderer.read().astype(float).reshape(360, 2, 640, 2, 3).mean(axis=(1, 3))
    assert np.abs(small - large).mean() < 2.0
