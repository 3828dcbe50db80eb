"""What a log's numbers mean: its quaternions and rates in this project's conventions, and what was guessed for that."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError
from viewer.physics.rotation import conjugate, multiply, rotate_back, rotation_vectors
from viewer.replay.inertia import fit_inertia
from viewer.replay.reader import FRAMES, ORDERS, RATE_UNITS, TIME_UNITS, TURNS, Conventions, Log

Array = NDArray[np.float64]

LOOKED_AT = 2000  # steps at which conventions are compared
SUSPECT = 0.05  # relative misfit of what is declared, above which it is doubted
ALIKE = 1.05  # times worse than another: fits as well
STENCIL = 5  # orientations from which a rate is taken
EVEN = 1e-6  # of a step; times that are so near to even steps are left as they are
MOST_TURN = 1.5  # rad from row to row, in a reading of rates alone
CLEARLY = 5.0  # times worse than another: then the other is told
CLOCKS = ("s", "ms", "us", "ns")  # units of time that are tried where none is said, the usual one first
FINE_STEP = 2.0  # of whole numbers: times so far apart are counted in a fraction of a second
USUAL_STEP = 0.01  # s, of recorders
ROUND_OFF = 1e-9  # misfits below it are alike
UNKNOWN = 1.0  # the misfit where a motion tells nothing
ROUNDED = 0.1  # of a step: times that are off by no more than that, and by their rounding, are even steps
STEPS = 1e-12, 1e12  # s between two rows
SPEEDS = 1e-12, 1e12  # rad/s, the largest of a motion; with STEPS all that is worked out stays finite


@dataclass(frozen=True, eq=False)
class Recording:
    """A motion as it was logged: time (N,) [s] from 0, orientation_wxyz (N, 4) body to world, omega_body (N, 3)
    [rad/s]. Body axes are those of the log. `said`: its conventions, declared or found; `doubts`: one sentence each.
    `has_orientations`, `has_rates`: which of both were recorded; the other one follows from it.
    """

    name: str
    time: Array
    orientation_wxyz: Array
    omega_body: Array
    said: Conventions
    doubts: tuple[str, ...]
    has_orientations: bool = True
    has_rates: bool = True


def interpret(log: Log, wanted: Conventions | None = None) -> Recording:
    """The motion that a log tells. `wanted` goes before what the log says of itself; what neither says is found out by
    what fits. Raises InputError where the rates are zero throughout.
    """
    said = (wanted or Conventions()).over(log.said)
    doubts = list(log.doubts)
    raw = evened(log.time, doubts)
    whole = bool((log.time == np.round(log.time)).all())
    if log.quaternion is not None and log.rates is not None:
        said = _by_both(raw, log.quaternion, log.rates, said, doubts)
    elif log.quaternion is not None:
        said = _by_quaternions(raw, whole, log.quaternion, said, doubts)
    else:
        assert log.rates is not None
        said = _by_rates(raw, log.rates, said, doubts)
    time = raw * TIME_UNITS[said.time_unit or "s"]
    steps = np.diff(time)
    if not STEPS[0] <= steps.min() <= steps.max() <= STEPS[1]:
        raise InputError(
            f"{log.name}: t: steps of {steps.min():.3g}..{steps.max():.3g} s are outside {STEPS[0]:g}..{STEPS[1]:g} s"
        )
    orientation, omega = _motion(time, log, said)
    fastest = float(np.abs(omega).max())
    if not fastest > 0.0:
        raise InputError(f"{log.name}: the body does not turn; a replay needs a motion")
    if not SPEEDS[0] <= fastest <= SPEEDS[1]:
        raise InputError(
            f"{log.name}: an angular velocity of {fastest:.3g} rad/s is outside {SPEEDS[0]:g}..{SPEEDS[1]:g} rad/s"
        )
    return Recording(
        log.name,
        time,
        orientation,
        omega,
        said,
        tuple(doubts),
        log.quaternion is not None,
        log.rates is not None,
    )


def evened(time: Array, doubts: list[str]) -> Array:
    """Times (N,), from 0, as even steps where they are even but for the rounding of their digits; then with a doubt."""
    resolution, time = _resolution(time), time - time[0]
    number = np.arange(len(time)) - 0.5 * (len(time) - 1)
    step = float(number @ time / (number @ number))
    even = np.asarray(step * (number - number[0]))
    off = time - even
    off -= 0.5 * (off.max() + off.min())
    largest = float(np.abs(off).max())
    if largest <= EVEN * step or not largest <= min(0.75 * resolution, ROUNDED * step):
        return time
    doubts.append(f"the times are even but for their digits: took them as steps of {step:.6g}")
    return even


def _resolution(time: Array) -> float:
    """The last decimal that the times have, or that of 32-bit numbers; at least what 64-bit ones can tell, which is
    256 ns for times since 1970 in ns."""
    told = 2.0 * float(np.spacing(np.abs(time).max()))
    if (time.astype(np.float32) == time).all():
        return float(np.spacing(np.float32(np.abs(time).max())))
    decimals = (10.0**-digits for digits in range(10))
    fits = (
        one for one in decimals if one <= told or (np.abs(time - np.round(time / one) * one) <= told).all()
    )
    return max(next(fits, told), told)


def _by_both(
    time: Array, quaternion: Array, rates: Array, said: Conventions, doubts: list[str]
) -> Conventions:
    """Quaternions and rates must tell the same turning; `time` in the log's own unit."""
    some = slice(0, LOOKED_AT + 1)
    dt = np.diff(time[some])[:, None]
    speed = float(np.median(np.linalg.norm(rates[some], axis=1)))
    if speed == 0.0:
        raise InputError("log: its angular velocities are zero; a replay needs a motion")
    misfits: dict[tuple[str, ...], float] = {}
    for order, turn in product(ORDERS, TURNS):
        q = oriented(quaternion[some], order, turn)
        in_body = turns_between(q) / dt
        in_world = turns_between(q, world=True) / dt
        for clock, frame, unit in product(CLOCKS, FRAMES, RATE_UNITS):
            logged = 0.5 * (rates[some][1:] + rates[some][:-1]) * (RATE_UNITS[unit] * TIME_UNITS[clock])
            gap = np.linalg.norm((in_body if frame == "body" else in_world) - logged, axis=1)
            size = speed * RATE_UNITS[unit] * TIME_UNITS[clock]
            misfits[order, turn, frame, unit, clock] = float(np.median(gap)) / size
    return _chosen(misfits, ("order", "turn", "rate_frame", "rate_unit", "time_unit"), said, doubts)


