"""The body that explains one or several free flights: principal axes, ratios of the moments, drag, each with its sigma.

The motion itself is fitted by least squares, not its derivatives, as rates are noisy. The body is described by the
second moments s (3,) of its mass along the principal axes, of sum 1 and none negative, so that its moments of inertia,
1 - s, satisfy the triangle inequality.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from viewer.physics.rotation import Array
from viewer.replay.fits.inertia import principal_axes
from viewer.replay.fits.rigid_fit import AXES, alike_rows, moments_of, rotation_of, tilts
from viewer.replay.fits.torque import LINEAR, QUADRATIC
from viewer.replay.flights.flights_fit import BIAS, DRAG, FIRST_START, MOST_STEPS, ROUND_OFF, Flight, FlightsFit
from viewer.replay.flights.motion import free_rates, slowed_along
from viewer.replay.flights.rest import Rest
from viewer.replay.flights.signal_quality import at_limits

FIRST_TURNS = 2.0, 0.5  # turns of each flight, by which the starts are compared; the fewer if that fails
FIRST_STEPS = 12  # evaluations of a start
NEAREST = 1e-9  # relative change of the cost that ends the last fit
MOST_CANDIDATES = 4  # starts at most that are followed to the end, until one leaves only noise
AGREE = 0.01  # relative difference of the noises of two starts that lead to the same body
WHITE = 2.0  # `alike_rows` below which residuals are noise
ALWAYS = 0.9  # of the rows of a flight: a component that is clipped in more of them tells no drag
OUTLIER = 5.0  # noises: rows beyond it are left out
SEEN = 5.0  # sigmas of a drag from which on it is asked whether it is quadratic
CLEARLY = 0.5  # of the residuals with one kind of drag: another that leaves less is the right one
UNEXPLAINED = 0.5  # residual from which a fit has found no body
RATIO_OPEN = 0.1  # sigma of a ratio that counts as unknown
AXIS_OPEN = np.radians(15.0)  # sigma of an axis [rad] that counts as unknown


@dataclass(frozen=True, eq=False)
class FlightMotion:
    """The fitted motion of one flight.

    `begin` and `end` are its times [s]; `measured` has its rows, at times from 0 on; `start` is omega in principal axes
    at `begin` [rad/s]; `residuals` (N, 3) are measured minus fitted rates, about the sensor's axes; `left_out` (N,)
    tells which rows are outliers; `rms_rate` is the rms of the measured rates [rad/s].
    """

    begin: float
    end: float
    measured: Flight
    start: Array
    residuals: Array
    left_out: NDArray[np.bool_]
    rms_rate: float

    @property
    def residual(self) -> float:
        """The rms of the residuals relative to the rms of the rates, outliers aside unless all are."""
        kept = self.residuals if self.left_out.all() else self.residuals[~self.left_out]
        return float(np.sqrt(np.mean(np.sum(kept**2, axis=1)))) / self.rms_rate


@dataclass(frozen=True, eq=False)
class BodyFit:
    """The body of one or several flights.

    `axes` (3, 3) has the principal axes as columns, in the sensor's axes, each named after the nearest of these;
    `moments` (3,) are about them, and the largest is 1. `drag` is the mean k [1/s] of a torque -k L; `drag_formula`
    is LINEAR if k is constant, QUADRATIC if it grows with |omega|, and empty if that cannot be told. `bias` (3,)
    [rad/s] is what the sensor shows too much. `noise` is that of each component of the
    rates [rad/s]. `fitted_rows` is the number of rows that the body is fitted to. Each `_sigma` is a standard
    deviation; that of the axes is in rad.
    """

    moments: Array
    moments_sigma: Array
    axes: Array
    axes_sigma: Array
    drag: float
    drag_sigma: float
    bias: Array
    noise: float
    motions: tuple[FlightMotion, ...]
    fitted_rows: int
    drag_formula: str = ""

    @property
    def order(self) -> NDArray[np.intp]:
        """The indices of the axes by their moments, the largest first."""
        return np.argsort(-self.moments, kind="stable")

    @property
    def ratios(self) -> Array:
        """The moments (3,) by size: 1, the middle one, the smallest."""
        return self.moments[self.order]

    @property
    def ratios_sigma(self) -> Array:
        """The standard deviations of `ratios`."""
        return self.moments_sigma[self.order]

    @property
    def residual(self) -> float:
        """The rms of all flights' residuals, relative to the rates."""
        return float(np.sqrt(np.mean([motion.residual**2 for motion in self.motions])))

    @property
    def explained(self) -> bool:
        """Whether the body explains its flights."""
        return self.residual < UNEXPLAINED

    @property
    def determined(self) -> bool:
        """Whether the body explains its flights, and both ratios are known."""
        return bool(self.explained and self.moments_sigma.max() < RATIO_OPEN)

    def rates(self, time: Array, number: int = 0) -> Array:
        """Return the fitted omega (N, 3) [rad/s] of a flight about the sensor's axes, without the bias.

        `time` (N,) [s] is that of the recording, within the flight; `number` is the index of the flight.
        """
        motion = self.motions[number]
        slow, left = (np.interp(time - motion.begin, motion.measured.time, part) for part in self.slowed(number))
        return np.asarray(free_rates(self.moments[None], motion.start[None], slow)[0] * left[:, None] @ self.axes.T)

    def slowed(self, number: int) -> tuple[Array, Array]:
        """Return s (N,) [s] and the fraction of |L| that is left (N,) in the rows of a flight; see `slowed_along`."""
        measured = self.motions[number].measured
        return slowed_along(measured.time, measured.slowing, self.drag)


