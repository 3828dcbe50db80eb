"""A step of a tour with a recording: it runs on the stage, and is gone with it."""

from viewer.replay.opening import read_own
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import Recorded
from viewer.scenario.tours import tours
from viewer.session.session import Session


def test_a_flight_runs_on_the_stage_and_the_users_scene_comes_back():
    own = Session(Scenario.preset("rod"), playing=False)
    toss = tours()["toss"]
    assert toss.recording(0) == toss.recording(1) == ("tossed-phone.csv", 1)  # from the first step on only ratios
    assert toss.recording(3) == toss.recording(4) == ("tossed-phone.csv", 1)
    motion, recording = read_own(*toss.recording(3))
    own.stage(toss.scenario(3, own.scenario).with_values(motion), 0.0, False, recording)
    assert own.document.measured is not None
    assert own.document.ratios is not None
    assert own.scenario.title == "tossed-phone.csv"
    (lane,) = own.snapshot().lanes
    assert isinstance(lane.lane, Recorded)
    own.run_to(0.5)
    (lane,) = own.snapshot().lanes
    assert abs(lane.orientation_error) < 0.05  # of 2.5 turns; measured .029
    own.stage(toss.scenario(0, own.scenario), 0.0, False)
    assert own.document.measured is None
    own.leave_stage({})
    assert own.scenario == Scenario.preset("rod")
    assert own.document.measured is None
