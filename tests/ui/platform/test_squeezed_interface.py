"""The interface that is squeezed into the parts of a window: each part is its mean, and costs what it covers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.ui.platform.imgui_renderer import disjoint

SIDES = st.tuples(*[st.integers(0, 12)] * 2).map(sorted)


def covered(boxes) -> np.ndarray:
    """How many of the boxes lie on each pixel."""
    counts = np.zeros((12, 12), int)
    for left, top, right, bottom in boxes:
        counts[top:bottom, left:right] += 1
    return counts


@given(st.lists(st.tuples(SIDES, SIDES).map(lambda two: (two[0][0], two[1][0], two[0][1], two[1][1])), max_size=6))
def test_disjoint_boxes_cover_each_pixel_once(boxes):
    assert np.array_equal(covered(disjoint(boxes)), np.minimum(covered(boxes), 1))


@pytest.mark.parametrize("size", [(1280, 720), (1001, 601)])
@pytest.mark.parametrize("mode", ["side-by-side-half", "top-bottom-half"])
def test_each_part_shows_the_mean_of_the_interface(stage, mode, size):
    shown = stage(size=size)
    shown.workspace.session.change({"stereo.mode": mode})
    shown.frame(3)
    pixels = shown.pixels()
    viewports = shown.ui._viewports
    whole = shown.ui._renderer.read(viewports.size, (0.0, 0.0, 0.0)).astype(float)
    part = viewports.rects[0]
    mean = whole.reshape(part.height, whole.shape[0] // part.height, part.width, -1, 3).mean(axis=(1, 3))
    assert mean.max() > 200
    for rect in viewports.rects:
        found = pixels[rect.y : rect.y + rect.height, rect.x : rect.x + rect.width]
        assert np.abs(found - mean).max() <= 1.0  # measured: 0.5
    drawn = sum((right - left) * (bottom - top) for left, top, right, bottom in disjoint(shown.ui._renderer._covered))
    assert drawn < 0.25 * whole[:, :, 0].size  # measured: 0.14 and 0.17
