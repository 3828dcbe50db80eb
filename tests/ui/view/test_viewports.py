"""How stereo modes divide a window, and which point of the interface a point of the window is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.ui.layout import Rect
from viewer.ui.view.viewports import divide, picture_size

SIZES = st.tuples(st.integers(1, 3000), st.integers(1, 3000))
MODES = st.sampled_from(list(STEREO_MODES.values()))


@given(MODES, SIZES)
def test_parts_lie_in_the_window_and_apart(mode, size):
    parts = divide(mode, size)
    for place in parts.rects:
        assert min(place.x, place.y) >= 0 < min(place.size)
        assert place.x + place.width <= size[0]
        assert place.y + place.height <= size[1]
        assert place.size == parts.rects[0].size
    for place, other in zip(parts.rects, parts.rects[1:], strict=False):
        assert place.x + place.width <= other.x or place.y + place.height <= other.y


@given(MODES, SIZES, st.floats(0, 1), st.floats(0, 1))
def test_a_point_of_the_interface_is_found_in_every_part(mode, size, across, down):
    parts = divide(mode, size)
    for number, place in enumerate(parts.rects):
        x, y = place.x + across * (place.width - 1), place.y + down * (place.height - 1)
        assert parts.find(x, y) == number
        inside = parts.inward(number, x, y)
        wanted = (across * (place.width - 1), down * (place.height - 1))
        assert inside == pytest.approx([a * b for a, b in zip(wanted, parts.stretch, strict=True)], abs=1e-6)
        assert Rect(0, 0, *parts.size).holds(*inside)


@given(MODES, SIZES)
def test_the_whole_interface_fills_every_part_and_the_picture_is_divided_likewise(mode, size):
    parts = divide(mode, size)
    whole = Rect(0, 0, *parts.size)
    assert parts.outward(whole) == parts.rects
    picture = divide(mode, picture_size(parts.outward(whole)))
    assert [place.size for place in picture.rects] == [place.size for place in parts.rects]


def test_half_modes_have_an_interface_of_the_stretched_size():
    assert divide(STEREO_MODES["side-by-side"], (1280, 720)).size == (640, 720)
    squeezed = divide(STEREO_MODES["side-by-side-half"], (1280, 720))
    assert squeezed.size == (1280, 720)
    assert squeezed.inward(1, 640 + 320, 360) == (640, 360)
    assert squeezed.outward(Rect(0, 0, 973, 720)) == (Rect(0, 0, 487, 720), Rect(640, 0, 487, 720))


def test_a_drag_that_leaves_its_part_goes_on_counting_there():
    parts = divide(STEREO_MODES["side-by-side"], (1280, 720))
    assert parts.inward(0, 700, 10) == (700, 10)
    assert parts.inward(1, 600, 10) == (-40, 10)


@given(MODES, SIZES, st.integers(1, 2000))
def test_parts_side_by_side_are_no_further_apart_than_asked_for(mode, size, widest):
    parts, whole = divide(mode, size, widest).rects, divide(mode, size).rects
    if mode.layout != "columns" or 2 * widest >= size[0]:
        assert parts == whole
        return
    left, right = parts
    assert right.x - left.x == left.width == right.width == widest  # nothing is between them
    assert left.x >= 0
    assert abs(left.x - (size[0] - right.x - right.width)) <= 1  # in the middle of the window
    assert (left.height, right.height) == (size[1], size[1])
