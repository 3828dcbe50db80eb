"""A row for each event of any sensor: sensors mixed row by row, each with times of its own."""

import numpy as np
import pytest
from helpers.recorded_motion import motion
from scipy.interpolate import CubicSpline

from viewer.replay.formats.formats import read_recording
from viewer.replay.recording import interpret

LATE = 0.003  # s, of the accelerometer


def events(gyroscope: str, accelerometer: str, other: str = "magnetometer") -> list[tuple[float, str, np.ndarray]]:
    """(time [s], sensor, values) of all three, in their order."""
    made = motion()
    felt = CubicSpline(made.t, made.felt)(made.t + LATE)
    rows = [(t, gyroscope, row) for t, row in zip(made.t, made.rates, strict=True)]
    rows += [(t + LATE, accelerometer, row) for t, row in zip(made.t, felt, strict=True)]
    rows += [(t + 0.001, other, np.array((20.0, -3.0, 45.0))) for t in made.t[::5]]
    return sorted(rows, key=lambda row: row[0])


def check(found, felt=True, unit="s", time=1e-6):
    made = motion()
    assert found.format == "sensor-events"
    recording = interpret(found)
    assert recording.conventions.rate_unit == "rad/s"
    assert recording.conventions.time_unit == unit
    np.testing.assert_allclose(recording.time, made.t, atol=time)
    np.testing.assert_allclose(recording.omega_body, made.rates, atol=1e-9)
    if felt:  # by straight lines between rows of noise
        at = np.interp(made.t[5], made.t + LATE, CubicSpline(made.t, made.felt[:, 0])(made.t + LATE))
        assert found.acceleration[5, 0] == pytest.approx(at)
        assert np.isfinite(found.acceleration).all()
    else:
        assert found.acceleration is None


HEADS = {
    "timestamp,sensor,x,y,z": ("gyroscope", "accelerometer", 1.0, "{t:.6f},{s},{x:.17g},{y:.17g},{z:.17g}"),
    "sensor,timestamp_ns,x,y,z": ("4", "1", 1e9, "{s},{t:.0f},{x:.17g},{y:.17g},{z:.17g}"),
    "timestamp_ms;sensor_type;x;y;z;accuracy;activity": (
        "android.sensor.gyroscope", "android.sensor.accelerometer", 1e3,
        "{t:.3f};{s};{x:.17g};{y:.17g};{z:.17g};3;walk",
    ),
    "time (ms),sensorName,values[0],values[1],values[2]": (
        "GYRO", "ACCEL", 1e3, '{t:.3f},"{s}",{x:.17g},{y:.17g},{z:.17g}',
    ),
    "session,time_s,type,v1,v2,v3": (
        "Gyroscope (uncalibrated)", "ACC_UNCALIBRATED", 1.0, "a3f,{t:.6f},{s},{x:.17g},{y:.17g},{z:.17g}",
    ),
    "": ("gyro", "accel", 1.0, "{t:.6f},9,{s},{x:.17g},{y:.17g},{z:.17g},3"),
}  # fmt: skip


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("numbered", [False, True])
def test_sensors_mixed_row_by_row(tmp_path, head, numbered):
    gyroscope, accelerometer, scale, row = HEADS[head]
    lines = [head] if head else []
    for n, (t, sensor, (x, y, z)) in enumerate(events(gyroscope, accelerometer)):
        lines.append((f"{n}," if numbered and "," in row else "") + row.format(t=scale * t, s=sensor, x=x, y=y, z=z))
    if numbered and head:
        lines[0] = "row," + lines[0] if "," in row else lines[0]
    elif numbered:
        return  # its first column is the time
    (tmp_path / "a.csv").write_text("\n".join(lines))
    check(read_recording(tmp_path / "a.csv"), unit={1.0: "s", 1e3: "ms", 1e9: "ns"}[scale])


def test_other_accelerations_are_left_alone_and_quotes_and_gaps_read_slowly(tmp_path):
    lines = ["Timestamp,Sensor,X,Y,Z"]
    for t, sensor, (x, y, z) in events("GYROSCOPE", "linear_acceleration"):
        lines.append(f"{t:.6f},{sensor},{x:.17g},{y:.17g},{z:.17g}")
    lines.insert(4, "0.0075,light,400,,")
    lines.insert(9, "0.0125,pressure,1013.25")  # a sensor of one number
    lines.insert(12, "0.0185,rotation_vector,0.1,0.2,0.3,0.9,0.05")
    (tmp_path / "a.csv").write_text("\n".join(lines))
    check(read_recording(tmp_path / "a.csv"), felt=False)


def test_a_row_of_the_gyroscope_that_is_too_short_is_refused(tmp_path):
    rows = "\n".join(f"{n},gyro,0.1,2" if n == 7 else f"{n},gyro,0.1,2,{n}" for n in range(20))
    (tmp_path / "a.csv").write_text("timestamp,sensor,x,y,z\n" + rows)
    with pytest.raises(ValueError, match=r"a\.csv, line 9: 4 columns instead of 5"):
        read_recording(tmp_path / "a.csv")


def test_without_a_gyroscope_it_is_refused(tmp_path):
    rows = "\n".join(f"{n},accelerometer,0.1,9.8,{n}" for n in range(20))
    (tmp_path / "a.csv").write_text("timestamp,sensor,x,y,z\n" + rows)
    with pytest.raises(ValueError, match=r"a\.csv, line 1: no row is of a gyroscope$"):
        read_recording(tmp_path / "a.csv")


def test_a_word_among_its_numbers_is_told_with_its_line(tmp_path):
    rows = "\n".join(f"{n},gyro,0.1,{'oops' if n == 7 else 2},{n}" for n in range(20))
    (tmp_path / "a.csv").write_text("timestamp,sensor,x,y,z\n" + rows)
    with pytest.raises(ValueError, match=r"a\.csv, line 9: y: 'oops' is not a number"):
        read_recording(tmp_path / "a.csv")
