"""A whole recording that drag slows is told so, with its number; a sensor's recording never resembles an integrator."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from viewer.common.errors import InputError
from viewer.replay.analysis import replay
from viewer.replay.conventions import Conventions
from viewer.replay.findings import SingleReplay
from viewer.replay.fits.torque import LINEAR, QUADRATIC
from viewer.replay.raw_recording import raw_recording
from viewer.replay.recording import interpret
from viewer.replay.scene import replayed

DATA = Path(__file__).parents[2] / "data"
MOMENTS = np.array((0.4, 0.8, 1.0))
SAID = Conventions("wxyz", "world from body", "body", "rad/s", "s", acceleration_unit="m/s2")


def found_in(time, **groups) -> SingleReplay:
    columns = {"t": time}
    for letter, values in groups.items():
        names = [f"{letter}{axis}" for axis in ("wxyz" if values.shape[1] == 4 else "xyz")]
        columns |= dict(zip(names, values.T, strict=True))
    found = replay(interpret(raw_recording("file.csv", columns, SAID)))
    assert found.single is not None
    return found.single


def test_a_body_that_comes_to_rest():
    found = replayed(str(DATA / "damped-to-rest.csv"))
    assert found.single is not None
    assert found.single.torque is not None
    np.testing.assert_allclose(found.body.principal_moments, MOMENTS, atol=5e-4)  # measured 3e-4, sigma 1.5e-4
    assert found.single.torque.sizes[0] == pytest.approx(0.3, abs=5e-6)  # measured 4e-7, sigma 1.3e-6
    assert "a drag of 0.300000 ± 0.000001 /s (a torque of -k L)" in found.findings()[-1]
    assert found.findings()[-3].startswith("verdict: a drag of 0.3 /s slows it down to rest at about t = ")
    assert found.line == found.slowing == "a drag of 0.3 /s slows it down to rest at about t = 32 s"
    assert found.rest == pytest.approx(-np.log(10.0 * found.noise.rates) / 0.3, abs=0.2)  # the step between two rows


def slowed(formula: str, k: float, time: np.ndarray, start: tuple[float, float, float]) -> tuple[Rotation, np.ndarray]:
    """(the orientations and the rates of a body that drag slows down)."""

    def rate(_, y):
        x, y_, z, w = y[:4]
        slow = k if formula == LINEAR else k * np.linalg.norm(y[4:])
        turn = 0.5 * np.array([[w, -z, y_], [z, w, -x], [-y_, x, w], [-x, -y_, -z]]) @ y[4:]
        return np.concatenate((turn, np.cross(MOMENTS * y[4:], y[4:]) / MOMENTS - slow * y[4:]))

    begin = (0.0, 0.0, 0.0, 1.0, *start)
    y = solve_ivp(rate, (0.0, float(time[-1])), begin, "DOP853", time, rtol=3e-13, atol=1e-13, max_step=0.1).y.T
    return Rotation.from_quat(y[:, :4]), y[:, 4:]


@pytest.mark.parametrize("formula", [LINEAR, QUADRATIC])
def test_the_drag_of_a_noisy_motion(formula):
    k = 0.05 if formula == LINEAR else 0.02
    time, chance = np.arange(400) / 50.0, np.random.default_rng(3)
    turn = slowed(formula, k, time, (0.5, 2.0, 0.6))[0] * Rotation.from_rotvec(1e-4 * chance.normal(size=(400, 3)))
    found = found_in(time, q=turn.as_quat()[:, [3, 0, 1, 2]])
    assert found.torque is not None
    assert found.torque.formula == formula
    assert found.torque.sizes[0] == pytest.approx(k, abs=4.0 * found.torque.sigma[0])
    assert found.torque.sigma[0] < 1e-3 * k
    np.testing.assert_allclose(found.body.principal_moments, MOMENTS, atol=4.0 * found.sigma.max())


@pytest.mark.parametrize("step", [0.02, 0.08])
def test_quadratic_drag_without_noise_is_known_to_many_digits(step):
    """The angle in its exponent is summed over the rows, which leaves more than nothing: no body was fitted with it."""
    time = step * np.arange(400)
    turn, omega = slowed(QUADRATIC, 0.01, time, (0.5, 2.0, 0.6))
    found = found_in(time, q=np.round(turn.as_quat()[:, [3, 0, 1, 2]], 9), w=np.round(omega, 9))
    assert found.torque is not None
    assert found.torque.formula == QUADRATIC
    assert found.torque.sizes[0] == pytest.approx(0.01, abs=3.0 * found.torque.sigma[0])
    assert found.torque.sigma[0] < 1e-7
    np.testing.assert_allclose(found.body.principal_moments, MOMENTS, atol=3.0 * found.sigma.max())
    assert found.sigma.max() < 1e-6


RACKET = np.loadtxt(DATA / "racket-tosses.csv", delimiter=",", skiprows=1)


def piece(begin, until) -> SingleReplay:
    rows = RACKET[(RACKET[:, 0] >= begin) & (RACKET[:, 0] <= until)]
    return found_in(rows[:, 0] - begin, w=rows[:, 1:])


@pytest.mark.parametrize(("begin", "until", "released"), [(1.2, 2.7, 1.5), (5.0, 6.2, 5.2), (8.5, 10.5, 9.1)])
def test_the_toss_in_a_piece_that_was_cut_out_by_hand(begin, until, released):
    found = piece(begin, until)
    assert found.selection is not None
    assert found.selection.flight.begin + begin == pytest.approx(released, abs=0.03)
    assert found.selection.fit.drag == pytest.approx(0.17, abs=0.002)  # measured within .0006


def test_a_piece_of_handling_resembles_no_integrator():
    with pytest.raises(InputError, match=r"^file\.csv: no free flight found; a flight"):
        piece(0.0, 1.3)
