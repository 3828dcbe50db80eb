"""From where the fit to a whole motion starts: a body and a start, roughly."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viewer.replay.flights.body_fit import fit_flight
from viewer.replay.inertia import Fit
from viewer.replay.kinematics import STENCIL, rates_of
from viewer.replay.single_motion.rows import Recorded, Turned

Array = NDArray[np.float64]

TURNS = 6.0  # of the beginning, by which a body is guessed
LEAST_SPREAD = 1e-3  # second moment


@dataclass(frozen=True, eq=False)
class Guess:
    """spread (3,): second moments of sum 1 along the columns of frame (3, 3), of which the last is the largest; omega
    (3,) [rad/s] in these axes at the start; speed [rad/s]: about the largest. moments (3,): the body's about these
    axes, where they are declared."""

    spread: Array
    frame: Array
    omega: Array
    speed: float
    moments: Array | None = None

    @property
    def parameters(self) -> tuple[Array, Array]:
        """(x, frame) of a `Problem`."""
        zero = np.zeros(3)
        return np.concatenate((self.spread[:2], zero, self.omega, zero)), self.frame


def declared(recorded: Recorded, moments: Array) -> list[Guess]:
    """Of a body with these moments (3,) about the recording's axes."""
    _, omega = _rates(recorded, Turned.of(recorded))
    speed = float(np.abs(omega).max())
    return [Guess(np.zeros(3), np.eye(3), omega[0], speed, moments)]


def guessed(recorded: Recorded, linear: Fit) -> list[Guess]:
    """Of an unknown body: by the fit that is linear in its tensor, where that determines it, and by one to the rates of
    some turns, which noise moves less."""
    turned = Turned.of(recorded)
    some = recorded.at(slice(0, turned.rows(2.0 * np.pi * TURNS)))
    time, omega = _rates(some, turned)
    speed, found = float(np.abs(omega).max()), []
    if linear.determined:
        found.append(_of(*linear.principal(), omega[0], speed))
    fit = fit_flight(time, omega)
    start = fit.axes @ fit.motions[0].start
    near = float(np.linalg.norm(start - omega[0])) < 0.5 * speed  # not so of a spin in which all bodies fit
    found.append(_of(fit.moments, fit.axes, start if near else omega[0], speed))
    return found


def _of(moments: Array, axes: Array, omega: Array, speed: float) -> Guess:
    """omega (3,): in the recording's axes."""
    spread = np.maximum(1.0 - 2.0 * moments / moments.sum(), LEAST_SPREAD)
    c = int(np.argmax(spread))
    order = [(c + 1) % 3, (c + 2) % 3, c]
    return Guess(spread[order] / spread.sum(), axes[:, order], omega @ axes[:, order], speed)


def _rates(recorded: Recorded, turned: Turned) -> tuple[Array, Array]:
    """(times, rates (n, 3) [rad/s]): as recorded, or of orientations so far apart that noise matters little."""
    if recorded.omega_body is not None:
        return recorded.time, recorded.omega_body
    assert recorded.orientation_wxyz is not None
    rows = np.arange(0, len(recorded.time), max(min(turned.lag, (len(recorded.time) - 1) // (STENCIL - 1)), 1))
    return recorded.time[rows], rates_of(recorded.time[rows], recorded.orientation_wxyz[rows])
