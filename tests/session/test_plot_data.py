"""The plotted quantities: right, whole, and as honest as float64."""

from typing import Any

import numpy as np
import pytest
from helpers.playing import PAPER

from viewer.physics.errors import Circling, compared
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.simulation import Simulation
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.scenario import Scenario
from viewer.session import checkpoints, plot_data
from viewer.session.plot_data import NAMES, PlotData
from viewer.session.quantities import PANES, QUANTITIES, _relative
from viewer.session.session import Session


def session(**changes: Any) -> Session:
    scenario = PAPER
    for path, value in changes.items():
        scenario = scenario.with_value(path.replace("__", "."), value)
    return Session(scenario)


def measured(running: Session, first: float = -1e9, last: float = 1e9) -> dict[str, np.ndarray]:
    """All rows of both halves that are kept in full, by name."""
    plot_data = PlotData(running.motion.checkpoints)
    while not plot_data.follow():
        pass
    halves = plot_data.between(first, last, 10**6)
    assert all(level == 0 for *_, level in halves)
    rows = np.concatenate([least for least, _, _ in halves])
    return {"time": rows[:, 0]} | {name: rows[:, i] for i, name in enumerate(NAMES, start=1)}


def test_every_quantity_has_a_plot_a_colour_and_words() -> None:
    for name, quantity in QUANTITIES.items():
        assert name == quantity.name
        assert quantity.pane in PANES
        assert quantity.label
        assert quantity.meaning
        color = quantity.color.partition(".")[0]
        assert all(hasattr(theme, color) for theme in THEMES.values())


@pytest.mark.parametrize("integrator", ["jolt", "split", "explicit-euler"])
def test_errors_are_those_of_the_comparison_with_the_exact_motion(integrator: str) -> None:
    running = session(solver__integrator=integrator)
    running.run_to(12.0)
    found = measured(running)
    body, start = running.snapshot().body, PAPER.start_state()
    simulation = Simulation(body, start, integrator, PAPER.solver.step)
    wanted = np.round(found["time"] / PAPER.solver.step).astype(int)
    states = []
    for steps in wanted:
        simulation.advance_steps(int(steps) - simulation.steps)
        states.append((simulation.time, *simulation.state.orientation_wxyz, *simulation.state.omega_body))
    rows = np.array(states)
    from viewer.physics.state import States

    error = compared(FreeRotation(body, start), body, States(rows[:, 0], rows[:, 1:5], rows[:, 5:]), Circling())[0]
    assert error.phase is not None
    np.testing.assert_allclose(found["phase_error"], error.phase, atol=1e-9)
    np.testing.assert_allclose(found["orientation_error"], error.orientation, atol=1e-9)
    np.testing.assert_allclose(found["momentum_direction"], error.direction, atol=1e-12)
    np.testing.assert_allclose(found["energy_error"], error.energy, atol=1e-13)
    np.testing.assert_allclose(found["momentum_error"], error.momentum, atol=1e-13)
    np.testing.assert_allclose(found["omega_y"], rows[:, 6], atol=1e-13)
    assert (found["correction"] == 0.0).all()


def test_errors_of_round_off_are_shown_as_such() -> None:
    running = session()
    running.run_to(60.0)
    found = measured(running)
    assert 0.0 < np.abs(found["energy_error"]).max() < 1e-13  # measured: 6e-15
    assert np.abs(found["phase_error"]).max() < 1e-9  # measured: 2e-12
    np.testing.assert_allclose(found["energy"], 0.2368125, rtol=1e-12)


@pytest.mark.parametrize("stabilisation", ["gradient", "closest-point"])
@pytest.mark.parametrize("integrator", ["first-order", "jolt"])
def test_the_correction_is_what_separates_a_step_with_from_one_without(integrator: str, stabilisation: str) -> None:
    running = session(solver__integrator=integrator, solver__stabilisation=stabilisation)
    running.run_to(5.0)
    found = measured(running)
    correction = found["correction"]
    assert correction.max() > 1e-12
    number = int(np.argmax(correction))
    with_it = running.motion.checkpoints.simulation(running.motion.checkpoints.steps_at(found["time"][number]))
    without = with_it.copy()
    without.change(stabilisation="off")
    with_it.advance_steps(1)
    without.advance_steps(1)
    turn = 2.0 * np.linalg.norm(with_it.state.orientation_wxyz - without.state.orientation_wxyz)
    assert correction[number] == pytest.approx(turn, rel=1e-3)


