"""The plots of a race: what is drawn and written are the lanes' own numbers."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from tests.helpers.synthetic_tosses import Tosses, as_phyphox, tossed_phone
from viewer.race.live import LiveRace
from viewer.race.trajectory import Course, run_lane
from viewer.replay.scene import replayed, scene_of
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import parse_lanes
from viewer.ui.platform.imgui_module import implot
from viewer.ui.plots import curves
from viewer.ui.plots import race as race_plots
from viewer.ui.plots.race import COLUMNS, RACE_PANES, race_table, values_at

SCENE = Scenario.preset("race-of-five")


@pytest.fixture(scope="module")
def race():
    found = LiveRace(SCENE)
    found.follow(150.0)
    return found


def test_samples_are_those_of_the_tracks(race):
    course = Course.of(SCENE, steps_per_rotation=30.0, seconds=150.0, samples=10**6)
    order = np.argsort(course.body.principal_moments)
    for runner, lane in zip(race.runners, parse_lanes(list(SCENE.race.lanes)), strict=True):
        track = run_lane(course, lane)
        rows = runner.until(race.shown)
        many = len(rows)
        assert many > 300
        if track.stopped is not None:
            rows = rows[: many // 2]  # later it leaves what floats can compare
        many = len(rows)
        size, energy = track.angular_momentum_norm[0], track.errors.energy[:many] + 1.0
        np.testing.assert_allclose(rows["momentum_ratio"], track.angular_momentum_norm[:many] / size, rtol=1e-12)
        np.testing.assert_allclose(rows["energy_ratio"], energy, rtol=1e-12)
        np.testing.assert_allclose(rows["energy_factor"], track.energy_factor[:many], rtol=1e-12)
        np.testing.assert_allclose(rows["counts"]["ahead"], track.errors.phase[:many], atol=1e-9)
        in_body = np.column_stack([rows[f"body_{name}"] for name in ("smallest", "middle", "largest")])
        np.testing.assert_allclose(in_body, track.angular_momentum_body[:many, order] / size, atol=1e-12)
        across = np.hypot(rows["across_1"], rows["across_2"])
        L = track.angular_momentum_world[:many] / size
        np.testing.assert_allclose(across, np.linalg.norm(np.cross(L, L[0]), axis=1), atol=1e-12)


def test_the_table_holds_the_lanes_that_are_shown(race):
    heading, rows = race_table(race, ("jolt",), 20.0, 140.0)
    rows = np.array(list(rows))
    assert heading[0] == "time_s"
    assert len(heading) == 1 + 4 * len(COLUMNS)
    assert not any(name.startswith("jolt") for name in heading)
    assert 20.0 <= rows[0, 0] < rows[-1, 0] <= 140.0
    column = heading.index("naive-rotation_energy_factor_per_kg_m2")
    assert rows[-1, column] == pytest.approx(2.0, rel=1e-3)
    gone = rows[:, heading.index("explicit-euler_energy_relative")]
    assert np.isnan(gone[-1])  # it diverged at 131 s
    assert not np.isnan(gone[0])


def test_every_pane_is_drawn(stage):
    shown = stage("race-of-five", size=(2400, 900))
    shown.workspace.session.run_to(60.0)
    shown.workspace.state.plots = True
    shown.frame(2)
    before = shown.pixels().copy()
    for name in RACE_PANES:
        shown.ui.plots.shown[name] = True
    shown.frame(3)
    words = [words for words, _ in shown.texts]
    for pane in RACE_PANES.values():
        assert (pane.label in words) is not (pane.recorded or pane.free is False)
    assert np.mean(shown.pixels() != before) > 0.01
    assert "Follow" in words


@pytest.mark.parametrize("seconds", [1.0, 6.0])
@pytest.mark.parametrize("name", ["race_factor", "race_phase", "race_across", "race_body_13"])
def test_each_lane_has_its_number_in_the_list_and_at_the_end_of_its_curve(stage, name, seconds):
    """Through coloured glasses all of them are grey."""
    shown = stage("race-of-five", size=(800, 1000))
    shown.workspace.settings.change("panel.open_sections", ("Race",))
    shown.workspace.session.change({"race.hidden": ("jolt",)})
    shown.workspace.session.run_to(seconds)
    shown.workspace.state.plots = True
    for other in RACE_PANES:
        shown.ui.plots.shown[other] = other == name
    shown.frame(3)
    areas = shown.ui.layout.areas
    numbers = [(words, box) for words, box in shown.texts if words in set("12345")]
    listed = [
        words for words, box in numbers if box[0] > areas.panel.x and box[1] > shown.boxes["##lane explicit-euler"][1]
    ]
    assert listed == ["1", "2", "3", "4", "5"]
    ends = [(words, box) for words, box in numbers if box[0] < areas.panel.x and box[1] > areas.scene.height]
    assert sorted(words for words, _ in ends) == ["1", "3", "4", "5"]
    for at, (_, box) in enumerate(ends):
        for _, other in ends[:at]:
            assert min(box[2], other[2]) <= max(box[0], other[0]) or min(box[3], other[3]) <= max(box[1], other[1])


def test_of_a_flight_at_the_sensor_s_limit_from_end_to_end_the_measured_curves_are_drawn(stage, tmp_path):
    path = tmp_path / "clipped.csv"
    path.write_text(as_phyphox(*tossed_phone(1, Tosses(throws=((1.5, 36.5, 6.0),)))))
    shown = stage(size=(2400, 900))
    found = replayed(path)
    shown.workspace.session.open(scene_of(found), found)
    shown.workspace.session.run_to(0.4)
    shown.workspace.state.plots = True
    for name in RACE_PANES:
        shown.ui.plots.shown[name] = True
    shown.frame(3)
    runner = shown.workspace.session.scene.race.runners[0]
    pane, rows = RACE_PANES["race_size"], runner.until(shown.workspace.session.scene.race.shown)
    lanes = [(runner, (1.0, 1.0, 1.0), rows)]
    look, race = shown.ui.prepared_look(), shown.workspace.session.scene.race
    assert not values_at(look, race, lanes, pane, 0.2).values
    assert values_at(look, race, lanes, RACE_PANES["race_omega_y"], 0.2).values[0].label == "1 clipped.csv"


@pytest.mark.parametrize("size", [(1280, 720), (800, 600), (2400, 900)])
def test_paths_stand_on_axes_of_one_scale_with_numbers(stage, monkeypatch, size):
    """A circle is one, in every pane and size of the window; and what is to be seen of it lies inside."""
    drawn: dict[str, tuple[float, ...]] = {}
    path = race_plots._path

    def measured(look, race, lanes, pane, rooms):
        path(look, race, lanes, pane, rooms)
        limits, room, name = implot.get_plot_limits(), implot.get_plot_size(), pane.name
        x, y = limits.x, limits.y
        drawn[name] = room.x / (x.max - x.min), room.y / (y.max - y.min), min(x.max, -x.min), min(y.max, -y.min)

    monkeypatch.setattr(race_plots, "_path", measured)
    shown = stage("race-of-five", size=size)
    shown.workspace.session.run_to(20.0)
    shown.workspace.state.plots = True
    for name in race_plots.RACE_PANES:
        shown.ui.plots.shown[name] = False
    for name in race_plots.PATHS:
        shown.ui.plots.shown[name] = True
        shown.frame(5)  # the numbers beside the axis take their room
        across, up, right, top = drawn[name]
        assert across == pytest.approx(up, rel=0.01)  # measured: equal to 1e-6
        reach = 1.0 if name.startswith("race_body") else 0.0
        assert min(right, top) > reach
        assert any(words.strip("−-").replace(".", "").isdigit() for words, _ in shown.texts)
        shown.ui.plots.shown[name] = False


def rates(scenario: Scenario, seconds: float, law) -> tuple[np.ndarray, np.ndarray]:
    """(t, omega in the body) by a plain loop of `law`(L, J, h), at the step of the scene's race."""
    moments = np.array(scenario.body.moments)
    L, h = moments * scenario.start.angular_velocity, scenario.race.step
    found = [L]
    for _ in range(round(seconds / h)):
        found.append(law(found[-1], 1.0 / moments, h))
    return h * np.arange(len(found)), np.array(found) / moments


