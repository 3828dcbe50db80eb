"""An open scene as a value: its fields at the start of the motion, and all changes since, each with its time."""

import dataclasses
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError
from viewer.common.frozen import frozen
from viewer.race.recorded_lane import Measured
from viewer.replay.opening import section_of
from viewer.scenario.consequences import is_given, without_look
from viewer.scenario.fields import fields_of
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.body import Body
from viewer.scenario.sections.motion import Loads, Solver, Start
from viewer.scenario.sections.race import Recording

if TYPE_CHECKING:
    from viewer.replay.findings import Replay, SingleReplay

# the fields that may change while the motion goes on, and change it from then on
ACTIVE_FIELDS = tuple(
    f"{section}.{name}"
    for section, kind in (("loads", Loads), ("solver", Solver))
    for name in fields_of(kind)
    if (section, name) not in (("loads", "pulse"), ("loads", "auto_pulse"))  # these act when a key is pressed
)

EMPTY = Scenario()


class ActiveLoads(NamedTuple):
    """The loads and the solver that act on a motion, from one change to the next."""

    loads: Loads
    solver: Solver


@frozen
class Recorded:
    """The recordings from which a scene was made, with the body and the start that belong to them.

    `recordings` is None if they could not be read.
    """

    recordings: "Replay | None"
    body: Body
    start: Start

    @classmethod
    def beside(cls, scenario: Scenario, recordings: "Replay | None") -> "Recorded | None":
        """Return the recordings from which `scenario` was made, or None if it was made from none."""
        named = scenario.recording != Recording()
        return None if recordings is None and not named else cls(recordings, scenario.body, scenario.start)

    def of(self, scenario: Scenario) -> "Replay | None":
        """Return the recordings if they fit the scene, else None."""
        return self.recordings if self.fits(scenario) else None

    def fits(self, scenario: Scenario) -> bool:
        """Return whether the scene has the recordings' start and their body, in any look."""
        return without_look(self.body) == without_look(scenario.body) and self.start == scenario.start


@frozen
class Change:
    """A change at `time` [s]: new values of fields, or a torque pulse.

    `values` has pairs of a path in ACTIVE_FIELDS and its value; `impulse` [N m s] is the angular impulse along the body
    axes. `joined` says that the change is undone together with the one before it, as are all changes of a pull.
    """

    time: float
    values: tuple[tuple[str, Any], ...] = ()
    impulse: tuple[float, float, float] | None = None
    joined: bool = False


