"""Frame time of the default scene in each stereo mode, all in one run, interleaved.

    python tests/benchmarks/render.py [--size 1280x720] [--rounds 9] [--frames 12]

A frame is: the scene's description, all drawing, and the picture read back. Prints medians and the ratio to mono.
"""

import argparse
import statistics
import time

from viewer.export.offscreen import offscreen_context
from viewer.render.renderer import Renderer
from viewer.scenario import Scenario
from viewer.scene.build import build_frame
from viewer.session import Session
from viewer.stereo_modes import STEREO_MODES


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--frames", type=int, default=12)
    parser.add_argument("--preset", default="paper-fig1")
    arguments = parser.parse_args()
    width, height = (int(part) for part in arguments.size.split("x"))
    context = offscreen_context()
    renderers = {mode: Renderer(context) for mode in STEREO_MODES}
    snapshots = {}
    for mode in STEREO_MODES:
        session = Session(Scenario.preset(arguments.preset).with_value("stereo.mode", mode), playing=False)
        session.run_to(8.0)
        snapshots[mode] = session.snapshot()

    def frame(mode: str) -> float:
        start = time.perf_counter()
        renderers[mode].draw(build_frame(snapshots[mode], (width, height)))
        renderers[mode].read()
        return 1e3 * (time.perf_counter() - start)

    times: dict[str, list[float]] = {mode: [] for mode in STEREO_MODES}
    for turn in range(arguments.rounds):
        for mode in STEREO_MODES:
            frame(mode)
            frames = [frame(mode) for _ in range(arguments.frames)]
            if turn:
                times[mode].append(statistics.median(frames))
    print(f"{context.info['GL_RENDERER']}, {width}x{height}, {arguments.preset}")
    print(f"{'mode':20} {'ms':>7} {'min':>7} {'max':>7} {'/ mono':>7}")
    for mode, measured in times.items():
        ratios = [a / b for a, b in zip(measured, times["mono"], strict=True)]
        print(
            f"{mode:20} {statistics.median(measured):7.2f} {min(measured):7.2f} {max(measured):7.2f}"
            f" {statistics.median(ratios):7.2f}"
        )


if __name__ == "__main__":
    main()
