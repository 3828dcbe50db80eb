"""The pyglet window, and its OpenGL context."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import moderngl

from viewer.common.errors import GraphicsError
from viewer.common.language import tr
from viewer.ui.platform.pyglet_options import Config, NoSuchConfigException, get_display, gl

if sys.platform == "linux":
    from viewer.ui.platform.x11 import XWindow as SystemWindow
else:
    from viewer.ui.platform.pyglet_options import Window as SystemWindow

NAME = "Poinsot"
SMALLEST = (64, 64)
Failed = Callable[[Exception], None]
USUAL_RATE = 60.0


class NoWindow(GraphicsError):
    """An error that says why no window can be opened here."""


def _context() -> Any:
    """Return a context of OpenGL 3.3, with a buffer for each eye where the driver offers one."""
    screen = get_display().get_default_screen()
    version = {"major_version": 3, "minor_version": 3, "forward_compatible": True}
    wanted: dict[str, Any] = {"double_buffer": True, "depth_size": 0, **version}
    with contextlib.suppress(NoSuchConfigException):
        config = screen.get_best_config(Config(stereo=True, **wanted))
        if config.stereo:
            return config.create_context(None)
    return screen.get_best_config(Config(stereo=False, **wanted)).create_context(None)


class AppWindow(SystemWindow):  # type: ignore[misc,unused-ignore]
    """A window, whose events are for the handlers that are pushed."""

    def __init__(
        self, failed: Failed, size: tuple[int, int], fullscreen: bool, position: tuple[int, int] | None = None
    ) -> None:
        """Open the window, `size` in pixels at scale 1; raises pyglet's exceptions where that fails.

        `failed` is called with an exception of a handler that nobody expected. `position`: of its upper left corner on
        the desktop; left to the system where no screen is there any more.
        """
        self._failed = failed
        self._cursors: dict[str, Any] = {}
        self._cursor: str | None = ""
        self._screens: list[Any] | None = None  # read when needed, and again when the window comes back
        self._rate: tuple[Any, float] | None = None  # of the screen that has the window
        context = _context()
        super().__init__(
            *size, caption=NAME, resizable=True, vsync=True, file_drops=True, context=context,
            config=context.config,  # else pyglet looks for one again: 15 ms
        )  # fmt: skip
        self.has_two_buffers = bool(self.config.stereo)
        self.set_minimum_size(*SMALLEST)
        if position is not None and self._on_a_screen(*position):
            self.set_location(*position)
        if fullscreen:
            self.toggle_fullscreen()

    def _on_a_screen(self, x: int, y: int) -> bool:
        """Return whether the title of a window at (x, y) can be seen and taken."""
        middle = x + self.get_size()[0] / 2
        return any(
            screen.x <= middle < screen.x + screen.width and screen.y <= y < screen.y + screen.height
            for screen in self.display.get_screens()
        )

    @property
    def ratio(self) -> float:
        """Pixels of the framebuffer per unit of pyglet's positions."""
        return self.pixels[1] / max(1, int(self.height))

    def toggle_fullscreen(self) -> None:
        """Go to full screen, or back to the window as it was before."""
        if not (sys.platform == "linux" and self.manager_toggles_fullscreen()):
            self.set_fullscreen(not self.fullscreen)
            self.activate()  # pyglet has made another window, which does not have the keyboard

    def standing(self) -> tuple[Any, tuple[int, int]]:
        """Return the screen that has the window's middle, and the window's upper left corner in its pixels."""
        if self._screens is None:
            self._screens = self.display.get_screens()
        (x, y), (width, height) = self.get_location(), self.get_size()

        middle = x + width / 2, y + height / 2

        def away(screen: Any) -> float:
            across = max(screen.x - middle[0], 0.0, middle[0] - (screen.x + screen.width))
            return float(across + max(screen.y - middle[1], 0.0, middle[1] - (screen.y + screen.height)))

        screen = min(self._screens, key=away)
        return screen, (round((x - screen.x) * self.ratio), round((y - screen.y) * self.ratio))

    def bounds(self) -> tuple[int, int, int, int]:
        """Return left and upper edge on the desktop, width and height at scale 1."""
        (x, y), (width, height) = self.get_location(), self.get_size()
        scale = 1.0 if sys.platform == "darwin" else self.dpi / 96.0
        return int(x), int(y), round(width / scale), round(height / scale)

    @property
    def pixels(self) -> tuple[int, int]:
        """Size of the framebuffer."""
        width, height = self.get_framebuffer_size()
        return int(width), int(height)

    @property
    def interface_scale(self) -> float:
        """By what the interface is enlarged: the pixels per inch against 96, between 1 and 4."""
        scale = self.get_pixel_ratio() if sys.platform == "darwin" else self.dpi / 96.0
        return min(4.0, max(1.0, float(scale)))

    @property
    def frame_rate(self) -> float:
        """Pictures per second of the screen where the window stands, or what is usual where it does not say."""
        screen, _ = self.standing()
        if self._rate is None or screen is not self._rate[0]:
            rate = float(getattr(screen.get_mode(), "rate", 0) or 0)
            self._rate = screen, rate if 20.0 <= rate <= 500.0 else USUAL_RATE
        return self._rate[1]

    def show_cursor(self, name: str | None) -> None:
        """Show a cursor by pyglet's name; "" is the arrow, None no cursor."""
        if name == self._cursor:
            return
        self.set_mouse_visible(name is not None)
        if name is None:
            self._cursor = None
            return
        if name not in self._cursors:
            self._cursors[name] = self.get_system_mouse_cursor(name or self.CURSOR_DEFAULT)
        self.set_mouse_cursor(self._cursors[name])
        self._cursor = name

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return a position of pyglet's in pixels of the framebuffer, from the upper left."""
        return x * self.ratio, (self.height - 1 - y) * self.ratio

    def dispatch_event(self, *event: Any) -> Any:
        """Dispatch an event as pyglet does; an exception that nobody expected ends there, and is reported."""
        try:
            return super().dispatch_event(*event)
        except Exception as error:
            self._failed(error)
            return None

    def on_activate(self) -> None:
        """Ask for the screens again: one may have been plugged in, or set to another rate."""
        self._screens = None
        self.on_expose()

    def buffers(self, both: bool, screen: moderngl.Framebuffer) -> Iterator[int]:
        """Yield the buffers to draw, each of which is chosen then: 0 for both eyes, or 0 left and 1 right.

        `screen`: the window's framebuffer; which buffers are drawn is part of the framebuffer that is bound.
        """
        if not (both and self.has_two_buffers):
            yield 0
            return
        for number, buffer in enumerate((gl.GL_BACK_LEFT, gl.GL_BACK_RIGHT)):
            screen.use()
            gl.glDrawBuffer(buffer)
            yield number
        screen.use()
        gl.glDrawBuffer(gl.GL_BACK)

    def on_resize(self, width: int, height: int) -> None:
        """Do nothing: pyglet's own would set a viewport and a projection."""

    def on_expose(self) -> None:
        """Forget keys that were released while another window had the keyboard."""
        if sys.platform == "linux":
            self.forget_released_keys()

    def on_show(self) -> None:
        """Ask for the screens again."""
        self._screens = None


def open_window(
    failed: Failed, size: tuple[int, int], fullscreen: bool, position: tuple[int, int] | None = None
) -> tuple[AppWindow, moderngl.Context]:
    """Return the window and its OpenGL context; raises NoWindow where there can be none."""
    try:
        window = AppWindow(failed, size, fullscreen, position)
    except Exception as error:  # pyglet raises what its platform has: ImportError, XlibException, ...
        reason = " ".join(str(error).split()) or type(error).__name__
        display = os.environ.get("DISPLAY", "a display")  # pyglet names no default display
        reason = reason.replace('"None"', display)
        raise NoWindow(tr("no window can be opened ({reason})").format(reason=reason)) from error
    try:
        return window, moderngl.create_context(require=330)
    except Exception as error:
        window.close()
        raise NoWindow(tr("the window has no OpenGL 3.3 ({reason})").format(reason=error)) from error
