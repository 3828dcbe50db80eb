"""The free motion nearest to a whole recording: its body and start, and how much of the recording it explains.

The rounding in a file, like any noise, blurs the start and the moments; the longer the motion is followed, the better
they are known. So the fit begins with a first turn and is extended to more and more of the motion, as long as it leaves
only noise: an integrator's error, or a torque, leaves residuals that are smooth.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import CubicSpline

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rotation import Array, multiply, quaternion_from_matrix
from viewer.physics.state import State, States
from viewer.replay.fits.inertia import Fit, principal_axes
from viewer.replay.fits.motion_fit import DRAG, IDENTITY, START, MotionFit, Recorded, Solution, Turned, alike, usual
from viewer.replay.fits.rigid_fit import SPREAD, alike_rows, largest_last
from viewer.replay.fits.torque import LEAST_SIGMA, LINEAR, QUADRATIC, Torque
from viewer.replay.flights.body_fit import fit_flight
from viewer.replay.flights.motion import slowed_along
from viewer.replay.flights.signal_quality import noise_of
from viewer.replay.kinematics import STENCIL, rates_of
from viewer.replay.recording import Recording

FIRST_TURN = 2.0 * np.pi  # rad by which the body turns in what is fitted first
HALF = 0.5  # of the whole turn: no more of it is fitted first if there is drag
BACK = 0.85  # fraction of the explained turn that is fitted in the end, if not all of the motion is explained
FURTHER = 2.0, 1.4, 1.1  # times as much is fitted next; a smaller factor if a larger one leaves more than noise
BRIEF, BRIEFLY_KNOWN = np.pi, 1e-3  # rad: sigmas above BRIEFLY_KNOWN are not to be trusted if it turns by less
WHITE = 0.3  # `alike` of residuals below which they are noise
UNEXPLAINED = 0.2  # rad, and of the largest rate: larger residuals are no noise
FLAT = 3.0  # sigmas by which a second moment may fall below 0: a plate's
CLEANED = 3  # fits at most, each without the rows that are far off the fit before
LEAST_USUAL = 0.9  # of the rows: if fewer are near the motion, it is not theirs
SLOPES_NOISE = 1e-11  # rad, and of the largest rate: derivatives are no better known
ROUND_OFF = 1e-9  # rad, and of the largest rate: nothing is left
GUESSED_TURNS = 6.0  # turns at the beginning, by which a body is guessed
LEAST_SPREAD = 1e-3  # second moment
AT_REST = 0.05  # of the largest |L|: below it, noise hides how the rest of it falls
LEAST_FALL, ALONG = -1e-6, 0.5  # of log |L|; of its rms, by which half of log E may differ from it if drag is tried
EVENLY = 0.4  # of the rms of a straight fall of log |L|, by which drag may differ from it; a blow differs by 0.58
SUMMED = 1e-5  # relative: errors of an angle that is summed over the rows; 1e-6 measured
SHARE = 3.0  # times what they leave of the motion, relative to the drag: by how much it errs; 2.5 measured
SEEN = 5.0  # standard deviations of a drag that is there


@dataclass(frozen=True, eq=False)
class Guess:
    """A body and a start from which a fit begins.

    `spread` (3,) has the second moments, of sum 1, along the columns of `frame` (3, 3), of which the last is the
    largest; `omega` (3,) [rad/s] is in these axes at the start; `speed` [rad/s] is roughly the largest rate. `moments`
    (3,) are the declared ones about these axes, or None; `drag` is k [1/s] of a torque -k L.
    """

    spread: Array
    frame: Array
    omega: Array
    speed: float
    moments: Array | None = None
    drag: float = 0.0

    def parameters(self, recorded: Recorded) -> tuple[Array, Array]:
        """Return the guess as (x, frame) of a `MotionFit` to what was recorded."""
        e, zero = recorded.exponent, np.zeros(3)
        drag = 0.0 if e is None else self.drag * float(recorded.time[-1] / e[-1])
        return np.concatenate((self.spread[:2], zero, self.omega, zero, [drag])), self.frame


def declared(recorded: Recorded, moments: Array) -> list[Guess]:
    """Return a list of one guess, whose body has these moments (3,) about the recording's axes."""
    _, omega = _rates(recorded, Turned.of(recorded))
    speed = float(np.abs(omega).max())
    return [Guess(np.zeros(3), np.eye(3), omega[0], speed, moments)]


