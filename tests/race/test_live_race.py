"""The race beside a running motion: the same lanes as a race on paper, at any moment, in any order of moments."""

import numpy as np
import pytest

from viewer.physics.simulation import Simulation
from viewer.race.live import LANE_SAMPLES, LiveRace
from viewer.race.trajectory import Course, run_lane
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import Lane
from viewer.scene.words.formatting import format_errors
from viewer.session.session import Session

LANES = ["explicit-euler", "jolt", "momentum-first", "first-order+closest-point", "split", "exact"]


def scene(preset: str = "paper-fig1", **more) -> Scenario:
    scenario = Scenario.preset(preset).with_value("race.show", "ghosts").with_value("race.lanes", LANES)
    for path, value in more.items():
        scenario = scenario.with_value(path.replace("__", "."), value)
    return scenario


def numbers(race: LiveRace) -> np.ndarray:
    return np.array(
        [
            (
                n.time,
                n.energy_error,
                n.momentum_error,
                n.direction_error,
                n.orientation_error,
                np.nan if n.phase_error is None else n.phase_error,
                *n.rotation_world_from_body.ravel(),
            )
            for n in race.now()
        ]
    )


def test_lanes_and_errors_are_those_of_the_race_on_paper():
    scenario = scene()
    race = LiveRace(scenario)
    seconds = 500 * race.course.step
    assert race.follow(seconds * (1 + 1e-12))
    for now in race.now():
        track = run_lane(Course.of(scenario, steps_per_rotation=30.0, seconds=seconds), now.lane)
        if track.stopped is not None:
            assert now.stopped == str(track.stopped)
            continue
        errors = track.errors
        assert now.time == pytest.approx(seconds)
        for mine, theirs in (
            (now.energy_error, errors.energy),
            (now.momentum_error, errors.momentum),
            (now.direction_error, errors.direction),
            (now.orientation_error, errors.orientation),
            (now.phase_error, errors.phase),
        ):
            assert mine == pytest.approx(theirs[-1], rel=1e-9, abs=2e-14)  # measured: equal, |L| and energy to 4e-16


def test_any_moment_comes_back_and_the_way_there_does_not_matter():
    straight, wandering = LiveRace(scene()), LiveRace(scene())
    step = straight.course.step
    times = [k * step * 1.0001 for k in (400, 17, 399, 0, 401, 230)]
    seen = {}
    for time in sorted(times):
        straight.follow(time)
        seen[time] = numbers(straight)
    for time in times:
        wandering.follow(time)
        np.testing.assert_array_equal(numbers(wandering)[:, 6:], seen[time][:, 6:])
        np.testing.assert_allclose(numbers(wandering), seen[time], atol=1e-12)


def test_a_race_that_is_late_goes_on_where_it_stopped():
    race, other = LiveRace(scene()), LiveRace(scene())
    goal = 300.5 * race.course.step
    other.follow(goal)
    frames = 0
    while not race.follow(goal, lambda: True):
        assert race.late
        frames += 1
    assert frames > 5
    assert not race.late
    np.testing.assert_array_equal(numbers(race), numbers(other))


@pytest.mark.slow
def test_samples_stay_bounded_and_whole_periods_and_flips_are_counted_wherever_one_looks():
    """Against a loop over every step of the lane, whose error grows by more than half a period between two samples that
    are kept: the turns of L about the axis that it circulates, less those of the exact motion."""
    scenario = scene("dzhanibekov").with_value("race.lanes", ["momentum-first"])
    race = LiveRace(scenario.with_value("race.steps_per_rotation", 21.0))
    course, steps = race.course, 100_000
    exact, (axis, middle) = course.exact, np.argsort(course.body.principal_moments)[[2, 1]]
    race.follow(steps * course.step * (1 + 1e-12))
    samples = race.runners[0].samples
    assert len(samples.rows) <= LANE_SAMPLES
    assert samples.every > 8
    other = Simulation(course.body, course.start, "momentum-first", course.step)
    rates = np.array(
        [other.state.omega_body, *(other.advance_steps(1) or other.state.omega_body for _ in range(steps))]
    )
    flips = np.concatenate(([0], np.cumsum(np.diff(np.sign(rates[:, middle])) != 0.0)))
    for at in (steps, 70_001, 12_345, 99_999, 3):
        race.follow(at * course.step * (1 + 1e-12))
        (now,) = race.now()
        assert now.time == pytest.approx(at * course.step)
        assert now.other_since is None
        assert now.flips == flips[at]
        # to half a period, of which two flips are one
        assert now.phase_error / (2 * np.pi) == pytest.approx(0.5 * flips[at] - now.time / exact.period, abs=0.5)
    assert (rates[:, axis] * rates[0, axis] > 0.0).all()
    assert flips[-1] > 4000  # the exact motion: 2001


