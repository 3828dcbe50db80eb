"""An archive of several recordings says so, and each is read by its path with the members that belong to it."""

import zipfile

import numpy as np
import pytest
from helpers.recorded_motion import Motion, motion, rows_of

from viewer.cli import main
from viewer.common.errors import InputError
from viewer.replay.formats.formats import read_recording
from viewer.replay.mapping import parse_mapping


def table(made: Motion, head: str = "t,wx,wy,wz") -> str:
    return head + "\n" + rows_of(made.t, made.rates)


def archive(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return path


def test_two_tables_in_one_archive_are_told_and_chosen_by_their_path(tmp_path, capsys):
    one, other = motion(1), motion(2)
    path = archive(tmp_path / "a.zip", {"notes.txt": "two runs", "x/one.csv": table(one), "x/two.csv": table(other)})
    found = read_recording(path)
    assert found.warnings == (
        "holds 2 recordings, 'x/one.csv', 'x/two.csv'; read is 'x/one.csv', another one by its path: 'a.zip/x/two.csv'",
    )
    np.testing.assert_allclose(found.rates, one.rates)
    for name, made in (("one", one), ("two", other)):
        chosen = read_recording(f"{path}/x/{name}.csv")
        assert chosen.warnings == ()
        np.testing.assert_allclose(chosen.rates, made.rates)
    assert len(read_recording(f"{path}/x").warnings) == 1
    with pytest.raises(InputError, match=r"^a\.zip: holds no 'y\.csv'; it holds 'notes\.txt', 'x/one\.csv', 'x/two"):
        read_recording(f"{path}/y.csv")
    (tmp_path / "b.csv").write_text(table(one))
    with pytest.raises(InputError, match=r"^b\.csv: holds no 'y\.csv'; it holds 'b\.csv'$"):
        read_recording(tmp_path / "b.csv" / "y.csv")
    assert main(["replay", f"{path}/x/two.csv", "--angular-velocity", "body, rad/s", "--time-unit", "s"]) == 0
    assert "300 rows" in capsys.readouterr().out


SENSORS = ("Gyroscope", "TotalAcceleration")


def phone(made: Motion, folder: str) -> dict[str, str]:
    """As Sensor Logger exports it."""
    values = dict(zip(SENSORS, (made.rates, made.felt), strict=True))
    rows = {name: rows_of(1e9 * made.t, made.t, values[name][:, ::-1]) for name in SENSORS}
    return {f"{folder}{name}.csv": "time,seconds_elapsed,z,y,x\n" + rows[name] for name in reversed(SENSORS)}


def phyphox(made: Motion, folder: str) -> dict[str, str]:
    names = [",".join(['"Time (s)"', *(f'"{what} {axis} ({unit})"' for axis in "xyz")])
             for what, unit in (("Gyroscope", "rad/s"), ("Acceleration", "m/s^2"))]  # fmt: skip
    return {f"{folder}Accelerometer.csv": names[1] + "\n" + rows_of(made.t, made.felt),
            f"{folder}Gyroscope.csv": names[0] + "\n" + rows_of(made.t, made.rates)}  # fmt: skip


@pytest.mark.parametrize("exported", [phone, phyphox])
@pytest.mark.parametrize("order", [("one/", "two/"), ("two/", "one/"), ("", "two/")])
def test_sensors_of_another_folder_are_not_mixed_in(tmp_path, exported, order):
    made = {order[0]: motion(3), order[1]: motion(4)}
    members = exported(made[order[1]], order[1])  # the second folder's accelerometer is the first in the archive
    path = archive(tmp_path / "a.zip", members | exported(made[order[0]], order[0]))
    found = read_recording(path)
    assert found.warnings[0].startswith("holds 2 recordings, ")
    which = order[1]
    for folder, recording in ((which, found), *((f, read_recording(f"{path}/{f}")) for f in order if f)):
        np.testing.assert_allclose(recording.rates, made[folder].rates, atol=1e-12)
        np.testing.assert_allclose(recording.acceleration, made[folder].felt, atol=1e-12)
        assert recording is found or recording.warnings == ()
    with zipfile.ZipFile(path) as file:
        file.extractall(tmp_path / "folder")
    assert read_recording(tmp_path / "folder").warnings[0].startswith("holds 2 recordings, ")


def test_one_recording_of_several_tables_is_no_several(tmp_path):
    for exported in (phone, phyphox):
        assert read_recording(archive(tmp_path / "a.zip", exported(motion(), "run/"))).warnings == ()


def test_two_tables_with_the_columns_that_were_given_are_told(tmp_path):
    head = "when,a,b,c"
    path = archive(tmp_path / "a.zip", {"1.csv": table(motion(1), head), "2.csv": table(motion(2), head)})
    mapping = parse_mapping("t[s]=when,wx[rad/s]=a,wy=b,wz=c")
    assert "holds 2 recordings, '1.csv', '2.csv'; read is '1.csv'" in read_recording(path, columns=mapping).warnings[0]
    found = read_recording(f"{path}/2.csv", columns=mapping)
    assert found.warnings == ()
    np.testing.assert_allclose(found.rates, motion(2).rates)
