"""The plots as they are laid out and what their buttons do."""

import csv
from itertools import combinations, pairwise

import numpy as np
import pytest
from helpers.frames import SINGLE, picture_of

from viewer.app import plot_files
from viewer.common.errors import InputError
from viewer.common.output_files import NewFile, numbered
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.scenario import Scenario
from viewer.session.plotted.quantities import PANES, QUANTITIES
from viewer.session.session import Session
from viewer.ui.plots import plots
from viewer.ui.plots.curves import FLOOR, color_of, curves_of, divided, limits_of, number, ticks
from viewer.ui.plots.head import Head
from viewer.ui.plots.plots import Plots


def new_in(folder, suffix):
    return NewFile(folder, numbered("plots ", suffix))


@pytest.fixture
def open_plots(stage):
    """Opens a stage whose plots show ten seconds of Jolt's method: `open_plots(size, scale, ...)`."""

    def make(size=(1280, 720), scale=1.0, panes=(), integrator="jolt", theme="dark", seconds=10.0):
        shown = stage(size=size, scale=scale, theme=theme)
        solver = {"solver.integrator": integrator, "solver.stabilisation": "off", "solver.extra_substeps": 1}
        shown.app.session.change(solver)
        shown.app.session.run_to(seconds)
        shown.app.state.plots = True
        for name in panes:
            shown.ui.plots.shown[name] = True
        shown.frame(3)
        return shown

    return make


@pytest.mark.parametrize(
    ("size", "scale", "theme"),
    [
        ((1280, 720), 1.0, "dark"),
        ((800, 600), 1.0, "light"),
        ((2560, 1440), 2.0, "high-contrast"),
        ((640, 400), 1.0, "dark"),
    ],
)
def test_every_plot_fits_in(open_plots, size, scale, theme):
    shown = open_plots(size, scale, PANES, theme=theme)
    layout = shown.ui.layout.areas
    place = layout.plots
    assert layout.scene.height >= 0.35 * size[1]
    buttons = [f"{pane.label}##pane" for pane in PANES.values() if not (pane.moving or pane.turned)] + ["close plots"]
    for name in buttons:
        left, top, right, bottom = shown.boxes[name]
        assert left >= place.x
        assert right <= place.x + place.width
        assert top >= place.y
        assert bottom <= place.y + place.height
    boxes = sorted(shown.boxes[name] for name in [*buttons, *(n for n in shown.boxes if n.endswith("##plots"))])
    for box, after in pairwise(boxes):
        assert after[0] >= box[2] - 1.0
    ground = shown.pixels()[place.y + 40 : place.y + place.height - 4, place.x + 10 : place.x + place.width - 10]
    assert len(np.unique(ground.reshape(-1, 3), axis=0)) > 20  # there are curves


def test_the_external_torque_is_plotted_where_one_acts(open_plots):
    shown = open_plots(size=(800, 600), panes=("torque", "energy"))
    assert "External torque##pane" not in shown.boxes
    shown.app.session.change({"loads.torque": (0.0, 0.3, -0.1)})
    shown.ui.plots.shown |= {"velocity": False, "errors": False}  # there is room for two
    shown.app.session.run_to(1.5)
    shown.frame(3)
    place = shown.ui.layout.areas.plots
    for name in ("External torque##pane", "close plots"):
        left, _, right, _ = shown.boxes[name]
        assert place.x <= left
        assert right <= place.x + place.width
    curves = curves_of(PANES["torque"], shown.ui.plots.curves["torque"], log=False)
    for (_, times, found), expected in zip(curves, (0.0, 0.3, -0.1), strict=True):
        assert times[-1] == pytest.approx(1.5, abs=0.02)
        np.testing.assert_allclose(found, expected, atol=1e-14)


