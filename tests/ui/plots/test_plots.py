"""The plots as they are laid out and what their buttons do."""

import csv
import shutil
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from viewer.common import folders
from viewer.export.writer import Writer
from viewer.session.plot_data import PlotData
from viewer.session.quantities import PANES, QUANTITIES
from viewer.ui.plots.curves import FLOOR, curves_of


def writer_of(session):
    """A writer, and the lines that it reports: notices, and errors."""
    notices, errors = [], []
    context = SimpleNamespace(screen=SimpleNamespace(use=lambda: None))
    return Writer(context, session, None, None, notices.append, errors.append), notices, errors


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
    buttons = [f"{pane.label}##pane" for pane in PANES.values() if not (pane.moving or pane.turned or pane.top)]
    buttons.append("close plots")
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
    shown.workspace.session.change({"loads.torque": (0.0, 0.3, -0.1)})
    shown.ui.plots.shown |= {"velocity": False, "errors": False}  # there is room for two
    shown.workspace.session.run_to(1.5)
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
    shown.workspace.session.change(values)
    shown.workspace.session.run_to(1.5)
    shown.frame(3)
    assert {"|P|##pane", "Translation##pane"} <= shown.boxes.keys()
    plots, mass = shown.ui.plots, shown.workspace.session.scenario.body.mass
    for name, of in (("linear_momentum", lambda p: p), ("translation", lambda p: p * p / (2 * mass))):
        ((_, times, found),) = curves_of(PANES[name], plots.curves[name], log=False)
        assert times[-1] > 0.5
        np.testing.assert_allclose(found, of(mass + 2.0 * times), rtol=1e-13)


def test_the_energy_comes_first_where_the_integrator_errs(open_plots):
    shown = open_plots(integrator="first-order", seconds=1.0)

    def panes():
        return {name for name in PANES if shown.ui.plots.shown[name]}

    assert panes() == {"energy", "errors"}
    shown.workspace.session.change({"solver.integrator": "exact-drift", "solver.stabilisation": "off"})
    shown.frame()
    assert panes() == {"velocity", "errors"}
    shown.click("Rolling##pane")
    shown.workspace.session.change({"solver.integrator": "first-order"})
    shown.frame()
    assert panes() == {"velocity", "errors", "rolling"}  # the user has chosen


def test_plots_are_shown_hidden_and_closed(open_plots):
    shown = open_plots(integrator="exact-drift")
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
    assert shown.written == ["plots"]
    assert shown.ui.plots.picture_wanted
    assert not shown.workspace.state.plots


def test_they_follow_until_told_otherwise(open_plots):
    shown = open_plots()
    plots, session = shown.ui.plots, shown.workspace.session
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
    # of a rotation matrix, of the stabilisation gradient, and of what a weight keeps
    elsewhere = {"orthogonality_error", "corrector", "total_energy_error", "vertical_error", "axial_error"}
    assert {quantity.name for quantity, _, _ in lines} == everything - elsewhere
    for quantity, _, values in lines:
        assert values.min() >= FLOOR
        if quantity.name == "correction":
            assert (values == FLOOR).all()
        if quantity.name == "energy_error":
            assert FLOOR < values.max() < 1e-13


def test_the_reason_for_a_missing_curve_is_told(open_plots):
    shown = open_plots()
    shown.workspace.session.change({"loads.external_friction": 0.01})
    shown.workspace.session.scene.run_on_to(12.0)
    shown.frame(2)
    assert any("no exact motion under loads" in words for words, _ in shown.texts)


def test_the_table_of_what_is_shown(open_plots):
    shown = open_plots()
    plots = shown.ui.plots
    plots.shown |= {"energy": False, "velocity": True}
    shown.frame(3)
    writer, notices, errors = writer_of(shown.workspace.session)
    writer.save_plots_table(*plots.table())
    path = Path(notices.pop().removeprefix("Saved "))
    assert path.parent == folders.documents()
    assert path.name.endswith(" plots 1.csv")
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
    writer.save_plots_table(*plots.table())
    assert notices.pop().endswith(" plots 2.csv")  # nothing is overwritten
    shown.workspace.session.scene.run_on_to(200.0)
    plots.show_all()
    shown.frame(3)
    heading, rows = plots.table()
    assert heading[:4] == ["time_s", "time_end_s", "omega_x_rad_per_s_min", "omega_x_rad_per_s_max"]
    assert all(len(row) == len(heading) and row[3] >= row[2] for row in rows)
    shutil.rmtree(folders.documents())
    folders.documents().write_text("a file where the folder should be")
    writer.save_plots_table(*plots.table())
    assert "cannot be made" in errors.pop()
    assert not notices


def test_a_picture_of_what_is_shown(open_plots, gl):
    from PIL import Image

    shown = open_plots()
    place = shown.ui.layout.areas.plots
    pixels = shown.ui.picture(place)
    shown.target.use()
    assert pixels.shape == (place.height, place.width, 3)
    screen = shown.pixels()[place.y : place.y + place.height, place.x : place.x + place.width]
    assert np.abs(pixels.astype(int) - screen).max() <= 2
    writer, notices, _ = writer_of(shown.workspace.session)
    writer.save_plots_picture(pixels)
    np.testing.assert_array_equal(np.asarray(Image.open(notices.pop().removeprefix("Saved "))), pixels)


def test_a_running_motion_has_its_curves_prepared_in_every_second_layout(open_plots, monkeypatch):
    shown = open_plots(panes=("velocity",))
    read, between = [], PlotData.between
    monkeypatch.setattr(PlotData, "between", lambda *about: read.append(about) or between(*about))
    session, plots = shown.workspace.session, shown.ui.plots
    session.playback.play()
    prepared = []
    for _ in range(8):
        session.scene.advance(1 / 30)
        read.clear()
        shown.frame()
        prepared.append(bool(read))
    assert prepared[0] is not prepared[1]
    assert prepared == 4 * prepared[:2]
    session.playback.pause()
    shown.frame(2)
    read.clear()
    shown.frame()
    assert read
    assert plots._lines["velocity"][0][1][-1] == pytest.approx(session.snapshot().reading.time, abs=0.05)


def test_through_coloured_glasses_a_curve_has_the_number_of_its_name_in_the_legend(open_plots):
    shown = open_plots(panes=("errors",), size=(1280, 900))
    shown.workspace.session.change({"stereo.mode": "anaglyph"})
    shown.frame(3)
    pane = PANES["errors"]
    names = [shown.ui.plots._label(pane, one).partition("###")[0] for one in shown.ui.plots._quantities(pane)]
    assert len(names) > 3
    assert [name[:2] for name in names] == [f"{n} " for n in range(1, len(names) + 1)]
    digits = [words for words, box in shown.texts if words.isdigit() and box[1] > shown.ui.layout.areas.plots.y]
    assert {name[0] for name in names} <= set(digits)
    shown.workspace.session.change({"stereo.mode": "mono"})
    shown.frame(3)
    assert shown.ui.plots._label(pane, shown.ui.plots._quantities(pane)[0]) == "E###E"
