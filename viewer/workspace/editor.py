"""The changes of the scene that the ui makes: by widgets, keys, the mouse over the scene or the command palette.

Stabilisation and stereo each have a key that turns them off, and on again as they were last.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from viewer.common.language import tr
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.stepping.projection import STABILISATIONS
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.consequences import with_momentum_space
from viewer.scene.words.formatting import plain
from viewer.session.session import Session
from viewer.workspace.messages import Message, Messages
from viewer.workspace.transitions import CameraAnimator

Values = Mapping[str, Any]

FIELD = "solver.stabilisation"
# these values are offered if there is nothing to correct: the paper's own loop
OFFERED = {"solver.integrator": "first-order", FIELD: "gradient"}
OFFER = "First order with the gradient: the paper's loop"


class SceneEditor:
    """Changes fields of the scene; if a change is refused, there is a message, and the old values are kept.

    `chosen` is the field that `choose` set last, and when, by the clock.
    """

    def __init__(
        self, session: Session, messages: Messages, animator: CameraAnimator, clock: Callable[[], float]
    ) -> None:
        """Make the editor of a session; `animator` moves the camera and the eyes in the picture."""
        self._session, self._messages, self._animator, self._clock = session, messages, animator, clock
        self.chosen = "", float("-inf")
        self._refused: Message | None = None  # about the last change, if it was refused

    def set(self, path: str, value: Any) -> None:
        """Set one field, as one undoable action."""
        self.commit()  # a number may have been typed just before, in another entry of the same list
        self.change({path: value})
        self.commit()

    def choose(self, path: str, name: str) -> None:
        """Set a field with choices, and have the scene show the name of the choice for a moment."""
        self.set(path, name)
        self.chosen = path, self._clock()

    def change(self, values: Values) -> bool:
        """Change fields together in the middle of a gesture, which `commit` ends; return False if that was refused."""
        scenario = self._session.scenario
        whole = with_momentum_space(values, scenario.value)  # so that undo covers all of it
        if len(whole) > len(values):  # the view that a double click restores also shows the whole scene
            self._animator.home = replace(self._animator.home, zoom=whole["view.zoom"], pan=whole["view.pan"])
        values = self._animator.with_eyes(scenario.stereo, self._animator.with_middle(scenario.view, whole))
        return self.attempt(lambda: self._session.change(values))

    def commit(self) -> None:
        """End the gesture: the next change is undone separately."""
        self._session.commit_change()

    def cancel(self) -> None:
        """Undo all changes of the gesture."""
        self.attempt(self._session.cancel_change)

    def notice(self, text: str) -> None:
        """Show a message for a few seconds."""
        self._messages.notice(text)

    def attempt(self, what: Callable[[], object]) -> bool:
        """Call `what`; return whether it was accepted. If so, the message about an earlier refusal disappears."""
        refused = self._messages.attempt(what, plain) is not None
        if not refused and self._refused is not None and self._messages.shown is self._refused:
            self._messages.clear()
        self._refused = self._messages.shown if refused else None
        return not refused


class Toggle:
    """Turns a field with choices on and off.

    The field is off at the choice `off`, and on at every other one.
    """

    def __init__(self, session: Session, editor: SceneEditor, path: str, off: str, first: str) -> None:
        """Take the field at `path`; `first` is the choice to which it is first turned on."""
        self._session, self._editor, self._path, self._off, self._last = session, editor, path, off, first

    @property
    def value(self) -> str:
        """The present choice, by its name."""
        return str(self._session.scenario.value(self._path))

    @property
    def on(self) -> bool:
        """Whether the field is on."""
        return self.value != self._off

    def remember(self) -> str:
        """Return the last choice other than `off`, which is the present one if the field is on."""
        if self.on:
            self._last = self.value
        return self._last


class Stabilisation(Toggle):
    """Turns the stabilisation on and off."""

    def __init__(self, session: Session, editor: SceneEditor, messages: Messages) -> None:
        super().__init__(session, editor, FIELD, "off", "gradient")
        self._messages = messages

    @property
    def method(self) -> str:
        """The method in use, else the only one for a top, else the one used last, else the paper's."""
        return "closest-point" if self._is_top and not self.on else self.remember()

    @property
    def _is_top(self) -> bool:
        """Whether the weight alone turns the body about a pivot."""
        return self._session.snapshot().kept is not None

    @property
    def needless(self) -> str | None:
        """Why the motion needs no correction, or cannot be corrected; None if it can be corrected."""
        integrator = INTEGRATORS[self._session.scenario.solver.integrator]
        name = tr(integrator.label)
        if self._is_top and integrator.step is None:
            return tr("Nothing to correct: {integrator} is the exact motion").format(integrator=name)
        if integrator.keeps_invariants and not self._is_top:
            return tr("Nothing to correct: {integrator} keeps energy and |L| by itself").format(integrator=name)
        if not integrator.correctable:
            text = tr("{integrator} takes no stabilisation: its matrix is no rotation that could be turned back")
            return text.format(integrator=name)
        return None

    def toggle(self) -> None:
        """Turn the stabilisation off, or on with the method last used, as one undoable action.

        If there is nothing to correct, say so, and offer an integrator with which there is.
        """
        why, method = self.needless, self.method
        if not self.on and why is not None:
            self._messages.offer(why, tr(OFFER), self._take_offer, lambda: not self.on and self.needless == why)
        else:
            self._editor.set(FIELD, "off" if self.on else method)

    def _take_offer(self) -> None:
        self._editor.change(OFFERED)
        self._editor.commit()

    @property
    def meaning(self) -> tuple[str, str]:
        """Title and text of the tooltip of the stabilisation."""
        method = tr(STABILISATIONS[self.method].lower())
        state = tr("On: {method}").format(method=method) if self.on else tr("Off: the integrator alone")
        return tr("Stabilisation through invariants (K)"), self.needless or state


class StereoChoice(Toggle):
    """Chooses the stereo mode; the choice that turns it off is mono."""

    def __init__(self, session: Session, editor: SceneEditor) -> None:
        super().__init__(session, editor, "stereo.mode", "mono", "anaglyph")

    def choose(self, name: str) -> None:
        """Set a mode."""
        self.remember()
        self._editor.choose(self._path, name)

    def next(self, by: int) -> None:
        """Go on by this many modes in the table, in a cycle."""
        names = list(STEREO_MODES)
        self.choose(names[(names.index(self.value) + by) % len(names)])

    def toggle(self) -> None:
        """Go to mono, or back to the last mode."""
        self.choose("mono" if self.on else self.remember())