def _by_quaternions(
    time: Array, whole: bool, quaternion: Array, said: Conventions, doubts: list[str]
) -> Conventions:
    """The right reading is the one in which some inertia keeps the angular momentum. Of the unit of time it tells
    nothing; `whole` times may."""
    some = slice(0, LOOKED_AT + 1)
    misfits: dict[tuple[str, ...], float] = {}
    for order, turn in product(ORDERS, TURNS):
        q = oriented(quaternion[some], order, turn)
        misfits[order, turn] = max(fit_inertia(time[some], q, rates_of(time[some], q)).misfit, ROUND_OFF)
    said = _chosen(misfits, ("order", "turn"), said, doubts)
    step = float(np.median(np.diff(time)))
    if said.time_unit is None and whole and step >= FINE_STEP:
        unit = min(CLOCKS[1:], key=lambda clock: abs(np.log(step * TIME_UNITS[clock] / USUAL_STEP)))
        doubts.append(
            f"took the times as {unit}, {step * TIME_UNITS[unit]:.3g} s a row: nothing says so, orientations alone do"
            f" not tell, and whole numbers {step:.6g} apart are hardly seconds"
        )
        said = said.where("time_unit", unit)
    return said


def _by_rates(time: Array, rates: Array, said: Conventions, doubts: list[str]) -> Conventions:
    """Euler's equation holds for some inertia in the right units only: its two terms have different ones. A nearly
    round body comes near it in all units that let it turn faster, of which noise hides the right one: those in which it
    turns further from row to row than anybody records are left out, and what fits nearly as well is told.
    """
    some = slice(0, LOOKED_AT + 1)
    misfits: dict[tuple[str, ...], float] = {}
    for frame, unit, clock in product(FRAMES, RATE_UNITS, CLOCKS):
        t, logged = time[some] * TIME_UNITS[clock], rates[some] * RATE_UNITS[unit]
        q, omega = integrated(t, logged, frame == "world")
        fit = fit_inertia(t, q, omega, fewest=len(t))  # in a few rows any spin is a steady one
        turn = float(np.median(np.linalg.norm(logged[1:], axis=1) * np.diff(t)))
        tells = fit.determined and turn < MOST_TURN
        misfits[frame, unit, clock] = max(fit.misfit, ROUND_OFF) if tells else UNKNOWN
    asked = said
    said = _chosen(misfits, ("rate_frame", "rate_unit", "time_unit"), said, doubts)
    best = (said.rate_frame or "", said.rate_unit or "", said.time_unit or "")
    near = [
        f"{unit} and {clock}"
        for (frame, unit, clock), misfit in misfits.items()
        if frame == best[0]
        and (unit, clock) != best[1:]
        and misfit <= CLEARLY * misfits[best]
        and asked.rate_unit in (None, unit)
        and asked.time_unit in (None, clock)
    ]
    if near and misfits[best] < UNKNOWN:
        doubts.append(
            f"{best[1]} and {best[2]} are not certain: {', '.join(near)} fit nearly as well; say which with"
            " --angular-velocity and --time-unit"
        )
    doubts.append("there are no orientations: they follow from the angular velocities, beginning unturned")
    return said


