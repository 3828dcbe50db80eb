"""The running motion: calls, changes while it runs, failures."""

import math
from dataclasses import replace

import numpy as np
import pytest
from helpers.reference import STEPPERS, angle_between, integrate

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.loads import Loads
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import State
from viewer.physics.stepping.stepper import StepTooLong

BODY = RigidBody.from_moments((1, 2, 2.5))
START = State((0.8, 0.2, -0.4, 0.4), (1, 0.7, 1.1))
HEAVY = Loads((0.3, -0.5, 0.4), (0.2, 0.5, -0.3), 0.1, 0.02)


def bits(simulation):
    return (
        *simulation.state.orientation_wxyz,
        *simulation.state.omega_body,
        *simulation.angular_momentum_world,
        simulation.target_energy,
        simulation.time,
    )


@pytest.mark.parametrize("loads", [Loads(), HEAVY], ids=["free", "loaded"])
@pytest.mark.parametrize("name", STEPPERS)
def test_the_result_does_not_depend_on_how_the_run_is_cut(name, loads):
    if INTEGRATORS[name].composition:
        loads = replace(loads, internal_friction=0.0)
    whole, cut, single = (Simulation(BODY, START, name, loads=loads) for _ in range(3))
    whole.advance(10)
    for _ in range(10):
        cut.advance(1)
        assert cut.state.omega_body.shape == (3,)  # reading must not disturb either
    for _ in range(600):
        single.advance_steps(1)
    assert whole.steps == cut.steps == single.steps == 600
    assert bits(whole) == bits(cut) == bits(single)


def test_advance_takes_the_nearest_whole_number_of_steps():
    simulation = Simulation(BODY, START, step=0.1)
    simulation.advance(0.26)
    assert (simulation.steps, simulation.time) == (3, pytest.approx(0.3))
    simulation.advance(0.04)
    assert simulation.steps == 3
    simulation.advance(-0.1)
    assert simulation.steps == 2


def test_what_can_be_read_fits_together():
    simulation = Simulation(BODY, START, loads=HEAVY)
    simulation.advance(3)
    state = simulation.state
    I, omega = BODY.principal_moments, state.omega_body
    assert simulation.rotational_energy == pytest.approx(omega @ (I * omega) / 2, rel=1e-15)
    assert np.linalg.norm(simulation.omega_world) == pytest.approx(np.linalg.norm(omega), rel=1e-15)
    assert np.linalg.norm(simulation.angular_momentum_world) == pytest.approx(np.linalg.norm(I * omega), rel=1e-15)
    assert simulation.omega_world @ simulation.angular_momentum_world == pytest.approx(
        2 * simulation.rotational_energy, rel=1e-15
    )
    assert simulation.state is state  # not made anew for every reader
    assert (simulation.integrator, simulation.step, simulation.body) == ("exact-drift", 1 / 60, BODY)


def test_exact_is_the_closed_form_and_forgets_no_time():
    simulation = Simulation(BODY, START, "exact", 0.5)
    simulation.advance(1000)
    wanted = FreeRotation(BODY, START).at(1000.0)
    assert angle_between(simulation.state.orientation_wxyz, wanted.orientation_wxyz) < 1e-15
    simulation.advance(-1000)
    assert angle_between(simulation.state.orientation_wxyz, START.orientation_wxyz) < 1e-15


@pytest.mark.sweep
@pytest.mark.parametrize("first", ["exact-drift", "split", "first-order", "exact", "jolt", "explicit-euler"])
@pytest.mark.parametrize("then", [*STEPPERS, "exact"])
def test_another_solver_goes_on_from_the_present_state(first, then):
    simulation = Simulation(BODY, START, first, 0.01)
    simulation.advance(2)
    before = bits(simulation)
    simulation.change(integrator=then, step=0.004)
    assert np.allclose(bits(simulation), before, rtol=1e-15, atol=2e-15)  # L from the body to space and back
    middle = simulation.state
    simulation.advance(2)
    assert simulation.time == pytest.approx(4)
    wanted = FreeRotation(BODY, middle).at(2.0)
    error = angle_between(simulation.state.orientation_wxyz, wanted.orientation_wxyz)
    # .02, 3e-5, 3e-11, 3e-15
    assert error < {1: 0.05, 2: 1e-4, 4: 1e-10}.get(INTEGRATORS[then].order, 1e-13)


