"""`poinsot live`."""

import os
from pathlib import Path

import numpy as np
import pytest
from helpers.fake_phone import fake_phone

from viewer import cli
from viewer.replay.reader import read_recording

TIME = np.arange(0.0, 4.0, 0.01)
OMEGA = np.column_stack((np.sin(TIME), 3.0 + 0.1 * TIME, 0.1 * np.cos(TIME)))


@pytest.fixture
def phone():
    with fake_phone() as running:
        running.measure("gyroscope", TIME, OMEGA)
        running.until = 3.0
        yield running


def test_a_recording_is_what_was_measured(phone, capsys):
    assert cli.main(["live", phone.url, "--seconds", "0.3", "-o", "toss.csv"]) == 0
    assert "toss.csv: 301 rows over 3 s" in capsys.readouterr().out
    found = read_recording("toss.csv")
    assert np.array_equal(found.time, TIME[:301])
    assert np.array_equal(found.rates, OMEGA[:301])


def test_what_was_measured_is_kept_where_the_phone_is_lost(phone, capsys, monkeypatch):
    def gone(seconds: float) -> None:
        phone.answer = 500, b""

    monkeypatch.setattr("viewer.cli.live.time.sleep", gone)
    Path("toss.csv").write_text("an earlier one")
    assert cli.main(["live", phone.url, "--seconds", "60", "-o", "toss.csv"]) == 2
    out, err = capsys.readouterr()
    assert "status 500" in err
    assert out.startswith("toss.part.csv: 301 rows over ")
    assert len(read_recording("toss.part.csv").time) == 301
    assert Path("toss.csv").read_text() == "an earlier one"


def test_where_nothing_is_measured_there_is_no_file(phone, capsys):
    phone.until = -1.0
    assert cli.main(["live", phone.url, "--seconds", "0.1", "-o", "toss.csv"]) == 2
    assert "has measured nothing; press Play in phyphox" in capsys.readouterr().err
    assert os.listdir() == []


def test_rows_without_numbers_are_counted(phone, capsys):
    phone.data["gyrX"][7] = phone.data["gyrY"][9] = 1e308
    assert cli.main(["live", phone.url, "--seconds", "0.1", "-o", "toss.csv"]) == 0
    assert "toss.csv: 299 rows over 3 s; 2 without numbers left out" in capsys.readouterr().out
    phone.data["gyrX"] = [1e308] * len(TIME)
    assert cli.main(["live", phone.url, "--seconds", "0.1", "-o", "toss.csv"]) == 2
    assert "gives no numbers that a gyroscope measures" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere at all", "-o", "a.csv"], "url: 'nowhere at all' is no address"),
        (["URL", "-o", "a.png"], "is not a table file; allowed are names ending in .csv"),
        (["URL", "-o", "no/a.csv"], "folder 'no' not found"),
        (["URL", "-o", "a.csv", "--seconds", "long"], "seconds"),
        (["URL", "-o", "a.csv", "--seconds", "nan"], "--seconds: 'nan' is not a number"),
        (["URL", "--seconds=-1"], "--seconds: -1 s is outside 0.1 to 3600 s"),
    ],
)
def test_what_is_refused(phone, capsys, arguments, message):
    arguments = [phone.url if word == "URL" else word for word in arguments]
    assert cli.main(["live", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert phone.asked == []
