"""A picture's resolution keeps within what OpenGL takes."""

import pytest

from viewer.scenario.choices.themes import QUALITIES, Quality


@pytest.mark.parametrize("resolution", [0.5, 1.0, 2.0])
def test_a_resolution_is_lowered_only_where_the_picture_would_be_too_large(resolution: float) -> None:
    quality = Quality("some", "Some", resolution)
    largest = round(300 * resolution)
    for size in ((300, 200), (200, 300)):
        assert quality.within(size, largest) is quality
        coarser = quality.within(size, largest - 1)
        assert (coarser.name, coarser.label) == ("some", "Some")
        assert largest - 3 < max(size) * coarser.resolution <= largest - 1


def test_qualities_go_from_fine_to_coarse() -> None:
    resolutions = [quality.resolution for quality in QUALITIES.values()]
    assert resolutions[0] == 1.0
    assert resolutions == sorted(set(resolutions), reverse=True)
