"""The motion of a page, computed in a browser, beside that of the program."""

import json

import numpy as np
import pytest
from helpers.browsers import page_of
from helpers.reference import CASES, DATA

from viewer import FreeRotation, RigidBody, Scenario, State
from viewer.export.page import motion_data as module
from viewer.export.page.motion_data import motion_data
from viewer.physics.body import SHAPES
from viewer.physics.torque_of_time import Thruster, TorquePiece

EXACT = """(cases) => cases.map(({ times, ...start }) => {
    const motion = freeMotion(start), { period, flipPeriod, precessionPeriod, largestRate } = motion;
    const states = times.map((time) => motion.at(time));
    return {
        period, flipPeriod, precessionPeriod, largestRate,
        orientation: states.map((state) => state.orientation), omega: states.map((state) => state.omegaBody),
        flips: times.map((time) => [motion.previousFlip(time), motion.nextFlip(time)]),
    };
})"""
SAMPLED = """([data, times]) => {
    const motion = motionOf(data);
    return times.map((time) => motion.at(time));
}"""


def turned(q, p):
    """The angles [rad] between orientations."""
    sign = np.sign(np.sum(q * p, axis=-1))[..., None]
    return 2.0 * np.linalg.norm(q - sign * p, axis=-1)


def bodies(count, seed):
    """Moments and angular velocities of every kind: also near the separatrix, near-symmetric, thin and steady ones."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        moments = np.sort(rng.uniform(0.1, 1.0, 3)) * 10.0 ** rng.integers(-6, 6)
        moments[2] = min(moments[2], 0.98 * (moments[0] + moments[1]))
        moments = np.sort(moments)
        omega = rng.normal(size=3) * 10.0 ** rng.uniform(-3, 3)
        side = rng.choice((-1.0, 1.0))
        kind = number % 8
        if kind == 1:
            low, middle, high = moments
            apart = side * 10.0 ** rng.uniform(-15, -2)
            omega[2] = omega[0] * np.sqrt(low * (middle - low) / (high * (high - middle))) * (1.0 + apart)
        if kind in (2, 3):
            near = 10.0 ** rng.uniform(-14, -3) if kind == 2 else 0.0
            moments[1] = moments[rng.choice((0, 2))] * (1.0 + side * near)
        if kind == 4:
            moments[0] = moments[1] * 10.0 ** rng.uniform(-9, -2)
        if kind in (5, 6):
            small = 10.0 ** rng.uniform(-9, -1, 2) if kind == 5 else (0.0, 0.0)
            omega *= np.roll((1.0, *small), rng.integers(3))
        order = rng.permutation(3)
        yield moments[order], omega[order]


def compared(page, count, seed):
    """The largest errors of orientation, omega (of its largest value), periods and flips (of a period)."""
    rng = np.random.default_rng(seed)
    motions, cases = [], []
    for moments, omega in bodies(count, seed):
        motion = FreeRotation(RigidBody.from_moments(moments), State(rng.normal(size=4), omega))
        period = motion.period or 1.0
        late = rng.choice((-1.0, 1.0), 4) * 10.0 ** rng.uniform(0, 3, 4)
        times = period * np.array((0.0, *rng.uniform(-1, 1, 4), *late))
        start = {"moments": moments.tolist(), "omegaBody": omega.tolist(), "times": times.tolist()}
        cases.append(start | {"orientation": motion.start.orientation_wxyz.tolist()})
        motions.append(motion)
    page.open(page_of(["motion"]))
    errors = np.zeros(4)
    for motion, case, found in zip(motions, cases, page.evaluate(EXACT, cases), strict=True):
        exact = motion.at(np.array(case["times"]))
        q, omega = np.array(found["orientation"]), np.array(found["omega"])
        rates = np.linalg.norm(omega - exact.omega_body, axis=1)
        periods = [
            (found["period"], motion.period),
            (found["flipPeriod"], motion.flip_period),
            (found["precessionPeriod"], motion.precession_period),
        ]
        assert [a is None for a, _ in periods] == [b is None for _, b in periods]
        errors[:3] = np.maximum(errors[:3], (
            turned(q, exact.orientation_wxyz).max(), rates.max() / np.linalg.norm(exact.omega_body, axis=1).max(),
            max((abs(a / b - 1.0) for a, b in periods if b), default=0.0),
        ))  # fmt: skip
        for time, (before, after) in zip(case["times"], found["flips"], strict=True):
            expected = motion.next_flip(time)
            assert (after is None) == (before is None) == (expected is None)
            if expected is not None:
                off = max(abs(after - expected), abs(expected - before - motion.flip_period))
                errors[3] = max(errors[3], off / motion.flip_period)
        assert np.all(found["largestRate"] >= np.linalg.norm(omega, axis=1) * (1.0 - 1e-14))
    assert page.messages == []
    return errors


@pytest.mark.parametrize("count", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_thousand_motions_are_those_of_the_program(browser_page, count):
    orientation, omega, periods, flips = compared(browser_page("chromium"), count, 5)
    assert orientation < 1e-12
    assert omega < 1e-12
    assert periods < 1e-14
    assert flips < 1e-12


def test_firefox_computes_the_same(browser_page):
    assert np.all(compared(browser_page("firefox"), 64, 6) < 1e-12)


def test_the_motion_has_the_digits_of_references(browser_page):
    thin = json.loads((DATA / "thin_bodies.json").read_text())["cases"]
    references = [(case | {"orientation_wxyz": (1, 0, 0, 0)}, [case]) for case in thin]
    references += [(case, case["samples"]) for case in CASES.values()]
    cases = [
        {
            "moments": case["principal_moments_kg_m2"],
            "omegaBody": case["omega_body_rad_s"],
            "orientation": [float(part) for part in case["orientation_wxyz"]],
            "times": [sample["t_s"] for sample in samples],
        }
        for case, samples in references
    ]
    page = browser_page("chromium")
    page.open(page_of(["motion"]))
    for (case, samples), found in zip(references, page.evaluate(EXACT, cases), strict=True):
        if "period_s" in case:
            assert found["period"] == (case["period_s"] and pytest.approx(float(case["period_s"]), rel=1e-14))
        for sample, q, omega in zip(samples, found["orientation"], found["omega"], strict=True):
            exact = np.array(sample["orientation_wxyz"], dtype=float)
            rates = np.array(sample["omega_body"], dtype=float)
            assert turned(np.array(q), exact) < 1e-12
            assert np.linalg.norm(omega - rates) <= 1e-12 * np.linalg.norm(rates)


def test_moments_and_orientations_follow_from_the_fields_of_a_scene(browser_page):
    fields = {"mass": 1.3, "width": 0.9, "depth": 0.4, "height": 0.7, "radius": 0.3, "thickness": 0.11}
    page = browser_page("chromium")
    page.open(page_of(["state"]))
    for shape in ("box", "ellipsoid", "sphere", "cylinder", "t-handle"):
        body = SHAPES[shape].make(**{name: fields[name] for name in SHAPES[shape].dimensions})
        found = page.evaluate("(body) => momentsOf(body)", {"shape": shape, **fields})
        assert found == pytest.approx(body.principal_moments, rel=1e-14)
    angles = (20.0, -75.0, 130.0)
    scenario = Scenario().with_value("start.orientation_deg", angles)
    found = page.evaluate("(degrees) => orientationOf(degrees)", angles)
    assert found == pytest.approx(scenario.start_state().orientation_wxyz, abs=1e-15)


def under_loads():
    """Scenes without a closed form: a top, torques that go on and off, a fall, large steps, a stretched matrix."""
    thruster = Thruster((0.0, 0.2, 0.0), (0.0, 0.0, 1.5), (0.31, 0.87, 1.5))
    pulses = TorquePiece("pulse-train", (0.4, 0.0, 0.2), "body", period=0.5, width=0.1, start=0.213, end=2.0)
    fine = Scenario().with_values({"solver.integration_period": 0.004, "solver.extra_substeps": 0})
    yield "top", Scenario.preset("top-with-loops")
    yield "pulses", fine.with_value("loads.torque_of_time", (pulses,))
    yield (
        "thrust",
        fine.with_values({"loads.thrusters": (thruster,), "loads.gravity": 9.81, "start.position": (1e3, 0.0, 5.0)}),
    )
    yield "large steps", Scenario.preset("paper-fig1")
    yield "no rotation", Scenario.preset("paper-fig1").with_value("solver.integrator", "matrix-euler")


SCENES = dict(under_loads())


@pytest.mark.parametrize("name", SCENES)
def test_samples_give_the_motion_between_them(browser_page, name, monkeypatch):
    monkeypatch.setattr(module, "PLAYED", 4.0)
    scenario = SCENES[name]
    data = motion_data(scenario)
    assert data["kind"] == "samples"
    assert data["error"] <= 1e-6
    simulation = scenario.simulation()
    count = round(data["until"] / simulation.step)
    rng = np.random.default_rng(1)
    steps = np.sort(rng.choice(np.arange(1, count), 20, replace=False)) + rng.uniform(0.0, 1.0, 20) * simulation.dense
    page = browser_page("chromium")
    page.open(page_of(["motion"]))
    found = page.evaluate(SAMPLED, [data, (steps * simulation.step).tolist()])
    fastest = max(np.linalg.norm(state["omegaBody"]) for state in found)
    for step, state in zip(steps, found, strict=True):
        simulation.advance_steps(int(step) - simulation.steps)
        ahead = simulation.ahead(step - int(step))
        exact, momentum = ahead.state, ahead.angular_momentum_world
        assert turned(np.array(state["orientation"]), exact.orientation_wxyz) < 1e-6
        assert state["omegaBody"] == pytest.approx(exact.omega_body, abs=1e-6 * fastest)
        assert state["angularMomentumWorld"] == pytest.approx(momentum, abs=2e-6 * np.linalg.norm(momentum))
        assert state["position"] == pytest.approx(exact.position, abs=1e-5)
    assert page.messages == []


def test_samples_know_their_flips(browser_page, monkeypatch):
    monkeypatch.setattr(module, "PLAYED", 20.0)
    page = browser_page("chromium")
    page.open(page_of(["motion"]))
    flips = """(data) => {
        const motion = motionOf(data), flips = [motion.nextFlip(0)];
        for (let i = 0; i < 3; i++) flips.push(motion.nextFlip(flips.at(-1)));
        const rates = flips.map((time) => motion.at(time).omegaBody);
        return [flips, rates, motion.previousFlip(flips[1]), motion.nextFlip(1e9)];
    }"""
    times, rates, before, after = page.evaluate(flips, motion_data(SCENES["large steps"]))
    middle = np.argsort(SCENES["large steps"].rigid_body().principal_moments)[1]
    assert np.abs(np.array(rates)[:, middle]).max() < 1e-5 * np.abs(rates).max()  # measured: 3.2e-6
    assert np.diff(times) == pytest.approx([3.4932] * 3, abs=1e-4)  # the exact motion flips every 3.50 s
    assert (before, after) == (times[0], None)
    spun = SCENES["large steps"].with_value("loads.external_friction", 0.01)
    assert motion_data(spun)["flips"] == []


def test_samples_end_where_they_would_be_too_large(monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 20_000)
    data = motion_data(SCENES["large steps"])
    assert 19_000 < sum(map(len, data["rows"].values())) + len(data["steps"]) <= 20_000
    assert 1.0 < data["until"] < 60.0
    assert motion_data(SCENES["pulses"], time=100.0)["until"] < 60.0


def test_samples_reach_to_the_time_of_the_page(monkeypatch):
    monkeypatch.setattr(module, "PLAYED", 1.0)
    assert motion_data(SCENES["large steps"], 7.0)["until"] == pytest.approx(7.0)


def test_a_free_motion_is_no_table():
    data = motion_data(Scenario.preset("t-handle"))
    assert data["kind"] == "free"
    assert len(json.dumps(data)) < 600
