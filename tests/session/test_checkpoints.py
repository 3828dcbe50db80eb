"""Any moment of a motion comes back: bit for bit, with its loads and solver, in bounded memory."""

from typing import Any

import numpy as np
import pytest
from helpers.playing import PAPER, motion

from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.state import SAMPLE
from viewer.session import checkpoints
from viewer.session.motion import IrreversibleError, Motion


def state(moving: Motion) -> tuple[float, ...]:
    """Everything that moves, to the last bit."""
    reading = moving.snapshot().reading
    return (
        reading.time, reading.energy, reading.target_energy, reading.target_momentum, *reading.orientation_wxyz,
        *reading.omega_body, *reading.position, *reading.angular_momentum_world,
    )  # fmt: skip


def comes_back(name: str, stabilisation: str) -> None:
    friction = 0.0 if INTEGRATORS[name].matrix else 0.001
    moving = motion(solver__integrator=name, solver__stabilisation=stabilisation, loads__external_friction=friction)
    seen = []
    for steps in (317, 466, 1007, 1, 866):
        moving.run(steps)
        seen.append(state(moving))
    for expected in (*seen, *reversed(seen), seen[2]):
        moving.seek(expected[0])
        assert state(moving) == expected
    moving.run(867)  # on from there
    assert state(moving) == seen[4]


# an exact drift, a composition; momentum, velocity, nothing kept; rotations and other matrices


KINDS = ("exact-drift", "exact-drift4", "split", "jolt", "explicit-euler", "matrix-euler-orthonormal", "matrix-rk4")


@pytest.mark.sweep
@pytest.mark.usefixtures("room")
@pytest.mark.parametrize(
    ("name", "stabilisation"),
    [(name, "off") for name in KINDS] + [(name, "gradient") for name in KINDS if not INTEGRATORS[name].matrix],
)
def test_a_state_comes_back_bit_for_bit(name: str, stabilisation: str) -> None:
    comes_back(name, stabilisation)


@pytest.mark.sweep(most=3)
@pytest.mark.usefixtures("room")
@pytest.mark.parametrize("room", [False], ids=["few rows"], indirect=True)
@pytest.mark.parametrize("name", [name for name in INTEGRATORS if name not in (*KINDS, "exact", "symmetric-top")])
def test_with_every_integrator(name: str) -> None:
    comes_back(name, "off")


@pytest.mark.usefixtures("room")
def test_a_thruster_and_the_place_come_back() -> None:
    moving = motion(loads__force=(0.3, 0.2, 0.1), loads__arm=(0.1, 0.0, 0.2), loads__frame="body")
    moving.run(3000)
    expected = state(moving)
    moving.run(4000)
    moving.seek(expected[0])
    assert state(moving) == expected


def test_the_closed_form_comes_back() -> None:
    moving = motion(solver__integrator="exact")
    moving.run(70000)
    expected = state(moving)
    moving.run(-100000)
    assert moving.time == pytest.approx(-3.75)
    moving.seek(expected[0])
    assert state(moving) == expected


@pytest.mark.usefixtures("room")
def test_changes_and_pulses_are_repeated() -> None:
    moving, scenario = motion(), PAPER
    seen = []

    def note() -> None:
        seen.append((state(moving), moving.active))

    moving.run(2000)
    note()
    scenario = scenario.with_value("loads.external_friction", 0.01)
    moving.change(scenario)
    moving.run(1500)
    note()
    moving.pulse((0.0, 0.01, 0.02))
    moving.run(1200)
    note()
    scenario = scenario.with_value("solver.integrator", "split").with_value("solver.extra_substeps", 3)
    moving.change(scenario)
    moving.run(900)
    note()
    moving.seek(0.0)
    assert moving.active == (PAPER.loads, PAPER.solver)
    moving.run(2000 + 1500 + 1200 + 900)
    assert (state(moving), moving.active) == seen[-1]
    moving.seek(seen[1][0][0])  # the moment of the pulse: after it
    assert moving.active == seen[1][1]
    assert state(moving)[0] == seen[1][0][0]
    assert state(moving)[1] != seen[1][0][1]
    moving.run(1199)
    last_of_it = state(moving)
    assert moving.active == seen[2][1]
    moving.seek(0.3)  # 1100 steps before the pulse
    moving.run(1100 + 1199)
    assert state(moving) == last_of_it


