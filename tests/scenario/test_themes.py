"""The colours that must be told apart are, by everybody; text is read on its ground."""

from itertools import combinations

import numpy as np
import pytest

from viewer.common.color import Color
from viewer.scenario.choices.themes import THEMES, Theme

# Machado, Oliveira, Fernandes, "A physiologically-based model for simulation of color vision deficiency", IEEE TVCG
# 2009: severity 1, for linear RGB.
SIGHTS = {
    "normal": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
XYZ_FROM_RGB = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
LINES = ("angular_momentum", "angular_velocity", "polhode", "herpolhode", "force", "torque")
# CIE 1976 delta E; 2.3 is just seen, 18 is plain for lines that lie apart (measured: 19.0 at least, L and omega of the
# dark theme to the tritan, 14.3 for the other bound, dark and light). What looks alike to somebody differs in
# shape: omega is an arrow, the herpolhode a curve, and their pair may come closer.
PLAIN, BY_SHAPE = 18.0, 13.0
ARROW_AND_CURVE = {"angular_velocity", "herpolhode"}


def light(color: Color) -> np.ndarray:
    encoded = np.array(color)
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def lab(color: Color, sight: np.ndarray) -> np.ndarray:
    xyz = XYZ_FROM_RGB @ np.clip(sight @ light(color), 0.0, 1.0) / XYZ_FROM_RGB.sum(axis=1)
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(a: Color, b: Color) -> float:
    """WCAG's ratio of luminances, 1..21."""
    high, low = sorted((float(XYZ_FROM_RGB[1] @ light(c)) for c in (a, b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def differences(theme: Theme, sight: str) -> dict[tuple[str, str], float]:
    named = {name: getattr(theme, name) for name in LINES}
    axes = dict(zip(("smallest", "middle", "largest"), theme.axes, strict=True))
    return {
        (a, b): float(np.linalg.norm(lab(group[a], SIGHTS[sight]) - lab(group[b], SIGHTS[sight])))
        for group in (named, axes)
        for a, b in combinations(group, 2)
    }


@pytest.mark.parametrize("sight", list(SIGHTS))
@pytest.mark.parametrize("name", list(THEMES))
def test_lines_and_axes_are_told_apart(name: str, sight: str) -> None:
    for pair, difference in differences(THEMES[name], sight).items():
        assert difference > (BY_SHAPE if set(pair) == ARROW_AND_CURVE else PLAIN), (pair, difference)


@pytest.mark.parametrize("name", list(THEMES))
def test_each_axis_has_a_hue(name: str) -> None:
    for axis in THEMES[name].axes:
        assert float(np.hypot(*lab(axis, SIGHTS["normal"])[1:])) > 30.0  # CIELAB's chroma; white and grey have 0


@pytest.mark.parametrize("name", list(THEMES))
def test_lines_and_text_stand_out_from_the_ground(name: str) -> None:
    theme = THEMES[name]
    least = 7.0 if name == "high-contrast" else 3.0  # WCAG: 3 for graphics, 7 for enhanced text
    for ground in (theme.background_top, theme.background_bottom, theme.background_centre):
        assert contrast(theme.text, ground) > 7.0
        for line in LINES:
            assert contrast(getattr(theme, line), ground) > least, line
