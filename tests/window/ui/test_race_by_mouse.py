"""A race by mouse: its step, its sliders and its plots, in between undone and scrubbed."""

import numpy as np
import pytest

from viewer.user.settings import Settings


def test_step_slider_plot_undo_and_scrub_in_turn(desktop):
    settings = Settings()
    settings.change("panel.open_sections", ("Race",))
    shown = desktop("race-of-five", settings=settings)
    session = shown.session
    session.run_to(6.0)
    shown.settle()
    step = session.scene.race.course.step
    shown.click(*shown.middle("##race.stepping"))
    shown.click(*shown.middle("Fixed step"))
    assert session.scene.race.course.step == step
    shown.drag(shown.middle("##race.J min[0]"), (20, 0))
    raised = 1.0 / np.array(session.scenario.body.moments) - 1.0 / np.array((1.0, 0.625, 0.5))
    assert raised[0] > 0.05
    assert raised == pytest.approx(np.full(3, raised[0]), rel=1e-12)
    assert session.scene.race.course.step == step
    shown.key("g")
    shown.click(*shown.middle("ω x′ z′##pane"))
    session.run_to(6.0)
    session.playback.seek(2.0)
    shown.settle()
    assert {round(now.time / step) for now in session.snapshot().lanes} == {int(2.0 / step)}
    shown.key("ctrl+z")
    assert session.scenario.body.moments == (1.0, 0.625, 0.5)
    assert session.scenario.race.stepping == "fixed"
    shown.key("ctrl+z")
    assert session.scenario.race.stepping == "rotation"
    assert session.scene.race.course.step == pytest.approx(step, rel=1e-14)
