"""What the pointer does with a thing of the scene that it holds."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.commands.start import allowed
from viewer.common.errors import InputError
from viewer.common.frozen import frozen
from viewer.scenario.scenario import field_at
from viewer.scene.constructions.scale import solid_of
from viewer.scene.stereo.views import Pair, Picking
from viewer.scene.words.formatting import plain
from viewer.ui.view.scene_view import SceneView
from viewer.ui.window_layout import WindowLayout
from viewer.workspace.workspace import Workspace

Array = NDArray[np.float64]

DEPTH_STEP = 0.08  # fraction of the body's reach by which a notch of the wheel moves the held thing in depth
DIGITS = 5  # significant digits to which a dragged vector is rounded


@frozen
class Aim:
    """Where the pointer points.

    `pixel` counts from the scene's upper left corner, in the picture of the eye that `picking` belongs to; `time` is in
    seconds of real time; `along` is true while Shift is held.
    """

    picking: Picking
    pixel: Pair
    time: float
    along: bool = False


class Tool:
    """A way to hold one kind of thing in the scene, from the press of the button to its release."""

    follows = False  # whether it drags in each frame, because the motion goes on under the pointer

    def __init__(self, workspace: Workspace, layout: WindowLayout, scene_view: SceneView) -> None:
        self._session, self._editor, self._state = workspace.session, workspace.editor, workspace.state
        self._messages, self._layout, self._scene_view = workspace.messages, layout, scene_view
        self._depth = 0.0  # m towards the eye, of the held thing
        self._exceeded = False  # whether the last vector exceeded what its field allows

    @property
    def lost(self) -> bool:
        """Whether something else has ended the drag: another scene was opened, or a step was undone."""
        raise NotImplementedError

    def grasp(self, aim: Aim) -> bool:
        """Take hold of the thing under the pointer, or return False if it cannot be held."""
        raise NotImplementedError

    def drag(self, aim: Aim) -> None:
        """Bring the held thing to the pointer."""
        raise NotImplementedError

    def wheel(self, notches: float, aim: Aim) -> None:
        """Move the held thing towards the eye or away from it."""
        self._depth -= notches * DEPTH_STEP * solid_of(self._session.snapshot()).radius
        self.drag(aim)

    def release(self, aim: Aim) -> None:
        """End the drag because the button went up."""
        self.drop()

    def drop(self) -> None:
        """End the drag and keep its result."""
        raise NotImplementedError

    def cancel(self) -> None:
        """End the drag and restore everything as it was before."""
        raise NotImplementedError

    def _rounded(self, path: str, vector: Array) -> Array:
        """Return a vector (3,) for the field at `path`, rounded and no longer than the field allows.

        When the vectors of a drag begin to exceed that length, a message says so.
        """
        decimals = DIGITS - math.ceil(math.log10(max(float(np.max(np.abs(vector))), 1e-15)))
        rounded = np.round(vector, decimals)
        within = allowed(path, rounded)
        before, self._exceeded = self._exceeded, not np.array_equal(within, rounded)
        if self._exceeded and not before:
            try:
                field_at(path).check(path, tuple(float(f"{part:.4g}") for part in vector.tolist()))
            except InputError as error:
                self._messages.error(plain(error))
        return within


class Pause:
    """A drag during which the clock stands still, and all of whose changes are one step of undo."""

    def __init__(self, workspace: Workspace) -> None:
        self._session, self._editor = workspace.session, workspace.editor
        self._time = 0.0  # of the motion when the drag began, s
        self.plays_on = False  # whether the clock runs again after the drag

    def begin(self) -> None:
        """Begin a step of undo, and pause the playback."""
        self._editor.commit()
        self._time, self.plays_on = self._session.motion.time, self._session.playback.playing
        self._session.playback.pause()

    def end(self) -> None:
        """Complete the step of undo; the clock goes on."""
        self._editor.commit()
        if self.plays_on:
            self._session.playback.play()

    def cancel(self) -> None:
        """Restore the motion and its time; the clock goes on."""
        self._editor.cancel()
        if self._session.motion.time != self._time:
            self._session.playback.go_to(self._time)
        self.end()


class PausedTool(Tool):
    """A tool that changes the start of the motion, or its time; playback is paused while it holds something."""

    def __init__(self, workspace: Workspace, layout: WindowLayout, scene_view: SceneView) -> None:
        super().__init__(workspace, layout, scene_view)
        self._pause = Pause(workspace)
        self._made: tuple[object, ...] = ()  # what defines the motion, as the drag has set it

    @property
    def _motion(self) -> tuple[object, ...]:
        scenario = self._session.scenario
        return scenario.body, scenario.start, scenario.bodies

    @property
    def lost(self) -> bool:
        """Whether the motion is no longer the one that the drag has made."""
        return self._made != self._motion

    def grasp(self, aim: Aim) -> bool:
        """Begin a step of undo, and pause the playback."""
        self._pause.begin()
        self._exceeded = False
        self._made = self._motion
        return True

    def _change(self, values: Mapping[str, Any]) -> None:
        """Change fields of the scene as a part of the drag."""
        self._editor.change(values)
        self._made = self._motion

    def drop(self) -> None:
        """Complete the step of undo; the clock and the camera go on."""
        self._pause.end()
        self._scene_view.let_go()

    def cancel(self) -> None:
        """Restore the motion and its time."""
        self._pause.cancel()
        self._scene_view.let_go()
