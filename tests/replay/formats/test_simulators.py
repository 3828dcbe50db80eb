"""42, Basilisk, MuJoCo and NASA's check cases."""

import numpy as np
import pytest
from helpers.recorded_motion import check, motion, rows_of
from scipy.spatial.transform import Rotation

from viewer.cli import main
from viewer.common.errors import InputError
from viewer.replay.formats.formats import FORMATS, read_recording
from viewer.replay.recording import interpret


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


def test_nasa_42_of_several_spacecraft(tmp_path):
    made = motion()
    (tmp_path / "time.42").write_text(rows_of(made.t))
    for number, sign in (("00", 1.0), ("01", -1.0)):
        (tmp_path / f"wbn{number}.42").write_text(rows_of(sign * made.rates, separator=" "))
    for path, sign, told in ((tmp_path, 1.0, 1), (tmp_path / "wbn00.42", 1.0, 0), (tmp_path / "wbn01.42", -1.0, 0)):
        found = read_recording(path)
        np.testing.assert_allclose(found.rates, sign * made.rates)
        assert len(found.warnings) == told
    (text,) = read_recording(tmp_path).warnings
    assert text == "files of 2 spacecraft: the first one's are read; open another one's file, such as 'wbn01.42'"


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


@pytest.mark.parametrize("degrees", [True, False])
@pytest.mark.parametrize("names", ["time,{}roll{},{}pitch{},{}yaw{}", "t,{}phi{},{}theta{},{}psi{}"])
@pytest.mark.parametrize("declared", [True, False])
def test_roll_pitch_and_yaw(tmp_path, degrees, names, declared):
    """The turns are made here one by one, as an aircraft's are: first yaw, about the axis that points down."""
    made = motion()
    yaw, pitch, roll = made.turn.as_euler("ZYX", degrees=degrees).T
    about_x, about_y, about_z = (
        Rotation.from_rotvec(np.outer(angle, axis), degrees=degrees)
        for angle, axis in zip((roll, pitch, yaw), np.eye(3), strict=True)
    )
    assert ((about_z * about_y * about_x).inv() * made.turn).magnitude().max() < 1e-9
    unit = {True: " (deg)", False: "_rad"}[degrees] if declared else ""
    head = names.format(*["att.", unit] * 3)
    (tmp_path / "a.csv").write_text(head + ",desroll\n" + rows_of(made.t, roll, pitch, yaw, 0.0 * yaw))
    found = read_recording(tmp_path / "a.csv")
    assert found.format == "euler-angles"
    assert len([line for line in found.warnings if "angles taken as" in line]) == (not declared)
    recording = interpret(found)
    turned = Rotation.from_quat(recording.orientation_wxyz[:, [1, 2, 3, 0]])
    assert (turned.inv() * made.turn).magnitude().max() < 1e-9
    np.testing.assert_allclose(recording.omega_body[3:-3], made.rates[3:-3], atol=1e-2)


def test_roll_pitch_and_yaw_of_ardupilot(tmp_path):
    made = motion()
    angles = made.turn.as_euler("ZYX", degrees=True)
    head = "TimeUS,DesRoll,Roll,DesPitch,Pitch,DesYaw,Yaw"
    columns = np.column_stack((1e6 * made.t + 5e8, np.repeat(angles[:, ::-1], 2, axis=1)))
    columns[:, [1, 3, 5]] = 1.0
    (tmp_path / "ATT.csv").write_text(head + "\n" + rows_of(columns))
    recording = interpret(read_recording(tmp_path / "ATT.csv"))
    np.testing.assert_allclose(recording.time, made.t, atol=1e-6)
    turned = Rotation.from_quat(recording.orientation_wxyz[:, [1, 2, 3, 0]])
    assert (turned.inv() * made.turn).magnitude().max() < 1e-9


def test_rates_and_quaternions_count_more_than_roll_pitch_and_yaw(tmp_path):
    made = motion()
    angles = made.turn.as_euler("ZYX")[:, ::-1]
    (tmp_path / "a.csv").write_text("t,roll,pitch,yaw,wx,wy,wz\n" + rows_of(made.t, angles, made.rates))
    assert read_recording(tmp_path / "a.csv").format == "columns"


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


def test_nasas_times_that_are_none_are_refused_before_the_rates_are_looked_at(tmp_path):
    made = motion()
    head = "time,eulerAngle_deg_Yaw,eulerAngle_deg_Pitch,eulerAngle_deg_Roll,bodyAngularRateWrtEi_deg_s_Roll,"
    head += "bodyAngularRateWrtEi_deg_s_Pitch,bodyAngularRateWrtEi_deg_s_Yaw,longitude_deg,latitude_deg\n"
    (tmp_path / "a.csv").write_text(head + rows_of(1e-200 * made.t, made.rates, made.rates, 0.0 * made.rates[:, :2]))
    with pytest.raises(InputError, match=r"a\.csv: t: steps of 1e-202 to 1e-202 s are outside 1e-17 to 1e21 s"):
        read_recording(tmp_path / "a.csv")


def test_every_format_is_told_apart():
    """Each format's own example is in its entry, and the last one takes what the others leave."""
    assert list(FORMATS)[-1] == "columns"
    assert all(entry.summary and entry.example for entry in FORMATS.values())


def test_nasas_rates_without_angles_are_read(tmp_path):
    names = ["time", *(f"bodyAngularRateWrtEi_deg_s_{name}" for name in ("Roll", "Pitch", "Yaw")), "longitude_deg"]
    made = motion()
    (tmp_path / "a.csv").write_text(",".join(names) + "\n" + rows_of(made.t, np.degrees(made.rates), made.t))
    found = read_recording(tmp_path / "a.csv")
    assert found.format == "nasa-check-case"
    check(found, made, orientations=False)


def test_arrays_without_times_need_the_step(tmp_path, capsys):
    made = motion()
    np.savez(tmp_path / "a.npz", qpos=made.quaternions(), qvel=made.rates)
    with pytest.raises(
        ValueError, match=r"^a\.npz: no column of times; --step SECONDS says how far its rows are apart$"
    ):
        read_recording(tmp_path / "a.npz")
    found = read_recording(tmp_path / "a.npz", step=made.t[1])
    assert found.format == "mujoco"
    check(found, made)
    assert main(["replay", str(tmp_path / "a.npz"), "--step", "0.01", "--moments", "1,2,2.5"]) == 0
    assert "300 rows over 2.99 s" in capsys.readouterr().out
    assert main(["replay", str(tmp_path / "a.npz"), "--step", "0"]) == 2
    assert "--step: 0 s is outside 1e-12 to 1e9 s" in capsys.readouterr().err
