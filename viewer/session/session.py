"""The live document: the scene that runs, its undo, its file, and a tour's scene in its place."""

import dataclasses
import os
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from viewer.common.errors import InputError
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.scenario.scenario import Scenario
from viewer.session.bodies import folded
from viewer.session.document import EMPTY, Document, Recorded, named_in
from viewer.session.motion import Motion
from viewer.session.playback import Playback, Status
from viewer.session.running_scene import RunningScene
from viewer.session.snapshot import Snapshot
from viewer.session.undo import NOT_UNDONE, UndoStack

if TYPE_CHECKING:
    from viewer.replay.findings import Replay

TORQUE = "loads.torque"
Vector = tuple[float, float, float]


@frozen
class Stage:
    """A scene that runs, and its undo."""

    scene: RunningScene
    undo: UndoStack


class Session:
    """One open scene and its motion, which begins at t = 0, playing. Raises InputError if the scene has no motion.

    `scene` runs the motion; the user's changes go through `change` and `open`.
    """

    def __init__(
        self,
        scenario: Scenario,
        playing: bool = True,
        clock: Callable[[], float] = time.perf_counter,
        recording: "Replay | None" = None,
        saved: bool = True,
        path: str | None = None,
        held: bool = False,
    ):
        """Begin with a scene.

        `recording` has the recordings, one or several, from which the scene was made; they run in the scene's race.
        `saved` says whether a file holds the scene, `path` is the scene's own file. `held` says that the scene shows a
        hand-held phone.
        """
        self.status, self._clock = Status(), clock
        document = _opened(scenario, recording, saved, path, held)
        self.scene = RunningScene(document, self.status, playing, clock)
        self.pull = Pull(self)
        self._undo = UndoStack()
        self._user_stage: Stage | None = None  # set while a tour shows another scene
        self._snapshot: Snapshot | None = None
        self._shown = -1  # the revision that the snapshot shows

    @property
    def document(self) -> Document:
        """The open scene with all changes since t = 0, whatever the present time of the motion."""
        return self.scene.document

    @property
    def scenario(self) -> Scenario:
        """The scene as it is now; see `RunningScene.scenario`."""
        return self.scene.scenario

    @property
    def playback(self) -> Playback:
        """The clock that runs the motion."""
        return self.scene.playback

    @property
    def motion(self) -> Motion:
        """The motion of the scene."""
        return self.scene.motion

    @property
    def unsaved(self) -> bool:
        """Whether something has changed since the scene was opened or saved, other than the view and the playback."""
        return self.document.unsaved

    @property
    def unsaved_scene(self) -> Scenario | None:
        """The user's own scene if it is not saved, even while a tour shows another; else None."""
        document = self._stage_of_user().scene.document
        return document.scenario if document.unsaved else None

    # -- what there is to show ------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Return the snapshot of the scene now; it stays the same object until `status.revision` changes.

        While the motion is catching up after undo or redo, it is the snapshot from before.
        """
        if self._snapshot is None or (self._shown != self.status.revision and not self.playback.catching_up):
            self._snapshot = self.scene.snapshot()
            self._shown = self.status.revision
        return self._snapshot

    def show_again(self) -> None:
        """Show the last snapshot once more, because the present one cannot be taken, and stop the motion."""
        assert self._snapshot is not None, "nothing could be shown yet"
        self.playback.stop()
        self._shown = self.status.revision

    # -- what happens to the motion --------------------------------------------------------------------------------

    def run_to(self, seconds: float) -> None:
        """Run from t = 0 to the step nearest to `seconds`; raises InputError if the physics fails on the way."""
        self.reset()
        self.scene.run_on_to(seconds)

    def reset(self) -> None:
        """Go back to t = 0, with the loads and the solver that were set last; a recording runs again and again.

        Undo brings back the changes that were made while the motion ran, including pulses.
        """
        self.pull.end()
        before = self.document
        self.scene.begin_anew()
        self._undo.record(before, self.document, key=None)

    def pulse(self, axis: int, sign: int) -> None:
        """Apply the scene's torque pulse (`loads.pulse`) about the body axis 0, 1 or 2, in the direction of `sign`.

        The pulse acts on the motion and does not change the scene: `undo` removes it from the motion, and `reset` goes
        back to t = 0, before it. If the scene has several bodies, it acts on each of them. In a race there are no
        pulses.
        """
        if self.scene.race is not None:
            race = tr("No torque pulse in a race: its lanes are compared with the free motion")
            recorded = tr("No torque pulse: a recording is compared with the free motion")
            self.status.report(race if self.document.recordings is None else recorded)
            return
        size = sign * self.scenario.loads.pulse
        if size:
            before = self.document
            x, y, z = (size if n == axis else 0.0 for n in range(3))
            self.scene.pulse((x, y, z))
            self._undo.record(before, self.document, key=None)

    def select(self, number: int) -> None:
        """Select the body that is read, plotted and changed; the time does not change.

        A body whose motion stopped before the present time is not selected, and `message` says why.
        """
        if number == self.scene.selected or not 0 <= number < len(self.document.start.bodies):
            return
        self.pull.end()
        try:
            self.scene.select(number)
        except InputError as error:
            self.status.report(str(error))
            return
        self.commit_change()
        self.status.report(None)

    def let_go(self) -> None:
        """Stop following a hand-held phone: its last state is the start of a free motion."""
        self.scene.relabel(dataclasses.replace(self.document, held=False))

    # -- changes of the scene, and undo ----------------------------------------------------------------------------

    def change(self, values: Mapping[str, Any], undoable: bool = True) -> None:
        """Change fields, such as {"body.mass": 2.0}, as one action that can be undone unless `undoable` is false.

        The values are those of `Scenario.with_values`. If the scene has several bodies, the selected one changes.
        Raises InputError and leaves everything as it was if the values are not allowed. Any change in the middle of a
        pull, except of the view, ends the pull.
        """
        undone = undoable and not all(path.partition(".")[0] in NOT_UNDONE for path in values)
        if undone and tuple(values) != (TORQUE,):
            self.pull.end()
        before, selected = self.document, self.scene.selected
        changed = folded(self.scenario.with_values(values, selected), selected)
        if changed == self.scenario:
            return
        joined = undone and self._undo.merges(tuple(values))
        self.scene.apply(changed, joined, pulled=self.pull.scene_torque is not None)
        if undone:
            self._undo.record(before, self.document, key=tuple(values))

    def commit_change(self) -> None:
        """End a gesture (mouse released): the next change is undone separately."""
        self._undo.commit()

    def cancel_change(self) -> None:
        """Undo all changes since the gesture began; `redo` cannot repeat them."""
        self.pull.let_go()
        self._undo.cancel(self.document, self.scene.restore)

    @property
    def undo_possible(self) -> tuple[bool, bool]:
        """Whether there is something to undo, and whether there is something to redo."""
        return self._undo.possible

    def undo(self) -> None:
        """Undo the last action, and only that one: the motion is as if it had not happened.

        The time stays the same, unless undoing brings back changes at later times: then the motion goes on to the last
        of them.
        """
        self.pull.end()
        self._undo.undo(self.document, self.scene.restore)

    def redo(self) -> None:
        """Repeat the action that was undone last."""
        self.pull.end()
        self._undo.redo(self.document, self.scene.restore)

    # -- opening and saving ----------------------------------------------------------------------------------------

    def open(
        self,
        scenario: Scenario,
        recording: "Replay | None" = None,
        *,
        saved: bool = True,
        path: str | None = None,
        held: bool = False,
        undoable: bool = True,
    ) -> None:
        """Open a scene at t = 0, with what `opening.read` returns; raises InputError and leaves everything as it was.

        `saved` says whether a file holds the scene, `path` is its own file. `held` says that the scene shows a
        hand-held phone. Without `undoable`, undo does not bring back the scene before, nor what was done in it.
        """
        self.pull.end()
        stage = self._stage_of_user()
        before = stage.scene.document
        stage.scene.open(_opened(scenario, recording, saved, path, held))
        self._user_stage = None
        self._show(stage)
        if undoable:
            self._undo.record(before, self.document, key=None, whole=True)
        else:
            self._undo = UndoStack()

    def attach(self, recordings: "Replay", scenario: Scenario) -> None:
        """Begin the user's own scene anew with its recordings, which were read after it had been opened.

        `scenario` is the scene that was made from the recordings. Nothing happens if the user's scene no longer has its
        body and its start. This cannot be undone.
        """
        self.pull.end()
        scene, recorded = self._stage_of_user().scene, Recorded(recordings, scenario.body, scenario.start)
        if recorded.fits(scene.document.start):
            scene.open(dataclasses.replace(scene.document.begun_anew(), recorded=recorded))
            scene.loop_recording()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the scene to a file, which becomes the scene's own, and name it as `Scenario.named_after` does.

        Raises InputError if the file cannot be written.
        """
        self.pull.end()
        path = os.fspath(path)
        document = self.document
        named = named_in(document.scenario, document.recorded).named_after(path, document.path)
        named.save(path)
        self.scene.relabel(dataclasses.replace(document.with_fields(named), path=path, saved=named))

    def stage(self, scenario: Scenario, time: float | None, playing: bool, recording: "Replay | None" = None) -> None:
        """Show a step of a tour.

        The motion begins anew and goes to `time` [s]; if that is None, the motion of the step before goes on.
        `recording` has the recordings from which the scene was made. The user's own scene is set aside until
        `leave_stage`; undo covers only the actions of this step. Raises InputError and leaves everything as it was if
        the scene has no motion or the physics fails on the way.
        """
        self.pull.end()
        if time is None and self._user_stage is not None:
            staged = self.scene
            staged.apply(scenario)
        else:
            document = _opened(scenario, recording)
            staged = RunningScene(document, self.status, playing, self._clock)
            staged.run_on_to(time or 0.0)
        self._user_stage = self._stage_of_user()
        staged.relabel(dataclasses.replace(staged.document, saved=staged.document.scenario))
        self._show(Stage(staged, UndoStack()))
        if staged.playback.backwards:
            staged.playback.reverse()
        staged.playback.loop = None
        staged.loop_recording()
        if playing != staged.playback.playing:
            staged.playback.toggle()

    def leave_stage(self, values: Mapping[str, Any]) -> None:
        """End the tour: show the user's own scene again, with the `values` that were set during the tour."""
        if self._user_stage is not None:
            self.pull.end()
            stage, self._user_stage = self._user_stage, None
            self._show(stage)
            self.status.report(None)
            self.commit_change()
            self.change({path: value for path, value in values.items() if self.scenario.value(path) != value})
            self.commit_change()

    def _stage_of_user(self) -> Stage:
        """Return the stage of the user's own scene, even while a tour shows another."""
        return self._user_stage or Stage(self.scene, self._undo)

    def _show(self, stage: Stage) -> None:
        """Make the scene of this stage the open one."""
        self.scene, self._undo = stage.scene, stage.undo
        self.playback.unseen = False  # the last snapshot is of another scene


