"""Each format of recordings, written here in all its conventions from one exact motion, read again."""

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from viewer.replay.formats.formats import FORMATS
from viewer.replay.raw import RawRecording
from viewer.replay.reader import read_recording
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


# --- phyphox ----------------------------------------------------------------------------------------------------------

WORDS = {
    "English": ("Time", "Gyroscope", "Absolute", "Acceleration"),
    "German": ("Zeit", "Gyroskop", "Betrag", "Beschleunigung"),
    "Japanese": ("時間", "ジャイロスコープ", "絶対値", "加速度"),
}


def phyphox(made: Motion, language: str = "English", separator: str = ",", felt: bool = False, comma: bool = False,
            absolute: bool = True) -> str:  # fmt: skip
    time, gyroscope, size, acceleration = WORDS[language]
    names = [f"{time} (s)", *(f"{gyroscope} {axis} (rad/s)" for axis in "xyz")]
    columns = [made.t, *made.rates.T]
    if absolute:
        names, columns = [*names, f"{size} (rad/s)"], [*columns, np.linalg.norm(made.rates, axis=1)]
    if felt:
        names += [f"{acceleration} {axis} (m/s²)" for axis in "xyz"]
        columns += [*made.felt.T]
    body = rows_of(*columns, separator=separator, form="%.16E")
    return separator.join(f'"{name}"' for name in names) + "\n" + (body.replace(".", ",") if comma else body)


@pytest.mark.parametrize("language", list(WORDS))
@pytest.mark.parametrize(("separator", "comma"), [(",", False), (";", False), (";", True), ("\t", False), ("\t", True)])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_phyphox_in_all_its_spellings(tmp_path, language, separator, comma, encoding):
    made = motion()
    (tmp_path / "a.csv").write_text(phyphox(made, language, separator, True, comma), encoding=encoding)
    found = read_recording(tmp_path / "a.csv")
    assert found.format == "phyphox"
    check(found, made, orientations=False, felt=True)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
@pytest.mark.parametrize("words", ["xyz", ("roll", "pitch", "yaw")])
def test_units_find_the_columns_and_letters_their_axes(tmp_path, order, words):
    head = ",".join(["Clock [ms]", "Temperature (°C)", *(f"Rate about {words[place]} [deg/s]" for place in order)])
    body = rows_of(1000 * motion().t, motion().t, *(np.degrees(motion().rates[:, place]) for place in order))
    (tmp_path / "a.csv").write_text(head + "\n" + body, encoding="utf-8")
    check(read_recording(tmp_path / "a.csv"), motion(), orientations=False)


def test_a_table_in_latin_1_is_read(tmp_path):
    text = phyphox(motion(), "German").replace("Gyroskop", "Größe").replace("rad/s", "°/s")
    (tmp_path / "a.csv").write_bytes(text.encode("latin-1"))
    np.testing.assert_allclose(
        interpret(read_recording(tmp_path / "a.csv")).omega_body, np.radians(motion().rates), atol=1e-12
    )


EVENTS = '"event","experiment time","system time","system time text"\n"START",0.0,1.79E9,"2026"\n'


