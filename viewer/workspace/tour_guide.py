"""Leads through a guided tour: shows its steps, sets their scenes, and takes the answers to their questions."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from viewer.common.frozen import frozen
from viewer.replay.opening import read_own
from viewer.scenario.scenario import SCREEN_FIELDS, Scenario
from viewer.scenario.sections.picture import View
from viewer.scenario.tours import Step, Tour
from viewer.scenario.tours import tour as tour_named
from viewer.session.session import Session
from viewer.user.settings import Settings
from viewer.workspace.messages import Messages
from viewer.workspace.state import UiState
from viewer.workspace.transitions import CameraAnimator

if TYPE_CHECKING:
    from viewer.replay.findings import Replay

GLIDES = ("polar_angle_deg", "azimuth_deg", "zoom", "pan")  # of the view, from step to step
SHOWN = 0  # stands for an answer if the right one was shown and none was chosen
OPEN_SECTIONS = "panel.open_sections"
# keys besides those in the table of actions; in a tour none of them pushes the body
NEXT_KEYS, BACK_KEYS = ("Right", "Down", "PageDown"), ("Left", "Up", "PageUp")


@frozen
class Before:
    """The view, the ui and the panel's open sections, as they were before the tour."""

    home: View
    ui: dict[str, Any]
    sections: tuple[str, ...]


