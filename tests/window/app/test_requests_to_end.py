"""Ctrl-C in the terminal, a request of the system, a terminal that is gone: the window closes, and nothing is lost."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.processes import environment, heed_interrupts, output

from viewer.scenario.scenario import Scenario
from viewer.user.autosave import left_behind

STATUS = {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}

RUN = """
import sys
from viewer import cli
from viewer.app.frames import Frames
prepare = Frames.prepare
def first(self, now):
    session, writer = self._workspace.session, self._workspace.writer
    if self.count == 3 and not session.unsaved:
        session.change({"body.mass": 7.0})
        writer.toggle_film()
    if READY and not said:
        said.append(print("ready", flush=True))
    prepare(self, now)
said = []
Frames.prepare = first
sys.exit(cli.main(["rod", "--paused"]))
"""
FILMED = RUN.replace("READY", "self.count >= 8")
WAITING = (
    RUN.replace("READY", "session.scene.late")
    .replace(', "--paused"', "")
    .replace(
        "    prepare(self, now)",
        """    if writer.seconds and session.scenario.playback.speed < 1e10:  # much faster than its physics
        session.change({"solver.integration_period": 1e-4, "playback.auto_speed": False, "playback.speed": 1e10})
    prepare(self, now)""",
    )
)


START = "import sys, viewer.__main__ as m; print('ready', flush=True); sys.argv[1:] = ['rod']; sys.exit(m.main())"


def begun(code: str) -> "subprocess.Popen[str]":
    """A process that has said that it is ready."""
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize(("name", "code"), [*((name, FILMED) for name in STATUS), ("SIGINT", WAITING)])
def test_the_window_closes_and_film_and_scene_are_kept(name: str, code: str) -> None:
    pytest.importorskip("av", reason="PyAV is not installed (extra film)")
    process = begun(code)
    for _ in range(20):
        process.send_signal(getattr(signal, name))
        time.sleep(0.005)
    out, said = output(process)
    assert (process.returncode, out, said) == (STATUS[name], "", "")
    (left,) = left_behind()
    assert Scenario.load(left.path).body.mass == 7.0
    videos = Path(os.environ["POINSOT_HOME"]) / "videos"
    assert [path.suffix for path in videos.iterdir()] == [".mp4"]


def test_at_any_moment_of_the_start_it_ends_without_a_word() -> None:
    chance = random.Random(3)
    for _ in range(6):
        process = begun(START)
        time.sleep(chance.uniform(0.0, 1.2))
        process.send_signal(signal.SIGINT)
        _, said = output(process)
        assert (process.returncode, said) == (130, "")
