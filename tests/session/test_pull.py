"""A body that is pulled for a while: its torque, its speed on the screen, its undo, and what ends it."""

from operator import attrgetter

import numpy as np
import pytest
from helpers.frames import picture_of
from helpers.playing import play, session
from scipy.spatial.transform import Rotation

from viewer.scenario.scenario import Scenario
from viewer.session.playback import automatic_speed

OWN = (0.01, 0.0, 0.0)


def pulled(seconds=2.0, **changes):
    """A body that is pulled harder and harder, for some seconds on the wall."""
    running = session(**changes)
    play(running, 1.0)
    for n in range(round(60 * seconds)):
        running.pull.to((0.0, 0.3 + 0.01 * n, 0.2))
        play(running, 1 / 60)
    return running


def test_while_it_is_pulled_and_afterwards_time_runs_as_before():
    running = pulled(1.5)
    assert round((2.5 - running.motion.time) / running.scenario.solver.step) <= 2  # at the speed of the start
    assert automatic_speed(running.motion.period, 1.0) < 0.5  # it has been spun up
    running.pull.end()
    for _ in range(60):
        play(running, 1 / 60)
        assert running.scene.speed == 1.0
    running.reset()
    assert running.scene.speed == automatic_speed(running.motion.period)


def test_a_pull_is_one_step_of_undo_and_leaves_the_scenes_own_torque():
    running = pulled(loads__torque=OWN)
    assert running.scenario.loads.torque != OWN
    running.pull.end()
    assert running.scenario.loads.torque == OWN
    assert running.undo_possible == (True, False)
    running.undo()
    assert running.document.changes == ()
    assert running.undo_possible == (False, True)
    running.redo()
    play(running, 0.1)
    assert running.scenario.loads.torque == OWN


def test_a_pull_is_one_mark_as_long_as_it_lasted_and_two_are_two():
    running = pulled(0.5)
    begun = 1.0
    running.pull.end()
    let_go = running.motion.time
    play(running, 1.0)
    assert len(running.document.changes) > 20
    step = 2 * running.scenario.solver.step
    assert running.document.marks == [(pytest.approx(begun, abs=step), let_go)]
    again = running.motion.time
    running.pull.to((0.0, 0.1, 0.0))
    play(running, 0.2)
    running.pull.end()
    running.pulse(0, 1)
    now = running.motion.time
    assert running.document.marks[1:] == [(again, now), (now, now)]
    running.undo()
    assert len(running.document.marks) < 3


@pytest.mark.parametrize("ends", ["pull.end", "cancel_change", "undo"])
def test_a_paused_motion_runs_while_it_is_pulled_and_is_paused_again(ends):
    running = session()
    running.playback.pause()
    then = running.motion.time
    running.pull.to((0.0, 0.3, 0.2))
    assert running.playback.playing
    play(running, 0.2)
    assert running.motion.time > then
    attrgetter(ends)(running)()
    assert not running.playback.playing
    while running.scene.moving:  # to where it was, without the pull
        play(running, 1 / 60)
    there = running.motion.time
    play(running, 0.5)
    assert running.motion.time == there
    running.undo()
    assert not running.playback.playing


def test_a_running_motion_goes_on_after_a_pull():
    running = pulled(0.2)
    running.pull.end()
    assert running.playback.playing


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize(
    "ends",
    [
        lambda running: running.undo(),
        lambda running: running.reset(),
        lambda running: running.open(Scenario.preset("rod")),
        lambda running: running.stage(Scenario.preset("rod"), 0.0, True),
        lambda running: running.change({"body.mass": 2.0}),
        lambda running: running.change({"show.labels": False}),
    ],
    ids=["undo", "reset", "open", "tour", "another body", "another change"],
)
def test_whatever_else_is_done_ends_it_and_its_torque_is_gone(ends):
    running = pulled(loads__torque=OWN)
    ends(running)
    assert running.pull.scene_torque is None
    if running.scenario.title == session().scenario.title:
        assert running.scenario.loads.torque == OWN
    running.leave_stage({})
    while running.scenario.title != session().scenario.title:
        running.undo()
    assert running.document.scenario.loads.torque == OWN


def test_the_view_may_change_in_the_middle_of_it():
    running = pulled()
    running.change({"view.zoom": 2.0})
    running.pull.to((0.0, 0.0, 1.0))
    running.pull.end()
    running.undo()
    assert running.document.changes == ()
    assert running.scenario.view.zoom == 2.0


def test_cancelled_it_has_not_been():
    running = pulled()
    running.cancel_change()
    assert running.pull.scene_torque is None
    assert running.document.changes == ()
    assert running.undo_possible == (False, False)


def test_after_it_the_herpolhode_lies_on_the_plane_of_the_motion_now():
    running = pulled()
    running.pull.end()
    play(running, 1.0)
    scene = picture_of(running, (640, 480)).main.scene
    trail = scene.trail
    first = trail.ring.row_at(float(trail.newest[0]) - trail.length)
    rows = trail.ring.rows(first, trail.ring.count)
    assert len(rows) > 10
    points = rows[:, trail.column : trail.column + 3] @ trail.world_from_points.T
    normal = scene.plane.world_from_plane[:, 2]
    distance = scene.plane.centre @ normal
    np.testing.assert_allclose(points @ normal, distance, rtol=1e-9)
    # and omega's tip runs along the polhode that is drawn: |I w| and w . I w are the same for both
    moments, here = running.motion.body.principal_moments, running.snapshot().reading.omega_body
    curve = running.snapshot().curves.polhode
    np.testing.assert_allclose(np.linalg.norm(curve * moments, axis=1), np.linalg.norm(here * moments), rtol=1e-9)
    np.testing.assert_allclose(np.sum(curve * curve * moments, axis=1), here @ (here * moments), rtol=1e-9)
    assert Rotation.from_matrix(running.snapshot().reading.rotation_world_from_body).magnitude() > 0.1


def test_a_kept_speed_stays_until_another_motion_or_another_speed():
    running = session()
    running.change({"start.angular_velocity": (0.0, 30.0, 3.0)})
    assert running.scene.speed < 0.5
    running.playback.keep_speed(1.0)
    play(running, 3.0)
    assert running.scene.speed == 1.0
    assert running.motion.time == pytest.approx(3.0, abs=2 * running.scenario.solver.step)
    running.reset()
    assert running.scene.speed < 0.5
