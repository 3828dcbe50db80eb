"""Logs as they come: columns, declarations, and one clear line for what is none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.errors import SceneError
from viewer.replay.log import conventions, parse_log, read_log

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
    log = parse_log(text(head))
    np.testing.assert_array_equal(log.time, [row[0] for row in ROWS])
    np.testing.assert_array_equal(log.quaternion, [row[1:5] for row in ROWS])
    np.testing.assert_array_equal(log.rates, [row[5:] for row in ROWS])
    assert log.doubts == ()


def test_other_columns_separators_and_orders_are_taken():
    rows = [[row[7], row[5], row[6], 99.0, row[0]] for row in ROWS]
    log = parse_log(text("wz;wx;wy;temperature;t", rows, ";"))
    np.testing.assert_array_equal(log.rates, [row[5:] for row in ROWS])
    assert log.quaternion is None


def test_names_and_comments_say_what_the_numbers_mean():
    head = (
        "# recorded on a Monday\n# source: an engine\n# moments: 1, 2, 2.5\n# quaternion: body from world\n"
    )
    log = parse_log(
        text(
            head + "t_ms,qw,qx,qy,qz,omega_world_x_deg_per_s,omega_world_y_deg_per_s,omega_world_z_deg_per_s"
        )
    )
    said = log.said
    assert (said.order, said.turn, said.rate_frame, said.rate_unit, said.time_unit) == (
        "wxyz", "body from world", "world", "deg/s", "ms",
    )  # fmt: skip
    assert said.moments == (1.0, 2.0, 2.5)
    assert said.source == "an engine"


def test_numbers_without_names_are_taken_with_a_doubt():
    log = parse_log(text("", ROWS))
    assert log.quaternion is not None
    assert log.rates is not None
    assert "there is no line of column names" in log.doubts[0]
    assert log.said.order is None


def test_a_log_that_ends_in_infinities_ends_there_and_says_so():
    rows = [*ROWS, [1.0, *[float("inf")] * 7], [1.1, *[float("nan")] * 7]]
    log = parse_log(text("t,qw,qx,qy,qz,wx,wy,wz", rows))
    assert len(log.time) == len(ROWS)
    assert log.doubts == ("the numbers end at row 10 of 12: what follows is not finite",)


def test_a_row_that_is_not_finite_in_mid_file_is_left_out_and_the_rest_is_read():
    rows = [*ROWS[:4], [ROWS[4][0], *[float("nan")] * 7], *ROWS[5:]]
    log = parse_log(text("t,qw,qx,qy,qz,wx,wy,wz", rows))
    np.testing.assert_array_equal(log.time, [row[0] for row in ROWS if row[0] != ROWS[4][0]])
    assert log.doubts == ("1 rows with nan or inf are left out, the first one is row 5 of the table",)


def test_numbers_in_quotes_are_numbers():
    rows = [[f'"{value!r}"' for value in row] for row in ROWS]
    head = '"t","qw","qx","qy","qz","wx","wy","wz"'
    log = parse_log(head + "\n" + "\n".join(map(",".join, rows)))
    np.testing.assert_array_equal(log.rates, [row[5:] for row in ROWS])


def test_reading_tells_how_far_it_is_and_can_be_ended(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("t,wx,wy,wz\n" + "".join(f"{n},1,2,3\n" for n in range(50_000)))
    fractions = []
    assert len(read_log(path, fractions.append).time) == 50_000
    assert fractions == sorted(fractions)
    assert 0.0 < fractions[0] < 0.5 < fractions[-1] <= 1.0

    class Enough(Exception):
        pass

    def end(fraction):
        raise Enough

    with pytest.raises(Enough):
        read_log(path, end)


def test_what_a_comment_declares_cannot_steer_a_terminal():
    log = parse_log(text("# source: evil\x1b[2Jengine\nt,qw,qx,qy,qz,wx,wy,wz"))
    assert log.said.source == "evil?[2Jengine"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "there is no table of numbers"),
        ("# only a comment\n", "there is no table of numbers"),
        (text("a,b,c,d,e,f,g,h"), "line 1: there is no column t"),
        (text("t,qw,qx,qy,k,wx,wy,l"), "line 1: there is no column qz"),
        (text("t,a,b,c,d,e,f,g"), "neither columns qw, qx, qy, qz nor wx, wy, wz"),
        (text("t,t,qx,qw,qy,qz,qx,wy"), "there are two columns for one of"),
        ("t,wx,wy,wz\n0,1,2\n", "line 2: 3 columns; there should be 4"),
        ("t,wx,wy,wz\n0,1,2,three\n", "line 2: 'three' is not a number"),
        ("t,wx,wy,wz\n0,1,2,3\n", "has 1 rows of finite numbers; at least 8 are needed"),
        (text("t,qw,qx,qy,qz,wx,wy,wz", ROWS[::-1]), "t: the times do not grow at row 2"),
        ("1,2,3\n", "3 columns without names"),
        ('t,wx,wy,wz\n0,1,2,"3\n1,1,2,3\n', "line 2: a quote is not closed"),
        ("t,wx,wy,wz," + "x" * 140_000, "line 1: is longer than 65536 characters"),
        (text("# moments: 1e308, 1, 1\nt,qw,qx,qy,qz,wx,wy,wz"), "moments: '1e308, 1, 1' is not allowed"),
        (text("# moments: 1e-300, 1, 1\nt,qw,qx,qy,qz,wx,wy,wz"), "they must be positive, 1e-30..1e+30"),
        (text("t,wx,wy,wz", [[n, 0, 0, 1e200] for n in range(9)]), "wz: 1e+200 is outside -1e+30..1e+30"),
        (text("t,wx,wy,wz", [[n * 1e300, 0, 0, 1] for n in range(9)]), "t: 8e+300 is outside -1e+30..1e+30"),
        (text("# moments: 1, 2\nt,qw,qx,qy,qz,wx,wy,wz"), "moments: '1, 2' is not three numbers"),
        (text("# moments: 1, 2, -3\nt,qw,qx,qy,qz,wx,wy,wz"), "they must be positive"),
        (text("# quaternion: wxzy\nt,qw,qx,qy,qz,wx,wy,wz"), "quaternion: 'wxzy' is unknown; did you mean"),
        (
            text("# angular velocity: body, furlongs\nt,qw,qx,qy,qz,wx,wy,wz"),
            "angular velocity: 'furlongs' is unknown",
        ),
    ],
)
def test_what_is_no_log_is_told(content, told):
    with pytest.raises(SceneError, match="log") as error:
        parse_log(content)
    assert told in str(error.value)


def test_files_that_cannot_be_read_are_told(tmp_path):
    with pytest.raises(SceneError, match="there is no such file"):
        read_log(tmp_path / "nothing.csv")
    with pytest.raises(SceneError, match="is a folder"):
        read_log(tmp_path)
    (tmp_path / "picture.csv").write_bytes(b"\x89PNG\xff\xfe\x00")
    with pytest.raises(SceneError, match="is no text file"):
        read_log(tmp_path / "picture.csv")


def test_words_of_the_command_line():
    said = conventions(quaternion="xyzw, body from world", angular_velocity="deg/s", time="ms")
    assert (said.order, said.turn, said.rate_unit, said.rate_frame) == (
        "xyzw",
        "body from world",
        "deg/s",
        None,
    )


@given(st.text(max_size=300) | st.text(alphabet="0123456789.,-eE#:\nqwxyzt \t;inf", max_size=300))
def test_whatever_a_file_holds_it_is_a_log_or_an_error_of_one_line(content):
    try:
        parse_log(content)
    except SceneError as error:
        assert "\n" not in str(error)
