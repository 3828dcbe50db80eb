"""Modes that give each eye its own part of the window: the interface is whole in every part, and so is the mouse."""

import numpy as np
import pytest

from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.ui.view.viewports import divide

SIZE = (1280, 720)
PARTED = [name for name, mode in STEREO_MODES.items() if len(divide(mode, SIZE).rects) > 1]
SLIDER = "##body.mass[0]"

pytestmark = [pytest.mark.parametrize("mode", PARTED), pytest.mark.sweep(most=2)]


@pytest.fixture
def shown(desktop, mode):
    opened = desktop(size=(1280, 800))  # the mass is in sight in half the height
    opened.app.workspace.settings.change("panel.open_sections", ("Body",))
    opened.session.change({"stereo.mode": mode})
    opened.app.ui.layout.show_panel(True)
    opened.settle()
    return opened


def window_point(shown, part, at):
    """Where the window shows a point of the interface in one of its parts."""
    parts = shown.app.ui.layout.viewports
    place, (across, down) = parts.rects[part], parts.stretch
    return place.x + at[0] / across, place.y + at[1] / down


@pytest.mark.parametrize("part", [0, 1])
def test_a_slider_is_moved_in_either_part_as_far_as_in_mono(shown, mode, part):
    before = shown.scenario.body.mass
    slider = shown.middle(SLIDER)
    shown.drag(window_point(shown, part, slider), (-20 / shown.app.ui.layout.viewports.stretch[0], 0))
    moved = shown.scenario.body.mass
    assert moved < before
    shown.session.change({"stereo.mode": "mono", "body.mass": before})
    shown.settle()
    x, y = shown.middle(SLIDER)
    shown.drag((x + 20, y), (-20, 0))  # not where the last press was: no double click
    assert moved == pytest.approx(shown.scenario.body.mass, rel=1e-6)


@pytest.mark.parametrize("part", [0, 1])
def test_a_drag_over_the_scene_of_either_part_turns_the_view(shown, part):
    before, (across, down) = shown.scenario.view, shown.app.ui.layout.viewports.stretch
    scene = shown.app.ui.layout.areas.scene
    shown.drag(window_point(shown, part, (scene.width / 2, scene.height / 2)), (40, 20))
    view, degrees = shown.scenario.view, 180 / scene.height
    assert view.azimuth_deg == pytest.approx(before.azimuth_deg - 40 * across * degrees)
    assert view.polar_angle_deg == pytest.approx(before.polar_angle_deg - 20 * down * degrees)


def test_a_drag_from_one_part_into_the_other_does_not_jump(shown):
    before, parts = shown.scenario.view, shown.app.ui.layout.viewports
    middle = window_point(
        shown, 0, (shown.app.ui.layout.areas.scene.width / 2, shown.app.ui.layout.areas.scene.height / 2)
    )
    first, second = parts.rects
    over = second.x - first.x, second.y - first.y
    shown.drag(middle, over)
    degrees = 180 / shown.app.ui.layout.areas.scene.height
    wanted = before.azimuth_deg - over[0] * parts.stretch[0] * degrees
    assert (shown.scenario.view.azimuth_deg - wanted) % 360 == pytest.approx(0, abs=1e-6)


def test_the_interface_is_the_same_in_both_parts(shown):
    shown.move(*window_point(shown, 1, (40, 40)))  # the cursor is in the picture, too
    screen, parts = shown.screen(), shown.app.ui.layout.viewports
    panel = shown.app.ui.layout.areas.panel
    first, second = (screen[r.y : r.y + r.height, r.x : r.x + r.width].astype(int) for r in parts.outward(panel))
    assert np.abs(first - second).max() <= 1  # measured: 1 in three pixels, where edges are rounded
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 50


def test_the_cursor_shows_in_both_parts_without_a_new_picture_of_the_scene(shown):
    shown.move(*window_point(shown, 0, (60, 60)))
    before, pictures, frames = shown.screen().astype(int), shown.app.scene_view.count, shown.app.frames.count
    assert shown.app.window._cursor is None
    shown.move(*window_point(shown, 0, (20, 60)))
    assert (shown.app.scene_view.count, shown.app.frames.count) == (pictures, frames + 1)
    changed = np.any(shown.screen() != before, axis=2)
    for number in (0, 1):
        for x, y in ((24, 66), (64, 66)):
            at = window_point(shown, number, (x, y))
            assert changed[round(at[1]), round(at[0])]
    assert changed.sum() < 1500  # two arrows in each part, and nothing else


def test_the_cursor_stays_where_the_mouse_rests_when_the_window_is_divided_otherwise(shown, mode):
    at = 500, 300
    shown.session.change({"stereo.mode": "mono"})
    shown.move(*at)
    shown.session.change({"stereo.mode": mode})
    shown.settle()
    parts = shown.app.ui.layout.viewports
    assert shown.app.ui.pointer == parts.inward(parts.find(*at), *at)


def test_the_systems_cursor_comes_back(shown):
    shown.session.change({"stereo.mode": "mono"})
    shown.settle()
    assert shown.app.window._cursor == ""


def test_the_panel_is_folded_until_it_is_opened_in_this_mode_and_comes_back_with_mono(desktop, mode):
    """It is the same panel: what was open in mono is open there again. One opens and folds it in either part."""
    shown = desktop()
    areas = lambda: shown.app.ui.layout.areas  # noqa: E731
    assert areas().panel is not None
    shown.move(300, 300)
    shown.session.change({"stereo.mode": mode})
    shown.settle()
    assert areas().panel is None
    shown.click(*window_point(shown, 1, shown.middle("unfold")))
    assert areas().panel is not None
    shown.move(*window_point(shown, 0, (100, 100)))
    shown.session.change({"stereo.mode": "mono"})
    shown.settle()
    assert areas().panel is not None
    shown.session.change({"stereo.mode": mode})
    shown.settle()
    assert areas().panel is not None
    shown.click(*window_point(shown, 1, shown.middle("fold")))
    assert areas().panel is None
    shown.session.change({"stereo.mode": "mono"})
    shown.settle()
    assert areas().panel is not None
