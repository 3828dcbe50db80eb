"""The buttons above the plots: all of them are found, and leave the curves room."""

from itertools import combinations

import pytest

from viewer.ui.plots.head import Head
from viewer.ui.plots.plots import Plots


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 1.0), ((800, 600), 1.0), ((1280, 720), 2.0)])
def test_every_button_of_a_race_has_room(stage, size, scale):
    shown = stage(preset="race-hidden-phase", size=size, scale=scale)
    shown.workspace.state.plots = True
    shown.frame(3)
    place = shown.ui.layout.areas.plots
    wanted = [f"{pane.label}##pane" for pane in shown.ui.plots.panes.values()]
    names = ["close plots", *(name for name in shown.boxes if name.endswith(("##pane", "##plots")))]
    assert set(wanted) <= set(names) or (scale == 2.0 and "More##plots" in names)  # letters for half the window: a list
    boxes = {name: shown.boxes[name] for name in names}
    for left, top, right, bottom in boxes.values():
        assert place.x <= left
        assert right <= place.x + place.width
        assert place.y <= top
        assert bottom <= place.y + place.height
    for (name, one), (after, other) in combinations(boxes.items(), 2):
        apart = max(one[0] - other[2], other[0] - one[2], one[1] - other[3], other[1] - one[3])
        assert apart >= -1.0, f"{name} and {after}"  # px


@pytest.mark.parametrize("size", [(1280, 720), (800, 600)])
@pytest.mark.parametrize("preset", ["race-of-five", "paper-fig1"])
def test_a_tab_is_lit_where_its_plot_is_drawn(stage, monkeypatch, preset, size):
    """Of all that are wanted those that have room; a press on another one draws that one."""
    drawn, lit = set(), set()
    pane = Plots._pane
    button = Head._button
    monkeypatch.setattr(Plots, "_pane", lambda self, *args: (drawn.add(args[2].label), pane(self, *args))[1])

    def noted(self, look, one):
        if one.lit and one.kind == "##pane":
            lit.add(one.label)
        return button(self, look, one)

    monkeypatch.setattr(Head, "_button", noted)
    shown = stage(preset, size=size)
    shown.workspace.state.plots = True
    for name in shown.ui.plots.shown:
        shown.ui.plots.shown[name] = True
    shown.workspace.session.run_to(5.0)
    shown.frame(3)
    labels = [pane.label for pane in shown.ui.plots.panes.values()]
    for label in reversed(labels):
        drawn.clear()
        lit.clear()
        shown.frame()
        assert lit == drawn
        assert 2 <= len(lit) < len(labels)
        if label not in lit:
            shown.click(f"{label}##pane")
            lit.clear()
            shown.frame()
            assert label in lit


@pytest.mark.parametrize("size", [(1280, 720), (800, 600)])
def test_what_has_no_room_is_in_a_list(stage, size):
    shown = stage("race-of-five", size=size)
    plots = shown.ui.plots
    shown.workspace.state.plots = True
    shown.frame(3)
    assert "More##plots" in shown.boxes
    for label, state in (("Follow", "follow"), ("Log", "logarithmic")):
        assert getattr(plots, state)
        if f"{label}##plots" in shown.boxes:
            shown.click(f"{label}##plots")
        else:
            shown.click("More##plots")
            shown.frame(2)
            shown.click(f"{label}##more")
        assert not getattr(plots, state)
    shown.frame(2)
    shown.click("More##plots")
    shown.frame(2)
    names = [
        name.partition("##")[0] for name in shown.boxes if name.endswith(("##more", "##plots")) and "###" not in name
    ]
    assert sorted(names) == ["All", "CSV", "Follow", "Log", "More", "PNG"]


@pytest.mark.parametrize("preset", ["race-of-five", "dzhanibekov"])
def test_the_buttons_leave_the_plots_room_where_letters_are_large(stage, preset):
    """In the smallest window those of a race took all of it; what stands in no line is in the list, and works."""
    shown = stage(preset, size=(800, 600), scale=1.6)
    plots = shown.ui.plots
    shown.workspace.state.plots = True
    shown.frame(3)
    place = shown.ui.layout.areas.plots
    lowest = max(box[3] for name, box in shown.boxes.items() if name.endswith(("##pane", "##plots")))
    assert place.y + place.height - lowest >= 70 * 1.6
    listed = [name for name, pane in plots.panes.items() if f"{pane.label}##pane" not in shown.boxes]
    assert bool(listed) == (preset == "race-of-five")
    for name in listed[-1:]:
        shown.click("More##plots")
        shown.frame(2)
        shown.click(f"{plots.panes[name].label}##more")
        assert plots.shown[name]
