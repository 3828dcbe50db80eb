"""Where the numbers come from: a line below the title that opens the texts, which stay within the window."""

import pytest

from viewer.scenario.scenario import Scenario

LINE = "##where the numbers come from"


@pytest.mark.parametrize("size", [(1280, 720), (800, 600)])
@pytest.mark.parametrize("preset", ["apophis-2029", "explorer-1"])
def test_it_is_read_in_the_window(stage, preset, size):
    shown = stage(preset, size=size)
    shown.click(LINE)
    shown.frame(3)
    scenario = Scenario.preset(preset)
    for start, text in (("Numbers: ", scenario.source), ("Assumed: ", scenario.assumed)):
        boxes = [box for words, box in shown.texts if words == start + text]
        assert boxes
        left, top, right, bottom = boxes[0]
        assert 0 <= left < right <= size[0]
        assert 0 <= top < bottom <= size[1]


def test_a_scene_that_says_nothing_has_no_line(stage):
    assert LINE not in stage("paper-fig1").boxes
