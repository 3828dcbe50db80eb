"""The size of a screen in metres, and the window's position on it, as far as the system knows them."""

import contextlib
import ctypes
import math
import sys
from collections.abc import Callable
from typing import Any

from viewer.scenario.choices.stereo_modes import WIGGLES, StereoMode
from viewer.scene.stereo.views import OnScreen
from viewer.ui.layout import Rect

LIKELY = (0.1, 10.0)  # m: a width outside this range is not believed
SAME_SHAPE = 0.1  # by which the ratio of a pixel's sides may differ from 1


def screen_width(screen: Any) -> float | None:
    """Return the width in metres of one of pyglet's screens, or None if the system gives no plausible width."""
    size: tuple[float, float] = (0.0, 0.0)
    with contextlib.suppress(Exception):  # whatever a system's library raises, the size is then unknown
        size = _SIZES[sys.platform](screen)
    for width, height in (size, size[::-1]):  # a rotated screen may still give the size that it had before
        if LIKELY[0] <= width <= LIKELY[1] and height > 0.0:
            pixel_shape = (width / screen.width) / (height / screen.height)
            if abs(pixel_shape - 1.0) <= SAME_SHAPE:
                return width
    return None


def _xlib_size(screen: Any) -> tuple[float, float]:
    """Return the width and the height in metres, as XRandR reports them for the screen itself."""
    from pyglet.libs.x11 import xlib, xrandr

    display = screen.display._display
    resources = xrandr.XRRGetScreenResources(display, xlib.XDefaultRootWindow(display))
    try:
        info = xrandr.XRRGetOutputInfo(display, resources, screen.output_id)
        size = 1e-3 * info.contents.mm_width, 1e-3 * info.contents.mm_height
        xrandr.XRRFreeOutputInfo(info)
    finally:
        xrandr.XRRFreeScreenResources(resources)
    return size


def _windows_size(screen: Any) -> tuple[float, float]:
    """Return the width and the height in metres, as the screen's device context reports them."""
    gdi: Any = ctypes.windll.gdi32  # type: ignore[attr-defined,unused-ignore]
    gdi.CreateDCW.restype = ctypes.c_void_p
    context = ctypes.c_void_p(gdi.CreateDCW(None, screen.get_device_name(), None, None))
    horizontal, vertical = 4, 6  # HORZSIZE, VERTSIZE: mm
    size = 1e-3 * gdi.GetDeviceCaps(context, horizontal), 1e-3 * gdi.GetDeviceCaps(context, vertical)
    gdi.DeleteDC(context)
    return size


def _mac_size(screen: Any) -> tuple[float, float]:
    """Return the width and the height in metres, as Quartz reports them."""
    from pyglet.libs.darwin.cocoapy import quartz

    size = quartz.CGDisplayScreenSize(screen._cg_display_id)
    return 1e-3 * size.width, 1e-3 * size.height


_SIZES: dict[str, Callable[[Any], tuple[float, float]]] = {
    "linux": _xlib_size,
    "win32": _windows_size,
    "darwin": _mac_size,
}


class Monitor:
    """The position of a window on its screen, and the size of a pixel there, for stereo pictures.

    Both are asked for again after `moved` was called.
    """

    def __init__(self) -> None:
        self._origin: tuple[int, int] | None = None
        self._screen: Any = None
        self._metres_per_pixel: float | None = None
        self._screen_pixels = 1.0  # the screen's width

    def moved(self) -> None:
        """Note that the window has moved, or has another size."""
        self._origin = None

    def seen(self, window: Any, mode: StereoMode, rect: Rect, now: float) -> OnScreen:
        """Return where on the screen a picture that fills `rect` [pixels] is seen, and at which turn of the eyes."""
        if len(mode.eyes) < 2:
            return OnScreen()
        self._look(window)
        x, y = self._origin or (0, 0)
        pitch = self._metres_per_pixel
        return OnScreen(
            origin=(x + rect.x, y + rect.y) if mode.interlacing else (0, 0),
            width=None if pitch is None else pitch * rect.width * mode.halves[0],
            fraction=rect.width * mode.halves[0] / self._screen_pixels,
            turn=self.turn(mode, now),
        )

    def pixels(self, window: Any, metres: float, screen_width: float) -> int | None:
        """Return how many whole pixels a length on the screen has, or None if the width of the screen is unknown.

        `screen_width` is the width that the scene gives [m], or 0 if it gives none.
        """
        self._look(window)
        pitch = screen_width / self._screen_pixels if screen_width > 0.0 else self._metres_per_pixel
        return None if pitch is None else math.floor(metres / pitch)

    def turn(self, mode: StereoMode, now: float) -> int:
        """Return how many times the picture has gone over to the other eye; 0 if the eyes take no turns."""
        return int(now * WIGGLES) if mode.layout == "frame-sequential" else 0

    def wait(self, mode: StereoMode, now: float) -> float | None:
        """Return the seconds until it is the other eye's turn, or None if the eyes take no turns."""
        return (int(now * WIGGLES) + 1) / WIGGLES - now if mode.layout == "frame-sequential" else None

    def _look(self, window: Any) -> None:
        """Ask for the window's position and its screen, unless they are known."""
        if self._origin is not None:
            return
        screen, self._origin = window.standing()
        if screen is not self._screen:
            width = screen_width(screen)
            self._screen = screen
            self._screen_pixels = screen.width * window.ratio
            self._metres_per_pixel = None if width is None else width / self._screen_pixels
