"""A file that takes long to read: the window goes on meanwhile, says how far it is, and Escape ends it."""

import subprocess
import threading

import pytest

from viewer.scenario.scenario import Scenario
from viewer.session import opening
from viewer.ui.input.actions import ACTIONS


@pytest.fixture
def slow(monkeypatch):
    """Reading reports a half and then waits for `go`, where the test asked for `slow.csv`."""
    go, read, ended = threading.Event(), opening.read, []

    def slowly(name, base=None, progress=None):
        if name != "slow.csv":
            return read(name, base, progress)
        try:
            while not go.wait(0.01):
                progress(0.5)
        except BaseException as error:
            ended.append(error)
            raise
        return Scenario.preset("disc"), None

    monkeypatch.setattr("viewer.app.documents.read", slowly)
    monkeypatch.setattr("viewer.app.opening.PROMPT", 0.05)
    go.ended = ended
    yield go
    go.set()


def test_the_window_goes_on_while_a_file_is_read(desktop, slow):
    shown = desktop(playing=True)
    assert shown.app.documents.open("slow.csv") is None
    shown.until(lambda: shown.message == "Opening slow.csv: 50 % (Escape cancels)")
    time = shown.session.motion.time
    shown.until(lambda: shown.session.motion.time > time + 0.1)
    assert shown.scenario.title == Scenario.preset("paper-fig1").title
    slow.set()
    shown.until(lambda: shown.scenario.title == Scenario.preset("disc").title)
    assert shown.app.documents.opening is None
    assert shown.message is None


def test_escape_ends_it_and_the_scene_stays(desktop, slow):
    shown = desktop()
    shown.app.documents.open("slow.csv")
    shown.until(lambda: shown.message is not None)
    shown.loop.step(0.0)
    ACTIONS["leave"].run(shown.app)
    shown.until(lambda: slow.ended)
    shown.settle()
    assert shown.message is None
    assert shown.scenario.title == Scenario.preset("paper-fig1").title


def test_the_cross_of_its_message_ends_it(desktop, slow):
    shown = desktop()
    shown.app.documents.open("slow.csv")
    shown.until(lambda: shown.message is not None)
    shown.until(lambda: "close" in shown.boxes)
    subprocess.run(["xdotool", "mousemove", *map(str, map(round, shown.middle("close"))), "click", "1"], check=True)
    shown.until(lambda: slow.ended)
    shown.settle()
    assert shown.message is None


def test_another_file_takes_its_place(desktop, slow):
    shown = desktop()
    shown.app.documents.open("slow.csv")
    assert shown.app.documents.open("rod") is None
    shown.until(lambda: shown.app.documents.opening is None)
    assert shown.scenario.title == Scenario.preset("rod").title
    shown.until(lambda: slow.ended)
    shown.settle()
    assert shown.scenario.title == Scenario.preset("rod").title


def test_a_log_that_is_none_says_so_and_the_scene_stays(desktop, tmp_path):
    shown = desktop()
    path = tmp_path / "a.csv"
    path.write_text("t,wx,wy,wz\n0,1,2,three\n")
    assert "'three' is not a number" in shown.app.documents.open(str(path))
    shown.settle()
    assert "'three' is not a number" in shown.message
    assert shown.scenario.title == Scenario.preset("paper-fig1").title
