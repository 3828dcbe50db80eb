"""What the stabilisation does to L in the body: where a step leaves it, and where it is led back to."""

from copy import copy

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.physics.body import RigidBody
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import State, angular_momentum_body

Array = NDArray[np.float64]


def next_correction(simulation: Simulation) -> tuple[Array, Array] | None:
    """L_b (3,) as the next step leaves it, and as it is led back there [kg m2/s]; the simulation stays as it is.

    None where there is no stabilisation or no finite step.
    """
    if simulation.stabilisation == "off":
        return None
    plain, led = copy(simulation), copy(simulation)
    plain.change(stabilisation="off")
    return _after_one_step(plain, led)


def largest_correction(body: RigidBody, omega_body: ArrayLike, integrator: str, step: float) -> float:
    """How far a step of the free motion errs at most from the curve of L_b, from the rates (N, 3) on [kg m2/s]."""
    largest = 0.0
    for omega in np.asarray(omega_body, dtype=np.float64):
        start = State((1.0, 0.0, 0.0, 0.0), omega)
        plain, led = (
            Simulation(body, start, integrator, step, stabilisation=stabilisation)
            for stabilisation in ("off", "closest-point")
        )
        both = _after_one_step(plain, led)
        if both is not None:
            largest = max(largest, float(np.linalg.norm(both[1] - both[0])))
    return largest


def _after_one_step(plain: Simulation, led: Simulation) -> tuple[Array, Array] | None:
    try:
        for simulation in (plain, led):
            simulation.advance_steps(1)
    except NumericalOverflow:
        return None
    return angular_momentum_body(plain.body, plain.state), angular_momentum_body(led.body, led.state)
