"""The quality follows the machine: down when pictures cost too much, up again with reserve, never to and fro."""

from collections.abc import Callable

import pytest

from viewer.scenario.choices.themes import AUTO, FULL, QUALITIES, Quality
from viewer.ui.view.dynamic_resolution import BUDGET, FEWEST, ROOM, STILL, WARMING, DynamicResolution


class Machine:
    """Draws pictures one after the other; what a picture costs is told by `cost`, of the quality."""

    def __init__(self, cost: Callable[[Quality], float], setting: str = AUTO) -> None:
        self.fluency, self.cost, self.setting = DynamicResolution(), cost, setting
        self.now = 0.0
        self.used: list[Quality] = []

    def picture(self, playing: bool = True, slow: float = 0.0) -> Quality:
        self.fluency.moved(self.now, playing)
        quality = self.fluency.quality(self.setting, self.now)
        cost = self.cost(quality) + slow
        self.now += cost
        self.fluency.drawn(quality, cost, self.now)
        self.used.append(quality)
        self.now += max(0.0, 1 / 60 - cost)
        return quality

    def play(self, seconds: float) -> list[Quality]:
        """The qualities of the pictures in that time."""
        end, count = self.now + seconds, len(self.used)
        while self.now < end:
            self.picture()
        return self.used[count:]

    def changes(self) -> int:
        return sum(a is not b for a, b in zip(self.used, self.used[1:], strict=False))


def pixels(full: float, fixed: float = 0.0) -> Callable[[Quality], float]:
    """A machine that takes `full` seconds for all pixels, and `fixed` whatever their number."""
    return lambda quality: fixed + full * quality.resolution**2


def test_a_fast_machine_draws_in_full() -> None:
    assert set(Machine(pixels(0.010)).play(10.0)) == {FULL}


@pytest.mark.parametrize("full", [0.021, 0.026, 0.035, 0.05, 0.07])
def test_a_slow_machine_gets_fluent_within_a_second_and_then_stays_as_it_is(full: float) -> None:
    machine = Machine(pixels(full, 0.001))
    machine.play(1.0)
    settled = machine.used[-1]
    assert settled is not FULL
    assert machine.cost(settled) <= BUDGET
    finer = list(QUALITIES.values())[list(QUALITIES.values()).index(settled) - 1]
    assert finer is FULL or machine.cost(finer) > ROOM * BUDGET  # no coarser than it has to be
    before = machine.changes()
    machine.play(60.0)
    assert machine.changes() == before


def test_single_slow_pictures_change_nothing() -> None:
    machine = Machine(pixels(0.015))
    for n in range(600):
        machine.picture(slow=0.2 if n % 20 == 0 else 0.0)
    assert set(machine.used) == {FULL}


def test_the_slowest_machine_is_given_up_on_at_the_lowest_quality() -> None:
    assert Machine(pixels(1.0)).play(60.0)[-1] is QUALITIES["low"]


def test_a_machine_that_is_free_again_draws_in_full_again() -> None:
    machine = Machine(pixels(0.05))
    machine.play(2.0)
    assert machine.used[-1] is not FULL
    machine.cost = pixels(0.008)
    assert machine.play(10.0)[-1] is FULL


def test_what_does_not_go_with_the_pixels_is_learnt() -> None:
    """7 of 13.1 ms at medium are the interface's: high costs 16 ms, by the pixels alone it would be 19.3, too many."""
    machine = Machine(pixels(0.024, 0.0070))
    machine.play(30.0)
    machine.cost = pixels(0.0125, 0.0070)
    assert machine.play(30.0)[-1] is QUALITIES["high"]


@pytest.mark.parametrize("fixed", [0.016, 0.025, 0.040])
def test_no_pixels_are_given_up_for_nothing(fixed: float) -> None:
    """Where the pixels cost little beside all the rest, the coarsest picture would hardly come sooner."""
    machine = Machine(pixels(0.2 * fixed, fixed))
    machine.play(20.0)
    assert machine.used[-1] is not QUALITIES["low"]
    before = machine.changes()
    machine.play(60.0)
    assert machine.changes() == before


@pytest.mark.parametrize(("fixed", "quality"), [(0.016, "high"), (0.025, "full"), (0.040, "full")])  # high: 19.5 ms
def test_pixels_given_up_while_the_machine_was_busy_come_back(fixed: float, quality: str) -> None:
    """Even where the budget is out of reach in any quality."""
    machine = Machine(pixels(0.3 * fixed, fixed))
    machine.play(20.0)
    machine.cost = pixels(0.2, fixed)
    machine.play(20.0)
    assert machine.used[-1] is QUALITIES["low"]
    machine.cost = pixels(0.3 * fixed, fixed)
    machine.play(300.0)
    assert machine.used[-1] is QUALITIES[quality]


