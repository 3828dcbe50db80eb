"""Frame time of the default scene in each stereo mode beside mono, frame by frame in turn: machines drift.

    python tests/benchmarks/render.py [--size 1280x720] [--rounds 5] [--frames 8] [--modes anaglyph,checkerboard]

A frame is: the scene's description, all drawing, and the picture read back. Prints medians and the ratio to mono.
`cross-eyed, full` gives each eye the whole size, in a picture twice as wide.
"""

import argparse
import statistics
import time

from viewer.export.offscreen import offscreen_context
from viewer.render.renderer import Renderer
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.scenario import Scenario
from viewer.scene.build import build_frame
from viewer.scene.presentation import Display, Presentation
from viewer.session.session import Session


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--frames", type=int, default=8)
    parser.add_argument("--modes", help="only these, with commas between them")
    parser.add_argument("--preset", default="paper-fig1")
    arguments = parser.parse_args()
    width, height = (int(part) for part in arguments.size.split("x"))
    modes = arguments.modes.split(",") if arguments.modes else [mode for mode in STEREO_MODES if mode != "mono"]
    cases = {mode: (mode, (width, height)) for mode in ("mono", *modes)}
    if "cross-eyed" in modes:
        cases["cross-eyed, full"] = ("cross-eyed", (2 * width, height))
    context = offscreen_context()
    renderers = {case: Renderer(context) for case in cases}
    session = Session(Scenario.preset(arguments.preset), playing=False)
    session.run_to(8.0)
    presentations = {
        case: Presentation.of(session.scenario.with_value("stereo.mode", mode)) for case, (mode, _) in cases.items()
    }

    def frame(case: str) -> float:
        start = time.perf_counter()
        renderers[case].draw(build_frame(session.snapshot(), presentations[case], Display(cases[case][1])))
        renderers[case].read()
        return 1e3 * (time.perf_counter() - start)

    print(f"{context.info['GL_RENDERER']}, {width}x{height}, {arguments.preset}")
    print(f"{'mode':20} {'ms':>7} {'mono':>7} {'/ mono':>7} {'from':>6} {'to':>6}")
    for case in cases:
        times, monos, ratios = [], [], []
        for _ in range(arguments.rounds):
            frame("mono"), frame(case)
            pairs = [(frame("mono"), frame(case)) for _ in range(arguments.frames)]
            mono, own = (statistics.median(column) for column in zip(*pairs, strict=True))
            times.append(own)
            monos.append(mono)
            ratios.append(own / mono)
        own, mono = statistics.median(times), statistics.median(monos)
        middle = statistics.median(ratios)
        print(f"{case:20} {own:7.2f} {mono:7.2f} {middle:7.2f} {min(ratios):6.2f} {max(ratios):6.2f}")


if __name__ == "__main__":
    main()