def phyphox_archive(path: Path, made: Motion, events: str = EVENTS, apart: bool = True) -> Path:
    """As phyphox exports a raw recording of gyroscope and accelerometer, each at times of its own."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Gyroscope.csv", phyphox(made))
        times = made.t[:-1] + 0.4 * STEP if apart else made.t
        felt = np.array([np.interp(times, made.t, column) for column in made.felt.T])
        names = '"Time (s)",' + ",".join(f'"Acceleration {axis} (m/s^2)"' for axis in "xyz")
        archive.writestr("Accelerometer.csv", names + "\n" + rows_of(times, *felt))
        archive.writestr(
            "Linear Accelerometer.csv", names.replace('"Acc', '"Linear acc') + "\n" + rows_of(times, *felt)
        )
        archive.writestr("meta/device.csv", '"property","value"\n"deviceModel","Pixel 6a"\n')
        archive.writestr("meta/time.csv", events + '"PAUSE",2.99,1.79E9,"2026"\n')
    return path


def test_an_archive_of_phyphox_has_both_sensors_and_the_phone(tmp_path):
    made = motion()
    found = read_recording(phyphox_archive(tmp_path / "a.zip", made, apart=False))
    assert check(found, made, orientations=False, felt=True).conventions.source == "phyphox, Pixel 6a"
    found = read_recording(phyphox_archive(tmp_path / "b.zip", made))
    middle = slice(1, -1)
    measured = np.abs(found.acceleration[middle] - made.felt[middle]).max()
    assert measured < np.abs(np.diff(made.felt, 2, axis=0)).max()  # straight lines between its own times
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        archive.extractall(tmp_path / "unpacked")
    again = read_recording(tmp_path / "unpacked")
    np.testing.assert_array_equal(again.rates, found.rates)
    np.testing.assert_array_equal(again.acceleration, found.acceleration)


def test_an_accelerometer_that_begins_late_and_fails_for_a_while_shows_nothing_then(tmp_path):
    made = motion()
    names = '"Time (s)",' + ",".join(f'"Acceleration {axis} (m/s^2)"' for axis in "xyz")
    felt = made.felt.copy()
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("Gyroscope.csv", phyphox(made))
        archive.writestr("Accelerometer.csv", names + "\n" + rows_of(made.t[50:], felt[50:]))
    recording = interpret(read_recording(tmp_path / "a.zip"))
    assert np.isnan(recording.acceleration[:49]).all()
    np.testing.assert_allclose(recording.acceleration[50:], felt[50:], atol=1e-12)
    felt[100:120, 1] = np.nan
    lines = phyphox(Motion(made.t, made.turn, made.rates, felt), felt=True)
    (tmp_path / "a.csv").write_text(lines)
    recording = interpret(read_recording(tmp_path / "a.csv"))
    assert len(recording.time) == len(made.t)  # no row of the gyroscope is lost
    np.testing.assert_array_equal(np.isnan(recording.acceleration).any(axis=1), np.isnan(felt).any(axis=1))


def test_a_pause_is_a_gap(tmp_path):
    events = EVENTS + '"PAUSE",1.505,1.79E9,"2026"\n"START",1.505,1.79E9,"2026"\n'
    found = read_recording(phyphox_archive(tmp_path / "a.zip", motion(), events))
    assert any("pauses in the recording: 1" in line for line in found.warnings)
    np.testing.assert_array_equal(found.gaps, [151])
    np.testing.assert_array_equal(interpret(found).gaps, [151])


# --- other recorders --------------------------------------------------------------------------------------------------


def axes(name: str, made: Motion, values: np.ndarray) -> tuple[str, str]:
    since_1970 = 1_718_030_736_872_695_300
    body = "".join(
        f"{since_1970 + round(1e9 * t)},{t:.17g},{z:.17g},{y:.17g},{x:.17g}\n"
        for t, (x, y, z) in zip(made.t, values, strict=True)
    )
    return name, "time,seconds_elapsed,z,y,x\n" + body


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


# --- simulators -------------------------------------------------------------------------------------------------------


def test_nasa_42_from_its_folder_or_any_of_its_files(tmp_path):
    made = motion()
    (tmp_path / "time.42").write_text(rows_of(made.t + 100.0))
    (tmp_path / "qbn.42").write_text(rows_of(made.quaternions("xyzw"), separator=" "))
    (tmp_path / "wbn.42").write_text(rows_of(made.rates, separator=" "))
    (tmp_path / "PosN.42").write_text(rows_of(made.felt, separator=" "))
    for path in (tmp_path, tmp_path / "qbn.42", tmp_path / "PosN.42"):
        found = read_recording(path)
        assert found.format == "42"
        check(found, made, close=1e-8)
    (tmp_path / "time.42").unlink()
    with pytest.raises(ValueError, match=r"time.42 and qbn.42 or wbn.42 must stand beside one another"):
        read_recording(tmp_path / "qbn.42")


@pytest.mark.parametrize("kind", ["csv", "npz"])
@pytest.mark.parametrize(("time", "scale"), [("time_ns", 1e9), ("time_s", 1.0), ("time", 1e9)])
def test_basilisk(tmp_path, kind, time, scale):
    made = motion()
    q = made.quaternions()
    sigma = q[:, 1:] / (1.0 + q[:, :1])
    far = np.sum(sigma**2, axis=1) > 1.0  # the shadow set
    sigma[far] /= -np.sum(sigma[far] ** 2, axis=1)[:, None]
    if kind == "npz":
        np.savez(
            tmp_path / "a.npz", sigma_BN=sigma, omega_BN_B=made.rates, **{time: np.round(made.t * 1e9) / 1e9 * scale}
        )
    else:
        head = ",".join([time, *(f"sigma_BN_{n}" for n in "123"), *(f"omega_BN_B_{n}" for n in "123")])
        (tmp_path / "a.csv").write_text(head + "\n" + rows_of(made.t * scale, sigma, made.rates))
    found = read_recording(tmp_path / f"a.{kind}")
    assert found.format == "basilisk"
    if time == "time":  # Basilisk's own unit is the nanosecond; the rates tell it
        assert interpret(found).conventions.time_unit == "ns"
    else:
        check(found, made)


@pytest.mark.parametrize("kind", ["csv", "npz"])
@pytest.mark.parametrize("before", [0, 3])
def test_mujoco(tmp_path, kind, before):
    made = motion()
    place = np.ones((len(made.t), before))
    qpos, qvel = np.column_stack((place, made.quaternions())), np.column_stack((place, made.rates))
    if kind == "npz":
        np.savez(tmp_path / "a.npz", time=made.t, qpos=qpos, qvel=qvel, energy=np.zeros(5))
    else:
        head = ["time", *(f"qpos[{n}]" for n in range(4 + before)), *(f"qvel[{n}]" for n in range(3 + before))]
        (tmp_path / "a.csv").write_text(",".join(head) + "\n" + rows_of(made.t, qpos, qvel))
    found = read_recording(tmp_path / f"a.{kind}")
    assert found.format == "mujoco"
    check(found, made)


CCSDS = {
    "QUATERNION": (None, ()),
    "QUATERNION/RATE": (None, ("rates",)),
    "QUATERNION/ANGVEL": (None, ("rates",)),
    "EULER_ANGLE 321": ("321", ()),
    "EULER_ANGLE ZXZ": ("ZXZ", ()),
    "EULER_ANGLE/ANGVEL 123": ("123", ("rates",)),
}


def aem(made: Motion, kind: str, first: bool = False, backward: bool = False, body_is_a: bool = False,
        rate_frame: str = "B", day_of_year: bool = False, version: str = "1.0", segments: int = 1) -> str:  # fmt: skip
    """The message of a motion. The quaternion is that of the turn from A to B (B2A: back); with the body as A, that
    turn is the inverse of the body's, and so is the angular velocity of B against A."""
    sequence, rates = CCSDS[kind]
    turn = made.turn if backward == body_is_a else made.turn.inv()
    omega = made.rates if (rate_frame == "B") != body_is_a else made.turn.apply(made.rates)
    omega = np.degrees(-omega if body_is_a else omega)
    if sequence is None:
        attitude = turn.as_quat()[:, [3, 0, 1, 2]] if first else turn.as_quat()
    else:
        attitude = turn.as_euler(sequence.translate(str.maketrans("123", "XYZ")), degrees=True)
    frames = ("SC_BODY_1", "EME2000") if body_is_a else ("EME2000", "SC_BODY_1")
    meta = {
        "OBJECT_NAME": "A SPACECRAFT", "OBJECT_ID": "2026-001A", "REF_FRAME_A": frames[0], "REF_FRAME_B": frames[1],
        "ATTITUDE_DIR": "B2A" if backward else "A2B", "TIME_SYSTEM": "UTC", "START_TIME": "2026-12-31T23:59:59",
        "STOP_TIME": "2027-01-01T00:10:00", "ATTITUDE_TYPE": kind.split()[0],
        "QUATERNION_TYPE": "FIRST" if first else "LAST", "RATE_FRAME": f"REF_FRAME_{rate_frame}",
    }  # fmt: skip
    if sequence is not None:
        meta["EULER_ROT_SEQ"] = sequence
    text = (
        f"CCSDS_AEM_VERS = {version}\nCOMMENT made for a test\nCREATION_DATE = 2026-11-23T12:00:00\nORIGINATOR = ME\n\n"
    )
    begin = np.datetime64("2026-12-31T23:59:59", "ns")
    for part in np.array_split(np.arange(len(made.t)), segments):
        text += (
            "META_START\nCOMMENT one\n" + "".join(f"{key} = {value}\n" for key, value in meta.items()) + "META_STOP\n"
        )
        text += "\nDATA_START\n"
        for n in part:
            moment = str(begin + np.timedelta64(round(made.t[n] * 1e9), "ns"))
            if day_of_year:
                day = date.fromisoformat(moment[:10]).timetuple().tm_yday
                moment = f"{moment[:4]}-{day:03}{moment[10:]}Z"
            numbers = (*attitude[n], *(omega[n] if rates else ()))
            text += moment + " " + " ".join(f"{one:.16g}" for one in numbers) + "\n"
        text += "DATA_STOP\n"
    return text


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kind=st.sampled_from(list(CCSDS)), first=st.booleans(), backward=st.booleans(), body_is_a=st.booleans(),
    rate_frame=st.sampled_from("AB"), day_of_year=st.booleans(), version=st.sampled_from(["1.0", "2.0"]),
    seed=st.integers(0, 5),
)  # fmt: skip
def test_attitude_messages_in_each_convention(
    tmp_path, kind, first, backward, body_is_a, rate_frame, day_of_year, version, seed
):
    made = motion(seed)
    text = aem(made, kind, first, backward, body_is_a, rate_frame, day_of_year, version)
    (tmp_path / "a.aem").write_text(text)
    found = read_recording(tmp_path / "a.aem")
    assert found.format == "ccsds-aem"
    rates = bool(CCSDS[kind][1])
    check(found, made, rates=rates, close=3e-7)  # measured 2e-8, that of gimbal lock nearby


