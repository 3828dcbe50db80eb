"""The objects of one window: the open scene, settings, state of the ui, messages and questions."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Protocol

from viewer.common.errors import InputError
from viewer.common.language import tr
from viewer.export import console
from viewer.export.writer import Writer
from viewer.scenario.scenario import REMEMBERED_FIELDS, Scenario
from viewer.scenario.sections.picture import View
from viewer.session.document import Recorded, named_in
from viewer.session.plot_data import HeldData
from viewer.session.session import Session
from viewer.user import log
from viewer.user.autosave import Autosave, Leftover, left_behind
from viewer.user.last_session import LastSession
from viewer.user.settings import Settings
from viewer.workspace.editor import SceneEditor, Stabilisation, StereoChoice
from viewer.workspace.files import Files
from viewer.workspace.first_scene import FirstScene
from viewer.workspace.lecture import Lecture
from viewer.workspace.messages import Messages, Offer
from viewer.workspace.questions import Question
from viewer.workspace.state import UiState
from viewer.workspace.tour_guide import TourGuide
from viewer.workspace.transitions import CameraAnimator

LATE_ENOUGH = 0.3  # s after the first picture, before the disk is searched for unsaved scenes


class Screen(Protocol):
    """The properties of the window that a command may use."""

    @property
    def fullscreen(self) -> bool:
        """Whether the window fills the screen."""

    def toggle_fullscreen(self) -> None:
        """Fill the screen with the window, or no longer."""


class FollowedPhone(Protocol):
    """A phone whose motion the scene shows."""

    @property
    def state(self) -> str | None:
        """The message about the phone; None once it is no longer followed."""

    @property
    def proposed(self) -> Offer | None:
        """The button beside that message, or None."""

    def end(self) -> None:
        """Stop following the phone."""

    def follow(self, now: float) -> None:
        """Follow the phone before a frame; `now` is the time on the clock, s."""

    def wait(self) -> float | None:
        """Return the seconds until a frame is needed; None if none is."""


class Unsaved:
    """Keeps the unsaved scene on the disk, and offers it again after a crash.

    `left` are the scenes that earlier crashes left, still to be offered. `offered` says that one of them is on offer
    now, `postponed` that the offer has been put off to the next start. Without a user's settings, as in a test or a
    script, nothing is kept or offered.
    """

    def __init__(
        self, session: Session, messages: Messages, lecture: Lecture, settings: Settings, take_back: bool
    ) -> None:
        """Begin; `take_back` says that the last window left the scene unsaved, and this window takes over its file."""
        self._session, self._messages, self._lecture, self._take_back = session, messages, lecture, take_back
        self.autosave = Autosave() if settings.kept else None
        self.offered = self.postponed = False
        self._named: tuple[Scenario, Recorded, Scenario] | None = None  # a scene, its recordings, the written scene
        self._look_at: float | None = None  # when to look for scenes that were left; inf once that is done
        self._reported: str | None = None  # why the scene is not kept
        self.left: list[Leftover] = []

    @property
    def scene(self) -> Scenario | None:
        """The user's scene if it is unsaved, with the names of its recordings; else None."""
        document = self._session.document
        if document.held:  # a hand-held phone: there is nothing to restore
            return None
        scene = self._lecture.unsaved_scene
        if scene is None or scene is not document.scenario or document.recorded is None:
            return scene
        if self._named is None or self._named[0] is not scene or self._named[1] is not document.recorded:
            self._named = scene, document.recorded, named_in(scene, document.recorded)
        return self._named[2]

    def follow(self, now: float) -> bool:
        """Keep the unsaved scene up to date on the disk; return whether scenes that can be offered were just found.

        It is called before every frame after the first; `now` is the time on the clock [s].
        """
        if self.autosave is None:
            return False
        self.autosave.follow(self.scene, now)
        if self.autosave.problem != self._reported:
            self._reported = self.autosave.problem
            if self._reported is not None:
                self._messages.error(self._reported)
        if self._look_at is None:
            self._look_at = now + LATE_ENOUGH
        if now >= self._look_at:
            self._look_at = inf
            self.left = left_behind(self._messages.error)
            if self._take_back and (now_open := self.scene) is not None:
                self._adopt_own(now_open, self.autosave)
            return bool(self.left)
        return False

    def _adopt_own(self, now: Scenario, autosave: Autosave) -> None:
        """Take over the file of the open scene if it is among those left behind, so that it is not offered.

        `now` is the open scene.
        """
        for left in self.left:
            with contextlib.suppress(InputError, OSError):
                before = Scenario.load(left.path)
                if replace(before, view=now.view, playback=now.playback) == now and autosave.adopt(left, now):
                    self.left.remove(left)
                    return

    def adopt(self, left: Leftover) -> None:
        """Take over the file of a scene that was left behind and has been opened again; the scene remains unsaved."""
        self.left.remove(left)
        now, messages = self.scene, self._messages
        if self.autosave is None or now is None:
            return
        try:
            if not self.autosave.adopt(left, now):
                messages.error(tr("Another window has opened this scene, too: each keeps its own changes"))
        except OSError as error:  # the file stays, and is offered again
            text = tr("{file}: cannot be locked: {why}")
            messages.error(text.format(file=left.path, why=error.strerror or error))

    def discard(self, left: Leftover) -> None:
        """Delete the file of a scene that the user does not want any more."""
        left.delete()
        self.left.remove(left)

    def keep(self) -> bool:
        """Write the unsaved scene to the disk at once; return False if there is none, or it cannot be kept."""
        scene = self.scene
        return self.autosave is not None and scene is not None and self.autosave.keep(scene)

    def wait(self, now: float) -> float | None:
        """Return the seconds until `follow` must be called again; None if never."""
        if self.autosave is None:
            return None
        due = inf if self._look_at is None else self._look_at - now
        wait = self.autosave.wait(now)
        due = min(due, inf if wait is None else wait)
        return None if due == inf else max(0.0, due)

    def close(self) -> None:
        """Finish keeping the scene when the window closes."""
        if self.autosave is not None:
            problem = self.autosave.close(self.scene)
            if problem is not None:  # there is no window any more that could show it
                log.write("error", problem)
                console.report(problem)


