"""Recordings written with few digits: a true free motion is called true, what is not free is told, and the moments are
as well known as is said. The motions are scipy's."""

import numpy as np
import pytest
from helpers.bricks import brick
from helpers.tosses import solid
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from viewer.common.errors import InputError
from viewer.physics.body import RigidBody
from viewer.physics.rotation import multiply
from viewer.physics.simulation import Simulation
from viewer.physics.state import State, States
from viewer.replay.analysis import replay
from viewer.replay.comparison import compare
from viewer.replay.conventions import Conventions
from viewer.replay.findings import Replay
from viewer.replay.fits.inertia import fit_inertia
from viewer.replay.fits.motion_fit import Recorded
from viewer.replay.fits.nearest_motion import guessed, nearest_motion
from viewer.replay.kinematics import rates_beside, rates_of
from viewer.replay.raw_recording import RawRecording
from viewer.replay.recording import interpret

PLATE = np.array((1.0, 2.0, 3.0))
TIME = np.arange(1000) * 0.02
TUMBLING, NEAR_MIDDLE = (0.3, 1.0, 1.5), (0.02, 2.0, 0.02)  # rad/s


def of_angles(turn: Rotation, digits: int) -> np.ndarray:
    """Orientations wxyz whose yaw, pitch and roll in degrees are written with so many decimals."""
    angles = np.round(turn.as_euler("ZYX", degrees=True), digits)
    return Rotation.from_euler("ZYX", angles, degrees=True).as_quat()[:, [3, 0, 1, 2]]


def of_quaternions(turn: Rotation, digits: int) -> np.ndarray:
    return np.round(turn.as_quat()[:, [3, 0, 1, 2]], digits)


def replayed(time: np.ndarray, q: np.ndarray, omega: np.ndarray | None = None) -> Replay:
    frame, unit = (None, None) if omega is None else ("body", "rad/s")
    said = Conventions("wxyz", "world from body", frame, unit, time_unit="s")
    return replay(interpret(RawRecording("a.csv", time, q, omega, said)))


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize(
    ("start", "written", "digits"),
    [
        (TUMBLING, of_angles, 3),
        (TUMBLING, of_quaternions, 5),
        (NEAR_MIDDLE, of_angles, 3),
        (NEAR_MIDDLE, of_angles, 5),
        (NEAR_MIDDLE, of_angles, 6),
    ],
)
def test_a_free_motion_with_few_digits_is_called_true(start, written, digits):
    found = replayed(TIME, written(brick(TIME, np.array(start), PLATE)[0], digits))
    findings = found.findings()
    assert findings[-3].startswith("verdict: true")
    assert findings[-2] == "stays on the curve of L in the body"
    assert findings[-1].startswith("resembles the exact motion")
    off = np.abs(found.body.principal_moments - PLATE / 3.0)
    assert (off <= 3.0 * np.maximum(found.sigma, 1e-9)).all()  # 13 sigma once, of a fit to the first turns


def test_rates_with_few_digits_are_judged_by_all_rows():
    turn, omega = brick(TIME, np.array(TUMBLING), PLATE)
    found = replayed(TIME, of_quaternions(turn, 3), np.round(omega, 2))
    assert found.findings()[-3].startswith("verdict: true")
    assert found.explained


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize("with_rates", [False, True])
def test_a_few_bad_rows_are_left_out_and_counted(with_rates):
    turn, omega = brick(TIME, np.array(TUMBLING), PLATE)
    q = of_quaternions(turn, 6)
    for row in (50, 400, 700):
        q[row] = Rotation.random(random_state=row).as_quat()
    found = replayed(TIME, q, np.round(omega, 6) if with_rates else None)
    np.testing.assert_allclose(found.body.principal_moments, PLATE / 3.0, atol=1e-6)  # measured 3e-8; .6 with them
    assert any("3 rows are far off the motion (the first at t = 1 s)" in text for text in found.warnings)
    assert found.findings()[-3].startswith("verdict: true")


