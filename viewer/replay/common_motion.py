"""The motion that several recordings of one case have in common: its body, and when each recording begins on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from viewer.common.errors import brief, refusal
from viewer.common.language import tr
from viewer.physics.body import RigidBody, broken_triangle
from viewer.physics.errors import turn_between
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rotation import Array, conjugate, multiply, rotation_vectors
from viewer.physics.state import State, States
from viewer.replay.analysis import GOOD_FIT, MISMATCH, in_axes
from viewer.replay.findings import listed
from viewer.replay.fits.inertia import Fit, fit_inertia
from viewer.replay.fits.nearest_motion import nearest_of, start_of
from viewer.replay.kinematics import wxyz
from viewer.replay.recording import Recording

SAME = 1e-6  # relative: declared moments that differ by more are of another body
AS_GOOD = 3.0  # times the least distance from the others' moments, and the least misfit: fits that are as good
LEAST_MISFIT = 1e-9  # misfits below it are equal


@dataclass(frozen=True, eq=False)
class CommonBody:
    """The body that several recordings have in common.

    `axes` (3, 3) has its principal axes as columns, in the recordings' own axes. `fitted` says whether the moments come
    from a motion; `reported` is a sentence about where they come from. `warnings` are one sentence each.
    """

    body: RigidBody
    axes: Array
    fitted: bool
    reported: str
    warnings: tuple[str, ...]


def common_body(recordings: Sequence[Recording]) -> CommonBody:
    """Return the body with the declared moments, or else with the moments on which most of the motions agree.

    Raises InputError if two recordings declare different bodies, or if none is declared and no motion determines one.
    """
    fits = {one.name: _fit(one) for one in recordings}
    declared = _declared(recordings)
    if declared is not None:
        moments, axes = np.array(declared), np.eye(3)
        reported = tr("moments {moments} kg m², as declared").format(moments=listed(moments))
    else:
        name, fit = _agreed(fits)
        if not fit.determined:
            raise refusal(
                "{name}: moments: none of the recordings determines them (the body spins about one axis, or too"
                " briefly); declare them, such as --moments 1,2,2.5",
                name=recordings[0].name,
            )
        moments, axes = fit.principal()
        reported = tr(
            "moments {moments} relative to the largest, fitted from the motion in {name} (misfit {misfit})"
        ).format(moments=listed(moments), name=name, misfit=brief(fit.misfit, 1))
    body = RigidBody.from_moments(moments.tolist())
    tensor = axes @ np.diag(moments / moments.max()) @ axes.T
    others = [_another_body(name, fit, tensor) for name, fit in fits.items()]
    warnings = [text for text in (broken_triangle(moments, "" if declared is None else " kg m²"), *others) if text]
    return CommonBody(body, axes, declared is None, reported, tuple(warnings))


def _fit(recording: Recording) -> Fit:
    """Return the tensor of a recording's body, from the free motion nearest to the recording.

    If there is none, or the moments are declared, it is the less accurate tensor from the beginning of the motion.
    """
    linear = fit_inertia(recording.time, recording.orientation_wxyz, recording.omega_body)
    found = None if recording.conventions.moments else nearest_of(recording, linear)
    if found is None:
        return linear
    covariance = np.eye(6) * float(found.sigma.max()) ** 2
    return Fit(found.axes * found.moments @ found.axes.T, found.misfit, covariance)


def _agreed(fits: Mapping[str, Fit]) -> tuple[str, Fit]:
    """Return the name of the recording whose fit is the most trustworthy, and that fit.

    Only fits whose tensor is near to most of the others' are considered: a faulty recording is outvoted. Of these, the
    one that explains its motion best is chosen, and of equally good ones the first by name, so that the order of the
    recordings makes no difference.
    """
    known = {name: fit for name, fit in fits.items() if fit.determined} or dict(fits)
    off = {
        name: lower_median([float(np.abs(fit.inertia - other.inertia).max()) for other in known.values()])
        for name, fit in known.items()
    }
    least = max(AS_GOOD * min(off.values()), SAME)
    near = [item for item in known.items() if off[item[0]] <= least]
    best = max(AS_GOOD * min(fit.misfit for _, fit in near), LEAST_MISFIT)
    return min((item for item in near if item[1].misfit <= best), key=lambda item: item[0])


def lower_median(values: Sequence[float]) -> float:
    """Return the median; if the number of values is even, the smaller of the two in the middle."""
    return sorted(values)[(len(values) - 1) // 2]


def _declared(recordings: Sequence[Recording]) -> tuple[float, float, float] | None:
    """Return the moments that the recordings declare, or None if none does. Raises InputError if two differ."""
    declaring = [one for one in recordings if one.conventions.moments is not None]
    if not declaring:
        return None
    first = declaring[0].conventions.moments
    for one in declaring[1:]:
        moments = one.conventions.moments
        own, others = (np.array(each, float) / max(each or ()) for each in (moments, first))
        if not np.allclose(own, others, rtol=0.0, atol=SAME):
            raise refusal(
                "{name}: moments: {moments} are of another body than {others} of {other}; recordings that are compared"
                " have the same one",
                name=one.name,
                moments=listed(moments or ()),
                others=listed(first or ()),
                other=declaring[0].name,
            )
    return first


def _another_body(name: str, fit: Fit, tensor: Array) -> str | None:
    """Return a warning if a motion determines a tensor other than `tensor`, whose largest moment is 1; else None."""
    if not fit.determined or fit.misfit > GOOD_FIT or np.abs(fit.inertia - tensor).max() <= MISMATCH:
        return None
    found, _ = fit.principal()
    text = tr(
        "{name}: its motion fits another body, with moments {moments} relative to the largest, or other body axes"
    )
    return text.format(name=name, moments=listed(found, 4))


FIRST_ROWS = 200  # rows by which the time of a recording on the motion is found
SEARCHED_ROWS = 24  # of these rows, spread evenly, are used while it is searched for
FITS = 0.05  # misfit, relative to the largest angular velocity, up to which the times of the files are right
BEGINS_ALIKE = 0.01  # relative difference of the first angular velocities, up to which the clocks are right
BETTER = 0.1  # a start is better only if its misfit is below this fraction of another's
FINEST = 1e-6  # misfit below which no start is better
STEP_OF_SEARCH = 0.1  # rad by which the body turns between two times that are tried
MOST_TRIED = 20_000
MOST_REFINED = 40  # times at most, the best of those tried, that are refined
ALIKE = 3.0  # times the least misfit, up to which times fit as well, as the motion repeats; the nearest is used
SAME_AXES = 0.02  # rad: orientations that are further off at the start refer to other axes of space
AVERAGED = 20  # rows over which the turn between axes of space is taken


@dataclass(frozen=True, eq=False)
class Aligned:
    """Several recordings on the motion that they have in common.

    `start` is the state of the common exact motion at t = 0; `states` has the states of each recording on the common
    clock, in the common axes; `reference` is the index of the recording from whose start the exact motion runs.
    """

    start: State
    states: tuple[States, ...]
    reference: int
    warnings: tuple[str, ...]


def aligned(found: CommonBody, recordings: Sequence[Recording], clocks: Sequence[float]) -> Aligned:
    """Return the recordings on one clock and in one set of axes.

    `clocks` has the time [s] of each recording's first row, on its file's own clock.
    """
    states = [in_axes(one, found.axes) for one in recordings]
    starts = [
        start_of(own, found.body.principal_moments, one.has_orientations, one.has_rates)
        for one, own in zip(recordings, states, strict=True)
    ]
    reference = _reference(found, [one.name for one in recordings], starts, states, clocks)
    exact = FreeRotation(found.body, starts[reference])
    last = max(float(one.time[-1]) for one in states)
    warnings, placed = [], []
    for number, (recording, moved) in enumerate(zip(recordings, states, strict=True)):
        if number != reference:
            place = _offset(exact, moved, clocks[number] - clocks[reference], last)
            moved = replace(moved, time=moved.time + place.time)
            comparable = recording.has_orientations and recordings[reference].has_orientations
            if comparable and _turned(exact, moved, place.time) <= SAME_AXES:
                angle = 0.0  # they begin alike: what they differ by later is theirs
            else:
                moved, angle = _in_axes_of_space(exact, moved, SAME_AXES if comparable else 0.0)
            names = {"name": recording.name, "reference": recordings[reference].name}
            if place.misfit > FITS:
                text = tr("{name}: does not follow the exact motion anywhere; compared from its first row on")
                warnings.append(text.format(**names))
                comparable = False
            elif place.found:
                text = tr("{name}: begins at t = {time} s of {reference}, found by its motion")
                warnings.append(text.format(time=brief(place.time, 4), **names))
            elif place.time:
                text = tr("{name}: begins at t = {time} s of {reference}, by its own clock")
                warnings.append(text.format(time=brief(place.time, 4), **names))
            if comparable and angle:
                text = tr("{name}: its axes of space are turned by {angle}° from those of {reference}; put into those")
                warnings.append(text.format(angle=brief(np.degrees(angle), 3), **names))
        placed.append(moved)
    begin = min(float(one.time[0]) for one in placed)
    start = starts[reference] if begin == 0.0 else exact.at(begin)
    placed = [replace(one, time=one.time - begin) for one in placed]
    return Aligned(start, tuple(placed), reference, tuple(warnings))


def _reference(
    found: CommonBody, names: Sequence[str], starts: Sequence[State], states: Sequence[States], clocks: Sequence[float]
) -> int:
    """Return the index of the recording from whose start the exact motion explains the others best.

    Among equally good ones it is the longest, and among equally long ones the first by name, so that the order of the
    recordings makes no difference.
    """
    misfits = []
    for number, start in enumerate(starts):
        exact = FreeRotation(found.body, start)
        last = float(states[number].time[-1])
        off = [_by_clock(exact, one, clocks[other] - clocks[number], last)[0] for other, one in enumerate(states)]
        misfits.append(lower_median(off))
    least = max(min(misfits) / BETTER, FINEST)
    good = [number for number, misfit in enumerate(misfits) if misfit <= least]
    return min(good, key=lambda number: (-float(states[number].time[-1]), names[number]))


@dataclass(frozen=True)
class _Offset:
    """The time [s] of a recording's first row on the reference's clock, its misfit, and whether it was searched for."""

    time: float
    misfit: float
    found: bool


def _offset(exact: FreeRotation, states: States, clock: float, last: float) -> _Offset:
    """Return when a recording begins on the exact motion.

    The time that its clock gives and 0 are tried first; the one at which its rows fit better is taken, if they fit. If
    they do not, but the first row fits at the time by the clock, that time is taken. Otherwise the time is searched
    for; it is 0 if none is found.
    """
    misfit, time = _by_clock(exact, states, clock, last)
    if misfit <= FITS:
        return _Offset(time, misfit, False)
    if -float(states.time[-1]) < clock < last and _begins_alike(exact, states, clock):
        return _Offset(clock, BEGINS_ALIKE, False)
    searched = _searched(exact, states, last)
    if not searched:
        return _Offset(0.0, misfit, False)
    least = max(ALIKE * min(searched)[0], FINEST)
    alike = [offset for off, offset in searched if off <= least]
    turned = {offset: _turned(exact, states, offset) for offset in alike}
    same = [offset for offset in alike if turned[offset] <= SAME_AXES] or alike  # the motion in the body repeats
    return _Offset(min(same, key=abs), min(searched)[0], True)


def _begins_alike(exact: FreeRotation, states: States, clock: float) -> bool:
    """Tell whether the first row's angular velocity is that of the exact motion at `clock` [s]."""
    there = exact.at(clock).omega_body
    return bool(np.linalg.norm(states.omega_body[0] - there) <= BEGINS_ALIKE * np.linalg.norm(there))