def test_a_lane_that_circles_another_axis_has_flips_and_no_phase():
    scenario = scene("paper-fig3").with_value("race.lanes", ["first-order", "exact-drift"])
    race = LiveRace(scenario.with_values({"race.stepping": "fixed", "race.step": 0.002}))
    race.follow(20.0 * (1 + 1e-12))
    wrong, right = race.now()
    assert (wrong.flips, right.flips) == (9, 6)
    assert wrong.phase_error is None
    assert wrong.other_since == pytest.approx(3.278)
    assert "another motion: 9 flips" in format_errors(wrong)
    assert right.phase_error == pytest.approx(0.0, abs=1e-9)
    assert right.other_since is None
    race.follow(3.2)
    before, _ = race.now()
    assert before.other_since is None
    assert before.phase_error is not None


def test_a_lane_that_left_the_finite_range_says_when():
    race = LiveRace(scene("dzhanibekov"))
    race.follow(33.0)
    assert all(now.stopped is None for now in race.now())
    race.follow(60.0)
    (gone,) = [now for now in race.now() if now.stopped]
    assert gone.lane == Lane("explicit-euler")
    assert gone.stopped.startswith("Explicit Euler diverged at t = 34.14 s")
    race.follow(20.0)  # back before that
    assert all(now.stopped is None for now in race.now())


def test_a_body_that_an_integrator_refuses_leaves_the_others():
    race = LiveRace(scene().with_value("race.lanes", ["symmetric-top", "jolt"]))
    assert [now.lane.name for now in race.now()] == ["jolt"]
    assert "two equal moments" in race.refused[0]


def test_the_session_leads_the_race():
    session = Session(scene(), playing=False)
    assert [now.lane.name for now in session.snapshot().lanes] == LANES
    session.run_to(20.0)
    lanes = session.snapshot().lanes
    assert {round(now.time, 6) for now in lanes if not now.stopped} == {round(lanes[1].time, 6)}
    assert 20.0 - 0.2 < lanes[1].time <= 20.0
    session.playback.seek(5.0)
    assert session.snapshot().lanes[1].time <= 5.0
    session.change({"body.mass": 2.0})
    assert session.snapshot().lanes[1].time == 0.0
    session.change({"race.show": "off"})
    assert session.snapshot().lanes == ()


def test_a_race_needs_a_free_motion():
    session = Session(scene(), playing=False)
    session.change({"loads.external_friction": 0.1})
    assert session.snapshot().lanes == ()
    assert session.scene.message.startswith(
        "No race: loads: a race compares with the exact motion, which is known without loads"
    )
    session.change({"loads.external_friction": 0.0})
    assert len(session.snapshot().lanes) == len(LANES)
    session.pulse(0, 1)
    assert session.scene.message.startswith("No torque pulse in a race")
    session.change({"start.angular_velocity": (0.0, 0.0, 0.0)})
    assert "at rest" in session.scene.message


def test_a_load_that_is_done_again_ends_the_race():
    session = Session(scene(), playing=False)
    session.run_to(1.5)
    session.change({"loads.external_friction": 0.3})
    session.undo()
    assert len(session.snapshot().lanes) == len(LANES)
    session.redo()
    assert session.snapshot().lanes == ()
    assert session.scene.message.startswith("No race: loads")


def test_no_race_beside_a_motion_that_was_not_free():
    """The lanes start at t = 0 and are compared with the free motion from there."""
    session = Session(scene().with_value("race.show", "off"), playing=False)
    session.run_to(1.0)
    session.pulse(0, 1)
    session.change({"race.show": "ghosts"})
    assert session.snapshot().lanes == ()
    assert "a torque pulse has acted" in session.scene.message
    session.reset()
    assert len(session.snapshot().lanes) == len(LANES)
    session.commit_change()
    session.run_to(1.0)
    session.change({"loads.external_friction": 0.3})
    session.scene.run_on_to(2.0)
    session.change({"loads.external_friction": 0.0})
    assert session.snapshot().lanes == ()
    assert "a load" in session.scene.message
    session.undo()  # both changes: they are one gesture
    assert len(session.snapshot().lanes) == len(LANES)


@pytest.mark.slow
def test_a_long_jump_does_not_hold_the_window_up():
    ticks = iter(range(10**9))
    session = Session(scene(), playing=False, clock=lambda: 0.005 * next(ticks))
    session.run_to(1.0)
    session.motion.run(200000)
    session.status.changed()
    before = session.snapshot().lanes[1].time
    assert before < session.motion.time - 1.0
    assert session.scene.moving
    assert session.scene.advance(0.016)
    assert session.snapshot().lanes[1].time > before
