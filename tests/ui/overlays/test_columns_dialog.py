"""The dialog for columns that are not known: what it guesses, when it lets one open, what it hands on."""

import numpy as np
import pytest
from helpers.bricks import brick

from viewer.commands.opening import ask_columns
from viewer.replay.conventions import parse_conventions
from viewer.replay.mapping import POINTS, parse_mapping, preview
from viewer.replay.scene import replayed, scene_of
from viewer.ui.overlays.columns_dialog import without_gaps
from viewer.workspace.questions import ColumnsQuestion

NAMES = ["time_ms", "about roll", "about pitch", "heading", "place"]
t = 0.01 * np.arange(900)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "spin.csv"
    rows = np.column_stack((1000 * t, np.cos(t), np.sin(t), 2 + 0 * t))
    lines = [",".join(NAMES), *(",".join(f"{number:.9g}" for number in row) + ",Kiruna" for row in rows)]
    path.write_text("\n".join(lines))
    return path


def test_a_preview_shows_the_first_numbers_and_a_curve(table):
    columns, _ = preview(table, NAMES)
    assert [column.name for column in columns] == NAMES
    assert [(column.role, column.unit) for column in columns] == [("t", "ms"), *[("", "")] * 4]
    assert columns[1].first == pytest.approx(np.cos(t[:4]), abs=1e-9)  # 9 digits are written
    assert (len(columns[1].curve), columns[1].curve[-1]) == (POINTS, pytest.approx(np.cos(t[-1]), abs=1e-9))
    assert columns[4].first == ()


def test_columns_whose_names_do_not_tell_begin_as_their_numbers_tell(tmp_path):
    turn, rates = brick(t[::10])
    rows = np.column_stack((t[::10], turn.as_quat()[:, [3, 0, 1, 2]], rates))
    np.savetxt(tmp_path / "a.csv", rows, delimiter=",", header="A,B,C,D,E,F,G,H", comments="")
    assert [one.role for one in preview(tmp_path / "a.csv", None)[0]] == ["t", "qw", "qx", "qy", "qz", "wx", "wy", "wz"]


def test_the_curve_of_a_column_goes_on_over_missing_values():
    gaps = np.array([np.nan, 1.0, np.nan, 3.0, np.nan, np.nan, 0.0, np.nan])
    np.testing.assert_array_equal(without_gaps(gaps), np.float32([np.nan, 1, 2, 3, 2, 1, 0, np.nan]))
    assert np.isnan(without_gaps(np.full(3, np.nan))).all()


@pytest.mark.parametrize("size", [(1280, 720), (800, 600)])
def test_it_opens_once_time_and_a_whole_group_are_given(stage, table, size):
    given = []
    shown = stage(size=size)
    columns = preview(table, NAMES)[0]
    shown.workspace.ask(ColumnsQuestion(str(table), columns, lambda mapping, _: given.append(str(mapping)) or "no"))
    shown.frame(2)
    for number, role in ((4, "wy"), (3, "wy"), (2, "wz"), (4, "wx")):  # the second wy takes it from column 4
        shown.click("Open")
        assert not given
        shown.click(f"##column_{number}")
        shown.frame(1)
        shown.click(role)
        shown.frame(1)
    shown.click("Open")
    shown.frame(1)
    assert given == ["t[ms]=time_ms,wx=heading,wy=about pitch,wz=about roll"]
    assert shown.ui.columns_dialog.is_open  # it was refused
    for name in ("Cancel", "Open"):
        left, top, right, bottom = shown.boxes[name]
        assert 0 <= left < right <= size[0]
        assert 0 <= top < bottom <= size[1]
    shown.click("Cancel")
    shown.frame(1)
    assert not shown.ui.columns_dialog.is_open


def test_the_columns_after_one_follow_it_and_the_dialog_says_what_is_still_to_be_chosen(stage, table):
    given = []
    shown = stage(size=(1280, 720))
    dialog = shown.ui.columns_dialog
    columns = preview(table, NAMES)[0]
    shown.workspace.ask(ColumnsQuestion(str(table), columns, lambda mapping, _: given.append(str(mapping))))
    shown.frame()
    dialog._roles = [""] * 5
    shown.frame(2)
    wanted = "Time or step; ωx, ωy, ωz, or an orientation: qw, qx, qy, qz or roll, pitch, yaw"
    assert dialog._chosen() == (None, None, f"Still to be chosen: {wanted}")
    top, row = dialog._form._top, shown.boxes["##column_2"]
    shown.click("##column_2")
    shown.frame(1)
    shown.click("wx")
    shown.frame(3)
    assert dialog._roles == ["", "wx", "wy", "wz", ""]
    assert dialog._chosen() == (None, None, "Still to be chosen: Time or step")
    shown.click("##column_1")
    shown.frame(1)
    shown.click("t")
    shown.frame(3)
    assert shown.boxes["##column_2"] == row  # its rows keep their places, though it has grown
    assert dialog._form._top == top
    shown.click("Open")
    shown.frame(1)
    assert given == ["t[ms]=time_ms,wx=about roll,wy=about pitch,wz=heading"]


