"""Replays: our own recordings come out without error, other engines' are recognised, wrong conventions are noticed."""

import re
from functools import cache

import numpy as np
import pytest
from helpers.logs import LOGS, short_log
from scipy.interpolate import CubicSpline

from viewer.cli import main
from viewer.common.errors import InputError
from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rotation import multiply, rotate, rotation_matrix
from viewer.physics.simulation import Simulation
from viewer.physics.state import State
from viewer.replay.analysis import replay
from viewer.replay.conventions import Conventions
from viewer.replay.formats.formats import read_recording
from viewer.replay.raw_recording import RawRecording
from viewer.replay.recording import interpret

MOMENTS = (1.0, 2.0, 2.5)


@cache
def simulated(integrator: str, step: float = 0.02, rows: int = 600, every: int = 1):
    body = RigidBody.from_moments(MOMENTS)
    start = State((0.5, 0.5, -0.5, 0.5), (0.4, 2.0, 0.3))
    simulation = Simulation(body, start, integrator, step / every)
    states = simulation.sampled(rows, every=every)
    time = np.concatenate(([0.0], states.time))
    q = np.concatenate((start.orientation_wxyz[None], states.orientation_wxyz))
    return time, q, np.concatenate((start.omega_body[None], states.omega_body))


def raw(time, q, omega, said: Conventions | None = None) -> RawRecording:
    return RawRecording("recording.csv", time, q, omega, said or Conventions())


def test_our_own_exact_log_has_no_error(tmp_path):
    """As `poinsot simulate` writes it, with declared moments."""
    path = tmp_path / "exact.csv"
    words = f"simulate paper-fig1-fine --integrator exact --seconds 20 --every 0.02 -o {path}"
    assert main(words.split()) == 0
    # a solid ellipsoid of 1 kg, full axes 1 x .5 x .2 m
    wanted = Conventions(moments=(0.0145, 0.052, 0.0625))
    found = replay(interpret(read_recording(path), wanted))
    errors = found.trajectory.errors
    for error in (errors.energy, errors.momentum, errors.direction, errors.orientation, errors.phase):
        assert np.abs(error).max() < 1e-9  # measured 1.7e-14 at most
    assert found.left_curve is None
    assert "resembles the exact motion" in found.findings()[-1]
    assert not found.warnings or all("not declared, so inferred" in warning for warning in found.warnings)


def test_without_moments_they_are_found_up_to_their_scale():
    found = replay(interpret(raw(*simulated("exact"))))
    assert found.fitted
    assert found.body.principal_moments == pytest.approx(np.array(MOMENTS) / 2.5, abs=1e-12)  # measured 2e-15
    assert np.abs(found.trajectory.errors.orientation).max() < 1e-12  # measured 7e-15


def test_principal_axes_that_are_not_those_of_the_log_are_found():
    time, q, omega = simulated("exact")
    turn = np.array([0.9, 0.2, -0.3, 0.1])
    turn /= np.linalg.norm(turn)
    tilted = rotate(turn, omega)  # the log's body axes are turned against the principal ones
    back = turn * [1, -1, -1, -1]
    found = replay(interpret(raw(time, multiply(q, back), tilted)))
    assert np.sort(found.body.principal_moments) == pytest.approx(np.array(MOMENTS) / 2.5, abs=1e-9)
    assert np.abs(found.trajectory.errors.orientation).max() < 1e-9


@pytest.mark.parametrize("order", ["wxyz", "xyzw"])
@pytest.mark.parametrize("turn", ["world from body", "body from world"])
@pytest.mark.parametrize("frame", ["body", "world"])
@pytest.mark.parametrize(("unit", "factor"), [("rad/s", 1.0), ("deg/s", 180.0 / np.pi), ("rpm", 30.0 / np.pi)])
def test_conventions_are_found_out_and_wrong_ones_noticed(order, turn, frame, unit, factor):
    time, q, omega = simulated("exact", rows=200)
    logged = (rotate(q, omega) if frame == "world" else omega) * factor
    written = q * [1, -1, -1, -1] if turn == "body from world" else q
    written = written[:, [1, 2, 3, 0]] if order == "xyzw" else written
    blind = interpret(raw(time, written, logged))
    said = blind.conventions
    assert (said.order, said.direction, said.rate_frame, said.rate_unit) == (order, turn, frame, unit)
    assert any("not declared, so inferred" in warning for warning in blind.warnings)
    np.testing.assert_allclose(blind.omega_body, omega, atol=1e-12)

    right = Conventions(order, turn, frame, unit)
    assert interpret(raw(time, written, logged, right)).warnings == ()
    other = {"rad/s": "deg/s", "deg/s": "rpm", "rpm": "rad/s"}[unit]
    wrong = interpret(raw(time, written, logged, Conventions(order, turn, frame, other)))
    assert f"the rates are in {unit}, not in {other}" in wrong.warnings[0]
    swapped = Conventions("xyzw" if order == "wxyz" else "wxyz", turn, frame, unit)
    (warning,) = interpret(raw(time, written, logged, swapped)).warnings
    assert f"the quaternions are {order}, not {swapped.order}" in warning


