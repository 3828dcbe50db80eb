"""The app on a virtual screen under random input: no GL error, no failure, no unrest, nothing false, bounded memory.

    python tests/benchmarks/soak_app.py [MINUTES] [SEED] [ACTIONS]

Keys, text, mouse, wheel, sizes, fields, pictures, films and dropped files at random, through the window's own handlers,
until the time or the number of actions is over. After each action a witness (`witness.py`) compares energy, |L|, omega
and period with its own; now and then everything is undone, which has to lead back to the first scene bit for bit. Needs
a display, or xvfb-run before the command.
"""

import ctypes
import gc
import os
import random
import statistics
import sys
import tempfile
import time
import traceback
from functools import partial
from pathlib import Path
from typing import Any

from viewer.commands import lecture
from viewer.commands.documents import open_named

ASSETS = Path(__file__).resolve().parents[2] / "assets"
NOT_PRESSED = ("quit", "full-screen")
TOLD = 15.0  # s between two lines
RESTS = 40  # actions between two pauses
UNDONE = 150  # actions between two times that everything is undone: fewer than undo remembers
PATIENCE = 12.0  # s in which a paused scene has nothing to draw any more
RESTING = 0.2  # s: who waits longer than that has nothing to draw
GROWTH = 40.0  # MB between the medians of the second and of the last quarter; the size of the window changes it, too


def main(minutes: float = 30.0, seed: int = 1, most: int = 10**9) -> int:
    """Prints memory now and then; returns 1 where something is wrong."""
    from witness import Witness, start_of

    from viewer.app.app import App
    from viewer.commands.begin import Start
    from viewer.scenario.presets import PRESETS
    from viewer.scenario.scenario import Scenario
    from viewer.ui.platform.pyglet_options import Window, toolkit
    from viewer.user import log

    Window._enable_event_queue = False
    chance, failures = random.Random(seed), []
    app = App(Start(Scenario.preset("dzhanibekov"), size=(1000, 700)))
    app.quit = lambda: None  # type: ignore[method-assign]  # the command palette offers it, too
    log.crash = lambda error: (failures.append(error), (str(error), ""))[1]  # type: ignore[func-returns-value]
    toolkit.platform_event_loop.start()
    warm_up(app)
    witness, first = Witness(), start_of(app)
    began = told = time.monotonic()
    actions, errors, restless, used, held = 0, 0, 0, [], []
    while (now := time.monotonic()) - began < 60 * minutes and actions < most:
        try:
            act(app, chance)
        except Exception as error:
            failures.append(error)
        actions += 1
        toolkit.platform_event_loop.step(0.0)
        app.loop.idle()
        errors += app.ctx.error != "GL_NO_ERROR"
        witness.look(app)
        if actions % UNDONE == 0:
            app.workspace.tour.end()
            lecture.end(app.workspace)
            witness.undo_everything(app, first)
            open_named(app.workspace, chance.choice(list(PRESETS)))
        if actions % RESTS == 0 and not comes_to_rest(app):
            restless += 1
            print(f"it does not come to rest: {app.workspace.session.scenario.stereo.mode}, {app.ui.state}", flush=True)
        if actions % 10 == 0:
            used.append(resident())
        if now - told > TOLD:
            told = now
            line = f"{now - began:6.0f} s {actions:7} actions {app.frames.count:7} frames {resident():7.1f} MB"
            held.append(in_use())
            print(f"{line}, {held[-1]:.1f} MB in use", flush=True)
    grown = growth(used)
    frames = app.frames.count
    print(f"{actions} actions, {frames} frames, {len(failures)} failures, {errors} GL errors, {restless} unrests,")
    print(f"grown {grown:.1f} MB, in use {growth(held or used):.1f} MB, {max(used, default=0.0):.0f} MB at most")
    worst = ", ".join(f"{name} {error:.1e}" for name, error in witness.worst.items())
    print(f"looked at: {witness.looks}; largest differences: {worst}; {len(witness.faults)} false")
    for error in failures[:3]:
        traceback.print_exception(error)
    app.close()
    return int(bool(failures or errors or restless or witness.faults or grown > GROWTH))


def comes_to_rest(app: Any) -> bool:
    """Whether a paused scene has nothing to draw any more; what goes on whatever is paused may."""
    from viewer.ui.platform.pyglet_options import toolkit

    app.workspace.session.playback.pause()
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        toolkit.platform_event_loop.step(0.0)
        wait = app.loop.idle()
        if wait is None or wait > RESTING:
            return True
        if app.workspace.session.scene.moving or app.workspace.writer.recording or app.workspace.writer.job is not None:
            return True
        if app.scene_view.mode.layout == "frame-sequential":
            return True
        time.sleep(min(wait, 0.005))
    return False


