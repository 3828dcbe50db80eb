"""What one window works on, without the window: the open scene, the settings, what is open beside it, and messages."""

import time
from collections.abc import Callable

from viewer.export.writer import Writer
from viewer.scenario.scenario import REMEMBERED_FIELDS, Scenario
from viewer.scenario.sections.picture import View
from viewer.session.session import Session
from viewer.user.settings import Settings
from viewer.workspace.editor import SceneEditor
from viewer.workspace.messages import Messages
from viewer.workspace.stabilisation import Stabilisation
from viewer.workspace.state import UiState
from viewer.workspace.stereo_choice import StereoChoice
from viewer.workspace.tour_guide import TourGuide
from viewer.workspace.transitions import CameraAnimator


class Workspace:
    """The parts that commands change and the ui shows. Knows no window, no OpenGL and no Dear ImGui.

    `animator` moves the camera and the eyes; `writer` writes pictures and films, and is set by whoever has an OpenGL
    context; `revision` counts the changes that no part counts itself.
    """

    writer: Writer

    def __init__(
        self,
        session: Session,
        settings: Settings | None = None,
        clock: Callable[[], float] = time.perf_counter,
        animation_clock: Callable[[], float] | None = None,
    ) -> None:
        """`settings`: what is remembered between runs; None: nothing. `animation_clock`: by which the camera moves, a
        film's while one is recorded; None: `clock`."""
        self.session, self.settings, self.clock = session, settings or Settings(), clock
        self.state = UiState()
        self.messages = Messages()
        self.animator = CameraAnimator(animation_clock or clock, session.scenario.view)
        self.editor = SceneEditor(session, self.messages, self.animator)
        self.stabilisation = Stabilisation(session, self.editor, self.messages)
        self.stereo = StereoChoice(session, self.editor, clock)
        self.tour = TourGuide(session, self.state, self.settings, self.messages, self.animator, self.scene_opened)
        self.revision = 0
        self._came_with = session.scenario  # the screen's fields as the scene brought them along

    def changed(self) -> None:
        """Count a change that the ui has to show."""
        self.revision += 1

    def scene_opened(self, before: Scenario, glide_to: View | None = None) -> None:
        """Follow a scene that has taken the place of `before`: the camera stands where it says, or glides to a view."""
        self._note_choices(before)
        self._came_with = self.session.scenario
        self.end_first_scene()
        self.state.part = self.state.tensor = None
        animator = self.animator
        animator.stop()
        animator.home = glide_to or self.session.scenario.view
        if glide_to is not None:
            animator.go_home(self.session.scenario.view)
        else:
            self.messages.clear()
            animator.forget()

    def end_first_scene(self) -> None:
        """End what the very first start shows: the user takes over, or another scene is opened."""
        if self.state.opening:
            self.state.opening, self.state.faint = False, 0.0
            self.session.playback.pace = None

    def note_choices(self) -> None:
        """Take the theme, the glasses and what else belongs to the user's screen from the scene into the settings."""
        self._note_choices(self.session.scenario)

    def _note_choices(self, scenario: Scenario) -> None:
        """What the scene brought along is its own and no choice of the user's."""
        for path in REMEMBERED_FIELDS:
            if scenario.value(path) != self._came_with.value(path):
                self.settings.change(path, scenario.value(path))
        self._came_with = scenario
