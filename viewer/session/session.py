"""The live document: a scene, its motion and the race beside it, and what undo knows of them."""

import dataclasses
import os
import time
from collections.abc import Callable, Mapping
from math import floor
from operator import is_
from typing import Any

from viewer.common.errors import InputError, brief, refusal
from viewer.common.language import tr
from viewer.common.ring_buffer import RingBuffer
from viewer.physics.simulation import NumericalOverflow
from viewer.race.live import LaneNow, LiveRace
from viewer.race.recorded_lane import Recordings
from viewer.scenario.bodies import Member
from viewer.scenario.scenario import Scenario
from viewer.session.bodies.bodies import Bodies, bodies_of, changed_bodies, check_bodies, folded, motion_of
from viewer.session.document import ACTING, Change, Document, changed_body, unsaved
from viewer.session.motion import Motion
from viewer.session.playback import AT_ONCE, Playback
from viewer.session.pull import TORQUE, Pull
from viewer.session.race_beside import race_beside, race_setup
from viewer.session.recorded import Recorded, named_in
from viewer.session.snapshot import Snapshot
from viewer.session.status import Status
from viewer.session.trail import TRAIL_ROWS, TRAIL_WIDTH
from viewer.session.undo import NOT_UNDONE, UndoStack

WHOLE = 1e-6  # of a step: a time so near to a step is that step's
LATEST = 1e6, 1e7  # s and steps: the latest time that can be asked for, whichever is later
# what makes the open scene, and is set aside while a tour shows its own
OWN = (
    "_document",
    "_saved",
    "_undo",
    "_trail",
    "race_message",
    "selected",
    "bodies",
    "playback",
    "race",
)