def warm_up(app: Any) -> None:
    """Loads what only pictures and films need: 80 MB of libraries would look like a leak."""
    from viewer.commands.actions import ACTIONS

    for name in ("picture", "record", "", "", "", "record"):
        if name:
            app.workspace.messages.attempt(partial(ACTIONS[name].run, app.workspace))
        time.sleep(0.1)
        app.loop.idle()


def act(app: Any, chance: random.Random) -> None:
    """One random thing that a user may do."""
    from viewer.commands.actions import ACTIONS
    from viewer.scenario.presets import PRESETS
    from viewer.ui.platform.pyglet_options import key, mouse

    width, height = app.window.get_size()
    x, y = chance.randrange(width), chance.randrange(height)
    kind = chance.random()
    window = app.window
    if kind < 0.3:
        button = chance.choice([mouse.LEFT, mouse.LEFT, mouse.RIGHT])
        modifiers = chance.choice([0, 0, key.MOD_SHIFT, key.MOD_CTRL])
        window.dispatch_event("on_mouse_press", x, y, button, modifiers)
        for _ in range(chance.randrange(4)):
            dx, dy = chance.randrange(-40, 40), chance.randrange(-40, 40)
            window.dispatch_event("on_mouse_drag", x, y, dx, dy, button, modifiers)
        window.dispatch_event("on_mouse_release", x, y, button, modifiers)
    elif kind < 0.5:
        window.dispatch_event("on_mouse_motion", x, y, chance.randrange(-9, 9), chance.randrange(-9, 9))
    elif kind < 0.6:
        window.dispatch_event("on_mouse_scroll", x, y, 0.0, chance.choice([-3, -1, 1, 3]))
    elif kind < 0.75:
        symbol = chance.choice([key.ESCAPE, key.ENTER, key.TAB, key.SPACE, key.BACKSPACE, key.UP, key.DOWN])
        window.dispatch_event("on_key_press", symbol, 0)
        window.dispatch_event("on_key_release", symbol, 0)
    elif kind < 0.85:
        window.dispatch_event("on_text", chance.choice("0123456789.-+e?/ π\x7f"))
    elif kind < 0.89:
        change_field(app, chance)
    elif kind < 0.97:
        name = chance.choice([name for name in ACTIONS if name not in NOT_PRESSED])
        if name not in ("record", "picture") or chance.random() < 0.1:
            app.workspace.messages.attempt(partial(ACTIONS[name].run, app.workspace))
    elif kind < 0.985 and not window.fullscreen:
        window.set_size(chance.randrange(100, 1500), chance.randrange(100, 950))
    elif kind < 0.995:
        open_named(app.workspace, chance.choice(list(PRESETS)))
    else:
        assets = [str(path) for kind in ("bodies", "logs") for path in (ASSETS / kind).iterdir()]
        app.on_file_drop(0, 0, [chance.choice(["/nowhere", __file__, tempfile.gettempdir(), *assets])])


def change_field(app: Any, chance: random.Random) -> None:
    """Set a random number or choice of the body, the start, the loads or the solver, as the panel would."""
    from viewer.scenario.field import Choice, Number, Switch, Vector
    from viewer.scenario.fields import fields_of
    from viewer.scenario.scenario import SECTIONS

    section = chance.choice(["body", "start", "loads", "solver"])
    name, field = chance.choice(
        [(n, f) for n, f in fields_of(SECTIONS[section]).items() if type(f) in (Number, Vector, Choice, Switch)]
    )
    if isinstance(field, Choice):
        value: Any = chance.choice([choice for choice, _ in field.choices])
    elif isinstance(field, Switch):
        value = chance.random() < 0.5
    else:
        numbers = [chance.uniform(field.soft_low, field.soft_high) for _ in range(getattr(field, "size", 1))]
        value = tuple(numbers) if isinstance(field, Vector) else numbers[0]
    app.workspace.editor.set(f"{section}.{name}", value)


def growth(used: list[float]) -> float:
    """MB between the medians of the second and of the last quarter; 0 where nothing was read yet."""
    if not used:
        return 0.0
    quarter = max(1, len(used) // 4)
    return statistics.median(used[-quarter:]) - statistics.median(used[quarter : 2 * quarter] or used)


def in_use() -> float:
    """Preferences of this process without what the allocator only keeps for later (glibc), MB."""
    gc.collect()
    if hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
        libc.malloc_trim(0)
    return resident()


def resident() -> float:
    """Preferences of this process, MB."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["POINSOT_HOME"] = folder
        os.chdir(folder)
        words = sys.argv[1:]
        sys.exit(main(float(words[0]) if words else 30.0, *map(int, words[1:3])))
