"""Whether recorded rates are those of the recorded orientations, and in which reading of the two they are.

The rates of a motion follow from its orientations, whatever body moves. So the axes along which rates were recorded,
the direction of the quaternions and the units show in the recording itself, if it turns about more than one axis. They
do not show whether R(t) or its inverse is the orientation, as the rates of one in the body are those of the other in
space, reversed. Only one of the two is the motion of a free body, though.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Any

import numpy as np

from viewer.common.errors import InputError, brief
from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.physics.rotation import conjugate, multiply, rotation_matrix, rotation_vectors
from viewer.replay.conventions import (
    DIRECTIONS,
    FRAMES,
    ORDERS,
    PLACES,
    RATE_UNITS,
    SCALAR_AT_X,
    TIME_UNITS,
    Conventions,
    oriented,
)
from viewer.replay.fits.swing import least_swing, turns_from
from viewer.replay.kinematics import FEWEST_TURNS, TURN, rows_of_turn
from viewer.replay.raw_recording import FEWEST_ROWS, Array

Reading = tuple[str, ...]  # the values of the conventions READ
Candidate = tuple[Reading, str]  # a reading, and the axes of the rates

READ = ("order", "direction", "rate_frame", "rate_unit", "time_unit")  # the conventions of quaternions and rates
LIKELY_TIME_UNITS = ("s", "ms", "us", "ns")  # the usual one first
AGREES = 0.2  # relative misfit up to which rates are those of the orientations
CLEARLY_WORSE = 5.0  # times another misfit, from which on a reading is worse than noise explains
ALIKE = 0.01  # misfit up to which a reading is not denied, as curved paths between two rows leave as much
# swing of L up to which a motion is a free body's, and from which on it is none; measured: .002 of spins that wobble
# slightly, with noise of 1e-3, and .026 of their inverse motions
FREE = 0.02
IDENTITY = 1.0 - 1e-9  # of a quaternion: if one part of the first is as large, that is probably the scalar
CONTRADICTION = 2  # as many departures from what is usual is one from what is declared, or told by names of columns
AT_REST = np.cos(0.05)  # of half a turn of 0.1 rad: what turns no further may rest, and its rates be noise
OFF = 0.5  # of the larger of two turns: where their sizes differ by more, a row is bad, or too far from the next

MATRICES = {
    "".join("-" * (sign < 0) + "xyz"[axis] for axis, sign in zip(order, signs, strict=True)): np.eye(3)[list(order)]
    * np.array(signs)[:, None]
    for order in permutations(range(3))
    for signs in product((1, -1), repeat=3)
}
"""The matrices P, with omega = P times the recorded rates, by names such as "x-y-z": the rates about x, y and z were
recorded as x, -y and -z."""
STRAIGHT = "xyz"
USUAL = Conventions(direction=DIRECTIONS[0], rate_frame=FRAMES[0])
NAMES = {
    ("x-y-z", "body"): marked("FLU beside FRD"),
    ("x-y-z", "world"): marked("NWU beside NED"),
    ("yx-z", "body"): marked("NED beside ENU"),
    ("yx-z", "world"): marked("NED beside ENU"),
}
"""What two conventions are called whose axes differ like this."""
OTHERWISE = {
    "order": marked("the quaternions are {value}, not {declared}"),
    "direction": marked("quaternions give the reverse turn"),
    "rate_frame": marked("the rates are in the axes of the {value}, not of the {declared}"),
    "rate_unit": marked("the rates are in {value}, not in {declared}"),
    "time_unit": marked("the times are in {value}, not in {declared}"),
}
"""How a reading departs from a declared convention."""
BRIEFLY = dict(zip(READ, (marked("quaternions {value}, not {declared}"), marked("quaternions {value}"),
                          marked("rates in the {value}"), marked("rates in {value}"),
                          marked("times in {value}")), strict=True))  # fmt: skip
"""The same in a few words, as one of several readings."""
SCALAR_ELSEWHERE = marked("the column of qx holds the scalar")
ALTERNATIVES = marked(
    "these readings fit alike: {readings}; declare the direction of the quaternions with --quaternion, or the frame of"
    " the rates with --angular-velocity"
)
EITHER_AXES = marked(
    "either {first}, or {second}: it turns too little about one axis, or with too much noise, to tell which"
)
UNDETERMINED = marked(
    "which axes are exchanged or reversed cannot be told, as it turns mostly about one axis, or with too much noise"
)
NO_AXES = marked("the rates are not those of the orientations, nor along exchanged or reversed axes")


@frozen
class Disagreement:
    """Rates and orientations that disagree in the conventions that are declared or usual.

    `line` says how, in one sentence. `conventions` are those declared or usual, and `misfit` is what they leave.
    `repaired` are those in which the two agree, or None if the motion does not determine them. `applied` says that the
    recording was read in those.
    """

    line: str
    conventions: Conventions
    repaired: Conventions | None
    misfits: tuple[float, float]
    applied: bool = False

    @property
    def repairable(self) -> bool:
        """Whether the recording can be read so that rates and orientations agree, but has not been read so."""
        return self.repaired is not None and not self.applied

    @property
    def remark(self) -> str:
        """The line, with what it rests on, and what can be done."""
        agreed, as_declared = (brief(misfit, 1) for misfit in self.misfits)
        if self.repaired is None:
            return tr("rates and orientations disagree (misfit {misfit}): {line}").format(
                misfit=as_declared, line=self.line
            )
        text = tr("{line} (misfit {misfit}, otherwise {rival}): Repair, or --repair of the command, corrects this")
        if self.applied:
            text = tr("repaired: {line} (misfit {misfit}, otherwise {rival})")
        return text.format(line=self.line, misfit=agreed, rival=as_declared)

    def data(self) -> dict[str, Any]:
        """Return the disagreement as plain data, for JSON."""
        repaired = None if self.repaired is None else vars(self.repaired)
        best, as_declared = self.misfits
        return {"line": self.line, "applied": self.applied, "conventions": repaired, "misfit": best,
                "misfit_as_declared": as_declared}  # fmt: skip


class Unrepaired(InputError):
    """A recording cannot be replayed as long as its rates and orientations disagree."""


@frozen
class Comparison:
    """How far recorded rates are from those of the recorded orientations, in every reading and along all axes.

    `misfits` are the rms of their difference relative to the rms of the rates.
    """

    misfits: dict[Candidate, float]

    @property
    def straight(self) -> dict[Reading, float]:
        """The misfits of the readings in which no axes are exchanged or reversed."""
        return {
            reading: misfit
            for (reading, axes), misfit in self.misfits.items()
            if axes == STRAIGHT and reading[0] != SCALAR_AT_X
        }

    def alike(self) -> list[Candidate]:
        """Return the candidates that fit as well as the best; empty if nothing fits."""
        least = min(self.misfits.values())
        most = max(CLEARLY_WORSE * least, ALIKE)
        return [one for one, misfit in self.misfits.items() if misfit <= most] if least <= AGREES else []


def compared(time: Array, quaternion: Array, rates: Array, clocks: Sequence[str]) -> Comparison:
    """Return how far rates (N, 3) are from those of quaternions (N, 4), in every reading with one of these time units.

    `time` (N,) is in the file's unit, as the rates are.
    """
    begin, end, swept = _turns(time, quaternion, rates)
    factors = {(unit, clock): RATE_UNITS[unit] * TIME_UNITS[clock] for unit in RATE_UNITS for clock in clocks}
    size = float(np.sum(swept**2))
    misfits: dict[Candidate, float] = {}
    for order, frame in product((*ORDERS, SCALAR_AT_X), FRAMES):
        p, q = (rows[:, PLACES[order]] for rows in (begin, end))
        turned = rotation_vectors(multiply(q, conjugate(p)) if frame == "world" else multiply(conjugate(p), q))
        along = np.einsum("aij,ij->a", np.stack(list(MATRICES.values())), turned.T @ swept)
        for sign, direction in zip((1.0, -1.0), DIRECTIONS, strict=True):
            seen = frame if sign > 0.0 else FRAMES[FRAMES.index(frame) - 1]
            for (unit, clock), factor in factors.items():
                left = np.sum(turned**2) / factor**2 - 2.0 * sign * along / factor + size
                found = np.sqrt(np.maximum(left, 0.0) / size) if size else np.ones(len(MATRICES))
                reading = (order, direction, seen, unit, clock)
                misfits |= {(reading, axes): misfit for axes, misfit in zip(MATRICES, found.tolist(), strict=True)}
    return Comparison(misfits)


def turns_at(time: Array, quaternion: Array, rates: Array) -> bool:
    """Tell whether quaternions (N, 4) turn at these rates (N, 3), in any axes, convention and unit.

    Rows in which time or rates are not finite, or in which time does not increase, do not count.
    """
    rows = np.flatnonzero(np.isfinite(rates).all(axis=1) & np.isfinite(time))
    rows = rows[np.diff(time[rows], prepend=-np.inf) > 0.0]
    if len(rows) < FEWEST_ROWS or not rates[rows].any() or not np.isfinite(quaternion[rows]).all():
        return False
    return min(compared(time[rows], quaternion[rows], rates[rows], LIKELY_TIME_UNITS).misfits.values()) < AGREES


def _turns(time: Array, quaternion: Array, rates: Array) -> tuple[Array, Array, Array]:
    """Return unit quaternions (n, 4) before and after turns, and the integrals (n, 3) of the rates over these.

    The sizes of the turns, which are the same in every reading, tell which of them count: a bad row or a turn by more
    than half of one from row to row makes the two differ. Over a gap the rates are not known.
    """
    norm = np.linalg.norm(quaternion, axis=1, keepdims=True)
    q = quaternion / np.where(norm > 0.0, norm, 1.0)
    rows = rows_of_turn(q)
    first = turns_from(time, rows)
    begin, end = q[first], q[first + rows]
    turn = 2.0 * np.arccos(np.minimum(np.abs(np.sum(begin * end, axis=1)), 1.0))
    steps = 0.5 * np.diff(time)[:, None] * (rates[1:] + rates[:-1])
    reached = np.concatenate((np.zeros((1, 3)), np.cumsum(steps, axis=0)))
    swept = reached[first + rows] - reached[first]
    size = np.linalg.norm(swept, axis=1)
    quick = turn >= 0.5 * TURN if (turn >= 0.5 * TURN).any() else turn >= np.median(turn)
    size = size * float(np.median(turn[quick] / np.maximum(size[quick], 1e-300)))
    good = np.abs(turn - size) <= OFF * np.maximum(turn, size)
    good = good if good.sum() >= FEWEST_TURNS else np.ones(len(turn), dtype=bool)
    return begin[good], end[good], swept[good]


def disagreement(
    quaternion: Array, rates: Array, declared: Conventions, usual: Conventions, comparison: Comparison
) -> Disagreement | None:
    """Return how rates (N, 3) and quaternions (N, 4) disagree, or None if they agree as is declared or usual.

    Conventions that are not declared are inferred, or are the `usual` ones if they agree in no reading. None is
    returned, too, if the orientations show no turn, or if they agree only in an order that is not the declared one.
    """
    if min(comparison.misfits.values()) > AGREES:
        size = np.linalg.norm(quaternion, axis=1)
        if (np.abs(quaternion @ quaternion[0]) > AT_REST * size * size[0]).all():
            return None
        as_usual: Reading = tuple(getattr(usual, name) for name in READ)
        misfits = min(comparison.misfits.values()), comparison.misfits[as_usual, STRAIGHT]
        return Disagreement(tr(NO_AXES), usual, None, misfits)
    orders = ORDERS if declared.order is None else (declared.order,)  # in another than these, one defect is enough
    alike = [one for one in comparison.alike() if one[1] == STRAIGHT or one[0][0] in orders]
    size = np.abs(quaternion[0])
    scalar = int(np.argmax(size)) if size.max() >= IDENTITY * np.linalg.norm(size) else None

    def rank(one: Candidate) -> tuple[int, bool]:
        elsewhere = scalar is not None and PLACES[one[0][0]][0] != scalar  # the motion begins from the identity
        return _departures(one, declared) + elsewhere, one[1] != STRAIGHT

    alike.sort(key=rank)
    if not alike or not _departures(alike[0], declared):
        return None
    free = _free(quaternion, rates, alike)
    alike = [one for one in alike if free in (None, _inverse(one))]
    if any(axes == STRAIGHT and not _contradictions(reading, declared) for reading, axes in alike):
        return None
    best = alike[0]
    rivals = [one for one in alike[1:] if rank(one)[0] == rank(best)[0]]
    if free is None and not rivals and declared.direction is None and declared.rate_frame is None:
        rivals = [one for one in alike[1:] if _inverse(one) != _inverse(best)][:1]
    values: dict[str, Any] = dict(zip(READ, best[0], strict=True))
    found = Conventions(**values)
    taken = declared.filled_from(USUAL if rivals else found).filled_from(found)
    as_declared = tuple(getattr(taken, name) for name in READ)
    misfits = comparison.misfits[best], comparison.misfits[as_declared, STRAIGHT]
    if rivals:
        other = next((one for one in rivals if _inverse(one) != _inverse(best)), rivals[0])
        if len({reading for reading, _ in (best, *rivals)}) <= len(rivals):  # several axes fit in one reading
            line = tr(UNDETERMINED if len(rivals) > 1 else EITHER_AXES)
            line = line.format(first=_words(best, taken), second=_words(other, taken))
        else:
            shown = [f"({n}) {_words(one, taken, briefly=True)}" for n, one in enumerate((best, other), 1)]
            shown += [tr("and {count} more").format(count=len(rivals) - 1)] * (len(rivals) > 1)
            line = tr(ALTERNATIVES).format(readings="; ".join(shown))
        return Disagreement(line, taken, None, misfits)
    repaired = replace(found.filled_from(declared), rate_axes=None if best[1] == STRAIGHT else best[1])
    return Disagreement(_words(best, declared), taken, repaired, misfits)


def _free(quaternion: Array, rates: Array, alike: Sequence[Candidate]) -> bool | None:
    """Return whether R(t) or its inverse is the motion of a free body: False or True, or None if that cannot be told.

    `alike` are candidates that fit.
    """
    (order, direction, frame, *_), axes = next(one for one in alike if one[1] != STRAIGHT)
    some = turns_from(np.arange(len(quaternion), dtype=float), 1)
    rotation = rotation_matrix(oriented("", quaternion[some], order, direction))
    omega = rates[some] @ MATRICES[axes].T
    inverse = np.swapaxes(rotation, 1, 2)
    if frame == "world":
        omega = np.einsum("nij,nj->ni", inverse, omega)
    swings = least_swing(rotation, omega), least_swing(inverse, -np.einsum("nij,nj->ni", rotation, omega))
    if min(swings) > FREE or max(swings) < max(FREE, CLEARLY_WORSE * min(swings)):
        return None
    return (swings[1] < swings[0]) != _inverse(((order, direction), axes))


def _inverse(one: Candidate) -> bool:
    """Tell whether a candidate takes the orientation to be the inverse of what is usual, up to constant turns.

    To move the scalar of a quaternion from one end to the other amounts to an inversion and constant turns.
    """
    order, direction, *_ = one[0]
    return (direction != DIRECTIONS[0]) != (order != ORDERS[0])


def _contradictions(reading: Reading, declared: Conventions) -> int:
    """Return the number of declared conventions that a reading contradicts."""
    return sum(getattr(declared, name) not in (None, value) for name, value in zip(READ, reading, strict=True))


def _departures(one: Candidate, declared: Conventions) -> int:
    """Return in how many ways a candidate departs from what is declared, which counts more, or else from the usual."""
    reading, axes = one
    contradictions = _contradictions(reading, declared)
    unusual = _contradictions(reading, declared.filled_from(USUAL)) - contradictions
    return CONTRADICTION * contradictions + unusual + (axes != STRAIGHT)


def _words(one: Candidate, declared: Conventions, briefly: bool = False) -> str:
    """Return how a candidate departs from what is declared."""
    reading, axes = one
    words, texts = [], BRIEFLY if briefly else OTHERWISE
    if axes != STRAIGHT:
        listed = tr("rates recorded as {axes}").format(axes=_listed(axes))
        words.append(listed if briefly else _words_of_axes(axes, reading[2]))
    for name, value in zip(READ, reading, strict=True):
        if (wanted := getattr(declared, name)) not in (None, value):
            text = SCALAR_ELSEWHERE if value == SCALAR_AT_X else texts[name]
            words.append(tr(text).format(value=tr(value), declared=tr(wanted)))
    return (", " if briefly else "; ").join(words)


def _listed(axes: str) -> str:
    return ", ".join(re.findall("-?[xyz]", axes))


def _words_of_axes(axes: str, frame: str) -> str:
    """Return how rates along these axes lie against the orientations."""
    matrix = MATRICES[axes]
    left = np.linalg.det(matrix) < 0.0
    reversed_axes = [axis for axis, column in zip("xyz", matrix.T, strict=True) if column.sum() < 0.0]
    straight = [axis for axis, diagonal in zip("xyz", np.diag(matrix), strict=True) if diagonal]
    if len(straight) == 3:
        text = (tr("{axis} of the rates is reversed against the orientations"),
                tr("{axis} and {other} of the rates are reversed against the orientations"),
                tr("x, y and z of the rates are reversed against the orientations"),
                )[len(reversed_axes) - 1].format(axis=reversed_axes[0], other=reversed_axes[-1])  # fmt: skip
    elif len(straight) == 1 and set(reversed_axes) <= set(straight):
        first, second = (axis for axis in "xyz" if axis not in straight)
        text = tr("{first} and {second} of the rates are exchanged against the orientations")
        if reversed_axes:
            text = tr("{first} and {second} of the rates are exchanged against the orientations, {third} is reversed")
        text = text.format(first=first, second=second, third=straight[0])
    else:
        text = tr("the rates about x, y and z are recorded as {axes}").format(axes=_listed(axes))
    if left:
        return tr("{text}: the rates are left-handed").format(text=text)
    names = NAMES.get((axes, frame))
    return tr("{text}, as {names}").format(text=text, names=tr(names)) if names else text
