"""What a recording does not say, or says wrongly, is found out; what nobody can know is not claimed.

The motions are scipy's: Euler's equations and the quaternion's, by DOP853 at 1e-12, with friction and without.
"""

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from tests.helpers.synthetic_tosses import tossed_phone
from viewer.cli import main
from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.simulation import Simulation
from viewer.physics.state import State
from viewer.replay.analysis import replay
from viewer.replay.conventions import TIME_UNITS, Conventions
from viewer.replay.fits.inertia import euler_misfit
from viewer.replay.formats.formats import read_recording
from viewer.replay.raw_recording import RawRecording, evened
from viewer.replay.recording import interpret

MOMENTS = np.array((1.0, 2.0, 2.5))
DECLARED = Conventions("wxyz", "world from body", "body", "rad/s", "s", (1.0, 2.0, 2.5))
START = (0.4, 2.0, 0.3)


def motion(time: np.ndarray, friction: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """(quaternions, rates in the body) of the body under a torque of -friction L."""
    return moved(tuple(time.tolist()), friction)


@cache
def moved(time: tuple[float, ...], friction: float) -> tuple[np.ndarray, np.ndarray]:

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        q, omega = y[:4], y[4:]
        L = MOMENTS * omega
        turned = np.array(
            (
                -q[1:] @ omega,
                q[0] * omega[0] + q[2] * omega[2] - q[3] * omega[1],
                q[0] * omega[1] + q[3] * omega[0] - q[1] * omega[2],
                q[0] * omega[2] + q[1] * omega[1] - q[2] * omega[0],
            )
        )
        return np.concatenate((0.5 * turned, (np.cross(L, omega) - friction * L) / MOMENTS))

    y = solve_ivp(rates, (0.0, time[-1]), [1.0, 0.0, 0.0, 0.0, *START], "DOP853", time, rtol=1e-12, atol=1e-12).y.T
    return y[:, :4], y[:, 4:]


def recorded(time, q, omega, said: Conventions = DECLARED) -> RawRecording:
    return RawRecording("recording.csv", time, q, omega, said)


TIME = np.arange(2001) * 0.02


def test_a_direction_beside_which_nothing_fits_has_no_rival():
    quaternions, _ = motion(0.01 * np.arange(300))
    declared = Conventions("wxyz", rate_frame="body", rate_unit="rad/s", time_unit="s")
    found = interpret(RawRecording("a", 0.01 * np.arange(300), quaternions, None, declared))
    (line,) = [text for text in found.warnings if "inferred" in text]
    assert "inf" not in line.removeprefix("not declared, so inferred")


def test_rates_without_orientations_are_the_body_s_unless_they_are_declared_in_space():
    t = 0.01 * np.arange(600)
    quaternions, rates = motion(t)
    world = Rotation.from_quat(quaternions[:, [1, 2, 3, 0]]).apply(rates)
    assert interpret(RawRecording("a", t, None, world, Conventions())).conventions.rate_frame == "body"
    found = interpret(RawRecording("a", t, None, world, Conventions(rate_frame="world")))
    assert (found.conventions.rate_frame, found.conventions.rate_unit, found.conventions.time_unit) == (
        "world", "rad/s", "s",
    )  # fmt: skip
    np.testing.assert_allclose(np.linalg.norm(found.omega_body, axis=1), np.linalg.norm(rates, axis=1))


def test_what_nothing_tells_is_said_to_be_taken_as_usual():
    """A steady spin about one axis: Euler's equation holds in any unit."""
    t = 0.01 * np.arange(200)
    rates = np.column_stack((0 * t, 0 * t, 5.0 + 0 * t))
    found = interpret(RawRecording("a", t, None, rates, Conventions()))
    assert "not declared, so taken as usual: rad/s; nothing in the numbers tells" in found.warnings


def test_the_usual_unit_is_one_in_which_a_row_is_no_whole_turn():
    t = 0.5 * np.arange(260)
    rates = np.round(np.degrees(motion(t)[1]) * (1.0 + 0.02 * np.sin(0.1 * t[:, None])))  # no free body's, and coarse
    found = interpret(RawRecording("a", t, None, rates, Conventions()))
    assert "not declared, so taken as usual: deg/s; nothing in the numbers tells" in found.warnings


def test_a_steady_spin_whose_units_are_declared_has_no_rival():
    t = 0.01 * np.arange(200)
    rates = np.column_stack((0 * t, 0 * t, 5.0 + 0 * t))
    found = interpret(RawRecording("a", t, None, rates, Conventions(rate_unit="rad/s", time_unit="s")))
    assert not any("not declared" in line for line in found.warnings)


@pytest.mark.slow
def test_friction_is_no_exact_motion_though_it_begins_like_one():
    q, omega = motion(TIME, 0.0025)
    lost = 1.0 - np.exp(-2 * 0.0025 * TIME[-1])  # dL/dt = -k L: E falls with exp(-2 k t), whatever the motion
    found = replay(interpret(recorded(TIME, q, omega)))
    assert 0.17 < lost < 0.19
    assert found.resembled is None
    assert "energy falls by 18 %" in found.findings()[-3]
    assert "resembles the exact motion under a drag of 0.0025" in found.findings()[-1]
    free = replay(interpret(recorded(TIME, *motion(TIME))))
    assert free.findings()[-1].startswith("resembles the exact motion")


@pytest.mark.parametrize("friction", [1e-5, 1e-4])
def test_a_little_friction_is_seen_too(friction):
    found = replay(interpret(recorded(TIME, *motion(TIME, friction))))
    assert found.torque.formula == "-k L"
    assert found.torque.sizes[0] == pytest.approx(friction, rel=1e-7)  # measured 1e-9


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize(("name", "parts"), [("first-order", 8), ("jolt", 3), ("explicit-euler", 3), ("implicit", 7),
                                             ("first-order", 30)])  # fmt: skip
def test_the_number_of_steps_between_rows_is_found(name, parts):
    body, start = RigidBody.from_moments(MOMENTS), State((1, 0, 0, 0), START)
    states = Simulation(body, start, name, 0.02 / parts).sampled(400, every=parts)
    time = np.concatenate(([0.0], states.time))
    q = np.concatenate((start.orientation_wxyz[None], states.orientation_wxyz))
    omega = np.concatenate((start.omega_body[None], states.omega_body))
    found = replay(interpret(recorded(time, q, omega)))
    assert found.findings()[-1].startswith(f"resembles {name} with {parts} steps a row most")


@pytest.mark.parametrize(("unit", "factor"), [("rad/s", 1.0), ("deg/s", 180 / np.pi), ("rpm", 30 / np.pi)])
@pytest.mark.parametrize(("clock", "count"), [("s", 1.0), ("ms", 1e3)])
@pytest.mark.parametrize("columns", ["rates", "both"])
def test_units_that_nobody_says_are_found_out(unit, factor, clock, count, columns):
    q, omega = motion(TIME)
    raw = recorded(TIME * count, q if columns == "both" else None, omega * factor, Conventions())
    found = interpret(raw)
    assert (found.conventions.rate_unit, found.conventions.time_unit) == (unit, clock)
    np.testing.assert_allclose(found.omega_body, omega, rtol=1e-12)
    np.testing.assert_allclose(found.time, TIME, atol=1e-9)
    if (unit, clock) != ("rad/s", "s"):
        assert any(unit in warning and "not declared, so inferred" in warning for warning in found.warnings)


@pytest.mark.parametrize("clock", TIME_UNITS)
@pytest.mark.parametrize("columns", ["rates", "both"])
def test_times_are_in_the_declared_unit(clock, columns):
    q, omega = motion(TIME)
    raw = recorded(TIME / TIME_UNITS[clock], q if columns == "both" else None, omega, Conventions(time_unit=clock))
    found = interpret(raw)
    assert (found.conventions.rate_unit, found.conventions.time_unit) == ("rad/s", clock)
    np.testing.assert_allclose(found.omega_body, omega, rtol=1e-12)
    np.testing.assert_allclose(found.time, TIME, atol=1e-9)


@pytest.mark.parametrize("columns", ["rates", "both"])
def test_noise_is_reported_and_does_not_become_a_wrong_phase(columns):
    q, omega = motion(TIME)
    chance = np.random.default_rng(1)
    noisy = omega + 1e-3 * chance.normal(size=omega.shape)
    if columns == "both":
        q = q + 5e-4 * chance.normal(size=q.shape)
    found = replay(interpret(recorded(TIME, q if columns == "both" else None, noisy)))
    assert any("noise of 0.0008 of the largest angular velocity" in warning for warning in found.warnings)
    # rms of the three, 1e-3 sqrt(3) rad/s, of 2.1 rad/s
    assert found.noise.rates == pytest.approx(1e-3 * np.sqrt(3) / np.linalg.norm(omega, axis=1).max(), rel=0.1)
    # the first row alone puts the phase off by 6.4e-3 rad at the end; measured 7e-4 and 4e-4
    assert abs(found.trajectory.errors.phase[-1]) < 2e-3
    np.testing.assert_allclose(found.trajectory.course.start.omega_body, START, atol=1e-3)
    assert found.findings()[-1].startswith("resembles the exact motion")


def test_an_integrator_that_errs_is_not_taken_for_noise():
    body, start = RigidBody.from_moments(MOMENTS), State((1, 0, 0, 0), START)
    for name in ("first-order", "jolt", "explicit-euler", "split"):
        states = Simulation(body, start, name, 0.02).sampled(600)
        found = replay(interpret(recorded(states.time, states.orientation_wxyz, states.omega_body)))
        assert found.explained_rows == 0
        assert found.noise.rates < 1e-6  # measured 3e-8 at most


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize("written", ["float32", "4 decimals at 60 Hz", "3 decimals at 100 Hz, from 1e6 s"])
def test_times_that_lost_their_digits_are_even(written):
    rate = 100 if "100" in written else 60
    time = np.arange(1200) / rate
    q, omega = motion(time)
    if written == "float32":
        shown = (time + 500.0).astype(np.float32).astype(float)
    else:
        shown = np.round(time + (1e6 if "1e6" in written else 0.0), int(written[0]))
    found = replay(interpret(recorded(shown, q, omega)))
    assert found.likenesses
    assert found.findings()[-1].startswith("resembles the exact motion")
    if rate == 60:
        assert any("even except for rounding: taken as steps of 0.0166667" in warning for warning in found.warnings)
    np.testing.assert_allclose(found.recording.time, time, atol=2e-5)


@pytest.mark.parametrize("form", ["%.6f", "%.9g"])
@pytest.mark.parametrize("added_up", [False, True])
@pytest.mark.parametrize(("rows", "step"), [(1501, 0.02), (1501, 1.0 / 60.0), (30_001, 0.02)])
def test_times_of_32_bits_are_even_however_they_are_written(form, added_up, rows, step):
    """Half a minute, and ten: 32 bits leave 2 to 60 us of them, and a clock that adds up its steps drifts by 0.1 s."""
    kept = np.cumsum(np.full(rows, step, np.float32), dtype=np.float32) if added_up else np.arange(rows) * step
    shown = np.array([float(form % one) for one in kept.astype(np.float32).tolist()])
    warnings: list[str] = []
    np.testing.assert_allclose(evened(shown, warnings), step * np.arange(rows), rtol=1e-15)
    assert warnings == [f"times are even except for rounding: taken as steps of {step:.6g}"]


@pytest.mark.parametrize(("digits", "rows"), [(6, 5000), (9, 1800), (9, 60_000), (11, 60_000)])
def test_times_of_so_many_significant_digits_are_even(digits, rows):
    """Their last decimals are 1e-10 s at the beginning and 5e-8 s after ten seconds, with nine digits."""
    shown = np.array([float(f"{number / 120:.{digits}g}") for number in range(rows)])
    warnings: list[str] = []
    np.testing.assert_allclose(evened(shown, warnings), np.arange(rows) / 120.0, rtol=1e-15)
    assert warnings == ["times are even except for rounding: taken as steps of 0.00833333"]


@pytest.mark.parametrize("clock", ["added up", "far from 0"])
def test_an_exact_motion_with_times_of_32_bits_is_true(clock):
    time = np.arange(1500) * 0.02
    q, omega = (part.astype(np.float32).astype(float) for part in motion(time))
    coarse = (time + 1.7e5).astype(np.float32)  # to 1/64 s
    shown = np.cumsum(np.full(1500, 0.02, np.float32), dtype=np.float32) if clock == "added up" else coarse
    found = replay(interpret(recorded(shown.astype(float), q, omega)))
    assert found.findings()[-1] == "resembles the exact motion, but for noise"
    np.testing.assert_allclose(found.recording.time, time, atol=1e-12)


def test_times_that_are_uneven_stay_so():
    chance = np.random.default_rng(2)
    for time in (
        np.cumsum(0.02 * (1 + 0.2 * chance.random(500))),
        np.delete(np.arange(500) * 0.02, [100, 200]),
        np.arange(500) * 0.02 * (1 + 1e-4 * np.arange(500)),
    ):
        warnings: list[str] = []
        np.testing.assert_array_equal(evened(time, warnings), time - time[0])
        assert warnings == []


def test_a_counter_in_place_of_times_tells_no_moments(tmp_path, capsys):
    """At 172° a row, a body that is nearly a ball would have been fitted, 29 standard deviations off.

    At 3° a row, as in deg/s, the 0.2 % that are left without noise were taken for noise.
    """
    start = State(np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.1, 3.0, 0.05]))
    rates = FreeRotation(RigidBody.from_moments([0.4, 0.8, 1.0]), start).at(np.arange(250) * 0.02).omega_body
    table = np.column_stack((np.arange(250.0), rates))
    np.savetxt(tmp_path / "a.csv", table, "%.6g", ",", header="idx,gx,gy,gz", comments="")
    command = ["replay", str(tmp_path / "a.csv"), "--columns", "t=1,wx=2,wy=3,wz=4"]
    for unit in ("deg/s", "rad/s"):
        assert main([*command, "--angular-velocity", unit]) == 2
        told = capsys.readouterr().err
        assert "a.csv: the numbers fit no motion of a free body well (misfit 1)" in told
        assert "no moments, no verdict; declare the units with --angular-velocity" in told
    assert main(["replay", str(tmp_path / "a.csv"), "--columns", "wx=2,wy=3,wz=4", "--step", "0.02"]) == 0
    assert "moments 0.400000 ± 0.000001, 0.800000 ± 0.000002, 1 " in capsys.readouterr().out


