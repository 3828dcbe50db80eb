"""The bar at the top: what it has, what is grey or lit, and where its names stand."""

from itertools import pairwise

import pytest

from viewer.commands.actions import ACTION_OF, ACTIONS
from viewer.scene.words.formatting import sentence
from viewer.ui.bars import toolbar
from viewer.ui.bars.toolbar import TOOLS
from viewer.ui.layout import arrange
from viewer.ui.overlays.commands import commands


def drawn(shown) -> list[str]:
    return [tool.action for tool in TOOLS if f"tool {tool.action}" in shown.boxes]


def test_every_tool_is_reached_by_mouse_by_key_and_by_ctrl_k(stage):
    shown = stage()
    titles = {command.title for command in commands(shown.workspace)}
    names = {words for words, _ in shown.texts}
    for tool in TOOLS:
        action = ACTIONS[tool.action]
        assert f"tool {tool.action}" in shown.boxes
        assert [ACTION_OF[key] for key in action.keys] == [action] * len(action.keys) != []
        assert sentence(action.description) in titles
        assert tool.name in names
        assert f"tool {tool.action}" in shown.ui.controls.focus._order  # Tab leads to it


def test_the_scene_and_the_panel_begin_below_it():
    for size, scale in (((1280, 720), 1.0), ((800, 600), 1.6), ((1920, 1080), 1.0)):
        areas = arrange(size, scale)
        assert (areas.toolbar.x, areas.toolbar.y, areas.toolbar.width) == (0, 0, size[0])
        top = areas.toolbar.height
        assert areas.scene.y == (areas.panel or areas.strip).y == top
        assert areas.scene.height + areas.timeline.height + top == size[1]
    assert arrange((1280, 720), 1.0, hidden=True).toolbar is None
    assert arrange((1280, 300), 1.0).toolbar is None  # no room
    assert arrange((1280, 300), 1.0).scene.y == 0


@pytest.mark.parametrize(
    ("size", "scale"), [((1280, 720), 1.0), ((800, 600), 1.0), ((800, 600), 1.6), ((250, 600), 1.0)]
)
def test_no_tool_is_cut_off(stage, size, scale):
    shown = stage(size=size, scale=scale)
    boxes = [shown.boxes[f"tool {name}"] for name in drawn(shown)]
    assert all(box[0] >= 0 and box[2] <= size[0] and box[3] <= shown.ui.layout.areas.toolbar.height for box in boxes)
    assert all(left[2] <= right[0] for left, right in pairwise(boxes))
    if len(boxes) < len(TOOLS):
        assert shown.boxes["more tools"][2] <= size[0]


def test_what_has_no_room_is_in_a_list(stage):
    shown = stage(size=(250, 600))
    missing = [tool for tool in TOOLS if tool.action not in drawn(shown)]
    assert missing
    shown.click("more tools")
    shown.click(f"{missing[-1].name}###{missing[-1].action}")
    assert missing[-1].action == "keys"
    assert shown.ui.keys.is_open


def test_undo_and_redo_are_grey_while_there_is_nothing_to_undo(stage):
    shown = stage()
    possible = {tool.action: tool.possible for tool in TOOLS}

    def grey() -> tuple[bool, bool]:
        return not possible["undo"](shown.workspace), not possible["redo"](shown.workspace)

    assert grey() == (True, True)
    shown.click("tool undo")
    assert shown.message is None
    shown.workspace.session.change({"body.mass": 7.0})
    assert grey() == (False, True)
    shown.click("tool undo")
    assert shown.workspace.session.scenario.body.mass == 1.0
    assert grey() == (True, False)
    shown.click("tool redo")
    assert shown.workspace.session.scenario.body.mass == 7.0


def test_the_list_of_stereo_modes_shows_the_present_one_and_sets_another(stage):
    shown = stage()
    shown.click("tool stereo")
    shown.click("Cross-eyed###cross-eyed")
    assert shown.workspace.session.scenario.stereo.mode == "cross-eyed"
    assert next(tool for tool in TOOLS if tool.action == "stereo").on(shown.workspace)


def test_one_key_leads_to_mono_and_back_to_the_last_mode(stage):
    shown = stage()
    modes = []
    shown.workspace.session.change({"stereo.mode": "mono"})
    for name in ("mono", "mono", "stereo", "mono", "mono"):
        ACTIONS[name].run(shown.workspace)
        modes.append(shown.workspace.session.scenario.stereo.mode)
    assert modes == ["anaglyph", "mono", "anaglyph", "mono", "anaglyph"]
    shown.workspace.session.change({"stereo.mode": "top-bottom"})  # by the panel
    shown.frame()
    shown.workspace.session.change({"stereo.mode": "mono"})
    ACTIONS["mono"].run(shown.workspace)
    assert shown.workspace.session.scenario.stereo.mode == "top-bottom"


def test_a_new_stereo_mode_is_named_for_a_moment(stage):
    shown = stage()
    shown.workspace.session.change({"stereo.mode": "mono"})
    shown.frame(4)
    assert shown.ui.freshness.wait() is None
    ACTIONS["stereo"].run(shown.workspace)
    shown.frame(4)
    named = [box for words, box in shown.texts if words == "Anaglyph" and box[0] < shown.ui.layout.areas.scene.width]
    assert max(box[3] - box[1] for box in named) > 28  # px: large letters
    assert 1.3 < shown.ui.freshness.wait() <= 1.5  # s: one frame that takes it away, and none before
    shown.frame(1, 1.5)
    shown.frame()
    assert not [words for words, box in shown.texts if words == "Anaglyph" and box[0] < named[0][2]]
    shown.frame(3)
    assert shown.ui.freshness.wait() is None


def test_names_are_measured_again_only_where_they_could_be_otherwise(stage, monkeypatch):
    shown = stage()
    measured = []
    width_of = toolbar.width_of
    monkeypatch.setattr(toolbar, "width_of", lambda words: measured.append(words) or width_of(words))
    shown.frame(5)
    assert measured == []
    for change in (
        lambda: shown.workspace.settings.change("panel.text_size", 1.2),
        lambda: setattr(shown.window, "pixels", (1900, 720)),
        lambda: shown.workspace.settings.change("panel.language", "de"),
    ):
        change()
        shown.frame(3)
        assert measured
        measured.clear()
        shown.frame(3)
        assert measured == []
    assert any(words == "Galerie" for words, _ in shown.texts)
    shown.workspace.settings.change("panel.language", "en")
    shown.frame(2)
