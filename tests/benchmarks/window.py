"""Frames a second in the app's own window, in each stereo mode, with the quality that it chooses itself.

    python tests/benchmarks/window.py [--size 1280x720] [--seconds 2] [--modes mono,anaglyph] [--preset paper-fig1]

Needs a display, or xvfb-run before the command. The first two seconds of a mode are not counted: the quality settles.
Ui, swap and all are in it; 60 is the most that a screen of 60 Hz shows.
"""

import argparse
import statistics
import sys
import time

from viewer.app.app import App
from viewer.commands.begin import Start
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.choices.themes import AUTO, QUALITIES
from viewer.scenario.scenario import Scenario

SETTLING = 2.0  # s


def run(app: App, seconds: float) -> list[float]:
    """Runs it, for two frames at least; the seconds between one frame shown and the next."""
    began = last = time.perf_counter()
    frames, gaps = app.frames.count, list[float]()
    while time.perf_counter() < began + seconds or len(gaps) < 2:
        app.window.dispatch_events()
        wait = app.loop.idle()
        now = time.perf_counter()
        if app.frames.count != frames:
            gaps.append(now - last)
            frames, last = app.frames.count, now
        elif wait:
            time.sleep(min(wait, 0.002))
    return gaps[1:]


def main() -> int:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--modes", default=",".join(STEREO_MODES))
    parser.add_argument("--preset", default="paper-fig1")
    arguments = parser.parse_args()
    width, height = (int(side) for side in arguments.size.split("x"))
    app = App(Start(Scenario.preset(arguments.preset), size=(width, height)))
    print(f"{app.ctx.info['GL_RENDERER']}, {arguments.size}, {arguments.preset}")
    for mode in arguments.modes.split(","):
        app.workspace.editor.set("stereo.mode", mode)
        run(app, SETTLING)
        gaps = run(app, arguments.seconds)
        quality = app.scene_view._resolution.quality(AUTO, time.perf_counter())
        name = next(name for name, one in QUALITIES.items() if one is quality)
        late = sorted(gaps)[int(0.99 * len(gaps))]
        print(f"{mode:20} {1 / statistics.mean(gaps):5.1f} frames a second; 99 % within {1e3 * late:5.1f} ms; {name}")
    app.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