def test_a_steady_spin_reads_alike_in_every_convention():
    """The usual one is taken then, and what is declared holds; rounding decided it, and a false body followed."""
    time = np.arange(800) * 0.01
    turn = Rotation.from_rotvec(time[:, None] * (0.0, 3.0, 0.0))
    q = np.round(turn.as_quat()[:, [3, 0, 1, 2]], 6)
    said = Conventions(moments=(1.0, 2.0, 2.7))
    found = replay(interpret(RawRecording("a.csv", time, q, None, said)))
    assert found.recording.conventions.direction == "world from body"
    assert found.findings()[-3].startswith("verdict: true")
    with pytest.raises(InputError, match="about any axis but one"):
        replay(interpret(RawRecording("a.csv", time, q, None, Conventions())))


def pushed(torque: np.ndarray, since: float) -> Rotation:
    """The orientations of the plate with a constant torque [N m] in the body from then on."""

    def slope(t: float, y: np.ndarray) -> np.ndarray:
        q, omega = Rotation.from_quat(y[:4]).as_quat(), y[4:]
        turning = np.concatenate((q[3] * omega + np.cross(q[:3], omega), (-q[:3] @ omega,)))
        return np.concatenate((0.5 * turning, (torque * (t > since) - np.cross(omega, PLATE * omega)) / PLATE))

    begun = np.concatenate(((0.0, 0.0, 0.0, 1.0), TUMBLING))
    y = solve_ivp(slope, (0.0, TIME[-1]), begun, "DOP853", TIME, rtol=1e-11, atol=1e-12, max_step=0.1).y
    return Rotation.from_quat(y[:4].T)


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize("digits", [3, 5])
def test_a_torque_is_not_hidden_by_the_digits(digits):
    """From t = 10 s on: it turns the plate by a degree until the end, and is seen some seconds later."""
    found = replayed(TIME, of_quaternions(pushed(np.array((0.002, 0.0, 0.001)), 10.0), digits))
    findings = found.findings()
    assert not findings[-3].startswith("verdict: true")
    assert 300 < found.explained_rows < 750  # 678 and 475 measured; 500 are free
    assert "torque, friction or" in findings[-1]


@pytest.mark.slow
def test_an_integrator_is_told_beside_the_noise():
    body = RigidBody.from_moments(PLATE.tolist())
    start = State((1.0, 0.0, 0.0, 0.0), TUMBLING)
    states = Simulation(body, start, "jolt", 0.02).sampled(999)
    q = np.concatenate((start.orientation_wxyz[None], states.orientation_wxyz))
    found = replayed(TIME, np.round(q, 3))
    assert "44° of phase behind" in found.findings()[-3]  # 62° with all digits, of moments that these know better
    assert "L turns" not in found.findings()[-3]  # noise alone


def rounded(seed: int) -> tuple[Recorded, np.ndarray]:
    """(orientations alone of a random solid in random digits and steps; its moments, the largest first)."""
    chance = np.random.default_rng((19, seed))
    moments, digits = np.sort(solid(chance))[::-1], int(chance.integers(3, 10))
    time = np.arange(int(chance.choice((200, 600)))) * chance.choice((0.01, 0.02, 0.05))
    omega = chance.normal(size=3)
    turn, _ = brick(time, omega * chance.uniform(1.0, 4.0) / np.linalg.norm(omega), moments)
    written = of_quaternions if seed % 2 else of_angles
    q = written(turn, digits)
    return Recorded(time, q / np.linalg.norm(q, axis=1)[:, None], None), moments / moments[0]


@pytest.mark.slow
def test_the_uncertainty_of_rounded_orientations_is_true():
    off = []
    for seed in range(60):
        recorded, moments = rounded(seed)
        q = recorded.orientation_wxyz
        found = nearest_motion(recorded, guessed(recorded, fit_inertia(recorded.time, q, rates_of(recorded.time, q))))
        assert found is not None
        assert found.rows == len(recorded.time), seed
        if found.sigma.max() < 0.1:  # else it is refused
            order = np.argsort(-found.moments)
            off.append(((found.moments[order] - moments) / np.maximum(found.sigma[order], 1e-9))[1:])
    size = np.abs(off)
    assert len(off) > 55  # measured 59 of 60
    assert 0.58 < (size < 1.0).mean() < 0.88  # .68 of normal errors; binomial: .04; measured .75
    assert (size < 2.0).mean() > 0.9  # measured .95
    assert size.max() < 5.0  # measured 3.3


