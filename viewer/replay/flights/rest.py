"""What a gyroscope shows at rest: its bias, which is taken off the rates of a flight."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from viewer.physics.rotation import Array
from viewer.replay.flights.signal_quality import DIFFERENCES

WINDOW = 1.0  # s of rest by which the bias is known
SLOW, UNREST = 0.05, 0.05  # rad/s: most that a gyroscope shows at rest, and the rms of its noise there
STEADY = 2.0  # times what noise explains: the means of a window's quarters differ by less at rest
QUARTERS = 4
FEWEST_ROWS = 6  # of a quarter
GRAVITY, GRAVITY_OFF = 9.81, 0.05  # m/s2; relative error of an accelerometer
TILTED = 0.05  # m/s2: rms difference of the means of a window's quarters, if gravity does not turn
DRIFT = 1e-3  # rad/s: one sigma of what a bias changes by between rest and flight
# rad/s, or of the largest rate of slow motions: one sigma of the bias if no rest was recorded; measured: 1 and 2 sigma
# of the ratios hold .76 and .98 of 389 tosses without bias, .64 and .93 of 150 with a bias of .01
UNKNOWN = 0.007


@dataclass(frozen=True, eq=False)
class Rest:
    """The mean rates (3,) of a sensor at rest, and the standard deviation of its bias in flight, both in rad/s."""

    rates: Array
    sigma: float


def rest_of(time: Array, rates: Array, acceleration: Array | None) -> Rest | None:
    """Return the rest in a recording with times (N,) [s], rates (N, 3) [rad/s] and specific force (N, 3) [m/s2].

    A sensor rests while its rates are small and constant but for noise, and its accelerometer, if there is one, shows
    gravity, from the same direction. Return None if it never rests for WINDOW.
    """
    count = max(round(0.25 * WINDOW / float(np.median(np.diff(time)))), FEWEST_ROWS)  # rows of a quarter
    windows = len(time) // (QUARTERS * count)
    used = slice(windows * QUARTERS * count)
    quarters = rates[used].reshape(windows, QUARTERS, count, 3)
    size = np.sqrt(np.einsum("wqni,wqni->w", quarters, quarters) / (QUARTERS * count))
    spans = np.ptp(time[used].reshape(windows, QUARTERS * count), axis=1)
    slow = np.flatnonzero((size < SLOW + UNREST) & (spans < 2.0 * WINDOW))
    quarters = quarters[slow]
    means = quarters.mean(axis=2)
    rest = means.mean(axis=1)
    left = np.diff(quarters.reshape(len(slow), QUARTERS * count, 3), n=len(DIFFERENCES) - 1, axis=1)
    noise = np.sqrt(np.mean(left**2, axis=(1, 2)) / np.sum(DIFFERENCES**2))  # of a component
    off = np.sqrt(np.mean((means - rest[:, None]) ** 2, axis=(1, 2)))
    held = (np.linalg.norm(rest, axis=1) < SLOW) & (noise > 0.0) & (noise < UNREST)
    held &= off < STEADY * noise / np.sqrt(count)
    if acceleration is not None:
        felt = acceleration[used].reshape(windows, QUARTERS, count, 3)[slow].mean(axis=2)
        mean = felt.mean(axis=1)
        held &= np.abs(np.linalg.norm(mean, axis=1) - GRAVITY) < GRAVITY_OFF * GRAVITY
        held &= np.sqrt(np.mean(np.sum((felt - mean[:, None]) ** 2, axis=2), axis=1)) < TILTED
    if not held.any():
        return None
    sigma = float(np.median(noise[held])) / np.sqrt(QUARTERS * count)
    return Rest(np.median(rest[held], axis=0), float(np.hypot(sigma, DRIFT)))


def unknown_rest(rates: Iterable[Array]) -> Rest:
    """Return what is known of a bias if the sensor never rests; `rates` (N, 3) [rad/s] are those of its flights."""
    fastest = max(float(np.abs(one).max()) for one in rates)
    return Rest(np.zeros(3), UNKNOWN * min(fastest, 1.0))
