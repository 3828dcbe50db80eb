"""Frame time and memory of the first minute and after a simulated day of the same motion.

    python tests/benchmarks/long.py [--hours 24] [--preset paper-fig1] [--size 1280x720] [--rounds 15]

A session and a renderer are driven by hand at a large speed. A second session stays at its first minute, so that both
are measured in turn: machines drift. A frame is: 1/60 s of motion, the scene's description, all drawing, read back.
Where numba is installed the steps are compiled, which gives the same numbers, as in a window whose motion falls behind.
"""

import argparse
import gc
import resource
import statistics
import threading
import time

from viewer.export.offscreen import offscreen_context
from viewer.physics.stepping import compiled
from viewer.render.renderer import Renderer
from viewer.scenario.scenario import Scenario
from viewer.scene.build import build_frame
from viewer.scene.presentation import Display, Presentation
from viewer.session.session import Session

FRAME = 1.0 / 60.0  # s
FAST = 60.0  # simulated seconds between two frames while the day goes by


class Run:
    """A session, its renderer, and what a frame of it takes."""

    def __init__(self, context: object, preset: str, size: tuple[int, int]) -> None:
        self.session = Session(Scenario.preset(preset).with_value("playback.speed", 1.0))
        self.renderer, self.size = Renderer(context), size  # type: ignore[arg-type]

    def frame(self) -> float:
        """Draws the next one; how long it took, ms."""
        start = time.perf_counter()
        self.session.scene.advance(FRAME)
        self.renderer.draw(
            build_frame(self.session.snapshot(), Presentation.of(self.session.scenario), Display(self.size))
        )
        self.renderer.read()
        return 1e3 * (time.perf_counter() - start)

    def request_compilation(self) -> None:
        """Lets compiled steps take over."""
        self.frame()  # only steps that are made can be
        for _ in range(2):  # asks for them, then finds them
            self.session.motion._simulation.request_compilation()
            for thread in threading.enumerate():
                if thread.name == compiled.THREAD:
                    thread.join()

    def run_to(self, seconds: float) -> None:
        """On to a simulated time, drawing now and then as the window would."""
        while (now := self.session.snapshot().reading.time) < seconds:
            self.session.scene.run_on_to(min(now + FAST, seconds))
            self.frame()


def memory() -> float:
    """Of this process now, MB."""
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--preset", default="paper-fig1")
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    width, height = (int(part) for part in arguments.size.split("x"))
    context = offscreen_context()
    young, old = (Run(context, arguments.preset, (width, height)) for _ in range(2))
    for run in (young, old):
        run.request_compilation()
        run.run_to(60.0)
        for _ in range(10):
            run.frame()
    before = memory()
    began = time.perf_counter()
    old.run_to(3600.0 * arguments.hours)
    took = time.perf_counter() - began
    after = memory()
    pairs = [(young.frame(), old.frame()) for _ in range(8 * arguments.rounds)]
    first, last = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(b / a for a, b in pairs)
    print(f"{context.info['GL_RENDERER']}, {width}x{height}, {arguments.preset}, {took:.0f} s for the rest")
    print(f"frame      {first:7.2f} ms in the first minute, {last:7.2f} after {arguments.hours:g} h: {ratio:.3f}")
    print(f"memory     {before:7.1f} MB                    {after:9.1f}: {after - before:+.1f}")


if __name__ == "__main__":
    main()
