"""How much a stabilisation has to do: the most that a step of the free motion errs."""

import numpy as np
from numpy.typing import ArrayLike

from viewer.physics.body import RigidBody
from viewer.physics.simulation import Simulation
from viewer.physics.state import State


def largest_correction(body: RigidBody, omega_body: ArrayLike, integrator: str, step: float) -> float:
    """How far a step of the free motion errs at most from the curve of L_b, from the rates (N, 3) on [kg m2/s]."""
    largest = 0.0
    starts = [State((1.0, 0.0, 0.0, 0.0), omega) for omega in np.asarray(omega_body, dtype=np.float64)]
    simulation = Simulation(body, starts[0], integrator, step, stabilisation="closest-point")
    for start in starts:
        both = simulation.begun_at(start).next_correction()
        if both is not None:
            largest = max(largest, float(np.linalg.norm(both[1] - both[0])))
    return largest
