"""What all drags in the scene have in common: time stands still, so does the camera, and one undo takes it back."""

from collections.abc import Mapping
from typing import Any

from viewer.session.session import Session
from viewer.ui.view.scene_view import SceneView
from viewer.ui.window_layout import WindowLayout
from viewer.workspace.editor import SceneEditor
from viewer.workspace.messages import Messages


class Held:
    """A drag that changes the start of the motion, or its time."""

    def __init__(
        self, session: Session, editor: SceneEditor, messages: Messages, layout: WindowLayout, scene_view: SceneView
    ) -> None:
        self._session, self._editor, self._messages = session, editor, messages
        self._layout, self._scene_view = layout, scene_view
        self._time = 0.0  # at which it began
        self.goes_on = False  # the clock runs from its end on
        self._moved: tuple[object, ...] = ()  # what it has made of the motion

    @property
    def scale(self) -> float:
        """Of the interface."""
        return self._layout.scale

    @property
    def lost(self) -> bool:
        """Whether another motion is there than that which it has made: a scene was opened, or a step undone."""
        return self._moved != self._motion

    @property
    def _motion(self) -> tuple[object, ...]:
        scenario = self._session.scenario
        return scenario.body, scenario.start, scenario.bodies

    def begin(self, camera: bool = True) -> float:
        """Something is held from now on; returns the metres per rad/s of the picture. `camera`: it stays, too."""
        self._editor.commit()
        self._time, self.goes_on = self._session.motion.time, self._session.playback.playing
        self._session.playback.pause()
        self._moved = self._motion
        return self._scene_view.hold() if camera else 0.0

    def change(self, values: Mapping[str, Any]) -> None:
        """Changes fields of the scene, as a part of it."""
        self._editor.change(values)
        self._moved = self._motion

    def end(self) -> None:
        """It is let go: a step of undo."""
        self._editor.commit()
        self._scene_view.let_go()
        if self.goes_on:
            self._session.playback.play()

    def cancel(self) -> None:
        """All is as it was, and when it was."""
        self._editor.cancel()
        if self._session.motion.time != self._time:
            self._session.playback.go_to(self._time)
        self.end()

    def notice(self, text: str) -> None:
        """A message for a few seconds."""
        self._messages.notice(text)
