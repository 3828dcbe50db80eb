"""A tour's scene in place of the user's own, which comes back as it was."""

import numpy as np
import pytest
from helpers.playing import play, session

from viewer.common.errors import InputError
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.scenario.scenario import Scenario


def test_a_step_of_a_tour_begins_anew_at_its_time_or_goes_on_and_the_own_scene_comes_back() -> None:
    running = session()
    first = running.scenario
    running.change({"body.mass": 2.0})
    play(running, 1.0)
    running.playback.reverse()
    own, state = running.document, running.motion.snapshot(0.0, ())
    staged = running.scenario.with_values({"body.width": 0.9, "view.zoom": 2.0, "stereo.viewing_distance": 2.0})
    running.stage(staged, 3.0, playing=False)
    now = running.snapshot()
    exact = FreeRotation(staged.rigid_body(), staged.start_state()).at(3.0)
    assert now.reading.time == pytest.approx(3.0, abs=1e-12)
    np.testing.assert_allclose(now.reading.omega_body, exact.omega_body, atol=1e-11)
    assert (running.scenario, running.unsaved) == (staged, False)
    assert (running.playback.playing, running.playback.backwards) == (False, False)
    running.undo()  # undo knows nothing of before the step
    assert running.scenario == staged
    braked = staged.with_value("loads.external_friction", 0.01)
    running.stage(braked, None, playing=True)
    assert (running.motion.time, running.playback.playing) == (now.reading.time, True)
    assert running.scenario == braked
    assert running.unsaved_scene == own.scenario
    running.leave_stage({})
    back = running.snapshot()
    assert (running.document, running.unsaved) == (own, True)
    assert (running.playback.playing, running.playback.backwards) == (True, True)
    assert back.reading.time == state.reading.time
    np.testing.assert_array_equal(back.reading.orientation_wxyz, state.reading.orientation_wxyz)
    assert back.trail.count == state.trail.count
    running.stage(braked, 0.0, playing=True)
    running.leave_stage({"stereo.viewing_distance": 1.5})
    assert running.scenario == own.scenario.with_value("stereo.viewing_distance", 1.5)
    running.undo()
    running.undo()
    assert running.scenario == first


def test_a_step_that_cannot_be_leaves_the_own_scene_as_it_was() -> None:
    running = session()
    play(running, 1.0)
    own, time = running.document, running.motion.time
    blows = Scenario.preset("ode-blog", running.scenario).with_value("solver.integrator", "explicit-euler")
    with pytest.raises(InputError, match="Explicit Euler"):
        running.stage(blows, 40.0, playing=True)
    assert (running.document, running.motion.time, running.unsaved_scene) == (own, time, None)
    running.leave_stage({})
    assert running.document == own
    running.stage(blows, 1.0, playing=True)
    with pytest.raises(InputError, match="two equal moments"):
        running.open(blows.with_value("body.shape", "box").with_value("solver.integrator", "symmetric-top"))
    assert running.scenario == blows


def test_a_step_that_cannot_be_leaves_the_step_before_it_as_it_was() -> None:
    running = session()
    first = running.scenario.with_value("body.width", 0.9)
    running.stage(first, 3.0, playing=False)
    before = running.snapshot()
    blows = Scenario.preset("ode-blog", first).with_value("solver.integrator", "explicit-euler")
    with pytest.raises(InputError, match="Explicit Euler"):
        running.stage(blows, 40.0, playing=True)
    now = running.snapshot()
    assert (running.scenario, now.reading.time, running.playback.playing) == (first, before.reading.time, False)
    np.testing.assert_array_equal(now.reading.orientation_wxyz, before.reading.orientation_wxyz)
