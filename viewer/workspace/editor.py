"""The one way in which the ui changes the scene: by widgets, keys, the mouse over the scene or the command palette."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from viewer.scenario.consequences import with_momentum_space
from viewer.scene.words.formatting import plain
from viewer.session.session import Session
from viewer.workspace.messages import Message, Messages
from viewer.workspace.transitions import CameraAnimator

Values = Mapping[str, Any]


class SceneEditor:
    """Changes fields of the scene; what is refused becomes a message, and the old values stay."""

    def __init__(self, session: Session, messages: Messages, animator: CameraAnimator) -> None:
        """`animator`: of the camera and the eyes in the picture."""
        self._session, self._messages, self._animator = session, messages, animator
        self._refused: Message | None = None  # of the last change

    def set(self, path: str, value: Any) -> None:
        """Set one field: a step of undo."""
        self.commit()  # a number may have been typed just before, in another entry of the same list
        self.change({path: value})
        self.commit()

    def change(self, values: Values) -> bool:
        """Change fields together in the middle of a gesture, which `commit` ends; return False if that was refused."""
        scenario = self._session.scenario
        whole = with_momentum_space(values, scenario.value)  # so that undo knows of all of it
        if len(whole) > len(values):  # home shows no less
            self._animator.home = replace(self._animator.home, zoom=whole["view.zoom"], pan=whole["view.pan"])
        values = self._animator.with_eyes(scenario.stereo, whole)
        return self.attempt(lambda: self._session.change(values))

    def commit(self) -> None:
        """End the gesture: the next change is undone on its own."""
        self._session.commit_change()

    def cancel(self) -> None:
        """Take the gesture back: all is as if it had not been."""
        self.attempt(self._session.cancel_change)

    def notice(self, text: str) -> None:
        """Show for a few seconds how to go on from a change."""
        self._messages.notice(text)

    def attempt(self, what: Callable[[], object]) -> bool:
        """Do it; return False if it was refused. What was refused before it is no longer shown."""
        refused = self._messages.attempt(what, plain) is not None
        if not refused and self._refused is not None and self._messages.shown is self._refused:
            self._messages.clear()
        self._refused = self._messages.shown if refused else None
        return not refused
