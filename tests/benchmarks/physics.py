"""What a frame of physics costs, in plain Python: `python tests/benchmarks/physics.py [ROUNDS]`.

16 substeps of the default scene's body, as a frame makes them; medians of many rounds. At most .15 ms for the
torque-free exact-drift and split.
"""

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.loads import Loads
from viewer.physics.poinsot.construction import polhode
from viewer.physics.simulation import Simulation
from viewer.physics.state import State

SUBSTEPS, PER_ROUND = 16, 20
LIMIT_MS = 0.15
BODY = RigidBody.ellipsoid(1, 1, 0.5, 0.2)
START = State((1, 0, 0, 0), (0, 3, 0.3))
LOADS = {
    "free": Loads(),
    "torque, external friction": Loads((0.01, 0, 0), (0, 0.1, 0), 1e-4),
    "internal friction": Loads(internal_friction=1e-4),
}


def median_ms(
    call: Callable[[], object], rounds: int, per_round: int = PER_ROUND, before: Callable[[], object] = bool
) -> float:
    """Milliseconds per call; `before` comes before each round."""
    times = []
    for _ in range(rounds):
        before()
        begin = time.perf_counter()
        for _ in range(per_round):
            call()
        times.append((time.perf_counter() - begin) / per_round * 1e3)
    return statistics.median(times)


def frame_ms(name: str, loads: Loads, step: float, rounds: int) -> float:
    simulation = Simulation(BODY, START, name, step, loads)
    # from the start each round: some diverge later
    return median_ms(lambda: simulation.advance_steps(SUBSTEPS), rounds, before=lambda: simulation.restart(START))


def reading_ms(rounds: int) -> float:
    """Everything that a frame reads of the simulation, after a step."""
    simulation = Simulation(BODY, START)

    def read() -> None:
        simulation.advance_steps(1)
        _ = simulation.state, simulation.omega_world, simulation.angular_momentum_world
        _ = simulation.rotational_energy, simulation.target_energy, simulation.time

    return median_ms(read, rounds)


def main(rounds: int = 51) -> int:
    """Prints the table; returns 1 where the limit is not kept."""
    worst = 0.0
    print(f"{SUBSTEPS} substeps, ms (us a step)")
    for step, what in ((0.002 / 16, "h = .125 ms, the default"), (1 / 60, "h = 1/60 s")):
        for name, integrator in INTEGRATORS.items():
            if integrator.step is None or integrator.refuses or not integrator.conserves:  # those blow up or die away
                continue
            for label, loads in LOADS.items():
                refused = (integrator.composition and loads.internal_friction) or integrator.torque_free_only
                if refused and not loads.free:
                    continue
                ms = frame_ms(name, loads, step, rounds)
                if loads.free and name in ("exact-drift", "split"):
                    worst = max(worst, ms)
                print(f"  {name:20s} {label:26s} {what:26s} {ms:7.3f} ({ms / SUBSTEPS * 1e3:.2f})")
    energy, size = 0.2368125, float(np.linalg.norm(BODY.principal_moments * START.omega_body))
    motion, times = FreeRotation(BODY, START), np.linspace(0, 100, 100_000)
    motion.at(times)
    print(f"one step and all that a frame reads: {reading_ms(rounds):.3f} ms")
    curve = median_ms(lambda: polhode(BODY.principal_moments, energy, size, (0, 3, 0.3)), rounds)
    print(f"polhode of 512 points: {curve:.3f} ms")
    print(f"period: {median_ms(lambda: FreeRotation(BODY, START).period, rounds):.3f} ms")
    closed = median_ms(lambda: motion.at(times), min(rounds, 7), 1)
    print(f"closed form: {closed * 1e3 / len(times):.2f} us a point")
    print(f"{'within' if worst <= LIMIT_MS else 'OVER'} {LIMIT_MS} ms: {worst:.3f}")
    return int(worst > LIMIT_MS)


if __name__ == "__main__":
    raise SystemExit(main(*map(int, sys.argv[1:])))
