"""What is begun in Dear ImGui and ImPlot is ended, also where something is raised in between."""

import re
from pathlib import Path

import pytest

from viewer import ui
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.plots import chart
from viewer.ui.widgets import scopes

BEGUN = re.compile(r"\bim(gui|plot)\.(begin|push_\w+|begin_\w+)\(|\.push_clip_rect\(")


def test_only_one_module_begins_what_has_to_be_ended():
    found = {
        path.name for path in Path(ui.__file__).parent.rglob("*.py") if BEGUN.search(path.read_text(encoding="utf-8"))
    }
    assert found == {Path(scopes.__file__).name, Path(chart.__file__).name}


def test_a_part_that_raises_leaves_the_others_as_they_were(stage, monkeypatch):
    """ImGui's stacks are those of a frame in which nothing is raised: else it complains at the frame's end."""
    shown = stage(open_all=True)
    shown.workspace.state.plots = True
    shown.frame(3)
    told: list[str] = []
    monkeypatch.setattr(shown.ui.boundary, "_failed", lambda error: told.append(str(error)))
    before = shown.pixels().copy()
    inside = ["text_unformatted", "invisible_button", "button", "input_text"]
    for name in inside:
        original, count = getattr(imgui, name), [0]

        def some(*given, original=original, count=count, name=name, **more):
            count[0] += 1
            if count[0] % 7 == 3:
                raise ValueError(f"{name} {count[0]}")
            return original(*given, **more)

        with monkeypatch.context() as patch:
            patch.setattr(imgui, name, some)
            shown.frame(5)
    assert len(told) > len(inside)
    shown.frame(3)
    assert (shown.pixels() == before).mean() > 0.999


@pytest.mark.parametrize("what", ["_over_time", "_path"])
def test_a_plot_of_a_race_that_raises_is_ended(stage, monkeypatch, what):
    shown = stage("race-of-five")
    shown.workspace.state.plots = True
    shown.frame(3)
    told: list[str] = []
    monkeypatch.setattr(shown.ui.boundary, "_failed", lambda error: told.append(str(error)))

    def broken(*_):
        raise ValueError("no such curve")

    monkeypatch.setattr(f"viewer.ui.plots.race.{what}", broken)
    shown.frame(5)
    assert told == ["no such curve"] * len(told)
    assert 1 <= len(told) <= 4  # once for each plot
