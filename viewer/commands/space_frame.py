"""Offers the space frame where the momentum frame hides what there is to see: that L turns."""

from functools import partial

from viewer.common.language import tr
from viewer.workspace.workspace import Workspace

ON_MOMENTUM = ("ceiling", "floor")  # the frames in which L stands still


class SpaceFrameOffer:
    """A message with a button, which stays or comes back until it is answered, once for each scene."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._offered: tuple[str | None, str] | None = None  # the scene, by file and title, of which it is asked
        self._answered: set[tuple[str | None, str]] = set()

    def follow(self) -> None:
        """Offers it where it is due: not in a lecture, a tour, a film or a race, nor while another message is shown."""
        workspace, scene = self._workspace, self._scene
        state, session, messages = workspace.state, workspace.session, workspace.messages
        if self._offered == scene and not self._due:
            self._answered.add(scene)  # by hand
        if session.scene.message is not None or not self._due:
            return
        quiet = state.lecture or state.hidden  # nothing pops up
        busy = state.chart or state.pull is not None or state.handle
        if quiet or busy or messages.shown is not None or workspace.tour.tour is not None or workspace.writer.recording:
            return
        if session.scene.race is None and session.scene.bodies is None and scene not in self._answered:
            self._offered = scene
            leave = partial(self._answered.add, scene)
            why = tr("A torque turns L. In this view L stands still and the world turns instead.")
            messages.offer(why, tr("View from space"), self._take, lambda: self._due, leave=leave)

    @property
    def _scene(self) -> tuple[str | None, str]:
        """The scene that is open, by its file and its title."""
        document = self._workspace.session.document
        return document.path, document.scenario.title

    @property
    def _due(self) -> bool:
        """Whether L turns and the view does not show it."""
        scenario = self._workspace.session.scenario
        view, loads = scenario.view, scenario.loads_value()
        turns = loads.turns or loads.external_friction > 0.0
        return turns and view.frame in ON_MOMENTUM and view.construction == "poinsot"

    def _take(self) -> None:
        self._answered.add(self._scene)
        self._workspace.editor.set("view.frame", "space")