def test_a_row_of_nan_in_mid_file_costs_that_row_only(tmp_path):
    q, omega = motion(TIME[:400])
    rows = np.column_stack((TIME[:400], q, omega))
    rows[200, 4] = np.nan
    text = "t,qw,qx,qy,qz,wx,wy,wz\n" + "\n".join(",".join(map(repr, row)) for row in rows.tolist())
    (tmp_path / "recording.csv").write_text(text)
    found = interpret(read_recording(tmp_path / "recording.csv"))
    np.testing.assert_array_equal(found.gaps, [200])
    assert len(found.time) == 399
    assert found.time[-1] == TIME[399]
    assert "left out 1 row with nan or inf, row 201" in found.warnings


@pytest.mark.parametrize("name", ["magnus4", "split4"])
def test_a_fine_step_that_errs_by_less_than_anybody_sees_is_called_exact(name):
    body, start = RigidBody.from_moments(MOMENTS), State((1, 0, 0, 0), START)
    states = Simulation(body, start, name, 0.001).sampled(600)
    found = replay(interpret(recorded(states.time, states.orientation_wxyz, states.omega_body)))
    assert found.findings()[-1].startswith("resembles the exact motion")


def test_a_steady_rate_is_the_same_in_the_body_and_in_space(tmp_path):
    rows = "\n".join(f"{0.01 * n},1,2,3" for n in range(300))
    (tmp_path / "a.csv").write_text(f"# angular velocity: body, rad/s\nt,wx,wy,wz\n{rows}\n")
    found = interpret(read_recording(tmp_path / "a.csv"))
    assert not [line for line in found.warnings if "world" in line]


