"""Unsaved scenes survive the end of the program, whatever it was, and only then are they offered."""

import os
import subprocess
import sys
import time

import pytest

from viewer.scenario.scenario import Scenario
from viewer.user import autosave
from viewer.user.autosave import DELAY, OFFERED, RETRY, Autosave, left_behind

CHANGED = Scenario.preset("dzhanibekov").with_value("body.mass", 2.0)

CHILD = """
import sys, time
from viewer.user.autosave import DELAY, Autosave
from viewer.scenario.scenario import Scenario
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
    child = subprocess.Popen([sys.executable, "-c", CHILD], stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    assert child.stdout is not None
    assert child.stdout.readline() == "written\n"
    assert left_behind() == []
    child.kill()
    child.wait()
    child.stdout.close()
    (left,) = left_behind()
    assert Scenario.load(left.path).body.mass == 3.0


def test_what_cannot_be_read_is_put_aside_and_told_and_no_old_one_is_deleted():
    for n in range(OFFERED + 3):
        kept(CHANGED.with_value("body.mass", 1.0 + n)).close(CHANGED.with_value("body.mass", 1.0 + n))
    texts = {
        "a.toml": "[[[",
        "b.toml": "version = 2",
        "c.toml": "[body]\nglow = 1",
        "d.toml": b"\xff".decode("latin-1"),
    }
    for name, text in texts.items():
        (autosave.folder() / name).write_text(text, "latin-1")
    told = []
    left = left_behind(told.append)
    assert [one.title for one in left] == [CHANGED.title] * OFFERED
    assert len(told) == len(texts)
    aside = autosave.folder() / autosave.ASIDE
    for name, text in texts.items():
        assert (aside / name).read_text("latin-1") == text
        assert any(f"is kept as {aside / name}: " in line for line in told)
    assert len(list(autosave.folder().glob("*.toml"))) == OFFERED + 3
    left_behind(told.append)
    assert len(told) == len(texts)  # once
    for one in left:
        one.delete()
    assert len(left_behind()) == 3


def full(*_args, **_more):
    raise OSError(28, "No space left on device")


def test_what_could_not_be_written_is_tried_again(monkeypatch):
    keeper = Autosave()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        keeper.follow(CHANGED, 10.0)
        keeper.follow(CHANGED, 10.0 + DELAY)
        keeper.finish_writing()
        assert "cannot be written: No space left on device" in keeper.problem
        assert keeper.wait(10.0 + DELAY) == pytest.approx(RETRY)
        assert keeper.close(CHANGED) == keeper.problem
    keeper.follow(CHANGED, 10.0 + DELAY + RETRY)
    keeper.finish_writing()
    assert keeper.problem is None
    assert Scenario.load(keeper.path) == CHANGED
    assert keeper.close(CHANGED) is None
    assert len(left_behind()) == 1


def test_an_adopted_scene_needs_no_room_and_is_taken_once(monkeypatch):
    kept(CHANGED).close(CHANGED)
    (left,) = left_behind()
    one, two = kept(CHANGED.with_value("body.mass", 3.0)), Autosave()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        scenario = Scenario.load(left.path)
        assert one.adopt(left, scenario)
    assert one.path == left.path
    assert not two.adopt(left, scenario)
    assert left_behind() == []  # it is in use
    assert [path.name for path in autosave.folder().glob("*.toml")] == [left.path.name]
    one.close(scenario)
    assert Scenario.load(left_behind()[0].path) == CHANGED


def test_a_folder_that_cannot_be_written_stops_nothing(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("POINSOT_HOME", str(tmp_path / "file"))
    keeper = kept(CHANGED)
    keeper.close(CHANGED)
    assert left_behind() == []


def test_what_nobody_expects_is_said_too(monkeypatch):
    keeper = Autosave()
    with monkeypatch.context() as patch:
        patch.setattr(Scenario, "to_text", lambda self, base=None: 1 / 0)
        keeper.follow(CHANGED, 10.0)
        keeper.follow(CHANGED, 10.0 + DELAY)
        keeper.finish_writing()
        assert keeper.problem == "unsaved changes: internal error: ZeroDivisionError: division by zero"
    assert keeper.close(CHANGED) is None