def _opened(
    scenario: Scenario,
    recording: "Replay | None",
    saved: bool = True,
    path: str | None = None,
    held: bool = False,
) -> Document:
    """Return the document of a scene that is opened; the arguments are those of `Session.open`."""
    recorded = Recorded.beside(scenario, recording)
    return Document(scenario, recorded=recorded, path=path, held=held, saved=scenario if saved else EMPTY)


class Pull:
    """The user's pull on the body of `session`, undone as a whole. A paused motion runs while the body is pulled."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.scene_torque: Vector | None = None  # the scene's own torque [N m], set while the body is pulled
        self._paused = False  # whether the motion was paused before the pull

    def to(self, torque: Vector) -> None:
        """Replace the torque of the scene by this torque [N m] until the pull ends.

        The automatic speed is kept until another motion begins. Raises InputError if the motion allows no torque.
        """
        session = self._session
        if self.scene_torque is not None:
            session.change({TORQUE: torque})
            return
        session.commit_change()
        before, speed = session.scenario.loads.torque, session.scene.speed
        session.change({TORQUE: torque})
        self.scene_torque, self._paused = before, not session.playback.playing
        session.playback.play()
        session.playback.keep_speed(speed)

    def end(self) -> None:
        """End the pull: give the scene back its own torque, and pause the motion if it was paused before."""
        torque = self.let_go()
        if torque is not None:
            self._session.change({TORQUE: torque})
            self._session.commit_change()

    def let_go(self) -> Vector | None:
        """End the pull, but keep its torque; return the torque before the pull, or None if nothing is pulled."""
        torque, self.scene_torque = self.scene_torque, None
        if torque is not None and self._paused:
            self._session.playback.pause()
        return torque
