"""Compiled steps: the same results as in Python, one body and many."""

import errno
import sys
import threading

import numpy as np
import pytest
from helpers.reference import STEPPERS, angle_between, integrate
from numpy.testing import assert_allclose

from viewer.physics.body import RigidBody
from viewer.physics.ensemble import Ensemble
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.kernels import momentum
from viewer.physics.loads import Loads
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import State
from viewer.physics.stepping import compiled, splitting

pytest.importorskip("numba")

BODY = RigidBody.from_moments((1, 2, 2.5))
START = State((0.8, 0.2, -0.4, 0.4), (1, 0.7, 1.1))


@pytest.mark.sweep("exact-drift", "exact-drift4", "split", "jolt", "implicit")
@pytest.mark.parametrize("name", STEPPERS)
def test_compiled_steps_are_those_of_python(name):
    """Measured 0."""
    compiled, plain = (Simulation(BODY, START, name, 0.02, fast=fast) for fast in (True, False))
    compiled.advance_steps(300)
    plain.advance_steps(300)
    assert angle_between(compiled.state.orientation_wxyz, plain.state.orientation_wxyz) < 1e-13
    assert_allclose(compiled.state.omega_body, plain.state.omega_body, atol=1e-13)


@pytest.mark.sweep("closest-point-exact-drift")
@pytest.mark.parametrize("name", ["exact-drift", "jolt"])
@pytest.mark.parametrize("stabilisation", ["off", "gradient", "closest-point"])
def test_loads_and_stabilisation_too(name, stabilisation):
    loads = Loads((0.3, -0.5, 0.4), (0.2, 0.5, -0.3), 0.1, 0.02)
    compiled, plain = (Simulation(BODY, START, name, 0.02, loads, stabilisation, fast=fast) for fast in (True, False))
    compiled.advance_steps(200)
    plain.advance_steps(200)
    assert angle_between(compiled.state.orientation_wxyz, plain.state.orientation_wxyz) < 1e-12  # 1e-14
    assert compiled.target_energy == pytest.approx(plain.target_energy, rel=1e-12)


def test_many_steps_at_once_are_as_good_as_one_by_one():
    """The exact drift in runs: against the closed form; E and |L| still to round-off. At rest nothing happens."""
    simulation = Simulation(BODY, START, step=0.05, fast=True)
    energy, momentum = simulation.rotational_energy, simulation.angular_momentum_world
    simulation.advance_steps(20_000)
    wanted = FreeRotation(BODY, START).at(1000.0)
    assert angle_between(simulation.state.orientation_wxyz, wanted.orientation_wxyz) < 1e-11  # 1.3e-12
    assert simulation.rotational_energy == pytest.approx(energy, rel=2e-15)
    assert (simulation.angular_momentum_world == momentum).all()
    still = Simulation(BODY, State((1, 2, 3, 4), (0, 0, 0)), fast=True)
    still.advance_steps(1000)
    assert (still.state.omega_body == 0).all()


def test_tiny_steps_in_runs_do_not_wander():
    """Beside the separatrix, where an error of 1e-16 in the energy grows. Measured 3e-14."""
    start = State((1, 0, 0, 0), (0.01, 3, 0.01))
    simulation = Simulation(BODY, start, step=0.002 / 16, fast=True)
    energy = simulation.rotational_energy
    simulation.advance_steps(400_000)
    wanted = FreeRotation(BODY, start).at(simulation.time)
    assert_allclose(simulation.state.omega_body, wanted.omega_body, atol=1e-12)
    assert simulation.rotational_energy == pytest.approx(energy, rel=2e-15)  # 2e-16


def test_the_angle_of_one_series_trades_accuracy_for_speed():
    """Case of a box that flips, 100 s. Measured 1.5e-9 and 7e-7 rad."""
    box, start = RigidBody.box(80, 1, 0.4, 0.2), State((1, 0, 0, 0), (0.05, 5, 0.05))
    wanted = FreeRotation(box, start).at(100.0).orientation_wxyz
    for angle, most in ((None, 1e-8), (1.0, 1e-6)):
        simulation = Simulation(box, start, step=0.125, fast=True, drift_angle=angle)
        simulation.advance(100.0)
        assert angle_between(simulation.state.orientation_wxyz, wanted) < most
    assert angle_between(simulation.state.orientation_wxyz, wanted) > 1e-8  # no parts were made
    with pytest.raises(ValueError, match=r"drift_angle: 2 rad is outside 0 to 1 rad"):
        Simulation(box, start, drift_angle=2.0)


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize(
    ("name", "stabilisation", "loads"),
    [
        ("exact-drift", "off", Loads()),
        ("exact-drift", "closest-point", Loads((0.3, -0.5, 0.4), (0.2, 0.5, -0.3), 0.1, 0.02)),
        ("exact-drift4", "off", Loads((0.3, -0.5, 0.4), (0.2, 0.5, -0.3), 0.1)),
    ],
)
def test_compiled_in_the_background_the_steps_are_the_same_bit_for_bit(name, stabilisation, loads):
    hurried, plain = (Simulation(BODY, START, name, 0.02, loads, stabilisation) for _ in range(2))
    hurried.advance_steps(100)
    steps, _ = hurried._stepper.prepared(1)
    hurried.request_compilation()
    for thread in threading.enumerate():
        if thread.name == compiled.THREAD:
            thread.join()
    hurried.request_compilation()
    assert hurried._stepper.prepared(1)[0] is not steps
    hurried.advance_steps(300)
    plain.advance_steps(400)
    assert hurried.sample() == plain.sample()


