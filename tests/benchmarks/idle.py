"""What the window costs while nobody touches it and nothing moves: CPU time and frames of the real app.

    python tests/benchmarks/idle.py [--seconds 30] [--settle 4]

The command poinsot runs in a process of its own, paused, in several states. Needs a display, or xvfb-run before the
command. Linux only: the CPU time is read from /proc.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT = 1.0  # % of a core
ACT_AT = 3  # frames
STATES = {  # name: the scene, what is done to the app once its first picture is there
    "default": ("paper-fig1", ""),
    "panel folded": ("paper-fig1", "app.ui.layout.toggle_panel()"),
    "interface hidden": ("paper-fig1", "app.workspace.state.toggle('hidden')"),
    "plots open": ("paper-fig1", "app.workspace.state.toggle('plots')"),
    "race": ("race-of-five", ""),
    "race, plots open": ("race-of-five", "app.workspace.state.toggle('plots')"),
    "gallery open": ("paper-fig1", "app.ui.gallery.toggle()"),
    "tour open": ("paper-fig1", "app.workspace.tour.start('poinsot')"),
    "keys listed": ("paper-fig1", "app.ui.keys.toggle()"),
    "palette open": ("paper-fig1", "app.ui.palette.toggle()"),
    "stereo chart": ("paper-fig1", "app.workspace.state.toggle('chart')"),
    "anaglyph": ("paper-fig1", "app.workspace.editor.set('stereo.mode', 'anaglyph')"),
    "interlaced": ("paper-fig1", "app.workspace.editor.set('stereo.mode', 'row-interlaced')"),
}


def child(state: str) -> None:
    """The window in one state, until it is ended; tells how many frames it has drawn when it is asked."""
    from viewer.app.app import App
    from viewer.commands.begin import Start
    from viewer.scenario.scenario import Scenario
    from viewer.user.settings import Settings

    scene, action = STATES[state]
    app = App(Start(Scenario.preset(scene), playing=False, size=(1280, 720), settings=Settings.of_user()))
    idle, waiting = app.loop.idle, [True]

    def watched() -> float | None:
        if waiting and app.frames.count >= ACT_AT:
            waiting.clear()
            exec(action, {"app": app})
            print("ready", flush=True)
        elif waiting:
            app.on_expose()  # so that frames come
        return idle()

    app.loop.idle = watched  # type: ignore[method-assign]
    signal.signal(signal.SIGUSR1, lambda *_: print(app.frames.count, flush=True))
    app.run()


def measured(state: str, seconds: float, settle: float) -> tuple[float, int]:
    """CPU time in % of a core, and frames drawn."""
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, __file__, "--child", state]
        environment = os.environ | {"POINSOT_HOME": home}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                process.stdout.readline()
                time.sleep(settle)
                began, before, first = time.perf_counter(), spent(process.pid), frames(process)
                time.sleep(seconds)
                took = time.perf_counter() - began
                share = 100.0 * (spent(process.pid) - before) / took
                return share, frames(process) - first
            finally:
                process.terminate()


def spent(pid: int) -> float:
    """CPU time of a process so far, all its threads, s."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def frames(process: "subprocess.Popen[str]") -> int:
    """How many a window has drawn."""
    process.send_signal(signal.SIGUSR1)
    assert process.stdout is not None
    return int(process.stdout.readline())


def main() -> int:
    """Measures and prints; returns 1 where the limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--settle", type=float, default=4.0)
    parser.add_argument("--states", nargs="*", default=list(STATES))
    parser.add_argument("--child", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        child(arguments.child)
        return 0
    worst = 0.0
    for state in arguments.states:
        share, drawn = measured(state, arguments.seconds, arguments.settle)
        worst = max(worst, share)
        print(f"{state:18} {share:6.2f} % of a core, {drawn} frames in {arguments.seconds:g} s", flush=True)
    return int(worst >= LIMIT)


if __name__ == "__main__":
    sys.exit(main())
