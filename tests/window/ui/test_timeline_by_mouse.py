"""The timeline by mouse, in a real window."""

import numpy as np
import pytest


def test_a_drag_shows_another_moment_and_playing_goes_on_from_there(desktop):
    shown = desktop()
    shown.session.run_to(10.0)
    shown.settle()
    end, snapshot = shown.scene().copy(), shown.session.snapshot()
    left, top, right, bottom = shown.boxes["##track"]
    handle = (right - 5, (top + bottom) / 2)
    shown.drag(handle, (-(right - left - 10) / 2, 0))
    assert shown.session.motion.time == pytest.approx(5.0, abs=0.05)
    assert np.mean(shown.scene() != end) > 0.02
    shown.click(right - 2, (top + bottom) / 2)
    assert shown.session.motion.time == 10.0
    np.testing.assert_array_equal(shown.session.snapshot().reading.orientation_wxyz, snapshot.reading.orientation_wxyz)
    np.testing.assert_array_equal(shown.scene(), end)
    shown.click(left + 5, (top + bottom) / 2)
    shown.click(*shown.middle("play"))
    shown.until(lambda: shown.session.motion.time > 0.05)
    assert shown.session.motion.span == (0.0, 10.0)


def test_a_drag_holds_the_clock_only_while_the_button_is_down(desktop):
    shown = desktop()
    shown.session.run_to(12.0)
    shown.settle()
    left, top, right, bottom = shown.boxes["##track"]
    shown.session.playback.play()
    shown.hands("mousemove", round((left + right) / 2), round((top + bottom) / 2), "mousedown", 1)
    shown.until(lambda: not shown.session.scene.moving)
    assert shown.session.motion.time == pytest.approx(shown.session.motion.span[1] / 2, abs=0.05)
    shown.hands("mouseup", 1)
    shown.until(lambda: shown.session.scene.moving)
    time = shown.session.motion.time
    shown.until(lambda: shown.session.motion.time > time)


def test_slow_motion_draws_a_new_picture_each_frame(desktop):
    shown = desktop("ode-blog")  # steps of 1/60 s
    shown.session.change({"solver.integrator": "exact-drift"})
    shown.session.change({"playback.speed": 0.001})  # a step takes 17 s
    shown.session.playback.play()
    shown.until(lambda: shown.session.snapshot().reading.time > 0.0)
    pictures = shown.app.scene_view.count
    shown.until(lambda: shown.app.scene_view.count >= pictures + 5)
    assert shown.session.motion.time == 0.0  # no step is done yet
    assert 0.0 < shown.session.snapshot().reading.time < 1 / 60
