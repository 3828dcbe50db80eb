"""What a scene says of itself is said of the scene of which it holds, and of no other."""

import numpy as np
import pytest

from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.scene.words.sources import sources, summary, title
from viewer.session.session import Session

MOTIONS = (
    {"body.mass": 2.5},
    {"start.angular_velocity": (0.1, 0.2, 5.0)},
    {"loads.external_friction": 0.123},
    {"solver.integrator": "implicit"},
    {"solver.largest_omega": 3.0},
)
PICTURES = (
    {"view.frame": "space", "view.zoom": 1.5},
    {"stereo.mode": "anaglyph"},
    {"show.plane": False, "playback.speed": 3.0},
    {"solver.stabilisation": "closest-point", "loads.pulse": 0.5},
)


def opened(values=None) -> Session:
    return Session(Scenario.preset("box-80kg").with_values(values or {}), playing=False)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_preset_says_all_that_it_has_to_say(preset):
    scenario, own = Scenario.preset(preset), PRESETS[preset]
    session = Session(scenario, playing=False)
    assert title(scenario) == title(session.scenario) == own.title
    assert summary(session) == own.summary
    assert sources(scenario) == sources(own)


@pytest.mark.parametrize("values", MOTIONS)
def test_an_edited_preset_does_not_tell_of_the_other_motion(values):
    """A box that wobbles with 172 J was said to flip every 4 s."""
    session = opened()
    session.change(values)
    assert (title(session.scenario), summary(session)) == ("Box of 80 kg, changed", "")
    session.undo()
    assert title(session.scenario) == "Box of 80 kg"
    assert "flips every 4 s" in summary(session)
    assert summary(opened(values)) == ""


@pytest.mark.parametrize("values", PICTURES)
def test_another_picture_of_the_same_motion_changes_no_words(values):
    session = opened(values)
    assert title(session.scenario) == "Box of 80 kg"
    assert "flips every 4 s" in summary(session)


def test_of_several_bodies_it_does_not_matter_which_is_selected():
    session = Session(Scenario.preset("twenty-boxes"), playing=False)
    session.select(7)
    assert title(session.scenario) == "From plate to rod"
    session.change({"body.mass": 3.0})
    assert title(session.scenario) == "From plate to rod, changed"


def test_a_push_takes_the_summary_away_until_it_is_taken_back():
    session = opened()
    before = session.snapshot().reading.energy
    for _ in range(6):
        session.pulse(0, 1)
    assert not np.isclose(session.snapshot().reading.energy, before, rtol=1e-9)
    assert summary(session) == ""
    for _ in range(6):
        session.undo()
    assert "flips every 4 s" in summary(session)


def test_a_file_with_the_words_of_a_preset_over_other_numbers(tmp_path):
    scenario = Scenario.preset("toutatis-spin")
    assert len(sources(scenario)) > 0
    path = tmp_path / "scene.toml"
    scenario.save(path)
    path.write_text(path.read_text().replace("angular_velocity = [", "angular_velocity = [1.0, 2.0, 3.0] # was ["))
    found = Scenario.load(path)
    assert found.title == scenario.title
    assert sources(found) == []
    assert title(found).endswith(", changed")
    assert sources(found.with_value("source", "my own measurement")) == ["Source: my own measurement"]


def test_the_words_of_a_file_hold_of_what_it_says_and_stay_in_it(tmp_path):
    """They are the user's own: what is edited does not delete them."""
    path = tmp_path / "scene.toml"
    path.write_text('title = "Mine"\nsummary = "It wobbles."\n[body]\nshape = "box"\n')
    session = Session(Scenario.load(path), playing=False, path=str(path))
    assert (title(session.scenario), summary(session)) == ("Mine", "It wobbles.")
    session.change({"start.angular_velocity": (0.0, 0.0, 9.0)})
    assert (title(session.scenario), summary(session)) == ("Mine", "")
    session.save(path)
    assert 'summary = "It wobbles."' in path.read_text()
    assert summary(session) == "It wobbles."