def test_a_change_in_the_past_cuts_the_future() -> None:
    moving = motion()
    moving.run(20000)
    moving.seek(1.0)
    assert moving.span == (0.0, 2.5)
    moving.pulse((0.0, 0.0, 0.01))
    assert moving.span == (0.0, 1.0)
    pulsed = state(moving)
    moving.run(8000)
    moving.seek(1.0)
    assert state(moving) == pulsed
    fresh = motion()
    fresh.run(8000)
    fresh.pulse((0.0, 0.0, 0.01))
    fresh.run(4000)
    moving.run(4000)
    assert state(moving) == state(fresh)


def test_backwards_and_on_again() -> None:
    moving = motion()
    start = state(moving)
    moving.run(12000)
    end = state(moving)
    moving.run(-11000)
    assert moving.time == pytest.approx(0.125)
    moving.run(11000)
    assert state(moving) == end  # not nearly: what was recorded
    moving.run(-12000)
    assert state(moving) == start
    moving.run(-4000)
    assert moving.span == (-0.5, 1.5)
    early = state(moving)
    moving.run(3000)
    moving.run(-3000)
    assert state(moving) == early
    moving.run(16000)
    assert state(moving) == end
    moving.seek(-0.5)
    assert state(moving) == early


def test_backwards_through_a_change() -> None:
    moving = motion()
    moving.run(4000)
    moving.change(PAPER.with_value("loads.external_friction", 0.01))
    moving.run(4000)
    moving.run(-6000)
    assert moving.active == (PAPER.loads, PAPER.solver)
    assert moving.time == 0.25
    back = state(moving)
    moving.seek(0.25)
    np.testing.assert_allclose(back, state(moving), atol=1e-12)  # measured: 3e-14


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"solver__integrator": "jolt"}, "Jolt a step back does not undo"),
        ({"loads__internal_friction": 0.01}, "internal friction only takes"),
        ({"solver__stabilisation": "closest-point"}, "stabilisation forgets"),
    ],
)
def test_what_does_not_run_backwards_says_why(changes: dict[str, Any], why: str) -> None:
    moving = motion(**changes)
    moving.run(2000)
    before = state(moving)
    assert why in (moving.irreversible or "")
    with pytest.raises(IrreversibleError, match=why):
        moving.run(-10)
    assert state(moving) == before
    moving.seek(0.1)
    assert moving.time == pytest.approx(0.1)


def test_a_change_before_the_origin_begins_anew() -> None:
    moving = motion()
    moving.run(1000)
    moving.run(-3000)
    moving.pulse((0.01, 0.0, 0.0))
    assert moving.span == (-0.25, -0.25)
    moving.run(4000)
    assert moving.span == (-0.25, 0.25)


def test_beginning_takes_no_memory_and_a_day_little(monkeypatch: pytest.MonkeyPatch) -> None:
    moving = motion()
    halves = moving.checkpoints.later, moving.checkpoints.earlier

    def kept() -> int:
        return sum(half.recent.data.nbytes + half.sparse._data.nbytes + half._path.data.nbytes for half in halves)

    assert kept() < 65_000  # 63 kB
    samples = np.full(299_999, np.array(moving._simulation.sample(), SAMPLE))
    samples["steps"] = np.arange(1, 300_000)
    halves[0].append_rows(moving.body, samples[:3600])
    after_a_minute = kept()
    halves[0].append_rows(moving.body, samples[3600:])
    assert kept() - after_a_minute < 31e6  # 30.0 MB
    assert halves[0].recent.data.nbytes == checkpoints.RECENT * 208


def test_memory_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "CHANGES", 10)
    moving = motion()
    sizes = []
    for n in range(60):
        moving.run(200)
        moving.change(PAPER.with_value("loads.external_friction", 0.001 * (n + 1)))
        later = moving.checkpoints.later
        sizes.append((later.recent.data.nbytes, len(moving.checkpoints.segments)))
    assert max(sizes)[1] <= 10
    first, last = moving.span
    assert 0.0 < first < last
    moving.seek(0.5 * (first + last))
    moving.run(100)
    moving.seek(-1.0)  # the oldest that is known
    assert moving.time == first


def test_the_momentum_that_a_segment_keeps_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    (segment,) = motion().checkpoints.segments
    found = segment.kept_momentum
    assert found is not None
    np.testing.assert_allclose(found, segment.simulation.angular_momentum_world, rtol=1e-14, atol=1e-16)
    monkeypatch.setattr(FreeRotation, "at", lambda *_: pytest.fail("found again"))
    assert segment.kept_momentum is found