def test_degrees_under_a_header_of_radians_are_told_without_an_accelerometer(tmp_path, capsys):
    time, omega, _ = tossed_phone(0)
    head = '"Time (s)","Gyroscope x (rad/s)","Gyroscope y (rad/s)","Gyroscope z (rad/s)"'
    for name, factor in (("right.csv", 1.0), ("degrees.csv", 180.0 / np.pi)):
        rows = np.column_stack((time, factor * omega)).tolist()
        (tmp_path / name).write_text("\n".join([head, *(",".join(map(repr, row)) for row in rows)]) + "\n")
        main(["replay", str(tmp_path / name)])
        told = "".join(capsys.readouterr())
        assert ("--angular-velocity deg/s" in told) == (factor > 1.0)


def tossed(unit: float = 1.0, clock: float = 1.0, limit: float = np.inf) -> RawRecording:
    """A toss at hand, whose file declares nothing; the rates are clipped at `limit`."""
    time, omega, felt = tossed_phone(0)
    return RawRecording("a", clock * time, None, np.clip(unit * omega, -limit, limit), Conventions(), (), felt)


@pytest.mark.parametrize(("rate_unit", "unit"), [("rad/s", 1.0), ("deg/s", 180 / np.pi)])
@pytest.mark.parametrize(("time_unit", "clock"), [("s", 1.0), ("ms", 1e3)])
def test_a_sensor_s_rates_are_those_in_the_body_in_the_unit_in_which_gravity_turns(rate_unit, unit, time_unit, clock):
    found = interpret(tossed(unit, clock)).conventions
    assert (found.rate_frame, found.rate_unit, found.time_unit) == ("body", rate_unit, time_unit)


