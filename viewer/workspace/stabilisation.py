"""The one gesture of stabilisation through invariants: off, or on with the method last used."""

from viewer.common.language import tr
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.stepping.projection import STABILISATIONS
from viewer.session.session import Session
from viewer.workspace.editor import SceneEditor
from viewer.workspace.messages import Messages

FIELD = "solver.stabilisation"
# where there is nothing to correct, this is offered: the paper's own loop
OFFERED = {"solver.integrator": "first-order", FIELD: "gradient"}
OFFER = "First order with the gradient: the paper's loop"


class Stabilisation:
    """Turns the stabilisation on and off."""

    def __init__(self, session: Session, editor: SceneEditor, messages: Messages) -> None:
        self._session, self._editor, self._messages = session, editor, messages
        self._method = "gradient"

    @property
    def on(self) -> bool:
        """Whether the motion is stabilised."""
        return self._session.scenario.solver.stabilisation != "off"

    @property
    def method(self) -> str:
        """The method in use, else the one last used; first of all the paper's."""
        if self.on:
            self._method = self._session.scenario.solver.stabilisation
        return self._method

    @property
    def needless(self) -> str | None:
        """Why there is nothing to correct, or nothing that can be; None where there is something."""
        integrator = INTEGRATORS[self._session.scenario.solver.integrator]
        name = tr(integrator.label)
        if integrator.keeps_invariants:
            return tr("Nothing to correct: {integrator} keeps energy and |L| by itself").format(integrator=name)
        if not integrator.correctable:
            text = tr("{integrator} takes no stabilisation: its matrix is no rotation that could be turned back")
            return text.format(integrator=name)
        return None

    def toggle(self) -> None:
        """Off, or on with the method last used: a step of undo. Where there is nothing to correct it says so, and
        offers the method with which there is."""
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
        """What a tooltip says of it."""
        method = tr(STABILISATIONS[self.method].lower())
        state = tr("On: {method}").format(method=method) if self.on else tr("Off: the integrator alone")
        return tr("Stabilisation through invariants (K)"), self.needless or state
