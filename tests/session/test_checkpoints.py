"""Any moment of a motion comes back: bit for bit, with its loads and solver, in bounded memory."""

from typing import Any

import numpy as np
import pytest
from helpers.playing import PAPER

from viewer.common.ring_buffer import DecimatedBuffer, RingBuffer
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.integrators import INTEGRATORS
from viewer.scenario.scenario import Scenario
from viewer.session import checkpoints
from viewer.session.motion import IrreversibleError, Motion
from viewer.session.trail import POSITION_COLUMN, TRAIL_ROWS, TRAIL_WIDTH


def motion(scenario: Scenario = PAPER, **changes: Any) -> Motion:
    for path, value in changes.items():
        scenario = scenario.with_value(path.replace("__", "."), value)
    return Motion(scenario, RingBuffer(TRAIL_ROWS, TRAIL_WIDTH))


def state(moving: Motion) -> tuple[float, ...]:
    """Everything that moves, to the last bit."""
    reading = moving.snapshot().reading
    return (
        reading.time, reading.energy, reading.target_energy, reading.target_momentum, *reading.orientation_wxyz,
        *reading.omega_body, *reading.position, *reading.angular_momentum_world,
    )  # fmt: skip


@pytest.fixture(params=[True, False], ids=["all rows", "few rows"])
def room(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once with room for every row, once with so little that nearly every state has to be stepped to again."""
    if not request.param:
        monkeypatch.setattr(checkpoints, "RECENT", 8)
        monkeypatch.setattr(checkpoints, "SPARSE", 8)


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


@pytest.mark.usefixtures("room")
@pytest.mark.parametrize(
    ("name", "stabilisation"),
    [(name, "off") for name in KINDS] + [(name, "gradient") for name in KINDS if not INTEGRATORS[name].matrix],
)
def test_a_state_comes_back_bit_for_bit(name: str, stabilisation: str) -> None:
    comes_back(name, stabilisation)


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
        seen.append((state(moving), moving.acting))

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
    assert moving.acting == (PAPER.loads, PAPER.solver)
    moving.run(2000 + 1500 + 1200 + 900)
    assert (state(moving), moving.acting) == seen[-1]
    moving.seek(seen[1][0][0])  # the moment of the pulse: after it
    assert moving.acting == seen[1][1]
    assert state(moving)[0] == seen[1][0][0]
    assert state(moving)[1] != seen[1][0][1]
    moving.run(1199)
    last_of_it = state(moving)
    assert moving.acting == seen[2][1]
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
    assert moving.acting == (PAPER.loads, PAPER.solver)
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


@pytest.mark.usefixtures("room")
@pytest.mark.parametrize("integrator", ["exact-drift", "split"])
def test_the_trail_after_a_jump_is_that_of_the_way_there(integrator: str) -> None:
    moving = motion(solver__integrator=integrator)
    moving.run(30000)
    rows = moving.snapshot().trail.rows(0, TRAIL_ROWS)
    moving.run(30000)
    moving.seek(rows[-1, 0])
    again = moving.snapshot().trail.rows(0, TRAIL_ROWS)
    assert len(again) > 20
    spacing = np.diff(rows[:, 0])[0]
    np.testing.assert_allclose(np.diff(again[:, 0]), spacing)
    assert again[-1, 0] == pytest.approx(rows[-1, 0], abs=spacing)
    for axis in range(1, 7):  # the same curve, whatever moments its rows stand for
        np.testing.assert_allclose(again[:, axis], np.interp(again[:, 0], rows[:, 0], rows[:, axis]), atol=5e-3)


@pytest.mark.parametrize("integrator", ["exact-drift", "split"])
def test_a_trail_whose_rows_are_gone_is_made_again(integrator: str) -> None:
    """In a ring with room for a quarter of the way."""
    scenario = PAPER.with_value("solver.integrator", integrator)
    moving = Motion(scenario, RingBuffer(64, TRAIL_WIDTH))
    moving.run(60000)
    moving.seek(2.0)
    ring = moving.snapshot().trail
    rows = ring.rows(ring.first, ring.count)
    assert len(rows) > 48
    spacing = np.diff(rows[:, 0])
    np.testing.assert_allclose(spacing, spacing[0], rtol=1e-9)
    assert 2.0 - spacing[0] <= rows[-1, 0] <= 2.0
    exact = FreeRotation(scenario.rigid_body(), scenario.start_state()).at(rows[:, 0])
    np.testing.assert_allclose(rows[:, 4:7], exact.omega_body, atol=1e-11 if integrator == "exact-drift" else 1e-6)


def times_of_trail(moving: Motion) -> list[float]:
    """Of all rows."""
    ring = moving.snapshot().trail
    found: list[float] = ring.rows(ring.first, ring.count)[:, 0].tolist()
    return found


@pytest.mark.parametrize("integrator", ["exact-drift", "jolt"])
def test_the_trail_is_wound_back_and_forth(integrator: str) -> None:
    moving = motion(solver__integrator=integrator)
    moving.run(20000)
    ring, times = moving.snapshot().trail, times_of_trail(moving)
    rows = ring.rows(0, ring.count)
    moving.seek(times[-40] + 1e-9)
    assert times_of_trail(moving) == times[:-39]
    moving.run(500)  # what is known comes again
    moving.seek(times[-1])
    ring = moving.snapshot().trail
    np.testing.assert_array_equal(ring.rows(0, ring.count), rows)
    assert ring.generation == 1  # so that nothing had to be drawn anew
    if integrator == "exact-drift":
        moving.run(-12000)
        assert times_of_trail(moving) == [time for time in times if time <= moving.time]
        moving.run(12000)
        assert times_of_trail(moving) == times


def test_a_trail_that_was_cut_off_does_not_come_back() -> None:
    moving = motion()
    moving.run(20000)
    moving.seek(1.0)
    moving.pulse((0.0, 0.01, 0.02))
    moving.run(20000)
    times = times_of_trail(moving)
    assert times == sorted(times)
    assert times[-1] == pytest.approx(3.5, abs=0.05)
    assert np.diff(times).max() < 0.05
    moving.seek(0.5)
    moving.seek(3.5)
    assert times_of_trail(moving) == times


def test_the_trail_turns_with_time_at_the_origin() -> None:
    moving = motion()
    moving.run(4000)
    moving.run(-4000)
    moving.run(-4000)
    assert times_of_trail(moving)[0] == 0.0
    assert times_of_trail(moving) == sorted(times_of_trail(moving), reverse=True)
    moving.run(2000)
    assert times_of_trail(moving)[-1] == pytest.approx(-0.25, abs=0.03)
    moving.run(4000)
    assert times_of_trail(moving)[0] == 0.0
    assert times_of_trail(moving) == sorted(times_of_trail(moving))
    assert times_of_trail(moving)[-1] == pytest.approx(0.25, abs=0.03)


def test_beginning_takes_no_memory_and_a_day_little(monkeypatch: pytest.MonkeyPatch) -> None:
    moving = motion()
    halves = moving.checkpoints.later, moving.checkpoints.earlier

    def kept() -> int:
        return sum(half.recent.data.nbytes + half.sparse._data.nbytes for half in halves)

    assert kept() < 60_000  # 53 kB
    sample = moving._simulation.sample()
    after = {}
    for number in range(1, 300_000):
        halves[0].append(sample._replace(steps=number))
        if number in (3600, 299_999):
            after[number] = kept()
    assert after[299_999] - after[3600] < 3e6  # 2.6 MB more than after a minute
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


def test_thinned_rows_stay_evenly_spaced() -> None:
    thinned = DecimatedBuffer(8, 1)
    for number in range(1000):
        thinned.offer(number, (float(number),))
        kept = thinned.rows[:, 0]
        assert kept[0] == 0.0
        assert len(kept) <= 8
        assert np.all(np.diff(kept) == thinned.every)
        assert number - kept[-1] < thinned.every
    thinned.cut(300)
    assert thinned.rows[-1, 0] == 256.0
    for number in range(300, 2000):
        thinned.offer(number, (float(number),))
    assert np.all(np.diff(thinned.rows[:, 0]) == thinned.every)


def test_a_ring_takes_memory_as_it_needs_it() -> None:
    ring = RingBuffer(1000, 2)
    sizes = []
    for n in range(2500):
        ring.append((float(n), -float(n)))
        sizes.append(len(ring.data))
    assert (sizes[0], sizes[64], sizes[-1]) == (64, 128, 1000)
    np.testing.assert_array_equal(ring.rows(0, 9999)[:, 0], np.arange(1500.0, 2500.0))
    many = RingBuffer(100, 1)
    many.append_rows(np.arange(70.0)[:, None])
    many.append_rows(np.arange(70.0, 300.0)[:, None])
    np.testing.assert_array_equal(many.rows(0, 300)[:, 0], np.arange(200.0, 300.0))


def test_a_ring_is_wound() -> None:
    ring = RingBuffer(100, 1)
    ring.append_rows(np.arange(250.0)[:, None])
    generation = ring.generation
    ring.set_end(200)
    assert (ring.first, ring.count, ring.end, ring.generation) == (150, 200, 250, generation)
    assert ring.rows(0, 999)[-1, 0] == 199.0
    ring.set_end(250)
    assert ring.rows(0, 999)[-1, 0] == 249.0
    ring.set_end(160)
    ring.append((-1.0,))
    assert (ring.first, ring.count, ring.end, ring.generation) == (150, 161, 161, generation + 1)
    assert ring.rows(0, 999)[[0, -2, -1], 0].tolist() == [150.0, 159.0, -1.0]
    with pytest.raises(ValueError, match=r"allowed are 150\.\.161"):
        ring.set_end(162)


def test_a_ring_that_is_cut_gives_no_row_that_was_overwritten() -> None:
    ring = RingBuffer(4, 1)
    for n in range(10):
        ring.append((float(n),))
    generation = ring.generation
    ring.cut(8)
    assert (ring.first, ring.count, ring.generation) == (6, 8, generation + 1)
    ring.append((80.0,))
    assert ring.rows(0, 99)[:, 0].tolist() == [6.0, 7.0, 80.0]
    ring.cut(2)
    assert (ring.first, ring.count) == (2, 2)
    ring.append((20.0,))
    assert ring.rows(0, 99)[:, 0].tolist() == [20.0]


@pytest.mark.parametrize("capacity", [64, TRAIL_ROWS])
@pytest.mark.parametrize("frame", ["space", "body"])
def test_the_trail_holds_the_path_of_the_centre_of_mass_wherever_it_was_made(frame: str, capacity: int) -> None:
    """A force through the centre and an initial velocity: a parabola, also where the rows are made again; and a force
    that turns with the body, against the same steps one by one."""
    loads = {"loads.force": (0.3, -0.2, 0.5), "loads.frame": frame, "start.linear_velocity": (0.2, 0.0, -0.1)}
    scenario = PAPER.with_values(loads)
    moving = Motion(scenario, RingBuffer(capacity, TRAIL_WIDTH))
    moving.run(40000)
    moving.seek(2.0)
    ring = moving.snapshot().trail
    rows = ring.rows(ring.first, ring.count)
    assert len(rows) > 10
    times, mass = rows[:, :1], scenario.body.mass
    if frame == "space":
        path = np.array([0.2, 0.0, -0.1]) * times + np.array([0.3, -0.2, 0.5]) * times**2 / (2.0 * mass)
        np.testing.assert_allclose(rows[:, POSITION_COLUMN:], path, atol=1e-12)
        return
    simulation = scenario.simulation()
    for row in rows[:: max(1, len(rows) // 8)]:
        simulation.advance_steps(round((row[0] - simulation.time) / simulation.step))
        np.testing.assert_allclose(row[POSITION_COLUMN:], simulation.state.position, atol=1e-9)


def test_a_path_that_a_force_bends_has_rows_enough_where_the_body_does_not_turn() -> None:
    scenario = PAPER.with_values(
        {
            "start.angular_velocity": (0.0, 0.0, 0.0),
            "start.linear_velocity": (1.0, 0.0, 0.0),
            "loads.force": (0.0, 2.0, 0.0),
        }
    )
    moving = Motion(scenario, RingBuffer(TRAIL_ROWS, TRAIL_WIDTH))
    moving.run(round(2.0 / moving.step))
    ring = moving.snapshot().trail
    rows = ring.rows(ring.first, ring.count)
    between = 0.5 * (rows[1:, 0] + rows[:-1, 0])
    sag = between**2 / scenario.body.mass - 0.5 * (rows[1:, 8] + rows[:-1, 8])
    # of 2 m: measured 3e-4 m; with rows by the turning alone there are none but the first
    assert np.abs(sag).max() < 1e-3


def test_the_momentum_that_a_segment_keeps_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    (segment,) = motion().checkpoints.segments
    found = segment.kept_momentum
    assert found is not None
    np.testing.assert_allclose(found, segment.simulation.angular_momentum_world, rtol=1e-14, atol=1e-16)
    monkeypatch.setattr(FreeRotation, "at", lambda *_: pytest.fail("found again"))
    assert segment.kept_momentum is found
