"""Files that are broken, cut off, or made to do harm: one line says what is wrong, and nothing is lost silently."""

import io
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from viewer.common.errors import InputError
from viewer.replay.files import source
from viewer.replay.formats.formats import read_recording
from viewer.replay.mapping import parse_mapping

HEAD = "t,wx,wy,wz\n"
LINES = [f"{0.01 * n:.2f},{np.cos(n):.6f},{np.sin(n):.6f},0.5" for n in range(40)]


def table(lines=LINES, head: str = HEAD) -> str:
    return head + "\n".join(lines) + "\n"


def replaced(row: int, line: str) -> list[str]:
    return [*LINES[:row], line, *LINES[row + 1 :]]


def refused(path, told: str) -> str:
    with pytest.raises(InputError) as error:
        read_recording(path)
    assert told in str(error.value)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (replaced(20, "0.20,1"), "a.csv, line 22: 2 columns instead of 4"),
        (replaced(20, "0.20,1,2,3,4"), "a.csv, line 22: 5 columns instead of 4"),
        ([*replaced(20, "0.20,1,2,3,4")[:22], "0.22,1,2", *LINES[23:]], "a.csv, line 22: 5 columns instead of 4"),
        (replaced(20, "0.20,1,two,3"), "a.csv, line 22: wy: 'two' is not a number"),
        (replaced(20, "0.20,1,1_000,3"), "a.csv, line 22: wy: '1_000' is not a number"),
        (replaced(20, "0.20,1,\u0663,3"), "a.csv, line 22: wy: '\u0663' is not a number"),
        (replaced(20, '0.20,1,"2,3'), "a.csv, line 22: unclosed quote"),
        (replaced(20, "0.18,1,2,3"), "a.csv: t: runs back at row 21 of the table"),
        (
            [f"{min(n, 20)},1,2,{n}" for n in range(40)],
            "t: does not increase in 19 of 40 rows, the first of them row 22",
        ),
        (
            [f"{n // 2},1,2,{n // 2}" for n in range(40)],
            "t: does not increase in 20 of 40 rows, the first of them row 2",
        ),
        (replaced(20, "0.2," + "1" * 70_000 + ",2,3"), "a.csv, line 22: is longer than 65536 characters"),
    ],
)
def test_a_broken_row_is_refused_with_its_line(tmp_path, lines, told):
    (tmp_path / "a.csv").write_text(table(lines))
    refused(tmp_path / "a.csv", told)


def test_a_recording_that_was_cut_off_loses_its_last_row_and_says_so(tmp_path):
    (tmp_path / "a.csv").write_text(table()[:-12])
    found = read_recording(tmp_path / "a.csv")
    assert len(found.time) == 39
    assert found.warnings == ("left out the last row: it is not complete",)


def test_gaps_are_kept_and_counted(tmp_path):
    lines = [*LINES[:5], "0.05,nan,1,2", "0.06,,1,2", *LINES[7:20], "0.20,1,NA,-", *LINES[21:]]
    (tmp_path / "a.csv").write_text(table(lines))
    found = read_recording(tmp_path / "a.csv")
    assert found.warnings == ("left out 3 rows with nan or inf, the first of them row 6",)
    np.testing.assert_array_equal(found.gaps, [5, 18])
    assert found.time[4:6] == pytest.approx([0.04, 0.07])
    assert found.time[17:19] == pytest.approx([0.19, 0.21])


def test_a_time_that_repeats_is_left_out_without_a_gap(tmp_path):
    (tmp_path / "a.csv").write_text(table([*LINES[:20], LINES[19], *LINES[20:]]))
    found = read_recording(tmp_path / "a.csv")
    assert len(found.time) == 40
    assert found.warnings == ("left out 1 row that repeats the time of the row before, row 21",)
    assert len(found.gaps) == 0


