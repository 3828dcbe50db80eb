"""Slow motion at the flips of the first scene: of the clock alone."""

from types import SimpleNamespace

import numpy as np
from helpers.playing import session

from viewer.scenario.scenario import Scenario
from viewer.ui.overlays.start_cards import TOURS, FirstStart, Recovery
from viewer.workspace.workspace import Workspace

FRAME = 1 / 60  # s
NO_CARD = Recovery(SimpleNamespace())
SCENE = Scenario.preset("t-handle")


def test_slow_where_omega_reverses_and_true_to_the_motion() -> None:
    running = session(SCENE)
    workspace = Workspace(running)
    FirstStart(workspace, NO_CARD, lambda: 0.0).begin()
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

    workspace.end_first_scene()
    before = running.motion.time
    for _ in range(60):
        running.scene.advance(FRAME)
    assert not workspace.state.opening
    assert abs(running.motion.time - before - 1.0) < 2 * running.motion.step


def test_it_explains_by_a_tour_that_there_is() -> None:
    workspace = Workspace(session(SCENE))
    first = FirstStart(workspace, NO_CARD, lambda: 0.0)
    first.begin()
    first.explain()
    assert workspace.tour.tour is not None
    assert workspace.tour.tour.name in TOURS


def test_a_scene_without_flips_is_shown_at_its_speed() -> None:
    running = session(SCENE, start__angular_velocity=(0.0, 5.0, 0.0))
    FirstStart(Workspace(running), NO_CARD, lambda: 0.0).begin()
    assert running.playback.pace is None