@pytest.mark.parametrize(("limit", "unit"), [(249.9, "deg/s"), (np.radians(250.0), "rad/s")])
def test_the_range_at_which_a_gyroscope_clips_tells_its_unit(limit, unit):
    """Turned by hand: no free flight, and no accelerometer."""
    t = 0.01 * np.arange(800)
    rates = 1.5 * limit * np.stack((np.sin(1.1 * t), np.sin(1.7 * t + 1), np.cos(0.6 * t * t)), axis=1)
    found = interpret(RawRecording("a", t, None, np.clip(rates, -limit, limit), Conventions()))
    assert found.conventions.rate_unit == unit
    assert any(f"inferred: {unit}, as the rates are clipped at 250 deg/s" in line for line in found.warnings)


def test_a_unit_in_which_nothing_turns_or_more_than_half_a_turn_a_row_is_none():
    """A drone at rest counts microseconds: read as seconds it would turn 16 rad a row, read as degrees not at all."""
    chance = np.random.default_rng(0)
    t = 16000.0 * np.arange(300)
    q = np.tile((0.96, 0.04, 0.06, -0.28), (300, 1)) + 1e-6 * chance.normal(size=(300, 4))
    found = interpret(RawRecording("a", t, q, 1e-3 * chance.normal(size=(300, 3)), Conventions()))
    assert found.conventions.time_unit == "us"
    assert any("nothing in the numbers tells" in line for line in found.warnings)
    turning = np.stack((np.sin(1e-6 * t), np.cos(2e-6 * t), 1.0 + np.sin(3e-6 * t)), axis=1)
    assert interpret(RawRecording("a", t, None, turning, Conventions())).conventions.time_unit == "us"


