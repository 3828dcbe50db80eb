"""Lanes by their names."""

import pytest

from viewer.common.errors import InputError
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.stepping.projection import STABILISATIONS
from viewer.scenario.sections.race import DEFAULT_LANES, MOST_LANES, Lane, parse_lanes


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("stabilisation", STABILISATIONS)
def test_names_round_trip(integrator, stabilisation):
    lane = Lane(integrator, stabilisation)
    if stabilisation != "off" and INTEGRATORS[integrator].torque_free_only:
        with pytest.raises(InputError, match="takes no stabilisation"):
            Lane.parse(lane.name)
        return
    assert Lane.parse(f" {lane.name} ") == lane
    assert INTEGRATORS[integrator].label in lane.label


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("jolltt", "integrator: 'jolltt' is unknown; did you mean jolt?"),
        ("jolt+closest", "stabilisation: 'closest' is unknown; did you mean closest-point?"),
        ("jolt+", "stabilisation: '' is unknown"),
        ("", "integrator: '' is unknown"),
    ],
)
def test_a_name_that_is_none_is_told_once(text, words):
    with pytest.raises(InputError) as error:
        Lane.parse(text)
    assert str(error.value).startswith(words)


def test_lists_keep_their_order_and_hold_each_lane_once():
    assert [lane.name for lane in parse_lanes(["split", "jolt", " split", ""])] == ["split", "jolt"]
    assert len(DEFAULT_LANES) == 5


def test_no_lanes_and_too_many_are_told():
    with pytest.raises(InputError, match=r"lanes: 0 is outside 1 to 12"):
        parse_lanes([])
    with pytest.raises(InputError, match="lanes: 13 is outside"):
        parse_lanes(list(INTEGRATORS)[: MOST_LANES + 1])


def test_one_lane_and_the_most_are_allowed():
    names = [lane.name for lane in map(Lane, INTEGRATORS)]
    assert parse_lanes(names[:1]) == (Lane(names[0]),)
    assert len(parse_lanes(names[:MOST_LANES])) == MOST_LANES
