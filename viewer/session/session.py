"""The live document: scene, simulation, playback clock and trail; the only thing that ui and export drive."""

import dataclasses
import os
import time
from collections.abc import Callable, Mapping
from math import floor
from typing import TYPE_CHECKING, Any

from viewer.common.errors import InputError, brief
from viewer.common.ring_buffer import RingBuffer
from viewer.physics.simulation import NumericalOverflow
from viewer.race.beside import Beside
from viewer.race.live import LiveRace
from viewer.scenario.scenario import Scenario, is_recording
from viewer.session import playback
from viewer.session.checkpoints import Recording
from viewer.session.document import ACTING, Change, Document
from viewer.session.motion import FORWARDS_ONLY, IrreversibleError, Motion, Reading
from viewer.session.player import AT_ONCE, Player
from viewer.session.snapshot import Snapshot
from viewer.session.trail import TRAIL_ROWS, TRAIL_WIDTH
from viewer.session.undo import NOT_UNDONE, Entry, UndoStack

if TYPE_CHECKING:
    from viewer.replay.analysis import Replay

WHOLE = 1e-6  # of a step: so near to a step a moment is that step's
LATEST = 1e6  # s: the latest time that can be asked for


class Session:
    """One open scene and its motion. Begins at t = 0, playing. Raises InputError where the scene is none."""

    def __init__(
        self,
        scenario: Scenario,
        playing: bool = True,
        clock: Callable[[], float] = time.perf_counter,
        log: "Replay | None" = None,
    ):
        """`log`: the log of which it is the scene; it runs in the scene's race."""
        self._undo = UndoStack()
        self._trail = RingBuffer(TRAIL_ROWS, TRAIL_WIDTH)
        self._revision = 0
        self._event: str | None = None
        self._auto_speed: float | None = None
        self._snapshot: Snapshot | None = None
        self._shown_last: Snapshot | None = None
        self._document = Document(scenario)
        self._scenario = self._kept = scenario
        self._motion = Motion(scenario, self._trail)
        self._made_of = self._document, self._motion.acting  # the scene
        self._player = Player(self._motion, playing, clock)
        self._clock = clock
        self._beside = Beside()
        self._begin(self._motion, log)
        if playing:  # it may run for days
            self._trail.take_memory()
            self.recording.take_memory()

    @property
    def scenario(self) -> Scenario:
        """The scene as it is now, with the loads and the solver that act now."""
        return self._scenario

    @property
    def document(self) -> Document:
        """The open scene with all that was changed on the way; the same wherever in time the motion is."""
        return self._document

    @property
    def unsaved(self) -> bool:
        """Whether something has changed since the scene was opened or saved, other than the view and the playback."""
        now = self._document.scenario
        return dataclasses.replace(self._kept, view=now.view, playback=now.playback) != now

    @property
    def playing(self) -> bool:
        """Whether the clock runs."""
        return self._player.playing

    @property
    def moving(self) -> bool:
        """Whether something goes on by itself: the clock runs, or motion or race are on the way to a moment."""
        return self._player.moving or (self.race is not None and self.race.late)

    @property
    def backwards(self) -> bool:
        """Whether the clock runs backwards."""
        return self._player.backwards

    @property
    def loop(self) -> tuple[float, float] | None:
        """The times [s] between which it runs again and again, if it does."""
        return self._player.loop

    @property
    def span(self) -> tuple[float, float]:
        """The times [s] that are recorded."""
        return self._motion.span

    @property
    def changes(self) -> list[float]:
        """The times [s] of the changes and pulses that are recorded."""
        return [segment.simulation.time for segment in self._motion.recording.segments[1:]]

    @property
    def irreversible(self) -> str | None:
        """Why time does not run backwards; None where it does."""
        return self._motion.irreversible

    def hold(self, held: bool) -> None:
        """While the timeline is dragged the clock stands still."""
        self._player.held = held

    @property
    def recording(self) -> Recording:
        """All that the motion went through."""
        return self._motion.recording

    @property
    def race(self) -> LiveRace | None:
        """The race beside the motion, where the scene has one."""
        return self._beside.race

    @property
    def time(self) -> float:
        """Simulated time in seconds."""
        return self._motion.time

    @property
    def revision(self) -> int:
        """Grows whenever something visible has changed."""
        return self._revision

    @property
    def speed(self) -> float:
        """Wanted simulated seconds per second on the wall."""
        playing = self._scenario.playback
        return self._auto_speed or 1.0 if playing.auto_speed else playing.speed

    @property
    def message(self) -> str | None:
        """What the user should know: the last event, or a doubt about the body."""
        return self._event or self._beside.says or self._motion.body.warning

    def say(self, message: str | None) -> None:
        """Shows a message until the next change, or takes it away."""
        if message != self._event:
            self._event = message
            self._touch()

    def snapshot(self) -> Snapshot:
        """What there is to show now; the same object until `revision` changes."""
        if self._snapshot is None:
            deadline = self._clock() + AT_ONCE
            self._lead_race(lambda: self._clock() > deadline)
            self._snapshot = self._shown_last = self._shown(self._player.ahead)
        return self._snapshot

    def show_again(self) -> None:
        """Shows the last moment that could be shown, for the present one cannot; the motion stops."""
        assert self._shown_last is not None, "nothing could be shown yet"
        self._player.stop()
        last, now = self._shown_last, self._scenario
        same = (now.body, now.start) == (last.scenario.body, last.scenario.start)
        self._snapshot = dataclasses.replace(
            last,
            scenario=now if same else last.scenario,
            playing=False,
            message=self.message,
            revision=self._revision,
        )

    def _lead_race(self, late: Callable[[], bool] = lambda: False) -> None:
        """Leads the race to where the motion is, or until it is `late`."""
        if self.race is not None:
            ahead = max(self._player.ahead, 0.0) * self._motion.step
            self.race.follow(self._motion.time + ahead, late)

    def _shown(self, ahead: float) -> Snapshot:
        """The motion, later by the share `ahead` of a step."""
        return Snapshot(
            scenario=self._scenario,
            playing=self.playing,
            speed=self.speed,
            speed_reached=self._player.speed_reached(self.speed),
            message=self.message,
            revision=self._revision,
            lanes=self.race.now() if self.race is not None else (),
            **self._motion.quantities(ahead),
            **(self._motion.corrections() if self._scenario.shows_momentum else {}),
        )

    def reading(self) -> Reading:
        """The motion now, without what only a picture needs."""
        return self._motion.reading()

    def advance(self, wall_seconds: float, patient: bool = False) -> bool:
        """Lets the clock run on by `wall_seconds`, in whole steps; True when anything changed.

        `patient`: however long the physics takes, and to the moment exactly; for films.

        Never raises for what the physics does: the motion stops and `message` says why.
        """
        before = self._player.ahead
        moved = self._led(lambda: self._player.advance(wall_seconds, self.speed, patient))
        if not moved and self._motion.dense and self._player.ahead != before:
            self._touch()  # between two steps
            return True
        if not moved and self.race is not None and self.race.late:
            self._touch()
            return True
        return bool(moved)

    def _led(self, what: Callable[[], object]) -> object:
        """Lets the player do something; a motion that stops or refuses says why."""
        try:
            moved = what()
        except (NumericalOverflow, IrreversibleError) as error:
            self._player.stop()
            self._follow()
            self.say(str(error))
            return True
        if moved is not False:
            self._follow()
        return moved

    def _follow(self) -> None:
        """The motion or the document is another: the scene has the loads and the solver that act now."""
        shown = self._document, self._motion.acting
        if shown[0] is not self._made_of[0] or shown[1] is not self._made_of[1]:
            self._made_of, (loads, solver) = shown, shown[1]
            loads = dataclasses.replace(loads, pulse=self._document.start.loads.pulse)
            self._scenario = dataclasses.replace(self._document.start, loads=loads, solver=solver)
        self._touch()

    def step_once(self, sign: int = 1) -> None:
        """One integration period further (or back, where `sign` is -1), then pause."""
        self._player.stop()
        self._event = None
        self._led(lambda: self._motion.run(sign * (1 + self._scenario.solver.extra_substeps)))

    def seek(self, time: float) -> None:
        """To the recorded moment nearest to `time` [s]."""
        self._player.goal = None
        self._player.resync()
        self._led(lambda: self._motion.seek(time))

    def jump_to_flip(self) -> None:
        """To the next reversal about the middle axis; `message` says why there is none."""
        time, why = self._motion.next_flip()
        if time is None:
            self.say(why)
        else:
            self._event = None
            self._led(lambda: self._player.go_to(time))

    def toggle_loop(self) -> None:
        """Runs through one period from here on again and again, or ends that; `message` says why it cannot."""
        if self._player.loop is not None:
            self._player.loop = None
        else:
            end, why = self._motion.one_period_on()
            if end is None:
                self.say(why)
                return
            self._event = None
            self._player.loop = (self.time, end)
        self._touch()

    def reverse(self) -> None:
        """Lets the clock run the other way; `message` says why where it does not."""
        if not self._player.backwards and self._motion.irreversible:
            self.say(f"{FORWARDS_ONLY}: {self._motion.irreversible}")
            return
        self._player.reverse()
        self._event = None
        self._touch()

    def pulse(self, axis: int, sign: int) -> None:
        """A torque pulse about a body axis (0, 1, 2): the angular momentum along it changes by `sign` loads.pulse now.

        It happens to the motion and is no change of the scene: `undo` leaves it, `reset` goes back before it.
        """
        if self.race is not None:
            self.say("No torque pulse in a race: its lanes are compared with the free motion")
            return
        impulse = [0.0, 0.0, 0.0]
        impulse[axis] = sign * self._scenario.loads.pulse
        if impulse[axis]:
            kick = Change(self.time, impulse=(impulse[0], impulse[1], impulse[2]))
            self._motion.pulse((impulse[0], impulse[1], impulse[2]))
            self._player.loop = None
            self._document = self._document.with_change(kick)
            self._touch()

    def run_to(self, seconds: float) -> None:
        """From t = 0 to the step nearest to `seconds`; raises InputError where the physics fails on the way."""
        self.reset()
        self.run_on_to(seconds)

    def run_on_to(self, seconds: float) -> None:
        """The same from the present time, which must not be later."""
        if not self.time <= seconds <= LATEST:
            raise InputError(f"time: {brief(seconds)} s is outside {brief(self.time)}..{brief(LATEST)} s")
        try:
            self._motion.run_to(seconds)
        except NumericalOverflow as error:
            raise InputError(f"solver.integrator: {error}") from None
        self._lead_race()
        self._touch()

    def moment(self, seconds: float) -> Snapshot:
        """What there is to show at `seconds`, from the present time on; goes to the last step before it.

        Exactly then where the integrator knows what lies between two steps, else at the nearest step. Raises InputError
        where the physics fails on the way.
        """
        late = (seconds - self.time) / self._motion.step
        if not self._motion.dense:
            self.run_on_to(seconds)
            return self.snapshot()
        self.run_on_to(self.time + floor(late + WHOLE) * self._motion.step)
        return self._shown((seconds - self.time) / self._motion.step)

    def reset(self) -> None:
        """Back to t = 0, with the loads and the solver that were set last."""
        document = self._document.begun_anew()
        motion = Motion(document.start, self._trail)
        self._document = document
        self._undo.begin_anew()
        self._begin(motion)

    def play(self) -> None:
        """Lets the clock run."""
        self._set_playing(True)

    def pause(self) -> None:
        """Stops the clock."""
        self._set_playing(False)

    def toggle(self) -> None:
        """Play or pause."""
        self._set_playing(not self.playing)

    def press_play(self) -> None:
        """Runs forwards, or pauses where it does."""
        if self.backwards:
            self.reverse()
        else:
            self.toggle()

    def press_backwards(self) -> None:
        """Runs backwards, or pauses where it does."""
        if self.backwards:
            self.toggle()
        else:
            self.reverse()

    def faster(self) -> None:
        """To the next round speed above; ends the automatic speed."""
        self.change("playback.speed", playback.faster(self.speed))

    def slower(self) -> None:
        """To the next round speed below; ends the automatic speed."""
        self.change("playback.speed", playback.slower(self.speed))

    def change(self, path: str, value: Any) -> None:
        """Changes one field such as "body.mass"; raises InputError and leaves everything as it was if it may not be."""
        self.change_many({path: value})

    def change_many(self, values: Mapping[str, Any]) -> None:
        """Changes fields together, as `Scenario.with_values` does it."""
        before, changed = self._document, self._scenario.with_values(values)
        if changed == self._scenario:
            return
        self._apply(changed)
        if not all(path.partition(".")[0] in NOT_UNDONE for path in values):
            self._undo.record(before, self._document, key=tuple(values))

    def commit_change(self) -> None:
        """The gesture is over (mouse released): the next change is undone on its own."""
        self._undo.commit()

    def undo(self) -> None:
        """Takes back what was done last: only that, and the motion is as if it had not been done."""
        while (entry := self._undo.last()) is not None:
            before = self._document
            restored = entry.undone(before)
            self._restore(entry, restored)
            self._undo.undid(before, restored)
            if restored != before:  # else something later has done away with it
                return

    def redo(self) -> None:
        """Does again what was taken back last."""
        while (entry := self._undo.next()) is not None:
            before = self._document
            restored = entry.redone(before)
            self._restore(entry, restored)
            self._undo.redid(before, restored)
            if restored != before:
                return

    def _restore(self, entry: Entry, document: Document) -> None:
        """Another state of the document: the motion is what it says at the same moment, or at t = 0 with another body.

        Raises InputError and leaves everything as it was where there is no such motion.
        """
        then, moment, before = self._document, self._player.bound_for, self._scenario
        anew = entry.whole or then.motion[:2] != document.motion[:2]
        begins = anew or then.motion != document.motion
        if begins or not self._motion.revise(then.changes, document.changes):
            motion = Motion(document.start, self._trail, document.changes)
            self._document = document
            self._begin(motion)
        else:
            self._document = document
            self._event = None
            self._follow()
            self._beside.follow(before, self._scenario)
        if not anew and (begins or then.changes != document.changes):
            self._player.loop = None
            self._led(lambda: self._player.go_to(moment))

    def read(
        self,
        name: str | os.PathLike[str],
        base: Scenario | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> tuple[Scenario, "Replay | None"]:
        """A preset, a scene file, a picture with a scene or another engine's log, to be shown by `show`.

        Where it says nothing of stereo, theme and what else belongs to the user's screen, that is as in `base`, else as
        now. Changes nothing, so that another thread may call it. `progress` is told what fraction is done; what it
        raises ends the reading. Raises InputError.
        """
        name, base = os.fspath(name), base or self._scenario
        if not is_recording(name):
            return Scenario.find(name, base), None
        from viewer.replay.reader import no_progress  # here: scipy
        from viewer.replay.scene import replayed, scene_of

        found = replayed(name, progress=progress or no_progress)
        return scene_of(found, base), found

    def show(self, scenario: Scenario, log: "Replay | None" = None) -> None:
        """Shows what was read, from t = 0; raises InputError and leaves everything as it was where that fails."""
        self._open(scenario, kept=scenario, log=log)

    def load(self, name: str | os.PathLike[str]) -> None:
        """Reads and shows it; raises InputError and leaves everything as it was where that fails."""
        self.show(*self.read(name))

    def restore(self, scenario: Scenario) -> None:
        """Opens a scene that no file holds, from t = 0; raises InputError and leaves everything as it was."""
        self._open(scenario, kept=Scenario())

    def _open(self, scenario: Scenario, kept: Scenario, log: "Replay | None" = None) -> None:
        """Another scene, of which `kept` is in a file; raises InputError before anything has changed."""
        before, motion = self._document, Motion(scenario, self._trail)
        self._document, self._kept = Document(scenario), kept
        self._begin(motion, log)
        self._undo.record(before, self._document, key=None, whole=True)

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
        self._kept = self._document.scenario
        self._record_stage(before)
        if self.backwards:
            self._player.reverse()
        self._player.loop = None
        self._set_playing(playing)

    def leave_stage(self, screen: Scenario) -> None:
        """The tour ends: what belongs to the screen is as in `screen`; the undo of the tour takes that back, too."""
        before = self._document
        self._apply(self._scenario.with_screen_of(screen))
        self._kept = self._kept.with_screen_of(screen)
        self._record_stage(before)

    def _record_stage(self, before: Document) -> None:
        if before != self._document:
            self._undo.record(before, self._document, key="tour", whole=True)

    def save(self, path: str | os.PathLike[str], before: str | os.PathLike[str] | None = None) -> None:
        """Writes the scene to a file, named as `Scenario.named_after` says; raises InputError where that fails."""
        named = self._document.scenario.named_after(path, before)
        named.save(path)
        self._document, self._kept = self._document.with_fields(named), named
        self._follow()

    def _apply(self, scenario: Scenario) -> None:
        """Makes `scenario` the present one: body and start from t = 0, loads and solver on the running motion."""
        before = self._scenario
        if (scenario.body, scenario.start) != (before.body, before.start):
            motion = Motion(scenario, self._trail)
            self._document = Document(scenario)
            self._begin(motion)
            return
        document = self._document.with_fields(scenario)
        acts = tuple(
            (path, scenario.value(path)) for path in ACTING if scenario.value(path) != before.value(path)
        )
        if acts:
            change = Change(self.time, acts)
            self._motion.change(scenario)
            document = document.with_change(change)
            self._player.resync()
            if not scenario.loads_value().free:
                self._player.loop = None
        if scenario.playback != before.playback:
            self._player.limit_debt()
        self._document = document
        self._event = None
        self._follow()
        self._beside.follow(before, self._scenario)

    def _begin(self, motion: Motion, log: "Replay | None" = None) -> None:
        """The document's motion from t = 0; what is doubtful about its log is told."""
        self._motion, self._auto_speed = motion, None
        self._follow()
        if log is not None:
            self._beside.take_log(log.track, self._scenario)
        self._player.begin(motion)
        self._event = ("; ".join(log.doubts) or None) if log is not None else None
        self._beside.begin(self._scenario)
        self._touch()

    def _set_playing(self, playing: bool) -> None:
        if playing != self.playing:
            self._player.playing, self._player.goal = playing, None
            self._player.limit_debt()
            self._event = None
            self._touch()

    def _touch(self) -> None:
        self._revision += 1
        self._auto_speed = playback.automatic_speed(self._motion.period, self._auto_speed)
        self._snapshot = None