def test_a_solver_that_keeps_a_wrong_momentum_gets_an_energy_that_goes_with_it():
    """Explicit Euler has let |L| grow to 1.8 times; from then on that is what |L| ought to be."""
    simulation = Simulation(BODY, START, "explicit-euler", 0.05)
    while np.linalg.norm(simulation.angular_momentum_world) < 1.8 * simulation.target_momentum:
        simulation.advance_steps(1)
    energy = simulation.target_energy
    simulation.change(integrator="split")
    assert energy < simulation.target_momentum**2 / (2 * 2.5)
    assert simulation.target_energy == pytest.approx(simulation.target_momentum**2 / (2 * 2.5), rel=1e-14)


def test_other_loads_act_from_now_on():
    simulation = Simulation(BODY, START, step=0.01)
    simulation.advance(1)
    momentum = simulation.angular_momentum_world
    simulation.change(loads=Loads(external_friction=0.2))
    simulation.advance(1)
    assert np.linalg.norm(simulation.angular_momentum_world) < 0.95 * np.linalg.norm(momentum)
    slowed = simulation.angular_momentum_world
    simulation.change(loads=Loads())
    simulation.advance(1)
    assert (simulation.angular_momentum_world == slowed).all()
    assert simulation.time == pytest.approx(3)
    assert simulation.target_energy == pytest.approx(simulation.rotational_energy, rel=1e-13)


