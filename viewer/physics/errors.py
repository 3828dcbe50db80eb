"""Errors of an integrator's motion against the exact torque-free one: energy, momentum, orientation and phase."""

from math import inf, log

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody
from viewer.physics.circling import Circling
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.poinsot.spin import at_energy
from viewer.physics.rotation import conjugate, multiply, turn_angle
from viewer.physics.samples import orthogonality_error
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import (
    State,
    States,
    angular_momentum_body,
    angular_momentum_world,
    at_rest,
    rotational_energy,
)

Array = NDArray[np.float64]
STEPS = 64  # in half a period, after which a free motion repeats but for a half turn of the body
STILL = 1e-10  # of |L|: L that moves less in a step stands still in the body


@frozen
class Deviation:
    """The errors of N states, (N,) each.

    energy: E / E_exact - 1. momentum: |L| / |L|_exact - 1. direction: the angle of L in space [rad].
    orientation: the angle of the turn from the exact orientation [rad], 0..pi.
    phase: how far the motion runs ahead along the closed curve of L in the body [rad], 2 pi for a period, counted on
    over whole periods; NaN from where `Circling` does not know it on; None where there is no such curve (a steady
    spin, the separatrix).
    """

    energy: Array
    momentum: Array
    direction: Array
    orientation: Array
    phase: Array | None


def deviation(exact: FreeRotation, body: RigidBody, states: States) -> Deviation:
    """The errors of `states`, in the order of time, against `exact`, the motion of that body from the same start."""
    return compared(exact, body, states, Circling())[0]


def compared(
    exact: FreeRotation, body: RigidBody, states: States, before: Circling, blur: float = 0.0
) -> tuple[Deviation, Circling]:
    """The same of the next states of a motion, and what is counted of it then; `before`, `blur`: as in Circling."""
    reference = exact.at(states.time)
    L, L_exact = angular_momentum_world(body, states), angular_momentum_world(body, reference)
    there = exact.phase(reference.omega_body)
    counts = before.after(exact, body, states, there, blur)
    found = Deviation(
        energy=_relative(rotational_energy(body, states), rotational_energy(body, reference)),
        momentum=_relative(
            np.linalg.norm(angular_momentum_body(body, states), axis=-1),
            np.linalg.norm(angular_momentum_body(body, reference), axis=-1),
        ),
        direction=angle_between(L, L_exact),
        orientation=turn_between(reference.orientation_wxyz, states.orientation_wxyz),
        phase=None if there is None else counts["ahead"],
    )
    return found, Circling(*counts[-1].item())


def angle_between(a: Array, b: Array) -> Array:
    """The angle [rad] between vectors (..., 3), exact for small ones; 0 where one of them is 0."""
    return np.asarray(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1)))


def turn_between(p: Array, q: Array) -> Array:
    """The angle [rad], 0..pi, of the turn between orientations (..., 4), exact for small ones."""
    return turn_angle(multiply(conjugate(p), q))


def _relative(value: Array, reference: Array) -> Array:
    """value / reference - 1; 0 where both are 0."""
    safe = np.where(reference == 0.0, 1.0, reference)
    return np.where(reference == 0.0, value, value / safe - 1.0)


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