def test_a_sign_is_turned_and_what_was_said_before_is_there_to_be_corrected(stage, table):
    given = []
    shown = stage(size=(1280, 720))
    columns, shape = preview(table, None)
    assert shape == preview(table, NAMES)[1]
    before = parse_mapping("t[ms]=1,wx[deg/s]=about roll,wy=-about pitch,wz=heading")
    shown.workspace.ask(
        ColumnsQuestion(str(table), columns, lambda mapping, _: given.append(str(mapping)), before, known=True)
    )
    shown.frame(2)
    shown.click("−##sign_3")
    shown.frame(1)
    shown.click("+##sign_2")
    shown.frame(1)
    shown.click("Open")
    shown.frame(1)
    assert given == ["t[ms]=time_ms,wx[deg/s]=-about roll,wy=about pitch,wz=heading"]
    assert parse_mapping(given[0]).indices(NAMES, 5, "")["wx"] == (1, -1.0)


def test_a_table_without_times_is_opened_with_the_step_between_its_rows(stage, table):
    given = []
    shown = stage(size=(1280, 720))
    columns = preview(table, NAMES)[0]
    before = parse_mapping("wx=about roll,wy=about pitch,wz=heading")
    shown.workspace.ask(ColumnsQuestion(str(table), columns, lambda mapping, _: given.append(mapping), before))
    shown.frame(2)
    assert any("Time or step" in words for words, _ in shown.texts)
    for typed in ("nothing", "0", "10 ms"):
        shown.click("Open")
        assert not given
        shown.ui.columns_dialog._form.typed["step"] = typed
        shown.frame(2)
    shown.click("Open")
    assert str(given[0]) == "step=0.01,wx=about roll,wy=about pitch,wz=heading"
    shown.workspace.ask(ColumnsQuestion(str(table), columns, lambda mapping, _: given.append(mapping), given[0]))
    shown.frame(2)
    shown.click("Open")
    assert given[1] == given[0]


def test_directions_frames_and_moments_are_declared_and_the_order_moves_the_scalar(stage, tmp_path):
    path, given = tmp_path / "log.csv", []
    rows = np.column_stack((t, np.cos(t), np.sin(t), 0 * t, 0 * t, 0 * t, 0 * t, 2 + 0 * t))
    np.savetxt(path, rows, delimiter=",", header="t,qw,qx,qy,qz,wx,wy,wz", comments="")
    shown = stage(size=(1280, 720))
    columns = preview(path, None)[0]
    answer = lambda mapping, moments: given.append((str(mapping), moments)) or "no"  # noqa: E731
    shown.workspace.ask(ColumnsQuestion(str(path), columns, answer, known=True))
    shown.frame(2)
    for field, option in (("order", "qx, qy, qz, qw"), ("unit_qw", "body from world"), ("unit_frame", "world")):
        shown.click(f"##{field}")
        shown.frame(1)
        shown.click(option)
        shown.frame(2)
    for typed, told in (("1, 2", "moments: '1, 2' is not three numbers"), ("1, 2, 4", "no solid has these moments")):
        shown.ui.columns_dialog._form.typed["moments"] = typed
        shown.frame(2)
        assert any(told in words for words, _ in shown.texts)
        shown.click("Open")
        assert not given
    shown.ui.columns_dialog._form.typed["moments"] = "1, 2, 2.5"
    shown.frame(2)
    shown.click("Open")
    mapping = "t=t,qw[body from world]=qz,qx=qw,qy=qx,qz=qy,wx[world]=wx,wy=wy,wz=wz"
    assert given == [(mapping, (1.0, 2.0, 2.5))]
    assert str(parse_mapping(mapping)) == mapping
    declared = parse_mapping(mapping).conventions
    assert (declared.direction, declared.rate_frame) == ("body from world", "world")


def test_what_options_declared_of_the_open_recording_is_there_to_be_opened_anew(stage, tmp_path):
    path = tmp_path / "log.csv"
    turn, rates = brick(t[::10])
    table = np.column_stack((1000 * t[::10], turn.inv().as_quat(), np.degrees(turn.apply(rates))))
    np.savetxt(path, table, delimiter=",", header="t,q0,q1,q2,q3,wx,wy,wz", comments="")
    wanted = parse_conventions(
        "1, 2, 2.5", quaternion="xyzw, body from world", angular_velocity="world, deg/s", time="ms"
    )
    found = replayed(path, wanted=wanted)
    shown = stage(size=(1280, 720))
    shown.workspace.session.open(scene_of(found), found)
    ask_columns(shown.workspace)
    shown.frame(2)
    mapping, moments, _ = shown.ui.columns_dialog._chosen()
    assert str(mapping) == "t[ms]=t,qw[body from world]=q3,qx=q0,qy=q1,qz=q2,wx[deg/s world]=wx,wy=wy,wz=wz"
    assert moments == (1.0, 2.0, 2.5)
    again = replayed(path, wanted=parse_conventions("1, 2, 2.5"), columns=mapping)
    np.testing.assert_array_equal(
        again.trajectories[0].states.orientation_wxyz, found.trajectories[0].states.orientation_wxyz
    )
    np.testing.assert_array_equal(again.trajectories[0].states.omega_body, found.trajectories[0].states.omega_body)


def test_a_step_that_an_option_declared_stands_in_its_field(stage, tmp_path):
    path = tmp_path / "log.csv"
    np.savetxt(path, brick(t[::10])[1], delimiter=",", header="wx,wy,wz", comments="")
    found = replayed(path, step=0.1)
    shown = stage(size=(1280, 720))
    shown.workspace.session.open(scene_of(found), found)
    ask_columns(shown.workspace)
    shown.frame(2)
    assert str(shown.ui.columns_dialog._chosen()[0]) == "step=0.1,wx=wx,wy=wy,wz=wz"