def test_segments_of_a_message_are_joined_with_a_gap(tmp_path):
    (tmp_path / "a.txt").write_text(aem(motion(), "QUATERNION", segments=3))
    np.testing.assert_array_equal(read_recording(tmp_path / "a.txt").gaps, [100, 200])


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "ATTITUDE_TYPE = QUATERNION",
            "ATTITUDE_TYPE = SPIN",
            "ATTITUDE_TYPE: 'SPIN' is not read; allowed are QUATERNION",
        ),
        ("T23:59:59.010000000 ", "T23:59:59.010000000 1 ", "line 23: 6 columns instead of 5"),
        ("2026-12-31T23:59:59.010000000 ", "2026-12-31 ", "line 23: '2026-12-31' is no epoch"),
        ("2026-12-31T23:59:59.010000000 ", "2026-13-31T23:59:59 ", "line 23: '2026-13-31T23:59:59' is no epoch"),
    ],
)
def test_a_message_that_cannot_be_read_is_told(tmp_path, old, new, told):
    text = aem(motion(), "QUATERNION")
    assert old in text
    (tmp_path / "a.aem").write_text(text.replace(old, new))
    with pytest.raises(ValueError, match=r"a\.aem") as error:
        read_recording(tmp_path / "a.aem")
    assert told in str(error.value)