def test_under_loads_there_is_no_exact_motion_and_it_says_so() -> None:
    running = session()
    running.run_to(1.0)
    running.change({"loads.external_friction": 0.02})
    running.scene.run_on_to(2.0)
    plot_data = PlotData(running.motion.checkpoints)
    plot_data.follow()
    assert "no exact motion under loads" in (plot_data.why_no_phase or "")
    found = measured(running)
    late = found["time"] > 1.0
    assert np.isnan(found["phase_error"][late]).all()
    assert np.isfinite(found["phase_error"][~late][:-1]).all()
    assert np.isfinite(found["energy"]).all()
    assert found["energy"][-1] < found["energy"][0]
    assert np.abs(found["energy_error"]).max() < 1e-12
    running.change({"loads.external_friction": 0.0})
    running.scene.run_on_to(3.0)
    assert np.abs(measured(running)["orientation_error"][-5:]).max() < 1e-9  # compared anew from there
    steady = session(start__angular_velocity=(0.0, 0.0, 2.0))
    assert "steady spin" in (PlotData(steady.motion.checkpoints).why_no_phase or "")


def test_another_motion_has_no_phase_and_the_plot_says_from_when_on() -> None:
    scenario = Scenario.preset("paper-fig3").with_values(
        {"solver.integrator": "first-order", "solver.stabilisation": "off"}
    )
    scenario = scenario.with_values({"solver.integration_period": 0.002, "solver.extra_substeps": 0})
    running = Session(scenario)
    running.run_to(5.0)
    found = measured(running)
    crossed = float(found["time"][np.isnan(found["phase_error"])][0])
    assert crossed == pytest.approx(3.278, abs=0.05)  # between two of the plot's rows
    assert np.isfinite(found["phase_error"][found["time"] < crossed]).all()
    assert np.isnan(found["phase_error"][found["time"] >= crossed]).all()
    data = PlotData(running.motion.checkpoints)
    while not data.follow():
        pass
    assert (data.why_no_phase or "").startswith("no phase from t = 3.")
    running.pulse(0, 1)  # compared anew from there
    running.scene.run_on_to(5.2)
    assert np.isfinite(measured(running)["phase_error"][-3:]).all()


@pytest.mark.parametrize(("integrator", "told"), [("momentum-first", False), ("exact-drift", True)])
def test_rows_that_are_half_a_period_apart_tell_no_phase(integrator: str, told: bool) -> None:
    """But of a motion that has no error, which they do not have to count."""
    running = session(solver__integrator=integrator)
    running.run_to(2.0)
    checkpoints, period = running.motion.checkpoints, running.motion.period
    assert period is not None
    simulation = checkpoints.simulation(checkpoints.later.end)
    for _ in range(4):
        simulation.advance_steps(round(0.6 * period / simulation.step))
        checkpoints.later.append(simulation)
    found = measured(running)
    assert np.isfinite(found["phase_error"][:-4]).all()
    assert np.isfinite(found["phase_error"][-4:]).all() == told
    data = PlotData(checkpoints)
    while not data.follow():
        pass
    assert (data.why_no_phase is None) == told


def test_a_change_of_the_solver_goes_on_to_be_compared_with_the_same_motion() -> None:
    running = session(solver__integrator="jolt")
    running.run_to(5.0)
    running.change({"solver.integrator": "exact-drift"})
    running.scene.run_on_to(6.0)
    found = measured(running)
    assert np.abs(found["orientation_error"])[-1] > 1e-3  # what jolt has lost stays lost
    running.pulse(2, 1)
    running.scene.run_on_to(7.0)
    found = measured(running)
    assert np.abs(found["orientation_error"])[-5:].max() < 1e-9
    jump = np.flatnonzero(np.diff(found["time"]) == 0.0)
    assert np.abs(np.diff(found["omega_z"])[jump]).max() == pytest.approx(0.02 / 0.0625, rel=1e-6)


def test_backwards_and_before_the_start() -> None:
    running = session()
    running.run_to(1.0)
    running.playback.reverse()
    for _ in range(180):
        running.scene.advance(1 / 60)
    found = measured(running)
    assert found["time"][0] < -1.5
    assert found["time"][-1] == pytest.approx(1.0, abs=0.1)
    assert (np.diff(found["time"]) >= 0.0).all()
    assert np.abs(found["orientation_error"]).max() < 1e-9


