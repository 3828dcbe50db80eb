"""Finds and drags the thing under the pointer: the force, the contact, the body, or the tip of omega or of L."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from viewer.scene.constructions.loads import FORCE_HANDLES
from viewer.scene.constructions.scale import solid_of
from viewer.scene.stereo.views import Pair
from viewer.ui.input.hand import Hand
from viewer.ui.input.handles import AxisEnd, Contact, Force, Tip, ends
from viewer.ui.input.spring import Spring
from viewer.ui.input.tools import Aim, Tool
from viewer.ui.platform.pyglet_options import key
from viewer.ui.view.scene_view import SceneView
from viewer.ui.window_layout import WindowLayout
from viewer.workspace.workspace import Workspace

Array = NDArray[np.float64]

REACH = 11.0  # px at scale 1 from the middle of a handle, within which the pointer is over it
HAND, PULLING = key.MOD_ALT | key.MOD_OPTION, key.MOD_CTRL | key.MOD_COMMAND


class Grab:
    """Chooses the tool for the thing under the pointer, and passes the drag on to it.

    Positions are ui pixels; `part` is the number of the window's part that has the pointer. The hand is switched on, or
    chosen by holding Alt: the pointer then takes the body and the tips of omega and L. Without the hand, it takes the
    contact and the end of a top's axis, and with Ctrl it pulls the body by a spring. It takes the force in either case.
    """

    def __init__(
        self, workspace: Workspace, layout: WindowLayout, scene_view: SceneView, clock: Callable[[], float]
    ) -> None:
        self._session, self._state, self._layout = workspace.session, workspace.state, layout
        self._scene_view, self._clock = scene_view, clock
        place = workspace, layout, scene_view
        self.hand, self._spring = Hand(*place), Spring(*place)
        self._tools: dict[str, Tool] = {
            "omega": Tip(*place, momentum=False),
            "momentum": Tip(*place, momentum=True),
            "contact": Contact(*place),
            "axis": AxisEnd(*place),
            "body": self.hand,
            **{handle: Force(*place, handle) for handle in FORCE_HANDLES},
        }
        self._tool: Tool | None = None  # the one that holds something
        self._part = 0
        self._pointer: Pair | None = None  # from the scene's upper left corner; None if it is not over the scene
        self._modifiers = 0

    @property
    def dragging(self) -> bool:
        """Whether something is held."""
        return self._tool is not None

    @property
    def _by_hand(self) -> bool:
        return self._state.hand or bool(self._modifiers & HAND)

    @property
    def _pulls(self) -> bool:
        return bool(self._modifiers & PULLING) and not self._by_hand

    def modifiers(self, modifiers: int) -> None:
        """Note the modifier keys that are held now (pyglet's bits)."""
        changed, self._modifiers = modifiers != self._modifiers, modifiers
        if changed:
            self._find()

    def point_at(self, x: float, y: float, part: int) -> None:
        """Move the pointer over the scene with no button down."""
        self._part, self._pointer = part, self._inside(x, y)
        self._find()

    def leave(self) -> None:
        """Note that the pointer has left the scene."""
        if not self.dragging:
            self._pointer, self._state.handle = None, ""

    def grasp(self, x: float, y: float, part: int, modifiers: int) -> bool:
        """Take hold of the thing under the pointer as the left button goes down; return whether one is held."""
        self._modifiers = modifiers
        self.point_at(x, y, part)
        name, aim = self._state.handle, self._aim()
        tool = self._spring if name == "body" and self._pulls else self._tools.get(name)
        if aim is not None and tool is not None and tool.grasp(aim):
            self._tool = tool
        return self.dragging

    def drag(self, x: float, y: float, modifiers: int) -> None:
        """Bring the held thing to the pointer."""
        self._modifiers, self._pointer = modifiers, self._inside(x, y)
        self._with_tool(lambda tool, aim: tool.drag(aim))

    def deepen(self, notches: float) -> None:
        """Handle a turn of the wheel while something is held."""
        self._with_tool(lambda tool, aim: tool.wheel(notches, aim))

    def release(self) -> None:
        """Let go as the button goes up."""
        self._with_tool(lambda tool, aim: tool.release(aim))
        self._tool = None

    def cancel(self) -> None:
        """Let go and undo the drag."""
        if self._tool is not None:
            self._tool.cancel()
            self._tool = None

    def follow(self) -> None:
        """Follow the motion, which may have brought another thing under the pointer or moved the held one."""
        if self._tool is None:
            self._find()
        elif self._tool.follows:
            self._with_tool(lambda tool, aim: tool.drag(aim))

    def _inside(self, x: float, y: float) -> Pair:
        rect = self._layout.areas.scene
        return x + 0.5 - rect.x, y + 0.5 - rect.y

    def _aim(self) -> Aim | None:
        picking = None if self._pointer is None else self._scene_view.picking(self._part)
        if picking is None or self._pointer is None:
            return None
        return Aim(picking, self._pointer, self._clock(), bool(self._modifiers & key.MOD_SHIFT))

    def _with_tool(self, act: Callable[[Tool, Aim], None]) -> None:
        """Call `act` with the tool that holds something; end the drag if the tool has lost the thing meanwhile."""
        aim = self._aim()
        if self._tool is None:
            return
        if self._tool.lost or aim is None:
            self._tool.drop()
            self._tool = None
        else:
            act(self._tool, aim)

    def _find(self) -> None:
        """Find the thing under the pointer: the nearest handle, else the body if the hand or the spring can take it."""
        if self.dragging or self._pointer is None:
            return
        self._state.handle, aim, frame = "", self._aim(), self._scene_view.frame
        if aim is None or frame is None:
            return
        places = ends(frame.main.scene, self._by_hand)
        if self._pulls:
            places.pop("contact", None)
        away = {name: math.dist(aim.picking.pixel(end), aim.pixel) for name, end in places.items()}
        nearest = min(away, key=lambda name: away[name], default="")
        if nearest and away[nearest] <= REACH * self._layout.scale:
            self._state.handle = nearest
        elif frame.main.scene.solid is not None and (
            self._over_ball(aim) if self._by_hand else self._pulls and self._spring.point_at(aim) is not None
        ):
            self._state.handle = "body"

    def _over_ball(self, aim: Aim) -> bool:
        """Return whether the pointer is over the smallest ball about the body's centre that encloses the body."""
        point, away = aim.picking.ray(aim.pixel)
        nearest = point - float(point @ away) * away
        return float(nearest @ nearest) <= solid_of(self._session.snapshot()).radius ** 2
