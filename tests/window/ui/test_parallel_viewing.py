"""Pictures that eyes look at in parallel are no further apart than eyes are, on a screen whose size is known."""

import sys

import numpy as np
import pytest

from viewer.ui.platform import display

SIZE = (1200, 500)
PITCH = 0.25e-3  # m a pixel
EYES = 0.063  # m between the pupils of an adult: N. A. Dodgson, Proc. SPIE 5291 (2004), mean 63.4 mm


@pytest.fixture
def shown(desktop, monkeypatch):
    """On a screen with pixels of that size."""
    monkeypatch.setitem(display._SIZES, sys.platform, lambda screen: (PITCH * screen.width, PITCH * screen.height))
    return desktop(size=SIZE)


def apart(shown):
    """How far apart the two pictures are, m."""
    first, second = (rect.x for rect in shown.app.ui.layout.scene_rects)
    return PITCH * (second - first)


def test_they_meet_in_the_middle_as_far_apart_as_eyes_are(shown):
    shown.session.change({"stereo.mode": "side-by-side"})
    shown.settle()
    assert EYES - PITCH < apart(shown) <= EYES
    screen, parts = shown.screen(), shown.app.ui.layout.viewports.rects
    assert not screen[:, : parts[0].x].any()
    assert not screen[:, parts[1].x + parts[1].width :].any()
    bars = [screen[-40:, part.x : part.x + part.width].astype(int) for part in parts]
    assert np.abs(bars[0] - bars[1]).max() <= 1
    assert len(np.unique(bars[0].reshape(-1, 3), axis=0)) > 20  # the timeline


@pytest.mark.parametrize(
    "changes",
    [
        {"stereo.mode": "cross-eyed"},
        {"stereo.mode": "side-by-side-half"},
        {"stereo.mode": "side-by-side", "stereo.exchange_eyes": True},  # which makes it cross-eyed
        {"stereo.mode": "side-by-side", "stereo.comfort": False},
        {"stereo.mode": "side-by-side", "stereo.screen_width": 0.1},  # so small that all of it lies between the eyes
    ],
)
def test_other_ways_to_look_have_the_whole_window(shown, changes):
    shown.session.change(changes)
    shown.settle()
    assert sum(rect.width for rect in shown.app.ui.layout.viewports.rects) == SIZE[0]


def test_cross_eyed_with_the_eyes_swapped_is_parallel_viewing(shown):
    shown.session.change({"stereo.mode": "cross-eyed", "stereo.exchange_eyes": True})
    shown.settle()
    assert EYES - PITCH < apart(shown) <= EYES


def test_what_has_to_be_read_has_the_room(shown):
    """The panel and the list of keys; the folded panel has its strip, where its arrow opens it."""
    shown.session.change({"stereo.mode": "side-by-side"})
    shown.settle()
    left, down = shown.app.ui.layout.viewports.rects[0].x, shown.middle("unfold")
    shown.click(left + down[0], down[1])
    assert shown.app.ui.layout.areas.panel is not None
    assert apart(shown) > 2 * EYES
    shown.click(*shown.middle("fold"))
    assert shown.app.ui.layout.areas.panel is None
    assert apart(shown) <= EYES
    shown.key("question")
    assert apart(shown) > 2 * EYES
    shown.key("question")
    assert apart(shown) <= EYES


def test_where_nobody_knows_the_size_nothing_is_limited(desktop, monkeypatch):
    monkeypatch.setitem(display._SIZES, sys.platform, lambda screen: (0.0, 0.0))
    shown = desktop(size=SIZE)
    shown.session.change({"stereo.mode": "side-by-side"})
    shown.settle()
    assert [rect.width for rect in shown.app.ui.layout.viewports.rects] == [600, 600]
    shown.session.change({"stereo.screen_width": PITCH * 1280})  # the virtual screen is 1280 pixels wide
    shown.settle()
    assert EYES - PITCH < apart(shown) <= EYES


def test_the_opened_panel_leaves_each_eye_a_scene_and_its_timeline_in_the_smallest_window(desktop):
    """Of 400 pixels it took 300, and the strip that was left had no timeline."""
    shown = desktop("dzhanibekov", size=(800, 600))
    shown.app.workspace.editor.set("stereo.mode", "side-by-side")
    shown.settle()
    shown.key("p")
    areas = shown.app.ui.layout.areas
    assert areas.panel is not None
    assert areas.scene.width >= 150
    assert areas.panel.width >= 250  # in less its numbers touch
    assert areas.timeline is not None
