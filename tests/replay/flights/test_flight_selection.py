"""Which flights are fitted and which one is shown."""

import json

import pytest

from tests.helpers.synthetic_tosses import Tosses, tossed_phone
from viewer.common.errors import InputError
from viewer.replay.flights.free_flights import find_flights
from viewer.replay.flights.selection import best_first, choose

TIME, OMEGA, FORCE = tossed_phone(0)
FLIGHTS = find_flights(TIME, OMEGA, FORCE)


@pytest.mark.parametrize(
    ("which", "numbers", "words"),
    [
        (None, (1,), "flight 2 is shown and fitted"),
        ("3", (2,), "flight 3 is shown and fitted"),
        ("all", (0, 1, 2), "one body is fitted to all flights; flight 2 is shown"),
    ],
)
def test_one_all_or_the_best(which, numbers, words):
    chosen = choose(TIME, OMEGA, FLIGHTS, which)
    assert chosen.numbers == numbers
    assert chosen.flight is FLIGHTS[chosen.shown]
    assert chosen.motion.begin == chosen.flight.begin
    told = chosen.findings()
    assert [line.partition(":")[0] for line in told[:3]] == ["flight 1", "flight 2", "flight 3"]
    assert told[3] == words
    assert any(line.endswith(chosen.line) for line in told)
    data = json.loads(json.dumps(chosen.data()))
    assert [flight["samples"] for flight in data["flights"]] == [flight.samples for flight in FLIGHTS]
    assert data["moments"] == chosen.fit.moments.tolist()


def test_of_good_flights_the_first_that_tells_the_moments_is_shown():
    """The first throw has more turns, but hardly wobbles about the axis of the least moment."""
    throws = ((0.02, 30.0, 0.02), (12.0, 0.9, 0.8))
    time, omega, force = tossed_phone(0, Tosses(throws=throws))
    flights = find_flights(time, omega, force)
    assert best_first(flights)[0] == 0
    assert not choose(time, omega, flights, "1").fit.determined
    assert choose(time, omega, flights).numbers == (1,)
    assert choose(time, omega, flights[:1]).numbers == (0,)  # where none does, the best


@pytest.mark.parametrize("which", ["0", "4", "-1", "two", "1.0", ""])
def test_a_number_that_there_is_not(which):
    with pytest.raises(InputError, match=r"^flight: '.*' is not allowed; allowed are 1 to 3, or all$"):
        choose(TIME, OMEGA, FLIGHTS, which)
