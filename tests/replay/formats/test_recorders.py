"""Sensor Logger, SensorLog, Gyroflow, ROS: axes, scales and clocks of their own."""

import zipfile
from dataclasses import replace

import numpy as np
import pytest
from helpers.recorded_motion import Motion, check, motion, rows_of

from viewer.replay.formats.formats import read_recording
from viewer.replay.recording import interpret


def axes(name: str, made: Motion, values: np.ndarray) -> tuple[str, str]:
    since_1970 = 1_718_030_736_872_695_300
    body = "".join(
        f"{since_1970 + round(1e9 * t)},{t:.17g},{z:.17g},{y:.17g},{x:.17g}\n"
        for t, (x, y, z) in zip(made.t, values, strict=True)
    )
    return name, "time,seconds_elapsed,z,y,x\n" + body


def test_the_names_of_bullets_python_and_angles_beside_rates(tmp_path):
    made = motion()
    head = "t,orn_x,orn_y,orn_z,orn_w,wx,wy,wz\n"
    (tmp_path / "a.csv").write_text(head + rows_of(made.t, made.quaternions("xyzw"), made.turn.apply(made.rates)))
    found = interpret(read_recording(tmp_path / "a.csv"))
    assert (found.conventions.rate_frame, found.has_orientations) == ("world", True)
    np.testing.assert_allclose(found.omega_body, made.rates, atol=1e-9)
    for head in (
        "t,Roll,Pitch,Yaw,wx,wy,wz\n",
        "t (s),roll (deg),pitch (deg),yaw (deg),x (rad/s),y (rad/s),z (rad/s)\n",
    ):
        (tmp_path / "b.csv").write_text(head + rows_of(made.t, made.rates, made.rates))
        raw = read_recording(tmp_path / "b.csv")
        assert (raw.quaternion, raw.rates is None) == (None, False)
        (told,) = raw.warnings
        assert told.startswith("left out roll, pitch and yaw: they do not turn at the angular velocities beside them")
    rows = rows_of(made.t, made.rates).replace("\n", ",1,2,level\n")
    (tmp_path / "b.csv").write_text(f"t,wx,wy,wz,Roll,Pitch,Yaw\n{rows}")
    assert read_recording(tmp_path / "b.csv").warnings == ("left out roll, pitch and yaw: they hold no numbers",)


@pytest.mark.parametrize(
    "head",
    [
        "time,roll_deg,pitch_deg,yaw_deg,p_deg_s,q_deg_s,r_deg_s",
        "t,Roll,Pitch,Yaw,wx,wy,wz",
        "t (s),roll (deg),pitch (deg),yaw (deg),x (deg/s),y (deg/s),z (deg/s)",
    ],
)
def test_angles_beside_rates_are_orientations_if_they_turn_at_these(tmp_path, head):
    made = motion()
    angles, rates = made.turn.as_euler("ZYX", degrees=True)[:, ::-1], np.degrees(made.rates)
    (tmp_path / "a.csv").write_text(f"{head}\n{rows_of(made.t, angles, rates)}")
    found = interpret(read_recording(tmp_path / "a.csv"))
    assert (found.has_orientations, found.has_rates, found.disagreement) == (True, True, None)
    np.testing.assert_allclose(found.omega_body, made.rates, atol=1e-9)
    (tmp_path / "a.csv").write_text(f"{head}\n{rows_of(made.t, angles, rates * (1.0, -1.0, -1.0))}")
    found = interpret(read_recording(tmp_path / "a.csv")).disagreement
    assert found is not None
    assert found.line == "y and z of the rates are reversed against the orientations, as FLU beside FRD"


def test_sensor_logger(tmp_path):
    made = motion()
    gravity = np.array((0.0, 0.0, 9.81))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(*axes("Accelerometer.csv", made, made.felt - gravity))
        archive.writestr(*axes("Gravity.csv", made, np.tile(gravity, (len(made.t), 1))))
        archive.writestr(*axes("Gyroscope.csv", made, made.rates))
        archive.writestr("Metadata.csv", "version,device name\n3,Pixel\n")
    found = read_recording(tmp_path / "a.zip")
    assert found.format == "sensor-logger"
    check(found, made, orientations=False, felt=True)
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        archive.extract("Gyroscope.csv", tmp_path)
        archive.extract("Accelerometer.csv", tmp_path)
    check(read_recording(tmp_path / "Gyroscope.csv"), made, orientations=False)
    with pytest.raises(ValueError, match="is the table of another sensor"):
        read_recording(tmp_path / "Accelerometer.csv")


@pytest.mark.parametrize("orientation", ["XYZ", "YxZ", "zXy", "xyZ", "Yzx"])
def test_gyroflow_turns_the_axes_and_scales_the_numbers(tmp_path, orientation):
    made = motion()
    places = ["xyz".index(letter.lower()) for letter in orientation]
    signs = [1.0 if letter.isupper() else -1.0 for letter in orientation]
    raw, raw_felt = np.zeros_like(made.rates), np.zeros_like(made.felt)
    for to, (place, sign) in enumerate(zip(places, signs, strict=True)):
        raw[:, place], raw_felt[:, place] = sign * made.rates[:, to], sign * made.felt[:, to]
    gscale, ascale = 1e-9, 1e-9
    head = f"GYROFLOW IMU LOG\nversion,1.3\nid,a logger\norientation,{orientation}\n"
    head += f"tscale,0.001\ngscale,{gscale}\nascale,{ascale}\n"
    body = rows_of(
        np.round(made.t * 1000), *np.round(raw.T / gscale), *np.round(raw_felt.T / 9.80665 / ascale), form="%d"
    )
    (tmp_path / "a.gcsv").write_text(head + "t,gx,gy,gz,ax,ay,az\n" + body)
    found = read_recording(tmp_path / "a.gcsv")
    assert found.format == "gyroflow"
    check(found, made, orientations=False, felt=True, close=1e-8)