def test_bad_input_is_refused_by_name_and_changes_nothing():
    simulation = Simulation(BODY, START, "exact", 0.5)
    for call, message in (
        (lambda: Simulation(BODY, START, "rk5"), r"solver\.integrator: 'rk5' is unknown; allowed are exact-drift, "),
        (
            lambda: Simulation(BODY, START, step=0.0),
            r"solver\.step: 0 s is not allowed; it must be positive and finite",
        ),
        (lambda: Simulation(BODY, START, step=math.nan), r"solver\.step: nan s"),
        (
            lambda: Simulation(BODY, START, stabilisation="magic"),
            "solver.stabilisation: 'magic' is unknown; allowed are off, gradient, closest-point",
        ),
        (lambda: Simulation(BODY, START, "exact", loads=HEAVY), r"solver\.integrator: exact is torque-free; "),
        (
            lambda: Simulation(BODY, START, "exact", stabilisation="gradient"),
            r"solver\.stabilisation: gradient is not allowed with exact, .* allowed is off",
        ),
        (
            lambda: Simulation(BODY, START, "exact-drift4", loads=HEAVY),
            r"solver\.integrator: exact-drift4 takes no internal friction",
        ),
        (
            lambda: Simulation(BODY, START, "symmetric-top"),
            r"solver\.integrator: symmetric-top does not take the moments \(1, 2, 2\.5\) kg m²; allowed are bodies",
        ),
        (lambda: simulation.change(loads=HEAVY), r"solver\.integrator: exact is torque-free; "),
        (lambda: simulation.change(integrator="split", step=-1.0), r"solver\.step: -1 s"),
        (lambda: simulation.advance(math.inf), "seconds: inf is not allowed"),
        (
            lambda: Simulation(BODY, START, "first-order").advance_steps(-1),
            "count: -1 is not allowed; with the integrator First order",
        ),
        (lambda: Simulation(BODY, START, loads=HEAVY).advance(-1), "count: -60 is not allowed; internal friction"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    assert (simulation.integrator, simulation.step, simulation.loads, simulation.steps) == ("exact", 0.5, Loads(), 0)


@pytest.mark.parametrize("name", STEPPERS)
def test_what_leaves_the_finite_range_is_told_with_its_time(name):
    """A force that grows the spin beyond all floats; the state before it stays readable."""
    simulation = Simulation(BODY, START, name, 0.5)
    simulation.advance(10)
    simulation.change(loads=Loads(force=(1e308, 0, 0), arm=(0, 1e5, 1e5)))
    with pytest.raises(NumericalOverflow, match=r"diverged at t = 10 s") as caught:
        simulation.advance(1000)
    assert caught.value.time == simulation.time == 10.0
    assert caught.value.quantity
    assert np.isfinite(simulation.state.orientation_wxyz).all()
    simulation.change(loads=Loads())
    simulation.advance(1)
    assert simulation.time == 11.0


def test_overflow_within_a_batch_stops_at_the_step_before():
    """A force of 10 kN: the step turns by ever more, until 1e4 parts do not suffice for the exact drift."""
    simulation = Simulation(BODY, State((1, 0, 0, 0), (0, 0, 0)), step=1.0, loads=Loads((1e4, 0, 0), (0, 0.5, 0)))
    message = r"Exact drift stopped at t = \d+ s: a step of 1 s is too long for .*; the longest is 0\.\d+ s"
    with pytest.raises(NumericalOverflow, match=message) as caught:
        simulation.advance(1000)
    assert 0 < simulation.steps < 1000
    assert caught.value.time == simulation.time == float(simulation.steps)
    assert np.isfinite(simulation.state.omega_body).all()


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["exact-drift", "exact-drift4"])
@pytest.mark.parametrize("fast", [False, True])
def test_a_step_too_long_for_the_body_is_called_so(name, fast):
    """Moments 1e12 apart turn about the least one at up to 1e12 rad/s: nothing diverges there."""
    if fast:
        pytest.importorskip("numba")
    body, start = RigidBody.from_moments((1e-6, 1, 1e6)), State((1, 0, 0, 0), (0.1, 3, 0.3))
    simulation = Simulation(body, start, name, 0.002 / 16, fast=fast)
    label = simulation._method.label
    with pytest.raises(
        StepTooLong, match=f"{label} stopped at t = 0 s: a step of 0.000125 s is too long for this body at this spin"
    ) as caught:
        simulation.advance_steps(1)
    longest = caught.value.longest
    Simulation(body, start, name, 0.99 * longest, fast=fast).advance_steps(1)
    with pytest.raises(StepTooLong):
        Simulation(body, start, name, 1.01 * longest, fast=fast).advance_steps(1)


def test_at_rest_nothing_moves():
    for name in (*STEPPERS, "exact"):
        simulation = Simulation(BODY, State((1, 2, 3, 4), (0, 0, 0)), name)
        simulation.advance(5)
        assert (simulation.state.omega_body == 0).all()
        assert simulation.rotational_energy == simulation.target_energy == 0.0
        assert angle_between(simulation.state.orientation_wxyz, State((1, 2, 3, 4), (0, 0, 0)).orientation_wxyz) < 1e-14
    loaded = Simulation(BODY, State((1, 2, 3, 4), (0, 0, 0)), loads=Loads(internal_friction=1, external_friction=1))
    loaded.advance(5)
    assert (loaded.state.omega_body == 0).all()


def test_the_target_of_the_momentum_follows_the_loads() -> None:
    """Beside DOP853; h = 1/8000 s, 2 s: the velocity schemes' own error is 3e-5 at most."""
    loads = Loads(force=(0.0, 0.0, 0.1), arm=(0.3, 0.0, 0.0), external_friction=0.002)
    body, start = RigidBody.ellipsoid(1.0, 1.0, 0.5, 0.2), State((1, 0, 0, 0), (0.0, 3.0, 0.3))
    wanted = np.linalg.norm(integrate(body, start, loads, 2.0)[1])
    assert wanted != pytest.approx(np.linalg.norm(body.principal_moments * start.omega_body), rel=0.02)
    for name in ("exact-drift", "split", "jolt", "modified-jolt"):
        run = Simulation(body, start, integrator=name, step=1 / 8000, loads=loads)
        run.advance(2.0)
        assert run.target_momentum == pytest.approx(wanted, rel=1e-3)


@pytest.mark.parametrize(
    ("name", "step", "loads", "every"),
    [
        ("exact-drift", 1 / 60, Loads(), 1),
        ("exact-drift", 0.4, Loads(), 1),
        ("exact-drift", 1 / 60, Loads(), 3),
        ("exact-drift", 1 / 60, Loads(external_friction=0.1), 1),
        ("split", 1 / 60, Loads(), 1),
        ("exact", 1 / 60, Loads(), 2),
    ],
)
def test_sampled_gives_the_states_that_steps_pass(name, step, loads, every):
    body, start = RigidBody.box(80, 1, 0.4, 0.2), State((1, 0, 0, 0), (0.05, 5, 0.05))
    made, stepped = (Simulation(body, start, name, step, loads) for _ in range(2))
    states = made.sampled(50, every)
    for n in range(50):
        stepped.advance_steps(every)
        assert states.time[n] == pytest.approx(stepped.time, rel=1e-14)
        state = stepped.state
        assert np.abs(states.orientation_wxyz[n] - state.orientation_wxyz).max() < 1e-10
        assert np.abs(states.omega_body[n] - state.omega_body).max() < 1e-9
    assert made.steps == stepped.steps
    assert np.abs(made.state.orientation_wxyz - states.orientation_wxyz[-1]).max() < 1e-10
    if loads.free:
        energies = (states.omega_body**2 @ body.principal_moments) / 2
        assert np.ptp(energies) <= 1e-12 * energies[0] or name == "split"


def test_sampled_refuses_what_it_cannot_count():
    simulation = Simulation(RigidBody.box(80, 1, 0.4, 0.2), State((1, 0, 0, 0), (0, 5, 0)))
    assert simulation.sampled(0).time.shape == (0,)
    with pytest.raises(ValueError, match="every"):
        simulation.sampled(3, 0)
