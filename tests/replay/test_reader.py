"""Recordings as they come: columns, declarations, and one clear line for what is none."""

import io
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from viewer.common.errors import InputError
from viewer.replay.analysis import replay
from viewer.replay.conventions import Conventions, parse_conventions
from viewer.replay.files.source import Member, Source
from viewer.replay.formats.formats import read_recording, read_source
from viewer.replay.raw_recording import RawRecording
from viewer.replay.recording import interpret


def parsed(content: str) -> RawRecording:
    data = content.encode("utf-8", errors="surrogatepass")
    return read_source(Source("recording", [Member("recording", len(data), lambda: io.BytesIO(data))]))


ROWS = [[0.1 * n, 1.0, 0.01 * n, 0.0, 0.0, 0.0, 0.2, 0.3] for n in range(10)]


def text(head: str, rows=ROWS, separator: str = ",") -> str:
    return head + "\n" + "\n".join(separator.join(map(repr, row)) for row in rows) + "\n"


@pytest.mark.parametrize(
    "head",
    [
        "t,qw,qx,qy,qz,wx,wy,wz",
        "time_s,orientation_w,orientation_x,orientation_y,orientation_z,"
        "omega_body_x_rad_per_s,omega_body_y_rad_per_s,omega_body_z_rad_per_s",
        "Time, Quat W, Quat X, Quat Y, Quat Z, ang_vel_x, ang_vel_y, ang_vel_z",
        "timestamp,q0,q1,q2,q3,gyro x [rad/s],gyro y [rad/s],gyro z [rad/s]",
    ],
)
def test_columns_are_found_by_their_names(head):
    recorded = parsed(text(head))
    np.testing.assert_array_equal(recorded.time, [row[0] for row in ROWS])
    np.testing.assert_array_equal(recorded.quaternion, [row[1:5] for row in ROWS])
    np.testing.assert_array_equal(recorded.rates, [row[5:] for row in ROWS])
    assert recorded.warnings == ()


def test_other_columns_separators_and_orders_are_taken():
    rows = [[row[7], row[5], row[6], 99.0, row[0]] for row in ROWS]
    recorded = parsed(text("wz;wx;wy;temperature;t", rows, ";"))
    np.testing.assert_array_equal(recorded.rates, [row[5:] for row in ROWS])
    assert recorded.quaternion is None


def test_names_and_comments_say_what_the_numbers_mean():
    head = "# recorded on a Monday\n# source: an engine\n# moments: 1, 2, 2.5\n# quaternion: body from world\n"
    recorded = parsed(
        text(head + "t_ms,qw,qx,qy,qz,omega_world_x_deg_per_s,omega_world_y_deg_per_s,omega_world_z_deg_per_s")
    )
    said = recorded.declared
    assert (said.order, said.direction, said.rate_frame, said.rate_unit, said.time_unit) == (
        "wxyz", "body from world", "world", "deg/s", "ms",
    )  # fmt: skip
    assert said.moments == (1.0, 2.0, 2.5)
    assert said.source == "an engine"


def test_numbers_without_names_are_taken_with_a_warning():
    recorded = parsed(text("", [[*row[:5], 0.2, 0.0, 0.0] for row in ROWS]))
    assert recorded.quaternion is not None
    assert recorded.rates is not None
    assert "no line of column names" in recorded.warnings[0]
    assert recorded.declared.order is None


def test_a_log_that_ends_in_infinities_ends_there_and_says_so():
    rows = [*ROWS, [1.0, *[float("inf")] * 7], [1.1, *[float("nan")] * 7]]
    recorded = parsed(text("t,qw,qx,qy,qz,wx,wy,wz", rows))
    assert len(recorded.time) == len(ROWS)
    assert recorded.warnings == ("used 10 of 12 rows: the numbers after row 10 are not finite",)


def test_a_row_that_is_not_finite_in_mid_file_is_left_out_and_the_rest_is_read():
    rows = [*ROWS[:4], [ROWS[4][0], *[float("nan")] * 7], *ROWS[5:]]
    recorded = parsed(text("t,qw,qx,qy,qz,wx,wy,wz", rows))
    np.testing.assert_array_equal(recorded.time, [row[0] for row in ROWS if row[0] != ROWS[4][0]])
    assert recorded.warnings == ("left out 1 row with nan or inf, row 5",)


