"""The curves of a motion, kept as long as its energy and its |L| stay: polhode, separatrix, herpolhode; its period."""

from functools import cached_property
from math import isfinite, pi
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.poinsot import construction
from viewer.physics.poinsot.branch import Branch, RollingMarks
from viewer.physics.poinsot.spin import circulation
from viewer.physics.state import State, at_rest

Array = NDArray[np.float64]

SAME = 1e-10  # relative change of E or |L| below which they are not computed anew
LEAST = 1e-14  # relative distance from the least energy that is round-off


def _same(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two pairs (E, |L|) are."""
    return all(abs(a - b) <= SAME * abs(b) for a, b in zip(one, other, strict=True))


class Curves:
    """What depends on E and |L| only, and on which of its two branches the polhode runs; at rest there is nothing."""

    def __init__(self, body: RigidBody, state: State, energy: float, momentum: float) -> None:
        moments = body.principal_moments
        self._body, self._state = body, state
        self._for, self._moments = (energy, momentum), moments
        self._side = self._side_of(np.asarray(state.omega_body))
        if at_rest(energy, momentum):
            energy = momentum = 0.0
        self.polhode = construction.polhode(moments, energy, momentum, state.omega_body)
        self.separatrix = construction.separatrix(moments, momentum)
        for curve in (self.polhode, self.separatrix):
            curve.setflags(write=False)
        self.herpolhode_radii = construction.herpolhode_radii(moments, energy, momentum)
        self._resting = energy == 0.0
        self._marks: RollingMarks | None = None

    @cached_property
    def orbit(self) -> FreeRotation:
        """The exact motion along the polhode, from some time on; its constants take a while."""
        return FreeRotation(self._body, self._state)

    @cached_property
    def branch(self) -> Branch | None:
        """The polhode by its arc length; None where it is a point."""
        if self._resting:
            return None
        branch = construction.polhode_branch(self._moments, *self._for, self._state.omega_body)
        return branch if branch.length > 0.0 else None

    def marks(self, count: int) -> RollingMarks | None:
        """So many marks at equal arc lengths on the polhode; None where it is a point."""
        if self._marks is None or self._marks.count != count:
            self._marks = None if self.branch is None else RollingMarks(self.branch, self._moments, count)
        return self._marks

    def fit(self, energy: float, momentum: float, omega_body: Array) -> bool:
        """Whether they still hold."""
        return _same((energy, momentum), self._for) and self._side_of(omega_body) == self._side

    def _side_of(self, omega_body: Array) -> bool:
        """The sign of omega along the axis that the polhode goes around."""
        energy, momentum = self._for
        low, middle, high = np.argsort(self._moments, kind="stable")
        around = high if 2 * energy * self._moments[middle] < momentum**2 else low
        return bool(omega_body[around] >= 0)


class Cycles(NamedTuple):
    """How long a torque-free motion takes [s], None where there is no such time.

    `period`: to repeat in the body; `flip`: between two reversals about the middle axis; `precession`: on the mean, of
    the axis about which it wobbles, once round L.
    """

    period: float | None = None
    flip: float | None = None
    precession: float | None = None


class Periods:
    """How long the torque-free motion from a state on takes to repeat; computed anew where its E or |L| is another."""

    def __init__(self, body: RigidBody) -> None:
        self._body = body
        self._for: tuple[float, float] | None = None
        self._found = Cycles()

    def of(self, state: State, energy: float, momentum: float) -> Cycles:
        """Those that FreeRotation has, of a state with that E and |L|.

        Where the energy is the least to round-off, the period is the time of a turn of that spin.
        """
        if self._for is None or not _same((energy, momentum), self._for):
            self._for, self._found = (energy, momentum), self._computed(state, energy, momentum)
        return self._found

    def _computed(self, state: State, energy: float, momentum: float) -> Cycles:
        moments = self._body.principal_moments
        if at_rest(energy, momentum):
            return Cycles()
        if energy - construction.energy_bounds(moments, momentum)[0] <= LEAST * energy:
            return Cycles(2.0 * pi / float(np.linalg.norm(state.omega_body)))
        free = FreeRotation(self._body, state)
        wobbles = circulation(moments, moments * np.asarray(state.omega_body)).wobbles
        found = free.period, free.flip_period, free.precession_period if wobbles else None
        return Cycles(*(t if t and isfinite(t) else None for t in found))
