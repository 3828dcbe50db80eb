"""Curves, axes, legends and titles of the plots."""

import numpy as np
import pytest
from helpers.frames import SINGLE, picture_of

from viewer.scenario.choices.themes import THEMES
from viewer.scenario.scenario import Scenario
from viewer.session.quantities import PANES, QUANTITIES
from viewer.session.session import Session
from viewer.ui.platform.imgui_module import implot
from viewer.ui.plots.curves import color_of, curves_of, decades, limits_of, numbers, ticks


@pytest.mark.parametrize(
    ("begin", "end", "most", "wanted"),
    [
        (-0.4, 19.6, 7.0, [0.0, 5.0, 10.0, 15.0]),
        (0.0, 1.0, 5.0, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (3.1, 3.1004, 2.5, [3.1, 3.1002, 3.1004]),
        (-7e5, 9e5, 4.0, [-500000.0, 0.0, 500000.0]),
    ],
)
def test_the_time_axis_has_round_numbers(begin, end, most, wanted):
    assert ticks(begin, end, most) == wanted


def test_condensed_curves_rise_and_fall_with_what_they_stand_for():
    times = np.arange(40.0)
    column = 1 + list(QUANTITIES).index("omega_x")
    least = np.zeros((40, 1 + len(QUANTITIES)))
    least[:, 0], least[:, column] = times, -times
    largest = least.copy()
    largest[:, 0] += 0.9
    largest[:, column] += 0.9
    ((_, x, y),) = (line for line in curves_of(PANES["velocity"], [(least, largest, 3)], False) if line[2].any())
    assert (np.diff(x) > 0.0).all()
    assert (np.diff(y) < 0.0).all()


@pytest.mark.parametrize("preset", SINGLE)
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_rates_have_the_colours_of_their_axes_in_the_scene(preset, theme):
    scenario = Scenario.preset(preset).with_value("view.theme", theme)
    session = Session(scenario.with_value("show.body_axes", True), playing=False)
    stubs = {stroke.name: stroke.color for stroke in picture_of(session, (800, 600)).main.scene.strokes}
    moments = session.snapshot().body.principal_moments
    colors = {letter: color_of(THEMES[theme], QUANTITIES[f"omega_{letter}"], moments) for letter in ("x", "y", "z")}
    assert len(set(colors.values())) == 3
    for letter, color in colors.items():
        if f"{letter}′" in stubs:
            assert color == stubs[f"{letter}′"]
    assert preset.startswith("race") or {"x′", "y′", "z′"} <= set(stubs)


def test_a_logarithmic_axis_has_powers_of_ten_alone():
    assert decades(4e-18, 2e-3, 6.0) == [-3, -6, -9, -12, -15]
    assert decades(4e-18, 2e-3, 1.0) == [-3, -10, -17]


def test_a_legend_that_has_no_room_above_the_curves_stands_beside_them(open_plots, monkeypatch):
    placed: list[tuple[int, int]] = []
    monkeypatch.setattr(implot, "setup_legend", lambda *given: placed.append(given))
    for size, beside in (((2560, 1440), False), ((640, 400), True)):
        shown = open_plots(size=size)
        placed.clear()
        shown.frame()
        assert {where == implot.Location_.east.value for where, _ in placed} == {beside}


@pytest.mark.parametrize(("begin", "end", "room"), [(-0.3, 0.3, 180.0), (-1.9, 1.9, 180.0), (0.0, 20.0, 150.0)])
def test_numbers_on_an_axis_do_not_run_together(begin, end, room):
    """7.5 pixels a figure, as wide as the widest of the font, and one between."""
    found = ticks(begin, end, room / 48.0)
    apart = room * np.diff(found).min() / (end - begin)
    assert len(found) >= 2
    assert apart > 7.5 * (max(map(len, numbers(found))) + 1)


def test_the_legend_stands_clear_of_the_curves():
    times = np.linspace(0.0, 1.0, 50)
    line = (QUANTITIES["omega_x"], times, np.sin(9.0 * times))
    low, high = limits_of([line], False, 0.15)
    bottom, top = (line[2].min() - low) / (high - low), (high - line[2].max()) / (high - low)
    assert bottom == pytest.approx(0.05)
    assert top == pytest.approx(0.15)
    error = (QUANTITIES["omega_x"], times, 10.0 ** (-6.0 + np.sin(9.0 * times)))
    low, high = limits_of([error], True, 0.22)
    assert np.log10(high / error[2].max()) / np.log10(high / low) == pytest.approx(0.22)


def test_the_numbers_of_an_axis_are_written_alike():
    assert numbers([0.237, 0.2375, 0.238]) == ["0.2370", "0.2375", "0.2380"]
    assert numbers([-5.0, 0.0, 5.0]) == ["−5", "0", "5"]
    assert numbers([0.0, 2e-9, 4e-9]) == ["0", "2·10⁻⁹", "4·10⁻⁹"]
    assert numbers([1.5e7, 2e7]) == ["1.5·10⁷", "2.0·10⁷"]


@pytest.mark.parametrize(("size", "text_size"), [((1280, 720), 1.0), ((1000, 720), 1.6)])
def test_a_title_stands_in_whole_above_its_plot(stage, size, text_size):
    """Below the line of buttons."""
    shown = stage("dzhanibekov", size=size)
    shown.workspace.settings.change("panel.text_size", text_size)
    shown.workspace.state.plots = True
    shown.workspace.session.run_to(3.0)
    shown.frame(3)
    top = shown.ui.layout.areas.plots.y + 24 * shown.ui.layout.scale
    titles = [box for words, box in shown.texts if words in ("ω in the body [rad/s]", "Errors") and box[1] > top]
    assert len(titles) == 2


def test_only_the_plot_of_the_phase_says_why_there_is_none(stage):
    shown = stage("dzhanibekov", size=(1280, 720))
    shown.workspace.session.change({"loads.external_friction": 0.01})
    shown.workspace.state.plots = True
    shown.ui.plots.shown["rolling"] = True
    shown.workspace.session.run_to(1.0)
    shown.frame(3)
    top = shown.ui.layout.areas.plots.y + 24 * shown.ui.layout.scale
    titles = [words for words, box in shown.texts if box[1] > top]
    assert sum("no phase" in words for words in titles) == 1
    assert "Rolling" in titles