def test_numbers_in_quotes_are_numbers():
    rows = [[f'"{value!r}"' for value in row] for row in ROWS]
    head = '"t","qw","qx","qy","qz","wx","wy","wz"'
    recorded = parsed(head + "\n" + "\n".join(map(",".join, rows)))
    np.testing.assert_array_equal(recorded.rates, [row[5:] for row in ROWS])


def test_reading_tells_how_far_it_is_and_can_be_ended(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("t,wx,wy,wz\n" + "".join(f"{n},1,2,3\n" for n in range(50_000)))
    fractions = []
    assert len(read_recording(path, fractions.append).time) == 50_000
    assert fractions == sorted(fractions)
    assert 0.0 < fractions[0] < 0.5 < fractions[-1] <= 1.0

    class Enough(Exception):
        pass

    def end(fraction):
        raise Enough

    with pytest.raises(Enough):
        read_recording(path, end)


def test_interpreting_a_long_recording_can_be_ended():
    t, _, w = motion()
    seen = []
    t, w = t[1] * np.arange(100_000), np.resize(w, (100_000, 3))
    raw = RawRecording("recording", t, None, w, Conventions(rate_frame="body", rate_unit="rad/s", time_unit="s"))
    interpret(raw, progress=seen.append)
    assert seen == sorted(seen)
    assert len(seen) > 5
    assert seen[-1] == 1.0

    def end(fraction: float) -> None:
        if fraction > 0.3:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        interpret(raw, progress=end)


def test_what_a_comment_declares_cannot_steer_a_terminal():
    recorded = parsed(text("# source: evil\x1b[2Jengine\nt,qw,qx,qy,qz,wx,wy,wz"))
    assert recorded.declared.source == "evil?[2Jengine"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "contains no table of numbers"),
        ("# only a comment\n", "contains no table of numbers"),
        (text("a,b,c,d,e,f,g,h"), "line 1: column t not found"),
        (text("t,qw,qx,qy,k,wx,wy,l"), "line 1: column qz not found"),
        (text("t,a,b,c,d,e,f,g"), "neither columns qw, qx, qy, qz nor wx, wy, wz"),
        (text("t,t,qx,qw,qy,qz,qx,wy"), "two columns for qx: 'qx' and 'qx'"),
        ("t,wx,wy,wz\n0,1,2\n", "line 2: 3 columns instead of 4"),
        ("t,wx,wy,wz\n0,1,2,three\n", "line 2: wz: 'three' is not a number"),
        ("t,wx,wy,wz\n0,1,2,3\n", "rows of finite numbers: 1; at least 8 are needed"),
        (text("t,qw,qx,qy,qz,wx,wy,wz", ROWS[::-1]), "t: runs back at row 2"),
        ("1,2,3\n", "rows of finite numbers: 1; at least 8 are needed"),
        ("1,2\n" * 9, "numbers of 2 columns without names do not tell what they are"),
        ('t,wx,wy,wz\n0,1,2,"3\n1,1,2,3\n', "line 2: unclosed quote"),
        ("t,wx,wy,wz," + "x" * 140_000, "line 1: is longer than 65536 characters"),
        (text("# moments: 1e308, 1, 1\nt,qw,qx,qy,qz,wx,wy,wz"), "moments: '1e308, 1, 1' is not allowed"),
        (text("# moments: 1e-300, 1, 1\nt,qw,qx,qy,qz,wx,wy,wz"), "each must be 1e-30 to 1e30"),
        (text("t,wx,wy,wz", [[n, 0, 0, 1e200] for n in range(9)]), "wz: 1e200 is outside -1e30 to 1e30"),
        (text("t,wx,wy,wz", [[n * 1e300, 0, 0, 1] for n in range(9)]), "t: 8e300 is outside -1e30 to 1e30"),
        (text("# moments: 1, 2\nt,qw,qx,qy,qz,wx,wy,wz"), "moments: '1, 2' is not three numbers"),
        (text("# moments: 1, 2, -3\nt,qw,qx,qy,qz,wx,wy,wz"), "each must be 1e-30 to 1e30"),
        (text("# quaternion: wxzy\nt,qw,qx,qy,qz,wx,wy,wz"), "quaternion: 'wxzy' is unknown; did you mean"),
        (text("# angular velocity: body, furlongs\nt,qw,qx,qy,qz,wx,wy,wz"), "angular velocity: 'furlongs' is unknown"),
    ],
)
def test_what_is_no_recording_is_reported(content, told):
    with pytest.raises(InputError, match="recording") as error:
        parsed(content)
    assert told in str(error.value)


