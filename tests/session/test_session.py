"""The live document: changes, undo, files, and errors that never stop the app."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.playing import play, session

from viewer.common.errors import InputError
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.replay.opening import read
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session


def test_snapshots_are_kept_until_something_changes() -> None:
    running = session()
    first, revision = running.snapshot(), running.status.revision
    assert running.snapshot() is first
    running.scene.advance(1 / 60)
    second = running.snapshot()
    assert second is not first
    assert running.status.revision > revision
    assert second.curves is first.curves  # E and |L| are the same
    running.change({"view.zoom": 2.0})
    assert running.scenario.view.zoom == 2.0
    assert running.motion.time == second.reading.time


def test_nothing_of_a_snapshot_changes_as_the_motion_goes_on() -> None:
    running = session()
    play(running, 1.0)
    then = running.snapshot()
    rows = then.trail.rows(0, then.trail.count)
    parts = (then.reading, then.curves)
    arrays = [value for part in parts for value in vars(part).values() if isinstance(value, np.ndarray)]
    assert len(arrays) >= 8
    for array in (*arrays, then.trail.data, then.start_angular_momentum_world):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0.0
    play(running, 1.0)
    assert running.snapshot().trail.count > then.trail.count == len(rows)
    np.testing.assert_array_equal(then.trail.rows(0, 10**6), rows)


def test_body_and_start_begin_anew_and_loads_act_at_once() -> None:
    running = session()
    play(running, 1.0)
    before = running.snapshot()
    running.change({"loads.external_friction": 0.01})
    running.change({"solver.integrator": "split"})
    running.change({"solver.extra_substeps": 3})
    now = running.snapshot()
    assert now.reading.time == before.reading.time
    np.testing.assert_allclose(now.reading.omega_body, before.reading.omega_body, rtol=1e-12)
    play(running, 1.0)
    assert running.snapshot().reading.energy < 0.99 * before.reading.energy
    running.change({"body.width": 0.9})
    now = running.snapshot()
    assert (now.reading.time, running.playback.playing, now.trail.count) == (0.0, True, 1)
    assert now.body == running.scenario.rigid_body()
    play(running, 1.0)
    running.change({"start.angular_velocity": (0, 1, 0)})
    assert running.motion.time == 0.0


def test_a_change_that_may_not_be_leaves_everything_as_it_was() -> None:
    running = session(solver__integrator="exact")
    play(running, 0.5)
    before = running.snapshot()
    for path, value in {
        "body.mass": 0,
        "body.mas": 1,
        "loads.external_friction": 0.5,
        "stereo.mode": "hologram",
    }.items():
        with pytest.raises(InputError):
            running.change({path: value})
    with pytest.raises(InputError, match=r"solver\.integrator: exact is torque-free"):
        running.change({"view.zoom": 2.0, "loads.internal_friction": 0.5})
    with pytest.raises(InputError):
        running.open(*read("missing.toml", running.scenario))
    assert running.snapshot() is before
    running.change({"loads.external_friction": 0.5, "solver.integrator": "split"})
    with pytest.raises(InputError, match=r"solver\.integrator: exact is torque-free"):
        running.change({"solver.integrator": "exact"})
    running.change({"solver.integrator": "exact", "loads.external_friction": 0.0})
    play(running, 0.5)
    assert running.motion.time > before.reading.time


def test_undo_and_redo() -> None:
    running = session()
    for mass in (2.0, 3.0, 4.0):  # one drag
        running.change({"body.mass": mass})
    running.commit_change()
    running.change({"body.mass": 5.0})
    running.change({"view.zoom": 2.0})
    running.change({"playback.speed": 3.0})
    running.undo()
    assert running.scenario.body.mass == 4.0
    assert (running.scenario.view.zoom, running.scene.speed) == (2.0, 3.0)
    running.undo()
    assert running.scenario.body.mass == 1.0
    running.undo()
    running.redo()
    running.redo()
    running.redo()
    assert running.scenario.body.mass == 5.0
    running.open(*read("sphere", running.scenario))
    assert running.scenario.view.zoom == 1.0  # a preset has a view of its own
    running.undo()
    assert running.scenario.body.mass == 5.0
    running.redo()
    assert running.scenario.title == "Sphere"


def test_a_change_to_the_same_value_is_none() -> None:
    running = session()
    revision = running.status.revision
    running.change({"body.mass": 1})
    assert running.status.revision == revision
    running.undo()
    assert running.status.revision == revision


def test_overflow_stops_the_motion_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    running = session()
    play(running, 0.5)

    def overflow(simulation: Simulation, count: int) -> None:
        raise NumericalOverflow("explicit Euler", 31.6, "E")

    monkeypatch.setattr(Simulation, "advance_steps", overflow)
    assert running.scene.advance(1 / 60)
    assert not running.playback.playing
    assert running.scene.message is not None
    assert "31.6" in running.scene.message
    assert np.isfinite(running.snapshot().reading.omega_world).all()
    running.playback.step_once()
    assert running.scene.message is not None
    with pytest.raises(InputError, match=r"solver\.integrator: .*31\.6"):
        running.run_to(1.0)
    monkeypatch.undo()
    running.reset()
    assert running.scene.message is None
    running.playback.play()
    assert running.scene.advance(1 / 60)


def test_messages() -> None:
    running = session(Scenario.preset("ode-blog"))
    assert running.scene.message is not None
    assert "no solid has these moments" in running.scene.message
    assert running.scene.message_is_doubt
    running.status.report("saved")
    assert running.scene.message == "saved"
    running.change({"view.zoom": 2.0})
    assert running.scene.message is not None
    assert "no solid has these moments" in running.scene.message
    running.open(*read("sphere", running.scenario))
    assert running.scene.message is None


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_runs(name: str) -> None:
    running = session(Scenario.preset(name))
    play(running, 2.0)
    now = running.snapshot()
    assert now.reading.time > 0
    assert np.isfinite(now.curves.polhode).all()
    assert now.curves.polhode.shape[1] == 3
    assert 0 <= now.curves.herpolhode_radii[0] <= now.curves.herpolhode_radii[1]
    least, most = now.energy_bounds
    assert least * (1 - 1e-9) <= now.reading.energy <= most * (1 + 1e-9)
    if running.scenario.playback.auto_speed and now.period is not None:
        turns_a_frame = np.linalg.norm(now.reading.omega_body) * running.scene.speed / (2 * np.pi * 60)
        assert 6 <= now.period / running.scene.speed <= 10 or 0.1 < turns_a_frame <= 0.125  # as fast as an eye follows


def test_the_rod_ends_in_a_flat_spin() -> None:
    running = session(Scenario.preset("rod"))
    running.run_to(60.0)
    now = running.snapshot()
    assert now.reading.energy == pytest.approx(now.energy_bounds[0], rel=1e-6)
    assert abs(now.reading.omega_body[2]) < 1e-3 * np.linalg.norm(now.reading.omega_body)
    np.testing.assert_allclose(now.reading.angular_momentum_world, now.start_angular_momentum_world, rtol=1e-9)


def test_the_period_of_the_rod_in_its_flat_spin_is_that_of_a_turn() -> None:
    """Not that of the nutation that round-off leaves, 1e15 s."""
    running = Session(Scenario.preset("rod"), playing=False)
    for time in (60.0, 61.0, 62.0, 63.0):
        running.scene.run_on_to(time)
        turn = 2 * np.pi / np.linalg.norm(running.snapshot().reading.omega_world)
        assert running.snapshot().period == pytest.approx(turn, rel=1e-12)


def test_save_and_load(tmp_path: Path) -> None:
    running = session()
    running.change({"body.mass": 7.0, "stereo.mode": "anaglyph"})
    path = tmp_path / "scene.toml"
    running.save(path)
    other = session(Scenario.preset("sphere"))
    other.open(*read(path, other.scenario))
    assert other.scenario == running.scenario
    with pytest.raises(InputError, match="cannot be written"):
        running.save(tmp_path / "missing" / "scene.toml")


def test_undo_of_opening_a_scene_gives_the_file_back_to_the_one_before(tmp_path: Path) -> None:
    """So that saving does not write a scene over the file of another."""
    running = session()
    running.save(tmp_path / "a.toml")
    running.change({"body.mass": 5.0})
    running.open(Scenario.preset("rod"), path=str(tmp_path / "b.toml"))
    running.undo()
    assert (running.document.path, running.scenario.body.mass) == (str(tmp_path / "a.toml"), 5.0)
    running.undo()
    assert running.document.path == str(tmp_path / "a.toml")
    running.redo()
    running.redo()
    assert running.document.path == str(tmp_path / "b.toml")


def test_a_scene_that_is_saved_under_a_name_is_called_by_it(tmp_path: Path) -> None:
    """A preset's title, and the figures that its sentence promises, do not go along with another body."""
    running = session()
    running.change({"body.mass": 5.0})
    running.save(tmp_path / "Heavy one.toml")
    assert (running.scenario.title, running.scenario.summary) == ("Heavy one", "")
    assert Scenario.load(tmp_path / "Heavy one.toml") == running.scenario
    assert not running.unsaved
    running.save(tmp_path / "other.toml")
    assert running.scenario.title == "other"
    running.undo()  # the mass, not the name
    assert (running.scenario.title, running.scenario.body.mass) == ("other", 1.0)

    words = 'title = "A title"\nsummary = "A sentence."\n'
    for name, text in (("own.toml", words), ("copy.toml", running.scenario.preset("rod").to_text())):
        (tmp_path / name).write_text(text)
        running.open(*read(tmp_path / name, running.scenario), path=str(tmp_path / name))
        said = running.scenario.title, running.scenario.summary
        running.save(tmp_path / name)
        assert (running.scenario.title, running.scenario.summary) == said
    running.open(*read(tmp_path / "own.toml", running.scenario), path=str(tmp_path / "own.toml"))
    running.save(tmp_path / "second.toml")
    assert (running.scenario.title, running.scenario.summary) == ("A title", "A sentence.")


