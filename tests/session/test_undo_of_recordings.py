"""Undo and redo of opening recordings and choosing flights: what was recorded is there again, as it was."""

import numpy as np
import pytest

from viewer.common.resources import file
from viewer.replay.opening import read, with_flight
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import Recorded
from viewer.session.session import Session


@pytest.fixture(scope="module")
def tossed():
    """The scene of the recording that comes with the program, and the recording: three flights."""
    with file("assets", "logs", "tossed-phone.csv") as path:
        return read(path, Scenario())


def opened(tossed):
    """A session in which it was opened after another scene, and then each of the two other flights was chosen."""
    session = Session(Scenario.preset("rod"), playing=False)
    session.open(*tossed)
    found = [session.document.recording]
    for which in ("1", "3"):
        session.open(*with_flight(session.document.recording, which, session.scenario))
        found.append(session.document.recording)
    return session, found


def lane(session):
    """The lane of the recording at .3 s: what is seen and plotted."""
    session.run_to(0.3)
    (now,) = (one for one in session.snapshot().lanes if isinstance(one.lane, Recorded))
    return now.orientation_wxyz


def test_each_flight_is_there_again_with_its_points_and_its_lane(tossed):
    session, (first, second, third) = opened(tossed)
    assert [one.selection.shown for one in (second, third)] == [0, 2]
    lanes = [lane(session)]
    for found in (second, first):
        session.undo()
        assert session.document.recording is found
        assert session.document.measured is found.measured
        assert session.playback.loop == (0.0, float(found.trajectory.states.time[-1]))
        lanes.append(lane(session))
    assert not np.allclose(lanes[0], lanes[1])
    session.undo()
    assert session.document.recordings is None
    assert session.scenario == Scenario.preset("rod")
    for found, then in zip((first, second, third), reversed(lanes), strict=True):
        session.redo()
        assert session.document.recording is found
        assert np.array_equal(lane(session), then)


def test_undo_of_a_change_of_the_body_brings_the_lane_back_and_redo_takes_it_away(tossed):
    session, (*_, last) = opened(tossed)
    session.change({"start.angular_velocity": (1.0, 2.0, 3.0)})
    assert session.document.recordings is None
    session.undo()
    assert session.document.recording is last
    session.redo()
    assert session.document.recordings is None
    session.undo()
    session.undo()  # of the choice
    assert session.document.recording.selection.shown == 0


def test_a_kick_and_reset_keep_it(tossed):
    session, (*_, last) = opened(tossed)
    session.change({"race.show": "off"})
    session.run_to(0.2)
    session.pulse(0, 1)
    assert session.document.recording is last
    session.reset()
    assert session.document.recording is last


def test_the_saved_scene_of_a_recording_opens_without_a_complaint(tossed, tmp_path):
    session = Session(Scenario(), playing=False)
    session.open(*tossed)
    path = str(tmp_path / "toss.toml")
    session.save(path)
    assert session.document.recording is tossed[1]
    again = Session(Scenario.find(path), playing=False)
    assert again.scene.race_message is None
    assert again.scene.message is None
    assert again.scene.race is None


def test_back_at_the_start_the_flight_runs_again_and_again(tossed):
    session, (*_, last) = opened(tossed)
    session.scene.loop_recording()
    loop = session.playback.loop
    assert loop == (0.0, float(last.trajectory.states.time[-1]))
    session.scene.advance(0.1)
    session.reset()
    assert session.playback.loop == loop
    session.scene.toggle_loop()
    assert session.playback.loop is None
    session.scene.toggle_loop()
    assert session.playback.loop == loop
    session.change({"solver.integrator": "split", "loads.external_friction": 0.1})
    session.reset()  # it is no free flight any more
    assert session.playback.loop is None


def test_a_tour_s_recording_runs_again_and_again(tossed):
    session = Session(Scenario(), playing=False)
    session.stage(tossed[0], 0.0, True, tossed[1])
    assert session.playback.loop == (0.0, float(tossed[1].trajectory.states.time[-1]))
    session.leave_stage({})
    assert session.playback.loop is None


def test_why_a_recording_takes_no_push(tossed):
    session, *_ = opened(tossed)
    before = session.document
    session.pulse(0, 1)
    assert session.scene.message == "No torque pulse: a recording is compared with the free motion"
    assert session.document is before
