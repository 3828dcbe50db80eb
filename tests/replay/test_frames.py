"""Rates beside orientations in other axes, directions and units: what can be told is repaired, nothing else is.

The motions are scipy's: Euler's equations by DOP853 and its rotations, with noise of 1e-3.
"""

import json
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from helpers.disagreeing_log import disagreeing_log
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from viewer.cli import main
from viewer.replay.analysis import replay
from viewer.replay.conventions import DIRECTIONS, FRAMES, RATE_UNITS, Conventions
from viewer.replay.fits.frames import MATRICES
from viewer.replay.raw_recording import RawRecording
from viewer.replay.recording import interpret

TIME = np.arange(500) * 0.02
NAMED = Conventions(order="wxyz")  # as the names of columns tell
NOISE = 1e-3
KINDS = [*product(MATRICES, DIRECTIONS, FRAMES, RATE_UNITS)]


@cache
def free(seed: int) -> tuple[Rotation, np.ndarray]:
    """A tumbling solid without symmetry: (body to world, rates in the body)."""
    chance = np.random.default_rng(seed)
    moments = chance.permutation(np.array((0.45, 0.75, 1.0)) + chance.uniform(-0.06, 0.06, 3))
    start = chance.normal(size=3)
    start = 3.0 * start / np.linalg.norm(start) + np.array((1.0, 1.0, 1.0))

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        (x, y_, z, w), (a, b, c) = y[:4], y[4:]
        turned = (w * a + y_ * c - z * b, w * b + z * a - x * c, w * c + x * b - y_ * a, -x * a - y_ * b - z * c)
        return np.concatenate((0.5 * np.array(turned), np.cross(moments * y[4:], y[4:]) / moments))

    begin = np.concatenate((Rotation.random(random_state=seed).as_quat(), start))
    y = solve_ivp(rates, (0.0, TIME[-1]), begin, "DOP853", TIME, rtol=1e-9, atol=1e-9).y.T
    return Rotation.from_quat(y[:, :4]), y[:, 4:]


def steered(seed: int, about: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> tuple[Rotation, np.ndarray]:
    """What a hand does with it: smooth rates without a law."""
    chance = np.random.default_rng(seed)
    waves = chance.uniform(0.5, 3.0, (6, 3)), chance.uniform(0.0, 6.0, (6, 3))
    middle = np.sin(waves[0] * (TIME[:, None, None] + 0.01) + waves[1]).sum(axis=1) * about
    turn = Rotation.identity()
    turns = [turn] + [turn := turn * Rotation.from_rotvec(0.02 * rate) for rate in middle[:-1]]
    return Rotation.concatenate(turns), np.sin(waves[0] * TIME[:, None, None] + waves[1]).sum(axis=1) * about


def recorded(motion: tuple[Rotation, np.ndarray], axes: str, direction: str, frame: str, unit: str, seed: int,
             declared: Conventions = NAMED) -> RawRecording:  # fmt: skip
    """The motion as a log of this kind, with noise."""
    chance = np.random.default_rng(seed)
    turn, rates = motion
    rates = (turn.apply(rates) if frame == "world" else rates) @ MATRICES[axes] / RATE_UNITS[unit]
    rates = rates + NOISE * np.sqrt(np.mean(rates**2)) * chance.normal(size=rates.shape)
    turn = (turn if direction == DIRECTIONS[0] else turn.inv()) * Rotation.from_rotvec(
        NOISE * chance.normal(size=rates.shape)
    )
    return RawRecording("log.csv", TIME, turn.as_quat()[:, [3, 0, 1, 2]], rates, declared)


def examine(seed: int, kind: tuple[str, str, str, str]) -> bool:
    """Whether a log of a free body is read as it was made, after a repair if axes differ.

    There are three exceptions. A scalar elsewhere amounts to a reversed turn and other axes, so that both are told. So
    are both signs of an axis about which it hardly turns. And with three defects at once a log has the numbers of a
    usual one of the inverse motion.
    """
    axes, *_ = kind
    found = interpret(recorded(free(seed // 6), *kind, seed), repair=True)
    read = found.conventions
    as_made = (read.rate_axes or "xyz", read.direction, read.rate_frame, read.rate_unit) == kind
    if found.disagreement is not None and found.disagreement.repaired is None:
        line = found.disagreement.line
        assert "these readings fit alike" in line or (line.startswith("either") and "too little about one axis" in line)
        return False
    if kind[:3] == ("-x-y-z", DIRECTIONS[1], "world"):
        assert found.disagreement is None
        assert (read.direction, read.rate_frame) == (DIRECTIONS[0], "body")
        return False
    assert as_made, (seed, kind, found.warnings)
    assert read.time_unit == "s"
    assert (found.disagreement is not None) == (axes != "xyz")
    return True


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 10))])
def test_no_repair_of_free_bodies_is_false_and_none_is_missed(part):
    """A thousand logs over all 48 axes, both directions, both frames and three units."""
    chance = np.random.default_rng(part)
    kinds = [KINDS[n] for n in chance.choice(len(KINDS), 100, replace=False)]
    told = [examine(100 * part + n, kind) for n, kind in enumerate(kinds)]
    assert np.mean(told) > 0.9  # measured .94 to .99: 4 % of the kinds have two explanations


@pytest.mark.parametrize("seed", range(10))
def test_what_is_no_free_motion_is_repaired_where_the_direction_is_declared(seed):
    axes, direction, frame, unit = KINDS[np.random.default_rng(seed).integers(len(KINDS))]
    declared = Conventions(order="wxyz", direction=direction, rate_frame=frame)
    read = interpret(recorded(steered(seed), axes, direction, frame, unit, seed, declared), repair=True).conventions
    assert (read.rate_axes or "xyz", read.direction, read.rate_frame, read.rate_unit) == (axes, direction, frame, unit)