def test_turning_by_hand_tells_no_unit_and_denies_none_that_is_declared():
    t = 0.01 * np.arange(1000)
    rates = 40.0 * np.stack((np.sin(1.1 * t), np.sin(1.7 * t + 1), np.cos(0.6 * t)), axis=1)
    found = interpret(RawRecording("a", t, None, rates, Conventions()))
    assert not any("inferred" in line for line in found.warnings)
    for unit, clock in (("deg/s", "us"), ("rad/s", "s"), ("rpm", "ms")):
        declared = Conventions(rate_unit=unit, time_unit=clock)
        warnings = interpret(RawRecording("a", t / TIME_UNITS[clock], None, rates, declared)).warnings
        assert not [line for line in warnings if "declared" in line or "--angular-velocity" in line]


def test_orientations_alone_fit_two_readings_of_which_the_usual_one_is_taken():
    q, _ = motion(TIME[:600])
    found = interpret(RawRecording("a", TIME[:600], q[:, [1, 2, 3, 0]], None, Conventions()))
    assert (found.conventions.order, found.conventions.direction) == ("xyzw", "world from body")
    text = "cannot be told: xyzw, world from body is taken, but wxyz, body from world fits as well"
    assert any(line == f"{text}; declare it with --quaternion" for line in found.warnings)


def test_a_motion_from_the_identity_shows_where_the_scalar_is():
    turn = Rotation.from_rotvec(np.stack((np.sin(TIME[:500]), TIME[:500] ** 2, np.sin(3 * TIME[:500])), axis=1) / 9)
    for q, order in ((turn.as_quat(), "xyzw"), (turn.as_quat()[:, [3, 0, 1, 2]], "wxyz")):
        assert interpret(RawRecording("a", TIME[:500], q, None, Conventions())).conventions.order == order


