"""Columns that the user names: by name or number, in any order, with either sign; remembered by the table's shape."""

import numpy as np
import pytest
from helpers.recorded_motion import motion
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from viewer import cli
from viewer.common.errors import InputError
from viewer.replay import scene as replay_scene
from viewer.replay.files.column_names import UnknownColumns
from viewer.replay.formats.formats import read_recording
from viewer.replay.mapping import mapping_of, parse_mapping
from viewer.replay.recording import interpret
from viewer.replay.scene import replayed

NAMES = ["elapsed [ms]", "rate, about roll [deg/s]", "pitch rate [deg/s]", "heading rate [deg/s]", "felt 1 (g)",
         "felt 2 (g)", "felt 3 (g)", "qw", "first", "second", "third"]  # fmt: skip
ROLES = ["t", "wx", "wy", "wz", "ax", "ay", "az", "qw", "qx", "qy", "qz"]
t = 0.01 * np.arange(200)
RATES = np.stack((np.cos(3 * t), np.sin(3 * t), np.full_like(t, 2.0)), axis=1)
NUMBERS = np.column_stack((1000 * t, np.degrees(RATES), 0.1 * RATES, np.cos(t), np.sin(t), 0 * t, 0 * t))


def write(path, order, numbers=NUMBERS) -> None:
    head = ",".join(f'"{NAMES[index]}"' for index in order)
    np.savetxt(path, numbers[:, order], delimiter=",", header=head, comments="", fmt="%.17g")


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(order=st.permutations(range(11)), numbered=st.sets(st.integers(0, 10)), turned=st.sets(st.integers(0, 10)))
def test_whatever_their_order_the_columns_are_found(tmp_path, order, numbered, turned):
    numbers = NUMBERS * np.where([index in turned for index in range(11)], -1.0, 1.0)
    numbers[:, 0] = NUMBERS[:, 0]
    write(tmp_path / "a.csv", order, numbers)
    columns = {
        role: ("-" if index in turned and index else "")
        + (str(order.index(index) + 1) if index in numbered else NAMES[index])
        for index, role in enumerate(ROLES)
    }
    mapping = mapping_of(columns)
    assert parse_mapping(str(mapping)) == mapping
    found = read_recording(tmp_path / "a.csv", columns=mapping)
    assert (found.declared.time_unit, found.declared.rate_unit, found.declared.acceleration_unit) == (
        "ms",
        "deg/s",
        "g",
    )
    np.testing.assert_array_equal(found.time, NUMBERS[:, 0])
    np.testing.assert_array_equal(found.rates, NUMBERS[:, 1:4])
    np.testing.assert_array_equal(found.quaternion, NUMBERS[:, 7:])
    np.testing.assert_allclose(interpret(found).acceleration, 0.1 * 9.80665 * RATES, rtol=1e-14)


def test_a_table_of_unknown_columns_lists_them_and_says_what_to_do(tmp_path):
    write(tmp_path / "a.csv", range(11))
    with pytest.raises(UnknownColumns) as error:
        read_recording(tmp_path / "a.csv")
    assert error.value.names == NAMES
    assert "Its columns are 1 'elapsed [ms]', 2 'rate, about roll [deg/s]', 3 " in str(error.value)
    advice = "such as --columns t=1,wx=2,wy=3,wz=4, or without t where --step says how far the rows are apart"
    assert advice in str(error.value)
    with pytest.raises(InputError, match=r"line 1: wz: column 'nothing' not found; allowed are a name, or a number"):
        read_recording(tmp_path / "a.csv", columns=parse_mapping("t=1,wx=2,wy=3,wz=nothing"))


def test_what_was_said_once_holds_for_the_next_table_of_this_shape(tmp_path):
    write(tmp_path / "a.csv", range(11))
    write(tmp_path / "b.csv", range(11))
    mapping = parse_mapping("t=1,wx=2,wy=3,wz=4")
    replayed(tmp_path / "a.csv", columns=mapping)
    found = replayed(tmp_path / "b.csv")
    assert f"columns as given before for such a table: {mapping}" in found.warnings
    write(tmp_path / "c.csv", [1, 0, *range(2, 11)])
    with pytest.raises(UnknownColumns):
        replayed(tmp_path / "c.csv")


def test_the_command_takes_columns(tmp_path, capsys):
    write(tmp_path / "a.csv", range(11))
    assert cli.main(["replay", str(tmp_path / "a.csv"), "--moments", "1,1,2"]) == 2
    assert "such as --columns" in capsys.readouterr().err
    told = ["--columns", "t=1,wx=rate, about roll [deg/s],wy=3,wz=heading rate [deg/s]"]
    assert cli.main(["replay", str(tmp_path / "a.csv"), "--moments", "1,1,2", *told]) == 0
    assert "200 rows over 1.99 s" in capsys.readouterr().out
    assert cli.main(["replay", str(tmp_path / "a.csv"), "--columns", "t=1"]) == 2
    assert capsys.readouterr().err == "poinsot: columns: qx, qy, qz not given\n"  # its names tell qw alone