def test_what_is_cut_off_is_forgotten() -> None:
    running = session()
    running.run_to(4.0)
    plot_data = PlotData(running.motion.checkpoints)
    plot_data.follow()
    running.playback.seek(2.0)
    running.pulse(0, 1)
    while not plot_data.follow():
        pass
    assert plot_data.between(-1e9, 1e9, 10**6)[1][0][-1, 0] == 2.0


def test_rows_that_are_gone_leave_their_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some 450 rows: of the early ones the sparse samples are left, which still are every row here."""
    whole = session()
    whole.run_to(15.0)
    monkeypatch.setattr(checkpoints, "RECENT", 64)
    monkeypatch.setattr(plot_data, "BLOCK", 50)
    running = session()
    running.run_to(15.0)
    found, wanted = measured(running), measured(whole)
    assert len(wanted["time"]) > 400
    for name, values in wanted.items():
        np.testing.assert_array_equal(found[name], values, err_msg=name)


def test_the_direction_of_L_is_measured_from_the_last_push_and_not_where_a_torque_turns_it() -> None:
    running = session()
    running.run_to(1.0)
    running.pulse(1, 1)
    running.scene.run_on_to(3.0)
    found = measured(running)
    assert found["momentum_direction"].max() < 1e-14  # measured: 6e-16; .02 N m s against L of the start: 6e-3
    assert np.abs(found["rolling_gap"]).max() < 1e-13  # measured: 2e-15
    assert found["rolling_tangency"].max() < 1e-14
    running.change({"loads.internal_friction": 0.1})  # takes energy and leaves L
    running.scene.run_on_to(4.0)
    assert measured(running)["momentum_direction"].max() < 1e-13
    running.change({"loads.external_friction": 0.01})
    running.scene.run_on_to(5.0)
    found = measured(running)
    assert np.isnan(found["momentum_direction"][found["time"] > 4.01]).all()
    assert np.isfinite(found["momentum_direction"][found["time"] < 3.99]).all()


def test_an_integrator_that_turns_L_is_found_after_a_push_too() -> None:
    running = session(solver__integrator="explicit-euler")
    running.run_to(1.0)
    running.pulse(1, 1)
    before = running.snapshot().reading.angular_momentum_world
    running.scene.run_on_to(3.0)
    after = running.snapshot().reading.angular_momentum_world
    angle = np.arccos(before @ after / np.linalg.norm(before) / np.linalg.norm(after))
    found = measured(running)
    assert found["momentum_direction"][-1] == pytest.approx(angle, rel=1e-6)
    assert angle > 1e-4  # measured: 1.4e-4


def test_pushes_in_quick_succession_leave_no_error_however_often_the_plots_follow() -> None:
    """Where a push is the first that a plot takes in, the sample before it belongs to what was before it."""
    running = session()
    running.run_to(1.0)
    plot_data = PlotData(running.motion.checkpoints)
    for axis in (0, 1, 2, 1, 1):
        while not plot_data.follow():
            pass
        running.scene.run_on_to(running.snapshot().reading.time + 1 / 60)
        running.pulse(axis, 1)
    running.scene.run_on_to(2.0)
    while not plot_data.follow():
        pass
    rows = np.concatenate([least for least, _, _ in plot_data.between(-1e9, 1e9, 10**6)])
    found = {name: rows[:, i] for i, name in enumerate(NAMES, start=1)}
    assert found["momentum_direction"].max() < 1e-13  # measured: 6e-16; against L after the push 6e-3
    assert np.nanmax(np.abs(found["phase_error"])) < 1e-11  # measured: 5e-14
    assert np.abs(found["orientation_error"]).max() < 1e-11  # measured: 6e-14


def test_an_error_relative_to_nothing_is_none_where_there_is_nothing() -> None:
    found = _relative(np.array([0.0, 3.0, 1.5]), np.array([0.0, 2.0, 1.0]))
    np.testing.assert_array_equal(found, [0.0, 0.5, 0.5])


def test_kovalevskayas_rate_is_plotted_of_her_top_alone() -> None:
    """A level line beside the three components of omega, which have no period."""
    running = Session(Scenario.preset("kovalevskaya-top"), playing=False)
    running.run_to(1.0)
    found = measured(running)
    assert QUANTITIES["kovalevskaya"].pane == QUANTITIES["omega_x"].pane
    assert np.ptp(found["kovalevskaya"]) < 1e-6 * found["kovalevskaya"].max()  # measured 7e-8, by exact drift
    assert np.ptp(found["omega_z"]) > 5.0
    other = Session(Scenario.preset("top-with-cusps"), playing=False)
    other.run_to(0.1)
    assert np.isnan(measured(other)["kovalevskaya"]).all()