def test_tries_that_fail_become_rare() -> None:
    """A machine whose cost lies: full quality looks affordable from below, and is not."""
    machine = Machine(lambda quality: 0.024 if quality is FULL else 0.0095)
    machine.play(10.0)
    early = machine.changes()
    machine.play(300.0)
    assert early >= 2
    assert machine.changes() - early <= 12  # measured 10: a try every two minutes in the end


def test_what_was_learnt_of_another_stereo_mode_is_forgotten() -> None:
    """The first picture of a mode that costs less is full, though several tries to go up have failed before."""
    machine = Machine(lambda quality: 0.024 if quality is FULL else 0.0095)
    machine.play(60.0)
    assert machine.used[-1] is not FULL
    machine.cost = pixels(0.012, 0.003)
    machine.fluency.forget()
    assert set(machine.play(10.0)) == {FULL}
    machine.cost = pixels(0.030, 0.001)
    machine.fluency.forget()
    assert machine.play(1.0)[-1] is QUALITIES["medium"]  # 15.7 ms


ANAGLYPH = {"full": 0.037, "high": 0.034, "medium": 0.028, "low": 0.022}  # measured on a slow machine; enlarging costs
CHECKERBOARD = {"full": 0.041, "high": 0.029, "medium": 0.0255, "low": 0.022}
LEFT = {"full": 0.0256, "high": 0.0276, "medium": 0.0222, "low": 0.0187}


@pytest.mark.parametrize("speed", [1.0, 1.3, 1.7, 2.5])
@pytest.mark.parametrize("measured", [ANAGLYPH, CHECKERBOARD, LEFT])
def test_the_finest_quality_that_keeps_the_budget_is_settled_on(measured: dict[str, float], speed: float) -> None:
    """Or, where none does, the finest that costs at most a quarter more than the cheapest."""
    costs = {name: cost / speed for name, cost in measured.items()}
    machine = Machine(lambda quality: costs[quality.name])
    machine.play(1.5)
    limit = BUDGET if costs["low"] <= BUDGET else 1.25 * costs["low"]
    assert machine.used[-1].name == next(name for name, cost in costs.items() if cost <= limit)
    assert set(machine.play(100.0)) == {machine.used[-1]}


def test_slow_first_pictures_lead_to_no_coarser_quality_than_the_next_ones_need() -> None:
    """A new stereo mode allocates, and the machine may be busy: low is only tried after medium has been measured."""
    machine = Machine(pixels(0.022, 0.003))
    for _ in range(FEWEST + WARMING):
        machine.picture(slow=0.040)
    machine.play(20.0)
    assert QUALITIES["low"] not in machine.used
    assert machine.used[-1] is QUALITIES["high"]  # 18.9 ms


def test_a_picture_that_stands_still_is_full_after_a_moment() -> None:
    machine = Machine(pixels(0.05))
    machine.play(2.0)
    assert machine.picture(playing=False) is not FULL  # the pause itself
    wait = machine.fluency.wait(machine.now)
    assert wait is not None
    assert 0.0 < wait <= STILL
    assert machine.fluency.quality(AUTO, machine.now + wait + 1e-9) is FULL
    assert machine.fluency.wait(machine.now + STILL) is None


def test_a_change_after_a_rest_is_drawn_in_full_and_a_drag_as_fast_as_playing() -> None:
    machine = Machine(pixels(0.05))
    machine.play(2.0)
    machine.picture(playing=False)
    machine.now += 5.0
    assert machine.picture(playing=False) is FULL
    assert machine.picture(playing=False) is not FULL  # the next one, at once: the view is being turned


def test_pictures_that_take_longer_than_a_rest_are_moving_all_the_same() -> None:
    machine = Machine(pixels(0.5))
    for _ in range(FEWEST + WARMING + 1):
        machine.picture(playing=False)  # a drag: the next change comes as soon as the last picture is there
    assert machine.used[-1] is QUALITIES["high"]


@pytest.mark.parametrize("name", list(QUALITIES))
def test_what_is_set_by_hand_holds_while_it_moves(name: str) -> None:
    machine = Machine(pixels(0.001), setting=name)
    machine.play(5.0)
    assert set(machine.used) == {QUALITIES[name]}
    machine.picture(playing=False)
    assert machine.fluency.quality(name, machine.now + STILL) is FULL


def test_a_picture_that_comes_to_rest_between_two_looks_at_the_clock_is_drawn_in_full() -> None:
    resolution = DynamicResolution()
    resolution.moved(10.0, playing=False)
    resolution.drawn(resolution.quality(AUTO, 10.0), 0.01, 10.0)
    resolution.moved(10.1, playing=False)
    resolution.drawn(resolution.quality(AUTO, 10.1), 0.01, 10.1)
    at = 10.1 + STILL
    resolution.quality(AUTO, at - 1e-4)  # in motion by a hair
    assert resolution.wait(at + 1e-4) == 0.0  # so it is asked again
    assert resolution.quality(AUTO, at + 1e-4) is FULL
    assert resolution.wait(at + 1e-4) is None