def test_hurry_without_numba_changes_nothing(monkeypatch):
    monkeypatch.setattr(compiled, "_in_background", {})
    monkeypatch.setattr(compiled, "find_spec", lambda name: None)
    simulation = Simulation(BODY, START)
    simulation.advance_steps(1)
    steps = simulation._stepper.prepared(1)
    simulation.request_compilation()
    assert simulation._stepper.prepared(1) is steps


@pytest.mark.slow
def test_composition_too():
    loads = Loads((0.3, -0.5, 0.4), (0.2, 0.5, -0.3), 0.1)
    compiled, plain = (Simulation(BODY, START, "exact-drift4", 0.1, loads, fast=fast) for fast in (True, False))
    compiled.advance_steps(50)
    plain.advance_steps(50)
    assert angle_between(compiled.state.orientation_wxyz, plain.state.orientation_wxyz) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("quick", [True, False])
def test_composition_of_long_drifts(quick):
    """A box that flips under a steady torque, 20 s in 80 steps. Against DOP853 3e-7 rad; E against its target 2e-14.

    Drifts that one series does not reach are made in parts, which changes what its error contributes: 4e-9 rad.
    """
    box, start = RigidBody.box(80, 1, 0.4, 0.2), State((1, 0, 0, 0), (0.05, 5, 0.05))
    loads = Loads((0, 0, 3), (0.5, 0, 0), 0.1)
    wanted, _ = integrate(box, start, loads, 20.0)
    ends = []
    for angle in (1.0, 0.3):
        simulation = Simulation(box, start, "exact-drift4", 0.25, loads, fast=quick, drift_angle=angle)
        simulation.advance(20.0)
        assert angle_between(simulation.state.orientation_wxyz, wanted) < 1e-6
        assert simulation.rotational_energy == pytest.approx(simulation.target_energy, rel=1e-13)
        ends.append(simulation.state.orientation_wxyz)
    assert angle_between(*ends) < 1e-7


def test_overflow_is_told_at_the_same_step():
    times = []
    for quick in (True, False):
        simulation = Simulation(
            RigidBody.from_moments((10, 4, 2)), State((1, 0, 0, 0), (1, 2, 3)), "explicit-euler", 1 / 60, fast=quick
        )
        with pytest.raises(NumericalOverflow) as caught:
            simulation.advance(100)
        times.append(caught.value.time)
        assert np.isfinite(simulation.state.omega_body).all()
    assert times[0] == pytest.approx(times[1], abs=1)


