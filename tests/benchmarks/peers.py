"""Beside other programs: `python tests/benchmarks/peers.py`, with numba and either of `pip install mujoco heyoka`.

Medians of interleaved rounds of one process, CPU time. A free box, steps per second: at least 10 x those of MuJoCo.
Then what it costs to hold 1e-6 rad and 1e-6 of the energy all through a run, where each program has the cheapest
setting that does: the box that flips for 100 s, free, at most .4 us a simulated second and at most heyoka's time; the
same under a steady 3 N at .5 m with external friction for 20 s, at most heyoka's time. Returns 1 where one is missed.
"""

import importlib.util
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.physics.body import RigidBody
from viewer.physics.exact import FreeRotation
from viewer.physics.loads import Loads
from viewer.physics.simulation import Simulation
from viewer.physics.state import State

Array = NDArray[np.float64]
Run = Callable[[], object]
Prepare = Callable[[], Run]  # what is done before the clock starts, such as heyoka's compilation

BOX, START = RigidBody.box(80, 1, 0.4, 0.2), State((1, 0, 0, 0), (0.05, 5, 0.05))
LOADS = Loads((0, 0, 3), (0.5, 0, 0), 0.1)
STEP, COUNT = 1 / 240, 50_000  # against MuJoCo
ACCURACY = 1e-6
ROUNDS, LEAST = 15, 0.02  # s of CPU that a round takes at least