def test_a_few_rows_of_a_thin_rod_deny_no_declared_order():
    """As a message of a spinning spacecraft has them: angles of 3-1-3 with nine digits."""
    angles = np.array([(268.62512, 68.407179, 159.5566782), (268.59578, 68.395597, 148.3145228),
                       (268.56786, 68.383555, 137.0710680), (268.54141, 68.371076, 125.8262462),
                       (268.51647, 68.358183, 114.5800124), (268.49309, 68.344901, 103.3323248),
                       (268.47132, 68.331257, 92.0831445), (268.45119, 68.317275, 80.8324358)])  # fmt: skip
    q = Rotation.from_euler("ZXZ", angles, degrees=True).as_quat()[:, [3, 0, 1, 2]]
    declared = Conventions("wxyz", "world from body", time_unit="s")
    warnings = interpret(RawRecording("a", 0.125 * np.arange(8), q, None, declared)).warnings
    assert not [line for line in warnings if "declared as" in line]


def test_a_slow_camera_in_degrees_shows_no_flights_of_a_ball():
    """Smooth turning at 30 Hz: read as rad/s, it is that of nearly a ball in every short stretch."""
    t, chance = np.arange(900) / 30, np.random.default_rng(3)
    phases = chance.uniform(0, 6, (3, 6))
    rates = np.degrees(0.1 * np.sin(t[:, None, None] * np.linspace(0.3, 1.2, 6) + phases).sum(axis=2))
    found = interpret(RawRecording("a", t, None, rates, Conventions()))
    assert not any("inferred" in line for line in found.warnings)


@pytest.mark.parametrize(("slower", "clock"), [(1.0, "us"), (40.0, "us"), (40.0, "ms")])
def test_the_clock_of_orientations_alone_is_one_in_which_they_do_not_turn_too_fast(slower, clock):
    q, _ = motion(TIME)
    ticks = np.round(TIME * slower / TIME_UNITS[clock])
    found = interpret(recorded(ticks, q, None, Conventions("wxyz", "world from body")))
    assert found.conventions.time_unit == clock
    assert any(f"times taken as {clock}" in text for text in found.warnings)


def test_an_integrator_s_error_does_not_turn_the_quaternions_round():
    """Semi-implicit Euler on Euler angles: its error makes the inverse motion fit better than the motion itself."""
    moments, omega, step = np.array((0.4, 0.83, 1.0)), np.array((-1.59, 19.87, -1.59)), 0.005
    roll, pitch, yaw, q = -1.26, 0.74, 0.7, []
    for _ in range(600):
        q.append(Rotation.from_euler("ZYX", (yaw, pitch, roll)).as_quat()[[3, 0, 1, 2]])
        omega = omega + step * np.cross(moments * omega, omega) / moments
        about_z = omega[1] * np.sin(roll) + omega[2] * np.cos(roll)
        pitch_rate = omega[1] * np.cos(roll) - omega[2] * np.sin(roll)
        roll += step * (omega[0] + about_z * np.tan(pitch))
        yaw, pitch = yaw + step * about_z / np.cos(pitch), pitch + step * pitch_rate
    raw = RawRecording("recording", step * np.arange(600), np.array(q), None, Conventions(order="wxyz"))
    found = interpret(raw)
    assert found.conventions.direction == "world from body"  # the inverse leaves 0.08, the motion itself 0.8
    assert "not declared, so taken as usual: world from body; nothing in the numbers tells" in found.warnings


@pytest.mark.parametrize("speed", [1.0, 6.0])
def test_rates_that_wobble_slightly_tell_their_unit(speed):
    """Squares of the numbers have too few digits: in half of these readings turns a minute left less than degrees."""
    moments, time = np.array((1.0, 0.6345, 0.6598)), np.arange(60) * 2.0 * np.pi / 40.0 / speed
    start = speed * np.array((1.0, 0.03, 0.03))
    exact = solve_ivp(
        lambda _, omega: np.cross(moments * omega, omega) / moments,
        (0.0, time[-1]), start, "DOP853", time, rtol=1e-13, atol=1e-14,
    ).y.T  # fmt: skip
    for axes in (np.eye(3), *(Rotation.random(random_state=seed).as_matrix() for seed in range(3))):
        own, six_fold = (euler_misfit(time, factor * exact @ axes) for factor in (1.0, 6.0))
        assert own < 1e-6 < 1e-5 < six_fold  # measured 1e-8 and 1e-4
    euler_misfit(time, np.tile(exact[0], (60, 1)))  # nothing to divide by
