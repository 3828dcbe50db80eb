"""Several recordings of one case beside the exact motion that they have in common: how far each is off, and when."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from viewer.common.errors import brief, refusal
from viewer.common.language import tr
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.rotation import Array, conjugate, multiply, rotation_vectors
from viewer.physics.state import States
from viewer.race.trajectory import Course, Trajectory
from viewer.race.verdict import NOISE_MARGIN, format_angle, format_phase
from viewer.replay.common_motion import aligned, common_body
from viewer.replay.findings import Replay
from viewer.replay.flights.signal_quality import noise_of
from viewer.replay.inference import as_of_free_body
from viewer.replay.kinematics import rates_beside
from viewer.replay.recording import Recording
from viewer.scenario.sections.race import MOST_LANES

VISIBLE = 0.01  # a visible difference, from which on a recording is off if no other tolerance is given
LEAST_DIFFERENCE = 1e-12  # below it all are equal
CERTAIN = 3.0  # times the noise, or the least difference of all: differences up to that tell nothing
CLEARLY = 0.01  # of the furthest recording's difference: recordings that are closer to the exact motion agree
NOWHERE_NEAR = 0.5  # a difference from which on a recording is nowhere near the exact motion
NAMED = 3  # recordings that are named one by one
PERCENT = 1e-3  # from here on a difference is written in percent


@dataclass(frozen=True, eq=False)
class ComparedRecording:
    """One of several recordings.

    `difference` (N,) is how far each row is from the exact motion: the error of the angular velocity, relative to the
    largest rate, or the error of the orientation [rad], whichever is larger; only what was recorded counts. If the
    largest difference is at most `resolution`, noise hides whether another recording is closer. A row whose difference
    is larger than `tolerance` has left the exact motion.
    """

    recording: Recording
    trajectory: Trajectory
    difference: Array
    resolution: float
    tolerance: float

    @property
    def name(self) -> str:
        """The name of the recording."""
        return self.recording.name

    @property
    def largest(self) -> float:
        """The largest of its differences."""
        return float(self.difference.max())

    @property
    def closest(self) -> bool:
        """Whether no other recording is closer to the exact motion, as far as noise and rounding tell."""
        return self.largest <= self.resolution

    @property
    def starts_alike(self) -> bool:
        """Whether its first row cannot be told from that of the exact motion."""
        return bool(self.difference[0] <= self.resolution)

    @property
    def leaves_at(self) -> float | None:
        """The time [s] from which the difference is larger than `tolerance`; None if it never is."""
        beyond = np.flatnonzero(self.difference > self.tolerance)
        return float(self.trajectory.states.time[beyond[0]]) if len(beyond) else None

    def _significant(self, errors: Array, size: float) -> bool:
        """Tell whether an error exceeds the noise.

        `errors` (N,) are those of all rows; `size` is one of them, or the largest. Only errors of rates that were
        computed from orientations are in doubt.
        """
        return self.recording.has_rates or (not self.closest and abs(size) > NOISE_MARGIN * noise_of(errors[:, None]))

    def line(self) -> str:
        """Return a sentence with its rows, its largest errors, and the time at which it leaves the exact motion."""
        errors, time = self.trajectory.errors, self.trajectory.states.time
        parts = [
            tr("{rows} rows, t = {first} to {last} s").format(
                rows=len(time), first=brief(time[0], 4), last=brief(time[-1], 6)
            ),
        ]
        sizes = (tr("E off by {error} at most"), errors.energy), (tr("|L| off by {error}"), errors.momentum)
        for text, error in sizes:
            largest = float(np.abs(error).max())
            if self._significant(error, largest):
                parts.append(text.format(error=size_of(largest)))
        if self.recording.has_orientations:
            parts.append(tr("orientation by {angle}").format(angle=format_angle(float(errors.orientation.max()))))
        circling = self.trajectory.circling
        if circling.phase is not None and errors.phase is not None and self._significant(errors.phase, circling.phase):
            parts.append(tr("phase {phase} at the end").format(phase=format_phase(circling.phase)))
        if circling.other is not None:
            parts.append(tr("another axis circled from t = {time} s on").format(time=brief(circling.other, 4)))
        if self.leaves_at is not None:
            text = tr("off by more than {tolerance} from t = {time} s on")
            parts.append(text.format(tolerance=size_of(self.tolerance), time=brief(self.leaves_at, 4)))
        return f"{self.name}: {', '.join(parts)}"


@dataclass(frozen=True, eq=False)
class Comparison(Replay):
    """Several recordings of one case, compared; `findings_before` are sentences about what they have in common."""

    compared: tuple[ComparedRecording, ...] = ()
    findings_before: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The names of the files."""
        return ", ".join(one.name for one in self.compared)

    @property
    def line(self) -> str:
        """The verdict."""
        return self.verdict()

    def summary(self) -> list[str]:
        """Return the verdict, and then all findings, one sentence each."""
        return [self.verdict(), *self.findings()]

    @cached_property
    def ranking(self) -> tuple[ComparedRecording, ...]:
        """The recordings in order of their distance from the exact motion, equally close ones by their names."""
        return ranked(self.compared)

    def verdict(self) -> str:
        """Return a sentence on which recording is closest and which is furthest, as far as this can be told."""
        return verdict(self.compared, not self.fitted)

    def findings(self) -> list[str]:
        """Return sentences on what the recordings have in common, on the doubts, on each recording, and the verdict."""
        return [*self.findings_before, *self.warnings, *(one.line() for one in self.compared), self.verdict()]

    def data(self) -> dict[str, Any]:
        """Return the results as plain data with every digit, for JSON."""
        recordings = []
        for one in self.compared:
            errors = one.trajectory.errors
            recordings.append(
                {
                    "name": one.name,
                    "rows": len(one.difference),
                    "begin_s": float(one.trajectory.states.time[0]),
                    "end_s": float(one.trajectory.states.time[-1]),
                    "largest_relative_energy_error": float(np.abs(errors.energy).max()),
                    "largest_relative_momentum_error": float(np.abs(errors.momentum).max()),
                    "largest_orientation_error_rad": float(errors.orientation.max())
                    if one.recording.has_orientations
                    else None,
                    "final_phase_error_rad": one.trajectory.circling.phase,
                    "circles_another_axis_from_s": one.trajectory.circling.other,
                    "largest_difference": one.largest,
                    "resolution": one.resolution,
                    "tolerance": one.tolerance,
                    "leaves_at_s": one.leaves_at,
                }
            )
        return {
            "moments": self.body.principal_moments.tolist(),
            "recordings": recordings,
            "ranking": [one.name for one in self.ranking],
            "verdict": self.verdict(),
            "warnings": list(self.warnings),
        }


