"""Tables and arrays of rotation matrices, made with scipy's rotations, in either direction."""

import numpy as np
import pytest
from helpers.recorded_motion import motion, rows_of
from scipy.spatial.transform import Rotation

from viewer.common.errors import InputError
from viewer.replay.formats.formats import read_recording
from viewer.replay.recording import Recording, interpret

FROM_ONE = [f"{row}{column}" for row in "123" for column in "123"]
FROM_ZERO = [f"{row}{column}" for row in "012" for column in "012"]
HEADS = {
    "r": [f"r{part}" for part in FROM_ONE],
    "m": [f"m{part}" for part in FROM_ZERO],
    "brackets": [f"R[{part[0]}][{part[1]}]" for part in FROM_ZERO],
    "dcm": [f"dcm_{part}" for part in FROM_ONE],
    "mat": [f"Mat[{part[0]}][{part[1]}]" for part in FROM_ONE],
    "attitude": [f"attitude.rot_{part[0]}_{part[1]}" for part in FROM_ZERO],
    "letters": [f"R_{row}{column}" for row in "xyz" for column in "xyz"],
    "flat": [f"xmat[{part}]" for part in range(9)],
    "rot": [f"rot_{part}" for part in range(9)],
    "from one": [f"R_{part}" for part in range(1, 10)],
}


def check(recording: Recording, close: float = 1e-9) -> None:
    made = motion()
    np.testing.assert_allclose(recording.time, made.t, atol=1e-9)
    turned = Rotation.from_quat(recording.orientation_wxyz[:, [1, 2, 3, 0]])
    assert (turned.inv() * made.turn).magnitude().max() < close
    if recording.has_rates:
        np.testing.assert_allclose(recording.omega_body, made.rates, atol=close)


def matrices(direction: str) -> np.ndarray:
    made = motion()
    return (made.turn if direction == "world from body" else made.turn.inv()).as_matrix()


@pytest.mark.parametrize("direction", ["world from body", "body from world"])
@pytest.mark.parametrize("rates", [True, False])
@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_nine_columns_with_or_without_rates_in_either_direction(tmp_path, direction, rates, head):
    names = ["time (s)", *head, *(["wx (rad/s)", "wy (rad/s)", "wz (rad/s)"] if rates else [])]
    columns = (motion().t, matrices(direction).reshape(-1, 9), *([motion().rates] if rates else []))
    (tmp_path / "a.csv").write_text(",".join(names) + "\n" + rows_of(*columns))
    found = read_recording(tmp_path / "a.csv")
    assert (found.format, found.rates is not None) == ("rotation-matrices", rates)
    recording = interpret(found)
    assert recording.conventions.direction == direction
    check(recording)


@pytest.mark.parametrize("rates", [True, False])
def test_columns_without_names_are_matrices_if_they_are_rotations(tmp_path, rates):
    columns = (motion().t, matrices("world from body").reshape(-1, 9), *([motion().rates] if rates else []))
    (tmp_path / "a.csv").write_text(rows_of(*columns))
    found = read_recording(tmp_path / "a.csv")
    assert found.warnings[0].startswith("no line of column names: columns taken as t, r11, r12, r13, r21")
    check(interpret(found))
    (tmp_path / "a.csv").write_text(rows_of(motion().t, 1.0 + matrices("world from body").reshape(-1, 9)))
    with pytest.raises(ValueError, match=r"the numbers of 10 columns without names"):
        read_recording(tmp_path / "a.csv")


@pytest.mark.parametrize("transposed", [True, False])
def test_saved_arrays(tmp_path, transposed):
    array = matrices("body from world")
    array = np.moveaxis(array, 0, 2) if transposed else array
    np.save(tmp_path / "a.npy", array)
    np.savez(tmp_path / "b.npz", time=motion().t, dcm=array, omega=motion().rates)
    np.savez(tmp_path / "c.npz", time=motion().t, pose_of_it=array, inertia=np.ones((len(motion().t), 3, 3)))
    for name, step in (("a.npy", 0.01), ("b.npz", None), ("c.npz", None)):
        found = read_recording(tmp_path / name, step=step)
        assert found.format == "rotation-matrices"
        assert any("transposed" in line for line in found.warnings) == transposed
        check(interpret(found))
    with pytest.raises(ValueError, match=r"a\.npy: no column of times; --step SECONDS says how far"):
        read_recording(tmp_path / "a.npy")


