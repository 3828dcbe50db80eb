"""Tosses of known bodies, by scipy's integrator: what the fits are measured against."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Toss:
    """moments: the largest first, 1; axes: columns, in the sensor's."""

    time: Array
    rates: Array
    moments: Array
    axes: Array


def euler(moments: Array, start: Array, time: Array, drag: float = 0.0) -> Array:
    """omega (N, 3) in principal axes under the torque -drag L, by DOP853."""

    def slope(_: float, omega: Array) -> Array:
        return np.asarray((np.cross(moments * omega, omega) - drag * moments * omega) / moments)

    found = solve_ivp(slope, (0.0, time[-1]), start, "DOP853", time, rtol=1e-11, atol=1e-11)
    return np.asarray(found.y.T)


def solid(chance: np.random.Generator) -> Array:
    """The moments of a random solid, neither a rod nor a plate, largest first."""
    moments = np.sort(1.0 - chance.dirichlet((2.0, 2.0, 2.0)))[::-1]
    return np.asarray(moments / moments[0])


def toss(
    chance: np.random.Generator, moments: Array, rate: float = 100.0, noise: float = 0.03, drag: float = 0.02,
    about: int | None = None, seconds: float = 0.8, jitter: float = 0.0,
) -> Toss:  # fmt: skip
    """Thrown about a random axis, or `about` that one, at 10 to 20 rad/s, the others at some 3 rad/s; the sensor's axes
    lie anyhow."""
    time = np.arange(round(seconds * rate) + 1) / rate
    time = time + jitter / rate * chance.uniform(-0.5, 0.5, len(time))
    time -= time[0]
    axes = Rotation.random(random_state=chance).as_matrix()
    start = 3.0 * chance.normal(size=3)
    start[int(chance.integers(3)) if about is None else about] += chance.choice((-1.0, 1.0)) * chance.uniform(
        10.0, 20.0
    )
    rates = euler(moments, start, time, drag) @ axes.T
    return Toss(time, rates + noise * chance.normal(size=rates.shape), moments, axes)
