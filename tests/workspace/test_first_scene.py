"""Slow motion at the flips of the first scene: of the clock alone."""

import numpy as np
from helpers.playing import session

from viewer.scenario.scenario import Scenario
from viewer.workspace.workspace import Workspace

FRAME = 1 / 60  # s
SCENE = Scenario.preset("t-handle")


def test_slow_where_omega_reverses_and_true_to_the_motion() -> None:
    running = session(SCENE)
    workspace = Workspace(running)
    workspace.first_scene.begin()
    times, spins = [0.0], [running.snapshot().reading.omega_body[2]]  # about the handle, the middle axis
    while times[-1] < 8.0:
        running.scene.advance(FRAME)
        times.append(running.motion.time + running.playback.ahead * running.motion.step)
        spins.append(running.snapshot().reading.omega_body[2])
    rates = np.diff(times) / FRAME
    flips = np.flatnonzero(np.diff(np.sign(spins)))
    assert len(flips) == 2
    assert spins[0] > 0.0
    assert np.all(rates[flips] < 0.31)  # measured 0.300, 0.300
    assert rates.max() < 1.01  # a frame ends with a step: measured 1.005
    assert np.median(rates[(flips[0] + flips[1]) // 2 - 20 :][:40]) > 0.99
    assert np.abs(np.diff(rates)).max() < 0.04  # smooth: measured 0.019 from frame to frame
    slow = float(np.sum(FRAME * (rates < 0.65)))
    assert 1.0 < slow / 2 < 3.0  # s on the screen at each flip

    plain = SCENE.simulation()
    plain.advance_steps(round(running.motion.time / plain.step))
    np.testing.assert_array_equal(running.motion.snapshot().reading.omega_body, plain.state.omega_body)

    workspace.first_scene.end()
    before = running.motion.time
    for _ in range(60):
        running.scene.advance(FRAME)
    assert not workspace.state.opening
    assert abs(running.motion.time - before - 1.0) < 2 * running.motion.step


def test_it_ends_when_the_scene_is_changed_and_not_when_it_is_looked_at() -> None:
    workspace = Workspace(session(SCENE))
    workspace.first_scene.begin()
    workspace.editor.set("view.azimuth_deg", 10.0)
    workspace.first_scene.follow()
    assert workspace.state.opening
    workspace.editor.set("show.polhode", not SCENE.show.polhode)
    workspace.first_scene.follow()
    assert not workspace.state.opening


def test_a_scene_without_flips_is_shown_at_its_speed() -> None:
    running = session(SCENE, start__angular_velocity=(0.0, 5.0, 0.0))
    Workspace(running).first_scene.begin()
    assert running.playback.pace is None