def test_the_centre_of_mass_is_plotted_where_it_moves(open_plots):
    """A weight of 2 N on 1 kg from 1 m/s on: P and its energy are those of the parabola."""
    shown = open_plots(panes=("linear_momentum", "translation"))
    assert "Translation##pane" not in shown.boxes
    values = {"start.linear_velocity": (1.0, 0.0, 0.0), "loads.force": (2.0, 0.0, 0.0)}
    shown.app.session.change(values)
    shown.app.session.run_to(1.5)
    shown.frame(3)
    assert {"|P|##pane", "Translation##pane"} <= shown.boxes.keys()
    plots, mass = shown.ui.plots, shown.app.session.scenario.body.mass
    for name, of in (("linear_momentum", lambda p: p), ("translation", lambda p: p * p / (2 * mass))):
        ((_, times, found),) = curves_of(PANES[name], plots.curves[name], log=False)
        assert times[-1] > 0.5
        np.testing.assert_allclose(found, of(mass + 2.0 * times), rtol=1e-13)


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 1.0), ((800, 600), 1.0), ((1280, 720), 2.0)])
def test_every_button_of_a_race_has_room(stage, size, scale):
    shown = stage(preset="race-hidden-phase", size=size, scale=scale)
    shown.app.state.plots = True
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


def test_plots_are_shown_hidden_and_closed(open_plots):
    shown = open_plots()
    shown_first = {name for name in PANES if shown.ui.plots.shown[name]}
    assert shown_first == {"velocity", "errors"}
    shown.click("Energy##pane")
    shown.click("Errors##pane")
    assert {name for name in PANES if shown.ui.plots.shown[name]} == {"energy", "velocity"}
    shown.click("Log##plots")
    assert not shown.ui.plots.logarithmic
    for name in PANES:
        shown.ui.plots.shown[name] = False
    shown.frame(2)
    assert any("Choose what to plot" in words for words, _ in shown.texts)
    shown.click("CSV##plots")
    shown.click("PNG##plots")
    shown.click("close plots")
    assert shown.app.done == ["save_plots_csv", "save_plots_png"]
    assert not shown.app.state.plots


def test_they_follow_until_told_otherwise(open_plots):
    shown = open_plots()
    plots, session = shown.ui.plots, shown.app.session
    assert plots.begin <= 0.0 < session.motion.time < plots.end
    session.scene.run_on_to(60.0)
    shown.frame()
    assert plots.end == pytest.approx(60.0 + 0.02 * 20.0)
    assert plots.end - plots.begin == pytest.approx(20.0)
    shown.click("Follow##plots")
    before = plots.begin, plots.end
    session.scene.run_on_to(70.0)
    shown.frame()
    assert (plots.begin, plots.end) == before
    shown.click("All##plots")
    assert plots.begin < 0.0
    assert plots.end > 70.0
    assert sum(len(least) for least, _, _ in plots.curves["errors"]) <= 600
    session.reset()
    shown.frame()
    assert plots.follow


def test_each_plot_has_points_for_its_own_width(open_plots):
    shown = open_plots(size=(2560, 1440), panes=tuple(PANES), seconds=300.0)
    plots = shown.ui.plots
    plots.show_all()
    shown.frame()
    width = shown.ui.layout.areas.plots.width
    weights = {name: PANES[name].width for name in plots.curves}
    assert len(weights) > 3  # "errors" is wider than the others
    rows = {name: sum(len(least) for least, _, _ in curves) for name, curves in plots.curves.items()}
    for name, weight in weights.items():
        assert 30 < rows[name] <= 0.5 * width * weight / sum(weights.values()) + 4
    assert rows["errors"] > 1.5 * rows["energy"]


def test_the_edge_is_dragged(open_plots):
    shown = open_plots()
    height = shown.ui.layout.areas.plots.height
    x, y = shown.over("##plots edge")
    shown.button(True)
    shown.move(x, y - 30)
    shown.move(x, y - 60)
    shown.button(False)
    assert shown.ui.layout.areas.plots.height == pytest.approx(height + 60, abs=1)


