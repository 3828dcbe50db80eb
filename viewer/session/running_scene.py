"""A scene that runs: its motion follows the clock; the other bodies and the race follow the motion."""

import dataclasses
from collections.abc import Callable
from math import floor, inf
from operator import is_

from viewer.common.errors import InputError, brief, refusal
from viewer.common.language import tr
from viewer.physics.simulation import NumericalOverflow
from viewer.race.live import LaneNow, LiveRace
from viewer.scenario.scenario import Scenario
from viewer.session.bodies import bodies_of, changed_bodies, check_bodies, folded, motion_of, race_beside
from viewer.session.document import ACTIVE_FIELDS, Change, Document, changed_body
from viewer.session.motion import Motion
from viewer.session.playback import AT_ONCE, Playback, Status, speed_limit
from viewer.session.snapshot import Snapshot

ON_A_STEP = 1e-6  # of a step: a time this close to a step counts as that step's
FAR_STEPS = 4096  # steps, which take some ms
LATEST = 1e6, 1e7  # s and steps: the latest time to which a motion can be run, whichever is later


class RunningScene:
    """A document with its motion, the other bodies of the scene, and its race; it begins at t = 0.

    It knows nothing about undo, files and tours: a user's changes go through the `Session`. Raises InputError if the
    document has no motion. `playback` runs the motion by the clock; `status` has what the user should know about it.
    """

    def __init__(self, document: Document, status: Status, playing: bool, clock: Callable[[], float]) -> None:
        self.status, self._clock = status, clock
        self._document = document
        self._scenario, self._made_of = document.start, tuple[object, ...]()  # the scene now, and its parts
        self.selected = 0  # the number of the body whose motion it is, if the scene has several
        self.playback = Playback(motion_of(document, 0), status, playing, clock)
        self.playback.why = self._why_it_stops
        self.bodies = bodies_of(document, 0, self.motion, None)  # all bodies, if the scene has several
        self.race: LiveRace | None = None  # beside the motion, if the scene has one
        self.race_message: str | None = None  # why there is no race, or what is missing in it
        self._begin_race()
        self._report_doubts()

    @property
    def document(self) -> Document:
        """The scene with all changes since t = 0, whatever the present time of the motion."""
        return self._document

    @property
    def motion(self) -> Motion:
        """The motion of the scene."""
        return self.playback.motion

    @property
    def scenario(self) -> Scenario:
        """The scene as it is now, with the loads and the solver that act now.

        If the scene has several bodies, body and start are those of the selected one.
        """
        made_of = self._document, self.motion.active, self.selected
        if not self._made_of or not all(map(is_, self._made_of, made_of)):
            self._made_of = made_of
            document, active, _ = made_of
            start = folded(document.start, self.selected)
            loads = dataclasses.replace(active.loads, pulse=start.loads.pulse, auto_pulse=start.loads.auto_pulse)
            self._scenario = dataclasses.replace(start, loads=loads, solver=active.solver)
        return self._scenario

    @property
    def moving(self) -> bool:
        """Whether something moves by itself: the clock runs, or the motion or the race is on the way to a time."""
        return self.playback.moving or self._others_late

    @property
    def late(self) -> bool:
        """Whether the next picture of a film is not computed yet."""
        return (self.playback.moving and self.playback.due > 0.0) or self._others_late

    @property
    def _others_late(self) -> bool:
        """Whether the race or other bodies have yet to reach the time of the motion."""
        return (self.race is not None and self.race.late) or (self.bodies is not None and self.bodies.late)

    @property
    def speed(self) -> float:
        """The wanted speed, in simulated seconds per second."""
        wanted = self.scenario.playback
        if not wanted.auto_speed:
            return wanted.speed
        lanes = () if self.race is None else self.race.turning
        if self.bodies is None:
            return self.playback.speed_for(self.motion.period, speed_limit((self.motion.turning, *lanes)))
        return self.playback.speed_for(self.bodies.period, speed_limit(self.bodies.turning))

    @property
    def speed_reached(self) -> float:
        """The speed that the machine reaches."""
        return self.playback.meter.reached(self.speed)

    @property
    def message(self) -> str | None:
        """A line that the user should know: the last event, or a doubt about the race or the body."""
        return self.status.event or self.race_message or self.motion.body.warning

    @property
    def message_is_doubt(self) -> bool:
        """Whether `message` reports a doubt, not a failure: about recordings, or about moments that no solid has."""
        if self.status.event is not None:
            return self.status.doubt
        return self.race_message is None and self.motion.body.warning is not None

    # -- what there is to show ------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Return the snapshot of the scene now."""
        deadline = self._clock() + AT_ONCE
        self._follow(lambda: self._clock() > deadline)
        return self._snapshot_now(self.playback.ahead)

    def _snapshot_now(self, ahead: float) -> Snapshot:
        """Return the snapshot that is later than the last step by `ahead`, a fraction of a step."""
        scenario = self.scenario
        found = self.motion.snapshot(ahead, self._lanes(), self._document.measured)
        if self.bodies is None:
            return found
        return dataclasses.replace(found, bodies=self.bodies.snapshots(found, ahead, scenario.shows_constructions))

    def _lanes(self) -> tuple[LaneNow, ...]:
        return () if self.race is None else self.race.now()

    def _follow(self, late: Callable[[], bool] = lambda: False) -> None:
        """Bring race and other bodies to the time of the motion, or less far once `late()` is true."""
        if self.bodies is not None:
            self.bodies.follow(self.motion, late)
        if self.race is not None:
            ahead = max(self.playback.ahead, 0.0) * self.motion.step
            self.race.follow(self.motion.time + ahead, late)

    def _why_it_stops(self, error: NumericalOverflow) -> str:
        """Return the text about a motion that diverges, with the body's name if there are several."""
        if self.bodies is None:
            return str(error)
        name = self._document.start.body_name(self.selected)
        text = tr("Body {name}: {error}; to go on, select another body")
        return text.format(name=name, error=error)

    # -- time ------------------------------------------------------------------------------------------------------

    def advance(self, wall_seconds: float, patient: bool = False) -> bool:
        """Let the clock run on by `wall_seconds`, in whole steps; return whether anything changed.

        With `patient`, for films, the clock runs on by exactly this time. If the physics takes longer, the scene is
        `late`, and the clock waits until the next frame is computed.

        No failure of the physics is raised: the motion stops and `message` says why.
        """
        before = self.status.revision
        changed = self._advance(wall_seconds, patient)
        self.status.by_clock += self.status.revision - before
        return changed

    def _advance(self, wall_seconds: float, patient: bool) -> bool:
        late = self.bodies is not None and self.bodies.late
        if (late or (patient and self._others_late)) and not self.playback.held:  # the clock waits for the others
            self.playback.wait(wall_seconds)
            self.status.changed()
            return True
        if self.playback.advance(wall_seconds, self.speed, patient):
            return True
        if self.race is None or not self.race.late:
            return False
        self.status.changed()
        return True

    @property
    def latest(self) -> float:
        """The last time [s] to which the motion can be run."""
        return max(LATEST[0], LATEST[1] * self.motion.step)

    def run_on_to(self, seconds: float) -> None:
        """Run on to the step nearest to `seconds`.

        Raises InputError if `seconds` is before the present time, or if the physics fails on the way.
        """
        latest = self.latest
        if not self.motion.time <= seconds <= latest:
            raise refusal(
                "time: {seconds} s is outside {time} to {latest} s",
                seconds=brief(seconds),
                time=brief(self.motion.time),
                latest=brief(latest),
            )
        try:
            far = seconds - self.motion.time > FAR_STEPS * self.motion.step
            (self.motion.skip_to if far else self.motion.run_to)(seconds)
        except NumericalOverflow as error:
            raise InputError(f"solver.integrator: {error}") from None
        self._follow()
        self.status.changed()

    def approach(self, seconds: float) -> bool:
        """Go on towards a distant time [s], for as long as one frame of the window may take.

        A free motion without errors is not stepped there, but comes from the closed form.
        Returns True if the time that is left is short, or if the physics fails on the way.
        """
        rest, deadline = seconds - self.motion.time - 2.0 * self.motion.step, self._clock() + AT_ONCE
        if rest < FAR_STEPS * self.motion.step and not self._others_late:
            return True
        try:
            self.motion.skip_to(self.motion.time + max(rest, 0.0), lambda: self._clock() > deadline)
        except NumericalOverflow:
            return True
        self._follow(lambda: self._clock() > deadline)
        return False

    def snapshot_at(self, seconds: float) -> Snapshot:
        """Run on to a time [s], unless it has passed, and return the snapshot there.

        If the integrator knows the states between two steps, the motion stops at the last step before that time, and
        the snapshot is at exactly that time. Otherwise it is at the nearest step. Raises InputError if the physics
        fails on the way.
        """
        now, step = self.motion.time, self.motion.step
        if not self.motion.dense:
            self.run_on_to(max(seconds, now))  # the nearest step may have been later
            return self.snapshot()
        self.run_on_to(now + floor((seconds - now) / step + ON_A_STEP) * step)
        ahead = (seconds - self.motion.time) / self.motion.step
        return self._snapshot_now(ahead)

    def loop_recording(self) -> None:
        """Run a recording, or the longest of several, again and again; do nothing without one."""
        if self._document.recorded_until is not None:
            self.playback.loop = 0.0, self._document.recorded_until

    def toggle_loop(self) -> None:
        """Repeat a recording, or one period of a motion without a recording; or stop repeating."""
        if self._document.recordings is None or self.playback.loop is not None:
            self.playback.toggle_loop()
        else:
            self.loop_recording()
            self.status.report(None)

    # -- changes ---------------------------------------------------------------------------------------------------

    def open(self, document: Document) -> None:
        """Open another document in place of this one, at t = 0; raises InputError and leaves everything as it was."""
        self._begin(document, selected=0)
        self._report_doubts()

    def begin_anew(self) -> None:
        """Go back to t = 0, with the loads and the solver that were set last; a recording runs again and again."""
        self._begin(self._document.begun_anew())
        if self.scenario.loads_value().free:
            self.loop_recording()

    def relabel(self, document: Document) -> None:
        """Replace the document by one with the same motion, but another title or file, for example."""
        self._document = document
        self.status.changed()

    def select(self, number: int) -> None:
        """Select another body, whose motion becomes the scene's.

        Raises InputError if this motion stopped before the present time.
        """
        if self.bodies is not None:
            motion = self.bodies.select(number, self.motion)
            self.selected = number
            self.playback.adopt(motion)

    def pulse(self, impulse: tuple[float, float, float]) -> None:
        """Apply an angular impulse [N m s] along the body axes now, to each body if there are several."""
        kick = Change(self.motion.time, impulse=impulse)
        if self.bodies is not None:
            self.bodies.follow(self.motion, lambda: False)
        self.motion.pulse(impulse)
        self.playback.loop = None
        self._document = self._document.with_change(kick)
        self.bodies = changed_bodies(
            self.bodies, self._document, self.selected, self.motion, lambda n: n.pulse(impulse)
        )
        self.status.changed()

    def apply(self, scenario: Scenario, joined: bool = False, pulled: bool = False) -> None:
        """Change the scene to `scenario`.

        If bodies or their starts have changed, the motion begins anew at t = 0; new loads and a new solver act on the
        running motion. `joined` says that the change is undone together with the one before it. `pulled` says that the
        body is being pulled, so that a change comes in every frame. Raises InputError and leaves everything as it was
        if `scenario` is not allowed.
        """
        before, then = self.scenario, self._document
        own = then.start
        scenario = folded(scenario, self.selected)
        whole = dataclasses.replace(scenario, body=own.body, start=own.start) if scenario.bodies else scenario
        if (scenario.body, scenario.start, scenario.bodies) != (before.body, before.start, before.bodies):
            self._begin(self._document.begun_with(whole))
            return
        document = self._document.with_fields(whole)
        acts = tuple(
            (path, scenario.value(path)) for path in ACTIVE_FIELDS if scenario.value(path) != before.value(path)
        )
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
            if not pulled:
                self.playback.resync()
            if not scenario.loads_value().free:
                self.playback.loop = None
        if scenario.playback != before.playback:
            self.playback.limit_debt()
            self.playback.keep_speed(None)
        self._document = document
        self._go_on(then)

    def restore(self, document: Document, whole: bool) -> None:
        """Go to another state of the document, for undo and redo, and keep the time if possible.

        The motion begins anew at t = 0 if the state has other bodies or starts, or is `whole`: a scene that was opened.
        If it has changes that the present state has not, the motion goes on to the last of them, over the frames that
        follow if that takes long; meanwhile the picture of a motion alone stays as it is. Raises InputError and leaves
        everything as it was if the document has no motion.
        """
        then, destination = self._document, self.playback.destination
        selected = 0 if whole else changed_body(then, document)
        anew = whole or then.motion[0] != document.motion[0]
        begins = anew or then.motion != document.motion
        if begins or not self.motion.revise(then.changes, document.changes):
            self._begin(document, selected=selected)
        else:
            if self.bodies is not None and not self.bodies.revise(then.changes, document.changes):
                self.bodies = None
            self._document = document
            self.bodies = changed_bodies(self.bodies, document, self.selected, self.motion)
            self._go_on(then)
        if whole:
            self.loop_recording()
        goals = _times_that_come_back(() if anew else then.changes, document.changes)[-1:]
        if not anew and (begins or then.changes != document.changes):
            goals.append(destination)
        if goals:
            self.playback.loop = None
            alone = self.bodies is None and self.race is None  # others follow a motion from picture to picture
            self.playback.go_to(max(goals), unseen=alone and not anew)

    # -- inside ----------------------------------------------------------------------------------------------------

    def _begin(self, document: Document, selected: int | None = None) -> None:
        """Begin another document's motion at t = 0; raises InputError and leaves everything as it was.

        `selected` is the number of the body to select; None keeps the present one, or takes the last if there are fewer
        bodies.
        """
        selected = min(self.selected if selected is None else selected, max(len(document.start.bodies) - 1, 0))
        motion = motion_of(document, selected)
        bodies = bodies_of(document, selected, motion, self.bodies)
        self._document, self.selected, self.bodies = document, selected, bodies
        self.playback.begin(motion)
        self._begin_race()

    def _go_on(self, before: Document) -> None:
        """Remove the last report; begin the race again if it depends on what has changed since `before`."""
        self.status.report(None)
        if before.race_setup != self._document.race_setup:
            self._begin_race()

    def _begin_race(self) -> None:
        """Begin the race at t = 0, with the recordings that run in it."""
        runs = () if self._document.recordings is None else self._document.recordings.trajectories
        self.race, self.race_message = race_beside(self._document, runs)
        self.status.report(None)

    def _report_doubts(self) -> None:
        """Report the doubts about the recordings that have been opened, one in a line."""
        if self._document.recordings is not None:
            self.status.report("\n".join(self._document.recordings.doubts) or None, doubt=True)


def _times_that_come_back(before: tuple[Change, ...], after: tuple[Change, ...]) -> list[float]:
    """Return the times [s] of the changes that are in `after`, but not in `before`.

    The two agree up to some change. Of the changes that follow in `after`, only those are returned that are no later
    than the next one of `before`.
    """
    same = next(
        (n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    latest = before[same].time if same < len(before) else inf
    return [change.time for change in after[same:] if change.time <= latest]
