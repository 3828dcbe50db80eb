"""What the system says of a screen, believed only where it can be true; and when it is the other eye's turn."""

import sys
from types import SimpleNamespace

import pytest

from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.ui.layout import Rect
from viewer.ui.platform import display
from viewer.ui.platform.display import Monitor, screen_width

SCREEN = SimpleNamespace(x=1920, y=0, width=1920, height=1080)


@pytest.mark.parametrize(
    ("told", "width"),
    [
        ((0.531, 0.299), 0.531),
        ((0.299, 0.531), 0.531),  # of a screen that stands on its side
        ((0.0, 0.0), None),
        ((0.16, 0.16), None),  # a projector's shape, not its size
        ((0.016, 0.009), None),
        ((160.0, 90.0), None),
    ],
)
def test_a_size_is_believed_where_it_can_be_true(monkeypatch, told, width):
    monkeypatch.setitem(display._SIZES, sys.platform, lambda screen: told)
    assert screen_width(SCREEN) == width


def test_a_system_that_fails_knows_no_size(monkeypatch):
    monkeypatch.setitem(display._SIZES, sys.platform, lambda screen: 1 / 0)
    assert screen_width(SCREEN) is None
    monkeypatch.delitem(display._SIZES, sys.platform)
    assert screen_width(SCREEN) is None


def test_the_width_is_that_of_the_whole_picture_and_the_place_is_asked_for_once(monkeypatch):
    monkeypatch.setitem(display._SIZES, sys.platform, lambda screen: (0.48, 0.27))  # .25 mm a pixel
    asked = []
    window = SimpleNamespace(ratio=1.0, standing=lambda: asked.append(1) or (SCREEN, (100, 51)))
    seen = Monitor()
    place = Rect(0, 3, 400, 600)
    side = seen.seen(window, STEREO_MODES["side-by-side"], place, 0.0)
    assert side.width == pytest.approx(800 * 0.25e-3)
    interlaced = seen.seen(window, STEREO_MODES["checkerboard"], place, 0.0)
    assert (interlaced.origin, interlaced.width) == ((100, 54), pytest.approx(0.1))
    assert len(asked) == 1
    seen.moved()
    seen.seen(window, STEREO_MODES["checkerboard"], place, 0.0)
    assert len(asked) == 2
    assert seen.seen(None, STEREO_MODES["mono"], place, 0.0).width is None  # mono asks for nothing


def test_the_eyes_take_turns_five_times_a_second():
    wiggle, seen = STEREO_MODES["wiggle"], Monitor()
    assert [seen.turn(wiggle, now) for now in (0.0, 0.19, 0.21, 0.99, 1.01)] == [0, 0, 1, 4, 5]
    assert seen.wait(wiggle, 0.15) == pytest.approx(0.05)
    assert seen.wait(STEREO_MODES["anaglyph"], 0.15) is None