def test_files_that_cannot_be_read_are_told(tmp_path):
    with pytest.raises(InputError, match="file not found"):
        read_recording(tmp_path / "nothing.csv")
    with pytest.raises(InputError, match="is a folder or an archive without a recording"):
        read_recording(tmp_path)
    (tmp_path / "picture.csv").write_bytes(b"\x89PNG\xff\xfe\x00")
    with pytest.raises(InputError, match="is not a text file"):
        read_recording(tmp_path / "picture.csv")


def test_words_of_the_command_line():
    said = parse_conventions(quaternion="xyzw, body from world", angular_velocity="deg/s", time="ms")
    assert (said.order, said.direction, said.rate_unit, said.rate_frame) == ("xyzw", "body from world", "deg/s", None)


@given(st.text(max_size=300) | st.text(alphabet="0123456789.,-eE#:\nqwxyzt \t;inf", max_size=300))
def test_whatever_a_file_holds_it_is_a_recording_or_an_error_of_one_line(content):
    try:
        parsed(content)
    except InputError as error:
        assert "\n" not in str(error)


@cache
def motion():
    """t, quaternions and rates of a box near its middle axis by DOP853, as a recorder has them."""
    moments = np.array([1.0, 2.0, 2.5])

    def rate(t, y):
        a, b, c, d = y[:4]
        x, z = y[4], y[6]
        turn = 0.5 * np.array([-b * x - c * y[5] - d * z, a * x + c * z - d * y[5], a * y[5] + d * x - b * z, 0.0])
        turn[3] = 0.5 * (a * z + b * y[5] - c * x)
        return np.concatenate((turn, -np.cross(y[4:], moments * y[4:]) / moments))

    t = np.arange(1001) * 0.01
    start = [0.6, 0.2, -0.5, 0.59160797831, 0.05, 3.0, 0.05]
    y = solve_ivp(rate, (0.0, t[-1]), start, method="DOP853", rtol=1e-11, atol=1e-12, t_eval=t).y.T
    return t, y[:, :4], y[:, 4:]


def table(head, *columns, separator=",", form="%.9g"):
    """A table as text; columns of numbers or of words."""
    cells = [[one if isinstance(one, str) else form % one for one in column] for column in columns]
    return "\n".join([head, *(separator.join(row) for row in zip(*cells, strict=True))]) + "\n"


