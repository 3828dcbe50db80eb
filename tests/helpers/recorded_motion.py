"""One exact motion as programs record it, and the check that what was read is that motion."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from viewer.replay.raw_recording import RawRecording
from viewer.replay.recording import Recording, interpret

MOMENTS = np.array((1.0, 2.0, 2.5))
STEP = 0.01  # s


@dataclass(frozen=True)
class Motion:
    """t (N,), turn: body to world, rates (N, 3) in the body [rad/s], felt (N, 3) [m/s2]."""

    t: np.ndarray
    turn: Rotation
    rates: np.ndarray
    felt: np.ndarray

    def quaternions(self, order: str = "wxyz", direction: str = "world from body") -> np.ndarray:
        turn = self.turn if direction == "world from body" else self.turn.inv()
        return turn.as_quat()[:, [3, 0, 1, 2]] if order == "wxyz" else turn.as_quat()


@cache
def motion(seed: int = 0, rows: int = 300) -> Motion:
    """Euler's equations by DOP853 at 1e-12, and scipy's rotations."""
    some = np.random.default_rng(seed)
    start = np.concatenate((Rotation.random(random_state=seed).as_quat(), some.uniform(1.0, 4.0, 3)))

    def rate(_: float, y: np.ndarray) -> np.ndarray:
        turned = Rotation.from_quat(y[:4] / np.linalg.norm(y[:4])).as_matrix() @ y[4:]  # in the world
        x, y_, z, w = y[:4]
        gone = 0.5 * np.array((w * turned[0] + turned[1] * z - turned[2] * y_, w * turned[1] + turned[2] * x
                               - turned[0] * z, w * turned[2] + turned[0] * y_ - turned[1] * x,
                               -turned @ y[:3]))  # fmt: skip
        return np.concatenate((gone, np.cross(MOMENTS * y[4:], y[4:]) / MOMENTS))

    t = np.arange(rows) * STEP
    y = solve_ivp(rate, (0.0, t[-1]), start, "DOP853", t, rtol=1e-12, atol=1e-12).y.T
    return Motion(t, Rotation.from_quat(y[:, :4]), y[:, 4:], some.normal(0.0, 0.1, (rows, 3)) + 0.3 * y[:, 4:])


def rows_of(*columns: np.ndarray, separator: str = ",", form: str = "%.17g") -> str:
    return "".join(separator.join(form % one for one in row) + "\n" for row in np.column_stack(columns))


def check(found: RawRecording, made: Motion, orientations: bool = True, rates: bool = True, felt: bool = False,
          close: float = 1e-9) -> Recording:  # fmt: skip
    """What was read is the motion that was written; nothing had to be inferred."""
    assert not [line for line in found.warnings if "left out" in line or "taken" in line], found.warnings
    recording = interpret(found)
    assert not [line for line in recording.warnings if "inferred" in line or "check the" in line], recording.warnings
    np.testing.assert_allclose(recording.time, made.t - made.t[0], atol=1e-6)
    assert (recording.has_orientations, recording.has_rates) == (orientations, rates)
    if rates:
        np.testing.assert_allclose(recording.omega_body, made.rates, atol=close)
    if orientations:
        turned = Rotation.from_quat(recording.orientation_wxyz[:, [1, 2, 3, 0]])
        assert (turned.inv() * made.turn).magnitude().max() < close
    if felt:
        np.testing.assert_allclose(recording.acceleration, made.felt, atol=close)
    else:
        assert recording.acceleration is None
    assert len(recording.gaps) == 0
    return recording
