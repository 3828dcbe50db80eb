"""How far an integrator leaves the exact free motion within a period of it, measured from single steps along it."""

from math import inf, log

import numpy as np
from numpy.typing import NDArray

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.poinsot.spin import at_energy
from viewer.physics.samples import orthogonality_error
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import State, at_rest

Array = NDArray[np.float64]

STEPS = 64  # in half a period, after which a free motion repeats but for a half turn of the body
STILL = 1e-10  # of |L|: L that moves less in a step stands still in the body


def period_deviation(body: RigidBody, state: State, running: Simulation) -> float:
    """Return the largest relative error that the integrator of `running` makes in a period of the free motion.

    It is the largest of the errors of E, of L in space (of |L|), of the rate at which L runs along its curve in the
    body, of the period, which follows from those of E and |L|, and of a rotation matrix that is none. Each is the mean
    error of a step times the steps in a period, so that errors that cancel along the way do not count. A stabilised
    integrator is taken as projected to the curve after each step. 0 at rest, infinite where a step gives no finite
    state.
    """
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            return _period_deviation(body, state, running)
    except NumericalOverflow:
        return inf


def _period_deviation(body: RigidBody, state: State, running: Simulation) -> float:
    moments, free = body.principal_moments, FreeRotation(body, state, precise=False)
    energy_now, size = _invariants(moments, np.asarray(state.omega_body))
    if free.period is None or at_rest(energy_now, size):
        return 0.0
    method = "off" if running.stabilisation == "off" else "closest-point"
    stepped = Simulation(body, state, running.integrator, running.step, stabilisation=method)
    exact = Simulation(body, state, step=stepped.step)
    starts = Simulation(body, state, step=0.5 * free.period / STEPS).sampled(STEPS)  # the closed form would load scipy
    L_world, steps = stepped.angular_momentum_world, max(1.0, free.period / stepped.step)
    rows, stretched = [], 0.0
    for start in map(State, starts.orientation_wxyz, starts.omega_body):
        exact.restart(start)
        exact.advance_steps(1)
        stepped.restart(start)
        omega, right = np.asarray(start.omega_body), np.asarray(exact.state.omega_body)
        before = _invariants(moments, omega)
        stepped.advance_steps(1)
        reached, moved = np.asarray(stepped.state.omega_body), moments * (right - omega)
        square = float(moved @ moved)
        behind = float((moments * (reached - right)) @ moved) / square if square > (STILL * size) ** 2 else 0.0
        after = _invariants(moments, reached)
        grown = [log(new / old) if new > 0.0 else -inf for new, old in zip(after, before, strict=True)]
        if stepped.stretch is not None:
            stretched += steps / STEPS * float(orthogonality_error(stepped.stretch))
        rows.append((behind, *grown, *(stepped.angular_momentum_world - L_world) / size))
    behind, energy, momentum, *drift = np.mean(rows, axis=0)
    energy, momentum = float(energy * steps), float(momentum * steps)
    if not np.isfinite(energy + momentum):
        return inf
    found = [abs(float(behind)), abs(energy), float(np.linalg.norm(drift)) * steps, stretched]
    if free.elliptic is None:  # a steady spin, which has a turn in place of a period
        return max(found)
    for change in {energy - stretched, energy + stretched}:
        L_body = at_energy(moments, moments * state.omega_body, energy_now * np.exp(change - 2.0 * momentum))
        later = State((1.0, 0.0, 0.0, 0.0), L_body * np.exp(momentum) / moments)
        period = FreeRotation(body, later, precise=False).period
        found.append(inf if period is None else abs(period / free.period - 1.0))
    return max(found)


def _invariants(moments: Array, omega: Array) -> tuple[float, float]:
    """E [J] and |L| [kg m2/s]."""
    return 0.5 * float(omega @ (moments * omega)), float(np.linalg.norm(moments * omega))
