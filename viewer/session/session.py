"""The live document: a scene, its motion and the race beside it, and what undo knows of them."""

import dataclasses
import os
import time
from collections.abc import Callable, Mapping
from math import floor
from typing import TYPE_CHECKING, Any

from viewer.common.errors import InputError, brief
from viewer.common.ring_buffer import RingBuffer
from viewer.physics.simulation import NumericalOverflow
from viewer.race.live import LiveRace, SceneRace
from viewer.scenario.scenario import Scenario
from viewer.session.document import ACTING, Change, Document
from viewer.session.motion import Motion
from viewer.session.playback import AT_ONCE, Playback
from viewer.session.snapshot import Snapshot
from viewer.session.status import Status
from viewer.session.trail import TRAIL_ROWS, TRAIL_WIDTH
from viewer.session.undo import NOT_UNDONE, UndoStack

if TYPE_CHECKING:
    from viewer.replay.analysis import Replay

WHOLE = 1e-6  # of a step: a time so near to a step is that step's
LATEST = 1e6  # s: the latest time that can be asked for


class Session:
    """One open scene and its motion. Begins at t = 0, playing. Raises InputError where the scene is none.

    `playback` runs the motion by the clock; what changes the scene goes through `change` and `open`.
    """

    def __init__(
        self,
        scenario: Scenario,
        playing: bool = True,
        clock: Callable[[], float] = time.perf_counter,
        recording: "Replay | None" = None,
    ):
        """`recording`: that of which it is the scene; it runs in the scene's race."""
        self.status = Status()
        self._undo = UndoStack()
        self._trail = RingBuffer(TRAIL_ROWS, TRAIL_WIDTH)
        self._snapshot: Snapshot | None = None
        self._shown = -1  # the revision of which it is
        self._document = Document(scenario)
        self._scenario = self._saved = scenario
        motion = Motion(scenario, self._trail)
        self._made_of = self._document, motion.acting  # the scene
        self._clock = clock
        self._race = SceneRace()
        self.playback = Playback(motion, self.status, playing, clock)
        self._begin(motion, recording)

    @property
    def motion(self) -> Motion:
        """The motion of the scene."""
        return self.playback.motion

    @property
    def scenario(self) -> Scenario:
        """The scene as it is now, with the loads and the solver that act now."""
        document, acting = self._document, self.motion.acting
        if self._made_of[0] is not document or self._made_of[1] is not acting:
            self._made_of = document, acting
            loads = dataclasses.replace(acting.loads, pulse=document.start.loads.pulse)
            self._scenario = dataclasses.replace(document.start, loads=loads, solver=acting.solver)
        return self._scenario

    @property
    def document(self) -> Document:
        """The open scene with all that was changed on the way; the same wherever in time the motion is."""
        return self._document

    @property
    def unsaved(self) -> bool:
        """Whether something has changed since the scene was opened or saved, other than the view and the playback."""
        now = self._document.scenario
        return dataclasses.replace(self._saved, view=now.view, playback=now.playback) != now

    @property
    def moving(self) -> bool:
        """Whether something goes on by itself: the clock runs, or motion or race are on the way to a time."""
        return self.playback.moving or (self.race is not None and self.race.late)

    @property
    def race(self) -> LiveRace | None:
        """The race beside the motion, where the scene has one."""
        return self._race.race

    @property
    def speed(self) -> float:
        """Wanted simulated seconds per second on the wall."""
        wanted = self.scenario.playback
        return self.playback.automatic_speed if wanted.auto_speed else wanted.speed

    @property
    def speed_reached(self) -> float:
        """Of that, what the machine reaches."""
        return self.playback.speed_reached(self.speed)

    @property
    def message(self) -> str | None:
        """What the user should know: the last event, or a doubt about the race or the body."""
        return self.status.event or self._race.message or self.motion.body.warning

    # -- what there is to show ------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """What there is to show now; the same object until the status has another revision."""
        if self._snapshot is None or self._shown != self.status.revision:
            deadline = self._clock() + AT_ONCE
            self._advance_race(lambda: self._clock() > deadline)
            self._snapshot = self.motion.snapshot(self.playback.ahead, self.race, self.scenario.shows_momentum)
            self._shown = self.status.revision
        return self._snapshot

    def show_again(self) -> None:
        """The last snapshot is shown once more, for the present one cannot be taken; the motion stops."""
        assert self._snapshot is not None, "nothing could be shown yet"
        self.playback.stop()
        self._shown = self.status.revision

    def _advance_race(self, late: Callable[[], bool] = lambda: False) -> None:
        """Advances the race to where the motion is, or until it is `late`."""
        if self.race is not None:
            ahead = max(self.playback.ahead, 0.0) * self.motion.step
            self.race.follow(self.motion.time + ahead, late)

    # -- time ------------------------------------------------------------------------------------------------------

    def advance(self, wall_seconds: float, patient: bool = False) -> bool:
        """Lets the clock run on by `wall_seconds`, in whole steps; True when anything changed.

        `patient`: however long the physics takes, and to the time exactly; for films.

        Never raises for what the physics does: the motion stops and `message` says why.
        """
        if self.playback.advance(wall_seconds, self.speed, patient):
            return True
        if self.race is None or not self.race.late:
            return False
        self.status.changed()
        return True

    def run_to(self, seconds: float) -> None:
        """From t = 0 to the step nearest to `seconds`; raises InputError where the physics fails on the way."""
        self.reset()
        self.run_on_to(seconds)

    def run_on_to(self, seconds: float) -> None:
        """The same from the present time, which must not be later."""
        if not self.motion.time <= seconds <= LATEST:
            raise InputError(f"time: {brief(seconds)} s is outside {brief(self.motion.time)}..{brief(LATEST)} s")
        try:
            self.motion.run_to(seconds)
        except NumericalOverflow as error:
            raise InputError(f"solver.integrator: {error}") from None
        self._advance_race()
        self.status.changed()

    def snapshot_at(self, seconds: float) -> Snapshot:
        """What there is to show at `seconds`, from the present time on; goes to the last step before it.

        Exactly then where the integrator knows what lies between two steps, else at the nearest step. Raises InputError
        where the physics fails on the way.
        """
        now, step = self.motion.time, self.motion.step
        if not self.motion.dense:
            self.run_on_to(seconds)
            return self.snapshot()
        self.run_on_to(now + floor((seconds - now) / step + WHOLE) * step)
        ahead = (seconds - self.motion.time) / self.motion.step
        return self.motion.snapshot(ahead, self.race, self.scenario.shows_momentum)

    def reset(self) -> None:
        """Back to t = 0, with the loads and the solver that were set last."""
        document = self._document.begun_anew()
        motion = Motion(document.start, self._trail)
        self._document = document
        self._undo.restart()
        self._begin(motion)

    def pulse(self, axis: int, sign: int) -> None:
        """A torque pulse about a body axis (0, 1, 2): the angular momentum along it changes by `sign` loads.pulse now.

        It happens to the motion and is no change of the scene: `undo` leaves it, `reset` goes back before it.
        """
        if self.race is not None:
            self.status.report("No torque pulse in a race: its lanes are compared with the free motion")
            return
        size = sign * self.scenario.loads.pulse
        if size:
            x, y, z = (size if n == axis else 0.0 for n in range(3))
            kick = Change(self.motion.time, impulse=(x, y, z))
            self.motion.pulse((x, y, z))
            self.playback.loop = None
            self._document = self._document.with_change(kick)
            self.status.changed()

    # -- changes of the scene, and undo ----------------------------------------------------------------------------

    def change(self, values: Mapping[str, Any]) -> None:
        """Changes fields together, such as {"body.mass": 2.0}, as `Scenario.with_values` does it.

        Raises InputError and leaves everything as it was where they are not allowed.
        """
        before, changed = self._document, self.scenario.with_values(values)
        if changed == self.scenario:
            return
        self._apply(changed)
        if not all(path.partition(".")[0] in NOT_UNDONE for path in values):
            self._undo.record(before, self._document, key=tuple(values))

    def commit_change(self) -> None:
        """The gesture is over (mouse released): the next change is undone on its own."""
        self._undo.commit()

    def undo(self) -> None:
        """Takes back what was done last: only that, and the motion is as if it had not been done."""
        self._undo.undo(self._document, self._restore)

    def redo(self) -> None:
        """Does again what was taken back last."""
        self._undo.redo(self._document, self._restore)

    def _restore(self, document: Document, whole: bool) -> None:
        """Opens another state of the document at the same time; at t = 0 where it is `whole` or has another body.

        Raises InputError and leaves everything as it was where there is no such motion.
        """
        then, destination, before = self._document, self.playback.destination, self.scenario
        anew = whole or then.motion[:2] != document.motion[:2]
        begins = anew or then.motion != document.motion
        if begins or not self.motion.revise(then.changes, document.changes):
            motion = Motion(document.start, self._trail, document.changes)
            self._document = document
            self._begin(motion)
        else:
            self._document = document
            self.status.report(None)
            self._race.follow(before, self.scenario)
        if not anew and (begins or then.changes != document.changes):
            self.playback.loop = None
            self.playback.go_to(destination)

    # -- opening and saving ----------------------------------------------------------------------------------------

    def open(self, scenario: Scenario, recording: "Replay | None" = None, *, saved: bool = True) -> None:
        """Opens a scene at t = 0, as `opening.read` has read it; raises InputError and leaves everything as it was.

        `saved`: whether a file holds it.
        """
        before, motion = self._document, Motion(scenario, self._trail)
        self._document, self._saved = Document(scenario), scenario if saved else Scenario()
        self._begin(motion, recording)
        self._undo.record(before, self._document, key=None, whole=True)

    def save(self, path: str | os.PathLike[str], before: str | os.PathLike[str] | None = None) -> None:
        """Writes the scene to a file, named as `Scenario.named_after` says; raises InputError where that fails."""
        named = self._document.scenario.named_after(path, before)
        named.save(path)
        self._document, self._saved = self._document.with_fields(named), named
        self.status.changed()

    def stage(self, scenario: Scenario, time: float | None, playing: bool) -> None:
        """Shows a step of a tour: the motion begins anew and goes to `time` [s], None: it goes on from where it is.

        One undo takes all steps back between which nothing else was changed. Raises InputError where the scene cannot
        be or the physics fails on the way.
        """
        before = self._document
        if time is None:
            self._apply(scenario)
        else:
            motion = Motion(scenario, self._trail)
            self._document = Document(scenario)
            self._begin(motion)
            self.run_on_to(time)
        self._saved = self._document.scenario
        self._record_stage(before)
        if self.playback.backwards:
            self.playback.reverse()
        self.playback.loop = None
        if playing != self.playback.playing:
            self.playback.toggle()

    def leave_stage(self, screen: Scenario) -> None:
        """The tour ends: what belongs to the screen is as in `screen`; the undo of the tour takes that back, too."""
        before = self._document
        self._apply(self.scenario.with_screen_of(screen))
        self._saved = self._saved.with_screen_of(screen)
        self._record_stage(before)

    def _record_stage(self, before: Document) -> None:
        if before != self._document:
            self._undo.record(before, self._document, key="tour", whole=True)

    # -- inside ----------------------------------------------------------------------------------------------------

    def _apply(self, scenario: Scenario) -> None:
        """Makes `scenario` the present one: body and start from t = 0, loads and solver on the running motion."""
        before = self.scenario
        if (scenario.body, scenario.start) != (before.body, before.start):
            motion = Motion(scenario, self._trail)
            self._document = Document(scenario)
            self._begin(motion)
            return
        document = self._document.with_fields(scenario)
        acts = tuple((path, scenario.value(path)) for path in ACTING if scenario.value(path) != before.value(path))
        if acts:
            change = Change(self.motion.time, acts)
            self.motion.change(scenario)
            document = document.with_change(change)
            self.playback.resync()
            if not scenario.loads_value().free:
                self.playback.loop = None
        if scenario.playback != before.playback:
            self.playback.limit_debt()
        self._document = document
        self.status.report(None)
        self._race.follow(before, self.scenario)

    def _begin(self, motion: Motion, recording: "Replay | None" = None) -> None:
        """The document's motion from t = 0; what is doubtful about its recording is reported."""
        self.playback.begin(motion)
        if recording is not None:
            self._race.take_recording(recording.trajectory, self.scenario)
        self._race.begin(self.scenario)
        self.status.report(("; ".join(recording.warnings) or None) if recording is not None else None)