def guessed(recorded: Recorded, linear: Fit) -> list[Guess]:
    """Return guesses of an unknown body.

    One comes from the `linear` fit, if that determines the tensor. The other comes from a fit to the rates of some
    turns, on which noise has less influence.
    """
    turned = Turned.of(recorded)
    some = recorded.at(slice(0, turned.rows(2.0 * np.pi * GUESSED_TURNS)))
    time, omega = _rates(some, turned)
    speed, found = float(np.abs(omega).max()), []
    if linear.determined:
        found.append(_guess_of(*linear.principal(), omega[0], speed))
    fit = fit_flight(time, omega)
    start = fit.axes @ fit.motions[0].start
    near = float(np.linalg.norm(start - omega[0])) < 0.5 * speed  # not so of a spin in which all bodies fit
    guess = _guess_of(fit.moments, fit.axes, start if near else omega[0], speed)
    found.append(replace(guess, drag=fit.drag if fit.drag > SEEN * fit.drag_sigma else 0.0))
    return found


def _guess_of(moments: Array, axes: Array, omega: Array, speed: float) -> Guess:
    """Return the guess of a body with these principal axes; omega (3,) is in the recording's axes."""
    spread = np.maximum(1.0 - 2.0 * moments / moments.sum(), LEAST_SPREAD)
    order = largest_last(spread)
    return Guess(spread[order] / spread.sum(), axes[:, order], omega @ axes[:, order], speed)