def test_the_orthogonality_error_is_plotted_where_a_matrix_is_kept(open_plots):
    plots = open_plots(integrator="matrix-euler").ui.plots
    lines = curves_of(PANES["errors"], plots.curves["errors"], log=True)
    (values,) = [values for quantity, _, values in lines if quantity.name == "orthogonality_error"]
    assert (np.diff(values) >= 0).all()  # it grows, from none
    assert values[-1] > 1e-4


def test_zero_stands_at_the_floor_of_the_logarithmic_scale(open_plots):
    shown = open_plots(integrator="exact-drift")
    plots = shown.ui.plots
    lines = curves_of(PANES["errors"], plots.curves["errors"], log=True)
    everything = {name for name, quantity in QUANTITIES.items() if quantity.pane == "errors"}
    elsewhere = {"orthogonality_error", "corrector"}  # of a rotation matrix, of the stabilisation gradient
    assert {quantity.name for quantity, _, _ in lines} == everything - elsewhere
    for quantity, _, values in lines:
        assert values.min() >= FLOOR
        if quantity.name == "correction":
            assert (values == FLOOR).all()
        if quantity.name == "energy_error":
            assert FLOOR < values.max() < 1e-13


def test_the_reason_for_a_missing_curve_is_told(open_plots):
    shown = open_plots()
    shown.app.session.change({"loads.external_friction": 0.01})
    shown.app.session.scene.run_on_to(12.0)
    shown.frame(2)
    assert any("no exact motion under loads" in words for words, _ in shown.texts)


def test_the_table_of_what_is_shown(open_plots, tmp_path):
    shown = open_plots()
    plots = shown.ui.plots
    path = plot_files.write_csv(plots, new_in(tmp_path, ".csv"))
    assert path.name == "plots 1.csv"
    lines = list(csv.reader(path.read_text(encoding="ascii").splitlines()))
    assert lines[0][0] == "time_s"
    assert "omega_y_rad_per_s" in lines[0]
    assert "energy_error_relative" in lines[0]
    assert not any(name.startswith("target_energy") for name in lines[0])  # that plot is closed
    times = np.array([float(line[0]) for line in lines[1:]])
    assert (np.diff(times) >= 0.0).all()
    assert times[-1] == pytest.approx(10.0, abs=0.1)
    at = lines[0].index("omega_y_rad_per_s")
    assert float(lines[1][at]) == pytest.approx(3.0, rel=1e-15)
    assert plot_files.write_csv(plots, new_in(tmp_path, ".csv")).name == "plots 2.csv"  # nothing is overwritten
    shown.app.session.scene.run_on_to(200.0)
    plots.show_all()
    shown.frame(3)
    heading, rows = plot_files.table(plots)
    assert heading[:4] == ["time_s", "time_end_s", "omega_x_rad_per_s_min", "omega_x_rad_per_s_max"]
    assert all(len(row) == len(heading) and row[3] >= row[2] for row in rows)
    with pytest.raises(InputError, match="cannot be written"):
        plot_files.write_csv(plots, new_in(tmp_path / "missing", ".csv"))


def test_a_picture_of_what_is_shown(open_plots, gl, tmp_path):
    from PIL import Image

    shown = open_plots()
    place = shown.ui.layout.areas.plots
    pixels = shown.ui.picture(place)
    shown.target.use()
    assert pixels.shape == (place.height, place.width, 3)
    screen = shown.pixels()[place.y : place.y + place.height, place.x : place.x + place.width]
    assert np.abs(pixels.astype(int) - screen).max() <= 2
    path = plot_files.write_png(pixels, new_in(tmp_path, ".png"))
    np.testing.assert_array_equal(np.asarray(Image.open(path)), pixels)


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