def test_what_is_unsaved_is_known(tmp_path: Path) -> None:
    running = session()
    assert not running.unsaved
    running.change({"view.zoom": 2.0})
    running.change({"playback.speed": 2.0})
    assert not running.unsaved
    running.change({"body.mass": 2.0})
    assert running.unsaved
    running.undo()
    assert not running.unsaved
    running.redo()
    running.save(tmp_path / "a.toml")
    assert not running.unsaved
    running.change({"body.mass": 3.0})
    running.open(*read("rod", running.scenario))
    assert not running.unsaved
    running.undo()
    assert running.unsaved
    running.undo()
    assert not running.unsaved  # the file is as it was saved
    running.redo()
    running.redo()
    assert not running.unsaved  # the preset is as it was opened
    running.change({"body.mass": 3.0})
    running.undo()
    assert not running.unsaved


@pytest.mark.parametrize("shown", [{}, {"view__construction": "momentum"}, {"show__inset": True}])
def test_what_the_stabilisation_does_is_worked_out_where_it_is_on(shown: dict[str, Any]) -> None:
    off = session(solver__integrator="jolt", **shown).snapshot()
    assert (off.correction, off.stabilisation, off.corrector) == (None, "off", None)
    seen = session(solver__integrator="jolt", solver__stabilisation="closest-point", **shown).snapshot()
    assert (seen.stabilisation, seen.corrector) == ("closest-point", None)
    assert seen.correction is not None
    assert seen.correction.largest > 0.0
    assert seen.correction.largest_omega > 0.0


def test_after_a_divergence_another_integrator_starts_from_the_beginning() -> None:
    """What it left behind is no state to go on from: the next integrator would be blamed for it."""
    running = Session(Scenario.preset("ode-blog").with_value("solver.integrator", "explicit-euler"), playing=True)
    running.change({"playback.auto_speed": False})  # else it slows down as the body turns faster
    while running.playback.playing:
        running.scene.advance(0.2)
    assert "Explicit Euler diverged" in (running.scene.message or "")
    running.change({"solver.integrator": "exact-drift"})
    assert running.scene.message == "Back to t = 0: the motion had diverged"
    assert running.motion.time == 0.0
    running.playback.play()
    energy = running.snapshot().reading.energy
    for _ in range(10):
        running.scene.advance(0.1)
    assert running.snapshot().reading.energy == pytest.approx(energy, rel=1e-12)
    assert running.snapshot().stopped is None
    running.undo()
    assert running.scenario.solver.integrator == "explicit-euler"
