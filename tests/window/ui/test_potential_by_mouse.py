"""The plot of a top's effective potential: its dot, dragged by a real mouse, begins the motion with another tilt."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from viewer.scene.constructions.axis_path import directions
from viewer.ui.platform.imgui_module import implot


class Recorded:
    """ImPlot, with the pixels of the last point that can be dragged and of another 10 degrees on."""

    def __getattr__(self, name: str) -> Any:
        return getattr(implot, name)

    def drag_point(self, number: int, x: float, y: float, *more: Any) -> Any:
        self.at, self.further = implot.plot_to_pixels(x, y), implot.plot_to_pixels(x + np.radians(10.0), y)
        return implot.drag_point(number, x, y, *more)


def inclination(session: Any) -> float:
    return float(np.degrees(np.arccos(directions(session.snapshot())[2])))


def test_dragging_the_dot_tilts_the_top_anew_in_one_step_of_undo_and_escape_cancels_it(desktop, monkeypatch):
    drawn = Recorded()
    monkeypatch.setattr("viewer.ui.plots.potential.implot", drawn)
    shown = desktop("top-with-cusps", size=(1280, 720))
    shown.key("g")
    shown.settle()
    assert not hasattr(drawn, "at")
    plots = shown.app.ui.plots
    assert "potential" in plots.panes
    plots._choose("potential", True)
    shown.settle()
    shown.session.run_to(0.05)
    shown.settle()
    before, spin, tilt = shown.scenario, shown.session.snapshot().reading.omega_body, inclination(shown.session)
    at, further = drawn.at, drawn.further
    shown.move(at.x, at.y)
    shown.hands("mousedown", 1, "mousemove", round(at.x + 10), round(at.y), "mousemove", round(further.x), round(at.y))
    shown.settle()
    pixel = 10.0 / (further.x - at.x)  # degrees
    assert inclination(shown.session) == pytest.approx(tilt + 10.0, abs=2.0 * pixel)
    assert shown.session.motion.time == 0.0
    assert_allclose(shown.session.snapshot().reading.omega_body, spin, rtol=1e-4, atol=1e-4)
    shown.hands("key", "Escape")
    shown.settle()
    assert shown.scenario == before
    assert shown.session.motion.time == pytest.approx(0.05, abs=1e-3)
    shown.hands("mousemove", round(further.x + 5), round(at.y))  # the button is still down
    shown.settle()
    assert shown.scenario == before
    shown.hands("mouseup", 1)
    shown.settle()
    shown.move(drawn.at.x, drawn.at.y)
    shown.hands("mousedown", 1, "mousemove", round(drawn.at.x + 10), round(drawn.at.y))
    shown.settle()
    shown.hands("mouseup", 1)
    tilted = shown.scenario
    assert tilted != before
    shown.session.undo()
    assert shown.scenario == before
    assert not shown.session.playback.playing