def test_a_name_in_quotes_may_be_broken_into_lines(tmp_path):
    head = '"t",wx,wy,wz,"a note,\nof two lines"\n'
    (tmp_path / "a.csv").write_text(table([f'{line},"says, {n}"' for n, line in enumerate(LINES)], head))
    assert len(read_recording(tmp_path / "a.csv").time) == 40


def archive(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return path


def test_a_file_outside_the_archive_is_left_out_with_a_line(tmp_path):
    (tmp_path / "inside").mkdir()
    names = ["../evil.csv", "/evil.csv", "a/../../evil.csv", "..\\evil.csv", "C:\\evil.csv"]
    path = archive(tmp_path / "inside" / "a.zip", dict.fromkeys(names, table()) | {"ok.csv": table()})
    found = read_recording(path)
    assert len(found.time) == 40
    assert found.warnings[0] == (
        "left out 5 files whose names lead out of the archive, the first of them '../evil.csv'"
    )
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["a.zip", "inside"]
    path = archive(tmp_path / "b.zip", {"../evil.csv": table(), "ok.csv": table()})
    told = "left out 1 file whose name leads out of the archive: '../evil.csv'"
    assert read_recording(path).warnings[0] == told


def test_bombs_are_refused_before_they_are_unpacked(tmp_path, monkeypatch):
    path = archive(tmp_path / "a.zip", {"a.csv": HEAD + "0" * 2**25})
    assert path.stat().st_size < 100_000
    refused(path, "a.zip, a.csv: 32 MB were packed into 31 kB; no recording is packed so well")
    refused(archive(tmp_path / "b.zip", {f"{n}.csv": "" for n in range(1001)}), "b.zip: holds 1001 files; at most 1000")
    monkeypatch.setattr(source, "LARGEST_FILE", 2**20)
    many = {f"{n}.csv": np.random.default_rng(n).bytes(2**19) for n in range(3)}
    refused(archive(tmp_path / "c.zip", many), "c.zip: is larger than 1 MB, the limit")


def test_an_archive_that_declares_less_than_it_holds_is_damaged(tmp_path):
    data = bytearray(archive(tmp_path / "a.zip", {"a.csv": table(LINES * 1, HEAD)}).read_bytes())
    size = len(table()).to_bytes(4, "little")
    for place in (data.find(size), data.rfind(size)):
        data[place : place + 4] = (200).to_bytes(4, "little")
    (tmp_path / "a.zip").write_bytes(data)
    refused(tmp_path / "a.zip", "a.zip")


def test_archives_that_cannot_be_read_are_told(tmp_path):
    good = archive(tmp_path / "good.zip", {"a.csv": table()}).read_bytes()
    (tmp_path / "cut.zip").write_bytes(good[:-30])
    refused(tmp_path / "cut.zip", "cut.zip: is damaged: 'File is not a zip file'")
    wrong = bytearray(good)
    wrong[60] ^= 0xFF
    (tmp_path / "wrong.zip").write_bytes(wrong)
    refused(tmp_path / "wrong.zip", "wrong.zip")
    locked = bytearray(good)
    locked[6] |= 1
    locked[good.rfind(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "locked.zip").write_bytes(locked)
    refused(tmp_path / "locked.zip", "locked.zip, a.csv: is encrypted; unpack the archive first")
    refused(archive(tmp_path / "b.zip", {"a.csv": table()}, zipfile.ZIP_BZIP2), "b.zip, a.csv: is packed by another")
    excel = {"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>"}
    refused(archive(tmp_path / "a.xlsx", excel), "a.xlsx: is a table of Excel; export the recording as CSV instead")
    (tmp_path / "a.xls").write_bytes(source.OLD_EXCEL + bytes(600))
    refused(tmp_path / "a.xls", "a.xls: is a table of Excel")
    refused(archive(tmp_path / "none.zip", {"a.png": b"\x89PNG\0"}), "is a folder or an archive without a recording")


def test_arrays_are_read_without_running_what_they_hold(tmp_path):
    np.savez(tmp_path / "a.npz", qpos=np.array([[object()] * 7] * 9, dtype=object), time=np.arange(9.0))
    refused(tmp_path / "a.npz", "a.npz")
    header = b"\x93NUMPY\x01\x00v\x00" + b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 7), }"
    path = archive(tmp_path / "b.npz", {"qpos.npy": header.ljust(127) + b"\n" + bytes(560), "time.npy": header})
    refused(path, "b.npz: is a folder or an archive without a recording")


