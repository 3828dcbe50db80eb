"""STK's attitude files, in each kind of table."""

from collections.abc import Callable
from datetime import datetime, timedelta

import numpy as np
import pytest
from helpers.recorded_motion import Motion, check, motion, rows_of
from scipy.spatial.transform import Rotation

from viewer.replay.formats.formats import read_recording
from viewer.replay.recording import interpret

STK: dict[str, Callable[[Motion], tuple[np.ndarray, ...]]] = {
    "AttitudeTimeQuaternions": lambda made: (made.quaternions("xyzw"),),
    "AttitudeTimeQuatScalarFirst": lambda made: (made.quaternions("wxyz"),),
    "AttitudeTimeQuatAngVels": lambda made: (made.quaternions("xyzw"), np.degrees(made.rates)),
    "AttitudeTimeDCM": lambda made: (made.turn.inv().as_matrix().reshape(-1, 9),),
    "AttitudeTimeDCMAngVels": lambda made: (made.turn.inv().as_matrix().reshape(-1, 9), np.degrees(made.rates)),
    "AttitudeTimeEulerAngles": lambda made: (made.turn.as_euler("ZYX", degrees=True),),
    "AttitudeTimeYPRAngles": lambda made: (made.turn.as_euler("zyx", degrees=True),),
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


def turned(axis: str, degrees: np.ndarray) -> np.ndarray:
    """(N, 3, 3): a turn about one axis of the reference, written out."""
    c, s, o, one = np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0 * degrees, 0.0 * degrees + 1.0
    rows = {"1": ((one, o, o), (o, c, -s), (o, s, c)), "2": ((c, o, s), (o, one, o), (-s, o, c)),
            "3": ((c, -s, o), (s, c, o), (o, o, one))}[axis]  # fmt: skip
    return np.moveaxis(np.array(rows), 2, 0)


@pytest.mark.parametrize("sequence", ["123", "132", "213", "231", "312", "321", "YPR", "PRY", ""])
@pytest.mark.parametrize("rates", [False, True])
def test_yaw_pitch_and_roll_are_about_the_reference_axes_in_the_order_of_the_sequence(tmp_path, sequence, rates):
    """The columns are always yaw, pitch, roll; unlike Euler angles none is about an axis that has turned (STK help)."""
    time = np.arange(60) * 0.1
    angles = {"3": 40.0 * np.sin(time), "2": 20.0 * time - 50.0, "1": 10.0 + 30.0 * np.cos(time)}
    order = (sequence or "321").translate(str.maketrans("RPY", "123"))
    matrix = turned(order[2], angles[order[2]]) @ turned(order[1], angles[order[1]])
    matrix = matrix @ turned(order[0], angles[order[0]])
    columns = [time, angles["3"], angles["2"], angles["1"], *([time, time, time] if rates else [])]
    head = "stk.v.8.0\nBEGIN Attitude\nCoordinateAxes J2000\n" + (f"Sequence {sequence}\n" if sequence else "")
    kind = "AttitudeTimeYPRAnglesAndRates" if rates else "AttitudeTimeYPRAngles"
    (tmp_path / "a.a").write_text(head + kind + "\n" + rows_of(*columns, separator=" ") + "END Attitude\n")
    found = read_recording(tmp_path / "a.a")
    np.testing.assert_allclose(Rotation.from_quat(found.quaternion[:, [1, 2, 3, 0]]).as_matrix(), matrix, atol=1e-14)
    assert ("no sequence of Euler angles: taken as 321" in found.warnings) == (not sequence)
    assert any("left out the derivatives" in line for line in found.warnings) == rates


@pytest.mark.parametrize("sequence", ["313", "12", "321x"])
def test_a_sequence_that_is_none_of_yaw_pitch_and_roll_is_told(tmp_path, sequence):
    head = f"stk.v.8.0\nBEGIN Attitude\nSequence {sequence}\nAttitudeTimeYPRAngles\n"
    (tmp_path / "a.a").write_text(head + "".join(f"{n} 1 2 3\n" for n in range(9)) + "END Attitude\n")
    with pytest.raises(ValueError, match=rf"a\.a: Sequence: '{sequence.upper()}' is none of yaw, pitch and roll"):
        read_recording(tmp_path / "a.a")


def test_rates_alone_are_read(tmp_path):
    head = "stk.v.8.0\nBEGIN Attitude\nAttitudeTimeAngVels\n"
    body = rows_of(motion().t, np.degrees(motion().rates), separator=" ")
    (tmp_path / "a.a").write_text(head + body + "END Attitude\n")
    check(read_recording(tmp_path / "a.a"), motion(), orientations=False)


START = datetime(2023, 12, 31, 23, 59, 58, 500_000)  # the year ends after 1.5 s
DATES = {
    "UTCG": "%d %b %Y %H:%M:%S.%f", "TAIG": "%d %b %Y %H:%M:%S.%f", "UTCJ": "%j/%y %H:%M:%S.%f",
    "UTCJFOUR": "%j/%Y %H:%M:%S.%f", "ISO-YMD": "%Y-%m-%dT%H:%M:%S.%f", "ISO-YD": "%Y-%jT%H:%M:%S.%f",
    "YYYY/MM/DD": "%Y/%m/%d %H:%M:%S.%f", "DD/MM/YYYY": "%d/%m/%Y %H:%M:%S.%f", "YYYY:MM:DD": "%Y:%m:%d:%H:%M:%S.%f",
    "utcg": '"%d %b %Y %H:%M:%S.%f"',
}  # fmt: skip
ELAPSED = {"EpSec": 1.0, "EpMin": 60.0, "EpHr": 3600.0, "EpDay": 86_400.0, "EpYear": 31_557_600.0, "ModJDate": 86_400.0}


def stk(time_format: str, times: list[str], kind: str, *columns: np.ndarray) -> str:
    rows = rows_of(*columns, separator=" ").splitlines()
    body = "\n".join(f"{time} {row}" for time, row in zip(times, rows, strict=True))
    return f"stk.v.11.0\nBEGIN Attitude\nTimeFormat {time_format}\n{kind}\n{body}\nEND Attitude\n"


@pytest.mark.parametrize("name", DATES)
def test_times_as_dates(tmp_path, name):
    made = motion()
    times = [(START + timedelta(seconds=t)).strftime(DATES[name]) for t in made.t.tolist()]
    values = made.quaternions("xyzw"), np.degrees(made.rates)
    (tmp_path / "a.a").write_text(stk(name, times, "AttitudeTimeQuatAngVels", *values))
    check(read_recording(tmp_path / "a.a"), made)


@pytest.mark.parametrize("name", ELAPSED)
def test_times_that_have_passed_in_another_unit(tmp_path, name):
    made = motion()
    since = 59_540.25 if name == "ModJDate" else 0.0
    times = [f"{since + t / ELAPSED[name]:.16g}" for t in made.t.tolist()]
    (tmp_path / "a.a").write_text(stk(name, times, "AttitudeTimeQuaternions", made.quaternions("xyzw")))
    recording = interpret(read_recording(tmp_path / "a.a"))
    np.testing.assert_allclose(recording.time, made.t, atol=1e-6)


def test_a_date_of_two_digits_is_of_two_centuries(tmp_path):
    times = [f"{day:03}/{year} 12:00:00" for year, day in (("99", 364), ("99", 365), *(("00", n) for n in range(1, 8)))]
    (tmp_path / "a.a").write_text(stk("UTCJ", times, "AttitudeTimeQuaternions", motion().quaternions("xyzw")[:9]))
    np.testing.assert_allclose(read_recording(tmp_path / "a.a").time, 86_400.0 * np.arange(9))


@pytest.mark.parametrize(
    ("name", "time", "says"),
    [("UTCG", "31 Feb 2023 10:00:00", r"line 5: '31 Feb 2023 10:00:00' is no time; allowed are such as 1 Jul 2007 12"),
     ("UTCG", "31 Foo 2023 10:00:00", r"is no time"), ("UTCJ", "0/23 10:00:00", "is no time"),
     ("UTCG", "31 Dec 2016 23:59:60", "'31 Dec 2016 23:59:60' is no time"),
     ("UTCG", "5.0", r"line 5: 5 columns instead of 8"),
     ("GPS", "2185:86418.000", r"a\.a: TimeFormat: 'GPS' is not read; allowed are EpSec, EpMin")],
)  # fmt: skip
def test_a_time_that_is_none_is_told_with_its_line(tmp_path, name, time, says):
    (tmp_path / "a.a").write_text(stk(name, [time] * 9, "AttitudeTimeQuaternions", motion().quaternions("xyzw")[:9]))
    with pytest.raises(ValueError, match=says):
        read_recording(tmp_path / "a.a")
