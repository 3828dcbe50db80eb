"""The motion of several flights of one body, by least squares that start from several guesses of the body."""

from dataclasses import dataclass

import numpy as np
from scipy.special import log_ndtr

from viewer.physics.rotation import Array
from viewer.replay.fits.inertia import estimated_inertia
from viewer.replay.fits.rigid_fit import (
    AROUND_3,
    AROUND_5,
    AXES,
    NEAR,
    PRIOR_START,
    STEP,
    RigidFit,
    central,
    largest_last,
    moments_of,
    rotation_of,
)
from viewer.replay.flights.motion import drag_shift, euler_slope, free_rates, slowed_along
from viewer.replay.flights.rest import Rest
from viewer.replay.flights.signal_quality import at_limits

BOX = 0.4, 0.1, 0.5  # second moments of a flat body, with which fits start along the axes in every order
MOST_STEPS = 80  # evaluations of a fit; one to free flights takes 50 at most
SPREADS = 2e-5, 0.55  # range of second moments a and b, as c is the largest; the least stands for 0: a rod, a plate
PRIOR_DRAG = 1.0  # 1/s, one sigma of what is known without measuring
DRAG, BIAS, FIRST_START = 5, slice(6, 9), 9  # indices of parameters
BEYOND = 6.0  # noises by which a fitted value is beyond the limit if a clipped one tells nothing more
MOST_ROWS = 2000  # rows that a fit takes at a time, evenly spread: ten minutes at 200 Hz take .2 s instead of 6
FIRST_NOISE = 0.01  # of the largest rate, before it is known
ROUND_OFF = 1e-9  # of the largest rate: least noise


@dataclass(frozen=True, eq=False)
class Flight:
    """A flight: its times (N,) [s], and its rates (N, 3) [rad/s] about the sensor's axes, clipped at `limit`.

    `exponent` (N,) [s] is as in `slowed_along`: the time unless the drag is quadratic, then the angle turned times a
    constant.
    """

    time: Array
    rates: Array
    limit: float = np.inf
    exponent: Array | None = None

    def at(self, rows: slice) -> "Flight":
        """Return some of its rows."""
        exponent = None if self.exponent is None else self.exponent[rows]
        return Flight(self.time[rows], self.rates[rows], self.limit, exponent)

    @property
    def slowing(self) -> Array:
        """The exponent (N,) [s], with which |L| falls as exp(-k e)."""
        return self.time if self.exponent is None else self.exponent