class TourGuide:
    """Leads through a tour, while one runs. The user can do anything meanwhile: every step sets all that it needs."""

    def __init__(
        self,
        session: Session,
        state: UiState,
        settings: Settings,
        messages: Messages,
        animator: CameraAnimator,
        scene_opened: Callable[[Scenario, View | None], None],
    ) -> None:
        """Take the parts of a workspace; `scene_opened` is that of `Workspace`."""
        self._session, self._state, self._messages = session, state, messages
        self._settings, self._animator = settings, animator
        self._scene_opened = scene_opened
        self.point_at: Callable[[Step], None] = lambda step: None  # points at what a step names
        self.tour: Tour | None = None
        self.at = 0  # the number of the tour's step
        self.answer: int | None = None  # chosen in this step, from 1 on, or SHOWN; None: the question is open
        self._staged: tuple[object, ...] = ()  # `_motion_now` when the step was set
        self._lent: dict[str, tuple[Any, Any]] = {}  # for fields of the screen: the user's value, and the tour's
        self._before: Before | None = None

    @property
    def step(self) -> Step | None:
        """The step that is shown."""
        return self.tour.steps[self.at] if self.tour else None

    @property
    def asks(self) -> bool:
        """Whether the step has a question that is not answered yet."""
        return self.step is not None and bool(self.step.question) and self.answer is None

    def start(self, name: str) -> None:
        """Begin the tour with this name; an error becomes a message."""
        self._messages.attempt(lambda: self.begin(tour_named(name)))

    def begin(self, tour: Tour, at: int = 0) -> None:
        """Begin a tour at the step with this number."""
        self.end()
        self._session.commit_change()
        ui = {name: getattr(self._state, name) for name in ("panel", "panel_modes", "plots", "hidden")}
        sections = self._settings.value(OPEN_SECTIONS)
        self._before = Before(self._animator.home, ui, sections)
        self.tour = tour
        self._go(at, anew=True)

    def next(self) -> None:
        """Show the answer to an open question, or else the next step; after the last step, end the tour."""
        if self.tour is None:
            return
        if self.asks:
            self.choose(SHOWN)
        elif self.at + 1 == len(self.tour.steps):
            self.end()
        else:
            self._go(self.at + 1, anew=self._motion_now() != self._staged)

    def back(self) -> None:
        """Show the previous step, with its motion from the beginning."""
        if self.tour is not None and self.at > 0:
            self._go(self.at - 1, anew=True)

    def choose(self, answer: int) -> None:
        """Answer the question of the step, once; then the motion goes on."""
        if self.step is not None and self.asks and answer <= len(self.step.answers):
            self.answer = answer
            self._state.quiz_open = False
            if self.step.plays:
                self._session.playback.play()

    def take_key(self, key: str) -> bool:
        """Go on or back with a key, written as in the table of actions; return whether the tour has used the key.

        While a question is open, keys that lead on do nothing.
        """
        if self.tour is None or key not in NEXT_KEYS + BACK_KEYS:
            return False
        if key in BACK_KEYS:
            self.back()
        elif not self.asks:
            self.next()
        return True

    def take_text(self, typed: str) -> bool:
        """Choose an answer if its number was typed; return whether that was so."""
        step = self.step
        if step is None or typed not in [str(number) for number, _ in enumerate(step.answers, start=1)]:
            return False
        self.choose(int(typed))
        return True

    def end(self) -> None:
        """End the tour: scene, panel and plots are again as they were before the tour."""
        if self._before is None:
            return
        now = self._session.scenario
        screen = self.without_tour(now)
        values = {path: screen.value(path) for path in SCREEN_FIELDS}
        self._messages.attempt(lambda: self._session.leave_stage(values))
        self._scene_opened(now, None)
        self._animator.home = self._before.home
        self.close()

    def close(self) -> None:
        """Forget the tour, whose scene has been replaced by the user's own or by another one that was opened."""
        if self._before is not None:
            for name, value in self._before.ui.items():
                setattr(self._state, name, value)
            if self._settings.value(OPEN_SECTIONS) != self._before.sections:
                self._settings.change(OPEN_SECTIONS, self._before.sections)
        self._before, self._lent, self.tour, self.answer = None, {}, None, None
        self._state.quiz_open = False
        self._session.commit_change()

    def without_tour(self, scenario: Scenario) -> Scenario:
        """Return the scene with the screen fields as the user has set them, not as the tour has."""
        returned = {path: own for path, (own, tours) in self._lent.items() if scenario.value(path) == tours}
        return scenario.with_values({path: scenario.value(path) for path in SCREEN_FIELDS} | returned)

    def _go(self, number: int, anew: bool) -> None:
        """Show step `number`; if `anew`, the motion always begins again, else only if the step restarts it."""
        assert self.tour is not None
        self.at, step, self.answer = number, self.tour.steps[number], None
        self._state.quiz_open = self.asks
        own = self.without_tour(self._session.scenario)
        scenario, recording = self.tour.scenario(number, own), None
        if (recorded := self.tour.recording(number)) is not None:
            found: list[tuple[dict[str, Any], Replay]] = []
            self._messages.attempt(lambda: found.append(read_own(*recorded)))
            if found:  # it could be read
                motion, recording = found[0]
                scenario = scenario.with_values(motion)
        pairs = {path: (own.value(path), scenario.value(path)) for path in SCREEN_FIELDS}
        self._lent = {path: pair for path, pair in pairs.items() if pair[0] != pair[1]}
        time = self.tour.start_time(number) if step.restarts or anew else None
        self._stage(scenario, time, step.plays and not self.asks, step.scene is not None, recording)
        self._staged = self._motion_now()
        if step.plots:
            self._state.plots = True
        self.point_at(step)

    def _stage(
        self, scenario: Scenario, time: float | None, playing: bool, cut: bool, recording: "Replay | None"
    ) -> None:
        """Set the scene of a step and start its motion at `time` [s], or go on from the present time if it is None.

        The view changes at once if `cut`, and glides otherwise.
        """
        session, view = self._session, scenario.view
        before = session.scenario
        if not cut:
            glided = {name: getattr(before.view, name) for name in GLIDES}
            scenario = replace(scenario, view=replace(view, **glided))
        if self._messages.attempt(lambda: session.stage(scenario, time, playing, recording)) is not None:
            return
        self._scene_opened(before, None if cut else view)

    def _motion_now(self) -> tuple[object, ...]:
        """Return all that the motion depends on; a change of it means that the user has taken over."""
        session = self._session
        scenario, changes = session.scenario, len(session.motion.changes)
        loads = replace(scenario.loads, pulse=0.0)
        return scenario.body, scenario.start, loads, scenario.solver, scenario.race, changes