def test_flat_names_of_any_matrix_count_where_they_are_rotations_and_poses_of_four_rows(tmp_path):
    turn = matrices("world from body")
    (tmp_path / "a.csv").write_text("t,m0,m1,m2,m3,m4,m5,m6,m7,m8\n" + rows_of(motion().t, turn.reshape(-1, 9)))
    check(interpret(read_recording(tmp_path / "a.csv")))
    (tmp_path / "a.csv").write_text("t,m0,m1,m2,m3,m4,m5,m6,m7,m8\n" + rows_of(motion().t, 1 + turn.reshape(-1, 9)))
    with pytest.raises(ValueError, match=r"a\.csv, line 1: neither columns qw"):
        read_recording(tmp_path / "a.csv")
    poses = np.zeros((len(turn), 4, 4))
    poses[:, :3, :3], poses[:, :3, 3], poses[:, 3, 3] = turn, 7.0, 1.0
    names = ",".join(f"T[{row}][{column}]" for row in range(4) for column in range(4))
    (tmp_path / "b.csv").write_text(f"t,{names}\n" + rows_of(motion().t, poses.reshape(-1, 16)))
    check(interpret(read_recording(tmp_path / "b.csv")))
    np.savez(tmp_path / "c.npz", t=motion().t[:, None], xmat=turn.reshape(-1, 1, 9))
    check(interpret(read_recording(tmp_path / "c.npz")))
    np.save(tmp_path / "d.npy", np.ones((30, 3, 3)))
    with pytest.raises(ValueError, match=r"d\.npy: neither columns qw"):
        read_recording(tmp_path / "d.npy", step=0.01)


@pytest.mark.parametrize(
    ("turn", "says"),
    [(np.diag((1.0, 1.0, -1.0)), "-1"), (2.0 * np.eye(3), "8"), (np.array(((1, 0, 0.1), (0, 1, 0), (0, 0, 1))), "1"),
     (np.zeros((3, 3)), "0")],
)  # fmt: skip
def test_what_is_no_rotation_is_refused(tmp_path, turn, says):
    wrong = matrices("world from body")
    wrong[3:] = wrong[3:] @ turn
    (tmp_path / "a.csv").write_text(",".join(("t", *HEADS["r"])) + "\n" + rows_of(motion().t, wrong.reshape(-1, 9)))
    with pytest.raises(ValueError, match=rf"a\.csv: the matrix in row 4 is no rotation, with a determinant of {says};"):
        read_recording(tmp_path / "a.csv")


def test_lost_digits_and_empty_cells_are_no_matter(tmp_path):
    rows = rows_of(motion().t, matrices("world from body").reshape(-1, 9), form="%.3f").split("\n")
    rows[7] = rows[7].rpartition(",")[0] + ","
    (tmp_path / "a.csv").write_text(",".join(("t", *HEADS["r"])) + "\n" + "\n".join(rows))
    found = read_recording(tmp_path / "a.csv")
    assert (len(found.time), found.warnings) == (299, ("left out 1 row with nan or inf, row 8",))


def test_a_mass_matrix_beside_rates_and_a_matrix_beside_a_quaternion_are_left_alone(tmp_path):
    made = motion()
    mass = np.ones((len(made.t), 9))
    head = ",".join(("t", *HEADS["m"], "wx", "wy", "wz"))
    (tmp_path / "a.csv").write_text(head + "\n" + rows_of(made.t, mass, made.rates))
    assert read_recording(tmp_path / "a.csv").format == "columns"
    head = ",".join(("t", "qw", "qx", "qy", "qz", *HEADS["r"]))
    (tmp_path / "b.csv").write_text(head + "\n" + rows_of(made.t, made.quaternions(), mass))
    assert read_recording(tmp_path / "b.csv").format == "columns"


def test_entries_whose_products_overflow_are_no_rotation(tmp_path):
    rows = np.tile(np.eye(3).ravel(), (4, 1))
    rows[0, 0] = 1e308
    np.save(tmp_path / "a.npy", np.column_stack((rows, np.ones((4, 3)))))
    with np.errstate(all="raise"), pytest.raises(InputError):
        read_recording(tmp_path / "a.npy")
    table = np.column_stack((0.1 * np.arange(4.0), rows))
    head = "t," + ",".join(f"r{row}{column}" for row in "123" for column in "123")
    np.savetxt(tmp_path / "a.csv", table, delimiter=",", header=head, comments="")
    with np.errstate(all="raise"), pytest.raises(InputError, match="1e308 is outside"):
        read_recording(tmp_path / "a.csv")
