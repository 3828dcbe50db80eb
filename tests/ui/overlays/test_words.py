"""The window that shows the scene in plain words."""

import re

import pytest

from viewer.commands.actions import ACTIONS
from viewer.scene.words.describe import describe
from viewer.ui.platform.imgui_module import imgui


def opened(stage, **more):
    shown = stage(**more)
    ACTIONS["describe"].run(shown.workspace)
    shown.frame(3)
    return shown


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 1.0), ((800, 600), 1.6), ((320, 240), 1.0)])
def test_all_of_it_can_be_read_and_its_buttons_reached(stage, size, scale):
    shown = opened(stage, size=size, scale=scale)
    text = describe(shown.workspace.session)
    box = next(box for words, box in shown.texts if words == text)
    for name in ("Copy", "Close"):
        left, top, right, bottom = shown.boxes[name]
        assert 0 <= left < right <= size[0]
        assert 0 <= top < bottom <= size[1]
        assert box[3] <= top  # no line of the text runs into them
    if size != (320, 240):
        assert box[2] - box[0] > 0.6 * min(size[0], 640 * scale) - 40


def test_it_scrolls_where_it_is_higher_than_the_window(stage):
    shown = opened(stage, size=(320, 240))
    offsets = []
    for key in ("End", "Home", "Down"):
        assert shown.ui.overlays.take_key(key)
        shown.frame(3)
        window = next(window for window in _windows() if re.search("Words/text", window.name))
        offsets.append((window.scroll.y, window.scroll_max.y))
    assert offsets[0][0] == offsets[0][1] > 200.0
    assert offsets[1][0] == 0.0
    assert offsets[2][0] == pytest.approx(imgui.get_text_line_height(), abs=1.0)


def _windows():
    return list(imgui.get_current_context().windows)


def test_its_button_and_ctrl_c_copy_the_text(stage):
    shown = opened(stage)
    for copy in (lambda: shown.click("Copy"), lambda: shown.ui.overlays.take_key("Ctrl+C")):
        imgui.set_clipboard_text("something else")
        copy()
        assert imgui.get_clipboard_text() == describe(shown.workspace.session)
        shown.frame(2)
    assert any(words == "Copied" for words, _ in shown.texts) or "Copied###Copy" in shown.boxes


@pytest.mark.parametrize("way", ["Escape", "Enter", "Ctrl+D", "button", "beside"])
def test_it_is_closed_in_every_way_that_one_tries(stage, way):
    shown = opened(stage)
    assert shown.ui.words.is_open
    assert shown.ui.covers(640, 360)
    if way == "button":
        shown.click("Close")
    elif way == "beside":
        shown.move(20, 360)
        shown.button(True)
        shown.button(False)
    else:
        assert shown.ui.overlays.take_key(way)
    assert not shown.ui.words.is_open
    shown.frame()
    assert "Copy" not in shown.boxes
