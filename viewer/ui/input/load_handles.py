"""The force in the scene as the mouse takes it: by the tip of its arrow or by its point of application."""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError
from viewer.scenario.field import Number
from viewer.scenario.scenario import field_at
from viewer.scene.constructions.loads import FORCE_HANDLES, acting_forces, force_arrow
from viewer.scene.constructions.scale import LoadScale, load_of_arrow, load_scale, solid_of
from viewer.scene.stereo.views import Picking
from viewer.scene.words.formatting import plain
from viewer.session.session import Session
from viewer.session.snapshot import Snapshot
from viewer.ui.view.scene_view import SceneView
from viewer.ui.window_layout import WindowLayout
from viewer.workspace.editor import SceneEditor
from viewer.workspace.messages import Messages
from viewer.workspace.state import UiState

Array = NDArray[np.float64]

REACH = 11.0  # px at scale 1 from the middle of a handle, in which the pointer is over it
PATHS = {"tip": "loads.force", "point": "loads.arm"}  # what it changes to drag a handle
DEPTH_STEP = 0.08  # of the body's furthest point: so far a notch of the wheel moves what is dragged towards the eye
DIGITS = 5  # to which a dragged vector is rounded
LEAST_FORCE = 1e-30  # N: a force that is dragged to nothing stays this large, so that its tip can be taken again


class LoadHandles:
    """Which handle the pointer is over, and the drag of one. Positions are ui pixels.

    A drag keeps what it holds under the pointer and as far from the eye as it was, also while the body turns.
    """

    def __init__(
        self,
        session: Session,
        editor: SceneEditor,
        messages: Messages,
        state: UiState,
        layout: WindowLayout,
        scene_view: SceneView,
    ) -> None:
        self._session, self._editor, self._messages = session, editor, messages
        self._state, self._layout, self._scene_view = state, layout, scene_view
        self._part = 0  # of the window, where the pointer is
        self._pointer: tuple[float, float] | None = None  # from the scene's upper left; None: not over it
        self._depth = 0.0  # of what is dragged, m
        self._beyond = False  # the limit has been reported
        self.dragging = False

    def point_at(self, x: float, y: float, part: int) -> None:
        """The pointer is over the scene with no button down."""
        rect = self._layout.areas.scene
        self._part, self._pointer = part, (x + 0.5 - rect.x, y + 0.5 - rect.y)
        self._find()

    def leave(self) -> None:
        """The pointer is elsewhere."""
        if not self.dragging:
            self._pointer, self._state.handle = None, ""

    def grasp(self, x: float, y: float, part: int) -> bool:
        """The left button goes down; whether it takes a handle."""
        self.point_at(x, y, part)
        picking, places = self._picking(), self._places()
        if not self._state.handle or picking is None or places is None:
            return False
        self._editor.commit()
        self.dragging, self._beyond = True, False
        self._depth = picking.depth(places[self._state.handle])
        return True

    def drag(self, x: float, y: float) -> None:
        """What is held follows the pointer."""
        rect = self._layout.areas.scene
        self._pointer = (x + 0.5 - rect.x, y + 0.5 - rect.y)
        self._hold()

    def deepen(self, notches: float) -> None:
        """The wheel moves what is held towards the eye or away from it."""
        self._depth -= notches * DEPTH_STEP * solid_of(self._session.snapshot()).radius
        self._hold()

    def release(self) -> None:
        """The button goes up: the drag is one step of undo."""
        if self.dragging:
            self.dragging = False
            self._editor.commit()

    def cancel(self) -> None:
        """The force, its arm and the motion are as if the drag had not been."""
        self.dragging = False
        self._editor.cancel()

    def follow(self) -> None:
        """The motion has gone on: what is held stays under the pointer, else another handle may have come there."""
        if self.dragging:
            self._hold()
        elif self._pointer is not None:
            self._find()

    def _picking(self) -> Picking | None:
        return self._scene_view.picking(self._part)

    def _places(self) -> dict[str, Array] | None:
        """Where the handles are, (3,) m in the world; None where no force is shown."""
        frame = self._scene_view.frame
        if frame is None or not any(arrow.name == "F" for arrow in frame.main.scene.arrows):
            return None
        snapshot = self._session.snapshot()
        for acting in acting_forces(snapshot):
            if acting.name == "F":
                point, tip = force_arrow(snapshot, acting, self._scale(snapshot))
                return {"tip": tip, "point": point}
        return None

    def _find(self) -> None:
        """Which handle the pointer is over: the nearest."""
        places = self._places()
        picking = None if places is None else self._picking()
        if places is None or picking is None or self._pointer is None:
            self._state.handle = ""
            return
        away = {name: math.dist(picking.pixel(places[name]), self._pointer) for name in FORCE_HANDLES}
        nearest = min(FORCE_HANDLES, key=lambda name: away[name])
        self._state.handle = nearest if away[nearest] <= REACH * self._layout.scale else ""

    def _hold(self) -> None:
        """Changes the force or its arm so that what is held is under the pointer."""
        picking, snapshot, handle = self._picking(), self._session.snapshot(), self._state.handle
        if picking is None or self._pointer is None or not any(self._session.scenario.loads.force):
            self.release()  # another scene has been opened
            return
        target, rotation = picking.point(self._pointer, self._depth), snapshot.reading.rotation_world_from_body
        if handle == "point":
            self._set(PATHS[handle], rotation.T @ target / self._scale(snapshot).arm)
        else:
            self._set(PATHS[handle], self._force(snapshot, target))

    def _scale(self, snapshot: Snapshot) -> LoadScale:
        return load_scale(snapshot, self._session.scenario.view)

    def _force(self, snapshot: Snapshot, tip: Array) -> Array:
        """The force (3,) [N], in the frame in which it is fixed, whose arrow ends there."""
        loads, rotation = self._session.scenario.loads, snapshot.reading.rotation_world_from_body
        scale = self._scale(snapshot)
        force = load_of_arrow(tip - scale.arm * rotation @ loads.arm, scale.force)
        if float(np.linalg.norm(force)) < LEAST_FORCE:
            before = np.array(loads.force)
            return before * (LEAST_FORCE / max(float(np.linalg.norm(before)), LEAST_FORCE))
        return rotation.T @ force if loads.frame == "body" else force

    def _set(self, path: str, vector: Array) -> None:
        """Sets a field to a vector, or to the longest in its direction that it allows, and says so once."""
        field = field_at(path, Number)
        beyond = float(np.max(vector / np.where(vector < 0.0, field.low, field.high)))
        if beyond > 1.0:
            if not self._beyond:
                self._report(path, vector)
            vector = vector / beyond
        self._beyond = beyond > 1.0
        decimals = DIGITS - math.ceil(math.log10(max(float(np.max(np.abs(vector))), 1e-9)))
        rounded = [min(max(round(part, decimals), field.low), field.high) for part in vector.tolist()]
        self._editor.change({path: tuple(rounded)})

    def _report(self, path: str, vector: Array) -> None:
        try:
            field_at(path).check(path, tuple(float(f"{part:.4g}") for part in vector.tolist()))
        except InputError as error:
            self._messages.error(plain(error))
