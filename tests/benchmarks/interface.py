"""What panel, timeline and plots cost a frame, and how long a jump within a long recording takes.

    python tests/benchmarks/interface.py [--frames 200] [--seconds 60] [--hours 1] [--integrator NAME ...]

Offscreen. Of a running motion at 60 frames a second, untouched; the CPU time is that of the main thread: laying
everything out (ImGui, ImPlot, the plotted quantities), which not every frame does, and handing it to OpenGL. A jump is
a drag of the timeline to a random moment and the snapshot there, the picture not included.
"""

import argparse
import random
import statistics
import time
from types import SimpleNamespace

from viewer.export.offscreen import offscreen_context
from viewer.physics.integrators import INTEGRATORS
from viewer.scenario.scenario import Scenario
from viewer.session.quantities import PANES
from viewer.session.session import Session
from viewer.ui.platform.display import Monitor
from viewer.ui.ui import Ui
from viewer.ui.window_layout import WindowLayout
from viewer.workspace.workspace import Workspace

BLOCK = 40  # frames with open plots, and with closed ones, in turn
OPENING = 4  # .. the first, which lay out what has changed


def frames(count: int, seconds: float) -> None:
    """Prints what a frame costs, closed and open plots in turn."""
    context, now = offscreen_context(), 0.0
    scenario = Scenario.preset("paper-fig1").with_value("solver.integrator", "split")
    workspace = Workspace(Session(scenario), clock=lambda: now)
    workspace.writer = SimpleNamespace(recording=False, busy=False, waiting=None, job=None, save_picture=None)
    window = workspace.window = SimpleNamespace(interface_scale=1.0, pixels=(1280, 720), fullscreen=False)
    picture = SimpleNamespace(
        eyes=None, comfort=None, frame=None, unavailable=None, due=False, body_rect=lambda _: None, marks_scale=1.0
    )
    layout = WindowLayout(workspace, window, Monitor())
    interface = Ui(context, workspace, window, layout, picture, lambda error: None)
    for name in PANES:
        interface.plots.shown[name] = True
    size = (1280, 720)
    target = context.framebuffer([context.texture(size, 4)])
    workspace.session.run_to(seconds)
    built: dict[bool, list[float]] = {False: [], True: []}
    drawn: dict[bool, list[float]] = {False: [], True: []}
    for number in range(2 * BLOCK * (1 + -(-count // BLOCK))):
        workspace.state.plots = opened = bool(number // BLOCK % 2)
        now += 1 / 60
        workspace.session.scene.advance(1 / 60)
        workspace.session.snapshot()
        before = time.thread_time()
        interface.refresh()
        between = time.thread_time()
        interface.paint(target)
        after = time.thread_time()
        context.finish()
        if number >= 2 * BLOCK and number % BLOCK >= OPENING:
            built[opened].append(1e3 * (between - before))
            drawn[opened].append(1e3 * (after - between))
    print(f"a frame at 1280x720, {seconds:g} s recorded, ms of CPU (mean): laid out, handed to OpenGL")
    for opened, words in ((False, "panel and timeline"), (True, "and all plots")):
        print(f"  {words:20} {statistics.mean(built[opened]):6.2f} {statistics.mean(drawn[opened]):6.2f}")
    interface.release()


def jumps(integrator: str, hours: float, count: int) -> None:
    """Prints how long jumps to random moments take."""
    session = Session(Scenario.preset("paper-fig1").with_value("solver.integrator", integrator), playing=False)
    start = time.perf_counter()
    session.run_to(3600.0 * hours)
    ran = time.perf_counter() - start
    chance, taken = random.Random(1), []
    for _ in range(count):
        moment = chance.uniform(*session.motion.span)
        start = time.thread_time()
        session.playback.seek(moment)
        session.snapshot()
        taken.append(1e3 * (time.thread_time() - start))
    print(
        f"  {integrator:18} {hours:g} h in {ran:5.0f} s; a jump, CPU: median {statistics.median(taken):5.1f} ms,"
        f" 95 % below {sorted(taken)[int(0.95 * count)]:5.1f} ms, worst {max(taken):5.1f} ms"
    )


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--integrator", nargs="*", choices=INTEGRATORS, default=["exact-drift"])
    arguments = parser.parse_args()
    if arguments.frames:
        frames(arguments.frames, arguments.seconds)
    for integrator in arguments.integrator:
        jumps(integrator, arguments.hours, 200)


if __name__ == "__main__":
    main()
