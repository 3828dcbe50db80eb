"""Where the numbers come from: a line below the title that opens the texts, which stay within the window."""

import pytest

from viewer.scenario.field import TEXT_LIMIT
from viewer.scenario.scenario import Scenario
from viewer.ui.platform.imgui_module import imgui

LINE = "##where the numbers come from"


@pytest.mark.parametrize("size", [(1280, 720), (800, 600)])
@pytest.mark.parametrize("preset", ["apophis-2029", "explorer-1", "race-hidden-phase"])
def test_it_is_read_in_the_window(stage, preset, size):
    shown = stage(preset, size=size)
    shown.click(LINE)
    shown.frame(3)
    scenario = Scenario.preset(preset)
    for start, text in (("Source: ", scenario.source), ("Assumed: ", scenario.assumed)):
        boxes = [box for words, box in shown.texts if words == start + text]
        assert boxes
        left, top, right, bottom = boxes[0]
        assert 0 <= left < right <= size[0]
        assert 0 <= top < bottom <= size[1]


@pytest.mark.parametrize("preset", ["earth", "t-handle", "sphere"])
def test_the_line_asks_where_a_scene_says_nothing(stage, preset):
    shown = stage(preset)
    shown.workspace.session.change({"source": "", "assumed": ""})
    shown.frame(2)
    assert LINE in shown.boxes
    assert "Say where the numbers come from" in [words for words, _ in shown.texts]


def test_the_owner_of_a_body_writes_where_its_numbers_come_from(stage):
    shown = stage("disc")
    session = shown.workspace.session
    session.change({"body.shape": "tensor"})
    session.commit_change()
    session.run_to(1.0)
    before = session.scenario
    shown.frame(2)
    shown.click(LINE)
    shown.frame(3)
    imgui.get_io().add_input_characters_utf8("Weighed\nat home")
    shown.frame(4)
    shown.click("##assumed")
    imgui.get_io().add_input_characters_utf8("x" * (TEXT_LIMIT + 5))
    shown.frame(4)
    shown.key(imgui.Key.escape)
    shown.frame(2)
    assert "##assumed" not in shown.boxes
    assert (session.scenario.source, session.scenario.assumed) == ("Weighed at home", "x" * TEXT_LIMIT)
    assert session.motion.time == 1.0
    session.undo()
    assert (session.scenario.source, session.scenario.assumed) == ("Weighed at home", "")
    session.undo()
    assert session.scenario == before