def explicit(L, J, h):
    return L + h * np.cross(L, J * L)


def implicit(L, J, h):
    """(I - h [L]x) omega[next] = I omega, solved as a 3 x 3 system."""
    x, y, z = L
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.linalg.solve(np.diag(1.0 / J) - h * skew, L) / J


def test_the_plots_of_omega_are_the_blogs_curves():
    """Moments 10, 4, 2, omega (1, 2, 3), h = 1/60 s: plain loops beside what is plotted; explicit grows, implicit
    ends about x', and the exact motion stays between."""
    values = {"race.show": "grid", "race.lanes": ("explicit-euler", "implicit"),
              "race.stepping": "fixed", "race.step": 1 / 60}  # fmt: skip
    scenario = Scenario.preset("ode-blog").with_values(values)
    found = LiveRace(scenario)
    found.follow(25.0)
    for runner, law in zip(found.runners, (explicit, implicit), strict=True):
        times, omega = rates(scenario, 25.0, law)
        rows = runner.until(found.shown)
        some = np.searchsorted(times, rows["motion"]["time"] - 1e-9)
        for axis, name in enumerate("xyz"):
            curve = race_plots.OVER_TIME[f"race_omega_{name}"].values(found, rows)
            np.testing.assert_allclose(curve, omega[some, axis], rtol=1e-6, atol=1e-9)  # measured: 2e-9
        for (i, j), name in (((0, 1), "xy"), ((1, 2), "yz"), ((0, 2), "xz")):
            path = race_plots.PATHS[f"race_omega_{name}"]
            np.testing.assert_allclose(path.across(found, rows), omega[some, i], rtol=1e-6, atol=1e-9)
            np.testing.assert_allclose(path.up(found, rows), omega[some, j], rtol=1e-6, atol=1e-9)
    found.follow(35.0)
    assert found.runners[0].stopped.time == pytest.approx(31.57, abs=0.02)
    assert found.runners[1].stopped is None
    with pytest.raises(FloatingPointError):
        rates(scenario, 31.6, explicit)
    assert np.isfinite(rates(scenario, 31.4, explicit)[1]).all()
    np.testing.assert_allclose(rates(scenario, 60.0, implicit)[1][-1], (1.61, 0.0, 0.0), atol=5e-3)
    solved = solve_ivp(
        lambda _, w: np.cross(np.array([10.0, 4.0, 2.0]) * w, w) / (10.0, 4.0, 2.0),
        (0.0, 35.0), (1.0, 2.0, 3.0), "DOP853", found.reference.rows["time"][:200], rtol=1e-12, atol=1e-12,
    )  # fmt: skip
    np.testing.assert_allclose(found.reference.rows["omega_body"][:200], solved.y.T, atol=1e-8)  # measured: 1e-10
    speeds = np.linalg.norm(found.loop * (10.0, 4.0, 2.0), axis=1)
    np.testing.assert_allclose(speeds, np.sqrt(200.0), rtol=1e-12)
    np.testing.assert_allclose(found.loop[0], found.loop[-1], atol=1e-9)


