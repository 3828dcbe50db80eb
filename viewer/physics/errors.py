"""Errors of an integrator's motion against the exact torque-free one: energy, momentum, orientation and phase."""

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody
from viewer.physics.circling import Circling
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rotation import conjugate, multiply, turn_angle
from viewer.physics.state import States, angular_momentum_body, angular_momentum_world, rotational_energy

Array = NDArray[np.float64]


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
