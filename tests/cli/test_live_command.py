"""`poinsot live`."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from helpers.fake_phone import fake_phone

from viewer import cli
from viewer.common.errors import InputError
from viewer.replay.formats.formats import read_recording
from viewer.replay.phone import Phone

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

    monkeypatch.setattr("viewer.cli.recordings.time.sleep", gone)
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


ENDLESS_HEADS = (b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", b"HTTP/1.0 200 OK\r\n\r\n")


@contextlib.contextmanager
def dripping(head=ENDLESS_HEADS[0]):
    """A server that sends the head of an answer, and then a byte every .2 s for a long time."""
    server, asked, ended = socket.create_server(("127.0.0.1", 0)), threading.Event(), threading.Event()

    def drip(connection):
        with connection, contextlib.suppress(OSError):
            connection.sendall(head)
            asked.set()
            for _ in range(100):
                if ended.wait(0.2):
                    break
                connection.sendall(b" ")

    def serve():
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=drip, args=(server.accept()[0],), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}", asked
    finally:
        ended.set()
        server.close()


@pytest.mark.parametrize("head", ENDLESS_HEADS)
def test_a_phone_that_never_comes_to_an_end_is_given_up(head):
    with dripping(head) as (url, _):
        begun = time.monotonic()
        with pytest.raises(InputError, match=r"does not answer \(timed out\)"):
            Phone(url, timeout=0.5).connect()
        assert time.monotonic() - begun < 5.0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_the_first_signal_ends_it_whatever_the_phone_does(name):
    with dripping() as (url, asked):
        process = subprocess.Popen([sys.executable, "-m", "viewer", "live", url, "-o", "toss.csv", "--seconds", "3600"])
        try:
            assert asked.wait(60.0)
            time.sleep(0.2)
            process.send_signal(getattr(signal, name))
            assert process.wait(4.0) == 128 + getattr(signal, name)  # before the request would be given up
        finally:
            process.kill()
            process.wait()
    assert os.listdir() == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_what_was_measured_is_kept_at_the_first_signal(phone):
    command = [sys.executable, "-m", "viewer", "live", phone.url, "-o", "toss.csv", "--seconds", "3600"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        end = time.monotonic() + 60.0
        while len(phone.asked) < 3 and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=10.0)[0]
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert "toss.csv: 301 rows over 3 s" in out
    assert len(read_recording("toss.csv").time) == 301