class Workspace:
    """The parts that commands change and the ui shows, without OpenGL and Dear ImGui.

    `animator` moves the camera and the eyes. `question` waits for the user's answer. `phone` is the phone that is
    followed, and `held` is what it has measured, for the plots. `revision` counts the changes that no part counts
    itself.

    The app sets `writer`, which writes pictures and films, `window`, and `in_window`, which has the commands that only
    a window can carry out, by their names.
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
        """Make the parts of a window that shows `session`.

        `settings` are remembered between runs; with None nothing is. The camera moves by `animation_clock`, which is a
        film's while one is recorded; None means `clock`. `opened_by` is the name by which the scene was opened.
        `last_session` is the state in which the last window closed, if it is the session of this scene.
        """
        self.session, self.settings, self.clock = session, settings or Settings(), clock
        self.state = UiState()
        if last_session is not None:
            self.state.plots, self.state.panel = last_session.plots, last_session.panel
        self.messages = Messages()
        self.animator = CameraAnimator(animation_clock or clock, session.scenario.view)
        self.editor = SceneEditor(session, self.messages, self.animator, clock)
        self.stabilisation = Stabilisation(session, self.editor, self.messages)
        self.stereo = StereoChoice(session, self.editor)
        self.tour = TourGuide(session, self.state, self.settings, self.messages, self.animator, self.scene_opened)
        self.first_scene = FirstScene(session, self.state)
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
        """Put a question to the user, in place of the one that waits now."""
        self.question = question
        self.changed()

    def scene_opened(self, before: Scenario, glide_to: View | None = None) -> None:
        """Adapt to a scene that has replaced `before`: the camera takes the scene's view, or glides to `glide_to`."""
        self.note_choices(before)
        self._came_with = self.session.scenario
        self.first_scene.end()
        self.state.part = self.state.tensor = None
        animator = self.animator
        animator.opened(glide_to or self.session.scenario.view)
        if glide_to is not None:
            animator.go_home(self.session.scenario.view)
        else:
            self.messages.clear()
            animator.forget()

    def note_choices(self, scenario: Scenario) -> None:
        """Copy the theme, the glasses and other fields of the user's screen from a scene to the settings.

        A value that came with the scene is not the user's choice, and is not copied.
        """
        for path in REMEMBERED_FIELDS:
            if scenario.value(path) != self._came_with.value(path):
                self.settings.change(path, scenario.value(path))
        self._came_with = scenario
