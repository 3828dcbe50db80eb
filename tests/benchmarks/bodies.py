"""Twenty bodies side by side at 60 frames a second: what physics and drawing cost a frame, and memory over an hour.

python tests/benchmarks/bodies.py [FRAMES] [SECONDS]   (SECONDS: simulated, of the run whose memory is looked at)
"""

import resource
import statistics
import sys
import time

from viewer.export.offscreen import offscreen_context
from viewer.render.renderer import Renderer
from viewer.scenario.scenario import Scenario
from viewer.scene.build import build_frame
from viewer.scene.presentation import Display, Presentation
from viewer.session.session import Session

LIMIT = 2.0  # ms of physics a frame, of twenty free bodies
SIZE = (972, 672)  # of the scene in a window of 1280 x 720
ROUNDS = 3  # of the physics: the quietest counts


def physics(scenario: Scenario, frames: int) -> float:
    """The median of what a frame takes to advance all bodies and to read them, ms."""
    session, costs = Session(scenario), []
    for _ in range(frames):
        began = time.perf_counter()
        session.scene.advance(1 / 60)
        session.snapshot()
        costs.append(1e3 * (time.perf_counter() - began))
    return statistics.median(costs)


def drawing(scenario: Scenario, frames: int) -> tuple[float, float]:
    """The medians of building and of drawing a frame of the window's size, ms."""
    session, built, drawn = Session(scenario), [], []
    with offscreen_context() as ctx:
        renderer = Renderer(ctx)
        for _ in range(frames):
            session.scene.advance(1 / 60)
            snapshot = session.snapshot()
            began = time.perf_counter()
            frame = build_frame(snapshot, Presentation.of(session.scenario), Display(SIZE))
            between = time.perf_counter()
            renderer.draw(frame)
            ctx.finish()
            built.append(1e3 * (between - began))
            drawn.append(1e3 * (time.perf_counter() - between))
        renderer.release()
    return statistics.median(built), statistics.median(drawn)


def memory(scenario: Scenario, seconds: float) -> None:
    """How far the largest size of the process grows in each quarter of a long run, with all trails kept."""
    session = Session(scenario.with_values({"view.bodies": "constructions", "playback.speed": 10.0}))
    sizes = [_peak()]
    for quarter in range(4):
        while session.motion.time < seconds * (quarter + 1) / 4:
            session.scene.advance(1 / 60)
            session.snapshot()
        sizes.append(_peak())
    print("memory after each quarter of", f"{seconds:g} s:", ", ".join(f"{size:.0f} MB" for size in sizes))


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(frames: int = 300, seconds: float = 3600.0) -> int:
    scenario = Scenario.preset("twenty-boxes")
    count = len(scenario.bodies)
    free = min(physics(scenario, frames) for _ in range(ROUNDS))
    print(f"physics, {count} free bodies            {free:7.2f} ms a frame (at most {LIMIT:g})")
    for name, values in (
        ("split", {"solver.integrator": "split"}),
        ("friction", {"loads.external_friction": 0.01}),
    ):
        cost = physics(scenario.with_values(values), frames)
        print(f"physics, {count} stepped, {name:12}  {cost:7.2f} ms a frame")
    for bodies in ("plain", "constructions"):
        cost = physics(scenario.with_value("view.bodies", bodies), frames)
        built, drawn = drawing(scenario.with_value("view.bodies", bodies), max(frames // 10, 2))
        print(f"{bodies:15} physics {cost:6.2f}, building {built:6.2f}, drawing {drawn:7.2f} ms a frame")
    memory(scenario, seconds)
    return 0 if free <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main(*(kind(argument) for kind, argument in zip((int, float), sys.argv[1:], strict=False))))