def _searched(exact: FreeRotation, states: States, last: float) -> list[tuple[float, float]]:
    """Return (misfit, offset [s]) for each time up to `last` [s] at which a recording fits the exact motion."""
    some, length = _some_rows(states, SEARCHED_ROWS), float(states.time[-1])
    speed = float(np.linalg.norm(states.omega_body, axis=1).mean())
    count = int(min(max((last + length) * speed / STEP_OF_SEARCH, 3.0), MOST_TRIED))
    tried = np.linspace(-length, last, count)
    off = np.array([_misfit(exact, some, float(offset)) for offset in tried])
    around = np.concatenate(([np.inf], off, [np.inf]))
    lowest = np.flatnonzero((off <= around[:-2]) & (off <= around[2:]))
    first, step, found = _some_rows(states, FIRST_ROWS), float(tried[1] - tried[0]), []
    for number in lowest[np.argsort(off[lowest])][:MOST_REFINED]:
        fine = least_squares(
            lambda shift: _off(exact, some, tried[number] + step * shift[0]).ravel(),  # noqa: B023 - called at once
            (0.0,),
            bounds=(-1.0, 1.0),
            xtol=1e-15, ftol=1e-15, gtol=1e-15,
        )  # fmt: skip
        offset = float(tried[number] + step * fine.x[0])
        found.append((_misfit(exact, first, offset), offset))
    return [one for one in found if one[0] <= FITS]