def check_count(count: int) -> None:
    """Raise InputError if this number of recordings cannot be compared."""
    if not 2 <= count <= MOST_LANES:
        raise refusal("recordings: {count} cannot be compared; allowed are 2 to {most}", count=count, most=MOST_LANES)


def compare(recordings: Sequence[Recording], clocks: Sequence[float], tolerance: float | None = None) -> Comparison:
    """Return the comparison of 2 to MOST_LANES recordings of one case, in the order of their files.

    `clocks` has the time [s] of the first row of each recording, on its file's own clock. `tolerance` is the largest
    difference that does not count as off. If it is None, it is VISIBLE, or a recording's resolution if that is coarser.
    Raises InputError if the number of recordings is not allowed, if they declare different bodies, or if no motion
    determines the body.
    """
    check_count(len(recordings))
    recordings = _named_apart(recordings)
    common = common_body(recordings)
    places = aligned(common, recordings, clocks)
    step = max(float(np.median(np.diff(one.time))) for one in places.states)  # at which all of them have rows
    longest = max(float(one.time[-1]) for one in places.states)
    course = Course(common.body, places.start, step, max(1, round(longest / step)))
    placed = [
        states
        if one.has_rates
        else replace(states, omega_body=rates_beside(course.exact.at(states.time), states, one.gaps))
        for one, states in zip(recordings, places.states, strict=True)
    ]
    trajectories = [
        Trajectory(one.lane(one.name), course, states, 0.0, None, _gaps(one, states))
        for one, states in zip(recordings, placed, strict=True)
    ]
    off = [_off(course.exact, one, states) for one, states in zip(recordings, placed, strict=True)]
    differences = [np.asarray(np.max([np.linalg.norm(part, axis=1) for part in parts], axis=0)) for parts in off]
    noises = [max(noise_of(part) for part in parts) for parts in off]
    largest = [float(one.max()) for one in differences]
    known, seen = resolutions(noises, largest), VISIBLE if lost(largest) else 0.0
    compared = [
        ComparedRecording(recording, trajectory, difference, resolution, tolerance or seen or max(VISIBLE, resolution))
        for recording, trajectory, difference, resolution in zip(
            recordings, trajectories, differences, known, strict=True
        )
    ]
    before = (
        tr("{count} recordings of one case").format(count=len(recordings)),
        common.reported,
        tr("the exact motion starts as {name} does").format(name=recordings[places.reference].name),
    )
    return Comparison(
        tuple(recordings),
        tuple(trajectories),
        common.fitted,
        (*_own_warnings(compared), *common.warnings, *places.warnings),
        tolerance=tolerance,
        compared=tuple(compared),
        findings_before=before,
    )


def _gaps(recording: Recording, states: States) -> tuple[tuple[float, float], ...]:
    """Return the gaps of a recording as (begin, end) [s] on the common clock."""
    later = float(states.time[0] - recording.time[0])
    return tuple((begin + later, end + later) for begin, end in recording.gaps_within())


