"""Rates that come late or early beside orientations, or are scaled: both are told with their size, and nothing false.

The motions are made at times of their own, so that rates and orientations are exact at any time.
"""

import json
import re
from functools import cache

import numpy as np
import pytest
from helpers.recorded_motion import rows_of
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation, RotationSpline

from viewer.cli import main
from viewer.replay.conventions import Conventions
from viewer.replay.raw_recording import RawRecording
from viewer.replay.recording import interpret

STEP, ROWS, ASIDE = 0.02, 500, 1.0  # s from row to row; s that the motion is known before and after it
NOISE = 1e-3
FINE = np.arange(-ASIDE, STEP * ROWS + ASIDE, 0.01)
NAMED = Conventions(order="wxyz")  # as the names of columns tell
NO_SHIFT = "nor along exchanged or reversed axes"
SHOWN = 0.05  # of the rates, by which they change over a delay that has to be found
KINDS = "free", "hand", "one axis", "spin"


@cache
def made(kind: str, seed: int) -> tuple[RotationSpline, CubicSpline]:
    """Orientations and rates of a free body, of a hand, of a hand that turns about one axis, or of a steady spin."""
    chance = np.random.default_rng(seed)
    waves, phases = chance.uniform(0.5, 3.0, (6, 3)), chance.uniform(0.0, 6.0, (6, 3))
    axis = chance.normal(size=3)
    axis = axis / np.linalg.norm(axis)
    start = 2.0 * chance.normal(size=3) + 1.0
    moments = chance.permutation((0.45, 0.75, 1.0)) + chance.uniform(-0.06, 0.06, 3)

    def rates_at(time: float, omega: np.ndarray) -> np.ndarray:
        if kind == "free":
            return omega
        if kind == "spin":
            return 3.0 * axis
        swung = np.sin(waves * time + phases).sum(axis=0)
        return axis * swung.sum() if kind == "one axis" else swung

    turn, omega, turns, rates = Rotation.random(random_state=seed), start, [], []
    for time in FINE:  # a Runge-Kutta step of Euler's equations, and a step of Magnus' of order 4 along it
        turns.append(turn.as_quat())
        rates.append(rates_at(time, omega))
        h = FINE[1] - FINE[0]
        slope = lambda w: np.cross(moments * w, w) / moments  # noqa: E731
        one = slope(omega)
        two = slope(omega + 0.5 * h * one)
        three = slope(omega + 0.5 * h * two)
        four = slope(omega + h * three)
        middle, after = (
            omega + h / 8.0 * (one + two + three + one),
            omega + h / 6.0 * (one + 2.0 * (two + three) + four),
        )
        w = rates_at(time, omega), rates_at(time + 0.5 * h, middle), rates_at(time + h, after)
        turn = turn * Rotation.from_rotvec(h / 6.0 * (w[0] + 4.0 * w[1] + w[2]) + h * h / 12.0 * np.cross(w[0], w[2]))
        omega = after
    return RotationSpline(FINE, Rotation.from_quat(turns)), CubicSpline(FINE, rates)


def recorded(kind: str, seed: int, delay: float = 0.0, scale: float = 1.0, noise: float = NOISE, jitter: float = 0.2):
    """The motion with rates that come `delay` [s] late and are `scale` times too large, at uneven times."""
    chance = np.random.default_rng(1000 + seed)
    turns, rates = made(kind, seed // 8)
    time = STEP * (np.arange(ROWS) + jitter * chance.uniform(-1.0, 1.0, ROWS))
    omega = scale * rates(time - delay)
    omega = omega + noise * np.sqrt(np.mean(omega**2)) * chance.normal(size=omega.shape)
    turn = turns(time) * Rotation.from_rotvec(noise * chance.normal(size=omega.shape))
    return RawRecording("log.csv", time, turn.as_quat()[:, [3, 0, 1, 2]], omega, NAMED)


def deviations(line: str, delay: float, scale: float) -> list[float]:
    """How far the delay [ms] and the factor that a line tells are off, in standard deviations."""
    told = re.findall(r"(come|are) ([\d.]+) ± ([\d.e-]+)", line)
    return [(float(value) - {"come": delay, "are": scale}[verb]) / float(sigma) for verb, value, sigma in told]


def examine(seed: int) -> str:
    """Read a log with a delay of 1 to 30 rows, a factor, both or neither, and look that this is found; return its kind.

    A delay by which the rates hardly change may be found or not, and a steady spin shows none.
    """
    chance = np.random.default_rng(seed)
    kind, late, scaled = KINDS[chance.integers(4)], chance.integers(2), chance.integers(2)
    delay = late * float(chance.choice((-1, 1)) * chance.uniform(1, 30) * STEP)
    scale = float(np.exp(scaled * chance.choice((-1, 1)) * chance.uniform(0.05, 0.4)))
    found = interpret(recorded(kind, seed, delay, scale), repair=True)
    read, rates = found.conventions, made(kind, seed // 8)[1]
    change = rates(found.time) - rates(found.time - delay)
    if np.sqrt(np.mean(change**2) / np.mean(rates(found.time) ** 2)) < SHOWN and read.rate_delay is None:
        delay = 0.0
    assert (read.rate_delay is not None) == bool(delay), (seed, kind, delay, found.warnings)
    assert (read.rate_scale is not None) == bool(scaled), (seed, kind, scale, found.warnings)
    assert read.rate_axes is None
    if found.disagreement is not None:
        off = np.abs(deviations(found.disagreement.line, abs(1e3 * delay), scale))
        assert off.max() < 5.0, (seed, kind, found.disagreement.line)
    assert (found.disagreement is not None) == bool(delay or scaled)
    return kind


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 25))])
def test_no_delay_and_no_factor_is_false_and_none_is_missed_where_the_motion_shows_it(part):
    assert {examine(40 * part + n) for n in range(40)} == set(KINDS)


