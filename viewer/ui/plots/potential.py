"""The effective potential of a top over its inclination: its energy as a line, and the inclination as a dot to drag."""

import math

import numpy as np

from viewer.commands.start import start_values
from viewer.common.quantities import Unit
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.rotation import multiply
from viewer.scenario.choices.themes import Theme
from viewer.scene.constructions.axis_path import axis_color, directions
from viewer.scene.words.formatting import scaled
from viewer.session.snapshot import Snapshot
from viewer.ui.input.tools import Pause
from viewer.ui.platform.imgui_module import imgui, implot
from viewer.ui.plots import chart
from viewer.ui.plots.curves import Array
from viewer.ui.widgets.drawing import Look
from viewer.workspace.workspace import Workspace

ANGLES = np.radians(np.linspace(0.05, 179.95, 1200))
DEGREE = Unit("°", math.radians(1.0))
ABOVE, LEAST = 0.6, 0.05  # room above the energy, of its height over the least potential, or of the weight's torque
FLOOR = 0.15  # of the room between them: below the least potential
DOT = 5.0  # px at scale 1


class Potential:
    """The plot; while its dot is dragged, the motion begins anew where the axis has the inclination of the dot."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._pause = Pause(workspace)
        self._held: Snapshot | None = None  # the motion as the drag took it
        self._cancelled = False  # whether the drag is over although the button is still down
        self._x = self._y = 0.0, 0.0  # limits of the axes, rad and J

    def draw(self, look: Look, theme: Theme, snapshot: Snapshot, top: LagrangeTop, size: tuple[float, float]) -> None:
        """Draw the contents of the plot, which has just been begun."""
        values, energy = top.effective_potential(ANGLES), top.nodding_energy
        if self._held is None:  # else the axes would move away under the pointer
            least = float(values.min())
            room = max(energy - least, LEAST * top.torque)
            self._y = least - FLOOR * room, max(energy, least) + ABOVE * room
            self._x = tuple(ANGLES[values <= self._y[1]][[0, -1]].tolist())
        x, y = self._x, self._y
        implot.setup_axes("", "", chart.Y_AXIS, chart.Y_AXIS)
        chart.setup_ticks(chart.X, *x, size[0] / look.px(chart.TICK), DEGREE, named=True)
        chart.setup_ticks(chart.Y, *y, size[1] / look.px(chart.UP), scaled(y, "J"))
        for axis, limits in ((chart.X, x), (chart.Y, y)):
            implot.setup_axis_limits(axis, *limits, imgui.Cond_.always.value)
        inside = values <= 2.0 * y[1] - y[0]
        chart.line(look, "##U", theme.polhode, ANGLES[inside], values[inside], 2.0)
        chart.line(look, "##E", theme.text, np.array(x), np.full(2, energy), 1.5)
        now = float(np.arccos(np.clip(directions(snapshot)[2], -1.0, 1.0)))
        ink = imgui.ImVec4(*axis_color(snapshot, theme), 1.0)
        _, wanted, *_, held = implot.drag_point(0, now, energy, ink, look.px(DOT), 0, False, False, False)
        self._drag(snapshot, wanted if held else None)

    def cancel(self) -> bool:
        """Restore the motion as it was before the drag, if there is one; return whether there was."""
        if self._held is None:
            return False
        self._pause.cancel()
        self._held, self._cancelled = None, True
        return True

    def _drag(self, snapshot: Snapshot, inclination: float | None) -> None:
        """Begin the motion where the axis has this inclination [rad], or let go of the dot if it is None."""
        if inclination is None:
            if self._held is not None:
                self._pause.end()
            self._held, self._cancelled = None, False
        if inclination is None or self._cancelled:
            return
        if self._held is None:
            self._pause.begin()
            self._held = snapshot
        orientation = tilted(self._held, min(max(inclination, ANGLES[0]), ANGLES[-1]))
        self._workspace.editor.change(start_values(self._held, orientation, self._held.reading.omega_body))


def tilted(snapshot: Snapshot, inclination: float) -> Array:
    """Return the orientation (4,), turned about a level axis until a top's axis has this inclination [rad]."""
    x, y, z = directions(snapshot).tolist()
    level = np.hypot(x, y)
    across = (-y / level, x / level) if level > 0.0 else (1.0, 0.0)
    half = 0.5 * (inclination - np.arctan2(level, z))
    turn = np.array((np.cos(half), np.sin(half) * across[0], np.sin(half) * across[1], 0.0))
    return multiply(turn, snapshot.reading.orientation_wxyz)