def _off(exact: FreeRotation | LagrangeTop, recording: Recording, states: States) -> list[Array]:
    """Return the errors (N, 3) of each quantity that was recorded, as vectors in the body.

    The errors of rates are relative to the largest rate; those of orientations are in rad.
    """
    reference = exact.at(states.time)
    off = []
    if recording.has_rates:
        fastest = float(np.linalg.norm(reference.omega_body, axis=1).max())
        off.append((states.omega_body - reference.omega_body) / fastest)
    if recording.has_orientations:
        off.append(rotation_vectors(multiply(conjugate(reference.orientation_wxyz), states.orientation_wxyz)))
    return off


def _own_warnings(compared: Sequence[ComparedRecording]) -> list[str]:
    """Return the warnings of the recordings, each headed by the names of those it concerns, unless it concerns all."""
    doubts: dict[str, list[str]] = {}
    for one in compared:
        warnings = one.recording.warnings
        for text in dict.fromkeys(as_of_free_body(warnings) if one.closest else warnings):
            doubts.setdefault(text, []).append(one.name)
    return [text if len(names) == len(compared) else f"{', '.join(names)}: {text}" for text, names in doubts.items()]


def _named_apart(recordings: Sequence[Recording]) -> list[Recording]:
    """Return the recordings, with numbers added to names that occur more than once."""
    found: list[Recording] = []
    taken: set[str] = set()
    for one in recordings:
        name, number = one.name, 1
        while name in taken:
            number += 1
            name = f"{one.name} ({number})"
        taken.add(name)
        found.append(one if name == one.name else replace(one, name=name))
    return found


def resolutions(noises: Sequence[float], largest: Sequence[float]) -> list[float]:
    """Return for each recording the difference below which noise hides whether another recording is closer.

    It is CERTAIN times the recording's noise, or CERTAIN times the smallest of the largest differences if that is more:
    the exact motion comes from the recordings and is not known any better. It is at least LEAST_DIFFERENCE.
    """
    return [max(CERTAIN * noise, CERTAIN * min(largest), LEAST_DIFFERENCE) for noise in noises]


def lost(largest: Sequence[float]) -> bool:
    """Tell whether all recordings are far off the exact motion.

    If so, even the smallest difference does not tell how well that motion is known.
    """
    return min(largest) >= NOWHERE_NEAR


def ranked(compared: Sequence[ComparedRecording]) -> tuple[ComparedRecording, ...]:
    """Return the recordings in order of their distance from the exact motion, equally close ones by their names."""
    return tuple(sorted(compared, key=lambda one: (0.0 if one.closest else one.largest, one.name)))


def verdict(compared: Sequence[ComparedRecording], declared: bool) -> str:
    """Return a sentence on which recording is closest and which is furthest, or on why this is undecided.

    It is undecided if no two recordings agree. Two recordings agree if noise hides which of them is closer to the exact
    motion, or if both are much closer to it than the furthest one. If the body is `declared`, they also agree if both
    start on the exact motion.
    """
    order = ranked(compared)
    last = order[-1]
    if lost([one.largest for one in order]):
        return tr("none of them stays near the exact motion")
    if last.closest:
        text = tr("all are as close to the exact motion: within {size}")
        return text.format(size=size_of(max(one.largest for one in order)))
    near = [one for one in order if one.closest] or [order[0]]
    if sum(one.closest or (declared and one.starts_alike) for one in order) < 2:
        near = [
            one for one in order if one.largest <= CLEARLY * last.largest
        ]  # the exact motion is that of one of them
        if len(near) < 2:
            return _undecided(order)
    text = tr("closest to the exact motion: {first} ({near}); furthest: {last}, off by {far}{when}")
    return text.format(
        first=_names(near), near=size_of(max(one.largest for one in near)), last=last.name,
        far=size_of(last.largest), when=_when(last),
    )  # fmt: skip


def _undecided(order: Sequence[ComparedRecording]) -> str:
    """Return a sentence saying that no two recordings agree; `order` has them from the closest to the furthest."""
    last = order[-1]
    if len(order) == 2:
        text = tr("{names} differ by up to {far}{when}: of two that differ neither can be called right")
    else:
        text = tr("no two of {names} agree, and they differ by up to {far}{when}: none can be called right")
    return text.format(names=_names(order), far=size_of(last.largest), when=_when(last))


def _when(one: ComparedRecording) -> str:
    if one.leaves_at is None:
        return ""
    text = tr(", by more than {tolerance} from t = {time} s on")
    return text.format(tolerance=size_of(one.tolerance), time=brief(one.leaves_at, 4))


def _names(some: Sequence[ComparedRecording]) -> str:
    names = sorted(one.name for one in some)
    if len(names) <= NAMED:
        return ", ".join(names)
    return tr("{names} and {count} others").format(names=", ".join(names[: NAMED - 1]), count=len(names) - NAMED + 1)


def size_of(value: float) -> str:
    """Return a relative error or an angle [rad] as text, in percent if it is at least PERCENT."""
    return f"{brief(100.0 * value, 2)} %" if value >= PERCENT else brief(value, 1)
