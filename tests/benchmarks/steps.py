"""Steps per second, compiled, beside the same steps in plain C (gcc -O3).

    python tests/benchmarks/steps.py [STEPS] [ROUNDS]

One body, and a batch of 1e4; medians of interleaved rounds. Of the exact drift C makes every step anew, as Python does;
compiled, runs of steps share the series, but for one row where they do not. At least .8 and .7 of C. Then the cost of
case (b), a box that flips, at 1e-6 of the energy and 1e-6 rad over 100 s: at most .4 us a simulated second.
"""

import ctypes
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from viewer.physics.body import RigidBody
from viewer.physics.ensemble import Ensemble
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.simulation import Simulation
from viewer.physics.state import State
from viewer.physics.stepping.compiled import compiled
from viewer.physics.stepping.splitting import free_steps

SOURCE = Path(__file__).with_name("steps.c")
BODY, START = RigidBody.from_moments((1, 2, 2.5)), State((1, 0, 0, 0), (1, 0.7, 1.1))
BOX, FLIPPING = RigidBody.box(80, 1, 0.4, 0.2), State((1, 0, 0, 0), (0.05, 5, 0.05))
STEP, BODIES = 1 / 60, 10_000
ANEW = ", anew"  # every step by itself, as C makes it


def seconds(call: Callable[[], object]) -> float:
    begin = time.process_time()
    call()
    return time.process_time() - begin


def built(folder: str) -> ctypes.CDLL:
    library = Path(folder) / "steps.so"
    subprocess.run(["gcc", "-O3", "-shared", "-fPIC", str(SOURCE), "-o", str(library), "-lm"], check=True)
    return ctypes.CDLL(str(library))


def compared(ours: Callable[[], object], theirs: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Median seconds of both, in turn."""
    ours(), theirs()
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(rounds)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def one_body(library: ctypes.CDLL, name: str, count: int, rounds: int) -> tuple[float, float]:
    entry = INTEGRATORS[name.removesuffix(ANEW)]
    assert entry.step
    simulation = Simulation(BODY, START, entry.name, STEP, fast=True)
    constants, seven = entry.constants((1.0, 0.5, 0.4)), (1.0, 0.0, 0.0, 0.0, 1.0, 1.4, 2.75)
    c, v = np.array(constants), np.array(seven)
    run: Any = getattr(library, entry.name.replace("-", "_") + "_one")
    arguments = (v.ctypes.data_as(ctypes.c_void_p), ctypes.c_double(STEP), c.ctypes.data_as(ctypes.c_void_p))

    def ours() -> None:
        if name.endswith(ANEW):
            compiled(free_steps, entry.step)(seven, (0.0, 0.0, 0.0), count, STEP, constants)
        else:
            simulation.advance_steps(count)

    return compared(ours, lambda: run(*arguments, ctypes.c_long(count)), rounds)


def batch(library: ctypes.CDLL, name: str, count: int, rounds: int) -> tuple[float, float]:
    entry, generator = INTEGRATORS[name], np.random.default_rng(0)
    q, omega = generator.normal(size=(BODIES, 4)), generator.normal(size=(BODIES, 3))
    ours = Ensemble(BODY, q, omega, name, STEP)
    c = np.array(entry.constants((1.0, 0.5, 0.4)))
    columns = [np.ascontiguousarray(column) for column in (*(q / np.linalg.norm(q, axis=1, keepdims=True)).T, *omega.T)]
    run: Any = getattr(library, name.replace("-", "_") + "_batch")
    arguments = [column.ctypes.data_as(ctypes.c_void_p) for column in columns]
    rest = (ctypes.c_long(BODIES), ctypes.c_double(STEP), c.ctypes.data_as(ctypes.c_void_p), ctypes.c_long(count))
    return compared(lambda: ours.advance_steps(count), lambda: run(*arguments, *rest), rounds)


def flipping(step: float, fast: bool, every_step: bool, rounds: int) -> tuple[float, float, float]:
    """(error of the orientation [rad], of the energy, us of CPU a simulated second) of case (b) over 100 s."""
    exact = FreeRotation(BOX, FLIPPING).at(100.0).orientation_wxyz
    times = []
    for _ in range(rounds):
        simulation = Simulation(BOX, FLIPPING, step=step, fast=fast, drift_angle=1.0)
        energy, count = simulation.rotational_energy, round(100 / step)
        simulation.advance_steps(1)

        def run(made: Simulation = simulation, count: int = count) -> None:
            if every_step:
                made.sampled(count - 1)
            else:
                made.advance_steps(count - 1)

        times.append(seconds(run))
    p = simulation.state.orientation_wxyz
    error = 4 * np.arcsin(min(1.0, min(np.linalg.norm(p - exact), np.linalg.norm(p + exact)) / 2))
    return float(error), abs(simulation.rotational_energy / energy - 1), statistics.median(times) / 100 * 1e6


def main(count: int = 200_000, rounds: int = 9) -> int:
    """Prints the figures; returns 1 where one is missed."""
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        library = built(folder)
        for what, measure, steps, bodies, least in (
            ("one body", one_body, count, 1, 0.8),
            (f"{BODIES} bodies", batch, max(1, count // BODIES), BODIES, 0.7),
        ):
            names = ("exact-drift", "split") if measure is batch else ("exact-drift", "exact-drift" + ANEW, "split")
            for name in names:
                ours, theirs = (1e9 * one / (steps * bodies) for one in measure(library, name, steps, rounds))
                kept &= theirs / ours >= least
                print(
                    f"{what:13s} {name:18s} {ours:6.1f} ns, plain C {theirs:6.1f} ns:"
                    f" {theirs / ours:.2f} of it, at least {least}"
                )
    for fast, steps_tried, limit in (
        (True, (1 / 60, 1 / 20, 1 / 15, 1 / 12, 1 / 10, 1 / 9, 1 / 8, 1 / 7), 0.4),
        (False, (1 / 60,), 100.0),
    ):
        found = []
        for step in steps_tried:
            error, energy, cost = flipping(step, fast, not fast, min(rounds, 5))
            if error <= 1e-6 and energy <= 1e-6:
                found.append((cost, step, error, energy))
        cost, step, error, energy = min(found)
        kept &= cost <= limit
        print(
            f"case (b), {'compiled' if fast else 'Python, 60 outputs a second'}: {cost:.3f} us a simulated second,"
            f" h = {step:.3f} s ({error:.0e} rad, {energy:.0e} of E); at most {limit}"
        )
    return int(not kept)


if __name__ == "__main__":
    raise SystemExit(main(*map(int, sys.argv[1:])))