def test_reading_ends_where_nobody_waits_for_it(tmp_path):
    (tmp_path / "a.csv").write_text(HEAD + "".join(f"{n},1,2,3\n" for n in range(200_000)))

    class Ended(Exception):
        pass

    seen = []

    def progress(fraction: float) -> None:
        seen.append(fraction)
        if len(seen) == 2:
            raise Ended

    with pytest.raises(Ended):
        read_recording(tmp_path / "a.csv", progress)
    assert 0.0 < seen[0] < seen[1] < 0.5


STARTS = [
    table().encode(),
    b'"Time (s)";"Gyroskop x (rad/s)";"y (rad/s)";"z (rad/s)"\n' + b"".join(b"%d;1,5;2;3\n" % n for n in range(9)),
    b"GYROFLOW IMU LOG\norientation,YxZ\ntscale,1\nt,gx,gy,gz\n" + b"".join(b"%d,1,2,3\n" % n for n in range(9)),
    b"CCSDS_AEM_VERS = 1.0\nMETA_START\nATTITUDE_TYPE = QUATERNION\nMETA_STOP\nDATA_START\n"
    + b"".join(b"2026-01-01T00:00:%02d 0 0 0 1\n" % n for n in range(9)) + b"DATA_STOP\n",
    b"stk.v.8.0\nBEGIN Attitude\nAttitudeTimeDCM\n" + b"".join(b"%d 1 0 0 0 1 0 0 0 1\n" % n for n in range(9)),
    b"time,seconds_elapsed,z,y,x\n" + b"".join(b"%d,%d,1,2,3\n" % (n, n) for n in range(9)),
    b"time_s,sigma_BN_1,sigma_BN_2,sigma_BN_3\n" + b"".join(b"%d,0,0,1\n" % n for n in range(9)),
    b"time,qpos[0],qpos[1],qpos[2],qpos[3]\n" + b"".join(b"%d,1,0,0,0\n" % n for n in range(9)),
    b"stk.v.8.0\nBEGIN Attitude\nSequence 312\nAttitudeTimeYPRAngles\n"
    + b"".join(b"%d 10 2 %d\n" % (n, n) for n in range(9)),
    b"CCSDS_AEM_VERS = 2.0\nMETA_START\nATTITUDE_TYPE = SPIN\nMETA_STOP\nDATA_START\n"
    + b"".join(b"2026-01-01T00:00:%02d 10 20 %d 1\n" % (n, n) for n in range(9)) + b"DATA_STOP\n",
    b'<aem id="CCSDS_AEM_VERS"><segment><metadata><ATTITUDE_TYPE>QUATERNION</ATTITUDE_TYPE></metadata><data>\n'
    + b"".join(b"<attitudeState><EPOCH>2026-01-01T00:00:%02d</EPOCH><Q1>0</Q1><Q2>0</Q2><Q3>0</Q3><QC>1</QC>"
               b"</attitudeState>\n" % n for n in range(9)) + b"</data></segment></aem>",
    b"loggingTime(txt),gyroTimestamp_sinceReboot(s),gyroRotationX(rad/s),gyroRotationY(rad/s),gyroRotationZ(rad/s)\n"
    + b"".join(b"now,%d,1,2,3\n" % n for n in range(9)),
    b"t,wx,wy,wz\n" + b"".join(b"%.1f,%d,1,2\n" % (0.04 * n, n) for n in range(30)),
    b"time,eulerAngle_deg_Yaw,eulerAngle_deg_Pitch,eulerAngle_deg_Roll,bodyAngularRateWrtEi_deg_s_Roll,"
    b"bodyAngularRateWrtEi_deg_s_Pitch,bodyAngularRateWrtEi_deg_s_Yaw,longitude_deg,latitude_deg\n"
    + b"".join(b"%d,0,0,%d,1,0,0,0,0\n" % (n, n) for n in range(9)),
]  # fmt: skip


