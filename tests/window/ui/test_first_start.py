"""The very first start: a caption over the turning T-handle, until the user takes over."""

import numpy as np
import pytest

from viewer.commands.documents import open_named
from viewer.scenario.sections.picture import Show
from viewer.ui.overlays import start_cards


def first(desktop, **more):
    return desktop("t-handle", size=(800, 600), playing=True, first=True, **more)


def test_the_button_leads_into_the_tour_and_back_to_the_scene(desktop):
    shown = first(desktop)
    assert shown.app.ui.layout.areas.panel is None
    shown.click(*shown.middle("why"))
    assert shown.app.workspace.tour.tour.name == start_cards.TOUR
    assert not shown.app.workspace.state.opening
    shown.key("Escape")
    assert shown.scenario.title == "T-handle"
    assert shown.scenario.show == Show()  # the tour has explained the construction: it stays in sight, all of it
    assert (shown.scenario.view.pan, shown.scenario.view.zoom) == ((0.0, 0.0), 1.0)
    assert shown.session.playback.pace is None


def looked_at(shown):
    """Turned, moved, zoomed, pressed on, paused, in other colours and stereo; with its plots and its panel open."""
    middle = (300, 250)
    shown.key("shift", "ctrl+plus", "s", "t", "space", "ctrl+0")
    for what in (
        lambda: shown.drag(middle, (60, 20)),
        lambda: shown.drag(middle, (20, 10), button=3),
        lambda: shown.click(*middle),
        lambda: shown.click(*middle, button=4),
        lambda: shown.key("g", "g"),
    ):
        what()
        yield
    shown.key("p")
    yield


def test_however_it_is_looked_at_the_button_stays_and_the_panel_opens_when_it_is_asked_for(desktop):
    shown = first(desktop)
    before = shown.scenario
    for looks, _ in enumerate(looked_at(shown), start=1):
        assert shown.app.workspace.state.opening
        assert (shown.app.ui.layout.areas.panel is not None) == (looks == 6)
    assert shown.scenario.view != before.view
    assert shown.scenario.stereo.mode != before.stereo.mode
    shown.click(*shown.middle("why"))
    assert shown.app.workspace.tour.tour is not None


@pytest.mark.parametrize("how", ["push", "show", "Escape", "scene"])
def test_another_motion_picture_or_scene_ends_it_and_escape(desktop, how):
    shown = first(desktop)
    {"push": lambda: shown.key("Right"), "show": lambda: shown.app.workspace.editor.set("show.polhode", True),
     "Escape": lambda: shown.key("Escape"), "scene": lambda: open_named(shown.app.workspace, "rod")}[how]()  # fmt: skip
    shown.until(lambda: not shown.app.workspace.state.opening)
    assert shown.session.playback.pace is None
    assert shown.app.workspace.state.faint == 0.0
    assert shown.app.ui.layout.areas.panel is None


def test_enter_is_the_button_and_a_dialogs_own_where_one_is_open(desktop):
    shown = first(desktop)
    shown.key("ctrl+k")
    shown.type("light")
    shown.key("Return")
    assert shown.scenario.view.theme == "light"
    assert shown.app.workspace.tour.tour is None
    shown.key("Return")
    assert shown.app.workspace.tour.tour is not None


def test_what_turns_comes_faintly_after_the_first_flip(desktop):
    """The arrows of L and omega and the ellipsoid: none before, then at less than half of their opacity."""
    shown = desktop("t-handle", size=(800, 600), playing=True, first=True)
    seen = lambda: shown.app.scene_view.frame.main.scene  # noqa: E731
    shown.until(lambda: shown.session.motion.time > 0.5)
    assert not seen().arrows
    assert seen().shell is None
    shown.until(lambda: shown.session.motion.time > shown.app.workspace.first_scene.flip + 1.0)
    assert {arrow.name for arrow in seen().arrows} == {"L", "ω"}
    assert all(0.0 < arrow.alpha < 0.5 for arrow in seen().arrows)
    assert 0.0 < seen().shell.opacity < 0.5
    assert not shown.scenario.show.ellipsoid
    shown.key("Right")
    shown.until(lambda: not seen().arrows)


@pytest.mark.parametrize("size", [(800, 600), (1280, 720)])
def test_the_caption_does_not_hide_the_body(desktop, size):
    """Whatever way it turns: the sphere that it stays in ends above the caption."""
    shown = desktop("t-handle", size=size, playing=False, first=True)
    scene, camera = shown.app.ui.layout.areas.scene, shown.app.scene_view.frame.main.camera
    reach, top = 0.161, shown.boxes["why"][1]  # m; px
    depth, per_pixel = float(np.linalg.norm(camera.position)), np.tan(camera.field_of_view / 2) * 2 / scene.height
    below = (reach / np.sqrt(depth**2 - reach**2)) / per_pixel - shown.scenario.view.pan[1] * scene.height
    assert scene.y + scene.height / 2 + below < top - 30