def test_the_times_alone_are_given_where_the_names_tell_the_other_columns(tmp_path, capsys):
    made = motion()
    rows = np.column_stack((made.t, made.quaternions(), made.rates))
    np.savetxt(tmp_path / "a.csv", rows, header="Zeit,qw,qx,qy,qz,wx,wy,wz", comments="", delimiter=",")
    assert cli.main(["replay", str(tmp_path / "a.csv")]) == 2
    assert "say which one has the times, such as --columns t=1, or how far" in capsys.readouterr().err
    shape = read_recording(tmp_path / "a.csv", columns=parse_mapping("t=1")).shape
    assert cli.main(["replay", str(tmp_path / "a.csv"), "--columns", "t=1,wx=2,wy=3,wz=4"]) == 2
    assert replay_scene.recall_columns(shape) is None  # it led to no motion
    assert cli.main(["replay", str(tmp_path / "a.csv"), "--columns", "t=Zeit"]) == 0
    assert replay_scene.recall_columns(shape) == "t=Zeit"


def test_the_latest_are_kept_and_a_broken_file_is_none():
    assert replay_scene.recall_columns("a") is None
    for number in range(replay_scene.MOST_SHAPES + 5):
        assert replay_scene.remember_columns(f"shape {number}", f"t={number}")
    assert replay_scene.recall_columns("shape 4") is None
    assert replay_scene.recall_columns("shape 5") == "t=5"
    for broken in ("[", "[1]", '{"shape 5": 3}', "\0"):
        replay_scene.columns_file().write_text(broken)
        assert replay_scene.recall_columns("shape 5") is None
    assert replay_scene.remember_columns("shape 5", "t=1")
    assert replay_scene.recall_columns("shape 5") == "t=1"


def test_formats_are_listed(capsys):
    assert cli.main(["formats"]) == 0
    assert "phyphox" in capsys.readouterr().out


def test_a_unit_that_is_said_goes_before_the_one_in_the_name(tmp_path):
    write(tmp_path / "a.csv", range(11))
    text = "t[ms]=1,wx[rpm]=2,wy=3,wz=4,ax=5,ay=6,az=7"
    assert str(parse_mapping(text)) == text
    found = read_recording(tmp_path / "a.csv", columns=parse_mapping(text))
    assert (found.declared.rate_unit, found.declared.acceleration_unit) == ("rpm", "g")
    for wrong, allowed in (("t=1,wx[furlong]=2,wy=3,wz=4", "rad/s"), ("t=1,wx=2,wy[rpm]=3,wz=4", "units stand after")):
        with pytest.raises(InputError, match=allowed):
            parse_mapping(wrong)


@pytest.mark.parametrize("order", ["zyx", "zxy", "yzx", "yxz", "xzy", "xyz"])
@pytest.mark.parametrize("unit", ["deg", "rad"])
def test_angles_in_any_order_and_unit(tmp_path, order, unit):
    made = motion()
    angles = dict(zip(order, made.turn.as_euler(order.upper()).T, strict=True))
    scale = 180.0 / np.pi if unit == "deg" else 1.0
    columns = [made.t, *(scale * angles[axis] for axis in "zyx")]
    np.savetxt(tmp_path / "a.csv", np.column_stack(columns), delimiter=",", header="s,heading,nose,bank", comments="",
               fmt="%.17g")  # fmt: skip
    mapping = parse_mapping(f"t[s]=s,roll[{unit} {order}]=bank,pitch=nose,yaw=heading")
    assert parse_mapping(str(mapping)) == mapping
    found = interpret(read_recording(tmp_path / "a.csv", columns=mapping))
    turned = Rotation.from_quat(found.orientation_wxyz[:, [1, 2, 3, 0]])
    assert (turned.inv() * made.turn).magnitude().max() < 1e-9


def test_angles_with_a_sign_rates_beside_them_and_no_unit(tmp_path):
    made = motion()
    angles = made.turn.as_euler("ZYX", degrees=True)
    head = "t,Yaw,Pitch (deg),Roll,p,q,r"
    numbers = np.column_stack((made.t, -angles[:, 0], angles[:, 1:], made.rates))
    np.savetxt(tmp_path / "a.csv", numbers, delimiter=",", header=head, comments="", fmt="%.17g")
    mapping = parse_mapping("t=1,roll=4,pitch=3,yaw=-2,wx=5,wy=6,wz=7")
    raw = read_recording(tmp_path / "a.csv", columns=mapping)
    assert any("angles taken as degrees" in line for line in raw.warnings)
    found = interpret(raw)
    turned = Rotation.from_quat(found.orientation_wxyz[:, [1, 2, 3, 0]])
    assert (turned.inv() * made.turn).magnitude().max() < 1e-9
    np.testing.assert_allclose(found.omega_body, made.rates)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("t=1,roll=2,pitch=3", "columns: yaw not given"),
        ("t=1,roll[turns]=2,pitch=3,yaw=4", "columns: roll: 'turns' is unknown; .*deg, rad, zyx"),
        ("t=1,yaw[deg]=2,pitch=3,roll=4", "columns: yaw: 'deg' is unknown; units stand after t, wx, ax, roll, qw"),
        ("t=1,roll=2,pitch=3,yaw=4,qw=5,qx=6,qy=7,qz=8", "columns: both qw, qx, qy, qz and roll, pitch, yaw given"),
    ],
)
def test_what_is_wrong_with_angles(text, says):
    with pytest.raises(InputError, match=says):
        parse_mapping(text)