def _chosen(
    misfits: dict[tuple[str, ...], float], names: tuple[str, ...], said: Conventions, doubts: list[str]
) -> Conventions:
    """The best reading that agrees with what is said; a doubt for what was guessed or does not fit."""
    allowed = {
        reading: misfit
        for reading, misfit in misfits.items()
        if all(getattr(said, name) in (None, value) for name, value in zip(names, reading, strict=True))
    }
    least = min(allowed.values())
    if least > SUSPECT:  # then the unit of time is the usual one: a rare one must be seen
        allowed = {
            reading: misfit for reading, misfit in allowed.items() if reading[-1] not in CLOCKS[1:]
        } or allowed
        least = min(allowed.values())
    best = next(
        reading for reading, misfit in allowed.items() if misfit <= ALIKE * least
    )  # the commonest goes first
    guessed = [
        value
        for name, value in zip(names, best, strict=True)
        if getattr(said, name) is None and value != CLOCKS[0]  # seconds are taken without a word
    ]
    if guessed:
        next_best = min(misfit for reading, misfit in allowed.items() if reading != best)
        rival = (
            "others fit as well"
            if next_best <= ALIKE * least
            else f"the next best reading to {next_best:.1g}"
        )
        doubts.append(
            f"took the numbers as {', '.join(guessed)}: nothing says so; they fit to {allowed[best]:.1g}, {rival}"
        )
    overall = min(misfits, key=lambda reading: misfits[reading])
    if misfits[best] > SUSPECT and misfits[best] > CLEARLY * misfits[overall]:
        told = [value for value, other in zip(best, overall, strict=True) if value != other]
        rather = [other for value, other in zip(best, overall, strict=True) if value != other]
        doubts.append(
            f"the log is said to be {', '.join(told)}, but its numbers fit {', '.join(rather)}"
            f" ({misfits[best]:.1g} against {misfits[overall]:.1g}): look at its conventions"
        )
    elif misfits[best] > SUSPECT:
        doubts.append(
            f"the numbers fit no motion of a free body well ({misfits[best]:.1g}): wrong units, or too few rows a turn"
        )
    for name, value in zip(names, best, strict=True):
        said = said.where(name, value)
    return said


def _motion(time: Array, log: Log, said: Conventions) -> tuple[Array, Array]:
    """(orientation_wxyz, omega_body) in this project's conventions."""
    unit = RATE_UNITS[said.rate_unit or "rad/s"]
    if log.quaternion is None:
        assert log.rates is not None
        return integrated(time, log.rates * unit, said.rate_frame == "world")
    q = oriented(log.quaternion, said.order or "wxyz", said.turn or TURNS[0])
    if log.rates is None:
        return q, rates_of(time, q)
    rates = log.rates * unit
    return q, rotate_back(q, rates) if said.rate_frame == "world" else rates


