"""A real window on a virtual screen, moved by real mouse and key events (xdotool), in this process.

Run these tests in a process of their own: a window cannot be opened where an offscreen context was before.
"""

import ctypes
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from helpers.imgui_items import Box, record_items
from helpers.virtual_screen import virtual_screen

from viewer.scenario.scenario import Scenario

PATIENCE = 60.0  # s for something to happen, on a busy machine as well
RESTING = 0.2  # s: who waits longer than that has nothing to draw
LONGEST_SLEEP = 0.01  # s
SCREEN = "1280x800"


@pytest.fixture(scope="session", autouse=True)
def _display() -> Iterator[None]:
    """A virtual screen, where none is given."""
    if os.environ.get("DISPLAY"):
        yield
        return
    if not shutil.which("Xvfb"):
        pytest.fail("needs Xvfb (Debian: xvfb) or a display")
    with virtual_screen(SCREEN) as display, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISPLAY", display)
        yield


class Desktop:
    """The app in its window, and the hands at mouse and keyboard. Positions are pixels from the upper left."""

    def __init__(self, app: Any, boxes: dict[str, Box]) -> None:
        from viewer.ui.platform.pyglet_options import Window, toolkit

        Window._enable_event_queue = False
        self.app = app
        self.boxes = boxes
        self.loop = toolkit.platform_event_loop
        self.loop.start()
        self.until(lambda: app.frames.count > 0)
        self.settle()

    def close(self) -> None:
        """Closes the window before the test ends; set by `desktop`."""

    @property
    def session(self) -> Any:
        return self.app.workspace.session

    @property
    def scenario(self) -> Scenario:
        return self.app.workspace.session.scenario

    @property
    def message(self) -> str | None:
        scene, status = self.session.scene, self.session.status
        number = 0 if status.event is None else status.number
        messages = self.app.workspace.messages
        messages.follow(scene.message, scene.message_is_doubt, number)
        line = messages.current
        return line.text if line else None

    def turn(self, longest: float = LONGEST_SLEEP) -> float | None:
        """One turn of the app's loop; returns how long the app wants to wait, None: for events only."""
        self.loop.step(0.0)
        wait: float | None = self.app.loop.idle()
        assert self.app.ctx.error == "GL_NO_ERROR"
        self.loop.step(longest if wait is None else min(wait, longest))
        return wait

    def until(self, condition: Callable[[], object], what: str = "it did not happen") -> None:
        """Runs the app until `condition` holds; fails after PATIENCE."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, what
            self.turn()

    def settle(self) -> None:
        """Runs the app until every event that the X server knows of has come, and nothing is left to draw."""
        from pyglet.libs.x11 import xlib

        end = time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < end, "it does not come to rest"
            display = self.app.window._x_display
            frames = self.app.frames.count
            xlib.XSync(display, False)
            self.loop.step(0.0)
            wait = self.app.loop.idle()  # nothing is let in between this answer and the look at what is pending
            assert self.app.ctx.error == "GL_NO_ERROR"
            xlib.XSync(display, False)
            drawn = self.app.frames.count > frames
            goes_on = self.session.playback.playing or self.app.scene_view.mode.layout == "frame-sequential"
            shown = goes_on and drawn and self.app.ui.freshness.settling <= 0
            resting = wait is None or wait > RESTING or self.app.loop.ending or shown
            if resting and not xlib.XPending(display):
                return
            if wait and not drawn:  # until then the processor is another process's
                self.loop.step(min(wait, LONGEST_SLEEP))

    def hands(self, *words: object) -> None:
        """One call of xdotool, which ends when the X server has its events; then the app gets them."""
        subprocess.run(["xdotool", *map(str, words)], check=True)
        self.settle()

    def move(self, x: float, y: float) -> None:
        self.hands("mousemove", round(x), round(y))

    def drag(self, start: tuple[float, float], by: tuple[float, float], button: int = 1, key: str = "") -> None:
        """Presses at `start`, moves by (right, down) in two steps, releases."""
        hold, free = (("keydown", key), ("keyup", key)) if key else ((), ())
        x, y = (round(v) for v in start)
        half = (x + round(by[0] / 2), y + round(by[1] / 2))
        end = (x + round(by[0]), y + round(by[1]))
        self.hands("mousemove", x, y)
        self.hands(*hold, "mousedown", button, "mousemove", *half, "mousemove", *end)
        self.hands("mouseup", button, *free)

    def click(self, x: float, y: float, button: int = 1, times: int = 1) -> None:
        """A double click, `times=2`, is one on a machine so busy that the second press comes late as well."""
        from viewer.ui.input import controller
        from viewer.ui.platform.imgui_module import imgui

        self.hands("mousemove", round(x), round(y))
        with pytest.MonkeyPatch.context() as patch:
            if times > 1:
                patch.setattr(controller, "DOUBLE_CLICK", PATIENCE)
                patch.setattr(imgui.get_io(), "mouse_single_click_delay", 2 * PATIENCE)  # has to be longer
                patch.setattr(imgui.get_io(), "mouse_double_click_time", PATIENCE)
            self.hands("click", "--repeat", times, "--delay", 30, button)

    def middle(self, name: str) -> tuple[float, float]:
        """The middle of an item of the interface."""
        left, top, right, bottom = self.boxes[name]
        return (left + right) / 2, (top + bottom) / 2

    def key(self, *names: str) -> None:
        for name in names:
            self.hands("key", name)

    def type(self, words: str) -> None:
        self.hands("type", "--delay", 5, words)

    def resize(self, width: int, height: int) -> None:
        self.app.window.set_size(width, height)
        self.until(lambda: self.app.window.pixels == (width, height))
        self.settle()

    def scene(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The picture of the scene, (H, W, 3)."""
        return self.app.scene_view.renderer.read()

    def screen(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """What the X server shows of the window, (H, W, 3)."""
        from pyglet.libs.x11 import xlib

        window, (width, height) = self.app.window, self.app.window.pixels
        xlib.XSync(window._x_display, False)
        image = xlib.XGetImage(window._x_display, window._view, 0, 0, width, height, 0xFFFFFFFF, 2)
        header = image.contents
        where = ctypes.c_void_p.from_address(ctypes.addressof(header) + type(header).data.offset)
        data = ctypes.string_at(where.value, header.bytes_per_line * height)
        pixels = np.frombuffer(data, np.uint8).reshape(height, -1, 4)[:, :width, 2::-1].copy()
        ctypes.CDLL("libX11.so.6").XDestroyImage(image)
        return pixels


def _raise(app: Any, error: Exception) -> None:
    """In place of `App.failed`, which goes on: here what nobody expected fails the test."""
    raise error


@pytest.fixture
def desktop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Desktop]]:
    """Opens the app: `desktop(preset, size=..., playing=...)`; a GL error or an exception on the way fails the test."""
    from viewer.app.app import App
    from viewer.commands.begin import Start

    monkeypatch.setattr("viewer.ui.freshness.TOOLTIP_SECONDS", 0.0)  # waiting for tooltips takes time
    monkeypatch.setattr("viewer.workspace.files.PROMPT", PATIENCE)  # files are there at once
    monkeypatch.setattr(App, "failed", _raise)
    boxes: dict[str, Box] = {}
    record_items(monkeypatch, boxes.__setitem__)
    opened: list[App] = []

    def open_app(
        preset: str = "paper-fig1",
        playing: bool = False,
        clock: Callable[[], float] = time.perf_counter,
        **more: Any,
    ) -> Desktop:
        """More: what a Start takes; `clock=TickingClock()` where the test is about time."""
        start = Start(**{"scenario": Scenario.preset(preset), "playing": playing, "name": preset} | more)
        opened.append(App(start, clock))
        shown = Desktop(opened[-1], boxes)
        shown.close = lambda: opened.pop(opened.index(shown.app)).close()
        return shown

    yield open_app
    for app in opened:
        app.close()
