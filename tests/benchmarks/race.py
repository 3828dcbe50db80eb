"""A race: what twelve lanes cost a frame, and a sweep of all integrators on one core and on all of them.

python tests/benchmarks/race.py [PERIODS] [FRAMES] [SIZES]
"""

import os
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from viewer.physics.integrators import INTEGRATORS
from viewer.race.live import LiveRace
from viewer.race.sweep import sweep, tasks
from viewer.race.trajectory import Course, start_lane
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import MOST_LANES, parse_lanes

LANES = (
    "explicit-euler jolt jolt-rotation naive-rotation modified-jolt momentum-first implicit first-order+closest-point"
    " buss split implicit-midpoint exact-drift"
).split()
SUBSTEPS = 16


def frames(count: int) -> None:
    """Twelve lanes with 16 steps each: the steps alone, with their samples, and the errors that are shown."""
    scenario = Scenario.preset("dzhanibekov").with_value("race.show", "grid").with_value("race.lanes", LANES)
    race = LiveRace(scenario)
    alone = [start_lane(race.course, lane) for lane in parse_lanes(LANES[1:])]  # the first one blows up
    steps, follow, shown = [], [], []
    for frame in range(count):
        began = time.perf_counter()
        for simulation in alone:
            simulation.advance_steps(SUBSTEPS)
        between = time.perf_counter()
        race.follow((frame + 1) * SUBSTEPS * race.course.step * (1.0 + 1e-9))
        after = time.perf_counter()
        race.now()
        steps.append(1e3 * (between - began) * len(LANES) / len(alone))
        follow.append(1e3 * (after - between))
        shown.append(1e3 * (time.perf_counter() - after))
    for name, values in (("steps", steps), ("steps and samples", follow), ("errors to show", shown)):
        print(f"{name:20} {statistics.median(values):6.2f} ms a frame")


def swept(periods: float, sizes: int) -> None:
    """Every integrator at so many sizes over the periods, here and over all cores."""
    names = [name for name, entry in INTEGRATORS.items() if not entry.refuses]
    lanes = [lane for n in range(0, len(names), MOST_LANES) for lane in parse_lanes(names[n : n + MOST_LANES])]
    course = Course.of(Scenario.preset("paper-fig1"), step=0.01, periods=periods)
    work = tasks(course, lanes, np.geomspace(5.0, 500.0, sizes))
    began = time.perf_counter()
    here = dict(sweep(work))
    one = time.perf_counter() - began
    cores = os.cpu_count() or 1
    began = time.perf_counter()
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
        there = dict(sweep(work, pool))
    many = time.perf_counter() - began
    assert all(here[task].orientation == there[task].orientation for task in work)
    ratio = f"{one / many:.2f} x"
    print(f"{len(work)} runs over {periods:g} periods: {one:.1f} s on one core, {many:.1f} s on {cores}: {ratio}")


def main(periods: float = 100.0, count: int = 200, sizes: int = 12) -> None:
    """Measures and prints."""
    frames(int(count))
    swept(periods, int(sizes))


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