class Session:
    """One open scene and its motion. Begins at t = 0, playing. Raises InputError where the scene is none.

    `playback` runs the motion by the clock; what changes the scene goes through `change` and `open`.
    """

    def __init__(
        self,
        scenario: Scenario,
        playing: bool = True,
        clock: Callable[[], float] = time.perf_counter,
        recording: Recordings | None = None,
        saved: bool = True,
        path: str | None = None,
        held: bool = False,
    ):
        """`recording`: that of which it is the scene, or several; it runs in the scene's race.

        `saved`: whether a file holds the scene; `path`: its own one. `held`: it shows a phone in the hand.
        """
        self.status = Status()
        self._undo = UndoStack()
        self._trail = RingBuffer(TRAIL_ROWS, TRAIL_WIDTH)
        self._snapshot: Snapshot | None = None
        self._shown = -1  # the revision of which it is
        self._document = Document(scenario, recorded=Recorded.beside(scenario, recording), path=path, held=held)
        self._scenario, self._saved = scenario, scenario if saved else Scenario()
        self._clock = clock
        self.selected = 0  # of the scene's bodies, where it has several: the one whose motion it is
        self.bodies: Bodies | None = None  # all of them, where it has several
        self._left: dict[tuple[Member, ...], int] = {}  # which was selected of those of scenes that were left
        self.playback = Playback(motion_of(self._document, 0, self._trail), self.status, playing, clock)
        self.playback.why = self._why_it_stops
        self.bodies = bodies_of(self._document, 0, self.motion, None)
        self._made_of: tuple[object, ...] = ()  # the scene
        self.race: LiveRace | None = None  # beside the motion, where the scene has one
        self.race_message: str | None = None  # why there is none, or what is missing in it
        self.pull = Pull(self)
        self._own: dict[str, Any] | None = None  # the user's own scene, while a tour shows its own
        self._begin_race()
        self._report_doubts()

    @property
    def motion(self) -> Motion:
        """The motion of the scene."""
        return self.playback.motion

    @property
    def scenario(self) -> Scenario:
        """The scene as it is now, with the loads and the solver that act now.

        Where it has several bodies, body and start are those of the selected one.
        """
        made_of = self._document, self.motion.acting, self.selected
        if not self._made_of or not all(map(is_, self._made_of, made_of)):
            self._made_of = made_of
            document, acting, _ = made_of
            start = folded(document.start, self.selected)
            loads = dataclasses.replace(acting.loads, pulse=start.loads.pulse, auto_pulse=start.loads.auto_pulse)
            self._scenario = dataclasses.replace(start, loads=loads, solver=acting.solver)
        return self._scenario

    @property
    def document(self) -> Document:
        """The open scene with all that was changed since t = 0; the same wherever in time the motion is."""
        return self._document

    @property
    def unsaved(self) -> bool:
        """Whether something has changed since the scene was opened or saved, other than the view and the playback."""
        return unsaved(self._saved, self._document.scenario)

    @property
    def unsaved_scene(self) -> Scenario | None:
        """The user's own scene where it is not saved, also while a tour shows its own."""
        if self._own is None:
            return self._document.scenario if self.unsaved else None
        own: Scenario = self._own["_document"].scenario
        return own if unsaved(self._own["_saved"], own) else None

    @property
    def moving(self) -> bool:
        """Whether something goes on by itself: the clock runs, or motion or race are still going to a time."""
        late = (self.race is not None and self.race.late) or (self.bodies is not None and self.bodies.late)
        return self.playback.moving or late

    @property
    def speed(self) -> float:
        """Wanted simulated seconds per second on the wall."""
        wanted = self.scenario.playback
        if not wanted.auto_speed:
            return wanted.speed
        return self.playback.speed_for(self.motion.period if self.bodies is None else self.bodies.period)

    @property
    def speed_reached(self) -> float:
        """Of that, what the machine reaches."""
        return self.playback.meter.reached(self.speed)

    @property
    def message(self) -> str | None:
        """What the user should know: the last event, or a doubt about the race or the body."""
        return self.status.event or self.race_message or self.motion.body.warning

    @property
    def message_is_doubt(self) -> bool:
        """Whether nothing failed: the message says what is doubtful about the recordings, or that no solid has these
        moments."""
        if self.status.event is not None:
            return self.status.doubt
        return self.race_message is None and self.motion.body.warning is not None

    # -- what there is to show ------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """What there is to show now; the same object until the status has another revision."""
        if self._snapshot is None or self._shown != self.status.revision:
            deadline = self._clock() + AT_ONCE
            self._follow(lambda: self._clock() > deadline)
            self._snapshot = self._snapshot_now(self.playback.ahead)
            self._shown = self.status.revision
        return self._snapshot

    def _snapshot_now(self, ahead: float) -> Snapshot:
        """Later by the fraction `ahead` of a step, of what has followed to the last step."""
        scenario = self.scenario
        found = self.motion.snapshot(ahead, self._lanes(), self._document.measured)
        if self.bodies is None:
            return found
        return dataclasses.replace(found, bodies=self.bodies.snapshots(found, ahead, scenario.shows_constructions))

    def _lanes(self) -> tuple[LaneNow, ...]:
        return () if self.race is None else self.race.now()

    def show_again(self) -> None:
        """The last snapshot is shown once more, for the present one cannot be taken; the motion stops."""
        assert self._snapshot is not None, "nothing could be shown yet"
        self.playback.stop()
        self._shown = self.status.revision

    def _follow(self, late: Callable[[], bool] = lambda: False) -> None:
        """Brings race and bodies to where the motion is, or until it is `late`."""
        if self.bodies is not None:
            self.bodies.follow(self.motion, late)
        if self.race is not None:
            ahead = max(self.playback.ahead, 0.0) * self.motion.step
            self.race.follow(self.motion.time + ahead, late)

    def _why_it_stops(self, error: NumericalOverflow) -> str:
        """What is said of a motion that diverges; of several bodies, which it is, for the clock stops for all."""
        if self.bodies is None:
            return str(error)
        name = self._document.start.body_name(self.selected)
        text = tr("Body {name}: {error}; to go on, select another body")
        return text.format(name=name, error=error)

    # -- time ------------------------------------------------------------------------------------------------------

    def advance(self, wall_seconds: float, patient: bool = False) -> bool:
        """Lets the clock run on by `wall_seconds`, in whole steps; True when anything changed.

        `patient`: however long the physics takes, and to the time exactly; for films.

        Never raises for what the physics does: the motion stops and `message` says why.
        """
        before = self.status.revision
        changed = self._advance(wall_seconds, patient)
        self.status.by_clock += self.status.revision - before
        return changed

    def _advance(self, wall_seconds: float, patient: bool) -> bool:
        if self.bodies is not None and self.bodies.late and not self.playback.held:  # the clock waits for them
            self.playback.wait(wall_seconds)
            self.status.changed()
            return True
        if self.playback.advance(wall_seconds, self.speed, patient):
            if patient and self.bodies is not None:
                self._follow()
            return True
        if self.race is None or not self.race.late:
            return False
        self.status.changed()
        return True

    def run_to(self, seconds: float) -> None:
        """From t = 0 to the step nearest to `seconds`; raises InputError where the physics fails on the way."""
        self.reset()
        self.run_on_to(seconds)

    @property
    def latest(self) -> float:
        """The last time [s] to which the motion can be run."""
        return max(LATEST[0], LATEST[1] * self.motion.step)

    def run_on_to(self, seconds: float) -> None:
        """The same from the present time, which must not be later."""
        latest = self.latest
        if not self.motion.time <= seconds <= latest:
            raise refusal(
                "time: {seconds} s is outside {time} to {latest} s",
                seconds=brief(seconds),
                time=brief(self.motion.time),
                latest=brief(latest),
            )
        try:
            self.motion.run_to(seconds)
        except NumericalOverflow as error:
            raise InputError(f"solver.integrator: {error}") from None
        self._follow()
        self.status.changed()

    def snapshot_at(self, seconds: float) -> Snapshot:
        """What there is to show at `seconds`, from the present time on; goes to the last step before it.

        Exactly then where the integrator knows what lies between two steps, else at the nearest step. Raises InputError
        where the physics fails on the way.
        """
        now, step = self.motion.time, self.motion.step
        if not self.motion.dense:
            self.run_on_to(max(seconds, now))  # the nearest step may have been later
            return self.snapshot()
        self.run_on_to(now + floor((seconds - now) / step + WHOLE) * step)
        ahead = (seconds - self.motion.time) / self.motion.step
        return self._snapshot_now(ahead)

    def reset(self) -> None:
        """Back to t = 0, with the loads and the solver that were set last; a recording runs again and again."""
        self.pull.end()
        self._begin(self._document.begun_anew())
        self._undo.restart()
        if self.scenario.loads_value().free:
            self.loop_recording()

    def pulse(self, axis: int, sign: int) -> None:
        """A torque pulse about a body axis (0, 1, 2): the angular momentum along it changes by `sign` loads.pulse now.

        It happens to the motion and is no change of the scene: `undo` takes it out of that, `reset` goes back before
        it. Of several bodies each gets it.
        """
        if self.race is not None:
            race = tr("No torque pulse in a race: its lanes are compared with the free motion")
            recorded = tr("No torque pulse: a recording is compared with the free motion")
            self.status.report(race if self._document.recordings is None else recorded)
            return
        size = sign * self.scenario.loads.pulse
        if size:
            x, y, z = (size if n == axis else 0.0 for n in range(3))
            before, kick = self._document, Change(self.motion.time, impulse=(x, y, z))
            if self.bodies is not None:
                self.bodies.follow(self.motion, lambda: False)
            self.motion.pulse((x, y, z))
            self.playback.loop = None
            self._document = self._document.with_change(kick)
            self.bodies = changed_bodies(
                self.bodies, self._document, self.selected, self.motion, lambda n: n.pulse((x, y, z))
            )
            self._undo.record(before, self._document, key=None)
            self.status.changed()

    def select(self, number: int) -> None:
        """Another body of the scene is the one that is read, plotted and changed; time stays where it is.

        One that stopped before now has no state now: it is not selected, and `message` says why.
        """
        if self.bodies is None or number == self.selected or not 0 <= number < len(self._document.start.bodies):
            return
        self.pull.end()
        try:
            motion = self.bodies.select(number, self.motion)
        except InputError as error:
            self.status.report(str(error))
            return
        self.selected = number
        self.playback.adopt(motion)
        self.commit_change()
        self.status.report(None)

    # -- changes of the scene, and undo ----------------------------------------------------------------------------

    def change(self, values: Mapping[str, Any], undoable: bool = True) -> None:
        """Changes fields together, such as {"body.mass": 2.0}, as `Scenario.with_values` does it; undo takes it back.

        Of several bodies the selected one changes. Raises InputError and leaves everything as it was where they are not
        allowed. Whatever is changed in the middle of a pull, but for the view, ends it.
        """
        undone = undoable and not all(path.partition(".")[0] in NOT_UNDONE for path in values)
        if undone and tuple(values) != (TORQUE,):
            self.pull.end()
        before, changed = self._document, folded(self.scenario.with_values(values, self.selected), self.selected)
        if changed == self.scenario:
            return
        self._apply(changed, joined=undone and self._undo.merges(tuple(values)))
        if undone:
            self._undo.record(before, self._document, key=tuple(values))

    def commit_change(self) -> None:
        """The gesture is over (mouse released): the next change is undone on its own."""
        self._undo.commit()

    def cancel_change(self) -> None:
        """The gesture is cancelled: what was changed since it began is taken back, and `redo` does not know of it."""
        self.pull.let_go()
        self._undo.cancel(self._document, self._restore)

    @property
    def undo_possible(self) -> tuple[bool, bool]:
        """Whether there is something to undo, and to redo."""
        return self._undo.possible

    def undo(self) -> None:
        """Takes back what was done last: only that, and the motion is as if it had not been done."""
        self.pull.end()
        self._undo.undo(self._document, self._restore)

    def redo(self) -> None:
        """Does again what was taken back last."""
        self.pull.end()
        self._undo.redo(self._document, self._restore)

    def let_go(self) -> None:
        """A phone in the hand is followed no more: what it did last is the start of a free motion."""
        self._document = dataclasses.replace(self._document, held=False)
        self.status.changed()

    def loop_recording(self) -> None:
        """A recording, or the longest of several, runs again and again; a motion without one goes on."""
        if self._document.recorded_until is not None:
            self.playback.loop = 0.0, self._document.recorded_until

    def toggle_loop(self) -> None:
        """A recording runs again and again, of another motion one period from here on; or that ends."""
        if self._document.recordings is None or self.playback.loop is not None:
            self.playback.toggle_loop()
        else:
            self.loop_recording()
            self.status.report(None)

    def _restore(self, document: Document, whole: bool) -> None:
        """Opens another state of the document at the same time; at t = 0 where it is `whole` or has another body.

        Raises InputError and leaves everything as it was where there is no such motion.
        """
        then, destination = self._document, self.playback.destination
        selected = self._left.get(document.start.bodies, self.selected) if whole else changed_body(then, document)
        anew = whole or then.motion[0] != document.motion[0]
        begins = anew or then.motion != document.motion
        if begins or not self.motion.revise(then.changes, document.changes):
            self._leave()
            self._begin(document, selected=selected)
        else:
            if self.bodies is not None and not self.bodies.revise(then.changes, document.changes):
                self.bodies = None
            self._document = document
            self.bodies = changed_bodies(self.bodies, document, self.selected, self.motion)
            self._go_on(then)
        if whole:
            self.loop_recording()
        if not anew and (begins or then.changes != document.changes):
            self.playback.loop = None
            self.playback.go_to(destination)

    # -- opening and saving ----------------------------------------------------------------------------------------

    def open(
        self,
        scenario: Scenario,
        recording: Recordings | None = None,
        *,
        saved: bool = True,
        path: str | None = None,
        held: bool = False,
    ) -> None:
        """Opens a scene at t = 0, as `opening.read` has read it; raises InputError and leaves everything as it was.

        `saved`: whether a file holds it; `path`: its own one. `held`: it shows a phone in the hand.
        """
        self.pull.end()
        staged = {name: getattr(self, name) for name in OWN}
        if self._own is not None:
            self._put_back(self._own)
        before = self._document
        self._leave()
        try:
            recorded = Recorded.beside(scenario, recording)
            self._begin(Document(scenario, recorded=recorded, path=path, held=held), selected=0)
        except InputError:
            self._put_back(staged)
            raise
        self._report_doubts()
        self._own = None
        self._saved = scenario if saved else Scenario()
        self._undo.record(before, self._document, key=None, whole=True)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the scene to a file, its own from then on, and names it as `Scenario.named_after` says; raises
        InputError where that fails."""
        self.pull.end()
        path = os.fspath(path)
        named = named_in(self._document.scenario, self._document.recorded).named_after(path, self._document.path)
        named.save(path)
        self._document, self._saved = dataclasses.replace(self._document.with_fields(named), path=path), named
        self.status.changed()

    def stage(self, scenario: Scenario, time: float | None, playing: bool, recording: Recordings | None = None) -> None:
        """Shows a step of a tour: the motion begins anew and goes to `time` [s], None: it goes on from where it is.
        `recording`: that of which it is the scene.

        The user's own scene is set aside until `leave_stage`; undo knows only what is done in this step. Raises
        InputError and leaves everything as it was where the scene cannot be or the physics fails on the way.
        """
        self.pull.end()
        before = {name: getattr(self, name) for name in OWN}
        try:
            if self._own is None:
                self._trail, self.bodies = RingBuffer(TRAIL_ROWS, TRAIL_WIDTH), None
                self.playback = Playback(self.motion, self.status, playing, self._clock)
            if time is None and self._own is not None:
                self._apply(scenario)
            else:
                self._begin(Document(scenario, recorded=Recorded.beside(scenario, recording)), selected=0)
                self.run_on_to(time or 0.0)
                self._report_doubts()
        except InputError:
            self._put_back(before)
            raise
        self._own = self._own or before
        self._saved, self._undo = self._document.scenario, UndoStack()
        if self.playback.backwards:
            self.playback.reverse()
        self.playback.loop = None
        self.loop_recording()
        if playing != self.playback.playing:
            self.playback.toggle()

    def leave_stage(self, values: Mapping[str, Any]) -> None:
        """The tour ends: the user's own scene is there again as he left it, but for `values` that he has set since."""
        if self._own is not None:
            self.pull.end()
            self._put_back(self._own)
            self._own = None
            self.status.report(None)
            self.commit_change()
            self.change({path: value for path, value in values.items() if self.scenario.value(path) != value})
            self.commit_change()

    def _put_back(self, kept: Mapping[str, Any]) -> None:
        """All that makes the open scene is as it was."""
        for name, value in kept.items():
            setattr(self, name, value)

    # -- inside ----------------------------------------------------------------------------------------------------

    def _apply(self, scenario: Scenario, joined: bool = False) -> None:
        """Makes `scenario` the present one: body and start from t = 0, loads and solver on the running motion.

        `joined`: one step of undo with the change before it.
        """
        before, then = self.scenario, self._document
        own = then.start
        scenario = folded(scenario, self.selected)
        whole = dataclasses.replace(scenario, body=own.body, start=own.start) if scenario.bodies else scenario
        if (scenario.body, scenario.start, scenario.bodies) != (before.body, before.start, before.bodies):
            self._begin(self._document.begun_with(whole))
            return
        document = self._document.with_fields(whole)
        acts = tuple((path, scenario.value(path)) for path in ACTING if scenario.value(path) != before.value(path))
        if acts and self.motion.diverged:  # from such a state nothing goes on
            self._begin(self._document.begun_with(whole))
            self.status.report(tr("Back to t = 0: the motion had diverged"))
            return
        if acts:
            change = Change(self.motion.time, acts, joined=joined)
            check_bodies(whole)
            if self.bodies is not None:
                self.bodies.follow(self.motion, lambda: False)
            self.motion.change(scenario)
            self._document = document = document.with_change(change)
            self.bodies = changed_bodies(self.bodies, document, self.selected, self.motion, lambda n: n.change(whole))
            if self.pull.own is None:  # a pull changes it in every frame
                self.playback.resync()
            if not scenario.loads_value().free:
                self.playback.loop = None
        if scenario.playback != before.playback:
            self.playback.limit_debt()
            self.playback.settle_speed()
        self._document = document
        self._go_on(then)

    def _leave(self) -> None:
        """Another scene comes: the selected body is so again once this one is back."""
        self._left[self._document.start.bodies] = self.selected

    def _begin(self, document: Document, selected: int | None = None) -> None:
        """Another document's motion from t = 0; raises InputError and leaves everything as it was.

        `selected`: the body that is selected then; None: that of now, where there is such a one.
        """
        selected = min(self.selected if selected is None else selected, max(len(document.start.bodies) - 1, 0))
        motion = motion_of(document, selected, self._trail)
        bodies = bodies_of(document, selected, motion, self.bodies)
        self._document, self.selected, self.bodies = document, selected, bodies
        self.playback.begin(motion)
        self._begin_race()

    def _go_on(self, before: Document) -> None:
        """The motion goes on; the race begins again where it depends on what has changed since `before`."""
        self.status.report(None)
        if race_setup(before) != race_setup(self._document):
            self._begin_race()

    def _begin_race(self) -> None:
        """The race from t = 0, with the recordings that run in it."""
        runs = () if self._document.recordings is None else self._document.recordings.trajectories
        self.race, self.race_message = race_beside(self._document, runs)
        self.status.report(None)

    def _report_doubts(self) -> None:
        """What is doubtful about the recordings that have been opened."""
        if self._document.recordings is not None:
            self.status.report("; ".join(self._document.recordings.warnings) or None, doubt=True)
