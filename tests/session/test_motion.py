"""What a motion does when it cannot keep up."""

import math

import numpy as np
import pytest

from viewer.common.errors import InputError
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


def test_a_pulse_that_is_no_number_is_refused_and_leaves_the_motion_as_it_was() -> None:
    moving = Motion(Scenario(), RingBuffer(TRAIL_ROWS, TRAIL_WIDTH))
    moving.run(100)
    before = moving.snapshot().reading
    with pytest.raises(InputError, match="angular_impulse_body"):
        moving.pulse((math.nan, 0.0, 0.0))
    assert moving.changes == []
    moving.run(100)
    moving.seek(before.time)
    np.testing.assert_array_equal(moving.snapshot().reading.omega_body, before.omega_body)
