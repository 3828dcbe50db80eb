"""Tables without names, or with names that few programs use: numbers tell what they are, or nothing is assumed."""

import numpy as np
import pytest
from helpers.recorded_motion import motion, rows_of
from helpers.strangers_recordings import waves
from scipy.spatial.transform import Rotation

from viewer import cli
from viewer.common.errors import InputError
from viewer.replay.files.column_names import UnknownColumns
from viewer.replay.formats.formats import read_recording
from viewer.replay.recording import Recording, interpret

PLACES = np.column_stack((np.cos(motion().t), np.sin(motion().t), 1.0 + 0.0 * motion().t))
MATRICES = motion().turn.as_matrix()
POSES = np.concatenate((MATRICES, PLACES[:, :, None]), axis=2)
DOWN = motion().turn.inv().apply((0.0, 0.0, 9.81))


def read(tmp_path, text: str, step: float | None = None) -> Recording:
    (tmp_path / "a.csv").write_text(text)
    return interpret(read_recording(tmp_path / "a.csv", step=step))


def off(found: Recording) -> float:
    """How far the orientations are off those of the motion [rad]."""
    turned = Rotation.from_quat(found.orientation_wxyz[:, [1, 2, 3, 0]])
    return float((turned.inv() * motion().turn).magnitude().max())


def test_a_trajectory_of_places_and_orientations_has_its_quaternion_where_the_norm_is_one(tmp_path):
    found = read(tmp_path, rows_of(1e9 + motion().t, PLACES, motion().quaternions("xyzw"), separator=" ", form="%.9f"))
    assert "no line of column names: columns taken as t, not used, not used, not used, q1, q2, q3, q4" in found.warnings
    assert (found.has_rates, found.conventions.order, found.conventions.direction) == (False, "xyzw", "world from body")
    assert off(found) < 1e-8


def test_behind_a_place_the_scalar_is_usually_last(tmp_path):
    by_hand = np.cumsum(waves(np.random.default_rng(3), 0.05, 0.6)(motion().t), axis=0) * 0.05
    q = Rotation.from_rotvec(by_hand).as_quat()[40:]  # of no free body, and it does not begin from the identity
    taken = "not declared, so taken as usual: {}, world from body; nothing in the numbers tells"
    found = read(tmp_path, rows_of(motion().t[40:], PLACES[40:], q, separator=" "))
    assert taken.format("xyzw") in found.warnings
    found = read(tmp_path, rows_of(motion().t[40:], q))  # only a place before it tells
    assert taken.format("wxyz") in found.warnings


@pytest.mark.parametrize("more", ["", "# by hand\n", "# at the time when eight words were written\n"])
@pytest.mark.parametrize("names", ["# timestamp tx ty tz qx qy qz qw", "#t, x, y, z, q_w, q_x, q_y, q_z"])
def test_a_comment_names_the_columns(tmp_path, names, more):
    order = "wxyz" if "q_w, q_x" in names else "xyzw"
    rows = rows_of(motion().t, PLACES, motion().quaternions(order), separator=" ")
    found = read(tmp_path, f"# a trajectory\n{names}\n{more}{rows}")
    assert off(found) < 1e-8
    assert not [text for text in found.warnings if "no line of column names" in text]


@pytest.mark.parametrize("first", ["quaternion", "rates"])
def test_rates_beside_a_quaternion_are_those_that_turn_it(tmp_path, first):
    columns = [motion().quaternions(), np.degrees(motion().rates)]
    found = read(tmp_path, rows_of(motion().t, *(columns if first == "quaternion" else columns[::-1])))
    assert (found.conventions.order, found.conventions.rate_unit) == ("wxyz", "deg/s")
    np.testing.assert_allclose(found.omega_body, motion().rates, rtol=1e-12)


def test_a_sensor_s_columns_are_told_by_gravity(tmp_path):
    for columns in ((DOWN, motion().rates), (motion().rates, DOWN / 9.81)):
        found = read(tmp_path, rows_of(motion().t, *columns))
        np.testing.assert_allclose(found.omega_body, motion().rates, rtol=1e-12)
    with pytest.raises(UnknownColumns, match="numbers of 7 columns without names do not tell"):
        read(tmp_path, rows_of(motion().t, PLACES, motion().rates))
    with pytest.raises(UnknownColumns, match="numbers of 4 columns without names do not tell"):
        read(tmp_path, rows_of(motion().t, DOWN))


