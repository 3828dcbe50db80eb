"""Tables as programs write them: a row of units, MATLAB's comments, arrays without names."""

import io

import numpy as np
import pytest

from viewer.replay.files import text_table
from viewer.replay.files.source import Member, Source
from viewer.replay.files.text_table import TextTable
from viewer.replay.formats.formats import read_recording, read_source
from viewer.replay.raw_recording import RawRecording
from viewer.scenario.recordings import is_recording

TIME = 0.01 * np.arange(50)
RATES = np.stack((np.sin(TIME), np.cos(TIME), 1.0 + TIME), axis=1)


def parsed(content: str) -> RawRecording:
    data = content.encode()
    return read_source(Source("recording", [Member("recording", len(data), lambda: io.BytesIO(data))]))


UNITS = [
    ("time,gyro_x,gyro_y,gyro_z\ns,deg/s,deg/s,deg/s\n", 1.0, "s"),
    ("t;wx;wy;wz;temp\n[ms];[°/s];[°/s];[°/s];[°C]\n", 1e3, "ms"),
    ("time,wx,wy,wz,count\nms,dps,dps,dps,\n", 1e3, "ms"),
]


@pytest.mark.parametrize(("head", "clock", "unit"), UNITS)
def test_a_row_of_units_stands_under_the_names(head, clock, unit):
    t, w = TIME, RATES
    mark = ";" if ";" in head else ","
    extra = [7.0] * (head.partition("\n")[0].count(mark) - 3)
    rows = [
        mark.join(map(repr, [float(a * clock), *np.degrees(b).tolist(), *extra])) for a, b in zip(t, w, strict=True)
    ]
    found = parsed(head + "\n".join(rows))
    assert (found.declared.rate_unit, found.declared.time_unit) == ("deg/s", unit)
    assert found.rates == pytest.approx(np.degrees(w))


def test_words_under_the_names_that_are_no_units_are_refused():
    with pytest.raises(ValueError, match="line 2: t: 'begin' is not a number"):
        parsed("t,wx,wy,wz\nbegin,of,the,rows\n" + "0,1,2,3\n" * 9)


def test_lines_of_matlab_begin_with_a_percent_sign():
    t, w = TIME, RATES
    rows = "\n".join("  ".join(map(repr, [float(a), *b.tolist()])) for a, b in zip(t, w, strict=True))
    found = parsed("% of a script\n% t wx wy wz\n" + rows + "\n% the end\n")
    assert found.rates == pytest.approx(w)
    assert not any("no line of column names" in text for text in found.warnings)
    assert parsed("%time wx wy wz\n" + rows).time == pytest.approx(TIME)


@pytest.mark.parametrize("save", [np.save, np.savez])
def test_an_array_without_a_name_is_a_table_without_names(tmp_path, save):
    t, w = TIME, RATES
    save(tmp_path / "a", np.column_stack((t, w)))
    (path,) = tmp_path.iterdir()
    assert is_recording(str(path))
    found = read_recording(path)
    assert found.time == pytest.approx(t)
    assert found.rates == pytest.approx(w)
    assert found.warnings == ("no line of column names: columns taken as t, wx, wy, wz",)


def test_fields_of_a_structured_array_are_columns(tmp_path):
    array = np.zeros(len(TIME), [("t", "f8"), ("row", "i4"), ("wx", "f4"), ("wy", "f8"), ("wz", "f8")])
    array["t"] = TIME
    for axis, values in zip("xyz", RATES.T, strict=True):
        array[f"w{axis}"] = values
    np.save(tmp_path / "a.npy", array)
    np.savez(tmp_path / "b.npz", motion=array, version="1")
    for name in ("a.npy", "b.npz"):
        found = read_recording(tmp_path / name)
        assert found.time == pytest.approx(TIME)
        assert found.rates == pytest.approx(RATES, rel=1e-6)
        assert found.warnings == ()


def test_rates_of_an_aircraft_are_p_q_r():
    rows = "\n".join(",".join(map(repr, row)) for row in np.column_stack((TIME, RATES)).tolist())
    assert parsed("time,p,q,r\n" + rows).rates == pytest.approx(RATES)
    found = parsed("time,P [deg/s],Q [deg/s],R [deg/s]\n" + rows)
    assert (found.declared.rate_unit, found.rates[3, 2]) == ("deg/s", RATES[3, 2])
    with pytest.raises(ValueError, match="neither columns qw, qx, qy, qz nor wx, wy, wz"):
        parsed("time,p,q,x\n" + rows)