@cache
def recorders():
    """Recordings as phones, drones and robots write them, of one motion."""
    t, q, w = motion()
    since_1970 = [str(1_700_000_000_000_000_000 + round(1e9 * one)) for one in t]
    us = [str(123_456_789 + round(1e6 * one)) for one in t]
    x, y, z = w.T
    return {
        "phyphox": table('"Time (s)","Gyroscope x (rad/s)","Gyroscope y (rad/s)","Gyroscope z (rad/s)"', t, *w.T),
        "phyphox, German": table('"Time (s)";"Gyroscope x (rad/s)";"Gyroscope y (rad/s)";"Gyroscope z (rad/s)"',
                                 t, *w.T, separator=";").replace(".", ","),
        "Sensor Logger": table("time,seconds_elapsed,qz,qy,qx,qw", since_1970, t + 0.1, *q[:, ::-1].T),
        "PX4": table("timestamp,q[0],q[1],q[2],q[3],delta_q_reset[0]", us, *q.T, t),
        "PX4 with rates": table("timestamp,rollspeed,pitchspeed,yawspeed,q[0],q[1],q[2],q[3]", us, *w.T, *q.T),
        "ROS": table("%time,field.header.stamp,field.header.frame_id,field.orientation.x,field.orientation.y,"
                     "field.orientation.z,field.orientation.w,field.angular_velocity.x,field.angular_velocity.y,"
                     "field.angular_velocity.z", since_1970, since_1970, ["imu"] * len(t),
                     q[:, 1], q[:, 2], q[:, 3], q[:, 0], x, y, z),
        "EuRoC": table("#timestamp [ns],w_RS_S_x [rad s^-1],w_RS_S_y [rad s^-1],w_RS_S_z [rad s^-1],a_RS_S_x [m s^-2]",
                       since_1970, x, y, z, t),
        "EuRoC, truth": table("#timestamp,q_RS_w [],q_RS_x [],q_RS_y [],q_RS_z [],b_w_RS_S_x [rad s^-1],"
                              "b_w_RS_S_y [rad s^-1],b_w_RS_S_z [rad s^-1]", since_1970, *q.T, t, t, t),
        "TUM": table("# timestamp tx ty tz qx qy qz qw", t, t, t, t, q[:, 1], q[:, 2], q[:, 3], q[:, 0],
                     separator=" "),
        "Unix time": table("timestamp,wx,wy,wz", [f"{1714557600 + one:.6f}" for one in t], *w.T),
    }  # fmt: skip


@pytest.mark.parametrize("name", list(recorders()))
def test_recordings_of_phones_drones_and_robots_are_read(name):
    found = replay(interpret(parsed(recorders()[name])))
    assert found.recording.time[-1] == pytest.approx(10.0, rel=1e-6)
    assert found.body.principal_moments == pytest.approx([0.4, 0.8, 1.0], rel=1e-5)  # measured 3e-8
    assert np.ptp(np.diff(found.recording.time)) < 1e-8  # even, so that integrators can be compared
    if name == "phyphox":  # of which the others have the numbers
        assert any("resembles the exact motion" in line for line in found.findings())


def test_the_clock_of_orientations_alone_is_told_and_can_be_said():
    content = recorders()["PX4"]
    assert any("times taken as us" in line for line in interpret(parsed(content)).warnings)
    assert interpret(parsed(content), parse_conventions(time="ms")).time[-1] == pytest.approx(1e4)


@pytest.mark.parametrize(("clock", "times"), [("s", 1.0), ("ms", 1e3), ("us", 1e6)])
@pytest.mark.parametrize(("noise", "unit", "factor"), [(3e-2, "rad/s", 1.0), (1e-3, "deg/s", 180.0 / np.pi)])
def test_noise_does_not_make_another_unit_of_noisy_rates(noise, unit, factor, clock, times):
    t, _, w = motion()
    w = w + noise * np.random.default_rng(3).normal(size=w.shape)
    found = replay(interpret(RawRecording("recording", t * times, None, w * factor, Conventions())))
    assert (found.recording.conventions.rate_unit, found.recording.conventions.time_unit) == (unit, clock)
    assert found.trajectory.errors.direction.max() < 12.0 * noise / 3.0 + 1e-3  # was 2.6 rad: rates tell no orientation


PREAMBLES = {
    "a spreadsheet's delimiter": "sep=,\n",
    "a sensor about itself": "sep=,\nDeviceTag:,DOT\nFirmwareVersion:,1.6.0\n\n",
    "a flight controller about itself": '"Product","Blackbox flight data recorder"\n"looptime",125\n',
}


@pytest.mark.parametrize("preamble", PREAMBLES.values(), ids=PREAMBLES)
def test_lines_about_the_recorder_before_the_names_are_passed_over(tmp_path, preamble):
    rows = "\n".join(f"{5000 * n},{n},{2 * n},{3 * n}" for n in range(20))
    (tmp_path / "a.csv").write_text(f"{preamble}SampleTimeFine,Gyr_X,Gyr_Y,Gyr_Z\n{rows}\n")
    np.testing.assert_array_equal(read_recording(tmp_path / "a.csv").rates, np.outer(np.arange(20), (1, 2, 3)))


