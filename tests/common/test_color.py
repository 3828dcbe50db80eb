"""sRGB, linear light and OKLab."""

import numpy as np

from viewer.common.color import hex_color, linear_from_oklab, linear_from_srgb, oklab_from_srgb, srgb_from_linear


def test_the_srgb_curves_are_inverse_and_pass_known_points() -> None:
    values = np.linspace(0.0, 1.0, 256)
    np.testing.assert_allclose(srgb_from_linear(linear_from_srgb(values)), values, atol=2e-8)  # the standard's own step
    np.testing.assert_allclose(linear_from_srgb(np.array([0.5])), 0.21404, atol=1e-5)
    np.testing.assert_allclose(srgb_from_linear(np.array([-1.0, 2.0])), [0.0, 1.0], atol=1e-15)


def test_oklab_there_and_back_and_at_known_points() -> None:
    colors = np.array([hex_color(code) for code in ("#FFFFFF", "#000000", "#FF0000", "#3A4654")])
    lab = oklab_from_srgb(colors)
    np.testing.assert_allclose(srgb_from_linear(linear_from_oklab(lab)), colors, atol=1e-7)
    np.testing.assert_allclose(lab[:2], [(1, 0, 0), (0, 0, 0)], atol=1e-7)
    np.testing.assert_allclose(lab[2], (0.62796, 0.22486, 0.12585), atol=1e-5)  # as CSS Color 4 has red