def test_rates_beside_a_motion_near_by_lose_little_between_the_rows():
    time = np.arange(40) * 0.2  # up to .4 rad from row to row
    turn, omega = brick(time, np.array(TUMBLING), PLATE)
    q = turn.as_quat()[:, [3, 0, 1, 2]]
    near, near_omega = brick(time, np.array(TUMBLING) + 1e-4, PLATE)
    beside = States(time, near.as_quat()[:, [3, 0, 1, 2]], near_omega)
    assert np.abs(rates_of(time, q) - omega).max() > 1e-3  # measured 6e-3
    found = rates_beside(beside, States(time, q, omega))
    assert np.abs(found - omega).max() < 1e-5
    still = States(time, np.tile((1.0, 0.0, 0.0, 0.0), (40, 1)), np.zeros((40, 3)))
    np.testing.assert_allclose(
        rates_beside(still, States(time, multiply(still.orientation_wxyz, q), omega)), rates_of(time, q), atol=1e-12
    )


def test_several_recordings_with_few_digits_are_compared_by_what_these_show():
    turn = brick(TIME, np.array(TUMBLING), PLATE)[0]
    said = Conventions("wxyz", "world from body", time_unit="s")
    recordings = [
        interpret(RawRecording(f"{digits}.csv", TIME, of_quaternions(turn, digits), None, said)) for digits in (3, 4)
    ]
    found = compare(recordings, (0.0, 0.0))
    assert found.body.principal_moments == pytest.approx(PLATE / 3.0, abs=1e-4)  # measured 2e-5; .02 by the first turns
    text = " ".join(found.findings())
    assert "all are as close to the exact motion" in text
    assert "E off" not in text  # of rates that are differences of digits
    assert "no motion of a free body" not in text


def significant(values: np.ndarray, digits: int) -> np.ndarray:
    return np.char.mod(f"%.{digits}g", values).astype(float)


def test_a_steady_spin_in_few_digits_tells_no_moments():
    """The last digits of its rates are off as a smooth error is: the moments were 0.97 : 1 : 0.99 to 0.05."""
    time, axis, sensor = np.arange(331) * 0.01, np.array((-0.43, 0.08, -0.9)), Rotation.from_quat((0.1, 0.3, 0.5, 0.7))
    axis /= np.linalg.norm(axis)
    turn, omega = Rotation.from_rotvec(12.0 * time[:, None] * axis) * sensor, sensor.inv().apply(12.0 * axis)
    with pytest.raises(InputError, match="about any axis but one"):
        replayed(time, of_quaternions(turn, 3), np.tile(significant(omega, 3), (331, 1)))


def test_moments_that_only_what_follows_a_blow_would_tell_are_not_told_from_the_steady_spin_before_it():
    time, I = np.arange(400) * 0.03, np.array((1.0, 2.0, 2.7))
    before = Rotation.from_rotvec(time[:200, None] * (0.0, 0.0, 3.0))
    after, rates = brick(time[200:] - time[199], np.array((0.5, 1.0, 3.0)), I)
    turn = Rotation.concatenate((before, before[-1] * after))
    omega = np.concatenate((np.tile((0.0, 0.0, 3.0), (200, 1)), rates))
    with pytest.raises(InputError, match="no free body moves like this"):
        replayed(time, of_quaternions(turn, 6), np.round(omega, 6))


@pytest.mark.parametrize("seed", [1, 3])
def test_moments_are_as_well_known_as_is_said_where_the_valley_of_good_fits_is_curved(seed):
    """So near the middle axis they were 4 and 12 of their sigma off; measured now 0.6."""
    time, moments = np.arange(169) * 0.5, np.array((0.3310989620475695, 1.0, 0.8328330251653973))
    turn, omega = brick(time, np.array((-0.02384, 0.02385, 0.2981)), moments)
    sensor = Rotation.random(random_state=seed)
    q = significant((turn * sensor).as_quat()[:, [3, 0, 1, 2]], 4)
    found = replayed(time, q, significant(sensor.inv().apply(omega), 4))
    order = np.argsort(found.body.principal_moments)
    off = np.abs(found.body.principal_moments[order] - np.sort(moments))
    assert (off <= 3.0 * found.sigma[order]).all()
