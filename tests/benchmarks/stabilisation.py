"""What stabilisation keeps over 1e6 steps: `python tests/benchmarks/stabilisation.py [STEPS]`. Some two minutes.

The body (1, 2, 2.5) kg m2 turning at (1, .7, 1.1) rad/s. Energy: the largest relative error, the largest without the
first 1000 steps (`then`), in which the gradient's share i_c rises. Phase: error of the orientation at the end [rad].
"""

import sys
import time

import numpy as np

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.simulation import Simulation
from viewer.physics.state import State
from viewer.physics.stepping.projection import STABILISATIONS

BODY = RigidBody.from_moments((1, 2, 2.5))
START = State((1, 0, 0, 0), (1, 0.7, 1.1))
ROWS = (("first-order", 0.002), ("jolt", 0.002), ("split", 0.002), ("first-order", 0.02))
RISE = 1000  # steps


def measure(name: str, h: float, stabilisation: str, steps: int) -> tuple[float, float, float]:
    """(largest energy error, the same after the rise, phase error at the end)."""
    simulation = Simulation(BODY, START, name, h, stabilisation=stabilisation)
    energy, first, then = simulation.rotational_energy, 0.0, 0.0
    while simulation.steps < steps:
        rising = simulation.steps < RISE
        simulation.advance_steps(1 if rising else 97)
        error = abs(simulation.rotational_energy / energy - 1)
        first, then = (max(first, error), then) if rising else (first, max(then, error))
    p = simulation.state.orientation_wxyz
    q = FreeRotation(BODY, START).at(simulation.time).orientation_wxyz
    phase = 4 * np.arcsin(min(1.0, min(np.linalg.norm(p - q), np.linalg.norm(p + q)) / 2))
    return max(first, then), then, float(phase)


def main() -> int:
    """Prints the table."""
    steps = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    print(f"{steps} steps             energy    then     phase, rad   us a step")
    for name, h in ROWS:
        for stabilisation in STABILISATIONS:
            begin = time.perf_counter()
            worst, then, phase = measure(name, h, stabilisation, steps)
            spent = (time.perf_counter() - begin) / steps * 1e6
            print(f"{name:12s} {h:.3f} s  {stabilisation:14s} {worst:8.1e}  {then:8.1e}  {phase:8.1e}  {spent:6.1f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