def _turned(exact: FreeRotation, states: States, offset: float) -> float:
    """Return the angle [rad] between the first recorded orientation and the exact one at the time `offset` [s]."""
    return float(turn_between(exact.at(offset).orientation_wxyz, states.orientation_wxyz[0]))


def _by_clock(exact: FreeRotation, states: States, clock: float, last: float) -> tuple[float, float]:
    """Return (misfit, offset [s]) of the better alignment: with offset 0, or with the offset that the clocks give."""
    some, offsets = _some_rows(states, FIRST_ROWS), [0.0]
    if clock and -float(states.time[-1]) < clock < last:
        offsets.append(clock)
    return min((_misfit(exact, some, offset), offset) for offset in offsets)


def _misfit(exact: FreeRotation, states: States, offset: float) -> float:
    """Return the rms difference of the angular velocities in the body from the exact ones, relative to the largest."""
    return float(np.sqrt(np.mean(np.sum(_off(exact, states, offset) ** 2, axis=1))))


def _off(exact: FreeRotation, states: States, offset: float) -> Array:
    """Return the differences (N, 3) of exact and recorded angular velocities in the body, relative to the largest."""
    size = float(np.linalg.norm(states.omega_body, axis=1).max())
    return np.asarray((exact.at(states.time + offset).omega_body - states.omega_body) / size)


def _some_rows(states: States, count: int) -> States:
    """Return at most `count` of the first FIRST_ROWS rows, evenly spread."""
    rows = np.unique(np.linspace(0, min(len(states.time), FIRST_ROWS) - 1, count).astype(int))
    return States(states.time[rows], states.orientation_wxyz[rows], states.omega_body[rows])


def _in_axes_of_space(exact: FreeRotation, states: States, least: float) -> tuple[States, float]:
    """Return the states turned so that they begin as the exact motion does, and the angle [rad] of that turn.

    If the angle is at most `least`, the states are returned unchanged, with 0.
    """
    rows = slice(0, min(AVERAGED, len(states.time)))
    turns = multiply(exact.at(states.time[rows]).orientation_wxyz, conjugate(states.orientation_wxyz[rows]))
    mean = wxyz(Rotation.from_quat(turns[:, [1, 2, 3, 0]]).mean())
    angle = float(np.linalg.norm(rotation_vectors(mean)))
    if angle <= least:
        return states, 0.0
    return replace(states, orientation_wxyz=multiply(mean, states.orientation_wxyz)), angle