@pytest.mark.parametrize("seed", range(3))
def test_where_three_explanations_fit_the_direction_is_what_is_unknown(seed):
    """A scalar elsewhere, or a reversed turn and other axes, which amounts to the same; or rates in space."""
    found = interpret(recorded(steered(seed), "z-yx", DIRECTIONS[1], "body", "rad/s", seed)).disagreement
    assert found is not None
    assert found.line == (
        "these readings fit alike: (1) quaternions xyzw, not wxyz; (2) rates recorded as -z, y, -x, rates in the world;"
        " and 1 more; declare the direction of the quaternions with --quaternion, or the frame of the rates with"
        " --angular-velocity"
    )


@pytest.mark.parametrize("axes", ["xyz", "xy-z", "yxz", "-x-yz"])
def test_turns_about_one_axis_tell_of_that_axis_only(axes):
    made = recorded(steered(3, (0.0, 0.0, 1.0)), axes, DIRECTIONS[0], "body", "rad/s", 0,
                    Conventions("wxyz", DIRECTIONS[0], "body"))  # fmt: skip
    found = interpret(made, repair=True)
    assert found.conventions.rate_axes is None
    assert (found.disagreement is None) == ("-z" not in axes)
    if found.disagreement is not None:
        assert "cannot be told, as it turns mostly about one axis" in found.disagreement.remark


def test_rates_that_belong_to_other_orientations_are_not_repaired():
    made = recorded(steered(4), "xyz", *DIRECTIONS[:1], "body", "rad/s", 0)
    other = recorded(steered(5), "xyz", *DIRECTIONS[:1], "body", "rad/s", 0)
    for rates in (other.rates, np.repeat(made.rates[:, :1], 3, axis=1)):
        found = interpret(RawRecording("a", TIME, made.quaternion, rates, NAMED), repair=True)
        assert found.contradiction is not None
        assert found.contradiction.repaired is None
        line = "the rates are not those of the orientations, nor along exchanged or reversed axes"
        assert found.contradiction.line == line
        assert any(told.endswith(line) for told in found.warnings)


def test_the_command_names_the_frames_and_repairs_them(tmp_path, capsys):
    line = "y and z of the rates are reversed against the orientations, as FLU beside FRD"
    name = disagreeing_log(tmp_path / "log.csv", "x-y-z")
    assert main(["replay", name]) == 0
    told = capsys.readouterr().out
    assert f"{line} (misfit 0.0" in told
    assert "verdict: none, as long as rates and orientations disagree" in told
    assert "resembles" not in told
    assert main(["replay", name, "--repair", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["disagreement"]["line"] == line
    assert found["disagreement"]["applied"]
    assert found["disagreement"]["conventions"]["rate_axes"] == "x-y-z"
    assert any(sentence.startswith(f"repaired: {line}") for sentence in found["findings"])
    assert any(sentence.startswith("verdict: true") for sentence in found["findings"])
    assert main(["replay", disagreeing_log(tmp_path / "right.csv", "xyz"), "--repair"]) == 0
    assert "nothing to repair" in capsys.readouterr().out


def test_rates_declared_in_another_frame_end_as_a_report_without_a_verdict() -> None:
    """The rates, taken so, determine no moments; those of the orientations stand for them."""
    raw = recorded(free(1), "xyz", DIRECTIONS[0], "body", "rad/s", 1, replace(NAMED, rate_frame="world"))
    found = replay(interpret(raw))
    assert found.repairable
    assert found.findings()[-1] == "verdict: none, as long as rates and orientations disagree"


def test_a_scalar_in_the_column_of_qx_is_repaired_if_the_direction_is_declared(tmp_path, capsys):
    name = disagreeing_log(tmp_path / "log.csv", "xyz", "qx,qy,qz,qw")
    main(["replay", name])
    assert "these readings fit alike: (1) the column of qx holds the scalar; (2)" in "".join(capsys.readouterr())
    main(["replay", name, "--repair", "--quaternion", "world from body"])
    told = capsys.readouterr().out
    assert "repaired: the column of qx holds the scalar" in told
    assert "verdict: true" in told


def test_a_motion_from_the_identity_tells_which_column_holds_the_scalar():
    turn, rates = free(3)
    made = recorded((turn[0].inv() * turn, rates), "xyz", DIRECTIONS[0], "body", "rad/s", 0)
    named = np.roll(made.quaternion, 1, axis=1)  # qx has the scalar, and qw what belongs into qz
    named[0] = (0.0, 1.0, 0.0, 0.0)
    found = interpret(RawRecording("log.csv", TIME, named, made.rates, NAMED), repair=True)
    assert found.disagreement.line == "the column of qx holds the scalar"
    np.testing.assert_array_equal(found.omega_body, made.rates)


@pytest.mark.parametrize(
    ("axes", "told"),
    [
        ("-xyz", "x of the rates is reversed against the orientations: the rates are left-handed"),
        ("-x-y-z", "x, y and z of the rates are reversed against the orientations: the rates are left-handed"),
        ("yx-z", "x and y of the rates are exchanged against the orientations, z is reversed, as NED beside ENU"),
        ("xzy", "y and z of the rates are exchanged against the orientations: the rates are left-handed"),
        ("y-xz", "the rates about x, y and z are recorded as y, -x, z"),
    ],
)
def test_the_line_has_the_words_of_the_field(axes, told):
    found = interpret(recorded(free(2), axes, DIRECTIONS[0], "body", "rad/s", 0))
    assert found.disagreement is not None
    assert found.disagreement.line == told