STK: dict[str, Callable[[Motion], tuple[np.ndarray, ...]]] = {
    "AttitudeTimeQuaternions": lambda made: (made.quaternions("xyzw"),),
    "AttitudeTimeQuatScalarFirst": lambda made: (made.quaternions("wxyz"),),
    "AttitudeTimeQuatAngVels": lambda made: (made.quaternions("xyzw"), np.degrees(made.rates)),
    "AttitudeTimeDCM": lambda made: (made.turn.inv().as_matrix().reshape(-1, 9),),
    "AttitudeTimeEulerAngles": lambda made: (made.turn.as_euler("ZYX", degrees=True),),
}


@pytest.mark.parametrize("kind", list(STK))
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_stk(tmp_path, kind, ends):
    made = motion()
    head = f"stk.v.12.2\n# WrittenBy a test\n\nBEGIN Attitude\n\nNumberOfAttitudePoints\t{len(made.t)}\n"
    head += "ScenarioEpoch  1 Jan 2025 16:00:00.000\nSequence 321\nCentralBody Earth\nCoordinateAxes J2000\n"
    head += "BEGIN SegmentBoundaryTimes\n 0.0\nEND SegmentBoundaryTimes\n"
    body = rows_of(made.t, *STK[kind](made), separator="  ", form="%.17e")
    (tmp_path / "a.a").write_text((head + kind + "\n\n" + body + "\nEND Attitude\n").replace("\n", ends), newline="")
    found = read_recording(tmp_path / "a.a")
    assert found.format == "stk"
    check(found, made, rates="AngVels" in kind)
    (tmp_path / "a.a").write_text(head + "AttitudeTimeECFVector\n" + body + "END Attitude\n")
    with pytest.raises(ValueError, match=r"a table 'AttitudeTimeECFVector' is not read; allowed are AttitudeTimeQ"):
        read_recording(tmp_path / "a.a")