def fit_flight(time: Array, omega_body: Array, limit: float = np.inf) -> BodyFit:
    """Return the body of one flight with times (N,) [s] and rates (N, 3) [rad/s]; `limit` is that of `Flight`.

    The drag is taken as linear, and the rates as without a bias.
    """
    flights = [Flight(time, omega_body, limit)]
    return _concluded(*_found(flights, None), [float(time[0])])


@np.errstate(over="ignore", invalid="ignore")
def fit_flights(flights: Sequence[Flight], rest: Rest | None = None) -> BodyFit:
    """Return the one body of several flights, each with a start of its own, and the kind of its drag.

    `rest` tells what is known of the sensor's bias; None if it has none.
    """
    begins = [float(one.time[0]) for one in flights]
    problem, x, frame = _found(flights, rest)
    linear = _concluded(problem, x, frame, begins)
    if linear.drag < SEEN * linear.drag_sigma:
        return linear
    problem = FlightsFit(_by_angle(problem.whole, linear), rest)
    squared = _concluded(problem, *problem.grown(x, frame, FIRST_TURNS[0])[:2], begins)
    best, other = sorted((linear, squared), key=lambda fit: fit.noise)
    if best.noise > CLEARLY * other.noise:
        return best
    return replace(best, drag_formula=LINEAR if best is linear else QUADRATIC)


def _by_angle(flights: Sequence[Flight], linear: BodyFit) -> list[Flight]:
    """Return the flights with quadratic drag; `linear` is their fit with linear drag."""
    angles = []
    for number, one in enumerate(flights):
        fitted = linear.rates(one.time + linear.motions[number].begin, number)
        rates = np.where(at_limits(one.rates, one.limit), fitted, one.rates)
        angles.append(CubicSpline(one.time, np.linalg.norm(rates, axis=1)).antiderivative()(one.time))
    mean = sum(angle[-1] for angle in angles) / sum(one.time[-1] for one in flights)
    return [replace(one, exponent=angle / mean) for one, angle in zip(flights, angles, strict=True)]


@np.errstate(over="ignore", invalid="ignore")  # in steps that go astray and are taken back
def _found(flights: Sequence[Flight], rest: Rest | None) -> tuple[FlightsFit, Array, Array]:
    """Return the fit to flights with linear drag, and its result (x, frame)."""
    problem = FlightsFit([replace(one, time=one.time - one.time[0]) for one in flights], rest)
    candidates: list[tuple[Array, Array, float]] = []
    for turns in FIRST_TURNS:
        for start in _beginnings(problem, turns):
            found, before = problem.grown(*start, turns), [noise for _, _, noise in candidates]
            candidates.append(found)
            white = alike_rows(problem.off(*found[:2])) < WHITE
            if white or any(abs(noise - found[2]) < AGREE * noise for noise in before):
                break
        if white:
            break
    x, frame, _ = min(candidates, key=lambda found: found[2])
    return problem, x, frame


def _beginnings(problem: FlightsFit, turns: float) -> Iterator[tuple[Array, Array]]:
    """Yield the guesses (x, frame), each fitted to the first `turns` turns of the flights, the likeliest first.

    The first guess, by Euler's equations, is mostly right. The others are tried only if it leaves more than noise, here
    or in the fit to the whole flights.
    """
    part, (first, *others) = problem.shortened(turns), problem.starts()
    found = [part.fitted(*first, FIRST_STEPS)]
    if alike_rows(part.off(*found[0][:2])) < WHITE:
        yield found.pop()[:2]
    found += [part.fitted(*start, FIRST_STEPS) for start in others]
    for x, frame, _ in sorted(found, key=lambda one: one[2])[:MOST_CANDIDATES]:
        yield x, frame