def test_orientations_alone_are_enough():
    time, q, omega = simulated("exact", step=0.005, rows=2000)
    found = replay(interpret(raw(time, q, None, Conventions(order="wxyz", direction="world from body"))))
    np.testing.assert_allclose(found.recording.omega_body, omega, atol=1e-8)  # measured 2e-10
    assert found.body.principal_moments == pytest.approx(np.array(MOMENTS) / 2.5, abs=1e-9)  # measured 3e-11


def test_angular_velocities_alone_are_enough():
    time, q, omega = simulated("exact", step=0.005, rows=2000)
    found = replay(interpret(raw(time, None, omega)))
    assert found.body.principal_moments == pytest.approx(np.array(MOMENTS) / 2.5, abs=1e-9)  # measured 2e-11
    start = rotation_matrix(q[0])
    np.testing.assert_allclose(
        start @ rotation_matrix(found.recording.orientation_wxyz), rotation_matrix(q), atol=1e-5
    )  # measured 4e-8
    assert any("no orientations recorded" in warning for warning in found.warnings)


@pytest.mark.sweep(most=3)
@pytest.mark.parametrize(
    ("name", "every"),
    [("jolt", 1), ("jolt", 2), ("explicit-euler", 1), ("momentum-first", 1), ("implicit", 1), ("split", 2)],
)
def test_an_integrator_is_known_by_its_log(name, every):
    found = replay(interpret(raw(*simulated(name, every=every), Conventions(moments=MOMENTS))))
    best = found.likenesses[0]
    assert (best.integrator, best.substeps) == (name, every)
    assert best.difference < 1e-12  # measured 1e-14
    parts = "" if every == 1 else " with 2 steps a row"
    assert found.findings()[-1].startswith(f"resembles {name}{parts} most")


def test_the_time_at_which_the_curve_is_left():
    found = replay(interpret(raw(*simulated("explicit-euler"), Conventions(moments=MOMENTS))))
    at, quantity = found.left_curve
    index = int(np.searchsorted(found.trajectory.states.time, at))
    assert quantity == "|L|"
    sizes = found.trajectory.angular_momentum_norm / found.trajectory.angular_momentum_norm[0]
    assert sizes[index] > 1.01 >= sizes[index - 1]


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize(
    ("name", "resembles"),
    [
        ("mujoco-euler.csv", "resembles explicit-euler most"),
        ("mujoco-implicitfast.csv", "resembles implicit-bullet most"),
        ("bullet-implicit.csv", "resembles implicit-bullet most"),
        ("bullet-explicit.csv", "resembles no known integrator"),  # it limits the gyroscopic torque
    ],
)
def test_other_engines_are_recognised(name, resembles):
    found = replay(interpret(read_recording(LOGS / name)))
    findings = found.findings()
    assert findings[-1].startswith(resembles)
    assert found.warnings == ()
    assert any("leaves the curve" in words for words in findings)
    assert len(list(LOGS.iterdir())) == 5  # these, and the phone of the tour


@pytest.mark.parametrize("noise", [0.0, 1e-3])
def test_where_the_declared_moments_do_not_fit_there_is_no_verdict_on_the_motion(noise):
    time, q, omega = simulated("exact")
    omega = omega + noise * np.random.default_rng(0).normal(size=omega.shape)
    found = replay(interpret(raw(time, q, omega, Conventions(moments=(2.0, 2.0, 2.5)))))
    findings = found.findings()
    assert findings[-1] == "verdict: none, as long as the declared moments do not fit"
    assert found.trajectory.lane.misdeclared
    assert findings[-2].startswith("the declared moments do not fit the motion: relative to the largest they are 0.8, ")
    assert "gives 0.4, 0.8, 1, up to 40 % away; declare others with --moments, or none" in findings[-2]
    assert "resembles" not in " ".join(findings)
    findings = replay(interpret(raw(time, q, omega, Conventions(moments=(2.0, 4.0, 5.0))))).findings()
    assert any(line.startswith("verdict: true") for line in findings)


