"""Pointing at things in the scene: they say their names, in every part of the window; and nothing is drawn at rest."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from helpers.frames import with_scene
from helpers.pointing import eye_pixel

from viewer.commands.documents import open_named
from viewer.scene.naming.spot import spot_at

Place = tuple[float, float]


def place_of(d: Any, point: np.ndarray, part: int = 0) -> Place:
    """Where a point of the world appears in that part of the window."""
    scene, viewports, frame = d.app.ui.layout.areas.scene, d.app.ui.layout.viewports, d.app.scene_view.frame
    eye = 0 if frame.mode.halves == (1, 1) else frame.mode.eyes[part]
    x, y = eye_pixel(frame.main, point, scene.size, eye)
    (across, down), rect = viewports.stretch, viewports.rects[part]
    return rect.x + (scene.x + x) / across, rect.y + (scene.y + y) / down


@pytest.mark.parametrize("mode", ["mono", "anaglyph", "side-by-side-half"])
def test_what_the_pointer_is_over_says_its_name(desktop: Callable[..., Any], mode: str) -> None:
    d = desktop(size=(1280, 720))
    d.app.workspace.editor.set("stereo.mode", mode)
    d.settle()
    d.until(lambda: d.app.workspace.animator.state[0])
    d.settle()
    arrow = next(a for a in d.app.scene_view.frame.main.scene.arrows if a.name == "L")
    for part in range(len(d.app.ui.layout.viewports.rects)):
        d.move(*place_of(d, 0.8 * arrow.end, part))
        d.until(lambda: d.app.workspace.state.named is not None)
        d.settle()
        assert d.app.workspace.state.named.name == "L"
        assert d.app.scene_view.frame.main.scene.glowing == "L"
        frames = d.app.frames.count
        for _ in range(20):
            d.turn()
        assert d.app.frames.count == frames  # the mouse rests: nothing is drawn
        d.hands("mousedown", 1)
        assert d.app.workspace.state.named is None
        d.hands("mouseup", 1)


@pytest.mark.parametrize(("size", "text_size", "explains"), [((1280, 720), 1.0, True), ((800, 600), 1.6, False)])
def test_a_card_leaves_most_of_the_scene_free(
    desktop: Callable[..., Any], size: tuple[int, int], text_size: float, explains: bool
) -> None:
    """In large letters, above the plots, it covered nearly all; there it says only name and value."""
    d = desktop(size=size)
    d.app.workspace.settings.change("panel.text_size", text_size)
    d.app.workspace.state.plots = True
    d.settle()
    arrow = next(a for a in d.app.scene_view.frame.main.scene.arrows if a.name == "L")
    d.move(*place_of(d, 0.8 * arrow.end))
    d.until(lambda: d.app.workspace.state.named is not None)
    d.settle()
    card, scene = d.app.ui.name_card.box, d.app.ui.layout.areas.scene
    assert card.width * card.height <= 0.25 * scene.width * scene.height
    assert (card.height > 6 * 16.0 * text_size) == explains  # five lines or more, else name, components and length


def test_a_surface_answers_a_pointer_at_rest_and_the_key_turns_names_off(
    desktop: Callable[..., Any],
) -> None:
    d = desktop(size=(1280, 720))
    plane = d.app.scene_view.frame.main.scene.plane
    x, y = place_of(d, plane.centre + plane.world_from_plane @ (-0.5 * plane.reach, 0.5 * plane.reach, 0.0))
    assert d.app.ui.layout.areas.scene.holds(x, y)
    d.move(x, y)
    d.until(lambda: d.app.workspace.state.named is not None)
    assert d.app.workspace.state.named.name == "plane"
    d.key("e")
    d.until(lambda: d.app.workspace.state.named is None)
    assert not d.app.workspace.settings.value("names.pointer")


def test_the_legend_leaves_the_body_free_in_a_small_window(desktop: Callable[..., Any]) -> None:
    from viewer.ui.names import legend

    d = desktop(size=(800, 600))
    places: list[Any] = []
    place = legend.choose_entries

    def noted(*args: Any) -> Any:
        places.append(place(*args)[1][0])
        return place(*args)

    legend.choose_entries, d.app.workspace.state.panel = noted, None
    try:
        d.key("shift+n")
    finally:
        legend.choose_entries = place
    rect, size = places[-1], d.app.ui.layout.areas.scene.size
    covered = seen = 0
    for _ in range(8):  # a period
        for _ in range(9):
            d.session.playback.toggle()
            d.session.scene.advance(0.1)
            d.session.playback.toggle()
        d.settle()
        frame = d.app.scene_view.frame
        bare = with_scene(frame, curves=(), trail=None, arrows=(), strokes=(), overlay_strokes=(), contact=None)
        seen += name_at(bare, (size[0] / 2, size[1] / 2), size) == "body"
        for x in np.linspace(rect.x, rect.x + rect.width - 1, 15):
            for y in np.linspace(rect.y, rect.y + rect.height - 1, 5):
                covered += name_at(bare, (x, y - d.app.ui.layout.areas.scene.y), size) == "body"
    assert seen == 8
    assert covered == 0
    assert d.message is None
    d.key("shift+n")
    open_named(d.app.workspace, "twenty-boxes")
    d.settle()
    d.key("shift+n")
    assert d.message == "The legend has no room in this picture"


def test_a_message_leaves_the_legend_free(desktop: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    from viewer.ui.names import legend

    d = desktop("paper-fig1", size=(1280, 720))
    d.app.workspace.messages.error("There is no file named something-or-other.toml")
    d.settle()
    box = d.app.ui.message_card.boxes[0]
    d.app.workspace.messages.clear()
    d.settle()
    empty = pixels(d, box)
    place = box, [(box.x + 8.0, box.y + 8.0)]  # along the lower edge
    monkeypatch.setattr(legend, "choose_entries", lambda look, scene, items, *_: (items[:1], place))
    d.key("shift+n")
    alone = pixels(d, box)
    assert np.abs(alone - empty).max() > 100  # the legend lies there
    d.app.workspace.messages.error("There is no file named something-or-other.toml")
    d.settle()
    above = d.app.ui.message_card.boxes[0]
    assert above.y + above.height <= box.y
    assert np.abs(pixels(d, box) - alone).max() == 0


def pixels(d: Any, box: Any) -> np.ndarray:
    return d.screen()[box.y : box.y + box.height, box.x : box.x + box.width].astype(int)


def name_at(frame: Any, pixel: Place, size: tuple[int, int]) -> str:
    found = spot_at(frame, 0, pixel, size, 1.0)
    return "" if found is None else found.name
