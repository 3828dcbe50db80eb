"""What a motion does when it cannot keep up."""

import pytest

from viewer.common.ring_buffer import RingBuffer
from viewer.physics.simulation import Simulation
from viewer.scenario.scenario import Scenario
from viewer.session.motion import PATIENCE, Motion
from viewer.session.trail import TRAIL_ROWS, TRAIL_WIDTH


def test_runs_that_are_late_again_and_again_ask_for_compiled_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(Simulation, "request_compilation", lambda simulation: asked.append(simulation.steps))
    moving = Motion(Scenario(), RingBuffer(TRAIL_ROWS, TRAIL_WIDTH))
    for _ in range(PATIENCE - 1):
        assert moving.run(1000, lambda: True) < 1000
    moving.run(8)  # in time: counts anew
    for _ in range(PATIENCE - 1):
        moving.run(1000, lambda: True)
    assert not asked
    moving.run(1000, lambda: True)
    assert asked == [moving._simulation.steps]
