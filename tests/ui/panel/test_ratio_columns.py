"""Ratios of moments that are known to many digits stand in the panel's columns."""

import pytest

from viewer.ui.panel.readouts import _in_column


@pytest.mark.parametrize(
    ("ratio", "sigma", "wanted"),
    [
        (0.2632496155, 1e-9, ("0.26325", "± 1e-9")),
        (0.2632496155, 3.2e-6, ("0.26325", "± 3e-6")),
        (0.2632496155, 2e-5, ("0.26325", "± 0.00002")),
        (0.79, 0.002, ("0.790", "± 0.002")),
        (1.0, 0.0, ("1", "")),
    ],
)
def test_a_ratio_is_as_short_as_its_column(ratio: float, sigma: float, wanted: tuple[str, str]) -> None:
    assert _in_column(ratio, sigma) == wanted
