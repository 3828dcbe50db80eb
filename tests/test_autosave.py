"""Unsaved scenes survive the end of the program, whatever it was, and only then are they offered."""

import os
import subprocess
import sys
import time

import pytest

from viewer import autosave
from viewer.autosave import DELAY, KEPT, Autosave, left_behind
from viewer.scenario import Scenario

CHANGED = Scenario.preset("dzhanibekov").with_value("body.mass", 2.0)

CHILD = """
import sys, time
from viewer.autosave import DELAY, Autosave
from viewer.scenario import Scenario
keeper = Autosave()
scene = Scenario.preset("dzhanibekov").with_value("body.mass", 3.0)
keeper.follow(scene, 0.0)
keeper.follow(scene, DELAY)
keeper._thread.join()
print("written", flush=True)
time.sleep(60)
"""


def kept(scenario: Scenario) -> Autosave:
    keeper = Autosave()
    keeper.follow(scenario, 10.0)
    keeper.follow(scenario, 10.0 + DELAY)
    keeper._thread.join()
    return keeper


def test_nothing_is_made_before_something_changes():
    keeper = Autosave()
    keeper.follow(None, 5.0)
    keeper.close(None)
    assert not autosave.folder().exists()
    assert left_behind() == []


def test_a_change_is_written_after_a_while_and_once():
    keeper = Autosave()
    keeper.follow(CHANGED, 10.0)
    assert keeper.wait(10.0) == DELAY
    assert not keeper.path.exists()
    later = CHANGED.with_value("body.mass", 4.0)
    keeper.follow(later, 10.5)
    assert keeper.wait(11.0) == pytest.approx(DELAY - 0.5)
    keeper.follow(later, 10.5 + DELAY)
    keeper._thread.join()
    assert Scenario.load(keeper.path) == later
    assert keeper.wait(20.0) is None
    keeper.close(None)
    assert list(autosave.folder().iterdir()) == []


def test_a_running_program_is_not_offered_and_a_saved_scene_is_forgotten():
    keeper = kept(CHANGED)
    assert left_behind() == []
    keeper.follow(None, 20.0)
    keeper.follow(None, 20.0 + DELAY)
    keeper._thread.join()
    assert not keeper.path.exists()
    keeper.close(None)


def test_what_is_unsaved_at_the_end_is_offered_the_next_time():
    keeper = kept(CHANGED)
    last = CHANGED.with_value("body.mass", 7.0)
    keeper.close(last)
    (left,) = left_behind()
    assert left.title == CHANGED.title
    assert abs(left.when - time.time()) < 60.0
    assert Scenario.load(left.path) == last
    left.delete()
    assert left_behind() == []


def test_a_killed_program_leaves_its_scene():
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD], stdout=subprocess.PIPE, text=True, env=dict(os.environ)
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "written\n"
    assert left_behind() == []
    child.kill()
    child.wait()
    child.stdout.close()
    (left,) = left_behind()
    assert Scenario.load(left.path).body.mass == 3.0


def test_what_is_no_scene_goes_and_so_do_the_oldest():
    for n in range(KEPT + 3):
        kept(CHANGED.with_value("body.mass", 1.0 + n)).close(CHANGED.with_value("body.mass", 1.0 + n))
    (autosave.folder() / "broken.toml").write_text("[[[")
    assert len(left_behind()) == KEPT
    assert len(list(autosave.folder().iterdir())) == KEPT


def test_a_folder_that_cannot_be_written_stops_nothing(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("POINSOT_HOME", str(tmp_path / "file"))
    keeper = kept(CHANGED)
    keeper.close(CHANGED)
    assert left_behind() == []