def _concluded(problem: FlightsFit, x: Array, frame: Array, begins: list[float], again: int = 2) -> BodyFit:
    """Return the result of a last plain least-squares fit without outliers, which gives a covariance.

    If a better fit is met on the way, begin again from it, at most `again` times.
    """
    problem.noise = problem.scatter(x, frame)
    off = problem.off(x, frame)
    usual = [np.abs(part).max(axis=1) <= OUTLIER * problem.noise for part in off]
    problem.weights = [(good if good.any() else ~good).astype(np.float64) for good in usual]
    x, frame, _ = problem.fitted(x, frame, MOST_STEPS, near=NEAREST)
    off = problem.off(x, frame)
    whole = [
        ~clipped & (weight > 0.0)[:, None] for clipped, weight in zip(problem.clipped, problem.weights, strict=True)
    ]
    squares = sum(float(np.sum(part[good] ** 2)) for part, good in zip(off, whole, strict=True))
    freedom = max(sum(int(good.sum()) for good in whole) - len(x), 1)
    problem.noise = max(float(np.sqrt(squares / freedom)), ROUND_OFF * problem.speed)
    longer = alike_rows(
        [(part * good)[weight > 0.0] for part, good, weight in zip(off, whole, problem.weights, strict=True)]
    )
    covariance = problem.covariance(x, frame, longer)
    sigma, better = problem.ratio_sigma(x, frame, covariance, longer)
    if better is not None and again > 0:
        return _concluded(problem, *problem.relabelled(better, frame), begins, again - 1)
    if all((part.mean(axis=0) > ALWAYS).any() for part in problem.clipped):  # its size is open, and so is what it loses
        covariance[DRAG, DRAG] = problem.known[DRAG] ** -2
    return _named(x, frame, sigma, covariance, problem, off, begins)


def _named(
    x: Array, frame: Array, sigma: Array, covariance: Array, problem: FlightsFit, off: list[Array], begins: list[float]
) -> BodyFit:
    """Return the result in principal axes that are named after the sensor's, with the largest moment 1."""
    moments, columns = moments_of(x), frame @ rotation_of(x[AXES])
    axes, order, signs = principal_axes(columns)
    largest = int(np.argmax(moments))
    step = tilts(x[AXES])
    turns = np.diag(step @ covariance[AXES, AXES] @ step.T)  # about the principal axes
    tilt = np.sqrt(np.maximum(turns.sum() - turns, 0.0))  # an axis moves with turns about the two others
    motions = []
    for number, (one, part, weight) in enumerate(zip(problem.flights, off, problem.weights, strict=True)):
        start = x[FIRST_START:].reshape(-1, 3)[number][order] * signs
        rms = max(float(np.sqrt(np.mean(np.sum(one.rates**2, axis=1)))), 1e-300)
        end = begins[number] + float(problem.whole[number].time[-1])
        motions.append(FlightMotion(begins[number], end, problem.whole[number], start, part, weight == 0.0, rms))
    sigma = np.where(np.arange(3) == largest, 0.0, sigma)  # what it is rounded to is no uncertainty
    fit = BodyFit(
        (moments / moments[largest])[order], sigma[order], axes, np.minimum(tilt[order], 0.5 * np.pi), float(x[DRAG]),
        float(np.sqrt(covariance[DRAG, DRAG])), x[BIAS], problem.noise, tuple(motions),
        sum(len(one.time) for one in problem.flights),
    )  # fmt: skip
    return replace(fit, motions=tuple(_of_all_rows(fit, number, one) for number, one in enumerate(problem.whole)))


def _of_all_rows(fit: BodyFit, number: int, flight: Flight) -> FlightMotion:
    """Return the motion of a flight with the residuals of all its rows, even if only some were fitted."""
    motion = fit.motions[number]
    if len(motion.residuals) == len(flight.time):
        return motion
    fitted = fit.rates(flight.time + motion.begin, number) + fit.bias
    off = flight.rates - np.where(
        at_limits(flight.rates, flight.limit), np.clip(fitted, -flight.limit, flight.limit), fitted
    )
    return replace(motion, residuals=off, left_out=np.abs(off).max(axis=1) > OUTLIER * fit.noise)