def test_a_thinned_curve_keeps_its_extremes():
    times = np.linspace(0.0, 300.0, 6001)
    x, y = curves.thinned(times, np.sin(7.0 * times))
    assert len(x) == len(y) <= 2 * curves.MOST
    assert (y.min(), y.max()) == (np.sin(7.0 * times).min(), np.sin(7.0 * times).max())
    assert np.all(np.diff(x) >= 0.0)


def test_a_path_that_stays_where_it_begins_is_seen_as_a_dot(stage, monkeypatch):
    """L of exact integrators, across its initial direction: the plot was empty."""
    ends: list[tuple[np.ndarray, np.ndarray]] = []
    monkeypatch.setattr(implot, "plot_scatter", lambda name, x, y, spec: ends.append((x.copy(), y.copy())))
    shown = stage("race-hidden-phase", size=(1280, 720))
    shown.workspace.session.run_to(5.0)
    shown.workspace.state.plots = True
    for name in race_plots.RACE_PANES:
        shown.ui.plots.shown[name] = name == "race_across"
    shown.frame(1)
    lanes = Scenario.preset("race-hidden-phase").race.lanes
    assert len(ends) == len(lanes)
    for x, y in ends:
        assert len(x) == len(y) == 1
        assert np.hypot(x[0], y[0]) < 1e-9


def test_plots_of_a_top_are_those_that_say_something_of_it(stage):
    """Errors of E + V and of the orientation at first, and no curve that only a free motion closes."""
    shown = stage("top-with-cusps", size=(1600, 900))
    shown.workspace.session.change({"race.show": "ghosts", "race.lanes": ["jolt", "exact"]})
    shown.workspace.session.run_to(1.0)
    shown.workspace.state.plots = True
    shown.frame(3)
    plots = shown.ui.plots
    names = ["race_size", "race_energy", "race_turn", "race_omega_x", "race_omega_y", "race_omega_z", "race_across"]
    assert list(plots.panes) == names
    assert [name for name in names if plots.shown[name]] == ["race_energy", "race_turn", "race_across"]
    race = shown.workspace.session.scene.race
    jolt, exact = (runner.until(race.shown) for runner in race.runners)
    assert jolt["turn"][-1] > 0.01
    assert np.abs(exact["turn"]).max() < 1e-14
