"""1e8 compiled steps of a setup: `python tests/benchmarks/soak.py [STEPS]`; some three minutes, needs numba.

Free, and under a weight at an arm, a heavy top that tumbles without end; with and without stabilisation.
Looked at a hundred times on the way: everything finite, the energy beside its target, memory that does not grow.
"""

import resource
import sys
import time

import numpy as np

from viewer.physics.body import RigidBody
from viewer.physics.loads import Loads
from viewer.physics.simulation import Simulation
from viewer.physics.state import State

BODY, START = RigidBody.from_moments((1, 2, 2.5)), State((1, 0, 0, 0), (1, 0.7, 1.1))
LOADS, STEP, LOOKS = Loads((0.0, 0.3, 0.4), (0.5, 0.1, -0.2)), 0.01, 100
SETUPS = (
    # integrator, stabilisation, loads, largest |E / target - 1| allowed
    ("exact-drift", "off", Loads(), 1e-9),
    ("exact-drift", "closest-point", LOADS, 1e-12),
    ("split", "closest-point", LOADS, 1e-12),
    ("jolt", "gradient", Loads(), 1e-3),
)
MOST_GROWTH = 1.0  # MB


def megabytes() -> float:
    """The largest resident size so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def soak(integrator: str, stabilisation: str, loads: Loads, bound: float, steps: int) -> bool:
    """Prints a line; whether all held. The first look is not counted: the gradient's share rises, code is compiled."""
    free = loads.free
    simulation = Simulation(BODY, START, integrator, STEP, loads, stabilisation, fast=True)
    simulation.advance_steps(steps // LOOKS)
    begin, at_first, worst, fastest = time.process_time(), megabytes(), 0.0, 0.0
    for _ in range(LOOKS - 1):
        simulation.advance_steps(steps // LOOKS)
        omega = simulation.state.omega_body
        assert np.isfinite([*omega, *simulation.state.orientation_wxyz]).all()
        worst = max(worst, abs(simulation.rotational_energy / simulation.target_energy - 1))
        fastest = max(fastest, float(np.linalg.norm(omega)))
    grown, spent = megabytes() - at_first, time.process_time() - begin
    kept = worst <= bound and grown <= MOST_GROWTH
    print(
        f"{integrator:12s} {stabilisation:14s} {'free' if free else 'loaded':7s} {simulation.steps:.1e} steps in"
        f" {spent:5.1f} s: energy {worst:.1e} (at most {bound:.0e}), |omega| up to {fastest:.2f} rad/s,"
        f" memory +{grown:.1f} MB{'' if kept else '  MISSED'}"
    )
    return kept


def main() -> int:
    """Returns 1 where a bound is not kept."""
    steps = int(float(sys.argv[1])) if len(sys.argv) > 1 else 100_000_000
    return int(not min([soak(*setup, steps) for setup in SETUPS]))


if __name__ == "__main__":
    raise SystemExit(main())
