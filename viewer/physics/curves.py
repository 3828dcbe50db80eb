"""The curves of a motion, kept as long as its energy and its |L| stay: polhode, separatrix, herpolhode, period."""

from math import isfinite, pi

import numpy as np
from numpy.typing import NDArray

from viewer.physics import construction
from viewer.physics.body import RigidBody
from viewer.physics.exact import FreeRotation
from viewer.physics.state import State

Array = NDArray[np.float64]

SAME = 1e-10  # relative change of E or |L| below which they are not computed anew
LEAST = 1e-14  # relative distance from the least energy that is round-off


class Curves:
    """What depends on E and |L| only, and on which of its two branches the polhode runs."""

    def __init__(self, body: RigidBody, state: State, energy: float, momentum: float) -> None:
        moments = body.principal_moments
        self._energy, self._momentum, self._moments = energy, momentum, moments
        self._side = self._side_of(np.asarray(state.omega_body))
        self.polhode = construction.polhode(moments, energy, momentum, state.omega_body)
        self.polhode.setflags(write=False)
        self.separatrix = construction.separatrix(moments, momentum)
        self.separatrix.setflags(write=False)
        self.herpolhode_radii = construction.herpolhode_radii(moments, energy, momentum)
        self.energy_bounds = construction.energy_bounds(moments, momentum)
        self.period = self._period_of(body, state)

    def _period_of(self, body: RigidBody, state: State) -> float | None:
        """As FreeRotation has it; where the energy is the least to round-off, the time of a turn of that spin."""
        speed = float(np.linalg.norm(state.omega_body))
        if speed > 0.0 and self._energy - self.energy_bounds[0] <= LEAST * self._energy:
            period: float | None = 2.0 * pi / speed
        else:
            period = FreeRotation(body, state).period
        return float(period) if period is not None and isfinite(period) else None

    def fit(self, energy: float, momentum: float, omega_body: Array) -> bool:
        """Whether they still hold."""
        return (
            abs(energy - self._energy) <= SAME * self._energy
            and abs(momentum - self._momentum) <= SAME * self._momentum
            and self._side_of(omega_body) == self._side
        )

    def _side_of(self, omega_body: Array) -> bool:
        """The sign of omega along the axis that the polhode goes around."""
        low, middle, high = np.argsort(self._moments, kind="stable")
        around = high if 2 * self._energy * self._moments[middle] < self._momentum**2 else low
        return bool(omega_body[around] >= 0)
