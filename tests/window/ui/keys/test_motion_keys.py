"""Keys of the motion, pressed on the keyboard of a real window."""

import numpy as np
import pytest
from helpers.keys import checks_in, keys_of, press


def check_play(shown, which):
    press(shown, "play", which)
    assert shown.session.playback.playing
    press(shown, "play", which)
    assert not shown.session.playback.playing


def check_step(shown, which):
    press(shown, "step", which)
    assert shown.session.motion.time == pytest.approx(shown.scenario.solver.integration_period)
    assert not shown.session.playback.playing


def run_reversibly(shown):
    shown.session.change({"solver.integrator": "exact-drift", "solver.stabilisation": "off"})


def check_step_back(shown, which):
    run_reversibly(shown)
    press(shown, "step-back", which)
    assert shown.session.motion.time == pytest.approx(-shown.scenario.solver.integration_period)
    assert not shown.session.playback.playing


def check_backwards(shown, which):
    run_reversibly(shown)
    press(shown, "backwards", which)
    assert (shown.session.playback.backwards, shown.session.playback.playing) == (True, True)
    press(shown, "backwards", which)
    assert (shown.session.playback.backwards, shown.session.playback.playing) == (False, True)


def check_flip(shown, which):
    press(shown, "flip", which)
    shown.until(lambda: not shown.session.scene.moving)
    assert shown.session.motion.time == pytest.approx(1.75177, abs=1e-3)


def check_loop(shown, which):
    press(shown, "loop", which)
    assert shown.session.playback.loop == pytest.approx((0.0, 7.00707), abs=1e-5)
    press(shown, "loop", which)
    assert shown.session.playback.loop is None


def check_restart(shown, which):
    shown.session.playback.step_once()
    press(shown, "restart", which)
    assert shown.session.motion.time == 0.0


def check_stabilise(shown, which):
    press(shown, "stabilise", which)
    assert shown.scenario.solver.stabilisation == "off"
    press(shown, "stabilise", which)
    assert shown.scenario.solver.stabilisation == "gradient"


def check_faster(shown, which):
    press(shown, "faster", which)
    assert shown.session.scene.speed > 1.0


def check_slower(shown, which):
    press(shown, "slower", which)
    assert shown.session.scene.speed < 1.0


def check_hand(shown, which):
    press(shown, "hand", which)
    assert shown.app.workspace.state.hand
    press(shown, "hand", which)
    assert not shown.app.workspace.state.hand


def check_add_force(shown, which):
    press(shown, "add-force", which)
    assert any(shown.scenario.loads.force)
    assert any(shown.scenario.loads.arm)
    assert shown.message.startswith("Drag the tip")


def check_pulse(shown, axis, sign):
    before, picture = shown.session.snapshot().reading, shown.scene().copy()
    press(shown, f"pulse-{'xyz'[axis]}{sign}")
    now = shown.session.snapshot().reading
    wanted = np.zeros(3)
    wanted[axis] = float(sign + "0.02")
    moments = shown.scenario.rigid_body().principal_moments
    assert moments * (now.omega_body - before.omega_body) == pytest.approx(wanted, abs=1e-15)
    assert now.time == before.time
    assert np.any(shown.scene() != picture)  # paused, and seen at once


CHECKS = checks_in(globals()) | {
    f"pulse-{'xyz'[axis]}{sign}": lambda shown, which, axis=axis, sign=sign: check_pulse(shown, axis, sign)
    for axis in range(3)
    for sign in "+-"
}


@pytest.mark.sweep(most=6)
@pytest.mark.parametrize(("action", "which"), keys_of("Motion"))
def test_key(shown, action, which):
    CHECKS[action](shown, which)
