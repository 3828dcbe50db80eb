"""What of the scene the pointer is over, and holds: the force, the contact, the body, the tips of omega and of L."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from viewer.scene.constructions.loads import FORCE_HANDLES
from viewer.scene.constructions.scale import solid_of
from viewer.scene.stereo.views import Pair
from viewer.ui.input.grab.aim import Aim, Tool
from viewer.ui.input.grab.contact import Contact
from viewer.ui.input.grab.hand import Hand
from viewer.ui.input.grab.held import Held
from viewer.ui.input.grab.spring import Spring
from viewer.ui.input.grab.tips import MomentumTip, Tip
from viewer.ui.input.load_handles import REACH, LoadHandles
from viewer.ui.platform.pyglet_options import key
from viewer.ui.view.scene_view import SceneView
from viewer.ui.window_layout import WindowLayout
from viewer.workspace.workspace import Workspace

Array = NDArray[np.float64]

ARROWS = {"omega": ("ω",), "momentum": ("L", "L′")}  # by whose tips they are taken
HAND, PULLING = key.MOD_ALT | key.MOD_OPTION, key.MOD_CTRL | key.MOD_COMMAND


class Grab:
    """Positions are ui pixels, `part` is that of the window where the pointer is.

    The hand is the tool of that name, or Alt while it is held. It takes the body and the tips of omega and L; without
    it the contact is taken, and a drag with Ctrl pulls the body by a spring. The force is taken with and without.
    """

    def __init__(
        self,
        workspace: Workspace,
        layout: WindowLayout,
        scene_view: SceneView,
        clock: Callable[[], float],
    ) -> None:
        session, editor, messages = workspace.session, workspace.editor, workspace.messages
        state = workspace.state
        self._session, self._state, self._layout = session, state, layout
        self._scene_view, self._clock = scene_view, clock
        held = Held(session, editor, messages, layout, scene_view)
        self._loads = LoadHandles(session, editor, messages, state, layout, scene_view)
        self.hand, self._spring = Hand(session, held), Spring(session, editor, messages, state, scene_view)
        self._tools: dict[str, Tool] = {
            "omega": Tip(session, held, lambda: self._ends()["omega"]),
            "momentum": MomentumTip(session, held, lambda: self._ends()["momentum"]),
            "contact": Contact(session, held),
            "body": self.hand,
        }
        self._tool: Tool | None = None  # that holds something
        self._part = 0
        self._pointer: Pair | None = None  # from the scene's upper left; None: not over it
        self._modifiers = 0

    @property
    def dragging(self) -> bool:
        """Whether something is held."""
        return self._tool is not None or self._loads.dragging

    @property
    def _by_hand(self) -> bool:
        return self._state.hand or bool(self._modifiers & HAND)

    @property
    def _pulls(self) -> bool:
        return bool(self._modifiers & PULLING) and not self._by_hand

    def modifiers(self, modifiers: int) -> None:
        """These keys are held now (pyglet's bits)."""
        changed, self._modifiers = modifiers != self._modifiers, modifiers
        if changed and not self.dragging:
            self._find()

    def point_at(self, x: float, y: float, part: int) -> None:
        """The pointer is over the scene with no button down."""
        self._loads.point_at(x, y, part)
        self._part, self._pointer = part, self._inside(x, y)
        self._find()

    def leave(self) -> None:
        """The pointer is elsewhere."""
        if not self.dragging:
            self._pointer = None
            self._loads.leave()

    def grasp(self, x: float, y: float, part: int, modifiers: int) -> bool:
        """The left button goes down; whether it takes something."""
        self._modifiers = modifiers
        self.point_at(x, y, part)
        name, aim = self._state.handle, self._aim()
        if name in FORCE_HANDLES:
            return self._loads.grasp(x, y, part)
        if aim is None:
            return False
        pulls = self._pulls and self._shows_body and self._over_body(aim)
        tool = self._spring if pulls else None if self._pulls else self._tools.get(name)
        if tool is not None and tool.grasp(aim):
            self._tool = tool
        return self._tool is not None

    def drag(self, x: float, y: float, modifiers: int) -> None:
        """What is held follows the pointer."""
        self._modifiers = modifiers
        if self._loads.dragging:
            self._loads.drag(x, y)
            return
        self._pointer = self._inside(x, y)
        self._with_tool(lambda tool, aim: tool.drag(aim))

    def deepen(self, notches: float) -> None:
        """The wheel turns while something is held."""
        if self._loads.dragging:
            self._loads.deepen(notches)
        else:
            self._with_tool(lambda tool, aim: tool.wheel(notches, aim))

    def release(self) -> None:
        """The button goes up."""
        self._loads.release()
        self._with_tool(lambda tool, aim: tool.release(aim))
        self._tool = None

    def cancel(self) -> None:
        """All is as if nothing had been held."""
        if self._loads.dragging:
            self._loads.cancel()
        elif self._tool is not None:
            self._tool.cancel()
            self._tool = None

    def follow(self) -> None:
        """The motion has gone on: what pulls follows it, and something else may have come under the pointer."""
        if self._tool is self._spring:
            self._with_tool(lambda tool, aim: tool.drag(aim))
        elif self._tool is None:
            self._loads.follow()
            if not self._loads.dragging and self._pointer is not None:
                self._find()

    def _inside(self, x: float, y: float) -> Pair:
        rect = self._layout.areas.scene
        return x + 0.5 - rect.x, y + 0.5 - rect.y

    def _aim(self) -> Aim | None:
        picking = None if self._pointer is None else self._scene_view.picking(self._part)
        if picking is None or self._pointer is None:
            return None
        return Aim(picking, self._pointer, self._clock(), bool(self._modifiers & key.MOD_SHIFT))

    def _with_tool(self, what: Callable[[Tool, Aim], None]) -> None:
        """Where another scene has been opened meanwhile, or a step undone, nothing is held any more."""
        aim = self._aim()
        if self._tool is None:
            return
        if self._tool.lost or aim is None:
            self._tool.drop()
            self._tool = None
        else:
            what(self._tool, aim)

    @property
    def _shows_body(self) -> bool:
        frame = self._scene_view.frame
        return frame is not None and frame.main.scene.solid is not None

    def _ends(self) -> dict[str, Array]:
        """Where the tips of the arrows are drawn, and the contact, (3,) m in the world."""
        frame = self._scene_view.frame
        if frame is None:
            return {}
        scene = frame.main.scene
        if self._pulls:
            return {}
        if not self._by_hand:
            return {} if scene.contact is None or not scene.curves else {"contact": scene.contact}
        tips = {arrow.name: arrow.end for arrow in scene.arrows}
        return {name: tips[symbol] for name, symbols in ARROWS.items() for symbol in symbols if symbol in tips}

    def _find(self) -> None:
        """What the pointer is over: the nearest; with the hand the body's ball, if nothing else is."""
        state = self._state
        if state.handle in FORCE_HANDLES:
            return
        state.handle, aim = "", self._aim()
        if aim is None:
            return
        pointed, reach = aim.pixel, REACH * self._layout.scale
        away = {name: math.dist(aim.picking.pixel(end), pointed) for name, end in self._ends().items()}
        nearest = min(away, key=lambda name: away[name], default="")
        if nearest and away[nearest] <= reach:
            state.handle = nearest
        elif self._shows_body and (self._over_ball(aim) if self._by_hand else self._pulls and self._over_body(aim)):
            state.handle = "body"

    def _over_body(self, aim: Aim) -> bool:
        """Whether the pointer is over the body itself."""
        return self._spring.point_at(aim) is not None

    def _over_ball(self, aim: Aim) -> bool:
        """Whether the pointer is over the ball around the body."""
        point, away = aim.picking.ray(aim.pixel)
        nearest = point - float(point @ away) * away
        return float(nearest @ nearest) <= solid_of(self._session.snapshot()).radius ** 2
