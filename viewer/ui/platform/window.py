"""The pyglet window, and its OpenGL context."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from ctypes import POINTER, byref, c_char, c_int, c_ubyte, c_ulong, cast
from typing import Any

import moderngl

from viewer.common.errors import GraphicsError
from viewer.common.language import tr
from viewer.ui.platform.pyglet_options import Config, NoSuchConfigException, Window, get_display, gl

NAME = "Poinsot"
SMALLEST = (64, 64)
Failed = Callable[[Exception], None]
USUAL_RATE = 60.0


if sys.platform == "linux":
    from pyglet.libs.x11 import xlib

    STATE, FULL = "_NET_WM_STATE", "_NET_WM_STATE_FULLSCREEN"  # Extended Window Manager Hints 1.5
    TOGGLE, FROM_APPLICATION = 2, 1
    MANAGER_EVENTS = xlib.SubstructureRedirectMask | xlib.SubstructureNotifyMask
    MOST_ATOMS = 1024

    class SystemWindow(Window):  # type: ignore[misc]
        """A window on X11, with what pyglet does not do or gets wrong there."""

        def _event_text_symbol(self, event: Any) -> tuple[str | None, int | None]:
            """Return the text and symbol of a key event; for a release, the symbol that its press had.

            Shift may have been released in between, which changes the symbol; pyglet would then take the key to be held
            for ever, and its next presses for repetitions.
            """
            text, symbol = super()._event_text_symbol(event)
            down, code = self._keys_down(), event.xkey.keycode
            if event.type != xlib.KeyPress:
                return text, down.pop(code, symbol)
            if code not in down:
                self.pressed_keys.discard(symbol)
            down[code] = symbol
            return text, symbol

        def _keys_down(self) -> dict[int, int | None]:
            """Return the symbols of the keys that are held, by their codes."""
            # events come before there is an __init__
            found: dict[int, int | None] = self.__dict__.setdefault("_keys", {})
            return found

        def forget_released_keys(self) -> None:
            """Forget the keys that were released without an event for this window."""
            bits = (c_char * 32)()
            xlib.XQueryKeymap(self._x_display, bits)
            held = bytes(bits.raw)
            for code in list(self._keys_down()):
                if not held[code // 8] >> code % 8 & 1:
                    del self._keys_down()[code]

        def set_mouse_position(self, x: int, y: int) -> None:
            """Do nothing: without Xinerama, pyglet would move the pointer into the corner of a full screen."""

        @property
        def fullscreen(self) -> bool:
            """Whether the window takes the whole screen, by its own doing or the window manager's."""
            return bool(self._fullscreen) or self._atom(FULL) in self._atoms(self._window, STATE)

        def manager_toggles_fullscreen(self) -> bool:
            """Ask the window manager to switch full screen on or off; return whether it can do so.

            It leads back to a maximised window if the window was one.
            """
            root = self._get_root()
            if self._fullscreen or self._atom(FULL) not in self._atoms(root, "_NET_SUPPORTED"):
                return False
            event = xlib.XEvent()
            event.xclient.type = xlib.ClientMessage
            event.xclient.display = cast(self._x_display, POINTER(xlib.Display))
            event.xclient.window = self._window
            event.xclient.message_type = self._atom(STATE)
            event.xclient.format = 32
            for number, value in enumerate((TOGGLE, self._atom(FULL), 0, FROM_APPLICATION)):
                event.xclient.data.l[number] = value
            xlib.XSendEvent(self._x_display, root, False, MANAGER_EVENTS, byref(event))
            xlib.XFlush(self._x_display)
            return True

        def _atom(self, name: str) -> int:
            return int(xlib.XInternAtom(self._x_display, name.encode("ascii"), False))

        def _atoms(self, window: int, name: str) -> set[int]:
            """Return the atoms in a property of a window; an empty set if it has no such property."""
            kind, form, count, left = xlib.Atom(), c_int(), c_ulong(), c_ulong()
            data = POINTER(c_ubyte)()
            xlib.XGetWindowProperty(
                self._x_display, window, self._atom(name), 0, MOST_ATOMS, False, self._atom("ATOM"),
                byref(kind), byref(form), byref(count), byref(left), byref(data),
            )  # fmt: skip
            if not data:
                return set()
            found = set(cast(data, POINTER(c_ulong))[: count.value])
            xlib.XFree(data)
            return found

        def _event_drag_enter(self, event: Any) -> None:
            """Accept a dragged file with at most three formats, where pyglet 2.1 fails to add 2 to a ctypes array."""
            few = not event.xclient.data.l[1] & 1
            if not few:
                super()._event_drag_enter(event)
                return
            longs = event.xclient.data.l
            self._xdnd_source, self._xdnd_version = longs[0], longs[1] >> 24
            wanted = self._xdnd_atoms["text/uri-list"]
            self._xdnd_format = wanted if wanted in (longs[2], longs[3], longs[4]) else None

