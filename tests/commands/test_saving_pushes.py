"""A file holds how a motion starts: of what has pushed it since, saving says so, and can begin from there."""

import numpy as np
import pytest

from viewer.commands.documents import save_to
from viewer.commands.start import begin_here
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session
from viewer.workspace.workspace import Workspace

SAID = "{path}: the scene as it starts, without the pushes since"


def opened():
    return Workspace(Session(Scenario.preset("dzhanibekov"), playing=False))


@pytest.fixture
def pushed():
    workspace = opened()
    workspace.session.scene.run_on_to(1.0)
    workspace.session.pulse(0, 1)
    workspace.session.scene.run_on_to(2.0)
    return workspace


def test_saving_says_that_pushes_are_not_in_the_file(pushed, tmp_path):
    path = str(tmp_path / "pushed.toml")
    assert save_to(pushed, path) is None
    assert pushed.messages.shown.text == "Saved " + SAID.format(path=path)
    assert Scenario.load(path).start == Scenario.preset("dzhanibekov").start


def test_the_button_saves_the_motion_as_it_is_now(pushed, tmp_path):
    path = str(tmp_path / "pushed.toml")
    save_to(pushed, path)
    pushed.session.scene.run_on_to(2.5)
    now = pushed.session.snapshot().reading
    assert pushed.messages.shown.offer.label == "Start from here and save"
    pushed.messages.take_offer()
    assert pushed.messages.shown.text == f"Saved {path}"
    again = Session(Scenario.load(path), playing=False).snapshot().reading
    for reading in (again, pushed.session.snapshot().reading):
        assert reading.time == 0.0
        np.testing.assert_allclose(reading.angular_momentum_world, now.angular_momentum_world, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(
            reading.rotation_world_from_body, now.rotation_world_from_body, rtol=1e-9, atol=1e-12
        )


def test_without_pushes_there_is_nothing_to_say(tmp_path):
    workspace = opened()
    workspace.session.scene.run_on_to(1.0)
    workspace.session.change({"loads.external_friction": 0.01})  # acts on, and is in the file
    path = str(tmp_path / "rubbed.toml")
    save_to(workspace, path)
    assert workspace.messages.shown.text == f"Saved {path}"


def test_a_pull_that_is_over_is_a_push_and_one_that_is_undone_is_none():
    session = opened().session
    session.pull.to((0.1, 0.0, 0.0))
    session.scene.run_on_to(0.5)
    session.pull.end()
    assert session.document.pushed
    session.undo()
    assert not session.document.pushed


def test_starting_from_here_is_undone(pushed):
    session = pushed.session
    before = session.document
    begin_here(session)
    assert not session.document.pushed
    session.undo()
    assert session.document == before
