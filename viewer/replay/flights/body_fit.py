"""The body that explains one or several free flights: principal axes, ratios of the moments, drag, each with its sigma.

The motion itself is fitted by least squares, not its derivatives, as rates are noisy. The body is described by the
second moments s (3,) of its mass along the principal axes, of sum 1 and none negative, so that its moments of inertia,
1 - s, satisfy the triangle inequality.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from viewer.physics.rotation import Array
from viewer.replay.fits.inertia import principal_axes
from viewer.replay.fits.rigid_fit import AXES, alike_rows, moments_of, rotation_of, tilts
from viewer.replay.flights.flights_fit import DRAG, FIRST_START, MOST_STEPS, ROUND_OFF, Flight, FlightsFit
from viewer.replay.flights.motion import free_rates, slowed
from viewer.replay.flights.signal_quality import at_limits

FIRST_TURNS = 2.0, 0.5  # turns of each flight, by which the starts are compared; the fewer if that fails
FIRST_STEPS = 12  # evaluations of a start
NEAREST = 1e-9  # relative change of the cost that ends the last fit
MOST_CANDIDATES = 4  # starts at most that are followed to the end, until one leaves only noise
WHITE = 2.0  # `alike_rows` below which residuals are noise
ALWAYS = 0.9  # of the rows of a flight: a component that is clipped in more of them tells no drag
OUTLIER = 5.0  # noises: rows beyond it are left out
RATIO_OPEN = 0.1  # sigma of a ratio that counts as unknown
AXIS_OPEN = np.radians(15.0)  # sigma of an axis [rad] that counts as unknown


@dataclass(frozen=True, eq=False)
class FlightMotion:
    """The fitted motion of one flight.

    `begin` and `end` are its times [s]; `start` is omega in principal axes at `begin` [rad/s]; `residuals` (N, 3) are
    measured minus fitted rates, about the sensor's axes; `left_out` (N,) tells which rows are outliers; `rms_rate` is
    the rms of the measured rates [rad/s].
    """

    begin: float
    end: float
    start: Array
    residuals: Array
    left_out: NDArray[np.bool_]
    rms_rate: float

    @property
    def residual(self) -> float:
        """The rms of the residuals relative to the rms of the rates; infinite if all are outliers."""
        kept = self.residuals[~self.left_out]
        return float(np.sqrt(np.mean(np.sum(kept**2, axis=1)))) / self.rms_rate if len(kept) else np.inf


@dataclass(frozen=True, eq=False)
class BodyFit:
    """The body of one or several flights.

    `axes` (3, 3) has the principal axes as columns, in the sensor's axes, each named after the nearest of these;
    `moments` (3,) are about them, and the largest is 1. `drag` is k [1/s] of a torque -k L; `noise` is that of each
    component of the rates [rad/s]. `fitted_rows` is the number of rows that the body is fitted to. Each `_sigma` is a
    standard deviation; that of the axes is in rad.
    """

    moments: Array
    moments_sigma: Array
    axes: Array
    axes_sigma: Array
    drag: float
    drag_sigma: float
    noise: float
    motions: tuple[FlightMotion, ...]
    fitted_rows: int

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
    def determined(self) -> bool:
        """Whether both ratios are known."""
        return bool(self.moments_sigma.max() < RATIO_OPEN)

    def rates(self, time: Array, number: int = 0) -> Array:
        """Return the fitted omega (N, 3) [rad/s] of a flight about the sensor's axes.

        `time` (N,) [s] is that of the recording; `number` is the index of the flight.
        """
        motion = self.motions[number]
        slow, left = slowed(np.asarray(time) - motion.begin, self.drag)
        return np.asarray(free_rates(self.moments[None], motion.start[None], slow)[0] * left[:, None] @ self.axes.T)


def fit_flight(time: Array, omega_body: Array, limit: float = np.inf) -> BodyFit:
    """Return the body of one flight with times (N,) [s] and rates (N, 3) [rad/s]; `limit` is that of `Flight`."""
    return fit_flights([Flight(time, omega_body, limit)])


@np.errstate(over="ignore", invalid="ignore")  # in steps that go astray and are taken back
def fit_flights(flights: Sequence[Flight]) -> BodyFit:
    """Return the one body of several flights, each with a start of its own."""
    problem = FlightsFit([Flight(one.time - one.time[0], one.rates, one.limit) for one in flights])
    candidates = []
    for turns in FIRST_TURNS:
        for start in _beginnings(problem, turns):
            candidates.append(problem.grown(*start, turns))
            if alike_rows(problem.off(*candidates[-1][:2])) < WHITE:
                break
        else:
            continue
        break
    best = min(candidates, key=lambda found: found[2])
    return _concluded(problem, *best[:2], [float(one.time[0]) for one in flights])


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
        motions.append(FlightMotion(begins[number], end, start, part, weight == 0.0, rms))
    fit = BodyFit(
        (moments / moments[largest])[order], sigma[order], axes, np.minimum(tilt[order], 0.5 * np.pi), float(x[DRAG]),
        float(np.sqrt(covariance[DRAG, DRAG])), problem.noise, tuple(motions),
        sum(len(one.time) for one in problem.flights),
    )  # fmt: skip
    return replace(fit, motions=tuple(_of_all_rows(fit, number, one) for number, one in enumerate(problem.whole)))


def _of_all_rows(fit: BodyFit, number: int, flight: Flight) -> FlightMotion:
    """Return the motion of a flight with the residuals of all its rows, even if only some were fitted."""
    motion = fit.motions[number]
    if len(motion.residuals) == len(flight.time):
        return motion
    fitted = fit.rates(flight.time + motion.begin, number)
    off = flight.rates - np.where(
        at_limits(flight.rates, flight.limit), np.clip(fitted, -flight.limit, flight.limit), fitted
    )
    return replace(motion, residuals=off, left_out=np.abs(off).max(axis=1) > OUTLIER * fit.noise)
