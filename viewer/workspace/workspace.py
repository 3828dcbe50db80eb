"""What one window works on: the open scene, the settings, what is open beside it, messages and questions."""

import time
from collections.abc import Callable
from typing import Protocol

from viewer.export.writer import Writer
from viewer.scenario.scenario import REMEMBERED_FIELDS, Scenario
from viewer.scenario.sections.picture import View
from viewer.session.plot_data import HeldData
from viewer.session.session import Session
from viewer.user.last_session import LastSession
from viewer.user.settings import Settings
from viewer.workspace.editor import SceneEditor
from viewer.workspace.files import Files
from viewer.workspace.first_scene import FirstScene
from viewer.workspace.lecture import Lecture
from viewer.workspace.messages import Messages, Offer
from viewer.workspace.questions import Question
from viewer.workspace.state import UiState
from viewer.workspace.toggles import Stabilisation, StereoChoice
from viewer.workspace.tour_guide import TourGuide
from viewer.workspace.transitions import CameraAnimator
from viewer.workspace.unsaved import Unsaved


class Screen(Protocol):
    """What of the window a command may ask for."""

    @property
    def fullscreen(self) -> bool: ...
    def toggle_fullscreen(self) -> None: ...


class FollowedPhone(Protocol):
    """A phone whose motion the scene shows. `state`: the message about it, None once it has ended; `proposed`: the
    button beside it."""

    @property
    def state(self) -> str | None: ...
    @property
    def proposed(self) -> Offer | None: ...
    def end(self) -> None: ...
    def follow(self, now: float) -> None: ...
    def wait(self) -> float | None: ...


class Workspace:
    """The parts that commands change and the ui shows. Knows no OpenGL and no Dear ImGui.

    `animator` moves the camera and the eyes; `question` waits for an answer of the user; `phone` is followed, and
    `held` is what it has measured, to be plotted; `revision` counts the changes that no part counts itself. Set by
    whoever has them: `writer`, which writes pictures and films, `window`, and `in_window`, the commands that only a
    window can carry out, by their names.
    """

    writer: Writer
    window: Screen

    def __init__(
        self,
        session: Session,
        settings: Settings | None = None,
        clock: Callable[[], float] = time.perf_counter,
        animation_clock: Callable[[], float] | None = None,
        opened_by: str | None = None,
        last_session: LastSession | None = None,
    ) -> None:
        """`settings`: what is remembered between runs; None: nothing. `animation_clock`: by which the camera moves, a
        film's while one is recorded; None: `clock`. `opened_by`: the name by which the scene was opened;
        `last_session`: how the last window closed, of which it is the scene."""
        self.session, self.settings, self.clock = session, settings or Settings(), clock
        self.state = UiState()
        if last_session is not None:
            self.state.plots, self.state.panel = last_session.plots, last_session.panel
        self.messages = Messages()
        self.animator = CameraAnimator(animation_clock or clock, session.scenario.view)
        self.editor = SceneEditor(session, self.messages, self.animator)
        self.stabilisation = Stabilisation(session, self.editor, self.messages)
        self.stereo = StereoChoice(session, self.editor, clock)
        self.tour = TourGuide(session, self.state, self.settings, self.messages, self.animator, self.scene_opened)
        self.first_scene = FirstScene(session, self.state, clock)
        self.lecture = Lecture(session, self.state, self.tour)
        self.files = Files(session, self.settings, opened_by, last_session.checksum if last_session else "")
        take_back = last_session is not None and last_session.unsaved
        self.unsaved = Unsaved(session, self.messages, self.lecture, self.settings, take_back)
        self.question: Question | None = None
        self.phone: FollowedPhone | None = None
        self.held: HeldData | None = None
        self.in_window: dict[str, Callable[..., object]] = {}
        self.revision = 0
        self._came_with = session.scenario  # the screen's fields as the scene brought them along

    def changed(self) -> None:
        """Count a change that the ui has to show."""
        self.revision += 1

    def ask(self, question: Question) -> None:
        """Put a question to the user, in place of one that waits."""
        self.question = question
        self.changed()

    def scene_opened(self, before: Scenario, glide_to: View | None = None) -> None:
        """Follow a scene that has taken the place of `before`: the camera stands where it says, or glides to a view."""
        self._note_choices(before)
        self._came_with = self.session.scenario
        self.first_scene.end()
        self.state.part = self.state.tensor = None
        animator = self.animator
        animator.stop()
        animator.home = glide_to or self.session.scenario.view
        if glide_to is not None:
            animator.go_home(self.session.scenario.view)
        else:
            self.messages.clear()
            animator.forget()

    def note_choices(self) -> None:
        """Take the theme, the glasses and what else belongs to the user's screen from the scene into the settings."""
        self._note_choices(self.session.scenario)

    def _note_choices(self, scenario: Scenario) -> None:
        """What the scene brought along is its own and no choice of the user's."""
        for path in REMEMBERED_FIELDS:
            if scenario.value(path) != self._came_with.value(path):
                self.settings.change(path, scenario.value(path))
        self._came_with = scenario
