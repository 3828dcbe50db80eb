"""The view by mouse, in a real window."""

import numpy as np
import pytest
from helpers.pointing import eye_pixel

MIDDLE = (480, 360)


def test_the_window_shows_the_scene_and_the_panel(desktop):
    shown = desktop()
    screen = shown.screen()
    width, height = shown.app.ui.layout.areas.scene.size
    top = shown.app.ui.layout.areas.scene.y
    assert (top, width, height) == (34, 1280 - 308, 638)
    # what the renderer has drawn is what the screen shows, up to dithering
    assert np.abs(screen[top : top + height, :width].astype(int) - shown.scene()).max() <= 1
    panel = screen[:, width:]
    assert len(np.unique(panel.reshape(-1, 3), axis=0)) > 50
    assert tuple(panel[-2, 2]) == (0x16, 0x1B, 0x22)


def test_a_drag_turns_the_view_and_the_scene_follows_the_hand(desktop):
    shown = desktop()
    before, picture = shown.scenario.view, shown.scene().copy()
    shown.drag(MIDDLE, (80, 40))
    view = shown.scenario.view
    assert view.azimuth_deg == pytest.approx(before.azimuth_deg - 80 * 180 / 638)
    assert view.polar_angle_deg == pytest.approx(before.polar_angle_deg - 40 * 180 / 638)
    assert np.mean(shown.scene() != picture) > 0.05


@pytest.mark.parametrize(("button", "key"), [(3, ""), (2, ""), (1, "shift")])
def test_other_drags_move_the_picture(desktop, button, key):
    shown = desktop()
    before = shown.scenario.view
    shown.drag(MIDDLE, (72, 36), button, key)
    view = shown.scenario.view
    assert view.pan == pytest.approx((before.pan[0] + 72 / 638, before.pan[1] - 36 / 638))
    assert view.azimuth_deg == before.azimuth_deg


def test_the_moved_picture_is_the_same_further_right(desktop):
    shown = desktop()
    for name in ("plane", "labels", "space_axes"):
        shown.session.change({f"show.{name}": False})
    shown.settle()
    before = shown.scene().astype(int)
    shown.drag(MIDDLE, (100, 0), 3)
    after = shown.scene().astype(int)
    strip = before[200:520, 400:560]
    errors = {shift: np.abs(after[200:520, 400 + shift : 560 + shift] - strip).mean() for shift in range(60, 141)}
    assert min(errors, key=errors.get) == 100  # all of it, whatever its depth


def test_the_wheel_zooms(desktop):
    shown = desktop()
    shown.move(*MIDDLE)
    shown.hands("click", 4)
    assert shown.scenario.view.zoom == pytest.approx(1.12)
    shown.hands("click", "--repeat", 2, 5)
    assert shown.scenario.view.zoom == pytest.approx(1 / 1.12)


def test_the_wheel_keeps_the_contact_under_the_pointer_and_leads_back(desktop):
    shown = desktop()
    before, frame = shown.scenario.view, shown.app.ui.scene_view.frame
    contact = eye_pixel(frame.main, frame.main.scene.contact, shown.app.ui.layout.areas.scene.size)
    pointer = contact.round()
    shown.move(int(pointer[0]), 34 + int(pointer[1]))
    shown.hands("click", "--repeat", 20, 4)
    shown.settle()
    frame = shown.app.ui.scene_view.frame
    assert shown.scenario.view.zoom == pytest.approx(1.12**20)
    away = eye_pixel(frame.main, frame.main.scene.contact, shown.app.ui.layout.areas.scene.size) - pointer
    assert np.abs(away - 1.12**20 * (contact - pointer)).max() < 1e-3  # the half pixel that it was off has grown, too
    shown.hands("click", "--repeat", 20, 5)
    view = shown.scenario.view
    assert (view.zoom, *view.pan) == pytest.approx((before.zoom, *before.pan), abs=1e-9)


def test_zoomed_in_on_the_contact_a_drag_turns_about_it_and_the_wheel_leads_home_from_elsewhere(desktop):
    shown = desktop()

    def contact() -> np.ndarray:
        shown.settle()
        frame = shown.app.ui.scene_view.frame
        return eye_pixel(frame.main, frame.main.scene.contact, shown.app.ui.layout.areas.scene.size)

    before, (x, y) = shown.scenario.view, contact().round().astype(int).tolist()
    shown.move(x, 34 + y)
    shown.hands("click", "--repeat", 26, 4)  # 19 x
    near, azimuth = contact(), shown.scenario.view.azimuth_deg
    shown.drag((x + 90, 34 + y + 60), (106, 50))
    assert shown.scenario.view.azimuth_deg == pytest.approx(azimuth - 106 * 180 / 638)
    assert np.abs(contact() - near).max() < 1e-3
    shown.move(700, 500)
    shown.hands("click", "--repeat", 26, 5)
    view = shown.scenario.view
    assert (view.zoom, *view.pan) == pytest.approx((before.zoom, *before.pan), abs=1e-9)


def test_a_double_click_leads_back(desktop):
    shown = desktop()
    before = shown.scenario.view
    shown.drag(MIDDLE, (130, -60))
    shown.drag(MIDDLE, (50, 50), 3)
    assert shown.scenario.view != before
    shown.click(*MIDDLE, times=2)
    assert shown.scenario.view == before


def test_a_gesture_in_either_half_of_a_stereo_pair(desktop):
    shown = desktop()
    shown.session.change({"stereo.mode": "side-by-side"})
    before = shown.scenario.view.azimuth_deg
    shown.drag((200, 300), (40, 0))
    shown.drag((700, 300), (40, 0))
    assert shown.scenario.view.azimuth_deg == pytest.approx(before - 80 * 180 / 638)


def test_a_drag_that_begins_over_the_scene_stays_the_scenes(desktop):
    shown = desktop()
    before = shown.scenario
    shown.drag((900, 300), (200, 0))
    assert shown.scenario.body == before.body
    assert shown.scenario.view.azimuth_deg == pytest.approx(before.view.azimuth_deg - 200 * 180 / 638)


def test_a_press_right_after_leaving_the_panel_is_the_scenes(desktop):
    shown = desktop()
    before = shown.scenario.view.azimuth_deg
    shown.move(1100, 400)
    shown.hands("mousemove", 400, 300, "mousedown", 1, "mousemove", 440, 300, "mouseup", 1)
    assert shown.scenario.view.azimuth_deg == pytest.approx(before - 40 * 180 / 638)
