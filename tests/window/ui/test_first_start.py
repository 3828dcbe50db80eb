"""The very first start: a caption over the turning T-handle, until the user takes over."""

import numpy as np
import pytest

from viewer.ui.overlays import first_start


def first(desktop, **more):
    return desktop("t-handle", size=(800, 600), playing=True, opening=True, **more)


def test_the_button_leads_into_the_tour_and_back_to_the_scene(desktop):
    shown = first(desktop)
    assert shown.app.layout.areas.panel is None
    shown.click(*shown.middle("why"))
    assert shown.app.ui.tour.tour.name in first_start.TOURS
    assert not shown.app.state.opening
    shown.key("Escape")
    assert shown.scenario.title == "T-handle"
    assert shown.session.playback.pace is None


@pytest.mark.parametrize("what", ["key", "click", "drag", "wheel"])
def test_whatever_the_user_does_takes_over(desktop, what):
    shown = first(desktop)
    shown.key("shift")
    assert shown.app.state.opening
    before, middle = shown.scenario, (300, 250)
    {"key": lambda: shown.key("x"), "click": lambda: shown.click(*middle),
     "drag": lambda: shown.drag(middle, (60, 20)), "wheel": lambda: shown.click(*middle, button=4)}[what]()  # fmt: skip
    assert not shown.app.state.opening
    assert shown.session.playback.pace is None
    assert shown.session.playback.playing
    assert (shown.scenario.view != before.view) == (what in ("drag", "wheel"))
    assert shown.scenario.stereo.exchange_eyes == (what == "key")


def test_how_it_is_seen_can_be_changed_meanwhile(desktop):
    shown = first(desktop)
    before, size = shown.scenario, shown.app.layout.scale
    shown.key("ctrl+plus", "s", "t")
    assert shown.app.state.opening
    assert shown.app.layout.scale > size
    assert shown.scenario.stereo.mode != before.stereo.mode
    assert shown.scenario.view.theme != before.view.theme
    shown.key("ctrl+minus", "ctrl+0")
    assert shown.app.state.opening


def test_enter_is_the_button_and_escape_only_takes_over(desktop):
    shown = first(desktop)
    shown.key("Escape")
    assert not shown.app.state.opening
    assert shown.app.ui.tour.tour is None
    shown.app.ui.first_start.begin()
    shown.key("Return")
    assert shown.app.ui.tour.tour is not None


@pytest.mark.parametrize("size", [(800, 600), (1280, 720)])
def test_the_caption_does_not_hide_the_body(desktop, size):
    """Whatever way it turns: the sphere that it stays in ends above the caption."""
    shown = desktop("t-handle", size=size, playing=False, opening=True)
    scene, camera = shown.app.layout.areas.scene, shown.app.scene_view.frame.main.camera
    reach, top = 0.161, shown.boxes["why"][1]  # m; px
    depth, per_pixel = float(np.linalg.norm(camera.position)), np.tan(camera.field_of_view / 2) * 2 / scene.height
    below = (reach / np.sqrt(depth**2 - reach**2)) / per_pixel - shown.scenario.view.pan[1] * scene.height
    assert scene.y + scene.height / 2 + below < top - 30