def test_a_row_of_another_length_is_told_and_not_taken_for_the_end_of_a_preamble(tmp_path):
    rows = "\n".join(f"{n},{n},{n}" for n in range(20))
    (tmp_path / "a.csv").write_text(f"t,wx,wy,wz\n{rows}\n")
    with pytest.raises(InputError, match="line 2: 3 columns instead of 4"):
        read_recording(tmp_path / "a.csv")


def test_gx_is_a_rate_unless_another_column_is(tmp_path):
    rows = "\n".join(f"{n},{n},{2 * n},{3 * n},7,8,9" for n in range(20))
    (tmp_path / "a.csv").write_text(f"timestamp,gx,gy,gz,ax,ay,az\n{rows}\n")
    found = read_recording(tmp_path / "a.csv")
    np.testing.assert_array_equal(found.rates, np.outer(np.arange(20), (1, 2, 3)))
    np.testing.assert_array_equal(found.acceleration[0], (7, 8, 9))
    (tmp_path / "b.csv").write_text(f"timestamp,wx,wy,wz,gx,gy,gz\n{rows}\n")
    np.testing.assert_array_equal(read_recording(tmp_path / "b.csv").rates, np.outer(np.arange(20), (1, 2, 3)))
    (tmp_path / "c.csv").write_text(f"timestamp,gx,gy,gz,wx,wy,wz\n{rows}\n")
    np.testing.assert_array_equal(read_recording(tmp_path / "c.csv").rates, np.tile((7, 8, 9), (20, 1)))


def test_units_in_cyrillic_letters_are_read(tmp_path):
    rows = "\n".join(f"{n};{n};{2 * n};{3 * n}" for n in range(20))
    (tmp_path / "a.csv").write_text(f"Время (мс);x (град/с);y (град/с);z (град/с)\n{rows}\n", encoding="utf-8")
    found = read_recording(tmp_path / "a.csv")
    assert (found.declared.time_unit, found.declared.rate_unit) == ("ms", "deg/s")
    np.testing.assert_array_equal(found.rates, np.outer(np.arange(20), (1, 2, 3)))


def test_times_and_rates_too_small_to_reckon_with_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text("t,wx,wy,wz\n" + "\n".join(f"{n}e-300,1e-300,{n}e-300,0" for n in range(20)))
    with pytest.raises(InputError, match="t: steps of 1e-300 to 1e-300 s are outside"):
        interpret(read_recording(tmp_path / "a.csv"))
    (tmp_path / "a.csv").write_text("t,wx,wy,wz\n" + "\n".join(f"0.{n},1e-300,{n}e-300,0" for n in range(10, 30)))
    with pytest.raises(InputError, match=r"an angular velocity of 2\.9e-299 rad/s is outside"):
        interpret(read_recording(tmp_path / "a.csv"))


@pytest.mark.parametrize(
    "form", ["2026-11-07T09:06:{}+02:00", '"2026-11-07 09:06:{}"', "2026-11-07T09:06:{}Z", "2026-11-07 09:06:{} +0100"]
)
@pytest.mark.parametrize("separator", [",", ";"])
def test_dates_with_times_of_day_are_times(tmp_path, form, separator):
    rows = [separator.join((form.format(f"{10 + 0.01 * n:09.6f}"), str(n), "2", "3")) for n in range(20)]
    (tmp_path / "a.csv").write_text("\n".join((separator.join(("timestamp", "wx", "wy", "wz")), *rows)))
    found = read_recording(tmp_path / "a.csv")
    np.testing.assert_allclose(found.time - found.time[0], 0.01 * np.arange(20), atol=1e-6)
    np.testing.assert_array_equal(found.rates[:, 0], np.arange(20))


def test_a_date_is_no_angular_velocity(tmp_path):
    rows = "\n".join(f"{n},2026-11-07T09:06:10,2,3" for n in range(20))
    (tmp_path / "a.csv").write_text(f"t,wx,wy,wz\n{rows}\n")
    with pytest.raises(InputError, match="line 2: wx: '2026-11-07T09:06:10' is not a number"):
        read_recording(tmp_path / "a.csv")