def medians(runs: dict[str, Prepare]) -> dict[str, float]:
    """Seconds of CPU of one run of each, without its preparation."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(ROUNDS + 1):
        for name, prepare in runs.items():
            spent, count = 0.0, 0
            while spent < LEAST:
                run = prepare()
                begin = time.process_time()
                run()
                spent += time.process_time() - begin
                count += 1
            times[name].append(spent / count)
    return {name: statistics.median(values[1:]) for name, values in times.items()}


def beside_mujoco() -> bool:
    """Steps of one free body."""
    import mujoco

    runs: dict[str, Prepare] = {}
    for name in ("exact-drift", "split"):
        simulation = Simulation(BOX, START, name, STEP, fast=True)
        runs[name] = lambda made=simulation: lambda: made.advance_steps(COUNT)
    inertia = " ".join(repr(float(value)) for value in BOX.principal_moments)
    for integrator in ("Euler", "implicitfast", "RK4"):
        model = mujoco.MjModel.from_xml_string(
            f'<mujoco><option timestep="{STEP!r}" gravity="0 0 0" integrator="{integrator}"/><worldbody><body>'
            f'<freejoint/><inertial pos="0 0 0" mass="80" diaginertia="{inertia}"/></body></worldbody></mujoco>'
        )
        data = mujoco.MjData(model)

        def reset(model: Any = model, data: Any = data) -> Run:
            mujoco.mj_resetData(model, data)
            data.qvel[3:] = START.omega_body
            return lambda: mujoco.mj_step(model, data, nstep=COUNT // 20)

        runs[f"MuJoCo {integrator}"] = reset
    found = medians(runs)
    for name in found:
        found[name] *= (20 if "MuJoCo" in name else 1) / COUNT
    theirs = min(value for name, value in found.items() if "MuJoCo" in name)
    for name, value in found.items():
        print(f"  {name:20s} {value * 1e9:8.1f} ns a step: {theirs / value:6.2f} x the quickest of MuJoCo's")
    kept = all(theirs / found[name] >= 10 for name in ("exact-drift", "split"))
    print(f"  {'at least' if kept else 'MISSED:'} 10 x")
    return kept


def worst(orientations: Array, rates: Array, truth: Array) -> float:
    """The larger of the errors in orientation [rad] and energy (relative), over all rows."""
    q, wanted = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (orientations, truth[:, :4]))
    gap = np.minimum(np.linalg.norm(q - wanted, axis=1), np.linalg.norm(q + wanted, axis=1))
    energy, right = ((BOX.principal_moments * values**2).sum(axis=1) for values in (rates, truth[:, 4:]))
    return float(max((4 * np.arcsin(gap / 2)).max(), np.abs(energy / right - 1).max()))


def our_runs(name: str, loads: Loads, seconds: int, truth: Callable[[Array], Array]) -> dict[str, Prepare]:
    """Some of the longest steps that are accurate enough. truth: rows (q, omega_b) at times."""
    runs: dict[str, Prepare] = {}
    for count in range(3 * seconds, 30 * seconds, max(1, seconds // 10)):
        simulation = Simulation(BOX, START, name, seconds / count, loads, fast=True, drift_angle=1.0)
        states = simulation.sampled(count)
        if worst(states.orientation_wxyz, states.omega_body, truth(states.time)) > ACCURACY:
            continue

        def prepare(count: int = count) -> Run:
            made = Simulation(BOX, START, name, seconds / count, loads, fast=True, drift_angle=1.0)
            made.advance_steps(1)  # the first one computes what kicks need
            return lambda: made.advance_steps(count)

        runs[f"{name}, {count} steps"] = prepare
        if len(runs) == 4:
            break
    return runs


def heyoka_equations(loads: Loads) -> list[Any]:
    """Of q and omega_b, under a force along z of space at an arm along x of the body."""
    import heyoka

    w, x, y, z, a, b, c = v = heyoka.make_vars("w", "x", "y", "z", "a", "b", "c")
    i, j, k = BOX.principal_moments.tolist()
    force, arm, friction = loads.force[2], loads.arm[0], loads.external_friction
    slopes = [
        0.5 * (-x * a - y * b - z * c),
        0.5 * (w * a + y * c - z * b),
        0.5 * (w * b + z * a - x * c),
        0.5 * (w * c + x * b - y * a),
        (j - k) / i * b * c,
        (k - i) / j * c * a,
        (i - j) / k * a * b,
    ]
    if not loads.free:
        slopes[4] -= friction / i * a
        slopes[5] -= friction / j * b + arm * force / j * (w * w - x * x - y * y + z * z)
        slopes[6] -= friction / k * c - arm * force / k * (2.0 * (y * z + w * x))
    return list(zip(v, slopes, strict=True))


def beside_heyoka(name: str, loads: Loads, seconds: int, limit: float) -> bool:
    """CPU to hold ACCURACY; limit [us a simulated second]."""
    import heyoka

    equations, begin = heyoka_equations(loads), [*START.orientation_wxyz.tolist(), *START.omega_body.tolist()]

    def solved(tolerance: float, times: Array) -> Array:
        rows = heyoka.taylor_adaptive(equations, begin, tol=tolerance).propagate_grid([0.0, *times])[-1]
        return np.asarray(rows[1:])

    def truth(times: Array) -> Array:
        rows = solved(1e-18, times)
        if loads.free:
            rows[:, :4] = FreeRotation(BOX, START).at(times).orientation_wxyz
        return rows

    runs = our_runs(name, loads, seconds, truth)
    ours, grid = list(runs), np.arange(1, 4 * seconds + 1) / 4
    for power in range(4, 16):
        rows = solved(10.0**-power, grid)
        if worst(rows[:, :4], rows[:, 4:], truth(grid)) > ACCURACY:
            continue
        solver = heyoka.taylor_adaptive(equations, begin, tol=10.0**-power)

        def reset(solver: Any = solver) -> Run:
            solver.state[:] = begin
            solver.time = 0.0
            return lambda: solver.propagate_until(float(seconds))

        runs[f"heyoka, tol = 1e-{power}"] = reset
        break
    found = {label: value / seconds * 1e6 for label, value in medians(runs).items()}
    theirs, best = found[list(found)[-1]], min(found[label] for label in ours)
    for label, value in found.items():
        print(f"  {label:30s} {value:6.3f} us a simulated second: {value / theirs:.2f} of heyoka's")
    kept = best <= min(limit, theirs)
    print(f"  {'at most' if kept else 'MISSED:'} heyoka's{'' if limit == np.inf else f', and {limit} us'}")
    return kept


def main() -> int:
    """Prints the figures of what is installed."""
    kept = True
    for module, parts in {
        "mujoco": (("a free box, h = 1/240 s", beside_mujoco),),
        "heyoka": (
            ("the box that flips, 100 s at 1e-6", lambda: beside_heyoka("exact-drift", Loads(), 100, 0.4)),
            ("under 3 N at .5 m, 20 s at 1e-6", lambda: beside_heyoka("exact-drift4", LOADS, 20, np.inf)),
        ),
    }.items():
        if importlib.util.find_spec("numba") is None or importlib.util.find_spec(module) is None:
            print(f"{module} or numba is not installed: left out")
            continue
        for title, part in parts:
            print(title)
            kept &= part()
    return int(not kept)


if __name__ == "__main__":
    raise SystemExit(main())
