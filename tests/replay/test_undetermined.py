"""What is no free motion is told from what turns too little to determine a body, each with its number."""

import re

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from viewer.common.errors import InputError
from viewer.replay.analysis import replay
from viewer.replay.conventions import Conventions
from viewer.replay.fits.undetermined import why_undetermined
from viewer.replay.raw_recording import RawRecording
from viewer.replay.recording import Recording, interpret

ROWS = 400


def smooth(chance: np.random.Generator, rows: int) -> np.ndarray:
    """Three smooth random series of ROWS numbers, which change within so many rows."""
    window = np.hanning(4 * rows) / np.sqrt(np.sum(np.hanning(4 * rows) ** 2))
    return np.column_stack([np.convolve(chance.normal(size=ROWS + 8 * rows), window, "same") for _ in range(3)])[
        4 * rows : 4 * rows + ROWS
    ]


def in_a_hand(chance: np.random.Generator) -> np.ndarray:
    return 2.0 * smooth(chance, int(chance.integers(8, 40)))


def of_a_camera(chance: np.random.Generator) -> np.ndarray:
    return smooth(chance, int(chance.integers(4, 20))) * (0.3, 0.6, 0.2)


def flown(chance: np.random.Generator) -> np.ndarray:
    """It rolls, then pulls."""
    t, rates = np.arange(ROWS) * 0.02, np.zeros((ROWS, 3))
    for axis, size in ((0, 1.5), (1, 0.3), (0, 1.5), (2, 0.1)):
        middle, width = chance.uniform(0.5, 7.0), chance.uniform(0.3, 2.0)
        rates[:, axis] += size * chance.choice([-1, 1]) * np.exp(-(((t - middle) / width) ** 2))
    return rates


def slewed(chance: np.random.Generator) -> np.ndarray:
    """From rest to rest about one axis, and then about another."""
    rates = np.zeros((ROWS, 3))
    for begin in (20, 200):
        share, axis = np.clip((np.arange(ROWS) - begin) / 150, 0.0, 1.0), chance.normal(size=3)
        rates += 10.0 * chance.uniform(0.5, 1.5) * (share * (1.0 - share))[:, None] ** 2 * axis / np.linalg.norm(axis)
    return rates


def steady(chance: np.random.Generator) -> np.ndarray:
    return np.tile(chance.normal(size=3), (ROWS, 1))


def at_rest(chance: np.random.Generator) -> np.ndarray:
    return np.zeros((ROWS, 3))


def sentence(made, seed: int) -> str:
    """What is said of such a motion, recorded with noise of 0, 1e-4 or 1e-3 rad."""
    chance = np.random.default_rng(seed)
    rates, noise = made(chance), (0.0, 1e-4, 1e-3)[seed % 3]
    turn = Rotation.identity()
    turns = [turn] + [turn := turn * step for step in Rotation.from_rotvec(0.02 * 0.5 * (rates[1:] + rates[:-1]))]
    q = (Rotation.concatenate(turns) * Rotation.from_rotvec(noise * chance.normal(size=(ROWS, 3)))).as_quat()
    time = np.arange(ROWS) * 0.02
    return str(why_undetermined(Recording("log.csv", time, q[:, [3, 0, 1, 2]], rates, Conventions(), ())))


FEW = [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 20))]


@pytest.mark.parametrize("part", FEW)
@pytest.mark.parametrize("made", [in_a_hand, of_a_camera, flown, slewed])
def test_what_is_steered_is_no_free_motion(made, part):
    """Two hundred of each kind."""
    for seed in range(10 * part, 10 * part + 10):
        found = re.search(r"L of even the best one swings by ([0-9.]+) %, of which noise explains at most ([0-9.]+) %",
                          sentence(made, seed))  # fmt: skip
        assert found is not None, (made, seed)
        assert float(found[1]) > 3.0 * float(found[2])


@pytest.mark.parametrize("part", FEW)
@pytest.mark.parametrize("made", [steady, at_rest])
def test_what_hardly_turns_is_not_enough(made, part):
    for seed in range(10 * part, 10 * part + 10):
        found = re.search(r"as it turns by only ([0-9.e-]+)°", sentence(made, seed))
        assert found is not None, (made, seed)
        assert float(found[1]) < 3.0


@pytest.mark.parametrize("rate", [1.25884, 1.2588268])
def test_a_rounded_steady_spin_is_no_balls(rate):
    """Rotation matrices of 4 digits: that their errors are alike from row to row no longer makes it a known ball."""
    time, omega = np.arange(300) * 0.05, np.array((rate, -0.7721, -1.3488))
    first = [[0.1253, 0.2746, 0.9533], [0.9872, -0.1297, -0.0924], [0.0982, 0.9528, -0.2874]]
    turn = Rotation.from_matrix(first) * Rotation.from_rotvec(omega * time[:, None])
    q = Rotation.from_matrix(np.round(turn.as_matrix(), 4)).as_quat()[:, [3, 0, 1, 2]]
    rates, declared = np.tile(np.round(omega, 4), (300, 1)), Conventions("wxyz", rate_unit="rad/s", time_unit="s")
    with pytest.raises(InputError, match="as it turns by only"):
        replay(interpret(RawRecording("a.csv", time, q, rates, declared)))


def test_a_flight_has_rows_that_are_no_outliers():
    """A tenth of a turn, nearly about one axis: a component of each row is farther off than most numbers."""
    time = np.arange(12) * 0.02
    quadratic = (-2.139, 17.196, 6.047), (0.02, 0.118, -0.235), (-2.505, -5.908, 162.779)
    rates = np.round(np.stack([np.polyval(one, time) for one in quadratic], axis=1), 6)
    declared = Conventions(rate_unit="deg/s", time_unit="s")
    found = replay(interpret(RawRecording("a.csv", time, None, rates, declared)))
    assert any("these moments are not determined: it spun about one axis only" in text for text in found.findings())


def test_rates_that_stay_in_the_body_are_those_without_gyroscopic_torque() -> None:
    """The motion tells no moments, so that none contradict the declared ones; their rates would change."""
    rates, time, size = np.tile((0.3, 3.0, 0.4), (200, 1)), np.arange(200) / 60.0, float(np.sqrt(9.25))
    turn = Rotation.from_rotvec(2.0 * np.arctan(size / 120.0) / size * rates * np.arange(200)[:, None])
    xyzw = Rotation.from_quat((0.5, -0.5, 0.5, 0.5)) * turn
    declared = Conventions("xyzw", "world from body", "body", "rad/s", "s", (1.0, 2.0, 2.5))
    found = replay(interpret(RawRecording("r.csv", time, np.round(xyzw.as_quat(), 9), rates, declared)))
    assert found.resembled == "no-gyroscopic"
    assert not found.warnings
