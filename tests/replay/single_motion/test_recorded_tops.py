"""A top's recording is said to be one, beside scipy's tops; no other motion is."""

import json

import numpy as np
import pytest
from helpers.strangers_recordings import KINDS, stranger
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from viewer import cli
from viewer.common.errors import InputError
from viewer.replay.fits.top import FINEST, top_of
from viewer.replay.formats.formats import read_recording
from viewer.replay.kinematics import rates_of
from viewer.replay.recording import interpret
from viewer.scenario.scenario import Scenario

OTHERS = [n for n in range(190) if KINDS[n % len(KINDS)] in ("steered", "hand", "pulse", "drag", "engine")]


@pytest.mark.parametrize(
    ("scene", "more"),
    [("top-with-cusps", []), ("kovalevskaya-top", ["--seconds", "2"]), ("wheel-on-a-string", ["--seconds", "2"])],
)
def test_the_replay_of_a_simulated_top_says_so(scene, more, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["simulate", scene, "-o", "t.csv", *more]) == 0
    assert cli.main(["replay", "--json", "t.csv"]) == 0
    found = json.loads(capsys.readouterr().out)
    body = Scenario.preset(scene).rigid_body()
    np.testing.assert_allclose(found["moments"], body.principal_moments / body.principal_moments.max(), atol=2e-6)
    direction = found["top"]["centre_of_mass_direction"]
    np.testing.assert_allclose(direction, body.centre_of_mass / np.linalg.norm(body.centre_of_mass), atol=2e-6)
    said = "verdict: moves as a top, by its weight about a fixed point: moments "
    assert [line for line in found["findings"] if line.startswith(said)]
    assert "friction" not in " ".join(found["findings"])
    assert found["resembles"] is None


def swung(chance: np.random.Generator) -> tuple[np.ndarray, ...]:
    """(t, wxyz, rates, moments of the largest, direction) of an unsymmetric top in the axes of a sensor on it."""
    spread = chance.uniform(0.1, 1.0, 3)
    moments, place = spread.sum() - spread, chance.normal(size=3)
    start = np.concatenate((chance.normal(size=3) * 2.0, Rotation.random(random_state=chance).as_quat()))

    def rate(_: float, y: np.ndarray) -> np.ndarray:
        turn, omega = Rotation.from_quat(y[3:]), y[:3]
        torque = np.cross(place, turn.inv().apply((0.0, 0.0, -9.81)))
        x, v, w = y[3:6], omega, y[6]
        spin = (np.cross(moments * omega, omega) + torque) / moments
        return np.concatenate((spin, 0.5 * (w * v + np.cross(x, v)), [-0.5 * x @ v]))

    t = np.arange(300) * 0.01
    y = solve_ivp(rate, (0.0, t[-1]), start, "DOP853", t, rtol=1e-11, atol=1e-12).y.T
    axes = Rotation.random(random_state=chance)
    turn = Rotation.from_quat(y[:, 3:]) * axes.inv()
    return t, turn.as_quat()[:, [3, 0, 1, 2]], axes.apply(y[:, :3]), moments, axes.apply(place)


@pytest.mark.parametrize("noise", [0.0, 1e-4, 1e-3])
@pytest.mark.parametrize("by_rates", [True, False])
def test_numbers_of_a_top_lie_within_their_uncertainty(noise, by_rates):
    pulls, told = [], 0
    for seed in range(12):
        chance = np.random.default_rng((7, seed))
        t, q, rates, moments, place = swung(chance)
        q = q + noise / 2.0 * chance.normal(size=q.shape)
        q /= np.linalg.norm(q, axis=1)[:, None]
        rates = rates + noise * np.abs(rates).mean() * chance.normal(size=rates.shape) if by_rates else rates_of(t, q)
        found = top_of(t, q, rates)
        if found is None:
            continue
        told += 1
        off = np.sort(found.moments) - np.sort(moments / moments.max())
        pulls += (np.abs(off) / np.maximum(found.sigma[np.argsort(found.moments)], FINEST)).tolist()
        aside = np.linalg.norm(found.direction - place / np.linalg.norm(place))
        pulls.append(aside / found.angle_sigma / np.sqrt(2.0))
    assert told >= (12 if by_rates else 8)  # rates of noisy orientations say little
    assert max(pulls) < 4.0  # 2.7 measured


def test_no_other_motion_is_called_a_top(tmp_path):
    asked = 0
    for number in OTHERS:
        path = tmp_path / f"{number}.csv"
        path.write_text(stranger(number).text)
        try:
            recording = interpret(read_recording(path))
        except InputError:
            continue
        asked += recording.has_orientations
        found = top_of(recording.time, recording.orientation_wxyz, recording.omega_body)
        assert found is None or not recording.has_orientations, found.verdict
    assert asked >= 60


def test_steady_precession_under_noise_tells_no_moments():
    """L is carried round evenly, whatever the moment across the axis: its noise alone would give one, and a sigma."""
    t, chance = np.arange(400) * 0.01, np.random.default_rng(3)
    turn = Rotation.from_rotvec(np.outer(t, (0.0, 0.0, 1.0))) * Rotation.from_euler("x", 1.2)
    turn *= Rotation.from_rotvec(np.outer(t, (0.0, 0.0, 30.0)))
    rates = turn.inv().apply((0.0, 0.0, 1.0)) + (0.0, 0.0, 30.0) + 1e-4 * chance.normal(size=(400, 3))
    assert top_of(t, turn.as_quat()[:, [3, 0, 1, 2]], rates) is None
