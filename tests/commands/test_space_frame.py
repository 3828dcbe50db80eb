"""The offer of the space frame: once for a scene, and where L would be seen to turn."""

from types import SimpleNamespace

import pytest

from viewer.commands.loads import SpaceFrameOffer
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session
from viewer.workspace.workspace import Workspace

TORQUE = {"loads.torque": (0.01, 0.0, 0.0)}


class Room:
    def __init__(self, values=()):
        scenario = Scenario.preset("paper-fig1").with_values(dict(values))
        self.workspace = workspace = Workspace(Session(scenario, playing=False))
        workspace.writer = self.writer = SimpleNamespace(recording=False)
        workspace.tour = self.tour = SimpleNamespace(tour=None)
        self.session, self.state, self.messages = workspace.session, workspace.state, workspace.messages
        self.offer = SpaceFrameOffer(workspace)

    @property
    def offered(self):
        self.offer.follow()
        return self.messages.shown is not None and bool(self.messages.shown.offer)


@pytest.mark.parametrize("loads", [TORQUE, {"loads.external_friction": 0.01}])
@pytest.mark.parametrize("frame", ["ceiling", "floor"])
def test_it_is_offered_once_and_its_button_takes_it(loads, frame):
    room = Room({**loads, "view.frame": frame})
    assert room.offered
    room.messages.take_offer()
    assert room.session.scenario.view.frame == "space"
    room.messages.clear()
    room.session.change({"view.frame": frame})
    assert not room.offered


def test_it_stays_until_it_is_answered_and_is_not_offered_again():
    """However long it takes; closed it is answered, and so it is by hand."""
    for answer in ("close", "by hand"):
        room = Room(TORQUE)
        assert room.offered
        assert room.messages.wait() is None
        if answer == "close":
            room.messages.close()
        else:
            frame = room.session.scenario.view.frame
            room.session.change({"view.frame": "space"})
            assert room.messages.current is None
            room.session.change({"view.frame": frame})
        assert not room.offered


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"loads.internal_friction": 0.01},  # which leaves L where it is
        {"loads.force": (1.0, 0.0, 0.0)},  # at the centre
        {**TORQUE, "view.frame": "space"},
        {**TORQUE, "view.frame": "body"},
        {**TORQUE, "view.construction": "momentum"},
    ],
)
def test_where_it_would_show_nothing_it_is_not_offered(values):
    assert not Room(values).offered


def test_it_waits_for_a_lecture_a_tour_a_film_and_another_message():
    room = Room(TORQUE)
    for element in ("lecture", "hidden", "chart"):
        setattr(room.state, element, True)
        assert not room.offered
        setattr(room.state, element, False)
    room.tour.tour = object()
    assert not room.offered
    room.tour.tour = None
    room.writer.recording = True
    assert not room.offered
    room.writer.recording = False
    room.messages.notice("something else")
    assert not room.offered
    room.messages.clear()
    assert room.offered
    room.session.open(room.session.scenario, path="/other.toml")  # another scene
    assert room.offered


@pytest.mark.parametrize("values", [{"view.frame": "space"}, {"loads.torque": (0.0, 0.0, 0.0)}])
def test_it_goes_with_its_reason(values):
    room = Room({**TORQUE, "view.frame": "ceiling"})
    assert room.offered
    room.session.change(values)
    room.messages.follow(room.session.scene.message)
    assert room.messages.current is None