@pytest.mark.parametrize("save", [np.save, np.savez])
@pytest.mark.parametrize("timed", [True, False])
def test_an_array_that_is_transposed_is_read_and_told(tmp_path, save, timed):
    array = np.column_stack((TIME, RATES)) if timed else RATES
    save(tmp_path / "a", array.T)
    (path,) = tmp_path.iterdir()
    found = read_recording(path, step=None if timed else TIME[1])
    assert found.time == pytest.approx(TIME)
    assert found.rates == pytest.approx(RATES)
    name, rows = ("a" if save is np.save else "arr_0"), len(TIME)
    assert found.warnings[-1] == (
        f"array '{name}' of {array.shape[1]} × {rows} numbers taken as transposed: a column for each time"
    )


def test_arrays_of_which_some_are_transposed(tmp_path):
    np.savez(tmp_path / "a.npz", t=TIME, w=RATES.T)
    found = read_recording(tmp_path / "a.npz")
    assert found.rates == pytest.approx(RATES)
    assert len(found.warnings) == 1


@pytest.mark.parametrize("columns", [3, 4, 7])
def test_an_array_without_times_needs_the_step(tmp_path, columns):
    q = np.array((np.cos(TIME), np.sin(TIME), 0 * TIME, 0 * TIME)).T
    array = {3: RATES, 4: q, 7: np.column_stack((q, 0.08 + 0 * TIME, 0 * TIME, 0 * TIME))}[columns]
    np.save(tmp_path / "a.npy", array)
    found = read_recording(tmp_path / "a.npy", step=0.25)
    assert found.time == pytest.approx(0.25 * np.arange(len(TIME)))
    assert found.declared.time_unit == "s"
    assert (found.rates is None, found.quaternion is None) == (columns == 4, columns == 3)
    with pytest.raises(ValueError, match="--step"):
        read_recording(tmp_path / "a.npy")


@pytest.mark.parametrize(
    "array", [np.zeros((20, 2000)), np.array(["a", "b"]), np.zeros((9, 2, 2)), np.zeros((0, 4, 0))]
)
def test_an_array_that_is_no_table_is_refused(tmp_path, array):
    np.save(tmp_path / "a.npy", array)
    text = r"^a\.npy: is no array of numbers with a row for each time and at most 1000 columns$"
    with pytest.raises(ValueError, match=text):
        read_recording(tmp_path / "a.npy")


def test_an_array_without_rows_has_too_few(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((0, 4)))
    with pytest.raises(ValueError, match=r"^a\.npy: rows of finite numbers: 0; at least 8 are needed$"):
        read_recording(tmp_path / "a.npy")


def test_no_name_is_not_the_current_folder():
    with pytest.raises(ValueError, match=r"^recording: '' is the name of no file"):
        read_recording("")


@pytest.mark.parametrize("size", [7, 64, 10**6])
def test_lines_are_numbered_and_whole_however_they_are_read(size, monkeypatch):
    monkeypatch.setattr(text_table, "CHUNK", size)
    text = "t,x\n" + "\n".join(f"{n},{n * n}" for n in range(100))
    head = TextTable(Member("a.csv", len(text), io.BytesIO), "a.csv", ["t", "x"], 2, ",", 1)
    rest = io.StringIO(text)
    rest.readline()
    read = list(text_table._chunks(rest, head))
    numbered = [(number + i, line) for lines, number, _, _ in read for i, line in enumerate(lines) if line]
    assert numbered == [(n + 2, f"{n},{n * n}") for n in range(100)]
    fractions = [fraction for _, _, fraction, _ in read]
    assert fractions == sorted(fractions)
    assert fractions[-1] == pytest.approx(1.0, abs=4 / len(text))  # but for the head
    assert [last for *_, last in read] == [False] * (len(read) - 1) + [True]


def test_a_row_is_unwanted_where_a_code_is_negative():
    codes = {1: float, 2: {"yes": 1.0, "no": 0.0, "never": -1.0}.__getitem__}
    head = TextTable(Member("a.csv", 0, io.BytesIO), "a.csv", None, 3, ",", 0, codes=codes)
    for cells, unwanted in (
        (["-5", "0", "no"], False), (["1", "2", "yes"], False), (["1", "-1", "yes"], True),
        (["1", "2", "never"], True), (["1", "-2"], True), (["1"], False),
    ):  # fmt: skip
        assert text_table._is_unwanted(cells, head) is unwanted
