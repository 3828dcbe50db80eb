"""The panel folds where it would leave the scene too little room, and unfolds."""

import pytest

from viewer.ui.layout import panel_width
from viewer.workspace.questions import OpenQuestion


@pytest.mark.parametrize(
    ("width", "scale", "wanted"),
    [
        (1280, 1, 308),
        (800, 1, 308),
        (400, 1, 300),
        (334, 1, 250),
        (332, 1, 0),
        (64, 1, 0),
        (1, 1, 0),
        (2560, 2, 616),
        (1280, 2, 616),
    ],
)
def test_the_panel_leaves_a_quarter_to_the_scene(width, scale, wanted):
    assert panel_width(width, scale) == wanted


@pytest.mark.parametrize(("width", "is_open"), [(1280, True), (800, True), (640, False), (400, False)])
def test_the_panel_folds_by_itself_where_it_would_take_too_much(stage, width, is_open):
    shown = stage(size=(width, 720))
    layout = shown.ui.layout.areas
    assert (layout.panel is not None, layout.strip is not None) == (is_open, not is_open)
    shown.ui.layout.show_panel(not is_open)
    shown.frame(2)
    layout = shown.ui.layout.areas
    assert (layout.panel is not None, layout.strip is not None) == (not is_open, is_open)
    assert ("##body.mass[0]" in shown.boxes, "unfold" in shown.boxes) == (not is_open, is_open)


def test_a_panel_in_use_does_not_fold_before_the_pointer_leaves(stage):
    shown = stage()
    shown.workspace.session.change({"stereo.mode": "side-by-side"})
    shown.frame(2)
    assert "unfold" in shown.boxes
    shown.workspace.session.change({"stereo.mode": "mono"})
    shown.ui.pointed(shown.over("##body.mass[0]"))
    shown.frame()
    shown.workspace.session.change({"stereo.mode": "side-by-side"})
    assert shown.ui.layout.areas.panel is not None
    shown.ui.pointed(None)
    shown.frame(2)
    assert "unfold" in shown.boxes


@pytest.mark.parametrize("why", ["asked for", "in use"])
def test_halves_without_room_fold_any_panel(stage, why):
    """1000 pixels: the open panel would leave each eye 180 px of scene and no bar of time."""
    shown = stage(size=(1000, 700))
    if why == "asked for":
        shown.ui.layout.show_panel(False)
        shown.ui.layout.show_panel(True)
    else:
        shown.ui.pointed(shown.over("##body.mass[0]"))
    shown.frame(2)
    assert shown.ui.layout.areas.panel is not None
    shown.workspace.session.change({"stereo.mode": "side-by-side"})
    shown.frame(2)
    areas = shown.ui.layout.areas
    assert (areas.panel, areas.scene.width) == (None, 500 - 38)
    assert areas.timeline is not None
    shown.ui.layout.show_panel(True)  # asked for as it is now, it comes
    assert shown.ui.layout.areas.panel is not None


def test_the_strip_unfolds_and_shows_the_keys(stage):
    shown = stage(size=(400, 600))
    shown.click("?")
    assert shown.ui.keys.is_open
    shown.ui.keys.is_open = False
    shown.click("unfold")
    assert shown.workspace.state.panel


@pytest.mark.parametrize("size", [(1, 1), (64, 64), (300, 40), (3000, 20)])
def test_windows_of_any_size(stage, size):
    shown = stage(size=size)
    shown.workspace.messages.error("a message that has no room here")
    shown.ui.keys.is_open = True
    shown.workspace.ask(OpenQuestion(None, lambda paths: None))
    shown.frame(4)


def test_the_interface_is_hidden_by_a_button(stage):
    shown = stage(size=(800, 3200), open_all=True)
    shown.click("Hide the interface (H)")
    assert shown.workspace.state.hidden
