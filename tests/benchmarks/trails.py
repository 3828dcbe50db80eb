"""Frame time with a trail of 5000 and of 100000 points, and with both as the trail of a long motion, interleaved.

    python tests/benchmarks/trails.py [--size 1280x720] [--rounds 7] [--frames 12]

In each frame eight new rows come in, as at 60 frames a second. Prints medians and the ratio to 5000 points.
"""

import argparse
import dataclasses
import resource
import statistics
import time

import numpy as np

from viewer.common.ring_buffer import RingBuffer
from viewer.export.offscreen import offscreen_context
from viewer.render.renderer import Renderer
from viewer.scenario.scenario import Scenario
from viewer.scene.build import build_frame
from viewer.scene.presentation import Display, Presentation
from viewer.session.session import Session

COUNTS = (5_000, 100_000)
NEW = 8  # rows a frame


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--frames", type=int, default=12)
    arguments = parser.parse_args()
    width, height = (int(part) for part in arguments.size.split("x"))
    session = Session(Scenario.preset("paper-fig1").with_value("view.trail_periods", 1e5), playing=False)
    session.run_to(8.0)
    snapshot = session.snapshot()
    context = offscreen_context()
    radius = snapshot.curves.herpolhode_radii[1]
    up = snapshot.reading.angular_momentum_world / np.linalg.norm(snapshot.reading.angular_momentum_world)
    across = np.linalg.svd(up[None])[2][1:]

    def rows(first: int, count: int, turns_a_row: float) -> np.ndarray:
        """Of a rosette on the invariable plane."""
        number = np.arange(first, first + count)
        turn = 2.0 * np.pi * turns_a_row * number
        reach = radius * (0.6 + 0.4 * np.cos(0.37 * turn))
        found = np.zeros((count, 7))
        found[:, 0] = 8.0 - 1e-4 * (first + count - number)
        found[:, 1:4] = (up @ snapshot.reading.omega_world) * up
        found[:, 1:4] += reach[:, None] * (np.cos(turn)[:, None] * across[0] + np.sin(turn)[:, None] * across[1])
        return found

    cases = {
        "5 000 points, 60 turns": (COUNTS[0], 60 / COUNTS[0]),
        "100 000 points, 60 turns": (COUNTS[1], 60 / COUNTS[1]),
        "100 000 points, 1600 turns": (COUNTS[1], 1600 / COUNTS[1]),
    }
    rings, renderers = {}, {}
    for name, (count, density) in cases.items():
        rings[name] = RingBuffer(2**17, 7)
        rings[name].append_rows(rows(0, count, density))
        renderers[name] = Renderer(context)

    def frame(name: str) -> float:
        start = time.perf_counter()
        ring = rings[name]
        ring.append_rows(rows(ring.count, NEW, cases[name][1]))
        shown = dataclasses.replace(snapshot, trail=ring.view())
        renderers[name].draw(build_frame(shown, Presentation.of(session.scenario), Display((width, height))))
        renderers[name].read()
        return 1e3 * (time.perf_counter() - start)

    times: dict[str, list[float]] = {name: [] for name in cases}
    for turn in range(arguments.rounds):
        for name in cases:
            frames = [frame(name) for _ in range(arguments.frames)]
            if turn:
                times[name].append(statistics.median(frames))
    first = times[next(iter(cases))]
    print(f"{context.info['GL_RENDERER']}, {width}x{height}")
    for name, measured in times.items():
        ratio = statistics.median(a / b for a, b in zip(measured, first, strict=True))
        print(f"{name:28} {statistics.median(measured):7.2f} ms {ratio:6.2f}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