def _rates(recorded: Recorded, turned: Turned) -> tuple[Array, Array]:
    """Return times and rates (n, 3) [rad/s]: the recorded ones, or else those of some of the orientations.

    These orientations are far enough apart for noise to matter little.
    """
    if recorded.omega_body is not None:
        return recorded.time, recorded.omega_body
    assert recorded.orientation_wxyz is not None
    rows = np.arange(0, len(recorded.time), max(min(turned.lag, (len(recorded.time) - 1) // (STENCIL - 1)), 1))
    return recorded.time[rows], rates_of(recorded.time[rows], recorded.orientation_wxyz[rows])


@dataclass(frozen=True, eq=False)
class NearestMotion:
    """The free motion nearest to a recording.

    `moments` (3,) are relative to the largest unless they were declared, with the standard deviations `sigma` (3,), 0
    if declared. `axes` (3, 3) has the principal axes as columns, each named after the nearest of the recording's axes;
    `start` is the state in these axes at the first row. The motion explains the first `rows` rows but for noise.
    `misfit` is the rms of the residuals in these rows: of the turns [rad], or of the rates relative to the largest,
    whichever is larger. If the motion explains the rows only together with a drag, `formula` is that of its torque,
    `drag` is k [1/s, or 1/rad] with the standard deviation `drag_sigma`, and `exponent` is as in `slowed_along`.
    """

    moments: Array
    sigma: Array
    axes: Array
    start: State
    rows: int
    misfit: float
    drag: float = 0.0
    drag_sigma: float = 0.0
    formula: str = ""
    exponent: Array | None = None

    @property
    def torque(self) -> Torque:
        """The drag."""
        sigma = max(self.drag_sigma, LEAST_SIGMA)
        return Torque(self.formula, np.array([self.drag]), np.array([sigma]), self.misfit)

    def states(self, body: RigidBody, time: Array) -> States:
        """Return the states of the body at the times (N,) [s] of all rows."""
        slow, left = (time, np.ones(len(time)))
        if self.exponent is not None:
            slow, left = slowed_along(time, self.exponent, self.drag)
        free = FreeRotation(body, self.start).at(slow)
        return States(time, free.orientation_wxyz, free.omega_body * left[:, None])


def nearest_of(recording: Recording, linear: Fit) -> NearestMotion | None:
    """Return the free motion nearest to a recording, or None if no free motion is near.

    The body is the declared one; if none is declared, it is fitted, from the `linear` fit and another guess. If a ball
    that spins steadily explains the whole, it is returned.
    """
    q = recording.orientation_wxyz if recording.has_orientations else None
    recorded = Recorded(recording.time, q, recording.omega_body if recording.has_rates else None)
    moments = recording.conventions.moments
    guesses = guessed(recorded, linear) if moments is None else declared(recorded, np.array(moments))
    found = _dragged(recorded, guesses) if _falling(recorded, guesses[-1]) else None
    if found is None and moments is None:
        found = _steady(replace(recorded, digits=recording.digits))
    return nearest_motion(recorded, guesses) if found is None else found


def _falling(recorded: Recorded, guess: Guess) -> bool:
    """Tell whether |L| of the guessed body falls evenly, and the energy with its square, as drag lets them."""
    time, omega = _rates(recorded, Turned.of(recorded))
    omega = omega @ guess.frame
    L = (1.0 - guess.spread if guess.moments is None else guess.moments) * omega
    size = np.linalg.norm(L, axis=1)
    moving = size > AT_REST * size.max()
    time, size, energy = time[moving], np.log(size[moving]), 0.5 * np.log(np.sum(L[moving] * omega[moving], axis=1))
    if size[-1] - size[0] > LEAST_FALL or np.std(size - energy) > ALONG * np.std(size):
        return False
    noise = noise_of(size[:, None])
    line = np.polyval(np.polyfit(time, size, 1), time)
    seen = bool(np.std(line) > SEEN * noise / np.sqrt(len(time)))
    return seen and bool(np.std(size - line) < max(EVENLY * np.std(line), 2.0 * noise))


def _dragged(recorded: Recorded, guesses: Sequence[Guess]) -> NearestMotion | None:
    """Return the motion with drag that explains a whole recording, or None if neither kind of drag does."""
    time, found = recorded.time, []
    some, omega = _rates(recorded, Turned.of(recorded))
    turned = CubicSpline(some, np.linalg.norm(omega, axis=1)).antiderivative()(time)
    for formula, exponent in ((LINEAR, time), (QUADRATIC, turned)):
        if formula == QUADRATIC:
            summed = SUMMED * min(guesses[-1].drag * float(time[-1]), 1.0)
            recorded = replace(recorded, digits=(summed, summed * guesses[-1].speed))
        one = nearest_motion(replace(recorded, exponent=exponent), guesses, whole=True)
        if one is not None and formula == QUADRATIC:  # the fitted angle has less noise than the recorded one
            one = replace(one, exponent=exponent)
            speed = np.linalg.norm(one.states(RigidBody.from_moments(one.moments.tolist()), time).omega_body, axis=1)
            exponent = CubicSpline(time, speed).antiderivative()(time)
            one = nearest_motion(replace(recorded, exponent=exponent), guesses, whole=True)
        if one is not None and one.drag > SEEN * one.drag_sigma:
            summed = SHARE * min(one.misfit, SUMMED) if formula == QUADRATIC else 0.0
            sigma = float(np.hypot(one.drag_sigma, summed * one.drag))
            found.append(replace(one, formula=formula, exponent=exponent, drag_sigma=sigma))
    return min(found, key=lambda one: one.misfit, default=None)


def _steady(recorded: Recorded) -> NearestMotion | None:
    """Return the steady spin of a ball if it explains a whole recording, which then tells nothing of the moments.

    As the rates stay the same, so do their last digits, which are then off as a smooth error is.
    """
    return nearest_motion(recorded, declared(recorded, np.ones(3)), whole=True)


def start_of(states: States, moments: Array, by_orientation: bool, by_rates: bool) -> State:
    """Return the start of the free motion that is nearest to `states`, of a body with these moments.

    The states are in principal axes. If no free motion is near, the first of them is returned. `by_orientation` and
    `by_rates` tell what was recorded.
    """
    q, omega = states.orientation_wxyz, states.omega_body
    recorded = Recorded(states.time, q if by_orientation else None, omega if by_rates else None)
    found = nearest_motion(recorded, declared(recorded, moments))
    if found is None:
        return State(q[0], omega[0])
    return found.start if by_orientation else State(q[0], found.start.omega_body)


def nearest_motion(recorded: Recorded, guesses: Sequence[Guess], whole: bool = False) -> NearestMotion | None:
    """Return the free motion found from the best of the guesses, or None if not even the first turn is free.

    If it has to explain the `whole` recording, the result is also None if it does not.
    """
    turned, count = Turned.of(recorded), len(recorded.time)
    end = turned.rows(FIRST_TURN)
    if recorded.exponent is not None:  # it may come to rest before that
        end = min(end, turned.rows(HALF * float(turned.angle[-1])))
    tried = [_fitted(recorded, turned, end, guess, None) for guess in guesses]
    begun = [(guess, one) for guess, one in zip(guesses, tried, strict=True) if one is not None]
    if not begun:
        return None
    guess, best = min(begun, key=lambda item: item[1][0].left(item[1][1]))
    while end < count:
        for factor in FURTHER:
            further = min(max(turned.rows(factor * float(turned.angle[end - 1])), end + 1), count)
            found = _fitted(recorded, turned, further, guess, best[1])
            if found is not None:
                best, end = found, further
                break
        else:
            if whole:
                return None
            back = turned.rows(BACK * float(turned.angle[end - 1]))  # as what begins is seen some rows later
            found = _fitted(recorded, turned, back, guess, best[1])
            best, end = (best, end) if found is None else (found, back)
            break
    motion = _concluded(*best, end)
    if turned.angle[-1] < BRIEF and motion.sigma.max() > BRIEFLY_KNOWN:  # a valley of good fits, of which this is one
        return replace(motion, sigma=np.ones(3))
    return motion


def _fitted(
    recorded: Recorded, turned: Turned, end: int, guess: Guess, before: Solution | None
) -> tuple[MotionFit, Solution] | None:
    """Return the fit to the first `end` rows, or None if it leaves more than noise.

    It starts from `before`, the solution for fewer rows, or else from the guess.
    """
    pairs = turned.pairs(end)
    rows, places = np.unique(pairs, return_inverse=True)
    q = recorded.orientation_wxyz
    first = np.array(IDENTITY) if q is None else q[0]
    x, frame = guess.parameters(recorded.at(slice(0, end))) if before is None else before[:2]
    first = first if before is None else before.first
    kept = np.arange(len(rows))
    for _ in range(CLEANED):
        problem = MotionFit(recorded.at(rows[kept]), first, guess.moments, guess.speed)
        problem.noises = problem.scatter(x, frame) if before is None else before.noises
        found, used = problem.settled(x, frame), kept
        good = usual(problem.off(found.x, found.frame))
        if good.all() or good.sum() < LEAST_USUAL * len(rows):
            break
        kept, before = kept[good], None
        x, frame, first = found[:3]
    digits = problem.of_recorded(recorded.digits)
    for off, unit, digit in zip(problem.off(found.x, found.frame), problem.units, digits, strict=True):
        left = float(np.sqrt(np.mean(off**2))) / unit
        whole = np.zeros((len(rows), 3))
        whole[used] = off
        smooth = left > max(ROUND_OFF, digit / unit) and alike(whole[places.reshape(pairs.shape)]) > WHITE
        if left > UNEXPLAINED or smooth:
            return None
    return problem, found


def _concluded(problem: MotionFit, found: Solution, end: int, again: int = 2) -> NearestMotion:
    """Return the result of a fit; if a better one is met on the way, begin again from it, at most `again` times."""
    x, frame, first, _ = found
    moments, sigma = problem.body(x), np.zeros(3)
    off = problem.off(x, frame)
    least = SLOPES_NOISE, SLOPES_NOISE * problem.speed
    problem.noises = max(found.noises[0], least[0]), max(found.noises[1], least[1])
    longer = max(alike_rows([part]) for part in off)
    covariance = problem.covariance(x, frame, longer)
    if problem.moments is None:
        below = x[SPREAD] / np.sqrt(np.maximum(np.diag(covariance)[SPREAD], 1e-300))
        if again > 0 and -FLAT < below.min() < 0.0:
            return _concluded(problem, problem.flat(x, frame, int(np.argmin(below))), end, -1)
        sigma, better = problem.ratio_sigma(x, frame, covariance, longer, again >= 0, again > 0)
        if better is not None:
            return _concluded(problem, problem.settled(better, frame), end, again - 1)
        moments = moments / moments.max()
    axes, order, signs = principal_axes(frame) if problem.moments is None else (frame, np.arange(3), np.ones(3))
    start = State(multiply(first, quaternion_from_matrix(axes)), x[START][order] * signs)
    left = max(float(np.sqrt(np.mean(part**2))) / unit for part, unit in zip(off, problem.units, strict=True))
    drag, its_sigma = float(x[DRAG]), float(np.sqrt(covariance[DRAG, DRAG]))
    return NearestMotion(moments[order], sigma[order], axes, start, end, left, drag, its_sigma)