@pytest.mark.parametrize("size", [(1280, 720), (800, 600)])
@pytest.mark.parametrize("preset", ["race-of-five", "paper-fig1"])
def test_a_tab_is_lit_where_its_plot_is_drawn(stage, monkeypatch, preset, size):
    """Of all that are wanted those that have room; a press on another one draws that one."""
    drawn, lit = set(), set()
    pane = Plots._pane
    button = Head._button
    monkeypatch.setattr(Plots, "_pane", lambda self, *args: (drawn.add(args[2].label), pane(self, *args))[1])

    def noted(self, look, one, kind):
        if one[1] and kind == "##pane":
            lit.add(one[0])
        return button(self, look, one, kind)

    monkeypatch.setattr(Head, "_button", noted)
    shown = stage(preset, size=size)
    shown.app.state.plots = True
    for name in shown.ui.plots.shown:
        shown.ui.plots.shown[name] = True
    shown.app.session.run_to(5.0)
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
    shown.app.state.plots = True
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
    shown.app.state.plots = True
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


def test_every_curve_is_named_where_the_plot_is_narrow(open_plots):
    """In a line in the plot, or below each other beside it."""
    shown = open_plots(size=(800, 600))
    shown.app.session.change({"solver.stabilisation": "gradient"})
    shown.app.session.scene.run_on_to(12.0)
    shown.frame(12)
    named = {words: box for words, box in shown.texts if words in ("E", "phase", "turn", "corr.", "i_c")}
    place = shown.ui.layout.areas.plots
    left, top, right, bottom = named["i_c"]
    assert place.x < left < right <= place.x + place.width
    assert place.y < top < bottom <= place.y + place.height
    assert named["i_c"][1] > named["corr."][1] > named["turn"][1]


def test_a_curve_in_several_pieces_is_named_once(open_plots, monkeypatch):
    original = plots.curves_of
    monkeypatch.setattr(plots, "curves_of", lambda *given: 2 * original(*given))
    shown = open_plots(size=(800, 600))
    shown.app.session.scene.run_on_to(12.0)
    shown.frame(12)
    place = shown.ui.layout.areas.plots
    named = [words for words, box in shown.texts if box[1] > place.y and words.startswith("ω")]
    assert len(named) == len(set(named)) > 0


@pytest.mark.parametrize("room", [300.0, 467.0, 900.0])
def test_widths_of_plots_leave_room_for_their_legends(room):
    """All of the room is used; none is too narrow while all can be wide enough."""
    for weights, least in (([1.0, 1.7], [150.0, 300.0]), ([1.0, 1.0, 1.0], [200.0, 10.0, 10.0]), ([2.0], [40.0])):
        widths = divided(room, weights, least)
        assert sum(widths) == pytest.approx(room)
        if sum(least) <= room:
            assert all(width >= few - 1e-9 for width, few in zip(widths, least, strict=True))
        else:
            assert widths == pytest.approx([room * weight / sum(weights) for weight in weights])


@pytest.mark.parametrize(("begin", "end", "room"), [(-0.3, 0.3, 180.0), (-1.9, 1.9, 180.0), (0.0, 20.0, 150.0)])
def test_numbers_on_an_axis_do_not_run_together(begin, end, room):
    """7.5 pixels a figure, as wide as the widest of the font, and one between."""
    found = ticks(begin, end, room / 48.0)
    apart = room * np.diff(found).min() / (end - begin)
    assert len(found) >= 2
    assert apart > 7.5 * (max(len(number(value)) for value in found) + 1)


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


@pytest.mark.parametrize(("size", "text_size"), [((1280, 720), 1.0), ((1000, 720), 1.6)])
def test_a_title_stands_in_whole_above_its_plot(stage, size, text_size):
    """Below the line of buttons."""
    shown = stage("dzhanibekov", size=size)
    shown.app.settings.change("panel.text_size", text_size)
    shown.app.state.plots = True
    shown.app.session.run_to(3.0)
    shown.frame(3)
    top = shown.ui.layout.areas.plots.y + 24 * shown.ui.layout.scale
    titles = [box for words, box in shown.texts if words in ("ω in the body [rad/s]", "Errors") and box[1] > top]
    assert len(titles) == 2
