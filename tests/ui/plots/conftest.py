"""A stage whose plots are open."""

import pytest


@pytest.fixture
def open_plots(stage):
    """Opens a stage whose plots show ten seconds of Jolt's method: `open_plots(size, scale, ...)`."""

    def make(size=(1280, 720), scale=1.0, panes=(), integrator="jolt", theme="dark", seconds=10.0):
        shown = stage(size=size, scale=scale, theme=theme)
        solver = {"solver.integrator": integrator, "solver.stabilisation": "off", "solver.extra_substeps": 1}
        shown.workspace.session.change(solver)
        shown.workspace.session.run_to(seconds)
        shown.workspace.state.plots = True
        for name in panes:
            shown.ui.plots.shown[name] = True
        shown.frame(3)
        return shown

    return make