def test_delays_and_factors_are_within_their_standard_deviations():
    off = []
    for seed in range(60):
        found = interpret(recorded(KINDS[seed % 3], seed, 0.1, 1.2)).disagreement
        off += deviations(found.line, 100.0, 1.2)
    assert len(off) == 120
    assert 0.6 < np.mean(np.abs(off) < 1.0) < 0.95  # the digits that are written count, too
    assert np.mean(np.abs(off) < 2.0) > 0.9


def test_the_command_tells_the_delay_and_repairs_it(tmp_path, capsys):
    late, name = recorded("free", 0, 0.07, noise=0.0, jitter=0.0), str(tmp_path / "late.csv")
    rows = rows_of(late.time, late.quaternion, late.rates)
    (tmp_path / "late.csv").write_text("t,qw,qx,qy,qz,wx,wy,wz\n" + rows)
    assert main(["replay", name]) == 0
    told = capsys.readouterr().out
    assert re.search(r"the rates come (70|69)\.\d+ ± [\d.]+ ms \(3\.5 rows\) late", told), told
    assert "verdict: none, as long as rates and orientations disagree" in told
    assert main(["replay", name, "--repair", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["disagreement"]["conventions"]["rate_delay"] == pytest.approx(0.07, abs=1e-6)
    assert any(sentence.startswith("verdict: true") for sentence in found["findings"])


@pytest.mark.parametrize(
    "rates",
    [
        lambda rates: rates[::-1],
        lambda rates: np.repeat(rates[:, :1], 3, axis=1),
        lambda rates: rates * (0.0, 1.0, 1.0),
        lambda rates: np.random.default_rng(0).normal(size=rates.shape),
    ],
    ids=["reversed", "thrice", "without x", "random"],
)
def test_rates_that_disagree_in_any_other_way_are_not_those_of_the_orientations(rates):
    right = recorded("free", 0)
    found = interpret(RawRecording("log.csv", right.time, right.quaternion, rates(right.rates), NAMED))
    assert NO_SHIFT in found.contradiction.line
    assert found.contradiction.repaired is None


def test_nothing_is_interpolated_over_a_gap():
    late, kept = recorded("free", 1, 0.14, noise=0.0, jitter=0.0), np.r_[0:200, 260:ROWS]
    gapped = RawRecording("log.csv", late.time[kept], late.quaternion[kept], late.rates[kept], NAMED)
    found = interpret(gapped, repair=True)
    assert found.conventions.rate_delay == pytest.approx(0.14, abs=1e-6)
    assert len(found.time) == len(kept) - 2 * 7
    assert found.gaps.tolist() == [193]
    rates = made("free", 0)[1]
    np.testing.assert_allclose(found.omega_body, rates(gapped.time[np.r_[0:193, 200:433]]), atol=1e-4)


def test_rates_that_an_integrator_puts_half_a_row_aside_are_not_late():
    """The times are in ms, undeclared, so that the first fit takes delay and factor together."""
    moments, turn, turns, rates = np.array((0.3, 0.7, 1.0)), Rotation.identity(), [], []
    L = moments * (0.9, 5.4, 1.8)
    for _ in range(600):
        turns.append(turn.as_quat()[[3, 0, 1, 2]])
        rates.append(turn.inv().apply(L) / moments)
        turn = turn * Rotation.from_rotvec(0.03 * rates[-1])
    columns = np.arange(600) * 30.0, np.array(turns), np.array(rates)
    assert interpret(RawRecording("a.csv", *columns, NAMED)).disagreement is None


def test_rates_beside_angles_that_were_stepped_coarsely_are_not_late():
    """Semi-implicit steps of Euler's angles leave 4 % where there is no noise, which a delay of two rows made least."""
    moments, omega, h = np.array((0.45, 0.75, 1.0)), np.array((1.04, 2.46, 0.99)), 0.03
    angles, rows = np.zeros(3), []
    for row in range(300):
        rows.append((row * h, *Rotation.from_euler("ZYX", angles[::-1]).as_quat()[[3, 0, 1, 2]], *omega))
        omega = omega + h * np.cross(moments * omega, omega) / moments
        roll, pitch, _ = angles
        side, spin = (
            omega[1] * np.cos(roll) - omega[2] * np.sin(roll),
            omega[1] * np.sin(roll) + omega[2] * np.cos(roll),
        )
        angles = angles + h * np.array((omega[0] + spin * np.tan(pitch), side, spin / np.cos(pitch)))
    table = np.array(rows)
    declared = Conventions("wxyz", "world from body", "body", "rad/s", "s")
    found = interpret(RawRecording("a.csv", table[:, 0], table[:, 1:5], table[:, 5:], declared))
    assert found.disagreement is None