def oriented(quaternion: Array, order: str, turn: str) -> Array:
    """Unit quaternions wxyz, body to world (N, 4), neighbours on the same side. Raises InputError for a zero one."""
    q = quaternion if order == "wxyz" else quaternion[:, [3, 0, 1, 2]]
    norm = np.linalg.norm(q, axis=1, keepdims=True)
    if not norm.min() > 0.0:
        raise InputError(
            f"log: row {int(np.argmin(norm)) + 1} has the quaternion 0, 0, 0, 0, which is no orientation"
        )
    q = q / norm
    if turn != TURNS[0]:
        q = conjugate(q)
    flips = np.sum(q[1:] * q[:-1], axis=1) < 0.0
    signs = np.concatenate(([1.0], np.where(np.cumsum(flips) % 2 == 1, -1.0, 1.0)))
    return np.asarray(q * signs[:, None])


def turns_between(q: Array, world: bool = False) -> Array:
    """Rotation vectors (N - 1, 3) [rad] from each orientation to the next, in the body or in space."""
    back = conjugate(q[:-1])
    step = multiply(q[1:], back) if world else multiply(back, q[1:])
    return rotation_vectors(step)


def rates_of(time: Array, q: Array) -> Array:
    """omega_body (N, 3) [rad/s] from orientations: the derivative of the polynomial through the rotation vectors from
    each one to its STENCIL nearest."""
    count = len(time)
    first = np.clip(np.arange(count) - STENCIL // 2, 0, count - STENCIL)
    near = first[:, None] + np.arange(STENCIL)
    t = time[near] - time[:, None]
    back = conjugate(q)[:, None]
    vectors = rotation_vectors(multiply(np.broadcast_to(back, (count, STENCIL, 4)), q[near]))
    return np.asarray(np.einsum("nk,nkc->nc", _derivative_weights(t), vectors))


def _derivative_weights(t: Array) -> Array:
    """(N, STENCIL): what, times values at times t (N, STENCIL), gives the derivative of their polynomial at 0."""
    powers = t[:, None, :] ** np.arange(STENCIL)[None, :, None]
    size = np.abs(t).max(axis=1)[:, None, None] ** np.arange(STENCIL)[None, :, None]
    wanted = np.zeros((len(t), STENCIL, 1))
    wanted[:, 1, 0] = 1.0
    return np.asarray(np.linalg.solve(powers / size, wanted / size)[:, :, 0])


def integrated(time: Array, rates: Array, in_space: bool) -> tuple[Array, Array]:
    """(orientation_wxyz, omega_body) from rates by fourth-order Magnus steps over a cubic spline, from (1, 0, 0, 0)."""
    from scipy.interpolate import CubicSpline

    spline = CubicSpline(time, rates)
    h, middle = np.diff(time), 0.5 * (time[1:] + time[:-1])
    early, late = (spline(middle + side * h / np.sqrt(12.0)) for side in (-1.0, 1.0))
    commutator = np.cross(early, late) * (np.sqrt(3.0) / 12.0 * h * h)[:, None]
    turn = 0.5 * h[:, None] * (early + late) + (-commutator if in_space else commutator)
    angle = np.linalg.norm(turn, axis=1)
    sinc = 0.5 * np.sinc(0.5 * angle / np.pi)
    steps = np.concatenate((np.cos(0.5 * angle)[:, None], turn * sinc[:, None]), axis=1)
    q = np.concatenate(([[1.0, 0.0, 0.0, 0.0]], steps))
    reach = 1  # each is the product of so many
    while reach < len(q):
        q[reach:] = multiply(q[reach:], q[:-reach]) if in_space else multiply(q[:-reach], q[reach:])
        q /= np.linalg.norm(q, axis=1, keepdims=True)
        reach *= 2
    return q, rotate_back(q, rates) if in_space else rates