@pytest.mark.sweep("exact-drift")
@pytest.mark.parametrize("name", ["exact-drift", "split", "jolt"])
def test_a_batch_moves_every_body_as_alone(name):
    generator = np.random.default_rng(1)
    extent = generator.uniform(0.3, 1, (20, 3)) ** 2
    bodies = [RigidBody.from_moments(row) for row in extent.sum(axis=1, keepdims=True) - extent]
    q, omega = generator.normal(size=(20, 4)), generator.normal(size=(20, 3))
    for some in (bodies, bodies[0]):
        batch = Ensemble(some, q, omega, name, 0.02)
        batch.advance_steps(100)
        for n in range(20):
            alone = Simulation(bodies[n] if some is bodies else some, State(q[n], omega[n]), name, 0.02)
            alone.advance_steps(100)
            assert angle_between(batch.orientation_wxyz[n], alone.state.orientation_wxyz) < 1e-13
            assert_allclose(batch.omega_body[n], alone.state.omega_body, atol=1e-12)
            assert_allclose(batch.angular_momentum_world[n], alone.angular_momentum_world, atol=1e-12)
            assert batch.rotational_energy[n] == pytest.approx(alone.rotational_energy, rel=1e-12)
    assert batch.time == pytest.approx(2.0)
    if INTEGRATORS[name].reversible:
        batch.advance_steps(-100)
        assert batch.time == 0.0
        for n in range(20):
            assert angle_between(batch.orientation_wxyz[n], q[n] / np.linalg.norm(q[n])) < 1e-12
        assert_allclose(batch.omega_body, omega, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "stabilisation", "loads"),
    [
        ("exact-drift", "closest-point", Loads((0.3, -0.5, 0.4), (0.2, 0.5, -0.3), 0.1, 0.02)),
        ("exact-drift4", "off", Loads((0.3, -0.5, 0.4), (0.2, 0.5, -0.3), 0.1)),
        ("jolt", "gradient", Loads()),
    ],
)
def test_a_batch_under_loads_and_with_stabilisation_too(name, stabilisation, loads):
    """Measured 1e-14 rad."""
    generator = np.random.default_rng(2)
    bodies = [RigidBody.from_moments(row) for row in ((1, 2, 2.5), (40, 30, 60), (1, 1, 1.5))]
    q, omega = generator.normal(size=(3, 4)), generator.normal(size=(3, 3))
    batch = Ensemble(bodies, q, omega, name, 0.02, loads, stabilisation)
    batch.advance_steps(50)
    batch.advance_steps(50)
    for n, body in enumerate(bodies):
        alone = Simulation(body, State(q[n], omega[n]), name, 0.02, loads, stabilisation)
        alone.advance_steps(100)
        assert angle_between(batch.orientation_wxyz[n], alone.state.orientation_wxyz) < 1e-12
        assert_allclose(batch.angular_momentum_world[n], alone.angular_momentum_world, rtol=1e-11)
        assert batch.target_energy[n] == pytest.approx(alone.target_energy, rel=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"stabilisation": "on"}, "solver.stabilisation: 'on' is unknown"),
        ({"integrator": "exact"}, "integrator: 'exact' is not allowed; allowed are exact-drift"),
        ({"integrator": "symmetric-top"}, "integrator: symmetric-top does not take the moments"),
        ({"step": 0.0}, "step: 0 s is not allowed"),
        ({"omega_body": [[1, 2, 3, 4]]}, "do not fit"),
        ({"orientation_wxyz": [[0, 0, 0, 0]]}, "do not fit"),
        ({"bodies": [BODY, BODY]}, "bodies: 2 is not allowed; allowed is one or 1"),
    ],
)
def test_bad_batches_are_refused(change, message):
    good = {"bodies": BODY, "orientation_wxyz": [[1, 0, 0, 0]], "omega_body": [[1, 2, 3]]}
    with pytest.raises(ValueError, match=message):
        Ensemble(**good | change)
    with pytest.raises(
        ValueError, match="count: -1 is not allowed; with the integrator Jolt a step back does not undo a step"
    ):
        Ensemble(**good, integrator="jolt").advance_steps(-1)


def test_without_numba_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(ValueError, match=r"numba is not installed; pip install 'poinsot\[fast\]' brings it"):
        Simulation(BODY, START, fast=True).advance_steps(1)


def no_turn(ax: float, ay: float, az: float) -> tuple[float, float, float, float]:
    return 1.0, 0.0 * ax, 0.0 * ay, 0.0 * az


no_turn.__module__ = momentum.__name__
CONSTANTS, FIRST = (1.0, 0.5, 0.4), ((1.0, 0.0, 0.0, 0.0, 1.0, 1.4, 2.75), (0.0, 0.0, 0.0), 1, 0.1)


def as_a_new_process_does() -> tuple[object, int, int]:
    """(state after a step, how often numba has read what it needs, how often it has compiled)."""
    compiled.compiled.cache_clear()
    compiled._jitted.cache_clear()
    code = compiled.compiled(splitting.free_steps, momentum.first_order)
    found = code(*FIRST, CONSTANTS)
    stats = code.dispatcher.stats
    return found, sum(stats.cache_hits.values()), sum(stats.cache_misses.values())


def test_what_is_compiled_stays_on_disk_and_is_read_again_only_where_nothing_has_changed(tmp_path, monkeypatch):
    monkeypatch.setenv("POINSOT_HOME", str(tmp_path))
    assert as_a_new_process_does() == (splitting.free_steps(momentum.first_order, *FIRST, CONSTANTS), 0, 1)
    assert as_a_new_process_does() == (splitting.free_steps(momentum.first_order, *FIRST, CONSTANTS), 1, 0)
    monkeypatch.setattr(momentum, "exp", no_turn)  # as in another version: what is on disk is out of date
    assert as_a_new_process_does() == (splitting.free_steps(momentum.first_order, *FIRST, CONSTANTS), 0, 1)
    assert as_a_new_process_does() == (splitting.free_steps(momentum.first_order, *FIRST, CONSTANTS), 1, 0)


def test_a_disk_that_is_full_or_damaged_or_not_there_stops_no_run(tmp_path, monkeypatch):
    wanted = splitting.free_steps(momentum.first_order, *FIRST, CONSTANTS)
    monkeypatch.setenv("POINSOT_HOME", str(tmp_path))

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("numba.core.caching.IndexDataCacheFile.save", full)
        assert as_a_new_process_does()[0] == wanted
    assert as_a_new_process_does()[0] == wanted
    (code,) = tmp_path.rglob("*.nbc")
    code.write_bytes(code.read_bytes()[:1000])
    assert as_a_new_process_does()[0] == wanted
    (tmp_path / "cache").rename(tmp_path / "away")
    (tmp_path / "cache").write_text("a file where the folder would be")
    assert as_a_new_process_does()[0] == wanted