@pytest.mark.parametrize("earth_rate", [7.292115e-5, 0.0])
def test_nasas_check_cases_are_put_into_inertial_axes(tmp_path, earth_rate):
    """North, east and down are made here from the place's own directions, and not from turns."""
    made = motion(rows=1000)
    longitude, latitude = 0.3 + 2e-3 * made.t, 0.7 - 1e-3 * made.t
    sky = longitude + earth_rate * made.t
    up = np.stack((np.cos(latitude) * np.cos(sky), np.cos(latitude) * np.sin(sky), np.sin(latitude)), axis=1)
    east = np.stack((-np.sin(sky), np.cos(sky), 0.0 * sky), axis=1)
    local = Rotation.from_matrix(np.stack((np.cross(up, east), east, -up), axis=2))
    yaw, pitch, roll = (local.inv() * made.turn).as_euler("ZYX", degrees=True).T
    names = ["time", "altitudeMsl_ft", "longitude_deg", "latitude_deg"]
    names += [f"eulerAngle_deg_{name}" for name in ("Yaw", "Pitch", "Roll")]
    names += [f"bodyAngularRateWrtEi_deg_s_{name}" for name in ("Roll", "Pitch", "Yaw")]
    columns = (
        made.t,
        30_000 - made.t,
        np.degrees(longitude),
        np.degrees(latitude),
        yaw,
        pitch,
        roll,
        np.degrees(made.rates),
    )
    (tmp_path / "a.csv").write_text(",".join(names) + "\n" + rows_of(*columns))
    found = read_recording(tmp_path / "a.csv")
    assert found.format == "nasa-check-case"
    assert any(f"with the earth at {earth_rate:g} rad/s" in line for line in found.warnings)
    recording = interpret(found)
    turned = Rotation.from_quat(recording.orientation_wxyz[:, [1, 2, 3, 0]])
    assert (turned.inv() * made.turn).magnitude().max() < 1e-9
    np.testing.assert_allclose(recording.omega_body, made.rates, atol=1e-12)


def test_every_format_is_told_apart():
    """Each format's own example is in its entry, and the last one takes what the others leave."""
    assert list(FORMATS)[-1] == "columns"
    assert all(entry.summary and entry.example for entry in FORMATS.values())