def packed() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("Gyroscope.csv", STARTS[5])
        made.writestr("Accelerometer.csv", STARTS[5])
    return file.getvalue()


def twice() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("one.csv", STARTS[0])
        made.writestr("two/one.csv", STARTS[1])
    return file.getvalue()


def saved() -> bytes:
    file = io.BytesIO()
    np.savez(file, time=np.arange(9.0), qpos=np.ones((9, 7)), qvel=np.ones((9, 6)))
    return file.getvalue()


@st.composite
def spoilt(draw) -> bytes:
    """One of the files, with a few bytes changed, taken away or put in."""
    data = bytearray(draw(st.sampled_from([*STARTS, packed(), twice(), saved()])))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 12)))
        some = st.sampled_from(
            [b"nan", b"1e400", b"1e300", b'"', b"\n", b"\0", b"-", b";", b",,", b"\xff", b"inf", b"0", b"="]
        )
        data[at:end] = draw(some | st.binary(max_size=6))
    return bytes(data)


def test_a_member_whose_own_name_is_no_text_is_told(tmp_path):
    path = tmp_path / "spoilt.npz"
    np.savez(path, time=np.arange(9.0), qpos=np.ones((9, 7)), qvel=np.ones((9, 6)))
    data = bytearray(path.read_bytes())
    data[7] |= 0x08  # its name before the data is said to be UTF-8 ..
    data[30] = 0xC8  # .. and is not
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"^spoilt.npz: is damaged: "):
        read_recording(path)


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(spoilt())
def test_whatever_is_wrong_it_is_said_in_one_line(tmp_path, data):
    path = tmp_path / "spoilt.file"
    path.write_bytes(data)
    try:
        found = read_recording(path)
    except InputError as error:
        assert "\n" not in str(error)
        assert str(error).isprintable(), str(error)
    else:
        assert np.isfinite(found.time).all()
        assert (np.diff(found.time) > 0.0).all()
        assert ((found.gaps > 0) & (found.gaps < len(found.time))).all()


@pytest.mark.parametrize(
    "head",
    [b"{'descr': '<f8', 'shape': (40, 4)", b"{'descr': '<f8", b"(" * 90, b"-" * 9000, b"\\\n", b"  x\n y", b"\0",
     b"{'descr': '<f8', 'fortran_order': False, 'shape': (" + b"9" * 400 + b",)}"],
)  # fmt: skip
def test_an_array_whose_head_is_no_text_of_python_is_refused(tmp_path, head):
    (tmp_path / "a.npy").write_bytes(b"\x93NUMPY\x01\0" + len(head).to_bytes(2, "little") + head + bytes(1280))
    refused(tmp_path / "a.npy", "is no array of numbers with a row for each time")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "columns: '' is not such as t=elapsed or wx=3; allowed are t, qw,"),
        ("t=1,wx=2", "columns: wy, wz not given"),
        ("step=1", "columns: neither qw, qx, qy, qz nor roll, pitch, yaw nor wx, wy, wz given"),
        ("t=1,t=2,wx=1,wy=2,wz=3", "columns: 't=2' is not such as"),
        ("time=1", "columns: 'time=1' is not such as t=elapsed or wx=3; "),
        ("t=" + "x" * 5000, "is too long; at most 4000 characters"),
    ],
)
def test_columns_that_are_no_motion_are_told(text, told):
    with pytest.raises(InputError) as error:
        parse_mapping(text)
    assert told in str(error.value)
