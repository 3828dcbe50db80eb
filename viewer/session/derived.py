"""Quantities that follow from the state of a motion, recomputed only when a new state gives other values."""

from collections.abc import Iterable
from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray

from viewer.physics.body import RigidBody
from viewer.physics.errors import period_deviation
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.kept import kept_values
from viewer.physics.poinsot.construction import Curves, Cycles, Periods, alike
from viewer.physics.simulation import Simulation
from viewer.physics.state import State
from viewer.session.snapshot import Correction

Array = NDArray[np.float64]

CORRECTIONS = 16  # points of the curve among which the largest correction is searched
STRAYS = 0.01  # relative error within a period from which on the running motion is not the exact one
SAME_TOP = 1e-8  # relative change of what a top keeps below which its periods are not computed anew
VERTICAL = 1e-6  # rad: an inclination that counts as none
ANEW = 1e-2  # relative change of E or |L|, by errors or loads, from which on the error within a period is measured anew


class Derived:
    """The quantities that follow from a body's motion: periods, curves of Poinsot's construction, corrections."""

    def __init__(self, body: RigidBody) -> None:
        self._body = body
        self._periods = Periods(body)
        self._curves: Curves | None = None
        self._largest = 0.0, 0.0
        self._largest_for: tuple[Curves, str, float] | None = None
        self._top: LagrangeTop | None = None
        self._top_for: Array | None = None
        self._strays = False
        self._strays_for: tuple[tuple[object, ...], float, float] | None = None

    def periods(self, simulation: Simulation) -> Cycles:
        """Return the periods of the exact motion that begins at the present state.

        They belong to the E and |L| of this state, which the integrator's errors may have moved off their targets.
        Under its weight a body about a pivot has the periods of a top, or none.
        """
        if simulation.loads.held and simulation.loads.weight:
            return _cycles(self.top(simulation))
        momentum = float(np.linalg.norm(simulation.angular_momentum_world))
        return self._periods.of(simulation.state, float(simulation.rotational_energy), momentum)

    def top(self, simulation: Simulation) -> LagrangeTop | None:
        """Return the motion of a symmetric top from the present state, for its periods and rates; None for others."""
        axis, loads, state = self._body.top_axis, simulation.loads, simulation.state
        if axis is None or not loads.weight:
            return None
        pull = loads.weight * float(np.linalg.norm(self._body.centre_of_mass))
        energy, vertical, axial = kept_values(self._body, loads, state)
        assert axial is not None
        unit = sqrt(float(self._body.principal_moments[axis - 1]) * pull)  # of L
        kept: Array = np.array((energy / pull, vertical / unit, axial / unit, pull))
        if self._top_for is None or np.max(np.abs(kept - self._top_for) / (1.0 + np.abs(kept))) > SAME_TOP:
            self._top_for, self._top = kept, LagrangeTop.of(self._body, loads, state, precise=False)
        return self._top

    def strays(self, simulation: Simulation) -> bool:
        """Return whether the integrator departs from the exact free motion within one period, starting now.

        If so, quantities of the exact motion, such as its period, are not those of the motion that runs.
        """
        if simulation.at_cap:
            return True
        if INTEGRATORS[simulation.integrator].dense:  # free of errors except for round-off
            return False
        energy, momentum = float(simulation.rotational_energy), float(np.linalg.norm(simulation.angular_momentum_world))
        curves = self.curves(simulation) if simulation.loads.free else None  # a push changes the curves
        of_what = simulation.integrator, simulation.step, simulation.stabilisation, curves
        known = self._strays_for
        if known is None or known[0] != of_what or not alike((energy, momentum), known[1:], ANEW):
            self._strays_for = of_what, energy, momentum
            self._strays = period_deviation(self._body, simulation.state, simulation) > STRAYS
        return self._strays

    def curves(self, simulation: Simulation) -> Curves:
        """Return the curves that belong to the targets of E and |L|."""
        state, energy = simulation.state, float(simulation.target_energy)
        momentum = float(simulation.target_momentum)
        if self._curves is None or not self._curves.hold_for(energy, momentum, np.asarray(state.omega_body)):
            self._curves = Curves(self._body, state, energy, momentum)
        return self._curves

    def correction(self, simulation: Simulation) -> Correction | None:
        """Return the stabilisation's correction of the next step.

        None if the stabilisation is off, if loads act, or if the correction is not finite.
        """
        step = simulation.next_step() if simulation.loads.free else None
        if step is None:
            return None
        curves = self.curves(simulation)
        wanted = (curves, simulation.integrator, simulation.step)
        if self._largest_for != wanted:
            polhode = curves.polhode[:: len(curves.polhode) // CORRECTIONS]
            self._largest = _largest_correction(self._body, polhode, simulation)
            self._largest_for = wanted
        momentum, omega = self._largest
        return Correction(*step.momentum_body, momentum, *step.omega_world, omega)


def _cycles(top: LagrangeTop | None) -> Cycles:
    """Return the periods of a top; one that passes the vertical does not precess."""
    if top is None:
        return Cycles()
    (low, high), rate = top.inclinations, abs(top.precession_rate or 0.0)
    goes_round = rate > 0.0 and low > VERTICAL and high < pi - VERTICAL
    return Cycles(top.nutation_period, precession=2.0 * pi / rate if goes_round else None)


def _largest_correction(body: RigidBody, omega_body: Array, running: Simulation) -> tuple[float, float]:
    """Return the largest corrections that a free step of the running integrator needs from any of the rates.

    The rates `omega_body` are (N, 3). The first correction is the distance between L in the body [kg m2/s] before and
    after its correction, the second that of omega [rad/s] in space.
    """
    largest = [0.0, 0.0]
    starts = [State((1.0, 0.0, 0.0, 0.0), omega) for omega in omega_body]
    simulation = Simulation(body, starts[0], running.integrator, running.step, stabilisation="closest-point")
    for start in starts:
        simulation.restart(start)
        for n, (plain, projected) in enumerate(simulation.next_step() or ()):
            largest[n] = max(largest[n], float(np.linalg.norm(projected - plain)))
    return largest[0], largest[1]


def middle_period(periods: Iterable[float | None]) -> float | None:
    """Return the median of the known periods [s], the lower of the middle two; None if no period is known."""
    known = sorted(period for period in periods if period is not None)
    return known[(len(known) - 1) // 2] if known else None