@pytest.mark.parametrize("rows", [3, 4])
def test_poses_are_read_and_their_step_is_asked_for(tmp_path, rows):
    poses = np.concatenate((POSES, np.tile((0.0, 0.0, 0.0, 1.0), (len(POSES), 1, 1))), axis=1)[:, :rows]
    text = rows_of(poses.reshape(len(POSES), -1), separator=" ")
    with pytest.raises(InputError, match="no column of times; --step SECONDS says how far its rows are apart"):
        read(tmp_path, text)
    assert off(read(tmp_path, text, step=0.01)) < 1e-8


NAMES = {
    "q.00,q.01,q.02,q.03": "wxyz", "e0,e1,e2,e3": "wxyz", "Q_S,Q_X,Q_Y,Q_Z": "wxyz", "qs,qx,qy,qz": "wxyz",
    "q1,q2,q3,q4": "xyzw", "quat1,quat2,quat3,quat4": "xyzw",
}  # fmt: skip


@pytest.mark.parametrize("names", NAMES)
def test_quaternions_have_many_names(tmp_path, names):
    found = read(tmp_path, f"t,{names}\n{rows_of(motion().t, motion().quaternions(NAMES[names]))}")
    assert off(found) < 1e-8


def test_more_than_four_numbered_columns_are_no_quaternion(tmp_path):
    with pytest.raises(UnknownColumns, match="neither columns qw"):
        read(tmp_path, f"t,q1,q2,q3,q4,q5\n{rows_of(motion().t, motion().quaternions(), motion().t)}")


@pytest.mark.parametrize("groups", ["Attitude;;;;Gyroscope (deg/s);;", "Attitude;" * 4 + "Gyroscope (deg/s);" * 2
                                    + "Gyroscope (deg/s)"])  # fmt: skip
def test_names_in_two_rows_are_those_of_groups_and_of_their_parts(tmp_path, groups):
    rows = rows_of(motion().t, motion().quaternions(), np.degrees(motion().rates), separator=";")
    found = read(tmp_path, f"Time (s);{groups}\n;W;X;Y;Z;X;Y;Z\n{rows}")
    assert (found.conventions.rate_unit, found.conventions.time_unit) == ("deg/s", "s")
    np.testing.assert_allclose(found.omega_body, motion().rates, rtol=1e-12)


def test_columns_without_times_need_the_step(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("n,gx,gy,gz\n" + rows_of(np.arange(300.0), motion().rates))
    command = ["replay", str(tmp_path / "a.csv"), "--columns", "wx=gx,wy=gy,wz=gz"]
    assert cli.main(command) == 2
    assert "no column of times; --step SECONDS" in capsys.readouterr().err
    assert cli.main([*command, "--step", "0.01"]) == 0
    assert "300 rows over 2.99 s" in capsys.readouterr().out
    assert cli.main([*command[:-1], "wx=gx,wy=gy,wz=gz,step=20 ms"]) == 0
    assert "300 rows over 5.98 s" in capsys.readouterr().out
    assert cli.main(command[:-2]) == 0  # the step is remembered with the columns
    assert "300 rows over 5.98 s" in capsys.readouterr().out
    for wrong, says in (("step=0", "columns: step: 0 s is outside 1e-12 to 1e9 s"), ("step=1,t=n", "both t and step")):
        assert cli.main([*command[:-1], f"wx=gx,wy=gy,wz=gz,{wrong}"]) == 2
        assert says in capsys.readouterr().err
    (tmp_path / "b.csv").write_text("wx,wy,wz\n" + rows_of(motion().rates))
    assert read_recording(tmp_path / "b.csv", step=0.01).time[1] == 0.01


def test_accelerations_alone_are_not_offered_as_rates(tmp_path):
    head = '"Time (s)","Acceleration x (m/s^2)","Acceleration y (m/s^2)","Acceleration z (m/s^2)"\n'
    with pytest.raises(InputError, match="a phone's recording needs its gyroscope") as error:
        read(tmp_path, head + rows_of(motion().t, DOWN))
    assert not isinstance(error.value, UnknownColumns)
    assert "--columns" not in str(error.value)


def test_a_table_of_words_is_no_table_of_numbers(tmp_path):
    with pytest.raises(InputError, match="contains no table of numbers") as error:
        read(tmp_path, "name,place,colour,shape\n" + "box,here,red,square\n" * 9)
    assert not isinstance(error.value, UnknownColumns)