def test_a_spin_about_one_axis_does_not_tell_the_moments():
    time = np.arange(200) * 0.01
    q = np.stack((np.cos(time), 0 * time, np.sin(time), 0 * time), axis=1)
    omega = np.tile([0.0, 2.0, 0.0], (200, 1))
    with pytest.raises(InputError, match=r"moments: this motion does not determine them.*--moments"):
        replay(interpret(raw(time, q, omega)))
    found = replay(interpret(raw(time, q, omega, Conventions(moments=MOMENTS))))
    assert "true: every error" in " ".join(found.findings())


def test_a_body_at_rest_and_a_zero_quaternion_are_told():
    time, q, omega = simulated("exact", rows=20)
    with pytest.raises(InputError, match="a replay needs a motion"):
        interpret(raw(time, q, 0.0 * omega))
    with pytest.raises(InputError, match="a replay needs a motion"):
        interpret(raw(time, None, 0.0 * omega))
    with pytest.raises(InputError, match="the quaternion in row 1 is zero"):
        interpret(raw(time, np.concatenate((0 * q[:1], q[1:])), None))


def test_the_command_prints_and_writes(tmp_path, capsys):
    path = short_log(tmp_path / "log.csv")
    assert main(["replay", path]) == 0
    assert "resembles explicit-euler most" in capsys.readouterr().out
    report = tmp_path / "report.html"
    assert main(["replay", path, "--beside", "explicit-euler,exact", "-o", str(report)]) == 0
    page = report.read_text(encoding="utf-8")
    assert "resembles explicit-euler most" in page
    assert "<td>explicit-euler</td>" in page
    table = tmp_path / "report.csv"
    assert main(["replay", path, "-o", str(table)]) == 0
    assert table.read_text().splitlines()[1].startswith("log.csv,")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("replay nothing.csv", "nothing.csv: file not found"),
        ("replay LOG --quaternion zyxw", "quaternion: 'zyxw' is unknown"),
        ("replay LOG --moments 1,2", "moments: '1,2' is not three numbers"),
        ("replay LOG --flight 1 --moments 1,2,2.5", "--flight: its moments are fitted"),
        ("replay LOG --beside jolly -o x.csv", "did you mean jolt?"),
        ("replay LOG -o LOG", "is an input ("),
        ("replay LOG -o x.pdf", "is not a report file"),
    ],
)
def test_bad_input_is_one_line_and_status_2(words, told, capsys):
    path = LOGS / "mujoco-euler.csv"
    assert main([str(path) if word == "LOG" else word for word in words.split()]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


def test_the_fit_of_a_needle_has_moments():
    from viewer.replay.fits.inertia import Fit

    moments, axes = Fit(np.diag((1.0, 0.0, 0.0)), np.inf, np.zeros((6, 6))).principal()
    assert moments.tolist() == [1.0, 0.0, 0.0]
    assert np.array_equal(axes, np.eye(3))


def test_a_body_that_rests_at_first_begins_no_free_motion():
    time = 0.02 * np.arange(12)
    rates = np.where(time[:, None] > 0.1, (0.3, 2.0, 0.1), 0.0)
    declared = Conventions(rate_unit="rad/s", time_unit="s", moments=MOMENTS)
    with pytest.raises(InputError, match="the body rests in the first row"):
        replay(interpret(raw(time, None, rates, declared)))


def test_orientations_noisier_than_the_turn_from_row_to_row_end_in_a_verdict():
    """Their rates are then noise, of which |L| is no larger than 10 times: no time can be told at which it rests."""
    time, q, _ = simulated("exact", 0.01, 600)
    noisy = q + 0.01 * np.random.default_rng(5).normal(size=q.shape)
    found = replay(interpret(raw(time, noisy / np.linalg.norm(noisy, axis=1, keepdims=True), None)))
    assert found.rest is None
    assert "verdict: true: every error is hidden by its noise; to tell more would take less noise" in found.findings()
    off = np.abs(found.body.principal_moments - np.array(MOMENTS) / 2.5)
    assert (off < 4.0 * found.sigma + 1e-12).all()


@pytest.mark.parametrize("defect", ["a bias", "a factor", "a delay", "unequal factors", "none"])
def test_rates_that_the_orientations_deny_do_not_move_the_moments(defect):
    """With these rates, a moment came out up to 166 of its standard deviations off."""
    time, q, omega = simulated("exact", 0.02, 300)
    exact, bias = omega, (0.01, -0.01, 0.005)
    if defect == "a delay":
        omega = CubicSpline(time, omega)(time - 0.008)
    omega = omega * {"a factor": 1.02, "unequal factors": (1.05, 1.0, 1.0)}.get(defect, 1.0)
    omega = omega + np.array(bias) * (defect == "a bias")
    chance = np.random.default_rng(3)
    q, omega = q + 1e-5 * chance.normal(size=q.shape), omega + 0.003 * chance.normal(size=omega.shape)
    found = replay(interpret(raw(time, q / np.linalg.norm(q, axis=1, keepdims=True), omega)))
    off = found.body.principal_moments - np.array(MOMENTS) / 2.5
    assert (np.abs(off) < 4.0 * found.sigma + 1e-12).all()
    assert found.explained
    assert "resembles the exact motion, but for noise" in found.findings()
    told = [text for text in found.warnings if text.startswith("the rates ")]
    assert len(told) == (defect != "none")
    if defect == "none":
        return
    assert told[0].endswith(": they are left out of the fit")
    numbers = [float(text) for text in re.findall(r"-?[0-9][0-9.]*", told[0])]
    if defect == "a bias":
        assert "by a constant (" in told[0]
        assert numbers[::2] == pytest.approx(bias, abs=5.0 * numbers[1])
    elif defect == "a factor":
        assert told[0].startswith(f"the rates are {numbers[0]}")
        assert numbers[0] == pytest.approx(1.02, abs=5.0 * numbers[1])
    elif defect == "a delay":
        assert numbers == pytest.approx([8.0, 0.4], rel=0.05)
        assert "late" in told[0]
    else:
        apart = np.sqrt(np.sum((0.05 * exact[:, 0]) ** 2) / np.sum(exact**2))
        assert numbers == pytest.approx([100.0 * apart], rel=0.05)


@pytest.mark.parametrize("given", ["orientations", "declared moments", "rates, too"])
def test_orientations_too_far_apart_end_in_the_turn_from_row_to_row(given):
    """At 0.6 turn a row orientations show 0.4 turn the other way round, of a motion that no body makes."""
    time, q, omega = simulated("exact", 1.9, 40, 190)
    declared = Conventions(moments=MOMENTS if given == "declared moments" else None)
    recording = interpret(raw(time, q, omega if given == "rates, too" else None, declared))
    if given == "rates, too":
        assert "by its rates it makes 0.6" in recording.contradiction.line
        return
    with pytest.raises(InputError, match=r"it makes 0.3\d turns per row.*no moments and no verdict"):
        replay(recording)


def test_a_blow_within_the_noise_of_the_curve_has_its_time_and_no_sentence_that_denies_it():
    """It changes the energy by 4 %, where noise of 0.5 % lets 6 % of its span pass as staying on the curve of L."""
    _, q, omega = simulated("exact", 0.01, 500)
    body = RigidBody.from_moments(MOMENTS)
    after = Simulation(body, State(q[-1], 1.02 * omega[-1]), "exact", 0.01).sampled(400)
    q = np.concatenate((q, after.orientation_wxyz))
    omega = np.concatenate((omega, after.omega_body)) + 0.007 * np.random.default_rng(1).normal(size=(901, 3))
    found = replay(interpret(raw(np.arange(901) * 0.01, q, omega)))
    *_, said, resemblance = found.findings()
    assert "verdict: " in said
    assert "energy grows" in said
    free = re.fullmatch(r".* it is free until t = ([0-9.]*) s at least, then a hand, a torque .*", resemblance)
    assert free is not None
    assert 3.0 < float(free[1]) < 5.2


def test_noise_does_not_turn_l_where_little_is_left_of_it():
    time, q, omega = simulated("exact", 0.02, 500)
    slow, left = (1.0 - np.exp(-0.2 * time)) / 0.2, np.exp(-0.2 * time)
    start = State(q[0], omega[0])
    exact = FreeRotation(RigidBody.from_moments(MOMENTS), start).at(slow)
    omega = exact.omega_body * left[:, None] + 0.004 * np.random.default_rng(1).normal(size=omega.shape)
    found = replay(interpret(raw(time, exact.orientation_wxyz, omega)))
    assert found.torque is not None
    assert "L turns" not in " ".join(found.findings())


def test_noise_is_told_relative_to_the_largest_angular_velocity_but_for_bad_rows():
    time, q, omega = simulated("exact", 0.02, 300)
    omega = omega + 1e-3 * np.random.default_rng(1).normal(size=omega.shape)
    clean = replay(interpret(raw(time, q, omega))).noise.rates
    omega[100] = 50.0
    assert replay(interpret(raw(time, q, omega))).noise.rates == pytest.approx(clean, rel=0.01)
