"""phyphox and other tables with units, in all spellings."""

import zipfile
from pathlib import Path

import numpy as np
import pytest
from helpers.recorded_motion import STEP, Motion, check, motion, rows_of

from viewer.replay.formats.formats import read_recording
from viewer.replay.recording import interpret

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
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
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


@pytest.mark.parametrize("gyroscope_first", [True, False])
def test_sensors_side_by_side_in_one_table_have_their_own_times(tmp_path, gyroscope_first):
    time, slower = 0.01 * np.arange(400), 0.025 * np.arange(160)
    gyroscope = np.column_stack((time, np.sin(time), np.cos(time), 1.0 + time))
    accelerometer = np.full((400, 4), np.nan)
    accelerometer[:160] = np.column_stack((slower, 9.0 + np.sin(slower), np.cos(slower), slower))
    heads = [
        "Gyroscope Time (s),x (rad/s),y (rad/s),z (rad/s)",
        "Accelerometer Time (s),X (m/s^2),Y (m/s^2),Z (m/s^2)",
    ]
    parts = [gyroscope, accelerometer]
    order = slice(None) if gyroscope_first else slice(None, None, -1)
    rows = np.concatenate(parts[order], axis=1).tolist()
    table = "\n".join([",".join(heads[order]), *(",".join(map(repr, row)) for row in rows)])
    (tmp_path / "a.csv").write_text(table.replace("nan", ""))
    found = read_recording(tmp_path / "a.csv")
    assert found.time == pytest.approx(time)
    assert found.rates == pytest.approx(gyroscope[:, 1:])
    assert found.acceleration[:390] == pytest.approx(
        np.stack((9.0 + np.sin(time), np.cos(time), time), axis=1)[:390], abs=1e-4
    )