@frozen
class Document:
    """An open scene: its fields at t = 0, and all changes since.

    `changes` are in the order in which they were made. `recorded` has the recordings from which the scene was made, or
    is None. `path` is the scene's own file, or None. `held` says that the scene shows a hand-held phone, of whose
    motion only the angular velocity is measured. `saved` is the scene as its file or its preset has it, or an empty
    scene if there is neither.

    A change no later than the origin of the motion makes its time the new origin; at first the origin is t = 0. The
    motion is recorded in both directions of time from the origin. All other changes are in the order of their times.
    """

    start: Scenario
    changes: tuple[Change, ...] = ()
    recorded: Recorded | None = None
    path: str | None = None
    held: bool = False
    saved: Scenario = EMPTY

    @cached_property
    def scenario(self) -> Scenario:
        """The scene with the loads and the solver after all changes: this is what a file holds."""
        values = {path: value for change in self.changes for path, value in change.values}
        return self.start.with_values(values) if values else self.start

    @cached_property
    def recordings(self) -> "Replay | None":
        """The recordings of this body and this start, which run beside the motion; None if there are none."""
        return None if self.recorded is None else self.recorded.of(self.start)

    @cached_property
    def recording(self) -> "SingleReplay | None":
        """The recording beside the motion; None if there is none, or if there are several."""
        return None if self.recordings is None else self.recordings.single

    @cached_property
    def recorded_until(self) -> float | None:
        """The time [s] at which the recording, or the longest of several, ends or comes to rest; None without one."""
        if self.recordings is None:
            return None
        ends = max(float(one.states.time[-1]) for one in self.recordings.trajectories)
        return ends if self.slowing is None or self.recording is None else self.recording.rest or ends

    @property
    def measured(self) -> Measured | None:
        """The measured angular velocities of a single recording; None without one."""
        return None if self.recordings is None else self.recordings.measured

    @property
    def gaps(self) -> tuple[tuple[float, float], ...]:
        """The times (begin, end) [s] between which a single recording has no rows."""
        return () if self.recording is None else self.recording.trajectory.gaps

    @cached_property
    def ratios(self) -> tuple[tuple[float, float], ...] | None:
        """The moments relative to the largest, each with its standard deviation.

        None unless these ratios are all that a recording tells about the body.
        """
        if self.recordings is not None:
            return self.recordings.ratios
        if self.recorded is None or not self.start.recording.relative or not self.recorded.fits(self.start):
            return None
        moments = self.start.rigid_body().principal_moments
        return tuple((ratio, 0.0) for ratio in (moments / moments.max()).tolist())

    @property
    def resolved_moments(self) -> NDArray[np.float64] | None:
        """The moments (3,) of a recorded flight, or None without one.

        Moments that the flight does not tell apart are equal.
        """
        return None if self.recordings is None else self.recordings.resolved_moments

    @property
    def slowing(self) -> str | None:
        """How drag slows the recorded motion down, in words; None without drag."""
        return None if self.recordings is None else self.recordings.slowing

    @cached_property
    def marks(self) -> list[tuple[float, float]]:
        """For each step of undo, the times [s] of its first and its last change, which are equal if it has only one."""
        found: list[tuple[float, float]] = []
        for change in self.changes:
            begin = found.pop()[0] if change.joined and found else change.time
            found.append((begin, change.time))
        return found

    @cached_property
    def disturbed(self) -> float | None:
        """The time [s] at which a load or a torque pulse first acted.

        None if the motion is free up to its last change; loads that act only since then do not count.
        """
        time, active = 0.0, self.start
        for change in self.changes:
            if change.impulse is not None:
                return change.time
            if change.time != time and not active.loads_value().free:
                return time
            loads = {path: value for path, value in change.values if path.startswith("loads.")}
            time, active = change.time, active.with_values(loads) if loads else active
        return None

    @property
    def edited(self) -> bool:
        """Whether anything differs from what is saved, be it only the view or the playback."""
        return self.scenario != self.saved

    @property
    def unsaved(self) -> bool:
        """Whether the document differs from what is saved in more than the view and the playback."""
        now = self.scenario
        return dataclasses.replace(self.saved, view=now.view, playback=now.playback) != now

    @property
    def pushed(self) -> bool:
        """Whether the body was pushed since its start, by torque pulses or by loads that no longer act.

        No file records such pushes.
        """
        then = ((path, value) for change in self.changes for path, value in change.values if path.startswith("loads."))
        gone = any(value != self.scenario.value(path) for path, value in then)
        return gone or any(change.impulse is not None for change in self.changes)

    def with_fields(self, scenario: Scenario) -> "Document":
        """Return the document with all fields of `scenario` except those that act on the motion."""
        loads = dataclasses.replace(self.start.loads, pulse=scenario.loads.pulse, auto_pulse=scenario.loads.auto_pulse)
        return dataclasses.replace(self, start=dataclasses.replace(scenario, loads=loads, solver=self.start.solver))

    def with_change(self, change: Change) -> "Document":
        """Return the document with one more change; later changes are forgotten."""
        kept, origin = [], 0.0
        for old in self.changes:
            moves_origin = old.time <= origin
            origin = min(origin, old.time)
            if moves_origin or old.time <= change.time:
                kept.append(old)
        return dataclasses.replace(self, changes=(*kept, change))

    def begun_anew(self) -> "Document":
        """Return the document begun anew with the loads and the solver that act after all changes."""
        return self.begun_with(self.scenario) if self.changes else self

    def begun_with(self, scenario: Scenario) -> "Document":
        """Return the document with another scene at t = 0 and no changes."""
        return dataclasses.replace(self, start=scenario, changes=())

    @property
    def given_body(self) -> Body | None:
        """The body if the user has specified it, in a file or as the look of a recording; None otherwise.

        A body that comes with the program is not the user's.
        """
        body = self.scenario.body
        if self.recordings is not None:
            return body if is_given(body) else None
        own = self.path is not None or body.shape in ("mesh", "composite")
        return body if own and body not in [Scenario.preset(name).body for name in PRESETS] else None

    @property
    def race_setup(self) -> tuple[object, ...]:
        """The fields on which the race depends, besides body and start."""
        scenario, race = self.scenario, self.scenario.race
        step = race.stepping, race.steps_per_rotation, race.step
        shown = race.show != "off"
        return scenario.loads, shown, race.lanes, step, scenario.solver.gradient, shown and self.freed

    @property
    def freed(self) -> bool:
        """Whether a race could go with the present loads, but others or a pulse have acted before."""
        loads = self.scenario.loads_value()
        if loads.only_weight:
            later = (path for change in self.changes if change.time > 0.0 for path, _ in change.values)
            pushed = any(change.impulse is not None for change in self.changes)
            return pushed or any(path.startswith("loads.") for path in later)
        return loads.free and self.disturbed is not None

    @property
    def motion(self) -> tuple[object, ...]:
        """The values with which the motion begins: the bodies with their starts, the loads, and the solver."""
        start = self.start
        return (start.body, start.start, start.bodies), start.loads_value(), start.solver


def changed_body(before: Document, after: Document) -> int | None:
    """Return the number of the only body in which two documents differ; None if there is no such body."""
    if len(before.start.bodies) != len(after.start.bodies):
        return None
    pairs = enumerate(zip(before.start.bodies, after.start.bodies, strict=True))
    found = [number for number, (old, new) in pairs if old != new]
    return found[0] if len(found) == 1 else None


def named_in(scenario: Scenario, recorded: Recorded | None) -> Scenario:
    """Return the scene as it is saved, with the names of its own recordings and of no others."""
    blank = scenario.with_values(_fields(Recording()))
    if recorded is None or not recorded.fits(scenario):
        return blank
    if recorded.recordings is None:
        return scenario
    relative = {"recording.relative": recorded.recordings.ratios is not None}
    try:
        return blank.with_values(_fields(section_of(recorded.recordings)) | relative)
    except InputError:  # the file has a name that no scene can hold
        return blank.with_values(relative)


def _fields(section: Recording) -> dict[str, Any]:
    """Return the fields of [recording] by their paths."""
    return {f"recording.{name}": value for name, value in vars(section).items()}
