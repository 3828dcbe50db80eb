"""The integration period and the pulse that follow the body at its start, and texts with units in files."""

import math

import numpy as np
import pytest

from viewer.common.errors import InputError
from viewer.scenario.consequences import CONSTRUCTION, MOMENTUM_SPACE, WHOLE_VIEW, with_momentum_space
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario

DAY = 86400.0
SPHERE = {"body.shape": "sphere", "body.radius": 6.371e6, "body.mass": 5.97e24}


def spun(rate: float, **more):
    return Scenario().with_values({**SPHERE, "start.angular_velocity": (0.0, 0.0, rate), **more})


@pytest.mark.parametrize("name", PRESETS)
def test_everyday_bodies_keep_two_milliseconds_or_what_they_set(name):
    solver = Scenario.preset(name).solver
    assert not solver.auto_period or solver.integration_period == 0.002


@pytest.mark.parametrize("turn", [1e-4, 3e-3, 0.04, 61.0, 5000.0, DAY, 30 * DAY, 1e9])
def test_a_turn_takes_twenty_to_fifty_of_others(turn):
    period = spun(2.0 * math.pi / turn).solver.integration_period
    assert turn / period * (1.0 + 1e-9) >= 20.0
    assert turn / period <= 50.0 * (1.0 + 1e-9)
    assert float(f"{period:.0e}") == period
    assert f"{period:e}"[0] in "125"


def test_it_follows_each_change_until_one_is_set_and_then_again_when_it_is_asked_for():
    earth = spun(2.0 * math.pi / DAY)
    assert earth.solver.integration_period == 2000.0
    assert earth.with_value("start.angular_velocity", (0.0, 0.0, 3.0)).solver.integration_period == 0.002
    own = earth.with_value("solver.integration_period", 10.0)
    assert not own.solver.auto_period
    assert own.with_value("start.angular_velocity", (0.0, 0.0, 3.0)).solver.integration_period == 10.0
    assert own.with_value("solver.auto_period", True) == earth
    assert Scenario.from_text(earth.to_text()) == earth
    assert Scenario.from_text(own.to_text()) == own
    assert spun(0.0).solver.integration_period == 0.002


@pytest.mark.parametrize(
    ("name", "pulse"), [("dzhanibekov", 0.02), ("rod", 0.02), ("ode-blog", 1.0), ("box-80kg", 2.0)]
)
def test_a_pulse_follows_a_preset_whose_body_is_made_small(name, pulse):
    """|L| is 0.51, 0.77, 14.1 and 34.7 kg m2/s; of a body of the 1e6th part of it, it is that part, too."""
    everyday = Scenario.preset(name)
    assert everyday.loads.pulse == pulse
    path = "body.moments" if name == "ode-blog" else "body.mass"
    small = everyday.with_value(path, (np.array(everyday.value(path)) * 1e-6).tolist())
    momentum = np.linalg.norm(small.rigid_body().principal_moments * small.start_state().omega_body)
    assert 0.04 <= small.loads.pulse / momentum <= 0.1


@pytest.mark.parametrize("rate", [1e-9, 1e-5, 1e-2, 30.0])
def test_a_pulse_is_a_twenty_fifth_to_a_tenth_of_other_momenta(rate):
    planet = spun(rate)
    momentum = 0.4 * 5.97e24 * 6.371e6**2 * rate
    assert 0.04 <= planet.loads.pulse / momentum <= 0.1
    own = planet.with_value("loads.pulse", 7.0)
    assert own.with_value("start.angular_velocity", (0.0, 0.0, 1.0)).loads.pulse == 7.0
    assert Scenario.from_text(own.to_text()) == own


def test_of_several_bodies_the_fastest_decides():
    bodies = [{"start.angular_velocity": (0.0, 0.0, 2.0 * math.pi / turn)} for turn in (DAY, 500.0)]
    scene = Scenario().with_values({**SPHERE, "bodies": [{"start": {"angular_velocity": rate}} for rate in (
        tuple(body["start.angular_velocity"]) for body in bodies)]})  # fmt: skip
    assert scene.solver.integration_period == 20.0


def test_a_file_may_have_a_number_with_its_unit():
    text = """
[body]
shape = "cylinder"
radius = "3 in"
height = "2.5 km"
mass = "4 t"
[start]
angular_velocity = ["120 rpm", 0, "30 deg/s"]
[solver]
integration_period = "5 min"
"""
    scene = Scenario.from_text(text)
    assert (scene.body.radius, scene.body.height, scene.body.mass) == pytest.approx((0.0762, 2500.0, 4000.0))
    assert scene.start.angular_velocity == pytest.approx((4.0 * math.pi, 0.0, math.pi / 6.0))
    assert scene.solver.integration_period == 300.0
    assert "radius = 0.0762" in scene.to_text()


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("3 rpm", "body.width: rpm is no unit of length; allowed: µm, mm, cm, m, km, in, ft"),
        ("wide", "body.width: 'wide' is not a number; allowed is 1e-6 to 1e9 m"),
        ("3 000 km", "body.width: '3 000 km' is not a number; allowed is 1e-6 to 1e9 m"),
        ("3e7 km", "body.width: 3e10 m is outside 1e-6 to 1e9 m"),
    ],
)
def test_a_wrong_text_is_one_line(value, line):
    with pytest.raises(InputError) as caught:
        Scenario().with_value("body.width", value)
    assert str(caught.value) == line


def test_the_pulse_of_the_largest_bodies_is_one_that_a_file_takes():
    largest = Scenario().with_values({"body.width": 5e8, "body.mass": 1e29, "start.angular_velocity": (0.0, 0.0, 1e6)})
    assert largest.loads.pulse == 1e50
    assert Scenario.from_text(largest.to_text()) == largest


def test_momentum_space_is_shown_whole_where_it_is_asked_for_and_hidden():
    hidden = Scenario().with_values(dict.fromkeys(MOMENTUM_SPACE, False))
    for asked in ({"view.construction": "momentum"}, {"show.inset": True}):
        whole = with_momentum_space(asked, hidden.value)
        assert whole == {**dict.fromkeys(CONSTRUCTION, True), **WHOLE_VIEW, **asked}
    seen = Scenario().with_value("show.polhode", True)
    assert with_momentum_space({"show.inset": True}, seen.value) == {"show.inset": True}
    assert with_momentum_space({"show.inset": False}, hidden.value) == {"show.inset": False}