else:
    SystemWindow = Window


class NoWindow(GraphicsError):
    """No window can be opened; the message says why."""


def _context() -> Any:
    """Return a context of OpenGL 3.3, with a buffer for each eye if the driver offers them."""
    screen = get_display().get_default_screen()
    version = {"major_version": 3, "minor_version": 3, "forward_compatible": True}
    wanted: dict[str, Any] = {"double_buffer": True, "depth_size": 0, **version}
    with contextlib.suppress(NoSuchConfigException):
        config = screen.get_best_config(Config(stereo=True, **wanted))
        if config.stereo:
            return config.create_context(None)
    return screen.get_best_config(Config(stereo=False, **wanted)).create_context(None)


class AppWindow(SystemWindow):  # type: ignore[misc,unused-ignore]
    """A window whose events go to the handlers pushed onto it."""

    def __init__(
        self, failed: Failed, size: tuple[int, int], fullscreen: bool, position: tuple[int, int] | None = None
    ) -> None:
        """Open the window, `size` in pixels at scale 1; raises pyglet's exceptions if that fails.

        `failed` is called with an unexpected exception of a handler. `position` is that of the upper left corner on the
        desktop; the system chooses one if it is None or no longer on a screen.
        """
        self._failed = failed
        self._cursors: dict[str, Any] = {}
        self._cursor: str | None = ""
        self._screens: list[Any] | None = None  # read when needed, and again when the window comes back
        self._rate: tuple[Any, float] | None = None  # the screen that the window is on, and its frame rate
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
        """Return whether the middle of the title bar of a window at (x, y) is on a screen."""
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
        """Return the screen nearest to the window's middle, and the window's upper left corner in its pixels."""
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
        """Return the left and the upper edge on the desktop, and the width and the height at scale 1."""
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
        """The factor by which the interface is enlarged: the pixels per inch divided by 96, between 1 and 4."""
        scale = self.get_pixel_ratio() if sys.platform == "darwin" else self.dpi / 96.0
        return min(4.0, max(1.0, float(scale)))

    @property
    def frame_rate(self) -> float:
        """Pictures per second of the window's screen, or USUAL_RATE if the screen gives no plausible rate."""
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
        """Convert a position of pyglet's into pixels of the framebuffer, from the upper left."""
        return x * self.ratio, (self.height - 1 - y) * self.ratio

    def dispatch_event(self, *event: Any) -> Any:
        """Dispatch an event as pyglet does, but report an unexpected exception instead of raising it."""
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
        """Select the buffers to draw, one after the other, and yield the number of each.

        A buffer for both eyes has the number 0; of two buffers, the left one has 0 and the right one 1. `screen` is the
        window's framebuffer, which is bound first, because the selection is part of the framebuffer.
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
        """Do nothing: pyglet's own handler would set a viewport and a projection."""

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
    """Return the window and its OpenGL context; raises NoWindow if no window or context can be made."""
    try:
        window = AppWindow(failed, size, fullscreen, position)
    except Exception as error:  # pyglet raises whatever its platform does: ImportError, XlibException, ...
        reason = " ".join(str(error).split()) or type(error).__name__
        display = os.environ.get("DISPLAY", "a display")  # pyglet names no default display
        reason = reason.replace('"None"', display)
        raise NoWindow(tr("no window can be opened ({reason})").format(reason=reason)) from error
    try:
        return window, moderngl.create_context(require=330)
    except Exception as error:
        window.close()
        raise NoWindow(tr("the window has no OpenGL 3.3 ({reason})").format(reason=error)) from error