class FlightsFit(RigidFit):
    """The fit to several flights of one body.

    The parameters that it adds are the drag [1/s], what the sensor shows too much (3,) [rad/s], of which `rest` tells
    what is known without the flights, and, for each flight, omega at the start (3,) in principal axes [rad/s]. If
    `rest` is None, the sensor shows nothing too much.
    """

    def __init__(self, whole: list[Flight], rest: Rest | None) -> None:
        self.whole, self.rest = whole, rest
        self.flights = flights = [thinned(one, MOST_ROWS // len(whole)) for one in whole]
        self.speed = max(max(float(np.abs(one.rates).max()) for one in flights), 1e-300)
        self.weights = [np.ones(len(one.time)) for one in flights]
        self.clipped = [at_limits(one.rates, one.limit) for one in flights]
        self.noise = FIRST_NOISE * self.speed
        # little is known beforehand of starts; it matters if a component is always clipped
        starts = (PRIOR_START * self.speed,) * (3 * len(flights))
        super().__init__((PRIOR_DRAG, *(1.0 if rest is None else rest.sigma,) * 3, *starts), SPREADS)
        if rest is None:
            self.free = np.delete(self.free, BIAS)
        else:
            self.expected[BIAS] = rest.rates

    def shortened(self, turns: float) -> "FlightsFit":
        """Return the fit to the first `turns` turns of each flight."""
        some = []
        for one in self.whole:
            angle = np.cumsum(np.linalg.norm(one.rates[1:], axis=1) * np.diff(one.time))
            rows = max(int(np.searchsorted(angle, 2.0 * np.pi * turns)) + 2, 8)
            some.append(one.at(slice(rows)))
        return FlightsFit(some, self.rest)

    def starts(self) -> list[tuple[Array, Array]]:
        """Return the guesses (x, frame) from which a fit starts.

        These are the body that Euler's equations give, if any, and flat boxes along the axes of the rates.
        """
        found = estimated_inertia([(one.time, one.rates) for one in self.flights])
        guesses = [] if found is None else [found]
        along = np.linalg.svd(np.concatenate([one.rates for one in self.flights]), full_matrices=False)[2].T
        for a in range(3):
            for b in {0, 1, 2} - {a}:
                frame = along[:, [a, b, 3 - a - b]]
                frame[:, 2] = np.cross(frame[:, 0], frame[:, 1])
                guesses.append((np.array(BOX), frame, 0.0 if found is None else found[2]))
        return [self._start(*guess) for guess in guesses]

    def _start(self, spread: Array, frame: Array, drag: float) -> tuple[Array, Array]:
        """Return the guess (x, frame) of a body with this drag, and these second moments along the frame's columns.

        The axis of the largest second moment becomes c, so that the bounds on the others never act.
        """
        order = largest_last(spread)
        frame = frame[:, order]
        rates = [one.rates[0] @ frame for one in self.flights]
        return np.concatenate(
            (np.clip(spread[order[:2]], 0.01, 0.49), np.zeros(3), [drag], self.expected[BIAS], *rates)
        ), frame

    def relabelled(self, x: Array, frame: Array) -> tuple[Array, Array]:
        """Return (x, frame) of the same motion with the turn of the axes zero and the largest second moment along c."""
        spread = 1.0 - moments_of(x)
        order = largest_last(spread)
        starts = x[FIRST_START:].reshape(-1, 3)[:, order].ravel()
        turned = (frame @ rotation_of(x[AXES]))[:, order]
        return np.concatenate((spread[order[:2]], np.zeros(3), x[DRAG:FIRST_START], starts)), turned

    def motion(self, x: Array, frame: Array) -> tuple[list[Array], list[Array]]:
        """Return the rates (N, 3) of each flight that the sensor shows, and their derivatives (N, 3, 9 + 3).

        These are with respect to the nine common parameters and to the flight's own start.
        """
        moments, rotations = moments_of(x), rotation_of(x[2:5] + STEP * AROUND_3)
        turned, aside = frame @ rotations[0], frame @ central(rotations)
        steps = STEP * AROUND_5 * (1.0, 1.0, *(self.speed,) * 3)
        rates, slopes = [], []
        for number, one in enumerate(self.flights):
            near = np.concatenate((x[:2], x[FIRST_START:].reshape(-1, 3)[number])) + steps
            slow, left = slowed_along(one.time, one.slowing, x[DRAG])
            free = free_rates(moments_of(near), near[:, 2:], slow)
            own, others = free[0] * left[:, None], central(free) * left[:, None]
            later = left * drag_shift(one.time, one.slowing, x[DRAG])
            by_drag = euler_slope(moments, free[0]) * later[:, None] - one.slowing[:, None] * own
            axes = np.moveaxis(own @ aside.swapaxes(1, 2), 0, 2)
            # by second moments a and b, drag, and the start
            inside = np.stack((*others[:2], by_drag, *(others[2:] / self.speed)), axis=2)
            inside = np.einsum("ij,njk->nik", turned, inside)
            rates.append(own @ turned.T + x[BIAS])
            shown = np.broadcast_to(np.eye(3), axes.shape)
            slopes.append(np.concatenate((inside[:, :, :2], axes, inside[:, :, 2:3], shown, inside[:, :, 3:]), axis=2))
        return rates, slopes

    def differences(self, x: Array, frame: Array) -> tuple[list[Array], list[Array]]:
        """Return fitted minus measured rates of each flight, in units of the noise, and their derivatives."""
        rates, slopes = self.motion(x, frame)
        rows, columns = [], []
        for number, (one, fitted, slope, weight, clipped) in enumerate(
            zip(self.flights, rates, slopes, self.weights, self.clipped, strict=True)
        ):
            off = (fitted - one.rates) / self.noise
            steep = np.ones_like(off)
            if clipped.any():
                side = np.sign(one.rates[clipped])
                size, steep[clipped] = censored(side * off[clipped])
                off[clipped] = side * size
            rows.append((off * weight[:, None]).ravel())
            full = np.zeros((*off.shape, len(x)))
            begin = FIRST_START + 3 * number
            full[:, :, :FIRST_START], full[:, :, begin : begin + 3] = np.split(slope, [FIRST_START], axis=2)
            full *= (steep * (weight[:, None] / self.noise))[:, :, None]
            columns.append(full.reshape(-1, len(x)))
        return rows, columns

    def fitted(
        self, x: Array, frame: Array, steps: int, loss: str = "linear", near: float = NEAR
    ) -> tuple[Array, Array, float]:
        """Return (x, frame, cost) of the fit that is found from a start."""
        found, cost = self.solved(x, frame, steps, near, loss)
        return *self.relabelled(found, frame), cost

    def grown(self, x: Array, frame: Array, turns: float) -> tuple[Array, Array, float]:
        """Return (x, frame, noise) of the fit to the whole flights, by fits to more and more of their turns.

        The first fit is to `turns` turns; each of the others starts from the result of the one before. A fit to all
        turns at once could settle on a motion that is ahead or behind by a whole turn.
        """
        while True:
            part = self.shortened(turns)
            whole = all(len(a.time) == len(b.time) for a, b in zip(part.whole, self.whole, strict=True))
            part = self if whole else part
            x, frame, _ = part.fitted(x, frame, MOST_STEPS)
            part.noise = part.scatter(x, frame)
            if whole:
                x, frame, _ = part.fitted(x, frame, MOST_STEPS, "soft_l1")
                return x, frame, part.scatter(x, frame)
            turns *= 2.0

    def off(self, x: Array, frame: Array) -> list[Array]:
        """Return measured minus fitted rates (N, 3) of each flight; the fit is clipped where the measurement is."""
        return [
            one.rates - np.where(clipped, np.clip(fitted, -one.limit, one.limit), fitted)
            for one, fitted, clipped in zip(self.flights, self.motion(x, frame)[0], self.clipped, strict=True)
        ]

    def scatter(self, x: Array, frame: Array) -> float:
        """Return the noise [rad/s] from the median residual, clipped components excepted; outliers hardly change it."""
        off = np.concatenate([part[~clipped] for part, clipped in zip(self.off(x, frame), self.clipped, strict=True)])
        return max(1.4826 * float(np.median(np.abs(off))), ROUND_OFF * self.speed)


def censored(beyond: Array) -> tuple[Array, Array]:
    """Return residuals for values that are only known to be beyond a limit, and their derivatives.

    `beyond` is how far the fitted values are beyond the limit, in units of the noise. Half the square of a residual is
    the negative logarithm of the probability that a measured value is beyond it (Tobin, Econometrica 26, 1958).
    """
    z = np.minimum(beyond, BEYOND)
    chance = log_ndtr(z)
    size = np.sqrt(-2.0 * chance)
    steep = np.exp(-0.5 * z**2 - chance) / np.sqrt(2.0 * np.pi) / size
    return -size, np.where(beyond < BEYOND, steep, 0.0)


def thinned(flight: Flight, most: int) -> Flight:
    """Return at most `most` rows of a flight, evenly spread."""
    return flight.at(slice(None, None, -(-len(flight.time) // most)))