def test_a_mirrored_orientation_is_no_rotation(tmp_path):
    head = "GYROFLOW IMU LOG\nversion,1.3\norientation,xyz\ntscale,1\ngscale,1\nt,gx,gy,gz\n"
    (tmp_path / "a.gcsv").write_text(head + rows_of(motion().t, *motion().rates.T))
    found = read_recording(tmp_path / "a.gcsv")
    assert any("is a reflection" in line for line in found.warnings)
    np.testing.assert_allclose(found.rates, motion().rates, atol=1e-14)


@pytest.mark.parametrize("names", [("secs", "nsecs"), ("sec", "nanosec")])
@pytest.mark.parametrize("orientations", [True, False])
def test_ros(tmp_path, names, orientations):
    made = motion()
    head = f"Time,header.seq,header.stamp.{names[0]},header.stamp.{names[1]},header.frame_id"
    head += "".join(f",orientation.{axis}" for axis in "xyzw") + ",orientation_covariance"
    head += "".join(f",{name}.{axis}" for name in ("angular_velocity", "linear_acceleration") for axis in "xyz")
    q = made.quaternions("xyzw") if orientations else np.zeros((len(made.t), 4))
    lines = []
    for n, t in enumerate(made.t + 0.5):
        numbers = (
            ",".join(f"{one:.17g}" for one in (*q[n],)),
            ",".join(f"{one:.17g}" for one in (*made.rates[n], *made.felt[n])),
        )
        lines.append(
            f"{1.7e9 + t:.3f},{n},{int(1_700_000_000 + t)},{round((t % 1.0) * 1e9)},"
            f'imu,{numbers[0]},"(0, 0, 0)",{numbers[1]}'
        )
    (tmp_path / "a.csv").write_text(head + "\n" + "\n".join(lines) + "\n")
    found = read_recording(tmp_path / "a.csv")
    assert found.format == "ros"
    if not orientations:
        assert found.warnings == ("left out the orientations: they are the same in all rows",)
        assert found.quaternion is None
        return
    check(found, made, felt=True)


SENSORLOG = ["loggingTime(txt)", "loggingSample(N)", "locationTimestamp_since1970(s)",
             "accelerometerTimestamp_sinceReboot(s)", *(f"accelerometerAcceleration{axis}(G)" for axis in "XYZ"),
             "gyroTimestamp_sinceReboot(s)", *(f"gyroRotation{axis}(rad/s)" for axis in "XYZ"),
             "motionTimestamp_sinceReboot(s)", "motionYaw(rad)",
             *(f"motionRotationRate{axis}(rad/s)" for axis in "XYZ"),
             *(f"motionUserAcceleration{axis}(G)" for axis in "XYZ"),
             *(f"motionQuaternion{axis}(R)" for axis in "XYZW"),
             "deviceID(txt)"]  # fmt: skip


def sensorlog(made: Motion, separator: str) -> str:
    lines = [separator.join(SENSORLOG)]
    x = made.quaternions("xyzw")
    for n, t in enumerate(made.t + 71_000.0):
        felt, rates = [f"{one:.17g}" for one in -made.felt[n] / 9.80665], [f"{one:.17g}" for one in made.rates[n]]
        lines.append(separator.join((
            f"2026-11-23 18:31:{n // 100:02}.{n % 100:02}0 +0100", str(n), "", f"{t - 0.002:.6f}", *felt,
            f"{t - 0.001:.6f}", *("0.1", "0.2", "0.3"), f"{t:.6f}", "0.5", *rates, "0", "0", "0",
            *(f"{one:.17g}" for one in x[n]), "a phone")))  # fmt: skip
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("separator", [",", ";", "|", "\t"])
def test_sensorlog(tmp_path, separator):
    made = motion()
    text = sensorlog(made, separator)
    (tmp_path / "a.csv").write_text(text)
    found = read_recording(tmp_path / "a.csv")
    assert found.format == "sensorlog"
    assert found.declared.direction is None  # and so is inferred from the rates
    check(replace(found, declared=replace(found.declared, direction="world from body")), made, felt=True)
    (tmp_path / "a.csv").write_text(text.replace("motionTimestamp", "otherTimestamp"))
    np.testing.assert_allclose(read_recording(tmp_path / "a.csv").rates[0], (0.1, 0.2, 0.3))
    (tmp_path / "a.csv").write_text(text.replace("Timestamp_sinceReboot", "Stamp"))
    with pytest.raises(ValueError, match=r"line 1: columns motionTimestamp_sinceReboot\(s\), .* not found"):
        read_recording(tmp_path / "a.csv")


@pytest.mark.parametrize("unit", ["rpm", "U/min", "1/min", "min⁻¹", "rev/min"])
def test_turns_a_minute_are_read(tmp_path, unit):
    names = ",".join(["t [s]", *(f"Drehrate {axis} [{unit}]" for axis in "xyz")])
    (tmp_path / "a.csv").write_text(names + "\n" + rows_of(motion().t, motion().rates * 30.0 / np.pi), encoding="utf-8")
    check(read_recording(tmp_path / "a.csv"), motion(), orientations=False)
    names = ",".join(["t", *(f"w{axis}_{unit.lower().replace('/', '_')}" for axis in "xyz")])
    if unit in ("rpm", "U/min", "rev/min"):
        (tmp_path / "a.csv").write_text(names + "\n" + rows_of(motion().t, motion().rates * 30.0 / np.pi))
        assert read_recording(tmp_path / "a.csv").declared.rate_unit == "rpm"
